"""Accruals: a document and the one that takes it back in the next period, both posted once (docs/closing.md 2).

A tag that follows from what the accrual says stands at the end of both descriptions: by it a run that was cut off is
gone on with, from whatever machine, and what was not reversed is found.
"""

from __future__ import annotations

import base64
import hashlib
import re
from datetime import date, timedelta
from functools import partial

import msgspec

from acctcli.cli.check.books import Period, read_periods
from acctcli.cli.command.many import begun_with, create_once
from acctcli.cli.command.once import base_key
from acctcli.cli.document.entries import BEARS_VAT
from acctcli.cli.document.mirrors import Shown, read_shown, reversal_of
from acctcli.cli.document.reversing import taken_back
from acctcli.cli.document.settling import give_way
from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.session.state import State
from acctcli.cli.vat.years import NEXT
from acctcli.client.messages import LARGEST_PAGE, Extent, Reply
from acctcli.errors import UsageError
from acctcli.models.document import DocumentRequest

PREFIX = "accrual-"
TAG = re.compile(rf"\b{PREFIX}[a-z2-7]{{12}}(?![a-z0-9])")
_LETTERS = 12
_DIGEST = 16
# of a description, less what the one that takes it back says before it
_LONGEST = 256 - 32
_DAY = timedelta(days=1)


class _Told(msgspec.Struct):
    id: int
    description: str = ""


_read_told = reader(_Told, "a document")


def accrue(here: State, body: DocumentRequest, reversed_on: date) -> Reply:
    """Post a document that `tagged` made an accrual of, and on a day the one that takes it back; return the former.

    What is there already of both stays, and is said.
    """
    base = base_key(here)
    with begun_with(here, base):
        accrual = _there(here, body) or _posted(here, body, base)
        if (other := reversal_of(here, accrual)) is not None:
            here.say(f"note: {accrual.called} and {other.called}, which takes it back, are there; nothing is posted")
            return here.api.documents.get(accrual.id)
        taken_back(here, accrual, reversed_on, base)
        return here.api.documents.get(accrual.id)


def _posted(here: State, body: DocumentRequest, base: str) -> Shown:
    """Post an accrual; return the one that another user posted a moment before, in place of which this is deleted."""
    create = partial(here.api.documents.create, body)
    accrual = read_shown(create_once(here, base, _tag_in(body), create, here.api.documents.get))
    first = _there(here, body)
    if first is None or first.id >= accrual.id:
        return accrual
    give_way(here, accrual, first)
    return first


def _there(here: State, body: DocumentRequest) -> Shown | None:
    """Return the accrual of the same tag that is there: the first one, as the other takes it back."""
    tag = _tag_in(body)
    listing = here.api.documents.list({"search": tag}, Extent(None, LARGEST_PAGE)).while_it_grows()
    ids = [one.id for one in read_all(listing, _read_told) if tag in TAG.findall(one.description)]
    if not ids:
        return None
    found = read_shown(here.api.documents.get(min(ids)))
    if found.is_draft:
        raise UsageError(
            f"document {found.id} is this accrual, and a draft",
            hint=f"acctcli document update {found.id} --posted, then the same command again",
        )
    return found


def _tag_in(body: DocumentRequest) -> str:
    found: list[str] = TAG.findall(body.description or "")
    return found[-1]


def tagged(here: State, body: DocumentRequest, reverse_on: date | None) -> date:
    """Make a document an accrual by its description; return the day that it is taken back on.

    That is the day given, else the one after the accounting period. Raises UsageError for what no accrual is, and where
    that day could not be posted on.
    """
    if body.is_draft:
        raise UsageError("an accrual is posted, together with what takes it back", hint="leave out --draft")
    if "blueprint" not in body.model_fields_set:
        raise UsageError("nothing is said of what is accrued", hint="such as --debit 7160:400 --credit 2960")
    sides = (body.blueprint.debet_entries, body.blueprint.credit_entries, body.blueprint.expense_entries)
    if any(row.vat_code in BEARS_VAT for side in sides for row in side or ()):
        raise UsageError(
            "an accrual has no VAT: that belongs to the day of the invoice",
            hint="give amounts without VAT, and leave out VAT codes",
        )
    if body.date is None or "date" not in body.model_fields_set:
        body.date = here.day("--date")
    day = _reversed_on(here, body.date, reverse_on)
    text = (body.description or "").strip()
    told = f"{text} {_tag(body, text, day)} reversed {day}".strip()
    if len(told) > _LONGEST:
        most = _LONGEST - (len(told) - len(text))
        raise UsageError(f"--description: an accrual has at most {most} characters, and this has {len(text)}")
    body.description = told
    return day


def _reversed_on(here: State, day: date, asked: date | None) -> date:
    periods = read_periods(here)
    own = _having(periods, day)
    if asked is not None and asked <= day:
        raise UsageError(f"--reverse-on {asked} is not after {day}, the day of the accrual")
    if asked is None and own is None:
        raise UsageError(f"no accounting period has {day}", hint="see: acctcli period list")
    found = asked or (own.end_date if own else day) + _DAY
    if _having(periods, found) is None:
        problem = f"no accounting period has {found}, on which the accrual would be taken back: nothing is posted"
        raise UsageError(problem, hint=NEXT)
    return found


def _having(periods: list[Period], day: date) -> Period | None:
    return next((one for one in periods if one.start_date <= day <= one.end_date), None)


def _tag(body: DocumentRequest, text: str, day: date) -> str:
    """Return what an accrual is called: the same for the same day, text, amounts and day of its end."""
    sums = body.blueprint
    sides = (sums.debet_entries, sums.credit_entries, sums.expense_entries)
    rows = [
        [(row.account_id, f"{row.amount.normalize():f}", row.description or "") for row in side or ()] for side in sides
    ]
    accounts = (sums.debet_account_id, sums.credit_account_id)
    content = msgspec.json.encode((str(body.date), str(day), text, body.contact_id, accounts, rows))
    digest = hashlib.blake2b(content, digest_size=_DIGEST).digest()
    return PREFIX + base64.b32encode(digest).decode()[:_LETTERS].lower()
