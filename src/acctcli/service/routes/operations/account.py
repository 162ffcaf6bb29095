"""The chart of accounts."""

from __future__ import annotations

from acctcli.service.routes.route import (
    ACCOUNT_TYPES,
    ACCOUNTS_READ,
    ACCOUNTS_WRITE,
    MODELS,
    ONE_BUSINESS,
    PAGING,
    ROUTES,
    Parameter,
    Route,
    resource,
)

ACCOUNT_FILTERS = (
    *PAGING,
    Parameter("is_shown", "boolean", "Accounts shown in the user interface."),
    Parameter("is_used", "boolean", "Accounts with at least one entry."),
    Parameter("number", "integer", "Exact account number."),
    Parameter("number_gte", "integer", "Lowest account number."),
    Parameter("number_lte", "integer", "Highest account number."),
    Parameter("search", "string", "Number by prefix, name by contains."),
    Parameter("tags", "integer", "Id of a tag that at least one document of the account carries."),
    Parameter("type", "string", "Account type.", ACCOUNT_TYPES, repeatable=True),
)

ACCOUNT_PATH = f"{ONE_BUSINESS}account/"
ACCOUNTS = resource(
    "account",
    "account",
    ACCOUNT_PATH,
    "account",
    models=("account:AccountRequest", "account:Account"),
    listed="account:AccountListItem",
    read=ACCOUNTS_READ,
    write=ACCOUNTS_WRITE,
    filters=ACCOUNT_FILTERS,
) + tuple(
    Route(
        "POST",
        f"{ACCOUNT_PATH}{{account_id}}/{verb}/",
        f"{ROUTES}.account:{verb}_account",
        f"{verb.capitalize()} an account.",
        needs=ACCOUNTS_WRITE,
        response=f"{MODELS}.account:Account",
    )
    for verb in ("hide", "show")
)
