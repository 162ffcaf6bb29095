"""Which requests a dry run holds back."""

from __future__ import annotations

import json

import pytest

from acctcli.client.messages import Planned, Reply, Request


@pytest.mark.parametrize(
    ("method", "path", "writes"),
    [
        ("GET", "/v1/business/demo/account/", False),
        ("HEAD", "/v1/business/demo/", False),
        ("POST", "/v1/business/demo/report/journal/", False),
        ("POST", "/auth/jwt/", False),
        ("POST", "/v1/business/demo/account/", True),
        ("POST", "/v1/business/demo/vat_period/7/action/report/", True),
        ("POST", "/v1/business/report/account/", True),
        ("PATCH", "/v1/business/report/", True),
    ],
)
def test_all_but_reading_writes(method: str, path: str, writes: bool) -> None:
    assert Request(method, path).writes is writes


@pytest.mark.parametrize(
    ("headers", "is_one"),
    [
        ({"idempotent-replayed": "true"}, True),
        ({"idempotent-replayed": "True"}, True),
        ({"idempotent-replayed": "false"}, False),
        ({"idempotent-replayed": ""}, False),
        ({}, False),
    ],
)
def test_a_stored_reply_says_so(headers: dict[str, str], is_one: bool) -> None:
    assert Reply(201, headers, b"{}").replayed is is_one


def test_a_plan_hides_secrets_and_keeps_digits() -> None:
    request = Request("POST", "/v1/x/", body=b'{"basic_auth_password":"p","amount":1.50}', key="k")
    plan = Planned(request, "https://books.example").as_json()
    assert b'"amount":1.50' in plan
    assert json.loads(plan)["body"] == {"basic_auth_password": "[hidden]", "amount": 1.5}


def test_a_plan_shows_the_whole_request() -> None:
    request = Request("DELETE", "/v1/x/7/", "force=true&a=b")
    assert json.loads(Planned(request, "https://books.example").as_json()) == {
        "method": "DELETE",
        "host": "https://books.example",
        "path": "/v1/x/7/?force=true&a=b",
        "idempotency_key": None,
        "body": None,
    }
