"""The Finnish VAT return: boxes 301-320 from the VAT report, and the file that hands them in (domain facts 5).

What the law leaves to the books is decided here:
- Services bought outside the EU (code 14) have no box of their own: their tax counts among domestic sales, by rate.
- Adjustments are movements on the VAT accounts without a VAT code. The tax of a credit loss corrects that of domestic
  sales at the same rate (AVL 78 §), a payment of last month's VAT corrects nothing: somebody must say which it is.
- Domestic sales at 0 % are turnover without tax: they belong to 309 like other zero-rated sales.
- Tax at a rate Finland does not have fits no box, and such a return must not be filed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from acctcli.filing.figures import ADJUSTMENTS, CENT, NOWHERE, ZERO, VatReturn, amount, group, nonzero
from acctcli.filing.periods import TaxPeriod
from acctcli.models.enums import DefaultVatPeriod, VatCorrection

BOXES = (
    "301", "302", "303", "304", "305", "306", "318", "307", "308",
    "309", "310", "311", "312", "313", "314", "319", "320",
)  # fmt: skip
ADJUSTABLE = ("301", "302", "303", "307", NOWHERE)
SOFTWARE = "acctcli"

_OWED = ("301", "302", "303", "304", "305", "306", "318")
_RATES = {
    Decimal("25.5"): "301", Decimal(24): "301", Decimal(14): "302", Decimal("13.5"): "302", Decimal(10): "303",
}  # fmt: skip
# group of the report -> boxes of its tax and its base
_REVERSE_CHARGE = {
    "import_goods": ("304", "310"),
    "eu_goods_purchases": ("305", "313"),
    "eu_service_purchases": ("306", "314"),
    "construction_purchases": ("318", "320"),
}
_TURNOVER = {
    "zero_rated_sales": "309",
    "non_eu_sales": "309",
    "eu_goods_sales": "311",
    "eu_service_sales": "312",
    "construction_sales": "319",
}
_KIND_LETTERS = {DefaultVatPeriod.MONTH: "K", DefaultVatPeriod.QUARTER: "Q", DefaultVatPeriod.YEAR: "V"}
# why a return corrects an earlier one -> the field that says so
_CORRECTIONS = {
    VatCorrection.CALCULATION: "332",
    VatCorrection.AUDIT: "333",
    VatCorrection.CASE_LAW: "334",
    VatCorrection.INTERPRETATION: "335",
}
_MIXED = "tax on services from outside the EU at several rates"
# rows are rounded one by one: over many small ones the tax strays this far from base times rate
_SLACK = Decimal("0.0005")


class Filer(NamedTuple):
    """Who hands in a file, by Y-tunnus such as 0112038-9, and who answers questions about it."""

    y_tunnus: str
    phone: str


def fill_boxes(summary: Mapping[str, Any], adjustments_box: str | None = None) -> VatReturn:
    """Fill in the boxes from the `summary` of a VAT report (wire facts 4.3); numbers are Decimal or int.

    `adjustments_box` is one of ADJUSTABLE: the box whose tax adjustments change, or `none` for what is not declared.
    Every tax that fits no box is named in `unplaced`. ValueError for a summary of another shape.
    """
    boxes = dict.fromkeys(BOXES, ZERO)
    for name, (tax_box, base_box) in _REVERSE_CHARGE.items():
        bought = group(summary, name)
        boxes[tax_box] += amount(bought, "vat")
        boxes[base_box] += amount(bought, "base")
    for name, box in _TURNOVER.items():
        boxes[box] += amount(summary, name)
    boxes["307"] += amount(summary, "deductible_vat")
    unplaced = _enter_domestic(boxes, summary)
    elsewhere: dict[str, Decimal] = {}
    adjusted = amount(summary, ADJUSTMENTS)
    if adjustments_box is None:
        unplaced[ADJUSTMENTS] = adjusted
    elif adjustments_box == NOWHERE:
        elsewhere[ADJUSTMENTS] = adjusted
    else:
        boxes[adjustments_box] += -adjusted if adjustments_box == "307" else adjusted
    boxes["308"] = sum((boxes[box] for box in _OWED), ZERO) - boxes["307"]
    return VatReturn(boxes, boxes["308"], amount(summary, "vat_payable"), nonzero(unplaced), nonzero(elsewhere))


def _enter_domestic(boxes: dict[str, Decimal], summary: Mapping[str, Any]) -> dict[str, Decimal]:
    """Enter what counts among domestic sales; return the tax that fits no box, by what it is."""
    unplaced: dict[str, Decimal] = {}
    for rate, base, tax in _domestic(summary):
        if rate == 0:
            boxes["309"] += base
        if tax and rate in _RATES:
            boxes[_RATES[rate]] += tax
        elif tax:
            what = _MIXED if rate is None else f"tax at {rate.normalize():f} %"
            unplaced[what] = unplaced.get(what, ZERO) + tax
    return unplaced


def _domestic(summary: Mapping[str, Any]) -> Iterator[tuple[Decimal | None, Decimal, Decimal]]:
    """Yield rate, base and tax of what counts among domestic sales; the base of services bought has no box.

    A service may tell those in one sum only: None stands for a sum that no one rate explains.
    """
    yield from _rates(group(summary, "domestic_sales"))
    by_rate = group(summary, "non_eu_service_purchases_by_rate")
    for rate, _, tax in _rates(by_rate):
        yield rate, ZERO, tax
    if not by_rate:
        services = group(summary, "non_eu_service_purchases")
        tax = amount(services, "vat")
        yield _rate_of(amount(services, "base"), tax), ZERO, tax


def _rates(groups: Mapping[str, Any]) -> Iterator[tuple[Decimal, Decimal, Decimal]]:
    """Yield rate, base and tax of groups by rate."""
    for rate in groups:
        one = group(groups, rate)
        yield amount({"rate": rate}, "rate"), amount(one, "base"), amount(one, "vat")


def _rate_of(base: Decimal, tax: Decimal) -> Decimal | None:
    slack = CENT + abs(base) * _SLACK
    return next((rate for rate in _RATES if abs(base * rate / 100 - tax) <= slack), None)


def filing_text(
    vat_return: VatReturn, period: TaxPeriod, filer: Filer, made_at: datetime, correction: VatCorrection | None = None
) -> bytes:
    """Return the file VSRALVKV of a return that is sound; `made_at` is local time.

    Zero boxes are left out, but never 308; a period without anything to declare says so instead (056).
    """
    fields = [("000", "VSRALVKV"), ("198", timestamp(made_at))]
    fields += [("014", f"{filer.y_tunnus}_AC"), ("048", SOFTWARE), ("010", filer.y_tunnus)]
    fields += [("050", _KIND_LETTERS[period.kind])]
    if period.kind != DefaultVatPeriod.YEAR:
        fields += [("052", str(period.number))]
    fields += [("053", str(period.year))]
    if vat_return.has_activity:
        boxes = sorted(vat_return.boxes.items())
        fields += [(box, decimal_comma(value)) for box, value in boxes if value or box == "308"]
    else:
        fields += [("056", "1")]
    if correction is not None:
        fields += [(_CORRECTIONS[correction], "1")]
    return file_lines([*fields, ("042", filer.phone), ("999", "1")])


def timestamp(made_at: datetime) -> str:
    """Write a moment as field 198 wants it."""
    return made_at.strftime("%d%m%Y%H%M%S")


def decimal_comma(value: Decimal) -> str:
    """Write an amount with two decimals behind a comma."""
    return f"{value:.2f}".replace(".", ",")


def file_lines(fields: Iterable[tuple[str, str]]) -> bytes:
    """Return lines `code:value` in Latin-1, as the Finnish tax authority reads them."""
    return "".join(f"{code}:{value}\r\n" for code, value in fields).encode("latin-1")
