"""Documents as a company of this kind has them, drawn by a `random.Random`: a seeded one, or hypothesis's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from random import Random

from tests.service.company.posting import Plan, Row, gross

SALES_CODES = (1, 1, 1, 1, 4, 5, 6, 10, 12, 13, 3, 0)
PURCHASE_CODES = (2, 2, 2, 2, 7, 8, 9, 11, 14, 15, 3, 0)
FIRST, LAST = date(2026, 1, 1), date(2026, 12, 31)
# VAT rates of 2026 and their shares (docs/law.md 1)
RATES = {"FI": ("25.50", "25.50", "13.50", "10.00"), "DE": ("19.00", "19.00", "7.00")}


class Company:
    """What documents are drawn from: the accounts of each kind, and the rates of the country."""

    def __init__(self, country: str, types: Mapping[str, str]) -> None:
        self.country = country
        self.types = types
        self.money = self._of("ASS_PAY")
        self.receivables = self._of("ASS_DUE")
        self.payables = self._of("LIA_DUE")
        self.sales = self._of("REV_SAL", "REV", "REV_NO")
        self.costs = self._of("EXP", "EXP_50", "EXP_NO", "ASS_DEP", "EXP_TAX")
        self.standing = self._of("ASS", "ASS_DEP", "ASS_REC", "LIA_EQU", "LIA_DEB", "LIA_ACC", "EXP_DEP", "LIA_PRE")

    def _of(self, *types: str) -> Sequence[str]:
        found = sorted(number for number, type_ in self.types.items() if type_ in types)
        assert found, types
        return found

    def draw_plan(self, random: Random) -> Plan:
        """Draw a blueprint that may be posted."""
        draw = random.choice((self._sale, self._sale, self._purchase, self._purchase, self._settlement, self._journal))
        return draw(random)

    def _sale(self, random: Random) -> Plan:
        rows = self._rows(random, self.sales, SALES_CODES)
        fees = self._rows(random, self.costs, (2, 3), most=1) if random.random() < 0.2 else ()
        money = random.choice((*self.money, *self.receivables))
        return Plan(debit_account=money, credit=rows, expense=fees)

    def _purchase(self, random: Random) -> Plan:
        rows = self._rows(random, self.costs, PURCHASE_CODES)
        return Plan(credit_account=random.choice((*self.money, *self.payables)), debit=rows)

    def _settlement(self, random: Random) -> Plan:
        row = Row(random.choice(self.receivables), _amount(random))
        return Plan(debit_account=random.choice(self.money), credit=(row,))

    def _journal(self, random: Random) -> Plan:
        """Rows on both sides, balanced by the last."""
        debit = self._rows(random, self.standing, (3,))
        credit = self._rows(random, self.standing, (3,), most=2)
        missing = sum(map(gross, debit), Decimal(0)) - sum(map(gross, credit), Decimal(0))
        return Plan(debit=debit, credit=(*credit, Row(random.choice(self.standing), missing)))

    def _rows(self, random: Random, accounts: Sequence[str], codes: Sequence[int], most: int = 3) -> tuple[Row, ...]:
        return tuple(self._row(random, accounts, random.choice(codes)) for _ in range(random.randint(1, most)))

    def _row(self, random: Random, accounts: Sequence[str], code: int) -> Row:
        taxed = code in (1, 2, 7, 8, 9, 11, 14, 15)
        rate = Decimal(random.choice(RATES[self.country]) if taxed else "0.00")
        return Row(random.choice(accounts), _amount(random), code, rate, random.random() < 0.3)


def _amount(random: Random) -> Decimal:
    """Draw an amount: mostly small, sometimes large, now and then money back."""
    largest = random.choice((100, 10_000, 1_000_000, 100_000_000))
    size = Decimal(random.randint(1, largest)).scaleb(-2)
    return -size if random.random() < 0.08 else size


def draw_day(random: Random, first: date = FIRST, last: date = LAST) -> date:
    """Draw a day of a range."""
    return first + timedelta(days=random.randint(0, (last - first).days))


def reversed_plan(plan: Plan) -> Plan:
    """Return what takes a document back: every amount negative."""

    def negative(rows: tuple[Row, ...]) -> tuple[Row, ...]:
        return tuple(row._replace(amount=-row.amount) for row in rows)

    return Plan(
        plan.debit_account, negative(plan.debit), plan.credit_account, negative(plan.credit), negative(plan.expense)
    )
