"""Hand payments over to the bank: note each of them in the books, then write the file (docs/payments.md 1, 2).

The notes come first: what is noted and in no file is written by whoever comes next, and a file of which the books know
nothing might be made once more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import msgspec

from acctcli.banking.iban import check_iban, finnish_bic
from acctcli.banking.payments.identity import FILE, MOST_BATCHES, PaymentId, file_id
from acctcli.banking.payments.letters import plain
from acctcli.banking.payments.pain001 import (
    NAME_LENGTH,
    Batch,
    Payer,
    Sums,
    Transfer,
    credit_transfers,
    summed,
)
from acctcli.cli.account.chart import read_chart
from acctcli.cli.bank.accounts import BankAccounts
from acctcli.cli.command.dates import parse_range
from acctcli.cli.command.many import Step, begun_with, key_of_one, send_all
from acctcli.cli.document.settling import Posted, money_account
from acctcli.cli.output import sink
from acctcli.cli.output.replies import decoded
from acctcli.cli.output.show import show_values
from acctcli.cli.output.stderr import how_many, how_many_are
from acctcli.cli.purchase.choosing import Asked, Chosen, choose, of_another, open_amounts, transfer_of
from acctcli.cli.purchase.debts import Purchase, debt_account
from acctcli.cli.purchase.handed import Handed, draft_of, read_handed
from acctcli.cli.session.state import State, utc_now
from acctcli.client.messages import Reply, encode_plain
from acctcli.errors import AcctcliError, Incomplete, UsageError

_FILE = "FILE"


class _Business(msgspec.Struct):
    name: str
    invoicing_iban: str | None = None
    invoicing_bic: str | None = None


class Payment(NamedTuple):
    """A payment of a file: what it is for, the transfer, its day, and its document once there is one."""

    chosen: Chosen
    transfer: Transfer
    day: date
    document: int | None = None


def asked_for(
    here: State, ids: Sequence[int], due_from: str | None, due_to: str | None, leave_out: Sequence[int]
) -> Asked:
    """Read which invoices are asked for: by ids, or by the days they are due; raise UsageError for both or neither."""
    if bool(ids) == (due_from is not None or due_to is not None):
        raise UsageError("give ids of purchase invoices, or --due-to with the last day of those that are due")
    first = None if due_from is None else parse_range(due_from, "--due-from", here.today)[0]
    last = None if due_to is None else parse_range(due_to, "--due-to", here.today)[1]
    return Asked(ids, first, last, leave_out)


def hand_over(here: State, path: Path, version: str, asked: Asked, account: str | None, columns: Sequence[str]) -> None:
    """Write a payment file of what is to be paid, and show `columns` of each payment.

    Raises UsageError with all that is wrong before anything is noted, and Incomplete where another run has one of the
    invoices meanwhile.
    """
    _check_place(here, path)
    chosen = choose(here, asked)
    bank, payer = _payer(here, account)
    file = file_id(key := str(uuid4()))
    payments = _payments(here, file, chosen)
    _check_own(payments, payer)
    content = _content(version, payer, file, payments)
    if here.options.dry_run:
        _show(here, payments, columns)
        _tell(here, file, content, "would be written")
        return
    with _left_open(file):
        payments = _note(here, payments, bank, key)
        _check_alone(here, file, chosen, payments)
        _write(path, content)
    _show(here, payments, columns)
    _tell(here, file, content, f"written to {path}")


def write_again(here: State, path: Path, version: str, file: str, columns: Sequence[str]) -> None:
    """Write a file once more as it was noted.

    Raises UsageError where nothing is, where the bank has paid some of it, and where less is open of an invoice by now.
    """
    _check_place(here, path)
    noted = noted_in(here, file)
    if (paid := next((one for one in noted if not one.is_draft), None)) is not None:
        raise UsageError(f"{file} was at the bank: {paid} is the payment of purchase invoice {paid.id.purchase}")
    payments = [_as_noted(here, one) for one in noted]
    _check_open(here, file, payments)
    banks = {one.bank for one in noted}
    if len(banks) > 1 or None in banks:
        raise UsageError(f"the payments of {file} are not from one account any more", hint="acctcli document list")
    _, payer = _payer(here, f"id:{noted[0].bank}", is_noted=True)
    content = _content(version, payer, file, payments)
    if not here.options.dry_run:
        _write(path, content)
    _show(here, payments, columns)
    _tell(here, file, content, "would be written" if here.options.dry_run else f"written to {path}")


def withdraw(here: State, file: str, ids: Sequence[int], columns: Sequence[str]) -> None:
    """Take payments of a file back that the bank will not make: their invoices may go into another one."""
    noted = [one for one in noted_in(here, file) if not ids or one.id.purchase in ids]
    if missing := sorted(set(ids) - {one.id.purchase for one in noted}):
        raise UsageError(f"{file} has no payment of purchase invoice {missing[0]}")
    if posted := [one for one in noted if not one.is_draft]:
        rest = " ".join(str(one.id.purchase) for one in noted if one.is_draft)
        named = "; ".join(f"{one} is posted as the payment of purchase invoice {one.id.purchase}" for one in posted)
        raise UsageError(
            f"{named}: nothing is withdrawn",
            hint="what the bank gave back is taken back with: acctcli document reverse "
            f"{posted[0].document}{f'; the others: acctcli purchase withdraw {file} {rest}' if rest else ''}",
        )
    amount = Decimal(sum(one.cents for one in noted)).scaleb(-2)
    here.confirm(f"Withdraw {how_many(len(noted), 'payment')} of {file}, {amount}? The bank must not have them.")
    steps = [Step(partial(_withdraw, here, one), f"purchase invoice {one.id.purchase}") for one in noted]
    send_all(here, steps, None, columns, lambda number: f"{how_many_are(number, 'payment')} withdrawn")


def _withdraw(here: State, one: Handed) -> Reply:
    reply = here.api.documents.delete(one.document)
    return replace(reply, body=encode_plain({"purchase": one.id.purchase, "withdrawn": True}))


def noted_in(here: State, file: str) -> list[Handed]:
    """Return the payments that a file has by the books; raise UsageError where there are none."""
    if not FILE.fullmatch(file):
        raise UsageError(f"{file!r} is no payment file; they are called like pay-3k7q2m4x5pad")
    found = sorted(one for one in read_handed(here, {"search": file}).values() if one.id.file == file)
    if not found:
        raise UsageError(f"no payment of {file} is on its way", hint="see: acctcli document list --draft")
    return found


def _check_place(here: State, path: Path) -> None:
    """Raise UsageError where no file can be written, and ask before one is written over."""
    sink.check(path, _FILE)
    if path.exists() and not here.options.dry_run:
        here.confirm(f"Replace {path}?")


def _payer(here: State, account: str | None, *, is_noted: bool = False) -> tuple[int, Payer]:
    """Return the id of the account that is paid from, and who pays: by its IBAN in the chart, or that on invoices.

    An account that `is_noted` may be one that nobody had named.
    """
    business = decoded(here.api.businesses.get(here.business()), _Business)
    by_id = {one.id: one.ibans for one in BankAccounts(here, account).own}
    usual = check_iban(business.invoicing_iban) if business.invoicing_iban else ""
    holder = next((one for one, ibans in by_id.items() if usual in ibans), None)
    bank = _unnamed(here, holder) if account is None else money_account(here, account)
    is_named = account is not None and not (is_noted and bank == _unnamed(here, holder))
    known = by_id.get(bank, frozenset())
    iban = usual if usual in known or not known else min(known)
    if not iban or (is_named and not known) or len(known - {usual}) > 1:
        number = read_chart(here).by_id[bank].number
        raise UsageError(
            f"--account {number}: the chart names {'several IBANs' if known else 'no IBAN'} of it",
            hint=f"acctcli account update {number} --set description=IBAN, the one that is paid from",
        )
    bic = business.invoicing_bic if iban == usual else None
    return bank, Payer(plain(business.name, NAME_LENGTH), check_iban(iban), bic or finnish_bic(iban) or "")


def _unnamed(here: State, holder: int | None) -> int:
    """Return the account that is paid from where none is named: the holder of the usual IBAN, else the first one."""
    return money_account(here, None) if holder is None else holder


def _payments(here: State, file: str, chosen: Sequence[Chosen]) -> list[Payment]:
    """Return the payments, by days: that an invoice is due, or today where that is past."""
    today = here.today()
    by_day: dict[date, list[Chosen]] = defaultdict(list)
    for one in chosen:
        by_day[max(one.purchase.due_date or today, today)].append(one)
    if len(by_day) > MOST_BATCHES:
        raise UsageError(f"a file has at most {MOST_BATCHES} days, and these are {len(by_day)}", hint="--due-to")
    return [
        Payment(one, transfer_of(one.purchase, one.cents, PaymentId(file, number, one.purchase.id)), day)
        for number, (day, some) in enumerate(sorted(by_day.items()), 1)
        for one in some
    ]


def _check_open(here: State, file: str, payments: Sequence[Payment]) -> None:
    """Raise UsageError where an invoice was paid otherwise since its payment was noted."""
    opens, told, ids = open_amounts(here), list[str](), list[str]()
    for one in payments:
        purchase, noted = one.chosen.purchase.id, one.chosen.open
        if (left := opens.get(purchase, Decimal("0.00"))) < noted:
            told.append(f"of purchase invoice {purchase} {left} is open, and {noted} was noted")
            ids.append(str(purchase))
    if told:
        hint = f"if the bank has not got them: acctcli purchase withdraw {file} {' '.join(ids)}"
        raise UsageError(f"{file}: {'; '.join(told)}", hint=hint)


def _as_noted(here: State, one: Handed) -> Payment:
    """Return a payment as it was noted, to whom the invoice says."""
    purchase = decoded(here.api.purchase_invoices.get(one.id.purchase), Purchase)
    try:
        transfer = transfer_of(purchase, one.cents, one.id)
    except ValueError as problem:
        raise UsageError(f"purchase invoice {purchase.id} cannot be paid any more: {problem}") from problem
    return Payment(Chosen(purchase, Decimal(one.cents).scaleb(-2)), transfer, one.day, one.document)


def _check_own(payments: Sequence[Payment], payer: Payer) -> None:
    own = next((one.chosen.purchase.id for one in payments if one.transfer.iban == payer.iban), None)
    if own is not None:
        raise UsageError(f"purchase invoice {own}, sender_bank_account: that is the account that is paid from")


def _content(version: str, payer: Payer, file: str, payments: Sequence[Payment]) -> bytes:
    """Return the file; what it holds is added up from itself, and has to be what the books say is open."""
    batches: dict[tuple[int, date], list[Payment]] = defaultdict(list)
    for one in payments:
        batches[one.transfer.id.batch, one.day].append(one)
    made = [Batch(number, day, [one.transfer for one in some]) for (number, day), some in sorted(batches.items())]
    content = credit_transfers(version, payer, file, utc_now(), made)
    owed = [Sums(day, len(some), sum(one.chosen.cents for one in some)) for (_, day), some in sorted(batches.items())]
    if summed(content) != owed:
        raise AcctcliError(f"the file holds {summed(content)}, and {owed} are open: nothing is handed over")
    return content


def _note(here: State, payments: Sequence[Payment], bank: int, key: str) -> list[Payment]:
    """Note payments in the books, each as a draft."""
    chart = read_chart(here)
    noted = []
    with begun_with(here, key):
        for one in payments:
            purchase, booked = one.chosen.purchase, one.chosen.purchase.booked
            debt = None if booked is None else debt_account(chart, booked)
            assert debt is not None
            body = draft_of(one.transfer.id, purchase.title, one.day, one.chosen.open, debt.id, bank)
            reply = here.api.documents.create(body, key_of_one(key, str(one.transfer.id)))
            noted.append(one._replace(document=decoded(reply, Posted).id))
    return noted


@contextmanager
def _left_open(file: str) -> Iterator[None]:
    """Say of a failure what to do with what is noted, and in no file."""
    try:
        yield
    except AcctcliError as error:
        error.hint = (
            f"what is noted goes on with: acctcli purchase pay-file FILE --again {file}; "
            f"or is taken back with: acctcli purchase withdraw {file}"
        )
        raise


def _check_alone(here: State, file: str, chosen: Sequence[Chosen], payments: Sequence[Payment]) -> None:
    """Look whether another run has one of the invoices; then none of these goes into a file.

    Of two that note at once at least the later one sees the other: never are both written.
    """
    other = of_another(here, chosen, file)
    if other is None:
        return
    for one in payments:
        if one.document is not None:
            here.api.documents.delete(one.document)
    raise Incomplete(
        f"purchase invoice {other.id.purchase} is in {other.id.file} meanwhile: nothing of this is handed over"
    )


def _write(path: Path, content: bytes) -> None:
    with sink.opened(path, _FILE) as stream:
        stream.write(content)
    sink.settle(path)


def _show(here: State, payments: Sequence[Payment], columns: Sequence[str]) -> None:
    rows = (
        {
            "purchase": one.chosen.purchase.id,
            "name": one.transfer.name,
            "iban": one.transfer.iban,
            "amount": one.chosen.open,
            "date": one.day,
            "reference": one.transfer.reference or None,
            "text": one.transfer.text or None,
            "end_to_end": str(one.transfer.id),
            "document": one.document,
        }
        for one in payments
    )
    show_values(here, rows, columns)


def _tell(here: State, file: str, content: bytes, where: str) -> None:
    """Say what the file holds, as it says itself: day by day, and in all."""
    found = summed(content)
    for one in found:
        here.say(f"{one.day}: {how_many(one.number, 'payment')}, {Decimal(one.cents).scaleb(-2)}")
    count, total = sum(one.number for one in found), Decimal(sum(one.cents for one in found)).scaleb(-2)
    here.say(f"{file}: {how_many(count, 'payment')}, {total} in all, {where}")
