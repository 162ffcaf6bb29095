"""Germany: what its law and its habits decide (docs/law.md).

Banking days: a deadline on a Saturday, a Sunday or a public holiday moves to the next day that is none (§ 108 Abs. 3
AO); 24 and 31 December are no public holidays, though nobody works on them. Only the holidays of all Länder count: no
due date of VAT between 2015 and 2040 depends on the Land.
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from typing import TYPE_CHECKING

from acctcli.law.calendar import ASCENSION, EASTER_MONDAY, GOOD_FRIDAY, WHIT_MONDAY, holidays_of, month_after
from acctcli.law.decisions import Chart, Country, InvoiceLaw, OfficialId, PaymentBasis, VatRates
from acctcli.law.vat_codes import (
    BY_DIRECTIVE,
    CONSTRUCTION,
    EU_GOODS,
    EU_SERVICES,
    GOODS_ABROAD,
    NO_VAT,
    OUTPUT_VAT,
    SERVICES_ABROAD,
    ZERO_RATED_SALE,
)
from acctcli.models.enums import BusinessForm, EInvoiceFormat, IdentifierType, Language, VatReportingMethod

if TYPE_CHECKING:
    from acctcli.law.chart import Accounts
    from acctcli.law.filing import VatFiling
    from acctcli.law.late_payment import LatePayment
    from acctcli.law.statements import Statements

# what e-invoices to public offices are routed by: an office of a state or of the federation, and a part of it
_LEITWEG = r"((0[1-9]|1[0-6])([0-9]{6}|[0-9]{10})|99[0-9])-[0-9A-Z]{1,30}-[0-9]{2}"
# how long a tax number is that the federation gives, for all states
_FEDERAL = 13
_HOLIDAYS = ((1, 1), (5, 1), (10, 3), (12, 25), (12, 26))
_REFORMATION = date(2017, 10, 31)  # its 500 years, a holiday everywhere that once


def check_steuernummer(text: str) -> str:
    """Return a tax number as its digits; raise ValueError with what would be right. It has no check digit."""
    from stdnum.de import stnr
    from stdnum.exceptions import ValidationError

    try:
        return str(stnr.validate(text))
    except ValidationError as error:
        form = "the 10 or 11 digits of the tax office or the 13 of the federation, such as 181/815/08155"
        raise ValueError(f"A Steuernummer is needed: {form}.") from error


def _show_steuernummer(number: str) -> str:
    """Return a tax number as the tax office of its state writes it; whatever is none as it is."""
    from stdnum.de import stnr
    from stdnum.exceptions import ValidationError

    try:
        return str(stnr.format(stnr.to_regional_number(number) if len(number) == _FEDERAL else number))
    except ValidationError:
        return number


def _check_buyer_reference(reference: str) -> None:
    """Check what has the form of a Leitweg-ID; any other word of the buyer is free."""
    from acctcli.law.identifiers import check_leitweg

    if re.fullmatch(_LEITWEG, reference.upper()):
        check_leitweg(reference)


def _vat_due_date(end: date, kind: int, has_extension: bool) -> date:
    """The 10th of the next month, one month later with a Dauerfristverlängerung."""
    return month_after(end, 2 if has_extension else 1).replace(day=10)


@cache
def _holidays(year: int) -> frozenset[date]:
    days = holidays_of(year, _HOLIDAYS, (GOOD_FRIDAY, EASTER_MONDAY, ASCENSION, WHIT_MONDAY))
    return frozenset(days | {_REFORMATION})


def _skr04() -> Accounts:
    from acctcli.law.germany.chart import SKR04

    return SKR04


def _skr03() -> Accounts:
    from acctcli.law.germany.chart import SKR03

    return SKR03


def _skr04_statements() -> Statements:
    from acctcli.law.germany.statements import SKR04

    return SKR04


def _skr03_statements() -> Statements:
    from acctcli.law.germany.statements import SKR03

    return SKR03


def _filing() -> VatFiling:
    from acctcli.law.germany.filing import FILING

    return FILING


def _late_payment() -> LatePayment:
    from acctcli.law.germany.interest import LATE_PAYMENT

    return LATE_PAYMENT


COUNTRY = Country(
    code="DE",
    language=Language.DE,
    # whoever else reads books and invoices, the tax office does
    own_language=Language.DE,
    forms=frozenset(form for form in BusinessForm if form.startswith("DE_")),
    forms_on_payment=frozenset(form for form in BusinessForm if form in {"DE_EK", "DE_GBR"}),  # § 4 Abs. 3 EStG
    official_id=OfficialId(IdentifierType.STEUERNUMMER, check_steuernummer, _show_steuernummer),
    check_buyer_reference=_check_buyer_reference,
    longest_period_months=12,  # § 240 Abs. 2 HGB
    tax_office=("Finanzamt", "Finanzkasse"),
    sells_by_rate=True,
    charts=(
        Chart(
            "SKR04",
            _skr04,
            _skr04_statements,
            bad_debts="6930",
            money_in_transit="1460",
            vat_payments="3820",
            vat_rounding="4830",
        ),
        Chart(
            "SKR03",
            _skr03,
            _skr03_statements,
            bad_debts="2400",
            money_in_transit="1360",
            vat_payments="1780",
            vat_rounding="8603",
        ),
    ),
    rates=(
        VatRates(date(2007, 1, 1), 1900, 700, 0),
        VatRates(date(2020, 7, 1), 1600, 500, 0),
        VatRates(date(2021, 1, 1), 1900, 700, 0),
    ),
    # § 20 UStG: sales only, input tax stays with the invoice
    payment_basis=PaymentBasis(VatReportingMethod.DE_CASH_BASIS, frozenset({OUTPUT_VAT})),
    statutory_vat_due_date=_vat_due_date,
    statement_day=25,
    # the Sondervorauszahlung of those who have a Dauerfristverlängerung
    prepayment_day=(2, 10),
    holidays=_holidays,
    filing=_filing,
    einvoice_format=EInvoiceFormat.XRECHNUNG,
    einvoice_operators={},
    names_delivery_day=True,  # § 14 Abs. 4 Nr. 6 UStG
    invoice_law=InvoiceLaw(
        parties="§ 14 (4) no. 1 UStG",
        seller_number="§ 14 (4) no. 2 UStG",
        what="§ 14 (4) no. 5 UStG",
        rate="§ 12 UStG",
        exemption="§ 14 (4) no. 8 UStG",
        exempt={
            NO_VAT: "Keine Umsatzsteuer, Kleinunternehmer nach § 19 UStG",
            ZERO_RATED_SALE: "Steuerfreier Umsatz für die Seeschifffahrt, § 4 Nr. 2 UStG",
        },
        # § 15 (3) UStG: § 4 no. 1 to 7, § 25 (2) and § 26 (5), as people cite them
        zero_rated=r"§\s?4\s?(Nr\.?|Nummer)\s?[1-7](?!\d)|§\s?25\s?(\(|Abs(\.|atz)\s?)2\b|§\s?26\s?(\(|Abs(\.|atz)\s?)5\b",
        vat_ids={EU_GOODS: "§ 14a (3) UStG", EU_SERVICES: "§ 14a (1) UStG", CONSTRUCTION: "§ 13b (5) UStG"},
        customers={
            EU_GOODS: "§ 6a (1) UStG",
            EU_SERVICES: "§ 3a (2) UStG",
            CONSTRUCTION: "§ 13b (5) UStG",
            SERVICES_ABROAD: "§ 3a UStG",
            GOODS_ABROAD: "§ 6 (1) UStG",
        },
    ),
    late_payment=_late_payment,
    exemptions={
        # of rates of zero there is one, for solar panels; other sales without tax that keep the deduction are exempt
        OUTPUT_VAT: {
            Language.FI: "Nollaverokanta, Saksan UStG 12 § 3 mom.",
            Language.SV: "Nollskattesats, 12 § 3 mom. UStG (Tyskland)",
            Language.EN: "Zero rate, section 12 (3) of the German VAT Act",
            Language.DE: "Nullsteuersatz, § 12 Abs. 3 UStG",
        },
        ZERO_RATED_SALE: {
            Language.FI: "Veroton myynti",
            Language.SV: "Skattefri försäljning",
            Language.EN: "Exempt supply",
            Language.DE: "Steuerfreier Umsatz",
        },
        EU_GOODS: {
            **BY_DIRECTIVE[EU_GOODS],
            Language.DE: "Steuerfreie innergemeinschaftliche Lieferung, § 4 Nr. 1 b UStG",
        },
        EU_SERVICES: {**BY_DIRECTIVE[EU_SERVICES], Language.DE: "Steuerschuldnerschaft des Leistungsempfängers"},
        CONSTRUCTION: {
            Language.FI: "Käännetty verovelvollisuus, Saksan UStG 13 b §",
            Language.SV: "Omvänd betalningsskyldighet, 13 b § UStG (Tyskland)",
            Language.EN: "Reverse charge, section 13b of the German VAT Act",
            Language.DE: "Steuerschuldnerschaft des Leistungsempfängers, § 13b UStG",
        },
        SERVICES_ABROAD: {
            Language.FI: "Palvelun myynti EU:n ulkopuolelle, Saksan UStG 3 a §",
            Language.SV: "Försäljning av tjänster utanför EU, 3 a § UStG (Tyskland)",
            Language.EN: "Service supplied outside the EU, section 3a of the German VAT Act",
            Language.DE: "Nicht steuerbare Leistung, Leistungsort im Drittland",
        },
        GOODS_ABROAD: {
            **BY_DIRECTIVE[GOODS_ABROAD],
            Language.DE: "Steuerfreie Ausfuhrlieferung, § 4 Nr. 1 a UStG",
        },
    },
)
