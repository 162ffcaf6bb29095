"""People sign in, and nobody else for them (docs/interface.md 12.4)."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import quote

import pytest

from acctcli.service.identity.keeper import Keeper
from acctcli.service.problems import Missing
from acctcli.service.store.people import sessions
from tests.service.actor import World
from tests.service.pages.visitor import PASSWORD, Visitor, person

LOGIN, ACCOUNT = "/identity/login", "/identity/account"


@pytest.fixture
def visitor(service: World) -> Visitor:
    person(service)
    return Visitor(service)


def test_who_knows_the_password_is_signed_in(service: World, visitor: Visitor) -> None:
    visitor.open(ACCOUNT)
    assert (visitor.title, visitor.place) == ("Sign in", f"{LOGIN}?next=%2Fidentity%2Faccount")
    visitor.sign_in()
    assert (visitor.title, visitor.place) == ("Your account", ACCOUNT)
    assert "anna@example.com" in visitor.text
    assert Visitor(service).open(ACCOUNT).title == "Sign in"


@pytest.mark.everywhere
@pytest.mark.together
@pytest.mark.parametrize(
    ("email", "password"),
    [
        ("anna@example.com", "wrong password"),
        ("anna@example.com", ""),
        ("nobody@example.com", PASSWORD),
        ("", PASSWORD),
        ("anna@example.com\0", PASSWORD),
        ("x" * 300, "y" * 3000),
    ],
)
def test_who_does_not_is_told_nothing_more(visitor: Visitor, email: str, password: str) -> None:
    visitor.open(LOGIN).sign_in(email, password)
    assert (visitor.reply.status_code, visitor.told) == (403, "The email address or the password is not right.")
    assert visitor.cookie("session") is None
    assert PASSWORD not in visitor.reply.text


def test_guesses_are_limited(service: World, visitor: Visitor) -> None:
    visitor.open(LOGIN)
    for _ in range(5):
        assert visitor.sign_in(password="wrong password").reply.status_code == 403
    visitor.sign_in()
    assert (visitor.reply.status_code, visitor.reply.headers["Retry-After"]) == (429, "900")
    assert visitor.told == "Too many wrong passwords. Wait a quarter of an hour, and try again."
    assert Visitor(service, address="192.0.2.8").open(LOGIN).sign_in().title == "Your account"
    service.clock.move(timedelta(minutes=15))
    assert visitor.sign_in().title == "Your account"


def test_behind_a_proxy_the_address_is_that_of_who_came_to_it(service: World, visitor: Visitor) -> None:
    visitors = [Visitor(service, address="127.0.0.1").open(LOGIN) for _ in range(2)]
    for one, address in zip(visitors, ("198.51.100.1", "198.51.100.2"), strict=True):
        one.http.headers["X-Forwarded-For"] = f"203.0.113.9, {address}"
    for _ in range(6):
        visitors[0].sign_in(password="wrong password")
    assert [one.sign_in().reply.status_code for one in visitors] == [429, 200]
    visitor.http.headers["X-Forwarded-For"] = "198.51.100.1"
    assert visitor.open(LOGIN).sign_in().title == "Your account"


def test_cookies_are_for_this_site_alone(visitor: Visitor) -> None:
    visitor.open(LOGIN)
    (before,) = visitor.reply.headers.get_list("Set-Cookie")
    visitor.reply = visitor.http.post(
        LOGIN, data={**visitor.form(LOGIN), "email": "anna@example.com", "password": PASSWORD}
    )
    begun, dropped = visitor.reply.headers.get_list("Set-Cookie")
    assert begun.startswith("__Host-acct_session=acct_ses_")
    assert dropped.startswith("__Host-acct_visitor=;")
    for one in (before, begun, dropped):
        assert "; Path=/; HttpOnly; SameSite=Lax; Secure" in one
    assert visitor.reply.status_code == 303
    assert visitor.reply.headers["Cache-Control"] == "no-store"


def test_whoever_owns_the_database_signs_somebody_out(service: World, visitor: Visitor) -> None:
    keeper = Keeper(service.database, service.installation, "local", service.clock)
    visitor.open(LOGIN).sign_in()
    keeper.sign_out("anna@example.com")
    assert visitor.open(ACCOUNT).title == "Sign in"
    visitor.sign_in()
    keeper.set_password("anna@example.com", "another password")
    assert visitor.open(ACCOUNT).title == "Sign in"
    with pytest.raises(Missing):
        keeper.sign_out("nobody@example.com")


def test_a_session_is_another_one_after_each_sign_in(service: World, visitor: Visitor) -> None:
    first = visitor.open(LOGIN).sign_in().cookie("session")
    second = visitor.open(f"{LOGIN}?again=1").sign_in().cookie("session")
    assert first != second
    thief = Visitor(service)
    thief.http.cookies.set("__Host-acct_session", first or "", domain="service")
    assert thief.open(ACCOUNT).title == "Sign in"


def test_a_session_lasts_twelve_hours(service: World, visitor: Visitor) -> None:
    visitor.open(LOGIN).sign_in()
    service.clock.move(timedelta(hours=12) - timedelta(seconds=1))
    assert visitor.open(ACCOUNT).title == "Your account"
    service.clock.move(timedelta(seconds=1))
    assert visitor.open(ACCOUNT).title == "Sign in"


def test_whose_session_ended_in_mid_work_is_told_and_goes_on_there(service: World, visitor: Visitor) -> None:
    visitor.open(LOGIN).sign_in().open(f"{ACCOUNT}/password")
    form = visitor.form(f"{ACCOUNT}/password")
    service.clock.move(timedelta(hours=12))
    visitor.open(f"{ACCOUNT}/tokens")
    assert (visitor.title, visitor.told) == ("Sign in", "Your session has ended. Sign in, and go on where you were.")
    visitor.open(f"{LOGIN}?{visitor.place.partition('?')[2]}&lang=de")
    assert visitor.told == "Ihre Sitzung ist beendet. Melden Sie sich an und machen Sie dort weiter, wo Sie waren."
    assert visitor.sign_in().place == f"{ACCOUNT}/tokens"
    # the form is of the session before
    sent = visitor.http.post(f"{ACCOUNT}/password", data=form, follow_redirects=True)
    assert "was Sie gesendet haben, ist nicht gespeichert" in sent.text
    visitor.open(f"{ACCOUNT}?lang=en")
    service.clock.move(timedelta(hours=12))
    visitor.reply = visitor.http.post(f"{ACCOUNT}/password", data=form, follow_redirects=True)
    told = "Your session had ended, and what you sent was not saved. Sign in, and send it again."
    assert (visitor.title, visitor.told) == ("Sign in", told)
    assert visitor.sign_in().place == f"{ACCOUNT}/password"


def test_whoever_opens_the_host_comes_to_their_account(visitor: Visitor) -> None:
    assert visitor.open("/").title == "Sign in"
    assert visitor.sign_in().place == ACCOUNT


def test_who_signs_out_is_signed_out(visitor: Visitor) -> None:
    visitor.open(LOGIN).sign_in().send("/identity/logout")
    assert (visitor.told, visitor.place, visitor.cookie("session")) == ("You are signed out.", f"{LOGIN}?out=1", None)
    assert visitor.open(ACCOUNT).title == "Sign in"


@pytest.mark.everywhere
def test_a_session_is_kept_as_a_digest_of_its_person(service: World, visitor: Visitor) -> None:
    secret = visitor.open(LOGIN).sign_in().cookie("session") or ""
    with service.database.read() as conn:
        assert secret not in str(conn.fetch("SELECT * FROM session")[1])
        assert conn.fetch("SELECT type FROM event ORDER BY number DESC LIMIT 1")[1][0][0] == "session.created"
    bert = person(service, "bert@example.com")
    service.database.write(lambda conn: conn.run(f"UPDATE session SET user_id = {bert.id}"))
    assert visitor.open(ACCOUNT).title == "Sign in"


def test_another_environment_does_not_know_the_session(service: World, visitor: Visitor) -> None:
    visitor.open(LOGIN).sign_in()
    service.database.write(lambda conn: conn.run("UPDATE session SET environment = 'testing'"))
    assert visitor.open(ACCOUNT).title == "Sign in"
    with service.database.read() as conn:
        assert sessions.find(conn, "x", "local", "2026") is None


@pytest.mark.parametrize(
    "place",
    [
        "https://evil.example/",
        "//evil.example/identity/",
        "///identity/",
        "///evil.example/identity/",
        "//[x",
        "http://[",
        "//[::1",
        "/\\evil.example/identity/",
        "/identity//evil.example",
        "/identity/../../x",
        "javascript:alert(1)",
        "/v1/user/",
        "/identity/logout",
        "/identity/\r\nSet-Cookie: a=b",
        "/identity/\u00e4",
        "https:evil.example/identity/",
        "/identity/account?" + "x" * 8000,
        "",
    ],
)
def test_nobody_is_sent_elsewhere_after_signing_in(visitor: Visitor, place: str) -> None:
    visitor.open(f"{LOGIN}?next={quote(place)}")
    assert visitor.form(LOGIN)["next"] == ACCOUNT
    visitor.reply = visitor.http.post(
        LOGIN, data={**visitor.form(LOGIN), "next": place, "email": "anna@example.com", "password": PASSWORD}
    )
    assert (visitor.reply.status_code, visitor.reply.headers["Location"]) == (303, ACCOUNT)


@pytest.mark.together
@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"csrf=x", "text/plain", 415),
        (b"email=" + b"x" * 70_000, "application/x-www-form-urlencoded", 413),
        (b"email=\xff", "application/x-www-form-urlencoded", 400),
        (b"&".join([b"a=b"] * 60), "application/x-www-form-urlencoded", 400),
    ],
)
def test_what_cannot_be_read_is_answered_by_a_page(visitor: Visitor, content: bytes, kind: str, status: int) -> None:
    visitor.reply = visitor.http.post(LOGIN, content=content, headers={"Content-Type": kind})
    assert (visitor.reply.status_code, visitor.reply.headers["Content-Type"]) == (status, "text/html; charset=utf-8")
    assert "Nothing was changed." in visitor.text
    assert visitor.policy == "'self'"
    visitor.reply = visitor.http.get(f"{LOGIN}?{'a=b&' * 60}")
    assert (visitor.reply.status_code, "Nothing was changed." in visitor.text) == (400, True)


def test_one_goes_on_where_one_wanted_to(visitor: Visitor) -> None:
    visitor.open("/identity/account/tokens?lang=de").sign_in()
    assert (visitor.title, visitor.place) == ("Persönliche Zugriffstoken", "/identity/account/tokens?lang=de")
    assert visitor.open(LOGIN).title == "Ihr Konto"


# --- forms of others ---


def test_a_form_without_its_proof_does_nothing(service: World, visitor: Visitor) -> None:
    visitor.open(LOGIN).send(LOGIN, csrf="", email="anna@example.com", password=PASSWORD)
    assert (visitor.reply.status_code, visitor.told) == (403, "This page was open for too long. Try again.")
    other = Visitor(service).open(LOGIN).form(LOGIN)["csrf"]
    assert visitor.send(LOGIN, csrf=other, email="anna@example.com", password=PASSWORD).reply.status_code == 403
    # of who has not got the cookie either
    visitor.http.cookies.clear()
    assert visitor.send(LOGIN, csrf="", email="anna@example.com", password=PASSWORD).reply.status_code == 403
    visitor.sign_in().send("/identity/logout", csrf=other)
    assert visitor.title == "Sign in"
    assert visitor.open(ACCOUNT).title == "Your account"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "https://service", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "null", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "null", "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": "null", "Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": "http://service"}, 403),
        ({"Origin": "https://service:444"}, 403),
    ],
)
def test_a_form_of_another_site_does_nothing(visitor: Visitor, headers: dict[str, str], status: int) -> None:
    visitor.open(LOGIN).send(LOGIN, headers, email="anna@example.com", password=PASSWORD)
    assert visitor.reply.status_code == status
    assert (visitor.cookie("session") is None) == (status == 403)


@pytest.mark.together
@pytest.mark.parametrize("called", ["localhost", "service:444", "evil.example"])
def test_people_sign_in_at_one_address(visitor: Visitor, called: str) -> None:
    reply = visitor.http.get(LOGIN, headers={"Host": called})
    assert reply.status_code == 421
    assert 'href="https://service/identity/account"' in reply.text
    assert called not in reply.text


# --- what every page says ---


def test_every_page_is_for_itself(visitor: Visitor) -> None:
    for open_page in (visitor.open, lambda _: visitor.sign_in()):
        headers = open_page(LOGIN).reply.headers
        assert headers["Content-Security-Policy"] == (
            "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
        )
        told = ("Cache-Control", "Referrer-Policy", "X-Content-Type-Options", "X-Frame-Options", "Content-Type")
        assert [headers[name] for name in told] == [
            "no-store", "no-referrer", "nosniff", "DENY", "text/html; charset=utf-8",
        ]  # fmt: skip
        assert not {"script", "img", "iframe"} & {one.tag for one in visitor.page.iter()}
    style = visitor.http.get("/identity/style.css")
    assert (style.status_code, style.headers["Content-Type"]) == (200, "text/css; charset=utf-8")
    assert visitor.http.head(LOGIN).status_code == 303


@pytest.mark.together
@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("fi", "fi"),
        ("sv-FI,sv;q=0.9,fi;q=0.8", "sv"),
        ("fr, de;q=0.3, fi;q=0.7", "fi"),
        ("fr", "en"),
        ("", "en"),
        ("de;q=0, fi;q=x", "en"),
        ("*", "en"),
    ],
)
def test_the_language_is_what_the_browser_accepts(service: World, accepted: str, language: str) -> None:
    assert Visitor(service, accepted).open(LOGIN).page.get("lang") == language


def test_the_language_is_a_persons_own_or_what_was_switched_to(service: World) -> None:
    person(service, "bo@example.com", language="sv")
    visitor = Visitor(service, "fi").open(LOGIN)
    assert visitor.title == "Kirjaudu sisään"
    visitor.sign_in("bo@example.com")
    assert visitor.title == "Ditt konto"
    assert visitor.open(f"{ACCOUNT}?lang=de").title == "Ihr Konto"
    assert visitor.open(ACCOUNT).title == "Ihr Konto"
    visitor.send(ACCOUNT, language="en")
    assert (visitor.title, visitor.told) == ("Your account", "Saved.")
    visitor.send(ACCOUNT, language="")
    assert visitor.title == "Oma tili"
    assert visitor.open(f"{ACCOUNT}?lang=xx").title == "Oma tili"
