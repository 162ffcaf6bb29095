"""Invited people come in with the code of their mail, and nobody else does (docs/interface.md 12.6)."""

from __future__ import annotations

import email
import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from email.policy import default
from typing import Any

import pytest

from acctcli.service.identity.keeper import Keeper
from acctcli.service.store import service_trail
from acctcli.service.store.people import users
from tests.service.actor import LOGIN_ADDRESS, Actor, World
from tests.service.pages.visitor import PASSWORD, Visitor, person

PAGE, ACCOUNT, LOGIN = "/identity/invitation", "/identity/account", "/identity/login"
DORA = "dora@example.com"
WRONG = "This address and this code do not belong to an invitation that waits."
TAKEN = (
    "There is an account with this address already. "
    "Sign in first; whoever runs this service sets a password where there is none."
)


class Business:
    """A business whose administrator invites people."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.admin = world.user("admin@example.com")
        self.slug = self.admin.create_business("Acme")["slug"]

    def invite(self, address: str = DORA) -> str:
        """Invite somebody and return the code of the mail."""
        path = f"/v1/business/{self.slug}/invitations/"
        reply = self.admin.send("POST", path, {"email": address, "permission_group": "invoicing"})
        assert reply.status == 201, reply
        newest = max((self._world.outbox.folder / self.slug).glob("*.eml"), key=lambda one: int(one.name.split("-")[1]))
        said = email.message_from_bytes(newest.read_bytes()).get_payload(decode=True)
        assert isinstance(said, bytes)
        (code,) = re.findall(r"(?m)^    ([0-9a-f]{32})\r?$", said.decode())
        return str(code)

    def people(self) -> list[tuple[str, str]]:
        """Who is there, as which role."""
        listed = self.admin.get(f"/v1/business/{self.slug}/users/")["results"]
        return [(one["email"], one["permission_group"]) for one in listed]

    def statuses(self) -> list[str]:
        """What has become of the invitations."""
        return [one["status"] for one in self.admin.get(f"/v1/business/{self.slug}/invitations/")["results"]]


@pytest.fixture
def business(service: World) -> Business:
    return Business(service)


def come_in(visitor: Visitor, code: str, address: str = DORA, password: str = PASSWORD, **fields: str) -> Visitor:
    """Fill in the page, as somebody who has no account."""
    typed = {"email": address, "code": code, "new": password, "repeated": password} | fields
    return visitor.open(PAGE).send(PAGE, None, **typed)


def answer(visitor: Visitor) -> tuple[int, str | None]:
    return visitor.reply.status_code, visitor.told


def trail(service: World) -> list[tuple[str, dict[str, Any]]]:
    with service.database.read() as conn:
        rows = conn.fetch("SELECT type, data FROM event WHERE business_id = 0 ORDER BY number")[1]
    return [(kind, json.loads(data)) for kind, data in rows]


def test_the_mail_names_where_people_sign_in_whatever_the_service_was_called(
    service: World, business: Business
) -> None:
    path = f"/v1/business/{business.slug}/invitations/"
    named = {"email": DORA, "permission_group": "admin"}
    reply = business.admin.send("POST", path, named, headers={"Host": "inside.example:8320", "Forwarded": "proto=http"})
    (mail,) = (service.outbox.folder / business.slug).glob("*.eml")
    said = email.message_from_bytes(mail.read_bytes(), policy=default).get_content()
    assert reply.status == 201
    assert ("inside.example" in said, f"    {LOGIN_ADDRESS}{PAGE}" in said.splitlines()) == (False, True)


@pytest.mark.everywhere
def test_who_has_no_account_makes_one_and_is_in(service: World, business: Business) -> None:
    code = business.invite()
    visitor = Visitor(service).open(LOGIN)
    (link,) = visitor.page.xpath("//main//a/@href")
    assert visitor.open(link).title == "Accept an invitation"
    come_in(visitor, f" {code.upper()} ", "Dora@Example.com")
    assert (visitor.title, visitor.told) == ("Your account", "You have accepted the invitation.")
    assert DORA in visitor.text
    assert visitor.page.xpath("//dt[.='Businesses']/../dd/text()") == ["Acme"]
    assert business.people() == [("admin@example.com", "admin"), (DORA, "invoicing")]
    assert business.statuses() == ["ACCEPTED"]
    assert Visitor(service).open(LOGIN).sign_in(DORA).title == "Your account"
    told = trail(service)
    kinds = ["user.created", "password.changed", "usership.created", "session.created", "session.created"]
    assert [kind for kind, _ in told][-5:] == kinds
    assert code not in str(told)
    with service.database.read() as conn:
        assert list(service_trail.unrecorded(conn)) == []


def test_a_code_works_once(service: World, business: Business) -> None:
    code = business.invite()
    come_in(Visitor(service), code)
    again = come_in(Visitor(service), code, password="another password")
    assert answer(again) == (403, WRONG)
    assert Visitor(service).open(LOGIN).sign_in(DORA).title == "Your account"


@pytest.mark.everywhere
def test_of_many_who_come_with_one_code_at_once_one_sets_the_password(service: World, business: Business) -> None:
    code, visitors = (
        business.invite(),
        [Visitor(service, address=f"192.0.2.{number}").open(PAGE) for number in range(4)],
    )

    def send(number: int) -> int:
        fields = {"email": DORA, "code": code, "new": f"password of {number}", "repeated": f"password of {number}"}
        form = visitors[number].form(PAGE)
        return visitors[number].http.post(PAGE, data=form | fields).status_code

    with ThreadPoolExecutor(4) as pool:
        statuses = list(pool.map(send, range(4)))
    assert statuses.count(303) == 1
    assert set(statuses) <= {303, 403, 409}
    winner = statuses.index(303)
    signed_in = [Visitor(service).open(LOGIN).sign_in(DORA, f"password of {number}").title for number in range(4)]
    assert [title == "Your account" for title in signed_in] == [number == winner for number in range(4)]


# --- who is told what ---


@pytest.mark.parametrize(
    ("address", "code"),
    [
        (DORA, "0" * 32),
        (DORA, ""),
        (DORA, "x\0\ud7ff" * 3000),
        ("admin@example.com", None),
        ("admin@example.com", "0" * 32),
        ("nobody@example.com", None),
        ("", None),
        ("dora@example.com\0", None),
    ],
)
def test_whoever_has_not_both_is_told_the_same(
    service: World, business: Business, address: str, code: str | None
) -> None:
    real = business.invite()
    visitor = come_in(Visitor(service), real if code is None else code, address)
    assert answer(visitor) == (403, WRONG)
    assert PASSWORD not in visitor.reply.text
    assert business.statuses() == ["OPEN"]
    assert visitor.cookie("session") is None


def test_guesses_are_limited_as_at_signing_in(service: World, business: Business) -> None:
    code, visitor = business.invite(), Visitor(service)
    for _ in range(5):
        assert answer(come_in(visitor, "0" * 32)) == (403, WRONG)
    for one in (code, "0" * 32):
        come_in(visitor, one)
        assert answer(visitor) == (429, "Too many wrong codes. Wait a quarter of an hour, and try again.")
        assert visitor.reply.headers["Retry-After"] == "900"
    service.clock.move(timedelta(minutes=15))
    assert come_in(visitor, code).title == "Your account"


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"password": "short"}, "The new password has to have 10 to 256 characters."),
        ({"repeated": "another password"}, "These were two different passwords."),
    ],
)
def test_a_password_has_its_rules_here_as_well(
    service: World, business: Business, fields: dict[str, str], told: str
) -> None:
    code = business.invite()
    visitor = come_in(Visitor(service), code, **fields)
    assert answer(visitor) == (400, told)
    # what was typed stays, but for the passwords
    assert (visitor.form(PAGE)["email"], visitor.form(PAGE)["code"], visitor.form(PAGE)["new"]) == (DORA, code, "")
    assert business.statuses() == ["OPEN"]


def test_an_invitation_that_is_over_or_withdrawn_is_none(service: World, business: Business) -> None:
    first = business.invite()
    business.admin.send("DELETE", f"/v1/business/{business.slug}/invitations/1/")
    assert answer(come_in(Visitor(service), first)) == (403, WRONG)
    second = business.invite()
    service.clock.move(timedelta(days=14))
    assert answer(come_in(Visitor(service), second)) == (403, WRONG)
    assert business.people() == [("admin@example.com", "admin")]


# --- who has an account ---


def test_who_has_a_password_signs_in_and_accepts(service: World, business: Business) -> None:
    person(service, DORA)
    code, visitor = business.invite(), Visitor(service)
    come_in(visitor, code, password="another password")
    assert answer(visitor) == (409, TAKEN)
    assert business.statuses() == ["OPEN"]
    (link,) = visitor.page.xpath("//main//a/@href")
    visitor.open(link).sign_in(DORA)
    assert (visitor.title, visitor.place) == ("Accept an invitation", PAGE)
    assert sorted(visitor.form(PAGE)) == ["code", "csrf"]
    visitor.send(PAGE, code="0" * 32)
    assert answer(visitor) == (403, WRONG)
    visitor.send(PAGE, code=code)
    assert (visitor.place, visitor.told) == (f"{ACCOUNT}?done=accepted", "You have accepted the invitation.")
    assert business.people()[1:] == [(DORA, "invoicing")]


def test_the_code_of_others_is_none_to_who_has_signed_in(service: World, business: Business) -> None:
    person(service)
    code, visitor = business.invite(), Visitor(service).open(LOGIN).sign_in()
    visitor.open(PAGE).send(PAGE, code=code, email=DORA)
    assert answer(visitor) == (403, WRONG)
    assert business.statuses() == ["OPEN"]


def test_who_was_made_by_whoever_runs_the_service_sets_the_first_password(service: World, business: Business) -> None:
    dora = service.user(DORA)
    visitor = come_in(Visitor(service), business.invite())
    assert visitor.told == "You have accepted the invitation."
    assert dora.get(f"/v1/business/{business.slug}/me/permissions/")["business_slug"] == business.slug
    assert [kind for kind, data in trail(service) if data.get("email") == DORA] == ["user.created"]


def wrote_it(service: World) -> Actor:
    thief = service.user("thief@example.com")
    assert thief.send("PATCH", "/v1/user/", {"email": DORA}).status == 200
    return thief


def is_local(service: World) -> Actor:
    owner = service.user(DORA)
    service.database.write(lambda conn: users.make_local(conn, owner.id))
    return owner


UNPROVED = (
    "Somebody wrote this address into their account, and nothing shows that it is theirs. Is that you? Sign in first. "
    "If not, tick the box below and type the password again."
)


@pytest.mark.parametrize(("make", "told"), [(wrote_it, UNPROVED), (is_local, TAKEN)])
def test_an_account_that_the_mail_does_not_prove_gets_no_password(
    service: World, business: Business, make: Callable[[World], Actor], told: str
) -> None:
    """Whoever wrote the address of others would come in with them, having tokens of the account."""
    account = make(service)
    assert answer(come_in(Visitor(service), business.invite())) == (409, told)
    assert business.statuses() == ["OPEN"]
    assert account.send("GET", f"/v1/business/{business.slug}/").error == (403, "permission_denied")
    assert Visitor(service).open(LOGIN).sign_in(DORA).reply.status_code == 403


@pytest.mark.everywhere
@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize("password", [None, PASSWORD])
def test_who_has_the_code_gets_an_account_of_their_own_where_a_stranger_wrote_the_address(
    service: World, business: Business, is_first: bool, password: str | None
) -> None:
    """The stranger keeps the account, and nothing that was meant for the address."""
    if is_first:
        thief, code = wrote_it(service), business.invite()
    else:
        code, thief = business.invite(), wrote_it(service)
    if password:
        Keeper(service.database, service.installation, "local", service.clock).set_password(
            DORA, "password of a thief", unproved=True
        )
    visitor = come_in(Visitor(service), code)
    assert answer(visitor) == (409, UNPROVED)
    assert "not_mine" in visitor.form(PAGE)
    # the box alone does nothing
    assert answer(come_in(Visitor(service), "0" * 32, not_mine="1")) == (403, WRONG)
    visitor.send(PAGE, None, not_mine="1", new=PASSWORD, repeated=PASSWORD)
    assert (visitor.title, visitor.told) == ("Your account", "You have accepted the invitation.")
    assert business.people()[1:] == [(DORA, "invoicing")]
    assert thief.send("GET", f"/v1/business/{business.slug}/").error == (403, "permission_denied")
    left = thief.get("/v1/user/")
    assert left["email"].endswith("@released.invalid")
    assert (left["userships"], left["invitations"]) == ([], [])
    assert thief.send("PATCH", "/v1/user/", {"email": DORA}).error == (400, "validation_error")
    assert Visitor(service).open(LOGIN).sign_in(DORA).title == "Your account"
    if password:
        released = Visitor(service).open(LOGIN).sign_in(left["email"], "password of a thief")
        assert "has an account of their own now" in released.text
    with service.database.read() as conn:
        assert list(service_trail.unrecorded(conn)) == []


def test_the_box_takes_no_address_from_who_was_given_it(service: World, business: Business) -> None:
    person(service, DORA)
    assert answer(come_in(Visitor(service), business.invite(), not_mine="1")) == (409, TAKEN)
    assert business.statuses() == ["OPEN"]


def test_the_invitation_of_who_had_the_address_is_not_for_who_has_it_now(service: World, business: Business) -> None:
    dora = service.user(DORA)
    code = business.invite()
    assert dora.send("PATCH", "/v1/user/", {"email": "other@example.com"}).status == 200
    assert answer(come_in(Visitor(service), code)) == (403, WRONG)


# --- forms of others ---


def test_a_form_without_its_proof_does_nothing(service: World, business: Business) -> None:
    code, visitor = business.invite(), Visitor(service)
    other = Visitor(service).open(PAGE).form(PAGE)["csrf"]
    for proof in ("", other):
        assert answer(come_in(visitor, code, csrf=proof)) == (403, "This page was open for too long. Try again.")
    elsewhere = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
    fields = {"email": DORA, "code": code, "new": PASSWORD, "repeated": PASSWORD}
    assert visitor.open(PAGE).send(PAGE, elsewhere, **fields).reply.status_code == 403
    assert business.statuses() == ["OPEN"]
    assert visitor.open(PAGE).policy == "'self'"


def test_the_session_may_end_between_the_page_and_its_form(service: World, business: Business) -> None:
    person(service, DORA)
    code, visitor = business.invite(), Visitor(service).open(LOGIN).sign_in(DORA).open(PAGE)
    service.clock.move(timedelta(hours=13))
    visitor.send(PAGE, code=code)
    assert answer(visitor) == (403, "This page was open for too long. Try again.")
    assert business.statuses() == ["OPEN"]
