"""Posting lines of statements: documents and their relations, each of them once (docs/bank.md 5, 6).

A document says in the bank's row what it is to settle, so that whoever runs next goes on where a run was cut off: a
payment is related to what it lacks, and a draft whose line an action settles gives its tag to what that posted.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from http import HTTPStatus
from itertools import count
from typing import NamedTuple

from acctcli.banking.matching.candidates import Kind, Rule
from acctcli.banking.matching.outcome import Matched
from acctcli.banking.payments.identity import payment_ids
from acctcli.banking.statements.identity import TAG
from acctcli.cli.bank.bodies import Bodies, Twin, with_tag
from acctcli.cli.bank.looked import Draft, Made, Paid, Settled, Summary, Told
from acctcli.cli.bank.meanwhile import Payments
from acctcli.cli.bank.named import Named
from acctcli.cli.bank.owed import Before, Owed, aim_of
from acctcli.cli.bank.there import Aim, Begun, There, on_account, read_there
from acctcli.cli.command.body import check
from acctcli.cli.command.many import key_of_one
from acctcli.cli.document.closed import known_closed_days
from acctcli.cli.document.entries import units_of
from acctcli.cli.document.settling import Posted, relate
from acctcli.cli.invoice.standing import Invoice
from acctcli.cli.output.replies import decoded
from acctcli.cli.purchase.handed import read_handed
from acctcli.cli.report.amounts import rounded
from acctcli.cli.session.state import State
from acctcli.errors import AcctcliError, Conflict, Forbidden, NotFound, Rejected, UsageError
from acctcli.models.base import partial
from acctcli.models.document import DocumentRequest
from acctcli.models.invoice import InvoicePaymentRequest

_BY_ACTION = {Kind.SALE, Kind.TAX}
# what is refused, and was not done
_REFUSALS = (Conflict, Forbidden, NotFound, Rejected, UsageError)


class Came(NamedTuple):
    """What came of a line: its document, whether that is new or takes no tag, and why it is less than it might be.

    `is_of_others` says that another run posted it meanwhile, and ends what it is for.
    """

    document: int
    is_new: bool = True
    why: str | None = None
    is_left_out: bool = False
    is_of_others: bool = False


class Posting:
    """Posts lines under keys that follow from `base`; knows what is there, and what is left of claims."""

    def __init__(self, here: State, bodies: Bodies, there: There, base: str) -> None:
        self._here = here
        self._bodies = bodies
        self._there = there
        self._base = base
        self._left: dict[str, int] = {}
        # what was posted by this run, by tags, and what of it actions posted
        self.made, self.acted = dict[str, int](), set[int]()
        self.payments = Payments(here, bodies)

    def body_of(self, one: Named, found: Matched | None, twin: Twin | None = None) -> DocumentRequest:
        """Return the document that a line becomes, as what it is, or as a draft where nothing is known of it."""
        line, tag, bank = one.line, one.tag, one.account
        if found is None:
            return self._bodies.of(line, tag, bank)
        if any(claim.kind in _BY_ACTION for claim in found.claims):
            return self._bodies.to_settle(line, tag, bank, found)
        return self._bodies.matched(line, tag, bank, found, twin)

    def post(self, one: Named, found: Matched | None, twin: Twin | None = None) -> Came:
        """Post a line as what it is; as a draft where nothing is known of it."""
        if found is not None and found.side is not None:
            mark = one.tag if found.side.other is None else on_account(one.account.number, one.tag)
            return self._take(found.side.document, mark)
        if found is None:
            paid = self._paid_meanwhile(one)
            return self._create(one, self.body_of(one, None)) if paid is None else self._take(paid, one.tag)
        try:
            found = self._with_its_bill(one.tag, found)
        except _REFUSALS as refused:
            came = self._create(one, self.body_of(one, None))
            return came._replace(why=f"{found.said}, but {refused.message}")
        if (handed := self._handed(found)) is not None:
            return self._become(one, handed, found)
        return self._end(one, self._create(one, self.body_of(one, found, twin)), found, twin)

    def treat(self, one: Named, draft: int, found: Matched, twin: Twin | None = None) -> Came:
        """Make the draft of a line what that is; where a document is there for it, that takes the tag."""
        if found.side is not None:
            mark = one.tag if found.side.other is None else on_account(one.account.number, one.tag)
            came = self._take(found.side.document, mark)
            if not came.is_left_out:
                self._drop(one.tag, draft, came.document)
            return came
        try:
            found = self._with_its_bill(one.tag, found)
        except _REFUSALS as refused:
            return Came(draft, False, f"{found.said}, but {refused.message}")
        if (handed := self._handed(found)) is not None:
            came = self._become(one, handed, found)
            self._drop(one.tag, draft, came.document)
            return came
        body = self.body_of(one, found, twin)
        changed = {name: getattr(body, name) for name in body.model_fields_set if name != "date"}
        self._here.api.documents.update(draft, check(partial(DocumentRequest), changed))
        came = self._end(one, Came(draft), found, twin)
        if twin is not None and (other := self._there.drafts.get(twin.tag)) is not None:
            self._drop(twin.tag, other, came.document)
        return came

    def _paid_meanwhile(self, one: Named) -> int | None:
        """Return the document of a payment of our files that a line names, and that another run has posted by now."""
        for payment in payment_ids(one.line.end_to_end):
            noted = read_handed(self._here, {"search": str(payment)}).get(payment)
            if noted is not None and not noted.is_draft and noted.cents == -one.line.cents:
                return noted.document
        return None

    def _handed(self, found: Matched) -> int | None:
        """Return the draft of a payment that was handed to the bank, where a line is this payment."""
        if len(found.parts) != 1:
            return None
        (part,) = found.parts
        handed = self._there.on_their_way.get(part.claim.id) if part.claim.kind is Kind.PURCHASE else None
        return handed.document if handed is not None and handed.cents == part.cents else None

    def _become(self, one: Named, draft: int, found: Matched) -> Came:
        """Make the draft of a payment that was handed to the bank the document of a line."""
        self._here.api.documents.update(draft, self.body_of(one, found))
        del self._there.on_their_way[found.claims[0].id]
        return self._end(one, Came(draft, is_new=False), found, None)._replace(is_new=True)

    def _end(self, one: Named, came: Came, found: Matched, twin: Twin | None) -> Came:
        """Settle what the document of a line is for."""
        if twin is not None:
            self._there.documents[twin.tag] = came.document
        if came.is_of_others:
            return came
        if any(claim.kind in _BY_ACTION for claim in found.claims):
            return self._by_action(one, came, found)
        self._settle(one, came, found)
        return came

    def finish(self) -> None:
        """Go on with all that an earlier run began, and say so; what is refused is named, and stays as it is."""
        for tag in self._there.drafts.keys() & self._there.posted.keys():
            draft = self._there.drafts[tag]
            self._drop(tag, draft, self._there.posted[tag])
            if tag in self._there.begun and self._there.begun[tag].document == draft:
                # what it was for is done, and no claim waits for it
                self._there.finished.add(tag)
        for tag, begun in self._there.begun.items():
            if not self._there.is_unfinished(tag):
                continue
            try:
                is_changed = self._act(tag, begun) if begun.is_draft else self._relate(tag, begun)
            except _REFUSALS as refused:
                self._here.say(
                    f"note: document {begun.document} cannot settle what it is for: {refused.message}; treat it by "
                    f"hand: acctcli document update {begun.document}"
                )
                continue
            self._there.finished.add(tag)
            if is_changed:
                self._here.say(f"note: what a run began that was cut off is done: document {begun.document}")

    def say_paid(self, owed: Owed) -> None:
        """Say of purchase invoices that they are paid which a line settled before a run was cut off."""
        own = {begun.document for begun in self._there.begun.values()}
        for purchase, document in owed.unsaid:
            if any(one.related_document in own for one in document.relations):
                self._set_paid(purchase)

    # --- what becomes a document ---

    def _create(self, one: Named, body: DocumentRequest) -> Came:
        """Post a document; a key that the service knows of one that is gone is followed by another one."""
        for generation in count():
            key = key_of_one(self._base, f"{one.tag} {generation}" if generation else one.tag)
            try:
                reply = self._here.api.documents.create(body, key)
            except Rejected as refused:
                # 422: the key is of another body
                if refused.status != HTTPStatus.UNPROCESSABLE_ENTITY:
                    raise
            else:
                made = decoded(reply, Made).id
                if not reply.replayed:
                    self.made[one.tag] = made
                    return Came(made)
                if self._is_there(made):
                    # what is told once more may be of a try just now whose reply was lost
                    return Came(made, self._here.http.writes.may_be_repeated)
            if (found := self._posted_otherwise(one)) is not None:
                return Came(found, False, is_of_others=True)
        raise AssertionError

    def _posted_otherwise(self, one: Named) -> int | None:
        """Return the document that stands for a line by now, whoever posted it; None where there is none."""
        day = one.line.booked
        return None if day is None else read_there(self._here, day, day, {}).documents.get(one.tag)

    def _is_there(self, document: int) -> bool:
        try:
            self._here.api.documents.get(document)
        except NotFound:
            return False
        return True

    # --- what settles claims ---

    def _with_its_bill(self, tag: str, found: Matched) -> Matched:
        """Book the purchase invoice that a line pays, as `purchase post` does, where a rule says on which account."""
        if found.rule is None or not found.parts or self._here.options.dry_run:
            return found
        from acctcli.cli.purchase.posting import post

        ((claim, *_),) = found.parts
        if (document := self._look(aim_of(claim)).document) is None:
            refusal: AcctcliError | None = None
            try:
                with self._keyed(f"{tag} booked"):
                    post(self._here, claim.id, [_leg_of(found.rule, -claim.open)], None, None)
            except _REFUSALS as refused:
                refusal = refused
            document = self._look(aim_of(claim)).document
            # what another run booked meanwhile is refused, too, and is as good
            if refusal is not None and document is None:
                raise refusal
        if document is not None:
            self.payments.before.setdefault(document.id, Before(None, document.date))
        booked = replace(claim, kind=Kind.PURCHASE, document=document.id if document else None)
        return found._replace(parts=(found.parts[0]._replace(claim=booked),))

    def _settle(self, one: Named, came: Came, found: Matched) -> None:
        """Relate a payment to what it settles, and say of purchase invoices that they are paid."""
        claims = {claim.document: claim.title for claim in found.claims if claim.document is not None}
        self.payments.note(one.tag, came.document, found.claims)
        there = None if came.is_new or not claims else decoded(self._here.api.documents.get(came.document), Paid)
        related = {one.related_document for one in there.relations} if there else ()
        for claimed in (one for one in claims if one not in related):
            self._relate_one(one.tag, came.document, claimed, claims[claimed])
        for part in found.parts:
            claim = part.claim
            left = self._left[claim.key] = self._left.get(claim.key, claim.open) - part.cents
            # what was settled before says so already
            if claim.kind is Kind.PURCHASE and claim.open and not left:
                self._set_paid(claim.id)
            handed = self._there.on_their_way.get(claim.id) if part.is_handed else None
            if handed is not None and handed.document != came.document:
                # one line pays several that were handed over by themselves
                self._here.api.documents.delete(handed.document)

    def _relate(self, tag: str, begun: Begun) -> bool:
        """Relate a payment of an earlier run to what it settles; say whether anything was missing."""
        is_missing = False
        for aim in begun.aims:
            claim = self._look(aim).document
            if claim is not None and claim.id not in {*begun.related, begun.document}:
                self._relate_one(tag, begun.document, claim.id, f"{aim.kind} {aim.id}")
                is_missing = True
        return is_missing

    def _relate_one(self, tag: str, document: int, claim: int, title: str) -> None:
        relate(self._here, Posted(document), claim, key_of_one(self._base, f"{tag} {document}"), title)

    def _set_paid(self, purchase: int) -> None:
        from acctcli.cli.purchase.paying import set_paid

        set_paid(self._here, purchase, is_paid=True)

    # --- what actions settle ---

    def _by_action(self, one: Named, came: Came, found: Matched) -> Came:
        """Let an action settle what the draft of a line is for."""
        (claim,) = found.claims
        begun = Begun(came.document, True, (aim_of(claim),), frozenset())
        try:
            self._act(one.tag, begun)
        except _REFUSALS as refused:
            # it waits like any other line, and tells nobody to settle what cannot be settled so
            plain = {"blueprint": self._bodies.waiting(one.line, one.tag, one.account).blueprint}
            self._here.api.documents.update(came.document, check(partial(DocumentRequest), plain))
            return came._replace(why=f"{found.said}, but {refused.message}")
        return came._replace(document=self._there.documents[one.tag])

    def _act(self, tag: str, begun: Begun) -> bool:
        """Let an action settle what a draft is for, unless it has; its document takes the tag, and the draft goes."""
        draft = decoded(self._here.api.documents.get(begun.document), Draft)
        done = self._settled_by(tag, begun.aims[0], draft)
        self._tie(done, tag)
        self._drop(tag, begun.document, done)
        return True

    def _drop(self, tag: str, draft: int, document: int) -> None:
        """Delete the draft of a line for which another document stands."""
        self._here.api.documents.delete(draft)
        self._there.documents[tag] = self._there.posted[tag] = document
        self._there.drafts.pop(tag, None)

    def _settled_by(self, tag: str, aim: Aim, draft: Draft) -> int:
        """Return the document that settles what a draft is for; where there is none, let an action post it."""
        done = self._done(aim, draft)
        if done is None:
            self._pay(tag, aim, draft)
            done = self._done(aim, draft)
            if done is None:
                raise UsageError(f"nothing tells which document settled {aim.kind} {aim.id}")
            self.made[tag] = done
            self.acted.add(done)
        return done

    def _done(self, aim: Aim, draft: Draft) -> int | None:
        """Return the document that settled as much of something on a day, and that no line stands for."""
        found = self._look(aim)
        if found.document is None or (aim.kind == "purchase" and not found.is_paid):
            return None
        first = Summary(found.document.date, found.document.balance, found.document.description)
        near = [(found.document.id, first)]
        if aim.kind == "invoice":
            related = ((one.related_document, one.related_document_summary) for one in found.document.relations)
            near += [(number, one) for number, one in related if one and one.description == found.friendly_name]
        some = [
            number
            for number, one in near
            if one.date == draft.date and rounded(one.balance) == draft.own[1] and not TAG.search(one.description)
        ]
        return max(some, default=None)

    def _pay(self, tag: str, aim: Aim, draft: Draft) -> None:
        """Pay an invoice that is in no books, or the tax of a period, as `invoice pay` and `purchase pay` do."""
        account, amount = draft.own
        if aim.kind == "purchase":
            from acctcli.cli.purchase.paying import Said, pay

            with self._keyed(f"{tag} {draft.id} paid"), self.payments.noting(aim, tag):
                pay(self._here, aim.id, Said(draft.date, f"id:{account}", -amount))
            return
        left = decoded(self._here.api.invoices.get(aim.id), Invoice).left(date.max)
        said = {"date": draft.date, "account_id": account} | ({} if amount == left else {"amount": amount})
        # another draft of this line pays anew
        key = key_of_one(self._base, f"{tag} {draft.id} paid")
        self._here.api.invoices.act(aim.id, "actions/paid/", check(InvoicePaymentRequest, said), key)

    @contextmanager
    def _keyed(self, name: str) -> Iterator[None]:
        """Let what a command of another group posts have a key of its line: two runs at once post it once."""
        here, options = self._here, self._here.options
        here.options = replace(options, idempotency_key=key_of_one(self._base, name))
        try:
            yield
        finally:
            here.options = options

    def _look(self, aim: Aim) -> Settled:
        api = self._here.api
        reply = api.invoices.get(aim.id) if aim.kind == "invoice" else api.purchase_invoices.get(aim.id)
        return decoded(reply, Settled)

    def _take(self, document: int, mark: str) -> Came:
        """Let a document stand for a line, unless it is locked."""
        try:
            return self._tie(document, mark)
        except Conflict as refused:
            if refused.status != HTTPStatus.LOCKED:
                raise
            day, closed = self._told(document).date, known_closed_days(self._here)
            remedy = closed.opened(day) if closed.has(day) else f"acctcli document unlock {document}"
            why = f"document {document} is it, and does not take its tag: {refused.message}; to let it: {remedy}"
            return Came(document, False, why, True)

    def _tie(self, document: int, mark: str) -> Came:
        """Write the tag of a line into a document that was posted for it."""
        told = self._told(document)
        if mark in told.description:
            return Came(document, False)
        body = check(partial(DocumentRequest), {"description": with_tag(told.description, mark)})
        self._here.api.documents.update(document, body)
        return Came(document)

    def _told(self, document: int) -> Told:
        return decoded(self._here.api.documents.get(document), Told)


def _leg_of(rule: Rule, cents: int) -> str:
    """Return the leg of an account that a rule books, as `purchase post` reads it."""
    vat = "" if rule.vat_code is None else f"@{rule.vat_code}{'' if rule.vat_rate is None else f'/{rule.vat_rate}'}"
    return f"id:{rule.account}:{units_of(cents)}{vat}"
