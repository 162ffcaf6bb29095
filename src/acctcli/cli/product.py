"""Products: what is sold, at which price and VAT."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from acctcli.cli.command.called import PRODUCT, Filling, Many
from acctcli.cli.command.classes import new_group
from acctcli.cli.command.options import FOREIGN_VAT, INT, SEARCH, field, flag
from acctcli.cli.command.plain import Name, Resource
from acctcli.cli.session.state import State
from acctcli.law.vat_codes import OUTPUT_VAT

if TYPE_CHECKING:
    from acctcli.models.product import ProductRequest

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

app = new_group(__doc__, shows="product:Product")

FIELDS = (
    field("account_id", "--account", metavar="NUMBER", help="Account its sales go to, such as 3000, or id:57."),
    field("code", "--code", metavar="TEXT", help="Your own code, by which rows of invoices name it."),
    field("name", "--name", metavar="TEXT", help="What it is called."),
    field("unit", "--unit", metavar="TEXT", help="What it is counted in, such as h or kpl."),
    field("amount", "--amount", metavar="AMOUNT", help="Price of a unit, with at most 4 decimals."),
    field(
        "vat_rate",
        "--vat-rate",
        metavar="PERCENT",
        help="Rate of VAT, such as 25.5; without code and rate that of sales today.",
    ),
    field("vat_code", "--vat-code", type=INT, metavar="N", help="VAT code of a sale: 1, 3 to 6, 10, 12 or 13."),
    flag("is_vat_inclusive", "--vat-inclusive/--vat-exclusive", help="Whether the price includes VAT."),
    field("description", "--description", metavar="TEXT", help="More about it."),
)


def _account(here: State) -> Filling:
    """Return what gives the id of the account that is given by its number; each is asked for once."""
    from acctcli.cli.account.chart import account_id

    find = cache(partial(account_id, here, option="--account"))

    def fill(given: Mapping[str, Any]) -> Mapping[str, object]:
        written = given.get("account_id")
        return {} if written is None else {"account_id": find(written)}

    return fill


def _rates(here: State) -> Callable[[ProductRequest, Name | None], None]:
    """Refuse a rate of VAT that the country does not have today, unless it is meant; a new product has the usual."""
    from acctcli.cli.account.words import vat_in_words
    from acctcli.cli.vat.charged import Charged, checker, is_meant, rates_of_today, usual_vat

    meant = is_meant(here)

    def refuse(body: ProductRequest, product: Name | None) -> None:
        if product is None and not {"vat_code", "vat_rate"} & body.model_fields_set:
            if (usual := usual_vat(here)) is not None:
                body.vat_code, body.vat_rate = usual
                said = vat_in_words(str(usual[0]), str(usual[1]))
                here.say(f"note: VAT code {said}, as sales have today; --vat-code 3 is without")
            return
        # a change that says nothing of the code leaves it, which may be one with VAT
        code = OUTPUT_VAT if product is not None and "vat_code" not in body.model_fields_set else body.vat_code
        if "vat_rate" in body.model_fields_set and not meant:
            checker(here, rates_of_today(here))([Charged("--vat-rate", code, body.vat_rate)], here.today)

    return refuse


products = Resource(
    app,
    PRODUCT.noun,
    PRODUCT.records,
    "product:ProductRequest",
    COLUMNS,
    DETAILS,
    FIELDS,
    checking=_rates,
    kind=PRODUCT,
    many=Many(("code", "name"), _account),
)
products.list("List products by name.", "acctcli product list --search consulting", SEARCH)
products.get("Show one product.", "acctcli product get 1")
products.create(
    "Add a product, or from a file of CSV all that are not there.",
    "acctcli product create --code A2 --name Training --unit h --amount 120 --vat-rate 25.5 --vat-code 1",
    FOREIGN_VAT,
)
products.update(
    "Change the fields given, and no others; invoices made from the product stay as they are.",
    "acctcli product update 1 --amount 95.50",
    FOREIGN_VAT,
)
products.replace(
    "Replace the product's fields; what is not given goes back to its default.",
    "acctcli product replace 1 --name Consulting --unit h --amount 90 --account 3000",
    FOREIGN_VAT,
)
products.delete("Delete a product that no row of an invoice names.", "acctcli product delete 2 --yes")
