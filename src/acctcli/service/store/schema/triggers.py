"""Triggers: the invariants of bookkeeping and the numbers kept beside the rows, on both databases.

* `document_born`: a document is inserted as a draft.
* `document_post`: posting (is_draft true -> false) needs debit = credit, and the document's date on every entry.
* `document_posted`, `document_unposted`, `document_gone`: movements enter and leave `account_total` and
  `account_month`.
* `document_redated`: a posted document keeps its date; its entries and months depend on it.
* `document_post`, `document_unpost`, `document_gone`: nothing is posted into a locked period, nor taken out of one.
* `entry_*`: entries of a posted document cannot be inserted, changed or deleted.
* `document_listed`, `document_unlisted`, `document_delisted`, `account_retyped`: `document_key` follows the entries of
  posted documents and the types of accounts, `document_key_count` follows `document_key`.
* `<table>_counted`, `<table>_uncounted`, `<table>_moved`: `tally` follows the rows.
* `attachment_stored`, `attachment_removed`: `tally` has the bytes of a business's files, as a count of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Protocol

from acctcli.service.store.schema.columns import COUNTED, MOVED_BY, metadata

BORN = "a document is inserted as a draft"
UNBALANCED = "debit and credit of the document differ"
OTHER_DATE = "an entry has another date than its document"
REDATED = "a posted document keeps its date"
FROZEN = "entries of a posted document do not change"
CLOSED = "the period of the document is locked"

KEYS = (("account", "account_id"), ("vat_code", "vat_code"), ("vat_rate", "vat_rate"))

SUM = (
    "sum(CASE WHEN is_debit THEN amount_cents ELSE 0 END)",
    "sum(CASE WHEN is_debit THEN 0 ELSE amount_cents END)",
)


class Writer(Protocol):
    """How a database writes what the triggers need."""

    cast: str
    group: str
    random: str

    def month(self, row: str) -> str:
        """The month of a row's date."""

    def refuse(self, text: str, when: str) -> str:
        """A statement that raises when a condition holds."""

    def trigger(self, name: str, moment: str, body: Sequence[str], when: str) -> list[str]:
        """Everything needed to create a trigger."""


class SqliteWriter:
    """SQLite: a trigger holds its statements."""

    cast = ""
    # The plus keeps SQLite from walking all entries of the business in the order of their accounts
    group = "+account_id"
    random = "random()"

    def month(self, row: str) -> str:
        """Dates are text."""
        return f"substr({row}.date, 1, 7)"

    def refuse(self, text: str, when: str) -> str:
        """Raise in a SELECT."""
        return f"SELECT RAISE(ABORT, '{text}') WHERE {when}"

    def trigger(self, name: str, moment: str, body: Sequence[str], when: str) -> list[str]:
        """One statement."""
        lines = "".join(f"  {statement};\n" for statement in body)
        return [f"CREATE TRIGGER {name} {moment} FOR EACH ROW WHEN {when} BEGIN\n{lines}END"]


class PostgresWriter:
    """PostgreSQL: a trigger calls a function; sums of bigint are numeric until cast back."""

    cast = "::bigint"
    group = "account_id"
    random = "(random() * 9007199254740992)::bigint"

    def month(self, row: str) -> str:
        """Dates are dates."""
        return f"to_char({row}.date, 'YYYY-MM')"

    def refuse(self, text: str, when: str) -> str:
        """Raise in an IF."""
        state = "USING ERRCODE = 'integrity_constraint_violation'"
        return f"IF {when} THEN RAISE EXCEPTION '{text}' {state}; END IF"

    def trigger(self, name: str, moment: str, body: Sequence[str], when: str) -> list[str]:
        """A function and a trigger; conditions that look into other tables stand in the function."""
        lines = "".join(f"    {statement};\n" for statement in body)
        row = "OLD" if "DELETE" in moment else "NEW"
        return [
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN\n"
            f"  IF {when} THEN\n{lines}  END IF;\n  RETURN {row};\nEND $$",
            f"CREATE TRIGGER {name} {moment} FOR EACH ROW EXECUTE FUNCTION {name}()",
        ]


def _add(row: str, month: str, writer: Writer) -> tuple[str, str]:
    """Add the movements of a document to the totals of its accounts."""
    debit, credit = (f"{part}{writer.cast}" for part in SUM)
    where = f"FROM entry WHERE business_id = {row}.business_id AND document_id = {row}.id GROUP BY {writer.group}"
    return (
        f"INSERT INTO account_total (business_id, account_id, debit_cents, credit_cents, entry_count) "
        f"SELECT {row}.business_id, account_id, {debit}, {credit}, count(*) {where} "
        f"ON CONFLICT (business_id, account_id) DO UPDATE SET "
        f"debit_cents = account_total.debit_cents + excluded.debit_cents, "
        f"credit_cents = account_total.credit_cents + excluded.credit_cents, "
        f"entry_count = account_total.entry_count + excluded.entry_count",
        f"INSERT INTO account_month (business_id, account_id, month, debit_cents, credit_cents) "
        f"SELECT {row}.business_id, account_id, {month}, {debit}, {credit} {where} "
        f"ON CONFLICT (business_id, account_id, month) DO UPDATE SET "
        f"debit_cents = account_month.debit_cents + excluded.debit_cents, "
        f"credit_cents = account_month.credit_cents + excluded.credit_cents",
    )


def _subtract(row: str, month: str, writer: Writer) -> tuple[str, str]:
    """Take the movements of a document out of the totals of its accounts."""
    debit, credit = (f"{part}{writer.cast}" for part in SUM)
    moved = (
        f"FROM (SELECT account_id, {debit} AS debit, {credit} AS credit, count(*) AS entries FROM entry "
        f"WHERE business_id = {row}.business_id AND document_id = {row}.id GROUP BY {writer.group}) AS moved"
    )
    return (
        f"UPDATE account_total SET debit_cents = debit_cents - moved.debit, "
        f"credit_cents = credit_cents - moved.credit, entry_count = entry_count - moved.entries {moved} "
        f"WHERE account_total.business_id = {row}.business_id AND account_total.account_id = moved.account_id",
        f"UPDATE account_month SET debit_cents = debit_cents - moved.debit, "
        f"credit_cents = credit_cents - moved.credit {moved} "
        f"WHERE account_month.business_id = {row}.business_id AND account_month.account_id = moved.account_id "
        f"AND account_month.month = {month}",
    )


def _count(table: str, writer: Writer) -> str:
    return (
        f"INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, '{table}', 1, {writer.random}) "
        f"ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state"
    )


def _uncount(table: str, writer: Writer) -> str:
    these = f"business_id = OLD.business_id AND kind = '{table}'"
    return f"UPDATE tally SET count = count - 1, state = {writer.random} WHERE {these}"


STORED = (
    "INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'attachment.size', NEW.size, 0) "
    "ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + excluded.count"
)
REMOVED = "UPDATE tally SET count = count - OLD.size WHERE business_id = OLD.business_id AND kind = 'attachment.size'"


def _move(table: str, writer: Writer) -> str:
    return f"UPDATE tally SET state = {writer.random} WHERE business_id = NEW.business_id AND kind = '{table}'"


def _unbalanced(row: str) -> str:
    debit, credit = SUM
    return (
        f"(SELECT coalesce({debit}, 0) <> coalesce({credit}, 0) FROM entry "
        f"WHERE business_id = {row}.business_id AND document_id = {row}.id)"
    )


def _other_date(row: str) -> str:
    return (
        f"EXISTS (SELECT 1 FROM entry WHERE business_id = {row}.business_id AND document_id = {row}.id "
        f"AND date <> {row}.date)"
    )


def _closed(row: str) -> str:
    days = f"business_id = {row}.business_id AND end_date >= {row}.date AND start_date <= {row}.date AND is_locked"
    return f"EXISTS (SELECT 1 FROM period WHERE {days}) OR EXISTS (SELECT 1 FROM vat_period WHERE {days})"


def _posted(row: str) -> str:
    return (
        f"EXISTS (SELECT 1 FROM document WHERE business_id = {row}.business_id AND id = {row}.document_id "
        f"AND NOT is_draft)"
    )


GROUP = "CASE WHEN {row}.type LIKE 'REV%' THEN 'income' WHEN {row}.type LIKE 'EXP%' THEN 'expense' ELSE {row}.type END"


def keys(where: str) -> str:
    """Select what the documents of entries are found by; `where` narrows the entries."""
    plain = (f"SELECT entry.document_id, '{kind}' AS kind, {column} AS key FROM entry {where}" for kind, column in KEYS)
    types = (
        f"FROM entry JOIN account ON account.business_id = entry.business_id AND account.id = entry.account_id {where}"
    )
    by_type = (f"SELECT entry.document_id, {kind}, 0 {types}" for kind in ("account.type", GROUP.format(row="account")))
    return " UNION ".join((*plain, *by_type))


def _list(row: str) -> str:
    where = f"WHERE entry.business_id = {row}.business_id AND entry.document_id = {row}.id"
    return (
        "INSERT INTO document_key (document_id, kind, key, business_id, date) "
        f"SELECT found.*, {row}.business_id, {row}.date FROM ({keys(where)}) AS found"
    )


def _unlist(row: str) -> str:
    where = f"WHERE entry.business_id = {row}.business_id AND entry.document_id = {row}.id"
    return (
        # all columns of the primary key in its order: else SQLite walks through the keys of all documents
        "DELETE FROM document_key WHERE (business_id, kind, key, date, document_id) IN ("
        f"SELECT {row}.business_id, found.kind, found.key, {row}.date, {row}.id FROM ({keys(where)}) AS found)"
    )


def _retype() -> tuple[str, str]:
    """Find the documents of an account by its new type, and not by the old one unless another account has it."""
    ours = "business_id = NEW.business_id AND kind = 'account' AND key = NEW.id"
    held = (
        "SELECT 1 FROM entry JOIN account ON account.business_id = entry.business_id AND account.id = entry.account_id "
        "WHERE entry.business_id = document_key.business_id AND entry.document_id = document_key.document_id "
        f"AND document_key.kind IN (account.type, {GROUP.format(row='account')})"
    )
    return (
        "DELETE FROM document_key WHERE business_id = NEW.business_id AND key = 0 "
        f"AND kind IN (OLD.type, {GROUP.format(row='OLD')}) "
        f"AND document_id IN (SELECT document_id FROM document_key WHERE {ours}) AND NOT EXISTS ({held})",
        "INSERT INTO document_key (business_id, kind, key, date, document_id) "
        f"SELECT business_id, kinds.kind, 0, date, document_id FROM document_key "
        f"JOIN (SELECT NEW.type AS kind UNION SELECT {GROUP.format(row='NEW')}) AS kinds ON true "
        f"WHERE {ours.replace('kind =', 'document_key.kind =')} ON CONFLICT DO NOTHING",
    )


KEY_COUNTED = (
    "INSERT INTO document_key_count (business_id, kind, key, count) VALUES (NEW.business_id, NEW.kind, NEW.key, 1) "
    "ON CONFLICT (business_id, kind, key) DO UPDATE SET count = document_key_count.count + 1"
)
KEY_UNCOUNTED = (
    "UPDATE document_key_count SET count = count - 1 "
    "WHERE business_id = OLD.business_id AND kind = OLD.kind AND key = OLD.key"
)


def _keys() -> Iterator[Trigger]:
    yield "document_listed", "AFTER UPDATE OF is_draft ON document", [_list("NEW")], POSTING
    yield "document_unlisted", "AFTER UPDATE OF is_draft ON document", [_unlist("OLD")], UNPOSTING
    yield "document_delisted", "BEFORE DELETE ON document", [_unlist("OLD")], "NOT OLD.is_draft"
    yield "account_retyped", "AFTER UPDATE OF type ON account", _retype(), "OLD.type <> NEW.type"
    yield "document_key_counted", "AFTER INSERT ON document_key", [KEY_COUNTED], ALWAYS
    yield "document_key_uncounted", "AFTER DELETE ON document_key", [KEY_UNCOUNTED], ALWAYS


ALWAYS = "true"
POSTING = "OLD.is_draft AND NOT NEW.is_draft"
UNPOSTING = "NEW.is_draft AND NOT OLD.is_draft"
REDATING = "NOT OLD.is_draft AND NOT NEW.is_draft AND OLD.date <> NEW.date"


def statements(writer: Writer, tables: Collection[str]) -> Iterator[str]:
    """Yield the statements that create the triggers of tables."""
    for name, moment, body, when in (*_document(writer), *_entry(writer), *_tally(writer), *_keys()):
        if moment.rpartition(" ON ")[2] in tables:
            yield from writer.trigger(name, moment, body, when)


Trigger = tuple[str, str, Sequence[str], str]


def _document(writer: Writer) -> Iterator[Trigger]:
    add = _add("NEW", writer.month("NEW"), writer)
    subtract = _subtract("OLD", writer.month("OLD"), writer)
    balance = writer.refuse(UNBALANCED, _unbalanced("NEW")), writer.refuse(OTHER_DATE, _other_date("NEW"))
    shut, kept = (writer.refuse(CLOSED, _closed(row)) for row in ("NEW", "OLD"))
    yield "document_born", "BEFORE INSERT ON document", [writer.refuse(BORN, "NOT NEW.is_draft")], ALWAYS
    yield "document_post", "BEFORE UPDATE OF is_draft ON document", [*balance, shut], POSTING
    yield "document_unpost", "BEFORE UPDATE OF is_draft ON document", [kept], UNPOSTING
    yield "document_posted", "AFTER UPDATE OF is_draft ON document", add, POSTING
    yield "document_unposted", "AFTER UPDATE OF is_draft ON document", subtract, UNPOSTING
    yield "document_gone", "BEFORE DELETE ON document", [kept, *subtract], "NOT OLD.is_draft"
    yield "document_redated", "BEFORE UPDATE OF date ON document", [writer.refuse(REDATED, REDATING)], ALWAYS


def _entry(writer: Writer) -> Iterator[Trigger]:
    both = f"{_posted('OLD')} OR {_posted('NEW')}"
    yield "entry_frozen_insert", "BEFORE INSERT ON entry", [writer.refuse(FROZEN, _posted("NEW"))], ALWAYS
    yield "entry_frozen_update", "BEFORE UPDATE ON entry", [writer.refuse(FROZEN, both)], ALWAYS
    yield "entry_frozen_delete", "BEFORE DELETE ON entry", [writer.refuse(FROZEN, _posted("OLD"))], ALWAYS


def _tally(writer: Writer) -> Iterator[Trigger]:
    for name, table in sorted(metadata.tables.items()):
        if not table.info.get(COUNTED):
            continue
        yield f"{name}_counted", f"AFTER INSERT ON {name}", [_count(name, writer)], ALWAYS
        yield f"{name}_uncounted", f"AFTER DELETE ON {name}", [_uncount(name, writer)], ALWAYS
        if column := table.info[MOVED_BY]:
            moment = f"AFTER UPDATE OF {column} ON {name}"
            yield f"{name}_moved", moment, [_move(name, writer)], f"OLD.{column} <> NEW.{column}"
    yield "attachment_stored", "AFTER INSERT ON attachment", [STORED], "NEW.size IS NOT NULL"
    yield "attachment_removed", "AFTER DELETE ON attachment", [REMOVED], "OLD.size IS NOT NULL"


WRITERS: dict[str, Writer] = {"sqlite": SqliteWriter(), "postgresql": PostgresWriter()}
