"""Which lines a statement has where a service names no chart, or one that is not known (docs/law.md 8.2)."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.cli.conftest import At, Cli
from tests.cli.recorder import Answer, Sent, page, recorder, said

# what SKR03 has at these numbers; in SKR04 what customers owe has the one, and nothing has the other
ACCOUNTS = [
    {"id": 1, "number": "1200", "name": "Bank", "type": "ASS_PAY"},
    {"id": 2, "number": "0800", "name": "Kapital", "type": "LIA_EQU"},
]
SHEET = {
    "report_type": "balance_sheet", "date_from": None, "date_to": "2026-03-31", "labels": ["2026-03-31"],
    "rows": [
        {"name": "Assets", "level": 0, "is_sum_row": False, "values": [0.0], "accounts": []},
        {"name": "Cash and bank", "level": 1, "is_sum_row": False, "values": [10.5],
         "accounts": [{"number": "1200", "name": "Bank", "values": [10.5]}]},
        {"name": "Total assets", "level": 0, "is_sum_row": True, "values": [10.5], "accounts": []},
        {"name": "Equity and liabilities", "level": 0, "is_sum_row": False, "values": [0.0], "accounts": []},
        {"name": "Equity", "level": 1, "is_sum_row": False, "values": [10.5],
         "accounts": [{"number": "0800", "name": "Kapital", "values": [10.5]}]},
        {"name": "Total equity and liabilities", "level": 0, "is_sum_row": True, "values": [10.5], "accounts": []},
    ],
}  # fmt: skip
ASK = ("report", "balance-sheet", "--date", "2026-03-31", "--layout", "statutory", "--locale", "de", "--json")


def service(config: object) -> Callable[[Sent], Answer]:
    def answer(sent: Sent) -> Answer:
        path = sent.path.partition("?")[0].removeprefix("/v1/business/demo/")
        lists = {"account/": ACCOUNTS, "period/": []}
        if path in lists:
            return page(*lists[path])
        return said(SHEET if path else {"slug": "demo", "country": "DE", "country_config": config})

    return answer


def test_accounts_tell_the_chart_that_a_service_does_not_name(cli: Cli, at: At) -> None:
    with recorder(service({"currency": "EUR"})) as server:
        at(server)
        done = cli(*ASK)
    assert (done.code, done.err) == (0, "")
    rows = {row["name"]: row["values"] for row in json.loads(done.out)["rows"] if row["level"] == 2}
    assert rows == {
        "Kassenbestand, Bundesbankguthaben, Guthaben bei Kreditinstituten und Schecks": [10.5],
        "Gezeichnetes Kapital": [10.5],
    }


def test_a_chart_that_is_not_known_has_no_lines(cli: Cli, at: At) -> None:
    with recorder(service({"chart": "SKR49"})) as server:
        at(server)
        done = cli(*ASK)
    assert (done.code, done.out, "the lines of SKR49 are not known" in done.err) == (2, "", True)
