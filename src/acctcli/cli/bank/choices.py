"""What a person or a script chooses for a line: in a terminal, or as a row of a plan (docs/bank.md 8)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from acctcli.banking.matching.candidates import Candidates, Claim, Kind
from acctcli.banking.matching.outcome import Matched, Part, Reason, Row, is_there, settles
from acctcli.banking.matching.seen import Seen
from acctcli.banking.matching.suggesting import settled_by_rows, settling
from acctcli.cli.account.chart import Chart
from acctcli.cli.bank.there import Aim
from acctcli.cli.document.blueprints import Leg, read_leg
from acctcli.cli.document.entries import units_of
from acctcli.errors import UsageError

_KEY = re.compile("(invoice|purchase) ([0-9]{1,18})")


class Choice(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One of: claims to settle, such as `invoice 12`; legs of accounts as in `document create`; a document of the line.

    Claims with legs are settled whole, and the legs are what the line is more or less. `files` are receipts to attach,
    whichever it is.
    """

    settle: list[str] = msgspec.field(default_factory=list)
    legs: list[str] = msgspec.field(default_factory=list)
    document: int | None = None
    files: list[str] = msgspec.field(default_factory=list)


class Chosen(msgspec.Struct):
    """A row of a plan: the draft, the tag of its line, and the choice; without one the draft stays as it is."""

    document: int
    identity: str
    choice: Choice | None = None


def read_plan(path: Path, content: bytes) -> Iterator[Chosen]:
    """Yield the rows of a plan, an array or one object a line; raise UsageError with the row and what is wrong."""
    is_array = content.lstrip().startswith(b"[")
    for number, rows in enumerate([content] if is_array else content.split(b"\n"), 1):
        if not rows.strip():
            continue
        try:
            yield from msgspec.json.decode(rows if is_array else b"[%b]" % rows, type=list[Chosen])
        except msgspec.DecodeError as problem:
            raise UsageError(
                f"{path} line {number}: {problem}", hint="make a plan with: acctcli bank review --output jsonl"
            ) from None


def aim_in(key: str) -> Aim | None:
    """Return what the key of a claim names, None of what is no key."""
    found = _KEY.fullmatch(key)
    return Aim(found[1], int(found[2])) if found else None


def choice_of(found: Matched) -> dict[str, Any]:
    """Return what is to be written into a plan so that a line becomes what is suggested."""
    if found.side is not None:
        return {"document": found.side.document}
    if found.claims:
        return {"settle": [claim.key for claim in found.claims]}
    sign = 1 if sum(row.cents for row in found.rows) > 0 else -1
    return {"legs": [_leg_of(row, sign) for row in found.rows]}


def chosen(seen: Seen, choice: Choice, candidates: Candidates, chart: Chart) -> Matched:
    """Return a line as what was chosen for it; raise UsageError with the field where that cannot be."""
    said = [name for name in ("settle", "legs", "document") if getattr(choice, name)]
    if said == ["settle", "legs"]:
        return _settling_beside(seen, choice, candidates, chart)
    if len(said) != 1:
        told = " and ".join(said) or "nothing"
        raise UsageError(f"choice: {told} is said, and one of settle, legs and document is needed")
    if choice.settle:
        return _settling(seen, choice.settle, candidates)
    if choice.legs:
        return on_legs(seen, [read_leg("legs", one) for one in choice.legs], candidates, chart)
    sides = [one for one in candidates.sides if one.document == choice.document and one.account == seen.account]
    if not sides or sides[0].cents != seen.cents:
        raise UsageError(f"document: {choice.document} does not move {units_of(seen.cents)} for which no line stands")
    return is_there(Reason.BOOKED, sides[0])


def on_legs(seen: Seen, legs: list[Leg], candidates: Candidates, chart: Chart) -> Matched:
    """Return a line that is booked on accounts, and settles what the legs take off those of claims that it is for."""
    found = by_legs(seen, legs, chart)
    return found._replace(parts=tuple(settled_by_rows(seen, found.rows, candidates.claims)))


def by_legs(seen: Seen, legs: list[Leg], chart: Chart, rest: int | None = None) -> Matched:
    """Return a line that is booked on accounts, which together come to its amount, or to the `rest` of it in cents.

    One may leave its amount out. Amounts are those of the line without its sign; a negative one stands on the other
    side.
    """
    whole = units_of(abs(seen.cents)) if rest is None else units_of(rest if seen.cents > 0 else -rest)
    told = sum((leg.amount for leg in legs if leg.amount is not None), Decimal(0))
    bare = [leg for leg in legs if leg.amount is None]
    if len(bare) > 1 or any(leg.is_net for leg in legs):
        raise UsageError("legs: one of them at most has no amount, and all include VAT")
    if (whole - told) * whole <= 0 if bare else told != whole:
        raise UsageError(f"legs: they come to {told}, and the {'line' if rest is None else 'rest of it'} to {whole}")
    sign = -1 if seen.cents > 0 else 1
    rows = []
    for leg in legs:
        account, amount = chart.find(leg.account, "legs"), whole - told if leg.amount is None else leg.amount
        rows.append(Row(account.id, sign * int(amount.scaleb(2)), leg.text or "", leg.code, leg.rate))
    return Matched(Reason.CHOSEN, f"on {' and '.join(leg.account for leg in legs)}", tuple(rows))


def _settling_beside(seen: Seen, choice: Choice, candidates: Candidates, chart: Chart) -> Matched:
    """Return a line that settles claims whole, with legs for what it is more or less, such as a discount."""
    claims = _claims(choice.settle, candidates)
    rest = seen.cents - sum(one.open for one in claims)
    if not rest or not all(one.is_booked and one.open * seen.cents > 0 for one in claims):
        opens = ", ".join(f"{one.title} {units_of(one.open)}" for one in claims)
        raise UsageError(f"settle: {units_of(seen.cents)} leaves nothing for legs beside {opens}")
    beside = by_legs(seen, [read_leg("legs", one) for one in choice.legs], chart, rest)
    return settles(Reason.CHOSEN, f"as you say, {beside.said}", [Part(one, one.open) for one in claims], beside.rows)


def _settling(seen: Seen, keys: list[str], candidates: Candidates) -> Matched:
    claims = _claims(keys, candidates)
    found = settling(seen, claims, "as you say", candidates.differences)
    if found is None:
        opens = ", ".join(f"{one.title} {units_of(one.open)}" for one in claims)
        raise UsageError(f"settle: {units_of(seen.cents)} cannot settle {opens}")
    if found.lacks:
        raise UsageError(
            f"settle: {found.lacks}", hint='say beside it where the rest goes, such as "legs": ["3990:1.20", "3900:40"]'
        )
    return found


def _claims(keys: list[str], candidates: Candidates) -> list[Claim]:
    """Return what the keys name; raise UsageError for what is not open, or not in the books yet."""
    known = {one.key: one for one in candidates.claims}
    if missing := [key for key in keys if key not in known]:
        is_named = all(map(aim_in, missing))
        hint = "a payment that came back is taken back: acctcli document reverse ID; the line is its document then"
        hint += "; of what was deleted since the plan was made, acctcli bank review suggests what is there instead"
        raise UsageError(
            f"settle: nothing is open of {', '.join(missing)}",
            hint=hint if is_named else "write invoice 12 or purchase 7, by their ids",
        )
    claims: list[Claim] = [known[key] for key in dict.fromkeys(keys)]
    if unposted := [one.title for one in claims if one.kind is Kind.UNPOSTED]:
        raise UsageError(f"settle: {', '.join(unposted)} is in no books yet", hint="post it first")
    return claims


def _leg_of(row: Row, sign: int) -> str:
    amount = f"id:{row.account}:{units_of(sign * row.cents)}"
    code = "" if row.vat_code is None else f"@{row.vat_code}{'' if row.vat_rate is None else f'/{row.vat_rate}'}"
    return f"{amount}{code}"
