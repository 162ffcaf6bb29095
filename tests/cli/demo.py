"""The small company that the examples of the helps are about: what its records are numbered is what they say."""

from __future__ import annotations

import shlex
from datetime import date
from pathlib import Path

from acctcli.einvoice.finvoice import finvoice
from tests.banking.payments.reports import about, pain002
from tests.banking.statements.flat import csv
from tests.banking.statements.generator import GERMAN, Book, books, camt
from tests.einvoice.samples import FINNISH_BUYER, FINNISH_SELLER, invoice, row
from tests.graphs import LOG, MANUAL, edge, graph, node, uuid
from tests.journeys.places import Place, fresh, kept_open
from tests.pictures import picture

BOOKS = """
business create --name 'Demo Oy' --form FI_OY --slug demo --business-id 0112038-9
business use demo
business update demo --set invoicing_iban=FI2112345600000785 --set invoicing_email=lasku@demo.example \
    --set invoicing_street='Satama 1' --set invoicing_postal_code=00100 --set invoicing_city=Helsinki \
    --set invoicing_country=FI
business identifier create --type y_tunnus --value 0112038-9
business identifier create --type vat_code --value FI01120389
period create --start 2025-01-01 --end 2025-12-31
vat period delete 1 --yes
vat period create --start 2026-03-01 --period month
vat period create
header create --name 'Current assets' --type B
account create --number 3020 --name 'Other sales' --type REV_SAL
tag create --name Oulu
contact create --name 'Asiakas Oy' --customer-id 1001 --type business --invoicing --email osto@asiakas.example \
    --street 'Katu 1' --postal-code 00100 --city Helsinki --country FI
contact create --name 'Nobody' --customer-id 1002
product create --code A1 --name Consulting --unit h --amount 80 --vat-code 1 --vat-rate 25.5
product create --code B1 --name Retired --unit h --amount 1
file upload receipt.txt --name 'Receipt 4711.txt'
file upload receipt.txt --name 'Receipt 4710.txt'
document create --date 2026-03-02 --description 'Cash sale' --debit 1910 --credit 3000:125.50
document create --date 2026-03-05 --credit 2871 --debit 4000:80 --attachment 2
document create --date 2026-03-19 --credit 1910 --debit 2871:80
document create --date 2026-03-06 --credit 2871 --debit 4000:60
document create --date 2026-03-20 --credit 1910 --debit 2871:60
document relation create 2 --related 3 --role accrual
invoice create --to 1001 --date 2026-03-02 --days 14 --row code=A1,count=7.5
invoice create --to 1001 --date 2026-03-02 --days 14 --row code=A1,count=8 --delivery email
invoice create --to 1001 --date 2026-03-03 --days 14 --row code=A1,count=9
invoice create --to 1001 --date 2026-03-04 --days 14 --row code=A1,count=1 --recurring --repeat month
invoice accept 2
invoice accept 3
invoice paid 3
invoice accept 4
invoice credit-note 3 --part 1:1 --date 2026-03-05
invoice accept 5
invoice status-message add 2 'On its way'
purchase create --sender 'Paperi Oy' --date 2026-03-02 --due 2026-03-16 --amount 125.50 \
    --iban FI2112345600000785 --reference 1232 --source upload
purchase create --sender 'Lehti Oy' --date 2026-03-03 --due 2026-03-17 --amount 10 --source upload --paid
purchase create --sender 'Kone Oy' --date 2026-03-04 --amount 62.75 --source upload \
    --iban FI4950009420028730 --number K-7
purchase post 3 --account 4000
purchase create --sender 'Kone Oy' --date 2026-03-05 --amount -12.55 --source upload
purchase post 4 --account 4000
payout create --external-id po_1 --source shop --date 2026-03-02 --amount 97.10 \
    --item amount=100,account=3000,vat=25.5,code=1 --item amount=-2.90,account=8500
webhook create --name Shop --url https://shop.example/events
webhook ping 1
workflow create --name 'Tell the shop' --graph graph.json
workflow create --name 'By hand' --graph by-hand.json --enabled
workflow run start 2
env set production --base-url https://api.books.example
document create --date 2026-03-16 --description 'Payment: Paperi Oy pay-3k7q2m4x5pad-1-1' --credit 1910 \
    --debit 2871:125.50 --draft
local token --user anna@example.com
local client add --id till --name Till --redirect https://till.example/callback
"""
# a second person, who has a business of her own, and invites the first one there
ANNA = "anna@example.com"
HERS = """
user accept 1
business create --name 'Annan Oy' --form FI_OY --slug annan
user invite local@localhost --role read-only --business annan
"""


ASSETS = """
[[assets]]
id = "van"
account = "1160"
expense = "6800"
price = "12000"
start = 2026-03-01
method = "straight-line"
months = 36
"""


@kept_open()
def demo(folder: Path, **variables: str) -> Place:
    """Make the company in a folder of its own."""
    place = fresh("demo", folder, **variables)
    folder.joinpath("receipt.txt").write_text("Coffee beans 80.00\n")
    folder.joinpath("logo.png").write_bytes(picture())
    place.write("graph.json", graph())
    folder.joinpath("statement.xml").write_bytes(camt(books(1, 3)))
    quiet = Book(GERMAN, 1, date(2026, 3, 1), date(2026, 3, 31), 0)
    folder.joinpath("march.xml").write_bytes(camt([quiet]))
    folder.joinpath("report.xml").write_text(pain002(about("pay-3k7q2m4x5pad-1-1", "RJCT", "AC04")))
    folder.joinpath("invoice.xml").write_bytes(finvoice(invoice([row("100.00")], FINNISH_BUYER), FINNISH_SELLER))
    folder.joinpath("assets.toml").write_text(ASSETS)
    folder.joinpath("bank-rules.toml").write_text('[[rules]]\ntext = "Rent"\naccount = "7160"\n')
    folder.joinpath("export.csv").write_bytes(csv(books(1, 3, batches=False), "n26"))
    folder.joinpath("trial-balance.csv").write_text("number,name,balance\n191,Bank,50.00\n2000,Capital,-50.00\n")
    folder.joinpath("numbers.csv").write_text("old,new\n191,1910\n")
    place.write("by-hand.json", graph([node(uuid(1), MANUAL), node(uuid(2), LOG)], [edge(0, 1, 2)]))
    created, *lines = BOOKS.replace("\\\n", "").strip().splitlines()
    place.try_run(*shlex.split(created))
    place.begin("demo")
    for line in lines:
        place.run(*shlex.split(line))
        if line.startswith("period create"):
            place.go_on("demo")
    if "ACCTCLI_DATABASE_URL" not in variables:
        place.run("local", "backup", "books-of-march.sqlite3")
    token = place.run("local", "token", "--user", ANNA).out.strip()
    place.run("user", "invite", ANNA, "--role", "bookkeeping")
    for line in HERS.strip().splitlines():
        place.run(*shlex.split(line), ACCTCLI_LOCAL_TOKEN=token)
    place.run("user", "invite", "elias@example.com", "--role", "read-only")
    return place
