"""Which entries a figure of a VAT report is made of: tried by reports of one code and rate each."""

from __future__ import annotations

from decimal import Decimal

import pytest

from acctcli import law
from acctcli.law.decisions import Country
from acctcli.law.filing import VatGroup
from acctcli.law.vat_codes import VAT_CODES

RATES = {"FI": ("25.50", "13.50", "0.00"), "DE": ("19.00", "7.00", "0.00")}


@pytest.mark.parametrize("country", law.countries(), ids=lambda one: one.code)
def test_a_figure_is_made_of_its_codes_and_of_no_others(country: Country) -> None:
    filing = country.filing()
    seen = set[str]()
    for code in VAT_CODES:
        for rate in map(Decimal, RATES[country.code]):
            tax = Decimal(3) if rate else Decimal(0)
            group = VatGroup(code.value, rate, Decimal(100), tax, tax / 3)
            report = filing.report_vat([group])
            figures = report.get("summary") or report.get("mapping") or {}
            for name, made in filing.made_of.items():
                if is_told(figures.get(name)):
                    seen.add(name)
                    assert code.value in made.codes, (name, code)
                    assert made.rate in {None, rate}, (name, code, rate)
    assert seen == filing.made_of.keys()


def is_told(value: object) -> bool:
    """Whether a figure, or one of those in a group, is another than nothing."""
    return any(map(is_told, value.values())) if isinstance(value, dict) else bool(value)
