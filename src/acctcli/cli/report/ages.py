"""What is owed by how long it has been due: spans of days, rows with their sums, and how they are shown."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal, localcontext
from typing import TYPE_CHECKING, Any, NamedTuple

from acctcli.cli.output.show import show_value, show_values
from acctcli.cli.report.sheet import Column, Kind, Sheet, SheetLine, Style, clean
from acctcli.cli.session.state import State

if TYPE_CHECKING:
    from acctcli.cli.report.labels import Labels
    from acctcli.cli.report.listed import Listed

# the last day of each span, counted from the due date; what is older stands in the last column
SPANS = ((0, "not_due"), (30, "days_1_30"), (60, "days_31_60"), (90, "days_61_90"))
OLDER = "days_over_90"
AMOUNTS = (*(name for _, name in SPANS), OLDER, "total")
# digits of sums, more than amounts and their number ever have
_DIGITS = 60
_NOTHING = Decimal("0.00")


class Aged(NamedTuple):
    """An open amount: whose it is, in the columns of `who`, and since when it is due; None where nobody is late."""

    key: Hashable
    who: Mapping[str, Any]
    due: date | None
    amount: Decimal


_TITLES = {"receiver": "Id", "name": "Name"}
COLUMNS = {"customers": ("receiver", "name", "reminded", *AMOUNTS), "suppliers": ("name", *AMOUNTS)}


def age_rows(found: Iterable[Aged], day: date) -> list[dict[str, Any]]:
    """Return a row for each key, in their order, with the sums of its spans at the end of a day, unless all are 0."""
    rows: dict[Hashable, dict[str, Any]] = {}
    with localcontext() as exact:
        exact.prec = _DIGITS
        for one in found:
            row = rows.setdefault(one.key, {**one.who, **dict.fromkeys(AMOUNTS, _NOTHING)})
            late = 0 if one.due is None else (day - one.due).days
            row[next((name for last, name in SPANS if late <= last), OLDER)] += one.amount
            row["total"] += one.amount
    return [row for row in rows.values() if any(row[name] for name in AMOUNTS)]


def sums_of(rows: Iterable[Mapping[str, Any]]) -> dict[str, Decimal]:
    """Return what rows come to in each span, and together."""
    every = list(rows)
    with localcontext() as exact:
        exact.prec = _DIGITS
        return {name: sum((row[name] for row in every), _NOTHING) for name in AMOUNTS}


def show_ages(here: State, day: date, rows: list[dict[str, Any]], *, of: str) -> None:
    """Show rows with their totals: one document as json, with the rows under the name `of`; tables end with them."""
    totals = sums_of(rows)
    if here.format == "json":
        show_value(here, {"date": day, of: rows, "totals": totals})
        return
    if here.format in {"xlsx", "html", "pdf"}:
        _show_laid_out(here, day, [*rows, {**dict.fromkeys(COLUMNS[of]), **totals}], of)
        return
    last = [{"name": "Total", **totals}] if here.format == "table" else []
    show_values(here, [*rows, *last], COLUMNS[of])


def _show_laid_out(here: State, day: date, rows: Sequence[Mapping[str, Any]], of: str) -> None:
    """Show rows, of which the last is the totals, as others read them: a table of a workbook, or a page."""
    from acctcli.cli.report.view import View

    view = View(here, None)
    if view.as_lists:
        view.show_workbook(day.isoformat(), _listed(rows[:-1], of, view.words))
        return
    view.show(lay_out_ages(day, rows, of, view.words))


def lay_out_ages(day: date, rows: Sequence[Mapping[str, Any]], of: str, words: Labels) -> Sheet:
    """Lay rows out, of which the last is the totals."""
    lines = [SheetLine((clean(row["name"]), *(row[name] for name in AMOUNTS))) for row in rows[:-1]]
    total = SheetLine((words("Total"), *(rows[-1][name] for name in AMOUNTS)), Style.SUM)
    titles = [Column(words("Name")), *(Column(title, Kind.AMOUNT) for title in _titles(words))]
    return Sheet(words(of), day.isoformat(), tuple(titles), [*lines, total])


def _titles(words: Labels) -> list[str]:
    return [words(name) for name in (*AMOUNTS[:-1], "Total")]


def _listed(rows: Sequence[Mapping[str, Any]], of: str, words: Labels) -> Listed:
    """List what is owed; the total of each row is made of its spans."""
    from xlsxwriter.utility import xl_col_to_name

    from acctcli.cli.report.listed import Computed, Field, Holds, Listed

    columns = COLUMNS[of]
    who, spans = columns[: -len(AMOUNTS)], columns[-len(AMOUNTS) : -1]
    sums = f"SUM({xl_col_to_name(len(who))}{{row}}:{xl_col_to_name(len(columns) - 2)}{{row}})"
    fields = (
        *(Field(words(_TITLES.get(name, name))) for name in who),
        *(Field(title, Holds.SUMMED) for title in _titles(words)),
    )
    facts = (
        (
            *(clean(str(row[name] or "")) for name in who),
            *(row[name] for name in spans),
            Computed(sums, row["total"]),
        )
        for row in rows
    )
    return Listed(words(of), fields, facts, words("Total"))
