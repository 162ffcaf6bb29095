"""Banking days of Finland and Germany: the days on which a tax falls due.

Finland: a deadline on a holy day, Independence Day, May Day, Christmas Eve, Midsummer Eve or a Saturday moves to the
next weekday (Laki säädettyjen määräaikain laskemisesta 150/1930, 5 §). Germany: one on a Saturday, a Sunday or a
public holiday does (§ 108 Abs. 3 AO); 24 and 31 December are no public holidays, though nobody works on them.
Holidays are those of the laws in force since 2015.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache

_SATURDAY = 5
_DAY = timedelta(days=1)

# fixed holidays, as (month, day); movable ones, as days from Easter Sunday
_FIXED = {
    "FI": ((1, 1), (1, 6), (5, 1), (12, 6), (12, 24), (12, 25), (12, 26)),
    "DE": ((1, 1), (5, 1), (10, 3), (12, 25), (12, 26)),
}
_GOOD_FRIDAY, _EASTER_MONDAY, _ASCENSION, _WHIT_MONDAY, _CORPUS_CHRISTI = -2, 1, 39, 50, 60
_MOVABLE = {
    "FI": (_GOOD_FRIDAY, _EASTER_MONDAY, _ASCENSION),
    "DE": (_GOOD_FRIDAY, _EASTER_MONDAY, _ASCENSION, _WHIT_MONDAY),
}

# holidays of whole German Länder: (month, day) -> Land -> first year
_OLD = 0
_LAND_FIXED: dict[tuple[int, int], dict[str, int]] = {
    (1, 6): dict.fromkeys(("BW", "BY", "ST"), _OLD),
    (3, 8): {"BE": 2019, "MV": 2023},
    (8, 15): {"SL": _OLD},
    (9, 20): {"TH": 2019},
    (10, 31): {
        **dict.fromkeys(("BB", "MV", "SN", "ST", "TH"), _OLD),
        **dict.fromkeys(("HB", "HH", "NI", "SH"), 2018),
    },
    (11, 1): dict.fromkeys(("BW", "BY", "NW", "RP", "SL"), _OLD),
}
_CORPUS_CHRISTI_LANDS = frozenset({"BW", "BY", "HE", "NW", "RP", "SL"})
# 500 years of the Reformation, in every Land; 75 and 80 years since the end of the war, in Berlin
_ONCE = {date(2017, 10, 31): None, date(2020, 5, 8): "BE", date(2025, 5, 8): "BE"}


def is_banking_day(day: date, country: str, region: str | None = None) -> bool:
    """Tell whether banks and tax offices work on a day.

    `country` is `FI` or `DE`, any other counts as Finland as everywhere in the books (wire facts 2.3). `region` is a
    German Land such as `BY`; without one only the holidays of all Länder count. No due date of VAT between 2015 and
    2040 depends on the Land, which is why nothing stores it.
    """
    return day.weekday() < _SATURDAY and day not in _holidays(country, day.year, region)


def next_banking_day(day: date, country: str, region: str | None = None) -> date:
    """Return the day itself if it is a banking day, else the first one after it."""
    while not is_banking_day(day, country, region):
        day += _DAY
    return day


def easter_sunday(year: int) -> date:
    """Return Easter Sunday of the Gregorian calendar (the anonymous algorithm of 1876)."""
    golden, century, rest = year % 19, year // 100, year % 100
    epact = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    shift = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * shift + 114, 31)
    return date(year, month, day + 1)


@lru_cache(maxsize=64)
def _holidays(country: str, year: int, region: str | None) -> frozenset[date]:
    known = country if country in _FIXED else "FI"
    easter = easter_sunday(year)
    days = {date(year, month, day) for month, day in _FIXED[known]}
    days |= {easter + offset * _DAY for offset in _MOVABLE[known]}
    days |= _german_extras(year, region, easter) if known == "DE" else {_midsummer_eve(year)}
    return frozenset(days)


def _midsummer_eve(year: int) -> date:
    """The Friday between 19 and 25 June; Midsummer Day and All Saints are Saturdays anyway."""
    return _weekday_from(date(year, 6, 19), weekday=4)


def _german_extras(year: int, region: str | None, easter: date) -> set[date]:
    days = {day for day, land in _ONCE.items() if land in {None, region}}
    if region is None:
        return days
    for (month, day), lands in _LAND_FIXED.items():
        if year >= lands.get(region, year + 1):
            days.add(date(year, month, day))
    if region in _CORPUS_CHRISTI_LANDS:
        days.add(easter + _CORPUS_CHRISTI * _DAY)
    if region == "SN":
        days.add(_weekday_from(date(year, 11, 16), weekday=2))  # Buß- und Bettag
    return days


def _weekday_from(day: date, weekday: int) -> date:
    """Return the first such weekday on or after a day; Monday is 0."""
    return day + (weekday - day.weekday()) % 7 * _DAY
