"""Secrets are masked in whatever may be printed, in parts of it too."""

from __future__ import annotations

import json

import pytest

from acctcli.client import redact
from acctcli.errors import Rejected

WHOLE = '{"a":1,"token":"uno\\"due.tre","basic_auth_password": "zwei","signing_secret":"drei","name":"x"}'


def test_fields_that_look_secret_are_masked() -> None:
    masked = redact.fields(WHOLE.encode())
    assert json.loads(masked) == {
        "a": 1,
        "token": "[hidden]",
        "basic_auth_password": "[hidden]",
        "signing_secret": "[hidden]",
        "name": "x",
    }
    assert redact.text(WHOLE) == masked.decode()


def test_what_is_no_field_stays_as_it_was() -> None:
    body = b'{"description":"password=1 https://a:b@c.example/","amount":1.50}'
    assert redact.fields(body) == body


@pytest.mark.parametrize("end", range(WHOLE.index("uno"), len(WHOLE)))
def test_no_part_of_a_text_shows_a_secret(end: int) -> None:
    masked = redact.text(WHOLE[:end])
    assert not [word for word in ("un", "due", "tre", "zw", "dr") if word in masked]


@pytest.mark.parametrize(
    ("said", "masked"),
    [
        ("see https://user:secret@host.example/a", "see https://[hidden]@host.example/a"),
        ("https://token@host.example", "https://[hidden]@host.example"),
        ("/a?id=7&X-Amz-Signature=abc&next=2", "/a?id=7&X-Amz-Signature=[hidden]&next=2"),
        ("password=x", "password=[hidden]"),
        ("mail a@host.example", "mail a@host.example"),
    ],
)
def test_what_addresses_and_forms_give_away_is_masked(said: str, masked: str) -> None:
    assert redact.text(said) == masked


def test_an_error_masks_addresses_in_all_that_it_says() -> None:
    said, shown = "https://user:secret@host.example is away", "https://[hidden]@host.example is away"
    error = Rejected(said, status=400, code=said, fields={said: [said]})
    redact.error(error, [])
    assert (error.message, error.code, error.fields) == (shown, shown, {shown: [shown]})
