"""What sales invoices do to the books: a blueprint for each step of their lives (docs/interface.md 7.5).

Amounts are cents of either sign: what a credit note takes back is posted on the other side.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from acctcli.law.vat_codes import NO_VAT, OUTPUT_VAT
from acctcli.models.enums import VatRateLabel
from acctcli.service.rules.blueprint import Blueprint, BlueprintRow
from acctcli.service.rules.money import WHOLE, divide_half_away

LONGEST_NAME = 256


class Sold(NamedTuple):
    """A row of an invoice as the books take it: `net` without VAT."""

    account_id: int
    net: int
    vat_code: int
    vat_rate: int
    name: str


class SalesAccount(NamedTuple):
    """An account that sales may go to."""

    id: int
    vat_code: int
    rate_label: str
    is_shown: bool


class HeldAt(NamedTuple):
    """An account of money, with what people wrote about it."""

    id: int
    told: str
    is_shown: bool


def sale(debit_account_id: int, rows: Iterable[Sold], vat_account_id: int | None, vats: Mapping[int, int]) -> Blueprint:
    """Sell: the customer owes it, or the bank has it.

    Rows of one account, code and rate are one. `vats` is the VAT by rate; cents that the rows do not come to, each with
    its own VAT, are posted to the account of VAT.
    """
    grouped: dict[tuple[int, int, int], list[Sold]] = {}
    for row in rows:
        grouped.setdefault((row.account_id, row.vat_code, row.vat_rate), []).append(row)
    left = dict(vats)
    sold = []
    for (account_id, code, rate), alike in grouped.items():
        net = sum(row.net for row in alike)
        vat = divide_half_away(net * rate, WHOLE) if code == OUTPUT_VAT else 0
        if vat:
            left[rate] -= vat
        sold.append(BlueprintRow(account_id, net + vat, code, rate, False, _names(alike)))
    cents = (BlueprintRow(vat_account_id, rest, OUTPUT_VAT, rate) for rate, rest in left.items() if rest)
    return Blueprint(debit_account_id=debit_account_id, credit_rows=(*sold, *cents))


def part(rows: Sequence[Sold], vats: Mapping[int, int], before: int, after: int) -> tuple[list[Sold], dict[int, int]]:
    """Return what of a sale is brought by the payments that lead from one amount paid to another.

    Each amount has its share of every net and VAT, so that the parts add up to the sale to the cent.
    """
    low, high = _reached(rows, vats, before), _reached(rows, vats, after)
    nets = (now - then for now, then in zip(high[0], low[0], strict=True))
    sold = [row._replace(net=net) for row, net in zip(rows, nets, strict=True)]
    return sold, {rate: high[1][rate] - low[1][rate] for rate in vats}


def _reached(rows: Sequence[Sold], vats: Mapping[int, int], amount: int) -> tuple[list[int], dict[int, int]]:
    """Return the nets and the VAT by rate that belong to an amount; cents left over go to the largest net."""
    whole = sum(row.net for row in rows) + sum(vats.values())
    size, sign = abs(whole), 1 if whole > 0 else -1
    nets = [divide_half_away(row.net * amount * sign, size) for row in rows]
    taxes = {rate: divide_half_away(vat * amount * sign, size) for rate, vat in vats.items()}
    largest = max(range(len(rows)), key=lambda place: abs(rows[place].net))
    nets[largest] += amount - sum(nets) - sum(taxes.values())
    return nets, taxes


def _names(rows: Iterable[Sold]) -> str:
    """Return what rows are called, each name once, as long as a row of a document may be."""
    text = ", ".join(dict.fromkeys(row.name for row in rows))
    return text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…"


def settlement(bank_id: int, receivables_id: int, total: int) -> Blueprint:
    """Pay what was owed."""
    return Blueprint(debit_account_id=bank_id, credit_rows=(BlueprintRow(receivables_id, total),))


Key = tuple[int, int]


def key_of(vat_code: int, vat_rate: int) -> Key:
    """Return what VAT is taken back by: only code 1 makes VAT to take back, all else is one share without VAT."""
    return (vat_code, vat_rate) if vat_code == OUTPUT_VAT else (NO_VAT, 0)


class Share(NamedTuple):
    """What of an amount, VAT included, belongs to a VAT code and rate."""

    vat_code: int
    vat_rate: int
    total: int


def shares(amount: int, sold: Iterable[tuple[int, int, int]]) -> list[Share]:
    """Share out an amount by code and rate of what was sold, `(code, rate, total)`; cents left go to the largest."""
    totals: dict[Key, int] = {}
    for code, rate, total in sold:
        key = key_of(code, rate)
        totals[key] = totals.get(key, 0) + total
    whole = sum(totals.values())
    found = {key: divide_half_away(amount * total, whole) for key, total in totals.items()}
    largest = max(totals, key=lambda key: abs(totals[key]))
    found[largest] += amount - sum(found.values())
    return [Share(*key, found[key]) for key in sorted(found) if found[key]]


def loss(bad_debts_id: int, receivables_id: int, lost: Sequence[Share]) -> Blueprint:
    """Write off what was owed: a sale taken back by its rates, with the loss in place of the sales account."""
    debits = tuple(BlueprintRow(bad_debts_id, one.total, one.vat_code, one.vat_rate) for one in lost)
    return Blueprint(debit_rows=debits, credit_rows=(BlueprintRow(receivables_id, sum(one.total for one in lost)),))


def sales_account(accounts: Sequence[SalesAccount], vat_code: int, rate_label: str | None = None) -> int | None:
    """Return the account for a row that names none: the first that is meant for its VAT code, else the first.

    Those that are shown come before those that are hidden, then of those meant for the code the one of the row's rate,
    then that of the standard rate, before the others; `accounts` stand in the order of their numbers.
    """

    def lacks(account: SalesAccount) -> tuple[bool, bool, bool, bool]:
        is_other = account.vat_code != vat_code
        label = account.rate_label
        is_unlike, is_reduced = label != rate_label, label != VatRateLabel.STANDARD
        return is_other, not account.is_shown, not is_other and is_unlike, not is_other and is_reduced

    found = min(accounts, key=lacks, default=None)
    return None if found is None else found.id
