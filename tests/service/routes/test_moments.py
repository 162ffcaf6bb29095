"""When records were made and last changed: a change moves `updated_at`, by which exports go, and `created_at` stays."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

import pytest

from acctcli.service.routes.operation import Operation, load
from acctcli.service.routes.table import TABLE
from acctcli.service.store.moments import stamp
from tests.service.actor import World
from tests.service.routes.full import Full, fill

STAMPS: Final = ("created_at", "updated_at")
CHANGES: Final[dict[str, dict[str, Any]]] = {
    "update_account": {"description": "Till"},
    "update_business": {"contact_phone": "+358 1"},
    "update_contact": {"notes": "Rings on Mondays"},
    "update_document": {"description": "Other words"},
    "update_file": {"name": "other.txt"},
    "update_invoice": {"description": "Other words"},
    "update_period": {"end_date": "2027-03-31"},
    "update_product": {"unit": "kg"},
    "update_purchase_invoice": {"message": "Other words"},
    "update_relation": {"role": "SETTLEMENT"},
    "update_subscription": {"name": "Other"},
    "update_tag": {"color": "red"},
    "update_vat_period": {"period": 1},
    "update_workflow": {"name": "Other"},
}
CHANGING: Final = [
    one for one in TABLE if one.method == "PATCH" and "updated_at" in load(str(one.response)).__annotations__
]


@pytest.fixture(scope="module")
def full(shared: World) -> Full:
    return fill(shared.user(), "Moments")


@pytest.mark.together
@pytest.mark.parametrize("operation", CHANGING, ids=lambda one: one.name)
def test_a_change_is_the_last_one(operation: Operation, shared: World, full: Full) -> None:
    actor, path = full.books.actor, operation.path.format(business_slug=full.slug, **full.ids)
    before = actor.get(path)
    shared.clock.move(timedelta(minutes=1))
    reply = actor.send("PATCH", path, CHANGES[operation.name])
    assert (reply.status, reply.body) == (200, actor.get(path))
    assert [reply.body[name] for name in STAMPS] == [before["created_at"], stamp(shared.clock.now)]
