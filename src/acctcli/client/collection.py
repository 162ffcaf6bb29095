"""A resource with the usual six operations, written once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec

from acctcli.client.bounds import PAGE, RECORD, Limit
from acctcli.client.http import Http
from acctcli.client.messages import Extent, Reply, encode
from acctcli.client.pages import Listing, read_page
from acctcli.client.urls import Query, build_path
from acctcli.errors import ServerFault

if TYPE_CHECKING:
    from acctcli.models.base import Request

Body = TypeVar("Body", bound="Request")
Scope = Callable[[], Mapping[str, str | int]]


class _Identity(msgspec.Struct):
    id: object = None
    slug: object = None


_decode_identity = msgspec.json.Decoder(_Identity).decode


class Collection(Generic[Body]):
    """Records under one path.

    `template` is the path of the list; the names in it are filled from `scope`.
    Replies pass through as raw JSON: reading never validates.
    """

    def __init__(self, http: Http, template: str, scope: Scope) -> None:
        self._http = http
        self._template = template
        self._scope = scope

    def path(self, record: int | str | None = None, action: str = "") -> str:
        """Return the checked path of the list, of one record, or of an action on it."""
        values: dict[str, str | int] = {}
        template = self._template
        if "{business}" in template:
            values.update(self._scope())
        if record is not None:
            template += "{record}/"
            values["record"] = record
        return build_path(template, values) + action

    def page(self, query: Query, number: int, size: int) -> tuple[list[msgspec.Raw], int]:
        """Return the rows of one page of the list, counted from 1, and how many rows there are in all."""
        query = {**query, "page": number, "page_size": size}
        page = read_page(self._http.send("GET", self.path(), query=query, limit=PAGE))
        return page.rows, page.count

    def list(self, query: Query, extent: Extent) -> Listing:
        """Return the rows that match, streamed page by page."""
        return Listing(self._http, self.path(), query, extent)

    def get(self, record: int | str, *, limit: Limit = RECORD) -> Reply:
        """Return one record."""
        return check_record(self._http.send("GET", self.path(record), limit=limit), record)

    def create(self, body: Body, key: str | None = None) -> Reply:
        """Create a record; `key` names the intent, so that repeating it creates nothing twice."""
        return check_made(self._http.send("POST", self.path(), body=encode(body), key=key))

    def update(self, record: int | str, body: Body) -> Reply:
        """Change only the fields set in `body`."""
        return _check_changed(self._http.send("PATCH", self.path(record), body=encode(body)), record, body)

    def replace(self, record: int | str, body: Body) -> Reply:
        """Replace the whole record."""
        return _check_changed(self._http.send("PUT", self.path(record), body=encode(body)), record, body)

    def delete(self, record: int | str) -> Reply:
        """Delete the record."""
        return self._http.send("DELETE", self.path(record))

    def act(self, record: int | str, action: str, body: Request | None = None, key: str | None = None) -> Reply:
        """POST an action of the record, such as `action/lock/`; some services answer with nothing."""
        reply = self._act(record, action, body, key)
        return check_record(reply, record) if reply.body.strip() else reply

    def copy(self, record: int | str, body: Body, key: str | None = None) -> Reply:
        """Make another record of this one, and return that."""
        return check_made(self._act(record, "action/copy/", body, key))

    def _act(self, record: int | str, action: str, body: Request | None, key: str | None) -> Reply:
        content = None if body is None else encode(body)
        return self._http.send("POST", self.path(record, action), body=content, key=key)

    def below(self, record: int | str, action: str, query: Query, extent: Extent) -> Listing:
        """Return the rows of a list that hangs below one record, such as `entry/`."""
        return Listing(self._http, self.path(record, action), query, extent)


def check_record(reply: Reply, *records: int | str) -> Reply:
    """Return a reply; raise ServerFault when it holds another record, or none: neither must pass for the one asked for.

    A record has an id, and goes by names of the kind that it was asked for by: its id, or its slug. `records` are what
    it may go by.
    """
    found = _identity(reply)
    if found is None:
        return reply
    names = [name for name in (found.id, found.slug) if type(name) is type(records[0])]
    if not names and type(found.id) is not int:
        raise _nameless(reply)
    if names and not set(names) & set(records):
        raise ServerFault(
            f"the service answered with record {names[0]} where {records[0]} was asked for",
            status=reply.status,
            code="other_record",
            request_id=reply.request_id,
            hint="nothing can be concluded from this reply; run the command again, or ask whoever runs the service",
        )
    return reply


def check_made(reply: Reply) -> Reply:
    """Return the reply to a creation; raise ServerFault when it holds no record, which has an id."""
    found = _identity(reply)
    if found is not None and type(found.id) is not int:
        raise _nameless(reply)
    return reply


def _identity(reply: Reply) -> _Identity | None:
    """Return what a record goes by; None for what is no object: whoever shows it says what it is instead."""
    try:
        return _decode_identity(reply.body)
    except (msgspec.DecodeError, RecursionError):
        return None


def _nameless(reply: Reply) -> ServerFault:
    return ServerFault(
        f"the service answered {reply.status} with something that is no record: it has no id",
        status=reply.status,
        code="unreadable_reply",
        request_id=reply.request_id,
    )


def _check_changed(reply: Reply, record: int | str, body: Request) -> Reply:
    """Check what a change answers; it may have given the record another slug."""
    renamed = getattr(body, "slug", None)
    return check_record(reply, record, renamed) if renamed else check_record(reply, record)
