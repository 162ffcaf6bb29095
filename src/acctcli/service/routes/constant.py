"""Value sets of the interface: `/v1/business/{business_slug}/constants/` (wire facts 1.1, 3.3, 3.4).

Each set is a list of values with their labels; VAT codes carry tags as well, and VAT rates depend on the day.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from acctcli.models.enums import (
    IdentifierType,
    Labelled,
    PermissionGroup,
    PermissionKey,
    VatPostingMethod,
    VatRateLabel,
    VatReportingMethod,
)
from acctcli.service.problems import Invalid
from acctcli.service.routes.call import Call
from acctcli.service.rules.countries import COUNTRIES
from acctcli.service.rules.operators import OPERATORS
from acctcli.service.rules.vat import VAT_CODES, rate_options, rates_at

Choices = list[dict[str, Any]]
Labels = dict[str, str]

# the countries whose books are kept here
INVOICING_COUNTRIES = ("FI", "DE")


def _fixed(labels: Labels) -> Callable[[Call], Choices]:
    """Return the handler of a set that is the same everywhere and always."""
    choices = [{"value": value, "label": label} for value, label in labels.items()]
    return lambda call: choices


def _named(values: type[Labelled]) -> Callable[[Call], Choices]:
    """Return the same for an enumeration."""
    return _fixed({one.value: one.label for one in values})


business_identifiers = _named(IdentifierType)
business_invoicing_countries = _fixed({code: COUNTRIES[code] for code in INVOICING_COUNTRIES})
countries = _fixed(COUNTRIES)
einvoice_operators = _fixed(OPERATORS)
permission_groups = _named(PermissionGroup)
permissions = _named(PermissionKey)
vat_posting_methods = _named(VatPostingMethod)
vat_reporting_methods = _named(VatReportingMethod)


def vat_codes(call: Call) -> Choices:
    """Name the VAT codes with their tags (wire facts 3.3)."""
    del call
    return [{"value": code.value, "label": code.label, "tags": code.tags} for code in VAT_CODES]


def vat_rates(call: Call) -> dict[str, Any]:
    """Show the rates of the business's country on the day `date_at`, which must be given (wire facts 3.4)."""
    day = call.query.date("date_at")
    if day is None:
        raise Invalid.field("date_at", "This field is required.")
    return rates_of(call.business.country, day)


def rates_of(country: str, day: date) -> dict[str, Any]:
    """Return the rates in force on a day, as decimal texts in percent."""
    options = [{"label": option.label, "rate": str(option.rate)} for option in rate_options(country, day)]
    return {
        "effective_from": rates_at(country, day).effective_from,
        "default_vat_rate_label": VatRateLabel.STANDARD,
        "default_vat_rate": options[0]["rate"],
        "vat_rate_options": options,
    }
