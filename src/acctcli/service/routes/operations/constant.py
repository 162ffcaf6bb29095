"""Value sets of the interface, for every member."""

from __future__ import annotations

from acctcli.service.routes.route import MODELS, ONE_BUSINESS, ROUTES, Parameter, Route


def _constant(name: str, summary: str, response: str = "Choices", query: tuple[Parameter, ...] = ()) -> Route:
    return Route(
        "GET",
        f"{ONE_BUSINESS}constants/{name}/",
        f"{ROUTES}.constant:{name}",
        summary,
        response=f"{MODELS}.constants:{response}",
        query=query,
    )


CONSTANTS = (
    _constant("vat_codes", "Name the VAT codes.", "VatCodes"),
    _constant(
        "vat_rates",
        "Show the VAT rates of a day.",
        "VatRates",
        (Parameter("date_at", "date", "The day the rates are in force; required."),),
    ),
    _constant("business_identifiers", "Name the official identifiers of businesses."),
    _constant("business_invoicing_countries", "Name the countries a business can send invoices from."),
    _constant("countries", "Name the countries of the world."),
    _constant("einvoice_operators", "Name operators of e-invoices."),
    _constant("permission_groups", "Name sets of permissions."),
    _constant("permissions", "Name the permissions of members."),
    _constant("vat_posting_methods", "Name the ways to post VAT."),
    _constant("vat_reporting_methods", "Name the ways to report VAT."),
)
