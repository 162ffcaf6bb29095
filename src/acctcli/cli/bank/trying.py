"""Try the rules on statements: which of them books which line (docs/bank.md 7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from acctcli.banking.matching.amounts import by_rule
from acctcli.banking.matching.candidates import Candidates
from acctcli.banking.matching.index import Index
from acctcli.banking.matching.seen import see
from acctcli.cli.account.chart import read_chart
from acctcli.cli.bank.reading import gather
from acctcli.cli.bank.rulebook import differences_of, path_of, read_book, rules_of
from acctcli.cli.output.stderr import how_many
from acctcli.cli.session.state import State


def rows_of(
    here: State, paths: Sequence[Path], named: Path | None, format: str | None, profile: str | None
) -> Iterator[dict[str, object]]:
    """Yield the lines that a rule is for, or that rules contradict each other about; then tell which are for none."""
    book = read_book(here, named)
    chart, where = read_chart(here), path_of(here, named)
    rules, accounts = rules_of(here, book, chart, where), differences_of(book, chart, where)
    index, used = Index(Candidates(rules=rules)), Counter[int]()
    gathered = gather(here, paths, format, profile)
    for kept in gathered.lines:
        line = kept.line
        if line.left_out or line.booked is None:
            continue
        seen = see(line, "", 0)
        fitting = index.rules_for(seen)
        places = [place for place, rule in enumerate(rules) if rule in fitting]
        used.update(places)
        if fitting:
            first, lacks = book.rules[places[0]], by_rule(seen, fitting[0], accounts).lacks
            if len({rule.books for rule in fitting}) > 1:
                lacks = "these rules contradict each other: none of them books it"
            yield {
                "file": gathered.statements[kept.statement].file,
                "line": line.number,
                "date": line.booked,
                "amount": line.amount,
                "name": line.name or line.text or line.code,
                "rule": ", ".join(str(place + 1) for place in places),
                "account": None if lacks else first.account,
                "vat": None if lacks else first.vat or None,
                "reason": lacks or first.title,
            }
    for place, rule in enumerate(book.rules):
        if not used[place]:
            here.say(f"note: rule {place + 1}, {rule.title}, is for no line of these")
    here.say(f"{how_many(gathered.lines.number, 'line')} tried")
