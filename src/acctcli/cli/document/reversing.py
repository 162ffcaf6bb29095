"""Documents that are taken back: the mirror of one is posted and related to it (docs/interface.md 5.10).

Each write is an operation of the interface under a key of its own, made of that of the command. The same command goes
on where it stopped: with the same key, and without one by what it finds in the books.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any
from uuid import NAMESPACE_OID, uuid4, uuid5

import msgspec

from acctcli.cli.command.body import check
from acctcli.cli.command.many import begun_with, create_once
from acctcli.cli.document.mirrors import Related, Shown, is_mirror, negated, read_shown, reversal_of, sendable
from acctcli.cli.document.moves import Booked
from acctcli.cli.document.relations import PAIR
from acctcli.cli.document.settling import described_alike, give_way, is_related
from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.session.state import State
from acctcli.client.messages import LARGEST_PAGE, Extent, Reply
from acctcli.errors import AcctcliError, Conflict, Forbidden, Incomplete, Rejected, UsageError
from acctcli.models.document import Blueprint, DocumentRequest
from acctcli.models.enums import RelationRole
from acctcli.models.relation import RelationRequest

# what the description of a mirror begins with
REVERSAL = "Reversal of"


class _Claimant(msgspec.Struct):
    id: int
    friendly_name: str = ""
    document: Booked | None = None


_read_claimant = reader(_Claimant, "an invoice")
_read_row = reader(Shown, "a document")


def reverse(here: State, document: int, day: date) -> Reply:
    """Post the mirror of a document on a day, relate it to the document and to what that is related to; return it.

    Purchase invoices that it paid are open again, and say so. Raises UsageError for a draft, for what an invoice
    claims, and for a document that is reversed already.
    """
    original, base = _posted(here, document), _base(here)
    with begun_with(here, base):
        mirror = reversal_of(here, original)
        # what an earlier run took back, and did not come to say; with its key that goes on with all of it
        is_done = mirror is not None and here.options.idempotency_key is None and _open_again(here, original)
        if mirror is None or not is_done:
            mirror = taken_back(here, original, day, base)
            _open_again(here, original)
        return here.api.documents.get(mirror.id)


def _open_again(here: State, original: Shown) -> bool:
    """Let purchase invoices that a document paid say that they are open, where they are; return whether any was."""
    from acctcli.cli.purchase.paying import unpay_open

    claims = {pair.related_document for pair in original.relations}
    try:
        return bool(claims) and unpay_open(here, claims)
    except Forbidden as refused:
        here.say(f"note: whether purchase invoices are open again was not looked at: {refused.message}")
        return False


def correct(here: State, document: int, body: DocumentRequest) -> Reply:
    """Take a document back and post it anew with what a body changes, both on its day; return the new one.

    Raises UsageError as `reverse` does, and where the new one is posted already and wants no relation.
    """
    original, base = _posted(here, document), _base(here)
    with begun_with(here, base):
        mirror = reversal_of(here, original)
        new = None if mirror is None else _corrected(here, original, body, mirror)
        if mirror is None or new is None:
            mirror = taken_back(here, original, body.date, base)
            new = _anew(here, original, body, mirror, base)
        _relate(here, new, _others(original, mirror, new), base)
        if len(instead := _instead(here, original, mirror)) > 1:
            raise Incomplete(
                f"{original.called} was corrected by another user at the same moment, and all of these are there: "
                f"{', '.join(one.called for one in instead)}",
                hint="reverse those that are wrong: acctcli document reverse ID",
            )
        _open_again(here, original)
        return here.api.documents.get(new.id)


def _corrected(here: State, original: Shown, body: DocumentRequest, mirror: Shown) -> Shown | None:
    """Return the right document that an earlier run posted after the mirror, and could not relate to everything."""
    if here.options.idempotency_key is not None:
        return None
    right = _right(original, body)
    alike = (
        body
        if "description" in body.model_fields_set
        else body.model_copy(update={"description": original.description})
    )
    for other in map(read_shown, described_alike(here, alike)):
        if other.id <= mirror.id or other.is_draft or _comparable(other.blueprint) != right:
            continue
        there = {pair.related_document for pair in other.relations}
        if any(pair.related_document not in there for pair in _others(original, mirror, other)):
            here.say(f"note: {other.called} was posted by a run that was cut off; nothing more is posted")
            return other
        raise UsageError(
            f"{original.called} is corrected already: {mirror.called} takes it back, and {other.called} of"
            f" {other.date} is posted instead",
            hint=f"acctcli document get {other.id}",
        )
    return None


def _others(original: Shown, mirror: Shown, right: Shown) -> list[Related]:
    """Return what the right document is related to: to what it stands for, and to all that this is, but the mirror."""
    pairs = [Related(original.id, RelationRole.SETTLEMENT), *original.relations]
    return [pair for pair in pairs if pair.related_document not in {mirror.id, right.id}]


def _right(original: Shown, body: DocumentRequest) -> dict[str, Any]:
    """Return what is to be posted instead of a document."""
    changed = "blueprint" in body.model_fields_set
    return _comparable(body.blueprint.model_dump() if changed else original.blueprint)


def _comparable(blueprint: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a blueprint posts, whatever of it was sent and what is left to defaults."""
    return {name: value for name, value in check(Blueprint, sendable(blueprint)).model_dump().items() if value}


def _anew(here: State, original: Shown, body: DocumentRequest, mirror: Shown, base: str) -> Shown:
    """Post what is right, once for all who do so; raise Conflict where another user posted something else first."""

    def refuse() -> None:
        for one in _instead(here, original, mirror):
            raise _corrected_meanwhile(original, one)

    if here.options.idempotency_key is not None:
        for one in _instead(here, original, mirror):
            if one.date == str(body.date) and _comparable(one.blueprint) == _right(original, body):
                return one
    create = partial(here.api.documents.copy, original.id, body)
    try:
        key = _key_of(here, original)
        new = read_shown(create_once(here, key, "correction", create, here.api.documents.get, refuse))
    except AcctcliError as error:
        if isinstance(error, Conflict) and error.status is None:
            raise
        error.message = (
            f"document {mirror.id} takes {original.called} back, but the right one is not posted: {error.message}"
        )
        error.hint = f"post it: acctcli document copy {original.id} with what is right, or {_again(base)}"
        raise
    first = _instead(here, original, mirror, new)[0]
    if first.id == new.id:
        return new
    give_way(here, new, first)
    if first.date != new.date or _comparable(first.blueprint) != _comparable(new.blueprint):
        raise _corrected_meanwhile(original, first)
    return first


def _instead(here: State, original: Shown, mirror: Shown, new: Shown | None = None) -> list[Shown]:
    """Return what was posted behind the mirror of a document in its place, the oldest first: a `new` one and others.

    They are related to it, or described as the new one is.
    """
    related = {one.related_document for one in read_shown(here.api.documents.get(original.id)).relations}
    found = {one: read_shown(here.api.documents.get(one)) for one in related if one > mirror.id}
    if new is not None:
        alike = DocumentRequest(date=date.fromisoformat(new.date), description=new.description)
        found |= {one.id: one for one in map(read_shown, described_alike(here, alike)) if one.id > mirror.id}
        found[new.id] = new
    return [found[one] for one in sorted(found) if not found[one].is_draft]


def _corrected_meanwhile(original: Shown, first: Shown) -> Conflict:
    return Conflict(
        f"{original.called} was corrected meanwhile: {first.called} of {first.date} is posted instead",
        hint=f"acctcli document get {first.id}; what is right instead of it: acctcli document correct {first.id}",
    )


def _base(here: State) -> str:
    return here.options.idempotency_key or str(uuid4())


def _key_of(here: State, original: Shown) -> str:
    """Return the key of the command, else one of the document: who takes it back at the same moment has that, too."""
    told = f"{here.business()} {original.id} {original.created_at}"
    return here.options.idempotency_key or str(uuid5(NAMESPACE_OID, told))


def _again(base: str) -> str:
    return f"run the same command with --idempotency-key {base}"


def _posted(here: State, document: int) -> Shown:
    original = read_shown(here.api.documents.get(document))
    if original.is_draft:
        raise UsageError(
            f"document {document} is a draft: it moves nothing that could be taken back",
            hint=f"acctcli document update {document}, or acctcli document delete {document}",
        )
    # services say that what an invoice claims is not deleted: others need no question
    if not original.is_deletable and original.contact_id is not None:
        _refuse_claim(here, original)
    return original


def _refuse_claim(here: State, original: Shown) -> None:
    """Raise UsageError for what an invoice stands in the books by: a mirror would not credit it."""
    booked = {"status": ["ACCEPTED", "PAID", "CREDIT_LOSS"]}
    for invoice in read_all(here.api.invoices.list(booked, Extent(None, LARGEST_PAGE)), _read_claimant):
        claim = invoice.document
        # what moves money is a sale that its payment posted: no claim
        if claim is not None and claim.id == original.id and not claim.balance:
            raise UsageError(
                f"{original.called} is what {invoice.friendly_name or 'an invoice'} (id {invoice.id}) claims:"
                " only a credit note takes it back, with its VAT once",
                hint=f"acctcli invoice credit-note {invoice.id}; a loss or a payment that its own action posted is"
                f" taken back first: acctcli invoice unpaid {invoice.id}",
            )


def taken_back(here: State, original: Shown, day: date, base: str) -> Shown:
    """Return the mirror of a document, which an earlier run may have begun, with all its relations.

    Raises UsageError where it was there with these, and Conflict where another one has posted it on another day.
    """
    body = _mirror(original, day)
    mirror, done, is_own = reversal_of(here, original), True, False
    if mirror is None:
        (mirror, is_own), done = _mirrored(here, original, body), False
    elif here.options.idempotency_key is None:
        raise UsageError(
            f"{original.called} is reversed already, by {mirror.called} of {mirror.date}",
            hint=f"acctcli document get {mirror.id}; what is right is posted with: acctcli document copy {original.id}",
        )
    # what the document settles is open again, so its mirror belongs there as well
    pairs = [Related(original.id, RelationRole.SETTLEMENT), *original.relations]
    # what came after it is what a run that was cut off had posted instead
    _relate(here, mirror, [pair for pair in pairs if pair.related_document < mirror.id], base)
    if not done and not is_own and mirror.date != str(body.date):
        raise _reversed_meanwhile(original, mirror)
    if not done:
        here.say(f"note: {mirror.called} takes {original.called} back.")
    return mirror


def _mirrored(here: State, original: Shown, body: DocumentRequest) -> tuple[Shown, bool]:
    """Post the mirror of a document; false says that an earlier run or, a moment before, another user posted it."""
    for one in _mirrors(here, original, body):
        if not one.relations:
            return one, False

    def refuse() -> None:
        for one in _mirrors(here, original, body):
            raise _reversed_meanwhile(original, one)

    create = partial(here.api.documents.create, body)
    mirror = read_shown(create_once(here, _key_of(here, original), "reversal", create, here.api.documents.get, refuse))
    first = min([mirror, *_mirrors(here, original, body)], key=lambda one: one.id)
    if first.id == mirror.id:
        return mirror, True
    give_way(here, mirror, first)
    return first, False


def _mirrors(here: State, original: Shown, body: DocumentRequest) -> list[Shown]:
    """Return the documents of any day that take one back, the oldest first; they may not be related to it yet."""
    listing = here.api.documents.list({"search": body.description or ""}, Extent(None, LARGEST_PAGE)).while_it_grows()
    alike = (one for one in read_all(listing, _read_row) if one.description == body.description)
    mirrors = (one for one in alike if not one.is_draft and is_mirror(one, original.blueprint))
    return sorted(mirrors, key=lambda one: one.id)


def _reversed_meanwhile(original: Shown, mirror: Shown) -> Conflict:
    return Conflict(
        f"{original.called} was reversed meanwhile, by {mirror.called} of {mirror.date}",
        hint=f"acctcli document get {mirror.id}",
    )


def _mirror(original: Shown, day: date) -> DocumentRequest:
    return check(
        DocumentRequest,
        {
            "date": day,
            "description": f"{REVERSAL} {original.called}: {original.description}".removesuffix(": ")[:256].strip(),
            "type": original.type,
            "contact_id": original.contact_id,
            "tag_ids": original.tag_ids,
            "blueprint": negated(original.blueprint),
        },
    )


def _relate(here: State, made: Shown, pairs: Sequence[Related], base: str) -> None:
    """Relate a document to others, but to those that it is related to already."""
    there = {pair.related_document for pair in made.relations}
    missing = [pair for pair in pairs if pair.related_document not in there]
    for place, pair in enumerate(missing):
        body = check(RelationRequest, {"related_document": pair.related_document, "role": pair.role, "type": PAIR})
        try:
            relations, name = here.api.relations(made.id), f"{made.id} {pair.related_document}"
            create_once(here, base, name, partial(relations.create, body), relations.get)
        except AcctcliError as error:
            if isinstance(error, Rejected) and is_related(here, made.id, pair.related_document):
                continue
            left = ", ".join(str(one.related_document) for one in missing[place:])
            error.message = f"{made.called} is posted, but not related to document {left} yet: {error.message}"
            error.hint = (
                f"do not post it again; relate it: acctcli document relation create {made.id} --related "
                f"{pair.related_document} --role {pair.role.lower()}; or {_again(base)}"
            )
            raise
