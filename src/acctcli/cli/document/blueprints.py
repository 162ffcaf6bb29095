"""Blueprints as people write them: `--debit 1910 --credit 3000:125.50@1/25.5` (docs/interface.md 5.2).

A leg is an account by number (or `id:57`), alone or with an amount:

    1910                    takes the balance of the other side
    3000:125.50             an amount with VAT, by the account's own VAT code and its rate on the day of the document
    3000:125.50@1           this VAT code, at the account's own rate on that day
    3000:125.50@1/25.5      this VAT code and rate; @3 is no VAT
    3000:100+vat@1/25.5     the amount is without VAT, which comes on top
    8500:2.90=Card fee      a text for the entry, always last
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from acctcli.cli.account.chart import PATTERN, Account, Chart
from acctcli.cli.account.words import vat_in_words
from acctcli.cli.command.local_forms import number_of
from acctcli.cli.document.entries import BEARS_VAT, gross_sum, units_of
from acctcli.errors import UsageError
from acctcli.law.vat_codes import NO_VAT

# from the label of an account's VAT rate to the rate in percent
RateOf = Callable[[str | None], Decimal]

_LAST_CODE = 15
_FORMS = (
    "write 3000:125.50, or 3000:125.50@1/25.5 with VAT code and rate; "
    "3000:100+vat puts VAT on top, 8500:2.90=Fee adds a text"
)
_LEG = re.compile(
    rf"(?P<account>{PATTERN})(?::(?P<amount>-?[0-9]{{1,17}}(?:\.[0-9]{{1,2}})?)(?P<net>\+vat)?"
    r"(?:@(?P<code>[0-9]{1,2})(?:/(?P<rate>[0-9]{1,3}(?:\.[0-9]{1,2})?))?)?(?:=(?P<text>.+))?)?",
    re.ASCII | re.DOTALL,
)
# the same, with numbers in whatever form
_LOCAL = re.compile(
    rf"(?P<account>{PATTERN}):(?P<amount>[^@=]*?)(?P<net>\+vat)?(?:@(?P<code>[0-9]{{1,2}})(?:/(?P<rate>[^=]+))?)?"
    r"(?P<text>=.+)?",
    re.ASCII | re.DOTALL,
)


class Leg(NamedTuple):
    """One --debit, --credit or --expense; without an amount it takes the balance of the other side."""

    option: str
    written: str
    account: str
    amount: Decimal | None = None
    is_net: bool = False
    code: int | None = None
    rate: Decimal | None = None
    text: str | None = None

    def __str__(self) -> str:
        return f"{self.option} {self.written}"


class Legs(NamedTuple):
    """The legs of a document by side."""

    debit: tuple[Leg, ...]
    credit: tuple[Leg, ...]
    expense: tuple[Leg, ...]


def read_legs(debit: list[str] | None, credit: list[str] | None, expense: list[str] | None) -> Legs | None:
    """Read the three options; None when none was given."""
    if not (debit or credit or expense):
        return None
    sides = (("--debit", debit), ("--credit", credit), ("--expense", expense))
    return Legs(*(tuple(read_leg(option, one) for one in written or ()) for option, written in sides))


def read_leg(option: str, written: str) -> Leg:
    """Read an account as the module says; raise UsageError for what is none."""
    match = _LEG.fullmatch(written)
    if match is None:
        raise UsageError(f"{option} {written!r} cannot be read{_in_our_form(written)}", hint=_FORMS)
    amount, code, rate = match["amount"], match["code"], match["rate"]
    if amount and not Decimal(amount):
        raise UsageError(f"{option} {written!r}: an amount of 0 posts nothing", hint=f"leave it out, or {_FORMS}")
    if code is not None and int(code) > _LAST_CODE:
        raise UsageError(f"{option} {written!r}: there is no VAT code {code}", hint=f"they go from 0 to {_LAST_CODE}")
    return Leg(
        option,
        written,
        match["account"],
        Decimal(amount) if amount else None,
        match["net"] is not None,
        int(code) if code else None,
        Decimal(rate) if rate else None,
        match["text"],
    )


def _in_our_form(written: str) -> str:
    """Return what to write instead of a leg with numbers as people write them; nothing where that is not certain."""
    match = _LOCAL.fullmatch(written)
    if match is None:
        return ""
    amount, rate = number_of(match["amount"]), number_of(match["rate"] or "0")
    if amount is None or rate is None:
        return ""
    behind = f"@{match['code']}{f'/{rate}' if match['rate'] else ''}" if match["code"] else ""
    form = f"{match['account']}:{amount}{match['net'] or ''}{behind}{match['text'] or ''}"
    return f"; write {form}" if _LEG.fullmatch(form) else ""


def check_shape(legs: Legs, *, posts: bool, is_part: bool = False) -> None:
    """Raise UsageError unless the legs make a sale, a purchase or a posting by hand.

    A draft may lack a side, and so may a part: the document that is there has the other.
    """
    lone_debit, lone_credit = _lone(legs.debit), _lone(legs.credit)
    if lone_debit and lone_credit:
        raise UsageError(f"neither {lone_debit} nor {lone_credit} has an amount", hint=_FORMS)
    if legs.expense and not lone_debit and (legs.debit or not is_part):
        raise UsageError(
            f"{legs.expense[0]}: an expense is taken out of what one account receives",
            hint="give that account without an amount, such as --debit 1910",
        )
    for leg in legs.expense:
        if leg.amount is None:
            raise UsageError(f"{leg} has no amount", hint=_FORMS)
    if posts and not is_part and not (legs.debit and legs.credit):
        raise _missing("--debit" if legs.credit else "--credit")


def check_sides(blueprint: Mapping[str, Any], *, posts: bool) -> None:
    """Raise UsageError for a blueprint that would post nothing, though it names accounts."""
    alone = [blueprint.get(f"{side}_account_id") is not None for side in ("debet", "credit")]
    if all(alone):
        raise UsageError("neither side of the document would have an amount", hint=_FORMS)
    for option, side, is_alone in zip(("--debit", "--credit"), ("debet", "credit"), alone, strict=True):
        if posts and not is_alone and not blueprint.get(f"{side}_entries"):
            raise _missing(option)


def _missing(option: str) -> UsageError:
    return UsageError(f"{option} is missing: a document has two sides", hint="a --draft may be unfinished")


def _lone(side: tuple[Leg, ...]) -> Leg | None:
    """Return the leg that takes the balance; there is room for nothing else beside it."""
    lone = next((leg for leg in side if leg.amount is None), None)
    if lone is not None and len(side) > 1:
        raise UsageError(
            f"{lone} has no amount, so it takes the balance and stands alone on its side",
            hint=f"give it an amount, or leave out {next(str(leg) for leg in side if leg is not lone)}",
        )
    return lone


class Filled(NamedTuple):
    """A blueprint of the interface, and in words what VAT was taken from accounts."""

    blueprint: dict[str, Any]
    notes: list[str]


def fill(legs: Legs, chart: Chart, rate_of: RateOf, *, has_own_vat: bool = True) -> Filled:
    """Make the blueprint; `rate_of` tells the rate in percent behind a label of the accounts on the day.

    `has_own_vat` says that legs without a VAT code take that of their account.
    """
    if not has_own_vat:
        legs = Legs(*(tuple(leg._replace(code=NO_VAT) if leg.code is None else leg for leg in side) for side in legs))
    filled = Filled({}, [])
    for side, found in (("debet", legs.debit), ("credit", legs.credit), ("expense", legs.expense)):
        if (lone := _lone(found)) is not None:
            filled.blueprint[f"{side}_account_id"] = _without_vat(lone, chart, has_own_vat=has_own_vat).id
        elif found:
            filled.blueprint[f"{side}_entries"] = [_row(leg, chart, rate_of, filled.notes) for leg in found]
    return filled


def _without_vat(lone: Leg, chart: Chart, *, has_own_vat: bool) -> Account:
    """Return the account that takes the balance, without VAT; raise UsageError for one whose postings have VAT."""
    account = chart.find(lone.account, lone.option)
    if has_own_vat and account.default_vat_code in BEARS_VAT and account.default_vat_rate != 0:
        raise UsageError(
            f"{lone} takes the balance, which has no VAT, and the VAT code of {account} is {account.default_vat_code}",
            hint=f"give the amount there, {lone}:125.50, and none to the account of the money; {lone}:125.50@{NO_VAT} "
            "is without VAT",
        )
    return account


def _row(leg: Leg, chart: Chart, rate_of: RateOf, notes: list[str]) -> dict[str, Any]:
    account = chart.find(leg.account, leg.option)
    code, rate = _vat(leg, account, rate_of)
    if leg.is_net and code not in BEARS_VAT:
        raise UsageError(
            f"{leg}: VAT code {code} adds no VAT", hint="leave out +vat, or name code and rate, like +vat@1/25.5"
        )
    own = vat_in_words(str(code), str(rate)) if leg.code is None else ""
    if own and (note := f"{account}: VAT code {own}") not in notes:
        notes.append(note)
    row = {"account_id": account.id, "vat_code": code, "vat_rate": rate, "amount": leg.amount}
    return row | ({"vat_method": 1} if leg.is_net else {}) | ({"description": leg.text} if leg.text else {})


def _vat(leg: Leg, account: Account, rate_of: RateOf) -> tuple[int, Decimal]:
    """Return VAT code and rate in percent: those written, else the account's own."""
    code = leg.code if leg.code is not None else account.default_vat_code or NO_VAT
    if leg.rate is not None or code not in BEARS_VAT:
        return code, leg.rate or Decimal(0)
    rate = rate_of(account.default_vat_rate_label)
    if not rate and leg.code is not None:
        raise UsageError(
            f"{leg}: account {account} has no VAT rate of its own",
            hint=f"write the rate too: {leg.account}:{leg.amount}@{code}/25.5",
        )
    return code, rate


def check_balance(blueprint: dict[str, Any]) -> None:
    """Raise UsageError when both sides have rows and come to different sums, VAT included."""
    sides = [blueprint.get(f"{side}_entries") or [] for side in ("debet", "credit")]
    debit, credit = map(gross_sum, sides)
    if all(sides) and debit != credit:
        raise UsageError(
            f"--debit comes to {units_of(debit)} and --credit to {units_of(credit)}, VAT included: "
            f"they differ by {units_of(abs(debit - credit))}",
            hint="leave out the amount of the account that takes the balance",
        )
