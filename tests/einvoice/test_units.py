"""Units as codes of UN/ECE Recommendation 20."""

from __future__ import annotations

import pytest

from acctcli.einvoice.units import unit_code


@pytest.mark.parametrize(
    ("unit", "code"),
    [
        ("kpl", "C62"),
        ("h", "HUR"),
        ("pv", "DAY"),
        ("kk", "MON"),
        ("Stk", "C62"),
        (" Std ", "HUR"),
        ("m²", "MTK"),
        ("KG", "KGM"),
        ("Sack", None),
        ("", None),
    ],
)
def test_a_unit_has_a_code_where_people_agree_on_it(unit: str, code: str | None) -> None:
    assert unit_code(unit) == code
