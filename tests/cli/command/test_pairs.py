"""Records in one option: what is written is what is read, and what cannot be read is named."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.cli.command.pairs import Parse, number, read_pairs, whole
from acctcli.errors import UsageError

KNOWN: dict[str, Parse] = {"amount": number, "code": whole, "text": str, "account": str}
NAMES = st.text(st.characters(exclude_characters='=,"', exclude_categories=["Cs", "Z", "Cc"]), min_size=1)
BLANKS = st.text(" \t", max_size=2)
PLAIN = st.text(st.characters(exclude_characters=',"', exclude_categories=["Cs"])).map(str.strip)


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


@given(st.dictionaries(NAMES, st.text(), min_size=1), BLANKS)
def test_anything_in_quotes_is_read_as_it_was(record: dict[str, str], blank: str) -> None:
    written = ",".join(f"{blank}{name}{blank}={blank}{quoted(text)}{blank}" for name, text in record.items())
    assert read_pairs(written, dict.fromkeys(record, str), "--item") == record


@given(st.dictionaries(NAMES, PLAIN, min_size=1), BLANKS)
def test_what_holds_no_comma_and_no_quote_needs_no_quotes(record: dict[str, str], blank: str) -> None:
    written = ",".join(f"{blank}{name}={blank}{text}{blank}" for name, text in record.items())
    assert read_pairs(written, dict.fromkeys(record, str), "--item") == record


@given(st.text())
def test_any_text_is_read_or_refused(written: str) -> None:
    told = f"--item {written!r}: "
    try:
        read_pairs(written, KNOWN, "--item")
    except UsageError as refusal:
        told = refusal.message
    assert told.startswith(f"--item {written!r}: ")


@pytest.mark.parametrize(
    ("written", "record"),
    [
        ("amount=125.50,account=0300,code=1", {"amount": Decimal("125.50"), "account": "0300", "code": 1}),
        ('text="a, ""b"" = c",amount=-1', {"text": 'a, "b" = c', "amount": Decimal(-1)}),
        ("amount=0.1250,code=0", {"amount": Decimal("0.1250"), "code": 0}),
        ("text=a=b", {"text": "a=b"}),
        ('text= a 5" disk ', {"text": 'a 5" disk'}),
        ("text=,code=2", {"text": "", "code": 2}),
    ],
)
def test_records(written: str, record: dict[str, Any]) -> None:
    read = read_pairs(written, KNOWN, "--item")
    assert read == record
    assert str(read.get("amount")) == str(record.get("amount"))


@pytest.mark.parametrize(
    ("written", "says", "hint"),
    [
        ("amuont=1", "there is no 'amuont'", "did you mean amount?"),
        ("=1", "there is no ''", "there are amount, code, text, account"),
        ("amount=1,amount=2", "amount comes twice", None),
        ("amount=1,50", "'50' is no name=value", "write name=value"),
        ("amount=1,", "'' is no name=value", "write name=value"),
        ("", "'' is no name=value", "write name=value"),
        ('text="a', "the quotes of text do not end", "write name=value"),
        ('text="a"b', "the quotes of text do not end", "write name=value"),
        ("amount=1e3", "amount: '1e3' is not a number such as 125.50, with at most 4 decimals", None),
        ("amount=1.23456", "amount: '1.23456' is not a number such as 125.50, with at most 4 decimals", None),
        ("code=١", "code: '١' is not a whole number", None),
    ],
)
def test_a_mistake_is_named(written: str, says: str, hint: str | None) -> None:
    with pytest.raises(UsageError) as refused:
        read_pairs(written, KNOWN, "--item")
    assert refused.value.message == f"--item {written!r}: {says}"
    assert (refused.value.hint or "").startswith(hint or "")
