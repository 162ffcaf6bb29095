"""Numbers, amounts and dates in four languages."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from acctcli.models.enums import Language
from acctcli.papers.speaker import Speaker


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("fi", "7,5|33,333|−1_234,50|−1_234,50_€|25,5_%|2.3.2026"),
        ("sv", "7,5|33,333|−1_234,50|−1_234,50_€|25,5_%|2.3.2026"),
        ("en", "7.5|33.333|−1,234.50|−€1,234.50|25.5%|2 Mar 2026"),
        ("de", "7,5|33,333|−1.234,50|−1.234,50_€|25,5_%|02.03.2026"),
    ],
)
def test_each_language_has_its_way(language: str, shown: str) -> None:
    speaker = Speaker(Language(language))
    said = [
        speaker.number(Decimal("7.5000")),
        speaker.amount(Decimal("33.3330")),
        speaker.amount(Decimal("-1234.5")),
        speaker.euros(Decimal("-1234.50")),
        speaker.percent(Decimal("25.50")),
        speaker.day(date(2026, 3, 2)),
    ]
    assert said == shown.replace("_", "\N{NO-BREAK SPACE}").split("|")


def test_dates_may_be_texts_or_missing() -> None:
    speaker = Speaker(Language.EN)
    assert speaker.day("2026-12-31") == "31 Dec 2026"
    assert speaker.day(None) == ""
