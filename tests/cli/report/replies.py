"""Replies of a service, written by hand from the page on the interface; amounts as a service spells them.

See docs/interface.md 10.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from tests.cli.recorder import Answer, Sent, page, said

BUSINESS = {"name": "Kahvila Łódź & <b>Söner</b> Oy", "slug": "demo"}

BANK = {"id": 2, "number": "1910", "name": "Bank", "name_translations": [{"key": "fi", "value": "Pankki"}]}

BALANCE_SHEET = b"""{
  "report_type": "balance_sheet", "date_from": null, "date_to": "2026-03-31",
  "labels": ["2026-03-31", "2025-12-31", "change", "change %"],
  "rows": [
    {"name": "Assets", "level": 0, "is_sum_row": false, "values": [0.00, 0.00, 0.00, 0.00], "accounts": []},
    {"name": "Trade receivables", "level": 1, "is_sum_row": false, "values": [1234567.89, 0.00, 1234567.89, 0.00],
     "accounts": []},
    {"name": "Cash and bank", "level": 1, "is_sum_row": false, "values": [-20.10, 100.00, -120.10, -120.10],
     "accounts": [{"number": "1900", "name": "Cash", "values": [10.00, 0.00, 10.00, 0.00]},
                  {"number": "1910", "name": "Bank [main]", "values": [-30.10, 100.00, -130.10, -130.10]}]},
    {"name": "Total assets", "level": 0, "is_sum_row": true, "values": [1234547.79, 100.00, 1234447.79, 1234447.79],
     "accounts": []},
    {"name": "Equity and liabilities", "level": 0, "is_sum_row": false, "values": [0.00, 0.00, 0.00, 0.00],
     "accounts": []},
    {"name": "Equity", "level": 1, "is_sum_row": false, "values": [100.00, 100.00, 0.00, 0.00], "accounts": []},
    {"name": "Profit of the period", "level": 1, "is_sum_row": false, "values": [1234447.79, 0.00, 1234447.79, 0.00],
     "accounts": []},
    {"name": "Total equity and liabilities", "level": 0, "is_sum_row": true,
     "values": [1234547.79, 100.00, 1234447.79, 1234447.79], "accounts": []}
  ]
}"""

INCOME_STATEMENT = b"""{
  "report_type": "income_statement", "date_from": "2026-01-01", "date_to": "2026-12-31", "labels": ["2026"],
  "rows": [
    {"name": "Revenue", "level": 0, "is_sum_row": false, "values": [1000.00], "accounts": []},
    {"name": "Other income", "level": 0, "is_sum_row": false, "values": [0.10], "accounts": []},
    {"name": "Expenses", "level": 0, "is_sum_row": false, "values": [-400.05], "accounts": []},
    {"name": "Depreciation", "level": 0, "is_sum_row": false, "values": [0.00], "accounts": []},
    {"name": "Operating result", "level": 0, "is_sum_row": true, "values": [600.05], "accounts": []},
    {"name": "Taxes", "level": 0, "is_sum_row": false, "values": [-120.01], "accounts": []},
    {"name": "Result of the period", "level": 0, "is_sum_row": true, "values": [480.04], "accounts": []}
  ]
}"""

EQUITY_CHANGES = b"""{
  "report_type": "equity_changes", "date_from": "2026-01-01", "date_to": "2026-12-31", "labels": ["2026"],
  "rows": [
    {"name": "2000 Share capital", "level": 0, "is_sum_row": false, "values": [2500.00], "accounts": []},
    {"name": "Opening", "level": 1, "is_sum_row": false, "values": [2000.00], "accounts": []},
    {"name": "Change", "level": 1, "is_sum_row": false, "values": [500.00], "accounts": []},
    {"name": "Closing", "level": 1, "is_sum_row": true, "values": [2500.00], "accounts": []},
    {"name": "Result of the period", "level": 0, "is_sum_row": false, "values": [480.04], "accounts": []},
    {"name": "Total equity", "level": 0, "is_sum_row": true, "values": [2980.04], "accounts": []}
  ]
}"""

JOURNAL = b"""{
  "report_type": "journal", "date_from": "2026-01-01", "date_to": "2026-12-31",
  "documents": [
    {"number": "260302-1", "date": "2026-03-02", "document_id": 7, "contact_name": "Birch", "entries": [
      {"account_number": "1910", "account_name": "Bank", "debet": 125.50, "credit": 0.00, "description": "Coffee"},
      {"account_number": "3000", "account_name": "Sales", "debet": 0.00, "credit": 100.00, "description": "",
       "vat_code": 1, "vat_rate": "25.50"},
      {"account_number": "2939", "account_name": "VAT", "debet": 0.00, "credit": 25.50, "description": "",
       "vat_code": 1, "vat_rate": "25.50"}],
     "totals": {"debet": 125.50, "credit": 125.50}},
    {"number": "260303-1", "date": "2026-03-03", "document_id": 9, "entries": [],
     "totals": {"debet": 0.00, "credit": 0.00}}],
  "totals": {"debet": 125.50, "credit": 125.50}
}"""

LEDGER = b"""{
  "report_type": "ledger", "date_from": "2026-01-01", "date_to": "2026-12-31",
  "accounts": [
    {"number": "1910", "name": "Bank", "opening_balance": 1000.00, "entries": [
      {"number": "260302-1", "date": "2026-03-02T00:00:00", "debet": 125.50, "credit": 0.00, "balance_csum": 1125.50,
       "description": "Coffee"},
      {"number": "260304-1", "date": "2026-03-04", "debet": 0.00, "credit": 2000.00, "balance_csum": -874.50,
       "description": "Rent", "contact_name": "Birch", "vat_code": 2, "counter_accounts": ["1763", "7160"]}],
     "totals": {"debet": 125.50, "credit": 2000.00, "balance_csum": -874.50}},
    {"number": "3000", "name": "Sales", "opening_balance": 0.00, "entries": [
      {"number": "260302-1", "date": "2026-03-02", "debet": 0.00, "credit": 100.00, "balance_csum": -100.00,
       "description": null}],
     "totals": null}],
  "totals": {"debet": 125.50, "credit": 2100.00, "balance_csum": -974.50}
}"""

VAT = b"""{
  "report_type": "vat_report", "date_from": "2026-01-01", "date_to": "2026-12-31",
  "summary": {
    "domestic_sales": {"25.50": {"base": 100.00, "vat": 25.50}, "13.50": {"base": 10.00, "vat": 1.35}},
    "zero_rated_sales": 7.00, "eu_service_purchases": {"base": 100.00, "vat": 25.50},
    "adjustments": 0.00, "deductible_vat": 39.44, "vat_payable": 12.91}
}"""

# services from outside the EU at two rates, told in one sum and by rate
VAT_BY_RATE = b"""{
  "summary": {
    "non_eu_service_purchases": {"base": 150.00, "vat": 30.50},
    "non_eu_service_purchases_by_rate": {
      "10.00": {"base": 50.00, "vat": 5.00}, "25.50": {"base": 100.00, "vat": 25.50}},
    "adjustments": 0.00, "deductible_vat": 30.50, "vat_payable": 0.00}
}"""

GERMAN_VAT = b"""{
  "report_type": "vat_report", "date_from": "2026-01-01", "date_to": "2026-12-31",
  "totals": {"output_vat": 19.00, "input_vat": 5.00, "vat_payable": 14.00},
  "mapping": {"81": 100, "66": 5.00, "83": 14.00}
}"""

EU_SALES = b"""{
  "report_type": "eu_vat_contact_report", "date_from": "2026-01-01", "date_to": "2026-12-31",
  "business_vat_id": "FI01120389",
  "rows": [
    {"country_code": "DE", "vat_id": "DE136695976", "name": "Kaffee GmbH", "vat_handling": "goods",
     "net_amount": 1000.10, "vat_id_missing": false, "contact_missing": false, "document_id": 4,
     "document_number": "260302-1"},
    {"country_code": "", "vat_id": "", "name": "Nobody", "vat_handling": "services", "net_amount": -10.00,
     "vat_id_missing": true, "contact_missing": false, "document_id": 5, "document_number": "260302-2"},
    {"country_code": "", "vat_id": "", "name": "", "vat_handling": "services", "net_amount": 1.00,
     "vat_id_missing": true, "contact_missing": true, "document_id": 6, "document_number": "260302-3"}],
  "private_person_rows": [
    {"country_code": "SE", "vat_id": "", "name": "Anna", "vat_handling": "goods", "net_amount": 5.00,
     "vat_id_missing": true, "contact_missing": false, "document_id": 8, "document_number": "260302-4"}]
}"""

# what each command is answered, by the last word of the path
ANSWERS = {
    "journal": JOURNAL,
    "ledger": LEDGER,
    "vat-report": VAT,
    "eu-vat-contact-report": EU_SALES,
    "balance-sheet": BALANCE_SHEET,
    "balance-sheet-short": BALANCE_SHEET,
    "income-statement": INCOME_STATEMENT,
    "income-statement-short": INCOME_STATEMENT,
    "equity-changes": EQUITY_CHANGES,
}


def answers(is_fitting: bool = True, /, **changed: bytes) -> Callable[[Sent], Answer]:
    """Return a service that answers so; `journal=b"…"` is another journal, `_` in a name stands for `-`.

    A report that `is_fitting` is of the days asked for, whatever its bytes say.
    """
    known = {**ANSWERS, **{name.replace("_", "-"): body for name, body in changed.items()}}

    def behave(sent: Sent) -> Answer:
        name = sent.path.strip("/").split("/")[-1]
        if name == "demo":
            return said(BUSINESS)
        if "/account/" in sent.path:
            return page(BANK)
        columns = json.loads(sent.body)["columns"]
        if len(columns) == 12:
            return said(twelve(name, columns))
        return Answer(200, of_days(known[name], columns) if is_fitting else known[name])

    return behave


def of_days(body: bytes, columns: list[dict[str, str]]) -> bytes:
    """Return a report as one of the columns asked for, under their labels."""
    first = columns[0]
    if "date_at" in first:
        days = b'"date_from": null, "date_to": "%b"' % max(one["date_at"] for one in columns).encode()
    else:
        days = b'"date_from": "%b", "date_to": "%b"' % (first["date_from"].encode(), first["date_to"].encode())
    found = re.search(rb'"labels": (\[.*?\])', body)
    if found:
        labels = [one.get("name") or one.get("date_at") or f"{one['date_from']} - {one['date_to']}" for one in columns]
        known = json.loads(found[1])
        more = rb", \1" * max(0, len(labels) - len(known))
        body = re.sub(rb'(?<="values": \[)([^,\]]*)', rb"\1" + more, body)
        body = body.replace(found[1], json.dumps([*labels, *known[len(labels) :]]).encode(), 1)
    return re.sub(rb'"date_from": [^,]*, "date_to": "[^"]*"', days, body, count=1)


def twelve(name: str, columns: list[dict[str, str]]) -> dict[str, Any]:
    """Return a statement of twelve columns, as charts are drawn from."""
    row = "Cash and bank" if name == "balance-sheet" else "Result"
    values = [100 * month if month % 3 else -100.25 for month in range(12)]
    rows = [{"name": row, "level": 0, "is_sum_row": name != "balance-sheet", "values": values, "accounts": []}]
    return {"report_type": name, "labels": [one.get("name") or one["date_at"] for one in columns], "rows": rows}


def bodies(sent: list[Sent]) -> list[tuple[str, Any]]:
    """Return the reports asked for: the last word of each path, and the body."""
    posts = [one for one in sent if one.method == "POST"]
    return [(one.path.strip("/").split("/")[-1], json.loads(one.body)) for one in posts]
