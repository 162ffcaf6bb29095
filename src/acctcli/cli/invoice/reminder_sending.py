"""A reminder is shown, mailed, or kept as a paper, and noted with its invoice (docs/law.md 7.11).

A mail leaves first, under a key that follows from invoice, reminder and day, and is noted then: whoever runs the
command again after a cut mails nothing twice. A paper is kept as a file first, and handed over last.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from functools import partial
from http import HTTPStatus
from typing import NamedTuple

import msgspec

from acctcli.cli.command.body import check
from acctcli.cli.command.many import begun_with, create_once, key_of_one
from acctcli.cli.command.options import wire_name
from acctcli.cli.file.uploads import find_uploaded
from acctcli.cli.invoice.options import REMINDING
from acctcli.cli.invoice.papers import kept_language
from acctcli.cli.invoice.reminded import Message, Reminded, is_disputed, reminders_in
from acctcli.cli.invoice.reminder_letters import Letter
from acctcli.cli.invoice.reminding import COLUMNS, Late, Reminder, Wanted, document_of, rows_of
from acctcli.cli.invoice.sending import seen
from acctcli.cli.output.check import require_library
from acctcli.cli.output.replies import decoded
from acctcli.cli.output.show import show_value
from acctcli.cli.report.view import PAPER as FOR_OTHERS
from acctcli.cli.report.view import View
from acctcli.cli.session.state import State, without
from acctcli.client.messages import Reply
from acctcli.client.uploads import Upload
from acctcli.einvoice.terms import language_for
from acctcli.errors import Conflict, Forbidden, NotFound, Rejected, ServerFault, UsageError
from acctcli.models.delivery import LONGEST_SUBJECT, SendRequest
from acctcli.models.enums import DeliveryMethod, InDoubt
from acctcli.models.invoice import StatusMessageRequest

PAPER, EMAIL = REMINDING
_MAY_NOTE = {"admin", "invoicing_admin"}


class _Permissions(msgspec.Struct):
    granted_permission_ids: list[str]


class _Made(msgspec.Struct):
    id: int


class _Noted(msgspec.Struct):
    external_status_messages: list[Message] | None = None


class Sent(NamedTuple):
    """How a customer is reminded, `paper` or `email`, and what became of a mail that may have left."""

    way: str
    doubt: str | None = None


def remind(here: State, ids: Sequence[int], wanted: Wanted, sent: Sent | None) -> None:
    """Show what a customer owes on a day: a document as json, rows, or a paper in the customer's language.

    With `sent` the customer is reminded, and that is noted, before it is shown.
    """
    reminder, locale = Reminder(here, ids, wanted), here.named.get("locale")
    for change in reminder.changes:
        here.say(change)
    view = View(here, locale or (_language_of(here, reminder) if here.format in FOR_OTHERS else None))
    if sent is not None:
        _carry_out(here, reminder, View(here, locale or _language_of(here, reminder)), sent)
    if here.format == "json":
        show_value(here, document_of(reminder))
    elif here.format == "pdf":
        view.show_paper(_paper(reminder, view))
    elif view.for_people:
        view.show(Letter(reminder, view).sheet())
    else:
        view.show_rows(rows_of(reminder), COLUMNS)


def _paper(reminder: Reminder, view: View) -> bytes:
    from acctcli.cli.invoice.reminder_papers import reminder_pdf

    return reminder_pdf(Letter(reminder, view), view.logo)


def _language_of(here: State, reminder: Reminder) -> str:
    """Return the language of the invoice that was due first, else the one that is usual between the two."""
    usual = language_for(reminder.seller.country or "", reminder.debtor.invoicing_language)
    return str(kept_language(here, reminder.late[0].invoice.id) or usual)


def _carry_out(here: State, reminder: Reminder, view: View, sent: Sent) -> None:
    """Remind a customer, but of what was reminded of that day already; raise UsageError where that may not be."""
    late = [one for one in reminder.late if one.today is None]
    for one in reminder.late:
        if one.today is not None:
            here.say(f"{one.today.stage} of {one.invoice.title} is there already: {one.today}")
    if not late:
        return
    _check(here, reminder, sent)
    for one in late:
        _check_turn(one, reminder.day)
    with begun_with(here, _base(here)):
        if sent.way == EMAIL:
            _mail(here, reminder, late[0], view, sent)
        file = _keep(here, reminder, view) if sent.way == PAPER else None
        for one in late:
            _note(here, one, _said(reminder, one, sent.way, file))


def _check(here: State, reminder: Reminder, sent: Sent) -> None:
    """Refuse what is no reminder of this day, or could not be drawn or noted."""
    if sent.way == PAPER:
        require_library("reportlab", f"--method {PAPER}", "reports")
    # what arrived left on its own day
    leaves_now = sent.way == EMAIL and (sent.doubt is None or wire_name(sent.doubt) != InDoubt.ARRIVED)
    if reminder.day > here.today() or (leaves_now and reminder.day != here.today()):
        raise UsageError(f"--date {reminder.day}: {'a mail' if sent.way == EMAIL else 'a reminder'} is of today")
    if len({one.stage for one in reminder.late}) > 1:
        told = ", ".join(f"{one.invoice.title} {one.stage}" for one in reminder.late)
        raise UsageError(f"these are different reminders: {told}", hint="remind of each by itself")
    if sent.way == EMAIL and len(reminder.late) > 1:
        raise UsageError(
            "a mail goes with the paper of one invoice, and these are several", hint="remind of each by itself"
        )
    granted = decoded(here.api.permissions(), _Permissions).granted_permission_ids
    if not _MAY_NOTE.intersection(granted):
        raise UsageError(
            "a reminder is noted with its invoice, which takes the permission invoicing_admin",
            hint="leave out --method to see what is owed",
        )


def _check_turn(one: Late, day: date) -> None:
    """Refuse to remind of what is disputed, or with a collector, and whom an earlier reminder gives time."""
    title, last = one.invoice.title, one.had[-1] if one.had else None
    if one.now <= 0:
        raise UsageError(f"nothing is open of {title} by now: {one.open} was on {day}")
    if is_disputed(one.terms.external_status_messages):
        see = f"acctcli invoice get {one.invoice.id}"
        raise UsageError(f"{title} is disputed, as a status message with it says", hint=see)
    if one.terms.is_registered_to_collector:
        raise UsageError(f"{title} is with a debt collector, who reminds of it")
    for later in (had for had in reminders_in(one.terms.external_status_messages) if had.day > day):
        raise UsageError(f"{title}: {later.stage} of {later.day} is of a later day")
    if last is not None and last.stage.following is None:
        raise UsageError(f"{title} had its {last.stage.lower()} on {last.day}: what follows is collection, or a court")
    if last is not None and day <= last.until:
        raise UsageError(f"{title}: {last.stage} of {last.day} gives time until {last.until}, which is not over")


def _mail(here: State, reminder: Reminder, one: Late, view: View, sent: Sent) -> None:
    """Mail the reminder with the invoice; ask where the invoice was sent when it was late, and nothing says why."""
    letter, invoice, at = Letter(reminder, view), one.invoice, one.terms.last_delivery_at
    since = one.had[-1].day if one.had else invoice.due_date
    if at is not None and at[:10] > since.isoformat() and sent.doubt is None:
        here.confirm(
            f"{invoice.title} was sent at {at}, which may have been this reminder: on one day the same goes once, and "
            f"--method paper --date {at[:10]} notes what left before. Mail the reminder?"
        )
    body: dict[str, object] = {
        "delivery_method": DeliveryMethod.EMAIL,
        "data": {"email_subject": letter.subject[:LONGEST_SUBJECT], "email_content": letter.text()},
    }
    if sent.doubt is not None:
        here.require_local()
        body["in_doubt"] = wire_name(sent.doubt)
    with _advised(here, invoice.id, sent.doubt):
        key = _key(here, reminder, one, f"mail {sent.doubt}")
        here.api.send_invoice(invoice.id, check(SendRequest, body), key, seen(here, at))
    here.say_where_mail_lies("the reminder")


@contextmanager
def _advised(here: State, invoice: int, doubt: str | None) -> Iterator[None]:
    """Say what to do where a mail is refused, or may have left: this one, or an earlier one of the invoice."""
    again = f"acctcli invoice remind {invoice} --method"
    try:
        yield
    except Rejected as refused:
        if refused.status == HTTPStatus.UNPROCESSABLE_ENTITY:
            refused.hint = f"it was mailed today with other figures or words: {again} paper notes it"
        raise
    except ServerFault as refused:
        if "in_doubt" in refused.message:
            # with all that the mail was made of: else the reminder is noted with other figures
            same = shlex.join(["acctcli", *without(here.plain_words, {"--in-doubt", "--idempotency-key"})])
            anew = "" if doubt is None else "; what is to go again once more needs an --idempotency-key of its own"
            refused.hint = f"{same} --in-doubt arrived, or again, notes the reminder, too{anew}"
        raise
    except Conflict as refused:
        if "in_doubt" in refused.message:
            refused.hint = (
                f"if that was the invoice: acctcli invoice send {invoice} --in-doubt arrived, or again, and then "
                "remind; if it was a reminder: the command that mailed it, with its --date, and --in-doubt"
            )
        elif "last_delivery_at" in refused.fields:
            refused.hint = f"somebody else may have reminded of it: acctcli invoice get {invoice}"
        elif refused.status == HTTPStatus.PRECONDITION_FAILED:
            refused.hint = f"{again} paper keeps the letter, and hands it to you with --output pdf"
        raise


def _keep(here: State, reminder: Reminder, view: View) -> int | None:
    """Keep the paper as a file, once, and return its id; None where files may not be written."""
    first = reminder.late[0]
    name = f"{reminder.stage.lower()} invoice {first.number} {reminder.day}.pdf"
    file = Upload(name, _paper(reminder, view))
    try:
        there = find_uploaded(here, file)
        key = _key(here, reminder, first, f"file {file.sha256}")
        return decoded(here.api.upload(file, key), _Made).id if there is None else there
    except Forbidden as refused:
        here.say(f"note: the paper is not kept with the files: {refused.message}; print it here")
        return None


def _said(reminder: Reminder, one: Late, way: str, file: int | None) -> Reminded:
    return Reminded(
        one.stage, reminder.day, way, reminder.until, one.open, one.interest, one.fees, one.lump_sum, file
    )  # fmt: skip


def _note(here: State, one: Late, said: Reminded) -> None:
    """Note a reminder with its invoice, but where another user noted the same a moment before."""
    messages, find = here.api.status_messages(one.invoice.id), partial(_find, here, one.invoice.id)
    create = partial(messages.create, check(StatusMessageRequest, {"message": str(said)}))
    reply = create_once(here, _base(here), f"note {one.invoice.id} {said}", create, find)
    made = decoded(reply, _Made).id
    for other in _messages(here.api.invoices.get(one.invoice.id)):
        if other.id < made and [(had.stage, had.day) for had in reminders_in([other])] == [(said.stage, said.day)]:
            messages.delete(made)
            here.say(f"note: {one.invoice.title}: another run noted it meanwhile: {other.message}")
            return
    here.say(f"{one.invoice.title}: {said}")


def _find(here: State, invoice: int, message: int) -> Reply:
    """Return the invoice that a message is with; raise NotFound where it was removed."""
    reply = here.api.invoices.get(invoice)
    if all(one.id != message for one in _messages(reply)):
        raise NotFound(f"message {message} of invoice {invoice} was removed")
    return reply


def _messages(reply: Reply) -> list[Message]:
    return decoded(reply, _Noted).external_status_messages or []


def _key(here: State, reminder: Reminder, one: Late, what: str) -> str:
    return key_of_one(_base(here), f"{what} {one.invoice.id} {one.stage} {reminder.day}")


def _base(here: State) -> str:
    return here.options.idempotency_key or f"acctcli-reminder-{here.business()}"
