"""Reminders by commands: which is next, what is noted, what a run that was killed leaves, and what pays them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from acctcli.cli.invoice import reminder_sending
from acctcli.client.api import Api
from acctcli.client.messages import Reply
from tests.journeys.cutting import cut_off
from tests.journeys.places import Place
from tests.journeys.test_bank_matching import MAY, MOVE, TO_BANK, bring, reference, rules, statement
from tests.journeys.test_invoices import seller
from tests.journeys.test_settlement import WORK, balance, before_posting, stands

D = Decimal
REMIND = ("invoice", "remind")
DAY = "2026-05-12"


def late(place: Place, day: str = "2026-03-01") -> str:
    """The id of an invoice of 125.50 to a business that agreed on 10 % and has not paid."""
    said = ("--date", day, "--days", "14", "--row", WORK, "--penalty-interest", "10")
    invoice = str(place.json("invoice", "create", "--to", "C-12", *said)["id"])
    place.run("invoice", "accept", invoice)
    return invoice


def selling(place: Place) -> None:
    seller(place)
    place.run("contact", "update", "C-12", "--type", "business")


def notes(place: Place, invoice: str) -> list[str]:
    return [one["message"] for one in place.json("invoice", "get", invoice)["external_status_messages"]]


def note(place: Place, invoice: str, asked: str = "125.50 open, 1.00 interest") -> None:
    """Note a reminder of an earlier day."""
    text = f"Reminder 1 of {DAY} by paper, to pay by 2026-05-26: {asked}, 0.00 fees, 40.00 lump sum"
    place.run("invoice", "status-message", "add", invoice, text)


def mails(place: Place, invoice: str) -> int:
    number = place.json("invoice", "get", invoice)["invoice_number"]
    folder = Path(place.environ["ACCTCLI_DATA_DIR"])
    # who comes over the network has a folder within that of the service, which keeps the mail
    kept = folder.parent.parent if "ACCTCLI_LOCAL_BASE_URL" in place.environ else folder
    return len(list(kept.glob(f"**/{place.environ['ACCTCLI_BUSINESS']}/invoice-{number}-*.eml")))


def test_a_reminder_is_mailed_and_noted_once_a_day(place: Place) -> None:
    selling(place)
    invoice = late(place)
    asked = place.json(*REMIND, invoice)
    assert (asked["stage"], notes(place, invoice)) == ("Reminder 1", [])
    done = place.run(*REMIND, invoice, "--method", "email", "--json")
    (one,) = asked["invoices"]
    until = date.fromisoformat(asked["date"]) + timedelta(days=14)
    said = (
        f"Reminder 1 of {asked['date']} by email, to pay by {until}: 125.50 open, {one['interest']:.2f} interest, "
        "0.00 fees, 40.00 lump sum"
    )
    sent = place.json("invoice", "get", invoice)["last_delivery_at"]
    assert (notes(place, invoice), sent is not None) == ([said], True)
    assert f"Invoice 1 (id {invoice}): {said}" in done.err
    again = place.run(*REMIND, invoice, "--method", "paper")
    assert f"Reminder 1 of Invoice 1 (id {invoice}) is there already: {said}" in again.err
    assert (notes(place, invoice), place.json("invoice", "get", invoice)["last_delivery_at"]) == ([said], sent)
    (row,) = place.json("invoice", "aging")["customers"]
    assert row["reminded"] == f"Reminder 1 of {asked['date']}"
    # on the day before there was none
    (row,) = place.json("invoice", "aging", "--date", str(until - timedelta(days=15)))["customers"]
    assert row["reminded"] is None


def test_what_was_open_on_a_past_day_is_what_aging_says_of_it(place: Place) -> None:
    selling(place)
    whole, part, lost = late(place), late(place), late(place)
    place.run("invoice", "pay", whole, "--date", "2026-04-10")
    place.run("invoice", "pay", part, "--date", "2026-04-10", "--amount", "25.50")
    place.run("invoice", "credit-loss", lost, "--yes")
    for day, open_then in {
        "2026-04-09": {whole: "125.50", part: "125.50", lost: "125.50"},
        "2026-04-10": {part: "100.00", lost: "125.50"},
    }.items():
        found = {one: place.json(*REMIND, one, "--date", day)["invoices"][0]["open"] for one in open_then}
        (row,) = place.json("invoice", "aging", "--date", day)["customers"]
        assert {one: f"{amount:.2f}" for one, amount in found.items()} == open_then
        assert f"{row['total']:.2f}" == str(sum(map(D, open_then.values())))
    told = place.run(*REMIND, part, "--date", "2026-04-09").err
    assert f"note: 125.50 was open of Invoice 2 (id {part}) on 2026-04-09, and 100.00 is by now" in told
    refused = place.try_run(*REMIND, whole, "--date", "2026-04-10")
    assert (refused.code, refused.err) == (2, f"error: nothing was open of Invoice 1 (id {whole}) on 2026-04-10\n")
    refused = place.try_run(*REMIND, whole, "--date", "2026-04-09", "--method", "paper")
    assert (refused.code, f"nothing is open of Invoice 1 (id {whole}) by now" in refused.err) == (2, True)
    assert notes(place, whole) == []


def test_a_paper_is_kept_as_a_file_and_one_letter_takes_several_invoices(place: Place) -> None:
    selling(place)
    one, two = late(place), late(place, "2026-04-01")
    place.run(*REMIND, one, two, "--method", "paper", "--days", "20", "--output", "pdf", "--output-file", "r.pdf")
    (paper,) = [file for file in place.json("file", "list", "--all") if file["name"].startswith("reminder")]
    day = place.json(*REMIND, one)["date"]
    assert paper["name"] == f"reminder 1 invoice 1 {day}.pdf"
    found = [*notes(place, one), *notes(place, two)]
    assert len(found) == 2
    assert all(text.endswith(f"lump sum (file {paper['id']})") for text in found)
    assert all(f"to pay by {date.fromisoformat(day) + timedelta(days=20)}: " in text for text in found)
    assert (place.folder / "r.pdf").read_bytes().startswith(b"%PDF-")
    refused = place.try_run(*REMIND, one, two, "--method", "email")
    assert (refused.code, "is there already" in refused.err) == (0, True)


@pytest.mark.parametrize("method", ["email", "paper"])
def test_a_run_that_is_killed_is_gone_on_with_and_mails_nothing_twice(place: Place, method: str) -> None:
    selling(place)
    ends = Counter[int]()
    for when, number in (("before", 1), ("after", 1), ("before", 2), ("after", 2)):
        invoice = late(place)
        argv = (*REMIND, invoice, "--method", method, "--yes")
        ends[cut_off(place, number, *argv, when=when, of="writes")] += 1
        place.run(*argv)
        (said,) = notes(place, invoice)
        assert said.startswith("Reminder 1 of ")
        number_of = place.json("invoice", "get", invoice)["invoice_number"]
        files = [one for one in place.json("file", "list", "--all") if f"invoice {number_of} " in one["name"]]
        assert (mails(place, invoice), len(files)) == ((1, 0) if method == "email" else (0, 1))
    assert ends == {-9: 4}


@pytest.mark.parametrize(
    ("method", "key"), [("email", ()), ("paper", ()), ("paper", ("--idempotency-key", "of another user"))]
)
def test_two_who_remind_at_once_note_one_reminder(
    place: Place, monkeypatch: pytest.MonkeyPatch, method: str, key: tuple[str, ...]
) -> None:
    selling(place)
    invoice = late(place)
    argv = (*REMIND, invoice, "--method", method, "--yes")
    before_posting(monkeypatch, lambda: place.run(*argv, *key), reminder_sending, "_check")
    place.run(*argv)
    assert len(notes(place, invoice)) == 1
    # a note that somebody took away is written again
    (one,) = place.json("invoice", "get", invoice)["external_status_messages"]
    place.run("invoice", "status-message", "remove", invoice, str(one["id"]), "--yes")
    place.run(*argv)
    assert len(notes(place, invoice)) == 1


@pytest.mark.everywhere
def test_of_two_who_remind_at_once_one_mails(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    selling(place)
    invoice, send = late(place), Api.send_invoice

    def send_after_another(api: Api, *asked: Any) -> Reply:
        monkeypatch.setattr(Api, "send_invoice", send)
        other = place.process(*REMIND, invoice, "--method", "email", "--yes", "--idempotency-key", "another")
        assert other.code == 0, other.err
        return send(api, *asked)

    monkeypatch.setattr(Api, "send_invoice", send_after_another)
    refused = place.try_run(*REMIND, invoice, "--method", "email", "--yes")
    sent = place.json("invoice", "get", invoice)["last_delivery_at"]
    assert (refused.code, len(notes(place, invoice))) == (8, 1)
    assert f"was sent at {sent}, after you looked" in refused.err
    assert f"hint: somebody else may have reminded of it: acctcli invoice get {invoice}" in refused.err


def test_a_mail_that_may_have_left_yesterday_is_asked_about(place: Place) -> None:
    selling(place)
    invoice = late(place)
    place.run("invoice", "send", invoice, "--method", "email", "--subject", "S", "--text", "T")
    refused = place.try_run(*REMIND, invoice, "--method", "email")
    sent_on = place.json("invoice", "get", invoice)["last_delivery_at"][:10]
    assert (refused.code, "which may have been this reminder" in refused.err) == (2, True)
    assert f"--method paper --date {sent_on} notes what left before" in refused.err
    assert (notes(place, invoice), mails(place, invoice)) == ([], 1)
    place.run(*REMIND, invoice, "--method", "email", "--yes")
    assert mails(place, invoice) == 2


def paid(place: Place, *payments: tuple[str, int]) -> str:
    """A statement of invoices that are paid with so many cents by their references."""
    return statement(
        place,
        *(
            replace(MOVE, day=MAY, valued=MAY, cents=cents, reference=f"M{invoice}", viite=reference(place, invoice))
            for invoice, cents in payments
        ),
    )


def test_what_a_reminder_asked_for_is_paid_by_the_bank_and_posted_as_income(place: Place) -> None:
    selling(place)
    invoice = late(place)
    note(place, invoice, "125.50 open, 7.25 interest")
    # without accounts for it nobody's guess is posted
    path = paid(place, (invoice, 17_275))
    (row,) = bring(place, path, *TO_BANK)
    assert row["reason"] == (
        "7.25 of it is late interest and 40.00 of it is reminder fees or lump sum, and the rules name no account for "
        "that (Invoice 1)"
    )
    assert stands(place, invoice) == [("ACCEPTED", None)]
    book = rules(place, '[accounts]\nlate_interest = "3990"\nreminder_fees = "3900"\n')
    (row,) = place.json("bank", "match", path, *TO_BANK, "--rules", book)
    assert (row["status"], row["reason"]) == (
        "matched",
        "reference: reference of Invoice 1, with what a reminder asked for",
    )
    assert stands(place, invoice) == [("PAID", DAY)]
    assert [balance(place, number) for number in ("1910", "1700", "3990", "3900", "2939")] == [
        D("172.75"), D("0.00"), D("7.25"), D("40.00"), D("25.50"),
    ]  # fmt: skip
    assert place.try_run(*REMIND, invoice, "--method", "email").code == 2


def test_more_than_is_open_and_other_than_was_asked_for_is_left(place: Place) -> None:
    selling(place)
    one, two = late(place), late(place, "2026-04-01")
    note(place, one)
    book = rules(place, '[accounts]\nlate_interest = "3990"\nreminder_fees = "3900"\n')
    path = paid(place, (one, 17_000), (two, 12_550))
    row, other = bring(place, path, *TO_BANK, "--rules", book)
    assert row["reason"].startswith("Invoice 1 is open with 125.50, and this is not what its reminders asked for")
    refused = place.try_run("invoice", "pay", one, "--date", DAY, "--amount", "166.50")
    assert (refused.code, refused.err.partition("\n")[0]) == (
        2,
        f"error: this is 41.00 more than is open, which Reminder 1 of {DAY} asked for: 1.00 interest, 40.00 fees or "
        "lump sum",
    )
    # who pays the invoice alone has paid it; interest is claimed by itself
    assert other["reason"] == "reference: reference of Invoice 2"
    assert stands(place, one, two) == [("ACCEPTED", None), ("PAID", DAY)]


def test_a_transfer_that_pays_a_letter_of_several_invoices_is_settled_with_what_it_asked_for(place: Place) -> None:
    selling(place)
    some = [late(place), late(place, "2026-04-01")]
    for one in some:
        note(place, one)
    book = rules(place, '[accounts]\nlate_interest = "3990"\nreminder_fees = "3900"\n')
    # twice 125.50, 1.00 of interest and a lump sum of 40.00
    path = statement(place, replace(MOVE, day=MAY, valued=MAY, cents=33_300))
    (left,) = bring(place, path, *TO_BANK, "--rules", book)
    assert left["status"] == "posted"
    choice = {"settle": [f"invoice {one}" for one in some]}
    row = {"identity": left["identity"], "document": left["document"], "choice": choice}
    plan = place.write_lines("plan.jsonl", [row])
    refused = place.try_run("bank", "review", "--apply", plan, "--yes")
    assert (refused.code, "settle: 2.00 of it is late interest and 80.00 of it is" in refused.err) == (2, True)
    (offered,) = place.json("bank", "review", "--rules", book)
    assert offered["suggestions"][0]["choice"] == choice
    place.run("bank", "review", "--apply", plan, "--yes", "--rules", book)
    assert stands(place, *some) == [("PAID", DAY)] * 2
    assert [balance(place, number) for number in ("1910", "1700", "3990", "3900")] == [
        D("333.00"), D("0.00"), D("2.00"), D("80.00"),
    ]  # fmt: skip
