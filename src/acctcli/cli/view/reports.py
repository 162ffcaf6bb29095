"""The reports, each figure of an account a way to its entries: what the commands show, laid out by them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date

from acctcli import law
from acctcli.cli.report.asking import Ask
from acctcli.cli.report.checks import check_balance_sheet, check_income_statement, check_vat
from acctcli.cli.report.shapes import Statement, VatReport, decode
from acctcli.cli.report.sheet import Sheet, Style, clean
from acctcli.cli.report.spans import PREVIOUS_PERIOD, PREVIOUS_YEAR, Span, range_columns
from acctcli.cli.report.statements import lay_out
from acctcli.cli.report.trial_balance import lay_out_trial_balance, read_trial_balance
from acctcli.cli.report.vat import lay_out_vat
from acctcli.cli.vat.filing import fetch_business, vat_periods
from acctcli.cli.view.asked import Asked, between
from acctcli.cli.view.page import Page, field, range_form, sections, sheet
from acctcli.cli.view.tags import Html, tag
from acctcli.cli.view.vat_periods import return_boxes, vat_periods_table
from acctcli.errors import UsageError
from acctcli.law.vat_codes import VAT_CODES

_COMPARISONS = {"": "nothing", PREVIOUS_YEAR: "the year before", PREVIOUS_PERIOD: "the period before"}
_NUMBERS = "number"
# a line of the balance sheet that no account is behind
_PROFIT = "Profit of the period"
# what moves accounts of results where a period begins, besides their documents
_CARRIED = "Result carried to profit of previous periods"
_CODES = "codes"
# more stand in no address that servers take, which end at some 16 KB
_MOST_NUMBERS = 1000


def page(asked: Asked) -> Page:
    """Show the report that the address names."""
    return _REPORTS[asked.path[0]](asked, asked.span())


def _income_statement(asked: Asked, span: Span) -> Page:
    columns = range_columns([span], _compare(asked))
    statement = decode(Ask(asked.here, accounts=True)("income-statement", columns).body, Statement)
    check_income_statement(statement)
    days = [Span(date.fromisoformat(one["date_from"]), date.fromisoformat(one["date_to"])) for one in columns]
    return _statement(asked, span, statement, "Income statement", days)


def _balance_sheet(asked: Asked, span: Span) -> Page:
    days = [date.fromisoformat(one["date_to"]) for one in range_columns([span], _compare(asked))]
    columns = [{"date_at": day.isoformat()} for day in days]
    statement = decode(Ask(asked.here, accounts=True)("balance-sheet", columns).body, Statement)
    check_balance_sheet(statement)
    return _statement(asked, span, statement, "Balance sheet", (until(asked, day) for day in days))


def until(asked: Asked, day: date) -> Span:
    """Return the days of the accounting period up to a day."""
    first = next((one.first for one in asked.periods if one.first <= day <= one.last), day.replace(month=1, day=1))
    return Span(first, day)


def _statement(asked: Asked, span: Span, statement: Statement, title: str, ways: Iterable[Span]) -> Page:
    """Lay a statement out; figures of its columns lead to the entries of the days in `ways`."""

    def body() -> Iterator[Html]:
        found = lay_out(statement, title, asked.account_words)
        numbers, days, profit = accounts_of(found), [*ways], clean(asked.words(_PROFIT))

        def link(position: int, place: int) -> str | None:
            own = days[max(place - 1, 0)]
            if found.lines[position].cells[0] == profit:
                return asked.link("income-statement", **between(own))
            return accounts_way(asked, numbers[position], own) if position in numbers else None

        yield range_form(asked, span, _comparison(asked))
        yield sheet(asked, found, link)

    return Page(asked.words(title), body(), span)


def accounts_of(found: Sheet) -> Mapping[int, Sequence[str]]:
    """Return the accounts behind the lines of a statement, by the places of the lines: those that stand below each."""
    accounts: dict[int, list[str]] = {}
    row = -1
    for position, line in enumerate(found.lines):
        if line.style is Style.DETAIL:
            accounts[position] = [line.account]
            accounts.setdefault(row, []).append(line.account)
        else:
            row = position
    return accounts


def accounts_way(asked: Asked, numbers: Sequence[str], span: Span) -> str | None:
    """Return the address of an account, or of several side by side; None of more than an address has room for."""
    if len(numbers) > _MOST_NUMBERS:
        return None
    if len(numbers) == 1:
        return asked.link("account", numbers[0], **between(span))
    return asked.link("trial-balance", **{_NUMBERS: numbers, **between(span)})


def _trial_balance(asked: Asked, span: Span) -> Page:
    balance = read_trial_balance(Ask(asked.here), range_columns([span], None))
    wanted = set(asked.query.get(_NUMBERS, ()))
    if wanted:
        balance = balance._replace(lines=[line for line in balance.lines if line.number in wanted])
    found = lay_out_trial_balance(balance, asked.account_words)

    def link(position: int, place: int) -> str | None:
        number = balance.lines[position].number if position < len(balance.lines) else ""
        return asked.link("account", number, **between(span)) if number else None

    def body() -> Iterator[Html]:
        kept = (tag("input", type="hidden", name=_NUMBERS, value=number) for number in sorted(wanted))
        yield range_form(asked, span, *kept)
        yield sheet(asked, found, link)
        if any(span.first < one.first <= span.last for one in asked.periods):
            carried = f"{asked.words('Debit and credit include')}: {asked.words(_CARRIED)}"
            yield tag("p", carried, class_="note")
        yield tag("p", asked.words("Balances are debit minus credit."), class_="quiet")

    return Page(asked.words("Trial balance"), body(), span)


def _vat(asked: Asked, span: Span) -> Page:
    report = decode(Ask(asked.here)("vat-report", range_columns([span], None)).body, VatReport)
    check_vat(report)
    words = asked.words
    found = lay_out_vat(report, asked.days(span), asked.books.locale)
    ways = _posted(asked, found, span)

    def codes() -> Iterator[Html]:
        links = (asked.link("journal", vat_code=one.value, **between(span)) for one in VAT_CODES)
        pairs = zip(VAT_CODES, links, strict=True)
        items = (tag("li", tag("a", f"{one.value} {words(one.label)}", href=link)) for one, link in pairs)
        yield tag("ul", *items, class_="codes", id=_CODES)

    def body() -> Iterator[Html]:
        yield range_form(asked, span)
        yield sheet(asked, found, lambda position, place: ways.get(position))
        yield from sections(
            asked,
            # a report by boxes is the return
            *([] if report.mapping else [("VAT return", lambda: return_boxes(asked, span))]),
            ("Entries by VAT code", codes),
            ("VAT periods", lambda: [vat_periods_table(asked, vat_periods(asked.here))]),
        )

    return Page(words("VAT report"), body(), span)


def _posted(asked: Asked, found: Sheet, span: Span) -> Mapping[int, str]:
    """Return where lines of a VAT report lead, by their places: to the entries of their code and rate, or the codes.

    Where VAT is due by payment they lead nowhere: the entries of its codes are of other days.
    """
    business = fetch_business(asked.here)
    try:
        made_of = {} if business.is_on_payment_basis else business.law.filing().made_of
    except law.UnknownCountryError:
        return {}
    names = {clean(asked.words(name)): name for name in made_of}
    ways = {}
    for position, line in enumerate(found.lines):
        title = str(line.cells[0])
        # a box stands before its name
        if (name := names.get(line.below) or names.get(title) or names.get(title.partition(" ")[0])) is None:
            continue
        codes, rate = made_of[name]
        # a line below one that has codes is that of a rate
        shown = (
            title.rstrip("\N{NO-BREAK SPACE}%").replace(asked.books.locale.mark, ".") if line.below in names else rate
        )
        only = next(iter(codes))
        way = asked.link("journal", vat_code=only, vat_rate=shown, **between(span))
        ways[position] = way if len(codes) == 1 else f"#{_CODES}"
    return ways


def _compare(asked: Asked) -> str | None:
    given = asked.one("compare")
    if given is not None and given not in _COMPARISONS:
        raise UsageError(f"nothing is compared with {given!r}")
    return given


def _comparison(asked: Asked) -> Html:
    chosen, words = asked.one("compare") or "", asked.words
    ways = (
        tag("option", words(name), value=key, selected="" if key == chosen else None)
        for key, name in _COMPARISONS.items()
    )
    return field(words("Compare with"), tag("select", *ways, name="compare", id="compare"), "compare")


_REPORTS: Mapping[str, Callable[[Asked, Span], Page]] = {
    "income-statement": _income_statement,
    "balance-sheet": _balance_sheet,
    "trial-balance": _trial_balance,
    "vat": _vat,
}
