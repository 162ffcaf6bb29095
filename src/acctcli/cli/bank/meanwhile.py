"""Claims that somebody else paid while lines were posted as their payments (docs/bank.md 5).

Keys are of one user, and `invoice pay` knows no tags: so the claims of all lines are looked at once more, together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any, NamedTuple

import msgspec

from acctcli.banking.matching.candidates import Claim, Kind
from acctcli.banking.payments.identity import PREFIX
from acctcli.banking.statements.identity import tags_in
from acctcli.cli.bank.bodies import Bodies
from acctcli.cli.bank.looked import Made
from acctcli.cli.bank.named import Named
from acctcli.cli.bank.owed import Before, Owed
from acctcli.cli.bank.there import Aim, There
from acctcli.cli.command.body import check
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.purchase.handed import read_handed
from acctcli.cli.purchase.paying import unpay_open
from acctcli.cli.session.state import State
from acctcli.client.messages import LARGEST_PAGE, Extent
from acctcli.errors import Conflict, Forbidden, Incomplete, NotFound, Rejected
from acctcli.models.base import partial
from acctcli.models.document import DocumentRequest

# days between claims that are still read together
_NEAR = timedelta(days=31)


class _Payment(NamedTuple):
    """The tag of a line whose document pays claims, by their documents, with what these are called."""

    tag: str
    claims: Mapping[int, str]


class _Summary(msgspec.Struct):
    description: str = ""
    number: str | None = None
    is_draft: bool = False


class _Related(msgspec.Struct):
    related_document: int
    related_document_summary: _Summary = msgspec.field(default_factory=_Summary)


class _Claimed(Made):
    relations: list[_Related] = msgspec.field(default_factory=list)


class _Relation(Made):
    related_document: int


_read = reader(_Claimed, "a document")
_read_relation = reader(_Relation, "a relation")


class _Own(NamedTuple):
    """The documents of this run, and the tags of their lines: what another run makes of these goes by its tag."""

    documents: Collection[int]
    tags: set[str]

    def are(self, one: _Related) -> bool:
        said = tags_in([one.related_document_summary.description])
        return one.related_document in self.documents or not said.isdisjoint(self.tags)


class Payments:
    """What a run lets its documents pay; `before` are the documents of claims as they were when they were looked at."""

    def __init__(self, here: State, bodies: Bodies) -> None:
        self._here = here
        self._bodies = bodies
        self._made: dict[int, _Payment] = {}
        self.before: dict[int, Before] = {}
        # purchase invoices that are paid, and drafts of payments that were handed to the bank before
        self._purchases, self._on_their_way = set[int](), set[int]()
        # what actions posted a moment before or after somebody else
        self._acted: list[str] = []

    def look(self, owed: Owed, there: There) -> None:
        """Note what is open, as it is compared with lines."""
        self.before = owed.before
        self._on_their_way = {one.document for one in there.on_their_way.values()}

    def note(self, tag: str, document: int, claims: Sequence[Claim]) -> None:
        """Note that the document of a line pays claims that are in the books."""
        if booked := {one.document: one.title for one in claims if one.document is not None}:
            self._made[document] = _Payment(tag, booked)
        self._purchases.update(one.id for one in claims if one.kind is Kind.PURCHASE)

    @contextmanager
    def noting(self, aim: Aim, tag: str) -> Iterator[None]:
        """Go on where somebody else settled something at the moment of an action for a line: it is told at the end."""
        try:
            yield
        except Incomplete as error:
            self._acted.append(f"{aim.kind} {aim.id} beside line {tag}: {error.message}")

    def check(self, lines: Iterable[Named]) -> None:
        """Raise Incomplete where somebody else paid claims meanwhile; lines of this run are matched with them no more.

        The lines are read only then: many are not kept in memory. Whether both are one payment a person says, or `bank
        match`, for which the other one may be that of the line.
        """
        claims = {claim for one in self._made.values() for claim in one.claims}
        own = _Own(self._made.keys(), {one.tag for one in self._made.values()})
        others = dict(_others(self._here, {one: self.before[one] for one in claims & self.before.keys()}, own))
        told = [*self._acted, *self._handed_over()]
        for document, line in self._paid_twice(others, lines):
            one = self._made[document]
            end = "is matched no more" if line and self._is_left(document, line) else "is there, too"
            said = f"and document {document} of line {one.tag} {end}"
            twice = [claim for claim in one.claims if others.get(claim)]
            told += [f"{one.claims[claim]} by document {', '.join(others[claim])}, {said}" for claim in twice]
        if told:
            raise Incomplete(
                f"somebody else paid at the same moment: {'; '.join(told)}",
                hint="acctcli bank match with the file lets the other document stand for the line where it has its day "
                "and amount, or pays what is open; of two that are there and are one payment reverse the wrong one: "
                "acctcli document reverse ID",
            )

    def _paid_twice(
        self, others: Mapping[int, list[str]], lines: Iterable[Named]
    ) -> Iterator[tuple[int, Named | None]]:
        """Yield the documents of which others pay a claim, too, with their lines where these are known."""
        found = {one.tag: document for document, one in self._made.items() if any(map(others.get, one.claims))}
        for line in lines if found else ():
            if line.tag in found:
                yield found.pop(line.tag), line
        yield from ((document, None) for document in found.values())

    def _handed_over(self) -> Iterator[str]:
        """Yield what is to be said of purchase invoices that went into files for the bank meanwhile."""
        handed = read_handed(self._here, {"is_draft": True, "search": PREFIX}).values() if self._purchases else ()
        for one in handed:
            if one.id.purchase in self._purchases and one.document not in self._on_their_way:
                taken_back = f"acctcli purchase withdraw {one.id.file} {one.id.purchase}"
                yield f"purchase invoice {one.id.purchase} by a file, before the bank has it take it back: {taken_back}"

    def _is_left(self, document: int, line: Named) -> bool:
        """Make the document of a line that of one of which nothing is known; say whether that could be done."""
        here, relations, claims = self._here, self._here.api.relations(document), self._made[document].claims
        # a draft: the other document has moved the bank already
        body = self._bodies.waiting(line.line, line.tag, line.account)
        plain = {name: getattr(body, name) for name in ("description", "is_draft", "blueprint", "contact_id")}
        try:
            there = list(read_all(relations.list({}, Extent(limit=None)), _read_relation))
            if any(pair.related_document not in claims for pair in there):
                # somebody has taken it back
                return False
            # first: who is ended in between must not leave what says that it is to be related
            here.api.documents.update(document, check(partial(DocumentRequest), plain))
            for pair in there:
                relations.delete(pair.id)
            unpay_open(here, claims)
        except (Conflict, Forbidden, NotFound, Rejected):
            return False
        return True


def _others(here: State, known: Mapping[int, Before], own: _Own) -> Iterator[tuple[int, list[str]]]:
    """Yield claims with the numbers of the documents that came to pay them, but for our `own`."""
    seen = set[int]()
    for claim in _claims(here, known):
        if claim.id in known and claim.id not in seen:
            seen.add(claim.id)
            yield claim.id, _new_of(claim, known[claim.id], own)
    for claim_id in known.keys() - seen:
        # somebody moved it to another day
        yield claim_id, _new_of(decoded(here.api.documents.get(claim_id), _Claimed), known[claim_id], own)


def _new_of(claim: _Claimed, before: Before, own: _Own) -> list[str]:
    new = (one for one in claim.relations if one.related_document not in before.related and not own.are(one))
    told = ((one.related_document, one.related_document_summary) for one in new)
    return [summary.number or str(document) for document, summary in told if not summary.is_draft]


def _claims(here: State, known: Mapping[int, Before]) -> Iterator[_Claimed]:
    """Read the documents of claims, of neighbouring days in one list."""
    days: defaultdict[int | None, list[date]] = defaultdict(list)
    for one in known.values():
        days[one.account].append(one.day)
    for account, some in days.items():
        for first, last in _spans(sorted(some)):
            query: dict[str, Any] = {"date_from": str(first), "date_to": str(last)}
            query |= {} if account is None else {"account": account}
            yield from read_all(here.api.documents.list(query, Extent(None, LARGEST_PAGE)).while_it_grows(), _read)


def _spans(days: Sequence[date]) -> Iterator[tuple[date, date]]:
    first = last = days[0]
    for day in days:
        if day - last > _NEAR:
            yield first, last
            first = day
        last = day
    yield first, last
