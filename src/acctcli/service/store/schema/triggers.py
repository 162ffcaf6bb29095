"""Triggers: the invariants of bookkeeping and the numbers kept beside the rows, on both databases.

* `document_born`: a document is inserted as a draft.
* `document_post`: posting (is_draft true -> false) needs debit = credit, and the document's date on every entry.
* `document_posted`, `document_unposted`, `document_gone`: movements enter and leave `account_total` and
  `account_month`.
* `document_redated`: a posted document keeps its date; its entries and months depend on it.
* `document_post`, `document_unpost`, `document_gone`: nothing is posted into a locked period, nor taken out of one.
* `entry_*`: entries of a posted document cannot be inserted, changed or deleted.
* `document_shape_*`: `document_count` follows the shapes of documents; `document_shapeless`: they go with documents.
* `document_marked`, `document_filed`, `document_unfiled`: what a shape says of flags, locks and files follows them.
* `document_unfolded*`: `search_loose` names what the blocks of searches say wrongly, or passed over.
* `<table>_counted`, `<table>_uncounted`, `<table>_moved`: `tally` follows the rows.
* `event_frozen`: the records of the trail do not change.
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
TRAILED = "a record of the trail does not change"

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

    def wait(self, table: str) -> list[str]:
        """What lets other writers of rows that are counted end first, where there may be others."""

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

    def wait(self, table: str) -> list[str]:
        """There is one writer."""
        return []

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

    def wait(self, table: str) -> list[str]:
        """Each of them holds the row of `tally` until its commit."""
        return [f"PERFORM count FROM tally WHERE business_id = NEW.business_id AND kind = '{table}' FOR UPDATE"]

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


def _keep(row: str, by: str, month: str) -> str:
    """Keep the number of documents of a shape with its flags and a month."""
    return (
        f"INSERT INTO document_count (business_id, shape_id, flags, month, count) "
        f"VALUES ({row}.business_id, {row}.shape_id, {row}.flags, {month}, {by}) "
        f"ON CONFLICT (business_id, shape_id, flags, month) DO UPDATE SET count = document_count.count + excluded.count"
    )


FLAGGED = "CASE WHEN NEW.is_flagged THEN 1 ELSE 0 END + CASE WHEN NEW.is_locked THEN 2 ELSE 0 END"
MARK = f"UPDATE document_shape SET flags = (flags & 4) + {FLAGGED} WHERE document_id = NEW.id"
FILE = "UPDATE document_shape SET flags = flags | 4 WHERE document_id = NEW.document_id"
UNFILE = (
    "UPDATE document_shape SET flags = flags & 3 WHERE document_id = OLD.document_id AND NOT EXISTS (SELECT 1 "
    "FROM document_attachment WHERE business_id = OLD.business_id AND document_id = OLD.document_id)"
)


def _shapes(writer: Writer) -> Iterator[Trigger]:
    more, less = (_keep(row, by, writer.month(row)) for row, by in (("NEW", "1"), ("OLD", "-1")))
    gone = "DELETE FROM document_shape WHERE document_id = OLD.id"
    yield "document_shapeless", "AFTER DELETE ON document", [gone], ALWAYS
    yield "document_marked", "AFTER UPDATE OF is_flagged, is_locked ON document", [MARK], MARKED
    yield "document_filed", "AFTER INSERT ON document_attachment", [FILE], ALWAYS
    yield "document_unfiled", "AFTER DELETE ON document_attachment", [UNFILE], ALWAYS
    yield "document_shape_counted", "AFTER INSERT ON document_shape", [more], ALWAYS
    yield "document_shape_moved", "AFTER UPDATE ON document_shape", [less, more], RESHAPED
    yield "document_shape_uncounted", "AFTER DELETE ON document_shape", [less], ALWAYS


REWORDED = (
    "OLD.search_text <> NEW.search_text OR OLD.date <> NEW.date "
    "OR coalesce(OLD.contact_id, 0) <> coalesce(NEW.contact_id, 0)"
)


def _unfold(row: str, column: str, writer: Writer) -> str:
    """Note a document that blocks have otherwise now, or that they passed over."""
    return (
        f"INSERT INTO search_loose (business_id, document_id, month) "
        f"SELECT {row}.business_id, {row}.{column}, {writer.month(row)} WHERE {row}.{column} <= "
        f"(SELECT document_id FROM search_mark WHERE business_id = {row}.business_id) "
        f"ON CONFLICT (business_id, document_id) DO NOTHING"
    )


def _searches(writer: Writer) -> Iterator[Trigger]:
    # by their names behind those that keep `tally`: who has to wait for its row sees what is in blocks after that
    wait, was = writer.wait("document"), _unfold("OLD", "id", writer)
    moment = "AFTER UPDATE OF search_text, date, contact_id ON document"
    yield "document_unfolded", moment, [*wait, was], REWORDED
    yield "document_unfolded_gone", "AFTER DELETE ON document", [was], ALWAYS
    reshaped = [*wait, _unfold("OLD", "document_id", writer)]
    yield "document_unfolded_shape", "AFTER UPDATE ON document_shape", reshaped, RESHAPED
    if wait:
        yield "document_unfolded_late", "AFTER INSERT ON document", [_unfold("NEW", "id", writer)], ALWAYS


def _trail(writer: Writer) -> Iterator[Trigger]:
    yield "event_frozen", "BEFORE UPDATE ON event", [writer.refuse(TRAILED, "true")], ALWAYS


ALWAYS = "true"
POSTING = "OLD.is_draft AND NOT NEW.is_draft"
UNPOSTING = "NEW.is_draft AND NOT OLD.is_draft"
RESHAPED = "OLD.shape_id <> NEW.shape_id OR OLD.flags <> NEW.flags OR OLD.date <> NEW.date"
MARKED = "OLD.is_flagged <> NEW.is_flagged OR OLD.is_locked <> NEW.is_locked"
REDATING = "NOT OLD.is_draft AND NOT NEW.is_draft AND OLD.date <> NEW.date"


def statements(writer: Writer, tables: Collection[str]) -> Iterator[str]:
    """Yield the statements that create the triggers of tables."""
    every = (
        *_document(writer),
        *_entry(writer),
        *_tally(writer),
        *_shapes(writer),
        *_searches(writer),
        *_trail(writer),
    )
    for name, moment, body, when in every:
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
