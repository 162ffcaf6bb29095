"""Which module answers an address.

The module of `/v1/business/{business_slug}/tags/` is `business.tags`: that of the first word after the business. It is
loaded when one of its addresses is first asked for: a process that answers one read loads one module, and no model.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import import_module
from pkgutil import iter_modules

from acctcli.service.problems import UNCHANGED, Unavailable
from acctcli.service.routes import business, invoicing
from acctcli.service.routes.operation import Area, Operation

ROOMS = {"business": business, "invoicing": invoicing}
# addresses without a business
ALONE = {"auth/jwt": "jwt", "v1/user": "user", "v1/business": "business.business", "v1/audit": "audit"}
# what is answered elsewhere, by its first words after the business
ELSEWHERE = {
    "business/accounting_suggestions": "business.document",
    "business/document/relation": "business.relation",
    "business/file_upload": "business.files",
    "business/invitations": "business.users",
    "business/me": "user",
    "invoicing/invoice/actions": "invoicing.steps",
    "invoicing/invoice/kept": "invoicing.steps",
    "invoicing/invoice/send": "invoicing.steps",
}


@cache
def modules() -> frozenset[str]:
    """Return the names of all modules with operations.

    A folder that cannot be read now is taken for an empty one: Unavailable, and looked at again, rather than believed.
    """
    rooms = {room: [found.name for found in iter_modules(package.__path__)] for room, package in ROOMS.items()}
    if not all(rooms.values()):
        raise Unavailable(f"The service cannot read its own files{UNCHANGED}")
    return frozenset(f"{room}.{name}" for room, names in rooms.items() for name in names) | frozenset(ALONE.values())


@lru_cache(maxsize=128)  # a path may have 16 KiB
def module_of(path: str) -> str | None:
    """Return the name of the module that answers an address, None when there is none such."""
    steps = path.strip("/").split("/")
    if steps[0] != "v1" or len(steps) < 4 or steps[1] not in ROOMS:
        return ALONE.get("/".join(steps[:2]))
    _, room, _, word, *below = steps
    place = f"{room}/{word}"
    deeper = [f"{place}/{step}" for step in below if not step.isdigit()][:1]
    found = next((ELSEWHERE[one] for one in (*deeper, place) if one in ELSEWHERE), f"{room}.{word}")
    return found if found in modules() else None


def operations_of(module: str) -> Iterator[Operation]:
    """Yield the operations that a module declares, loading it."""
    for value in list(vars(import_module(f"acctcli.service.routes.{module}")).values()):
        if isinstance(value, Area):
            yield from value.operations
