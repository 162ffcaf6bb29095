"""Names in several languages, as accounts and headers have them (docs/interface.md 4.1, 4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from acctcli.service.cases.work import Work
from acctcli.service.rules.accounts import Name, shown_name

if TYPE_CHECKING:
    from acctcli.models.account import NameTranslation


def name_columns(work: Work, translations: Sequence[NameTranslation]) -> dict[str, str]:
    """Return the columns that hold a name: the one shown, the one searched, and all of them as JSON."""
    names = [Name(str(one.key), one.value) for one in translations]
    name = shown_name(names, work.law.own_language or work.user.language)
    stored = [{"key": one.language, "value": one.text} for one in names]
    return {
        "name": name,
        "search_name": name.casefold(),
        "name_translations": msgspec.json.encode(stored).decode(),
    }
