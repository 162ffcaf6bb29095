"""What commands show of the service's replies are fields that the types of the replies have."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, get_args, get_origin, get_type_hints

import pytest
import typer
from typing_extensions import is_typeddict

import acctcli.cli
from acctcli.cli.output.inside import Inside

# columns that are no COLUMNS or DETAILS of a group's own records, and what they are of
OTHERS = {
    "bank.commands:COLUMNS": None,
    "bank.profile:COLUMNS": None,
    "bank.rule:COLUMNS": None,
    "account.commands:COLUMNS": "account:AccountListItem",
    "account.commands:IN_WORDS": None,  # made here, for people
    "account.commands:STATEMENT_COLUMNS": None,
    "auth.commands:COLUMNS": None,
    "business.commands:PERMISSION_COLUMNS": "user:GrantedPermission",
    "constant:RATE_COLUMNS": "constants:VatRateOption",
    "document.commands:ENTRY_COLUMNS": "document:Entry",
    "document.commands:FILE_COLUMNS": "file:AttachmentListItem",
    "document.commands:SUGGESTION_COLUMNS": "document:AccountingSuggestion",
    "document.relations:SUGGESTION_COLUMNS": "relation:RelationSuggestion",
    "file.commands:COLUMNS": "file:AttachmentListItem",
    "report.ages:COLUMNS": None,
    "resume:COLUMNS": None,
    "invoice.commands:WAYS": "invoice:DeliveryOption",
    "invoice.lines:INVOICES": "invoice:SalesInvoice",
    "invoice.lines:ROWS": "invoice:SalesInvoice",
    "invoice.messages:MESSAGE_COLUMNS": "invoice:StatusMessage",
    "invoice.reminding:COLUMNS": None,
    "invoice.reminder_sending:COLUMNS": None,
    "local.client:COLUMNS": None,
    "local.people:COLUMNS": None,
    "payout.commands:BOOKED": "document:Document",
    "period:FINGERPRINT_COLUMNS": "period:Fingerprint",
    "vat.commands:COLUMNS": None,
    "vat.recapitulative:COLUMNS": None,
    "vat.returns:COLUMNS": None,
    "webhook.commands:CREATED": "webhook:NewWebhookSubscription",
    "webhook.commands:DELIVERIES": "webhook:WebhookDelivery",
    "webhook.commands:DELIVERY": "webhook:WebhookDelivery",
    "workflow.runs:RUN_COLUMNS": "workflow:WorkflowRunListItem",
    "workflow.runs:RUN_DETAILS": "workflow:WorkflowRun",
}
# what the command line itself puts into a record that it shows, or what lies in data of any kind
MADE = {
    "event:COLUMNS": {"data.id"},
    "period:DETAILS_IN_WORDS": {"status"},
    "vat.periods:DETAILS_IN_WORDS": {"length", "status"},
}

# what people do not see of one record unless they ask for it with --columns
LEFT_OUT: dict[str, set[str]] = {
    "contact:DETAILS": {
        "buyer_postal_address_details_xml_override",
        "created_at",
        "invoicing_einvoice_address",
        "invoicing_einvoice_operator",
        "invoicing_electronic_address",
        "invoicing_electronic_address_scheme",
        "xrechnung_buyer_reference",
    },
    "header:DETAILS": set(),
    "payout.commands:DETAILS": set(),
    "product:DETAILS": set(),
    "tag:DETAILS": set(),
    "webhook.commands:DETAILS": set(),
    "workflow.commands:DETAILS": set(),
    "workflow.runs:RUN_DETAILS": set(),
}


def reply(name: str) -> Any:
    module, _, kind = name.partition("+")[0].partition(":")  # behind it stands what is made here
    return getattr(import_module(f"acctcli.models.{module}"), kind)


def shown() -> Iterator[tuple[str, str | None, tuple[str, ...]]]:
    """Every tuple of columns, with the reply that it is of."""
    for info in walk_packages(acctcli.cli.__path__, "acctcli.cli."):
        module, place = import_module(info.name), info.name.removeprefix("acctcli.cli.")
        groups = (one for one in vars(module).values() if isinstance(one, typer.Typer))
        group = vars(module).get("app") or next(groups, None)
        own = getattr(group.info.cls, "shows", None) if group else None
        for name, columns in vars(module).items():
            key = f"{place}:{name}"
            if key in OTHERS or (name.endswith(("COLUMNS", "DETAILS", "DETAILS_IN_WORDS")) and type(columns) is tuple):
                yield key, OTHERS.get(key, own or None), columns


def problems(kind: Any, path: list[str]) -> Iterator[str]:
    """Say where a path of names leads nowhere in a type."""
    if get_origin(kind) is list or type(None) in get_args(kind):
        kind = next(one for one in get_args(kind) if one is not type(None))
    if path and is_typeddict(kind):
        hints = get_type_hints(kind)
        if path[0] in hints:
            yield from problems(hints[path[0]], path[1:])
        else:
            yield path[0]
    elif path:
        yield from () if get_origin(kind) is dict else path


@pytest.mark.parametrize(("key", "name", "columns"), list(shown()), ids=lambda one: one if isinstance(one, str) else "")
def test_columns_are_fields_of_the_reply(key: str, name: str | None, columns: tuple[str, ...]) -> None:
    if name is None:
        assert key in OTHERS, "say in OTHERS which reply these are columns of"
        return
    paths = [column.split(".") for column in columns if column not in MADE.get(key, ())]
    paths += [[column, inner] for column in columns if isinstance(column, Inside) for inner in column.columns]
    # `--expand rows` puts each row in place of the rows
    paths = [["rows" if step == "row" else step for step in path] for path in paths]
    kind = reply(name)
    assert [step for path in paths for step in problems(kind, path)] == []


def test_all_that_is_listed_here_is_there() -> None:
    assert {key for key, _, _ in shown()} >= OTHERS.keys() | MADE.keys()


@pytest.mark.parametrize(("key", "name", "columns"), [one for one in shown() if one[0] in LEFT_OUT])
def test_details_show_all_but_what_is_listed_here(key: str, name: str, columns: tuple[str, ...]) -> None:
    tops = [column.partition(".")[0] for column in columns]
    assert sorted(tops) == sorted(get_type_hints(reply(name)).keys() - LEFT_OUT[key])
