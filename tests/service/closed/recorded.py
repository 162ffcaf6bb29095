"""What records are, against what the trail recorded of them last, field by field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import msgspec

from acctcli.cli.check.kinds import BUSINESS, KINDS, TAGS, RecordKind, Shown, value
from acctcli.client.api import Api
from acctcli.client.http import Http
from tests.service.routes.books import Books

_PAGE = 200


class _Record(msgspec.Struct):
    type: str
    record_id: int | None
    data: dict[str, msgspec.Raw]


def differing(books: Books) -> Iterator[str]:
    """Yield the fields that a check compares and that are not as the newest record of theirs has them."""
    api = Api(cast("Http", None), lambda: books.path.rstrip("/").rpartition("/")[2])
    last, gone_tags = _last(books)
    for kind in (*KINDS, BUSINESS):
        for shown in _shown(books, kind, api):
            name = kind.word, int(bytes(shown["id"]))
            recorded = last.get(name)
            if recorded is None:
                yield f"{name}: not recorded"
                continue
            names = [one for one in kind.fields(recorded) if value(shown, one) != value(recorded, one)]
            if TAGS in recorded and set(_tags(shown)) != set(_tags(recorded)) - gone_tags:
                names.append(TAGS)
            yield from (f"{name} {one}: {value(shown, one)!r}, was {value(recorded, one)!r}" for one in names)


def _last(books: Books) -> tuple[dict[tuple[str, int], Shown], set[int]]:
    last: dict[tuple[str, int], Shown] = {}
    gone_tags = set[int]()
    for one in reversed(list(_rows(books, f"{books.path}audit/", _Record))):
        word, _, verb = one.type.partition(".")
        if verb == "unchanged" or one.record_id is None:
            continue
        if verb == "deleted":
            last.pop((word, one.record_id), None)
        else:
            last[word, one.record_id] = one.data
        if one.type == "tag.deleted":
            gone_tags.add(one.record_id)
        came_with = msgspec.json.decode(one.data.get("came_with", b"{}"), type=dict[str, list[dict[str, msgspec.Raw]]])
        last |= {(kind, int(bytes(each["id"]))): each for kind, those in came_with.items() for each in those}
    return last, gone_tags


def _shown(books: Books, kind: RecordKind, api: Api) -> Iterator[Shown]:
    path = kind.records(api).path()
    if kind is BUSINESS:
        yield msgspec.json.decode(books.actor.send("GET", books.path).raw, type=dict[str, msgspec.Raw])
    else:
        yield from _rows(books, path, dict[str, msgspec.Raw])


def _rows(books: Books, path: str, kind: Any) -> Iterator[Any]:
    page: int | None = 1
    while page is not None:
        reply = books.actor.send("GET", f"{path}?page_size={_PAGE}&page={page}")
        assert reply.status == 200, reply
        yield from (msgspec.json.decode(row, type=kind) for row in _results(reply.raw))
        page = reply.body["next"]


class _Page(msgspec.Struct):
    results: list[msgspec.Raw]


def _results(raw: bytes) -> list[msgspec.Raw]:
    return msgspec.json.decode(raw, type=_Page).results


def _tags(shown: Shown) -> list[int]:
    return msgspec.json.decode(shown[TAGS], type=list[int])
