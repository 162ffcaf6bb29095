"""The ten worked postings, typed as a bookkeeper would: the entries and balances are those of docs/interface.md 5.5."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.journeys.places import Place

Row = dict[str, Any]


def row(account: int, amount: str, code: int = 3, rate: str = "0", method: int = 0) -> Row:
    return {
        "account_id": account,
        "amount": Decimal(amount),
        "vat_code": code,
        "vat_rate": Decimal(rate),
        "vat_method": method,
    }


# name, blueprint, entries as side + account + amount in order, balance
EXAMPLES: list[tuple[str, dict[str, Any], list[str], str]] = [
    ("E1", {"debet_account_id": 1910, "credit_entries": [row(3000, "125.50", 1, "25.5")]},
     ["D1910 125.50", "C3000 100.00", "C2939 25.50"], "125.50"),
    ("E2", {"debet_account_id": 1910, "credit_entries": [row(3000, "100.00", 1, "25.5", method=1)]},
     ["D1910 125.50", "C3000 100.00", "C2939 25.50"], "125.50"),
    ("E3", {"debet_account_id": 1910, "credit_entries": [row(3000, "34.80", 1, "25.5")],
            "expense_entries": [row(8500, "2.90")]},
     ["D1910 31.90", "D8500 2.90", "C3000 27.73", "C2939 7.07"], "31.90"),
    ("E4", {"debet_account_id": 1910, "credit_entries": [row(3000, "125.50", 1, "25.5")],
            "expense_entries": [row(8500, "12.55", 2, "25.5")]},
     ["D1910 112.95", "D8500 10.00", "D1763 2.55", "C3000 100.00", "C2939 25.50"], "112.95"),
    ("E5", {"credit_account_id": 1910, "debet_entries": [row(4000, "62.75", 2, "25.5"), row(7800, "10.00", 2, "13.5"),
                                                         row(8500, "5.00")]},
     ["D4000 50.00", "D1763 12.75", "D7800 8.81", "D1763 1.19", "D8500 5.00", "C1910 77.75"], "-77.75"),
    ("E6", {"credit_account_id": 1910, "debet_entries": [row(4450, "100.00", 8, "25.5")]},
     ["D4450 100.00", "D1763 25.50", "C2939 25.50", "C1910 100.00"], "-100.00"),
    ("E7", {"debet_account_id": 1700, "credit_entries": [row(3380, "500.00", 6)]},
     ["D1700 500.00", "C3380 500.00"], "0.00"),
    ("E8", {"debet_account_id": 1910, "credit_entries": [row(1700, "251.00")]},
     ["D1910 251.00", "C1700 251.00"], "251.00"),
    ("E9", {"debet_entries": [row(3000, "27.73", 1), row(2939, "7.07")], "credit_entries": [row(1910, "34.80")]},
     ["D3000 27.73", "D2939 7.07", "C1910 34.80"], "-34.80"),
    ("E10", {"debet_account_id": 1700,
             "credit_entries": [row(3000, "251.00", 1, "25.5"), row(3000, "68.07", 1, "13.5")]},
     ["D1700 319.07", "C3000 200.00", "C2939 51.00", "C3000 59.97", "C2939 8.10"], "0.00"),
]  # fmt: skip

# the ten together, by hand: account -> balance in its natural sign
BALANCES = {
    "1700": "568.07",  # 500.00 - 251.00 + 319.07
    "1763": "41.99",  # 2.55 + 12.75 + 1.19 + 25.50
    "1910": "434.30",  # 125.50 + 125.50 + 31.90 + 112.95 - 77.75 - 100.00 + 251.00 - 34.80
    "2939": "161.10",  # 4 x 25.50 + 7.07 - 7.07 + 51.00 + 8.10
    "3000": "559.97",  # 3 x 100.00 + 27.73 - 27.73 + 200.00 + 59.97
    "3380": "500.00",
    "4000": "50.00",
    "4450": "100.00",
    "7800": "8.81",
    "8500": "17.90",
}


def test_each_example_makes_exactly_its_entries(place: Place) -> None:
    for name, blueprint, entries, balance in EXAMPLES:
        body = place.write(f"{name}.json", {"date": "2026-03-02", "description": name, "blueprint": blueprint})
        document = place.json("document", "create", "--file", body, "--account-numbers")
        listed = place.json("document", "entries", str(document["id"]))
        made = [f"{'D' if one['is_debet'] else 'C'}{one['account_number']} {one['amount']}" for one in listed]
        assert (name, made, str(document["balance"])) == (name, entries, balance)


@pytest.mark.everywhere
def test_the_ten_together_give_their_balances_and_a_journal_that_balances(place: Place) -> None:
    lines = [{"date": "2026-03-02", "description": name, "blueprint": one} for name, one, _, _ in EXAMPLES]
    path = place.write_lines("ten.jsonl", lines)
    place.run("document", "create", "--file", path, "--account-numbers")
    listed = place.json("account", "balances", "--date", "2026-03-31")
    found = {one["number"]: one["balance"] for one in listed}
    assert found == {number: Decimal(text) for number, text in BALANCES.items()}
    journal = place.json("report", "journal", "--period", "2026-03")
    debit = sum((entry["debet"] for one in journal["documents"] for entry in one["entries"]), Decimal(0))
    credit = sum((entry["credit"] for one in journal["documents"] for entry in one["entries"]), Decimal(0))
    assert debit == credit
    assert journal["totals"] == {"debet": debit, "credit": credit}


@pytest.mark.parametrize("amount", ["10.10", "12345678901234567.89", "0.01"])
def test_amounts_leave_as_they_came(place: Place, amount: str) -> None:
    body = place.write("a.json", {"date": "2026-03-02", "blueprint": {
        "debet_entries": [row(1910, amount)], "credit_entries": [row(2000, amount)]}})  # fmt: skip
    document = place.json("document", "create", "--file", body, "--account-numbers")
    number = str(document["id"])
    assert f'"balance":{amount}' in place.run("document", "get", number, "-o", "jsonl").out
    assert f'"amount":{amount}' in place.run("document", "entries", number, "-o", "jsonl").out
    assert amount in place.run("document", "list", "-o", "csv", "--columns", "balance").lines()
    assert amount in place.run("document", "list", "--columns", "balance").out
    assert f"{amount}\n" in place.run("document", "get", number, "--jq", ".balance").out
    assert f'"amount": {amount}' in place.run("document", "get", number, "--json").out
