"""What `acctcli webhook listen` is asked for: what it refuses before anything is sent, and what a rehearsal shows."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import At, Cli
from tests.cli.recorder import TOKEN, recorder
from tests.cli.webhook.listener import SUBSCRIPTIONS, asked, service


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--events", "tag.created,tag.renamed"), "--events: there is no event tag.renamed"),
        (("--count", "0"), "--count"),
    ],
)
def test_what_cannot_be_listened_for_is_said_before_anything_is_sent(
    cli: Cli, at: At, options: tuple[str, ...], says: str
) -> None:
    with recorder(service) as server:
        at(server)
        done = cli("webhook", "listen", *options)
        assert (done.code, done.out, server.sent) == (2, "", [])
    assert says in done.err


def test_a_service_elsewhere_needs_an_address_that_leads_here(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCTCLI_TESTING_BASE_URL", "https://books.example")
    done = cli("webhook", "listen", "--env", "testing", "--business", "demo")
    assert (done.code, done.out) == (2, "")
    assert "give --target-url with an address that leads to --port here" in done.err


def test_a_rehearsal_shows_the_subscription(cli: Cli, at: At) -> None:
    with recorder(service) as server:
        at(server)
        done = cli("webhook", "listen", "--target-url", "https://tunnel.example/", "--dry-run", "--json")
        assert asked(server, "POST") == []
    plan = json.loads(done.out)
    assert (done.code, plan["method"], plan["path"]) == (0, "POST", SUBSCRIPTIONS)
    assert plan["body"]["target_url"] == "https://tunnel.example/"


@pytest.mark.together
@pytest.mark.parametrize(
    "options",
    [
        ("--target-url", "ftp://books.example/"),
        ("--target-url", "books.example"),
        ("--target-url", "http://"),
        ("--forward-to", "localhost:5000"),
        ("--forward-to", "not an address"),
    ],
)
def test_an_address_is_a_whole_one(cli: Cli, at: At, options: tuple[str, str]) -> None:
    with recorder(service) as server:
        at(server)
        done = cli("webhook", "listen", *options)
        assert (done.code, done.out, server.sent) == (2, "", [])
    assert done.err == f"error: {options[0]} {options[1]}: it must be a whole http or https address\n"


@pytest.mark.parametrize("option", ["--target-url", "--forward-to"])
def test_an_address_is_written_as_everybody_does(cli: Cli, at: At, option: str) -> None:
    with recorder(service) as server:
        at(server)
        done = cli("webhook", "listen", option, "http://0x7f.1:5000/")
        assert (done.code, done.out, server.sent) == (2, "", [])
    says = "it must have a host by its name, or as four decimal numbers such as 203.0.113.7, or as IPv6 in brackets"
    assert done.err == f"error: {option} http://0x7f.1:5000/: {says}\n"


@pytest.mark.parametrize("option", ["--target-url", "--forward-to"])
def test_an_address_holds_no_password(cli: Cli, at: At, option: str) -> None:
    with recorder(service) as server:
        at(server)
        done = cli("webhook", "listen", option, "http://user:geheim-pw@127.0.0.1:5000/")
        assert (done.code, done.out, server.sent) == (2, "", [])
    assert done.err.startswith(f"error: {option} must hold no user and no password")
    assert "geheim" not in done.err


@pytest.mark.parametrize("base_url", ["http://localhost", "http://127.0.0.1", "http://[::1]:80"])
def test_a_service_of_this_machine_reaches_it_whatever_its_port(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, base_url: str
) -> None:
    monkeypatch.setenv("ACCTCLI_TESTING_BASE_URL", base_url)
    monkeypatch.setenv("ACCTCLI_TOKEN", TOKEN)
    done = cli("webhook", "listen", "--env", "testing", "--business", "demo", "--dry-run", "--json")
    assert (done.code, json.loads(done.out)["path"]) == (0, SUBSCRIPTIONS), done.err
