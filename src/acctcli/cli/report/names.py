"""Names of accounts in the language of a report, where the chart has them (docs/interface.md 4.1)."""

from __future__ import annotations

import msgspec

from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent
from acctcli.errors import Forbidden


class _Name(msgspec.Struct):
    key: str
    value: str


class _Account(msgspec.Struct):
    number: str
    name_translations: list[_Name] | None = None


_read = reader(_Account, "an account")


def account_names(here: State, language: str) -> dict[str, str]:
    """Return the names that the chart has in a language, by number; none where the caller may not read the chart."""
    try:
        accounts = list(read_all(here.api.accounts.list({}, Extent(limit=None)), _read))
    except Forbidden:
        return {}
    return {
        account.number: name.value
        for account in accounts
        for name in account.name_translations or ()
        if name.key == language and name.value
    }
