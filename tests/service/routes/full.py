"""A business that has one of everything, each record marked, so that a leak can be told by a word."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from typing import Any, Final

from acctcli.service.routes.table import TABLE
from tests.graphs import MANUAL, edge, graph, node, uuid
from tests.pictures import picture
from tests.service.actor import Actor
from tests.service.routes.books import Books

DAY: Final = "2026-03-10"
YEAR: Final = {"columns": [{"date_from": "2026-01-01", "date_to": "2026-12-31"}]}
# the paths below which single records are read
LISTS: Final = sorted(
    {one.path.rpartition("{")[0] for one in TABLE if one.method == "GET" and re.search(r"/\{\w+_id\}/$", one.path)}
)


@dataclass(frozen=True)
class Full:
    """A business and the ids of what is in it, by the name such an id has in paths."""

    slug: str
    business_id: int
    mark: str
    ids: dict[str, int]
    books: Books


def fill(owner: Actor, mark: str) -> Full:
    """Create a business with one of everything; every text in it holds the mark."""
    made = owner.create_business(f"{mark} Oy", form="FI_OY", default_vat_period=0)
    books = Books(owner, made["slug"])
    ids: dict[str, int] = {}

    def create(kind: str, path: str, body: object, below: Books = books) -> int:
        ids[f"{kind}_id"] = below.create(path, body)["id"]
        return ids[f"{kind}_id"]

    names = [{"key": "fi", "value": f"{mark} name"}]
    header = create("header", "header/", {"name_translations": names, "type": "B"})
    account = {"number": "1999", "name_translations": names, "header_id": header}
    books.ids["1999"] = create("account", "account/", account)
    create("identifier", "identifiers/", {"type": "vat_code", "value": "FI01120389"})
    contact = create("contact", "contacts/", {"name": f"{mark} contact", "invoicing_tax_code": "SE556677889901"})
    tag = create("tag", "tags/", {"name": f"{mark} tag"})
    content = base64.b64encode(mark.encode()).decode()
    ids["file_id"] = books.act("file_upload/", {"name": f"{mark}.txt", "file": content})["id"]
    books.send("PUT", "logo/", {"file": base64.b64encode(picture()).decode()})
    sale = books.sales("1700", [books.row("3380", "500.00", 6)])
    linked = {"contact_id": contact, "tag_ids": [tag], "attachment_ids": [ids["file_id"]]}
    document = {"date": DAY, "description": f"{mark} document", "blueprint": sale, **linked}
    claim = create("document", "document/", document)
    payment = books.sales("1910", [books.row("1700", "500.00")])
    paid = books.create("document/", {"date": DAY, "description": f"{mark} payment", "blueprint": payment})["id"]
    pair = {"related_document": paid, "role": "ACCRUAL", "type": "ACCRUAL_PAIR"}
    create("relation", f"document/{claim}/relation/", pair)
    said = {"type": "action.log", "data": {"message": f"{mark} message"}}
    saved = graph([node(uuid(1), MANUAL), node(uuid(2), said)], [edge(0, 1, 2)])
    flow = create("workflow", "workflows/", {"name": f"{mark} workflow", "react_flow_data": saved, "enabled": True})
    ids["run_id"] = books.create(f"workflows/{flow}/runs/")["id"]
    hook = {"name": f"{mark} webhook", "target_url": f"https://{mark}.example/"}
    subscription = create("subscription", "webhook_subscriptions/", hook)
    create("delivery", f"webhook_subscriptions/{subscription}/action/ping/", None)
    create("product", "product/", {"name": f"{mark} product", "unit": "h", "amount": 1}, books.invoicing)
    bill = {"invoicing_date": DAY, "amount": 1, "import_source": "UPLOAD", "sender_name": f"{mark} sender"}
    create("purchase_invoice", "purchase_invoice/", bill, books.invoicing)
    row = {"name": f"{mark} row", "unit": "h", "amount": 1, "product_count": 1, "vat_rate": 0, "vat_code": 3}
    sold = {"receiver": contact, "invoicing_date": DAY, "payment_condition_days": 14, "rows": [row]}
    invoice = create("invoice", "invoice/", sold, books.invoicing)
    create("message", f"invoice/{invoice}/status_messages/", {"message": f"{mark} message"}, books.invoicing)
    item = {"amount": 1, "account_number": "3000"}
    payout = {"external_id": f"{mark} payout", "source": "shop", "date": DAY, "amount": 1, "items": [item]}
    create("payout", "sales_payouts/", payout)
    create("invitation", "invitations/", {"email": f"{mark}@example.com", "permission_group": "read_only"})
    ids["user_id"] = owner.id
    for kind in ("period", "vat_period"):
        ids[f"{kind}_id"] = books.get(f"{kind}/").body["results"][0]["id"]
    return Full(made["slug"], made["id"], mark, ids, books)


def snapshot(full: Full) -> dict[str, Any]:
    """Return everything a business shows of itself, to see that nothing has changed."""
    places = (path.format(business_slug=full.slug, **full.ids) for path in LISTS)
    shown = {place: full.books.actor.get(place) for place in places}
    return {**shown, "journal": full.books.act("report/journal/", YEAR)}
