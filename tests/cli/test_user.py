"""`acctcli user`: what it says to the service, and what it shows."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import recorder, said

USER = {
    "id": 7,
    "email": "ada@books.example",
    "first_name": "Ada",
    "last_name": "Lovelace",
    "language": "fi",
    "last_active_business_slug": "demo",
    "date_joined": "2026-01-02T10:00:00Z",
    "tos_accepted": True,
}


@pytest.mark.parametrize(
    ("verb", "method", "body"),
    [
        ("get", "GET", None),
        ("update", "PATCH", {"first_name": "Ada"}),
        ("replace", "PUT", {"first_name": "Ada"}),
    ],
)
def test_each_verb_is_one_request_and_shows_who_you_are(
    cli: Cli, at: At, verb: str, method: str, body: dict[str, str] | None
) -> None:
    with recorder(said(USER)) as server:
        at(server)
        shown = succeed(cli("user", verb, *(("--set", "first_name=Ada") if body else ())))
        (sent,) = server.sent
    assert (sent.method, sent.path, json.loads(sent.body or b"null")) == (method, "/v1/user/", body)
    assert [tuple(line.split()) for line in shown.lines()[2:]] == [
        ("id", "7"),
        ("email", "ada@books.example"),
        ("first_name", "Ada"),
        ("last_name", "Lovelace"),
        ("language", "fi"),
        ("last_active_business_slug", "demo"),
        ("date_joined", "2026-01-02T10:00:00Z"),
    ]
