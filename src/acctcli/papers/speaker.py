"""Numbers, amounts and dates in the language of an invoice."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from acctcli.einvoice.terms import day
from acctcli.models.enums import Language
from acctcli.papers.words import WORDS
from acctcli.printing.numbers import LOCALES, format_day, format_decimal, format_percent

MINUS = "\N{MINUS SIGN}"


class Speaker:
    """Speaks one language; `words` are its fixed texts."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.words = WORDS[language]

    def number(self, value: Decimal, places: int = 0) -> str:
        """Return a number with at least so many decimals, and a minus of the width of a plus."""
        return format_decimal(value, LOCALES[self.language], places).replace("-", MINUS)

    def amount(self, value: Decimal) -> str:
        """Return an amount without the sign of its currency; prices of units may have four decimals."""
        return self.number(value, 2)

    def euros(self, value: Decimal) -> str:
        """Return an amount with the sign of the euro where the language has it."""
        amount = self.amount(value)
        if self.language == Language.EN:
            return f"{MINUS}€{amount[1:]}" if amount.startswith(MINUS) else f"€{amount}"
        return f"{amount}\N{NO-BREAK SPACE}€"

    def percent(self, rate: Decimal) -> str:
        """Return a rate in percent."""
        return format_percent(rate, LOCALES[self.language]).replace("-", MINUS)

    def day(self, value: date | str | None) -> str:
        """Return a date of the wire, empty for none."""
        return "" if value is None else format_day(day(value), self.language)
