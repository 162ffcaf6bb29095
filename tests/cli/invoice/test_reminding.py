"""`acctcli invoice remind`: what is owed to the cent, on rows, in a document and on paper, and when one may remind."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from acctcli.client.messages import encode_plain
from tests.cli.conftest import At, Cli, succeed
from tests.cli.invoice.test_commands import INVOICES, Case, Desk
from tests.cli.recorder import Answer, recorder, said
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
    service: Desk, number: int = 7, country: str | None = "FI", buyer: dict[str, Any] | None = None, **changed: Any
) -> None:
    """Let there be an invoice of 1,000.00 that was due on Friday 30 May 2025, posted when it is paid."""
    found = {
        "id": number, "friendly_name": f"Invoice {number}", "invoice_number": number, "receiver": 5,
        "receiver_info": BUYER | (buyer or {}), "status": "ACCEPTED", "invoicing_date": "2025-05-16",
        "due_date": "2025-05-30", "total_amount": 1000.00, "reference": "10016", "penalty_interest": 0,
        "document": None, **changed,
    }  # fmt: skip
    service.records[f"{INVOICES}{number}/"] = json.loads(encode_plain(found))
    iban = "FI4950009420028730"
    service.records["/v1/business/demo/"] = {"id": 1, "slug": "demo", "country": country, "invoicing_iban": iban}


ON = ("--date", "2025-08-14")
IN_DOUBT = said({"code": "server_error", "detail": "Say so with in_doubt."}, 500)


def document(cli: Cli, *words: str) -> Any:
    return succeed(cli("invoice", "remind", *words, "--json")).json()


def interest(found: Any) -> list[tuple[int, str, str]]:
    """Days, rate and interest of each half-year."""
    return [
        (one["days"], str(one["rate"]), str(one["interest"])) for late in found["invoices"] for one in late["periods"]
    ]


@pytest.mark.together
@pytest.mark.parametrize(
    ("country", "buyer", "parts", "lump_sum", "total", "laws"),
    [
        (
            "FI", BUSINESS, [(31, "11.5", "9.77"), (45, "10.5", "12.95")], "40.0", "1062.72",
            ["korkolaki 4 a §", "perintälaki 10 e §"],
        ),
        ("FI", PERSON, [(31, "10.5", "8.92"), (45, "9.5", "11.71")], "0.0", "1020.63", ["korkolaki 4 §"]),
        (
            "DE", BUSINESS, [(31, "11.27", "9.57"), (45, "10.27", "12.66")], "40.0", "1062.23",
            ["§ 288 (2) BGB", "§ 288 (5) BGB"],
        ),
        ("DE", PERSON, [(31, "7.27", "6.17"), (45, "6.27", "7.73")], "0.0", "1013.9", ["§ 288 (1) BGB"]),
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


# each may be paid on the next working day, and bears interest from the day after that
@pytest.mark.together
@pytest.mark.parametrize(
    ("due", "payable", "day", "parts"),
    [
        ("2025-05-31", "2025-06-02", "2025-06-16", {"FI": (14, "11.5", "4.41"), "DE": (14, "11.27", "4.32")}),
        # Good Friday, and the Sunday before Easter Monday
        ("2025-04-18", "2025-04-22", "2025-04-30", {"FI": (8, "11.5", "2.52"), "DE": (8, "11.27", "2.47")}),
        ("2025-04-20", "2025-04-22", "2025-04-30", {"FI": (8, "11.5", "2.52"), "DE": (8, "11.27", "2.47")}),
        # the half-year in which it was due has no day that bears any
        ("2025-06-28", "2025-06-30", "2025-07-14", {"FI": (14, "10.5", "4.03"), "DE": (14, "10.27", "3.94")}),
    ],
)
@pytest.mark.parametrize("country", ["FI", "DE"])
def test_what_is_due_on_a_day_of_rest_bears_interest_after_the_next_working_day(
    cli: Cli, desk: Case, country: str, due: str, payable: str, day: str, parts: dict[str, tuple[int, str, str]]
) -> None:
    service, _ = desk
    lay(service, country=country, due_date=due)
    early = cli("invoice", "remind", "7", "--date", payable)
    assert (early.code, early.out, early.err) == (
        2,
        "",
        f"error: Invoice 7 (id 7) is due on {due}, a day of rest, and may be paid on {payable}: it is not late on "
        f"{payable}\n",
    )
    first = (date.fromisoformat(payable) + timedelta(days=1)).isoformat()
    (late,) = document(cli, "7", "--date", first)["invoices"]
    assert [(one["from"], one["to"], one["days"]) for one in late["periods"]] == [(first, first, 1)]
    found = document(cli, "7", "--date", day)
    assert interest(found) == [parts[country]]
    assert found["invoices"][0]["due_date"] == due


@pytest.mark.parametrize(("country", "told"), [("SE", "SE"), (None, "no country")])
def test_what_the_law_of_another_country_gives_is_not_made_up(
    cli: Cli, desk: Case, country: str | None, told: str
) -> None:
    service, server = desk
    lay(service, country=country, penalty_interest=8)
    for words in ((), ("--method", "paper"), ("--method", "email", "--fee", "5")):
        outcome = cli("invoice", "remind", "7", *words)
        assert (outcome.code, outcome.out, outcome.err) == (
            2, "", f"error: the law of {told} is not known, only that of FI, DE\n",
        )  # fmt: skip
    assert server.writes == []


@pytest.mark.together
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


@pytest.mark.together
@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"status": "PAID", "payment_date": "2025-06-02"}, "nothing was open of Invoice 8 (id 8) on 2025-08-14"),
        ({"total_amount": -5.0}, "nothing was open of Invoice 8 (id 8) on 2025-08-14"),
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


def test_nobody_is_given_days_beyond_the_calendar(cli: Cli, desk: Case) -> None:
    service, _ = desk
    lay(service, 7, penalty_interest=8.0)
    outcome = cli("invoice", "remind", "7", "--date", "9999-12-31")
    told = "--date 9999-12-31: the days that a reminder gives to pay end after the calendar"
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


@pytest.mark.together
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
        "7,Invoice 7,2025-05-30,open,,,,,1000.00",
        "7,Invoice 7,2025-05-30,interest,2025-05-31,2025-06-30,31,11.5,9.77",
        "7,Invoice 7,2025-05-30,interest,2025-07-01,2025-08-14,45,10.5,12.95",
        "7,Invoice 7,2025-05-30,lump_sum,,,,,40.00",
    ]


def test_a_table_shows_it_line_by_line(cli: Cli, desk: Case) -> None:
    service, _ = desk
    lay(service)
    lines = [" ".join(line.split()) for line in succeed(cli("invoice", "remind", "7", *ON)).lines()]
    assert [line for line in lines if line and not set(line) <= {"─", " "}] == [
        "Invoice Date Days % Amount",
        "Invoice 7, reference 10016 2025-05-30 1,000.00",
        "Late interest 2025-05-31 \N{EN DASH} 2025-06-30 31 11.5 9.77",
        "Late interest 2025-07-01 \N{EN DASH} 2025-08-14 45 10.5 12.95",
        "Lump sum 40.00",
        "To pay by 2025-08-28 1,062.72",
        "Section 4 a of the Finnish Interest Act, section 10 e of the Finnish Debt Collection Act",
        "Account FI49 5000 9420 0287 30",
        "If you have paid already, there is nothing to do.",
    ]


@pytest.mark.parametrize(
    ("country", "language", "words", "title", "amount", "section"),
    [
        ("FI", "fi", (), "Maksumuistutus", "1 062,72", "perintälaki 10 e §"),
        ("FI", "sv", (), "Betalningspåminnelse", "1 062,72", "10 e § indrivningslagen"),
        ("FI", None, (), "Payment reminder", "1,062.72", "section 10 e of the Finnish Debt Collection Act"),
        ("FI", "fi", ("--locale", "de"), "Zahlungserinnerung", "1.062,72", "§ 10 e des finnischen Inkassogesetzes"),
        ("DE", "fi", (), "Zahlungserinnerung", "1.062,23", "§ 288 (5) BGB"),
        ("DE", "fi", ("--locale", "en"), "Payment reminder", "1,062.23", "§ 288 (5) BGB"),
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
    lines = [re.split("  +", line.strip())[0] for line in text.splitlines()]
    assert {"Birch Oy", "Koivukatu 3", "33100 Tampere"} <= set(lines)


# --- reminding ---

PERMISSIONS = "/v1/business/demo/me/permissions/"
SEND, MESSAGES = f"{INVOICES}7/send/", f"{INVOICES}7/status_messages/"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acctcli.cli.session.state.utc_now", lambda: datetime(2025, 8, 14, 9, tzinfo=UTC))


def had(*said: tuple[str, str, str]) -> dict[str, Any]:
    """Reminders that an invoice has had: which, when, and what fees they came to."""
    until = [(date.fromisoformat(day) + timedelta(days=14)).isoformat() for _, day, _ in said]
    texts = [
        f"{stage} of {day} by paper, to pay by {last}: 1000.00 open, 5.00 interest, {fees} fees, 0.00 lump sum (file 4)"
        for (stage, day, fees), last in zip(said, until, strict=True)
    ]
    return {"external_status_messages": [{"id": n, "message": text} for n, text in enumerate(["Received.", *texts])]}


def may(service: Desk, *permissions: str) -> None:
    service.records[PERMISSIONS] = {"business_slug": "demo", "granted_permission_ids": list(permissions)}


@pytest.mark.usefixtures("clock")
def test_a_reminder_is_mailed_first_and_noted_then_under_keys_of_its_own(cli: Cli, desk: Case) -> None:
    service, server = desk
    lay(service, buyer=PERSON, **had(("Reminder 1", "2025-07-30", "5.00")))
    may(service, "invoicing_admin", "contact_read")
    for _ in range(2):
        succeed(cli("invoice", "remind", "7", "--method", "email", "--fee", "4.5"))
    sent, noted, *again = server.writes
    assert [(one.path, one.headers["idempotency-key"], one.body) for one in (sent, noted)] == [
        (one.path, one.headers["idempotency-key"], one.body) for one in again
    ]
    assert (sent.path, noted.path) == (SEND, MESSAGES)
    mail = json.loads(sent.body)
    assert (mail["delivery_method"], mail["data"]["email_subject"]) == ("EMAIL", "Toinen maksumuistutus: Lasku 7, ")
    assert mail["data"]["email_content"].replace("\N{NO-BREAK SPACE}", " ").splitlines()[:7] == [
        "Toinen maksumuistutus",
        "",
        "Lasku 7, viite 10016, eräpäivä 30.5.2025: 1 000,00 EUR",
        "Viivästyskorko 31.5.2025 \N{EN DASH} 30.6.2025, 10,5 %: 8,92 EUR",
        "Viivästyskorko 1.7.2025 \N{EN DASH} 14.8.2025, 9,5 %: 11,71 EUR",
        "Muistutusmaksut: 9,50 EUR",
        "Maksettava viimeistään 28.8.2025: 1 030,13 EUR",
    ]
    assert json.loads(noted.body) == {
        "message": "Reminder 2 of 2025-08-14 by email, to pay by 2025-08-28: 1000.00 open, 20.63 interest, 9.50 fees, "
        "0.00 lump sum"
    }
    # days are as the language writes them, as on paper
    succeed(cli("invoice", "remind", "7", "--method", "email", "--locale", "en"))
    lines = json.loads(server.writes[-2].body)["data"]["email_content"].splitlines()
    assert lines[2] == "Invoice 7, reference 10016, due on 30 May 2025: 1,000.00 EUR"


FIRST, SECOND, NOTICE = ("Reminder 1", "2025-06-16", "5.00"), ("Reminder 2", "2025-07-10", "10.00"), "Collection notice"


@pytest.mark.usefixtures("clock")
@pytest.mark.together
@pytest.mark.parametrize(
    ("before", "stage", "fees"),
    [
        ([], "Reminder 1", "0"),
        ([FIRST], "Reminder 2", "5.0"),
        ([SECOND, FIRST], NOTICE, "10.0"),
        ([SECOND, FIRST, (NOTICE, "2025-07-25", "15.00")], NOTICE, "15.0"),
        # one of another day is none of this day yet
        ([("Reminder 1", "2025-08-15", "5.00")], "Reminder 1", "0"),
    ],
)
def test_which_reminder_it_is_follows_from_those_before(
    cli: Cli, desk: Case, before: list[tuple[str, str, str]], stage: str, fees: str
) -> None:
    service, _ = desk
    lay(service, buyer=PERSON, **had(*before))
    found = document(cli, "7")
    assert (found["stage"], f"{found['invoices'][0]['fees']:.10g}") == (stage, fees.removesuffix(".0"))


@pytest.mark.usefixtures("clock")
@pytest.mark.together
@pytest.mark.parametrize(
    ("buyer", "last", "told"),
    [
        (PERSON, (*FIRST[:2], "5.01"), "5.01, and a person owes 5 euros at most for each reminder (perintälaki 10 a,"),
        (PERSON, (*SECOND[:2], "10.01"), "10.01, and a person owes 5 euros at most for each reminder"),
        (BUSINESS, FIRST, "5.00, and what reminding a business costs is the lump sum (perintälaki 10 e §)"),
    ],
)
def test_fees_that_the_law_does_not_give_are_not_asked_for_again(
    cli: Cli, desk: Case, buyer: dict[str, Any], last: tuple[str, str, str], told: str
) -> None:
    service, _ = desk
    lay(service, buyer=buyer, **had(last))
    outcome = cli("invoice", "remind", "7")
    assert (outcome.code, f"7): {last[0]} of {last[1]} has fees of {told}" in outcome.err) == (2, True), outcome.err


@pytest.mark.usefixtures("clock")
@pytest.mark.together
@pytest.mark.parametrize(
    ("changed", "words", "told"),
    [
        (had(("Reminder 1", "2025-07-31", "0.00")), (), "7): Reminder 1 of 2025-07-31 gives time until 2025-08-14"),
        (had(FIRST, SECOND, (NOTICE, "2025-07-25", "0.00")), (), "7) had its collection notice on 2025-07-25: what"),
        (had(("Reminder 1", "2025-08-15", "0.00")), (), "7): Reminder 1 of 2025-08-15 is of a later day"),
        ({"external_status_messages": [{"id": 1, "message": "DISPUTED on the phone"}]}, (), "7) is disputed, as a"),
        ({"external_status_messages": [{"id": 1, "message": "\n disputed"}]}, (), "7) is disputed, as a"),
        ({"is_registered_to_collector": True}, (), "7) is with a debt collector, who reminds of it"),
        ({"currency": "USD"}, (), "7) is in USD: fees, lump sums and books are in euros"),
        ({}, ("--date", "2025-08-15"), "--date 2025-08-15: a mail is of today"),
        ({}, ("--date", "2025-08-13"), "--date 2025-08-13: a mail is of today"),
        ({}, ("--days", "13"), "--days 13: a reminder gives 14 days to pay at least"),
        ({}, ("--fee", "5.01"), "--fee 5.01: a reminder costs a person 5 euros at most (perintälaki 10 a, 10 b §)"),
        ({"due_date": "2025-08-01"}, ("--fee", "5"), "--fee 5.00: it may be asked for 14 days after 2025-08-01 (perin"),
        ({"buyer": BUSINESS}, ("--fee", "5"), "--fee 5.00: what reminding a business costs is the lump sum of 40"),
        ({}, ("--method", "paper", "--in-doubt", "again"), "--in-doubt is of a reminder that was mailed: add --method"),
        ({}, ("--method", "fax"), "--method 'fax': a reminder goes by paper or email"),
    ],
)  # fmt: skip
def test_whom_one_may_not_remind(
    cli: Cli, desk: Case, changed: dict[str, Any], words: tuple[str, ...], told: str
) -> None:
    service, server = desk
    lay(service, **{"buyer": PERSON, **changed})
    may(service, "admin")
    outcome = cli("invoice", "remind", "7", "--method", "email", *words)
    assert (outcome.code, told in outcome.err.partition("\n")[0], server.writes) == (2, True, []), outcome.err


@pytest.mark.usefixtures("clock")
def test_what_could_not_be_noted_or_is_not_one_letter_is_not_sent(cli: Cli, desk: Case) -> None:
    service, server = desk
    lay(service, 7, buyer=PERSON)
    lay(service, 8, buyer=PERSON, **had(FIRST))
    may(service, "invoicing_editor")
    outcome = cli("invoice", "remind", "7", "--method", "paper")
    assert (outcome.code, "takes the permission invoicing_admin" in outcome.err) == (2, True)
    outcome = cli("invoice", "remind", "7", "8", "--method", "paper")
    assert outcome.err.startswith("error: these are different reminders: Invoice 7 (id 7) Reminder 1, Invoice 8")
    lay(service, 8)
    outcome = cli("invoice", "remind", "7", "8", "--method", "email")
    assert outcome.err.startswith("error: a mail goes with the paper of one invoice, and these are several\n")
    assert server.writes == []


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize(
    ("answer", "words", "hint"),
    [
        (said({"code": "precondition_failed", "detail": "No."}, 412), (), "acctcli invoice remind 7 --method paper ke"),
        (said({"code": "idempotency_key_reused", "detail": "No."}, 422), (), "it was mailed today with other figures"),
        # without what the mail asked for, the reminder would be noted with other figures
        (
            IN_DOUBT,
            ("--fee", "5", "--days", "20"),
            "acctcli invoice remind 7 --timeout 2 --method email --fee 5 --days 20 --date 2025-08-14 --in-doubt "
            "arrived, or again, notes the reminder, too\n",
        ),
        # under the same key nothing goes again
        (
            IN_DOUBT,
            ("--in-doubt", "again"),
            "acctcli invoice remind 7 --timeout 2 --method email --date 2025-08-14 --in-doubt arrived, or again, notes "
            "the reminder, too; what is to go again once more needs an --idempotency-key of its own\n",
        ),
        # it may be the mail of the invoice that is in doubt: then nobody was reminded
        (
            said({"code": "precondition_failed", "detail": "Say so with in_doubt."}, 412),
            (),
            "if that was the invoice: acctcli invoice send 7 --in-doubt arrived, or again, and then remind; if it was",
        ),
    ],
)
def test_a_mail_that_did_not_leave_is_not_noted(
    cli: Cli, desk: Case, monkeypatch: pytest.MonkeyPatch, answer: Answer, words: tuple[str, ...], hint: str
) -> None:
    service, server = desk
    lay(service, buyer=PERSON)
    may(service, "admin")
    monkeypatch.setattr("acctcli.cli.session.state.State.require_local", lambda _: None)
    service.answers[SEND] = answer
    outcome = cli("invoice", "remind", "7", "--timeout", "2", "--method", "email", *words)
    assert (outcome.code != 0, f"hint: {hint}" in outcome.err) == (True, True), outcome.err
    assert {one.path for one in server.writes} == {SEND}


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize(("method", "path"), [("email", SEND), ("paper", "/v1/business/demo/file_upload/")])
def test_a_rehearsal_shows_what_would_leave_first(cli: Cli, desk: Case, method: str, path: str) -> None:
    service, server = desk
    lay(service)
    may(service, "admin")
    service.lists["/v1/business/demo/files/"] = []
    planned = succeed(cli("invoice", "remind", "7", "--method", method, "--dry-run", "--json")).json()
    assert (planned["method"], planned["path"], server.writes) == ("POST", path, [])


@pytest.mark.usefixtures("clock")
def test_what_arrived_is_noted_of_the_day_on_which_it_left(
    cli: Cli, desk: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, server = desk
    lay(service)
    may(service, "admin")
    monkeypatch.setattr("acctcli.cli.session.state.State.require_local", lambda _: None)
    arrived = ("--method", "email", "--in-doubt", "arrived", "--date", "2025-08-13")
    succeed(cli("invoice", "remind", "7", *arrived))
    sent, noted = server.writes
    assert (json.loads(sent.body)["in_doubt"], noted.body.decode()[:36]) == (
        "ARRIVED", '{"message":"Reminder 1 of 2025-08-13',
    )  # fmt: skip


def test_german_persons_owe_what_the_reminder_cost(cli: Cli, desk: Case) -> None:
    service, _ = desk
    lay(service, country="DE", buyer=PERSON)
    found = document(cli, "7", *ON, "--fee", "7.50", "--days", "7")
    assert (found["law"], str(found["total"]), found["pay_by"]) == (
        ["§ 288 (1) BGB", "§§ 280, 286 BGB"], "1021.4", "2025-08-21",
    )  # fmt: skip
