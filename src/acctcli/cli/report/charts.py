"""Charts of twelve months as SVG: bars for what happens in a month, a line for what stands at its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from html import escape

from acctcli.cli.report.amounts import format_amount
from acctcli.cli.report.months import Point, Series
from acctcli.printing.numbers import Locale

WIDTH, HEIGHT = Decimal(420), Decimal(210)
_LEFT, _RIGHT, _TOP, _BOTTOM = Decimal(72), Decimal(6), Decimal(10), Decimal(36)
# between an amount at the side and its line, and the width of a digit there
_GAP, _LETTER = Decimal(8), Decimal("6.4")
_BAR = Decimal("0.62")
_STEPS = 4
_ZERO = Decimal(0)
_ROUND_STEPS = (Decimal(1), Decimal(2), Decimal("2.5"), Decimal(5), Decimal(10))


class _Scale:
    """Maps amounts to heights; zero is always in sight, and the lines of the grid stand at round amounts."""

    def __init__(self, values: Sequence[Decimal]) -> None:
        low, high = min(_ZERO, *values), max(_ZERO, *values)
        self.step = round_step((high - low) / _STEPS)
        self._low = (low / self.step).to_integral_value(ROUND_FLOOR) * self.step
        self._high = max((high / self.step).to_integral_value(ROUND_CEILING) * self.step, self._low + self.step)

    def y(self, value: Decimal) -> Decimal:
        return _TOP + (self._high - value) / (self._high - self._low) * (HEIGHT - _TOP - _BOTTOM)

    def grid(self) -> Iterator[Decimal]:
        line = self._low
        while line <= self._high:
            yield line
            line += self.step


def draw(series: Series, label: str, locale: Locale) -> str:
    """Return the chart of a series as an SVG element of that name, escaped; every month carries its figure."""
    scale = _Scale([value for _, value in series.known])
    ticks = {value: _tick(value, scale, locale) for value in scale.grid()}
    parts = [*_grid(scale, ticks), *_months(series.points)]
    parts.extend((_line if series.is_level else _bars)(series, scale, locale))
    # longer amounts than usual have room on their left
    more = max(_ZERO, _LETTER * max(map(len, ticks.values())) - (_LEFT - _GAP))
    box = f"{_px(-more)} 0 {_px(WIDTH + more)} {HEIGHT}"
    return f'<svg viewBox="{box}" role="img" aria-label="{label}">{"".join(parts)}</svg>'


def round_step(least: Decimal) -> Decimal:
    """Return the smallest of 1, 2, 2.5, 5, 10 times a power of ten that is not below `least`; 1 for nothing."""
    if least <= 0:
        return Decimal(1)
    power = Decimal(1).scaleb(least.adjusted())
    return next(step * power for step in _ROUND_STEPS if step * power >= least)


def _grid(scale: _Scale, ticks: Mapping[Decimal, str]) -> Iterator[str]:
    for value, text in ticks.items():
        y = scale.y(value)
        kind = "grid" if value else "zero"
        yield f'<line class="{kind}" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{_px(y)}" y2="{_px(y)}"/>'
        yield f'<text class="tick" x="{_LEFT - _GAP}" y="{_px(y + 4)}" text-anchor="end">{text}</text>'


def _tick(value: Decimal, scale: _Scale, locale: Locale) -> str:
    text = format_amount(value, locale)
    whole = scale.step == scale.step.to_integral_value()
    return (text[: -len("0.00") + 1] if whole else text).replace("-", "\N{MINUS SIGN}")


def _months(points: Sequence[Point]) -> Iterator[str]:
    """The months by number, the year below the first of each; that of a December alone has no room."""
    for place, point in enumerate(points):
        x = _px(_middle(place, points))
        yield f'<text class="tick" x="{x}" y="{HEIGHT - 20}" text-anchor="middle">{point.month.month}</text>'
        if point.month.month == 1 or (place == 0 and point.month.month != 12):
            yield f'<text class="year" x="{x}" y="{HEIGHT - 5}" text-anchor="middle">{point.month.year}</text>'


def _bars(series: Series, scale: _Scale, locale: Locale) -> Iterator[str]:
    width = _slot(series.points) * _BAR
    for place, (point, value) in enumerate(series.known):
        top, bottom = sorted((scale.y(value), scale.y(_ZERO)))
        kind = "bar below" if value < 0 else "bar"
        x = _middle(place, series.points) - width / 2
        shape = f'x="{_px(x)}" y="{_px(top)}" width="{_px(width)}" height="{_px(bottom - top)}"'
        yield f'<rect class="{kind}" {shape}>{_title(point, value, locale)}</rect>'


def _line(series: Series, scale: _Scale, locale: Locale) -> Iterator[str]:
    """A line through the points that are known, of which the others come behind."""
    places = [(_middle(place, series.points), scale.y(value)) for place, (_, value) in enumerate(series.known)]
    path = " ".join(f"{_px(x)},{_px(y)}" for x, y in places)
    zero = _px(scale.y(_ZERO))
    yield f'<polygon class="area" points="{_px(places[0][0])},{zero} {path} {_px(places[-1][0])},{zero}"/>'
    yield f'<polyline class="line" points="{path}"/>'
    for (point, value), (x, y) in zip(series.known, places, strict=True):
        yield f'<circle class="dot" cx="{_px(x)}" cy="{_px(y)}" r="3">{_title(point, value, locale)}</circle>'


def _title(point: Point, value: Decimal, locale: Locale) -> str:
    return f"<title>{point.label}: {escape(format_amount(value, locale))}</title>"


def _slot(points: Sequence[Point]) -> Decimal:
    return (WIDTH - _LEFT - _RIGHT) / len(points)


def _middle(place: int, points: Sequence[Point]) -> Decimal:
    return _LEFT + _slot(points) * (place + Decimal("0.5"))


def _px(value: Decimal) -> str:
    """A coordinate to a tenth of a pixel: no amount, only its picture."""
    return f"{value:.1f}"
