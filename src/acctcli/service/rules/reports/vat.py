"""The VAT report: what was sold and bought by VAT code, and what is owed (wire facts 4.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from acctcli.filing.germany import VatGroup, kz_from_groups
from acctcli.models.enums import AccountType
from acctcli.service.rules.money import from_cents, rate_text
from acctcli.service.rules.vat import INPUT_VAT, OUTPUT_VAT, REVERSE_CHARGE, VAT_CODES
from acctcli.service.rules.vat_sums import VatMovement, vat_sums

SALES = {
    "zero_rated_sales": (4,),
    "eu_goods_sales": (5,),
    "eu_service_sales": (6,),
    "non_eu_sales": (12, 13),
    "construction_sales": (10,),
}
PURCHASES = {
    "eu_goods_purchases": (7,),
    "eu_service_purchases": (8,),
    "import_goods": (9, 15),
    "non_eu_service_purchases": (14,),
    "construction_purchases": (11,),
}
SALE_CODES = frozenset(code.value for code in VAT_CODES if code.is_sale)
DEDUCTIBLE = REVERSE_CHARGE | {INPUT_VAT}
OUTPUT, INPUT = AccountType.LIA_VAT, AccountType.ASS_VAT


class CodeSums(NamedTuple):
    """What was posted under one code and rate, in cents.

    `base` is signed towards the side of the code: credit less debit for sales, else debit less credit. `output` is
    credit less debit on LIA_VAT accounts, `input` debit less credit on ASS_VAT accounts.
    """

    code: int
    rate: int
    base: int
    output: int
    input: int


def sums_by_code(movements: Iterable[VatMovement]) -> list[CodeSums]:
    """Add up movements by code and rate, in that order."""
    found: dict[tuple[int, int], dict[AccountType | None, int]] = {}
    for movement in movements:
        debits = found.setdefault((movement.vat_code, movement.vat_rate), {None: 0, OUTPUT: 0, INPUT: 0})
        debits[movement.vat_account] += movement.cents if movement.is_debit else -movement.cents
    return [
        CodeSums(code, rate, -debits[None] if code in SALE_CODES else debits[None], -debits[OUTPUT], debits[INPUT])
        for (code, rate), debits in sorted(found.items())
    ]


def finnish_summary(movements: Sequence[VatMovement]) -> dict[str, Any]:
    """Return the groups of the Finnish report in currency units; they add up to `vat_payable`.

    Adjustments are movements on the VAT accounts without a VAT code, and whatever else stands on an account where
    its code has no VAT. Where services were bought outside the EU, they are also told by rate: their tax goes into the
    box of its rate.
    """
    sums = sums_by_code(movements)
    domestic = [one for one in sums if one.code == OUTPUT_VAT]
    deductible = sum(one.input for one in sums if one.code in DEDUCTIBLE)
    owed = sum(one.output - one.input for one in domestic) + sum(one.output for one in sums if _is_reversed(one))
    payable = vat_sums(movements).payable
    return {
        "domestic_sales": {rate_text(one.rate): _group(one.base, one.output - one.input) for one in domestic},
        **{name: from_cents(sum(one.base for one in sums if one.code in codes)) for name, codes in SALES.items()},
        **{name: _bought([one for one in sums if one.code in codes]) for name, codes in PURCHASES.items()},
        **_by_rate("non_eu_service_purchases", sums),
        "adjustments": from_cents(payable - owed + deductible),
        "deductible_vat": from_cents(deductible),
        "vat_payable": from_cents(payable),
    }


def _is_reversed(sums: CodeSums) -> bool:
    return sums.code in REVERSE_CHARGE


def _bought(sums: Sequence[CodeSums]) -> dict[str, Decimal]:
    return _group(sum(one.base for one in sums), sum(one.output for one in sums))


def _by_rate(name: str, sums: Sequence[CodeSums]) -> dict[str, dict[str, dict[str, Decimal]]]:
    """Return what a group of purchases is made of; nothing where it is empty."""
    found = {rate_text(one.rate): _bought([one]) for one in sums if one.code in PURCHASES[name]}
    return {f"{name}_by_rate": found} if found else {}


def _group(base: int, vat: int) -> dict[str, Decimal]:
    return {"base": from_cents(base), "vat": from_cents(vat)}


def german_figures(movements: Sequence[VatMovement]) -> dict[str, dict[str, Decimal]]:
    """Return `totals` by name and `mapping` by Kennzahl, in currency units.

    `totals` hold output and input VAT, what is owed, and by name what of it stands on no line of the form.
    """
    declared = kz_from_groups(
        VatGroup(one.code, from_cents(one.rate), *map(from_cents, (one.base, one.output, one.input)))
        for one in sums_by_code(movements)
    )
    sums = vat_sums(movements)
    totals = {
        "output_vat": from_cents(sums.liabilities),
        "input_vat": from_cents(sums.receivables),
        **declared.undeclared,
        "vat_payable": from_cents(sums.payable),
    }
    return {"totals": totals, "mapping": declared.kz}
