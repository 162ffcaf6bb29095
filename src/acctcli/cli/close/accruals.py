"""Accruals at the end of a period: each has to be taken back, and what nothing moves may have been forgotten."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import timedelta

from acctcli.cli.check.books import EVERY
from acctcli.cli.check.findings import Finding
from acctcli.cli.close.closing import Closing, held_on
from acctcli.cli.document.accruing import PREFIX, TAG
from acctcli.cli.document.moves import Booked
from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.report.amounts import rounded
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent

ACCRUALS = "accruals"
# what is accrued in the books, either way
_TYPES = ("ASS_REC", "LIA_ACC")


class _Document(Booked):
    description: str = ""
    number: str | None = None


_read = reader(_Document, "a document")


def check_accruals(here: State, closing: Closing) -> Iterator[Finding]:
    """Name accruals that nothing takes back, and accounts of accruals that hold what they did before."""
    by_tag: defaultdict[str, list[_Document]] = defaultdict(list)
    for one in read_all(here.api.documents.list({"search": PREFIX}, EVERY), _read):
        for tag in TAG.findall(one.description)[-1:]:
            by_tag[tag].append(one)
    for some in by_tag.values():
        accrual = min(some, key=lambda one: one.id)
        if accrual.date <= closing.last and not accrual.is_draft and _left(some):
            problem = f"nothing takes it back as it was posted ({accrual.description})"
            remedy = f"acctcli document reverse {accrual.id} --date DAY, or the same acctcli accrual create again"
            yield Finding(ACCRUALS, f"document {accrual.number or accrual.id}", problem, remedy, is_fault=True)
    yield from _unmoved(here, closing)


def _left(some: list[_Document]) -> bool:
    """Whether the posted documents of an accrual leave anything on an account."""
    moved = Counter[str]()
    for one in some:
        for row in () if one.is_draft else one.entry_ui_rows:
            moved[row.account_number] += row.cents
    return any(moved.values())


def _unmoved(here: State, closing: Closing) -> Iterator[Finding]:
    first, last = closing.days
    days = {"date_from": first.isoformat(), "date_to": last.isoformat()}
    before = held_on(here, first - timedelta(days=1))[0]
    for account in closing.books.chart.by_id.values():
        held = rounded(closing.holds(account.number))
        if account.type not in _TYPES or not held or held != rounded(before.get(account.number, held * 0)):
            continue
        if not any(rows for rows in here.api.documents.list({**days, "account": account.id}, Extent(limit=1))):
            problem = f"{account.name} has held {held} since before {first}: was something not taken back?"
            remedy = f"acctcli account statement {account.number} --to {last}"
            yield Finding(ACCRUALS, f"account {account.number}", problem, remedy)
