"""What is paid already and a line has the reference of: for who pays twice (docs/bank.md 8)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from acctcli.banking.matching.candidates import Candidates, Claim
from acctcli.banking.matching.outcome import Matched
from acctcli.banking.matching.seen import Seen
from acctcli.banking.matching.suggesting import settling
from acctcli.banking.matching.words import reference_key
from acctcli.cli.account.chart import Chart
from acctcli.cli.bank.owed import Owed, settled_claim
from acctcli.cli.bank.there import Aim
from acctcli.cli.invoice.standing import PAID
from acctcli.cli.output.replies import read_all, reader
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent
from acctcli.errors import Forbidden


class _Referred(msgspec.Struct):
    id: int
    reference: str | None = None


_read = reader(_Referred, "an invoice")


def paid_again(here: State, owed: Owed, chart: Chart, seen: Seen, candidates: Candidates) -> list[Matched]:
    """Return a line as what pays too much of what has its reference and is paid, where nothing open has that."""
    if seen.is_reversal or any(seen.references & claim.references for claim in candidates.claims):
        return []
    try:
        claims = list(_settled(here, owed, chart, seen))
    except Forbidden:
        return []
    some = (settling(seen, [one], f"its reference, and {one.title} is paid", candidates.differences) for one in claims)
    return [one for one in some if one is not None]


def _settled(here: State, owed: Owed, chart: Chart, seen: Seen) -> Iterator[Claim]:
    comes_in = seen.cents > 0
    resource = here.api.invoices if comes_in else here.api.purchase_invoices
    paid = {"status": PAID} if comes_in else {"is_paid": True}
    for reference in sorted(seen.references):
        for one in read_all(resource.list({**paid, "search": reference}, Extent(limit=None)), _read):
            aim = Aim("invoice" if comes_in else "purchase", one.id)
            claim = settled_claim(here, owed, chart, aim) if reference_key(one.reference) == reference else None
            if claim is not None:
                yield claim
