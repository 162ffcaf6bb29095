"""A company's books as the interface says they must be: a dictionary of documents, added up anew.

See docs/interface.md 5, 10.

Amounts are Decimal, debit positive unless a name says otherwise. Nothing of the service is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from tests.service.company.posting import REVERSE_CHARGE, Line, Plan, VatAccounts, lines_of

ZERO = Decimal("0.00")
VAT_TYPES = ("LIA_VAT", "ASS_VAT")
RESULT_TYPES = ("REV", "EXP")
PLAIN_SALES = {
    "zero_rated_sales": (4,),
    "eu_goods_sales": (5,),
    "eu_service_sales": (6,),
    "construction_sales": (10,),
    "non_eu_sales": (12, 13),
}
BOUGHT = {
    "eu_goods_purchases": (7,),
    "eu_service_purchases": (8,),
    "import_goods": (9, 15),
    "construction_purchases": (11,),
    "non_eu_service_purchases": (14,),
}

# codes and rates of which the German office works the tax out from the base that it is told, and what customs collects
WORKED_OUT = [(code, Decimal(rate), sign) for code, sign in ((1, -1), (7, 1)) for rate in (19, 7)]
CUSTOMS = (9, 15)


@dataclass
class Document:
    """A document as it was sent; `kind` 3 is a VAT posting."""

    date: date
    plan: Plan
    lines: list[Line]
    is_draft: bool = False
    is_locked: bool = False
    kind: int = 0


@dataclass
class Model:
    """Everything the figures depend on; `types` maps account numbers to account types."""

    country: str
    types: Mapping[str, str]
    vat_accounts: VatAccounts
    documents: dict[int, Document] = field(default_factory=dict)
    opening: dict[str, Decimal] = field(default_factory=dict)

    def put(self, number: int, day: date, plan: Plan, *, is_draft: bool = False, kind: int = 0) -> Document:
        """Enter a document, or what it has become."""
        made = Document(day, plan, lines_of(plan, self.vat_accounts), is_draft, kind=kind)
        self.documents[number] = made
        return made

    def posted(self, first: date = date.min, last: date = date.max) -> Iterator[tuple[int, Document]]:
        """Yield what counts: no drafts, both days included."""
        for number, document in self.documents.items():
            if not document.is_draft and first <= document.date <= last:
                yield number, document

    def movements(self, first: date = date.min, last: date = date.max) -> dict[str, tuple[Decimal, Decimal]]:
        """Return debit and credit of every account that moved."""
        found: dict[str, tuple[Decimal, Decimal]] = {}
        for _, document in self.posted(first, last):
            for line in document.lines:
                debit, credit = found.get(line.account, (ZERO, ZERO))
                found[line.account] = (debit + max(line.amount, ZERO), credit - min(line.amount, ZERO))
        return found

    def balances(self, last: date = date.max) -> dict[str, Decimal]:
        """Return what every account stands at, debit positive, opening balances included."""
        found = dict(self.opening)
        for number, (debit, credit) in self.movements(last=last).items():
            found[number] = found.get(number, ZERO) + debit - credit
        return {number: amount for number, amount in found.items() if amount}

    def natural(self, number: str, debit_positive: Decimal) -> Decimal:
        """Turn an amount to the sign its account is read in (docs/interface.md 4.3)."""
        return debit_positive if self.types[number].startswith(("ASS", "EXP")) else -debit_positive

    def result(self, first: date, last: date) -> Decimal:
        """Return the result of a range, profit positive."""
        return sum(
            (
                credit - debit
                for number, (debit, credit) in self.movements(first, last).items()
                if self.types[number].startswith(RESULT_TYPES)
            ),
            ZERO,
        )

    # --- VAT ---

    def vat_payable(self, first: date, last: date) -> Decimal:
        """Return the net credit of all VAT accounts; VAT postings do not count."""
        return -sum((line.amount for line in self._lines(first, last) if self._is_vat(line)), ZERO)

    def vat_filed(self, first: date, last: date) -> Decimal:
        """Return what a return asks for: in Germany taxes of whole euros, and none that customs collects."""
        filed = self.vat_payable(first, last)
        if self.country != "DE":
            return filed
        lines = list(self._lines(first, last))
        owed = [line for line in lines if self.types[line.account] == "LIA_VAT"]
        bases = [line for line in lines if not self._is_vat(line)]
        filed += _sum(owed, CUSTOMS)
        for code, rate, sign in WORKED_OUT:
            taxes = [line for line in lines if self._is_vat(line)] if code == 1 else owed
            filed += sign * int(_sum(bases, (code,), rate)) * rate / 100 + _sum(taxes, (code,), rate)
        return filed

    def vat_summary(self, first: date, last: date) -> dict[str, object]:
        """Return the groups of the Finnish VAT report (docs/interface.md 10)."""
        lines = list(self._lines(first, last))
        on_vat = [line for line in lines if self._is_vat(line)]
        bases = [line for line in lines if not self._is_vat(line)]
        owed = [line for line in on_vat if self.types[line.account] == "LIA_VAT"]
        deducted = [line for line in on_vat if self.types[line.account] == "ASS_VAT"]
        rates = sorted({line.rate for line in lines if line.code == 1})
        rates_abroad = sorted({line.rate for line in lines if line.code == 14})
        summary: dict[str, object] = {
            "domestic_sales": {
                f"{rate:.2f}": {"base": -_sum(bases, (1,), rate), "vat": -_sum(on_vat, (1,), rate)} for rate in rates
            },
            "non_eu_service_purchases_by_rate": {
                f"{rate:.2f}": {"base": _sum(bases, (14,), rate), "vat": -_sum(owed, (14,), rate)}
                for rate in rates_abroad
            },
            "adjustments": -_sum(on_vat, (0, 3)),
            "deductible_vat": _sum(deducted, (2, *REVERSE_CHARGE)),
            "vat_payable": self.vat_payable(first, last),
        }
        summary |= {name: -_sum(bases, codes) for name, codes in PLAIN_SALES.items()}
        summary |= {name: {"base": _sum(bases, codes), "vat": -_sum(owed, codes)} for name, codes in BOUGHT.items()}
        return summary

    def _lines(self, first: date, last: date) -> Iterator[Line]:
        for _, document in self.posted(first, last):
            if document.kind != 3:
                yield from document.lines

    def _is_vat(self, line: Line) -> bool:
        return self.types[line.account] in VAT_TYPES


def _sum(lines: Iterable[Line], codes: tuple[int, ...], rate: Decimal | None = None) -> Decimal:
    return sum((line.amount for line in lines if line.code in codes and rate in (None, line.rate)), ZERO)
