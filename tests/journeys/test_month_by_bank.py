"""A month from its statement to the return of its VAT: the commands of docs/month.md, and hledger beside them."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from datetime import date
from decimal import Decimal
from pathlib import Path

from acctcli.einvoice.finvoice import finvoice
from tests.banking.statements.generator import FINNISH, Book, Move, camt
from tests.einvoice.samples import FINNISH_BUYER, FINNISH_SELLER, Wire, invoice, row
from tests.journeys.places import Place, fresh
from tests.programs import require_program

PAGE = Path(__file__).parents[2] / "docs" / "month.md"
TYPED = Path(__file__).parent / "month"
COMPANY = """
business create --name 'Satama Oy' --form FI_OY --slug satama --business-id 0112038-9 --phone +358401234567 \
    --iban FI2112345600000785 --street 'Satama 1' --postal-code 00100 --city Helsinki --country FI
business use satama
business identifier create --type y_tunnus --value 0112038-9
business identifier create --type vat_code --value FI01120389
account update 1910 --set description=FI2112345600000785 --set opening_balance=5000
vat period create --from 2026-03
contact create --name 'Asiakas Oy' --type business --invoicing --email osto@asiakas.example --street 'Katu 1' \
    --postal-code 00100 --city Helsinki --country FI
contact create --name 'Toinen Oy' --type business --invoicing --email osto@toinen.example --street 'Katu 2' \
    --postal-code 00100 --city Helsinki --country FI
"""
US = {**FINNISH_BUYER, "name": "Satama Oy", "contact_business_id": "0112038-9", "invoicing_tax_code": "FI01120389"}
# what a person types to the same end, beside the files of the folder
HLEDGER = (
    "hledger import march.csv --rules-file march.rules",
    "hledger check",
    "hledger register 1910",
    "hledger balance",
)
ONCE = ("acctcli bank rule add",)


def commands() -> list[str]:
    block = PAGE.read_text().partition("```sh\n")[2].partition("```")[0]
    return block.splitlines()


def bill(
    place: Place, name: str, sender: str, business_id: str, number: int, reference: str, net: str, day: date
) -> None:
    identifiers = [
        {"id": 1, "type": "y_tunnus", "value": business_id},
        {"id": 2, "type": "vat_code", "value": f"FI{business_id.replace('-', '')}"},
    ]
    seller: Wire = {**FINNISH_SELLER, "name": sender, "business_id": business_id, "identifiers": identifiers}
    said = {"invoice_number": number, "reference": reference, "invoicing_date": day, "due_date": day.replace(day=28)}
    place.folder.joinpath(name).write_bytes(finvoice(invoice([row(net)], US, **said), seller))


def statement(place: Place) -> bytes:
    """Make the bank's file: it names the references that the invoices got."""
    sent = {one["id"]: one["reference"] for one in place.json("invoice", "list")}
    facts = [
        (16, 100_400, "Asiakas Oy", sent[1], ""),
        (17, -12_550, "Paperi Oy", "5012", ""),
        (18, -4_540, "KESPRO HELSINKI", "", "Korttiosto"),
        (23, 50_200, "Toinen Oy", sent[2], ""),
        (31, -590, "", "", "Palvelumaksu"),
    ]
    moves = [
        Move(date(2026, 3, day), date(2026, 3, day), cents, f"A{day}", name, viite=reference, text=text)
        for day, cents, name, reference, text in facts
    ]
    return camt([Book(FINNISH, 3, date(2026, 3, 1), date(2026, 3, 31), 500_000, moves)])


def balances(place: Place) -> dict[str, Decimal]:
    """Return what accounts stand at, debit less credit, but for what the bank account began with."""
    found = {
        one["number"]: one["balance"] if (one["type"] or "").startswith(("ASS", "EXP")) else -one["balance"]
        for one in place.json("account", "balances", "--date", "2026-03-31")
        if one["number"]
    }
    found["1910"] -= 5000
    return {number: amount for number, amount in found.items() if amount}


def test_a_month_takes_twelve_commands_and_hledger_agrees(tmp_path: Path) -> None:
    place = fresh("in process", tmp_path)
    for line in COMPANY.strip().replace("\\\n", "").splitlines():
        place.run(*shlex.split(line))
    bill(place, "paper.xml", "Paperi Oy", "1234567-1", 501, "5012", "100.00", date(2026, 3, 2))
    bill(place, "machine.xml", "Kone Oy", "0737546-2", 77, "774", "200.00", date(2026, 3, 20))
    lines = commands()
    assert len(lines) <= 12
    for line in lines:
        if "bank import" in line:
            tmp_path.joinpath("march.xml").write_bytes(statement(place))
        done = place.run(*shlex.split(line)[1:])
        if "bank import" in line:
            assert "5 of 5 lines matched" in done.err
    (march,) = place.json("bank", "reconcile", "--period", "2026-03")
    assert (march["closing"], march["books"], march["problem"]) == (Decimal("6329.20"), Decimal("6329.20"), None)
    boxes = {one["box"]: one["amount"] for one in place.json("vat", "return", "--period", "2026-03")}
    assert (boxes["301"], boxes["307"], boxes["308"]) == (306, Decimal("81.90"), Decimal("224.10"))
    assert place.json("vat", "period", "get", "2026-03")["is_reported"] is True
    assert tmp_path.joinpath("pay.xml").exists()
    # what was typed by hand, and what rules make of the bank's file
    for name in ("march.csv", "march.rules", "typed.journal"):
        shutil.copy(TYPED / name, tmp_path)
    imported = hledger(tmp_path, "-f", "march.csv", "--rules-file", "march.rules", "print")
    tmp_path.joinpath("all.journal").write_text(f"{TYPED.joinpath('typed.journal').read_text()}\n{imported}")
    listed = hledger(tmp_path, "-f", "all.journal", "balance", "-N", "--flat", "--format", "%(account) %(total)")
    theirs = {number: Decimal(amount) for number, amount in map(str.split, listed.splitlines())}
    assert theirs == balances(place)


def hledger(folder: Path, *words: str) -> str:
    command = [require_program("hledger"), *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=60).stdout


def test_the_page_counts_what_is_typed() -> None:
    files = [(TYPED / name).read_text() for name in ("march.rules", "typed.journal")]
    again = [line for line in commands() if not line.startswith(ONCE)]
    written = "".join(files).splitlines()
    table = dict(re.findall(r"^\| ([a-z ]+) \| ([0-9]+ \| [0-9]+) \|$", PAGE.read_text(), re.MULTILINE))
    assert table == {
        "commands": f"{len(commands())} | {len(HLEDGER)}",
        "lines typed into files": f"0 | {sum(bool(line) for line in written)}",
        "keystrokes in all": f"{strokes(commands())} | {strokes([*HLEDGER, *written])}",
        "of them again next month": f"{strokes(again)} | {strokes([*HLEDGER, *files[1].splitlines()])}",
    }


def strokes(lines: list[str]) -> int:
    """Count keys: each line ends with one."""
    return sum(len(line) + 1 for line in lines)
