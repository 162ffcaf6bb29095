"""Rows of an invoice from `--row`: of a product, which fills in what is not said, or of one's own words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

import msgspec

from acctcli.cli.account.chart import account_id
from acctcli.cli.command.body import check
from acctcli.cli.command.pairs import Parse, number, read_pairs, whole
from acctcli.cli.invoice.customers import BY_ID
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent
from acctcli.errors import NotFound, UsageError
from acctcli.law.vat_codes import NO_VAT, OUTPUT_VAT
from acctcli.models.invoice import SalesInvoiceRowRequest

OPTION = "--row"
# what is typed -> its name on the wire and how it is read
_PAIRS: dict[str, tuple[str, Parse]] = {
    "code": ("code", str),
    "name": ("name", str),
    "unit": ("unit", str),
    "count": ("product_count", number),
    "amount": ("amount", number),
    "vat": ("vat_rate", number),
    "vat-code": ("vat_code", whole),
    "description": ("description", str),
    "account": ("account_id", str),
}
_TYPED = {wire: name for name, (wire, _) in _PAIRS.items()}
_NEEDED = ("name", "unit", "amount", "vat")
_KNOWN = {name: parse for name, (_, parse) in _PAIRS.items()}


class Product(msgspec.Struct):
    """What a row takes from a product; its price is the one without VAT, as prices of rows are."""

    id: int
    name: str
    unit: str
    vat_exclusive_amount: Decimal
    vat_rate: Decimal
    vat_code: int
    code: str | None = None
    account_id: int | None = None
    description: str | None = None

    def row(self) -> dict[str, Any]:
        """Return the row's fields."""
        return {
            "code": self.code,
            "name": self.name,
            "unit": self.unit,
            "amount": self.vat_exclusive_amount,
            "vat_rate": self.vat_rate,
            "vat_code": self.vat_code,
            "product": self.id,
            "description": self.description,
            "account_id": self.account_id,
        }


_read = reader(Product, "a product")


def read_rows(here: State, written: Iterable[str]) -> list[SalesInvoiceRowRequest]:
    """Return the rows that `--row` says, in their order.

    A row without a count is one of it. Raises UsageError for pairs that make no row, and for a code that no product
    or several have.
    """
    read = [(text, read_pairs(text, _KNOWN, OPTION)) for text in written]
    rows = [_row(here, text, pairs) for text, pairs in read]
    return [_checked(row, place, read[place][0]) for place, row in enumerate(rows)]


def _checked(row: dict[str, Any], place: int, written: str) -> SalesInvoiceRowRequest:
    """Refuse a row that no invoice takes, in the words it is written in."""
    try:
        return check(SalesInvoiceRowRequest, row)
    except UsageError as error:
        told = "; ".join(f"{_TYPED.get(name, name)}: {' '.join(texts)}" for name, texts in error.fields.items())
        fields = {f"rows.{place}.{name}": texts for name, texts in error.fields.items()}
        raise UsageError(f"{OPTION} {written!r}: {told}", fields=fields) from error


def _row(here: State, written: str, pairs: Mapping[str, Any]) -> dict[str, Any]:
    said = {_PAIRS[name][0]: value for name, value in pairs.items()}
    if "account" in pairs:
        said["account_id"] = account_id(here, pairs["account"], OPTION)
    missing = [name for name in _NEEDED if name not in pairs]
    if chosen := BY_ID.fullmatch(pairs.get("code", "")):
        del said["code"]
        filled = _product_of_id(here, int(chosen[1])).row()
    elif missing and "code" in pairs:
        filled = _product(here, pairs["code"]).row()
    elif missing:
        raise UsageError(f"{OPTION} {written!r}: {', '.join(missing)} is missing", hint="or name a product by code=")
    else:
        filled = {"vat_code": OUTPUT_VAT if pairs["vat"] else NO_VAT}
    return {"product_count": Decimal(1), **filled, **said}


def _product_of_id(here: State, product: int) -> Product:
    try:
        return decoded(here.api.products.get(product), Product)
    except NotFound as error:
        raise UsageError(
            f"{OPTION}: there is no product of the id {product}", hint="see: acctcli product list"
        ) from error


def _product(here: State, code: str) -> Product:
    """Return the product of a code, which must be one."""
    listing = here.api.products.list({"search": code}, Extent(limit=None))
    near = list(read_all(listing, _read))
    found = [one for one in near if one.code == code]
    if len(found) == 1:
        return found[0]
    if found:
        told = "; ".join(f"{one.name} (id {one.id})" for one in found)
        raise UsageError(
            f"{OPTION}: {len(found)} products have the code {code!r}: {told}",
            hint=f"name the one that is meant by its id, as in code=id:{found[0].id}",
        )
    names = ", ".join(dict.fromkeys(one.code for one in near if one.code))
    hint = f"did you mean {names}?" if names else "see: acctcli product list"
    raise UsageError(f"{OPTION}: there is no product of the code {code!r}", hint=hint)
