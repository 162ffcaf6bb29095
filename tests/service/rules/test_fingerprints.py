"""The lines that digests are taken of, written by hand as docs/interface.md 3.6 has them."""

from __future__ import annotations

from hashlib import sha256

from acctcli.service.rules.fingerprints import Entries
from tests.service.rules.reports.chart import IDS, chart, moved


def of(*lines: str) -> str:
    return sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def number(kind: str) -> int:
    return 1000 + {str(one.value): place for one, place in IDS.items()}[kind]


def test_a_ledger_opens_with_debit_less_credit_whatever_side_an_account_is_on() -> None:
    accounts = chart(ASS=300, LIA_EQU=250)
    bank, equity, sales, costs = (number(kind) for kind in ("ASS", "LIA_EQU", "REV_SAL", "EXP"))
    entries = Entries(accounts)
    journal = entries.take(
        [
            ("2026-03-02", "260302-1", bank - 1000, 1, 1255, 3, 0),
            ("2026-03-02", "260302-1", sales - 1000, 0, 1255, 1, 2550),
            ("2026-03-03", "260303-1", None, 0, 0, 0, 0),
        ]
    )
    assert journal == of(
        f"2026-03-02 260302-1 {bank} D 1255 3 0",
        f"2026-03-02 260302-1 {sales} C 1255 1 2550",
        "2026-03-03 260303-1",
    )
    before, of_period = moved(ASS=50, LIA_EQU=-70, REV_SAL=-999), moved(REV_SAL=-20, EXP=20)
    lines = {bank: "350 1255 0", equity: "-320 0 0", sales: "-20 0 1255", costs: "20 0 0"}
    assert entries.ledger(accounts, before, of_period) == of(*(f"{one} {lines[one]}" for one in sorted(lines)))
