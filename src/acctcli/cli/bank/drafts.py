"""Lines that an earlier import kept as drafts, as far as these tell them (docs/bank.md 8)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import NamedTuple

import msgspec

from acctcli.banking.checks import compact, mod_97
from acctcli.banking.statements.identity import TAG
from acctcli.banking.statements.model import Line
from acctcli.cli.account.chart import Chart
from acctcli.cli.bank.bodies import FEES, TAKES_BACK
from acctcli.cli.bank.named import Named
from acctcli.cli.bank.there import reference_behind
from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.report.amounts import rounded
from acctcli.cli.session.state import State
from acctcli.client.messages import LARGEST_PAGE, Extent

_FEES = re.compile(FEES.format(r"(-?[0-9]+\.[0-9]{2})"), re.ASCII)
_IBAN = re.compile(r"(?: |^)([A-Z]{2}[0-9]{2}[A-Z0-9]{8,30})$")


class _Row(msgspec.Struct):
    account_id: int | None = None
    description: str | None = None
    amount: Decimal = Decimal(0)


class _Blueprint(msgspec.Struct):
    debet_entries: list[_Row] | None = None
    credit_entries: list[_Row] | None = None


class _Document(msgspec.Struct):
    id: int
    date: date
    blueprint: _Blueprint | None = None
    is_draft: bool = False
    attachment_ids: list[int] = msgspec.field(default_factory=list)


class Waiting(NamedTuple):
    """A draft with the row of a bank account, which has the tag of a line, and one that waits for an account."""

    document: int
    named: Named
    attachments: tuple[int, ...] = ()


_document = reader(_Document, "a document")


def read_waiting(here: State, chart: Chart) -> Iterator[Waiting]:
    """Yield the drafts of lines that nobody has treated yet, in the order in which they are listed."""
    listing = here.api.documents.list({"is_draft": True}, Extent(None, LARGEST_PAGE)).while_it_grows()
    for document in read_all(listing, _document):
        if document.is_draft and (found := _waiting(document, chart)) is not None:
            yield found


def _waiting(document: _Document, chart: Chart) -> Waiting | None:
    blueprint = document.blueprint or _Blueprint()
    sides = [(1, row) for row in blueprint.debet_entries or ()] + [(-1, row) for row in blueprint.credit_entries or ()]
    own = [(sign, row) for sign, row in sides if row.account_id is not None and TAG.search(row.description or "")]
    rest = [row for _, row in sides if row.account_id is None]
    if len(sides) != 2 or len(own) != 1 or len(rest) != 1:
        return None
    ((sign, bank),) = own
    account = chart.by_id.get(bank.account_id or 0)
    tag = TAG.search(tagged := bank.description or "")
    if account is None or tag is None:
        return None
    line = _line(document, sign * rounded(bank.amount), rest[0].description or "", reference_behind(tagged))
    return Waiting(document.id, Named(0, line, tag[0], account), tuple(document.attachment_ids))


def _line(document: _Document, amount: Decimal, said: str, reference: str) -> Line:
    """Return a line as its draft tells it: one text of name, message and payer's reference, and the IBAN at its end."""
    match = _IBAN.search(said)
    iban = match[1] if match and _is_iban(compact(match[1])) else ""
    text = said[: match.start()] if match and iban else said
    is_back = text.startswith(TAKES_BACK)
    text = text.removeprefix(TAKES_BACK).lstrip()
    fees = _FEES.match(text)
    charges, text = (Decimal(fees[1]), text[fees.end() :].lstrip()) if fees else (None, text)
    return Line(
        document.id,
        amount,
        document.date,
        reference=reference,
        iban=iban,
        text=text,
        charges=charges,
        is_reversal=is_back,
    )


def _is_iban(iban: str) -> bool:
    return mod_97(f"{iban[4:]}{iban[:4]}") == 1
