"""What a VAT return follows from beside documents: settings and accounts that changed since, and earlier filings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from acctcli.cli.business.home import Home
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.report.amounts import rounded
from acctcli.cli.session.state import State
from acctcli.cli.vat.drift import DONE, EVERY, VAT_TYPES, Drift, Filed, Filing, claims_of
from acctcli.client.messages import Extent
from acctcli.models.enums import AccountType

if TYPE_CHECKING:
    from acctcli.client.urls import Query

AGAIN = "reported again"
SETTINGS = ("country", "vat_reporting_method")
# forms state apart what is on such
APART = (*VAT_TYPES, AccountType.REV_SAL.value)


class _Shown(msgspec.Struct):
    """What a return follows from, of a business or an account."""

    country: str | None = None
    vat_reporting_method: str | None = None
    number: str | None = None
    type: str | None = None
    opening_balance: Decimal | None = None


class _Record(msgspec.Struct):
    type: str
    created_at: str
    data: _Shown
    record_id: int | None = None
    author: str | None = None


NOTHING = _Shown()
_read = reader(_Record, "a record of the audit trail")


def changes(here: State, period: Filed, filing: Filing) -> Iterator[Drift]:
    """Yield the settings and accounts that were changed after a filing, and that its return follows from."""
    for records in _later(here, "business", filing).values():
        before = _before(here, "business", filing, records[0])
        for field in SETTINGS:
            yield from _changed(period, "business", field, before, records)
    claims = claims_of(here)
    for account_id, records in _later(here, "account", filing).items():
        before = _before(here, "account", filing, records[0])
        if before is NOTHING:
            before = _of_chart(here, records[-1].data)
        name = f"account {records[0].data.number}"
        found: list[Drift] = []
        if _is_read_otherwise(before.type, records[0].data.type, claims):
            found += _changed(period, name, "type", before, records)
        if before.type in claims:
            found += _changed(period, name, "opening_balance", before, records)
        if found and _is_used(here, account_id, period, reaches_back=bool(claims)):
            yield from found


def filed_again(period: Filed, filings: list[Filing]) -> Iterator[Drift]:
    """Yield the filings of a period, the newest first, that said otherwise than the one before."""
    for newer, older in pairwise(filings):
        taxes = [rounded(one.data.filing_tax_to_be_paid or Decimal(0)) for one in (newer, older)]
        if taxes[0] != taxes[1]:
            yield _drift(period, "VAT return", f"{AGAIN}: {taxes[0]}, was {taxes[1]}", newer)
        elif newer.data.fingerprint and older.data.fingerprint not in (None, newer.data.fingerprint):
            yield _drift(period, "VAT return", f"{AGAIN}: {taxes[0]} of other figures", newer)


def _drift(period: Filed, name: str, done: str, record: _Record | Filing) -> Drift:
    return Drift(str(period), name, period.end_date, done, record.created_at, record.author or "", "")


def _later(here: State, word: str, filing: Filing) -> Mapping[int, list[_Record]]:
    """Return what was recorded of each record of a kind after a filing, the newest first."""
    found: dict[int, list[_Record]] = defaultdict(list)
    query: Query = {"resource": word, "number_from": filing.id + 1}
    for record in read_all(here.api.audit.list(query, EVERY), _read):
        if record.record_id is not None and record.type.partition(".")[2] in DONE - {"deleted"}:
            found[record.record_id].append(record)
    return found


def _before(here: State, word: str, filing: Filing, later: _Record) -> _Shown:
    """Return a record as it was when a return was filed; nothing of one of which nothing was recorded."""
    query: Query = {"resource": word, "record_id": later.record_id, "number_to": filing.id}
    records = read_all(here.api.audit.list(query, EVERY), _read)
    return next((one.data for one in records if one.type.partition(".")[2] in DONE), NOTHING)


def _of_chart(here: State, data: _Shown) -> _Shown:
    """Return an account as it came with the business: as its chart has it."""
    follows = decoded(here.api.businesses.get(here.business()), Home).chart(())
    chart = follows.accounts() if follows else ()
    return next(
        (_Shown(type=one.type.value, opening_balance=Decimal(0)) for one in chart if one.number == data.number), NOTHING
    )


def _changed(period: Filed, name: str, field: str, before: _Shown, records: list[_Record]) -> Iterator[Drift]:
    """Yield a field that is another now, by the record that made it what it is."""
    was, now = getattr(before, field), getattr(records[0].data, field)
    if was is None or now is None or was == now:
        return
    by = records[0]
    for record in records:
        if getattr(record.data, field) != now:
            break
        by = record
    yield _drift(period, name, f"{field}: {now}, was {was}", by)


def _is_read_otherwise(was: str | None, now: str | None, claims: tuple[str, ...]) -> bool:
    """Say whether a return takes what is on an account for something else by its type."""
    kinds = [one if one in (*APART, *claims) else (one or "")[:3] for one in (was, now)]
    return kinds[0] != kinds[1]


def _is_used(here: State, account_id: int, period: Filed, *, reaches_back: bool) -> bool:
    """Say whether documents of a period name an account, or those before it where VAT follows payments."""
    query: Query = {"account": account_id, "date_to": period.end_date.isoformat()}
    if not reaches_back:
        query = {**query, "date_from": period.start_date.isoformat()}
    return any(page for page in here.api.documents.list(query, Extent(limit=1)))
