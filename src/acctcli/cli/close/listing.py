"""`close check`: the parts that the end of a period is gone through by, in their order (docs/closing.md 1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

from acctcli.cli.bank.reconciling import BANK
from acctcli.cli.check.books import LISTS
from acctcli.cli.check.findings import Checked, Finding
from acctcli.cli.check.parts import looked
from acctcli.cli.check.records import CLEARING, DRAFTS, PAYABLES, RECEIPTS, RECEIVABLES
from acctcli.cli.close import accruals, depreciated, money, papers, periods
from acctcli.cli.close.closing import Closing
from acctcli.cli.output.show import show_values
from acctcli.cli.output.stderr import how_many
from acctcli.cli.session.state import State
from acctcli.errors import Incomplete


class Part(NamedTuple):
    """A part: its name, what looks, and whether only the environment local has what it takes."""

    name: str
    look: Callable[[State, Closing], Iterable[Finding]]
    is_local: bool = False


def _lists(here: State, closing: Closing) -> list[Finding]:
    del here
    return closing.books.contradictions


PARTS = (
    Part(LISTS, _lists),
    Part(periods.PERIOD, periods.check_period),
    Part(BANK, money.check_bank),
    Part(RECEIVABLES, money.check_receivables),
    Part(PAYABLES, money.check_payables),
    Part(periods.VAT, periods.check_vat),
    Part(periods.DRIFT, periods.check_drift, is_local=True),
    Part(DRAFTS, papers.check_begun),
    Part(RECEIPTS, papers.check_lacking),
    Part(CLEARING, money.check_clearing),
    Part(money.SUSPENSE, money.check_suspense),
    Part(accruals.ACCRUALS, accruals.check_accruals),
    Part(depreciated.DEPRECIATION, depreciated.check_depreciation),
    Part(periods.FOLLOWING, periods.check_following),
)


def look_through(here: State, closing: Closing) -> Checked:
    """Look at every part that the service has what it takes for; a finding that is a fault is open."""
    wanted = [part for part in PARTS if here.is_local_service or not part.is_local]
    findings = [one for part in wanted for one in looked(here, part.name, partial(part.look, here, closing))]
    left_out = [part.name for part in PARTS if part not in wanted]
    why = f"the interface of {here.environment.name} has no such operation"
    return Checked([part.name for part in wanted], left_out, why, findings)


def show_open(here: State, closing: Closing, columns: Sequence[str]) -> None:
    """Show a row for each part that is done and for each finding; raise Incomplete where one is open."""
    checked = look_through(here, closing)
    if here.format == "junit":
        from acctcli.cli.check.junit import write

        write(here, checked, "close check")
    else:
        show_values(here, [row for part in PARTS for row in _rows(part.name, checked)], columns)
    named = f"{closing.days[0]} - {closing.last}"
    if count := sum(one.is_fault for one in checked.findings):
        raise Incomplete(f"{named}: {how_many(count, 'thing')} open; the rows say which")
    here.say(f"{named}: nothing is open")


def _rows(part: str, checked: Checked) -> list[dict[str, Any]]:
    found = [one for one in checked.findings if one.part == part]
    if not found:
        status = "left out" if part in checked.left_out else "done"
        return [{"part": part, "status": status, "record": None, "problem": None, "remedy": None}]
    return [{"part": part, "status": "open" if one.is_fault else "note", **one._asdict()} for one in found]
