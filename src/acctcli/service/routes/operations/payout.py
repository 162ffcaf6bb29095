"""What payment providers paid out for sales."""

from __future__ import annotations

from acctcli.service.routes.route import (
    INVOICING_READ,
    INVOICING_WRITE,
    MODELS,
    ONE_BUSINESS,
    PAGING,
    ROUTES,
    Parameter,
    Route,
)

PATH = f"{ONE_BUSINESS}sales_payouts/"
PAYOUT = f"{MODELS}.sales_payout:SalesPayout"

FILTERS = (
    *PAGING,
    Parameter("external_id", "string", "The whole id of the provider."),
    Parameter("source", "string", "Who paid it out."),
    Parameter("date_from", "date", "First day, inclusive."),
    Parameter("date_to", "date", "Last day, inclusive."),
)

SALES_PAYOUTS = (
    Route(
        "GET", PATH, f"{ROUTES}.sales_payout:list_sales_payouts", "List sales payouts.",
        needs=INVOICING_READ, response=PAYOUT, shape="page", query=FILTERS,
    ),
    Route(
        "POST", PATH, f"{ROUTES}.sales_payout:create_sales_payout", "Create a sales payout.",
        needs=INVOICING_WRITE, request=f"{PAYOUT}Request", response=PAYOUT, status=201,
    ),
    Route(
        "GET", f"{PATH}{{payout_id}}/", f"{ROUTES}.sales_payout:get_sales_payout", "Show a sales payout.",
        needs=INVOICING_READ, response=PAYOUT,
    ),
)  # fmt: skip
