"""The people of a business: who is there, what they may do, and how they come in (docs/interface.md 2.5)."""

from __future__ import annotations

import email
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from email.message import Message
from email.policy import default
from hashlib import sha256
from typing import Any

import pytest
from sqlalchemy import select, update

from acctcli.models.user import BusinessInvitation, Member, OwnInvitation
from acctcli.service.delivery.smtp import mail_server
from acctcli.service.identity.keeper import Keeper
from acctcli.service.problems import Unavailable
from acctcli.service.store import service_trail
from acctcli.service.store.businesses import give_up
from acctcli.service.store.events import SERVICE
from acctcli.service.store.people import invitations
from acctcli.service.store.schema.business import invitation, users
from acctcli.service.store.schema.events import event
from tests.mail_server import PASSWORD, USER, serving_mail
from tests.replies import check_reply
from tests.service.actor import LOGIN_ADDRESS, Actor, World
from tests.service.routes.books import Books
from tests.sql import execute

pytestmark = pytest.mark.everywhere

OWN = "/v1/user/invitations/"
BOOKKEEPING = [
    "bookkeeping_admin",
    "bookkeeping_editor",
    "accounts_editor",
    "files_editor",
    "invoicing_read",
    "contact_editor",
    "reporting_admin",
    "reporting_editor",
]
Letters = Callable[[], list[Message]]


@pytest.fixture
def letters(shared: World, books: Books) -> Letters:
    """What was sent for the business, in order."""

    def read() -> list[Message]:
        found = (shared.outbox.folder / slug_of(books)).glob("*.eml")
        return [email.message_from_bytes(path.read_bytes()) for path in sorted(found)]

    return read


@pytest.fixture
def events_of_service(shared: World) -> Callable[[int], list[tuple[str, Any]]]:
    """What the trail of the service says of rights in a business."""

    def read(business_id: int) -> list[tuple[str, Any]]:
        import json

        with shared.database.read() as conn:
            told = select(event.c.type, event.c.data).where(event.c.business_id == SERVICE)
            found: list[Any] = list(execute(conn, told.order_by(event.c.number)))
        rows = [(one, json.loads(data)) for one, data in found]
        return [(one, data) for one, data in rows if data.get("business_id") == business_id]

    return read


def slug_of(books: Books) -> str:
    return books.path.split("/")[3]


def code_of(letter: Message) -> str:
    said = letter.get_payload(decode=True)
    assert isinstance(said, bytes)
    found = re.findall(r"(?m)^    ([0-9a-f]{32})\r?$", said.decode())
    assert len(found) == 1
    return str(found[0])


def invite(books: Books, address: str, **asked: object) -> Any:
    reply = books.send("POST", "invitations/", {"email": address, **(asked or {"permission_group": "bookkeeping"})})
    assert reply.status == 201, reply
    return reply.body


def member_of(shown: Any, actor: Actor, group: str, keys: list[str]) -> dict[str, Any]:
    """What a list shows of somebody; the moments are its own."""
    return {
        "id": actor.id,
        "created_at": shown["created_at"],
        "updated_at": shown["updated_at"],
        "email": actor.email,
        "first_name": "",
        "last_name": "",
        "permission_group": group,
        "permissions": keys,
    }


# --- who is there, and what they may do ---


def test_people_are_listed_granted_revoked_and_removed(
    shared: World,
    bookkeeper: Actor,
    books: Books,
    events: Callable[[Books], list[tuple[str, Any]]],
    events_of_service: Callable[[int], list[tuple[str, Any]]],
) -> None:
    clerk = shared.user()
    shared.permit(clerk, books.business_id, "files_read")
    listed = books.get("users/").body
    first, second = listed["results"]
    check_reply(Member, first)
    assert first == member_of(first, bookkeeper, "admin", ["admin"])
    assert second == member_of(second, clerk, "custom", ["files_read"])
    assert (listed["count"], listed["next"]) == (2, None)
    found = books.get(f"users/?email={clerk.email.upper()}").body
    assert (found["count"], found["results"]) == (1, [second])
    assert books.get("users/?page_size=1&page=2").body["results"] == [second]

    before = len(events(books))
    one = f"users/{clerk.id}/"
    shared.clock.move(timedelta(seconds=1))
    granted = books.act(f"{one}action/grant/", {"permission_group": "bookkeeping", "permissions": ["salary"]})
    keys = ["bookkeeping_admin", "bookkeeping_editor", "accounts_editor", "files_read", *BOOKKEEPING[3:], "salary"]
    assert granted == member_of(granted, clerk, "custom", keys)
    assert granted["updated_at"] > granted["created_at"]
    revoked = books.act(f"{one}action/revoke/", {"permissions": ["salary", "files_read", "integration_admin"]})
    assert revoked == member_of(revoked, clerk, "bookkeeping", BOOKKEEPING)
    assert clerk.get(f"{books.path}me/permissions/")["granted_permission_ids"] == BOOKKEEPING
    emptied = books.act(f"{one}action/revoke/", {"permissions": BOOKKEEPING})
    assert emptied == member_of(emptied, clerk, "custom", [])
    assert clerk.send("GET", books.path).status == 200
    assert books.send("DELETE", one).status == 204
    assert clerk.send("GET", books.path).error == (403, "permission_denied")
    assert books.get("users/").body["results"] == [first]
    assert books.send("DELETE", one).error == (404, "not_found")

    assert events(books)[before:] == [
        ("usership.updated", granted),
        ("usership.updated", revoked),
        ("usership.updated", emptied),
        ("usership.deleted", {"id": clerk.id}),
    ]
    place = {"user_id": clerk.id, "business_id": books.business_id}
    assert events_of_service(books.business_id)[-4:] == [
        ("usership.updated", {**place, "permissions": keys}),
        ("usership.updated", {**place, "permissions": BOOKKEEPING}),
        ("usership.updated", {**place, "permissions": []}),
        ("usership.deleted", {**place, "permissions": []}),
    ]


@pytest.mark.together
@pytest.mark.parametrize(
    ("action", "body", "fields"),
    [
        ("grant", {}, ["non_field_errors"]),
        ("grant", {"permission_group": "custom"}, ["non_field_errors"]),
        ("grant", {"permission_group": "boss"}, ["permission_group"]),
        ("grant", {"permissions": ["everything"]}, ["permissions"]),
        ("revoke", {}, ["permissions"]),
        ("revoke", {"permissions": []}, ["permissions"]),
    ],
)
def test_what_is_no_permission_is_400(
    bookkeeper: Actor, books: Books, action: str, body: dict[str, object], fields: list[str]
) -> None:
    reply = books.send("POST", f"users/{bookkeeper.id}/action/{action}/", body)
    assert (reply.error, reply.faults) == ((400, "validation_error"), fields)


def test_the_last_administrator_stays(shared: World, bookkeeper: Actor, books: Books) -> None:
    clerk = shared.user()
    shared.permit(clerk, books.business_id, "bookkeeping_admin", "invoicing_admin", "reporting_admin")
    own = f"users/{bookkeeper.id}/"
    for method, path, body in (("DELETE", own, None), ("POST", f"{own}action/revoke/", {"permissions": ["admin"]})):
        reply = books.send(method, path, body)
        assert reply.error == (412, "precondition_failed")
        assert reply.body["detail"] == (
            f"{bookkeeper.email} is the last administrator of this business: make somebody else one before."
        )
    assert books.get("users/").body["results"][0]["permissions"] == ["admin"]
    books.act(f"users/{clerk.id}/action/grant/", {"permission_group": "admin"})
    assert books.send("DELETE", own).status == 204
    assert clerk.send("DELETE", f"{books.path}users/{clerk.id}/").error == (412, "precondition_failed")


def test_of_two_administrators_who_remove_each_other_at_once_one_stays(
    shared: World, bookkeeper: Actor, books: Books
) -> None:
    other = shared.user()
    shared.permit(other, books.business_id, "admin")
    pairs = [(bookkeeper, other), (other, bookkeeper)]

    def remove(pair: tuple[Actor, Actor]) -> int:
        return pair[0].send("DELETE", f"{books.path}users/{pair[1].id}/").status

    with ThreadPoolExecutor(2) as pool:
        statuses = sorted(pool.map(remove, pairs))
    assert statuses == [204, 403]


def test_people_of_another_business_are_not_there(shared: World, books: Books, other_books: Books) -> None:
    clerk = shared.user()
    shared.permit(clerk, other_books.business_id, "files_read")
    waiting = invite(other_books, "waits@example.com")
    assert books.send("DELETE", f"users/{clerk.id}/").error == (404, "not_found")
    for action, body in (("grant", {"permissions": ["salary"]}), ("revoke", {"permissions": ["salary"]})):
        assert books.send("POST", f"users/{clerk.id}/action/{action}/", body).error == (404, "not_found")
    assert books.send("DELETE", f"invitations/{waiting['id']}/").error == (404, "not_found")
    assert clerk.email not in str(books.get("users/").body)
    assert books.get("invitations/").body["results"] == []
    assert other_books.get("invitations/").body["results"] == [waiting]


# --- how they come in ---


def test_whoever_is_known_is_invited_and_accepts(
    shared: World,
    bookkeeper: Actor,
    books: Books,
    letters: Letters,
    events: Callable[[Books], list[tuple[str, Any]]],
    events_of_service: Callable[[int], list[tuple[str, Any]]],
) -> None:
    clerk, before = shared.user(), len(events(books))
    made = invite(books, clerk.email.upper(), permission_group="bookkeeping")
    check_reply(BusinessInvitation, made)
    shape = {
        "id": made["id"],
        "created_at": "2026-04-02T10:00:00.000000Z",
        "updated_at": "2026-04-02T10:00:00.000000Z",
        "email": clerk.email.upper(),
        "status": "OPEN",
        "permissions": BOOKKEEPING,
        "permission_group": "bookkeeping",
        "tags": [],
    }
    ends = {"expires_at": "2026-04-16T10:00:00.000000Z", "is_over": False}
    assert made == {**shape, **ends, "invited_by": bookkeeper.id}
    assert books.get("invitations/?status=OPEN").body["results"] == [made]
    assert clerk.get("/v1/user/")["invitations"] == [shape]
    assert shared.user().get("/v1/user/")["invitations"] == []
    own = clerk.get(OWN)["results"]
    check_reply(OwnInvitation, own[0])
    place = {"business_slug": slug_of(books), "business_name": books.get("").body["name"], "inviter": bookkeeper.email}
    assert own == [{**made, **place, "needs_code": False}]

    shared.clock.move(timedelta(days=13))
    reply = clerk.send("POST", f"{OWN}{made['id']}/accept/")
    settled = {**made, "status": "ACCEPTED", "updated_at": "2026-04-15T10:00:00.000000Z"}
    assert (reply.status, reply.body) == (200, {**settled, **place, "needs_code": False})
    assert clerk.get("/v1/user/")["invitations"] == clerk.get(OWN)["results"] == []
    assert books.get("invitations/").body["results"] == [settled]
    assert books.get("invitations/?status=OPEN").body["results"] == []
    (member,) = books.get(f"users/?email={clerk.email}").body["results"]
    assert member == member_of(member, clerk, "bookkeeping", BOOKKEEPING)
    assert clerk.get(f"{books.path}me/permissions/")["granted_permission_ids"] == BOOKKEEPING
    for verb in ("accept", "reject"):
        assert clerk.send("POST", f"{OWN}{made['id']}/{verb}/").error == (412, "precondition_failed")
    assert events(books)[before:] == [
        ("invitation.created", made),
        ("invitation.accepted", settled),
        ("usership.created", member),
    ]
    right = {"user_id": clerk.id, "business_id": books.business_id, "permissions": BOOKKEEPING}
    assert events_of_service(books.business_id)[-1] == ("usership.created", right)
    assert books.get("audit/verification/").body["faults"] == []
    (letter,) = letters()
    assert (letter["To"], letter["From"]) == (
        clerk.email.upper(),
        books.get("").body["name"] + f" <{bookkeeper.email}>",
    )


def test_the_letter_has_the_code_that_is_kept_as_a_hash(shared: World, books: Books, letters: Letters) -> None:
    made = invite(books, "new@example.com", permission_group="read_only")
    (letter,) = letters()
    code = code_of(letter)
    with shared.database.read() as conn:
        (kept,) = execute(conn, select(invitation.c.code_hash).where(invitation.c.id == made["id"])).one()
    assert kept == sha256(code.encode()).hexdigest()
    assert code not in str(made)


@pytest.mark.parametrize(
    ("language", "subject", "begin"),
    [
        ("en", "Invitation to the books of Acme", " invites you to work in the books of Acme: reading everything."),
        ("fi", "Kutsu: Acme, kirjanpito", " kutsuu sinut käyttämään yrityksen Acme kirjanpitoa: lukuoikeus kaikkeen."),
        ("sv", "Inbjudan till bokföringen för Acme", " bjuder in dig till bokföringen för Acme: läsrätt till allt."),
        ("de", "Einladung zur Buchhaltung von Acme", " lädt Sie zur Buchhaltung von Acme ein: alles lesen."),
        (None, "Kutsu: Acme, kirjanpito", " kutsuu sinut käyttämään yrityksen Acme kirjanpitoa: lukuoikeus kaikkeen."),
    ],
)
def test_the_letter_is_in_the_language_of_whoever_invites_or_of_the_country(
    bookkeeper: Actor, books: Books, letters: Letters, language: str | None, subject: str, begin: str
) -> None:
    bookkeeper.send("PATCH", "/v1/user/", {"language": language, "first_name": "Anna", "last_name": "Koivu"})
    books.send("PATCH", "", {"name": "Acme", "invoicing_email": "books@example.com"})
    invite(books, "new@example.com", permission_group="read_only")
    (letter,) = letters()
    read = email.message_from_bytes(letter.as_bytes(), policy=default)
    assert (read["Subject"], read["From"], read["To"]) == (subject, "Acme <books@example.com>", "new@example.com")
    lines = read.get_content().splitlines()
    assert lines[0] == f"Anna Koivu <{bookkeeper.email}>{begin}"
    assert lines[-3].count("2026-04-16") == 1
    assert lines[-1] == f"    {code_of(letter)}"
    assert "new@example.com" in lines[2]
    # not where the inviter called the service, and the code in no address and no command
    assert lines[4] == f"    {LOGIN_ADDRESS}/identity/invitation"
    assert lines[8:10] == ["    acctcli user invitations --mine", "    acctcli user accept NUMBER --with-code"]


def test_whoever_was_not_known_needs_the_code(shared: World, books: Books, letters: Letters) -> None:
    made = invite(books, "carl@example.com", permissions=["accounts_read"])
    carl = shared.user("carl@example.com")
    path = f"{OWN}{made['id']}/accept/"
    assert [one["needs_code"] for one in carl.get(OWN)["results"]] == [True]
    for body in ({}, {"code": None}, {"code": "0" * 32}):
        reply = carl.send("POST", path, body)
        assert reply.error == (403, "permission_denied")
        assert reply.body["detail"] == "This needs the code of the mail that the invitation came with."
    code = code_of(letters()[0])
    assert shared.user().send("POST", path, {"code": code}).error == (404, "not_found")
    assert carl.send("POST", path, {"code": f" {code.upper()} "}).body["status"] == "ACCEPTED"
    assert carl.get(f"{books.path}me/permissions/")["granted_permission_ids"] == ["accounts_read"]


def test_an_address_that_people_wrote_themselves_shows_nothing(shared: World, books: Books, letters: Letters) -> None:
    eve = shared.user()
    assert eve.send("PATCH", "/v1/user/", {"email": "dora@example.com"}).status == 200
    made = invite(books, "dora@example.com")
    path = f"{OWN}{made['id']}/accept/"
    assert eve.send("POST", path).error == (403, "permission_denied")
    assert eve.send("POST", path, {"code": code_of(letters()[0])}).status == 200


def test_an_invitation_stays_with_whom_it_was_meant_for(shared: World, books: Books, letters: Letters) -> None:
    clerk, eve = shared.user("fay@example.com"), shared.user()
    made = invite(books, "fay@example.com")
    assert clerk.send("PATCH", "/v1/user/", {"email": "fay@example.org"}).status == 200
    assert eve.send("PATCH", "/v1/user/", {"email": "fay@example.com"}).status == 200
    body = {"code": code_of(letters()[0])}
    for actor in (clerk, eve):
        assert actor.get("/v1/user/")["invitations"] == actor.get(OWN)["results"] == []
        assert actor.send("POST", f"{OWN}{made['id']}/accept/", body).error == (404, "not_found")


def test_whoever_only_writes_an_address_otherwise_has_it_still(shared: World, books: Books) -> None:
    clerk = shared.user("gil@example.com")
    clerk.send("PATCH", "/v1/user/", {"email": "Gil@example.com", "language": "fi"})
    made = invite(books, "gil@example.com")
    assert clerk.send("POST", f"{OWN}{made['id']}/accept/").status == 200


def test_who_has_only_the_address_neither_rejects_nor_sees_who_invites_where(
    shared: World, books: Books, letters: Letters
) -> None:
    made = invite(books, "lia@example.com")
    eve = shared.user()
    assert eve.send("PATCH", "/v1/user/", {"email": "lia@example.com"}).status == 200
    (shown,) = eve.get(OWN)["results"]
    hidden = {"business_slug": "", "business_name": "", "inviter": "", "invited_by": None, "needs_code": True}
    assert shown == {**made, **hidden}
    path = f"{OWN}{made['id']}/reject/"
    for body in (None, {"code": "0" * 32}):
        assert eve.send("POST", path, body).error == (403, "permission_denied")
    assert books.get("invitations/?status=OPEN").body["results"] == [made]
    told = eve.send("POST", path, {"code": code_of(letters()[0])}).body
    assert (told["status"], told["business_slug"], told["inviter"]) == ("REJECTED", slug_of(books), books.actor.email)


@pytest.mark.everywhere
@pytest.mark.parametrize("how", ["revoke", "remove"])
def test_what_somebody_offered_ends_when_they_may_not_offer_it_any_more(
    shared: World, books: Books, events: Callable[[Books], list[tuple[str, Any]]], how: str
) -> None:
    admin, clerk = shared.user(), shared.user()
    shared.permit(admin, books.business_id, "admin")
    stays = invite(books, "mia@example.com")
    body = {"email": clerk.email, "permission_group": "admin"}
    made = admin.send("POST", f"{books.path}invitations/", body).body
    books.act(f"users/{admin.id}/action/grant/", {"permissions": ["files_read"]})
    assert len(books.get("invitations/?status=OPEN").body["results"]) == 2
    if how == "revoke":
        books.act(f"users/{admin.id}/action/revoke/", {"permissions": ["admin"]})
    else:
        assert books.send("DELETE", f"users/{admin.id}/").status == 204
    assert books.get("invitations/").body["results"] == [stays]
    assert ("invitation.deleted", {"id": made["id"]}) in events(books)
    assert clerk.get(OWN)["results"] == []
    assert clerk.send("POST", f"{OWN}{made['id']}/accept/").error == (404, "not_found")


def test_a_name_is_one_line_of_the_letter(bookkeeper: Actor, books: Books, letters: Letters) -> None:
    name = "Anna\r\n\nBcc: x@y.example\u202e\u2028Your code"
    assert bookkeeper.send("PATCH", "/v1/user/", {"first_name": name, "language": "en"}).status == 200
    assert books.send("PATCH", "", {"name": "Acme\nOpen https://evil.example/\u2067"}).status == 200
    invite(books, "nia@example.com", permission_group="read_only")
    read = email.message_from_bytes(letters()[0].as_bytes(), policy=default)
    first, second, *_ = read.get_content().splitlines()
    acme = "Acme Open https://evil.example/"
    said = f"Anna Bcc: x@y.example Your code <{bookkeeper.email}> invites you to work in the books of {acme}: "
    assert (first, second) == (f"{said}reading everything.", "")
    assert read["Subject"] == f"Invitation to the books of {acme}"


@pytest.mark.everywhere
def test_the_code_of_the_same_invitation_is_another_one_under_another_key(
    shared: World, books: Books, letters: Letters
) -> None:
    """As after a restore, which begins a key: the numbers of invitations begin again where the backup ended."""
    invite(books, "oda@example.com")
    shared.database.write(lambda conn: execute(conn, invitation.delete()))
    invite(books, "oda@example.com")
    shared.database.write(lambda conn: execute(conn, invitation.delete()))
    Keeper(shared.database, shared.installation, "local", shared.clock).rotate_key()
    made = invite(books, "oda@example.com")
    codes = sorted({code_of(one) for one in letters()})
    assert len(codes) == 2
    with shared.database.read() as conn:
        (kept,) = execute(conn, select(invitation.c.code_hash).where(invitation.c.id == made["id"])).one()
    assert kept in {sha256(code.encode()).hexdigest() for code in codes}


@pytest.mark.everywhere
def test_letters_that_only_casefold_alike_are_another_address(shared: World, books: Books) -> None:
    eve = shared.user("gross@example.com")
    assert eve.send("PATCH", "/v1/user/", {"email": "groß@example.com"}).status == 200
    with shared.database.read() as conn:
        assert execute(conn, select(users.c.email_changed_at).where(users.c.id == eve.id)).one()[0] is not None
    shared.permit(eve, books.business_id)
    listed = books.get("users/?email=GRO%C3%9F@example.com").body["results"]
    assert [one["id"] for one in listed] == [eve.id]
    assert books.get("users/?email=gross@example.com").body["results"] == []


@pytest.mark.together
@pytest.mark.parametrize(
    "address", ["zoe@exam\u200bple.com", "(zoe)@example.com", "zoe@\u2460.example", "zoe@straße.example"]
)
def test_an_address_that_mail_does_not_reach_is_not_invited(books: Books, letters: Letters, address: str) -> None:
    reply = books.send("POST", "invitations/", {"email": address, "permission_group": "admin"})
    assert (reply.status, reply.faults, letters()) == (400, ["email"], [])


def test_one_may_reject(shared: World, books: Books, events: Callable[[Books], list[tuple[str, Any]]]) -> None:
    clerk = shared.user()
    made = invite(books, clerk.email)
    reply = clerk.send("POST", f"{OWN}{made['id']}/reject/")
    assert (reply.status, reply.body["status"]) == (200, "REJECTED")
    assert clerk.send("GET", books.path).error == (403, "permission_denied")
    assert clerk.send("POST", f"{OWN}{made['id']}/accept/").error == (412, "precondition_failed")
    assert events(books)[-1] == ("invitation.rejected", {**made, "status": "REJECTED"})
    # and may be asked again
    assert invite(books, clerk.email)["id"] > made["id"]


def test_it_is_over_after_a_fortnight(shared: World, books: Books) -> None:
    clerk = shared.user()
    made = invite(books, clerk.email)
    shared.clock.move(timedelta(days=14) - timedelta(seconds=1))
    assert books.get("invitations/?status=OPEN").body["results"] == [made]
    shared.clock.move(timedelta(seconds=1))
    assert clerk.get("/v1/user/")["invitations"] == clerk.get(OWN)["results"] == []
    # its status is one of the interface's; it is not among those that wait
    assert books.get("invitations/").body["results"] == [{**made, "is_over": True}]
    waiting = books.get("invitations/?status=OPEN").body
    assert (waiting["count"], waiting["results"]) == (0, [])
    reply = clerk.send("POST", f"{OWN}{made['id']}/accept/")
    assert (reply.error, reply.body["detail"]) == (
        (412, "precondition_failed"),
        "This invitation is over: ask for another one.",
    )
    assert invite(books, clerk.email)["id"] > made["id"]


def test_it_may_be_withdrawn(
    shared: World, books: Books, letters: Letters, events: Callable[[Books], list[tuple[str, Any]]]
) -> None:
    clerk = shared.user()
    made = invite(books, clerk.email)
    assert books.send("DELETE", f"invitations/{made['id']}/").status == 204
    assert events(books)[-1] == ("invitation.deleted", {"id": made["id"]})
    assert books.get("invitations/").body["results"] == clerk.get("/v1/user/")["invitations"] == []
    assert clerk.send("POST", f"{OWN}{made['id']}/accept/").error == (404, "not_found")
    assert books.send("DELETE", f"invitations/{made['id']}/").error == (404, "not_found")
    again = invite(books, clerk.email)
    first, second = letters()
    assert first["Message-ID"] != second["Message-ID"]
    assert code_of(first) != code_of(second)
    clerk.send("POST", f"{OWN}{again['id']}/accept/")
    assert books.send("DELETE", f"invitations/{again['id']}/").error == (412, "precondition_failed")


def test_whoever_is_there_or_invited_is_not_invited(shared: World, books: Books, letters: Letters) -> None:
    clerk = shared.user()
    shared.permit(clerk, books.business_id)
    made = invite(books, "hugo@example.com")
    told = {
        clerk.email.upper(): "This is the address of somebody in this business: grant them permissions.",
        "Hugo@example.com": f"Invitation {made['id']} waits for this address: withdraw it before.",
    }
    for address, text in told.items():
        reply = books.send("POST", "invitations/", {"email": address, "permission_group": "admin"})
        assert (reply.status, reply.faults, reply.body["email"]) == (400, ["email"], [text])
    reply = books.send("POST", "invitations/", {"permission_group": "admin"})
    assert (reply.status, reply.faults) == (400, ["email"])
    reply = books.send("POST", "invitations/", {"email": "ida@example.com"})
    assert (reply.status, reply.faults) == (400, ["non_field_errors"])
    assert len(letters()) == 1


def test_a_member_who_wrote_the_address_of_another_is_not_taken_for_them(
    shared: World, books: Books, letters: Letters
) -> None:
    eve = shared.user()
    shared.permit(eve, books.business_id, "files_read")
    assert eve.send("PATCH", "/v1/user/", {"email": "pia@example.com"}).status == 200
    made = invite(books, "pia@example.com", permission_group="admin")
    assert eve.send("POST", f"{OWN}{made['id']}/accept/").error == (403, "permission_denied")
    assert eve.get(f"{books.path}me/permissions/")["granted_permission_ids"] == ["files_read"]
    assert len(letters()) == 1


def test_a_repeated_request_invites_once(books: Books, letters: Letters) -> None:
    key = {"Idempotency-Key": "invite jon"}
    body = {"email": "jon@example.com", "permission_group": "admin"}
    first, second = (books.actor.send("POST", f"{books.path}invitations/", body, headers=key) for _ in range(2))
    assert (first.status, second.status, first.raw == second.raw) == (201, 201, True)
    assert second.headers["Idempotent-Replayed"] == "true"
    assert len(letters()) == 1


def test_a_jwt_of_some_businesses_hears_of_no_invitation(shared: World, bookkeeper: Actor, books: Books) -> None:
    clerk = shared.user()
    slug = clerk.create_business()["slug"]
    made = invite(books, clerk.email)
    for limit in ({"business_slug": slug}, {"selected_business_slugs": [slug]}):
        token = clerk.send("POST", "/auth/jwt/", limit).body["token"]
        limited = Actor(clerk.client, clerk.id, clerk.email, token)
        assert limited.get("/v1/user/")["invitations"] == []
        for verb in ("accept", "reject"):
            reply = limited.send("POST", f"{OWN}{made['id']}/{verb}/")
            assert reply.error == (403, "permission_denied")
    assert Actor(clerk.client, clerk.id, clerk.email, token).get(OWN)["results"] == []


def test_rights_that_nobody_recorded_are_found(shared: World, books: Books) -> None:
    clerk = shared.user()
    made = invite(books, clerk.email)
    clerk.send("POST", f"{OWN}{made['id']}/accept/")
    name = f"rights of user {clerk.id} in {books.business_id}"

    def unrecorded() -> list[str]:
        with shared.database.read() as conn:
            return [one.text for one in service_trail.unrecorded(conn) if one.record == name]

    assert unrecorded() == []
    shared.permit(clerk, books.business_id, "admin")
    assert unrecorded() == ["permissions: not what the audit trail recorded"]
    books.act(f"users/{clerk.id}/action/grant/", {"permission_group": "admin"})
    assert unrecorded() == []
    assert books.send("DELETE", f"users/{clerk.id}/").status == 204
    assert unrecorded() == []
    shared.permit(clerk, books.business_id)
    assert unrecorded() == ["the audit trail has not recorded that it was made"]


def test_a_deleted_business_invites_nobody(shared: World, bookkeeper: Actor, books: Books) -> None:
    clerk = shared.user()
    made = invite(books, clerk.email)
    assert bookkeeper.send("DELETE", books.path).status == 204
    assert clerk.get("/v1/user/")["invitations"] == []
    assert clerk.send("POST", f"{OWN}{made['id']}/accept/").error == (404, "not_found")


def test_an_invitation_ends_before_its_business_is_taken_away(shared: World, books: Books) -> None:
    clerk = shared.user()
    invite(books, clerk.email)
    shared.database.write(lambda conn: give_up(conn, books.business_id))
    assert clerk.get("/v1/user/")["invitations"] == clerk.get(OWN)["results"] == []


def test_a_letter_that_has_left_is_recorded_with_the_code_that_stands_in_it(
    shared: World, books: Books, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server took it over, and the database could not be written: asked again, nothing is sent."""
    body, key = {"email": "kim@example.com", "permission_group": "admin"}, {"Idempotency-Key": "invite kim"}
    path = f"{books.path}invitations/"

    def fail(*_: object) -> None:
        raise Unavailable

    with serving_mail() as mailbox:
        address = f"smtp://{USER.replace('@', '%40')}@127.0.0.1:{mailbox.port}"
        monkeypatch.setattr(shared.outbox, "server", mail_server(address, lambda: PASSWORD))
        with monkeypatch.context() as broken:
            broken.setattr(invitations, "create", fail)
            first = books.actor.send("POST", path, body, headers=key)
        assert (first.status, len(mailbox.received)) == (503, 1)
        assert books.get("invitations/").body["results"] == []
        second = books.actor.send("POST", path, body, headers=key)
        assert (second.status, len(mailbox.received)) == (201, 1)
    (received,) = mailbox.received
    assert (received.sender, received.recipients) == (books.actor.email, ["kim@example.com"])
    kim = shared.user("kim@example.com")
    accepted = kim.send("POST", f"{OWN}{second.body['id']}/accept/", {"code": code_of(received.message)})
    assert (accepted.status, accepted.body["status"]) == (200, "ACCEPTED")


def test_whoever_invited_may_be_gone(shared: World, books: Books) -> None:
    clerk, admin = shared.user(), shared.user()
    shared.permit(admin, books.business_id, "admin")
    path = f"{books.path}invitations/"
    made = admin.send("POST", path, {"email": clerk.email, "permission_group": "invoicing"}).body
    shared.database.write(lambda conn: execute(conn, users.delete().where(users.c.id == admin.id)))
    (own,) = clerk.get(OWN)["results"]
    assert (own["id"], own["invited_by"], own["inviter"]) == (made["id"], None, "")
    assert clerk.send("POST", f"{OWN}{made['id']}/accept/").status == 200


def test_users_from_before_who_changed_something_need_the_code(shared: World, books: Books, letters: Letters) -> None:
    """The revision that brought invitations does not know whether that was the address."""
    clerk = shared.user()
    changed = update(users).where(users.c.id == clerk.id).values(email_changed_at=users.c.updated_at)
    shared.database.write(lambda conn: execute(conn, changed))
    made = invite(books, clerk.email)
    assert clerk.send("POST", f"{OWN}{made['id']}/accept/").error == (403, "permission_denied")
    assert clerk.send("POST", f"{OWN}{made['id']}/accept/", {"code": code_of(letters()[0])}).status == 200
