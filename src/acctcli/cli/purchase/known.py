"""What is there of a supplier: the invoice of a number, and the account that the last one was posted on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import NamedTuple

import msgspec

from acctcli.banking.checks import compact
from acctcli.cli.account.chart import Account, read_chart
from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.report.shapes import Amounts
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent
from acctcli.errors import UsageError
from acctcli.law.vat_codes import NO_VAT

_EVERY = Extent(limit=None)
# accounts of VAT: a row of one is no answer to what was bought
_OF_VAT = frozenset({"ASS_VAT", "LIA_VAT"})


class Row(Amounts):
    """A row of what a document posts."""

    account_id: int | None = None
    vat_code: int = 0
    vat_rate: Decimal = Decimal(0)


class _Blueprint(msgspec.Struct):
    debet_entries: list[Row] | None = None


class _Document(msgspec.Struct):
    id: int
    number: str | None = None
    is_draft: bool = False
    blueprint: _Blueprint = msgspec.field(default_factory=_Blueprint)


class File(msgspec.Struct):
    """The file that an invoice came as."""

    id: int
    name: str = ""
    file: str = ""


class Known(Amounts):
    """A purchase invoice that is there."""

    id: int
    amount: Decimal
    invoicing_date: date
    invoice_number: str | None = None
    sender_name: str | None = None
    sender_vat: str | None = None
    document: _Document | None = None
    original_attachment: File | None = None


class Sender(NamedTuple):
    """Who sent an invoice: told by the VAT id where two have one, else by the name."""

    name: str | None
    vat_id: str | None

    def is_of(self, one: Known) -> bool:
        """Whether an invoice is of this sender."""
        if self.vat_id and one.sender_vat:
            return compact(self.vat_id) == compact(one.sender_vat)
        return bool(self.name and one.sender_name) and _folded(self.name) == _folded(one.sender_name)


_read = reader(Known, "a purchase invoice")


def find_same(here: State, sender: Sender, number: str | None) -> Known | None:
    """Return the oldest invoice of this sender and number; None without either."""
    if not (number or "").strip() or not (sender.name or sender.vat_id):
        return None
    wanted = _folded(number)
    same = (one for one in _found(here, number) if _folded(one.invoice_number) == wanted and sender.is_of(one))
    return min(same, key=lambda one: one.id, default=None)


def find_older(here: State, sender: Sender, number: str | None, own: int) -> Known | None:
    """Return the invoice of this sender and number that another run entered before the one that is our `own`."""
    found = find_same(here, sender, number)
    return found if found is not None and found.id < own else None


class Last(NamedTuple):
    """The account of the last invoice of a sender that was posted, its VAT code there, and the invoice's id.

    `taxed` are the codes and rates of VAT that its rows have.
    """

    account: Account
    vat_code: int
    purchase: int
    taxed: frozenset[tuple[int, Decimal]] = frozenset()


def last_account(here: State, sender: Sender) -> Last:
    """Return the account that the last invoice of a sender was posted on; raise UsageError where nothing tells one."""
    hint = "say what it was for: --account NUMBER"
    posted = [one for one in _found(here, sender.name) if _is_posted(one) and sender.is_of(one)]
    if not posted:
        raise UsageError(
            f"nothing tells the account: no invoice of {sender.name or sender.vat_id or 'this sender'} is posted",
            hint=hint,
        )
    last, chart = max(posted, key=lambda one: (one.invoicing_date, one.id)), read_chart(here)
    assert last.document is not None
    rows = [row for row in last.document.blueprint.debet_entries or () if row.account_id in chart.by_id]
    codes: dict[int, set[int]] = {}
    for row in rows:
        account_id = row.account_id or 0
        if chart.by_id[account_id].type not in _OF_VAT:
            codes.setdefault(account_id, set()).add(row.vat_code)
    if len(codes) != 1:
        numbers = ", ".join(sorted(chart.by_id[one].number for one in codes)) or "no account"
        raise UsageError(f"purchase invoice {last.id}, the last of this sender, was posted on {numbers}", hint=hint)
    ((account_id, used),) = codes.items()
    account = chart.by_id[account_id]
    # of several codes, such as that of a row of rounding, the account's own is meant
    taxed = frozenset((row.vat_code, row.vat_rate) for row in rows if row.account_id == account_id and row.vat_rate)
    return Last(account, next(iter(used)) if len(used) == 1 else account.default_vat_code or NO_VAT, last.id, taxed)


def _found(here: State, words: str | None) -> Iterator[Known]:
    """Read the invoices in which the longest of some words is found, however they are spaced; all without any."""
    query = {"search": max(words.split(), key=len)} if words and words.strip() else {}
    yield from read_all(here.api.purchase_invoices.list(query, _EVERY), _read)


def _is_posted(one: Known) -> bool:
    return one.document is not None and not one.document.is_draft


def _folded(text: str | None) -> str:
    return " ".join((text or "").casefold().split())
