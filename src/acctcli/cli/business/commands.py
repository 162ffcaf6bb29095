"""Businesses: list, create, change, choose."""

from __future__ import annotations

from typing import Annotated

import typer

from acctcli.cli.business import identifier
from acctcli.cli.command.classes import Command, CreateCommand, DeleteCommand, ListCommand, UpdateCommand
from acctcli.cli.command.group import Context, new_group, shows
from acctcli.cli.command.options import SEARCH, field
from acctcli.cli.completing import slugs
from acctcli.cli.completing.values import businesses
from acctcli.cli.output.inside import rows_of
from acctcli.cli.output.show import show, show_done, show_report, show_rows
from acctcli.cli.session.state import state

COLUMNS = ("id", "slug", "name", "business_id", "form", "country")
DETAILS = (
    *COLUMNS,
    "vat_posting_method",
    "default_vat_period",
    "period_id",
    "vat_period_id",
    "owner_email",
    "identifiers",
)
PERMISSION_COLUMNS = ("id", "name", "explanation")

app = new_group("Businesses: list, create, change, choose.", shows="business:Business")
app.add_typer(identifier.app, name="identifier")

Slug = Annotated[str, typer.Argument(metavar="SLUG", autocompletion=businesses, help="The business's slug.")]
NAME = field("name", "--name", metavar="TEXT", help="The business's name.")
FORM = field("form", "--form", metavar="FORM", help="Legal form, such as FI_OY, FI_TMI or DE_UG.")
BUSINESS_ID = field("business_id", "--business-id", metavar="ID", help="Official business id (Y-tunnus).")
SLUG = field("slug", "--slug", metavar="SLUG", help="Slug to use in paths; made from the name if not given.")


@app.command("list", cls=ListCommand.taking(SEARCH))
def list_businesses(ctx: Context) -> None:
    """List the businesses you may see."""
    here = state(ctx)
    listing = here.api.businesses.list(here.named, here.extent)
    show_rows(here, listing, COLUMNS, lambda pages: slugs.noted(here, pages))


@app.command("get", cls=Command)
def get_business(ctx: Context, slug: Slug) -> None:
    """Show one business."""
    here = state(ctx)
    show(here, here.api.businesses.get(slug), DETAILS)


@app.command("create", cls=CreateCommand.taking(NAME, FORM, SLUG, BUSINESS_ID))
def create_business(ctx: Context) -> None:
    """Create a business with its chart of accounts."""
    from acctcli.cli.command.body import read_body
    from acctcli.models.business import BusinessRequest

    here = state(ctx)
    reply = here.api.businesses.create(read_body(here, BusinessRequest), here.options.idempotency_key)
    show(here, reply, DETAILS)


@app.command("update", cls=UpdateCommand.taking(NAME, FORM, BUSINESS_ID))
def update_business(ctx: Context, slug: Slug) -> None:
    """Change the fields given, and no others."""
    from acctcli.cli.command.body import read_changes
    from acctcli.models.business import BusinessRequest

    here = state(ctx)
    show(here, here.api.businesses.update(slug, read_changes(here, BusinessRequest)), DETAILS)


@app.command("replace", cls=UpdateCommand.taking(NAME, FORM))
def replace_business(ctx: Context, slug: Slug) -> None:
    """Replace every setting; what is not given goes back to its default."""
    from acctcli.cli.command.body import read_body
    from acctcli.models.business import BusinessRequest

    here = state(ctx)
    show(here, here.api.businesses.replace(slug, read_body(here, BusinessRequest)), DETAILS)


@app.command("delete", cls=DeleteCommand)
def delete_business(ctx: Context, slug: Slug) -> None:
    """Delete a business and everything in it."""
    here = state(ctx)
    here.confirm(f"Delete business {slug} with all its books?")
    here.api.businesses.delete(slug)
    show_done(here, f"Deleted business {slug}.", slug=slug, deleted=True)


@app.command("use", cls=Command)
def use_business(ctx: Context, slug: Slug) -> None:
    """Make a business the default of the environment."""
    here = state(ctx)
    environment = here.environment
    here.settings.use_business(environment.name, slug)
    slugs.remember(here, [slug])
    show_done(
        here,
        f"Commands in environment {environment.name} now work in business {slug}.",
        environment=environment.name,
        business=slug,
    )


@app.command("permissions", cls=Command)
@shows(PERMISSION_COLUMNS)
def list_permissions(ctx: Context) -> None:
    """List what you may do in the business; an administrator has one permission for everything."""
    here = state(ctx)
    show_report(here, here.api.permissions(), rows_of("granted_permissions"), PERMISSION_COLUMNS)
