"""Value sets of the interface: `/v1/business/{business_slug}/constants/` (docs/interface.md 3.3; docs/law.md 1).

Each set is a list of values with their labels; VAT codes carry tags as well, and VAT rates depend on the day.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acctcli import law
from acctcli.law.vat_codes import VAT_CODES
from acctcli.law.world import COUNTRIES
from acctcli.models.enums import (
    IdentifierType,
    Labelled,
    PermissionGroup,
    PermissionKey,
    VatPostingMethod,
    VatReportingMethod,
)
from acctcli.service.cases.businesses import show_rates
from acctcli.service.cases.work import Work
from acctcli.service.problems import Invalid
from acctcli.service.routes.call import Call
from acctcli.service.routes.operation import ONE_BUSINESS, Area
from acctcli.service.routes.parameters import Parameter

if TYPE_CHECKING:
    from acctcli.models.constants import Choice, VatCode, VatRates

Labels = dict[str, str]


def _fixed(name: str, summary: str, labels: Labels) -> None:
    """Declare a set that is the same everywhere and always."""
    choices: list[Choice] = [{"value": value, "label": label} for value, label in labels.items()]
    AREA.look(f"{name}/", lambda work: choices, summary, name=name)


def _named(name: str, summary: str, values: type[Labelled]) -> None:
    """Declare the set of an enumeration."""
    _fixed(name, summary, {one.value: one.label for one in values})


def vat_codes(work: Work) -> list[VatCode]:
    """Name the VAT codes with their tags."""
    del work
    return [{"value": code.value, "label": code.label, "tags": code.tags} for code in VAT_CODES]


def einvoice_operators(work: Work) -> list[Choice]:
    """Name the operators of all countries."""
    del work
    operators = (operator for country in law.countries() for operator in country.einvoice_operators.items())
    return [{"value": value, "label": label} for value, label in operators]


def vat_rates(call: Call) -> VatRates:
    """Show the rates of the business's country on the day that is asked for."""
    day = call.query.date("date_at")
    if day is None:
        raise Invalid.field("date_at", "This field is required.")
    return show_rates(call.law.rates_at(day))


AREA = Area("constant", f"{ONE_BUSINESS}constants/", one="", response="constants:Choices")
AREA.look("vat_codes/", vat_codes, "Name the VAT codes.", response="constants:VatCodes")
DAY = Parameter("date_at", "date", "The day the rates are in force; required.")
AREA.look("vat_rates/", vat_rates, "Show the VAT rates of a day.", response="constants:VatRates", query=(DAY,))
_named("business_identifiers", "Name the official identifiers of businesses.", IdentifierType)
_fixed(
    "business_invoicing_countries",
    "Name the countries a business can send invoices from.",
    {code: COUNTRIES[code] for code in law.PACKAGES},
)
_fixed("countries", "Name the countries of the world.", COUNTRIES)
AREA.look("einvoice_operators/", einvoice_operators, "Name operators of e-invoices.")
_named("permission_groups", "Name sets of permissions.", PermissionGroup)
_named("permissions", "Name the permissions of members.", PermissionKey)
_named("vat_posting_methods", "Name the ways to post VAT.", VatPostingMethod)
_named("vat_reporting_methods", "Name the ways to report VAT.", VatReportingMethod)
