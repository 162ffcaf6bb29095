"""Roles are sets of keys, and known by them (docs/interface.md 2.5)."""

from __future__ import annotations

import pytest

from acctcli.models.enums import PermissionGroup, PermissionKey
from acctcli.service.rules.roles import ROLES, group_of, in_order, keys_of


def test_every_role_has_keys_but_the_one_that_is_chosen_key_by_key() -> None:
    assert set(ROLES) == set(PermissionGroup)
    assert [group for group, keys in ROLES.items() if not keys] == [PermissionGroup.CUSTOM]
    assert ROLES[PermissionGroup.READ_ONLY] == {
        PermissionKey.BOOKKEEPING_READ,
        PermissionKey.ACCOUNTS_READ,
        PermissionKey.FILES_READ,
        PermissionKey.INVOICING_READ,
        PermissionKey.CONTACT_READ,
        PermissionKey.REPORTING_READ,
    }


@pytest.mark.parametrize(
    ("group", "more", "keys", "known_as"),
    [
        ("admin", [], ["admin"], "admin"),
        ("admin", ["salary"], ["admin", "salary"], "admin"),
        ("invoicing", [], ["files_editor", "invoicing_admin", "invoicing_editor", "contact_editor"], "invoicing"),
        (
            "invoicing",
            ["salary", "contact_editor"],
            ["files_editor", "invoicing_admin", "invoicing_editor", "contact_editor", "salary"],
            "custom",
        ),
        ("custom", [], [], "custom"),
        (None, ["salary", "files_read", "salary"], ["files_read", "salary"], "custom"),
    ],
)
def test_keys_of_a_role_and_others_are_kept_in_one_order(
    group: str | None, more: list[str], keys: list[str], known_as: str
) -> None:
    assert keys_of(group, more) == keys
    assert group_of(keys) == known_as


@pytest.mark.parametrize("group", [one for one in PermissionGroup if one != PermissionGroup.CUSTOM])
def test_a_role_is_known_by_its_keys(group: PermissionGroup) -> None:
    assert group_of(in_order(ROLES[group])) == group.value
