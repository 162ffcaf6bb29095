"""Go through lines that are left: on a terminal, as a plan to be filled in, or by one that is (docs/bank.md 8)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from pathlib import Path

from acctcli.banking.matching.candidates import Candidates
from acctcli.banking.matching.outcome import Matched, Outcome
from acctcli.banking.matching.seen import TAKES_BACK, Seen, see
from acctcli.banking.matching.suggesting import suggestions
from acctcli.banking.matching.words import folded, says_words
from acctcli.cli.bank.bodies import twin_of
from acctcli.cli.bank.choices import Choice, aim_in, choice_of, chosen, on_legs, read_plan
from acctcli.cli.bank.drafts import Waiting
from acctcli.cli.bank.matching import reason_of
from acctcli.cli.bank.owed import read_overpaid, settled_claim
from acctcli.cli.bank.paid_again import paid_again
from acctcli.cli.bank.posting import Came
from acctcli.cli.bank.treating import Asked, Desk, row_of
from acctcli.cli.command.many import Step, key_of_one, send_all
from acctcli.cli.document.blueprints import Leg, read_leg
from acctcli.cli.document.closed import known_closed_days
from acctcli.cli.document.entries import units_of
from acctcli.cli.output.show import show_values
from acctcli.cli.output.stderr import ask, how_many, how_many_are, tell
from acctcli.cli.session.state import State
from acctcli.cli.vat.charged import Charged, checker
from acctcli.client.messages import Reply
from acctcli.errors import AcctcliError, Forbidden, UsageError
from acctcli.law.vat_codes import NO_VAT
from acctcli.models.document import DocumentRequest

_CHOSEN, _LEFT = "chosen", "left"
_LARGEST = 64 * 2**20
_MOST_ACCOUNTS = 9
_TAKEN_BACK = "acctcli document reverse takes back the payment, and its document is suggested here then"


class Review:
    """Lines that are left, what each may be, and what becomes of one once somebody chose."""

    def __init__(self, here: State, desk: Desk) -> None:
        self.here = here
        self.desk = desk
        self._candidates: Candidates = self._with_overpaid(desk.known.candidates)
        self._outcomes: dict[str, Outcome] = desk.outcomes()

    def _with_overpaid(self, known: Candidates) -> Candidates:
        """Return candidates with what suppliers were paid too much, where any line brings money."""
        if not any(one.named.line.amount > 0 for one in self.desk.waiting):
            return known
        try:
            overpaid = tuple(read_overpaid(self.here, self.desk.chart, known.claims))
        except Forbidden:
            return known
        return replace(known, claims=(*known.claims, *overpaid))

    def seen(self, one: Waiting) -> Seen:
        """Return what a line says."""
        return see(one.named.line, one.named.tag, one.named.account.id)

    def may_be(self, one: Waiting) -> list[Matched]:
        """Return what a line may be, by what is open now, and by what is paid that it has the reference of."""
        desk, seen = self.desk, self.seen(one)
        found = suggestions(seen, self._outcome(one), self._candidates)
        return found + paid_again(self.here, desk.known.owed, desk.chart, seen, self._candidates)

    def reason(self, one: Waiting) -> str | None:
        """Return why a line is left, or what it would be matched as; of what takes back how it gets its document."""
        found = reason_of(self._outcome(one))
        return f"{found or TAKES_BACK}; {_TAKEN_BACK}" if self.seen(one).is_reversal else found

    def chosen(self, one: Waiting, choice: Choice) -> Matched:
        """Return a line as what is chosen for it; raise UsageError where that cannot be, or its document."""
        found = chosen(self.seen(one), choice, self._with_settled(choice), self.desk.chart)
        if found.side is None:
            self.desk.posting.body_of(one.named, found)
        self._check_rates(one, found)
        return found

    def _with_settled(self, choice: Choice) -> Candidates:
        """Return what lines may be with what is settled and a choice names: who pays twice pays it too much."""
        open_now = {claim.key for claim in self._candidates.claims}
        aims = [aim for key in choice.settle if key not in open_now and (aim := aim_in(key)) is not None]
        found = [settled_claim(self.here, self.desk.known.owed, self.desk.chart, aim) for aim in aims]
        return replace(self._candidates, claims=(*self._candidates.claims, *(one for one in found if one)))

    def on_legs(self, one: Waiting, legs: list[Leg]) -> Matched:
        """Return a line that somebody books on accounts; raise UsageError for a rate of VAT that the day has not."""
        found = on_legs(self.seen(one), legs, self._candidates, self.desk.chart)
        self._check_rates(one, found)
        return found

    def _check_rates(self, one: Waiting, found: Matched) -> None:
        rows = [(self.desk.chart.by_id[row.account], row) for row in found.rows if row.account and row.vat_rate]
        charged = [Charged(str(account), row.vat_code or 0, row.vat_rate or Decimal(0)) for account, row in rows]
        legs = " ".join(
            f"--{'debit' if row.cents > 0 else 'credit'} "
            f"{account.number}:{units_of(abs(row.cents))}@{row.vat_code}/{row.vat_rate}"
            for account, row in rows
        )
        way_out = f"if it is meant: acctcli document update {one.document} {legs} --foreign-vat --posted"
        day = one.named.line.booked or self.here.today()
        checker(self.here, self.desk.chart.rates, way_out=way_out)(charged, lambda: day)

    def fees(self, one: Waiting) -> list[Leg]:
        """Return the leg of the fees that were taken out of a line, where the rules name an account for them."""
        seen, account = self.seen(one), self._candidates.differences.fees
        if account is None or not seen.fees or seen.whole * seen.cents <= 0:
            return []
        taken = seen.fees if seen.cents > 0 else -seen.fees
        return [Leg("fees", f"id:{account}", f"id:{account}", units_of(-taken), code=NO_VAT)]

    def take(self, one: Waiting, found: Matched, files: Sequence[str] = ()) -> Came:
        """Attach receipts, make the draft what it is, and take what it settles off what is open."""
        desk = self.desk
        for path in files:
            self._attach(one, path, one.document)
        came = desk.posting.treat(one.named, one.document, found, twin_of(found, desk.chart))
        # where another document stands for the line, its draft is gone
        for path in files if came.document != one.document else ():
            self._attach(one, path, came.document)
        settled = {part.claim.key: part.cents for part in found.parts}
        left = (replace(claim, open=claim.open - settled.get(claim.key, 0)) for claim in self._candidates.claims)
        sides = (side for side in self._candidates.sides if side != found.side)
        self._candidates = replace(
            self._candidates, claims=tuple(claim for claim in left if claim.open), sides=tuple(sides)
        )
        return came

    def _attach(self, one: Waiting, path: str, document: int) -> None:
        """Attach a receipt to a document; whichever run does so, it is uploaded once."""
        from acctcli.cli.file.uploads import upload_one

        key = key_of_one(self.desk.base, f"{one.named.tag} {path}")
        body = DocumentRequest(attachment_ids=[upload_one(self.here, Path(path), key)])
        self.here.api.documents.act(document, "action/attach_files/", body, key_of_one(key, f"to {document}"))

    def _outcome(self, one: Waiting) -> Outcome | None:
        """Return what matching says, as long as nothing of it was taken meanwhile."""
        outcome = self._outcomes.get(one.named.tag)
        claims = outcome.claims if isinstance(outcome, Matched) else outcome.near if outcome else ()
        return outcome if set(claims) <= set(self._candidates.claims) else None


def review_all(here: State, asked: Asked, applied: Path | None, columns: Sequence[str]) -> None:
    """Make what a plan chooses; without one ask on a terminal, or show a plan where another format is asked for."""
    is_asking = applied is None and here.format == "table"
    if is_asking and not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(
            "there is no terminal to ask on",
            hint="make a plan with --output jsonl, fill in its choices, and give it to --apply",
        )
    review = Review(here, Desk(here, asked, writes=is_asking or applied is not None))
    if applied is not None:
        apply(review, applied, columns)
    elif is_asking:
        go_through(review)
    else:
        plan(review)


def plan(review: Review) -> None:
    """Show the lines with what each may be; `choice` is to be filled in with one of these, or one's own."""
    rows = (
        {
            "document": one.document,
            "identity": one.named.tag,
            "date": one.named.line.booked,
            "account": one.named.account.number,
            "amount": one.named.line.amount,
            "fees": one.named.line.charges,
            "text": " ".join(filter(None, (one.named.line.name, one.named.line.text))),
            "reason": review.reason(one),
            "suggestions": [{"reason": reason_of(found), "choice": choice_of(found)} for found in review.may_be(one)],
            "choice": None,
        }
        for one in review.desk.waiting
    )
    show_values(review.here, rows)


def apply(review: Review, path: Path, columns: Sequence[str]) -> None:
    """Make lines what a plan says; all of it is looked at before anything is sent."""
    rows = list(read_plan(path, _content(path)))
    waiting = {one.named.tag: one for one in review.desk.waiting}
    steps, some = list[Step](), list[Waiting]()
    for number, row in enumerate(rows, 1):
        choice, one = row.choice, waiting.get(row.identity)
        if choice is None or one is None:
            continue
        try:
            review.chosen(one, choice)
            _check_files(choice)
        except UsageError as wrong:
            wrong.message = f"{path} row {number}, {wrong.message}"
            raise
        steps.append(Step(partial(_applied, review, one, choice), f"row {number}"))
        some.append(one)
    closed = known_closed_days(review.here)
    days = [day for one in some if (day := one.named.line.booked) is not None and closed.has(day)]
    if days:
        raise closed.refusal(days, "draft", "; or leave their choices empty")
    if steps:
        review.here.agree(f"post {how_many(len(steps), 'draft')} as the plan says", "the requests")
    send_all(review.here, steps, review.desk.base, columns, lambda count: f"{how_many_are(count, 'draft')} done")
    gone = sum(row.identity not in waiting for row in rows)
    if gone:
        review.here.say(f"{how_many_are(gone, 'row')} of lines that wait no longer")
    if not review.here.options.dry_run:
        review.desk.check_payments()


def _applied(review: Review, one: Waiting, choice: Choice) -> Reply:
    found = review.chosen(one, choice)
    came = review.take(one, found, choice.files)
    return row_of(one, _LEFT if came.why else _CHOSEN, came.document, came.why or reason_of(found))


def _content(path: Path) -> bytes:
    try:
        if path == Path("-"):
            return sys.stdin.buffer.read(_LARGEST)
        with path.open("rb") as stream:
            return stream.read(_LARGEST)
    except OSError as problem:
        raise UsageError(f"--apply {path}: {problem.strerror}") from problem


def _check_files(choice: Choice) -> None:
    for path in choice.files:
        if not Path(path).is_file():
            raise UsageError(f"files: {path} is no file")


# --- on a terminal ---


class _Quit(Exception):
    """Somebody has had enough."""


def go_through(review: Review) -> None:
    """Show line after line, and ask what each is; what is done is done, and the rest waits for the next time."""
    waiting, done = review.desk.waiting, 0
    try:
        for place, one in enumerate(waiting, 1):
            if not review.desk.is_waiting(one.named.tag):
                continue
            done += _review(review, one, f"{place} of {len(waiting)}")
    except _Quit:
        pass
    review.here.say(f"{how_many_are(done, 'line')} done, {len(waiting) - done} left: acctcli bank review goes on there")
    review.desk.check_payments()


def _review(review: Review, one: Waiting, place: str) -> bool:
    """Ask until a line is something, or left; say whether it is something."""
    line = one.named.line
    tell(f"\n{line.booked}  {one.named.account}  {line.amount:.2f}  {line.name} {line.text}  ({place})")
    if line.charges:
        tell(f"  fees of {abs(line.charges)} {'are taken out of' if line.charges > 0 else 'came back with'} it")
    if why := review.reason(one):
        tell(f"  {why}")
    some = review.may_be(one)
    for number, found in enumerate(some, 1):
        tell(f"  {number}  {found.said}: {_effect(review, found)}")
    files: list[str] = []
    while True:
        try:
            answer = _asked(review, one, some, files)
            if answer is None:
                return False
            came = review.take(one, answer, files)
        except AcctcliError as refused:
            if not isinstance(refused, UsageError):
                raise
            tell(f"  {refused.message}")
            if refused.hint:
                tell(f"  {refused.hint}")
            continue
        tell(f"  {came.why or f'document {came.document} is it'}")
        return not came.why


def _asked(review: Review, one: Waiting, some: Sequence[Matched], files: list[str]) -> Matched | None:
    """Return what somebody says that a line is, None to leave it; a receipt goes into `files` meanwhile."""
    numbers = f"1-{len(some)} take, d with a difference, " if some else ""
    while True:
        answer = _line(f"{numbers}a account, p split, r receipt, s skip, q quit:")
        if answer.isdigit() and 0 < int(answer) <= len(some):
            return some[int(answer) - 1]
        match answer:
            case "a":
                return _on_account(review, one)
            case "p":
                return _split(review, one)
            case "d" if some:
                return _with_difference(review, one, some)
            case "r":
                path = _line("file:")
                _check_files(Choice(files=[path]))
                files += [path] if path not in files else []
                tell(f"  {path} is attached to what you take")
            case "s" | "":
                return None
            case "q":
                raise _Quit
            case _:
                tell("  type one of the letters, or the number of a suggestion")


def _on_account(review: Review, one: Waiting) -> Matched:
    """Ask for an account, and for its VAT."""
    fees, amount = _before_fees(review, one)
    return review.on_legs(one, [read_leg("account", _leg(review, amount, "account, number or words:")), *fees])


def _before_fees(review: Review, one: Waiting) -> tuple[list[Leg], Decimal]:
    """Return the leg of fees, as far as an account takes them, and what moved without them."""
    fees = review.fees(one)
    return fees, units_of(abs(review.seen(one).cents)) - sum(leg.amount or 0 for leg in fees)


def _with_difference(review: Review, one: Waiting, some: Sequence[Matched]) -> Matched:
    """Ask what is settled whole, and for the account of what the line is more or less, such as a discount."""
    written = _line("which is settled whole, by its number:")
    claims = some[int(written) - 1].claims if written.isdigit() and 0 < int(written) <= len(some) else ()
    if not claims:
        raise UsageError("that is the number of nothing that is open")
    cents = review.seen(one).cents
    rest = units_of((cents - sum(claim.open for claim in claims)) * (1 if cents > 0 else -1))
    if not rest:
        raise UsageError("it comes to that: type the number alone")
    told = f"{abs(rest)} {'more' if rest > 0 else 'less'} than is open; account for that, number or words:"
    return review.chosen(one, Choice(settle=[claim.key for claim in claims], legs=[_leg(review, rest, told)]))


def _leg(review: Review, amount: Decimal, question: str) -> str:
    """Ask for an account by number or words, and for its VAT; return the leg of an amount on it."""
    accounts = _found(review, _line(question))
    if len(accounts) != 1:
        for number, name in accounts[:_MOST_ACCOUNTS]:
            tell(f"  {number}  {name}")
        raise UsageError("several accounts fit: type the number" if accounts else "no account is called so")
    ((number, name),) = accounts
    vat = _line(f"{number} {name}; VAT code and rate, or nothing for the account's own:")
    return f"{number}:{amount}{f'@{vat}' if vat else ''}"


def _found(review: Review, written: str) -> list[tuple[str, str]]:
    """Return accounts by their number, else by words of their names."""
    every = sorted((one.number, one.name) for one in review.desk.chart.by_id.values())
    exact = [one for one in every if one[0] == written]
    if exact or not written:
        return exact
    words = folded(written)
    return [one for one in every if one[0].startswith(written) or says_words(folded(one[1]), words)]


def _split(review: Review, one: Waiting) -> Matched:
    """Ask for legs until they come to the line."""
    fees, rest = _before_fees(review, one)
    legs = list[Leg]()
    while rest:
        written = _line(f"{rest} left; account:amount, or account:amount@code/rate, or an account for the rest:")
        if not written:
            raise UsageError("not split")
        leg = read_leg("split", written)
        taken = rest if leg.amount is None else leg.amount
        if not 0 < taken <= rest:
            raise UsageError(f"{taken} is not between 0 and the {rest} that are left: split it anew")
        legs.append(leg._replace(amount=taken))
        rest -= taken
    return review.on_legs(one, [*legs, *fees])


def _effect(review: Review, found: Matched) -> str:
    """Return the rows of a suggestion in a few words."""
    by_id = review.desk.chart.by_id
    rows = ((by_id.get(row.account or 0), row) for row in found.rows)
    return ", ".join(
        f"{account.number if account else 'sale'} {'debit' if row.cents > 0 else 'credit'} {units_of(abs(row.cents))}"
        f"{f' for {row.text}' if found.parts and row.text else ''}"
        for account, row in rows
    )


def _line(question: str) -> str:
    ask(f"  {question}")
    answer = sys.stdin.readline()
    if not answer:
        raise _Quit
    return answer.strip()
