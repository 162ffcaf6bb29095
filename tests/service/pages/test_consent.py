"""Apps send browsers here, and get them back with what the person decided (docs/interface.md 12.3)."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import urlencode

import pytest

from acctcli.service.identity import apps
from acctcli.service.store.events import NOBODY
from tests.service.actor import Actor, World
from tests.service.identity.flow import REDIRECT, AppClient, claims_of, knows
from tests.service.pages.visitor import Visitor, person

AUTHORIZE = "/identity/o/authorize"


@pytest.fixture
def anna(service: World) -> Actor:
    return person(service, first_name="Anna", last_name="Aalto")


@pytest.fixture
def app(service: World) -> AppClient:
    return AppClient(service)


@pytest.fixture
def visitor(service: World, anna: Actor) -> Visitor:
    """Anna's browser, signed in."""
    return Visitor(service).open("/identity/login").sign_in()


def place(app: AppClient, **changed: str | None) -> str:
    """Where an app sends a browser."""
    return f"{AUTHORIZE}?{urlencode(app.asked(**changed), doseq=True)}"


def decide(visitor: Visitor, decision: str = "allow") -> dict[str, str]:
    """Decide, and return what comes back to the app."""
    (form,) = [one for one in visitor.page.forms if one.action.startswith(AUTHORIZE)]
    visitor.send(form.action, decision=decision)
    assert visitor.reply.status_code == 303
    assert visitor.reply.headers["Location"].startswith(f"{REDIRECT}&")
    return visitor.sent_to


@pytest.mark.everywhere
def test_who_consents_comes_back_with_a_code(service: World, app: AppClient, anna: Actor) -> None:
    visitor = Visitor(service).open(place(app))
    assert (visitor.title, visitor.policy) == ("Sign in to go on to Till", "'self' https://till.example")
    visitor.sign_in()
    assert (visitor.title, visitor.policy) == ("Till asks for access", "'self' https://till.example")
    assert "You are signed in as anna@example.com." in visitor.text
    assert "Your name Your email address Access also while you are away, until you end it" in visitor.text
    assert "You will be sent back to https://till.example." in visitor.text
    back = decide(visitor)
    assert (back["state"], sorted(back)) == ("of the app", ["code", "of", "state"])
    status, told = app.exchange(back["code"])
    assert status == 200
    assert (claims_of(told["id_token"])["sub"], knows(service, told["access_token"])) == (str(anna.id), 200)


def test_who_refuses_comes_back_with_an_error(app: AppClient, visitor: Visitor) -> None:
    back = decide(visitor.open(place(app)), "refuse")
    assert (back["error"], back["state"], "code" in back) == ("access_denied", "of the app", False)
    assert decide(visitor.open(place(app)), "")["error"] == "access_denied"


def test_a_public_app_asks_each_time_and_one_that_proves_itself_once(service: World, visitor: Visitor) -> None:
    public, server = AppClient(service), AppClient(service, "server", is_confidential=True)
    for app in (public, server):
        app.exchange(decide(visitor.open(place(app)))["code"])
    assert visitor.open(place(public)).title == "Till asks for access"
    visitor.open(place(server))
    assert (visitor.reply.status_code, "code" in visitor.sent_to) == (302, True)
    assert visitor.open(place(server, prompt="consent")).title == "Till asks for access"
    visitor.open("/identity/account/apps").send("/identity/account/apps/end", id="2")
    assert visitor.told == "The access is ended."
    assert visitor.open(place(server)).title == "Till asks for access"


def test_more_than_was_let_do_is_asked_for_again(service: World, visitor: Visitor) -> None:
    app = AppClient(service, is_confidential=True)
    app.exchange(decide(visitor.open(place(app, scope="openid")))["code"])
    assert visitor.open(place(app, scope="openid")).reply.status_code == 302
    assert visitor.open(place(app, scope="openid email")).title == "Till asks for access"


@pytest.mark.together
@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"scope": "openid admin"}, "invalid_scope"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge": None, "code_challenge_method": None}, "invalid_request"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"max_age": "soon"}, "invalid_request"),
        ({"nonce": "a\0b"}, "invalid_request"),
        ({"prompt": "none login"}, "invalid_request"),
    ],
)
def test_what_cannot_be_asked_for_goes_back_as_an_error(
    service: World, app: AppClient, visitor: Visitor, changed: dict[str, str | None], error: str
) -> None:
    for browser in (visitor, Visitor(service)):
        browser.open(place(app, **changed))
        if browser.reply.status_code == 200:  # to sign in comes first
            continue
        assert browser.reply.headers["Location"].startswith(f"{REDIRECT}&")
        assert (browser.sent_to["error"], browser.sent_to["state"]) == (error, "of the app")
    assert visitor.reply.status_code == 302


@pytest.mark.everywhere
@pytest.mark.together
@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"redirect_uri": "https://evil.example/"}, "not its own"),
        ({"redirect_uri": 'https://till.example/"\u00e4'}, "not its own"),
        ({"redirect_uri": None}, "not its own"),
        ({"client_id": "nobody"}, "not registered"),
        ({"client_id": "a\0b"}, "not registered"),
        ({"client_id": None}, "not registered"),
    ],
)
def test_nobody_is_sent_to_an_address_that_is_not_registered(
    app: AppClient, visitor: Visitor, changed: dict[str, str | None], told: str
) -> None:
    visitor.open(place(app, **changed))
    assert (visitor.reply.status_code, "Location" in visitor.reply.headers) == (400, False)
    assert told in visitor.text
    assert "evil" not in visitor.policy


def test_an_odd_type_of_answer_is_an_error_like_others(app: AppClient, visitor: Visitor) -> None:
    visitor.open(place(app, response_type='co"de\u00e4\n', state='\u00e4"\r\nSet-Cookie: a=b'))
    assert visitor.sent_to["error"] == "unsupported_response_type"
    assert visitor.sent_to["state"] == '\u00e4"\r\nSet-Cookie: a=b'


@pytest.mark.together
@pytest.mark.parametrize(
    "twice",
    ["client_id=till", "redirect_uri=x", "scope=openid", "state=x", "nonce=x", "code_challenge=x", "prompt=none"],
)
def test_what_comes_twice_is_refused(app: AppClient, visitor: Visitor, twice: str) -> None:
    visitor.open(f"{place(app, prompt='login')}&{twice}")
    assert visitor.reply.status_code in (302, 400)
    assert "code" not in visitor.reply.headers.get("Location", "").replace("code_challenge", "")


def test_an_app_may_ask_whether_somebody_is_signed_in(service: World, app: AppClient, visitor: Visitor) -> None:
    assert Visitor(service).open(place(app, prompt="none")).sent_to["error"] == "login_required"
    assert visitor.open(place(app, prompt="none")).sent_to["error"] == "consent_required"
    server = AppClient(service, "server", is_confidential=True)
    server.exchange(decide(visitor.open(place(server)))["code"])
    assert "code" in visitor.open(place(server, prompt="none")).sent_to
    service.clock.move(timedelta(minutes=10))
    assert visitor.open(place(server, prompt="none", max_age="599")).sent_to["error"] == "login_required"
    assert "code" in visitor.open(place(server, prompt="none", max_age="600")).sent_to


@pytest.mark.together
@pytest.mark.parametrize("asked", [{"prompt": "login"}, {"prompt": "select_account"}, {"max_age": "60"}])
def test_an_app_may_ask_to_sign_in_anew(
    service: World, app: AppClient, visitor: Visitor, asked: dict[str, str | None]
) -> None:
    service.clock.move(timedelta(minutes=2))
    visitor.open(place(app, **asked))
    assert visitor.title == "Sign in to go on to Till"
    # else a session would be too old again at the next request
    assert "max_age" not in visitor.form("/identity/login")["next"]
    visitor.sign_in()
    back = decide(visitor)
    assert back["state"] == "of the app"
    _, told = app.exchange(back["code"])
    assert claims_of(told["id_token"])["auth_time"] == int(service.clock.now.timestamp())


def test_somebody_else_may_sign_in(service: World, app: AppClient, visitor: Visitor) -> None:
    person(service, "bert@example.com")
    visitor.open(place(app))
    (other,) = visitor.page.xpath("//main//a/@href")
    visitor.open(other).sign_in("bert@example.com")
    assert "You are signed in as bert@example.com." in visitor.text
    assert visitor.open("/identity/account").text.count("bert@example.com") == 1


def test_who_is_signed_out_meanwhile_signs_in_first(service: World, app: AppClient, visitor: Visitor) -> None:
    visitor.open(place(app))
    (form,) = [one for one in visitor.page.forms if one.action.startswith(AUTHORIZE)]
    service.clock.move(timedelta(hours=13))
    visitor.send(form.action, decision="allow")
    assert visitor.title == "Sign in to go on to Till"
    assert visitor.sign_in().title == "Till asks for access"


def test_a_consent_of_another_site_is_none(app: AppClient, visitor: Visitor) -> None:
    asked = place(app)
    visitor.open(asked).send(asked, csrf="", decision="allow")
    assert (visitor.reply.status_code, visitor.told) == (403, "This page was open for too long. Try again.")
    other = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
    assert visitor.open(asked).send(asked, other, decision="allow").reply.status_code == 403
    changed = place(app, redirect_uri="https://evil.example/")
    visitor.reply = visitor.http.post(changed, data=visitor.open(asked).form(asked) | {"decision": "allow"})
    assert (visitor.reply.status_code, "Location" in visitor.reply.headers) == (400, False)


def test_an_app_that_was_removed_asks_for_nothing(service: World, app: AppClient, visitor: Visitor) -> None:
    asked = place(app)
    visitor.open(asked)
    service.database.write(lambda conn: apps.remove(conn, "local", "till", service.clock.now, NOBODY))
    visitor.send(asked, decision="allow")
    assert visitor.reply.status_code == 400
    assert visitor.policy == "'self'"


@pytest.mark.together
@pytest.mark.parametrize(
    ("redirect", "target"),
    [
        ("http://127.0.0.1:18320/callback", "'self' http://127.0.0.1:18320"),
        ("http://[::1]:18320/callback", "'self' http:"),
        ("com.example.till:/back", "'self' com.example.till:"),
    ],
)
def test_forms_lead_back_to_the_app_alone(
    service: World, app: AppClient, visitor: Visitor, redirect: str, target: str
) -> None:
    service.database.write(lambda conn: conn.run(f"UPDATE app SET redirects = '{redirect}'"))
    assert visitor.open(place(app, redirect_uri=redirect)).policy == target
    assert Visitor(service).open(place(app, redirect_uri=redirect)).policy == target


def test_what_an_app_is_called_is_no_markup(service: World, app: AppClient, visitor: Visitor) -> None:
    service.database.write(lambda conn: conn.run("UPDATE app SET name = '<b>Till</b> {t} {0}'"))
    assert visitor.open(place(app)).title == "<b>Till</b> {t} {0} asks for access"


def test_the_language_is_what_the_app_asks_for(service: World, app: AppClient) -> None:
    assert Visitor(service).open(place(app, ui_locales="fi-FI sv")).title == "Sign in to go on to Till"
    assert Visitor(service).open(place(app, ui_locales="fi-FI sv", prompt="x")).page.get("lang") == "en"
