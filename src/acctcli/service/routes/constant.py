"""Value sets of the interface: `/v1/business/{business_slug}/constants/` (wire facts 1.1, 3.3, 3.4).

Each set is a list of values with their labels; VAT codes carry tags as well, and VAT rates depend on the day.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from acctcli import law
from acctcli.law.vat_codes import VAT_CODES
from acctcli.law.world import COUNTRIES
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

if TYPE_CHECKING:
    from acctcli.law.decisions import VatRates

Choices = list[dict[str, Any]]
Labels = dict[str, str]


def _fixed(labels: Labels) -> Callable[[Call], Choices]:
    """Return the handler of a set that is the same everywhere and always."""
    choices = [{"value": value, "label": label} for value, label in labels.items()]
    return lambda call: choices


def _named(values: type[Labelled]) -> Callable[[Call], Choices]:
    """Return the same for an enumeration."""
    return _fixed({one.value: one.label for one in values})


business_identifiers = _named(IdentifierType)
business_invoicing_countries = _fixed({code: COUNTRIES[code] for code in law.PACKAGES})
countries = _fixed(COUNTRIES)
permission_groups = _named(PermissionGroup)
permissions = _named(PermissionKey)
vat_posting_methods = _named(VatPostingMethod)
vat_reporting_methods = _named(VatReportingMethod)


def einvoice_operators(call: Call) -> Choices:
    """Name the operators of e-invoices in all countries."""
    del call
    operators = (operator for country in law.countries() for operator in country.einvoice_operators.items())
    return [{"value": value, "label": label} for value, label in operators]


def vat_codes(call: Call) -> Choices:
    """Name the VAT codes with their tags (wire facts 3.3)."""
    del call
    return [{"value": code.value, "label": code.label, "tags": code.tags} for code in VAT_CODES]


def vat_rates(call: Call) -> dict[str, Any]:
    """Show the rates of the business's country on the day `date_at`, which must be given (wire facts 3.4)."""
    day = call.query.date("date_at")
    if day is None:
        raise Invalid.field("date_at", "This field is required.")
    return show_rates(law.country(call.business.country).rates_at(day))


def show_rates(rates: VatRates) -> dict[str, Any]:
    """Return rates and the day they began, as decimal texts in percent."""
    options = [{"label": label, "rate": str(rates.rate(label))} for label in VatRateLabel]
    return {
        "effective_from": rates.effective_from,
        "default_vat_rate_label": VatRateLabel.STANDARD,
        "default_vat_rate": options[0]["rate"],
        "vat_rate_options": options,
    }
