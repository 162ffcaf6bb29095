"""Charts: round grid lines, zero in sight, every month with its figure."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from xml.etree import ElementTree

import pytest

from acctcli.cli.report.charts import draw, round_step
from acctcli.cli.report.months import Point, Series
from acctcli.printing.numbers import LOCALES

D = Decimal
SVG = "{http://www.w3.org/2000/svg}"


def series(*values: str, is_level: bool = False) -> Series:
    points = [
        Point(date(2025 + (place + 10) // 12, (place + 10) % 12 + 1, 1), D(text)) for place, text in enumerate(values)
    ]
    return Series("Monthly result", points, is_level)


def drawn(one: Series, language: str = "en") -> ElementTree.Element:
    """Draw and parse: a chart is well-formed XML."""
    text = draw(one, "Result &amp; more", LOCALES[language])
    return ElementTree.fromstring(text.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" '))


def texts(svg: ElementTree.Element, kind: str) -> list[str]:
    return [one.text or "" for one in svg.iter(f"{SVG}text") if one.get("class") == kind]


@pytest.mark.parametrize(
    ("least", "step"),
    [("0", "1"), ("0.9", "1"), ("1", "1"), ("1.1", "2"), ("2.2", "2.5"), ("300", "500"), ("0.03", "0.05"), ("7", "10")],
)
def test_steps_are_round(least: str, step: str) -> None:
    assert round_step(D(least)) == D(step)


def test_bars_stand_on_zero_and_hang_below_it() -> None:
    svg = drawn(series("1000", "-500.25", "0"), "fi")
    bars = list(svg.iter(f"{SVG}rect"))
    tops = [D(bar.get("y", "")) for bar in bars]
    heights = [D(bar.get("height", "")) for bar in bars]
    zero = next(D(line.get("y1", "")) for line in svg.iter(f"{SVG}line") if line.get("class") == "zero")
    assert [bar.get("class") for bar in bars] == ["bar", "bar below", "bar"]
    assert (tops[0] + heights[0], tops[1], heights[2]) == (zero, zero, D(0))
    assert abs(heights[0] / heights[1] - D(1000) / D("500.25")) < D("0.01")
    assert [bar[0].text for bar in bars] == ["2025-11: 1\xa0000,00", "2025-12: -500,25", "2026-01: 0,00"]


def test_the_axes_are_named() -> None:
    svg = drawn(series("1000", "-500.25", "0"), "de")
    assert svg.get("aria-label") == "Result & more"
    assert texts(svg, "tick") == ["\N{MINUS SIGN}1.000", "\N{MINUS SIGN}500", "0", "500", "1.000", "11", "12", "1"]
    assert texts(svg, "year") == ["2025", "2026"]


def test_a_december_alone_leaves_its_room_to_the_next_year() -> None:
    points = [Point(date(2025, 12, 1), D(1)), Point(date(2026, 1, 1), D(2)), Point(date(2026, 2, 1), D(3))]
    assert texts(drawn(Series("Monthly result", points)), "year") == ["2026"]


def test_a_level_is_a_line_with_a_dot_a_month() -> None:
    svg = drawn(series("10", "20", "15", is_level=True))
    line = next(svg.iter(f"{SVG}polyline")).get("points", "")
    dots = [(dot.get("cx"), dot.get("cy")) for dot in svg.iter(f"{SVG}circle")]
    assert dots == [tuple(place.split(",")) for place in line.split()]
    assert [dot[0].text for dot in svg.iter(f"{SVG}circle")] == ["2025-11: 10.00", "2025-12: 20.00", "2026-01: 15.00"]


@pytest.mark.parametrize("values", [("0", "0"), ("0.01", "0"), ("-0.01", "0"), ("92233720368547758.07", "-0.01")])
def test_any_amounts_make_a_chart_within_its_frame(values: tuple[str, ...]) -> None:
    svg = drawn(series(*values))
    for bar in svg.iter(f"{SVG}rect"):
        assert D(0) <= D(bar.get("y", "")) <= D(bar.get("y", "")) + D(bar.get("height", "")) <= D(210)
    assert 2 <= len(list(svg.iter(f"{SVG}line"))) <= 7
    assert all(re.fullmatch(r"[\N{MINUS SIGN}\d,.]+", text) for text in texts(svg, "tick"))


@pytest.mark.parametrize("is_level", [True, False])
def test_what_is_to_come_is_not_drawn_and_has_its_place(is_level: bool) -> None:
    whole = series("10", "20", "15", "30", is_level=is_level)
    points = [*whole.points[:2], Point(date(2026, 1, 1), None), Point(date(2026, 2, 1), None)]
    part = drawn(Series("Cash", points, is_level))
    kind = "circle" if is_level else "rect"
    places = [[one.get("cx") or one.get("x") for one in svg.iter(f"{SVG}{kind}")] for svg in (part, drawn(whole))]
    assert places[0] == places[1][:2]
    assert texts(part, "tick")[-4:] == ["11", "12", "1", "2"]
    assert len(list(part.iter(f"{SVG}title"))) == 2


def test_a_figure_of_a_day_says_which() -> None:
    day = Point(date(2026, 3, 1), D("5"), date(2026, 3, 14))
    svg = drawn(Series("Cash", [day], is_level=True))
    assert [dot[0].text for dot in svg.iter(f"{SVG}circle")] == ["2026-03-14: 5.00"]


def test_long_amounts_at_the_side_have_room() -> None:
    def left(*values: str) -> D:
        return D(drawn(series(*values), "sv").get("viewBox", "").split()[0])

    assert left("1000", "-500.25") == 0
    assert left("999999.99", "-99999") == 0
    # 6 000 000 000, of which a digit takes some 6 points
    assert left("5000045299.99", "0") < 64 - 6 * 13
