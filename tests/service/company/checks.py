"""What must hold in the books after every step: all reports agree with the model, and with each other."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from acctcli.law.finland import filing as finland
from acctcli.law.germany import filing as germany
from tests.service.company.model import ZERO, Model
from tests.service.routes.books import Books

Report = Mapping[str, Any]


class Checker:
    """Compares the reports of a range with the model; raises AssertionError naming what differs."""

    def __init__(self, books: Books, model: Model, first: date, last: date) -> None:
        self.books = books
        self.model = model
        self.first = first
        self.last = last

    def check(self) -> None:
        """Check everything that is told about the range and its last day."""
        self.check_journal(self.range_report("journal"))
        ledger = self.range_report("ledger")
        self.check_ledger(ledger)
        income = self.range_report("income-statement", extend_accounts=True)
        self.check_result(income)
        self.check_balance_sheet(self._report("balance-sheet", {"date_at": self.last}, extend_accounts=True))
        self.check_vat(self.range_report("vat-report"), ledger)

    def range_report(self, name: str, **options: object) -> Report:
        """Ask for a report on the range."""
        return self._report(name, {"date_from": self.first, "date_to": self.last}, **options)

    def _report(self, name: str, column: Mapping[str, object], **options: object) -> Report:
        reply = self.books.send("POST", f"report/{name}/", {"columns": [column], **options})
        assert reply.status == 200, reply
        found: Report = reply.body
        return found

    # --- each report ---

    def check_journal(self, journal: Report) -> None:
        """Debit is credit, in all and in each document; every document posts what the rules say."""
        assert journal["totals"]["debet"] == journal["totals"]["credit"]
        found = {document["document_id"]: document for document in journal["documents"]}
        assert len(found) == len(journal["documents"])
        expected = {
            number: sorted((line.account, line.amount) for line in document.lines)
            for number, document in self.model.posted(self.first, self.last)
        }
        assert {number: _signed(document) for number, document in found.items()} == expected
        for document in found.values():
            assert document["totals"]["debet"] == document["totals"]["credit"]
        total = sum((document["totals"]["debet"] for document in found.values()), ZERO)
        assert journal["totals"]["debet"] == total

    def check_ledger(self, ledger: Report) -> None:
        """Every account adds up to what the model moved, from its opening to its last running balance."""
        moved = self.model.movements(self.first, self.last)
        found = {account["number"]: account for account in ledger["accounts"] if account["entries"]}
        totals = {number: account["totals"] for number, account in found.items()}
        assert {n: (t["debet"], t["credit"]) for n, t in totals.items()} == moved
        for account in found.values():
            balance = account["opening_balance"]
            for entry in account["entries"]:
                balance += entry["debet"] - entry["credit"]
                assert entry["balance_csum"] == balance, account["number"]
            assert account["totals"]["balance_csum"] == balance

    def check_result(self, income: Report) -> None:
        """The income statement ends with the model's result, and its accounts are the model's."""
        assert income["rows"][-1]["values"] == [self.model.result(self.first, self.last)]
        moved = self.model.movements(self.first, self.last)
        expected = {
            number: credit - debit
            for number, (debit, credit) in moved.items()
            if self.model.types[number].startswith(("REV", "EXP")) and credit != debit
        }
        assert _accounts(income) == expected

    def check_balance_sheet(self, sheet: Report) -> None:
        """Both sides are equal; every account stands where the model has it."""
        values = {row["name"]: row["values"][0] for row in sheet["rows"]}
        assert values["Total assets"] == values["Total equity and liabilities"]
        balances = self.model.balances(self.last)
        expected = {
            number: self.model.natural(number, amount)
            for number, amount in balances.items()
            if self.model.types[number].startswith(("ASS", "LIA"))
        }
        assert _accounts(sheet) == expected
        assets = (expected[number] for number in expected if self.model.types[number].startswith("ASS"))
        assert values["Total assets"] == sum(assets, ZERO)
        assert values["Profit of the period"] == self.model.result(self.first, self.last)

    def check_vat(self, report: Report, ledger: Report) -> None:
        """The VAT report has the model's groups, and ties to the VAT accounts."""
        payable = self.model.vat_payable(self.first, self.last)
        if "summary" in report:
            expected = self.model.vat_summary(self.first, self.last)
            assert _without_nothing(report["summary"]) == _without_nothing(expected)
            filed = finland.fill_boxes(report["summary"])
        else:
            filed = germany.fill_form(report["mapping"], report["totals"])
        assert filed.payable == payable
        assert filed.is_sound, filed
        netted = {
            document_id
            for document_id, document in self.model.posted(self.first, self.last)
            if document.kind == 3
        }  # fmt: skip
        if not netted:
            moved = self.model.movements(self.first, self.last)
            on_vat = [moved[n] for n in moved if self.model.types[n] in ("ASS_VAT", "LIA_VAT")]
            assert payable == sum((credit - debit for debit, credit in on_vat), ZERO)
            in_ledger = (a["totals"] for a in ledger["accounts"] if self.model.types[a["number"]].endswith("_VAT"))
            assert payable == sum((t["credit"] - t["debet"] for t in in_ledger), ZERO)

    def check_balances(self) -> None:
        """Every account shown alone has the balance of the model, whatever its date."""
        balances = self.model.balances()
        for number, account_id in self.books.ids.items():
            shown = self.books.get(f"account/{account_id}/").body
            assert shown["balance"] == self.model.natural(number, balances.get(number, ZERO)), number


def _signed(document: Report) -> list[tuple[str, Decimal]]:
    return sorted((entry["account_number"], entry["debet"] - entry["credit"]) for entry in document["entries"])


def _accounts(report: Report) -> dict[str, Decimal]:
    """Return what stands under the rows, zeros left out."""
    found: dict[str, Decimal] = {}
    for row in report["rows"]:
        for account in row["accounts"]:
            assert account["number"] not in found, account
            found[account["number"]] = account["values"][0]
    return {number: value for number, value in found.items() if value}


def _without_nothing(groups: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out groups that are zero: a report may tell them or not."""
    nested = {name: _without_nothing(value) if isinstance(value, Mapping) else value for name, value in groups.items()}
    return {name: value for name, value in nested.items() if value}
