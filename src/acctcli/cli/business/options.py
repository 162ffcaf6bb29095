"""The options of business commands, each declared once."""

from __future__ import annotations

from typing import Annotated

import typer

from acctcli.cli.command.options import WHOLE, field, flag, wire_name
from acctcli.cli.completing import values
from acctcli.errors import UsageError

# what stands for the business in use where none is named
IN_USE = ""
# docs/interface.md 3.1
VAT_PERIODS = {"none": -1, "month": 0, "quarter": 1, "year": 2}


def _vat_period(written: str) -> int:
    """Return the length of VAT periods that is meant by a word."""
    if written not in VAT_PERIODS:
        raise UsageError(f"--vat-period {written!r}: write {', '.join(VAT_PERIODS)}")
    return VAT_PERIODS[written]


Slug = Annotated[str, typer.Argument(metavar="SLUG", autocompletion=values.businesses, help="The business's slug.")]
MaybeSlug = Annotated[
    str,
    typer.Argument(
        metavar="[SLUG]",
        default_factory=lambda: IN_USE,
        show_default=False,
        autocompletion=values.businesses,
        help="The business's slug; the one in use if not given.",
    ),
]
TrialBalance = Annotated[
    str, typer.Argument(metavar="FILE", help="Trial balance (CSV, XLSX; `-` is stdin): number, name, debit and credit.")
]
Mapping = Annotated[
    str | None,
    typer.Option("--map", metavar="FILE", help="Table with columns old and new: numbers of the chart for others."),
]
Headings = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        metavar="USE=HEADING",
        help="Heading of a column: number, name, debit, credit, or balance, credit below zero. Repeatable.",
    ),
]
Result = Annotated[
    str | None,
    typer.Option("--result", metavar="NUMBER", help="Account of equity that takes what revenue and expenses come to."),
]
Replaced = Annotated[
    bool, typer.Option("--replace", help="Also change accounts that open with something else already.")
]

NAME = field("name", "--name", metavar="TEXT", help="The business's name.")
FORM = field("form", "--form", metavar="FORM", help="Legal form, such as FI_OY, FI_TMI or DE_UG.")
BUSINESS_ID = field("business_id", "--business-id", metavar="ID", help="Official business id (Y-tunnus).")
SLUG = field("slug", "--slug", metavar="SLUG", help="Slug to use in paths; made from the name if not given.")
CHART = field(
    "country_config",
    "--chart",
    metavar="CHART",
    read=lambda name: {"chart": name},
    complete=values.charts,
    help="Chart of accounts of a German business, for good: SKR04, unless told, or SKR03.",
)
# what its invoices and returns need
SETTINGS = (
    field("invoicing_iban", "--iban", metavar="IBAN", help="Account that customers pay to."),
    field("invoicing_bic", "--bic", metavar="BIC", help="Bank of that account."),
    field("invoicing_street", "--street", metavar="TEXT", help="Street and number, on invoices."),
    field("invoicing_postal_code", "--postal-code", metavar="CODE", help="Postal code, on invoices."),
    field("invoicing_city", "--city", metavar="TEXT", help="Town or city, on invoices."),
    field("invoicing_country", "--country", metavar="CODE", help="Country on invoices, two letters such as FI."),
    field("invoicing_email", "--email", metavar="ADDRESS", help="Where customers answer to."),
    field("contact_phone", "--phone", metavar="NUMBER", help="Telephone number."),
    field("invoicing_contact", "--contact-person", metavar="TEXT", help="Who answers questions about invoices."),
    field(
        "invoicing_default_payment_condition_days",
        "--days",
        type=WHOLE,
        metavar="N",
        help="Days until an invoice is due that says nothing else.",
    ),
    field(
        "default_vat_period",
        "--vat-period",
        metavar="LENGTH",
        read=_vat_period,
        complete=values.one_of(VAT_PERIODS),
        help=f"Length of VAT periods: {', '.join(VAT_PERIODS)}; none is not liable for VAT.",
    ),
    field(
        "vat_reporting_method",
        "--vat-basis",
        metavar="METHOD",
        read=wire_name,
        complete=values.value_of("VatReportingMethod"),
        help="When VAT is due: default (by bookkeeping date), fi-cash-basis or de-cash-basis (by payment date).",
    ),
    flag(
        "has_accrual_based_entries_for_invoicing",
        "--books-claims/--books-payments",
        help="Whether invoices are posted when they are accepted, or when they are paid.",
    ),
)
