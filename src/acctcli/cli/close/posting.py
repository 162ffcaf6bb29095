"""`close post`: income tax, the next period, and the lock, each once and in this order (docs/closing.md 4).

The result itself is posted by nobody: the service carries it to the profit of previous periods (docs/interface.md 4.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from typing import Any, NamedTuple

import msgspec

from acctcli.cli.account.chart import Account, Chart
from acctcli.cli.check.books import Period
from acctcli.cli.check.findings import Checked
from acctcli.cli.close.closing import Closing, period_of
from acctcli.cli.close.listing import look_through
from acctcli.cli.close.periods import FOLLOWING, VAT
from acctcli.cli.command.body import check
from acctcli.cli.command.many import Step, create_once, send_all
from acctcli.cli.command.once import base_key
from acctcli.cli.document.settling import Posted, described_alike
from acctcli.cli.output.replies import decoded
from acctcli.cli.output.show import show_values
from acctcli.cli.output.stderr import how_many_are
from acctcli.cli.report.amounts import rounded
from acctcli.cli.report.asking import Ask
from acctcli.cli.report.shapes import Statement
from acctcli.cli.session.state import State
from acctcli.cli.vat import filing
from acctcli.errors import Incomplete, UsageError
from acctcli.law.calendar import last_day
from acctcli.law.vat_codes import NO_VAT
from acctcli.models.document import DocumentRequest
from acctcli.models.enums import DocumentType
from acctcli.models.period import PeriodRequest
from acctcli.models.vat_period import VatPeriodRequest

_TAXES = ("EXP_TAX", "EXP_TAX_PRE")
_NOTHING = Decimal("0.00")
_DAY = timedelta(days=1)
_MONTHS = 12


class Wanted(NamedTuple):
    """What the command line says: the income tax of the period, its account, and whether what is open is no matter."""

    tax: Decimal | None
    account: str | None
    anyway: bool


class _Roles(msgspec.Struct):
    """The accounts that a business has for what it owes or is owed of income tax, and for the broadcasting tax."""

    account_income_tax_lia: int | None = None
    account_income_tax_rec: int | None = None
    account_yle_tax: int | None = None


class Deed(NamedTuple):
    """A step of the end: its name, what it is about, and what sends it; None of what is not sent."""

    step: str
    told: str
    send: Step | None = None
    amount: Decimal | None = None


def own_period(closing: Closing) -> Period:
    """Return the accounting period that has the days of a closing; raise UsageError where they are no whole one."""
    own = period_of(closing.books.periods, closing.last)
    if own is None or (own.start_date, own.end_date) != closing.days:
        raise UsageError(
            f"{closing.days[0]} - {closing.last} is no accounting period: only a whole one is closed",
            hint=f"the one of these days: acctcli close post {_named(own.start_date, own.end_date)}"
            if own
            else "see: acctcli period list",
        )
    return own


def close(here: State, closing: Closing, wanted: Wanted, columns: Sequence[str]) -> None:
    """Do what is left of the end of an accounting period, and show a row for each step.

    Raises Incomplete while something is open, unless `anyway`; VAT that is not reported keeps the lock only from being
    set, as tax has to be posted before.
    """
    own = own_period(closing)
    there = _taxes_there(here, closing)
    earned, charged = _result(here, closing)
    tax = None if wanted.tax is None else wanted.tax - charged
    body = _tax(here, closing, own, tax, wanted.account) if tax else None
    waits = _refuse_open(look_through(here, closing), closing, wanted, has_tax=body is not None)
    base = base_key(here)
    deeds = [Deed("result", "before this", None, earned)]
    if body is not None:
        create = partial(here.api.documents.create, body)
        post = partial(create_once, here, base, f"tax beside {there}", create, here.api.documents.get)
        send = Step(post, "the document of income tax")
        deeds.append(Deed("tax", f"on {closing.last}", send, tax))
    if not waits:
        deeds += [*_following(here, closing, base), _lock(here, own)]
    steps = [deed.send for deed in deeds if deed.send is not None]
    send_all(here, steps, base, (), lambda number: f"{how_many_are(number, 'step')} done")
    if here.options.dry_run:
        return
    show_values(here, [_row(deed) for deed in deeds], columns)
    if waits:
        raise Incomplete(
            "VAT of the period is not reported: it is not locked yet",
            hint="report it, then run the same command again",
        )
    here.say(f"note: the service carries the result to later periods itself; {own} is closed")


def _row(deed: Deed) -> dict[str, Any]:
    status = "there" if deed.send is None else "done"
    return {"step": deed.step, "status": status, "about": deed.told, "amount": deed.amount}


def _result(here: State, closing: Closing) -> tuple[Decimal, Decimal]:
    """Return what the period earned, and the income tax that was charged in it."""
    first, last = closing.days
    column = {"date_from": first.isoformat(), "date_to": last.isoformat()}
    sheet = decoded(Ask(here, accounts=True)("income-statement", [column]), Statement)
    moved = {one.number: one.values[0] for row in sheet.rows for one in row.accounts or ()}
    taxes = {one.number for one in _tax_accounts(here, closing.books.chart)}
    charged = -sum((moved[number] for number in taxes & moved.keys()), _NOTHING)
    return rounded(sum(moved.values(), _NOTHING)), rounded(charged)


def _tax_accounts(here: State, chart: Chart) -> list[Account]:
    """Return the accounts of income tax: all of taxes but that of the broadcasting tax."""
    roles = decoded(here.api.businesses.get(here.business()), _Roles)
    some = (one for one in chart.by_id.values() if one.type in _TAXES and one.id != roles.account_yle_tax)
    return sorted(some, key=lambda one: (one.type != _TAXES[0], one.number))


def _tax(here: State, closing: Closing, own: Period, tax: Decimal, named: str | None) -> DocumentRequest:
    """Return the document of what is still to be charged, or of what was charged too much."""
    _refuse_closed(here, own, closing.last)
    chart, roles = closing.books.chart, decoded(here.api.businesses.get(here.business()), _Roles)
    expense = chart.find(named, "--tax-account") if named else next(iter(_tax_accounts(here, chart)), None)
    if expense is None or expense.type not in _TAXES:
        raise UsageError(f"--tax-account: {expense or 'the chart'} is no account of taxes", hint="acctcli account list")
    role = "account_income_tax_lia" if tax > 0 else "account_income_tax_rec"
    other = getattr(roles, role)
    if other is None:
        raise UsageError(
            f"the business has no {role}, to which income tax is posted",
            hint=f"acctcli business update {here.business()} --set {role}=ID",
        )
    row = {"amount": abs(tax), "vat_code": NO_VAT}
    sides = [{**row, "account_id": expense.id}], [{**row, "account_id": other}]
    debit, credit = sides if tax > 0 else sides[::-1]
    return check(
        DocumentRequest,
        {
            "date": closing.last,
            "type": DocumentType.INCOME_TAX,
            "description": _title(closing),
            "blueprint": {"debet_entries": debit, "credit_entries": credit},
        },
    )


def _taxes_there(here: State, closing: Closing) -> str:
    """Name the documents of income tax that are there: who posts it at the same moment knows the same ones."""
    alike = DocumentRequest(date=closing.last, description=_title(closing))
    return ", ".join(str(decoded(reply, Posted).id) for reply in described_alike(here, alike))


def _title(closing: Closing) -> str:
    return f"Income tax {closing.days[0]} - {closing.last}"


def _refuse_closed(here: State, own: Period, day: date) -> None:
    """Raise UsageError where the last day takes no tax any more (docs/interface.md 3.5)."""
    if own.is_locked:
        raise UsageError(
            f"the period {own} is locked: no income tax can be posted", hint=f"acctcli period unlock {own.id}"
        )
    for one in filing.vat_periods(here):
        if one.is_reported and one.end_date >= day:
            raise UsageError(
                f"VAT of {one.start_date} - {one.end_date} is reported, which closes {day}: "
                "no income tax can be posted",
                hint=f"acctcli vat period reopen {one.id} --reason TEXT, this again, then acctcli vat period report "
                f"{one.id}",
            )


def _refuse_open(checked: Checked, closing: Closing, wanted: Wanted, *, has_tax: bool) -> bool:
    """Raise Incomplete for what is open; return whether the lock has to wait for VAT, which tax is posted before."""
    # what the next period lacks is made here
    left = [one for one in checked.findings if one.is_fault and one.part != FOLLOWING]
    if wanted.anyway or not left:
        return False
    if has_tax and all(one.part == VAT for one in left):
        return True
    parts = ", ".join(dict.fromkeys(one.part for one in left))
    raise Incomplete(
        f"{closing.days[0]} - {closing.last}: open: {parts}; nothing is closed",
        hint=f"acctcli close check {_named(*closing.days)}; --anyway closes it all the same",
    )


def _named(first: date, last: date) -> str:
    """Return how days are written in a command."""
    is_year = (first.day, first.month, last) == (1, 1, date(first.year, 12, 31))
    return f"--period {first.year}" if is_year else f"--from {first} --to {last}"


def _following(here: State, closing: Closing, base: str) -> Iterator[Deed]:
    """Yield what makes the next accounting period, and the VAT period after the latest one that ends with this one."""
    following = closing.last + _DAY
    name = "next period"
    if (there := period_of(closing.books.periods, following)) is None:
        body = check(PeriodRequest, {"start_date": following, "end_date": last_day(following, _MONTHS)})
        create = partial(here.api.periods.create, body)
        make = partial(create_once, here, base, f"period {following}", create, here.api.periods.get)
        send = Step(make, "the next accounting period")
        yield Deed(name, f"{body.start_date} - {body.end_date}", send)
    else:
        yield Deed(name, str(there))
    known = filing.vat_periods(here)
    if known and max(one.end_date for one in known) == closing.last:
        create = partial(here.api.vat_periods.create, VatPeriodRequest())
        make = partial(create_once, here, base, f"VAT period {following}", create, here.api.vat_periods.get)
        yield Deed("next VAT period", f"from {following} on", Step(make, "the next VAT period"))


def _lock(here: State, own: Period) -> Deed:
    # under a key of this run alone: what was unlocked since is locked again, and no stored reply says that it is
    act = partial(here.api.periods.act, own.id, "action/lock/")
    return Deed("lock", str(own), None if own.is_locked else Step(act, f"the lock of {own}"))
