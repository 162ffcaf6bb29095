"""The steps by which lines are matched, the surest first (docs/bank.md 6)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, groupby

from acctcli.banking.matching.amounts import by_rule, exactly, nearly
from acctcli.banking.matching.candidates import Candidates, Claim, Differences, Kind, Rule, Side
from acctcli.banking.matching.forced import forced, taken_by
from acctcli.banking.matching.index import Index, contradicts
from acctcli.banking.matching.outcome import (
    Left,
    Matched,
    Outcome,
    Part,
    Reason,
    is_over,
    is_there,
    settles,
)
from acctcli.banking.matching.own import own_transfers
from acctcli.banking.matching.posted import AWAY, Documents
from acctcli.banking.matching.seen import TAKES_BACK, Seen

# of more open claims of one payer, some would come to any amount
_MOST_CLAIMS, _MOST_PARTS = 8, 6
# so many claims are noted in a document, with numbers of up to five digits
_MOST_OF_BATCH = 25
_MAY_BE = "has its amount, and nothing tells whether it is this"


def match(lines: Iterable[Seen], candidates: Candidates) -> dict[str, Outcome]:
    """Return the outcome of each line, by its key.

    The order of the lines of a day makes no difference, and no claim is settled beyond what is open of it, but for what
    one payment with its reference brings too much.
    """
    found = _Matching(lines, candidates)
    for step in (found.reversals, found.payments, found.transfers, found.references, found.numbers):
        step()
    for step in (found.amounts, found.several, found.parts, found.rules):
        step()
    return found.outcomes


def by_rules(seen: Seen, rules: Sequence[Rule], accounts: Differences) -> Outcome | None:
    """Return what a line is by the rules that are for it, where nothing else is; None without any."""
    if len({rule.books for rule in rules}) > 1:
        return Left(f"rules contradict each other: {', '.join(one.title for one in rules)}")
    if not rules:
        return None
    found = by_rule(seen, rules[0], accounts)
    return Left(found.lacks) if found.lacks else found


class _Matching:
    """Lines, what is still open of claims, and claims of which nobody can tell which line is for them."""

    def __init__(self, lines: Iterable[Seen], candidates: Candidates) -> None:
        self._lines = sorted(lines, key=lambda one: (one.day, one.key))
        self._index = Index(candidates)
        self._accounts = candidates.differences
        self._transit = candidates.transit
        self._open = {one.key: one.open for one in candidates.claims}
        self._contested: set[str] = set()
        self._documents = Documents(self._lines, self._index)
        # lines that bring more than the claim of their reference, whose customer owes more
        self._too_much: list[tuple[Seen, Claim, Outcome]] = []
        self.outcomes: dict[str, Outcome] = {}

    # --- the steps ---

    def reversals(self) -> None:
        """Leave what takes a payment back: which one, and what then, is for a person to say."""
        for seen in self._lines:
            if seen.is_reversal:
                self.outcomes[seen.key] = Left(TAKES_BACK)

    def payments(self) -> None:
        """Match lines with payments of our own files, which the bank carries the ids of."""
        for seen in self._left():
            sides, claims = self._index.paid(seen), self._index.handed(seen)
            if seen.batch and claims:
                self._settle(seen, self._as_batch(seen, claims))
            elif len(sides) + len(claims) > 1:
                left = Left("it names several payments of files", tuple(claims), may_be_there=bool(sides))
                self._settle(seen, left)
            elif sides:
                self._settle(seen, self._as_paid(seen, sides[0]))
            elif claims:
                self._settle(seen, self._as_handed(seen, claims[0]))

    def _as_paid(self, seen: Seen, side: Side) -> Outcome:
        if self._documents.is_taken(side):
            return Left(f"{side.title} is {side.payment}, and another line is it")
        if (side.account, side.cents) != (seen.account, seen.cents):
            return Left(f"{side.title} is {side.payment}, with another amount or account", may_be_there=True)
        return is_there(Reason.PAYMENT, side)

    def _as_handed(self, seen: Seen, claim: Claim) -> Outcome:
        owed = self._open[claim.key]
        if seen.cents == claim.handed and abs(owed) >= abs(seen.cents) and owed * seen.cents > 0:
            return settles(Reason.PAYMENT, f"{claim.payment} for {claim.title}", [Part(claim, seen.cents)])
        return Left(f"{claim.payment} is of another amount, or less is open of {claim.title}", (claim,))

    def _as_batch(self, seen: Seen, claims: Sequence[Claim]) -> Outcome:
        total, number = sum(one.handed for one in claims), len(claims)
        is_open = all(abs(one.handed) <= abs(self._open[one.key]) for one in claims)
        told = f"{seen.batch}, of {number} payment{'s' if number > 1 else ''}"
        if number > _MOST_OF_BATCH:
            return Left(f"{told}: more than the {_MOST_OF_BATCH} that one document settles")
        if total == seen.cents and is_open:
            return settles(Reason.PAYMENT, told, [Part(one, one.handed) for one in claims])
        return Left(f"{seen.batch} is of another amount, or less is open of what it pays", tuple(claims))

    def transfers(self) -> None:
        """Match lines whose other side is an own account."""
        found = own_transfers(list(self._left()), self._index, self._transit, self._accounts)
        for seen in list(self._left()):
            if seen.key in found:
                self._settle(seen, found[seen.key])

    def references(self) -> None:
        """Match lines by references with good check digits: all that is open, a part, or too much."""
        alone = defaultdict[str, list[tuple[Seen, Claim]]](list)
        offers, doubtful = {}, []
        for seen in self._not_there():
            claims = [one for one in self._index.with_reference(seen) if self._goes_to(seen, one)]
            if len(claims) == 1 and self._all_else_is_of(seen, claims[0]):
                doubtful.append((seen, claims[0]))
            elif len(claims) == 1:
                alone[claims[0].key].append((seen, claims[0]))
            elif claims:
                offers[seen.key] = self._of_one_reference(seen, claims)
                if not offers[seen.key]:
                    self._leave(seen, "the reference is that of several, and the amount of none or several", claims)
        self._take(offers, "several have its reference")
        for some in alone.values():
            self._of_one_claim(some, Reason.REFERENCE, lambda claim: f"reference of {claim.title}")
        for seen, claim in doubtful:
            # another line may have paid what it seemed to be meanwhile
            if meant := self._all_else_is_of(seen, claim):
                others = " or ".join(one.title for one in meant)
                self._leave(seen, f"it has the reference of {claim.title}, and all else of {others}", [claim, *meant])
            else:
                self._of_one_claim([(seen, claim)], Reason.REFERENCE, lambda claim: f"reference of {claim.title}")
        self._take(self._with_others(), "several of its customer come to it, too")

    def numbers(self) -> None:
        """Match lines by the numbers of invoices in their texts: the amount has to be theirs too, or the payer."""
        alone = defaultdict[str, list[tuple[Seen, Claim]]](list)
        offers = {}
        for seen in self._not_there():
            claims = [one for one in self._index.named(seen) if self._may_be(seen, one)]
            exact = self._exact(seen, claims, Reason.NUMBER, "number of")
            whole = self._all_of(seen, claims, Reason.NUMBER, "numbers of") if len(claims) > 1 else []
            payer = {one.key for one in self._index.of_payer(seen)}
            if exact or whole:
                offers[seen.key] = [*exact, *whole]
            elif len(claims) == 1 and claims[0].key in payer:
                alone[claims[0].key].append((seen, claims[0]))
            elif claims:
                self._leave(seen, "it names what it is not the amount of", claims)
        for some in alone.values():
            others = [key for key, found in offers.items() if any(some[0][1].key in taken_by(one) for one in found)]
            if others:
                # one of them is all that is open, so that nothing is left for a part
                self._contest([seen for seen, _ in some], [some[0][1]], "another line names it, too, and is all of it")
                continue
            self._of_one_claim(some, Reason.NUMBER, lambda claim: f"number of {claim.title}, and its payer")
        self._take(offers, "others name the same, or it names several")

    def amounts(self) -> None:
        """Match lines that are all that is open of one claim, and from whoever owes it, or that somebody posted.

        Both at once: what has the amount of an invoice and of a payment that is there may be either.
        """
        offers = {}
        for seen in self._left():
            sides = self._documents.of(seen)
            # steps before have left to this one what a document names, too
            told = [*self._index.with_reference(seen), *self._index.named(seen)] if sides else []
            some = dict.fromkeys([*self._index.of_payer(seen), *told])
            claims = [one for one in some if self._may_be(seen, one) and one.day <= seen.day]
            near = [one for one in self._documents.near(seen) if one.other is None]
            if back := next((one for one in near if one.takes_back), None):
                self._leave(seen, f"{back.title} takes a payment back, and nothing tells whether it is this", claims)
                continue
            exact = self._exact(seen, claims, Reason.AMOUNT, "amount and payer of")
            offers[seen.key] = [*exact, *(is_there(Reason.BOOKED, one) for one in sides)]
        self._take(offers, "several claims, documents or lines of this payer have the amount")

    def several(self) -> None:
        """Match lines that several claims on their payer come to, in one way only."""
        offers = {}
        for seen in self._left():
            claims = [one for one in self._index.of_payer(seen) if self._may_be(seen, one) and one.day <= seen.day]
            claims = [one for one in claims if one.is_booked and not one.currency]
            if 1 < len(claims) <= _MOST_CLAIMS:
                offers[seen.key] = self._sums(seen, claims)
        self._take(offers, "several sets of claims on this payer come to it")

    def parts(self) -> None:
        """Match all lines of a payer, where they come to the one claim on the payer that is open."""
        alone = defaultdict[str, list[tuple[Seen, Claim]]](list)
        for seen in self._left():
            claims = [one for one in self._index.of_payer(seen) if self._goes_to(seen, one)]
            if len(claims) == 1 and self._may_be(seen, claims[0]) and claims[0].day <= seen.day:
                alone[claims[0].key].append((seen, claims[0]))
        for some in alone.values():
            claim = some[0][1]
            owed = self._open[claim.key]
            if 1 < len(some) <= _MOST_PARTS and sum(seen.cents for seen, _ in some) == owed and claim.is_booked:
                for seen, _ in some:
                    said = f"{len(some)} payments come to what is open of {claim.title}"
                    self._settle(seen, settles(Reason.PARTS, said, [Part(claim, seen.cents)]))

    def rules(self) -> None:
        """Book by the user's rules what nothing else is for, and mark what is left though a document may be it."""
        left = [one for one in self._lines if not isinstance(self.outcomes.get(one.key), Matched)]
        doubted = self._documents.doubted(left)
        for seen in left:
            outcome, side = self.outcomes.get(seen.key), doubted.get(seen.key)
            what = self._index.come_to(seen) if side is None else side.title
            if outcome is None and (what is None or (side is not None and abs(side.day - seen.day) > AWAY)):
                outcome = self._by_rules(seen)
            if what is not None and not isinstance(outcome, Matched):
                told = Left(f"{what} {_MAY_BE}") if outcome is None else outcome
                outcome = told._replace(may_be_there=True)
            self.outcomes[seen.key] = outcome or self._nothing(seen)

    def _by_rules(self, seen: Seen) -> Outcome | None:
        return by_rules(seen, self._index.rules_for(seen), self._accounts)

    # --- what they share ---

    def _left(self) -> Iterator[Seen]:
        """Yield the lines without an outcome."""
        return (one for one in self._lines if one.key not in self.outcomes)

    def _not_there(self) -> Iterator[Seen]:
        """Yield the lines without an outcome of which no document is, which `amounts` looks at with what is open."""
        return (one for one in self._left() if not self._documents.of(one))

    def _goes_to(self, seen: Seen, claim: Claim) -> bool:
        """Whether something is open of a claim that a line's money goes towards."""
        return self._open[claim.key] * seen.cents > 0

    def _may_be(self, seen: Seen, claim: Claim) -> bool:
        """Whether a line may be for a claim whose reference it has not."""
        return self._goes_to(seen, claim) and claim.key not in self._contested and not contradicts(seen, claim)

    def _exact(self, seen: Seen, claims: Iterable[Claim], reason: Reason, said: str) -> list[Matched]:
        """Return what a line is if it is all that is open of one of the claims."""
        found = (
            exactly(seen, one, self._open[one.key], self._accounts, reason, f"{said} {one.title}") for one in claims
        )
        return [one for one in found if isinstance(one, Matched)]

    def _all_of(self, seen: Seen, claims: Sequence[Claim], reason: Reason, said: str) -> list[Matched]:
        """Return what a line is if all of the claims come to it."""
        if not all(one.is_booked and not one.currency for one in claims):
            return []
        if sum(self._open[one.key] for one in claims) != seen.cents:
            return []
        told = f"{said} {', '.join(one.title for one in claims)}"
        return [settles(reason, told, [Part(one, self._open[one.key]) for one in claims])]

    def _sums(self, seen: Seen, claims: Sequence[Claim]) -> list[Matched]:
        sets = (some for number in range(2, len(claims) + 1) for some in combinations(claims, number))
        return [one for some in sets for one in self._all_of(seen, some, Reason.SEVERAL, "sum of")]

    def _all_else_is_of(self, seen: Seen, claim: Claim) -> list[Claim]:
        """Return other claims than that of a reference, of which the line is all, and says the number or the payer.

        References are typed over from the wrong paper. One whose claim the line is all of is believed all the same.
        """
        if self._exact(seen, [claim], Reason.REFERENCE, ""):
            return []
        of_payer = self._index.of_payer(seen)
        named = [one for one in self._index.named(seen) if seen.called & one.numbers]
        if claim in named:
            return []
        meant = dict.fromkeys([*named, *of_payer] if claim not in of_payer else named)
        return [one for one in meant if one != claim and self._open[one.key] == seen.cents]

    def _of_one_reference(self, seen: Seen, claims: Sequence[Claim]) -> list[Matched]:
        exact = self._exact(seen, claims, Reason.REFERENCE, "reference of")
        return exact or self._all_of(seen, claims, Reason.REFERENCE, "reference of")

    def _of_one_claim(self, some: Sequence[tuple[Seen, Claim]], reason: Reason, said: Callable[[Claim], str]) -> None:
        """Settle a claim by the lines that name it, day by day; of one day all of them, or none."""
        claim = some[0][1]
        for _, group in groupby(some, key=lambda pair: pair[0].day):
            lines = [seen for seen, _ in group]
            owed = self._open[claim.key]
            if not owed or claim.key in self._contested:
                self._contest(lines, [claim], f"nothing is left open of {claim.title} behind other lines")
            elif len(lines) == 1:
                found = nearly(lines[0], claim, owed, self._accounts, reason, said(claim))
                # what reminders asked for is one reason to bring more than is open, other invoices another
                is_more = is_over(found) or (isinstance(found, Left) and claim.late and lines[0].cents > owed > 0)
                if is_more and reason is Reason.REFERENCE and self._others(lines[0], claim):
                    self._too_much.append((lines[0], claim, found))
                    continue
                self._settle(lines[0], found)
            elif abs(sum(one.cents for one in lines)) > abs(owed):
                self._contest(lines, [claim], f"the lines of this day come to more than is open of {claim.title}")
            else:
                for one in sorted(lines, key=lambda line: (-abs(line.cents), line.key)):
                    left = self._open[claim.key]
                    self._settle(one, nearly(one, claim, left, self._accounts, reason, said(claim)))

    def _others(self, seen: Seen, claim: Claim) -> list[Claim]:
        """Return the other claims of a customer that a line may be for, too."""
        return [one for one in self._index.of_name(claim) if one.is_booked and self._goes_to(seen, one)]

    def _with_others(self) -> dict[str, list[Matched]]:
        """Return what lines are that bring more than the claim of their reference, with others of its customer."""
        offers = {}
        for seen, claim, alone in self._too_much:
            others = self._others(seen, claim)
            if claim.key in self._contested or any(one.key in self._contested for one in others):
                self._leave(seen, f"it is more than is open of {claim.title}, and other lines may be for it", [claim])
                continue
            sums = self._sums(seen, [claim, *others]) if len(others) < _MOST_CLAIMS else []
            offers[seen.key] = [one for one in sums if claim in one.claims]
            if not offers[seen.key]:
                why = f"it is more than is open of {claim.title}, and others of its customer are open, too"
                self._leave(seen, alone.why if isinstance(alone, Left) else why, [claim, *others])
        return offers

    def _take(self, offers: dict[str, list[Matched]], why: str) -> None:
        """Give lines what follows from all offers together, and leave those of which it cannot be told."""
        found, unsure = forced({key: some for key, some in offers.items() if some})
        for seen in list(self._left()):
            if seen.key in found:
                self._settle(seen, found[seen.key])
            elif seen.key in unsure:
                near = {part.claim.key: part.claim for one in offers[seen.key] for part in one.parts}
                self._contest([seen], list(near.values()), f"it is not clear which it is: {why}")

    def _settle(self, seen: Seen, outcome: Outcome) -> None:
        """Say what comes of a line, and take it off what is open; a claim that a line is left for is contested."""
        if isinstance(outcome, Matched) and outcome.lacks:
            outcome = self._once_booked(seen, outcome) or Left(outcome.lacks, outcome.claims)
        if isinstance(outcome, Matched) and outcome.parts and outcome.reason is not Reason.PAYMENT:
            side = self._documents.rival(seen)
            outcome = outcome if side is None else Left(f"{side.title} {_MAY_BE}", outcome.claims, may_be_there=True)
        self.outcomes[seen.key] = outcome
        if isinstance(outcome, Left):
            self._contested |= {one.key for one in outcome.near}
        else:
            if outcome.side is not None:
                self._documents.take(outcome.side)
            for part in outcome.parts:
                self._open[part.claim.key] -= part.cents

    def _contest(self, lines: Iterable[Seen], claims: Sequence[Claim], why: str) -> None:
        for seen in lines:
            self._leave(seen, why, claims)

    def _once_booked(self, seen: Seen, outcome: Matched) -> Matched | None:
        """Return the payment of a purchase invoice that is in no books yet, where a rule says how to book it."""
        rules, part = self._index.rules_for(seen), outcome.parts[0]
        claim = part.claim
        is_whole = len(outcome.parts) == 1 and part.cents == claim.open and seen.whole == seen.cents
        can_be = claim.kind is Kind.UNPOSTED and claim.account is not None and not claim.currency
        if not (is_whole and can_be and len({rule.books for rule in rules}) == 1):
            return None
        return outcome._replace(said=f"{outcome.said}, booked by the rule {rules[0].title}", rule=rules[0], lacks="")

    def _leave(self, seen: Seen, why: str, claims: Sequence[Claim]) -> None:
        self._settle(seen, Left(why, tuple(claims)))

    def _nothing(self, seen: Seen) -> Left:
        near = [one for one in self._index.of_payer(seen) if self._goes_to(seen, one)]
        if near:
            return Left("the payer is known, and the amount is not what is open", tuple(near))
        return Left("nothing that is open is known by it", is_known=False)
