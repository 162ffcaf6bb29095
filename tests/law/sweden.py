"""What a new country costs: this module, and its line among the packages. Its facts are examples, not the law."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal

from acctcli.law.calendar import EASTER_MONDAY, GOOD_FRIDAY, TaxPeriod, holidays_of, month_after
from acctcli.law.chart import BOUGHT, NO_VAT, Accounts, ChartAccount
from acctcli.law.decisions import Chart, Country, InvoiceLaw, OfficialId, Register, VatRates
from acctcli.law.filing import ZERO, Filer, Report, VatFiling, VatGroup, VatReturn, amount
from acctcli.law.identifiers import check_vat_id
from acctcli.law.recapitulative import Statement
from acctcli.law.vat_codes import EU_GOODS, EU_SERVICES
from acctcli.models.enums import (
    AccountType,
    DefaultVatPeriod,
    EInvoiceFormat,
    IdentifierType,
    Language,
    VatCorrection,
)
from acctcli.models.report import VatFigures

CHART: Accounts = (
    ChartAccount("1930", AccountType.ASS_PAY, NO_VAT, "Bank", "Pankki", "Företagskonto", "Bank"),
    ChartAccount("4010", AccountType.EXP, BOUGHT, "Purchases", "Ostot", "Inköp", "Einkauf"),
    ChartAccount("6351", AccountType.EXP, NO_VAT, "Bad debts", "Luottotappiot", "Kundförluster", "Verluste"),
)


class SwedishFiling(VatFiling):
    """Three boxes of the Swedish return."""

    adjustable = ("10",)
    statement_periods = frozenset({DefaultVatPeriod.MONTH})
    statement_wanted = "a month"

    def report_vat(self, groups: Sequence[VatGroup]) -> VatFigures:
        """Return output and input VAT, and what is owed."""
        output, deducted = (
            sum((one.output_vat for one in groups), Decimal(0)),
            sum((one.input_vat for one in groups), Decimal(0)),
        )
        return {"totals": {"output_vat": output, "input_vat": deducted, "vat_payable": output - deducted}}

    def fill_return(self, report: Report, adjustments: str | None, prepaid: Decimal) -> VatReturn:
        """Fill in the boxes from the totals."""
        totals = report["totals"]
        boxes = {"10": amount(totals, "output_vat"), "48": amount(totals, "input_vat")}
        boxes["49"] = boxes["10"] - boxes["48"]
        return VatReturn(boxes, boxes["49"], amount(totals, "vat_payable"), {}, {})

    def box_labels(self, language: str) -> dict[str, str]:
        """Return the names of the boxes."""
        return {"10": "Utgående moms 25 %", "48": "Ingående moms", "49": "Moms att betala"}

    def check_filer(self, filer: Filer, period: TaxPeriod) -> None:
        """The file names the business."""
        filer.identifier(IdentifierType.VAT_CODE)

    def return_file(
        self,
        vat_return: VatReturn,
        period: TaxPeriod,
        filer: Filer,
        made_at: datetime,
        correction: VatCorrection | None = None,
    ) -> bytes:
        """Return the boxes as lines."""
        return "".join(f"{box} {value}\n" for box, value in vat_return.boxes.items()).encode()

    def booked_eu_sales(self, report: Report) -> tuple[Decimal, Decimal]:
        """Return nothing: this example sells at home."""
        return ZERO, ZERO

    def statement_file(self, statement: Statement, period: TaxPeriod, filer: Filer, made_at: datetime) -> bytes:
        """Return the lines of customers."""
        return "".join(f"{line.country}{line.number}\n" for line in statement.customers).encode()


def check_number(text: str) -> str:
    """Return an organisation number without its hyphen."""
    plain = text.replace("-", "")
    if len(plain) != 10 or not plain.isdigit():
        raise ValueError("An organisation number is needed, such as 556000-4615.")
    return plain


def _due_date(end: date, kind: int, has_extension: bool) -> date:
    return month_after(end, 2).replace(day=12)


def _holidays(year: int) -> frozenset[date]:
    return frozenset(holidays_of(year, ((1, 1), (6, 6)), (GOOD_FRIDAY, EASTER_MONDAY)))


COUNTRY = Country(
    code="SE",
    language=Language.SV,
    own_language=Language.SV,
    forms=frozenset(),
    forms_on_payment=frozenset(),
    official_id=OfficialId(IdentifierType.VAT_CODE, check_vat_id),
    register=Register(frozenset({"SE"}), r"[0-9]{6}-[0-9]{4}", check_number),
    longest_period_months=18,
    charts=(Chart(None, lambda: CHART, None, bad_debts="6351", money_in_transit="1990"),),
    rates=(VatRates(date(1990, 1, 1), 2500, 1200, 600),),
    statutory_vat_due_date=_due_date,
    statement_day=25,
    holidays=_holidays,
    filing=SwedishFiling,
    einvoice_format=EInvoiceFormat.XRECHNUNG,
    einvoice_operators={"0000": "Operatören"},
    names_delivery_day=False,
    invoice_law=InvoiceLaw(
        parties="17 kap. 24 § ML",
        seller_number="17 kap. 24 § ML",
        what="17 kap. 24 § ML",
        rate="9 kap. ML",
        exemption="17 kap. 24 § ML",
        exempt={3: "Undantag, 18 kap. ML"},
        zero_rated="10 kap.",
        vat_ids={EU_GOODS: "17 kap. 24 § ML", EU_SERVICES: "17 kap. 24 § ML"},
        customers={EU_GOODS: "10 kap. 42 § ML", EU_SERVICES: "6 kap. 33 § ML"},
    ),
    exemptions={EU_GOODS: {Language.SV: "Undantag, 10 kap. 42 § ML"}},
)
