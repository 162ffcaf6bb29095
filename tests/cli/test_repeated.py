"""What repeats a command that wrote, or may have, does the same on another day, when today is another one."""

from __future__ import annotations

import json
import shlex
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from acctcli.cli.session import state
from tests.cli.company import company
from tests.journeys.places import Place, fresh

SALE = ("--description", "Sale", "--debit", "1910", "--credit", "3000:10")
# the books that the commands are about; the last one is in the books
BOOKS = (
    "business update company --set invoicing_street=Satama --set invoicing_postal_code=00100 "
    "--set invoicing_city=Helsinki --set invoicing_country=FI --set invoicing_iban=FI2112345600000785",
    "business identifier create --type y_tunnus --value 0112038-9",
    "business identifier create --type vat_code --value FI01120389",
    "contact create --name Birch --invoicing --email birch@example.com --street Katu --postal-code 00100 "
    "--city Helsinki --country FI",
    "document create --date 2026-05-01 --description Sale --debit 1910 --credit 3000:10",
    "invoice create --to Birch --date 2026-05-01 --days 14 --row name=Work,unit=h,amount=10,vat=25.5",
    "invoice accept 1",
    "purchase create --sender Kone --date 2026-05-01 --amount 62.75 --source upload",
    "purchase post 1 --account 4000",
)


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = company(tmp_path_factory.mktemp("repeated"))
    for line in BOOKS:
        made.run(*shlex.split(line))
    return made.folder


@pytest.fixture
def place(books: Path, tmp_path: Path) -> Place:
    shutil.copytree(books, tmp_path / "books")
    return fresh("repeated", tmp_path / "books", ACCTCLI_BUSINESS="company")


@pytest.mark.parametrize(
    ("argv", "settled"),
    [
        ("document create --debit 1910 --credit 3000:10", "--date 2026-05-05"),
        ("document create --debit 1910 --credit 3000:10 --date yesterday", "--date 2026-05-04"),
        ("document create --debit 1910 --credit 3000:10 --date=TODAY", "--date 2026-05-05"),
        ("document reverse 1", "--date 2026-05-05"),
        ("document correct 1 --description Other", "--date 2026-05-05"),
        ("invoice create --to Birch --row name=Work,unit=h,amount=10,vat=25.5", "--date 2026-05-05"),
        ("invoice credit-note 1", "--date 2026-05-05"),
        ("invoice pay 1", "--date 2026-05-05"),
        ("invoice pay 1 --date yesterday", "--date 2026-05-04"),
        ("purchase pay 1", "--date 2026-05-05"),
        ("period create", "--start 2027-01-01 --end 2027-12-31"),
        ("period create --next", "--start 2027-01-01 --end 2027-12-31"),
        ("tag create --name Fair", ""),
        ("document create --debit 1910 --credit 3000:10 --date 2026-05-03", ""),
    ],
)
def test_it_is_done_once(place: Place, monkeypatch: pytest.MonkeyPatch, argv: str, settled: str) -> None:
    def at(day: int) -> None:
        monkeypatch.setattr(state, "utc_now", lambda: datetime(2026, 5, day, 12, tzinfo=UTC))

    at(5)
    done = place.try_run(*shlex.split(argv), "--json", "--jq", "error")
    doubt = json.loads(done.err.splitlines()[-1])["error"]["doubt"]
    assert doubt["is_done"]
    words = shlex.split(doubt["repeat"])
    kept = [word for word in shlex.split(argv) if word not in {"--next", "yesterday", "--date=TODAY"}]
    if "yesterday" in argv:
        kept.remove("--date")
    key = doubt["idempotency_key"]
    given = ["--idempotency-key", key] if key else []
    assert words == ["acctcli", *kept, "--json", "--jq", "error", *settled.split(), *given]
    before = place.json("audit", "list", "--all")
    at(6)
    again = place.try_run(*[word if word != "error" else "." for word in words[1:]])
    # what takes all that is left says that nothing is
    assert again.code == (2 if argv.startswith(("invoice credit-note", "invoice pay", "purchase pay")) else 0), again
    assert place.json("audit", "list", "--all") == before
