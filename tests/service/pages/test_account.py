"""People keep their tokens, apps, browsers and password (docs/interface.md 12.4)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.service.actor import Actor, World
from tests.service.identity.flow import AppClient, knows
from tests.service.pages.visitor import PASSWORD, Visitor, person

LOGIN, ACCOUNT = "/identity/login", "/identity/account"
TOKENS, WITHDRAW = f"{ACCOUNT}/tokens", f"{ACCOUNT}/tokens/withdraw"
CHANGE = f"{ACCOUNT}/password"


@pytest.fixture
def anna(service: World) -> Actor:
    return person(service)


@pytest.fixture
def visitor(service: World, anna: Actor) -> Visitor:
    """Anna's browser, signed in."""
    return Visitor(service).open(LOGIN).sign_in()


def made(visitor: Visitor) -> str:
    """The token that is shown."""
    (token,) = visitor.page.xpath("//code/text()")
    return str(token)


@pytest.mark.everywhere
def test_a_token_is_made_seen_once_and_withdrawn(service: World, visitor: Visitor) -> None:
    token = made(visitor.open(TOKENS).send(TOKENS, name=" Till <1> ", ends="days_30"))
    assert token.startswith("acct_pat_")
    assert knows(service, token) == 200
    assert "Till <1> Made 15 Mar 2026, valid until 14 Apr 2026" in visitor.text
    told = {
        "fi": "Luotu 15.3.2026, voimassa 14.4.2026 asti",
        "sv": "Skapad 15.3.2026, gäller till 14.4.2026",
        "de": "Erstellt am 15.03.2026, gültig bis 14.04.2026",
    }
    assert [said in visitor.open(f"{TOKENS}?lang={language}").text for language, said in told.items()] == [True] * 3
    assert visitor.page.xpath("//time/@datetime")[-2:] == ["2026-03-15", "2026-04-14"]
    visitor.open(f"{TOKENS}?lang=en")
    assert visitor.open(TOKENS).page.xpath("//code") == []
    visitor.send(WITHDRAW, id=visitor.page.xpath("//form//input[@name='id']/@value")[-1])
    assert (visitor.told, knows(service, token)) == ("The token is withdrawn.", 401)
    assert "Till <1>" not in visitor.open(TOKENS).text


@pytest.mark.parametrize(
    ("ends", "days"), [("days_30", 30), ("days_90", 90), ("year", 365), ("for_ever", None), ("x", 30)]
)
def test_a_token_ends_when_it_was_to(service: World, visitor: Visitor, ends: str, days: int | None) -> None:
    token = made(visitor.open(TOKENS).send(TOKENS, name="x", ends=ends))
    service.clock.move(timedelta(days=days or 36_500) - timedelta(seconds=1))
    assert knows(service, token) == 200
    service.clock.move(timedelta(seconds=1))
    assert knows(service, token) == (200 if days is None else 401)


@pytest.mark.together
@pytest.mark.parametrize("name", ["", " ", "x" * 129, "a\0b", "a\nb"])
def test_a_token_says_what_it_is_for(visitor: Visitor, name: str) -> None:
    visitor.open(TOKENS).send(TOKENS, name=name)
    assert (visitor.reply.status_code, visitor.page.xpath("//code")) == (400, [])
    assert visitor.told == "Say what it is for, in at most 128 characters."


@pytest.mark.parametrize("token_id", ["1", "0", "x", "9" * 30, ""])
def test_nobody_withdraws_the_tokens_of_others(service: World, token_id: str) -> None:
    bert = service.user("bert@example.com")
    person(service)
    visitor = Visitor(service).open(LOGIN).sign_in().open(TOKENS)
    proof = {"csrf": visitor.form(TOKENS)["csrf"], "id": token_id}
    reply = visitor.http.post(WITHDRAW, data=proof)
    assert (reply.status_code, knows(service, bert.token)) == (303, 200)


def test_tokens_of_apps_are_no_tokens_of_ones_own(service: World, anna: Actor, visitor: Visitor) -> None:
    told = AppClient(service).tokens(anna)
    assert visitor.open(TOKENS).text.count("Made 15 Mar 2026") == 1
    visitor.open(f"{ACCOUNT}/apps")
    assert "Till since 15 Mar 2026" in visitor.text
    visitor.send(f"{ACCOUNT}/apps/end", id="1")
    assert (visitor.told, knows(service, told["access_token"])) == ("The access is ended.", 401)
    assert "No app has access." in visitor.text


def test_nobody_ends_the_apps_of_others(service: World, visitor: Visitor) -> None:
    bert = service.user("bert@example.com")
    told = AppClient(service).tokens(bert)
    assert "No app has access." in visitor.open(f"{ACCOUNT}/apps").text
    proof = {"csrf": visitor.open(TOKENS).form(TOKENS)["csrf"], "id": "1"}
    assert visitor.http.post(f"{ACCOUNT}/apps/end", data=proof).status_code == 303
    assert knows(service, told["access_token"]) == 200


@pytest.mark.everywhere
def test_an_app_without_any_token_left_has_no_access(service: World, anna: Actor, visitor: Visitor) -> None:
    app = AppClient(service)
    app.exchange(app.code(anna, scope="openid"))
    assert "Till" in visitor.open(f"{ACCOUNT}/apps").text
    service.clock.move(timedelta(hours=1))
    assert "Till" not in visitor.open(f"{ACCOUNT}/apps").text


@pytest.mark.everywhere
def test_browsers_are_listed_and_signed_out(service: World, visitor: Visitor) -> None:
    other = Visitor(service).open(LOGIN).sign_in()
    visitor.open(f"{ACCOUNT}/sessions")
    assert visitor.text.count("Firefox, Linux since 15 Mar 2026") == 2
    assert visitor.text.count("This browser") == 1
    visitor.send(f"{ACCOUNT}/sessions/end")
    assert visitor.told == "The browser is signed out."
    assert [one.open(ACCOUNT).title for one in (visitor, other)] == ["Your account", "Sign in"]


def test_nobody_signs_others_out(service: World, visitor: Visitor) -> None:
    person(service, "bert@example.com")
    bert = Visitor(service).open(LOGIN).sign_in("bert@example.com")
    proof = {"csrf": visitor.open(TOKENS).form(TOKENS)["csrf"], "id": "2"}
    assert visitor.http.post(f"{ACCOUNT}/sessions/end", data=proof).status_code == 303
    assert bert.open(ACCOUNT).title == "Your account"


@pytest.mark.everywhere
def test_signing_out_everywhere_ends_browsers_and_apps(service: World, anna: Actor, visitor: Visitor) -> None:
    other, app = Visitor(service).open(LOGIN).sign_in(), AppClient(service)
    told = app.tokens(anna)
    visitor.open(f"{ACCOUNT}/sessions").send(f"{ACCOUNT}/sessions/everywhere")
    assert (visitor.told, visitor.open(ACCOUNT).title, other.open(ACCOUNT).title) == (
        "You are signed out.",
        "Sign in",
        "Sign in",
    )
    assert [knows(service, token) for token in (told["access_token"], anna.token)] == [401, 200]
    assert app.refresh(told["refresh_token"])[0] == 400


@pytest.mark.together
@pytest.mark.parametrize(
    ("typed", "field", "told"),
    [
        ({"current": "wrong password"}, "current", "The current password is not right."),
        ({"new": "short", "repeated": "short"}, "new", "The new password has to have 10 to 256 characters."),
        ({"repeated": "another"}, "repeated", "These were two different passwords."),
    ],
)
def test_what_is_wrong_with_a_password_stands_at_its_field(
    visitor: Visitor, typed: dict[str, str], field: str, told: str
) -> None:
    filled = {"current": PASSWORD, "new": "another password", "repeated": "another password", **typed}
    visitor.open(CHANGE).send(CHANGE, headers=None, **filled)
    (wrong,) = visitor.page.xpath("//input[@aria-invalid]")
    assert (visitor.told, wrong.name, "fault" in wrong.get("aria-describedby").split()) == (told, field, True)
    assert visitor.open(CHANGE).page.xpath("//input[@aria-invalid]") == []


def test_another_password_signs_out_everybody_else(service: World, anna: Actor, visitor: Visitor) -> None:
    other, told = Visitor(service).open(LOGIN).sign_in(), AppClient(service).tokens(anna)
    visitor.open(CHANGE).send(CHANGE, current=PASSWORD, new="another password", repeated="another password")
    assert visitor.told == "Your password is changed. All other browsers and apps are signed out."
    assert [one.open(ACCOUNT).title for one in (visitor, other)] == ["Your account", "Sign in"]
    assert knows(service, told["access_token"]) == 401
    assert other.sign_in().reply.status_code == 403
    assert other.sign_in(password="another password").title == "Your account"


@pytest.mark.together
@pytest.mark.parametrize(
    ("current", "new", "repeated", "told"),
    [
        ("wrong password", "another password", "another password", "The current password is not right."),
        (PASSWORD, "short", "short", "The new password has to have 10 to 256 characters."),
        (PASSWORD, "another password", "one more password", "These were two different passwords."),
    ],
)
def test_a_password_is_changed_by_who_knows_it(
    visitor: Visitor, current: str, new: str, repeated: str, told: str
) -> None:
    visitor.open(CHANGE).send(CHANGE, current=current, new=new, repeated=repeated)
    assert visitor.told == told
    assert {current, new, repeated}.isdisjoint(visitor.reply.text.split('"'))


def test_passwords_cannot_be_tried_where_they_are_changed(visitor: Visitor) -> None:
    visitor.open(CHANGE)
    for _ in range(5):
        assert visitor.send(CHANGE, current="wrong password", new="x" * 10, repeated="x" * 10).reply.status_code == 403
    visitor.send(CHANGE, current=PASSWORD, new="x" * 10, repeated="x" * 10)
    assert visitor.reply.status_code == 429


DEEPER = [f"{ACCOUNT}/{name}" for name in ("apps/end", "sessions/end", "sessions/everywhere")]


@pytest.mark.parametrize("place", [ACCOUNT, CHANGE, TOKENS, WITHDRAW, *DEEPER])
def test_nothing_is_done_by_a_form_of_others(service: World, visitor: Visitor, place: str) -> None:
    token = made(visitor.open(TOKENS).send(TOKENS, name="x"))
    fields = {"id": "2", "name": "y", "language": "fi", "current": PASSWORD, "new": "x" * 10, "repeated": "x" * 10}
    stranger = Visitor(service).open(LOGIN).form(LOGIN)["csrf"]
    for proof in ({}, {"csrf": ""}, {"csrf": stranger}):
        reply = visitor.http.post(place, data={**fields, **proof})
        assert (reply.status_code, reply.headers["Location"].startswith(LOGIN)) == (303, True)
    assert visitor.open(TOKENS).text.count("Made 15 Mar 2026") == 2
    assert visitor.page.get("lang") == "en"
    assert knows(service, token) == 200
    signed_out = Visitor(service)
    assert signed_out.http.post(place, data=fields).headers["Location"].startswith(LOGIN)
