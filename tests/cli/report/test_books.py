"""Journal and ledger: read record by record, checked, one row an entry."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal

import msgspec
import pytest

from acctcli.cli.report.books import Journal, Ledger, journal_rows, lay_out_journal, lay_out_ledger, ledger_rows
from acctcli.cli.report.labels import Labels
from acctcli.cli.report.sheet import Column, Kind, Sheet, SheetLine, Style
from acctcli.errors import Incomplete, ServerFault
from tests.cli.report.replies import JOURNAL, LEDGER

D = Decimal
PERIOD = "2026"


class Pages:
    """The records of a whole reply, one a page."""

    goes_on = False

    def __init__(self, body: bytes, array: str) -> None:
        self.rest = msgspec.json.decode(body, type=dict[str, msgspec.Raw])
        self._records = msgspec.json.decode(self.rest.pop(array), type=list[msgspec.Raw])

    def __iter__(self) -> Iterator[list[msgspec.Raw]]:
        return ([record] for record in self._records)


class Parts(Pages):
    """The same, entry by entry."""

    def __iter__(self) -> Iterator[list[msgspec.Raw]]:
        for record in map(msgspec.json.decode, self._records):
            *before, last = record["entries"] or [None]
            for entry in before:
                self.goes_on = True
                yield [msgspec.Raw(msgspec.json.encode({**record, "entries": [entry], "totals": None}))]
            self.goes_on = False
            yield [msgspec.Raw(msgspec.json.encode({**record, "entries": [last] if last else []}))]


def journal(body: bytes = JOURNAL) -> Journal:
    return Journal(Pages(body, "documents"))


def ledger(body: bytes = LEDGER) -> Ledger:
    return Ledger(Pages(body, "accounts"))


def test_a_ledger_whose_accounts_come_in_parts_is_the_same() -> None:
    parts = Ledger(Parts(LEDGER, "accounts"))
    assert sum(not part.is_last for part in parts) == 1
    assert list(ledger_rows(Ledger(Parts(LEDGER, "accounts")))) == list(ledger_rows(ledger()))
    words = Labels("en")
    assert lay_out_ledger(Ledger(Parts(LEDGER, "accounts")), PERIOD, words) == lay_out_ledger(ledger(), PERIOD, words)


def test_balances_are_followed_over_the_parts_of_an_account() -> None:
    sent = b'"credit": 2000.00, "balance_csum": -874.50'
    wrong = LEDGER.replace(sent, sent.replace(b".50", b".51"), 1)
    with pytest.raises(Incomplete, match=r"balance after 260304-1: the service says -874\.51, computed .* -874\.50$"):
        list(Ledger(Parts(wrong, "accounts")))


def test_the_journal_as_rows() -> None:
    head = {"number": "260302-1", "date": "2026-03-02", "document_id": 7, "contact_name": "Birch"}
    assert list(journal_rows(journal())) == [
        {**head, "account_number": "1910", "account_name": "Bank", "debet": D("125.50"), "credit": D("0.00"),
         "description": "Coffee", "vat_code": None, "vat_rate": None,
         "counter_accounts": "2939, 3000"},
        {**head, "account_number": "3000", "account_name": "Sales", "debet": D("0.00"), "credit": D("100.00"),
         "description": "", "vat_code": 1, "vat_rate": "25.50", "counter_accounts": "1910"},
        {**head, "account_number": "2939", "account_name": "VAT", "debet": D("0.00"), "credit": D("25.50"),
         "description": "", "vat_code": 1, "vat_rate": "25.50", "counter_accounts": "1910"},
    ]  # fmt: skip


def test_the_journal_as_lines() -> None:
    assert lay_out_journal(journal(), PERIOD, Labels("de")) == Sheet(
        "Journal",
        PERIOD,
        (
            Column("Nummer"),
            Column("Datum"),
            Column("Konto"),
            Column("Name"),
            Column("Soll", Kind.AMOUNT),
            Column("Haben", Kind.AMOUNT),
            Column("Beschreibung"),
            Column("Kontakt"),
            Column("Steuerkennzeichen"),
            Column("Gegenkonto"),
        ),
        [
            SheetLine(
                ("260302-1", "2026-03-02", "1910", "Bank", D("125.50"), None, "Coffee", "Birch", "", "2939, 3000")
            ),
            SheetLine(("", "", "3000", "Sales", None, D("100.00"), "", "", "1", "1910")),
            SheetLine(("", "", "2939", "VAT", None, D("25.50"), "", "", "1", "1910")),
            SheetLine(("260303-1", "2026-03-03", None, None, None, None, None, "", None, None)),
            SheetLine(("Summe", *[None] * 3, D("125.50"), D("125.50"), *[None] * 4), Style.SUM),
        ],
        once=2,
    )


def test_what_several_entries_are_about_is_said_once() -> None:
    told = json.loads(JOURNAL, parse_float=str)
    entries = told["documents"][0]["entries"]
    for entry, about in zip(entries, ("Coffee", "Coffee", "Coffee, VAT"), strict=True):
        entry["description"] = about
    body = json.dumps(told).encode()
    assert [line.cells[6] for line in lay_out_journal(journal(body), PERIOD, Labels("en")).lines[:3]] == [
        "Coffee", "", "Coffee, VAT",
    ]  # fmt: skip
    assert [row["description"] for row in journal_rows(journal(body))] == ["Coffee", "Coffee", "Coffee, VAT"]


def test_of_many_counter_accounts_twenty_are_named() -> None:
    debits = [{"account_number": f"{4000 + place}", "debet": 1, "credit": 0} for place in range(21)]
    whole = {"account_number": "1910", "debet": 0, "credit": 21}
    body = msgspec.json.encode({"documents": [{"number": "1", "entries": [*debits, whole]}]})
    told = [row["counter_accounts"] for row in journal_rows(journal(body))]
    assert told == ["1910"] * 21 + [", ".join([*(f"{4000 + place}" for place in range(20)), "…"])]


def test_columns_that_a_service_does_not_fill_are_left_out() -> None:
    plain = JOURNAL.replace(b'"contact_name": "Birch", ', b"").replace(b'"vat_code": 1', b'"vat_code": 3')
    sheet = lay_out_journal(journal(plain), PERIOD, Labels("en"))
    assert [column.title for column in sheet.columns[6:]] == ["Description", "Counter-account"]
    assert sheet.lines[1].cells == ("", "", "3000", "Sales", None, D("100.00"), "", "1910")


def test_accounts_have_the_names_of_the_language_where_the_chart_has_them() -> None:
    words = Labels("fi", {"1910": "Pankki"})
    assert [line.cells[3] for line in lay_out_journal(journal(), PERIOD, words).lines[:2]] == ["Pankki", "Sales"]
    assert [line.cells[0] for line in lay_out_ledger(ledger(), PERIOD, words).lines if line.spans] == [
        "1910 Pankki",
        "3000 Sales",
    ]


def test_a_result_that_is_carried_is_told_in_the_language_and_descriptions_are_not_translated() -> None:
    carried = b'"number": "", "date": "2026-03-04", "debet": 0.00'
    body = LEDGER.replace(b'"number": "260304-1", "date": "2026-03-04", "debet": 0.00', carried)
    body = body.replace(b'"Rent"', b'"Result carried to profit of previous periods"').replace(b'"Coffee"', b'"Change"')
    texts = [line.cells[2] for line in lay_out_ledger(ledger(body), PERIOD, Labels("de")).lines[1:4]]
    assert texts == ["Anfangssaldo", "Change", "Ergebnis vorgetragen"]


def test_the_ledger_as_rows() -> None:
    bank = {"account_number": "1910", "account_name": "Bank"}
    sales = {"account_number": "3000", "account_name": "Sales"}
    nobody = {"contact_name": None, "vat_code": None}
    opening = {"number": None, "date": None, "debet": None, "credit": None, **nobody, "counter_accounts": None}
    assert list(ledger_rows(ledger())) == [
        {**bank, **opening, "balance_csum": D("1000.00"), "description": "Opening balance"},
        {**bank, "number": "260302-1", "date": "2026-03-02", "debet": D("125.50"), "credit": D("0.00"),
         "balance_csum": D("1125.50"), "description": "Coffee", **nobody, "counter_accounts": ""},
        {**bank, "number": "260304-1", "date": "2026-03-04", "debet": D("0.00"), "credit": D("2000.00"),
         "balance_csum": D("-874.50"), "description": "Rent", "contact_name": "Birch", "vat_code": 2,
         "counter_accounts": "1763, 7160"},
        {**sales, **opening, "balance_csum": D("0.00"), "description": "Opening balance"},
        {**sales, "number": "260302-1", "date": "2026-03-02", "debet": D("0.00"), "credit": D("100.00"),
         "balance_csum": D("-100.00"), "description": None, **nobody, "counter_accounts": ""},
    ]  # fmt: skip


def test_the_ledger_as_lines() -> None:
    assert lay_out_ledger(ledger(), PERIOD, Labels("sv")) == Sheet(
        "Huvudbok",
        PERIOD,
        (
            Column("Nummer"),
            Column("Datum"),
            Column("Beskrivning"),
            Column("Kontakt"),
            Column("Momskod"),
            Column("Motkonto"),
            Column("Debet", Kind.AMOUNT),
            Column("Kredit", Kind.AMOUNT),
            Column("Saldo", Kind.AMOUNT),
        ),
        [
            SheetLine(("1910 Bank", *[None] * 8), Style.HEADING),
            SheetLine(("", "", "Ingående saldo", *[None] * 5, D("1000.00"))),
            SheetLine(("260302-1", "2026-03-02", "Coffee", "", "", "", D("125.50"), None, D("1125.50"))),
            SheetLine(("260304-1", "2026-03-04", "Rent", "Birch", "2", "1763, 7160", None, D("2000.00"), D("-874.50"))),
            SheetLine(("Summa", *[None] * 5, D("125.50"), D("2000.00"), D("-874.50")), Style.SUM),
            SheetLine(("3000 Sales", *[None] * 8), Style.HEADING),
            SheetLine(("", "", "Ingående saldo", *[None] * 5, D("0.00"))),
            SheetLine(("260302-1", "2026-03-02", "", "", "", "", None, D("100.00"), D("-100.00"))),
            SheetLine(("Summa", *[None] * 5, D(0), D("100.00"), D("-100.00")), Style.SUM),
            SheetLine(("Alla konton", *[None] * 5, D("125.50"), D("2100.00"), D("-974.50")), Style.SUM),
        ],
        ("", "", "Transport", *[None] * 6),
    )


def test_empty_books_have_only_a_sum() -> None:
    empty = b'{"documents": [], "accounts": [], "totals": {"debet": 0.00, "credit": 0.00, "balance_csum": 0}}'
    assert [line.cells[4:6] for line in lay_out_journal(journal(empty), PERIOD, Labels("en")).lines] == [(D(0), D(0))]
    assert [line.cells[3:] for line in lay_out_ledger(ledger(empty), PERIOD, Labels("en")).lines] == [
        (D(0), D(0), D(0))
    ]


@pytest.mark.parametrize(
    ("sent", "instead", "told"),
    [
        (b'"credit": 25.50', b'"credit": 25.40', "document 260302-1: its debit is 125.50, its credit 125.40"),
        (
            b'"totals": {"debet": 125.50, "credit": 125.50}},',
            b'"totals": {"debet": 1, "credit": 1}},',
            "document 260302-1, total debet: the service says 1.00",
        ),
        (b'}],\n  "totals": {"debet": 125.50', b'}],\n  "totals": {"debet": 125.49', "journal, total debet"),
    ],
)
def test_a_journal_that_does_not_add_up_is_not_laid_out(sent: bytes, instead: bytes, told: str) -> None:
    assert sent in JOURNAL
    with pytest.raises(Incomplete, match=told):
        lay_out_journal(journal(JOURNAL.replace(sent, instead)), PERIOD, Labels("en"))


@pytest.mark.parametrize(
    ("sent", "instead", "told"),
    [
        (b"1125.50", b"1125.51", "account 1910, balance after 260302-1"),
        (b'"credit": 2100.00', b'"credit": 2100.01', "ledger, total credit"),
        (b"-974.50", b"974.50", "ledger, total balance_csum"),
    ],
)
def test_a_ledger_that_does_not_add_up_is_not_laid_out(sent: bytes, instead: bytes, told: str) -> None:
    assert sent in LEDGER
    with pytest.raises(Incomplete, match=told):
        lay_out_ledger(ledger(LEDGER.replace(sent, instead)), PERIOD, Labels("en"))


def test_a_record_of_another_shape_is_the_services_fault() -> None:
    with pytest.raises(ServerFault, match="not what the interface promises"):
        list(journal(b'{"documents": [{"number": 5}]}'))
