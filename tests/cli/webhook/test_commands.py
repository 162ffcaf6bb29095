"""`acctcli webhook`: what its options say to the service; passwords come in unseen and do not come out."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import pytest

from tests.cli.company import company
from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import Answer, page, recorder, said
from tests.credentials.terminal import run_on_terminal
from tests.journeys.places import Place

PASSWORD = "open-sesame: 4711"
OPTIONS = ("--name", "Shop", "--url", "https://shop.example/events", "--username", "books")
BODY = {"name": "Shop", "target_url": "https://shop.example/events", "basic_auth_username": "books"}
VERBS = [("create",), ("update", "7"), ("replace", "7")]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return company(tmp_path_factory.mktemp("webhook"))


@pytest.mark.together
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("source", ["-", "password.txt"])
def test_every_option_is_a_field(cli: Cli, at: At, verb: tuple[str, ...], source: str, end: str) -> None:
    Path("password.txt").write_bytes(f"{PASSWORD}{end}".encode())
    with recorder(said({"id": 7})) as server:
        at(server)
        succeed(
            cli("webhook", *verb, *OPTIONS, "--inactive", "--password-file", source, "--json", stdin=PASSWORD + end)
        )
        (sent,) = server.sent
    record = "7/" if len(verb) > 1 else ""
    method = {"create": "POST", "update": "PATCH", "replace": "PUT"}[verb[0]]
    assert (sent.method, sent.path) == (method, f"/v1/business/demo/webhook_subscriptions/{record}")
    assert json.loads(sent.body) == {**BODY, "is_active": False, "basic_auth_password": PASSWORD}


def test_blanks_around_a_password_are_part_of_it(cli: Cli, at: At) -> None:
    with recorder(said({"id": 7})) as server:
        at(server)
        succeed(cli("webhook", "update", "7", "--password-file", "-", stdin=f"  {PASSWORD} \n"))
        (sent,) = server.sent
    assert json.loads(sent.body) == {"basic_auth_password": f"  {PASSWORD} "}


@pytest.mark.together
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("shown", [("--debug", "--json"), ("--dry-run",), ("--dry-run", "--json", "--debug")])
def test_a_password_is_not_shown(cli: Cli, at: At, verb: tuple[str, ...], shown: tuple[str, ...]) -> None:
    with recorder(said({"id": 7, "signing_secret": "whsec_x"})) as server:
        at(server)
        outcome = succeed(cli("webhook", *verb, *OPTIONS, "--password-file", "-", *shown, stdin=PASSWORD))
    everything = outcome.out + outcome.err
    assert "sesame" not in everything
    assert "[hidden]" in everything
    assert "whsec_x" not in outcome.err


def test_the_secret_is_shown_once_to_who_made_it(place: Place) -> None:
    made = place.json("webhook", "create", *OPTIONS)
    assert made["signing_secret"].startswith("whsec_")
    assert place.json("webhook", "get", str(made["id"])).keys() == made.keys() - {"signing_secret"}
    alone = place.run("webhook", "create", *OPTIONS, "--columns", "signing_secret", "--output", "tsv").lines()
    assert (alone[0], alone[1][:6]) == ("signing_secret", "whsec_")
    table = place.run("webhook", "create", *OPTIONS)
    assert "whsec_" in table.out
    assert "whsec_" not in table.err


@pytest.mark.together
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("text", [f"basic_auth_password={PASSWORD}", "basic_auth_password=", "basic_auth_password"])
def test_a_password_is_never_an_argument(cli: Cli, at: At, verb: tuple[str, ...], text: str) -> None:
    with recorder(said({"id": 7})) as server:
        at(server)
        outcome = cli("webhook", *verb, *OPTIONS, "--set", text)
        assert (outcome.code, outcome.out, server.sent) == (2, "", [])
    assert "sesame" not in outcome.err
    assert "--password-file FILE or --ask-password" in outcome.err
    assert cli("webhook", *verb, "--password", PASSWORD).code == 2


@pytest.mark.together
@pytest.mark.parametrize("field", ["basic_auth_password=open-sesame", 'x_secret="open-sesame"', "Token=4711"])
def test_nor_is_one_of_a_request_of_any_kind(cli: Cli, at: At, field: str) -> None:
    with recorder(said({"id": 7})) as server:
        at(server)
        for more in ((), ("--dry-run",)):
            outcome = cli("api", "POST", "/v1/business/demo/webhook_subscriptions/", "--field", field, *more)
            assert (outcome.code, outcome.out, server.sent) == (2, "", [])
            assert not {"sesame", "4711"} & set(re.findall(r"\w+", outcome.err))
            assert "--input FILE" in outcome.err
        succeed(cli("api", "PATCH", "/v1/business/demo/webhook_subscriptions/7/", "-F", "basic_auth_password=null"))


def test_a_password_can_be_taken_away(place: Place) -> None:
    plan = place.json("webhook", "update", "7", "--set", "basic_auth_password=null", "--dry-run")
    assert plan["body"] == {"basic_auth_password": None}


def test_without_a_terminal_it_is_not_asked_for(cli: Cli, at: At) -> None:
    with recorder(said({"id": 7})) as server:
        at(server)
        outcome = cli("webhook", "create", *OPTIONS, "--ask-password", stdin=PASSWORD)
        assert (outcome.code, outcome.out, server.sent) == (2, "", [])
    assert "A password can only be typed on a terminal" in outcome.err
    assert "--password-file FILE" in outcome.err


def test_a_typed_password_is_unseen(place: Place) -> None:
    argv = ["webhook", "create", *OPTIONS, "--ask-password", "--jq", ".basic_auth_username"]
    code = f"""
import os
os.environ.update({place.environ!r})
from acctcli.cli.root import run
raise SystemExit(run({argv!r}))
"""
    exit_code, screen = run_on_terminal(code, prompt=b"Password (not shown): ", typed=f"{PASSWORD}\n".encode())
    assert (exit_code, screen) == (0, b"Password (not shown): \r\nbooks\r\n")


@pytest.mark.together
@pytest.mark.parametrize(
    ("options", "stdin", "says"),
    [
        (("--url", "shop.example"), "", "target_url (--url): Must be a whole http or https address."),
        (
            ("--url", "http://127.1/"),
            "",
            "target_url (--url): Must have a host by its name, or as four decimal numbers",
        ),
        (("--url", "https://u:p@shop.example/"), "", "the address must hold no user and no password"),
        (("--username", "a:b"), "", "basic_auth_username (--username): Must hold no colon."),
        (("--username", "a\tb"), "", "basic_auth_username (--username): Must be one line without control characters."),
        (("--password-file", "-"), "", "--password-file -: there is no password in it"),
        (
            ("--password-file", "-"),
            "two\nlines\n",
            "basic_auth_password (--password-file): Must be one line",
        ),
        (("--password-file", "nowhere"), "", "--password-file nowhere: No such file"),
        (("--set", "target_uri=x"), "", "did you mean target_url?"),
    ],
)
def test_what_is_wrong_costs_no_request(cli: Cli, at: At, options: tuple[str, ...], stdin: str, says: str) -> None:
    with recorder(said({"id": 7})) as server:
        at(server)
        outcome = cli("webhook", "create", *OPTIONS, *options, stdin=stdin)
        assert (outcome.code, outcome.out, server.sent) == (2, "", [])
    assert says in outcome.err


def test_a_password_without_a_user_is_named(place: Place) -> None:
    done = place.try_run(
        "webhook", "create", "--name", "x", "--url", "https://a.example/", "--password-file", "-", stdin=PASSWORD
    )
    assert (done.code, done.out) == (7, "")
    assert done.err.startswith("error: basic_auth_username (--username): A password needs a user. (400)")


def test_the_table_shows_where_events_go(place: Place) -> None:
    number = str(place.json("webhook", "create", *OPTIONS, "--inactive")["id"])
    header, _, *rows = place.run("webhook", "list", "--all").lines()
    assert re.split(" {3,}", header) == ["id", "name", "target URL", "active"]
    assert [number, "Shop", "https://shop.example/events", "false"] in [row.split() for row in rows]


def test_deleting_needs_a_yes(place: Place) -> None:
    done = place.try_run("webhook", "delete", "1")
    assert (done.code, done.out) == (2, "")
    assert "Delete webhook subscription 1?" in done.err


@pytest.mark.together
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(
    "words", [("--url", "https://books:{}@shop.example/"), ("--set", "target_url=http://{}@x.example")]
)
def test_nor_is_one_in_an_address(cli: Cli, at: At, verb: tuple[str, ...], words: tuple[str, str]) -> None:
    with recorder(said({"id": 7})) as server:
        at(server)
        for more in ((), ("--dry-run",), ("--debug", "--json")):
            outcome = cli("webhook", *verb, "--name", "Shop", words[0], words[1].format("open-sesame"), *more)
            assert (outcome.code, outcome.out, server.sent) == (2, "", [])
            assert "sesame" not in outcome.err
            assert "--username, and --password-file FILE or --ask-password" in outcome.err


@pytest.mark.together
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(
    ("password", "reply"),
    [
        (PASSWORD, {"basic_auth_password": PASSWORD}),
        (PASSWORD, {"name": f"Shop {PASSWORD}"}),
        (PASSWORD, {"extra": [{"auth": base64.b64encode(f"books:{PASSWORD}".encode()).decode()}]}),
        ("pw", {"basic_auth_password": "pw"}),
        ("ä" * 12, {"basic_auth_password": "ä" * 12}),
    ],
)
def test_a_password_that_comes_back_is_not_shown(
    cli: Cli, at: At, verb: tuple[str, ...], password: str, reply: dict[str, object]
) -> None:
    with recorder(said({"id": 7, "name": "Shop", "target_url": "x", **reply})) as server:
        at(server)
        for shown in ((), ("--json",), ("--output-file", "x.json", "--json"), ("--columns", "all")):
            outcome = cli("webhook", *verb, *OPTIONS, "--password-file", "-", *shown, stdin=password)
            assert (outcome.code, outcome.out) == (9, "")
            assert "sent a password or another secret back" in outcome.err
            assert "may have been done" in outcome.err
            assert not {"sesame", "pw", "ää"} & set(re.findall(r"\w+", outcome.err))
    assert not Path("x.json").exists()


@pytest.mark.together
@pytest.mark.parametrize("password", ["shop.example", "https://shop.example/events", "books"])
def test_a_word_that_other_fields_say_too_is_no_secret(cli: Cli, at: At, password: str) -> None:
    with recorder(said({"id": 7, **BODY})) as server:
        at(server)
        succeed(cli("webhook", "create", *OPTIONS, "--password-file", "-", stdin=password))


@pytest.mark.together
@pytest.mark.parametrize("argv", [("list",), ("get", "7"), ("update", "7", "--inactive"), ("replace", "7", *OPTIONS)])
def test_secrets_that_a_service_should_have_kept_to_itself_are_not_shown(
    cli: Cli, at: At, argv: tuple[str, ...]
) -> None:
    record = {"id": 7, **BODY, "is_active": True, "basic_auth_password": "open-sesame", "signing_secret": "whsec_x"}
    with recorder(page(record) if argv == ("list",) else said(record)) as server:
        at(server)
        shown = succeed(cli("webhook", *argv, "--json")).json()
        table = succeed(cli("webhook", *argv, "--columns", "all"))
    hidden = {**record, "basic_auth_password": "[hidden]", "signing_secret": "[hidden]"}
    assert shown == ([hidden] if argv == ("list",) else hidden)
    assert "sesame" not in table.out
    assert "whsec_x" not in table.out


def test_an_address_may_have_an_at_sign_behind_its_host(cli: Cli, at: At) -> None:
    with recorder(said({"id": 7}, 201)) as server:
        at(server)
        succeed(cli("webhook", "create", "--name", "Shop", "--url", "https://shop.example/@books?by=me@shop"))
        (sent,) = server.sent
    assert json.loads(sent.body) == {"name": "Shop", "target_url": "https://shop.example/@books?by=me@shop"}


NOTE = "note: that testing takes this request is inferred: nothing that is known of its interface shows it\n"
INFERRED = [("list",), ("get", "7"), ("create", *OPTIONS), ("replace", "7", *OPTIONS), ("delete", "7", "--yes")]
KNOWN = [("update", "7", "--inactive")]


@pytest.mark.together
@pytest.mark.parametrize("argv", [*INFERRED, *KNOWN])
def test_what_is_inferred_of_services_of_others_is_said(cli: Cli, at: At, argv: tuple[str, ...]) -> None:
    record = b'{"id":7,"name":"Shop","x_rate":1.50,"x_of":{"n":12345678901234567890,"none":null}}'
    body = b'{"count":1,"next":null,"prev":null,"size":1,"results":[' + record + b"]}" if argv == ("list",) else record
    with recorder(Answer(204, b"") if argv[0] == "delete" else Answer(200, body)) as server:
        at(server)
        outcome = succeed(cli("webhook", *argv, "--output", "jsonl"))
        quiet = succeed(cli("webhook", *argv, "--quiet"))
        # where errors are JSON, nothing else stands beside them
        plain = succeed(cli("webhook", *argv, "--json"))
    assert outcome.err.count(NOTE) == (argv not in KNOWN)
    assert NOTE not in quiet.err + plain.err
    if argv[0] != "delete":
        # what nobody knows is there, with all its digits
        assert outcome.out == record.decode() + "\n"
    assert ("is inferred" in " ".join(cli("webhook", argv[0], "--help").out.split())) == (argv not in KNOWN)


def test_of_the_own_service_nothing_is_inferred(place: Place) -> None:
    assert place.run("webhook", "list").err.find("inferred") == -1
