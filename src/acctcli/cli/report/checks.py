"""What can be computed again is computed again: no report is shown whose figures contradict each other.

Each check raises Incomplete (exit 10) and names the difference. A service may know other rows than the fixed plan of
docs/interface.md 10; sums are then left alone, because nobody here knows what they are made of.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from acctcli.cli.output.stderr import how_many
from acctcli.cli.report.amounts import rounded
from acctcli.cli.report.labels import BALANCE, INCOME, VAT
from acctcli.cli.report.shapes import (
    Group,
    JournalDocument,
    JournalSums,
    LedgerAccount,
    Number,
    Sides,
    Statement,
    StatementRow,
    Totals,
    VatReport,
)
from acctcli.errors import Incomplete
from acctcli.law.filing import PAYABLE
from acctcli.law.vat_codes import REVERSE_CHARGE, SALES

CHANGE = "change"
CHANGE_PERCENT = "change %"
ASSETS, LIABILITIES = "Total assets", "Total equity and liabilities"
TOTAL_EQUITY = "Total equity"
# the rows below each component of equity
COMPONENT = ("Opening", "Change", "Closing")
# groups of the VAT report that tell by rate what another one tells in one sum
BY_RATE = {"non_eu_service_purchases_by_rate": "non_eu_service_purchases"}
DEDUCTIBLE = "deductible_vat"
# their values hold computed results besides what is booked on the accounts
_COMPUTED = frozenset({"Profit of previous periods", "Profit of the period", "Equity", "Opening balance difference"})
_SOLD, _OWED_BY_BUYER = set(map(str, SALES)), set(map(str, REVERSE_CHARGE))
_CONTRADICTION = "the service contradicts itself; no figure of this report can be relied on"
_ZERO = Decimal(0)
# the places of the rows that each sum was found to be made of
Parts = dict[int, list[int]]


def check_balance_sheet(sheet: Statement) -> Parts:
    """Assets equal equity and liabilities; sums are those of the rows above; accounts make up their row.

    A heading is zero, or tells the sum below it.
    """
    _check_shape(sheet)
    found: Parts = {}
    if _follows_plan(sheet, BALANCE):
        parts: list[int] = []
        for place, row in enumerate(sheet.rows):
            if not row.is_sum_row:
                parts.append(place)
                continue
            if details := [part for part in parts if sheet.rows[part].level > row.level]:
                found[place] = details
            for heading in (sheet.rows[part] for part in parts):
                if heading.level == row.level and any(heading.values):
                    _check_sum(sheet, heading, [row])
            parts = []
    _check_sums(sheet, found)
    sides = {row.name: row for row in sheet.rows if row.name in {ASSETS, LIABILITIES}}
    if len(sides) == 2:
        _check_sum(sheet, sides[ASSETS], [sides[LIABILITIES]])
    return found


def check_income_statement(sheet: Statement) -> Parts:
    """Each sum is that of all rows above it (docs/interface.md 10: the statement adds up)."""
    _check_shape(sheet)
    found: Parts = {}
    if _follows_plan(sheet, INCOME):
        rows = list(enumerate(sheet.rows))
        for place, row in rows:
            if row.is_sum_row:
                found[place] = [
                    above for above, part in rows[:place] if not part.is_sum_row and part.level == row.level
                ]
    _check_sums(sheet, found)
    return found


def check_equity_changes(sheet: Statement) -> Parts:
    """Closing is opening and change of its component; the total is that of all components and the result."""
    _check_shape(sheet)
    rows, found = sheet.rows, Parts()
    parts = [place for place, row in enumerate(rows) if row.level == 0 and not row.is_sum_row]
    for place, head in enumerate(rows[:-3]):
        if tuple(row.name for row in rows[place + 1 : place + 4]) == COMPONENT:
            _check_sum(sheet, head, [rows[place + 3]])
            found[place + 3] = [place + 1, place + 2]
            # a head is shown without figures: what it closes with is added up
            parts = [place + 3 if part == place else part for part in parts]
    found |= {place: parts for place, row in enumerate(rows) if row.name == TOTAL_EQUITY}
    _check_sums(sheet, found)
    return found


def check_vat(report: VatReport) -> None:
    """What is to be paid is what the groups add up to: the Finnish ones, and the German totals."""
    summary, totals = report.summary, _amounts(report.totals)
    if summary is not None and PAYABLE in summary and all(name in VAT for name in summary):
        _check_summary(summary, report.foreign_vat or {})
    if {PAYABLE, "output_vat", "input_vat"} <= totals.keys():
        _compare(PAYABLE, totals[PAYABLE], totals["output_vat"] - totals["input_vat"])


def _check_summary(summary: Mapping[str, Number | Group], foreign: Group) -> None:
    taxes = {name: total(_taxes(group)) for name, group in summary.items() if isinstance(group, dict)}
    for name, whole in BY_RATE.items():
        if name in taxes:
            _compare(whole, taxes.get(whole, _ZERO), taxes.pop(name))
    plain = _amounts(summary)
    computed = total(taxes.values()) + plain.get("adjustments", _ZERO) - plain.get(DEDUCTIBLE, _ZERO)
    _compare(PAYABLE, plain.get(PAYABLE, _ZERO), computed + _owed_abroad(foreign))


def _owed_abroad(foreign: Group) -> Decimal:
    """Return what VAT of other countries adds to what is to be paid; what the buyer owes is deducted as well."""
    owed = _ZERO
    for key, values in foreign.items():
        code = key.partition("/")[0]
        if code not in _OWED_BY_BUYER and isinstance(values, dict):
            tax = values.get("vat") or _ZERO
            owed += tax if code in _SOLD else -tax
    return owed


def _amounts(group: Mapping[str, object] | None) -> dict[str, Decimal]:
    return {name: value for name, value in (group or {}).items() if isinstance(value, Decimal)}


def _taxes(group: Group) -> Iterator[Decimal]:
    """Yield the VAT of a group, or of every rate in it."""
    for name, value in group.items():
        if isinstance(value, dict):
            yield from _taxes({**value})
        elif name == "vat" and value is not None:
            yield value


def check_totals(place: str, told: Totals | Sides | None, **computed: Decimal) -> None:
    """Compare the totals that the service states, where it does, with those of what it listed."""
    for name, value in computed.items():
        stated: Decimal | None = getattr(told, name, None)
        if stated is not None:
            _compare(f"{place}, total {name}", stated, value)


def check_documents(documents: Iterable[JournalDocument | JournalSums]) -> tuple[Decimal, Decimal]:
    """Both sides of a document are equal, and those that it states; return debit and credit of all of them."""
    all_debit = all_credit = _ZERO
    for document in documents:
        debit = credit = _ZERO
        for entry in document.entries:
            if entry.debet:
                debit += entry.debet
            if entry.credit:
                credit += entry.credit
        told = document.totals
        if debit != credit or not debit.is_finite() or (told and not debit == told.debet == told.credit):
            _check_sides(document, debit, credit)
        all_debit += debit
        all_credit += credit
    return all_debit, all_credit


def _check_sides(document: JournalDocument | JournalSums, debit: Decimal, credit: Decimal) -> None:
    """Compare to the cent what is not the same."""
    if rounded(debit) != rounded(credit):
        raise Incomplete(
            f"document {document.number}: its debit is {rounded(debit)}, its credit {rounded(credit)}",
            hint=_CONTRADICTION,
        )
    check_totals(f"document {document.number}", document.totals, debet=debit, credit=credit)


class Sums(NamedTuple):
    """What the entries of an account add up to, and the balance after them, debit minus credit."""

    debit: Decimal
    credit: Decimal
    balance: Decimal


def check_balances(account: LedgerAccount, before: Sums | None = None) -> Sums:
    """Follow the balance of an account, from its opening one or from what came before; return the sums with that.

    See docs/interface.md 4.3.
    """
    debit, credit, balance = before or Sums(_ZERO, _ZERO, account.opening_balance)
    for entry in account.entries:
        balance += entry.debet - entry.credit
        if entry.balance_csum != balance:
            _compare(f"account {account.number}, balance after {entry.number}", entry.balance_csum, balance)
    more_debit, more_credit = account.sides
    sums = Sums(debit + more_debit, credit + more_credit, balance)
    named = {"debet": sums.debit, "credit": sums.credit, "balance_csum": balance}
    check_totals(f"account {account.number}", account.totals, **named)
    return sums


def _check_shape(sheet: Statement) -> None:
    """Every row has a value for each label, and no label stands twice."""
    width = len(sheet.labels)
    if len(set(sheet.labels)) != width:
        raise Incomplete(f"the report has columns of the same name: {', '.join(sheet.labels)}")
    for row in sheet.rows:
        for name, values in [(row.name, row.values), *((one.number, one.values) for one in row.accounts or ())]:
            if len(values) != width:
                raise Incomplete(
                    f"the row {name!r} has {how_many(len(values), 'value')} for {how_many(width, 'column')}"
                )
        if row.accounts and row.name not in _COMPUTED:
            _check_values(sheet, row, [one.values for one in row.accounts])
        _check_change(sheet, row.name, row.values)


def _check_change(sheet: Statement, name: str, values: Sequence[Decimal]) -> None:
    """The column of changes is the first column less the second (docs/interface.md 10)."""
    if sheet.labels[2:] == [CHANGE, CHANGE_PERCENT]:
        _compare(f"{name}, {CHANGE}", values[2], values[0] - values[1])


def _check_sums(sheet: Statement, found: Parts) -> None:
    for place, parts in found.items():
        _check_sum(sheet, sheet.rows[place], [sheet.rows[part] for part in parts])


def _check_sum(sheet: Statement, row: StatementRow, parts: Sequence[StatementRow]) -> None:
    _check_values(sheet, row, [part.values for part in parts])


def _check_values(sheet: Statement, row: StatementRow, parts: Sequence[Sequence[Decimal]]) -> None:
    for position, label in enumerate(sheet.labels):
        if label != CHANGE_PERCENT:
            _compare(f"{row.name}, {label}", row.values[position], total(part[position] for part in parts))


def _follows_plan(sheet: Statement, plan: Collection[str]) -> bool:
    return all(row.name in plan for row in sheet.rows)


def _compare(place: str, stated: Decimal, computed: Decimal) -> None:
    if rounded(stated) != rounded(computed):
        raise Incomplete(
            f"{place}: the service says {rounded(stated)}, computed again it is {rounded(computed)}",
            hint=_CONTRADICTION,
        )


def total(amounts: Iterable[Decimal]) -> Decimal:
    """Return the sum; 0 for none."""
    return sum(amounts, _ZERO)
