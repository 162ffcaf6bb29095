"""Post a file of documents, one a line, each of them once, whatever happened to earlier runs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from acctcli.cli.command.once import Item, Kind, send_once
from acctcli.cli.document.bodies import Written, read_lines
from acctcli.cli.output.replies import read_all
from acctcli.cli.session.state import State
from acctcli.client.messages import LARGEST_PAGE, Extent, Reply, encode
from acctcli.models.document import DocumentRequest

_exact = msgspec.json.Decoder(float_hook=Decimal).decode


def post_lines(here: State, written: Written, columns: Sequence[str], *, again: bool) -> None:
    """Post every line of the file that is not there yet, in order; all are checked before the first is sent.

    `again` posts them whatever is there.
    """
    bodies = list(read_lines(here, written))
    kind = Kind("post", "line", "document", here.api.documents.get)
    items = (Item(_digest(body), partial(_post, here, body), partial(_alike, here, body)) for body in bodies)
    send_once(here, kind, items, len(bodies), Path(here.options.file or ""), columns, again=again)


def _post(here: State, body: DocumentRequest, key: str) -> Reply:
    return here.api.documents.create(body, key)


def _digest(body: DocumentRequest) -> str:
    content = msgspec.json.encode(body.model_dump(exclude_unset=True), order="sorted")
    return hashlib.sha256(content).hexdigest()


def _alike(here: State, body: DocumentRequest) -> Iterator[bytes]:
    """Yield the documents of the day that show what a line says."""
    fields = _exact(encode(body))
    query = {"date_from": fields.get("date"), "date_to": fields.get("date")}
    listing = here.api.documents.list(query, Extent(None, LARGEST_PAGE))
    return (row for row in read_all(listing, bytes) if _says(fields, _exact(row)))


def _says(sent: Any, shown: Any) -> bool:
    """Tell whether a record shows what was sent; it may show more."""
    match sent:
        case Mapping():
            return isinstance(shown, Mapping) and all(_says(value, shown.get(name)) for name, value in sent.items())
        case list():
            return len(sent) == len(shown or ()) and all(map(_says, sent, shown or ()))
        case bool() | None:
            return bool(sent) == bool(shown)
        case int() | Decimal():
            return isinstance(shown, int | Decimal) and sent == shown
        case _:
            return str(sent).strip() == str(shown or "").strip()
