"""Value sets of the interface: VAT codes and rates, countries, permissions."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Annotated

import typer

from acctcli.cli.command.classes import Command, Context, new_group
from acctcli.cli.command.dates import parse_day
from acctcli.cli.completing.values import one_of
from acctcli.cli.output.inside import rows_of
from acctcli.cli.output.show import show_report, show_values
from acctcli.cli.session.state import state
from acctcli.errors import UsageError

COLUMNS = ("value", "label")
CODE_COLUMNS = ("value", "label", "tags")
RATE_COLUMNS = ("label", "rate")
CODES, RATES, TYPES = "vat-codes", "vat-rates", "account-types"

# named as in the interface, with dashes
SETS = {
    CODES: "VAT codes and what they mean",
    RATES: "VAT rates in force on a day",
    "business-identifiers": "official identifiers of businesses",
    "business-invoicing-countries": "countries a business can send invoices from",
    "countries": "countries of the world",
    "einvoice-operators": "operators of e-invoices",
    "permission-groups": "sets of permissions",
    "permissions": "permissions of members",
    "vat-posting-methods": "ways to post VAT",
    "vat-reporting-methods": "ways to report VAT",
}
# types are values of the interface, too, which has no set of them
KNOWN = {**SETS, TYPES: "types of accounts, and what they are"}

app = new_group(__doc__, shows="constants:VatCode")


Name = Annotated[
    str,
    typer.Argument(metavar="NAME", autocompletion=one_of(KNOWN), help="A name that `acctcli constant list` shows."),
]
Day = Annotated[str | None, typer.Option("--date", metavar="DAY", help="Day of the VAT rates; today if not given.")]


@app.command("list", cls=Command)
def list_constants(ctx: Context) -> None:
    """List the names of the sets.

    Example: acctcli constant list
    """
    here = state(ctx)
    show_values(here, [{"value": name, "label": text} for name, text in KNOWN.items()])


@app.command("get", cls=Command)
def get_constant(ctx: Context, name: Name, day: Day = None) -> None:
    """Show the values of a set, such as `vat-codes`, or `vat-rates --date 2024-08-31`.

    Example: acctcli constant get vat-rates --date 2024-08-31
    """
    from acctcli.cli.output.replies import show_array
    from acctcli.models.enums import AccountType

    here = state(ctx)
    _check(name, day)
    if name == RATES:
        asked = parse_day(day or "today", "--date", here.today)
        show_report(here, here.api.vat_rates(asked), rows_of("vat_rate_options"), RATE_COLUMNS)
    elif name == TYPES:
        show_values(here, [{"value": kind, "label": kind.label} for kind in AccountType])
    else:
        show_array(here, here.api.constant(name.replace("-", "_")), CODE_COLUMNS if name == CODES else COLUMNS)


def _check(name: str, day: str | None) -> None:
    if name not in KNOWN:
        near = get_close_matches(name, KNOWN, 1)
        raise UsageError(
            f"there is no set {name!r}", hint=f"did you mean {near[0]}?" if near else "see: acctcli constant list"
        )
    if day is not None and name != RATES:
        raise UsageError(f"{name} do not depend on the day: --date goes with {RATES}")
