"""Which of several offers each line takes: only what follows, whatever order the lines come in (docs/bank.md 6)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from acctcli.banking.matching.outcome import Matched

Offers = Mapping[str, Sequence[Matched]]
# what no two lines can take both: a claim, or a document
Taken = str


def taken_by(offer: Matched) -> frozenset[Taken]:
    """Return what an offer uses up."""
    documents = () if offer.side is None else (f"document {offer.side.document} {offer.side.account}",)
    return frozenset((*(part.claim.key for part in offer.parts), *documents))


def forced(offers: Offers) -> tuple[dict[str, Matched], set[str]]:
    """Return what each line takes for certain, and the lines for which that cannot be told.

    Lines that compete for anything are looked at together: they take something only if there is one way for all of
    them to take something. A line left over may be the one that was for it.
    """
    found: dict[str, Matched] = {}
    unsure: set[str] = set()
    for group in _groups(offers):
        way = _only_way({key: list(offers[key]) for key in group})
        if way is None:
            unsure |= group
        else:
            found |= way
    return found, unsure


def _groups(offers: Offers) -> Iterable[set[str]]:
    """Yield the lines that compete, directly or through others."""
    wanted = defaultdict[Taken, set[str]](set)
    for key, some in offers.items():
        for offer in some:
            for one in taken_by(offer):
                wanted[one].add(key)
    seen: set[str] = set()
    for key in offers:
        if key in seen:
            continue
        group, ring = set[str](), {key}
        while ring:
            group |= ring
            uses = {one for near in ring for offer in offers[near] for one in taken_by(offer)}
            ring = {near for one in uses for near in wanted[one]} - group
        seen |= group
        yield group


def _only_way(offers: dict[str, list[Matched]]) -> dict[str, Matched] | None:
    """Let lines with one offer take it until none is left; None where some line ends without, or with several."""
    found: dict[str, Matched] = {}
    used: set[Taken] = set()
    while offers:
        single = [key for key, some in offers.items() if len(some) == 1]
        if not single:
            return None
        for key in single:
            (offer,) = offers.pop(key)
            if taken_by(offer) & used:
                return None
            found[key] = offer
            used |= taken_by(offer)
        offers = {key: [one for one in some if not taken_by(one) & used] for key, some in offers.items()}
        if not all(offers.values()):
            return None
    return found
