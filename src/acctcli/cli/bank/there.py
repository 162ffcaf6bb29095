"""What of statements is in the books already, by the tags that its documents hold (docs/bank.md 5)."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

import msgspec

from acctcli.banking.matching.candidates import Side, names_of
from acctcli.banking.matching.words import folded, numbers_in
from acctcli.banking.payments.identity import PaymentId, payment_ids
from acctcli.banking.statements.identity import PREFIX, TAG, batch_of, tags_in
from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.purchase.handed import Handed
from acctcli.cli.report.amounts import rounded
from acctcli.cli.report.shapes import Amounts
from acctcli.cli.session.state import State
from acctcli.client.messages import LARGEST_PAGE, Extent

# how far somebody may have moved a document
_FAR = timedelta(days=31)
_AIM = re.compile(rf"({TAG.pattern}) for ((?:(?:invoice|purchase) [0-9]+(?:, [0-9]+)*(?: and )?)+)")
# numbers of documents tell the day that these were posted on, and keep it when somebody moves them
_NUMBER = re.compile(r"([0-9]{6})-[0-9]+", re.ASCII)
_AIMS_OF_KIND = re.compile(r"(invoice|purchase) ([0-9]+(?:, [0-9]+)*)")
# of what a row may say
_ROOM = 200


class Aim(NamedTuple):
    """What a document is to settle: `invoice` or `purchase`, and its id."""

    kind: str
    id: int


def with_aims(tag: str, aims: Sequence[Aim]) -> str:
    """Return a tag with what its document is to settle, by which a run that was cut off is gone on with.

    Where many do not fit, numbers stand behind one word, and the last ones are left out.
    """
    told = " and ".join(f"{one.kind} {one.id}" for one in aims)
    if len(told) > _ROOM:
        by_kind = {one.kind: [str(other.id) for other in aims if other.kind == one.kind] for one in aims}
        told = " and ".join(f"{kind} {', '.join(numbers)}" for kind, numbers in by_kind.items())
    if len(told) > _ROOM:
        return with_aims(tag, aims[:-1])
    return f"{tag} for {told}" if told else tag


def on_account(number: str, tag: str) -> str:
    """Return a tag as a description has it that stands for a line of another account than that of its own row."""
    return f"{number}:{tag}"


def reference_behind(text: str) -> str:
    """Return the reference of the bank in its row, which stands behind the tag, and what that is to settle."""
    return TAG.sub("", _AIM.sub("", text)).strip()


def place_of(account: int, day: date | None, cents: int, *, is_referred: bool) -> int:
    """Return what lines of one account, day and amount have in common, and whether the bank gave them a reference."""
    # of many lines, numbers take the least memory
    return hash((account, day, cents, is_referred))


class _Row(msgspec.Struct):
    account_id: int | None = None
    description: str | None = None


class _Blueprint(msgspec.Struct):
    debet_entries: list[_Row] | None = None
    credit_entries: list[_Row] | None = None

    @property
    def rows(self) -> list[_Row]:
        return [*(self.debet_entries or ()), *(self.credit_entries or ())]


class _Entry(Amounts):
    account_number: str
    is_debet: bool
    amount: Decimal

    @property
    def cents(self) -> int:
        return int(rounded(self.amount).scaleb(2)) * (1 if self.is_debet else -1)


class _Summary(Amounts):
    balance: Decimal


class _Relation(msgspec.Struct):
    related_document: int
    related_document_summary: _Summary | None = None


class _Document(Amounts):
    id: int
    date: date
    description: str | None = None
    blueprint: _Blueprint | None = None
    is_draft: bool = False
    number: str | None = None
    contact_name: str | None = None
    balance: Decimal = Decimal(0)
    entry_ui_rows: list[_Entry] = msgspec.field(default_factory=list)
    relations: list[_Relation] = msgspec.field(default_factory=list)

    @property
    def rows(self) -> list[_Row]:
        return [] if self.blueprint is None else self.blueprint.rows

    @property
    def texts(self) -> list[str]:
        """All that may hold a tag."""
        return [text for text in (self.description, *(row.description for row in self.rows)) if text]

    @property
    def title(self) -> str:
        """What it is called in a sentence."""
        return f"{'draft' if self.is_draft else 'document'} {self.number or self.id}"

    @property
    def tags(self) -> set[str]:
        """The tags of lines, wherever they stand."""
        return tags_in(self.texts)

    @property
    def waits(self) -> bool:
        """Whether it is a draft with a row that waits for an account."""
        return self.is_draft and None in [row.account_id for row in self.rows]

    @property
    def is_taken_back(self) -> bool:
        """Whether a related document moves as much the other way."""
        return bool(self._opposites)

    @property
    def takes_back(self) -> bool:
        """Whether it is the later one of these two."""
        return any(one < self.id for one in self._opposites)

    @property
    def _opposites(self) -> list[int]:
        others = ((one.related_document, one.related_document_summary) for one in self.relations if self.balance)
        return [number for number, one in others if one is not None and one.balance == -self.balance]


read_document = reader(_Document, "a document")


class OnItsWay(NamedTuple):
    """A payment that was handed to the bank: its id, its draft, and the cents that it is of."""

    id: PaymentId
    document: int
    cents: int


class Begun(NamedTuple):
    """A document that is to settle something, as far as it came: which documents it is related to."""

    document: int
    is_draft: bool
    aims: tuple[Aim, ...]
    related: frozenset[int]


@dataclass
class There:
    """Documents by their tags: the oldest of all, of drafts that wait for an account, and of posted ones.

    `begun` are those that say what they are to settle, `finished` the tags of those that this run has ended; `sides`
    what posted ones move that no line stands for; `told` how many move so much that a line does stand for, by place,
    and `moved` the cents of these by account and day, neighbours being of lines that stand together; `on_their_way` the
    payments that were handed to the bank, by purchase invoice; `alone` the days of posted ones of lines that move cents
    on one own account of several, and pay nothing, by both.
    """

    documents: dict[str, int] = field(default_factory=dict)
    drafts: dict[str, int] = field(default_factory=dict)
    posted: dict[str, int] = field(default_factory=dict)
    begun: dict[str, Begun] = field(default_factory=dict)
    finished: set[str] = field(default_factory=set)
    sides: list[Side] = field(default_factory=list)
    told: Counter[int] = field(default_factory=Counter)
    moved: defaultdict[tuple[int, date | None], list[int]] = field(default_factory=lambda: defaultdict(list))
    on_their_way: dict[int, OnItsWay] = field(default_factory=dict)
    alone: defaultdict[tuple[int, int], list[date]] = field(default_factory=lambda: defaultdict(list))
    _payments: dict[PaymentId, _Document] = field(default_factory=dict)
    # the documents of batches that are there by any of their parts
    _by_parts: dict[str, int] = field(default_factory=dict)
    # what posted documents, and drafts, move for a tag: what takes one back, or stands for it then, counts too
    _moved_for: Counter[int] = field(default_factory=Counter)
    # what takes back documents of lines, and the accounts of money that it may move
    _mirrors: list[tuple[_Document, Mapping[str, int]]] = field(default_factory=list)

    def document_of(self, tag: str) -> int | None:
        """Return the document of a line: its own, or that of the batch that it is a part of, or of its parts."""
        found, batch = self.documents.get(tag), batch_of(tag)
        if found is not None:
            return found
        return self._by_parts.get(tag) if tag == batch else self.documents.get(batch)

    def is_doubled(self, tag: str, cents: int) -> bool:
        """Whether documents move the amount of a line several times; a draft beside a posted one is about to go."""
        moved = self._moved_for[hash((tag, tag not in self.posted))]
        return bool(cents) and moved % cents == 0 and moved // cents > 1

    def is_unfinished(self, tag: str) -> bool:
        """Whether the document of a tag has not settled all that it is for."""
        begun = None if tag in self.finished else self.begun.get(tag)
        return begun is not None and (begun.is_draft or len(begun.related) < len(begun.aims))

    def add(self, document: _Document, banks: Mapping[str, int]) -> None:
        """Note a document; of two with one tag, such as one that takes it back, it is the older one."""
        texts, waits = document.texts, document.waits
        tags = tags_in(texts)
        known = [self.documents, *([self.drafts] if waits else []), *([] if document.is_draft else [self.posted])]
        for tag in tags:
            for one in known:
                one[tag] = min(one.get(tag, document.id), document.id)
            if (batch := batch_of(tag)) != tag:
                self._by_parts[batch] = min(self._by_parts.get(batch, document.id), document.id)
        if tags and (waits or not document.is_draft):
            for text in texts:
                for match in _AIM.finditer(text):
                    self._begin(match[1], document, match[2])
        if not waits:
            for payment in {named for text in texts for named in payment_ids(text)}:
                if payment not in self._payments or document.id < self._payments[payment].id:
                    self._payments[payment] = document
        self._move(document, banks, tags)

    def end(self) -> None:
        """Tell the payments of files, once all documents are noted: later ones that name one take it back, or copy it.

        One that is posted, and for which no line stands yet, settles its invoice: a run that was cut off may have left
        that to others. What takes a line's document back repeats its tags, and has a line once it has one of its own.
        """
        for mirror, banks in self._mirrors:
            if own := {tag for tag in mirror.tags if self.posted[tag] == mirror.id}:
                self._tell(mirror, banks, own)
            else:
                self.sides += (replace(one, takes_back=True) for one in _sides(mirror, banks, set()))
        named = {document.id: str(one) for one, document in self._payments.items()}
        self.sides = [replace(one, payment=named.get(one.document, "")) for one in self.sides]
        for one, document in self._payments.items():
            if document.is_draft:
                self.on_their_way[one.purchase] = OnItsWay(one, document.id, int(rounded(document.balance).scaleb(2)))
            elif not any(TAG.search(text) for text in document.texts):
                self._begin(str(one), document, f"purchase {one.purchase}")

    def hand_over(self, handed: Iterable[Handed]) -> None:
        """Note payments that were handed to the bank, and of which it has not said yet what became of them."""
        for one in handed:
            if one.is_draft:
                self.on_their_way[one.id.purchase] = OnItsWay(one.id, one.document, -one.cents)

    def _move(self, document: _Document, banks: Mapping[str, int], tags: set[str]) -> None:
        moves = moves_of(document, banks) if tags else {}
        for number, cents in moves.items():
            for tag in tags_on(document, number, banks, tags, is_transfer=len(moves) == 2):
                self._moved_for[hash((tag, document.is_draft))] += cents
        if tags and not document.takes_back:
            self._tell(document, banks, tags)
        if document.is_draft:
            return
        if len(moves) == 1 and len(banks) > 1 and not document.relations:
            ((number, cents),) = moves.items()
            self.alone[banks[number], cents].append(document.date)
        if not document.is_taken_back:
            self.sides += _sides(document, banks, tags)
        elif document.takes_back and tags:
            self._mirrors.append((document, banks))

    def _tell(self, document: _Document, banks: Mapping[str, int], tags: set[str]) -> None:
        """Count what a document moves that a line stands for."""
        for account, cents, is_referred in _told(document, banks, tags):
            day = _posted_on(document)
            self.told[place_of(account, day, cents, is_referred=is_referred)] += 1
            self.moved[account, day].append(cents)

    def _begin(self, tag: str, document: _Document, aims: str) -> None:
        """Note what a document is to settle; a copy of one that somebody made is to settle nothing."""
        before = self.begun.get(tag)
        if before is None or document.id < before.document:
            related = frozenset(one.related_document for one in document.relations)
            of_kinds = _AIMS_OF_KIND.findall(aims)
            found = tuple(Aim(kind, int(number)) for kind, numbers in of_kinds for number in numbers.split(", "))
            self.begun[tag] = Begun(document.id, document.is_draft, found, related)


def read_there(here: State, first: date, last: date, banks: Mapping[str, int]) -> There:
    """Read the documents of some days, and around them; `banks` are ids of accounts of money by their numbers."""
    there = There()
    for document in documents_around(here, first, last):
        there.add(document, banks)
    there.end()
    return there


def documents_around(here: State, first: date, last: date) -> Iterator[_Document]:
    """Yield the documents of some days, and of those around them to which somebody may have moved one."""
    query: dict[str, Any] = {"date_from": str(_moved(first, -_FAR)), "date_to": str(_moved(last, _FAR))}
    # others post meanwhile, and requests that were cut off still end
    listing = here.api.documents.list(query, Extent(None, LARGEST_PAGE)).while_it_grows()
    return read_all(listing, read_document)


def _sides(document: _Document, banks: Mapping[str, int], tags: set[str]) -> Iterator[Side]:
    """Yield what a document moves on each account of money that no tag stands for."""
    moves = moves_of(document, banks)
    if len(moves) > 2 or (len(moves) == 2 and sum(moves.values()) != 0):
        return
    told = document.description or ""
    for number, cents in moves.items():
        if tags_on(document, number, banks, tags, is_transfer=len(moves) == 2):
            continue
        yield Side(
            document=document.id,
            title=document.title,
            account=banks[number],
            day=document.date,
            cents=cents,
            numbers=numbers_in(told)[1],
            names=names_of(document.contact_name),
            words=folded(told),
            other=next((banks[one] for one in moves if one != number), None),
            related=frozenset(one.related_document for one in document.relations),
        )


def _told(document: _Document, banks: Mapping[str, int], tags: set[str]) -> Iterator[tuple[int, int, bool]]:
    """Yield account, cents, and whether the bank gave a reference, of the lines that a document stands for."""
    moves = moves_of(document, banks)
    rows = (row.description for row in document.rows if row.description and PREFIX in row.description)
    is_referred = any(TAG.search(text) and reference_behind(text) for text in rows)
    for number, cents in moves.items():
        if tags_on(document, number, banks, tags, is_transfer=len(moves) == 2):
            yield banks[number], cents, is_referred


def _posted_on(document: _Document) -> date:
    """Return the day that a document was posted on, which is that of its line, wherever somebody moved it."""
    found = _NUMBER.fullmatch(document.number or "")
    try:
        return date.fromisoformat(f"20{found[1]}") if found else document.date
    except ValueError:
        return document.date


def moves_of(document: _Document, banks: Mapping[str, int]) -> dict[str, int]:
    """Return what a document moves on accounts of money by their numbers, debit less credit, in cents."""
    moved: dict[str, int] = {}
    for row in document.entry_ui_rows:
        if (number := row.account_number) in banks:
            moved[number] = moved.get(number, 0) + row.cents
    return {number: cents for number, cents in moved.items() if cents}


def tags_on(
    document: _Document, number: str, banks: Mapping[str, int], tags: set[str], *, is_transfer: bool
) -> set[str]:
    """Return the tags of lines that stand for what a document moves on an account.

    Of a transfer each side has its own; where a tag does not say of which account it is, it may be of any.
    """
    if not is_transfer:
        return tags
    by_account = {one: _tags_of(document, one, account) for one, account in banks.items()}
    return by_account[number] or tags - set().union(*by_account.values())


def _tags_of(document: _Document, number: str, account: int) -> set[str]:
    found = tags_in(row.description for row in document.rows if row.account_id == account and row.description)
    said = document.description or ""
    return found | {tag for tag in TAG.findall(said) if on_account(number, tag) in said}


def _moved(day: date, by: timedelta) -> date:
    try:
        return day + by
    except OverflowError:
        return day
