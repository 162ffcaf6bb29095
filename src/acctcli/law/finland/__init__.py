"""Finland: what its law and its habits decide (docs/law.md).

Banking days: a deadline on a holy day, Independence Day, May Day, Christmas Eve, Midsummer Eve or a Saturday moves to
the next weekday (Laki säädettyjen määräaikain laskemisesta 150/1930, 5 §). Holidays are those in force since 2015.
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from typing import TYPE_CHECKING

from acctcli.law.calendar import ASCENSION, EASTER_MONDAY, GOOD_FRIDAY, holidays_of, last_day, month_after
from acctcli.law.decisions import Chart, Country, InvoiceLaw, OfficialId, PaymentBasis, Register, VatRates
from acctcli.law.vat_codes import (
    BY_DIRECTIVE,
    CONSTRUCTION,
    EU_GOODS,
    EU_SERVICES,
    GOODS_ABROAD,
    INPUT_VAT,
    NO_VAT,
    OUTPUT_VAT,
    SERVICES_ABROAD,
    ZERO_RATED_SALE,
)
from acctcli.models.enums import (
    BusinessForm,
    DefaultVatPeriod,
    EInvoiceFormat,
    IdentifierType,
    Language,
    VatReportingMethod,
)

if TYPE_CHECKING:
    from acctcli.law.chart import Accounts
    from acctcli.law.filing import VatFiling
    from acctcli.law.late_payment import LatePayment
    from acctcli.law.statements import Statements

# the checker would also read FI01120389, which is a VAT code
_Y_TUNNUS = r"[0-9]{7}-?[0-9]"
_HOLIDAYS = ((1, 1), (1, 6), (5, 1), (12, 6), (12, 24), (12, 25), (12, 26))


def check_y_tunnus(text: str) -> str:
    """Return a business id as NNNNNNN-C; raise ValueError with what would be right."""
    from stdnum.exceptions import ValidationError
    from stdnum.fi import ytunnus

    try:
        if re.fullmatch(_Y_TUNNUS, text):
            return str(ytunnus.format(ytunnus.validate(text)))
        reason = "7 digits, a hyphen and a check digit"
    except ValidationError:
        reason = "the last digit checks the others, and this one does not"
    raise ValueError(f"A Y-tunnus is needed, such as 0112038-9: {reason}.")


def _vat_due_date(end: date, kind: int, has_extension: bool) -> date:
    """The 12th of the second month after the period, for years the last day of February; nobody is given longer."""
    if kind == DefaultVatPeriod.YEAR:
        return last_day(end, 3)
    return month_after(end, 2).replace(day=12)


@cache
def _holidays(year: int) -> frozenset[date]:
    """Midsummer Eve is the Friday between 19 and 25 June; Midsummer Day and All Saints are Saturdays anyway."""
    days = holidays_of(year, _HOLIDAYS, (GOOD_FRIDAY, EASTER_MONDAY, ASCENSION))
    friday = next(day for day in range(19, 26) if date(year, 6, day).weekday() == 4)
    return frozenset(days | {date(year, 6, friday)})


def _accounts() -> Accounts:
    from acctcli.law.finland.chart import CHART

    return CHART


def _statements() -> Statements:
    from acctcli.law.finland.statements import STATEMENTS

    return STATEMENTS


def _filing() -> VatFiling:
    from acctcli.law.finland.filing import FILING

    return FILING


def _late_payment() -> LatePayment:
    from acctcli.law.finland.interest import LATE_PAYMENT

    return LATE_PAYMENT


COUNTRY = Country(
    code="FI",
    language=Language.FI,
    # demo businesses behave as Finnish ones
    forms=frozenset({*(form for form in BusinessForm if form.startswith("FI_")), BusinessForm.DEMO}),
    # KPL 4:1 §: natural persons may keep their books by payments
    forms_on_payment=frozenset({BusinessForm.FI_TMI, BusinessForm.FI_NY, BusinessForm.DEMO}),
    official_id=OfficialId(IdentifierType.Y_TUNNUS, check_y_tunnus),
    # companies of Åland are in it too
    register=Register(frozenset({"FI", "AX"}), r"[0-9]{7}-[0-9]", check_y_tunnus),
    # Kirjanpitolaki 1:4 §: when a business begins, ends or moves its closing day
    longest_period_months=18,
    tax_office=("Verohallinto", "Skatteförvaltningen"),
    charts=(Chart(None, _accounts, _statements, bad_debts="8600", money_in_transit="1990"),),
    rates=(
        VatRates(date(2013, 1, 1), 2400, 1400, 1000),
        VatRates(date(2024, 9, 1), 2550, 1400, 1000),
        VatRates(date(2026, 1, 1), 2550, 1350, 1000),
    ),
    # AVL 137 §: not what is sold to or bought from abroad, nor what the buyer owes the tax of
    payment_basis=PaymentBasis(VatReportingMethod.FI_CASH_BASIS, frozenset({OUTPUT_VAT, INPUT_VAT}), 12),
    statutory_vat_due_date=_vat_due_date,
    statement_day=20,
    holidays=_holidays,
    filing=_filing,
    einvoice_format=EInvoiceFormat.FINVOICE,
    # not every operator there is: those whose ids several public sources agree on
    einvoice_operators={
        "003721291126": "Maventa",
        "003723327487": "Apix Messaging",
        "BAWCFI22": "Basware",
    },
    # AVL 209 e §: only where it is another day than the invoice's
    names_delivery_day=False,
    invoice_law=InvoiceLaw(
        parties="AVL 209 e §",
        seller_number="AVL 209 e §",
        what="AVL 209 e §",
        rate="AVL 84, 85 and 85 a §",
        exemption="AVL 209 e §",
        exempt={
            NO_VAT: "Ei arvonlisäveroa, vähäinen toiminta, AVL 3 §",
            ZERO_RATED_SALE: "Vesialuksen veroton myynti, AVL 58 §",
        },
        # AVL 131 §: 55, 56 and 58 §, and chapter 6, which is 70 to 72 h §
        zero_rated=r"\b(5[568]|7[0-2])(\s?[a-h])?(\.\d)?\s?§|\b6\.?\s?(luku|luvu|kap)|\b[Ss]ections? (5[568]|7[0-2])\b",
        vat_ids=dict.fromkeys((EU_GOODS, EU_SERVICES, CONSTRUCTION), "AVL 209 e §"),
        customers={
            EU_GOODS: "AVL 72 b §",
            EU_SERVICES: "AVL 65 §",
            CONSTRUCTION: "AVL 8 c §",
            SERVICES_ABROAD: "AVL 65 §",
            GOODS_ABROAD: "AVL 70 §",
        },
    ),
    late_payment=_late_payment,
    # at most 70 characters: a line of Finvoice holds no more
    exemptions={
        EU_GOODS: {
            **BY_DIRECTIVE[EU_GOODS],
            Language.FI: "Yhteisömyynti, AVL 72 a §",
            Language.SV: "Gemenskapsintern försäljning, 72 a § MomsL",
        },
        EU_SERVICES: BY_DIRECTIVE[EU_SERVICES],
        CONSTRUCTION: {
            Language.FI: "Käännetty verovelvollisuus, AVL 8 c §",
            Language.SV: "Omvänd skattskyldighet, 8 c § MomsL",
            Language.EN: "Reverse charge, section 8 c of the Finnish VAT Act",
            Language.DE: "Steuerschuldnerschaft des Leistungsempfängers, § 8 c AVL (Finnland)",
        },
        SERVICES_ABROAD: {
            Language.FI: "Palvelun myynti EU:n ulkopuolelle, AVL 65 §",
            Language.SV: "Försäljning av tjänster utanför EU, 65 § MomsL",
            Language.EN: "Service supplied outside the EU, section 65 of the Finnish VAT Act",
            Language.DE: "Nicht steuerbar: Leistungsort außerhalb der EU, § 65 AVL (Finnland)",
        },
        GOODS_ABROAD: {
            **BY_DIRECTIVE[GOODS_ABROAD],
            Language.FI: "Vienti, AVL 70 §",
            Language.SV: "Export, 70 § MomsL",
        },
    },
)
