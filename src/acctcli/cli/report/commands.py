"""Reports on a business."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from acctcli.cli.command.called import TAG, Called
from acctcli.cli.command.classes import Context, ReportCommand, new_group, shows
from acctcli.cli.command.options import LOCALE, RANGE, field, flag, many
from acctcli.cli.command.typer_private import TyperChoice
from acctcli.cli.output.show import ALL, show
from acctcli.cli.session.state import State, state
from acctcli.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from acctcli.cli.report.asked import Columns
    from acctcli.cli.report.asking import Ask
    from acctcli.cli.report.checks import Parts
    from acctcli.cli.report.shapes import Statement
    from acctcli.cli.report.view import View

# the fields of the rows that each report is for machines; statements have one more for each of their columns
COLUMNS = {
    "journal": (
        "number",
        "date",
        "document_id",
        "account_number",
        "account_name",
        "debet",
        "credit",
        "description",
        "contact_name",
        "vat_code",
        "vat_rate",
        "counter_accounts",
    ),
    "ledger": (
        "account_number",
        "account_name",
        "number",
        "date",
        "debet",
        "credit",
        "balance_csum",
        "description",
        "contact_name",
        "vat_code",
        "counter_accounts",
    ),
    "trial-balance": ("number", "name", "opening", "debit", "credit", "closing"),
    "vat": ("section", "name", "rate", "part", "value"),
    "eu-vat": (
        "country_code",
        "vat_id",
        "name",
        "vat_handling",
        "net_amount",
        "document_number",
        "document_id",
        "vat_id_missing",
        "contact_missing",
        "is_private_person",
    ),
    **dict.fromkeys(("balance-sheet", "income-statement", "equity-changes"), ("name", "level", "is_sum_row", "number")),
}
LAYOUTS = ("plain", "statutory", "small", "micro")
COMPARISONS = ("previous-year", "previous-period")
app = new_group(__doc__)

TAGS = many("tag_ids", "--tag", "TAG", "Only documents with this tag, by id or name.", type=Called(TAG))
BOOKS = (*RANGE, TAGS, LOCALE)
_COMPARE = field(
    "compare",
    "--compare",
    type=TyperChoice(COMPARISONS),
    metavar="WHAT",
    help="Add a column to compare with: previous-year or previous-period.",
)
_CHANGE = flag("change", "--change", help="Add the change between two columns, also in per cent.")
_ACCOUNTS = flag("accounts", "--accounts", help="Add the accounts behind every row.")
_SHORT = flag("short", "--short", help="The main rows only.")
_LAYOUT = field(
    "layout",
    "--layout",
    type=TyperChoice(LAYOUTS),
    metavar="NAME",
    help="Lines of the law: statutory, small or micro; plain for those of the service (statutory on html and pdf).",
)
_PERIODS = many("period", "--period", "RANGE", "A year, quarter, month or day, a column each.")
BALANCE_SHEET = (
    many("period", "--period", "RANGE", "The last day of a year, quarter or month."),
    many("date", "--date", "DAY", "A day, a column each (today)."),
    *(_COMPARE, _CHANGE, TAGS, _ACCOUNTS, _SHORT, _LAYOUT, LOCALE),
)
EQUITY_CHANGES = (_PERIODS, *RANGE[1:], _COMPARE, TAGS, _ACCOUNTS, LOCALE)
TRIAL_BALANCE = (_PERIODS, *RANGE[1:], TAGS, LOCALE)
INCOME_STATEMENT = (_PERIODS, *RANGE[1:], _COMPARE, _CHANGE, TAGS, _ACCOUNTS, _SHORT, _LAYOUT, LOCALE)


@app.command("journal", cls=ReportCommand.taking(*BOOKS))
@shows(COLUMNS["journal"])
def report_journal(ctx: Context) -> None:
    """List every entry of a range by date.

    The range is the current year unless told otherwise. As JSON lines it is a document a line, the bytes the service
    sent; in the other formats for machines a row an entry.

    Example: acctcli report journal --period 2026-03
    """
    from acctcli.cli.report.books import (
        Journal,
        RawJournal,
        WholeBook,
        check_whole,
        journal_rows,
        lay_out_journal,
    )

    here = state(ctx)
    view, ask, columns = _books(here)
    if here.format == "json" and (here.options.jq is not None or here.options.columns is not None):
        reply = ask("journal", columns)
        check_whole(Journal(WholeBook(reply, "documents")))
        show(here, reply, ALL)
        return
    records = ask.stream("journal", columns, "documents")
    if here.format == "json":
        view.show_whole(RawJournal(records))
    elif here.format == "jsonl":
        view.show_raw(RawJournal(records))
    elif view.as_lists:
        from acctcli.cli.report.listed import list_journal

        view.show_workbook(_days(columns), list_journal(Journal(records), view.account_words))
    elif view.for_people:
        view.show(lay_out_journal(Journal(records), _days(columns), view.account_words))
    else:
        view.show_rows(journal_rows(Journal(records)), COLUMNS["journal"])


@app.command("ledger", cls=ReportCommand.taking(*BOOKS))
@shows(COLUMNS["ledger"])
def report_ledger(ctx: Context) -> None:
    """List the entries of every account with balances.

    The range is the current year unless told otherwise. As JSON it is the service's document; in the other formats for
    machines it is a row an entry, with the account's number and name, and a row without a date for the opening balance.

    Example: acctcli report ledger --period 2026-Q1 --output csv --output-file ledger.csv
    """
    from acctcli.cli.report.books import Ledger, WholeBook, check_whole, lay_out_ledger, ledger_rows

    here = state(ctx)
    view, ask, columns = _books(here)
    if here.format == "json":
        reply = ask("ledger", columns)
        check_whole(Ledger(WholeBook(reply, "accounts")))
        show(here, reply, ALL)
        return
    ledger = Ledger(ask.stream("ledger", columns, "accounts"))
    if view.as_lists:
        from acctcli.cli.report.listed import LedgerLists

        view.show_workbook(_days(columns), *LedgerLists(ledger, view.account_words).lists())
    elif view.for_people:
        view.show(lay_out_ledger(ledger, _days(columns), view.account_words))
    else:
        view.show_rows(ledger_rows(ledger), COLUMNS["ledger"])


@app.command("trial-balance", cls=ReportCommand.taking(*TRIAL_BALANCE))
@shows(COLUMNS["trial-balance"])
def report_trial_balance(ctx: Context) -> None:
    """Show what every account opened with, moved and closed with.

    The range is the current year unless told otherwise; several periods are columns side by side, in formats for
    machines with their name before those of the figures. Balances are debit minus credit, so they add up to 0. It is
    made of a ledger for each column.

    Example: acctcli report trial-balance --period 2026-Q1
    """
    import msgspec

    from acctcli.cli.output.show import show_record
    from acctcli.cli.report.asking import Ask
    from acctcli.cli.report.trial_balance import (
        lay_out_trial_balance,
        read_trial_balance,
        trial_document,
        trial_rows,
    )
    from acctcli.cli.report.view import View
    from acctcli.client.messages import encode_plain

    here = state(ctx)
    view = View(here, here.named.get("locale"))
    balance = read_trial_balance(Ask(here, here.named.get("tag_ids")), _ranges(here))
    if here.format == "json":
        show_record(here, msgspec.Raw(encode_plain(trial_document(balance))), ALL)
    elif view.as_lists:
        from acctcli.cli.report.listed import list_trial_balance

        view.show_workbook(" · ".join(balance.labels), list_trial_balance(balance, view.account_words))
    elif view.for_people:
        view.show(lay_out_trial_balance(balance, view.account_words))
    else:
        view.show_rows(trial_rows(balance))


@app.command("vat", cls=ReportCommand.taking(*BOOKS))
@shows(COLUMNS["vat"])
def report_vat(ctx: Context) -> None:
    """Show sales and purchases by VAT, and what to pay.

    The range is the current year unless told otherwise.

    Example: acctcli report vat --period 2026-03
    """
    from acctcli.cli.report.checks import check_vat
    from acctcli.cli.report.shapes import VatReport, decode
    from acctcli.cli.report.vat import lay_out_vat, vat_rows

    here = state(ctx)
    view, ask, columns = _books(here)
    reply = ask("vat-report", columns)
    report = decode(reply.body, VatReport)
    check_vat(report)
    if here.format == "json":
        show(here, reply, ALL)
    elif view.for_people:
        view.show(lay_out_vat(report, _days(columns), view.locale), _months(ask, columns, "vat"))
    else:
        view.show_rows(vat_rows(report), COLUMNS["vat"])


@app.command("eu-vat", cls=ReportCommand.taking(*BOOKS))
@shows(COLUMNS["eu-vat"])
def report_eu_vat(ctx: Context) -> None:
    """List sales to other EU countries by buyer.

    The range is the current year unless told otherwise. What cannot stand in a recapitulative statement, such as a sale
    to a buyer without a VAT id, is said on stderr.

    Example: acctcli report eu-vat --period 2026-Q1
    """
    from acctcli.cli.report.shapes import EuVatReport, decode
    from acctcli.cli.report.vat import eu_rows, lay_out_eu, warnings
    from acctcli.law.recapitulative import EuSales

    here = state(ctx)
    view, ask, columns = _books(here)
    reply = ask("eu-vat-contact-report", columns)
    report = decode(reply.body, EuVatReport)
    if here.format == "json":
        show(here, reply, ALL)
    elif view.as_lists:
        from acctcli.cli.report.listed import list_eu_sales

        view.show_workbook(_days(columns), list_eu_sales(report, view.words))
    elif view.for_people:
        view.show(lay_out_eu(report, _days(columns), view.words))
    else:
        view.show_rows(eu_rows(report), COLUMNS["eu-vat"])
    for warning in warnings(decode(reply.body, EuSales), (report.business_vat_id or "")[:2]):
        here.say(warning)


@app.command("balance-sheet", cls=ReportCommand.taking(*BALANCE_SHEET))
@shows(COLUMNS["balance-sheet"])
def report_balance_sheet(ctx: Context) -> None:
    """Show what the business has and owes on a day.

    The day is today unless told otherwise; several days or periods are columns side by side. With the lines of the law,
    the last day of an accounting period has that of the one before it beside.

    Example: acctcli report balance-sheet --period 2026 --compare previous-year --accounts
    """
    from acctcli.cli.report.checks import check_balance_sheet
    from acctcli.cli.report.spans import point_columns

    here = state(ctx)
    named = here.named
    columns = point_columns(named.get("period"), named.get("date"), named.get("compare"), here.today)
    _show_statement(here, "balance-sheet", columns, "Balance sheet", check_balance_sheet)


@app.command("income-statement", cls=ReportCommand.taking(*INCOME_STATEMENT))
@shows(COLUMNS["income-statement"])
def report_income_statement(ctx: Context) -> None:
    """Show what the business earned and spent.

    The range is the current year unless told otherwise; several periods are columns side by side. With the lines of the
    law, an accounting period has the one before it beside.

    Example: acctcli report income-statement --period 2026-Q1 --period 2026-Q2 --change
    """
    from acctcli.cli.report.checks import check_income_statement

    here = state(ctx)
    _show_statement(here, "income-statement", _ranges(here), "Income statement", check_income_statement)


@app.command("equity-changes", cls=ReportCommand.taking(*EQUITY_CHANGES))
@shows(COLUMNS["equity-changes"])
def report_equity_changes(ctx: Context) -> None:
    """Show how equity changed.

    The range is the current year unless told otherwise; several periods are columns side by side.

    Example: acctcli report equity-changes --period 2026
    """
    from acctcli.cli.report.checks import check_equity_changes

    here = state(ctx)
    _show_statement(here, "equity-changes", _ranges(here), "Changes in equity", check_equity_changes)


def _books(here: State) -> tuple[View, Ask, Columns]:
    """Return what shows a report, what asks for it, and its one column: a range of days."""
    from acctcli.cli.report.asking import Ask
    from acctcli.cli.report.view import View

    view = View(here, here.named.get("locale"))
    return view, Ask(here, here.named.get("tag_ids")), _ranges(here)


def _ranges(here: State) -> list[dict[str, Any]]:
    """Return the columns of the ranges given, with the one to compare with behind."""
    from acctcli.cli.report.spans import choose_spans, range_columns

    period, first, last, compare = (here.named.get(name) for name in ("period", "from", "to", "compare"))
    periods = [period] if isinstance(period, str) else period
    return range_columns(choose_spans(periods, first, last, here.today), compare)


def _show_statement(here: State, name: str, columns: Columns, title: str, check: Callable[[Statement], Parts]) -> None:
    from acctcli.cli.report.asking import Ask
    from acctcli.cli.report.laws import Asked, show_statutory, statutory_law, with_year_before
    from acctcli.cli.report.shapes import Statement, decode
    from acctcli.cli.report.statements import flat_rows, lay_out
    from acctcli.cli.report.view import View

    change, accounts = here.named.get("change", False), here.named.get("accounts", False)
    view = View(here, here.named.get("locale"))
    law = None if name == "equity-changes" else statutory_law(view)
    if law is not None:
        columns = with_year_before(view, columns)
    if change and len(columns) != 2:
        raise UsageError(f"--change compares two columns, here are {len(columns)}", hint="add --compare previous-year")
    if law is not None:
        ask = Ask(here, here.named.get("tag_ids"), accounts=True)
        show_statutory(view, law, ask, Asked(name, title, columns, check), _months(ask, columns, name))
        return
    ask = Ask(here, here.named.get("tag_ids"), accounts=accounts, change=change)
    reply = ask(f"{name}-short" if here.named.get("short") else name, columns)
    statement = decode(reply.body, Statement)
    parts = check(statement)
    if here.format == "json":
        show(here, reply, ALL)
    elif view.for_people:
        words = view.account_words if accounts or name == "equity-changes" else view.words
        view.show(lay_out(statement, title, words, parts), _months(ask, columns, name))
    else:
        view.show_rows(flat_rows(statement))


def _days(columns: Columns) -> str:
    return f"{columns[0]['date_from']} \N{EN DASH} {columns[0]['date_to']}"


def _months(ask: Ask, columns: Columns, report: str) -> Callable[[], Any]:
    """Return what reads the figures beside a report, of the twelve months up to the latest day of its columns."""
    from datetime import date

    from acctcli.cli.report.months import read_months

    latest = max(column.get("date_at") or column["date_to"] for column in columns)
    return lambda: read_months(ask, date.fromisoformat(latest), report)
