"""The German advance VAT return (Umsatzsteuer-Voranmeldung): Kennzahlen, and a text to type over.

The Kz are those of form USt 1 A of 2026 (docs/law.md 2.3). Three kinds of booked VAT stand on no line of it:
- Import VAT (codes 9 and 15) is owed to customs; only its deduction is declared (Kz 62).
- Adjustments, movements on the VAT accounts without a VAT code: the form asks for bases, and they have none. Somebody
  must say which Kz they correct, or book them again with VAT code and rate.
- VAT on the wrong side of its code, such as output VAT under the code of a purchase.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import ROUND_DOWN, Decimal
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from acctcli.errors import Incomplete, UsageError
from acctcli.law.calendar import TaxPeriod, last_day
from acctcli.law.filing import (
    ADJUSTMENTS,
    CENT,
    NOWHERE,
    ROUNDING,
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
from acctcli.law.vat_codes import INPUT_VAT
from acctcli.models.enums import DefaultVatPeriod, IdentifierType, Language, VatCorrection

if TYPE_CHECKING:
    from acctcli.models.report import VatFigures

_CORRECTED = "10"
# the Kz in the order of the form, and what they are called in English, German, Finnish and Swedish
# fmt: off
_LABELS = {
    "10": ("Corrected return", "Berichtigte Anmeldung",
        "Korjattu ilmoitus", "Rättad deklaration"),
    "81": ("Sales at 19 %", "Steuerpflichtige Umsätze zu 19 %",
        "Myynti 19 %", "Försäljning 19 %"),
    "86": ("Sales at 7 %", "Steuerpflichtige Umsätze zu 7 %",
        "Myynti 7 %", "Försäljning 7 %"),
    "87": ("Sales at 0 %", "Steuerpflichtige Umsätze zu 0 %",
        "Myynti 0 %", "Försäljning 0 %"),
    "35": ("Sales at other rates", "Umsätze zu anderen Steuersätzen",
        "Myynti muilla verokannoilla", "Försäljning med andra skattesatser"),
    "36": ("Tax on sales at other rates", "Steuer auf Umsätze zu anderen Steuersätzen",
        "Vero myynnistä muilla verokannoilla", "Skatt på försäljning med andra skattesatser"),
    "41": ("Goods sold to other EU countries", "Innergemeinschaftliche Lieferungen",
        "Tavaroiden myynnit muihin EU-maihin", "Försäljning av varor till andra EU-länder"),
    "43": ("Other exempt sales with deduction", "Weitere steuerfreie Umsätze mit Vorsteuerabzug",
        "Muu veroton myynti, vähennysoikeus säilyy", "Annan skattefri försäljning med avdragsrätt"),
    "48": ("Exempt sales without deduction", "Steuerfreie Umsätze ohne Vorsteuerabzug",
        "Veroton myynti ilman vähennysoikeutta", "Skattefri försäljning utan avdragsrätt"),
    "91": ("Exempt acquisitions from the EU", "Steuerfreie innergemeinschaftliche Erwerbe",
        "Verottomat yhteisöhankinnat", "Skattefria unionsinterna förvärv"),
    "90": ("Acquisitions from the EU at 0 %", "Innergemeinschaftliche Erwerbe zu 0 %",
        "Yhteisöhankinnat 0 %", "Unionsinterna förvärv 0 %"),
    "89": ("Acquisitions from the EU at 19 %", "Innergemeinschaftliche Erwerbe zu 19 %",
        "Yhteisöhankinnat 19 %", "Unionsinterna förvärv 19 %"),
    "93": ("Acquisitions from the EU at 7 %", "Innergemeinschaftliche Erwerbe zu 7 %",
        "Yhteisöhankinnat 7 %", "Unionsinterna förvärv 7 %"),
    "95": ("Acquisitions from the EU at other rates", "Innergemeinschaftliche Erwerbe zu anderen Steuersätzen",
        "Yhteisöhankinnat muilla verokannoilla", "Unionsinterna förvärv med andra skattesatser"),
    "98": ("Tax on acquisitions at other rates", "Steuer auf Erwerbe zu anderen Steuersätzen",
        "Vero yhteisöhankinnoista muilla verokannoilla", "Skatt på förvärv med andra skattesatser"),
    "46": ("Services bought in other EU countries", "Leistungen von Unternehmern im übrigen EU-Gebiet (§ 13b Abs. 1)",
        "Palveluostot muista EU-maista", "Tjänsteinköp från andra EU-länder"),
    "47": ("Tax on services bought in other EU countries", "Steuer zu Kz 46",
        "Vero palveluostoista muista EU-maista", "Skatt på tjänsteinköp från andra EU-länder"),
    "84": ("Other purchases under reverse charge", "Andere Leistungen (§ 13b Abs. 2)",
        "Muut käännetyn verovelvollisuuden ostot", "Andra inköp med omvänd skattskyldighet"),
    "85": ("Tax on other purchases under reverse charge", "Steuer zu Kz 84",
        "Vero muista käännetyn verovelvollisuuden ostoista", "Skatt på andra inköp med omvänd skattskyldighet"),
    "60": ("Sales on which the customer owes the tax", "Umsätze, für die der Empfänger die Steuer schuldet (§ 13b)",
        "Myynti, josta ostaja on verovelvollinen", "Försäljning där köparen är skattskyldig"),
    "21": ("Services sold to other EU countries", "Nicht steuerbare sonstige Leistungen im übrigen EU-Gebiet",
        "Palvelujen myynnit muihin EU-maihin", "Försäljning av tjänster till andra EU-länder"),
    "45": ("Other sales not taxable in Germany", "Übrige nicht steuerbare Umsätze",
        "Muu myynti, jota ei veroteta Saksassa", "Övrig försäljning som inte beskattas i Tyskland"),
    "66": ("Input tax on invoices", "Vorsteuer aus Rechnungen anderer Unternehmer",
        "Vähennettävä vero ostolaskuista", "Ingående skatt på fakturor"),
    "61": ("Input tax on acquisitions from the EU", "Vorsteuer aus innergemeinschaftlichem Erwerb",
        "Vähennettävä vero yhteisöhankinnoista", "Ingående skatt på unionsinterna förvärv"),
    "62": ("Import VAT", "Entstandene Einfuhrumsatzsteuer",
        "Maahantuonnin arvonlisävero", "Mervärdesskatt vid import"),
    "67": ("Input tax under reverse charge", "Vorsteuer aus Leistungen nach § 13b",
        "Vähennettävä vero, käännetty verovelvollisuus", "Ingående skatt, omvänd skattskyldighet"),
    "39": ("Special prepayment credited", "Anrechnung der Sondervorauszahlung",
        "Hyvitetty erityinen ennakkomaksu", "Avräknad särskild förskottsbetalning"),
    "83": ("Tax to pay, or to be refunded (-)", "Verbleibende Vorauszahlung / Überschuss (-)",
        "Maksettava vero tai palautus (-)", "Skatt att betala eller få tillbaka (-)"),
    "50": ("Sales lost, taken off above", "Minderung der Bemessungsgrundlage (§ 17 Abs. 2 Nr. 1)",
        "Menetetty myynti, vähennetty yllä", "Förlorad försäljning, avdragen ovan"),
    "37": ("Input tax never paid, taken off above", "Minderung der abziehbaren Vorsteuer (§ 17 Abs. 2 Nr. 1)",
        "Maksamatta jäänyt ostojen vero, vähennetty yllä", "Aldrig betald ingående skatt, avdragen ovan"),
}
# fmt: on
_LANGUAGES = (Language.EN, Language.DE, Language.FI, Language.SV)
FORM = tuple(kz for kz in _LABELS if kz != _CORRECTED)
IMPORT_VAT, MISPLACED = "import_vat", "misplaced_vat"

_BASE_KZ = frozenset(FORM) - {"36", "98", "47", "85", "66", "61", "62", "67", "39", "83", "37"}
_STATED = ("36", "98", "47", "85")
_DEDUCTED = ("66", "61", "62", "67", "39")
# the office multiplies these bases itself: Kz -> rate in percent
_RATED = {"81": Decimal(19), "86": Decimal(7), "89": Decimal(19), "93": Decimal(7)}
_UNUSUAL = re.compile(r"[^0-9/ ]")
_NO_CODE = frozenset({0, 3})
_IMPORTS = frozenset({9, 15})
# VAT code -> Kz of what is sold without tax
_UNTAXED = {4: "43", 5: "41", 6: "21", 10: "60", 12: "45", 13: "43"}
# VAT code -> Kz of base and tax where one pair takes every rate
_SERVICES = {8: ("46", "47"), 11: ("84", "85"), 14: ("84", "85")}
# VAT code -> Kz of what stands apart: it changes no tax
_APART = {1: "50", 3: "48", 2: "37"}
# VAT code and rate -> Kz of the base; every other rate has its own pair below
_BASES = {(1, 19): "81", (1, 7): "86", (1, 0): "87", (7, 19): "89", (7, 7): "93", (7, 0): "90"}
_OTHER_RATES = {1: ("35", "36"), 7: ("95", "98")}
_INPUT = {2: "66", 7: "61", 8: "67", 11: "67", 14: "67", 9: "62", 15: "62"}
# what ELSTER imports of a recapitulative statement (§ 18a UStG): Lieferung, sonstige Leistung, Dreiecksgeschäft
_ELSTER_KINDS = {"goods": "L", "services": "S", "triangulation": "D"}
_ELSTER_HEAD = ("#v3.0", "#ve3.2.0", "Umsatzsteuer-Identifikationsnummer (USt-IdNr.),Summe (Euro),Art der Leistung")
_ELSTER_LINES = 1500
_LAST_MONTH = 12


class Declared(NamedTuple):
    """`kz` by number, only those that occur and 83; `undeclared` is VAT that stands on no line, by name.

    83 and everything undeclared add up to what is owed: output less input VAT of all groups.
    """

    kz: dict[str, Decimal]
    undeclared: dict[str, Decimal]


def _made_of() -> Iterator[tuple[str, MadeOf]]:
    """Yield what each Kz is made of; those that take what is left of a code, or stand apart, are told by no entry."""
    for (code, rate), kz in _BASES.items():
        yield kz, MadeOf(frozenset({code}), Decimal(rate))
    pairs = [*_UNTAXED.items(), *_INPUT.items()]
    pairs += [(code, kz) for code, both in _SERVICES.items() for kz in both]
    for kz in {kz for _, kz in pairs}:
        yield kz, MadeOf(frozenset(code for code, other in pairs if other == kz))


class GermanFiling(VatFiling):
    """The Kz of the Umsatzsteuer-Voranmeldung and a text to type over; the Zusammenfassende Meldung as ELSTER's CSV."""

    adjustable = ("81", "86", "66", NOWHERE)
    owed_to_others = _IMPORTS
    made_of: ClassVar = dict(_made_of())
    payable_places = (*VatFiling.payable_places, ("mapping", "83"))
    # a quarter only where little is sold (§ 18a UStG)
    statement_periods = frozenset({DefaultVatPeriod.MONTH, DefaultVatPeriod.QUARTER})
    statement_wanted = "a month or a quarter"

    def prepayment_fault(self, first: date, last: date, *, has_extension: bool | None) -> str | None:
        """Who files by month and is given longer has prepaid; December credits it (§§ 47 and 48 (4) UStDV)."""
        if has_extension is False:
            return "The business has no Dauerfristverlängerung: nothing was prepaid."
        if last_day(first, 1) != last:
            return f"{first} - {last} is no month: only who files by month prepays."
        if last.month != _LAST_MONTH:
            return (
                f"{last:%Y-%m} is not the last month of {last.year}: {last.year}-{_LAST_MONTH} credits the prepayment."
            )
        return None

    def report_vat(self, groups: Sequence[VatGroup]) -> VatFigures:
        """Return `mapping` by Kz, and `totals` by name: VAT, what is owed, and what of it stands on no line.

        VAT that no Kz takes for its rate is in the totals, and told beside them.
        """
        declared = kz_from_groups(one for one in groups if not one.is_foreign)
        output = sum((one.output_vat for one in groups), ZERO)
        deducted = sum((one.input_vat for one in groups), ZERO)
        totals = {"output_vat": output, "input_vat": deducted, **declared.undeclared, "vat_payable": output - deducted}
        figures: VatFigures = {"totals": totals, "mapping": declared.kz}
        if foreign := told_foreign(groups):
            figures["foreign_vat"] = foreign
        return figures

    def fill_return(self, report: Report, adjustments: str | None, prepaid: Decimal) -> VatReturn:
        """Fill in the Kz from the mapping, checked with the totals."""
        if report.get("mapping") is None or report.get("totals") is None:
            raise Incomplete("the VAT report has no form fields and totals: there is nothing to fill the Kz from")
        filled = fill_form(report["mapping"], report["totals"], adjustments, prepaid)
        return filled.leaving(foreign_tax(report))

    def box_labels(self, language: str) -> dict[str, str]:
        """Return the names of the Kz in one of four languages, in English for another."""
        place = _LANGUAGES.index(Language(language)) if language in _LANGUAGES else 0
        return {kz: names[place] for kz, names in _LABELS.items()}

    def check_filer(self, filer: Filer, period: TaxPeriod) -> None:
        """Advance returns are for months and quarters, and name the tax number."""
        if period.kind == DefaultVatPeriod.YEAR:
            raise UsageError("Germany has no advance VAT return for a year", hint="give a month or a quarter")
        filer.identifier(IdentifierType.STEUERNUMMER)

    def return_file(
        self,
        vat_return: VatReturn,
        period: TaxPeriod,
        filer: Filer,
        made_at: datetime,
        correction: VatCorrection | None = None,
    ) -> bytes:
        """Return the return as a semicolon-separated text in UTF-8, for people who type it into the form.

        There is no official text file: the office takes XML from certified programs only. Kz that are zero are left
        out, but never 83.
        """
        labels = self.box_labels(Language.DE)
        number = _UNUSUAL.sub("", filer.identifier(IdentifierType.STEUERNUMMER))
        rows = [("Steuernummer", number, ""), ("Zeitraum", f"{period.year} {_period_number(period)}", "")]
        if correction is not None:
            rows += [(_CORRECTED, "1", labels[_CORRECTED])]
        rows += [
            (kz, _written(kz, value), labels.get(kz, ""))
            for kz, value in vat_return.boxes.items()
            if value or kz == "83"
        ]
        return _lines(["Kz;Wert;Bezeichnung", *(";".join(row) for row in rows)])

    def booked_eu_sales(self, report: Report) -> tuple[Decimal, Decimal]:
        """Return Kz 41 and 21."""
        mapping = group(report, "mapping")
        return amount(mapping, "41"), amount(mapping, "21")

    def statement_file(self, statement: Statement, period: TaxPeriod, filer: Filer, made_at: datetime) -> bytes:
        """Return the Zusammenfassende Meldung as the CSV that ELSTER imports: whole euros, cut off towards zero."""
        lines = [
            f"{line.country}{line.number},{euros},{letter}"
            for line in statement.customers
            for handling, letter in _ELSTER_KINDS.items()
            if (euros := _whole_euros(getattr(line, handling)))
        ]
        if len(lines) > _ELSTER_LINES:
            raise ValueError(f"ELSTER imports at most {_ELSTER_LINES} lines, and these are {len(lines)}")
        return _lines([*_ELSTER_HEAD, *lines])


FILING = GermanFiling()


def kz_from_groups(groups: Iterable[VatGroup]) -> Declared:
    """Return the Kz of the groups, bases still with their cents: the `mapping` of a VAT report.

    The report's `totals` carry `undeclared` beside what is owed, so that a client ties both (docs/interface.md 10.4).
    """
    kz: dict[str, Decimal] = {}
    undeclared: dict[str, Decimal] = {}
    result = ZERO
    for one in groups:
        result += _declare(one, kz, undeclared)
    kz["83"] = result
    return Declared({name: kz[name] for name in FORM if name == "83" or kz.get(name)}, undeclared)


def _declare(one: VatGroup, kz: dict[str, Decimal], undeclared: dict[str, Decimal]) -> Decimal:
    """Enter a group; return what it adds to Kz 83."""
    base, tax = _output_kz(one.vat_code, one.rate)
    if base is not None:
        _add(kz, base, one.base)
    if tax is not None:
        _add(kz, tax, one.output_vat)
    if one.apart and one.vat_code in _APART:
        share = one.rate / 100 if one.vat_code == INPUT_VAT else 1
        _add(kz, _APART[one.vat_code], (-one.apart * share).quantize(CENT))
    deducted = _INPUT.get(one.vat_code)
    if deducted is not None:
        _add(kz, deducted, one.input_vat)
    output_vat = one.output_vat if tax is not None or base in _RATED else ZERO
    input_vat = one.input_vat if deducted is not None else ZERO
    left_over = one.output_vat - output_vat - (one.input_vat - input_vat)
    if left_over:
        _add(undeclared, _why_undeclared(one.vat_code), left_over)
    return output_vat - input_vat


def _output_kz(code: int, rate: Decimal) -> tuple[str | None, str | None]:
    """Return the Kz of a group's base and of its output VAT; the office works out the tax of some bases itself."""
    if code in _UNTAXED:
        return _UNTAXED[code], None
    if code in _SERVICES:
        return _SERVICES[code]
    if rate == rate.to_integral_value() and (code, int(rate)) in _BASES:
        return _BASES[code, int(rate)], None
    return _OTHER_RATES.get(code, (None, None))


def _why_undeclared(code: int) -> str:
    if code in _IMPORTS:
        return IMPORT_VAT
    return ADJUSTMENTS if code in _NO_CODE else MISPLACED


def _add(sums: dict[str, Decimal], name: str, value: Decimal) -> None:
    sums[name] = sums.get(name, ZERO) + value


def fill_form(
    mapping: Mapping[str, Any],
    totals: Mapping[str, Any],
    adjustments_kz: str | None = None,
    prepaid: Decimal = ZERO,
) -> VatReturn:
    """Fill in the form from the `mapping` and the `totals` of a VAT report; numbers are Decimal or int.

    `adjustments_kz` is one of `adjustable`: the Kz whose tax they change, or `none` for what is not declared, such as
    import VAT paid to customs. `prepaid` is the Sondervorauszahlung to credit (Kz 39). Bases come out in whole euros,
    cut off towards zero, taxes with cents. Kz 83 is what these come to: what that leaves of the tax booked is a
    rounding that stands on no line. ValueError for figures that are no amounts.
    """
    kz = dict.fromkeys(FORM, ZERO) | {name: amount(mapping, name) for name in mapping}
    elsewhere = {IMPORT_VAT: amount(totals, IMPORT_VAT)}
    unplaced = {name: amount(totals, name) for name in (ADJUSTMENTS, MISPLACED)}
    if adjustments_kz is not None:
        adjusted = unplaced.pop(ADJUSTMENTS)
        _adjust(kz, elsewhere, adjusted, adjustments_kz)
    unplaced["tax_without_base"] = _tax_without_base(kz)
    kz["39"] += prepaid
    whole = {name: _whole_euros(value) if name in _BASE_KZ else value for name, value in kz.items()}
    # the office works out what is to be paid from the bases it is told
    whole["83"] = _tax_of(whole)
    elsewhere[ROUNDING] = kz["83"] - prepaid - whole["83"]
    return VatReturn(
        boxes=whole,
        result=whole["83"],
        payable=amount(totals, "vat_payable") - prepaid,
        unplaced=nonzero(unplaced),
        elsewhere=nonzero(elsewhere),
    )


def _adjust(kz: dict[str, Decimal], elsewhere: dict[str, Decimal], adjusted: Decimal, name: str) -> None:
    if name == NOWHERE:
        elsewhere[ADJUSTMENTS] = adjusted
        return
    if name in _RATED:
        # § 17 UStG: what corrects the tax corrects its base
        kz[name] += (adjusted * 100 / _RATED[name]).quantize(CENT)
    else:
        kz[name] -= adjusted
    kz["83"] += adjusted


def _tax_without_base(kz: Mapping[str, Decimal]) -> Decimal:
    """Return the tax in Kz 83 that the bases do not give: the office would not find it.

    Rows are rounded one by one, so up to a euro and a two-thousandth of the bases is nothing.
    """
    missing = kz["83"] - _tax_of(kz)
    slack = 1 + sum(abs(kz[name]) for name in _RATED) / 2000
    return missing if abs(missing) > slack else ZERO


def _tax_of(kz: Mapping[str, Decimal]) -> Decimal:
    """Return what bases and stated taxes come to, deductions taken off: what Kz 83 says of them."""
    from_bases = sum((kz[name] * rate / 100 for name, rate in _RATED.items()), ZERO)
    stated = sum((kz[name] for name in _STATED), ZERO) - sum((kz[name] for name in _DEDUCTED), ZERO)
    return (from_bases + stated).quantize(CENT)


def _whole_euros(value: Decimal) -> Decimal:
    return value.quantize(Decimal(1), ROUND_DOWN)


def _lines(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\r\n" for line in lines).encode()


def _period_number(period: TaxPeriod) -> str:
    """Return the number of the period on the form: 01 to 12, and 41 to 44 for quarters."""
    return f"4{period.number}" if period.kind == DefaultVatPeriod.QUARTER else f"{period.number:02}"


def _written(kz: str, value: Decimal) -> str:
    return f"{value:.0f}" if kz in _BASE_KZ else f"{value:.2f}".replace(".", ",")
