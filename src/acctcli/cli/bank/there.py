"""What of statements is in the books already, by the tags that its documents hold."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import msgspec

from acctcli.banking.statements.identity import TAG
from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.session.state import State
from acctcli.client.messages import LARGEST_PAGE, Extent

# how far somebody may have moved a document
_FAR = timedelta(days=31)


class _Row(msgspec.Struct):
    description: str | None = None


class _Blueprint(msgspec.Struct):
    debet_entries: list[_Row] | None = None
    credit_entries: list[_Row] | None = None


class _Document(msgspec.Struct):
    id: int
    description: str | None = None
    blueprint: _Blueprint | None = None


_document = reader(_Document, "a document")


def read_there(here: State, first: date, last: date) -> dict[str, int]:
    """Return the tags of the documents of some days, and around them, with the ids of the documents.

    Of two with one tag, such as a document and one that takes it back, it is the older one.
    """
    there: dict[str, int] = {}
    query: dict[str, Any] = {"date_from": str(_moved(first, -_FAR)), "date_to": str(_moved(last, _FAR))}
    # others post meanwhile, and requests that were cut off still end
    listing = here.api.documents.list(query, Extent(None, LARGEST_PAGE)).while_it_grows()
    for document in read_all(listing, _document):
        for tag in _tags(document):
            if there.get(tag, document.id) >= document.id:
                there[tag] = document.id
    return there


def _moved(day: date, by: timedelta) -> date:
    try:
        return day + by
    except OverflowError:
        return day


def _tags(document: _Document) -> set[str]:
    blueprint = document.blueprint or _Blueprint()
    rows = [*(blueprint.debet_entries or ()), *(blueprint.credit_entries or ())]
    texts = (document.description, *(row.description for row in rows))
    return {tag for text in texts if text for tag in TAG.findall(text)}
