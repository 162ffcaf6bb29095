"""Propose a profile from a CSV file: what is certain is decided, what is not is asked for (docs/bank.md 4)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from io import BytesIO
from itertools import islice

from acctcli.banking.statements.delimited import MINUS, plain_heading
from acctcli.banking.statements.lines import decoded_lines
from acctcli.banking.statements.model import StatementFault
from acctcli.banking.statements.profile import Columns, Profile
from acctcli.banking.statements.tables import AMOUNT, Table, find_table

_LOOKED_AT = 2000
_DAYS = (
    "%d.%m.%Y", "%d.%m.%y", "%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d-%m-%Y", "%Y%m%d",
    "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%d.%m.%Y %H:%M:%S", "%d/%m/%y", "%m/%d/%y",
)  # fmt: skip
_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9 ]{11,40}")
_CURRENCY = re.compile(r"[A-Za-z]{3}")
# words of headings, the most telling first; each heading is taken once
_WORDS = {
    "booked": ("kirjaus", "buchung", "booking", "bokf", "posted", "created", "pvm", "datum", "date", "päivä"),
    "valued": ("arvop", "maksup", "valuta", "wertstellung", "value", "available"),
    "amount": ("net", "määrä", "summa", "betrag", "belopp", "amount", "total"),
    "balance": ("saldo", "balance", "kontostand"),
    "reference": ("arkistointi", "arkisto", "archive", "transaction id", "transaction_id", "filing"),
    "structured": ("viitenumero", "viite", "referensnummer"),
    "name": ("saaja/maksaja", "beguenstigter", "begünstigter", "empfänger", "payee", "counterparty", "partner name",
             "nimi", "name", "mottagare", "auftraggeber"),
    "iban": ("iban", "tilinumero", "kontonummer", "account number"),
    "text": ("viesti", "verwendungszweck", "payment reference", "message", "meddelande", "description", "selitys",
             "otsikko", "text", "note", "purpose"),
    "code": ("laji", "buchungstext", "tapahtuma", "type", "reporting_category"),
    "currency": ("valuutta", "waehrung", "währung", "currency", "valuta"),
    "fee": ("fee", "kulu", "gebühr"),
}  # fmt: skip


def propose(beginning: bytes, title: str, day: str | None = None) -> Profile:
    """Return a profile for what begins so; raise StatementFault naming what cannot be told.

    `day` is how days are written, where several ways fit.
    """
    table = _table(beginning)
    columns: dict[str, str] = {}
    days = _days(table, day)
    amounts = [one for one in table.headings if _all(table.cells(one), AMOUNT) and one not in days]
    columns |= _named(table.headings, {"booked": days, "valued": days, "amount": amounts, "balance": amounts})
    if "amount" not in columns:
        raise StatementFault("there is no column of amounts whose heading is known", table.skip + 1, "columns.amount")
    money = [columns[use] for use in ("amount", "balance") if use in columns]
    rest = [one for one in table.headings if one not in columns.values()]
    ibans = [one for one in rest if table.cells(one) and _all(table.cells(one), _IBAN)]
    currencies = [one for one in rest if table.cells(one) and _all(table.cells(one), _CURRENCY)]
    columns |= _named(rest, {"iban": ibans, "currency": currencies, "fee": [one for one in rest if one in amounts]})
    fees = [cell for cell in table.cells(columns["fee"]) if re.search("[1-9]", cell)] if "fee" in columns else []
    is_fee_negative = bool(fees) and all(cell.startswith(MINUS) for cell in fees)
    if not is_fee_negative and any(cell.startswith(MINUS) for cell in fees):
        del columns["fee"]  # whether a minus is one that was taken, or one that came back, is not told
    rest = [one for one in rest if one not in columns.values()]
    texts = _named(rest, dict.fromkeys(("reference", "structured", "name", "text", "code"), rest))
    decimal, thousands = _signs([cell for one in money for cell in table.cells(one)], table.skip + 2)
    text = texts.pop("text", None)
    columns |= texts
    _check_headings(table, columns | ({"text": text} if text else {}))
    return Profile(
        title=title,
        header=[one for one in table.headings if one],
        columns=Columns(**columns, text=[text] if text else []),
        day=day or _day_format(table, columns["booked"]),
        delimiter=table.delimiter,
        decimal="," if decimal == "," else ".",
        thousands=thousands,
        currency="" if "currency" in columns else "EUR",
        skip=table.skip,
        is_fee_negative=is_fee_negative,
    )


def _table(beginning: bytes) -> Table:
    """Return the table that the first lines hold."""
    end = beginning.rfind(b"\n") + 1
    lines = islice(decoded_lines(BytesIO(beginning[: end or len(beginning)])), _LOOKED_AT)
    return find_table([text for _, text in lines])


def _check_headings(table: Table, columns: Mapping[str, str]) -> None:
    """Raise StatementFault for a column whose heading another one has, too: which of them is meant nobody knows."""
    plain = [plain_heading(one) for one in table.headings]
    for use, heading in columns.items():
        if plain.count(plain_heading(heading)) > 1:
            told = f"several columns are called {heading!r}: one of its own for each would be right"
            raise StatementFault(told, table.skip + 1, f"columns.{use}")


def _all(cells: Sequence[str], pattern: re.Pattern[str]) -> bool:
    return bool(cells) and all(map(pattern.fullmatch, cells))


def _named(headings: Sequence[str], among: dict[str, list[str]]) -> dict[str, str]:
    """Return which heading is for what, by words, each of those it may be."""
    found: dict[str, str] = {}
    for use, candidates in among.items():
        for word in _WORDS[use]:
            free = (one for one in headings if one in candidates and one not in found.values())
            heading = next((one for one in free if word in plain_heading(one)), None)
            if heading is not None:
                found[use] = heading
                break
    return found


def _days(table: Table, day: str | None) -> list[str]:
    forms = (day,) if day else _DAYS
    found = [one for one in table.headings if any(_are_days(table.cells(one), form) for form in forms)]
    named = _named(table.headings, {"booked": found})
    if not named:
        raise StatementFault("there is no column of days whose heading is known", table.skip + 1, "columns.booked")
    return found


def _day_format(table: Table, heading: str) -> str:
    """Return how days are written; raise StatementFault where two ways fit."""
    fitting = [form for form in _DAYS if _are_days(table.cells(heading), form)]
    if len(fitting) > 1:
        told = f"{table.cells(heading)[0]!r} may be {' or '.join(fitting)}: give one with --day"
        raise StatementFault(told, table.skip + 2, f"day, column {heading!r}")
    return fitting[0]


def _are_days(cells: Sequence[str], form: str) -> bool:
    return bool(cells) and all(_is_day(cell, form) for cell in cells)


def _is_day(cell: str, form: str) -> bool:
    try:
        datetime.strptime(cell, form)
    except ValueError:
        return False
    return True


def _signs(cells: Iterable[str], line: int) -> tuple[str, str]:
    """Return the decimal sign and that of thousands; raise StatementFault where amounts do not tell."""
    decimals, thousands = set[str](), set[str]()
    for cell in cells:
        signs = re.findall(r"[^\d+\-\u2212]", cell.translate({0xA0: " ", 0x202F: " "}))
        if not signs:
            continue
        behind = len(cell) - 1 - max(cell.rfind(sign) for sign in ",.' ") if signs else 0
        if signs[-1] in ",." and behind != 3:
            decimals.add(signs[-1])
            thousands.update(signs[:-1])
        else:
            thousands.update(signs)
    if len(decimals) > 1 or len(thousands) > 1 or decimals & thousands:
        raise StatementFault("amounts are not all written in one way", line, "decimal, thousands")
    if not decimals and thousands & {",", "."}:
        raise StatementFault("amounts do not tell whether they have decimals or thousands", line, "decimal, thousands")
    return next(iter(decimals), ","), next(iter(thousands), "")
