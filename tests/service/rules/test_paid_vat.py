"""VAT by payments: every cent of it is reported, once, in the range of its payment (docs/law.md 2.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date, timedelta
from itertools import pairwise
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acctcli import law
from acctcli.models.enums import AccountType
from acctcli.service.rules.claims import Key, OpenItems, Origin, Posted
from acctcli.service.rules.money import divide_half_away
from acctcli.service.rules.paid_vat import paid_movements, untold
from acctcli.service.rules.vat_sums import VatMovement
from tests.sizes import is_full, sized

FINLAND, GERMANY = (law.country(code).payment_basis for code in ("FI", "DE"))
START = date(2026, 1, 1)
RECEIVABLES, PAYABLES, BANK, SALES, COSTS, OUTPUT, INPUT, DOUBTFUL = range(1, 9)
TYPES = {
    RECEIVABLES: "ASS_DUE", DOUBTFUL: "ASS_DUE",
    PAYABLES: "LIA_DUE", BANK: "ASS_PAY", SALES: "REV_SAL", COSTS: "EXP", OUTPUT: "LIA_VAT",
    INPUT: "ASS_VAT",
}  # fmt: skip


class Book:
    """Documents of a business; amounts are cents, debits positive."""

    def __init__(self) -> None:
        self.posted: list[Posted] = []
        self.origins: dict[int, Origin] = {}
        self.related: list[tuple[int, int]] = []
        self.openings: dict[int, int] = {}

    def post(self, day: date, rows: Iterable[tuple[Any, ...]], contact: int | None = None, **tie: Any) -> int:
        """Post rows of account, cents, and maybe code and rate."""
        document_id = len(self.origins) + 1
        for account, cents, *vat in rows:
            code, rate = vat or (3, 0)
            self.posted.append(Posted(document_id, day, account, TYPES[account], code, rate, cents))
        self.origins[document_id] = Origin(
            document_id, contact, tie.get("invoice"), tie.get("credits"), bool(tie.get("claims")), tie.get("delivered")
        )
        return document_id

    def sell(self, day: date, *parts: tuple[int, int], due: int | None = None, **tie: Any) -> int:
        """Sell `(net, rate)`, all of it on credit unless told otherwise."""
        rows: list[tuple[Any, ...]] = []
        for net, rate in parts:
            rows += [(SALES, -net, 1, rate), (OUTPUT, -divide_half_away(net * rate, 10_000), 1, rate)]
        whole = -sum(row[1] for row in rows)
        rows += [(RECEIVABLES, whole if due is None else due), (BANK, 0 if due is None else whole - due)]
        return self.post(day, [row for row in rows if row[1]], **tie)

    def pay(self, day: date, cents: int, *claims: int, **tie: Any) -> int:
        payment = self.post(day, [(BANK, cents), (RECEIVABLES, -cents)], **tie)
        self.related += [(claim, payment) for claim in claims]
        return payment

    def rows(self, document: int) -> list[Posted]:
        """Return what a document posted."""
        return [one for one in self.posted if one.document_id == document]

    def due(self, document: int, account: int = RECEIVABLES) -> int:
        """Return what a document moved of what is owed."""
        return sum(one.cents for one in self.rows(document) if one.account_id == account)

    def correct(self, day: date, wrong: int, near: list[int], right: tuple[int, int]) -> int:
        """Take a claim back and sell anew, and relate both as `document correct` does: to what the claim is near to."""
        rows = [(one.account_id, -one.cents, one.vat_code, one.vat_rate) for one in self.rows(wrong)]
        mirror = self.post(day, rows)
        claim = self.sell(day, right)
        self.related += [(other, one) for one in (mirror, claim) for other in (wrong, *near)]
        near += (wrong, mirror)
        return claim

    def ledger(self, until: date | None = None) -> OpenItems:
        """Return what is in the books, or was at the end of a day."""
        posted = [one for one in self.posted if until is None or one.day <= until]
        ids = {one.document_id for one in posted}
        related = [pair for pair in self.related if ids >= set(pair)]
        return OpenItems(posted, {one: self.origins[one] for one in ids}, related, self.openings)

    def reported(self, first: date, last: date, basis: Any = FINLAND, until: date | None = None) -> Counter[Key]:
        """Return what a range reports, debit less credit, by code, rate and kind of account."""
        found: Counter[Key] = Counter()
        for one in self.posted:
            # what a report by the days of documents has
            if first <= one.day <= last and one.vat_code in {1, 2}:
                kind = AccountType(one.account_type) if one.account_type.endswith("_VAT") else None
                found[one.vat_code, one.vat_rate, kind] += one.cents
        for moved in paid_movements(self.ledger(until or last), basis, first, last):
            found[_key(moved)] += moved.cents if moved.is_debit else -moved.cents
        return Counter({key: cents for key, cents in found.items() if cents})

    def vat(self, first: date, last: date, basis: Any = FINLAND) -> dict[int, int]:
        """Return the VAT of sales that a range reports, by rate."""
        found = self.reported(first, last, basis)
        return {rate: -cents for (code, rate, kind), cents in sorted(found.items(), key=str) if code == 1 and kind}


def _key(moved: VatMovement) -> Key:
    return moved.vat_code, moved.vat_rate, moved.vat_account


def on(month: int, day: int = 15, year: int = 2026) -> date:
    return date(year, month, day)


def months(book: Book, last: int, basis: Any = FINLAND) -> list[dict[int, int]]:
    starts = [on(month, 1) for month in range(1, last + 2)]
    return [book.vat(first, then - timedelta(days=1), basis) for first, then in pairwise(starts)]


def test_part_payments_bring_their_share_of_each_rate_and_the_last_one_the_cents_left() -> None:
    book = Book()
    claim = book.sell(on(1), (10_000, 2550), (10_000, 1000))
    book.pay(on(2), 7_850, claim)
    book.pay(on(3), 7_850, claim)
    book.pay(on(4), 7_850, claim)
    assert months(book, 5) == [{}, {2550: 850, 1000: 333}, {2550: 850, 1000: 334}, {2550: 850, 1000: 333}, {}]


def test_a_payment_after_a_credit_note_brings_each_invoice_what_it_left_open() -> None:
    book = Book()
    one = book.sell(on(1), (10_000, 1900), invoice=1, claims=True)
    two = book.sell(on(1, 20), (20_000, 700), invoice=2, claims=True)
    book.sell(on(2), (-4_000, 1900), invoice=3, credits=1, claims=True)
    book.pay(on(3), 7_140 + 21_400, one, two)
    assert months(book, 4, GERMANY) == [{}, {}, {700: 1_400, 1900: 1_140}, {}]


def test_what_is_paid_at_once_is_reported_at_once() -> None:
    book = Book()
    claim = book.sell(on(1), (10_000, 2550), due=10_000)
    book.pay(on(2), 10_000, claim)
    assert months(book, 2) == [{2550: 518}, {2550: 2032}]


def test_a_credit_note_lowers_the_rate_that_it_credits_and_brings_no_vat_itself() -> None:
    book = Book()
    claim = book.sell(on(1), (10_000, 2550), (10_000, 1000), invoice=1, claims=True)
    book.sell(on(2), (-10_000, 1000), invoice=2, credits=1, claims=True)
    book.pay(on(3), 12_550, claim)
    assert months(book, 3) == [{}, {}, {2550: 2550}]


def test_what_was_paid_and_then_credited_is_taken_back_when_the_money_goes_back() -> None:
    book = Book()
    claim = book.sell(on(1), (10_000, 2550), invoice=1, claims=True)
    book.pay(on(2), 12_550, claim)
    note = book.sell(on(3), (-10_000, 2550), invoice=2, credits=1, claims=True)
    book.pay(on(4), -12_550, note)
    assert months(book, 4) == [{}, {2550: 2550}, {}, {2550: -2550}]


def test_a_loss_gives_back_no_vat_that_was_never_reported_and_what_comes_in_after_it_brings_its_own() -> None:
    book = Book()
    claim = book.sell(on(1), (10_000, 2550), invoice=1, claims=True)
    book.pay(on(2), 6_275, claim)
    loss = book.post(on(3), [(COSTS, 5_000, 1, 2550), (OUTPUT, 1_275, 1, 2550), (RECEIVABLES, -6_275)], invoice=1)
    book.related.append((claim, loss))
    book.pay(on(5), 2_510, claim)
    assert months(book, 5) == [{}, {2550: 1275}, {}, {}, {2550: 510}]


def test_a_discount_is_of_its_own_payment() -> None:
    book = Book()
    claim = book.sell(on(1), (10_000, 1900))
    rows = [(BANK, 11_662), (SALES, 200, 1, 1900), (OUTPUT, 38, 1, 1900), (RECEIVABLES, -11_900)]
    book.related.append((claim, book.post(on(2), rows)))
    assert months(book, 2, GERMANY) == [{}, {1900: 1862}]


def test_payments_that_nobody_related_settle_the_oldest_claims_of_their_customer_first() -> None:
    book = Book()
    book.sell(on(1), (10_000, 1000), contact=1)
    book.sell(on(1, 16), (10_000, 2550), contact=2)
    book.pay(on(2), 12_550, contact=2)
    book.pay(on(3), 11_000)
    assert months(book, 3) == [{}, {2550: 2550}, {1000: 1000}]


def test_what_was_open_before_the_books_began_is_settled_before_claims_that_nobody_named() -> None:
    book = Book()
    book.openings[RECEIVABLES] = 5_000
    book.sell(on(1), (10_000, 2550))
    book.pay(on(2), 5_000)
    book.pay(on(3), 12_550)
    assert months(book, 3) == [{}, {}, {2550: 2550}]


@pytest.mark.parametrize("is_related", [True, False])
def test_a_claim_that_moves_to_another_account_is_paid_when_money_comes_in_there(is_related: bool) -> None:
    book = Book()
    claim = book.sell(on(1), (100_000, 1900), contact=1)
    moved = book.post(on(2), [(DOUBTFUL, 119_000), (RECEIVABLES, -119_000)], contact=1)
    late = book.post(on(3), [(BANK, 11_900), (DOUBTFUL, -11_900)], contact=1)
    rows = [(COSTS, 90_000, 1, 1900), (OUTPUT, 17_100, 1, 1900), (DOUBTFUL, -107_100)]
    loss = book.post(on(4), rows, contact=1)
    if is_related:
        book.related += [(claim, moved), (moved, late), (claim, loss)]
    assert months(book, 4, GERMANY) == [{}, {}, {1900: 1900}, {}]


def test_a_claim_that_is_sold_is_paid_as_far_as_money_came_in() -> None:
    book = Book()
    claim = book.sell(on(1), (10_000, 1900))
    sold = book.post(on(2), [(BANK, 8_925), (DOUBTFUL, 2_975), (RECEIVABLES, -11_900)])
    rest = book.post(on(3), [(BANK, 2_975), (DOUBTFUL, -2_975)])
    book.related += [(claim, sold), (sold, rest)]
    assert months(book, 3, GERMANY) == [{}, {1900: 1425}, {1900: 475}]


def test_accounts_that_nothing_moves_between_settle_only_their_own_claims() -> None:
    book = Book()
    book.sell(on(1), (10_000, 1900))
    book.post(on(1), [(DOUBTFUL, 11_900), (BANK, -11_900)])
    book.post(on(2), [(DOUBTFUL, -11_900), (BANK, 11_900)])
    assert months(book, 2, GERMANY) == [{}, {}]


@pytest.mark.parametrize("tie", [{"contact": 1}, {}], ids=["contact", "nobody"])
def test_money_that_goes_back_takes_its_vat_back_and_pays_nothing_of_others(tie: dict[str, Any]) -> None:
    book = Book()
    claim = book.sell(on(1), (10_000, 2550), contact=1)
    book.pay(on(2), 12_550, claim)
    book.sell(on(3), (-10_000, 2550), contact=1)
    book.pay(on(4), -12_550, **tie)
    book.sell(on(4), (10_000, 1350), contact=2)
    book.pay(on(5), 11_350)
    assert months(book, 5) == [{}, {2550: 2550}, {}, {2550: -2550}, {1350: 1350}]


def test_money_that_goes_back_without_a_credit_note_is_owed_by_nobody_else() -> None:
    book = Book()
    claim = book.sell(on(1), (10_000, 2550), contact=1)
    book.pay(on(2), 12_550, claim)
    book.pay(on(3), -12_550, contact=1)
    book.sell(on(3), (10_000, 1350), contact=2)
    book.pay(on(4), 11_350)
    early = book.pay(on(5), 5_000, contact=3)
    assert months(book, 5) == [{}, {2550: 2550}, {}, {1350: 1350}, {}]
    assert untold(book.ledger(), on(5, 1), on(5, 31)).unclaimed == {early: 5_000}


@pytest.mark.parametrize("contact", [1, None])
@pytest.mark.parametrize("has_invoices", [True, False])
@pytest.mark.parametrize("is_related", [True, False])
def test_what_was_paid_and_then_credited_goes_back_with_the_money_whether_anybody_related_it_or_not(
    is_related: bool, has_invoices: bool, contact: int | None
) -> None:
    book = Book()
    of_sale, of_note = ({"invoice": 1}, {"invoice": 2, "credits": 1}) if has_invoices else ({}, {})
    sale = book.sell(on(1), (10_000, 2550), contact=contact, claims=has_invoices, **of_sale)
    paid = book.pay(on(2), 12_550, contact=contact)
    note = book.sell(on(5), (-2_000, 2550), contact=contact, claims=has_invoices, **of_note)
    back = book.pay(on(6), -2_510, contact=contact)
    if is_related:
        book.related += [(sale, paid), (sale, note), (note, back)]
    assert months(book, 6) == [{}, {2550: 2_550}, {}, {}, {}, {2550: -510}]
    for month in (5, 6):
        assert untold(book.ledger(on(month, 30)), START, on(month, 30)) == ({}, {})


@pytest.mark.parametrize("is_related", [True, False])
def test_money_that_was_credited_is_of_the_rate_of_the_last_credit_until_it_goes_back(is_related: bool) -> None:
    book = Book()
    sale = book.sell(on(1), (10_000, 2550), (10_000, 1350), contact=1)
    first = book.sell(on(2), (-5_000, 1350), contact=1)
    paid = book.pay(on(3), 18_225, contact=1)
    later = book.sell(on(4), (-2_000, 2550), contact=1)
    last = book.sell(on(5), (-1_000, 1350), contact=1)
    back = [book.pay(on(month), -cents, contact=1) for month, cents in ((6, 2_510), (7, 1_135))]
    if is_related:
        book.related += [(sale, one) for one in (first, paid, later, last)] + list(
            zip((later, last), back, strict=True)
        )
    assert months(book, 7) == [{}, {}, {1350: 675, 2550: 2_550}, {}, {}, {2550: -510}, {1350: -135}]


def test_a_credit_that_was_taken_back_holds_none_of_the_money_that_goes_back() -> None:
    book = Book()
    sale = book.sell(on(1), (10_000, 2550), (10_000, 1350))
    paid, less = book.pay(on(2), 23_900), book.sell(on(3), (-2_000, 2550))
    wrong = book.sell(on(4), (-5_000, 1350))
    right = book.sell(on(5), (5_000, 1350))
    book.related += [(sale, one) for one in (paid, less, wrong)] + [(wrong, right)]
    book.pay(on(6), -2_510, less)
    assert months(book, 6) == [{}, {1350: 1_350, 2550: 2_550}, {}, {}, {}, {2550: -510}]


def test_what_was_paid_and_then_credited_goes_to_a_later_claim_of_the_customer() -> None:
    book = Book()
    book.sell(on(1), (10_000, 2550), contact=1)
    book.pay(on(2), 12_550, contact=1)
    book.sell(on(3), (-2_000, 2550), contact=1)
    book.sell(on(4), (10_000, 1350), contact=1)
    book.pay(on(5), 8_840, contact=1)
    # a later advance payment is for nothing that was set off by then
    advance = book.pay(on(6), 5_000, contact=1)
    assert months(book, 6) == [{}, {2550: 2_550}, {}, {1350: 299, 2550: -510}, {1350: 1_051}, {}]
    assert untold(book.ledger(), START, on(6, 30)) == ({advance: 5_000}, {})


def test_what_went_back_of_a_credit_leaves_the_next_one_alone() -> None:
    book = Book()
    for month in (1, 5):
        number = len(book.origins)
        book.sell(on(month), (10_000, 1900), contact=1, invoice=number, claims=True)
        book.pay(on(month + 1), 11_900, contact=1)
        book.sell(on(month + 2), (-5_000, 1900), contact=1, invoice=number + 1, credits=number, claims=True)
        if month == 1:
            book.pay(on(4), -5_950, contact=1)
    first = [{}, {1900: 1_900}, {}, {1900: -950}]
    assert months(book, 8, GERMANY) == [*first, {}, {1900: 1_900}, {}, {}]
    book.pay(on(9), -5_950, contact=1)
    assert months(book, 9, GERMANY) == [*first, {}, {1900: 1_900}, {}, {}, {1900: -950}]


def test_money_of_nobody_that_was_credited_pays_what_others_leave_open() -> None:
    book = Book()
    book.sell(on(1), (10_000, 1900), invoice=1, claims=True)
    book.pay(on(2), 11_900)
    book.sell(on(3), (10_000, 700), contact=1)
    book.sell(on(4), (-5_000, 1900), invoice=2, credits=1, claims=True)
    assert months(book, 4, GERMANY) == [{}, {1900: 1_900}, {}, {700: 389, 1900: -950}]


def test_money_of_nobody_that_was_credited_is_kept_beside_what_was_open_when_the_books_began() -> None:
    book = Book()
    book.openings[RECEIVABLES] = 3_000
    book.sell(on(1), (10_000, 1900), invoice=1, claims=True)
    book.pay(on(2), 12_000)
    # a customer pays what was open: 2,100 of his money go there, and what was not paid by nobody is paid now
    book.pay(on(3), 2_900, contact=1)
    book.sell(on(4), (-5_000, 1900), invoice=2, credits=1, claims=True)
    assert months(book, 4, GERMANY) == [{}, {1900: 1_437}, {1900: 463}, {}]
    book.pay(on(5), -5_950)
    assert months(book, 5, GERMANY)[4] == {1900: -950}
    assert untold(book.ledger(), START, on(5, 31)) == ({}, {})


def test_what_went_back_of_a_credit_stays_its_own_when_the_claim_is_corrected() -> None:
    book = Book()
    wrong = book.sell(on(1), (100_000, 1900), contact=1)
    paid = book.pay(on(2), 119_000, wrong, contact=1)
    book.sell(on(3), (-10_000, 1900), contact=1)
    book.pay(on(4), -11_900, contact=1)
    mirror, right = (book.sell(on(5), (net, 1900), contact=1) for net in (-100_000, 110_000))
    book.related += [(wrong, mirror), (paid, mirror), (wrong, right), (paid, right)]
    book.pay(on(6), 11_900, right, contact=1)
    assert months(book, 6, GERMANY) == [{}, {1900: 19_000}, {}, {1900: -1_900}, {}, {1900: 1_900}]
    assert untold(book.ledger(), START, on(6, 30)) == ({}, {})


def test_money_that_went_back_of_a_credit_is_named_once_that_is_taken_back() -> None:
    book = Book()
    back = book.pay(on(1), -1_210)
    credit = book.sell(on(2), (-1_000, 1900))
    assert months(book, 2, GERMANY) == [{}, {1900: -190}]
    book.related.append((credit, book.sell(on(3), (1_000, 1900))))
    assert months(book, 3, GERMANY) == [{}, {1900: -190}, {1900: 190}]
    assert untold(book.ledger(), START, on(3, 31)) == ({}, {back: 1_210})


def test_money_that_a_credit_kept_is_for_what_takes_that_back() -> None:
    book = Book()
    book.sell(on(1), (1_000, 1900), invoice=1, claims=True)
    paid = book.pay(on(2), 2_380)
    note = book.sell(on(3), (-1_000, 1900), invoice=2, credits=1, claims=True)
    assert untold(book.ledger(), START, on(3, 31)) == ({paid: 1_190}, {})
    book.related.append((note, book.sell(on(4), (1_000, 1900))))
    assert months(book, 4, GERMANY) == [{}, {1900: 190}, {}, {}]
    assert untold(book.ledger(), START, on(4, 30)) == ({paid: 1_190}, {})


def test_what_goes_back_beyond_a_credit_opens_what_its_claim_was_paid_with() -> None:
    book = Book()
    book.pay(on(1), 1_190)
    sold = book.sell(on(2), (1_000, 1900))
    back = book.pay(on(3), -2_420)
    book.related.append((sold, book.sell(on(4), (-1_000, 1900))))
    assert months(book, 4, GERMANY) == [{}, {1900: 190}, {1900: -190}, {}]
    assert untold(book.ledger(), START, on(4, 30)) == ({}, {back: 1_230})


def test_a_loss_of_a_claim_whose_loss_was_taken_back_lowers_that_again() -> None:
    book = Book()
    rows = [(DOUBTFUL, 11_900), (SALES, -10_000, 1, 1900), (OUTPUT, -1_900, 1, 1900)]
    claims = [book.post(on(1), rows), book.sell(on(1), (10_000, 1900))]
    rows = [(COSTS, 10_000, 1, 1900), (OUTPUT, 1_900, 1, 1900), (RECEIVABLES, -11_900)]
    first, back = book.post(on(2), rows), book.post(on(3), [(one[0], -one[1], *one[2:]) for one in rows])
    book.related += [(claims[1], first), (first, back)]
    again = book.post(on(4), rows)
    book.related += [(claim, again) for claim in claims]
    assert months(book, 4, GERMANY) == [{}, {}, {}, {}]


def test_a_credit_beyond_its_claim_gives_vat_back_with_the_money_and_brings_none() -> None:
    book = Book()
    claim = book.sell(on(1), (10_000, 2550))
    credit = book.sell(on(2), (-50_000, 2550))
    book.related.append((claim, credit))
    book.pay(on(3), -25_100, credit)
    book.pay(on(4), -25_100, credit)
    assert months(book, 4) == [{}, {}, {2550: -5_100}, {2550: -5_100}]


def test_a_credit_of_two_claims_that_are_paid_gives_vat_back_with_the_money() -> None:
    book = Book()
    claims = [book.sell(on(1), (10_000, 1900)), book.sell(on(1), (10_000, 1900))]
    book.pay(on(2), 23_800, *claims)
    bonus = book.sell(on(3), (-5_000, 1900))
    book.related += [(claim, bonus) for claim in claims]
    book.pay(on(4), -5_950, bonus)
    assert months(book, 4, GERMANY) == [{}, {1900: 3_800}, {}, {1900: -950}]


def test_a_credit_of_two_claims_that_nobody_paid_brings_no_vat() -> None:
    book = Book()
    claims = [book.sell(on(1), (10_000, 1900)), book.sell(on(1), (20_000, 1900))]
    credit = book.sell(on(2), (-20_000, 1900))
    book.related += [(claim, credit) for claim in claims]
    assert months(book, 2, GERMANY) == [{}, {}]


@pytest.mark.parametrize("begins", [1, 4])
def test_credits_of_a_claim_that_is_paid_or_comes_later_bring_no_vat(begins: int) -> None:
    book = Book()
    claim = book.sell(on(begins), (10_000, 2550), invoice=1, claims=True)
    for month in (2, 3):
        book.sell(on(month), (-10_000, 1350), invoice=month, credits=1, claims=True)
    book.pay(on(begins), 12_550, claim)
    found = months(book, 5)
    assert [one for month, one in enumerate(found, 1) if month != begins] == [{}] * 4
    assert found[begins - 1] == {2550: 2_550}


def _two_sold(book: Book, rate: int, contact: int | None = None) -> tuple[int, int, int]:
    """Sell for 125.50 at 25.5 % and for 113.50 or 125.50 at a rate, and let a payment be of both."""
    sold = [book.sell(on(1, day), (10_000, of), contact=contact) for day, of in ((1, 2550), (2, rate))]
    return sold[0], sold[1], book.pay(on(2), 12_550, *sold, contact=contact)


@pytest.mark.parametrize("of_payment", [True, False])
def test_a_part_of_a_payment_that_goes_back_is_of_the_claim_that_it_had_settled(of_payment: bool) -> None:
    book = Book()
    first, _, payment = _two_sold(book, 1350)
    book.pay(on(3), -6_275, payment if of_payment else first)
    assert months(book, 4) == [{}, {2550: 2_550}, {2550: -1_275}, {}]
    assert untold(book.ledger(), START, on(12)) == ({}, {})


@pytest.mark.parametrize("of_payment", [True, False])
def test_money_that_goes_back_of_one_of_two_claims_is_named_until_something_tells_which(of_payment: bool) -> None:
    book = Book()
    first, second, payment = _two_sold(book, 1350)
    book.pay(on(2), 11_350, second)
    refund = book.pay(on(3), -6_275, *([payment] if of_payment else [first, second]))
    if of_payment:
        # the other one is of another payment
        assert months(book, 3)[2] == {2550: -1_275}
        book.related.append((second, payment + 1))
        book.related.append((refund, payment + 1))
    assert months(book, 3) == [{}, {1350: 1_350, 2550: 2_550}, {}]
    assert untold(book.ledger(), on(3, 1), on(3, 31)) == ({}, {refund: 6_275})
    credit = book.sell(on(2, 20), (-5_000, 2550), invoice=9, credits=8, claims=True)
    book.origins[first] = book.origins[first]._replace(invoice_id=8)
    assert months(book, 3) == [{}, {1350: 1_350, 2550: 2_550}, {2550: -1_275}]
    assert untold(book.ledger(), on(3, 1), on(3, 31)) == ({}, {})
    assert book.origins[credit].credited_id == 8


def test_it_does_not_matter_which_of_two_claims_of_one_rate_goes_back() -> None:
    book = Book()
    first, second, payment = _two_sold(book, 2550)
    more = book.pay(on(2), 12_550, first, second, payment)
    book.pay(on(3), -6_275, payment, more)
    assert months(book, 3) == [{}, {2550: 5_100}, {2550: -1_275}]
    assert untold(book.ledger(), on(3, 1), on(3, 31)) == ({}, {})


@pytest.mark.parametrize("code", [1, 5])
def test_what_is_paid_beyond_a_claim_is_named_until_it_goes_back(code: int) -> None:
    book = Book()
    rows = [(RECEIVABLES, 12_550), (SALES, -10_000, code, 2550), (OUTPUT, -2_550, code, 2550)]
    claim = book.post(on(1), rows)
    part = book.pay(on(2), 6_275, claim)
    over = book.pay(on(3), 18_825, claim)
    assert untold(book.ledger(on(2, 28)), START, on(2, 28)) == ({}, {})
    assert untold(book.ledger(), START, on(3, 31)) == ({over: 12_550}, {})
    more = book.pay(on(4), 1_000, part)
    assert untold(book.ledger(), START, on(4, 30)) == ({over: 12_550, more: 1_000}, {})
    book.pay(on(5), -13_550, claim)
    assert untold(book.ledger(), START, on(5, 31)) == ({}, {})
    back = book.pay(on(6), -12_560, claim)
    assert untold(book.ledger(), START, on(6, 30)) == ({}, {back: 10})


def test_what_is_paid_and_then_credited_is_no_money_beyond_its_claim() -> None:
    book = Book()
    claim = book.sell(on(1), (10_000, 2550), invoice=1, claims=True)
    paid = book.pay(on(2), 13_550, claim)
    book.sell(on(3), (-10_000, 2550), invoice=2, credits=1, claims=True)
    assert untold(book.ledger(), START, on(3, 31)) == ({paid: 1_000}, {})


def test_what_goes_back_of_a_credit_of_what_nobody_paid_is_named() -> None:
    book = Book()
    claim = book.sell(on(1), (10_000, 2550))
    credit = book.sell(on(2), (-5_000, 2550))
    back = book.pay(on(3), -6_275, credit)
    book.related.append((claim, credit))
    assert months(book, 3) == [{}, {}, {}]
    assert untold(book.ledger(), START, on(3, 31)) == ({}, {back: 6_275})
    book.pay(on(4), 12_550, claim)
    assert untold(book.ledger(), START, on(4, 30)) == ({}, {})
    assert months(book, 4)[3] == {2550: 1_275}


def test_money_that_goes_back_beyond_credits_is_named() -> None:
    book = Book()
    claim = book.sell(on(1), (10_000, 2550), contact=1)
    book.pay(on(2), 12_550, claim)
    book.sell(on(3), (-1_000, 2550), contact=1)
    back = book.pay(on(4), -2_000, contact=1)
    anybody = book.pay(on(4), -500)
    assert untold(book.ledger(), START, on(4, 30)) == ({}, {back: 745, anybody: 500})
    book.openings[RECEIVABLES] = -800
    assert untold(book.ledger(), START, on(4, 30)) == ({}, {anybody: 445})


def test_a_payment_that_is_taken_back_gives_no_credit_back() -> None:
    book = Book()
    claim = book.sell(on(1), (10_000, 2550), contact=1)
    book.pay(on(1), 12_550, claim)
    book.sell(on(2), (-10_000, 2550), contact=1)
    wrong = book.pay(on(3), 12_550, contact=1)
    book.pay(on(4), -12_550, wrong, contact=1)
    assert months(book, 4) == [{2550: 2550}, {}, {}, {}]


@pytest.mark.parametrize("is_sale", [True, False])
def test_a_payment_less_a_discount_pays_its_claim_and_lowers_it(is_sale: bool) -> None:
    book, sign = Book(), 1 if is_sale else -1
    due, taken, tax, code = (RECEIVABLES, SALES, OUTPUT, 1) if is_sale else (PAYABLES, COSTS, INPUT, 2)
    rows = [(due, 12_550), (taken, -10_000, code, 2550), (tax, -2_550, code, 2550)]
    paid = [(BANK, 12_299), (taken, 200, code, 2550), (tax, 51, code, 2550), (due, -12_550)]
    book.post(on(1), [(one[0], sign * one[1], *one[2:]) for one in rows], contact=1)
    payment = book.post(on(2), [(one[0], sign * one[1], *one[2:]) for one in paid], contact=1)
    key = (code, 2550, AccountType.LIA_VAT if is_sale else AccountType.ASS_VAT)
    ranges = [(on(1, 1), on(1, 31)), (on(2, 1), on(2, 28)), (on(3, 1), on(3, 31))]
    assert [book.reported(*one)[key] for one in ranges] == [0, -sign * 2_499, 0]
    back = [(one[0], -sign * one[1], *one[2:]) for one in paid]
    book.related.append((payment, book.post(on(3), back, contact=1)))
    assert [book.reported(*one)[key] for one in ranges] == [0, -sign * 2_499, sign * 2_499]


def test_what_was_laid_out_for_a_customer_is_paid_with_the_rest_of_its_claim() -> None:
    book = Book()
    rows = [(RECEIVABLES, 13_550), (SALES, -10_000, 1, 2550), (OUTPUT, -2_550, 1, 2550), (BANK, -1_000)]
    claim = book.post(on(1), rows)
    book.pay(on(2), 6_775, claim)
    book.pay(on(3), 6_775)
    assert months(book, 3) == [{}, {2550: 1275}, {2550: 1275}]


@pytest.mark.parametrize("back", [116_653, 58_300])
@pytest.mark.parametrize(("net", "rate"), [(2_100, 700), (2_100, 1900)])
def test_money_that_goes_back_of_a_payment_with_a_discount_leaves_the_shares_of_what_is_owed(
    back: int, net: int, rate: int
) -> None:
    """Whether it is related or not; when all of it is back nothing has been paid, and nothing stays reported."""
    book = Book()
    claim = book.sell(on(1, 5), (10_000, 1900), (100_000, 700), contact=1)
    tax = divide_half_away(net * rate, 10_000)
    money = 118_900 - net - tax
    back = min(back, money)
    rows = [(BANK, money), (SALES, net, 1, rate), (OUTPUT, tax, 1, rate), (RECEIVABLES, -118_900)]
    payment = book.post(on(2), rows, contact=1)
    refund = book.post(on(3), [(BANK, -back), (RECEIVABLES, back)], contact=1)
    loose = months(book, 4, GERMANY)
    if back == money:
        assert Counter(loose[1]) == Counter({code: -cents for code, cents in loose[2].items()})
    book.related += [(claim, payment), (claim, refund)]
    assert loose == months(book, 4, GERMANY)


@pytest.mark.parametrize("account", [COSTS, SALES], ids=["loss", "credit note"])
@pytest.mark.parametrize("paid", [(119_000,), (124_350,), (119_000, 5_350), (119_000, 119_000, -119_000)])
def test_what_nobody_related_lowers_the_claim_that_money_of_nobody_left_open(
    paid: tuple[int, ...], account: int
) -> None:
    """The first claim is paid: nothing of it can be lost, and no month without money reports any more of it."""
    book = Book()
    book.sell(on(1, 5), (100_000, 1900), contact=1)
    second = book.sell(on(1, 15), (100_000, 1900), (10_000, 700), contact=1)
    for cents in paid:
        book.pay(on(4), cents, contact=1)
    lost = [(account, 50_000, 1, 1900), (OUTPUT, 9_500, 1, 1900), (RECEIVABLES, -59_500)]
    of_nobody = book.post(on(6), lost, contact=1)
    left = months(book, 7, GERMANY)
    book.related.append((second, of_nobody))
    assert left == months(book, 7, GERMANY)
    if sum(paid) == 119_000:
        assert left == [{}, {}, {}, {1900: 19_000}, {}, {}, {}]


@pytest.mark.parametrize("is_related", [True, False])
def test_a_loss_that_is_taken_back_leaves_the_twelve_months_as_they_were(is_related: bool) -> None:
    book = Book()
    claim = book.sell(on(1, 15, 2025), (10_000, 2550))
    rows = [(COSTS, 10_000, 1, 2550), (OUTPUT, 2_550, 1, 2550), (RECEIVABLES, -12_550)]
    loss = book.post(on(6, 10, 2025), rows)
    back = book.post(on(7, 10, 2025), [(one[0], -one[1], *one[2:]) for one in rows])
    book.related += [(claim, loss), (loss, back), *([(claim, back)] if is_related else [])]
    assert book.vat(on(1, 1, 2025), on(12, 31, 2025)) == {}
    assert book.vat(on(1, 1), on(1, 31)) == {2550: 2550}
    assert book.vat(on(2, 1), on(12, 31)) == {}
    book.pay(on(2), 12_550, claim)
    assert book.vat(on(2, 1), on(12, 31)) == {}


@pytest.mark.parametrize("is_sale", [True, False])
def test_a_claim_that_is_corrected_after_its_payment_takes_that_to_the_right_one(is_sale: bool) -> None:
    book, sign = Book(), 1 if is_sale else -1
    due, taken, tax, code = (RECEIVABLES, SALES, OUTPUT, 1) if is_sale else (PAYABLES, COSTS, INPUT, 2)

    def claim(day: date, net: int, vat: int, rate: int) -> int:
        rows = [(due, net + vat), (taken, -net, code, rate), (tax, -vat, code, rate)]
        return book.post(day, [(one[0], sign * one[1], *one[2:]) for one in rows])

    wrong = claim(on(1), 10_000, 2_550, 2550)
    payment = book.post(on(2), [(BANK, sign * 12_550), (due, -sign * 12_550)])
    book.related += [(wrong, payment)]
    mirror, right = claim(on(3), -10_000, -2_550, 2550), claim(on(3), 11_057, 1_493, 1350)
    book.related += [(wrong, mirror), (payment, mirror), (payment, right)]
    kind = AccountType.LIA_VAT if is_sale else AccountType.ASS_VAT
    found = [book.reported(on(month, 1), on(month, 28)) for month in (1, 2, 3, 4)]
    assert [-sign * one[code, 2550, kind] for one in found] == [0, 2_550, -2_550, 0]
    assert [-sign * one[code, 1350, kind] for one in found] == [0, 0, 1_493, 0]


@pytest.mark.parametrize("is_sale", [True, False])
def test_a_claim_whose_payment_has_a_discount_is_corrected_with_it(is_sale: bool) -> None:
    book, sign = Book(), 1 if is_sale else -1
    due, taken, tax, code = (RECEIVABLES, SALES, OUTPUT, 1) if is_sale else (PAYABLES, COSTS, INPUT, 2)

    def post(day: date, net: int, vat: int, rate: int, money: int = 0) -> int:
        rows = [(due, net + vat - money), (taken, -net, code, rate), (tax, -vat, code, rate)]
        return book.post(day, [(one[0], sign * one[1], *one[2:]) for one in [*rows, (BANK, money)] if one[1]])

    wrong, paid = post(on(1), 100_000, 25_500, 2550), post(on(2), -2_000, -510, 2550, money=122_990)
    book.related += [(wrong, paid)]
    mirror, right = post(on(3), -100_000, -25_500, 2550), post(on(3), 110_573, 14_927, 1350)
    book.related += [(wrong, mirror), (paid, mirror), (wrong, right), (paid, right)]
    kind = AccountType.LIA_VAT if is_sale else AccountType.ASS_VAT
    found = [book.reported(on(month, 1), on(month, 28)) for month in (1, 2, 3, 4)]
    assert [-sign * one[code, 2550, kind] for one in found] == [0, 24_990, -25_500, 0]
    assert [-sign * one[code, 1350, kind] for one in found] == [0, 0, 14_927, 0]


@pytest.mark.parametrize("account", [COSTS, SALES])
def test_what_was_lost_or_credited_of_a_claim_is_not_asked_for_once_it_is_corrected(account: int) -> None:
    book = Book()
    wrong = book.sell(on(1, 5, 2025), (100_000, 2550))
    less = book.post(on(6, 5, 2025), [(account, 50_000, 1, 2550), (OUTPUT, 12_750, 1, 2550), (RECEIVABLES, -62_750)])
    mirror, right = book.sell(on(8, 5, 2025), (-100_000, 2550)), book.sell(on(8, 5, 2025), (100_000, 2550))
    book.related += [(wrong, less), (wrong, mirror), (less, mirror), (wrong, right), (less, right)]
    assert book.vat(on(1, 1, 2025), on(12, 31, 2025)) == {}
    assert book.vat(on(1, 1), on(1, 31)) == {2550: 12_750}
    book.pay(on(2), 62_750, right)
    assert book.vat(on(2, 1), on(12, 31)) == {}
    assert book.vat(on(1, 1, 2025), on(12, 31), GERMANY) == {2550: 12_750}


def test_what_was_lost_without_a_relation_is_of_the_customer_s_oldest_unpaid_claim_of_its_rate() -> None:
    book = Book()
    paid = book.sell(on(1, 1, 2025), (100_000, 2550), contact=1)
    book.pay(on(1, 2, 2025), 125_500, paid, contact=1)
    book.sell(on(1, 3, 2025), (100_000, 1350), contact=1)
    owed = [book.sell(on(1, 4, 2025), (100_000, 2550), contact=contact) for contact in (2, 1, 1)]
    rows = [(COSTS, 50_000, 1, 2550), (OUTPUT, 12_750, 1, 2550), (RECEIVABLES, -62_750)]
    book.post(on(6, 5, 2025), rows, contact=1)
    assert book.vat(on(1, 1, 2025), on(12, 31, 2025)) == {2550: 25_500}
    assert book.vat(on(1, 1), on(1, 31)) == {1350: 13_500, 2550: 3 * 25_500 - 12_750}
    book.pay(on(2), 62_750, owed[1], contact=1)
    assert book.vat(on(2, 1), on(12, 31)) == {}
    assert book.vat(on(2, 1), on(12, 31), GERMANY) == {2550: 12_750}


def test_what_was_credited_without_a_relation_is_of_a_claim_that_leaves_as_much_of_each_rate() -> None:
    book = Book()
    book.sell(on(2), (30_000, 1000), (10_000, 2550), contact=1)
    book.sell(on(2, 25), (50_000, 2550), contact=1)
    book.pay(on(5), 10_000, contact=1)
    book.sell(on(6), (-24_980, 2550), contact=1)
    # 33,000 and 12,550 of the first claim; the credit note lowers the second one, which nobody has paid
    assert months(book, 6) == [{}, {}, {}, {}, {1000: 659, 2550: 560}, {}]


@pytest.mark.parametrize("is_related", [True, False])
def test_a_discount_without_a_relation_lowers_a_claim_that_was_paid_in_part(is_related: bool) -> None:
    book = Book()
    claim = book.sell(on(1, 10), (100_000, 2550), (100_000, 1000), contact=1)
    book.pay(on(1, 20), 50_000, claim)
    discounted = [(BANK, 100_000), (SALES, 20_000, 1, 2550), (OUTPUT, 5_100, 1, 2550), (RECEIVABLES, -125_100)]
    payment = book.post(on(2, 10), discounted, contact=1)
    if is_related:
        book.related.append((claim, payment))
    # 500 of 2,355, then 1,500 of the 2,104 that are left to pay: 255.00 less 51.00, and 100.00
    assert months(book, 2) == [{2550: 5_414, 1000: 2_123}, {2550: 14_544 - 5_414, 1000: 7_129 - 2_123}]


def test_a_payment_of_several_claims_with_a_discount_and_no_relation_settles_all_of_them() -> None:
    book = Book()
    for month in (1, 2, 3):
        book.sell(on(month), (10_000, 1900), contact=1)
    rows = [(COSTS, 10_000, 1, 1900), (OUTPUT, 1_900, 1, 1900), (RECEIVABLES, -35_700), (BANK, 23_800)]
    book.post(on(4), rows, contact=1)
    assert months(book, 5, GERMANY) == [{}, {}, {}, {1900: 3_800}, {}]


def test_what_was_paid_between_two_corrections_goes_to_the_last_claim_though_the_first_left_its_sums() -> None:
    book = Book()
    first, mirror, second = (
        book.sell(on(1, 5 + place), (net, 1900)) for place, net in enumerate((10_000, -10_000, 10_000))
    )
    paid = book.pay(on(2), 11_900, second)
    again, last = book.sell(on(3), (-10_000, 1900)), book.sell(on(3), (11_122, 700))
    # to what the wrong one is related to, as `document correct` does
    book.related += [(first, mirror), (first, second), (second, again), (first, again), (paid, again)]
    book.related += [(second, last), (first, last), (paid, last)]
    assert months(book, 4, GERMANY) == [{}, {1900: 1900}, {1900: -1900, 700: 779}, {}]


def test_what_is_lost_of_a_claim_that_is_again_what_it_once_was_is_of_that_claim() -> None:
    book, near = Book(), list[int]()
    claim = book.sell(on(1), (10_000, 1900))
    for net, rate in ((9_000, 700), (9_000, 1900), (9_000, 700)):
        claim = book.correct(on(2), claim, near, (net, rate))
    loss = book.post(on(3), [(COSTS, 1_000, 1, 1900), (OUTPUT, 190, 1, 1900), (RECEIVABLES, -1_190)])
    book.related.append((claim, loss))
    book.pay(on(4), 9_630 - 1_190, claim)
    assert months(book, 4) == [{}, {}, {}, {700: 630, 1900: -190}]


def test_a_discount_lowers_the_oldest_claim_of_accounts_that_claims_move_between() -> None:
    book = Book()
    claims = [book.sell(on(1), (10_000, 1900)), book.sell(on(1), (10_000, 1900))]
    rows = [(DOUBTFUL, 11_900), (SALES, -10_000, 1, 1900), (OUTPUT, -1_900, 1, 1900)]
    claims.append(book.post(on(1), rows))
    book.post(on(2), [(DOUBTFUL, 11_900), (RECEIVABLES, -11_900)])
    rows = [(BANK, 11_900), (COSTS, 10_000, 1, 1900), (OUTPUT, 1_900, 1, 1900), (DOUBTFUL, -23_800)]
    paid = book.post(on(3), rows)
    book.related += [(claim, paid) for claim in claims]
    assert months(book, 3, GERMANY) == [{}, {}, {1900: 1900}]


def test_a_discount_lowers_the_claim_that_stands_where_it_does() -> None:
    book = Book()
    rows = [(DOUBTFUL, 23_800), (SALES, -20_000, 1, 1900), (OUTPUT, -3_800, 1, 1900)]
    claims = [book.sell(on(1), (10_000, 1900)), book.post(on(1), rows)]
    rows = [(BANK, 11_900), (COSTS, 10_000, 1, 1900), (OUTPUT, 1_900, 1, 1900), (DOUBTFUL, -23_800)]
    paid = book.post(on(2), rows)
    book.related += [(claim, paid) for claim in claims]
    assert months(book, 2, GERMANY) == [{}, {1900: 1900}]


def test_a_sale_without_vat_takes_its_payment() -> None:
    book = Book()
    exempt = book.post(on(1), [(RECEIVABLES, 10_000), (SALES, -10_000, 5, 0)])
    book.sell(on(1), (10_000, 2550))
    book.pay(on(2), 10_000, exempt)
    assert months(book, 2) == [{}, {}]


def test_finland_waits_twelve_months_for_a_payment_and_germany_for_ever() -> None:
    book = Book()
    claim = book.sell(on(1), (10_000, 2550))
    book.pay(on(6), 6_275, claim)
    month = on(1, 1, 2027), on(1, 31, 2027)
    assert (book.vat(*month), book.vat(*month, GERMANY)) == ({2550: 1275}, {})
    book.pay(on(3, 3, 2027), 6_275, claim)
    later = on(2, 1, 2027), on(3, 31, 2027)
    assert (book.vat(*later), book.vat(*later, GERMANY)) == ({}, {2550: 1275})


def test_a_claim_that_is_corrected_waits_twelve_months_from_the_first_one() -> None:
    book = Book()
    wrong = book.sell(on(1, 15, 2025), (10_000, 2550))
    for day, before, after in ((on(5, 15, 2025), 2550, 1350), (on(10, 15, 2025), 1350, 1000)):
        mirror = book.sell(day, (-10_000, before))
        right = book.sell(day, (10_000, after))
        # to what the wrong one is related to, as `document correct` does
        book.related += [(other, mirror) for other in (*range(1, wrong, 2), wrong)]
        book.related += [(other, right) for other in (*range(1, wrong, 2), wrong)]
        wrong = right
    assert book.vat(on(1, 1, 2025), on(12, 31, 2025)) == {}
    assert book.vat(on(1, 1), on(1, 31)) == {1000: 1000}
    assert book.vat(on(2, 1), on(12, 31)) == {}
    assert book.vat(on(1, 1, 2025), on(12, 31), GERMANY) == {}
    # what is sold later to whoever owes still is a sale of its own
    later = book.sell(on(3), (10_000, 2550))
    book.related.append((wrong, later))
    assert book.vat(on(2, 1), on(12, 31)) == {}


def test_the_twelve_months_begin_with_the_delivery_and_never_end_for_what_was_lost() -> None:
    book = Book()
    book.sell(on(3), (10_000, 2550), invoice=1, claims=True, delivered=on(1, 31))
    lost = book.sell(on(1), (10_000, 1000), invoice=2, claims=True)
    loss = book.post(on(12), [(COSTS, 10_000, 1, 1000), (OUTPUT, 1_000, 1, 1000), (RECEIVABLES, -11_000)], invoice=2)
    book.related.append((lost, loss))
    assert book.vat(on(1, 1), on(12, 31)) == {}
    assert book.vat(on(1, 1, 2027), on(1, 31, 2027)) == {2550: 2550}
    assert book.vat(on(2, 1, 2027), on(12, 31, 2027)) == {}


def test_purchases_are_deducted_when_paid_in_finland_and_by_their_day_in_germany() -> None:
    book = Book()
    bought = book.post(on(1), [(COSTS, 10_000, 2, 2550), (INPUT, 2_550, 2, 2550), (PAYABLES, -12_550)])
    paid = book.post(on(2), [(PAYABLES, 12_550), (BANK, -12_550)])
    book.related.append((bought, paid))
    january, february = (on(1, 1), on(1, 31)), (on(2, 1), on(2, 28))
    key = (2, 2550, AccountType.ASS_VAT)
    assert [book.reported(*one)[key] for one in (january, february)] == [0, 2_550]
    assert [book.reported(*one, GERMANY)[key] for one in (january, february)] == [2_550, 0]


def test_money_that_no_claim_takes_is_named_with_its_documents_until_one_does() -> None:
    book = Book()
    prepaid = book.pay(on(1), 20_000, contact=1)
    book.sell(on(1), (10_000, 2550), contact=2)
    early = book.pay(on(1, 20), 10_000, contact=2)
    over = book.pay(on(2), 5_000, contact=2)
    book.sell(on(3), (10_000, 2550), contact=1)
    year = book.ledger()
    assert untold(book.ledger(on(1, 31)), on(1, 1), on(1, 31)).unclaimed == {prepaid: 20_000}
    assert untold(book.ledger(on(2, 28)), on(2, 1), on(2, 28)).unclaimed == {over: 2_450}
    assert untold(book.ledger(on(2, 28)), on(1, 1), on(2, 28)).unclaimed == {prepaid: 20_000, over: 2_450}
    assert book.vat(on(1, 1), on(1, 31)) == {2550: 2032}
    assert untold(year, on(1, 1), on(3, 31)).unclaimed == {prepaid: 7_450, over: 2_450}
    assert early not in untold(year, on(1, 1), on(3, 31)).unclaimed


def test_money_after_a_loss_is_named_and_what_was_open_when_the_books_began_takes_some() -> None:
    book = Book()
    claim = book.sell(on(1), (10_000, 2550), invoice=1, claims=True)
    loss = book.post(on(2), [(COSTS, 10_000, 1, 2550), (OUTPUT, 2_550, 1, 2550), (RECEIVABLES, -12_550)], invoice=1)
    book.related.append((claim, loss))
    late = book.pay(on(3), 12_550)
    assert untold(book.ledger(), on(3, 1), on(3, 31)).unclaimed == {late: 12_550}
    book.openings[RECEIVABLES] = 2_550
    assert untold(book.ledger(), on(3, 1), on(3, 31)).unclaimed == {late: 10_000}
    book.related.append((claim, late))
    assert untold(book.ledger(), on(3, 1), on(3, 31)).unclaimed == {}


@pytest.mark.parametrize("is_sale", [True, False])
def test_a_claim_of_january_that_is_related_to_an_older_credit_leaves_december_as_it_was(is_sale: bool) -> None:
    book = Book()
    due, taken, tax, code = (RECEIVABLES, SALES, OUTPUT, 1) if is_sale else (PAYABLES, COSTS, INPUT, 2)

    def bill(day: date, net: int, vat: int, rate: int) -> int:
        sign = 1 if is_sale else -1
        rows = [(due, sign * (net + vat)), (taken, -sign * net, code, rate), (tax, -sign * vat, code, rate)]
        return book.post(day, rows, contact=1)

    bill(on(1), 100_000, 14_000, 1400)
    credit = bill(on(2), -10_000, -2_550, 2550)
    assert months(book, 2) == months(book, 3)[:2]
    ranges = [(on(1, 1), on(1, 31)), (on(2, 1), on(2, 28)), (on(3, 1), on(3, 31))]
    before = [book.reported(*one) for one in ranges]
    book.related.append((credit, bill(on(3), 40_000, 10_200, 2550)))
    after = [book.reported(*one) for one in ranges]
    assert after[:2] == before[:2]
    whole = book.reported(on(1, 1), on(3, 31))
    added: Counter[Key] = Counter()
    for one in after:
        added.update(one)
    assert {key: cents for key, cents in added.items() if cents} == dict(whole)


@st.composite
def books(draw: st.DrawFn) -> Book:
    """Sales, part payments, credit notes, losses, refunds and payments without a word, on days of a year."""
    book, days = Book(), st.integers(0, 360)
    rates, cents = st.sampled_from((2550, 1350, 1000, 0)), st.integers(1, 90_000)
    parts = st.lists(st.tuples(cents, rates), min_size=1, max_size=3, unique_by=lambda part: part[1])
    for number in range(draw(st.integers(1, 5))):
        contact = draw(st.sampled_from((None, 1, 2)))
        sold = draw(parts)
        whole = sum(net + divide_half_away(net * rate, 10_000) for net, rate in sold)
        due = draw(st.sampled_from((None, whole // 2 or None)))
        begun = draw(days)
        has_invoice = draw(st.booleans())
        tie: dict[str, Any] = {"invoice": 10 * number, "claims": True} if has_invoice else {}
        claim = book.sell(START + timedelta(begun), *sold, due=due, contact=contact, **tie)
        if has_invoice and draw(st.booleans()):
            net, rate = sold[0]
            tie = {"invoice": 10 * number + 1, "credits": 10 * number, "claims": True}
            book.sell(START + timedelta(draw(st.integers(begun, 360))), (-net, rate), contact=contact, **tie)
        for _ in range(draw(st.integers(0, 3))):
            related = (claim,) if draw(st.booleans()) else ()
            amount = draw(st.integers(-whole // 4, whole))
            if amount:
                book.pay(START + timedelta(draw(days)), amount, *related, contact=contact)
    return book


@st.composite
def credited_books(draw: st.DrawFn) -> Book:
    """The same, with credits that belong to no invoice, related to claims that are older or younger than they are."""
    book = draw(books())
    claims = sorted({one.document_id for one in book.posted if one.account_id == RECEIVABLES and one.cents > 0})
    for _ in range(draw(st.integers(0, 3))):
        net, rate = draw(st.integers(1, 50_000)), draw(st.sampled_from((2550, 1000)))
        day = START + timedelta(draw(st.integers(0, 360)))
        credit = book.sell(day, (-net, rate), contact=draw(st.sampled_from((None, 1, 2))))
        near = st.lists(st.sampled_from(claims), max_size=2, unique=True) if claims else st.just([])
        book.related += [(claim, credit) for claim in draw(near)]
    return book


@given(credited_books(), st.lists(st.integers(1, 359), max_size=6), st.sampled_from((FINLAND, GERMANY)))
def test_ranges_add_up_and_nothing_that_comes_later_changes_an_earlier_one(
    book: Book, cuts: list[int], basis: Any
) -> None:
    days = [START, *(START + timedelta(cut) for cut in sorted(set(cuts))), START + timedelta(361)]
    ranges = [(first, then - timedelta(days=1)) for first, then in pairwise(days)]
    by_ranges: Counter[Key] = Counter()
    for first, last in ranges:
        by_ranges.update(book.reported(first, last, basis))
        assert book.reported(first, last, basis) == book.reported(first, last, basis, until=days[-1])
    whole = book.reported(days[0], ranges[-1][1], basis)
    assert {key: cents for key, cents in by_ranges.items() if cents} == dict(whole)


@given(books(), st.sampled_from((FINLAND, GERMANY)))
def test_all_vat_is_reported_once_everything_is_paid(book: Book, basis: Any) -> None:
    end = START + timedelta(400)
    for claim in sorted({one.document_id for one in book.posted if one.vat_code == 1 and one.cents < 0}):
        # more than was ever owed
        book.pay(end, 1_000_000, claim)
    posted: Counter[Key] = Counter()
    for one in book.posted:
        if one.vat_code == 1:
            kind = AccountType.LIA_VAT if one.account_id == OUTPUT else None
            # what was credited is consideration until it is given back
            posted[1, one.vat_rate, kind] += min(one.cents, 0)
    assert book.reported(START, end, basis) == Counter({key: cents for key, cents in posted.items() if cents})


@given(st.data(), st.sampled_from((FINLAND, GERMANY)))
def test_of_corrected_claims_all_vat_is_reported_once_nothing_is_open(data: st.DataObject, basis: Any) -> None:
    book, near = Book(), list[int]()
    claim, open_ = book.sell(on(1), (100_000, 1900)), 119_000

    for step in range(data.draw(st.integers(1, 6))):
        day = START + timedelta(data.draw(st.integers(40 * step, 40 * step + 39)))
        doing, cents = data.draw(st.sampled_from(("pay", "discount", "lose", "correct"))), data.draw(st.integers(1, 9))
        if doing == "correct":
            net, rate = data.draw(st.integers(90_000, 110_000)), data.draw(st.sampled_from((1900, 700)))
            open_ -= book.due(claim)
            claim = book.correct(day, claim, near, (net, rate))
            open_ += book.due(claim)
            continue
        net = 1_000 * cents
        rows = [] if doing == "pay" else [(COSTS, net, 1, 1900), (OUTPUT, net * 19 // 100, 1, 1900)]
        money = 0 if doing == "lose" else 1_000 * cents
        lowered = sum(one[1] for one in rows) + money
        near.append(book.post(day, [*rows, *([(BANK, money)] if money else []), (RECEIVABLES, -lowered)]))
        book.related.append((claim, near[-1]))
        open_ -= lowered
    end = START + timedelta(300)
    book.pay(end, open_, claim)
    posted: Counter[Key] = Counter()
    for one in book.posted:
        if one.vat_code == 1:
            posted[1, one.vat_rate, AccountType.LIA_VAT if one.account_id == OUTPUT else None] += one.cents
    assert book.reported(START, end, basis) == Counter({key: cents for key, cents in posted.items() if cents})


class _Till:
    """Books at random, one rate a customer, in which nobody pays more than he owes or gets more back than he has to.

    What such books have to report of each follows from two balances alone: the VAT posted, less that of what is owed.
    """

    RATES: ClassVar = {1: 1900, 2: 700}
    ACCOUNTS = (RECEIVABLES, RECEIVABLES, DOUBTFUL)

    def __init__(self, draw: st.DrawFn) -> None:
        self.book, self._draw = Book(), draw
        # whether documents name their customer: all of them, but those with money, or none where there is one customer
        self._named, self._whose = draw(st.sampled_from(("all", "sales", "none"))), dict[int, int]()
        self._owes: Counter[tuple[int, int]] = Counter()
        self._claims: dict[int, list[int]] = {1: [], 2: []}
        self._losses: dict[int, list[tuple[int, list[tuple[Any, ...]]]]] = {1: [], 2: []}

    def move(self, day: date) -> None:
        contact = self._draw(st.sampled_from((1, 1, 2))) if self._named == "all" else 1
        account = self._draw(st.sampled_from(self.ACCOUNTS))
        doing = [self._sell, self._credit]
        if self._most(contact, account) > 0:
            doing += [self._pay, self._pay, self._discount, self._lose, self._transfer]
        if self._owed(contact, account) < 0:
            doing += [self._refund, self._refund]
        if self._claims[contact]:
            doing.append(self._correct)
        if self._losses[contact]:
            doing.append(self._find)
        self._draw(st.sampled_from(doing))(day, contact, account)

    def _post(self, day: date, contact: int, rows: list[tuple[Any, ...]], **tie: Any) -> int:
        for account, cents, *_ in rows:
            if account in {RECEIVABLES, DOUBTFUL}:
                self._owes[contact, account] += cents
        is_money = any(row[0] == BANK for row in rows)
        is_named = self._named == "all" or (self._named == "sales" and not is_money)
        document = self.book.post(day, rows, contact=contact if is_named else None, **tie)
        self._whose[document] = contact
        return document

    def _part(self, contact: int, most: int) -> int:
        unit = 100 + self.RATES[contact] // 100
        return self._draw(st.just(most // unit) | st.integers(1, most // unit)) * unit if most >= unit else 0

    def _taxed(self, contact: int, gross: int) -> list[tuple[Any, ...]]:
        rate = self.RATES[contact]
        net = gross * 10_000 // (10_000 + rate)
        return [(COSTS, net, 1, rate), (OUTPUT, gross - net, 1, rate)]

    def _most(self, contact: int, account: int) -> int:
        """Return what somebody owes on an account, and in all."""
        return min(self._owes[contact, account], self._owes[contact, RECEIVABLES] + self._owes[contact, DOUBTFUL])

    def _owed(self, contact: int, account: int) -> int:
        return max(self._owes[contact, account], self._owes[contact, RECEIVABLES] + self._owes[contact, DOUBTFUL])

    def _relate(self, document: int, contact: int) -> None:
        if self._draw(st.booleans()):
            self.book.related += [(claim, document) for claim in self._claims[contact]]

    def _sell(self, day: date, contact: int, account: int) -> None:
        self._sell_for(day, contact, account, self._part(contact, 119_000))

    def _sell_for(self, day: date, contact: int, account: int, gross: int) -> None:
        rows, tie = (
            [(account, gross), *self._taxed(contact, -gross)],
            {"invoice": len(self.book.origins), "claims": True},
        )
        self._claims[contact].append(self._post(day, contact, rows, **tie))

    def _correct(self, day: date, contact: int, account: int) -> None:
        """Post the newest claim anew where it was, for as much or more, and relate both as `document correct` does."""
        if not self._claims[contact]:
            return
        wrong = self._claims[contact].pop()
        rows = [(one.account_id, -one.cents, one.vat_code, one.vat_rate) for one in self.book.rows(wrong)]
        near = [other for pair in self.book.related if wrong in pair for other in pair if other != wrong]
        mirror = self._post(day, contact, rows)
        self._sell_for(day, contact, rows[0][0], sum(row[1] for row in rows[1:]) + self._part(contact, 50_000))
        for document in (mirror, self._claims[contact][-1]):
            self.book.related += [(other, document) for other in (*near, wrong)]

    def _pay(self, day: date, contact: int, account: int) -> None:
        if paid := self._part(contact, self._most(contact, account)):
            self._relate(self._post(day, contact, [(BANK, paid), (account, -paid)]), contact)

    def _lower(self, day: date, contact: int, account: int, gross: int, money: int) -> int:
        rows = [*self._taxed(contact, gross), (account, -gross - money), *([(BANK, money)] if money else [])]
        document = self._post(day, contact, rows)
        self._losses[contact].append((document, rows))
        return document

    def _discount(self, day: date, contact: int, account: int) -> None:
        unit = 100 + self.RATES[contact] // 100
        if paid := self._part(contact, self._most(contact, account) - unit):
            self._relate(self._lower(day, contact, account, unit, paid), contact)

    def _lose(self, day: date, contact: int, account: int) -> None:
        if lost := self._part(contact, self._most(contact, account)):
            self._relate(self._lower(day, contact, account, lost, 0), contact)

    def _credit(self, day: date, contact: int, account: int) -> None:
        """Credit something, or an invoice by a credit note, where it stands and no more than is left of it."""
        gross = self._part(contact, 50_000)
        lowered = sum(one.cents for one in self.book.posted if self._lowers(one, contact))
        sold = [one for one in self._claims[contact] if self.book.due(one, account) >= lowered + gross]
        credited = self._draw(st.sampled_from((None, *sold)))
        if credited is not None:
            of = self.book.origins[credited].invoice_id
            tie = {"invoice": len(self.book.origins), "credits": of, "claims": True}
            self._post(day, contact, [*self._taxed(contact, gross), (account, -gross)], **tie)
        else:
            self._lower(day, contact, account, gross, 0)

    def _lowers(self, one: Posted, contact: int) -> bool:
        return self._whose[one.document_id] == contact and one.vat_code == 1 and one.cents > 0

    def _transfer(self, day: date, contact: int, account: int) -> None:
        if moved := self._part(contact, self._most(contact, account)):
            other = RECEIVABLES + DOUBTFUL - account
            self._relate(self._post(day, contact, [(other, moved), (account, -moved)]), contact)

    def _refund(self, day: date, contact: int, account: int) -> None:
        if back := self._part(contact, -self._owed(contact, account)):
            self._post(day, contact, [(account, back), (BANK, -back)])
            # whoever takes a credit back then has lent the money, which is no sale
            self._losses[contact].clear()

    def _find(self, day: date, contact: int, account: int) -> None:
        """Take the last credit, discount or loss back."""
        if self._losses[contact]:
            document, rows = self._losses[contact].pop()
            found = self._post(day, contact, [(one[0], -one[1], *one[2:]) for one in rows])
            self.book.related.append((document, found))

    def due(self, day: date, contact: int) -> int:
        """Return the VAT that the balances of a customer say is to be reported by the end of a day."""
        theirs = [one for one in self.book.posted if self._whose[one.document_id] == contact]
        posted, rate = [one for one in theirs if one.day <= day], self.RATES[contact]
        owed = sum(one.cents for one in posted if one.account_type == "ASS_DUE")
        vat = -sum(one.cents for one in posted if one.account_type == "LIA_VAT")
        return vat - divide_half_away(owed * rate, 10_000 + rate)


@st.composite
def tills(draw: st.DrawFn) -> _Till:
    till = _Till(draw)
    for number in range(draw(st.sampled_from((12, 6, 3)))):
        till.move(START + timedelta(10 * number))
    return till


@given(tills())
def test_what_was_reported_and_the_vat_of_what_is_owed_are_the_balance_of_vat_on_every_day(till: _Till) -> None:
    for number in range(12):
        day = START + timedelta(10 * number)
        got = till.book.vat(START, day, GERMANY)
        for contact, rate in till.RATES.items():
            due = till.due(day, contact)
            assert abs(got.get(rate, 0) - due) <= number + 1, (day, got, due)
        assert untold(till.book.ledger(day), START, day) == ({}, {})


class _Desk:
    """Books at random of sales at several rates, payments of more than one, and refunds in parts.

    What is to be reported is the VAT of the money that is known to be of each sale, up to its price: all other money is
    named, and no money else.
    """

    def __init__(self, draw: st.DrawFn) -> None:
        self.book, self._draw = Book(), draw
        self.rates = dict[int, tuple[int, ...]]()
        self.whole, self._credited = Counter[int](), Counter[int]()
        # by sale what was paid as the books put it there, and what of that went back and may be of another one
        self.paid, self.unsure = Counter[int](), Counter[int]()
        self._parts = dict[int, Counter[int]]()

    def move(self, day: date) -> None:
        doing = (self._sell, self._pay, self._pay, self._refund, self._refund, self._credit)
        self._draw(st.sampled_from(doing if self.whole else doing[:1]))(day)

    def _one(self) -> int:
        return self._draw(st.sampled_from(sorted(self.whole)))

    def _some(self) -> list[int]:
        return sorted({self._one() for _ in range(self._draw(st.integers(1, 3)))})

    def _amount(self) -> int:
        return self._draw(st.integers(1, 30)) * 1_000

    def _sell(self, day: date) -> None:
        rates = self._draw(st.sampled_from(((1900,), (700,), (1900, 700))))
        claim = self.book.sell(day, *((10_000, rate) for rate in rates), invoice=len(self.book.origins), claims=True)
        self.rates[claim], self.whole[claim] = rates, sum(10_000 + rate for rate in rates)

    def _credit(self, day: date) -> None:
        """Credit a half of a sale, or the other one."""
        claim = self._one()
        if self._credited[claim] < self.whole[claim]:
            parts = ((-5_000, rate) for rate in self.rates[claim])
            of = self.book.origins[claim].invoice_id
            self.book.sell(day, *parts, invoice=len(self.book.origins), credits=of, claims=True)
            self._credited[claim] += self.whole[claim] // 2

    def _pay(self, day: date) -> None:
        """Pay what is open of some sales, the oldest first, then what was credited of them, and then too much."""
        claims, amount = self._some(), self._amount()
        parts, rest = Counter[int](), amount
        for credited in (self._credited, Counter[int]()):
            for claim in claims:
                open_ = self.whole[claim] - credited[claim] - self.paid[claim] - parts[claim]
                parts[claim] += min(max(open_, 0), rest)
                rest = amount - parts.total()
        parts[claims[-1]] += rest
        self._parts[self.book.pay(day, amount, *claims)] = parts
        self.paid.update(parts)

    def _refund(self, day: date) -> None:
        """Give back what was paid of some sales, or what a payment paid of them."""
        # never as much as a payment, which it would undo
        amount, payment = self._amount() - 500, self._draw(st.sampled_from((None, *self._parts)))
        claims = self._some() if payment is None else [one for one, other in self.book.related if other == payment]
        parts = Counter[int]()
        if payment is None:
            self._take_over(claims, parts, amount)
        unsure = self._take_back(claims, self.paid if payment is None else self._parts[payment], parts, amount)
        if payment is not None:
            self._take_over(claims, parts, amount)
            self._parts[payment].subtract(parts)
        parts[claims[-1]] += amount - parts.total()
        self.paid.subtract(parts)
        self.book.pay(day, -amount, *(claims if payment is None else (payment,)))
        # of sales at one rate it is all the same
        if len({self.rates[claim] for claim in unsure}) > 1 or any(len(self.rates[claim]) > 1 for claim in unsure):
            self.unsure.update(unsure)

    def _take_over(self, claims: list[int], parts: Counter[int], amount: int) -> None:
        """Take what is too much, of the oldest first."""
        for claim in claims:
            over = self.paid[claim] - parts[claim] - self.whole[claim]
            parts[claim] += min(max(over, 0), amount - parts.total())

    def _take_back(self, claims: list[int], paid: Counter[int], parts: Counter[int], amount: int) -> Counter[int]:
        """Take what was paid, first as far as it was credited or too much; return what nothing tells the sale of."""
        unsure = Counter[int]()
        for kept in (self.whole - self._credited, Counter[int]()):
            most = Counter[int]()
            for claim in claims:
                left = min(self.paid[claim] - kept[claim], self.paid[claim], paid[claim])
                most[claim] = max(left - parts[claim], 0)
            rest = amount - parts.total()
            for claim in sorted(+most, reverse=True):
                part = min(most[claim], amount - parts.total())
                parts[claim] += part
                if len(+most) > 1 and 0 < rest < most.total():
                    unsure[claim] = part
        return unsure

    def told(self) -> tuple[Counter[int], int, int]:
        """Return the VAT that is to be reported by rate, and what money of others is named: came in, and went back."""
        money = {claim: self.paid[claim] + self.unsure[claim] for claim in self.whole}
        vat = Counter[int]()
        for claim, cents in money.items():
            for rate in self.rates[claim]:
                vat[rate] += divide_half_away(rate * min(max(cents, 0), self.whole[claim]), self.whole[claim])
        over = sum(max(cents - self.whole[claim], 0) for claim, cents in money.items())
        return vat, over, self.unsure.total() - sum(min(cents, 0) for cents in money.values())


@st.composite
def desks(draw: st.DrawFn) -> tuple[Book, list[tuple[Counter[int], int, int]]]:
    """Books, and what they are to tell at the end of each day."""
    desk, told = _Desk(draw), []
    for number in range(draw(st.integers(1, 10))):
        desk.move(START + timedelta(number))
        told.append(desk.told())
    return desk.book, told


@settings(max_examples=sized(200))
@given(desks())
def test_vat_is_that_of_the_money_of_each_sale_and_all_other_money_is_named(
    found: tuple[Book, list[tuple[Counter[int], int, int]]],
) -> None:
    book, days = found
    for number, (vat, over, back) in enumerate(days):
        day = START + timedelta(number)
        got, left = Counter(book.vat(START, day, GERMANY)), untold(book.ledger(day), START, day)
        got.subtract(vat)
        assert all(abs(cents) <= len(days) for cents in got.values()), (day, got, vat)
        assert (sum(left.unclaimed.values()), sum(left.returned.values())) == (over, back), day


class _Tangle:
    """Books of one rate at random, in which payments are related to whatever was there, and documents are reversed."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.book, self._draw = Book(), draw
        self._sales = list[int]()
        self._reversed = set[int]()

    def move(self, day: date) -> None:
        doing = (self._sell, self._sell, self._pay, self._pay, self._pay, self._credit, self._lower, self._reverse)
        self._draw(st.sampled_from(doing))(day, self._draw(st.sampled_from((None, 1, 2))))

    def _units(self) -> int:
        return self._draw(st.integers(1, 6))

    def _relate(self, document: int, others: list[int]) -> None:
        if others:
            near = self._draw(st.lists(st.sampled_from(others), max_size=2, unique=True))
            self.book.related += [(one, document) for one in near]

    def _sell(self, day: date, contact: int | None) -> None:
        number = len(self.book.origins)
        sold = self.book.sell(day, (1_000 * self._units(), 1900), contact=contact, invoice=number, claims=True)
        self._sales.append(sold)

    def _pay(self, day: date, contact: int | None) -> None:
        earlier = list(self.book.origins)
        # what goes back is never as much as a payment that it is related to, which it would undo
        cents = self._draw(st.sampled_from((1_190, 1_200, -1_210))) * self._units()
        self._relate(self.book.pay(day, cents, contact=contact), earlier)

    def _credit(self, day: date, contact: int | None) -> None:
        """Credit something by a document, related to sales or to none, or by a credit note."""
        tie: dict[str, Any] = {}
        if self._draw(st.booleans()) and self._sales:
            of = self.book.origins[self._draw(st.sampled_from(self._sales))].invoice_id
            tie = {"invoice": len(self.book.origins), "credits": of, "claims": True}
        credit = self.book.sell(day, (-1_000 * self._units(), 1900), contact=contact, **tie)
        if not tie:
            self._relate(credit, self._sales)

    def _lower(self, day: date, contact: int | None) -> None:
        """Lose a sale that nothing is related to, or take its payment less a discount."""
        tied = {one for pair in self.book.related for one in pair}
        credited = {origin.credited_id for origin in self.book.origins.values()}
        alone = [one for one in self._sales if one not in tied and self.book.origins[one].invoice_id not in credited]
        if alone:
            claim = self._draw(st.sampled_from(alone))
            (due,) = (
                one.cents for one in self.book.posted if one.document_id == claim and one.account_id == RECEIVABLES
            )
            money = self._draw(st.sampled_from((0, due - 119)))
            vat = divide_half_away((due - money) * 1900, 11_900)
            rows = [(BANK, money), (COSTS, due - money - vat, 1, 1900), (OUTPUT, vat, 1, 1900), (RECEIVABLES, -due)]
            self.book.related.append((claim, self.book.post(day, [row for row in rows if row[1]], contact)))

    def _reverse(self, day: date, contact: int | None) -> None:
        del contact
        left = [one for one in self.book.origins if one not in self._reversed]
        if left:
            wrong = self._draw(st.sampled_from(left))
            near = [one if other == wrong else other for one, other in self.book.related if wrong in (one, other)]
            posted = [one for one in self.book.posted if one.document_id == wrong]
            rows = [(one.account_id, -one.cents, one.vat_code, one.vat_rate) for one in posted]
            mirror = self.book.post(day, rows, self.book.origins[wrong].contact_id)
            self._reversed |= {wrong, mirror}
            self.book.related += [(one, mirror) for one in (wrong, *near)]


@st.composite
def tangles(draw: st.DrawFn) -> Book:
    tangle = _Tangle(draw)
    for number in range(draw(st.integers(2, 8))):
        tangle.move(START + timedelta(number))
    return tangle.book


@settings(max_examples=sized(300), derandomize=not is_full())
@given(tangles())
def test_every_cent_of_money_is_taxed_or_named(book: Book) -> None:
    for number in (3, 5, 8):
        day = START + timedelta(number)
        left = untold(book.ledger(day), START, day)
        money = sum(one.cents for one in book.posted if one.account_id == BANK and one.day <= day)
        taxed = money - sum(left.unclaimed.values()) + sum(left.returned.values())
        got = book.vat(START, day, GERMANY).get(1900, 0)
        assert abs(got - divide_half_away(taxed * 1900, 11_900)) <= 8, (day, got, taxed, money)
