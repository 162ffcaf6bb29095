"""Today where the business is, and the accounting periods that days lie in."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

import acctcli
from acctcli import law
from acctcli.cli.session import state
from acctcli.cli.session.options import Options
from acctcli.law.days import today_in
from tests.cli.conftest import At, Cli, Outcome, succeed
from tests.cli.recorder import Answer, Recorder, Sent, page, recorder, said

Now = Callable[[str], None]


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> Now:
    """Set the clock of the command line."""

    def set_to(text: str) -> None:
        moment = datetime.fromisoformat(text).replace(tzinfo=UTC)
        monkeypatch.setattr(state, "utc_now", lambda: moment)

    return set_to


def period(number: int, start: str, end: str, **more: object) -> dict[str, Any]:
    return {"id": number, "start_date": start, "end_date": end, "is_locked": False, **more}


Y2026 = period(1, "2026-01-01", "2026-12-31")
Y2027 = period(2, "2027-01-01", "2027-12-31")


def behave(*periods: dict[str, Any], country: str = "FI") -> Callable[[Sent], Answer]:
    """A service with these accounting periods, the latest first, in a country."""

    def answer(sent: Sent) -> Answer:
        if sent.method != "GET":
            written = sent.path.rstrip("/").rpartition("/")[2]
            return said({"id": int(written) if written.isdigit() else 1, **json.loads(sent.body or b"{}")}, 201)
        return page(*periods) if "/period/" in sent.path else said({"id": 1, "slug": "demo", "country": country})

    return answer


def sent_by(server: Recorder) -> list[str]:
    return [f"{one.method} {one.path.partition('?')[0]}" for one in server.sent]


# --- today ---


@pytest.mark.parametrize(
    ("moment", "country", "day", "asked"),
    [
        ("2026-12-31T12:00", "FI", "2026-12-31", 0),
        ("2026-12-31T22:30", "FI", "2027-01-01", 1),
        ("2026-12-31T22:30", "DE", "2026-12-31", 1),
        ("2026-12-31T23:30", "DE", "2027-01-01", 1),
        ("2026-12-31T23:30", "SE", "2026-12-31", 1),
        ("2027-01-01T00:00", "FI", "2027-01-01", 0),
    ],
)
def test_today_is_that_of_the_business_which_is_asked_only_where_it_matters(
    cli: Cli, at: At, now: Now, moment: str, country: str, day: str, asked: int
) -> None:
    now(moment)
    with recorder(behave(country=country)) as server:
        at(server)
        succeed(cli("document", "create", "--date", "today", "--json"))
    assert json.loads(server.sent[-1].body)["date"] == day
    assert sent_by(server) == ["GET /v1/business/demo/"] * asked + ["POST /v1/business/demo/document/"]


def test_without_a_business_today_is_that_of_utc(cli: Cli, at: At, now: Now, monkeypatch: pytest.MonkeyPatch) -> None:
    now("2026-12-31T23:30")
    with recorder(lambda sent: said([])) as server:
        at(server)
        monkeypatch.delenv("ACCTCLI_BUSINESS")
        here = state.State(Options(env=None))
        assert here.today() == date(2026, 12, 31)
    assert server.sent == []


def test_a_system_without_time_zones_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(law.ZONES, "FI", "Europe/Nowhere")
    with pytest.raises(acctcli.errors.UsageError, match="does not know the time zone Europe/Nowhere") as caught:
        today_in("FI", datetime.now(UTC))
    assert "tzdata" in str(caught.value.hint)


def test_every_country_has_a_time_zone() -> None:
    assert law.ZONES.keys() == law.PACKAGES.keys()


def test_nothing_takes_its_day_from_the_clock_of_a_machine() -> None:
    """But for days of time stamps, which are in UTC on both sides."""
    of_stamps = {"cli/exports/changes.py"}
    root = Path(acctcli.__file__).parent
    found = set()
    for path in root.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        if "today(" not in source and "now(" not in source:
            continue
        for node in ast.walk(ast.parse(source)):
            # no other call ends like them, and to write each out again takes long
            is_asked = isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("today", "date")
            text = ast.unparse(node) if is_asked else ""
            if text == "date.today()" or (".now(" in text and text.endswith(").date()")):
                found.add(path.relative_to(root).as_posix())
    assert found == of_stamps


# --- accounting periods ---


def created(cli: Cli, at: At, *argv: str, periods: tuple[dict[str, Any], ...] = (Y2026,)) -> Outcome:
    with recorder(behave(*periods)) as server:
        at(server)
        outcome = cli("period", "create", *argv, "--json")
    if not outcome.code:
        assert sent_by(server)[-1] == "POST /v1/business/demo/period/"
    return outcome


@pytest.mark.together
@pytest.mark.parametrize(
    ("argv", "days"),
    [
        ((), ("2027-01-01", "2027-12-31")),
        (("--next",), ("2027-01-01", "2027-12-31")),
        (("--end", "2027-12-31"), ("2027-01-01", "2027-12-31")),
        (("--next", "--end", "2028-06-30", "--change-of-year"), ("2027-01-01", "2028-06-30")),
        (("--start", "2025-01-01", "--end", "2025-12-31"), ("2025-01-01", "2025-12-31")),
        (("--start", "2024-07-01", "--end", "2025-12-31"), ("2024-07-01", "2025-12-31")),
        (("--start", "2025-01-01"), ("2025-01-01", "2025-12-31")),
    ],
)
def test_a_period_follows_the_latest_one_for_a_year(
    cli: Cli, at: At, argv: tuple[str, ...], days: tuple[str, str]
) -> None:
    made = succeed(created(cli, at, *argv)).json()
    assert (made["start_date"], made["end_date"]) == days


def test_the_first_period_is_the_calendar_year(cli: Cli, at: At, now: Now) -> None:
    now("2027-05-05T12:00")
    made = succeed(created(cli, at, "--next", periods=())).json()
    assert (made["start_date"], made["end_date"]) == ("2027-01-01", "2027-12-31")


def test_another_length_changes_the_financial_year_only_when_that_is_said(cli: Cli, at: At) -> None:
    for end in ("2027-06-30", "2028-06-30"):
        refused = created(cli, at, "--next", "--end", end)
        error = json.loads(refused.err)["error"]
        assert (refused.code, refused.out) == (2, "")
        assert error["message"] == f"2027-01-01 to {end} is not 12 months: it would change the financial year"
        assert error["hint"] == "let it end on 2027-12-31, or add --change-of-year"


def test_next_begins_where_the_latest_ends(cli: Cli, at: At) -> None:
    refused = created(cli, at, "--next", "--start", "2027-01-01")
    assert (refused.code, refused.out) == (2, "")


@pytest.mark.together
@pytest.mark.parametrize(
    ("argv", "days"),
    [
        (("update", "2", "--end", "2028-06-30"), "2027-01-01 to 2028-06-30"),
        (("update", "2", "--set", "end_date=2027-06-30"), "2027-01-01 to 2027-06-30"),
        (("update", "2", "--start", "2027-02-01"), "2027-02-01 to 2027-12-31"),
        (("replace", "2", "--start", "2027-01-01", "--end", "2028-06-30"), "2027-01-01 to 2028-06-30"),
    ],
)
def test_a_period_that_is_there_changes_the_financial_year_only_when_that_is_said(
    cli: Cli, at: At, argv: tuple[str, ...], days: str
) -> None:
    with recorder(behave(Y2026, Y2027)) as server:
        at(server)
        refused = cli("period", *argv, "--json")
        assert [one for one in sent_by(server) if not one.startswith("GET")] == []
        succeed(cli("period", *argv, "--change-of-year", "--json"))
    error = json.loads(refused.err)["error"]
    assert error["message"] == f"{days} is not 12 months: it would change the financial year"
    assert "--change-of-year" in error["hint"]


def test_the_first_period_may_be_given_any_length(cli: Cli, at: At) -> None:
    with recorder(behave(Y2026, Y2027)) as server:
        at(server)
        succeed(cli("period", "update", "1", "--start", "2025-07-01", "--json"))


NOTE = "note: the last accounting period ends on 2026-12-31; add the next one with: acctcli period create --next\n"


@pytest.mark.parametrize(
    ("moment", "told"), [("2026-10-31T12:00", ""), ("2026-11-01T12:00", NOTE), ("2027-03-01T12:00", NOTE)]
)
def test_the_year_s_end_says_how_the_next_one_is_added(cli: Cli, at: At, now: Now, moment: str, told: str) -> None:
    now(moment)
    with recorder(behave(Y2026)) as server:
        at(server)
        assert succeed(cli("period", "list")).err == told
        assert succeed(cli("period", "list", "--json")).err == ""


def test_a_day_without_a_period_is_refused_with_the_command_that_adds_it(cli: Cli, at: At) -> None:
    text = "2027-01-01 lies in no accounting period: one ends on 2026-12-31."
    refusal = {"code": "precondition_failed", "detail": text, "date": [text]}
    with recorder(lambda sent: said(refusal, 412)) as server:
        at(server)
        refused = cli("document", "create", "--date", "2027-01-01")
    assert refused.code == 8
    assert text in refused.err
    assert "acctcli period create --next" in refused.err


@pytest.mark.together
@pytest.mark.parametrize(
    ("first", "told"),
    [
        ("2025-01-01", "period create --start 2024-01-01 --end 2024-12-31"),
        ("2024-02-29", "period create --start 2023-02-28 --end 2024-02-28"),
        ("2024-02-30", "period create --next"),
        ("0001-01-01", "period create --next"),
    ],
)
def test_a_day_before_all_periods_is_refused_with_the_one_to_add_before(
    cli: Cli, at: At, first: str, told: str
) -> None:
    text = f"2023-05-01 lies in no accounting period: one begins on {first}."
    with recorder(lambda sent: said({"code": "precondition_failed", "detail": text, "date": [text]}, 412)) as server:
        at(server)
        refused = cli("document", "create", "--date", "2023-05-01")
    assert (refused.code, told in refused.err) == (8, True)
