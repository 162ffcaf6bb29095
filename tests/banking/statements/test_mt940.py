"""MT940 in the habits of several banks, beside a library that others wrote."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import mt940 as library
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.banking.statements.mt940 import read_mt940
from tests.banking.statements import flat
from tests.banking.statements import generator as made
from tests.banking.statements.reading import read, refused

D = Decimal
# in the way of examples that German banks publish: a direct debit with all of its words, and one without details
SAMPLE = """:20:STARTUMSE
:25:37040044/0532013000
:28C:00001/001
:60F:C251230EUR1000,00
:61:2512310102D175,50NDDTNONREF//POS 47
/OCMT/EUR175,50/
:86:105?00FOLGELASTSCHRIFT?109075?20EREF+2025-12-4711?21MREF+M-17?22CRED
+DE98ZZZ09999999999?23SVWZ+Strom Abschlag Dez?24ember?30COBADEFFXXX?31DE0212
0300000000202051?32Stadtwerke Muster?33stadt GmbH
:61:260102RD10,NTRFKREF-1
:62F:C260102EUR834,50
-"""


@given(st.integers(0, 2**32), st.booleans(), st.booleans(), st.integers(1, 3), st.integers(0, 12))
def test_what_was_written_is_read(seed: int, is_german: bool, is_wrapped: bool, statements: int, lines: int) -> None:
    truth = made.books(seed, lines, statements, made.GERMAN, batches=False)
    done = read(read_mt940, flat.mt940(truth, is_german=is_german, is_wrapped=is_wrapped))
    assert done.short == [one._replace(reference=one.reference[-16:]) for one in made.expected(truth)]
    assert [one.head.account for one in done.statements] == [made.GERMAN] * statements


@given(st.integers(0, 2**32), st.booleans())
def test_a_library_of_others_reads_the_same(seed: int, is_german: bool) -> None:
    truth = made.books(seed, 8, 1, made.GERMAN, batches=False)
    data = flat.mt940(truth, is_german=is_german)
    own = read(read_mt940, data).lines
    theirs = [one.data for one in library.parse(data.decode("cp1252").replace("\r\n", "\n"))] if truth[0].moves else []
    assert len(own) == len(theirs)
    for line, one in zip(own, theirs, strict=True):
        assert (line.valued, line.booked) == (one["date"], one["entry_date"])
        assert line.reference == (one["bank_reference"] or "")
        # theirs takes a credit that was taken back for one
        assert one["amount"].amount == (-line.amount if one["status"] == "RC" else line.amount)


def test_all_that_a_german_bank_says() -> None:
    debit, back = read(read_mt940, SAMPLE.encode("cp1252")).lines
    assert (debit.amount, debit.booked, debit.valued) == (D("-175.50"), date(2026, 1, 2), date(2025, 12, 31))
    assert (debit.name, debit.iban) == ("Stadtwerke Musterstadt GmbH", "DE02120300000000202051")
    assert (debit.text, debit.end_to_end, debit.reference) == ("Strom Abschlag Dezember", "2025-12-4711", "POS 47")
    assert (debit.code, debit.number) == ("NDDT 105", 5)
    assert (back.amount, back.is_reversal, back.end_to_end) == (D("10.00"), True, "KREF-1")


@pytest.mark.parametrize(("written", "reference"), [("RF33 2348236", "RF332348236"), ("RF34 2348236", "")])
def test_an_rf_reference_is_one_by_its_check_digits(written: str, reference: str) -> None:
    data = SAMPLE.replace("Strom Abschlag Dez?24ember", written)
    line = read(read_mt940, data.encode()).lines[0]
    assert (line.structured, line.text) == (reference, written)


def test_a_blank_may_stand_before_the_type_of_a_movement() -> None:
    lines = read(read_mt940, SAMPLE.replace("D175,50NDDT", "D175,50 NDDT").encode("cp1252")).lines
    assert lines == read(read_mt940, SAMPLE.encode("cp1252")).lines


@pytest.mark.parametrize(
    ("written", "account"),
    [
        ("37040044/0532013000", "DE89370400440532013000"),
        ("37040044/532013000EUR", "DE89370400440532013000"),
        ("/DE89370400440532013000", "DE89370400440532013000"),
        ("NL91ABNA0417164300EUR", "NL91ABNA0417164300"),
        ("ACCOUNT-7", "ACCOUNT-7"),
    ],
)
def test_the_account_is_an_iban_where_it_is_one(written: str, account: str) -> None:
    data = SAMPLE.replace("37040044/0532013000", written)
    assert read(read_mt940, data.encode()).statements[0].head.account == account


def test_details_in_several_fields_are_put_together_and_those_of_nothing_refused() -> None:
    data = SAMPLE.replace(":61:260102RD", ":86:and more\n:61:260102RD")
    assert read(read_mt940, data.encode()).lines[0].text == "Strom Abschlag Dezember and more"
    fault = refused(read_mt940, SAMPLE.replace(":60F:", ":86:of nothing\n:60F:").encode())
    assert (fault.line, fault.field) == (4, ":86:")
    # what is told of a movement that is gone shows in the balance
    gone = SAMPLE.replace(":61:2512310102D175,50NDDTNONREF//POS 47\n/OCMT/EUR175,50/\n", "")
    assert refused(read_mt940, gone.encode()).field == "closing balance"
    assert len(read(read_mt940, SAMPLE.replace("\n-", "\n:86:of the whole\n-").encode()).lines) == 2


def test_a_field_without_an_end_is_refused() -> None:
    data = SAMPLE.replace("?109075", "?109075\n" + "x\n" * 200)
    assert refused(read_mt940, data.encode()).problem == "the field has more than 100 lines"


@pytest.mark.parametrize(
    ("old", "new", "line", "field"),
    [
        ("D175,50N", "D17x5,50N", 5, ":61:"),
        ("D175,50N", "D175.50N", 5, ":61:"),
        ("D175,50N", "D1.175,50N", 5, ":61:"),
        ("D175,50N", "X175,50N", 5, ":61:"),
        ("D175,50N", "DX175,50N", 5, ":61:"),
        (":61:251231", ":61:251331", 5, ":61:"),
        ("2512310102D", "2512310230D", 5, ":61:"),
        (":60F:C251230", ":60F:251230", 4, ":60F:"),
        (":62F:C260102EUR", ":62F:C260102USD", 11, ":62F:"),
        (":28C:", ":99:", 3, ":99:"),
        ("?20EREF", "?2xEREF", 7, ":86:"),
        (":20:STARTUMSE\n", "", 1, ":25:"),
        (":60F:C251230EUR1000,00\n", "", 4, ":61:"),
        (":62F:C260102EUR834,50\n", "", None, ":62F:"),
    ],
)
def test_what_is_wrong_is_named_with_line_and_field(old: str, new: str, line: int | None, field: str) -> None:
    assert old in SAMPLE
    fault = refused(read_mt940, SAMPLE.replace(old, new).encode())
    assert (fault.line, fault.field) == (line, field)


def test_a_report_of_the_day_is_told_from_a_statement() -> None:
    report = ":20:A\n:25:1\n:28C:1/1\n:34F:EUR0,\n:13D:2603021815+0100\n:61:2603020302D1,00NMSCX\n"
    told = "a report of the day (MT942) has no balances: ask the bank for MT940, or for CAMT"
    assert refused(read_mt940, report.encode()).problem == told


def test_what_a_library_skips_is_refused() -> None:
    assert refused(read_mt940, f"{SAMPLE}\nrubbish\n".encode()).line == 13
    left = library.parse(SAMPLE.replace("175,50N", "17x5,50N"))
    assert [one.data["amount"].amount for one in left] == [D(10)]


# what stands around messages, and in them, of several banks
ODD = {
    "an envelope": SAMPLE.replace(":20:", "ABNANL2A\n940\nABNANL2A\n:20:", 1),
    "a head of five blocks": f"\x01{{1:F01BANKXX}}{{2:I940}}{{4:\n{SAMPLE}}}{{5:}}\n",
    "a head with a colon": f":940:\n{SAMPLE}\n",
    "two with an envelope between": f"{SAMPLE}\n0000 01BANK\n940 00\n{SAMPLE}\n",
    "what is told of the account": SAMPLE.replace(":61:", ":86:DANSKBNK\n:86:IBAN no.: FI2112345600000785\n:61:", 1),
    "an amount in whole units": SAMPLE.replace("RD10,NTRF", "RD10NTRF"),
    "a type with blanks": SAMPLE.replace("RD10,NTRF", "RD10,S   "),
    "no day of booking": SAMPLE.replace(":61:260102RD", ":61:260102    RD"),
    "a time of day that was broken": SAMPLE.replace("/OCMT/EUR175,50/", "/OCMT/EUR175,50/").replace(
        "Strom Abschlag Dez", "Karte 14\n:26:55 "
    ),
}


@pytest.mark.parametrize("data", ODD.values(), ids=ODD)
def test_what_banks_put_around_and_into_messages_is_read(data: str) -> None:
    done = read(read_mt940, data.encode())
    assert [line.amount for line in done.lines][:2] == [D("-175.50"), D("10.00")]


@pytest.mark.parametrize(("written", "day"), [("260230", 28), ("260229", 28), ("240230", 29), ("240229", 29)])
def test_a_month_of_30_days_ends_february(written: str, day: int) -> None:
    year = f"20{written[:2]}"
    data = SAMPLE.replace(":61:260102RD", f":61:{written}RD").encode()
    if written == "260229":
        assert refused(read_mt940, data).field == ":61:"
        return
    assert read(read_mt940, data).lines[1].valued == date(int(year), 2, day)


def test_intermediate_statements_go_on_with_each_other() -> None:
    first = SAMPLE.replace(":62F:", ":62M:")
    second = ":20:STARTUMSE\n:25:37040044/0532013000\n:28C:00001/002\n:60M:C260102EUR834,50\n:62F:C260102EUR834,50\n-"
    done = read(read_mt940, f"{first}\n{second}".encode())
    assert [one.goes_on for one in done.statements] == [False, True]


@pytest.mark.parametrize(
    ("balances", "movement", "first"),
    [
        (("251230", "260102"), "251231", date(2025, 12, 31)),
        (("251230", "260102"), "251230", date(2025, 12, 30)),
        (("251230", "260102"), None, date(2025, 12, 31)),
        (("251230", "251230"), None, date(2025, 12, 30)),
        # of a day before, which is outside of the days that are stated
        (("251230", "260102"), "251229", date(2025, 12, 29)),
    ],
)
def test_the_opening_balance_is_of_the_day_before_unless_the_statement_books_or_ends_on_its_day(
    balances: tuple[str, str], movement: str | None, first: date
) -> None:
    opened, closed = balances
    moved = f":61:{movement}C10,NMSCNONREF\n" if movement else ""
    end = "110,00" if movement else "100,00"
    text = f":20:X\n:25:37040044/0532013000\n:60F:C{opened}EUR100,00\n{moved}:62F:C{closed}EUR{end}\n-"
    (statement,) = read(read_mt940, text.encode()).statements
    assert statement.first == first
    assert statement.outside == ([first] if movement == "251229" else [])


def test_the_day_of_the_closing_balance_is_the_last_one() -> None:
    quiet = made.Book(made.GERMAN, 1, date(2026, 3, 1), date(2026, 3, 31), 1000)
    (statement,) = read(read_mt940, flat.mt940([quiet])).statements
    assert (statement.last, statement.lines) == (date(2026, 3, 31), 0)
    (moved,) = read(read_mt940, SAMPLE.replace("F:C260102EUR", "F:C260131EUR").encode()).statements
    assert moved.last == date(2026, 1, 31)
