"""The Finnish VAT return: boxes 301-320 from the VAT report, and the file that hands them in (docs/law.md 2.1).

What the law leaves to the books is decided here:
- Services bought outside the EU (code 14) have no box of their own: their tax counts among domestic sales, by rate.
- Adjustments are movements on the VAT accounts without a VAT code. The tax of a credit loss corrects that of domestic
  sales at the same rate (AVL 78 §), a payment of last month's VAT corrects nothing: somebody must say which it is.
- Domestic sales at 0 % are turnover without tax: they belong to 309 like other zero-rated sales.
- Tax at a rate Finland does not have fits no box, and such a return must not be filed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar

from acctcli.errors import Incomplete, UsageError
from acctcli.law.calendar import TaxPeriod
from acctcli.law.filing import (
    ADJUSTMENTS,
    CENT,
    NOWHERE,
    ZERO,
    Filer,
    MadeOf,
    Report,
    VatFiling,
    VatGroup,
    VatReturn,
    amount,
    foreign_tax,
    group,
    nonzero,
    told_foreign,
)
from acctcli.law.recapitulative import Statement
from acctcli.law.vat_codes import INPUT_VAT, OUTPUT_VAT, REVERSE_CHARGE
from acctcli.models.enums import DefaultVatPeriod, IdentifierType, Language, VatCorrection

if TYPE_CHECKING:
    from acctcli.models.report import VatByRate, VatFigures, VatSummary
    from acctcli.models.report import VatGroup as BaseAndVat

# the boxes in the order of the form, and what they are called in English, Finnish, Swedish and German
# fmt: off
_LABELS = {
    "301": ("Tax on domestic sales, general rate", "Vero kotimaan myynnistä, yleinen verokanta",
            "Skatt på inhemsk försäljning, allmän skattesats",
            "Steuer auf Inlandsumsätze, allgemeiner Satz"),
    "302": ("Tax on domestic sales, higher reduced rate", "Vero kotimaan myynnistä, ylempi alennettu verokanta",
            "Skatt på inhemsk försäljning, högre reducerad skattesats",
            "Steuer auf Inlandsumsätze, oberer ermäßigter Satz"),
    "303": ("Tax on domestic sales, lower reduced rate", "Vero kotimaan myynnistä, alempi alennettu verokanta",
            "Skatt på inhemsk försäljning, lägre reducerad skattesats",
            "Steuer auf Inlandsumsätze, unterer ermäßigter Satz"),
    "304": ("Tax on goods imported from outside the EU", "Vero tavaroiden maahantuonnista EU:n ulkopuolelta",
            "Skatt på import av varor från länder utanför EU",
            "Steuer auf Wareneinfuhren von außerhalb der EU"),
    "305": ("Tax on goods bought in other EU countries", "Vero tavaraostoista muista EU-maista",
            "Skatt på varuinköp från andra EU-länder",
            "Steuer auf Wareneinkäufe aus anderen EU-Ländern"),
    "306": ("Tax on services bought in other EU countries", "Vero palveluostoista muista EU-maista",
            "Skatt på tjänsteinköp från andra EU-länder",
            "Steuer auf Dienstleistungseinkäufe aus anderen EU-Ländern"),
    "318": ("Tax on construction services and scrap metal bought", "Vero rakentamispalvelun ja metalliromun ostoista",
            "Skatt på inköp av byggtjänster och metallskrot",
            "Steuer auf Einkäufe von Bauleistungen und Altmetall"),
    "307": ("Deductible tax", "Verokauden vähennettävä vero", "Skatt att dra av för skatteperioden",
            "Abziehbare Steuer"),
    "308": ("Tax to pay, or to be refunded (-)", "Maksettava vero / palautukseen oikeuttava vero (-)",
            "Skatt att betala / skatt som berättigar till återbäring (-)",
            "Zu zahlende oder zu erstattende (-) Steuer"),
    "309": ("Zero-rated turnover", "0-verokannan alainen liikevaihto", "Omsättning enligt nollskattesats",
            "Umsatz zum Nullsatz"),
    "310": ("Goods imported from outside the EU", "Tavaroiden maahantuonnit EU:n ulkopuolelta",
            "Import av varor från länder utanför EU",
            "Wareneinfuhren von außerhalb der EU"),
    "311": ("Goods sold to other EU countries", "Tavaroiden myynnit muihin EU-maihin",
            "Försäljning av varor till andra EU-länder",
            "Warenverkäufe in andere EU-Länder"),
    "312": ("Services sold to other EU countries", "Palvelujen myynnit muihin EU-maihin",
            "Försäljning av tjänster till andra EU-länder",
            "Dienstleistungsverkäufe in andere EU-Länder"),
    "313": ("Goods bought in other EU countries", "Tavaraostot muista EU-maista", "Varuinköp från andra EU-länder",
            "Wareneinkäufe aus anderen EU-Ländern"),
    "314": ("Services bought in other EU countries", "Palveluostot muista EU-maista",
            "Tjänsteinköp från andra EU-länder",
            "Dienstleistungseinkäufe aus anderen EU-Ländern"),
    "319": ("Construction services and scrap metal sold", "Rakentamispalvelun ja metalliromun myynnit",
            "Försäljning av byggtjänster och metallskrot",
            "Verkäufe von Bauleistungen und Altmetall"),
    "320": ("Construction services and scrap metal bought", "Rakentamispalvelun ja metalliromun ostot",
            "Inköp av byggtjänster och metallskrot",
            "Einkäufe von Bauleistungen und Altmetall"),
}
# fmt: on
_LANGUAGES = (Language.EN, Language.FI, Language.SV, Language.DE)
BOXES = tuple(_LABELS)
_SOFTWARE = "acctcli"

_OWED = ("301", "302", "303", "304", "305", "306", "318")
_RATES = {
    Decimal("25.5"): "301", Decimal(24): "301", Decimal(14): "302", Decimal("13.5"): "302", Decimal(10): "303",
}  # fmt: skip
_DEDUCTIBLE = REVERSE_CHARGE | {INPUT_VAT}
# groups of the report -> their VAT codes, and the box of their base
_SALES = {
    "zero_rated_sales": ((4,), "309"),
    "eu_goods_sales": ((5,), "311"),
    "eu_service_sales": ((6,), "312"),
    "non_eu_sales": ((12, 13), "309"),
    "construction_sales": ((10,), "319"),
}
# the same for purchases, with the boxes of their tax and their base
_ABROAD = "non_eu_service_purchases"
_PURCHASES = {
    "eu_goods_purchases": ((7,), ("305", "313")),
    "eu_service_purchases": ((8,), ("306", "314")),
    "import_goods": ((9, 15), ("304", "310")),
    _ABROAD: ((14,), None),
    "construction_purchases": ((11,), ("318", "320")),
}
_KIND_LETTERS = {DefaultVatPeriod.MONTH: "K", DefaultVatPeriod.QUARTER: "Q", DefaultVatPeriod.YEAR: "V"}
# why a return corrects an earlier one -> the field that says so
_CORRECTIONS = {
    VatCorrection.CALCULATION: "332",
    VatCorrection.AUDIT: "333",
    VatCorrection.CASE_LAW: "334",
    VatCorrection.INTERPRETATION: "335",
}
_Y_TUNNUS = re.compile(r"\d{7}-\d", re.ASCII)
_MIXED = "tax on services from outside the EU at several rates"
# rows are rounded one by one: over many small ones the tax strays this far from base times rate
_SLACK = Decimal("0.0005")


class FinnishFiling(VatFiling):
    """Boxes 301-320 and the files VSRALVKV and VSRALVYV."""

    adjustable = ("301", "302", "303", "307", NOWHERE)
    made_of: ClassVar = {
        "domestic_sales": MadeOf(frozenset({OUTPUT_VAT})),
        **{name: MadeOf(frozenset(codes)) for name, (codes, _) in (*_SALES.items(), *_PURCHASES.items())},
        f"{_ABROAD}_by_rate": MadeOf(frozenset(_PURCHASES[_ABROAD][0])),
        "deductible_vat": MadeOf(frozenset(_DEDUCTIBLE)),
    }
    statement_periods = frozenset({DefaultVatPeriod.MONTH})
    statement_wanted = "a month, whatever the VAT period is"

    def report_vat(self, groups: Sequence[VatGroup]) -> VatFigures:
        """Return the `summary`, and VAT that no box takes beside it."""
        summary = _summary([one for one in groups if not one.is_foreign])
        if not (foreign := told_foreign(groups)):
            return {"summary": summary}
        summary["vat_payable"] += _sum(one.output_vat - one.input_vat for one in groups if one.is_foreign)
        return {"summary": summary, "foreign_vat": foreign}

    def fill_return(self, report: Report, adjustments: str | None, prepaid: Decimal) -> VatReturn:
        """Fill in the boxes from the summary; nobody prepays."""
        if report.get("summary") is None:
            raise Incomplete("the VAT report has no summary: there is nothing to fill the boxes from")
        return fill_boxes(report["summary"], adjustments).leaving(foreign_tax(report))

    def box_labels(self, language: str) -> dict[str, str]:
        """Return the names of the boxes in one of four languages, in English for another."""
        place = _LANGUAGES.index(Language(language)) if language in _LANGUAGES else 0
        return {box: names[place] for box, names in _LABELS.items()}

    def check_filer(self, filer: Filer, period: TaxPeriod) -> None:
        """The file names the business and somebody to call."""
        _y_tunnus(filer)
        filer.phone()

    def return_file(
        self,
        vat_return: VatReturn,
        period: TaxPeriod,
        filer: Filer,
        made_at: datetime,
        correction: VatCorrection | None = None,
    ) -> bytes:
        """Return the file VSRALVKV.

        Zero boxes are left out, but never 308; a period without anything to declare says so instead (056).
        """
        y_tunnus = _y_tunnus(filer)
        fields = [("000", "VSRALVKV"), ("198", _timestamp(made_at))]
        fields += [("014", f"{y_tunnus}_AC"), ("048", _SOFTWARE), ("010", y_tunnus)]
        fields += [("050", _KIND_LETTERS[period.kind])]
        if period.kind != DefaultVatPeriod.YEAR:
            fields += [("052", str(period.number))]
        fields += [("053", str(period.year)), *_declared(vat_return)]
        if correction is not None:
            fields += [(_CORRECTIONS[correction], "1")]
        return _lines([*fields, ("042", filer.phone()), ("999", "1")])

    def booked_eu_sales(self, report: Report) -> tuple[Decimal, Decimal]:
        """Return what goes into 311 and 312."""
        summary = group(report, "summary")
        return amount(summary, "eu_goods_sales"), amount(summary, "eu_service_sales")

    def statement_file(self, statement: Statement, period: TaxPeriod, filer: Filer, made_at: datetime) -> bytes:
        """Return the file VSRALVYV of a month."""
        y_tunnus = _y_tunnus(filer)
        fields = [("000", "VSRALVYV"), ("198", _timestamp(made_at)), ("010", y_tunnus)]
        fields += [("052", str(period.number)), ("053", str(period.year)), ("001", str(len(statement.customers)))]
        for position, line in enumerate(statement.customers, 1):
            fields += [("102", line.country), ("103", line.number)]
            fields += [("210", _decimal_comma(line.goods)), ("211", _decimal_comma(line.services))]
            fields += [("212", _decimal_comma(line.triangulation)), ("009", str(position))]
        return _lines([*fields, ("048", _SOFTWARE), ("014", f"{y_tunnus}_AC"), ("999", "1")])


FILING = FinnishFiling()


# --- the VAT report ---


def _summary(groups: Sequence[VatGroup]) -> VatSummary:
    """Return the groups of the report; they add up to `vat_payable`.

    Adjustments are movements on the VAT accounts without a VAT code, and whatever else stands on an account where
    its code has no VAT. Where services were bought outside the EU, they are also told by rate: their tax goes into the
    box of its rate.
    """
    domestic = [one for one in groups if one.vat_code == OUTPUT_VAT]
    deductible = _sum(one.input_vat for one in groups if one.vat_code in _DEDUCTIBLE)
    owed = _sum(one.output_vat - one.input_vat for one in domestic)
    owed += _sum(one.output_vat for one in groups if one.vat_code in REVERSE_CHARGE)
    payable = _sum(one.output_vat - one.input_vat for one in groups)
    return {
        "domestic_sales": {f"{one.rate}": _pair(one.base, one.output_vat - one.input_vat) for one in domestic},
        "zero_rated_sales": _sold("zero_rated_sales", groups),
        "eu_goods_sales": _sold("eu_goods_sales", groups),
        "eu_service_sales": _sold("eu_service_sales", groups),
        "non_eu_sales": _sold("non_eu_sales", groups),
        "construction_sales": _sold("construction_sales", groups),
        "eu_goods_purchases": _bought("eu_goods_purchases", groups),
        "eu_service_purchases": _bought("eu_service_purchases", groups),
        "import_goods": _bought("import_goods", groups),
        "non_eu_service_purchases": _bought(_ABROAD, groups),
        "construction_purchases": _bought("construction_purchases", groups),
        **_abroad_by_rate(groups),
        "adjustments": payable - owed + deductible,
        "deductible_vat": deductible,
        "vat_payable": payable,
    }


def _sold(name: str, groups: Iterable[VatGroup]) -> Decimal:
    return _sum(one.base for one in groups if one.vat_code in _SALES[name][0])


def _bought(name: str, groups: Iterable[VatGroup]) -> BaseAndVat:
    found = [one for one in groups if one.vat_code in _PURCHASES[name][0]]
    return _pair(_sum(one.base for one in found), _sum(one.output_vat for one in found))


def _abroad_by_rate(groups: Iterable[VatGroup]) -> VatByRate:
    """Return what services bought outside the EU are made of; nothing where there are none."""
    bought = [one for one in groups if one.vat_code in _PURCHASES[_ABROAD][0]]
    found = {f"{one.rate}": _pair(one.base, one.output_vat) for one in bought}
    return {"non_eu_service_purchases_by_rate": found} if found else {}


def _pair(base: Decimal, vat: Decimal) -> BaseAndVat:
    return {"base": base, "vat": vat}


def _sum(amounts: Iterable[Decimal]) -> Decimal:
    return sum(amounts, ZERO)


# --- the boxes ---


def fill_boxes(summary: Mapping[str, Any], adjustments_box: str | None = None) -> VatReturn:
    """Fill in the boxes from the `summary` of a VAT report (docs/interface.md 10.4); numbers are Decimal or int.

    `adjustments_box` is one of `adjustable`: the box whose tax adjustments change, or `none` for what is not declared.
    Every tax that fits no box is named in `unplaced`. ValueError for a summary of another shape.
    """
    boxes = dict.fromkeys(BOXES, ZERO)
    for name, (_, boxed) in _PURCHASES.items():
        if boxed is not None:
            bought, (tax_box, base_box) = group(summary, name), boxed
            boxes[tax_box] += amount(bought, "vat")
            boxes[base_box] += amount(bought, "base")
    for name, (_, box) in _SALES.items():
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
    by_rate = group(summary, f"{_ABROAD}_by_rate")
    for rate, _, tax in _rates(by_rate):
        yield rate, ZERO, tax
    if not by_rate:
        services = group(summary, _ABROAD)
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


# --- the files ---


def _y_tunnus(filer: Filer) -> str:
    """Return the Y-tunnus that files name; a demo business may have something else in its place."""
    number = filer.identifier(IdentifierType.Y_TUNNUS)
    if not _Y_TUNNUS.fullmatch(number):
        raise UsageError(f"{number!r} is no Y-tunnus: nothing can be filed for business {filer.slug}")
    return number


def _declared(vat_return: VatReturn) -> list[tuple[str, str]]:
    if not vat_return.has_activity:
        return [("056", "1")]
    boxes = sorted(vat_return.boxes.items())
    return [(box, _decimal_comma(value)) for box, value in boxes if value or box == "308"]


def _timestamp(made_at: datetime) -> str:
    """Write a moment as field 198 wants it."""
    return made_at.strftime("%d%m%Y%H%M%S")


def _decimal_comma(value: Decimal) -> str:
    """Write an amount with two decimals behind a comma."""
    return f"{value:.2f}".replace(".", ",")


def _lines(fields: Iterable[tuple[str, str]]) -> bytes:
    """Return lines `code:value` in Latin-1, as the tax authority reads them."""
    return "".join(f"{code}:{value}\r\n" for code, value in fields).encode("latin-1")
