"""Whether a report is the one that was asked for, as far as it says what it is (docs/interface.md 10.1)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from acctcli.cli.command.dates import calendar_range
from acctcli.cli.output.stderr import how_many
from acctcli.cli.report.checks import CHANGE, CHANGE_PERCENT
from acctcli.errors import ServerFault

Columns = Sequence[dict[str, Any]]
# what `report_type` is for this service; others may have words of their own
_TYPES = frozenset(
    {
        "journal",
        "ledger",
        "vat_report",
        "eu_vat_contact_report",
        "balance_sheet",
        "income_statement",
        "equity_changes",
    }
)
_SHORT = "_short"
_COMPARISONS = {CHANGE, CHANGE_PERCENT}
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_MIDNIGHT = re.compile(r"(\d{4}-\d{2}-\d{2})(?:T00:00(?::00)?.*)?", re.ASCII)


def check_asked(segment: str, columns: Columns, fields: Mapping[str, msgspec.Raw]) -> None:
    """Raise ServerFault where a report says that it is another one, or of other days, than was asked for.

    Only what is surely another is refused: services may name a report and its columns in their own words.
    """
    kind = _text(fields.get("report_type"))
    asked = segment.replace("-", "_").removesuffix(_SHORT)
    if kind.removesuffix(_SHORT) in _TYPES - {asked}:
        raise _other(f"a report of the type {kind}", segment)
    for name in ("date_from", "date_to"):
        told, days = _MIDNIGHT.fullmatch(_text(fields.get(name))), _days(columns, name)
        if told and days and told[1] not in days:
            raise _other(f"a report with the {name} {told[1]}", ", ".join(sorted(days)))
    labels = _labels(fields.get("labels"))
    if labels is not None and len(labels) < len(columns):
        raise _other(how_many(len(labels), "column"), f"{len(columns)}")
    for label, column in zip(labels or (), columns, strict=False):
        if label != column.get("name") and not _may_be(label, column):
            raise _other(f"a column of {label!r}", _told(column))


def _days(columns: Columns, name: str) -> set[str]:
    """Return the days that a bound of a report may be: one of a column."""
    found = (column.get(name) or (column.get("date_at") if name == "date_to" else None) for column in columns)
    return {str(day) for day in found if day is not None}


def _may_be(label: str, column: Mapping[str, Any]) -> bool:
    """Whether a label that names days names some of its column; other words are left alone."""
    first = str(column.get("date_from") or column["date_at"])
    last = str(column.get("date_to") or column["date_at"])
    days = _DAY.findall(label)
    if not days:
        days = [day.isoformat() for day in calendar_range(label) or ()]
    return not days or (min(days) <= last and max(days) >= first)


def _labels(raw: msgspec.Raw | None) -> list[str] | None:
    """Return the labels of the columns that were asked for, None where there are none."""
    try:
        labels = msgspec.json.decode(raw or b"null", type=list[str] | None)
    except msgspec.DecodeError:
        return None
    return None if labels is None else [label for label in labels if label not in _COMPARISONS]


def _text(raw: msgspec.Raw | None) -> str:
    with suppress(msgspec.DecodeError):
        return msgspec.json.decode(raw or b'""', type=str)
    return ""


def _told(column: Mapping[str, Any]) -> str:
    return str(column.get("date_at") or f"{column['date_from']} - {column['date_to']}")


def _other(found: str, asked: str) -> ServerFault:
    return ServerFault(
        f"the service answered with {found} where {asked} was asked for",
        code="other_report",
        hint="no figure of it can be relied on; run the command again, or ask whoever runs the service",
    )
