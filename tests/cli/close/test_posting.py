"""`close post`: tax, the next period and the lock, each once; nothing while something is open."""

from __future__ import annotations

import json
import shutil
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from acctcli.cli.close import posting
from tests.journeys.cutting import cut_off
from tests.journeys.places import Place, fresh

D = Decimal
# a year before the first one, that is over whenever this runs
COMMANDS = """
business create --name Year --form FI_OY --slug year --set default_vat_period=-1
business use year
business update year --set default_vat_period=2
period create --start 2025-01-01 --end 2025-12-31
vat period create --start 2025-01-01
vat period create
document create --date 2025-11-20 --debit 1910 --credit 3000:12550
document create --date 2025-03-20 --debit 9910:300 --credit 1910
"""


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = fresh("year", tmp_path_factory.mktemp("year") / "books")
    for line in COMMANDS.strip().splitlines():
        place.run(*line.split())
    return place.folder


@pytest.fixture
def place(company: Path, tmp_path: Path) -> Place:
    shutil.copytree(company, tmp_path / "books")
    return fresh("year", tmp_path / "books")


def close(place: Place, *argv: str, code: int = 0) -> list[tuple[str, str, str, Any]]:
    done = place.try_run("close", "post", "--period", "2025", *argv, "--json")
    assert done.code == code, done.err
    rows = json.loads(done.out or "[]", parse_float=D)
    return [(row["step"], row["status"], row["about"], row["amount"]) for row in rows]


def refused(place: Place, *argv: str) -> tuple[int, str]:
    before = place.json("audit", "list", "--limit", "1")
    done = place.try_run("close", "post", *argv)
    assert done.out == ""
    assert place.json("audit", "list", "--limit", "1") == before  # nothing was sent
    return done.code, done.err


def taxes(place: Place) -> list[tuple[str, str, Any]]:
    return [
        (one["account_number"], "D" if one["is_debet"] else "C", one["amount"])
        for document in place.json("document", "list", "--search", "Income tax", "--all")
        for one in place.json("document", "entries", str(document["id"]))
    ]


def locked(place: Place) -> list[str]:
    return [one["start_date"] for one in place.json("period", "list") if one["is_locked"]]


def test_tax_goes_before_vat_and_the_lock_behind_it(place: Place) -> None:
    done = place.try_run("close", "post", "--period", "2025", "--tax", "2000")
    assert done.code == 10
    assert "VAT of the period is not reported: it is not locked yet" in done.err
    # 300.00 were charged by the prepayment
    assert taxes(place) == [("9900", "D", D("1700.00")), ("2970", "C", D("1700.00"))]
    assert locked(place) == []
    place.run("vat", "period", "report", "1", "--yes")
    assert close(place, "--tax", "2000") == [
        ("result", "there", "before this", D("8000.00")),
        ("next period", "there", "2026-01-01 - 2026-12-31", None),
        ("lock", "done", "2025-01-01 - 2025-12-31", None),
    ]
    assert locked(place) == ["2025-01-01"]
    assert close(place, "--tax", "2000")[-1] == ("lock", "there", "2025-01-01 - 2025-12-31", None)
    assert len(taxes(place)) == 2
    sheet = place.json("report", "balance-sheet", "--date", "2026-01-01")
    values = {row["name"]: row["values"] for row in sheet["rows"]}
    assert (values["Profit of previous periods"], values["Profit of the period"]) == ([D("8000.00")], [D("0.00")])


def test_each_year_is_locked_and_locked_again_within_a_day(place: Place) -> None:
    """No stored reply of a lock that was opened since, or of another year, stands for one (docs/interface.md 1.6)."""
    for _ in range(2):
        assert close(place, "--anyway")[-1] == ("lock", "done", "2025-01-01 - 2025-12-31", None)
        assert locked(place) == ["2025-01-01"]
        (period,) = (one["id"] for one in place.json("period", "list") if one["is_locked"])
        place.run("period", "unlock", str(period))
    place.run("close", "post", "--period", "2026", "--anyway")
    assert locked(place) == ["2026-01-01"]
    close(place, "--anyway")
    assert locked(place) == ["2026-01-01", "2025-01-01"]


def test_what_is_open_before_the_year_is_open(place: Place) -> None:
    """Its lock closes all days before it, of a draft and of VAT that is not reported, too."""
    code, told = refused(place, "--period", "2026")
    assert (code, "2026-01-01 - 2026-12-31: open: period, VAT; nothing is closed" in told) == (10, True)
    rows = json.loads(place.try_run("close", "check", "--period", "2026", "--json").out)
    found = [(row["part"], row["record"], row["problem"]) for row in rows if "2025" in str(row["record"])]
    assert found == [
        (
            "period",
            "accounting period 2025-01-01 - 2025-12-31",
            "it is not locked, and the lock of this period would close its days, too",
        ),
        ("VAT", "VAT period 2025-01-01 - 2025-12-31", "it is not reported"),
    ]


def test_two_who_close_at_once_charge_tax_once(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both asked what was charged before either had posted; what was taken back is charged anew."""
    asked, others = posting._result, iter(["2000"])

    def before_another(*given: Any) -> Any:
        found = asked(*given)
        for tax in others:
            close(place, "--tax", tax, code=10)
        return found

    monkeypatch.setattr(posting, "_result", before_another)
    close(place, "--tax", "2000", code=10)
    assert [amount for *_, amount in taxes(place)] == [D("1700.00"), D("1700.00")]
    (one,) = place.json("document", "list", "--search", "Income tax")
    place.run("document", "reverse", str(one["id"]), "--date", "2025-12-31")
    close(place, "--tax", "2000", code=10)
    assert len(place.json("document", "list", "--search", "Income tax")) == 3


def test_tax_that_was_charged_too_much_is_a_receivable(place: Place) -> None:
    close(place, "--tax", "0", code=10)
    assert taxes(place) == [("1850", "D", D("300.00")), ("9900", "C", D("300.00"))]


def test_the_broadcasting_tax_is_none_of_it(place: Place) -> None:
    place.run("document", "create", "--date", "2025-04-01", "--debit", "9980:50", "--credit", "1910")
    close(place, "--tax", "300", code=10)  # all of it is prepaid, and VAT is open
    close(place, "--tax", "350", code=10)
    assert taxes(place) == [("9900", "D", D("50.00")), ("2970", "C", D("50.00"))]


def test_an_account_of_tax_may_be_named(place: Place) -> None:
    close(place, "--tax", "300.01", "--tax-account", "9910", code=10)
    assert taxes(place) == [("9910", "D", D("0.01")), ("2970", "C", D("0.01"))]


def test_what_is_open_keeps_it_from_being_closed_unless_told_otherwise(place: Place) -> None:
    place.run("document", "create", "--date", "2025-05-01", "--debit", "1910", "--credit", "3900:5", "--draft")
    code, told = refused(place, "--period", "2025", "--tax", "2000")
    assert code == 10
    assert "2025-01-01 - 2025-12-31: open: VAT, drafts; nothing is closed" in told
    assert [step for step, *_ in close(place, "--tax", "2000", "--anyway")] == ["result", "tax", "next period", "lock"]
    assert locked(place) == ["2025-01-01"]


def test_the_next_periods_are_made(place: Place) -> None:
    for period in place.json("period", "list"):
        if period["start_date"] != "2025-01-01":
            place.run("period", "delete", str(period["id"]), "--yes")
    for period in place.json("vat", "period", "list"):
        if period["start_date"] != "2025-01-01":
            place.run("vat", "period", "delete", str(period["id"]), "--yes")
    place.run("vat", "period", "report", "1", "--yes")
    assert close(place)[1:] == [
        ("next period", "done", "2026-01-01 - 2026-12-31", None),
        ("next VAT period", "done", "from 2026-01-01 on", None),
        ("lock", "done", "2025-01-01 - 2025-12-31", None),
    ]
    assert [one["start_date"] for one in place.json("vat", "period", "list")] == ["2026-01-01", "2025-01-01"]


def test_a_rehearsal_shows_every_request(place: Place) -> None:
    done = place.run("close", "post", "--period", "2025", "--tax", "2000", "--anyway", "--dry-run", "--json")
    plans = json.loads(done.out, parse_float=D)
    assert [(plan["method"], plan["path"].rsplit("/", 3)[1:3]) for plan in plans] == [
        ("POST", ["year", "document"]),
        ("POST", ["action", "lock"]),
    ]
    assert plans[0]["body"]["type"] == 7
    assert (taxes(place), locked(place)) == ([], [])


@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_at_any_request_each_step_is_done_once(place: Place, when: str) -> None:
    command = ("close", "post", "--period", "2025", "--tax", "2000", "--anyway", "--json")
    for cut in range(1, 20):
        done = cut_off(place, cut, *command, when=when, of="writes")
        assert len(taxes(place)) <= 2
        if done == 0:
            break
    assert cut > 1
    assert (len(taxes(place)), locked(place)) == (2, ["2025-01-01"])


@pytest.mark.together
@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (("--period", "2025-03"), "2025-03-01 - 2025-03-31 is no accounting period: only a whole one is closed"),
        (("--period", "2025", "--tax", "-1"), "--tax '-1': write an amount not below zero with at most 2 decimals"),
        (("--period", "2025", "--tax", "0.001"), "--tax '0.001': write an amount not below zero"),
        (("--period", "2025", "--tax-account", "9900"), "--tax-account says where --tax is posted: give both"),
        (("--period", "2025", "--tax", "1", "--tax-account", "3000"), "3000 Sales, standard rate is no account of tax"),
        (("--period", "2025", "--tax", "1", "--tax-account", "1"), "--tax-account: there is no account 1 in the chart"),
    ],
)
def test_what_cannot_be_is_refused(place: Place, argv: tuple[str, ...], told: str) -> None:
    code, said = refused(place, *argv)
    assert code == 2
    assert told in said


def test_tax_of_closed_days_is_refused_with_what_opens_them(place: Place) -> None:
    place.run("vat", "period", "report", "1", "--yes")
    code, told = refused(place, "--period", "2025", "--tax", "2000")
    assert code == 2
    assert "VAT of 2025-01-01 - 2025-12-31 is reported, which closes 2025-12-31: no income tax can be posted" in told
    close(place)
    code, told = refused(place, "--period", "2025", "--tax", "2000")
    assert code == 2
    assert "the period 2025-01-01 - 2025-12-31 is locked: no income tax can be posted" in told


def test_a_financial_year_that_is_no_calendar_year_is_closed_by_its_days(place: Place) -> None:
    place.run("period", "create", "--start", "2024-07-01", "--end", "2024-12-31", "--change-of-year")
    days = ("--from", "2024-07-01", "--to", "2024-12-31")
    open_rows = json.loads(place.try_run("close", "check", *days, "--json").out)
    assert {row["problem"] for row in open_rows if row["part"] == "period"} == {None}
    code, told = refused(place, "--period", "2024")
    assert (code, "the one of these days: acctcli close post --from 2024-07-01 --to 2024-12-31" in told) == (2, True)
    code, told = refused(place, *days)
    assert (code, "acctcli close check --from 2024-07-01 --to 2024-12-31" in told) == (10, True)
    assert "--period does not go with" in refused(place, "--period", "2025", *days)[1]
    assert "write --period 2026, or --from" in refused(place, "--from", "2024-07-01")[1]
    place.run("close", "post", *days, "--anyway", "--yes")
    assert locked(place) == ["2024-07-01"]
