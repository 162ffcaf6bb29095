"""The service inside, served and reached under a name that people gave it, does all that it does as `local`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.processes import environ
from tests.cli.recorder import page, recorder, said
from tests.journeys.places import Place
from tests.journeys.sign_in import Served, served_in


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served_in(tmp_path_factory.mktemp("office")) as found:
        found.owner.run("business", "create", "--name", "Demo Oy", "--form", "FI_OY", "--slug", "demo")
        sale = ("--date", "today", "--description", "Sale", "--debit", "1910", "--credit", "3000:10")
        found.owner.run("document", "create", "--business", "demo", *sale)
        yield found


def place(folder: Path, name: str, url: str, token: str) -> Place:
    """Somebody else's machine, where the service at an address has a name."""
    there = {f"ACCTCLI_{name.upper()}_BASE_URL": url, f"ACCTCLI_{name.upper()}_TOKEN": token}
    return Place(name, folder, environ(folder, ACCTCLI_ENV=name, ACCTCLI_BUSINESS="demo", **there))


def test_a_check_looks_at_all_of_it_and_says_what_it_leaves_out(served: Served, tmp_path: Path) -> None:
    token = served.owner.run("local", "token").out.strip()
    office = place(tmp_path, "office", served.url, token).try_run("check", "--json")
    assert (office.code, json.loads(office.out)) == (0, []), office.err
    assert "not looked at" not in office.err
    elsewhere = place(tmp_path, "testing", served.url, token).try_run("check", "--json")
    (left_out,) = (line for line in elsewhere.err.splitlines() if line.startswith("not looked at"))
    assert left_out.partition(": ")[2].split(", ") == [
        "fingerprints", "audit trail", "database", "records", "files", "entries",
    ]  # fmt: skip


def test_a_status_says_when_a_token_ends(served: Served, tmp_path: Path) -> None:
    token = served.owner.run("local", "token", "--name", "office", "--expires", "2099-12-31").out.strip()
    (row,) = (
        one
        for one in json.loads(place(tmp_path, "office", served.url, token).run("auth", "status", "--json").out)
        if one["environment"] == "office"
    )
    assert row["expires_at"].startswith("2100-01-01T00:00:00")


@pytest.mark.parametrize(("status", "is_ours"), [(200, True), (403, True), (404, False)])
def test_a_service_is_asked_whether_it_is_that_one(tmp_path: Path, status: int, is_ours: bool) -> None:
    from acctcli.cli.session.options import Options
    from acctcli.cli.session.state import State

    with recorder(page() if status == 200 else said({"detail": "no"}, status)) as server:
        there = place(tmp_path, "office", server.base_url, "tok-0123456789")
        state = State(Options(), there.environ)
        assert state.is_local_service is is_ours
        assert [sent.path.partition("?")[0] for sent in server.sent] == ["/v1/business/demo/audit/"]
        state.close()
