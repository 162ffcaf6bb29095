"""Accounts as people read them: type and VAT in words, and the balance beside."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial

import msgspec

from acctcli.cli.account.words import type_in_words, vat_in_words
from acctcli.cli.output.columns import Rows, cell_text, check_object
from acctcli.cli.session.state import State
from acctcli.client.bounds import ROW
from acctcli.client.messages import IN_FLIGHT, Extent
from acctcli.client.pages import Listing
from acctcli.client.urls import Query
from acctcli.client.workers import Workers
from acctcli.errors import ServerFault

# a page of them is there at once
_ONE = ROW._replace(size=64 * 1024)
_NOTHING = msgspec.Raw(b"null")


class _Identity(msgspec.Struct):
    id: int


_decode_identity = msgspec.json.Decoder(_Identity).decode
_decode = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


class AccountListing(Listing):
    """A list of accounts whose rows are completed with balances, and put into words, on their way."""

    def __init__(self, here: State, query: Query, extent: Extent, *, balances: bool, words: bool) -> None:
        self._accounts = here.api.accounts
        super().__init__(here.api.http, self._accounts.path(), query, extent)
        self._balances = balances
        self._words = words

    def __iter__(self) -> Iterator[Rows]:
        for page in super().__iter__():
            rows = self._with_balances(page) if self._balances else page
            yield [in_words(row) for row in rows] if self._words else rows

    def _with_balances(self, page: Rows) -> Rows:
        """Ask for each account in use by itself, several at a time: lists carry no balances (docs/interface.md 4.1)."""
        ids = _ids_of(page)
        wanted = ids if self._query.get("is_used") is True else [one for one in ids if one in self._used]
        with Workers(min(IN_FLIGHT, len(wanted)), partial(self._accounts.get, limit=_ONE)) as workers:
            coming = {one: workers.submit(one) for one in wanted}
            return [
                check_object(coming[one].result().body) if one in coming else _unused(row)
                for one, row in zip(ids, page, strict=True)
            ]

    @cached_property
    def _used(self) -> frozenset[int]:
        used = self._accounts.list({**self._query, "is_used": True}, Extent(limit=None))
        return frozenset(one for page in used for one in _ids_of(page))


def _ids_of(rows: Rows) -> list[int]:
    try:
        return [_decode_identity(row).id for row in rows]
    except msgspec.DecodeError as problem:
        raise ServerFault("an account has no id", code="unreadable_reply") from problem


def in_words(row: msgspec.Raw) -> msgspec.Raw:
    """Return an account for people: its type in words, and a field `vat` with the code and rate of its entries."""
    account = _decode(row)
    if "type" in account:
        code = cell_text(account["type"])
        hidden = ", hidden" if cell_text(account.get("is_shown", _NOTHING)) == "false" else ""
        account["type"] = _text(type_in_words(code) + hidden)
    if "default_vat_code" in account:
        code = cell_text(account["default_vat_code"])
        rate = cell_text(account.get("default_vat_rate", _NOTHING))
        account["vat"] = _text(vat_in_words(code, rate))
    return msgspec.Raw(msgspec.json.encode(account))


def _unused(row: msgspec.Raw) -> msgspec.Raw:
    """Complete an account without entries: all it has is what it opened with (docs/interface.md 4.3)."""
    account = _decode(row)
    account["balance"] = account.get("opening_balance", _NOTHING)
    account["is_used"] = msgspec.Raw(b"false")
    return msgspec.Raw(msgspec.json.encode(account))


def _text(value: str) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(value))
