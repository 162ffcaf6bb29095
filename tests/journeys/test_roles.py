"""A day's work of a person of each role: what the role is for works, what it is not for is refused (exit 5)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.places import Done, Place, fresh

pytestmark = pytest.mark.usefixtures("books_stay_open")

SELLER = (
    "--set invoicing_iban=FI2112345600000785 --set invoicing_email=lasku@demo.example "
    "--set invoicing_street=Satama --set invoicing_postal_code=00100 --set invoicing_city=Helsinki "
    "--set invoicing_country=FI"
)
BUYER = "--invoicing --email osto@asiakas.example --street Katu --postal-code 00100 --city Helsinki --country FI"
COMPANY = f"""
business create --name Demo --form FI_OY --slug demo --business-id 0112038-9
business use demo
business update demo {SELLER}
contact create --name Asiakas --customer-id 1001 {BUYER}
product create --code A1 --name Work --unit h --amount 80 --vat-code 1 --vat-rate 25.5
file upload receipt.txt
document create --date 2026-03-02 --description Sale --debit 1910 --credit 3000:125.50
invoice create --to 1001 --date 2026-03-02 --days 14 --row code=A1,count=7
"""
Run = Callable[..., Done]


@pytest.fixture
def company(tmp_path: Path) -> Place:
    """A company of the person at this machine, with something of everything."""
    place = fresh("roles", tmp_path / "books")
    for name in ("receipt", "order"):
        place.folder.joinpath(f"{name}.txt").write_text(f"{name} 80.00\n")
    for line in COMPANY.strip().splitlines():
        place.run(*line.split())
    return place


@pytest.fixture
def person(company: Place) -> Callable[[str], Run]:
    """Somebody who came in by invitation, with a role; a command is one text."""

    def come(role: str) -> Run:
        address = f"{role}@example.com"
        token = company.run("local", "token", "--user", address).out.strip()
        company.run("user", "invite", address, "--role", role)
        (waiting,) = company.json("user", "invitations", "--status", "open")

        def run(command: str) -> Done:
            return company.try_run(*command.split(), ACCTCLI_LOCAL_TOKEN=token)

        done = run(f"user accept {waiting['id']}")
        assert done.code == 0, done.err
        return run

    return come


def check(run: Run, works: str, refused: str) -> None:
    """Run commands, a line each: those of the work end with 0, the others with 5."""
    for commands, code in ((works, 0), (refused, 5)):
        for line in filter(None, map(str.strip, commands.splitlines())):
            done = run(line)
            assert done.code == code, f"{line}: {done.code} {done.err}"


def test_bookkeeping_enters_reconciles_reports_and_closes(company: Place, person: Callable[[str], Run]) -> None:
    company.run("invoice", "accept", "1")
    check(
        person("bookkeeping"),
        """
        account list
        account get 1910
        account create --number 1930 --name Savings --type ASS_PAY
        account balances --date 2026-03-31
        account statement 1910 --period 2026-03
        constant get vat-codes
        contact create --name Kespro
        contact list
        file upload order.txt --name coffee.txt
        document create --date 2026-03-05 --description Coffee --credit 1910 --debit 4000:80 --attachment 2
        document update 2 --description Beans
        document attach 1 1
        document list
        document entries 1
        document flag 1
        document lock 1
        document unlock 1
        tag create --name Oulu
        purchase create --sender Paperi --date 2026-03-02 --due 2026-03-16 --amount 125.50 --source upload
        purchase post 1 --account 4000
        purchase pay 1 --date 2026-03-16
        payout create --external-id po_1 --source shop --date 2026-03-02 --amount 10 --item amount=10,account=3000
        payout book 1 --clearing 1910
        invoice list
        invoice get 1
        invoice aging --date 2026-03-31
        report journal --period 2026
        report ledger --period 2026
        report trial-balance --period 2026
        report balance-sheet --date 2026-03-31
        report income-statement --period 2026-03
        report vat --period 2026-03
        period list
        period create --start 2025-01-01 --end 2025-12-31
        vat period list
        audit unseen
        audit comment 1 fine
        """,
        """
        invoice create --to 1001 --date 2026-03-02 --days 14 --row name=Work,unit=h,count=1,amount=1,vat=25.5
        invoice send 1 --method paper
        product create --name Work --unit h --amount 1
        business update demo --name Other
        user list
        user invite dora@example.com --role admin
        audit list
        webhook list
        """,
    )


def test_bookkeeping_locks_a_month_and_a_year(company: Place, person: Callable[[str], Run]) -> None:
    run = person("bookkeeping")
    company.run("invoice", "delete", "1", "--yes")
    company.run("period", "create", "--start", "2025-01-01", "--end", "2025-12-31")
    (year,) = [one for one in company.json("period", "list") if one["start_date"] == "2025-01-01"]
    check(run, f"period lock {year['id']}\nperiod fingerprint list\nperiod unlock {year['id']}", "")
    for vat_period in company.json("vat", "period", "list"):
        company.run("vat", "period", "delete", str(vat_period["id"]), "--yes")
    check(run, "vat period create --start 2026-03-01 --period month", "")
    (month,) = company.json("vat", "period", "list")
    check(
        run,
        f"vat return --period 2026-03\nvat period report {month['id']} --yes\n"
        f"vat period reopen {month['id']} --reason Mistake --yes",
        "",
    )


def test_invoicing_sells_sends_and_is_paid(person: Callable[[str], Run]) -> None:
    check(
        person("invoicing"),
        f"""
        account list
        contact create --name Uusi --customer-id 1002 {BUYER}
        contact update 2 --no-invoicing
        product create --code B1 --name Advice --unit h --amount 99 --vat-code 1 --vat-rate 25.5
        product list
        file upload order.txt
        invoice create --to 1001 --date 2026-03-05 --days 14 --row code=B1,count=2 --attachment 2
        invoice update 2 --days 30
        invoice accept 2
        invoice delivery-methods 2
        invoice send 2 --method email --subject Invoice
        invoice pdf 2 --output-file invoice.pdf
        invoice xml 2 --output-file invoice.xml
        invoice status-message add 2 Late
        invoice paid 2
        invoice unpaid 2
        invoice list --status accepted
        invoice credit-note 2 --part 1:1 --date 2026-03-06
        purchase create --sender Paperi --date 2026-03-02 --amount 10 --source upload
        payout list
        """,
        """
        invoice aging
        document list
        document create --date 2026-03-05 --credit 1910 --debit 4000:80
        account create --number 1930 --name Savings --type ASS_PAY
        report journal --period 2026
        period list
        tag create --name Oulu
        user list
        """,
    )


def test_read_only_sees_and_changes_nothing(company: Place, person: Callable[[str], Run]) -> None:
    before: list[Any] = company.json("audit", "verify")
    run = person("read-only")
    came_in: Any = company.json("audit", "verify")
    check(
        run,
        """
        business get demo
        business permissions
        account list
        account get 1910
        account balances --date 2026-03-31
        account statement 1910 --period 2026-03
        contact list
        contact get 1
        product list
        file list
        file get 1
        file download 1 --yes
        tag list
        document list
        document get 1
        document entries 1
        invoice list
        invoice get 1
        invoice aging
        purchase list
        payout list
        report journal --period 2026
        report ledger --period 2026
        report trial-balance --period 2026
        report balance-sheet --date 2026-03-31
        report vat --period 2026-03
        user get
        """,
        """
        account create --number 1930 --name Savings --type ASS_PAY
        contact create --name Uusi
        contact update 1 --name Vanha
        product delete 1 --yes
        file upload order.txt
        file delete 1 --yes
        tag create --name Oulu
        document create --date 2026-03-05 --credit 1910 --debit 4000:80
        document update 1 --description Other
        document delete 1 --yes
        document flag 1
        invoice accept 1
        invoice delete 1 --yes
        purchase create --sender Paperi --date 2026-03-02 --amount 10 --source upload
        period list
        vat period list
        business update demo --name Other
        business delete demo --yes
        user list
        user grant read-only@example.com --role admin
        webhook list
        audit list
        """,
    )
    after: Any = company.json("audit", "verify")
    assert after == came_in != before


def test_admin_does_all_of_it(person: Callable[[str], Run]) -> None:
    check(
        person("admin"),
        """
        document create --date 2026-03-05 --credit 1910 --debit 4000:80
        invoice accept 1
        period list
        report journal --period 2026
        webhook create --name Shop --url https://shop.example/
        user list
        user invite dora@example.com --permission files_read
        user grant local@localhost --role bookkeeping
        user remove local@localhost --yes
        business update demo --name Other
        audit list
        audit verify
        """,
        """
        audit list --service
        """,
    )
