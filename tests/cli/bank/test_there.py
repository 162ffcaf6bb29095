"""What documents say of lines: which stands for which, what it is to settle, and which no line stands for."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from acctcli.cli.bank.there import Aim, Begun, There, read_document, with_aims

BANKS = {"1910": 1, "1920": 2}
ONE, TWO = "bank-aaaaaaaaaaaa", "bank-bbbbbbbbbbbb"


def document(number: int, *rows: tuple[int | None, str], **said: Any) -> Any:
    """A document of 2026-03-20 with rows on the debit side: an account's id and what they say."""
    blueprint = {"debet_entries": [{"account_id": account, "description": text} for account, text in rows]}
    values = {"id": number, "date": "2026-03-20", "balance": 0, "blueprint": blueprint, **said}
    return read_document(json.dumps(values).encode())


def moved(**cents: int) -> list[dict[str, Any]]:
    """Entries on accounts, such as b1910=500: debit, or credit where negative."""
    return [{"account_number": name[1:], "is_debet": one > 0, "amount": abs(one) / 100} for name, one in cents.items()]


def there(*documents: Any) -> There:
    found = There()
    for one in documents:
        found.add(one, BANKS)
    return found


def test_of_two_with_one_tag_and_aim_the_older_one_counts_in_any_order() -> None:
    text = with_aims(ONE, [Aim("invoice", 12), Aim("purchase", 7)])
    assert text == f"{ONE} for invoice 12 and purchase 7"
    first, second = (document(number, (1, f"{text} S1")) for number in (5, 9))
    for order in itertools.permutations((first, second)):
        found = there(*order)
        assert found.documents == found.posted == {ONE: 5}
        assert found.begun == {
            ONE: Begun(5, False, (Aim("invoice", 12), Aim("purchase", 7)), frozenset()),
        }
        assert found.is_unfinished(ONE)


def test_a_draft_without_a_row_that_waits_is_somebodys_own_and_settles_nothing() -> None:
    copied = there(document(5, (1, f"{ONE} for invoice 12"), is_draft=True))
    assert (copied.begun, copied.drafts, copied.documents) == ({}, {}, {ONE: 5})
    waiting = there(document(5, (1, f"{ONE} for invoice 12"), (None, "Asiakas"), is_draft=True))
    assert (waiting.drafts, waiting.is_unfinished(ONE)) == ({ONE: 5}, True)


@pytest.mark.parametrize(("related", "is_unfinished"), [((), True), ((3,), True), ((3, 4), False)])
def test_a_payment_is_unfinished_until_it_is_related_to_all(related: tuple[int, ...], is_unfinished: bool) -> None:
    text = with_aims(ONE, [Aim("invoice", 12), Aim("invoice", 13)])
    relations = [{"related_document": one} for one in related]
    found = there(document(5, (1, text), relations=relations))
    assert found.is_unfinished(ONE) is is_unfinished
    found.finished.add(ONE)
    assert not found.is_unfinished(ONE)


@pytest.mark.parametrize(("number", "first"), [(12, 10_000), (25, 10_000), (40, 100_000)])
def test_of_many_that_a_document_settles_all_that_are_told_are_those(number: int, first: int) -> None:
    aims = [Aim("purchase", first + one) for one in range(number)] + [Aim("invoice", 7)]
    text = with_aims(ONE, aims)
    (found,) = there(document(5, (1, f"{text} S1"))).begun.values()
    assert (len(text) < 240, set(found.aims) <= set(aims)) == (True, True)
    assert len(found.aims) == number + 1 if number <= 25 else len(found.aims) >= 20


def sides(*documents: Any) -> list[tuple[int, int, int, int | None]]:
    return [(one.document, one.account, one.cents, one.other) for one in there(*documents).sides]


def test_what_no_line_stands_for_is_told_by_account() -> None:
    assert sides(document(5, (1, "x"), entry_ui_rows=moved(b1910=500, b3000=-500))) == [(5, 1, 500, None)]
    assert sides(document(5, (1, ONE), entry_ui_rows=moved(b1910=500, b3000=-500))) == []
    assert sides(document(5, (1, "x"), entry_ui_rows=moved(b1910=500), is_draft=True)) == []


def test_of_a_transfer_each_side_has_its_own_line() -> None:
    rows = moved(b1910=-500, b1920=500)
    one_line = document(5, (1, ONE), (2, ""), description=f"Transfer {ONE}", entry_ui_rows=rows)
    assert sides(one_line) == [(5, 2, 500, 1)]
    told = document(5, (1, ONE), (2, ""), description=f"Transfer {ONE} 1920:{TWO}", entry_ui_rows=rows)
    assert sides(told) == []
    assert sides(document(5, (1, ""), (2, ""), entry_ui_rows=rows)) == [(5, 1, -500, 2), (5, 2, 500, 1)]
    # which side it is for, nobody can tell
    assert sides(document(5, (1, ""), (2, ""), description=TWO, entry_ui_rows=rows)) == []


def test_what_was_taken_back_is_for_no_line() -> None:
    back = {"related_document": 6, "related_document_summary": {"balance": -5}}
    rows = moved(b1910=500, b3000=-500)
    assert sides(document(5, (1, "x"), balance=5, relations=[back], entry_ui_rows=rows)) == []


@pytest.mark.parametrize(("own", "is_free"), [("", True), (f" {TWO}", False)])
def test_what_takes_the_document_of_a_line_back_is_for_one_line_of_its_own(own: str, is_free: bool) -> None:
    pair = {
        5: {"related_document": 6, "related_document_summary": {"balance": -5}},
        6: {"related_document": 5, "related_document_summary": {"balance": 5}},
    }
    paid = document(5, (1, ONE), balance=5, relations=[pair[5]], entry_ui_rows=moved(b1910=500, b1700=-500))
    text = f"Reversal {ONE}{own}"
    back = moved(b1910=-500, b1700=500)
    mirror = document(6, (1, ONE), description=text, balance=-5, relations=[pair[6]], entry_ui_rows=back)
    found = there(mirror, paid)
    found.end()
    assert [(one.document, one.cents, one.takes_back) for one in found.sides] == [(6, -500, True)] * is_free
