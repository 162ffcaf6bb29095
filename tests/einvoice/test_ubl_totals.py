"""The sums of XRechnung files of random invoices, worked out again from the file alone, in whole cents."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple
from xml.etree.ElementTree import Element

from hypothesis import given, settings
from hypothesis import strategies as st

from acctcli.einvoice.ubl import xrechnung
from tests.einvoice.rulebooks import CLEAN, Rulebook, bare_tree
from tests.einvoice.samples import FINNISH_SELLER, ORIGINAL, Wire, credit_note, invoice, row

PRICES = st.decimals(min_value=-2000, max_value=2000, places=4)
COUNTS = st.decimals(min_value=-50, max_value=50, places=4)
# rate and VAT code; the wire allows a rate beside any code
TREATMENTS = st.sampled_from(
    [("25.5", 1), ("13.5", 1), ("10", 1), ("19", 1), ("7.25", 1), ("0", 1), ("0", 4), ("14", 5), ("0", 6), ("0", 10)]
)
ROWS = st.lists(
    st.builds(lambda price, count, treatment: row(f"{price}", f"{count}", *treatment), PRICES, COUNTS, TREATMENTS),
    min_size=1,
    max_size=30,
)


class Group(NamedTuple):
    """A category and its rate in hundredths of a percent."""

    category: str
    rate: int


class Sums(NamedTuple):
    """All amounts of a file, in cents."""

    lines: dict[Group, int]
    bases: dict[Group, int]
    taxes: dict[Group, int]
    line_total: int
    net: int
    vat: int
    gross: int
    rounding: int
    payable: int


def read_sums(document: bytes) -> Sums:
    root = bare_tree(document)
    lines: dict[Group, int] = {}
    for line in [*root.iterfind("InvoiceLine"), *root.iterfind("CreditNoteLine")]:
        group = group_of(line, "Item/ClassifiedTaxCategory")
        lines[group] = lines.get(group, 0) + cents_of(line, "LineExtensionAmount")
    subtotals = {group_of(each, "TaxCategory"): each for each in root.iterfind("TaxTotal/TaxSubtotal")}
    names = ("LineExtension", "TaxExclusive", "TaxInclusive", "PayableRounding", "Payable")
    line_total, net, gross, rounding, payable = (cents_of(root, f"LegalMonetaryTotal/{name}Amount") for name in names)
    return Sums(
        lines=lines,
        bases={group: cents_of(each, "TaxableAmount") for group, each in subtotals.items()},
        taxes={group: cents_of(each, "TaxAmount") for group, each in subtotals.items()},
        line_total=line_total,
        net=net,
        vat=cents_of(root, "TaxTotal/TaxAmount"),
        gross=gross,
        rounding=rounding,
        payable=payable,
    )


def group_of(parent: Element, path: str) -> Group:
    return Group(parent.findtext(f"{path}/ID", ""), int(Decimal(parent.findtext(f"{path}/Percent", "")) * 100))


def cents_of(parent: Element, path: str) -> int:
    """Return an amount in cents, 0 where it does not stand; it has two decimals (BR-DEC)."""
    text = parent.findtext(path, "0.00")
    assert re.fullmatch(r"-?[0-9]+\.[0-9]{2}", text)
    return int(text.replace(".", ""))


def assert_adds_up(sums: Sums) -> None:
    # BR-CO-10, BR-CO-13; BR-CO-18, BR-S-08 and its like of the other categories
    assert sum(sums.lines.values()) == sums.line_total == sums.net
    assert sums.bases == sums.lines
    # BR-CO-14, BR-CO-15, BR-CO-16
    assert sum(sums.taxes.values()) == sums.vat
    assert sums.net + sums.vat == sums.gross
    assert sums.gross + sums.rounding == sums.payable
    # BR-CO-17, to the nearest cent: the rule itself would forgive nearly a euro
    for group, tax in sums.taxes.items():
        assert abs(2 * (tax * 10000 - sums.bases[group] * group.rate)) <= 10000


@given(ROWS)
def test_the_sums_add_up_and_come_to_what_the_wire_wants(rows: list[Wire]) -> None:
    wire = invoice(rows)
    sums = read_sums(xrechnung(wire, FINNISH_SELLER))
    assert_adds_up(sums)
    assert sums.payable == wire["total_amount"] * 100
    assert abs(2 * sums.rounding) <= len(rows) + len(sums.taxes)


@given(ROWS)
def test_a_credit_note_turns_every_sign(rows: list[Wire]) -> None:
    charged = read_sums(xrechnung(invoice(rows), FINNISH_SELLER))
    given_back = read_sums(xrechnung(credit_note(rows), FINNISH_SELLER, ORIGINAL))
    assert_adds_up(given_back)
    assert given_back == turned(charged)


def turned(sums: Sums) -> Sums:
    def negated(amount: int | dict[Group, int]) -> int | dict[Group, int]:
        return {group: -each for group, each in amount.items()} if isinstance(amount, dict) else -amount

    return Sums(*(negated(amount) for amount in sums))  # type: ignore[arg-type]


@settings(max_examples=30)
@given(rows=ROWS)
def test_the_official_rules_find_no_fault(rows: list[Wire], rulebook: Rulebook) -> None:
    assert rulebook.judge_xrechnung(xrechnung(invoice(rows), FINNISH_SELLER)) == CLEAN
