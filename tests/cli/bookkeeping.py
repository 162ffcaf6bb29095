"""A business with a few accounts, as the document commands see it."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.cli.recorder import Answer, Recorder, Sent, page, said

UNEVEN = ("--debit", "1910:10", "--credit", "3000:9@3")


def account(record: int, number: str, name: str, kind: str, code: int = 3, label: str = "zero") -> dict[str, Any]:
    rate = "25.50" if label == "standard" else "0.00"
    vat = {"default_vat_code": code, "default_vat_rate_label": label, "default_vat_rate": rate}
    return {"id": record, "number": number, "name": name, "type": kind, **vat}


ACCOUNTS = [
    account(1, "1763", "VAT receivables", "ASS_VAT"),
    account(2, "1910", "Bank", "ASS_PAY"),
    account(3, "2939", "VAT liability", "LIA_VAT"),
    account(4, "3000", "Sales", "REV_SAL", 1, "standard"),
    account(5, "4000", "Purchases", "EXP", 2, "standard"),
    account(6, "8500", "Fees", "EXP"),
]
BUSINESS = {"id": 1, "account_vat_receivables": 1, "account_vat_liabilities": 3}
STORED = {"id": 7, "number": "240105-1", "date": "2024-01-05"}


class Service:
    """A business with a few accounts and one document of January 2024, when the rate was another."""

    def __init__(self, **business: object) -> None:
        self.business = BUSINESS | business

    def __call__(self, sent: Sent) -> Answer:
        parts = urlsplit(sent.path)
        match parts.path.removeprefix("/v1/business/demo/"):
            case "":
                return said(self.business)
            case "account/":
                return page(*ACCOUNTS)
            case "constants/vat_rates/":
                day = parse_qs(parts.query)["date_at"][0]
                options = [{"label": "standard", "rate": "24.00" if day < "2024-09-01" else "25.50"}]
                return said({"effective_from": "2013-01-01", "vat_rate_options": options})
            case "document/7/entry/":
                return page()
        return said(STORED | json.loads(sent.body or b"{}"), 200 if sent.method != "POST" else 201)


def row(account: int, amount: float, code: int = 3, rate: float = 0, **more: object) -> dict[str, Any]:
    return {"account_id": account, "vat_code": code, "vat_rate": rate, "amount": amount, **more}


def sent_by(server: Recorder) -> list[str]:
    """Method and path below the business, without paging."""
    return [f"{one.method} {one.path.split('/demo/')[1].partition('page=')[0].rstrip('?&')}" for one in server.sent]


def body(server: Recorder) -> Any:
    (write,) = server.writes
    return json.loads(write.body)
