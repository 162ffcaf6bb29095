"""Sales payouts of a business: `/v1/business/{business_slug}/sales_payouts/` (docs/interface.md 8.2).

They are kept, and not posted: which account takes them is for the bookkeeper to say (docs/interface.md 8.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from acctcli.service.cases.bodies import kept_cents, require_files
from acctcli.service.cases.work import Work, found
from acctcli.service.problems import Invalid
from acctcli.service.routes.operation import BILLS_READ, BILLS_WRITE, ONE_BUSINESS, Area
from acctcli.service.routes.parameters import Parameter
from acctcli.service.rules.money import from_cents, rate_text, to_cents
from acctcli.service.store.invoicing import payouts
from acctcli.service.store.links import unique
from acctcli.service.store.rows import Taken

if TYPE_CHECKING:
    from acctcli.models.sales_payout import SalesPayout, SalesPayoutItem, SalesPayoutItemRequest, SalesPayoutRequest

FIELDS = ("external_id", "end_to_end_id", "source", "date", "currency", "description")

PayoutRow = Mapping[str, Any]


def _create(work: Work, body: SalesPayoutRequest) -> SalesPayout:
    """Create a payout: its items come to its amount, and no other has its external id."""
    _check_sum(body)
    files = unique(body.attachments)
    require_files(work, "attachments", files)
    written = {name: getattr(body, name) for name in FIELDS}
    values = {**written, "amount_cents": kept_cents("amount", body.amount), **work.born}
    payout_id = _insert(work, values)
    rows = [{**_item_columns(item), **work.born} for item in body.items]
    items = payouts.add_items(work.conn, work.business.id, payout_id, rows)
    payouts.ATTACHMENTS.write(work.conn, work.business.id, payout_id, files)
    shown = _shown({**values, "id": payout_id}, items, files)
    work.emit("sales_payout.created", shown)
    return shown


def _get(work: Work, payout_id: int) -> SalesPayout:
    return _with_parts(work, [found(payouts.get(work.conn, work.business.id, payout_id), "sales payout")])[0]


def _check_sum(body: SalesPayoutRequest) -> None:
    total = sum(item.amount for item in body.items)
    if total != body.amount:
        raise Invalid.field("items", f"The items come to {total} and the payout to {body.amount}.")


def _insert(work: Work, values: PayoutRow) -> int:
    try:
        return payouts.create(work.conn, work.business.id, values)
    except Taken:
        raise Invalid.field("external_id", "Another payout has this external id.") from None


def _item_columns(item: SalesPayoutItemRequest) -> dict[str, Any]:
    return {
        "amount_cents": kept_cents("items", item.amount),
        "description": item.description,
        "vat_code": item.vat_code,
        "vat_rate": to_cents(item.vat_rate),
        "account_number": item.account_number,
    }


def _with_parts(work: Work, rows: Iterable[PayoutRow]) -> list[SalesPayout]:
    """Return payouts as they are shown; items and files are looked up for all of them at once."""
    ids = [row["id"] for row in rows]
    items = payouts.items(work.conn, work.business.id, ids)
    files = payouts.ATTACHMENTS.of(work.conn, work.business.id, ids)
    return [_shown(row, items[row["id"]], files[row["id"]]) for row in rows]


def _shown(row: PayoutRow, items: Iterable[PayoutRow], files: Sequence[int]) -> SalesPayout:
    return {
        "id": row["id"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "external_id": row["external_id"],
        "end_to_end_id": row["end_to_end_id"],
        "source": row["source"],
        "date": row["date"],
        "amount": from_cents(row["amount_cents"]),
        "currency": row["currency"],
        "description": row["description"],
        "attachments": files,
        "items": [_shown_item(item) for item in items],
    }


def _shown_item(item: PayoutRow) -> SalesPayoutItem:
    return {
        "id": item["id"],
        "created_at": item["created_at"],
        "updated_at": item["updated_at"],
        "amount": from_cents(item["amount_cents"]),
        "description": item["description"],
        "vat_code": item["vat_code"],
        "vat_rate": rate_text(item["vat_rate"]),
        "account_number": item["account_number"],
    }


AREA = Area(
    "sales_payout",
    f"{ONE_BUSINESS}sales_payouts/",
    "sales_payout",
    one="{payout_id}/",
    read=BILLS_READ,
    write=BILLS_WRITE,
    request="sales_payout:SalesPayoutRequest",
    response="sales_payout:SalesPayout",
)
AREA.list(
    payouts.list_page,
    _with_parts,
    Parameter("external_id", "string", "The whole id of the provider."),
    Parameter("source", "string", "Who paid it out."),
    Parameter("date_from", "date", "First day, inclusive."),
    Parameter("date_to", "date", "Last day, inclusive."),
)
AREA.create(_create)
AREA.get(_get)
