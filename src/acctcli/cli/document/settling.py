"""Payments as documents: posted, related to what they settle, each write under a key of its own.

The key of each is made of that of the command: the same command with the same key goes on where it stopped, and one
without a key by what it finds in the books.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any

import msgspec

from acctcli.cli.account.chart import account_id
from acctcli.cli.command.body import check
from acctcli.cli.command.many import begun_with, create_once, key_of_one
from acctcli.cli.command.once import base_key
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.session.state import State
from acctcli.client.messages import LARGEST_PAGE, Extent, Reply
from acctcli.errors import AcctcliError, Conflict, Incomplete, NotFound, Rejected, UsageError
from acctcli.law.vat_codes import NO_VAT
from acctcli.models.document import Blueprint, DocumentRequest
from acctcli.models.relation import RelationRequest

MONEY = "ASS_PAY"


class Posted(msgspec.Struct):
    """A document that was posted."""

    id: int
    number: str | None = None

    def __str__(self) -> str:
        return self.number or str(self.id)


class _Told(msgspec.Struct):
    id: int
    description: str = ""


class _Summary(msgspec.Struct):
    description: str = ""
    date: date | None = None


class Related(msgspec.Struct):
    """What a document is related to."""

    related_document: int
    related_document_summary: _Summary = msgspec.field(default_factory=_Summary)


class Found(Posted):
    """A document that is there: what it posts, and what it is related to."""

    blueprint: dict[str, Any] = {}
    description: str = ""
    date: date | None = None
    is_draft: bool = False
    relations: list[Related] = []

    def is_same(self, body: DocumentRequest) -> bool:
        """Whether it posts what a body does: the same amounts, with the same VAT, on the same accounts."""
        return not self.is_draft and _rows(self.blueprint) == _rows(body.blueprint)


class _Account(msgspec.Struct):
    id: int
    number: str
    type: str
    is_shown: bool = True
    name: str = ""
    description: str | None = None

    @property
    def told(self) -> str:
        """What people wrote about it."""
        return f"{self.name} {self.description or ''}"


class _Business(msgspec.Struct):
    account_cash_payment: int | None = None
    invoicing_iban: str | None = None


_read_told = reader(_Told, "a document")
_read_account = reader(_Account, "an account")
_read_related = reader(Related, "a relation")


def key_of_moment(here: State, what: str, there: Iterable[int]) -> str:
    """Return the key of the command, else one of what is posted and what is there: who does so at once has it, too."""
    return here.options.idempotency_key or key_of_one(base_key(here), f"{what} beside {sorted(there)}")


def settled_by(here: State, claim: int) -> list[Related]:
    """Read what a document is related to."""
    return list(read_all(here.api.relations(claim).list({}, Extent(limit=None)), _read_related))


def post(here: State, body: DocumentRequest, base: str, before: Collection[int] = ()) -> Posted:
    """Post the document of a command: who does so at the same moment, under the same key, posts no other one.

    Raises Conflict where another one has the key, described alike and none of those that were there `before`.
    """
    if here.options.idempotency_key is not None:
        with begun_with(here, base):
            return decoded(here.api.documents.create(body, key_of_one(base, "document")), Posted)
    posted = create_same(here, body, base, "document", partial(_refuse_other, here, body, before))
    return _first_of(here, body, before, posted)


def create_same(here: State, body: DocumentRequest, base: str, name: str, refuse: Callable[[], None]) -> Found:
    """Post a document once for all who do so under a key; `refuse` raises where another one that is there has it."""
    create, find = partial(here.api.documents.create, body), partial(_find, here, body)
    return decoded(create_once(here, base, name, create, find, refuse), Found)


def _find(here: State, body: DocumentRequest, document: int) -> Reply:
    """Return a document that was posted; raise NotFound where it was made a draft, or another payment, since."""
    reply = here.api.documents.get(document)
    if not decoded(reply, Found).is_same(body):
        raise NotFound(f"document {document} is another one by now")
    return reply


def _first_of(here: State, body: DocumentRequest, before: Collection[int], posted: Posted) -> Posted:
    """Return the same that another user posted a moment before, in place of which this one is deleted.

    Keys are of one user (docs/interface.md 1.6).
    """
    for reply in described_alike(here, body):
        found = decoded(reply, Found)
        if found.id < posted.id and found.id not in before and found.is_same(body):
            give_way(here, posted, found)
            return found
    return posted


def give_way(here: State, posted: Posted, first: Posted) -> None:
    """Delete a document that was posted a moment after another one for the same, and say so."""
    told = f"document {first} was posted for it meanwhile: {posted}, posted a moment later, is"
    try:
        here.api.documents.delete(posted.id)
    except AcctcliError as error:
        error.message = f"{told} not deleted: {error.message}"
        error.hint = f"it is there twice: acctcli document delete {posted.id}, or acctcli document reverse {posted.id}"
        raise
    here.say(f"note: {told} deleted")


def _refuse_other(here: State, body: DocumentRequest, before: Collection[int]) -> None:
    listing = here.api.documents.list({"search": body.description or ""}, Extent(None, LARGEST_PAGE)).while_it_grows()
    for told in read_all(listing, _read_told):
        if told.description == body.description and told.id not in before:
            raise Conflict(
                f"document {told.id} was posted for it meanwhile, with another day, account or amount",
                hint=f"acctcli document get {told.id}; what is to be posted as well needs an --idempotency-key",
            )


def post_once(here: State, body: DocumentRequest, base: str, before: Collection[int]) -> Posted:
    """Post the document of a payment, or go on with one that an earlier run posted and did not come to relate."""
    if here.options.idempotency_key is None:
        for reply in described_alike(here, body):
            found = decoded(reply, Found)
            if not found.relations and found.is_same(body):
                here.say(f"note: document {found} was posted by a run that was cut off; nothing more is posted")
                return found
    return post(here, body, base, before)


def described_alike(here: State, body: DocumentRequest) -> Iterator[Reply]:
    """Read the documents of the day that are described as one that is to be posted."""
    day = str(body.date)
    rows = here.api.documents.list({"date_from": day, "date_to": day}, Extent(None, LARGEST_PAGE)).while_it_grows()
    for told in read_all(rows, _read_told):
        if told.description == body.description:
            yield here.api.documents.get(told.id)


def _rows(blueprint: Blueprint | dict[str, Any]) -> dict[str, object]:
    """Return what a blueprint posts where, whichever service shows it."""
    shown = blueprint if isinstance(blueprint, dict) else blueprint.model_dump()
    rows = {
        side: [_leg(row) for row in shown.get(side) or ()]
        for side in ("debet_entries", "credit_entries", "expense_entries")
    }
    return {**rows, **{side: shown.get(side) for side in ("debet_account_id", "credit_account_id")}}


def _leg(row: Mapping[str, Any]) -> tuple[object, ...]:
    figures = (Decimal(str(row.get(name) or 0)) for name in ("amount", "vat_rate"))
    code = row.get("vat_code")
    return (row.get("account_id"), NO_VAT if code is None else code, *figures)


def relate(here: State, posted: Posted, claim_id: int, base: str, left: str) -> None:
    """Relate a payment to what it settles; where that fails, say that it is posted and what is `left`."""
    body = check(RelationRequest, {"related_document": claim_id, "role": "SETTLEMENT"})
    try:
        relations = here.api.relations(posted.id)
        create_once(here, base, f"relation {claim_id}", partial(relations.create, body), relations.get)
    except AcctcliError as error:
        if isinstance(error, Rejected) and is_related(here, posted.id, claim_id):
            return
        error.message = f"document {posted} is posted, but not related to {left} yet: {error.message}"
        error.hint = (
            f"do not pay again; relate it: acctcli document relation create {posted.id} --related {claim_id} "
            f"--role settlement; or run the same command with --idempotency-key {base}"
        )
        raise


def refuse_others(here: State, claims: Iterable[int], before: Collection[int]) -> None:
    """Raise Incomplete where another user paid a claim at the same moment otherwise: nobody else can tell which counts.

    `before` are the documents that claims were related to.
    """
    for claim in claims:
        refuse_several({one.related_document for one in settled_by(here, claim)}.difference(before))


def refuse_several(made: Collection[int]) -> None:
    """Raise Incomplete where several documents were posted for one thing since it was looked at."""
    if len(made) > 1:
        raise Incomplete(
            f"documents {' and '.join(map(str, sorted(made)))} were posted for it at the same moment, and both are "
            "there",
            hint="of two that are one payment reverse the wrong one: acctcli document reverse ID",
        )


def is_related(here: State, document: int, other: int) -> bool:
    """Whether two documents are related by now, as who posted the same a moment before may have done it."""
    return any(one.related_document == other for one in decoded(here.api.documents.get(document), Found).relations)


def money_account(here: State, written: str | None) -> int:
    """Return the account named, else that of the business's invoices by its IBAN, or the first that is not for cash."""
    if written is not None:
        return account_id(here, written, "--account")
    from acctcli.banking.own_accounts import usual_bank

    business = decoded(here.api.businesses.get(here.business()), _Business)
    every = read_all(here.api.accounts.list({}, Extent(limit=None)), _read_account)
    banks = sorted((one for one in every if one.type == MONEY), key=lambda one: (one.number.ljust(7, "0"), one.id))
    found = usual_bank(banks, business.account_cash_payment, business.invoicing_iban)
    if found is None:
        raise UsageError("the business has no bank account, of type ASS_PAY and not the one for cash", hint="--account")
    return found
