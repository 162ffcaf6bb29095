"""What an account is that says no type: one of expenses, where its number is (docs/law.md 9)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from acctcli.cli.session.state import State
from acctcli.errors import UsageError
from acctcli.models.account import AccountRequest
from acctcli.models.enums import AccountType

if TYPE_CHECKING:
    from acctcli.law.statements import Scheme


class Untyped:
    """Refuses accounts of a file without a type whose numbers are none of expenses; the chart is read for the first."""

    def __init__(self, here: State) -> None:
        self._here = here
        self._income = cache(self._read)

    def __call__(self, body: object, name: object) -> None:
        """Raise UsageError for such a body."""
        if not isinstance(body, AccountRequest) or "type" in body.model_fields_set:
            return
        income = self._income()
        if income is not None and income.place(body.number, AccountType.EXP) is None:
            text = f"without a type it would be one of expenses, and {body.number} is no number of these"
            raise UsageError(f"--type: {text}", fields={"type": [text]}, hint="see: acctcli constant get account-types")

    def _read(self) -> Scheme | None:
        from acctcli.cli.account.chart import read_chart
        from acctcli.cli.business.home import Home
        from acctcli.cli.output.replies import decoded
        from acctcli.law.statements import Size

        business = decoded(self._here.api.businesses.get(self._here.business()), Home)
        chart = business.chart(read_chart(self._here).types)
        return chart.statements().income[Size.FULL] if chart and chart.statements else None
