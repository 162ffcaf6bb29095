"""What came after a filing: documents that were posted, changed or deleted in the days of a VAT return since."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from acctcli.cli.account.chart import read_chart
from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent
from acctcli.law.vat_codes import NO_VAT
from acctcli.models.enums import DocumentType

if TYPE_CHECKING:
    from acctcli.client.urls import Query

EVERY = Extent(limit=None)
VAT_TYPES = ("LIA_VAT", "ASS_VAT")
NONE = {0, NO_VAT}
DONE = {"created", "updated", "deleted"}


class Filed(msgspec.Struct):
    """A VAT period."""

    id: int
    start_date: date
    end_date: date

    def __str__(self) -> str:
        return f"{self.start_date} - {self.end_date}"


class _Row(msgspec.Struct):
    account_number: str
    vat_code: int


class _BlueprintRow(msgspec.Struct):
    account_id: int
    vat_code: int
    vat_rate: Decimal
    vat_method: int
    amount: Decimal


class _Blueprint(msgspec.Struct):
    """What a document posts, without the texts in it."""

    debet_account_id: int | None = None
    credit_account_id: int | None = None
    debet_entries: list[_BlueprintRow] = []
    credit_entries: list[_BlueprintRow] = []
    expense_entries: list[_BlueprintRow] = []


class _Document(msgspec.Struct):
    number: str | None = None
    date: date | None = None
    is_draft: bool = False
    type: int = 0
    entry_ui_rows: list[_Row] = []
    blueprint: _Blueprint = msgspec.field(default_factory=_Blueprint)


class _Record(msgspec.Struct):
    id: int
    type: str
    created_at: str
    record_id: int | None = None
    author: str | None = None
    data: _Document = msgspec.field(default_factory=_Document)


class _Filing(msgspec.Struct):
    id: int


_read_period = reader(Filed, "a VAT period")
_read_record = reader(_Record, "a record of the audit trail")
_read_filing = reader(_Filing, "a record of the audit trail")


class Drift(NamedTuple):
    """A document that would have changed a filing: what was done, when and by whom, under which VAT codes."""

    period: str
    document: str
    date: date
    done: str
    at: str
    author: str
    vat_codes: str


def filed_periods(here: State, span: tuple[date, date] | None) -> Iterator[tuple[Filed, int]]:
    """Yield the VAT periods that were ever filed, each with the record of its latest filing in the audit trail."""
    for period in read_all(here.api.vat_periods.list({}, EVERY), _read_period):
        if span is not None and (period.end_date < span[0] or period.start_date > span[1]):
            continue
        query: Query = {"type": "vat_period.reported", "record_id": period.id}
        for filing in read_all(here.api.audit.list(query, Extent(limit=1)), _read_filing):
            yield period, filing.id


def drifts(here: State, period: Filed, filing: int) -> Iterator[Drift]:
    """Yield the documents that came after a filing and would have changed it, in the order of the last change."""
    types = {account.number: account.type for account in read_chart(here).by_id.values()}
    after: dict[int, _Record] = {}
    later: Query = {"resource": "document", "number_from": filing + 1}
    for record in read_all(here.api.audit.list(later, EVERY), _read_record):
        if record.record_id is not None and record.type.partition(".")[2] in DONE:
            after.setdefault(record.record_id, record)  # the newest comes first
    for document_id, record in sorted(after.items(), key=lambda item: item[1].id):
        before = _before(here, document_id, filing)
        is_gone = record.type == "document.deleted"
        were, are = _filed(before, period, types), not is_gone and _filed(record.data, period, types)
        if not (were or are) or (were and are and before.blueprint == record.data.blueprint):
            continue
        shown = record.data if are else before
        yield Drift(
            period=str(period),
            document=shown.number or str(document_id),
            date=shown.date or period.end_date,
            done="posted" if not were else "deleted" if is_gone else "changed",
            at=record.created_at,
            author=record.author or "",
            vat_codes=", ".join(map(str, sorted({row.vat_code for row in shown.entry_ui_rows} - NONE))),
        )


def _before(here: State, document_id: int, filing: int) -> _Document:
    """Return a document as it was when the return was filed; an empty one that was not there."""
    query: Query = {"resource": "document", "record_id": document_id, "number_to": filing}
    for record in read_all(here.api.audit.list(query, Extent(limit=1)), _read_record):
        return _Document() if record.type == "document.deleted" else record.data
    return _Document()


def _filed(document: _Document, period: Filed, types: Mapping[str, str]) -> bool:
    """Say whether a document gives something to the return of a period."""
    is_inside = document.date is not None and period.start_date <= document.date <= period.end_date
    if not is_inside or document.is_draft or document.type == DocumentType.VAT:
        return False
    return any(row.vat_code not in NONE or types.get(row.account_number) in VAT_TYPES for row in document.entry_ui_rows)
