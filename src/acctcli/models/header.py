"""Headers that accounts stand under in statements (wire facts 2.6)."""

from __future__ import annotations

from acctcli.models.account import NameTranslation, NameTranslations
from acctcli.models.base import Id, Request, Response
from acctcli.models.enums import HeaderType


class HeaderRequest(Request):
    """What may be written of a header; without a parent it is a root."""

    name_translations: NameTranslations
    type: HeaderType
    parent_id: Id | None = None


class Header(Response):
    """A header as the service shows it; `parent_ids` begin with the root, whose `level` is 0."""

    id: int
    name: str
    name_translations: list[NameTranslation]
    type: str
    parent_id: int | None
    parent_ids: list[int]
    level: int | None
