"""What a new invoice takes from the calendar and from the business where nobody says it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import Answer, Recorder, Sent, recorder, said

INVOICES = "/v1/invoicing/demo/invoice/"
BUSINESS = "/v1/business/demo/"
TERMS = {"invoicing_default_payment_condition_days": 21}
ROW = "name=Work,unit=h,amount=99.99,vat=25.5"


@pytest.fixture
def business() -> dict[str, Any]:
    """What the service tells of the business."""
    return dict(TERMS)


@pytest.fixture
def server(at: At, business: dict[str, Any]) -> Iterator[Recorder]:
    """A service with one business, that takes every invoice."""

    def behave(sent: Sent) -> Answer:
        return (
            said({"id": 1, "slug": "demo", **business}) if sent.path == BUSINESS else said({"id": 9, "status": "DRAFT"})
        )

    with recorder(behave) as made:
        at(made)
        yield made


def body_of(server: Recorder) -> Any:
    [sent] = server.writes
    return json.loads(sent.body)


@pytest.fixture
def today(monkeypatch: pytest.MonkeyPatch) -> str:
    """The day that it is while a test runs, past midnight too."""

    moment = datetime(2026, 3, 31, 12, tzinfo=UTC)
    monkeypatch.setattr("acctcli.cli.session.state.utc_now", lambda: moment)
    return "2026-03-31"


def test_a_draft_is_of_today_and_due_as_the_business_says(cli: Cli, server: Recorder, today: str) -> None:
    succeed(cli("invoice", "create", "--to", "id:5"))
    assert [(sent.method, sent.path) for sent in server.sent] == [("GET", BUSINESS), ("POST", INVOICES)]
    assert body_of(server) == {"receiver": 5, "invoicing_date": today, "payment_condition_days": 21}


def test_a_business_may_have_its_invoices_due_at_once(
    cli: Cli, server: Recorder, business: dict[str, Any], today: str
) -> None:
    business["invoicing_default_payment_condition_days"] = 0
    succeed(cli("invoice", "create", "--to", "id:5"))
    assert body_of(server) == {"receiver": 5, "invoicing_date": today, "payment_condition_days": 0}


def test_a_rehearsal_shows_what_would_be_filled_in(cli: Cli, server: Recorder, today: str) -> None:
    plan = succeed(cli("invoice", "create", "--to", "id:5", "--row", ROW, "--dry-run", "--json")).json()
    assert plan["body"] == {
        "receiver": 5,
        "invoicing_date": today,
        "payment_condition_days": 21,
        "rows": [
            {"name": "Work", "unit": "h", "amount": 99.99, "vat_rate": 25.5, "vat_code": 1, "product_count": 1},
        ],
    }
    assert server.writes == []


@pytest.mark.parametrize(
    ("options", "stdin"),
    [
        (("--days", "0"), ""),
        (("--set", "payment_condition_days=0"), ""),
        (("--file", "-"), '{"payment_condition_days": 0}'),
        (("--file", "terms.json"), ""),
    ],
)
def test_days_that_are_said_are_not_asked_for(
    cli: Cli, server: Recorder, today: str, options: tuple[str, ...], stdin: str
) -> None:
    Path("terms.json").write_text('{"payment_condition_days": 0}')
    succeed(cli("invoice", "create", "--to", "id:5", *options, stdin=stdin))
    assert [sent.method for sent in server.sent] == ["POST"]
    assert body_of(server) == {"receiver": 5, "invoicing_date": today, "payment_condition_days": 0}


@pytest.mark.parametrize(
    ("options", "stdin"),
    [
        (("--date", "2026-01-02"), ""),
        (("--set", "invoicing_date=2026-01-02"), ""),
        (("--file", "-"), '{"invoicing_date": "2026-01-02"}'),
    ],
)
def test_a_date_that_is_said_is_kept(cli: Cli, server: Recorder, options: tuple[str, ...], stdin: str) -> None:
    succeed(cli("invoice", "create", "--to", "id:5", *options, stdin=stdin))
    assert body_of(server) == {"receiver": 5, "invoicing_date": "2026-01-02", "payment_condition_days": 21}


@pytest.mark.parametrize("told", [{}, {"invoicing_default_payment_condition_days": None}])
def test_a_business_without_terms_has_them_asked_for(
    cli: Cli, server: Recorder, business: dict[str, Any], told: dict[str, None]
) -> None:
    business.clear()
    business.update(told)
    outcome = cli("invoice", "create", "--to", "id:5")
    assert (outcome.code, outcome.out, server.writes) == (2, "", [])
    assert outcome.err == (
        "error: payment_condition_days: required, since the business names no default\nhint: say it with --days\n"
    )


@pytest.mark.together
@pytest.mark.parametrize(
    ("options", "says"),
    [
        ((), "receiver (--to): required"),
        (("--to", "id:5", "--set", "payment_condition_days=null"), "payment_condition_days (--days): "),
        (("--to", "id:5", "--set", "invoicing_date=null"), "invoicing_date (--date): "),
        (("--to", "id:5", "--reference", "1" * 21), "reference: "),
    ],
)
def test_a_wrong_draft_asks_the_business_nothing(
    cli: Cli, server: Recorder, options: tuple[str, ...], says: str
) -> None:
    outcome = cli("invoice", "create", *options)
    assert (outcome.code, outcome.out, server.sent) == (2, "", [])
    assert outcome.err.startswith(f"error: {says}")


def test_what_replaces_a_draft_says_it_all(cli: Cli, server: Recorder) -> None:
    outcome = cli("invoice", "replace", "7", "--to", "id:5")
    assert (outcome.code, server.sent) == (2, [])
    assert outcome.err == "error: invoicing_date (--date): required; payment_condition_days (--days): required\n"
