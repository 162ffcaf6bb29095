"""Which requests a dry run holds back."""

from __future__ import annotations

import pytest

from acctcli.client.plan import Request


@pytest.mark.parametrize(
    ("method", "path", "writes"),
    [
        ("GET", "/v1/business/demo/account/", False),
        ("HEAD", "/v1/business/demo/", False),
        ("POST", "/v1/business/demo/report/journal/", False),
        ("POST", "/v1/business/demo/account/", True),
        ("POST", "/v1/business/demo/vat_period/7/action/report/", True),
        ("POST", "/v1/business/report/account/", True),
        ("PATCH", "/v1/business/report/", True),
    ],
)
def test_all_but_reading_writes(method: str, path: str, writes: bool) -> None:
    assert Request(method, path).writes is writes
