"""Roles: named sets of permissions, each enough for a kind of work (docs/interface.md 2.5)."""

from __future__ import annotations

from collections.abc import Collection

from acctcli.models.enums import PermissionGroup as Group
from acctcli.models.enums import PermissionKey as Key

ROLES: dict[Group, frozenset[Key]] = {
    Group.ADMIN: frozenset({Key.ADMIN}),
    Group.READ_ONLY: frozenset(key for key in Key if key.endswith("_read")),
    Group.BOOKKEEPING: frozenset(
        {
            Key.BOOKKEEPING_ADMIN,
            Key.BOOKKEEPING_EDITOR,
            Key.ACCOUNTS_EDITOR,
            Key.FILES_EDITOR,
            Key.INVOICING_READ,
            Key.CONTACT_EDITOR,
            Key.REPORTING_ADMIN,
            Key.REPORTING_EDITOR,
        }
    ),
    Group.INVOICING: frozenset({Key.FILES_EDITOR, Key.INVOICING_ADMIN, Key.INVOICING_EDITOR, Key.CONTACT_EDITOR}),
    Group.CUSTOM: frozenset(),
}


def in_order(keys: Collection[str]) -> list[str]:
    """Return permission keys as they are kept and shown: each once, in the order of the enumeration."""
    return [key.value for key in Key if key in keys]


def keys_of(group: str | None, more: Collection[str]) -> list[str]:
    """Return the keys of a role, if there is one, with others beside them."""
    return in_order({*(ROLES[Group(group)] if group else ()), *more})


def group_of(keys: Collection[str]) -> str:
    """Return the role that has exactly these keys; administrators are such, whatever else they have."""
    if Key.ADMIN in keys:
        return Group.ADMIN.value
    return next((group.value for group, those in ROLES.items() if those and those == set(keys)), Group.CUSTOM.value)
