"""The document that a line of a statement becomes (docs/bank.md 1)."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any

from acctcli.banking.statements.model import Line, one_line
from acctcli.cli.account.chart import Account, Chart, read_chart
from acctcli.cli.account.rates import rates_on
from acctcli.cli.command.body import check
from acctcli.cli.document.blueprints import Leg, Legs, RateOf, fill
from acctcli.cli.session.state import State
from acctcli.errors import UsageError
from acctcli.models.document import DocumentRequest

_LONGEST = 256


class Bodies:
    """Makes documents: drafts with a row that waits for an account, or postings against the account `contra`."""

    def __init__(self, here: State, contra: str | None) -> None:
        self._here = here
        self._chart: Chart | None = read_chart(here) if contra else None
        self._contra = self._chart.find(contra, "--contra") if self._chart and contra else None
        self._said: set[str] = set()
        self._rates_of = lru_cache(maxsize=400)(self._rates)

    def check(self, bank: Account) -> None:
        """Raise UsageError where a line would be posted on the bank account against itself."""
        if self._contra is not None and self._contra.id == bank.id:
            raise UsageError(f"--contra: {bank} is the bank account itself")

    def of(self, line: Line, tag: str, bank: Account) -> DocumentRequest:
        """Return the body of a line that is booked."""
        assert line.booked is not None
        said = one_line(line.name, line.text, line.structured or line.end_to_end) or line.code
        values = {
            "date": line.booked,
            "description": _with_tag(said, tag),
            "is_draft": self._contra is None,
            "blueprint": self._blueprint(line, _short(one_line(tag, line.reference)), said, bank),
        }
        return check(DocumentRequest, values)

    def _blueprint(self, line: Line, told: str, said: str, bank: Account) -> dict[str, Any]:
        amount = abs(line.amount)
        rows = [{"account_id": bank.id, "amount": amount, "description": told}]
        other = self._contra_rows(line.booked, line.amount, said) or [{"account_id": None, "amount": amount}]
        if said:
            other[0]["description"] = _short(said)
        debit, credit = (rows, other) if line.amount > 0 else (other, rows)
        return {"debet_entries": debit, "credit_entries": credit}

    def _contra_rows(self, day: date | None, amount: Decimal, said: str) -> list[dict[str, Any]]:
        """Return the row of the other account, with its own VAT code and rate on the day."""
        if self._contra is None or self._chart is None or day is None:
            return []
        leg = Leg("--contra", self._contra.number, f"id:{self._contra.id}", abs(amount))
        side = "debet" if amount < 0 else "credit"
        legs = Legs((leg,), (), ()) if amount < 0 else Legs((), (leg,), ())
        filled = fill(legs, self._chart, self._rates_of(day))
        for note in filled.notes:
            if note not in self._said:
                self._said.add(note)
                self._here.say(f"note: {note}, the account's own")
        found: list[dict[str, Any]] = filled.blueprint[f"{side}_entries"]
        return found

    def _rates(self, day: date) -> RateOf:
        return rates_on(self._here, lambda: day)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _with_tag(said: str, tag: str) -> str:
    room = _LONGEST - len(tag) - 1
    return f"{said if len(said) <= room else f'{said[: room - 1]}…'} {tag}".strip()
