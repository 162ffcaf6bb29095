"""Every role, every key and every operation, as docs/roles.md says; and nothing of another business.

The page is the word that is not the code's: its tables are read here, and each operation is asked for over HTTP by a
person of each kind, with a body that is refused, if at all, after the permission was looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from acctcli.models.enums import PermissionGroup
from acctcli.service.routes.table import TABLE
from acctcli.service.store.people import users
from tests.service.actor import KEYS, Actor, Reply, World
from tests.service.routes.full import Full, fill

PAGE = (Path(__file__).parents[3] / "docs" / "roles.md").read_text(encoding="utf-8")
NOBODY = 999_999
MINE, THEIRS = "Alderwood", "Birchgrove"
ROLES = {"R": "read_only", "B": "bookkeeping", "I": "invoicing"}
ENDINGS = {"r": "read", "e": "editor", "a": "admin", "t": "attachment"}
# reads that have nothing to show in a business that has one of everything, or are not asked for enough
EMPTY = {
    "constants/vat_rates/": 400,  # of which day
    "fingerprint/{fingerprint_id}/": 404,  # no period is closed
    "invoice/{invoice_id}/kept/": 412,  # its invoice is a draft
}


class Rule(NamedTuple):
    """An operation, and who may ask for it: roles, and single keys; everybody in the business when `is_open`."""

    method: str
    root: str
    below: str
    roles: frozenset[str]
    keys: frozenset[str]
    is_open: bool

    @property
    def path(self) -> str:
        return self.root + self.below

    def admits(self, kind: str) -> bool:
        """Whether a person of a kind may; a kind is a role, a key, or `member`, who may nothing more."""
        return self.is_open or kind == "admin" or kind in self.roles or kind in self.keys


@cache
def rules() -> tuple[Rule, ...]:
    """What the tables say, a rule for each operation."""
    return tuple(_rules())


def _rules() -> Iterator[Rule]:
    for root, lines in re.findall(r"^## \d Below `(\S+)`\n\n((?:\|.*\n)+)", PAGE, re.MULTILINE):
        head, _, *rows = lines.splitlines()
        _, _, *areas = _cells(head)
        for row in rows:
            operation, said, *letters = _cells(row)
            words = operation.strip("`").split()
            below = "" if words[-1].isupper() else words.pop()
            keys = {f"{area}_{ENDINGS[one]}" for area, some in zip(areas, letters, strict=True) for one in some.split()}
            roles = frozenset() if said == "all" else frozenset(ROLES[one] for one in said.split())
            yield from (Rule(method, root, below, roles, frozenset(keys), said == "all") for method in words)


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def others() -> Iterator[tuple[str, str, str]]:
    """Yield the operations without a business: method, path, and who may ask for it."""
    table = PAGE.split("\n| operation | who |\n")[1].split("\n\n")[0]
    for row in table.splitlines()[1:]:
        operation, who = _cells(row)
        *methods, path = operation.strip("`").split()
        yield from ((method, path, who) for method in methods)


def test_the_page_has_every_operation_once() -> None:
    told = [f"{rule.method} {rule.path}" for rule in rules()] + [f"{method} {path}" for method, path, _ in others()]
    assert sorted(told) == sorted(f"{one.method} {one.path}" for one in TABLE)


def test_the_roles_of_the_page_are_those_that_the_keys_make(
    shared: World, mine: Full, people: dict[str, Actor]
) -> None:
    """A role may what any of its keys may, and nothing else."""
    for role in ROLES.values():
        held = set(people[role].get(f"/v1/business/{mine.slug}/me/permissions/")["granted_permission_ids"])
        assert held
        for rule in rules():
            assert rule.is_open or (role in rule.roles) == bool(rule.keys & held), (role, rule)


@pytest.fixture(scope="module")
def owner(shared: World) -> Actor:
    return shared.user()


@pytest.fixture(scope="module")
def mine(owner: Actor) -> Full:
    return fill(owner, MINE)


@pytest.fixture(scope="module")
def theirs(shared: World) -> Full:
    """A business of somebody else."""
    return fill(shared.user(), THEIRS)


@pytest.fixture(scope="module")
def people(shared: World, owner: Actor, mine: Full) -> dict[str, Actor]:
    """A person of each kind; what they may do was granted as administrators grant it."""

    def come(kind: str, body: dict[str, object] | None) -> Actor:
        actor = shared.user(f"{kind}@people.example")
        shared.permit(actor, mine.business_id)
        if body is not None:
            path = f"/v1/business/{mine.slug}/users/{actor.id}/action/grant/"
            assert owner.send("POST", path, body).status == 200
        return actor

    roles = [one.value for one in PermissionGroup if one != PermissionGroup.CUSTOM]
    return {
        **{kind: come(kind, {"permission_group": kind}) for kind in roles},
        **{key: come(key, {"permissions": [key]}) for key in KEYS if key != "admin"},
        "member": come("member", None),
    }


@pytest.fixture(scope="module")
def doomed(shared: World, people: dict[str, Actor]) -> str:
    """The slug of a business that whoever may delete it may delete."""
    made = shared.user().create_business("Doomed")
    shared.permit(people["admin"], made["id"], "admin")
    return str(made["slug"])


def ask(actor: Actor, rule: Rule, slug: str, ids: dict[str, int]) -> Reply:
    path = rule.path.replace("{business_slug}", slug)
    place = re.sub(r"\{(\w+)\}", lambda field: str(ids.get(field[1], NOBODY)), path)
    return actor.send(rule.method, place, None if rule.method == "GET" else {})


@pytest.mark.together
@pytest.mark.parametrize("rule", rules(), ids=lambda rule: f"{rule.method} {rule.path}")
def test_everybody_may_what_the_page_says_and_nothing_else(
    shared: World, people: dict[str, Actor], mine: Full, theirs: Full, doomed: str, rule: Rule
) -> None:
    # reads go to real records; writes to none, or the first one allowed would leave nothing for the others
    ids = mine.ids if rule.method == "GET" else {}
    for kind, actor in people.items():
        is_end = (rule.method, rule.path, kind) == ("DELETE", "/v1/business/{business_slug}/", "admin")
        reply = ask(actor, rule, doomed if is_end else mine.slug, ids)
        assert THEIRS.encode() not in reply.raw, kind
        if not rule.admits(kind):
            assert reply.error == (403, "permission_denied"), (kind, reply)
            told = reply.body["detail"].removeprefix("This needs one of the permissions ").rstrip(".").split(", ")
            assert set(told) == {*rule.keys, "admin"}, kind
            assert MINE.encode() not in reply.raw, kind
        elif rule.method == "GET":
            assert reply.status == EMPTY.get(rule.below, 200), (kind, reply)
        else:
            assert reply.status in (200, 201, 204, 400, 404, 412), (kind, reply)
        closed = ask(actor, rule, theirs.slug, theirs.ids)
        assert closed.error == (403, "permission_denied"), (kind, closed)
        assert closed.body["detail"] == "This business is not yours."
        assert THEIRS.encode() not in closed.raw, kind


@pytest.mark.together
@pytest.mark.parametrize(("method", "path", "who"), list(others()), ids=str)
def test_what_names_no_business_is_for_whom_the_page_says(
    shared: World, owner: Actor, people: dict[str, Actor], theirs: Full, method: str, path: str, who: str
) -> None:
    place = path.replace("{invitation_id}", str(NOBODY))
    body = None if method == "GET" else {"name": ""} if path == "/v1/business/" else {}
    # whoever it is for; of an invitation that nobody has nobody hears more
    expected = {"POST /v1/business/": 400, "POST /auth/jwt/": 200}.get(f"{method} {path}", 404 if "{" in path else 200)
    for kind, actor in people.items():
        reply = actor.send(method, place, body)
        assert THEIRS.encode() not in reply.raw, kind
        if who == "the owner of the service":
            assert reply.error == (403, "permission_denied"), kind
        else:
            assert reply.status == expected, (kind, reply)
    if who == "the owner of the service":
        if not _is_local(shared):
            shared.database.write(lambda conn: users.make_local(conn, owner.id))
        assert owner.send(method, place).status == 200
    assert owner.client.request(method, place).status_code == 401


def _is_local(shared: World) -> bool:
    with shared.database.read() as conn:
        return users.local(conn) is not None
