"""Ids inside bodies: one of another business is refused by its field, told nothing of, and nothing is changed.

The fields are found in the request models themselves, so that none is forgotten.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

import pytest
from pydantic import BaseModel

from acctcli.service.routes.operation import Operation, load
from acctcli.service.routes.table import TABLE
from tests.pictures import picture
from tests.service.actor import Actor, World
from tests.service.routes.full import Full, fill, snapshot

MARK = "Birchgrove"
LOGO = b64encode(picture()).decode()
# what an integer field of a request refers to, by its name; None: no reference
KINDS: dict[str, str | None] = {
    "header_id": "header_id",
    "parent_id": "header_id",
    "contact_id": "contact_id",
    "tag_ids": "tag_id",
    "attachment_ids": "file_id",
    "attachments": "file_id",
    "receiver": "contact_id",
    "is_credit_note_for": "invoice_id",
    "product": "product_id",
    "original_attachment": "file_id",
    "document": "document_id",
    "related_document": "document_id",
    "exclude_document_ids": "document_id",
    "account_id": "account_id",
    "debet_account_id": "account_id",
    "credit_account_id": "account_id",
    "folder_id": "file_id",
}
NO_REFERENCE = {
    "vat_code", "vat_method", "type", "default_vat_code", "period", "default_vat_period",
    "invoicing_default_payment_condition_days", "payment_condition_days", "interval",
}  # fmt: skip
YEAR = {"date_from": "2026-01-01", "date_to": "2026-12-31"}
Steps = tuple[str, ...]


def valid_body(route: Operation, full: Full) -> dict[str, Any]:
    """Return a body the operation would accept in a business."""
    if route.request is None:
        return {}
    names = [{"key": "fi", "value": "x"}]
    row = {"account_id": full.books.ids["3900"], "amount": 1}
    blueprint = {"debet_account_id": full.books.ids["1910"], "credit_entries": [row]}
    bodies: dict[str, dict[str, Any]] = {
        "account:AccountRequest": {"number": "78", "name_translations": names},
        "business:BusinessRequest": {"name": "x"},
        "business:NewBusiness": {"name": "x"},
        "user:GrantRequest": {"permissions": ["salary"]},
        "user:RevokeRequest": {"permissions": ["salary"]},
        "user:InvitationRequest": {"email": "new@example.com", "permission_group": "bookkeeping"},
        "user:AcceptRequest": {"code": "x"},
        "business:IdentifierRequest": {"type": "vat_code", "value": "FI15728600"},
        "contact:ContactRequest": {"name": "x"},
        "tag:TagRequest": {"name": "x"},
        "header:HeaderRequest": {"name_translations": names, "type": "B"},
        "document:DocumentRequest": {"date": "2026-03-10", "blueprint": blueprint},
        "document:AttachmentIdsRequest": {"attachment_ids": [full.ids["file_id"]]},
        "document:SetFilesRequest": {"attachment_ids": [full.ids["file_id"]]},
        "relation:RelationRequest": {
            "related_document": full.ids["document_id"],
            "role": "SETTLEMENT",
            "type": "ACCRUAL_PAIR",
        },
        "document:PreviewRequest": {"blueprint": blueprint},
        "document:CommentRequest": {"text": "x"},
        "file:FileRequest": {"name": "x.txt"},
        "file:LogoRequest": {"file": LOGO},
        "file:UploadRequest": {"name": "x.txt", "file": "eA=="},
        "period:PeriodRequest": {"start_date": "2031-01-01", "end_date": "2031-12-31"},
        "vat_period:VatPeriodRequest": {},
        "invoice:SalesInvoiceRequest": {
            "receiver": full.ids["contact_id"],
            "invoicing_date": "2026-03-10",
            "payment_condition_days": 14,
            "rows": [{"name": "x", "unit": "h", "amount": 1, "product_count": 1, "vat_rate": 0, "vat_code": 3}],
        },
        "invoice:InvoiceAcceptRequest": {},
        "invoice:InvoicePaymentRequest": {},
        "invoice:InvoiceLossRequest": {},
        "invoice:StatusMessageRequest": {"message": "x"},
        "delivery:SendRequest": {"delivery_method": "PAPER"},
        "product:ProductRequest": {"name": "x", "unit": "h", "amount": 1},
        "purchase_invoice:PurchaseInvoiceRequest": {
            "invoicing_date": "2026-03-10",
            "amount": 1,
            "import_source": "UPLOAD",
        },
        "sales_payout:SalesPayoutRequest": {
            "external_id": "x",
            "source": "shop",
            "date": "2026-03-10",
            "amount": 1,
            "items": [{"amount": 1, "account_number": "3000"}],
        },
        "jwt:JwtRequest": {},
        "vat_period:VatFilingRequest": {},
        "vat_period:VatReopenRequest": {"reason": "x"},
        "workflow:WorkflowRequest": {"name": "x"},
        "workflow:RunRequest": {},
        "webhook:WebhookRequest": {"name": "x", "target_url": "https://example.com/"},
    }
    model = route.request.removeprefix("acctcli.models.")
    if model.startswith("report:"):
        is_point = model == "report:PointReportRequest"
        return {"columns": [{"date_at": "2026-12-31"} if is_point else YEAR]}
    return deepcopy(bodies[model])


def integer_fields(schema: Mapping[str, Any], defs: Mapping[str, Any], at: Steps = ()) -> Iterator[Steps]:
    """Yield the way to every field that holds an integer, or integers; rows of an array are one step `[]`."""
    if "$ref" in schema:
        yield from integer_fields(defs[schema["$ref"].rsplit("/", 1)[1]], defs, at)
    for branch in (*schema.get("anyOf", ()), *schema.get("allOf", ())):
        yield from integer_fields(branch, defs, at)
    for field, inner in schema.get("properties", {}).items():
        yield from integer_fields(inner, defs, (*at, field))
    if schema.get("type") == "array":
        yield from integer_fields(schema["items"], defs, (*at, "[]"))
    if schema.get("type") == "integer":
        yield at


def references(route: Operation) -> Iterator[tuple[Steps, str]]:
    """Yield the fields of a body that name a record, and what kind of record."""
    if route.request is None:
        return
    model: type[BaseModel] = load(route.request)
    schema = model.model_json_schema()
    for steps in dict.fromkeys(integer_fields(schema, schema.get("$defs", {}))):
        # an object that is nothing but an id is called as what it names
        field = next(step for step in reversed(steps) if step not in {"[]", "id"})
        if field in NO_REFERENCE:
            continue
        kind = "account_id" if re.fullmatch(r"account_\w+", field) else KINDS[field]
        if kind is not None:
            yield steps, kind


CASES = [
    pytest.param(route, steps, kind, id=f"{route.method} {route.path} {'.'.join(steps)}")
    for route in TABLE
    for steps, kind in references(route)
]


@pytest.fixture(scope="module")
def owner(shared: World) -> Actor:
    return shared.user()


@pytest.fixture(scope="module")
def mine(owner: Actor) -> Full:
    return fill(owner, "Alderwood")


@pytest.fixture(scope="module")
def theirs(owner: Actor) -> Full:
    return fill(owner, MARK)


def put(body: Any, steps: Steps, value: int) -> Any:
    """Return the body with a value at a place, which is made where it is missing."""
    if not steps:
        return value
    if steps[0] == "[]":
        rows = list(body or [])
        first = rows[0] if rows and isinstance(rows[0], dict) else {}
        return [put(first, steps[1:], value), *rows[1:]]
    return {**(body or {}), steps[0]: put((body or {}).get(steps[0]), steps[1:], value)}


def fitting(steps: Steps, body: dict[str, Any]) -> dict[str, Any]:
    """Leave out of a blueprint what excludes the field that is tried."""
    if steps[:1] == ("blueprint",):
        blueprint = body["blueprint"]
        blueprint.pop("credit_entries" if steps[1].startswith("credit_account") else "", None)
        blueprint.pop("debet_account_id" if steps[1] == "debet_entries" else "", None)
    return body


@pytest.mark.together
@pytest.mark.parametrize(("route", "steps", "kind"), CASES)
def test_a_foreign_id_in_a_body_is_refused(
    owner: Actor, mine: Full, theirs: Full, route: Operation, steps: Steps, kind: str
) -> None:
    body = put(fitting(steps, valid_body(route, mine)), steps, theirs.ids[kind])
    place = re.sub(
        r"\{(\w+)\}", lambda found: str(mine.ids[found[1]]), route.path.replace("{business_slug}", mine.slug)
    )
    before = snapshot(mine)
    reply = owner.send(route.method, place, body)
    assert MARK.encode() not in reply.raw
    if steps[0] == "exclude_document_ids":
        assert reply.status == 200  # to leave out what is not there anyway
    else:
        assert reply.status == 400, reply
        assert steps[0] in reply.body
    assert snapshot(mine) == before


def test_there_are_cases_for_every_kind() -> None:
    kinds = {case.values[2] for case in CASES}
    assert kinds == {kind for kind in KINDS.values() if kind}
