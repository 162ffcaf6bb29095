"""A reminder as a letter: the paper of invoices, with what is owed and a slip over all of it (docs/law.md 7.11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, time
from decimal import Decimal
from typing import Any

import msgspec

from acctcli.banking.references import grouped
from acctcli.cli.invoice.reminder_letters import Letter
from acctcli.cli.invoice.reminding import Late, Reminder
from acctcli.papers.content import Heads, PaperContent, PaperRow
from acctcli.papers.parties import read_parties
from acctcli.papers.payment import Payment, Transfer, payment_of
from acctcli.papers.speaker import Speaker
from acctcli.papers.texts import Fact, told
from acctcli.printing.alphabet import clean

_OPENING = "According to our books, the following is still unpaid. Please pay it by {}."
_HOW = "To pay all at once, give the message below instead of a reference. To pay one by one, give that of each."
# more are counted in the head: the table names them all
_MOST_NAMED = 6
# what the QR code, and a transfer, has room for
_LONGEST_MESSAGE = 140
_SPAN = "{} \N{EN DASH} {}"


def reminder_pdf(letter: Letter, logo: bytes | None = None) -> bytes:
    """Return the file, the same for the same reminder whenever it is drawn; `logo` is a PNG that is fit for paper."""
    from acctcli.papers.drawing import draw

    return draw(read_reminder(letter), logo)


def read_reminder(letter: Letter) -> PaperContent:
    """Return what the paper of a reminder says."""
    reminder, speaker = letter.reminder, Speaker(letter.language)
    business, receiver = msgspec.to_builtins(reminder.seller), msgspec.to_builtins(reminder.debtor)
    parties = read_parties(business, receiver, reminder.person, speaker)
    return PaperContent(
        language=letter.language,
        made=datetime.combine(reminder.day, time(), UTC),
        title=letter.title,
        number=speaker.day(reminder.day),
        seller=parties.seller,
        buyer=parties.buyer,
        buyer_ids=parties.buyer_ids,
        facts=_facts(letter, speaker),
        description=[letter.say(_OPENING, _until(letter))],
        heads=_heads(letter),
        rows=list(_rows(letter, speaker)),
        shares=[],
        sums=list(_sums(letter, speaker)),
        total=(speaker.words.to_pay, speaker.euros(reminder.total)),
        remarks=[*_several(letter), *letter.requests()],
        notes=letter.laws(),
        payment=_payment(letter, business, speaker),
        foot=parties.foot,
    )


def _until(letter: Letter) -> str:
    return Speaker(letter.language).day(letter.reminder.until)


def _is_of_several(reminder: Reminder) -> bool:
    return len(reminder.late) > 1


def _numbers(reminder: Reminder) -> str:
    return ", ".join(one.number for one in reminder.late)


def _facts(letter: Letter, speaker: Speaker) -> list[Fact]:
    reminder, words = letter.reminder, speaker.words
    count = len(reminder.late)
    return told(
        (words.credit_date, speaker.day(reminder.day)),
        (letter.say("To pay by"), _until(letter)),
        (words.customer, reminder.debtor.customer_id),
        (letter.say("Invoices" if count > 1 else "Invoice"), _numbers(reminder) if count <= _MOST_NAMED else count),
    )


def _heads(letter: Letter) -> Heads:
    """Return the columns; what each of several comes to has a column of its own."""
    titles = [*map(letter.say, ("Due, period", "Days")), "%", letter.say("Amount")]
    own = [letter.say("To pay")] if _is_of_several(letter.reminder) else []
    return Heads(letter.say("Invoice"), (*titles, *own), frozenset({0}), titles.index(titles[-1]))


def _rows(letter: Letter, speaker: Speaker) -> Iterator[PaperRow]:
    carried = Decimal(0)
    for one in letter.reminder.late:
        rows = list(_rows_of(one, letter, speaker))
        for place, (name, details, cells, amount) in enumerate(rows, 1):
            carried += amount
            sums = [speaker.amount(one.total) if place == len(rows) else ""] * _is_of_several(letter.reminder)
            yield PaperRow(name, details, (*cells, speaker.amount(amount), *sums), carried, leads=place == 1)


def _rows_of(one: Late, letter: Letter, speaker: Speaker) -> Iterator[tuple[str, str, tuple[str, ...], Decimal]]:
    """Yield name and details, the cells before the amount, and the amount of each row of an invoice."""
    reference = clean(grouped(one.terms.reference or ""))
    details = letter.say("reference {}", reference) if reference else ""
    yield letter.say("Invoice {}", one.number), details, (speaker.day(one.invoice.due_date), "", ""), one.open
    for part in one.accrued:
        span = _SPAN.format(speaker.day(part.first), speaker.day(part.last))
        yield letter.say("Late interest"), "", (span, str(part.days), speaker.number(part.rate)), part.interest
    for name, amount in (("Reminder fees", one.fees), ("Lump sum", one.lump_sum)):
        if amount:
            yield letter.say(name), "", ("", "", ""), amount


def _sums(letter: Letter, speaker: Speaker) -> Iterator[Fact]:
    """Yield what all invoices together come to of each kind."""
    late = letter.reminder.late
    sums: Iterable[tuple[str, list[Decimal]]] = (
        ("Unpaid", [one.open for one in late]),
        ("Late interest", [one.interest for one in late]),
        ("Reminder fees", [one.fees for one in late]),
        ("Lump sum", [one.lump_sum for one in late]),
    )
    for name, amounts in sums:
        if total := sum(amounts, Decimal(0)):
            yield letter.say(name), speaker.amount(total)


def _several(letter: Letter) -> list[str]:
    """Return how several are paid: one transfer has one reference."""
    return [letter.say(_HOW)] if _is_of_several(letter.reminder) else []


def _payment(letter: Letter, business: dict[str, Any], speaker: Speaker) -> Payment:
    """Return the slip over all that is asked for, with the reference of the only invoice, or else a message."""
    reminder = letter.reminder
    reference = "" if _is_of_several(reminder) else reminder.late[0].terms.reference or ""
    message = _message(letter, speaker)
    payment = payment_of(Transfer(reminder.total, reminder.until, reference, message), business, speaker)
    return payment if reference else payment._replace(sum=[(letter.say("Message"), message), *payment.sum])


def _message(letter: Letter, speaker: Speaker) -> str:
    """Return the numbers that a transfer is for, or which reminder where these have no room."""
    name = "Invoices {}" if _is_of_several(letter.reminder) else "Invoice {}"
    named = letter.say(name, _numbers(letter.reminder))
    if len(named) <= _LONGEST_MESSAGE:
        return named
    customer = clean(letter.reminder.debtor.customer_id or letter.reminder.debtor.name)
    return f"{letter.title} {speaker.day(letter.reminder.day)}, {customer}"[:_LONGEST_MESSAGE]
