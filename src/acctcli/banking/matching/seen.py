"""A line of a statement as far as it is compared with anything (docs/bank.md 6)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from acctcli.banking.checks import compact
from acctcli.banking.matching.words import folded, number_key, numbers_in, references_in
from acctcli.banking.payments.identity import file_or_batch, payment_ids
from acctcli.banking.statements.model import Line, one_line

# why a line is left that takes back a payment
TAKES_BACK = "it takes back what was paid, or paid back"
_NO_ID = {"", "NOTPROVIDED", "NONREF"}


@dataclass(frozen=True, slots=True)
class Seen:
    """What a line says; `key` names it, `account` is the id of the account it is of, amounts are cents.

    `called` are the numbers that its text calls those of invoices, `numbers` all that it has, the payer's own id of the
    payment among them; `payments` are ids of our own payment files, `batch` that of a file, or of a batch of one, which
    the bank booked in one sum. `whole` is what moved before the bank took its
    charges out of it, or put them on top.
    """

    key: str
    account: int
    day: date
    cents: int
    whole: int
    name: str = ""
    iban: str = ""
    text: str = ""
    references: frozenset[str] = frozenset()
    called: frozenset[str] = frozenset()
    end_to_end: str = ""
    numbers: frozenset[str] = frozenset()
    payments: frozenset[str] = frozenset()
    batch: str = ""
    original: int = 0
    currency: str = ""
    is_reversal: bool = False

    @property
    def fees(self) -> int:
        """What the bank took for itself."""
        return self.whole - self.cents


def see(line: Line, key: str, account: int) -> Seen:
    """Return what is compared of a line that is booked."""
    assert line.booked is not None
    said = one_line(line.text, line.structured)
    end_to_end = "" if line.end_to_end.upper() in _NO_ID else line.end_to_end
    called, every = numbers_in(said)
    named = number_key(end_to_end)
    original = 0 if line.original is None else int(line.original.scaleb(2))
    return Seen(
        key=key,
        account=account,
        day=line.booked,
        cents=line.cents,
        whole=line.cents + (0 if line.charges is None else int(line.charges.scaleb(2))),
        name=line.name,
        iban=compact(line.iban),
        text=folded(one_line(line.name, said, end_to_end) or line.code),
        references=references_in(line.structured, one_line(line.text, end_to_end)),
        called=called,
        end_to_end=named,
        numbers=every | {named} if named else every,
        payments=_payments(line),
        batch=file_or_batch(line.sent_as),
        original=abs(original) * (1 if line.cents > 0 else -1),
        currency=line.original_currency,
        is_reversal=takes_back(line),
    )


def takes_back(line: Line) -> bool:
    """Whether a line takes back what was paid: what comes in with the id of what we paid came back."""
    return line.is_reversal or (line.amount > 0 and bool(_payments(line)))


def _payments(line: Line) -> frozenset[str]:
    return frozenset(map(str, payment_ids(one_line(line.end_to_end, line.text, line.structured))))
