"""Import e-invoices: read and prove all of them, tell what is there, ask, and enter and post the rest.

Each invoice is four writes: its file, the invoice, its document, and that the invoice names it. The key of each follows
from the books and the file, and what an earlier run left is found again by what it is, so that whoever goes on with it
ends it, and nobody does anything twice (docs/purchases.md 2).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from http import HTTPStatus
from pathlib import Path

import msgspec

from acctcli.cli.command.many import Step, create_once, send_all
from acctcli.cli.command.once import base_key
from acctcli.cli.document.settling import Found
from acctcli.cli.file.uploads import find_uploaded
from acctcli.cli.output.progress import counted
from acctcli.cli.output.replies import decoded
from acctcli.cli.output.show import show_values
from acctcli.cli.output.stderr import how_many, how_many_are, tell
from acctcli.cli.purchase.known import Sender, find_older
from acctcli.cli.purchase.planning import PLANNED, THERE, Plan, Planner, body_of
from acctcli.cli.purchase.posting import Unposted, booked_by, let_book, send
from acctcli.cli.purchase.reading import Bill, read_bills
from acctcli.cli.session.state import State
from acctcli.client.messages import Reply, encode_plain
from acctcli.errors import AcctcliError
from acctcli.models.document import DocumentRequest

_POSTED = "posted"


class _Made(msgspec.Struct):
    id: int


def import_all(here: State, paths: Sequence[Path], account: str | None, columns: Sequence[str]) -> None:
    """Import the files and show `columns` of what came of each.

    Raise, before anything is sent, for what is wrong with any of them.
    """
    planner = Planner(here, account)
    plans = planner.plan(read_bills(paths))
    new = [one for one in plans if one.made is not None]
    if here.options.dry_run:
        show_values(here, [row for one in plans for row in planner.rows(one)], PLANNED)
        here.say(f"{how_many(len(new), 'invoice')} would be posted, {len(plans) - len(new)} there already")
        return
    if new and not here.options.yes:
        _agree(here, new)
    _Importing(here).run(plans, columns)


def _agree(here: State, new: Sequence[Plan]) -> None:
    for one in new:
        invoice = one.bill.invoice
        tell(f"{one.bill.name}: {invoice.seller.name} {invoice.number}, {invoice.sums.payable} on {one.account}")
    here.agree(f"enter and post {how_many(len(new), 'purchase invoice')}", "the entries")


class _Importing:
    """Enters and posts what is not there."""

    def __init__(self, here: State) -> None:
        self._here = here
        self._base = base_key(here)

    def run(self, plans: Sequence[Plan], columns: Sequence[str]) -> None:
        """Enter and post what is not there, and show what came of each."""
        here = self._here
        steps = (Step(partial(self._settle, one), one.bill.name) for one in plans)
        send_all(
            here,
            steps,
            self._base,
            columns,
            lambda number: f"{how_many_are(number, 'file')} done; the same command goes on",
            lambda pages: counted(here, pages, len(plans)),
        )

    def _settle(self, plan: Plan) -> Reply:
        if plan.made is None:
            assert plan.there is not None
            if plan.there.document is None:
                return _row(plan.bill, THERE, plan.there.id, None, f"post it: acctcli purchase post {plan.there.id}")
            return _row(plan.bill, THERE, plan.there.id, plan.there.document.id)
        purchase, is_of_others = self._entered(plan)
        if is_of_others or purchase.document is not None:
            # another run was quicker
            return _row(plan.bill, THERE, purchase.id, purchase.document.id if purchase.document else None)
        body = plan.made.body
        booked = decoded(let_book(self._here, purchase, body, self._sent(purchase, body)), Unposted)
        return _row(plan.bill, _POSTED, purchase.id, booked.document.id if booked.document else None)

    def _entered(self, plan: Plan) -> tuple[Unposted, bool]:
        """Return the invoice: the one that an earlier run entered, or a new one with its file.

        Where another run entered it a moment before, that is returned, this one's is deleted, and true says so.
        """
        api, bill = self._here.api, plan.bill
        if plan.there is not None:
            return self._read(plan.there.id), False
        there = find_uploaded(self._here, bill.upload)
        file = there or self._made(partial(api.upload, bill.upload), api.files.get, f"file {bill.digest}").id
        create = partial(api.purchase_invoices.create, body_of(bill, file))
        made = self._made(create, api.purchase_invoices.get, f"purchase {bill.digest}")
        seller, number = bill.invoice.seller, bill.invoice.number
        older = find_older(self._here, Sender(seller.name, seller.vat_id), number, made.id)
        if older is None:
            return self._read(made.id), False
        api.purchase_invoices.delete(made.id)
        first = self._read(older.id)
        if there is None and file not in first.files:
            api.files.delete(file)
        return first, True

    def _read(self, purchase: int) -> Unposted:
        return decoded(self._here.api.purchase_invoices.get(purchase), Unposted)

    def _sent(self, purchase: Unposted, body: DocumentRequest) -> Found | None:
        """Post the document of an invoice, unless an earlier run did."""
        body.description = purchase.title
        body.attachment_ids = purchase.files
        try:
            there = booked_by(self._here, purchase.title)
            return None if there.standing else send(self._here, purchase, body, there)
        except AcctcliError as error:
            error.message = f"purchase invoice {purchase.id} is entered, but not posted: {error.message}"
            error.hint = "do not enter it again: the same command goes on with it"
            raise

    def _made(self, create: Callable[[str], Reply], get: Callable[[int], Reply], name: str) -> _Made:
        return decoded(create_once(self._here, self._base, name, create, get), _Made)


def _row(bill: Bill, status: str, purchase: int, document: int | None, reason: str | None = None) -> Reply:
    invoice = bill.invoice
    row = {
        "file": bill.name,
        "sender_name": invoice.seller.name,
        "invoice_number": invoice.number,
        "invoicing_date": invoice.issued,
        "amount": invoice.sums.payable,
        "status": status,
        "purchase": purchase,
        "document": document,
        "reason": reason,
    }
    return Reply(HTTPStatus.OK, {}, encode_plain(row))
