"""What a document is going to post, shown instead of posting it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from acctcli.cli.account.chart import Account, Chart, read_chart
from acctcli.cli.account.words import vat_in_words
from acctcli.cli.document.entries import PlannedEntry, VatAccounts, entries_of, units_of
from acctcli.cli.document.shown import ENTRY
from acctcli.cli.output import sink
from acctcli.cli.output.replies import decoded
from acctcli.cli.output.show import ALL, show_record, show_values
from acctcli.cli.output.writers import rows_writer, write_record
from acctcli.cli.session.state import State
from acctcli.client.messages import Planned, encode_plain
from acctcli.errors import UsageError
from acctcli.models.document import DocumentRequest

_MONEY = "ASS_PAY"
_OF_LINES = ("line", "date", *ENTRY)


class Preview(NamedTuple):
    """The entries to come, and the accounts they name; amounts in cents."""

    lines: list[PlannedEntry]
    accounts: Mapping[int, Account]
    is_draft: bool

    def sum(self, is_debit: bool) -> int:
        """Return what a side comes to."""
        return sum(line.cents for line in self.lines if line.is_debit == is_debit)

    @property
    def balance(self) -> int:
        """The effect on bank and cash: money out is negative (docs/interface.md 5.4)."""
        money = {one.id for one in self.accounts.values() if one.type == _MONEY}
        return sum(line.cents if line.is_debit else -line.cents for line in self.lines if line.account_id in money)


class _BooksVat(msgspec.Struct):
    account_vat_receivables: int | None = None
    account_vat_liabilities: int | None = None


def read_preview(here: State, chart: Chart, blueprint: Mapping[str, Any], *, is_draft: bool) -> Preview:
    """Work out the entries of a blueprint; raise UsageError when VAT has no account to go to."""
    return _preview(_vat_accounts(here), chart, blueprint, is_draft=is_draft)


def _vat_accounts(here: State) -> VatAccounts:
    business = decoded(here.api.businesses.get(here.business()), _BooksVat)
    return VatAccounts(business.account_vat_receivables, business.account_vat_liabilities)


def _preview(vat_accounts: VatAccounts, chart: Chart, blueprint: Mapping[str, Any], *, is_draft: bool) -> Preview:
    lines = entries_of(blueprint, vat_accounts)
    if not is_draft and any(line.account_id is None for line in lines):
        raise UsageError(
            "the business names no account for this VAT",
            hint="set account_vat_receivables and account_vat_liabilities with: acctcli business update",
        )
    return Preview(lines, chart.by_id, is_draft)


@contextmanager
def rehearsed(here: State, preview: Preview | None) -> Iterator[None]:
    """End a rehearsal with the request and the entries; without a preview the request alone is shown elsewhere."""
    try:
        yield
    except Planned as planned:
        if preview is None:
            raise
        here.options = replace(here.options, columns=None)
        if here.format == "table":
            _print(here, planned, preview)
        else:
            show_record(here, msgspec.Raw(_document(planned, preview)), ALL)
        _comment(here, preview)


def show_lines(here: State, bodies: Mapping[int, DocumentRequest]) -> None:
    """Show the entries that lines of a file are going to make, each under the number of its line."""
    chart, vat_accounts = read_chart(here), _vat_accounts(here)
    uneven: list[str] = []

    def rows() -> Iterator[dict[str, Any]]:
        for number, body in bodies.items():
            preview = _preview(vat_accounts, chart, body.blueprint.model_dump(), is_draft=body.is_draft is not False)
            uneven.extend([str(number)] if preview.sum(True) != preview.sum(False) else [])
            # a draft may say nothing of accounts
            for entry in [_row(line, preview.accounts) for line in preview.lines] or [dict.fromkeys(ENTRY)]:
                said = {"line": number, "date": body.date, "description": entry["description"] or body.description}
                yield dict.fromkeys(_OF_LINES) | entry | said

    here.options = replace(here.options, columns=None)
    show_values(here, rows(), _OF_LINES)
    if uneven:
        here.say(f"note: the sides differ, which only a draft may, on lines: {', '.join(uneven)}")


def _document(planned: Planned, preview: Preview) -> bytes:
    """Return the plan with the entries as `document entries` will show them, as one JSON object."""
    more = {
        "entries": [_entry(line, preview.accounts) for line in preview.lines],
        "totals": {"debet": units_of(preview.sum(True)), "credit": units_of(preview.sum(False))},
        "balance": units_of(preview.balance),
    }
    return planned.as_json()[:-1] + b", " + encode_plain(more)[1:]


def _print(here: State, planned: Planned, preview: Preview) -> None:
    """Write two tables: the request, and the entries with their sums."""
    rows = [_row(line, preview.accounts) for line in preview.lines]
    sums = {"debit": units_of(preview.sum(True)), "credit": units_of(preview.sum(False))}
    rows.append({"account_name": "Total", **sums})
    with sink.opened(here.options.output_file) as stream:
        write_record(here, stream, msgspec.Raw(planned.as_json()), ALL)
        stream.write(b"\n")
        writer = rows_writer(here, stream, ENTRY)
        writer.write([msgspec.Raw(encode_plain(dict.fromkeys(ENTRY) | row)) for row in rows])
        writer.close()


def _comment(here: State, preview: Preview) -> None:
    debit, credit = preview.sum(True), preview.sum(False)
    if debit != credit:
        here.say(f"note: the sides differ by {units_of(abs(debit - credit))}; only a draft may")
    if preview.is_draft:
        here.say("note: a draft makes these entries once it is posted")


def _entry(line: PlannedEntry, accounts: Mapping[int, Account]) -> dict[str, Any]:
    """Return an entry in the words of the interface (docs/interface.md 5.1)."""
    account = accounts.get(line.account_id) if line.account_id is not None else None
    return {
        "account": line.account_id,
        "account_name": account.name if account else "",
        "account_number": account.number if account else "",
        "amount": units_of(line.cents),
        "is_debet": line.is_debit,
        "description": line.description,
        "vat_code": line.vat_code,
        "vat_rate": str(units_of(line.vat_rate)),
    }


def _row(line: PlannedEntry, accounts: Mapping[int, Account]) -> dict[str, Any]:
    """Return an entry for people: debit and credit in columns of their own."""
    entry = _entry(line, accounts)
    side = "debit" if line.is_debit else "credit"
    return {**entry, side: entry["amount"], "vat": vat_in_words(str(line.vat_code), entry["vat_rate"])}
