"""How a document enters the books: worked out, numbered, written, sealed (docs/interface.md 5.1, 5.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from acctcli.service.cases.closed import refuse_closed_day
from acctcli.service.cases.documents.content import DocumentContent, columns
from acctcli.service.cases.documents.guard import outside
from acctcli.service.cases.work import Work
from acctcli.service.problems import Invalid, Precondition
from acctcli.service.rules.blueprint import BlueprintError
from acctcli.service.rules.numbers import document_number, numbering_day
from acctcli.service.rules.posting import EntryLine, NoVatAccountError, document_balance, post
from acctcli.service.store.books import document_links, documents, postings
from acctcli.service.store.books.documents import DocumentRow
from acctcli.service.store.books.postings import AccountFacts, Ground


class Posting(NamedTuple):
    """What a document is about to do to the books."""

    lines: Sequence[EntryLine]
    accounts: Mapping[int, AccountFacts]

    @property
    def sums(self) -> dict[str, int]:
        """The columns that follow from the entries: the effect on money and the debit sum, in cents."""
        types = {account_id: facts.type for account_id, facts in self.accounts.items()}
        total = sum(line.amount for line in self.lines if line.is_debit)
        return {"balance_cents": document_balance(self.lines, types), "total_cents": total}


def open_ground(work: Work, content: DocumentContent) -> Ground:
    """Return what a document is posted on; Locked when its day is closed, Precondition when it lies in no period.

    A draft moves nothing: it may lie outside every period until it is posted.
    """
    ground = postings.ground(work.conn, work.business.id, content.date, content.blueprint.account_ids)
    if ground.is_closed:
        refuse_closed_day(work, content.date)
    if not (ground.has_period or content.is_draft):
        raise outside(work, content.date)
    return ground


def work_out(content: DocumentContent, ground: Ground) -> Posting:
    """Work out the entries of a document; nothing is written yet."""
    try:
        lines = post(content.blueprint, ground.accounts, ground.vat_accounts, is_draft=content.is_draft)
    except BlueprintError as fault:
        raise Invalid.field("blueprint", str(fault)) from None
    except NoVatAccountError as fault:
        raise Precondition(f"The business has no account set as {fault.args[0]}.") from None
    return Posting(lines, ground.accounts)


def insert(work: Work, content: DocumentContent, posting: Posting, **ties: Any) -> DocumentRow:
    """Write a new document with its entries and links; `ties` are columns that bind it to an invoice or VAT period."""
    number = None if content.is_draft else next_number(work, content.date)
    values = {
        **columns(content, number),
        **posting.sums,
        **work.born,
        "business_id": work.business.id,
        "is_locked": False,
        **documents.FREE,
        **ties,
    }
    document_id = documents.create(work.conn, values, None if content.is_draft else posting.lines)
    document_links.write(work.conn, work.business.id, document_id, content.links)
    if not content.is_draft:
        enter(work, document_id, content.date, posting.lines)
    return row_of(values | {"id": document_id, "is_draft": content.is_draft})


def row_of(values: Mapping[str, Any]) -> DocumentRow:
    """Return the row that columns make."""
    return DocumentRow(**{field: values[field] for field in DocumentRow._fields if field in values})


def next_number(work: Work, day: date) -> str:
    """Take the next number of a day."""
    return document_number(day, postings.next_serial(work.conn, work.business.id, numbering_day(day)))


def enter(work: Work, document_id: int, day: date, lines: Sequence[EntryLine]) -> None:
    """Put the entries into the books and seal the document."""
    postings.add_entries(work.conn, work.business.id, document_id, day, lines, stamp=work.stamp)
    documents.seal(work.conn, work.business.id, document_id)
