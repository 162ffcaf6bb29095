"""Statements that are kept with the books, beside those to be imported: what lies between them (docs/bank.md 9).

A statement that does not go on with the last one is imported all the same, as the one between may come later; but
nobody should learn of it at the end of a year.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from acctcli.banking.statements.proving import Joint, Proven, joints
from acctcli.cli.account.chart import Account
from acctcli.cli.bank.filed import Filed, is_kept, read_filed, sources_of
from acctcli.cli.bank.reading import Gathered, read
from acctcli.cli.session.state import State
from acctcli.errors import AcctcliError, Incomplete


def look_beside(here: State, gathered: Gathered, accounts: Sequence[Account], *, is_again: bool) -> list[str]:
    """Return what is to be said of new statements and of those that are kept before and after them.

    Only the nearest files are read, and a file that is kept already is looked at no more. Nothing is said where they
    cannot be read. Raise Incomplete for a statement that is kept with other amounts, unless it is imported `is_again`.
    """
    try:
        kept = read_filed(here)
        known = {one.name for one in kept}
        old = {one.name for one in gathered.sources if is_kept(one, gathered, accounts, known)}
        pairs = zip(gathered.statements, accounts, strict=True)
        new = [(one, account.number) for one, account in pairs if one.file not in old and one.first and one.last]
        near = list(dict.fromkeys(_nearest(kept, new)))
        there = read(here, sources_of(here, near)).statements if near else []
    except AcctcliError:
        return []
    found = list(_beside(new, list(_numbered(there, near, new))))
    if not is_again and (wrong := next(filter(_contradicts, found), None)) is not None:
        raise Incomplete(
            f"{wrong.before.name} and {wrong.after.name} do not say the same of these days, and nothing is posted",
            hint="ask the bank which of them is right; --again posts lines that are not there yet",
        )
    return [joint.note for joint in found]


Numbered = tuple[Proven, str]


def _nearest(kept: Sequence[Filed], new: Sequence[Numbered]) -> Iterator[Filed]:
    for number in dict.fromkeys(number for _, number in new):
        first = min(one.first for one, of in new if of == number and one.first)
        own = [one for one in kept if number in one.accounts]
        yield from [one for one in own if one.first <= first][-1:]
        yield from [one for one in own if one.first > first][:1]


def _numbered(there: Sequence[Proven], near: Sequence[Filed], new: Sequence[Numbered]) -> Iterator[Numbered]:
    """Yield statements that are kept with the number of their account, where their file or their IBAN tells it."""
    of_files = {one.name: one.accounts[0] for one in near if len(one.accounts) == 1}
    of_ibans = {one.head.account: number for one, number in new}
    for one in there:
        if number := of_files.get(one.file) or of_ibans.get(one.head.account):
            yield one, number


def _beside(new: Sequence[Numbered], there: Sequence[Numbered]) -> Iterator[Joint]:
    # by their numbers: a bank may call an account by its IBAN in one format, and not at all in another
    fresh = [replace(one, head=replace(one.head, account=number)) for one, number in new]
    old = [replace(one, head=replace(one.head, account=number)) for one, number in there]
    for joint in joints([*old, *fresh]):
        if any(joint.before is one for one in old) != any(joint.after is one for one in old):
            yield joint


def _contradicts(joint: Joint) -> bool:
    """Whether the same statement has other amounts; one that a bank went on with has more lines."""
    before, after = joint.before, joint.after
    is_same = (before.first, before.last, before.head.number) == (after.first, after.last, after.head.number)
    return is_same and bool(after.head.number) and before.lines == after.lines and before.total != after.total
