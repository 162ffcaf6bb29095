"""Headers that accounts stand under in statements (docs/interface.md 4.2)."""

from __future__ import annotations

from typing_extensions import TypedDict

from acctcli.models.account import NameTranslations, ShownTranslations
from acctcli.models.base import Id, Request
from acctcli.models.enums import HeaderType


class HeaderRequest(Request):
    """What may be written of a header; without a parent it is a root."""

    name_translations: NameTranslations
    type: HeaderType
    parent_id: Id | None = None


class Header(TypedDict):
    """A header as the service shows it; `parent_ids` begin with the root, whose `level` is 0."""

    id: int
    name: str
    name_translations: ShownTranslations
    type: str
    parent_id: int | None
    parent_ids: list[int]
    level: int | None
