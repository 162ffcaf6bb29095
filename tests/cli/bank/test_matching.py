"""What comes of lines: those that rules alone know are decided one by one, so that nothing is kept of them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from msgspec.structs import replace

from acctcli.banking.matching.candidates import Candidates, OwnAccount, Rule
from acctcli.banking.matching.outcome import Left, Matched, Reason
from acctcli.banking.statements.model import Line
from acctcli.cli.account.chart import Account
from acctcli.cli.bank.matching import Outcomes, outcomes_of
from acctcli.cli.bank.named import Named

OWN = "FI1410093000123458"
CARD = Named(0, Line(1, Decimal("-3.20"), date(2026, 3, 5), name="Kahvila"), "bank-aaaaaaaaaaaa", Account(1, "1910"))
SHOP = Rule("Kahvila to 4000", 4, words="kahvila")


def said(one: Named, tag: str, **fields: object) -> Named:
    return one._replace(tag=tag, line=replace(one.line, **fields))


def test_of_a_line_that_rules_alone_know_nothing_is_kept() -> None:
    found = Outcomes([CARD], Candidates(rules=(SHOP,)))
    outcome = found.of(CARD)
    assert isinstance(outcome, Matched)
    assert (outcome.reason, outcome.rule, found.kept(CARD)) == (Reason.RULE, SHOP, None)
    assert (found.is_known, found.is_any) == (True, True)


def test_what_more_is_known_of_is_looked_at_together() -> None:
    transfer = said(CARD, "bank-bbbbbbbbbbbb", iban=OWN)
    other = OwnAccount(2, "1920 Other", frozenset({OWN}))
    found = Outcomes([CARD, transfer], Candidates(own=(other,), rules=(SHOP,)))
    kept = found.kept(transfer)
    assert isinstance(kept, Matched)
    assert (kept.reason, found.of(transfer)) == (Reason.TRANSFER, kept)


def test_rules_book_no_line_whose_amount_a_line_of_another_account_moves_there() -> None:
    own = OwnAccount(1, "1910 Bank", frozenset()), OwnAccount(2, "1920 Other", frozenset({OWN}))
    out = said(CARD, "bank-eeeeeeeeeeee", iban=OWN, name="Self")
    came = said(CARD, "bank-ffffffffffff", amount=Decimal("3.20"))._replace(account=Account(2, "1920"))
    later = said(came, "bank-gggggggggggg", booked=date(2026, 3, 9))
    found = outcomes_of([came, out, later], Candidates(own=own, rules=(SHOP,)))
    why = f"{out.tag} moves its amount here, too, and nothing tells whether it is this"
    assert found[came.tag] == Left(why, may_be_there=True)
    assert [one.reason for one in map(found.get, (out.tag, later.tag)) if isinstance(one, Matched)] == [
        Reason.TRANSFER, Reason.RULE,
    ]  # fmt: skip
    unknown = outcomes_of([came, out, later], Candidates(own=own))
    assert (unknown[came.tag], later.tag in unknown) == (found[came.tag], False)
    other = Rule("other", 7, words="kahvila")
    contradicted = outcomes_of([came, out, later], Candidates(own=own, rules=(SHOP, other)))
    outcomes = [contradicted[one.tag] for one in (came, later)]
    assert [isinstance(one, Left) and one.may_be_there for one in outcomes] == [True, False]
    both = Rule("to 1920", 2, words="kahvila", comes_in=False), Rule("to 1910", 1, words="kahvila", comes_in=True)
    found = outcomes_of([CARD, came], Candidates(own=own, rules=both))
    assert [type(one) for one in found.values()] == [Left, Left]


def test_what_takes_back_and_what_rules_contradict_each_other_about_is_left() -> None:
    back = said(CARD, "bank-cccccccccccc", is_reversal=True)
    unknown = said(CARD, "bank-dddddddddddd", name="Nobody", is_reversal=True)
    other = Rule("Kahvila to 7950", 7, words="kahvila")
    found = outcomes_of([CARD, back, unknown], Candidates(rules=(SHOP, other)))
    assert found.keys() == {CARD.tag, back.tag}
    assert found[CARD.tag] == Left("rules contradict each other: Kahvila to 4000, Kahvila to 7950")
    assert found[back.tag] == Left("it takes back what was paid, or paid back")
    nothing = Outcomes([unknown], Candidates(rules=(SHOP,)))
    assert (nothing.of(unknown), nothing.is_known, nothing.is_any) == (None, False, False)
