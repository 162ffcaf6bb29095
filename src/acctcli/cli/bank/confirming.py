"""What the bank says of payments that were handed over: paid, rejected, or still on their way (docs/payments.md 3)."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import NamedTuple

from acctcli.banking.payments.identity import PaymentId, payment_ids
from acctcli.banking.payments.status import Fate, Said, is_report, read_report
from acctcli.banking.statements.camt import read_camt
from acctcli.banking.statements.detecting import LOOKED_AT, format_of
from acctcli.banking.statements.model import Head, Line, StatementFault, one_line
from acctcli.cli.bank.reading import opened
from acctcli.cli.command.many import Step, send_all
from acctcli.cli.command.once import books_of
from acctcli.cli.document.entries import units_of
from acctcli.cli.output.stderr import how_many, how_many_are
from acctcli.cli.purchase.handed import Handed, read_handed
from acctcli.cli.session.state import State
from acctcli.client.messages import Reply, encode_plain
from acctcli.errors import Conflict, Forbidden, Incomplete, NotFound, Rejected, UsageError

LEFT = "left"
_DONE = "already paid"
_CURRENCY = "EUR"
_BY_HAND = "acctcli bank import, then acctcli bank review"
# what is refused of one payment, and says nothing of the next
_REFUSALS = (Conflict, Forbidden, Incomplete, NotFound, Rejected, UsageError)
_FINAL = {Fate.PAID, Fate.REJECTED, Fate.RETURNED}
# what counts more, whichever comes first
_WEIGHT = {Fate.WAITING: 0, Fate.DUPLICATE: 0, Fate.UNCLEAR: 1} | dict.fromkeys(_FINAL, 2)


class Verdict(NamedTuple):
    """What is said of one payment in all files; `path` is the file that said it."""

    payment: PaymentId
    said: Said
    path: str


def confirm_all(here: State, paths: Sequence[Path], columns: Sequence[str]) -> None:
    """Do what the files say, and show `columns` of what came of each payment.

    Raises UsageError for a file that cannot be read, before anything is done, and Incomplete where payments are left.
    """
    said = [(str(path), one) for path in paths for one in _read(here, path)]
    noted: dict[PaymentId, Handed] = {}
    for file in sorted({one.file for _, one in said}):
        noted |= {found: one for found, one in read_handed(here, {"search": file}).items() if found.file == file}
    verdicts = verdicts_of(said, noted)
    if not verdicts:
        here.say("note: nothing in the files is about payments of acctcli purchase pay-file")
    base = here.options.idempotency_key or str(uuid.uuid5(uuid.NAMESPACE_OID, books_of(here)))
    desk = _Desk(here, noted, base)
    steps = (Step(partial(desk.settle, one), str(one.payment)) for one in verdicts)
    try:
        send_all(here, steps, base, columns, lambda number: f"{how_many_are(number, 'payment')} done")
    finally:
        if desk.came and not here.options.dry_run:
            here.say(", ".join(f"{count} {status}" for status, count in sorted(desk.came.items())))
    if desk.left:
        raise Incomplete(f"{how_many_are(len(desk.left), 'payment')} left: {'; '.join(desk.left)}")


def verdicts_of(said: Iterable[tuple[str, Said]], noted: Iterable[PaymentId]) -> list[Verdict]:
    """Return what is said of each payment: what is said of a batch or a file counts for those of which nothing else is.

    What is final counts before what is unclear, and this before what is on its way. Raises UsageError where two reports
    contradict each other.
    """
    found: dict[PaymentId, Verdict] = {}
    level: dict[PaymentId, int] = {}
    known = sorted(noted)
    for path, one in said:
        meant = [one.payment] if one.payment else [every for every in known if _is_of(every, one)]
        depth = 2 if one.payment else 1 if one.batch else 0
        for payment in meant:
            if payment not in found or _counts_more(one, depth, found[payment].said, level[payment]):
                found[payment], level[payment] = Verdict(payment, one, path), depth
    return [found[one] for one in sorted(found)]


def _counts_more(one: Said, depth: int, before: Said, level: int) -> bool:
    if depth == level and {one.fate, before.fate} <= _FINAL and one.fate is not before.fate:
        if Fate.RETURNED in {one.fate, before.fate}:
            return one.fate is Fate.RETURNED
        raise UsageError(
            f"{one.payment or one.file} is {before.fate} by one report, and {one.fate} by another",
            hint="ask the bank, and give only the report that is right",
        )
    return (depth, _WEIGHT[one.fate]) > (level, _WEIGHT[before.fate])


def _is_of(payment: PaymentId, said: Said) -> bool:
    return payment.file == said.file and said.batch in {None, payment.batch}


class _Desk:
    """Does what is said of payments; `came` counts what came of them, `left` tells what is left to a person."""

    def __init__(self, here: State, noted: dict[PaymentId, Handed], base: str) -> None:
        self._here = here
        self._noted = noted
        self._base = base
        self.came: Counter[str] = Counter()
        self.left: list[str] = []

    def settle(self, one: Verdict) -> Reply:
        """Return what came of a payment, as a row."""
        handed = self._noted.get(one.payment)
        try:
            status, why = self._settled(one, handed)
        except _REFUSALS as refused:
            status, why = LEFT, refused.message
        self.came[status] += 1
        if status == LEFT:
            self.left.append(f"{one.payment}, {why}")
        return Reply(200, {}, encode_plain(_row(one, handed, status, why)))

    def _settled(self, one: Verdict, handed: Handed | None) -> tuple[str, str]:
        said = one.said
        match said.fate:
            case Fate.PAID:
                return self._paid(one, handed)
            case Fate.REJECTED if handed is None:
                return Fate.REJECTED, said.reason
            case Fate.REJECTED if handed is not None and handed.is_draft:
                self._here.api.documents.delete(handed.document)
                return Fate.REJECTED, said.reason
            case Fate.REJECTED | Fate.RETURNED if handed is not None and handed.taken_back_by is not None:
                return said.fate, "; ".join(
                    filter(None, (said.reason, f"document {handed.taken_back_by} took it back"))
                )
            case Fate.REJECTED | Fate.RETURNED:
                told = ", ".join(filter(None, (said.fate, said.reason)))
                return LEFT, f"{told}{'' if handed is None else f'; {_taken_back_by(handed)}'}"
            case Fate.DUPLICATE:
                return LEFT, f"the bank had it already, and that one counts: {said.reason}"
            case Fate.UNCLEAR:
                return LEFT, said.reason
        if handed is not None and not handed.is_draft and handed.taken_back_by is None:
            return _DONE, f"an earlier report: {said.reason}"
        return Fate.WAITING, said.reason

    def _paid(self, one: Verdict, handed: Handed | None) -> tuple[str, str]:
        if handed is None:
            return LEFT, "the bank has paid it, and no document of these books is this payment"
        if one.said.cents is not None and one.said.cents not in handed.parts:
            noted = " or ".join(str(units_of(cents)) for cents in handed.parts)
            return LEFT, f"the bank took {units_of(one.said.cents)}, and it was to be {noted}"
        from acctcli.cli.purchase.paying import pay_noted

        is_new = pay_noted(self._here, handed, _day_of(one.said, handed), self._base)
        return Fate.PAID if is_new else _DONE, ""


def _taken_back_by(handed: Handed) -> str:
    """Return what takes a payment back that the bank has not made, or has given back."""
    if handed.is_draft:
        return f"it is not posted: acctcli purchase withdraw {handed.id.file} {handed.id.purchase}"
    number = len(handed.parts)
    told = "" if number == 1 else f" for {number} payments together; this takes back all of them"
    return f"{handed} is posted{told}: acctcli document reverse {handed.document}"


def _day_of(said: Said, handed: Handed) -> date:
    """Return the day of a payment: that of the movement, else the one it was to be made on, or that of the report."""
    return said.day or min(handed.day, said.made or handed.day)


def _row(one: Verdict, handed: Handed | None, status: str, why: str) -> dict[str, object]:
    # of several that one document pays, it does not tell which is which
    cents = handed.cents if handed is not None and len(handed.parts) == 1 else one.said.cents
    is_gone = handed is None or (status == Fate.REJECTED and handed.is_draft)
    return {
        "file": one.path,
        "line": one.said.line,
        "payment": str(one.payment),
        "purchase": one.payment.purchase,
        "status": status,
        "date": _day_of(one.said, handed) if handed is not None and one.said.fate is Fate.PAID else one.said.day,
        "amount": None if cents is None else units_of(cents),
        "document": None if is_gone or handed is None else handed.document,
        "reason": why or None,
    }


def _read(here: State, path: Path) -> list[Said]:
    """Read what a file says of payments of ours; raise UsageError where it cannot be read."""
    stream = opened(here, path)
    beginning = stream.read(LOOKED_AT)
    stream.seek(0)
    try:
        if format_of(beginning) != "camt":
            raise UsageError(
                f"{path}: this is neither pain.002 nor CAMT", hint=f"import a statement: acctcli bank import {path}"
            )
        return list(read_report(stream)) if is_report(beginning) else list(_paid_in(read_camt(stream)))
    except StatementFault as fault:
        raise UsageError(f"{path} {fault}", hint="nothing was done") from None


def _paid_in(parts: Iterable[object]) -> Iterator[Said]:
    """Yield the payments of a statement, or a notification, that are booked: those that left, and that came back."""
    for part in parts:
        if isinstance(part, Head) and part.currency not in {"", _CURRENCY}:
            raise StatementFault(f"{part.currency}, and payments are in {_CURRENCY}", part.line, "currency")
        if isinstance(part, Line) and not part.left_out:
            yield from _of_line(part)


def _of_line(line: Line) -> Iterator[Said]:
    named = set(payment_ids(one_line(line.end_to_end, line.text, line.structured)))
    is_back = line.is_reversal or line.amount > 0
    fate, why, cents = Fate.RETURNED if is_back else Fate.PAID, "", None if is_back else -line.cents
    if len(named) > 1:
        why = f"one entry names {how_many(len(named), 'payment')}, and no sum of each: {_BY_HAND}"
        fate, cents = Fate.UNCLEAR, None
    for one in named:
        yield Said(one.file, fate, one.batch, one, why, line.booked, None, cents, line.number)
