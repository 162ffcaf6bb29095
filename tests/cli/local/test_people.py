"""Tokens and passwords of people, as whoever owns the local books gives and withdraws them."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Cli, found, succeed

PASSWORD = "correct horse battery"


def rows(cli: Cli, *options: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = succeed(cli("local", "tokens", *options, "--json")).json()
    return found


def test_tokens_are_made_listed_and_withdrawn(cli: Cli) -> None:
    token = succeed(cli("local", "token", "--user", "anna@example.com", "--name", "Till", "--expires", "2099-12-31"))
    assert token.out.startswith("acct_pat_")
    (listed,) = rows(cli, "--of", "anna@example.com")
    assert (listed["name"], listed["expires_at"]) == ("Till", "2100-01-01T00:00:00.000000Z")
    assert len(rows(cli)) == 2
    asked = cli("local", "revoke-token", str(listed["id"]))
    assert (asked.code, asked.out) == (2, "")
    assert "Withdraw the token 2 (Till) of anna@example.com?" in asked.err
    rehearsed = succeed(cli("local", "revoke-token", "2", "--dry-run"))
    assert rehearsed.err == "Would withdraw the token 2 (Till) of anna@example.com.\n"
    done = succeed(cli("local", "revoke-token", "2", "--yes", "--json"))
    assert done.json() == {"id": 2, "user": "anna@example.com", "name": "Till", "revoked": True}
    assert rows(cli, "--of", "anna@example.com") == []
    again = cli("local", "revoke-token", "2", "--yes")
    assert (again.code, again.err) == (6, "error: There is no such token in force.\n")


def test_a_new_token_of_the_local_user_is_another_one(cli: Cli) -> None:
    own = succeed(cli("local", "token")).out
    assert succeed(cli("local", "token", "--name", "Script")).out != own
    assert succeed(cli("local", "token")).out == own
    assert [(one["user"], one["name"]) for one in rows(cli)] == [
        ("local@localhost", "local"),
        ("local@localhost", "Script"),
    ]


def test_who_withdraws_their_own_token_gets_another_one(cli: Cli) -> None:
    before = succeed(cli("local", "token")).out
    succeed(cli("local", "revoke-token", "1", "--yes"))
    after = succeed(cli("local", "token")).out
    assert after != before
    succeed(cli("business", "list"))


@pytest.mark.together
@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--name", " "), "--name has 1 to 128 characters"),
        (("--name", "x" * 129), "--name has 1 to 128 characters"),
        (("--expires", "2001-01-01"), "that day is over"),
        (("--expires", "9999-12-31"), "the calendar ends with that day; write an earlier one, or none"),
        (("--expires", "soon"), "not a day"),
        (("--user", " "), "--user is empty"),
    ],
)
def test_what_is_no_token_is_refused(cli: Cli, options: tuple[str, ...], told: str) -> None:
    done = cli("local", "token", *options)
    assert (done.code, done.out) == (2, "")
    assert told in done.err


def test_a_service_has_the_tokens_of_its_own_name_only(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    own = succeed(cli("local", "token")).out
    monkeypatch.setenv("ACCTCLI_LOCAL_NAME", "rehearsal")
    assert succeed(cli("local", "token")).out != own
    assert [one["environment"] for one in rows(cli)] == ["local", "rehearsal"]
    succeed(cli("business", "list", "--env", "local"))
    monkeypatch.setenv("ACCTCLI_LOCAL_NAME", "Not A Name")
    assert cli("local", "token").code == 2


def test_a_password_comes_from_standard_input(cli: Cli, home: Path) -> None:
    nobody = cli("local", "password", "anna@example.com", stdin=f"{PASSWORD}\n")
    assert (nobody.code, nobody.err) == (6, "error: There is no user with this address.\n")
    succeed(cli("local", "token", "--user", "anna@example.com"))
    done = succeed(cli("local", "password", "anna@example.com", "--json", stdin=f"{PASSWORD}\n"))
    assert done.json() == {"user": "anna@example.com", "password_set": True}
    assert cli("local", "password", "anna@example.com", stdin="").code == 2
    short = cli("local", "password", "anna@example.com", stdin="short\n")
    assert (short.code, short.err) == (2, "error: password: A password has 10 to 256 characters.\n")
    held = [path.read_bytes() for path in home.rglob("*") if path.is_file()]
    assert held
    assert not any(PASSWORD.encode() in one for one in held)


def test_who_is_invited_only_sets_the_password_by_the_mail(cli: Cli) -> None:
    found(cli, "--name", "Demo Oy", "--form", "FI_OY", "--slug", "demo")
    succeed(cli("user", "invite", "dora@example.com", "--role", "admin", "--business", "demo"))
    refused = cli("local", "password", "Dora@example.com", stdin=f"{PASSWORD}\n")
    assert (refused.code, refused.err) == (
        6,
        "error: There is no user with this address yet: an invitation waits for it\n"
        "hint: the mail names a page, where its code lets them set a password; or make the user first: "
        "acctcli local token --user Dora@example.com\n",
    )
    succeed(cli("local", "token", "--user", "dora@example.com"))
    succeed(cli("local", "password", "dora@example.com", stdin=f"{PASSWORD}\n"))


def test_an_address_that_its_user_wrote_gets_no_password_and_no_token_unasked(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = succeed(cli("local", "token", "--user", "eve@example.com")).out.strip()
    with monkeypatch.context() as hers:
        hers.setenv("ACCTCLI_LOCAL_TOKEN", token)
        succeed(cli("api", "PATCH", "/v1/user/", "-F", "email=lena@example.com"))
    for command in (("password", "lena@example.com"), ("token", "--user", "lena@example.com")):
        refused = cli("local", *command, stdin=f"{PASSWORD}\n")
        assert (refused.code, "it may be another person's" in refused.err) == (2, True), refused
        succeed(cli("local", *command, "--unproved", stdin=f"{PASSWORD}\n"))
    assert len(rows(cli, "--of", "lena@example.com")) == 2


def test_somebody_is_signed_out(cli: Cli) -> None:
    succeed(cli("local", "token", "--user", "anna@example.com"))
    asked = cli("local", "sign-out", "anna@example.com")
    assert (asked.code, "Sign anna@example.com out of all browsers and apps?" in asked.err) == (2, True)
    rehearsed = succeed(cli("local", "sign-out", "anna@example.com", "--dry-run"))
    assert rehearsed.err == "Would sign anna@example.com out everywhere.\n"
    done = succeed(cli("local", "sign-out", "anna@example.com", "--yes", "--json"))
    assert done.json() == {"user": "anna@example.com", "signed_out": True}
    assert len(rows(cli, "--of", "anna@example.com")) == 1
    assert cli("local", "sign-out", "nobody@example.com", "--yes").code == 6


@pytest.mark.parametrize("second", [PASSWORD, "another password"])
def test_a_password_is_typed_twice_unseen(cli: Cli, second: str) -> None:
    succeed(cli("local", "token", "--user", "anna@example.com"))
    terminal, inside = pty.openpty()
    command = [sys.executable, "-m", "acctcli", "local", "password", "anna@example.com"]
    with subprocess.Popen(
        command, stdin=inside, stdout=inside, stderr=inside, start_new_session=True, close_fds=True
    ) as typed:
        os.close(inside)
        seen = b""
        for prompt, answer in ((b"(not shown): ", PASSWORD), (b"Once more: ", second)):
            while prompt not in seen:
                seen += os.read(terminal, 1024)
            os.write(terminal, f"{answer}\n".encode())
            seen = seen.partition(prompt)[2]
        while True:
            try:
                more = os.read(terminal, 1024)
            except OSError:
                break
            if not more:
                break
            seen += more
        code = typed.wait(20)
    os.close(terminal)
    assert PASSWORD.encode() not in seen
    assert code == (0 if second == PASSWORD else 2), seen
