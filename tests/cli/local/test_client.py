"""Apps are registered and removed by whoever owns the local books."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Cli, succeed

ADD = ("local", "client", "add", "--name", "Till", "--redirect")
ADDRESS = "https://till.example/callback"


def test_apps_are_added_listed_and_removed(cli: Cli, home: Path) -> None:
    public = succeed(cli(*ADD, ADDRESS, "--redirect", "com.example.till:/back", "--json")).json()
    assert public == {
        "id": public["id"],
        "name": "Till",
        "kind": "public",
        "redirects": [ADDRESS, "com.example.till:/back"],
        "scopes": ["openid", "profile", "email", "offline_access"],
    }
    secret = succeed(
        cli(*ADD, ADDRESS, "--kind", "confidential", "--id", "till", "--scopes", "openid email", "--json")
    ).json()["secret"]
    listed = succeed(cli("local", "client", "list", "--json")).json()
    assert [(one["id"], one["kind"], one["scopes"]) for one in listed] == [
        (public["id"], "public", public["scopes"]),
        ("till", "confidential", ["openid", "email"]),
    ]
    assert secret.startswith("acct_sec_")
    held = [path.read_bytes() for path in home.rglob("*") if path.is_file()]
    assert not any(secret.encode() in one for one in held)
    taken = cli(*ADD, ADDRESS, "--id", "till")
    assert (taken.code, taken.err) == (2, "error: id: There is an app till.\n")
    assert "Remove the app till (Till), and end its tokens?" in cli("local", "client", "remove", "till").err
    assert succeed(cli("local", "client", "remove", "till", "--dry-run")).err == "Would remove the app till.\n"
    assert succeed(cli("local", "client", "remove", "till", "--yes")).err == "Removed the app till.\n"
    assert cli("local", "client", "remove", "till", "--yes").code == 6
    succeed(cli(*ADD, ADDRESS, "--id", "till"))
    assert [one["kind"] for one in succeed(cli("local", "client", "list", "--json")).json()] == ["public", "public"]
    assert succeed(cli("audit", "verify", "--service", "--json")).json()["unrecorded"] == []


@pytest.mark.together
@pytest.mark.parametrize(
    "address",
    [
        "http://till.example/callback",
        "https://till.example/#part",
        "https://till.example/a b",
        "https://anna@till.example/",
        "https:///callback",
        "https://till.example;script-src*/",
        "https://a.example,b.example/",
        "https://*.example/",
        "http://localhost;x/",
        "javascript:alert(1)",
        "data:text/html,x",
        "till:/back",
        "//till.example/",
        "https://till.example:port/",
        "https://till.example/\n",
        "",
        f"https://till.example/{'x' * 500}",
    ],
)
def test_what_is_no_address_to_return_to_is_refused(cli: Cli, address: str) -> None:
    done = cli(*ADD, address)
    assert (done.code, done.out) == (2, "")
    assert "redirect: " in done.err


@pytest.mark.together
@pytest.mark.parametrize(
    "address", ["http://localhost:1/", "http://127.0.0.1/x", "http://[::1]:8/cb", "https://a.b/?c"]
)
def test_addresses_to_return_to_are_kept_as_they_are(cli: Cli, address: str) -> None:
    assert succeed(cli(*ADD, address, "--json")).json()["redirects"] == [address]


@pytest.mark.together
@pytest.mark.parametrize(
    "options", [("--scopes", "openid admin"), ("--scopes", ""), ("--id", "a b"), ("--name", " "), ("--name", "x" * 129)]
)
def test_what_is_no_app_is_refused(cli: Cli, options: tuple[str, str]) -> None:
    assert cli(*ADD, ADDRESS, *options).code == 2
