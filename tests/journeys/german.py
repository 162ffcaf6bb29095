"""Books of both German charts: what is told in numbers of SKR04 is played in those of SKR03 as well."""

from __future__ import annotations

CHARTS = ("SKR04", "SKR03")
# SKR03 of SKR04
_SKR03 = {
    "0440": "0210", "1200": "1400", "1400": "1570", "1460": "1360", "1800": "1200", "1810": "1210", "1900": "0980",
    "2900": "0800", "3020": "0955", "3150": "0630", "3151": "0631", "3160": "0640", "3300": "1600", "3720": "1740",
    "3740": "1742", "3800": "1770", "3820": "1780", "4300": "8300", "4336": "8336", "4400": "8400", "4830": "8603",
    "5400": "3400", "5900": "3100", "6000": "4100", "6110": "4130", "6140": "4165", "6220": "4830", "6310": "4210",
    "6600": "4600", "6837": "4964", "6930": "2400", "7100": "2650", "7300": "2100", "7600": "2200", "7685": "4510",
}  # fmt: skip


def of_chart(chart: str, written: str) -> str:
    """Return an account, or a leg that begins with one, in the numbers of a chart; other words as they are."""
    number, colon, rest = written.partition(":")
    return f"{_SKR03.get(number, number)}{colon}{rest}" if chart != CHARTS[0] else written
