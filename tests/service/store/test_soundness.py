"""Backups whose figures do not fit together are no books: each kind of fault is found, and in books without none is."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from acctcli.errors import UsageError
from acctcli.service.store.engine.snapshots import copy_out, stage
from tests.databases import SqliteFactory, opened
from tests.service.actor import world
from tests.service.routes.full import fill

# what is changed behind the back of the triggers, and what is found
FAULTS = {
    "UPDATE entry SET amount_cents = amount_cents + 1 WHERE id = 1": "debit and credit differ",
    "UPDATE entry SET is_debit = NOT is_debit WHERE document_id = 1": "sums of accounts",
    "UPDATE entry SET date = '2026-03-11' WHERE id = 1": "another day",
    "UPDATE document SET is_draft = TRUE WHERE id = 1": "of a draft",
    "UPDATE account_total SET debit_cents = debit_cents + 1 WHERE rowid = 1": "sums of accounts",
    "UPDATE account_total SET entry_count = entry_count + 1 WHERE rowid = 1": "sums of accounts",
    "DELETE FROM account_total WHERE rowid = 1": "sums of accounts",
    "UPDATE account_month SET credit_cents = credit_cents + 1 WHERE rowid = 1": "sums of months",
    "UPDATE account_month SET month = '2026-04' WHERE rowid = 1": "sums of months",
    "UPDATE document_shape SET date = '2026-04-11' WHERE document_id = 1": "lists do not find",
    "DELETE FROM document_shape WHERE document_id = 1": "lists do not find",
    "UPDATE document_shape SET flags = 2 WHERE document_id = 1": "lists do not find",
    "INSERT INTO document_shape SELECT 999, business_id, shape_id, flags, date FROM document_shape LIMIT 1": "do not",
    "UPDATE shape_part SET vat_rate = vat_rate + 1": "accounts or VAT",
    "UPDATE document_count SET count = count + 1": "of a month",
    "INSERT INTO search_mark SELECT business_id, id FROM document LIMIT 1": "searches do not find",
    "UPDATE tally SET count = count + 1 WHERE kind = 'document'": "rows in document",
    "DELETE FROM tally WHERE kind = 'contact'": "rows in contact",
    "UPDATE tally SET count = count + 1 WHERE kind = 'attachment.size'": "sizes of files",
}


@pytest.fixture(scope="module")
def backup(sqlite: SqliteFactory, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Books with one of everything in two businesses, of which one is gone."""
    url, target = sqlite.fresh(), tmp_path_factory.mktemp("backup") / "backup"
    with opened(url) as database, world(database) as service:
        owner = service.user()
        fill(owner, "one")
        other = fill(owner, "other")
        assert owner.send("DELETE", f"/v1/business/{other.slug}/").status == 204
    copy_out(Path(url.removeprefix("sqlite:///")), target)
    sqlite.drop(url)
    return target


def test_whole_books_pass(backup: Path, tmp_path: Path) -> None:
    assert stage(backup, tmp_path / "books").exists()


def test_a_figure_beyond_what_can_be_added_up_is_refused(backup: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_bytes(backup.read_bytes())
    with closing(sqlite3.connect(wrong)) as conn:
        conn.execute("UPDATE document_count SET count = -9223372036854775807 - 1 WHERE count > 0")
        conn.commit()
    with pytest.raises(UsageError, match="is not a whole database of this program: integer overflow"):
        stage(wrong, tmp_path / "books")


@pytest.mark.parametrize("change", FAULTS)
def test_figures_that_do_not_fit_are_refused(backup: Path, tmp_path: Path, change: str) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_bytes(backup.read_bytes())
    with closing(sqlite3.connect(wrong)) as conn:
        triggers = conn.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            conn.execute(f"DROP TRIGGER {name}")
        assert conn.execute(change).rowcount >= 1
        for _, sql in triggers:
            conn.execute(sql)
        conn.commit()
    with pytest.raises(UsageError, match=f"is damaged: .*{FAULTS[change]}"):
        stage(wrong, tmp_path / "books")
    assert list(tmp_path.iterdir()) == [wrong]
