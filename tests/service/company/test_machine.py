"""Thousands of steps through the books of small companies, in whatever order hypothesis finds most telling."""

from __future__ import annotations

from decimal import Decimal
from random import Random
from typing import ClassVar

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.service.actor import World
from tests.service.company.checks import Checker
from tests.service.company.clerk import Clerk, VatPeriod
from tests.service.company.conftest import found_company
from tests.service.company.plans import FIRST, LAST, Company, draw_day

STEPS = 2_000
STEPS_A_WALK = 100
RANDOM = st.randoms(use_true_random=False)


class Walk(RuleBasedStateMachine):
    """One company; after every step all its reports must agree with the model."""

    world: ClassVar[World]
    steps: ClassVar[int] = 0
    clerk: Clerk
    company: Company

    @initialize(country=st.sampled_from(["FI", "DE"]))
    def found(self, country: str) -> None:
        self.clerk, self.company = found_company(self.world, self.world.user(), country)
        self.checker = Checker(self.clerk.books, self.clerk.model, FIRST, LAST)

    # --- documents ---

    def any_document(self, random: Random) -> int:
        return random.choice(sorted(self.clerk.model.documents))

    def has_documents(self) -> bool:
        return bool(self.clerk.model.documents)

    def is_plain(self, number: int) -> bool:
        return self.clerk.model.documents[number].kind != 3

    @rule(random=RANDOM, is_draft=st.booleans())
    def create(self, random: Random, is_draft: bool) -> None:
        self.clerk.create(draw_day(random), self.company.draw_plan(random), is_draft=is_draft)

    @precondition(has_documents)
    @rule(random=RANDOM, is_draft=st.booleans())
    def post_or_take_back(self, random: Random, is_draft: bool) -> None:
        number = self.any_document(random)
        self.clerk.change(number, is_draft=is_draft)

    @precondition(has_documents)
    @rule(random=RANDOM)
    def rewrite(self, random: Random) -> None:
        number = self.any_document(random)
        if self.is_plain(number):
            self.clerk.change(number, plan=self.company.draw_plan(random))

    @precondition(has_documents)
    @rule(random=RANDOM)
    def redate(self, random: Random) -> None:
        number = self.any_document(random)
        if self.is_plain(number):
            self.clerk.change(number, day=draw_day(random))

    @precondition(has_documents)
    @rule(random=RANDOM)
    def reverse(self, random: Random) -> None:
        self.clerk.reverse(self.any_document(random), draw_day(random))

    @precondition(has_documents)
    @rule(random=RANDOM)
    def copy(self, random: Random) -> None:
        number = self.any_document(random)
        if self.is_plain(number):
            self.clerk.copy(number, draw_day(random))

    @precondition(has_documents)
    @rule(random=RANDOM)
    def delete(self, random: Random) -> None:
        number = self.any_document(random)
        if self.is_plain(number):
            self.clerk.delete(number)

    @precondition(has_documents)
    @rule(random=RANDOM, is_locked=st.booleans())
    def lock_document(self, random: Random, is_locked: bool) -> None:
        self.clerk.set_lock(self.any_document(random), is_locked)

    @rule(random=RANDOM, amount=st.integers(-(10**12), 10**12))
    def open_account(self, random: Random, amount: int) -> None:
        """Give an account an opening balance, and its counterpart on equity, so that the opening balances balance."""
        asset, equity = self.company.money[0], self._equity()
        self.clerk.open_with(asset, Decimal(amount).scaleb(-2))
        self.clerk.open_with(equity, -Decimal(amount).scaleb(-2))

    def _equity(self) -> str:
        return next(number for number, type_ in sorted(self.company.types.items()) if type_ == "LIA_EQU")

    # --- periods ---

    @precondition(lambda self: len(self.clerk.vat_periods) < 12)
    @rule()
    def open_vat_period(self) -> None:
        self.clerk.open_vat_period()

    def any_period(self, random: Random) -> VatPeriod:
        return random.choice(self.clerk.vat_periods)

    @rule(random=RANDOM)
    def lock_vat_period(self, random: Random) -> None:
        self.clerk.lock_vat(self.any_period(random))

    @rule(random=RANDOM)
    def unlock_vat_period(self, random: Random) -> None:
        self.clerk.unlock_vat(self.any_period(random))

    @rule(random=RANDOM)
    def report_vat_period(self, random: Random) -> None:
        self.clerk.report_vat(self.any_period(random))

    @precondition(lambda self: self.clerk.is_year_locked)
    @rule()
    def unlock_year(self) -> None:
        self.clerk.set_year_lock(False)

    @precondition(lambda self: not self.clerk.is_year_locked)
    @rule(random=RANDOM)
    def lock_year(self, random: Random) -> None:
        if random.random() < 0.2:  # a year that is closed for long teaches little
            self.clerk.set_year_lock(True)

    @invariant()
    def the_books_agree_with_the_model(self) -> None:
        type(self).steps += 1
        self.checker.check()


def test_the_books_agree_with_the_model_at_every_step(shared: World) -> None:
    class HereWalk(Walk):
        world = shared

    run_state_machine_as_test(
        HereWalk,
        settings=settings(
            max_examples=STEPS // STEPS_A_WALK + 2,  # the first walks are short
            stateful_step_count=STEPS_A_WALK,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.explicit, Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert HereWalk.steps >= STEPS
