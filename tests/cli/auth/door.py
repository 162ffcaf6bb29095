"""A service that lets in whoever has the good token, and signing in to it."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Cli
from tests.cli.recorder import Answer, Sent, page, said

GOOD = "pat_good-0123456789"
BUSINESSES = page({"id": 1, "slug": "demo"}, {"id": 2, "slug": "acme"})
ENTRY = ("acctcli:testing", "token")


def door(sent: Sent) -> Answer:
    """Let in whoever has the good token."""
    if sent.headers["authorization"] != f"Token {GOOD}":
        return said({"detail": "Invalid token.", "code": "not_authenticated"}, 401)
    if sent.path == "/v1/user/":
        return said({"id": 1, "email": "ada@books.example"})
    return BUSINESSES if sent.path.startswith("/v1/business/?") else page()


def login(cli: Cli, token: str, *argv: str) -> tuple[int, str, str]:
    outcome = cli("auth", "login", "--with-token", *argv, stdin=f"{token}\n")
    assert token not in outcome.out + outcome.err
    return outcome.code, outcome.out, outcome.err


def files_below(folder: Path) -> str:
    return "".join(path.read_text(errors="replace") for path in folder.rglob("*") if path.is_file())
