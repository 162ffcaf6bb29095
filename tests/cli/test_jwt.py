"""`acctcli auth jwt`: a token asked for goes to stdout, and nowhere else."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from tests.cli.company import company
from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import Answer, recorder, said
from tests.journeys.places import Place

JWT = "aaaaaaaaaaaa.bbbbbbbbbbbbbbbb.cccccccccccccccc"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return company(tmp_path_factory.mktemp("jwt"))


def claims(token: str) -> Any:
    return json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))


@pytest.mark.together
@pytest.mark.parametrize(
    ("options", "body"),
    [
        ((), {}),
        (("--business", "acme"), {"business_slug": "acme"}),
        (("--select", "acme"), {"selected_business_slugs": ["acme"]}),
        (("--select", "b", "--select", "a"), {"selected_business_slugs": ["b", "a"]}),
    ],
)
def test_the_options_say_how_far_it_reaches(cli: Cli, at: At, options: tuple[str, ...], body: object) -> None:
    with recorder(said({"token": JWT})) as server:
        at(server)
        outcome = succeed(cli("auth", "jwt", *options))
        (sent,) = server.sent
    assert (sent.method, sent.path, json.loads(sent.body)) == ("POST", "/auth/jwt/", body)
    assert (outcome.out, outcome.err) == (f"{JWT}\n", "")


@pytest.mark.together
@pytest.mark.parametrize("token", ["", "aaaaaaaa\x1b]0;owned\x07", "aaaaaaaa\nbbbb", "aaaaaaaa\u202ebbbb"])
def test_what_is_no_token_is_not_printed(cli: Cli, at: At, token: str) -> None:
    with recorder(said({"token": token})) as server:
        at(server)
        outcome = cli("auth", "jwt")
    assert (outcome.code, outcome.out) == (9, "")
    assert "the service sent something that is no token" in outcome.err


def test_machines_get_an_object(cli: Cli, at: At) -> None:
    with recorder(said({"token": JWT, "more": 1})) as server:
        at(server)
        assert succeed(cli("auth", "jwt", "--json")).json() == {"token": JWT}
        assert succeed(cli("auth", "jwt", "--jq", ".token")).out == f"{JWT}\n"


@pytest.mark.together
@pytest.mark.parametrize("length", [20, 3_330, 5_000])
def test_debug_shows_no_part_of_it(cli: Cli, at: At, length: int) -> None:
    token = f"{'a' * length}.{'b' * length}.{'c' * length}"
    with recorder(said({"token": token})) as server:
        at(server)
        outcome = succeed(cli("auth", "jwt", "--debug"))
    assert outcome.out == f"{token}\n"
    assert '"token": "[hidden]"' in outcome.err
    assert "aaaa" not in outcome.err


@pytest.mark.together
@pytest.mark.parametrize("options", [("--business", ""), ("--select", ""), ("--select", "acme", "--select", "")])
def test_an_empty_name_is_no_token_for_everything(cli: Cli, at: At, options: tuple[str, ...]) -> None:
    with recorder(said({"token": JWT})) as server:
        at(server)
        outcome = cli("auth", "jwt", *options)
        assert (outcome.code, outcome.out, server.sent) == (2, "", [])
    assert "String should have at least 1 character" in outcome.err


def test_a_business_and_a_selection_exclude_each_other(cli: Cli, at: At) -> None:
    with recorder(said({"token": JWT})) as server:
        at(server)
        outcome = cli("auth", "jwt", "--business", "acme", "--select", "beta")
        assert (outcome.code, outcome.out, server.sent) == (2, "", [])
    assert "--business and --select exclude each other" in outcome.err


NO_TOKEN = "the service sent no token"


@pytest.mark.together
@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (said({}), NO_TOKEN),
        (said([]), NO_TOKEN),
        (said({"token": 7}), NO_TOKEN),
        (said({"token": None}), NO_TOKEN),
        (Answer(200, b"x"), "with something else instead of the expected JSON"),
    ],
)
def test_a_reply_without_a_token_is_a_fault(cli: Cli, at: At, answer: Answer, says: str) -> None:
    with recorder(answer) as server:
        at(server)
        outcome = cli("auth", "jwt")
    assert (outcome.code, outcome.out) == (9, "")
    assert says in outcome.err


def test_it_opens_what_it_is_for_and_nothing_else(place: Place) -> None:
    other = place.json("business", "create", "--name", "Other", "--form", "FI_OY", "--slug", "other")["slug"]
    token = place.run("auth", "jwt", "--business", "company").out.strip()
    assert claims(token)["business_slug"] == "company"
    with_it = {"ACCTCLI_LOCAL_TOKEN": token}
    assert place.run("account", "list", "--limit", "1", **with_it).code == 0
    beyond = place.try_run("account", "list", "--business", other, **with_it)
    assert (beyond.code, beyond.out) == (2, "")
    assert "the token is for the business company only, and this is about other: it was not sent" in beyond.err
    for argv in (
        ("business", "list"),
        ("user", "update", "--set", "first_name=Eve"),
        ("auth", "jwt"),
    ):
        done = place.try_run(*argv, **with_it)
        assert (done.code, done.out) == (5, ""), argv
        assert token not in done.err
    # who one is, and what one may do there
    for argv in (("user", "get"), ("auth", "status")):
        assert place.run(*argv, **with_it).out


def test_without_options_it_opens_everything(place: Place) -> None:
    token = place.run("auth", "jwt").out.strip()
    assert claims(token).keys() == {"sub", "iat", "exp", "env", "token_hash"}
    assert place.run("user", "get", ACCTCLI_LOCAL_TOKEN=token).code == 0


def test_a_selection_of_nothing_that_is_yours_is_refused(place: Place) -> None:
    done = place.try_run("auth", "jwt", "--select", "nobody")
    assert (done.code, done.out) == (5, "")
    assert done.err.startswith("error: None of your businesses has this slug: nobody. (403)")
