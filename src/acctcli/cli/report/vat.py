"""VAT reports: the Finnish summary, the German totals and form fields, and the sales to other EU countries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

import msgspec

from acctcli import law
from acctcli.cli.report.checks import BY_RATE, DEDUCTIBLE, total
from acctcli.cli.report.labels import Labels
from acctcli.cli.report.shapes import EuSale, EuVatReport, Group, Number, VatReport
from acctcli.cli.report.sheet import Column, Kind, Sheet, SheetLine, Style, clean
from acctcli.law.filing import FOREIGN, PAYABLE
from acctcli.law.recapitulative import EuSales, state_sales
from acctcli.printing.numbers import Locale, percent_of


def payable(report: VatReport) -> Decimal | None:
    """Return the VAT to pay, negative for a refund; None when the report says it in the words of no country."""
    figures = msgspec.structs.asdict(report)
    found = (country.filing().payable(figures) for country in law.countries())
    return next((value for value in found if value is not None), None)


def _boxes(mapping: Group, language: str) -> Mapping[str, str]:
    """Return the names of the boxes that a report is filled into, such as the German Kz, where a country has them."""
    every = (country.filing().box_labels(language) for country in law.countries())
    return next((names for names in every if mapping.keys() <= names.keys()), {})


def vat_rows(report: VatReport) -> Iterator[dict[str, object]]:
    """Yield a row a figure: where it stands (`section`, `name`, `rate`, `part`) and its `value`."""
    for section in ("summary", "totals", "mapping", FOREIGN):
        for path, value in _figures(getattr(report, section) or {}):
            name, rate, part = _named(path)
            yield {"section": section, "name": name, "rate": rate, "part": part, "value": value}


def lay_out_vat(report: VatReport, period: str, locale: Locale) -> Sheet:
    """Lay the report out: what was sold and bought with base and tax, then what is to be paid."""
    words = Labels(locale.language)
    amounts = ("Base", "VAT") if report.summary else ("Amount",)
    columns = (Column(words("VAT report")), *(Column(words(name), Kind.AMOUNT) for name in amounts))
    lines = _summary(report.summary or {}, locale)
    boxes = _boxes(report.mapping, locale.language) if report.mapping else {}
    for title, group in (
        ("Totals", report.totals),
        ("Form fields", report.mapping),
        ("Foreign VAT", report.foreign_vat),
    ):
        named = boxes if group is report.mapping else {}
        lines.extend(_group_lines(title, group or {}, len(columns), words, len(lines), named))
    return Sheet(words("VAT report"), period, columns, lines)


def eu_rows(report: EuVatReport) -> Iterator[dict[str, object]]:
    """Yield a row a sale; `is_private_person` tells the two lists of the report apart."""
    for private, sales in ((False, report.rows), (True, report.private_person_rows or [])):
        for sale in sales:
            yield {**msgspec.structs.asdict(sale), "is_private_person": private}


def lay_out_eu(report: EuVatReport, period: str, words: Labels) -> Sheet:
    """Lay the report out: sales to businesses, sales to private persons, each with its sum."""
    titles = ("Country", "VAT ID", "Name", "Handling", "Document")
    columns = (*(Column(words(title)) for title in titles), Column(words("Net amount"), Kind.AMOUNT))
    lines = [*_sales("Sales to businesses", report.rows, words)]
    if report.private_person_rows:
        lines.extend(_sales("Sales to private persons", report.private_person_rows, words))
    return Sheet(words("EU sales"), period, columns, lines)


def warnings(sales: EuSales, seller: str) -> Iterator[str]:
    """Yield why sales cannot stand in a recapitulative statement, a sentence each; `seller` is the country's code."""
    for fault in state_sales(sales, seller).faults:
        whose = f" ({fault.name})" if fault.name else ""
        yield f"warning: document {fault.document}{whose} cannot be stated: {fault.reason}"


def _figures(group: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Number]]:
    for name, value in group.items():
        if isinstance(value, dict):
            yield from (((name, *path), number) for path, number in _figures(value))
        else:
            yield (name,), value


def _named(path: tuple[str, ...]) -> tuple[str, str | None, str | None]:
    name, *below = path
    rate = below[0] if len(below) == 2 else None
    return name, rate, below[-1] if below else None


def _summary(summary: Mapping[str, Number | Group], locale: Locale) -> list[SheetLine]:
    """Return the lines of the summary; what is to be paid adds the tax of all groups, less what is deductible."""
    lines: list[SheetLine] = []
    adds: list[int] = []
    less: list[int] = []
    for name, value in summary.items():
        own = list(_summary_lines(name, value, locale))
        if name == PAYABLE:
            own = [line._replace(adds=tuple(adds), less=tuple(less)) for line in own]
        elif name not in BY_RATE:
            (less if name == DEDUCTIBLE else adds).extend(range(len(lines), len(lines) + len(own)))
        lines.extend(own)
    return lines


def _summary_lines(name: str, value: Number | Group, locale: Locale) -> Iterator[SheetLine]:
    title = clean(Labels(locale.language)(name))
    style = Style.SUM if name == PAYABLE else Style.PLAIN
    if not isinstance(value, dict):
        is_tax = "vat" in name or name == "adjustments"
        yield SheetLine((title, None, value) if is_tax else (title, value, None), style)
    elif not value:
        return
    elif any(isinstance(part, dict) for part in value.values()):
        yield SheetLine((title, None, None), Style.HEADING)
        for rate, parts in value.items():
            pair = _base_and_vat(parts) if isinstance(parts, dict) else (parts, None)
            yield SheetLine((clean(percent_of(rate, locale)), *pair), level=1, below=title)
    else:
        yield SheetLine((title, *_base_and_vat({key: one for key, one in value.items() if not isinstance(one, dict)})))


def _base_and_vat(parts: dict[str, Number]) -> tuple[Number, Number]:
    return parts.get("base"), parts.get("vat")


def _group_lines(
    title: str, group: Group, width: int, words: Labels, start: int, boxes: Mapping[str, str]
) -> Iterator[SheetLine]:
    """Yield the lines of a group, which begin at the place `start`; a box stands before its name."""
    if group:
        yield SheetLine((words(title), *[None] * (width - 1)), Style.HEADING)
    figures = list(_figures(group))
    places = {path: place for place, (path, _) in enumerate(figures, start + 1)}
    for path, value in figures:
        style = Style.SUM if path == (PAYABLE,) else Style.PLAIN
        name = clean(" ".join((*map(words, path), *filter(None, [boxes.get(path[-1])]))))
        line = SheetLine((name, *[None] * (width - 2), value), style, 1, below=words(title))
        if style is Style.SUM:
            adds, less = ((places[name,],) if (name,) in places else () for name in ("output_vat", "input_vat"))
            line = line._replace(adds=adds, less=less)
        yield line


def _sales(title: str, sales: list[EuSale], words: Labels) -> Iterator[SheetLine]:
    yield SheetLine((words(title), *[None] * 5), Style.HEADING)
    for sale in sales:
        handling = words(sale.vat_handling or "")
        texts = (sale.country_code, sale.vat_id, sale.name, handling, sale.document_number)
        yield SheetLine((*map(clean, texts), sale.net_amount))
    yield SheetLine((words("Total"), *[None] * 4, total(sale.net_amount for sale in sales)), Style.SUM)
