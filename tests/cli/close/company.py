"""A company whose March is as the end of a month should be, made by commands: all but its VAT is done."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from tests.banking.statements import generator as made
from tests.journeys.places import Place, fresh, kept_open

SALE = made.Move(date(2026, 3, 5), date(2026, 3, 5), 12_550, "S1", "Asiakas Oy", "", "", "", "Invoice 7")
MARCH = made.Book(made.FINNISH, 3, date(2026, 3, 1), date(2026, 3, 31), 0, [SALE])
ROW = "name=Work,unit=h,count=1,amount=100,vat=25.5,code=1"
COMMANDS = f"""
business create --name Close --form FI_OY --slug close --business-id 0112038-9
business use close
business update close --iban FI2112345600000785 --street Katu --postal-code 00100 --city Oulu \
    --set invoicing_country=FI --set has_accrual_based_entries_for_invoicing=true
account update 1910 --set description={made.FINNISH}
account create --number 2990 --name Selvittelytili --type LIA
account create --number 2991 --name Suspense --type LIA
contact create --name Asiakas --invoicing --email osto@asiakas.example --street Katu --postal-code 00100 --city Oulu \
    --country FI
file upload receipt.txt
bank import march.xml --contra 3900 --no-match --yes
document attach 1 1
document create --date 2026-03-09 --debit 4000:62.75@2/25.5 --credit 1900 --set attachment_ids=[1]
invoice create --to id:1 --date 2026-03-10 --days 14 --row {ROW}
invoice accept 1
purchase create --sender Kespro --number 77 --amount 50 --date 2026-03-11 --due 2026-04-11 --post --account 4000
document attach 4 1
"""


@kept_open()
def found_company(folder: Path) -> Place:
    """Found the company; its March has a statement, an open invoice and an open purchase invoice."""
    folder.mkdir(parents=True)
    place = fresh("close", folder)
    (folder / "receipt.txt").write_text("receipt")
    (folder / "march.xml").write_bytes(made.camt([MARCH]))
    for line in COMMANDS.replace("\\\n", "").strip().splitlines():
        place.run(*line.split(), "--json")
    for period in place.json("vat", "period", "list"):
        place.run("vat", "period", "delete", str(period["id"]), "--yes")
    for month in ("03", "04"):
        place.run("vat", "period", "create", "--start", f"2026-{month}-01", "--period", "month")
    return place
