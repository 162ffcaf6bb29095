"""Products: what is sold, at which price and VAT."""

from __future__ import annotations

from typing import Annotated

import typer

from acctcli.cli.command.classes import Command, CreateCommand, DeleteCommand, ListCommand, UpdateCommand
from acctcli.cli.command.group import Context, new_group
from acctcli.cli.command.options import INT, SEARCH, field, flag
from acctcli.cli.output.show import show, show_done, show_rows
from acctcli.cli.session.state import State, state

COLUMNS = ("id", "code", "name", "unit", "vat_exclusive_amount", "vat_rate", "vat_inclusive_amount")
DETAILS = (
    *COLUMNS,
    "amount",
    "is_vat_inclusive",
    "vat_amount",
    "vat_code",
    "account_id",
    "description",
    "created_at",
    "updated_at",
)

app = new_group("Products: what is sold, at which price and VAT.", shows="product:Product")

ProductId = Annotated[int, typer.Argument(metavar="ID", min=1, help="The product's id.")]
Account = Annotated[
    str | None, typer.Option("--account", metavar="NUMBER", help="Account its sales go to, such as 3000, or id:57.")
]
FIELDS = (
    field("code", "--code", metavar="TEXT", help="Your own code, by which rows of invoices name it."),
    field("name", "--name", metavar="TEXT", help="What it is called."),
    field("unit", "--unit", metavar="TEXT", help="What it is counted in, such as h or kpl."),
    field("amount", "--amount", metavar="AMOUNT", help="Price of a unit, with at most 4 decimals."),
    field("vat_rate", "--vat-rate", metavar="PERCENT", help="Rate of VAT, such as 25.5 (0)."),
    field("vat_code", "--vat-code", type=INT, metavar="N", help="VAT code of a sale: 1, 3 to 6, 10, 12 or 13 (3)."),
    flag("is_vat_inclusive", "--vat-inclusive/--vat-exclusive", help="Whether the price includes VAT."),
    field("description", "--description", metavar="TEXT", help="More about it."),
)


@app.command("list", cls=ListCommand.taking(SEARCH))
def list_products(ctx: Context) -> None:
    """List products by name."""
    here = state(ctx)
    show_rows(here, here.api.products.list(here.named, here.extent), COLUMNS)


@app.command("get", cls=Command)
def get_product(ctx: Context, product: ProductId) -> None:
    """Show one product."""
    here = state(ctx)
    show(here, here.api.products.get(product), DETAILS)


@app.command("create", cls=CreateCommand.taking(*FIELDS))
def create_product(ctx: Context, account: Account = None) -> None:
    """Add a product."""
    from acctcli.cli.command.body import read_body
    from acctcli.models.product import ProductRequest

    here = state(ctx)
    body = read_body(here, ProductRequest, _account(here, account))
    show(here, here.api.products.create(body, here.options.idempotency_key), DETAILS)


@app.command("update", cls=UpdateCommand.taking(*FIELDS))
def update_product(ctx: Context, product: ProductId, account: Account = None) -> None:
    """Change the fields given, and no others; invoices made from the product stay as they are."""
    from acctcli.cli.command.body import read_changes
    from acctcli.models.product import ProductRequest

    here = state(ctx)
    body = read_changes(here, ProductRequest, _account(here, account))
    show(here, here.api.products.update(product, body), DETAILS)


@app.command("replace", cls=UpdateCommand.taking(*FIELDS))
def replace_product(ctx: Context, product: ProductId, account: Account = None) -> None:
    """Replace the product's fields; what is not given goes back to its default."""
    from acctcli.cli.command.body import read_body
    from acctcli.models.product import ProductRequest

    here = state(ctx)
    body = read_body(here, ProductRequest, _account(here, account))
    show(here, here.api.products.replace(product, body), DETAILS)


@app.command("delete", cls=DeleteCommand)
def delete_product(ctx: Context, product: ProductId) -> None:
    """Delete a product that no row of an invoice names."""
    here = state(ctx)
    here.confirm(f"Delete product {product}?")
    here.api.products.delete(product)
    show_done(here, f"Deleted product {product}.", id=product, deleted=True)


def _account(here: State, written: str | None) -> dict[str, object]:
    """Return the body's account; the chart is asked only for one that is given."""
    from acctcli.cli.account.chart import account_id

    return {} if written is None else {"account_id": account_id(here, written, "--account")}
