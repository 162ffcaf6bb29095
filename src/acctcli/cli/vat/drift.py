"""What came after a filing: documents that were posted, changed or deleted in the days of a VAT return since.

See docs/interface.md 9.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from acctcli.cli.account.chart import read_chart
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent
from acctcli.law.vat_codes import NO_VAT
from acctcli.models.enums import DocumentType

if TYPE_CHECKING:
    from acctcli.client.urls import Query

EVERY = Extent(limit=None)
VAT_TYPES = ("LIA_VAT", "ASS_VAT")
CLAIM_TYPES = ("ASS_DUE", "LIA_DUE")
NONE = {0, NO_VAT}
DONE = {"created", "updated", "deleted"}


class Filed(msgspec.Struct):
    """A VAT period."""

    id: int
    start_date: date
    end_date: date
    is_reported: bool = False

    def __str__(self) -> str:
        return f"{self.start_date} - {self.end_date}"


class _Row(msgspec.Struct):
    account_number: str
    vat_code: int


class _BlueprintRow(msgspec.Struct):
    # of a draft that waits for whoever says what it is
    account_id: int | None
    vat_code: int
    vat_rate: Decimal
    vat_method: int
    amount: Decimal


class _Blueprint(msgspec.Struct):
    """What a document posts, without the texts in it."""

    debet_account_id: int | None = None
    credit_account_id: int | None = None
    debet_entries: list[_BlueprintRow] | None = None
    credit_entries: list[_BlueprintRow] | None = None
    expense_entries: list[_BlueprintRow] | None = None

    def __post_init__(self) -> None:
        """Take rows that are null for none."""
        self.debet_entries = self.debet_entries or []
        self.credit_entries = self.credit_entries or []
        self.expense_entries = self.expense_entries or []


class _Document(msgspec.Struct):
    number: str | None = None
    date: date | None = None
    is_draft: bool = False
    type: int = 0
    contact_id: int | None = None
    entry_ui_rows: list[_Row] = []
    blueprint: _Blueprint = msgspec.field(default_factory=_Blueprint)


class _Done(msgspec.Struct):
    """A record of the audit trail: what was done, when and by whom."""

    id: int
    type: str
    created_at: str
    record_id: int | None = None
    author: str | None = None


class _Record(_Done):
    data: _Document = msgspec.field(default_factory=_Document)


class _Party(msgspec.Struct):
    """A document that is related to another one."""

    id: int
    date: date
    number: str | None = None


class _Relation(msgspec.Struct):
    id: int = 0
    related_document_summary: _Party | None = None


class _Tie(_Done):
    """A record about a relation."""

    data: _Relation = msgspec.field(default_factory=_Relation)


class _Ties(msgspec.Struct):
    relations: list[_Relation] = []


class Business(msgspec.Struct):
    """What decides how a business reports VAT."""

    country: str | None = None
    vat_reporting_method: str | None = None


class _Figures(msgspec.Struct):
    vat_report: str
    version: int = 0


class _Said(msgspec.Struct):
    filing_tax_to_be_paid: Decimal | None = None
    fingerprint: _Figures | None = None


class Filing(msgspec.Struct):
    """The record of a filing in the audit trail: when, by whom, and what was filed."""

    id: int
    created_at: str
    author: str | None = None
    data: _Said = msgspec.field(default_factory=_Said)


_read_period = reader(Filed, "a VAT period")
_read_record = reader(_Record, "a record of the audit trail")
_read_tie = reader(_Tie, "a record of the audit trail")
_read_filing = reader(Filing, "a record of the audit trail")


class Drift(NamedTuple):
    """What would have changed a filing, a document mostly: what was done, when and by whom, under which VAT codes."""

    period: str
    document: str
    date: date
    done: str
    at: str
    author: str
    vat_codes: str


class _Read(NamedTuple):
    """The numbers of the accounts that a return is worked out from: of VAT, and of claims where it follows payments."""

    vat: set[str]
    claims: set[str]

    def gives(self, document: _Document, period: Filed) -> bool:
        """Say whether a document gives something to the return of a period."""
        if document.date is None or document.date > period.end_date:
            return False
        if document.is_draft or document.type == DocumentType.VAT:
            return False
        if self._moves_claims(document):
            return True
        is_taxed = any(row.vat_code not in NONE or row.account_number in self.vat for row in document.entry_ui_rows)
        return is_taxed and document.date >= period.start_date

    def told(self, document: _Document) -> tuple[object, ...]:
        """Return what a return follows from of a document: of claims and payments whose they are, and when, too."""
        more = (document.contact_id, document.date) if self._moves_claims(document) else ()
        return (document.blueprint, *more)

    def _moves_claims(self, document: _Document) -> bool:
        return any(row.account_number in self.claims for row in document.entry_ui_rows)


def filed_periods(here: State, span: tuple[date, date] | None) -> Iterator[tuple[Filed, list[Filing]]]:
    """Yield the VAT periods that were ever filed, each with the records of its filings, the latest first."""
    for period in read_all(here.api.vat_periods.list({}, EVERY), _read_period):
        if span is not None and (period.end_date < span[0] or period.start_date > span[1]):
            continue
        query: Query = {"type": "vat_period.reported", "record_id": period.id}
        if filings := list(read_all(here.api.audit.list(query, EVERY), _read_filing)):
            yield period, filings


def drifts(here: State, period: Filed, filing: int) -> Iterator[Drift]:
    """Yield the documents that came after a filing and would have changed it, in the order of the last change.

    Where VAT follows payments these are what moves claims or debts, until the end of the period and of whomever, too,
    and what was related anew, or is no more.
    """
    claims = claims_of(here)
    chart = read_chart(here).by_id.values()
    read = _Read(
        {one.number for one in chart if one.type in VAT_TYPES}, {one.number for one in chart if one.type in claims}
    )
    named = set[int]()
    for document_id, drift in _documents(here, period, filing, read):
        named.add(document_id)
        yield drift
    if claims:
        yield from _relations(here, period, filing, named)


def claims_of(here: State) -> tuple[str, ...]:
    """Return the types of accounts of what is not paid yet, where the VAT of a business follows payments."""
    from acctcli import law

    business = decoded(here.api.businesses.get(here.business()), Business)
    basis = law.country(business.country).payment_basis if business.country in law.PACKAGES else None
    return CLAIM_TYPES if basis is not None and business.vat_reporting_method == basis.method else ()


def _documents(here: State, period: Filed, filing: int, read: _Read) -> Iterator[tuple[int, Drift]]:
    after: dict[int, _Record] = {}
    later: Query = {"resource": "document", "number_from": filing + 1}
    for record in read_all(here.api.audit.list(later, EVERY), _read_record):
        if record.record_id is not None and record.type.partition(".")[2] in DONE:
            after.setdefault(record.record_id, record)  # the newest comes first
    for document_id, record in sorted(after.items(), key=lambda item: item[1].id):
        before = _before(here, document_id, filing)
        is_gone = record.type == "document.deleted"
        were, are = read.gives(before, period), not is_gone and read.gives(record.data, period)
        if not (were or are) or (were and are and read.told(before) == read.told(record.data)):
            continue
        shown = record.data if are else before
        yield (
            document_id,
            Drift(
                period=str(period),
                document=shown.number or str(document_id),
                date=shown.date or period.end_date,
                done="posted" if not were else "deleted" if is_gone else "changed",
                at=record.created_at,
                author=record.author or "",
                vat_codes=", ".join(map(str, sorted({row.vat_code for row in shown.entry_ui_rows} - NONE))),
            ),
        )


def _relations(here: State, period: Filed, filing: int, named: set[int]) -> Iterator[Drift]:
    """Yield what was related after a filing, by the later document: its day may change, and all after it.

    Which claim a payment is of decides what later money pays. Of a relation that is gone the trail knows one document
    alone; while a period is reported, the other one lies behind it, or the relation could not go.
    """
    later: Query = {"resource": "relation", "number_from": filing + 1}
    after: dict[int, _Tie] = {}
    for record in read_all(here.api.audit.list(later, EVERY), _read_tie):
        if record.record_id is not None:
            after.setdefault(record.record_id, record)  # the newest comes first
    for relation_id, record in sorted(after.items(), key=lambda item: item[1].id):
        if record.type == "relation.deleted":
            if period.is_reported:
                continue
            query: Query = {"resource": "relation", "record_id": relation_id, "number_to": filing}
            known = list(read_all(here.api.audit.list(query, Extent(limit=1)), _read_tie))
            shown = known[0].data.related_document_summary if known else None
        else:
            shown = _later(here, record.data)
        if shown is None or shown.date > period.end_date or shown.id in named:
            continue
        named.add(shown.id)
        yield Drift(
            period=str(period),
            document=shown.number or str(shown.id),
            date=shown.date,
            done="unrelated" if record.type == "relation.deleted" else "related",
            at=record.created_at,
            author=record.author or "",
            vat_codes="",
        )


def _later(here: State, relation: _Relation) -> _Party | None:
    """Return the later one of two documents that are related; None where one is gone."""
    found = relation.related_document_summary
    if found is None:
        return None
    for one in decoded(here.api.documents.get(found.id), _Ties).relations:
        other = one.related_document_summary
        if one.id == relation.id and other is not None:
            return max(found, other, key=lambda party: (party.date, party.id))
    return None


def _before(here: State, document_id: int, filing: int) -> _Document:
    """Return a document as it was when the return was filed; an empty one that was not there."""
    query: Query = {"resource": "document", "record_id": document_id, "number_to": filing}
    for record in read_all(here.api.audit.list(query, Extent(limit=1)), _read_record):
        return _Document() if record.type == "document.deleted" else record.data
    return _Document()
