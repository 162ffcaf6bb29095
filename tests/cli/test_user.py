"""`acctcli user`: what it says to the service, and what it shows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import At, Cli, Outcome, found, succeed
from tests.cli.recorder import recorder, said

USER = {
    "id": 7,
    "email": "ada@books.example",
    "first_name": "Ada",
    "last_name": "Lovelace",
    "language": "fi",
    "last_active_business_slug": "demo",
    "date_joined": "2026-01-02T10:00:00Z",
    "tos_accepted": True,
}


@pytest.mark.together
@pytest.mark.parametrize(
    ("verb", "method", "body"),
    [
        ("get", "GET", None),
        ("update", "PATCH", {"first_name": "Ada"}),
        ("replace", "PUT", {"first_name": "Ada"}),
    ],
)
def test_each_verb_is_one_request_and_shows_who_you_are(
    cli: Cli, at: At, verb: str, method: str, body: dict[str, str] | None
) -> None:
    with recorder(said(USER)) as server:
        at(server)
        shown = succeed(cli("user", verb, *(("--set", "first_name=Ada") if body else ())))
        (sent,) = server.sent
    assert (sent.method, sent.path, json.loads(sent.body or b"null")) == (method, "/v1/user/", body)
    assert [tuple(line.split()) for line in shown.lines()[2:]] == [
        ("id", "7"),
        ("email", "ada@books.example"),
        ("first_name", "Ada"),
        ("last_name", "Lovelace"),
        ("language", "fi"),
        ("last_active_business_slug", "demo"),
        ("date_joined", "2026-01-02T10:00:00Z"),
    ]


# --- the people of a business ---

ANNA = "anna@example.com"
ACTS = (
    ("list",),
    ("invite", "dora@example.com", "--role", "admin"),
    ("grant", "7", "--role", "admin"),
    ("revoke", "7", "--permission", "admin"),
    ("remove", "7", "--yes"),
    ("invitations",),
    ("invitations", "--mine"),
    ("withdraw", "7", "--yes"),
    ("accept", "7"),
    ("reject", "7"),
)


@pytest.fixture
def company(cli: Cli, home: Path) -> None:
    """A business of the person at this machine."""
    found(cli, "--name", "Demo Oy", "--form", "FI_OY", "--slug", "demo")
    succeed(cli("business", "use", "demo"))


@pytest.fixture
def anna(cli: Cli, company: None, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    """Run a command as Anna, who is the second user, and in no business yet."""
    token = succeed(cli("local", "token", "--user", ANNA)).out.strip()

    def call(*argv: str) -> Outcome:
        with monkeypatch.context() as hers:
            hers.setenv("ACCTCLI_LOCAL_TOKEN", token)
            return cli(*argv)

    return call


def people(cli: Cli) -> list[tuple[str, str, list[str]]]:
    """Who is there, as which role, with which keys."""
    rows: list[dict[str, Any]] = succeed(cli("user", "list", "--json")).json()
    return [(one["email"], one["permission_group"], one["permissions"]) for one in rows]


ME = ("local@localhost", "admin", ["admin"])
INVOICING = ["files_editor", "invoicing_admin", "invoicing_editor", "contact_editor"]


def test_somebody_is_invited_comes_in_does_more_and_less_and_leaves(cli: Cli, anna: Callable[..., Outcome]) -> None:
    made = succeed(cli("user", "invite", ANNA, "--role", "invoicing", "--json"))
    assert (made.json()["email"], made.json()["status"], made.json()["permissions"]) == (ANNA, "OPEN", INVOICING)
    assert "note: no mail server is set: the mail, which has the code, lies in " in made.err
    (folder,) = re.findall(r"lies in (\S+)", made.err)
    assert len(list(Path(folder).glob("invitation-1-*.eml"))) == 1
    assert anna("contact", "list").code == 5
    (waiting,) = succeed(anna("user", "invitations", "--mine", "--json")).json()
    assert (waiting["business_slug"], waiting["inviter"], waiting["needs_code"]) == ("demo", "local@localhost", False)
    assert succeed(anna("user", "accept", str(waiting["id"]), "--json")).json()["status"] == "ACCEPTED"
    assert people(cli) == [ME, (ANNA, "invoicing", INVOICING)]
    succeed(anna("contact", "create", "--name", "Asiakas Oy"))

    granted = succeed(cli("user", "grant", "ANNA@example.com", "--permission", "bookkeeping-read", "--json")).json()
    assert (granted["id"], granted["permissions"]) == (2, ["bookkeeping_read", *INVOICING])
    rest = INVOICING[1:]
    succeed(cli("user", "revoke", "2", "--permission", "bookkeeping_read", "--permission", "files_editor"))
    assert people(cli)[1:] == [(ANNA, "custom", rest)]
    shown = succeed(cli("user", "list", "--email", ANNA)).lines()
    assert [line.split() for line in shown[2:]] == [["2", ANNA, "custom", json.dumps(rest, separators=(",", ":"))]]
    for yes in ((), ("--yes",)):
        nothing = cli("user", "revoke", ANNA, *yes)
        assert (nothing.code, nothing.out) == (2, "")
        assert "nothing is revoked" in nothing.err
        assert f"acctcli user remove {ANNA}" in nothing.err
    assert people(cli)[1:] == [(ANNA, "custom", rest)]
    unasked = cli("user", "remove", ANNA)
    assert (unasked.code, f"Take {ANNA} out of the business demo?" in unasked.err) == (2, True)
    done = succeed(cli("user", "remove", ANNA, "--yes"))
    assert (done.out, done.err) == ("", f"Took {ANNA} out of the business demo.\n")
    assert people(cli) == [ME]
    gone = cli("user", "remove", ANNA, "--yes")
    assert (gone.code, f"nobody in this business has the address {ANNA}" in gone.err) == (6, True)


def test_the_last_administrator_stays(cli: Cli, company: None) -> None:
    told = "local@localhost is the last administrator of this business: make somebody else one before."
    for command in (("revoke", "local@localhost", "--permission", "admin"), ("remove", "1", "--yes")):
        refused = cli("user", *command)
        assert (refused.code, told in refused.err) == (8, True)
    assert people(cli) == [ME]


def test_an_invitation_may_need_its_code_be_withdrawn_or_rejected(
    cli: Cli, company: None, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = succeed(cli("user", "invite", "dora@example.com", "--role", "read-only", "--json")).json()
    token = succeed(cli("local", "token", "--user", "dora@example.com")).out.strip()
    (mail,) = home.rglob("invitation-1-*.eml")
    (code,) = re.findall(r"(?m)^    ([0-9a-f]{32})\r?$", mail.read_text())
    with monkeypatch.context() as hers:
        hers.setenv("ACCTCLI_LOCAL_TOKEN", token)
        refused = cli("user", "accept", str(first["id"]))
        assert (refused.code, "This needs the code of the mail" in refused.err) == (5, True)
        succeed(cli("user", "accept", str(first["id"]), "--with-code", stdin=f" {code}\n"))
        assert (
            succeed(cli("business", "permissions", "--json")).json()["granted_permission_ids"][0] == "bookkeeping_read"
        )
    succeed(cli("user", "remove", "dora@example.com", "--yes"))

    second = succeed(cli("user", "invite", "dora@example.com", "--permission", "files_read", "--json")).json()
    with monkeypatch.context() as hers:
        hers.setenv("ACCTCLI_LOCAL_TOKEN", token)
        assert succeed(cli("user", "reject", str(second["id"]), "--json")).json()["status"] == "REJECTED"
    third = succeed(cli("user", "invite", "dora@example.com", "--role", "admin", "--json")).json()
    assert [one["id"] for one in succeed(cli("user", "invitations", "--status", "open", "--json")).json()] == [3]
    succeed(cli("user", "withdraw", str(third["id"]), "--yes"))
    told = succeed(cli("user", "invitations", "--json")).json()
    assert [(one["id"], one["status"]) for one in told] == [(1, "ACCEPTED"), (2, "REJECTED")]


def test_the_mail_says_where_people_sign_in(
    cli: Cli, company: None, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the inviter's command calls the service in process."""
    succeed(cli("user", "invite", "dora@example.com", "--role", "admin"))
    monkeypatch.setenv("ACCTCLI_PUBLIC_URL", "https://books.example/")
    succeed(cli("user", "invite", "eva@example.com", "--role", "admin"))
    first, second = (next(home.rglob(f"invitation-{number}-*.eml")).read_text() for number in (1, 2))
    assert ("/identity/" in first, "\n    https://books.example/identity/invitation\n" in second) == (False, True)
    monkeypatch.setenv("ACCTCLI_PUBLIC_URL", "https://books.example/path")
    refused = cli("user", "list")
    assert (refused.code, refused.err) == (2, "error: ACCTCLI_PUBLIC_URL is scheme, host and port, without a path\n")


def test_nothing_is_granted_by_halves(cli: Cli, company: None) -> None:
    nothing = cli("user", "grant", "1")
    assert (nothing.code, "give --role ROLE, or --permission KEY" in nothing.err) == (2, True)
    for command in (("grant", "1", "--role", "boss"), ("invite", ANNA, "--permission", "everything")):
        refused = cli("user", *command)
        assert (refused.code, "(--role)" in refused.err or "(--permission)" in refused.err) == (2, True)
    for more in ((), ("--permission", "salary")):
        refused = cli("user", "grant", "1", "--role", "custom", *more)
        told = "'custom' is no role that can be granted: admin, read-only, bookkeeping, invoicing"
        assert (refused.code, refused.err) == (2, f"error: permission_group (--role): {told}\n")
    assert cli("user", "invite", "no address", "--role", "admin").code == 2
    both = cli("user", "invitations", "--mine", "--status", "open")
    assert (both.code, "--mine and --status exclude each other" in both.err) == (2, True)


def test_a_rehearsal_changes_nothing(cli: Cli, company: None) -> None:
    members, own = "/v1/business/demo/users/", "/v1/user/invitations/"
    plans = {
        ("invite", ANNA, "--role", "read-only"): (
            "POST",
            "/v1/business/demo/invitations/",
            {"email": ANNA, "permission_group": "read_only"},
        ),
        ("grant", "7", "--permission", "salary"): ("POST", f"{members}7/action/grant/", {"permissions": ["salary"]}),
        ("revoke", "7", "--permission", "admin"): ("POST", f"{members}7/action/revoke/", {"permissions": ["admin"]}),
        ("remove", "local@localhost"): ("DELETE", f"{members}1/", None),
        ("remove", "7"): ("DELETE", f"{members}7/", None),
        ("withdraw", "7"): ("DELETE", "/v1/business/demo/invitations/7/", None),
        ("accept", "7"): ("POST", f"{own}7/accept/", {}),
        ("reject", "7"): ("POST", f"{own}7/reject/", {}),
    }
    for argv, (method, path, body) in plans.items():
        plan = succeed(cli("user", *argv, "--dry-run", "--json")).json()
        assert (plan["method"], plan["path"], plan["body"]) == (method, path, body)
    assert people(cli) == [ME]
    assert succeed(cli("user", "invitations", "--json")).json() == []


@pytest.mark.together
@pytest.mark.parametrize("argv", ACTS, ids=" ".join)
def test_only_the_environment_local_has_these(cli: Cli, at: At, argv: tuple[str, ...]) -> None:
    with recorder(said(USER)) as server:
        at(server)
        refused = cli("user", *argv)
        assert (refused.code, refused.out, server.sent) == (2, "", [])
    assert "stands for a service whose interface has no such operation" in refused.err
