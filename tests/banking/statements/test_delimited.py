"""CSV by the profiles that come along, and by odd ones."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.banking.statements.delimited import read_csv
from acctcli.banking.statements.detecting import format_of, profile_of
from acctcli.banking.statements.model import StatementFault
from acctcli.banking.statements.profile import Profile, read_profile
from tests.banking.statements import flat
from tests.banking.statements import generator as made
from tests.banking.statements.reading import Read, Reader, read, refused
from tests.banking.statements.shipped import shipped

D = Decimal
SHIPPED = shipped()
BANKS = ("danske", "n26", "nordea", "op", "op-personal", "s-pankki", "sparkasse")
WITH_BALANCES = {"danske", "nordea"}
PAID = made.Move(
    date(2026, 1, 5), date(2026, 1, 4), 12_550, "A1", "Äiti", made.OTHERS[0], "1232", "E1", "Kahvi ja pulla"
)
LEFT = replace(PAID, cents=-900, reference="A2", name="Kauppa")
BOOK = made.Book(made.FINNISH, 7, date(2026, 1, 1), date(2026, 1, 31), 123_456_789, [PAID, LEFT])


def by(profile: Profile) -> Reader:
    return partial(read_csv, profile=profile)


def short(done: Read) -> list[tuple[date, int]]:
    return sorted((one.day, one.cents) for one in done.short)


@given(st.integers(0, 2**32), st.sampled_from(BANKS), st.integers(1, 12))
def test_what_was_written_is_read(seed: int, bank: str, lines: int) -> None:
    truth = made.books(seed, lines, batches=False)
    data = flat.csv(truth, bank)
    assert (format_of(data), profile_of(data, SHIPPED)) == ("csv", bank)
    done = read(by(SHIPPED[bank]), data)
    assert short(done) == sorted((one.day, one.cents) for one in made.expected(truth))
    assert done.statements[0].is_proved == (bank in WITH_BALANCES)
    if bank in WITH_BALANCES:
        assert done.statements[0].closing == D(truth[0].closing) / 100


@pytest.mark.parametrize("bank", BANKS)
def test_what_is_not_booked_is_left_out(bank: str) -> None:
    waiting = replace(PAID, is_pending=True)
    done = read(by(SHIPPED[bank]), flat.csv([replace(BOOK, moves=[PAID, waiting])], bank))
    says_so = bank in {"danske", "nordea", "sparkasse"}
    assert sum(bool(line.left_out) for line in done.lines) == says_so


def test_who_paid_and_who_was_paid_stand_in_columns_of_their_own() -> None:
    first, second = read(by(SHIPPED["s-pankki"]), flat.csv([BOOK], "s-pankki")).lines
    assert (first.name, second.name) == ("Äiti", "Kauppa")


def test_a_reference_is_what_stands_behind_its_mark() -> None:
    without = replace(LEFT, viite="")
    first, second = read(
        by(SHIPPED["op-personal"]), flat.csv([replace(BOOK, moves=[PAID, without])], "op-personal")
    ).lines
    assert (first.structured, second.structured) == ("1232", "")


def test_a_column_of_a_payment_service() -> None:
    head = "balance_transaction_id,created_utc,available_on_utc,currency,gross,fee,net,reporting_category,source_id,"
    head += "description"
    row = 'txn_1,2026-03-02 10:02:11,2026-03-04 00:00:00,eur,600.00,8.70,591.30,charge,ch_1,"Order 1, ""big"""'
    data = f"{head}\n{row}\n".encode()
    assert profile_of(data, SHIPPED) == "stripe"
    (line,) = read(by(SHIPPED["stripe"]), data).lines
    assert (line.amount, line.charges, line.reference, line.text) == (D("591.30"), D("8.70"), "txn_1", 'Order 1, "big"')


PAYPAL = """\
"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","Transaction ID","Balance",\
"Invoice Number","Item Title","Subject","Balance Impact"
"13/04/2026","10:00:00","CET","Shop","Payment","Pending","EUR","-7.00","0.00","-7.00","T6","1,041.50","","","","Memo"
"14/04/2026","09:00:02","CET","","Conversion","Completed","EUR","-10.00","0.00","-10.00","T5","1,041.50","","","","Debit"
"14/04/2026","09:00:01","CET","","Conversion","Completed","USD","11.00","0.00","11.00","T4","0.00","","","","Credit"
"14/04/2026","09:00:00","CET","Host","Payment","Completed","USD","-11.00","0.00","-11.00","T3","-11.00","","","","Debit"
"03/04/2026","08:00:00","CET","Ann","Payment","Completed","EUR","1,000.00","-1.50","998.50","T2","1,051.50","17","","","Credit"
"""
GERMAN = {
    "Date": "Datum",
    "Time": "Uhrzeit",
    "Type": "Typ",
    "Currency": "Währung",
    "Gross": "Brutto",
    "Fee": "Gebühr",
    "Net": "Netto",
    "Transaction ID": "Transaktionscode",
    "Balance": "Guthaben",
    "Invoice Number": "Rechnungsnummer",
    "Item Title": "Artikelbezeichnung",
    "Subject": "Betreff",
    "Balance Impact": "Auswirkung auf Guthaben",
    "Debit": "Soll",
    "Credit": "Haben",
}


def paypal(language: str) -> bytes:
    """Return an export in which there is a payment in another currency, which is exchanged, and one that waits."""
    text = PAYPAL
    if language == "de":
        for one, other in GERMAN.items():
            text = text.replace(f'"{one}"', f'"{other}"')
        text = re.sub(r'"([0-9]{2})/([0-9]{2})/([0-9]{4})"', r'"\1.\2.\3"', text)
        text = re.sub(r'"-?[0-9,]+[.][0-9]{2}"', lambda cell: cell[0].translate({44: ".", 46: ","}), text)
    if language == "mdy":
        text = re.sub(r'"([0-9]{2})/([0-9]{2})/', r'"\2/\1/', text)
    return f"\ufeff{text}".encode()


@pytest.mark.parametrize("language", ["de", "dmy", "mdy"])
def test_accounts_of_several_currencies_in_one_file(language: str) -> None:
    data = paypal(language)
    assert profile_of(data, SHIPPED) == f"paypal-{language}"
    done = read(by(SHIPPED[f"paypal-{language}"]), data)
    assert short(done) == [(date(2026, 4, 3), 99_850), (date(2026, 4, 14), -1_000)]
    (statement,) = done.statements
    assert (statement.head.currency, statement.opening, statement.closing) == ("EUR", D(53), D("1041.50"))
    kept = [one for one in done.lines if not one.left_out]
    assert [(one.reference, one.charges, one.text) for one in kept] == [("T5", D(0), ""), ("T2", D("1.50"), "17")]
    assert [one.left_out for one in done.lines if one.left_out] == ["Memo", *["in USD: of another account"] * 2]


def test_days_that_two_profiles_read_are_asked_for() -> None:
    data = paypal("dmy").replace(b'"14/04/', b'"12/04/')
    with pytest.raises(StatementFault, match="it may be of paypal-dmy or paypal-mdy"):
        profile_of(data, SHIPPED)


OP = flat.csv([BOOK], "op").decode("iso-8859-1")


@pytest.mark.parametrize(
    ("old", "new", "line", "field"),
    [
        ("+125,50", "+1.125,50", 2, "amount, column 'Määrä EUROA'"),
        ("+125,50", "+125.50", 2, "amount, column 'Määrä EUROA'"),
        ("+125,50", "", 2, "amount, column 'Määrä EUROA'"),
        ("+125,50", "1e3", 2, "amount, column 'Määrä EUROA'"),
        ("+125,50", "125,505", 2, "amount, column 'Määrä EUROA'"),
        ("+125,50", "--5", 2, "amount, column 'Määrä EUROA'"),
        ("05.01.2026", "2026-01-05", 2, "booked, column 'Kirjauspäivä'"),
        ("05.01.2026", "31.02.2026", 2, "booked, column 'Kirjauspäivä'"),
        ("Määrä EUROA", "Summa", 1, "amount"),
        ("Viite;", "Viesti;", 1, "structured"),
        ("A2", "A2;;too much", 3, None),
        (";A2", "", 3, None),
    ],
)
def test_what_is_wrong_is_named_with_line_and_field(old: str, new: str, line: int, field: str | None) -> None:
    assert old in OP
    fault = refused(by(SHIPPED["op"]), OP.replace(old, new, 1).encode("iso-8859-1"))
    assert (fault.line, fault.field) == (line, field)


@pytest.mark.parametrize("text", ["1,234,567.89", "1234567.89", "+1,234,567.89"])
def test_thousands_are_read_where_a_profile_has_them(text: str) -> None:
    (line,) = read(by(plain(thousands=",", decimal=".")), f"day;sum\n2026-01-05;{text}\n".encode()).lines
    assert line.amount == D("1234567.89")


@pytest.mark.parametrize("text", ["1,23,456.00", "12,34", "1234,567.00", ",123.00", "1,234.5.6"])
def test_odd_thousands_are_refused(text: str) -> None:
    assert refused(by(plain(thousands=",", decimal=".")), f"day;sum\n2026-01-05;{text}\n".encode()).line == 2


def plain(**more: object) -> Profile:
    columns = {"booked": "day", "amount": "sum"}
    return read_profile(
        {"title": "x", "header": ["day"], "day": "%Y-%m-%d", "currency": "EUR", "columns": columns, **more}
    )


def test_credits_and_debits_may_have_columns_and_signs_words() -> None:
    apart = plain(columns={"booked": "day", "credit": "in", "debit": "out"}, decimal=".")
    done = read(by(apart), b"day;in;out\n2026-01-05;1.00;\n2026-01-05;;2.00\n2026-01-05;;-3.00\n")
    assert [line.amount for line in done.lines] == [D("1.00"), D("-2.00"), D("-3.00")]
    assert refused(by(apart), b"day;in;out\n2026-01-05;1.00;2.00\n").field == "credit, debit"
    words = plain(columns={"booked": "day", "amount": "sum", "sign": "kind"}, minus=["D"])
    done = read(by(words), b"day;sum;kind\n2026-01-05;1,00;C\n2026-01-05;2,00;D\n")
    assert [line.amount for line in done.lines] == [D("1.00"), D("-2.00")]
    assert read(by(plain(is_negated=True)), b"day;sum\n2026-01-05;1,00\n").lines[0].amount == D("-1.00")


def test_a_balance_that_does_not_follow_is_refused_with_its_line() -> None:
    lines = flat.csv(made.books(1, 6, batches=False), "danske").decode("iso-8859-1").splitlines()
    swapped = [*lines[:3], lines[4], lines[3], *lines[5:]]
    fault = refused(by(SHIPPED["danske"]), "\n".join(swapped).encode("iso-8859-1"))
    assert (fault.line, fault.field) == (4, "balance")


@pytest.mark.parametrize(
    ("rows", "is_newest_first", "closing"),
    [
        # the same day: 10 + 1 - 1, or with the newest row first 11 - 1 + 1
        ("05;1,00;11,00 05;-1,00;10,00", False, "10.00"),
        ("05;1,00;11,00 05;-1,00;10,00", True, "11.00"),
        # the days tell, whatever the profile says
        ("05;1,00;11,00 06;-1,00;10,00", True, "10.00"),
        ("06;1,00;11,00 05;-1,00;10,00", False, "11.00"),
        # the balances tell
        ("05;1,00;11,00 05;2,00;13,00", True, "13.00"),
        ("05;2,00;13,00 05;1,00;11,00", False, "13.00"),
    ],
)
def test_which_row_is_the_newest_is_told_by_balances_then_by_days_then_by_the_profile(
    rows: str, is_newest_first: bool, closing: str
) -> None:
    columns = {"booked": "day", "amount": "sum", "balance": "left"}
    profile = plain(columns=columns, is_newest_first=is_newest_first)
    lines = "".join(f"2026-01-{row}\n" for row in rows.split())
    done = read(by(profile), f"day;sum;left\n{lines}".encode())
    assert done.statements[0].closing == D(closing)


def test_rows_of_two_accounts_or_currencies_are_refused() -> None:
    data = flat.csv([BOOK], "sparkasse").decode("cp1252")
    place = data.rindex(made.FINNISH)
    other = data[:place] + made.GERMAN + data[place + len(made.FINNISH) :]
    assert refused(by(SHIPPED["sparkasse"]), other.encode("cp1252")).line == 3
    assert refused(by(SHIPPED["sparkasse"]), data.replace('"EUR"', '"USD"', 1).encode("cp1252")).line == 3


def test_a_row_that_goes_on_and_on_is_refused() -> None:
    assert "one row goes on for more than 200 lines" in refused(by(plain()), b'day;sum\n"' + b"x\n" * 999).problem


def test_a_quote_that_never_ends_is_refused() -> None:
    assert "not CSV" in refused(by(plain()), b'day;sum\n"2026-01-05;1,00\n').problem


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ('delimiter = ";;"', "delimiter"),
        ('decimal = ";"', "decimal"),
        ('thousands = ","', "thousands"),
        ('encoding = "latin-99"', "encoding"),
        ("skip = -1", "skip"),
        ('minus = ["D"]', "minus"),
        ("colour = 1", None),
    ],
)
def test_a_profile_that_is_wrong_names_the_field(values: str, field: str | None) -> None:
    text = f'title = "x"\nheader = []\nday = "%d"\ncurrency = "EUR"\n{values}\n[columns]\nbooked = "a"\namount = "b"\n'
    with pytest.raises(StatementFault) as caught:
        read_profile(tomllib.loads(text))
    assert caught.value.field == field


def test_a_profile_needs_money_and_a_currency() -> None:
    for columns, field in (({"booked": "a"}, "columns.amount"), ({"booked": "a", "amount": "b"}, "currency")):
        with pytest.raises(StatementFault) as caught:
            read_profile({"title": "x", "header": [], "day": "%d", "columns": columns})
        assert caught.value.field == field
