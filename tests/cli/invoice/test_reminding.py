"""`acctcli invoice remind`: what is owed to the cent, on rows, in a document and on paper; nothing is written."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from acctcli.client.messages import encode_plain
from tests.cli.conftest import At, Cli, succeed
from tests.cli.invoice.test_commands import INVOICES, Case, Desk
from tests.cli.recorder import recorder
from tests.programs import require_program

BUSINESS, PERSON = {"type": "BUSINESS"}, {"type": "PERSON"}
BUYER = {"name": "Birch Oy", "invoicing_language": "fi", **BUSINESS}


@pytest.fixture
def desk(at: At) -> Iterator[Case]:
    """A desk, and the recorder in front of it."""
    made = Desk()
    with recorder(made) as server:
        at(server)
        yield made, server


def lay(
    service: Desk, number: int = 7, country: str = "FI", buyer: dict[str, Any] | None = None, **changed: Any
) -> None:
    """Let there be an invoice of 1,000.00 that was due on 31 May 2025, posted when it is paid."""
    found = {
        "id": number, "friendly_name": f"Invoice {number}", "invoice_number": number, "receiver": 5,
        "receiver_info": BUYER | (buyer or {}), "status": "ACCEPTED", "invoicing_date": "2025-05-17",
        "due_date": "2025-05-31", "total_amount": 1000.00, "reference": "10016", "penalty_interest": 0,
        "document": None, **changed,
    }  # fmt: skip
    service.records[f"{INVOICES}{number}/"] = json.loads(encode_plain(found))
    iban = "FI4950009420028730"
    service.records["/v1/business/demo/"] = {"id": 1, "slug": "demo", "country": country, "invoicing_iban": iban}


ON = ("--date", "2025-08-14")


def document(cli: Cli, *words: str) -> Any:
    return succeed(cli("invoice", "remind", *words, "--json")).json()


def interest(found: Any) -> list[tuple[int, str, str]]:
    """Days, rate and interest of each half-year."""
    return [
        (one["days"], str(one["rate"]), str(one["interest"])) for late in found["invoices"] for one in late["periods"]
    ]


@pytest.mark.parametrize(
    ("country", "buyer", "parts", "lump_sum", "total", "laws"),
    [
        (
            "FI", BUSINESS, [(30, "11.5", "9.45"), (45, "10.5", "12.95")], "40.0", "1062.4",
            ["korkolaki 4 a §", "perintälaki 10 e §"],
        ),
        ("FI", PERSON, [(30, "10.5", "8.63"), (45, "9.5", "11.71")], "0.0", "1020.34", ["korkolaki 4 §"]),
        (
            "DE", BUSINESS, [(30, "11.27", "9.26"), (45, "10.27", "12.66")], "40.0", "1061.92",
            ["§ 288 (2) BGB", "§ 288 (5) BGB"],
        ),
        ("DE", PERSON, [(30, "7.27", "5.98"), (45, "6.27", "7.73")], "0.0", "1013.71", ["§ 288 (1) BGB"]),
    ],
)  # fmt: skip
def test_what_is_owed_by_law(
    cli: Cli,
    desk: Case,
    country: str,
    buyer: dict[str, Any],
    parts: list[tuple[int, str, str]],
    lump_sum: str,
    total: str,
    laws: list[str],
) -> None:
    service, server = desk
    lay(service, country=country, buyer=buyer)
    found = document(cli, "7", *ON)
    assert interest(found) == parts
    (late,) = found["invoices"]
    assert (str(late["lump_sum"]), str(found["total"]), found["law"]) == (lump_sum, total, laws)
    assert server.writes == []


@pytest.mark.parametrize(
    ("buyer", "agreed", "words", "rates", "laws"),
    [
        (BUSINESS, 8, (), ["8.0", "8.0"], ["perintälaki 10 e §"]),
        (BUSINESS, 16, ("--no-lump-sum",), ["16.0", "16.0"], []),
        (BUSINESS, 8, ("--statutory",), ["11.5", "10.5"], ["korkolaki 4 a §", "perintälaki 10 e §"]),
        # no person owes more than by law
        (PERSON, 16, (), ["10.5", "9.5"], ["korkolaki 4 §"]),
        (PERSON, 10, (), ["10.0", "9.5"], ["korkolaki 4 §"]),
        (PERSON, 7, ("--statutory",), ["10.5", "9.5"], ["korkolaki 4 §"]),
    ],
)
def test_what_the_invoice_says_goes_before_the_law_but_for_persons(
    cli: Cli,
    desk: Case,
    buyer: dict[str, Any],
    agreed: float,
    words: tuple[str, ...],
    rates: list[str],
    laws: list[str],
) -> None:
    service, _ = desk
    lay(service, buyer=buyer, penalty_interest=agreed)
    found = document(cli, "7", *ON, *words)
    assert ([str(float(rate)) for _, rate, _ in interest(found)], found["law"]) == (rates, laws)


def test_invoices_of_one_customer_are_reminded_of_together(cli: Cli, desk: Case) -> None:
    service, _ = desk
    lay(service, 7)
    lay(service, 8, due_date="2025-08-04", total_amount=100.10)
    lay(service, 9, due_date="2025-02-28")
    found = document(cli, "7", "8", "9", "7", *ON)
    assert [(one["invoice"], len(one["periods"])) for one in found["invoices"]] == [(9, 2), (7, 2), (8, 1)]
    assert interest(found)[-1] == (10, "10.5", "0.29")
    assert found["total"] == round(sum(one["total"] for one in found["invoices"]), 2)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"status": "PAID", "payment_date": "2025-06-02"}, "nothing is open of Invoice 8 (id 8)"),
        ({"total_amount": -5.0}, "nothing is open of Invoice 8 (id 8)"),
        ({"due_date": "2025-08-14"}, "Invoice 8 (id 8) is due on 2025-08-14: it is not late on 2025-08-14"),
        ({"receiver": 6}, "these invoices are of several customers: a reminder goes to one"),
    ],
)
def test_who_is_not_late_is_not_reminded(cli: Cli, desk: Case, changed: dict[str, Any], told: str) -> None:
    service, _ = desk
    lay(service, 7)
    lay(service, 8, **changed)
    outcome = cli("invoice", "remind", "7", "8", *ON)
    assert (outcome.code, outcome.out, outcome.err) == (2, "", f"error: {told}\n")


def test_a_customer_of_no_kind_is_asked_about_unless_a_number_tells(cli: Cli, desk: Case) -> None:
    service, _ = desk
    lay(service, buyer={"type": "UNSET"})
    outcome = cli("invoice", "remind", "7", *ON)
    assert (outcome.code, outcome.err) == (
        2,
        "error: Birch Oy may be a person or a business, who owe other interest\n"
        "hint: say which: acctcli contact update 5 --type business\n",
    )
    lay(service, buyer={"type": "UNSET", "contact_business_id": "0112038-9"})
    assert document(cli, "7", *ON)["is_consumer"] is False


def test_rates_that_are_not_known_are_told(cli: Cli, desk: Case) -> None:
    service, _ = desk
    lay(service, due_date="2026-12-21")
    outcome = cli("invoice", "remind", "7", "--date", "2027-01-10")
    assert (outcome.code, outcome.err) == (
        2,
        "error: the reference rate of the half-year from 2027-01-01 is not known here\n"
        "hint: give it as it was published: --reference-rate 2027-01-01=2.5\n",
    )
    found = document(cli, "7", "--date", "2027-01-10", "--reference-rate", "2027-01-01=3")
    assert interest(found) == [(10, "10.5", "2.88"), (10, "11", "3.01")]


@pytest.mark.parametrize(
    "written", ["", "2026-07-01", "2026-07-02=3", "2026-07-01=x", "2026-07-01=nan", "3", "2026-07-01=101"]
)
def test_a_rate_that_is_none_is_refused(cli: Cli, desk: Case, written: str) -> None:
    service, _ = desk
    lay(service)
    outcome = cli("invoice", "remind", "7", *ON, "--reference-rate", written)
    assert outcome.code == 2
    assert outcome.err.startswith(f"error: --reference-rate {written!r}: write the first day of a half-year")


def test_rows_are_for_machines(cli: Cli, desk: Case) -> None:
    service, _ = desk
    lay(service)
    assert succeed(cli("invoice", "remind", "7", *ON, "--output", "csv")).lines() == [
        "invoice,friendly_name,due_date,what,from,to,days,rate,amount",
        "7,Invoice 7,2025-05-31,open,,,,,1000.00",
        "7,Invoice 7,2025-05-31,interest,2025-06-01,2025-06-30,30,11.5,9.45",
        "7,Invoice 7,2025-05-31,interest,2025-07-01,2025-08-14,45,10.5,12.95",
        "7,Invoice 7,2025-05-31,lump_sum,,,,,40.00",
    ]


def test_a_table_shows_it_line_by_line(cli: Cli, desk: Case) -> None:
    service, _ = desk
    lay(service)
    lines = [" ".join(line.split()) for line in succeed(cli("invoice", "remind", "7", *ON)).lines()]
    assert [line for line in lines if line and not set(line) <= {"─", " "}] == [
        "Invoice Date Days % Amount",
        "Invoice 7, reference 10016 2025-05-31 1,000.00",
        "Late interest 2025-06-01 \N{EN DASH} 2025-06-30 30 11.50 9.45",
        "Late interest 2025-07-01 \N{EN DASH} 2025-08-14 45 10.50 12.95",
        "Lump sum 40.00",
        "To pay 1,062.40",
        "section 4 a of the Finnish Interest Act, section 10 e of the Finnish Debt Collection Act",
        "Account FI49 5000 9420 0287 30",
    ]


@pytest.mark.parametrize(
    ("country", "language", "words", "title", "amount", "section"),
    [
        ("FI", "fi", (), "Maksumuistutus", "1 062,40", "perintälaki 10 e §"),
        ("FI", "sv", (), "Betalningspåminnelse", "1 062,40", "10 e § indrivningslagen"),
        ("FI", None, (), "Payment reminder", "1,062.40", "section 10 e of the Finnish Debt Collection Act"),
        ("FI", "fi", ("--locale", "de"), "Zahlungserinnerung", "1.062,40", "§ 10 e des finnischen Inkassogesetzes"),
        ("DE", "fi", (), "Zahlungserinnerung", "1.061,92", "§ 288 (5) BGB"),
        ("DE", "fi", ("--locale", "en"), "Payment reminder", "1,061.92", "§ 288 (5) BGB"),
    ],
)
def test_paper_is_in_the_customer_s_language(
    cli: Cli,
    desk: Case,
    tmp_path: Path,
    country: str,
    language: str | None,
    words: tuple[str, ...],
    title: str,
    amount: str,
    section: str,
) -> None:
    pdftotext = require_program("pdftotext")
    service, _ = desk
    address = {"invoicing_street": "Koivukatu 3", "invoicing_postal_code": "33100", "invoicing_city": "Tampere"}
    lay(service, country=country, buyer={"invoicing_language": language, **address})
    path = tmp_path / "reminder.pdf"
    succeed(cli("invoice", "remind", "7", *ON, *words, "--output", "pdf", "--output-file", str(path)))
    done = subprocess.run([pdftotext, "-layout", path, "-"], capture_output=True, text=True, check=True)
    text = done.stdout.replace("\N{NO-BREAK SPACE}", " ")
    assert title in text
    assert amount in text
    assert section in text
    assert "Birch Oy, Koivukatu 3, 33100 Tampere · " in text
