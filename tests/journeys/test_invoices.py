"""Sales invoices from draft to payment, every command of theirs in every place."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from acctcli.law.days import today_in
from tests.journeys.places import Place
from tests.journeys.test_life import refused

D = Decimal
ADDRESS = ("--street", "Tie 1", "--postal-code", "00100", "--city", "Helsinki", "--country", "FI", "--invoicing")
WORK = "name=Work,unit=h,count=2,amount=100,vat=25.5"
TOOL = "name=Tool,unit=kpl,count=1.5,amount=33.33,vat=10"

# (from, trigger) -> to; None is refused, and changes nothing (docs/interface.md 7.1)
LIFE: dict[tuple[str, str], str | None] = {
    ("DRAFT", "accept"): "ACCEPTED", ("DRAFT", "send"): None, ("DRAFT", "paid"): None,
    ("DRAFT", "unpaid"): None, ("DRAFT", "credit-loss"): None, ("DRAFT", "update"): "DRAFT",
    ("DRAFT", "replace"): "DRAFT", ("DRAFT", "delete"): "gone", ("DRAFT", "disable-recurrence"): "DRAFT",
    ("ACCEPTED", "accept"): "ACCEPTED", ("ACCEPTED", "send"): "ACCEPTED", ("ACCEPTED", "paid"): "PAID",
    ("ACCEPTED", "unpaid"): "ACCEPTED", ("ACCEPTED", "credit-loss"): "CREDIT_LOSS", ("ACCEPTED", "update"): None,
    ("ACCEPTED", "replace"): None, ("ACCEPTED", "delete"): None, ("ACCEPTED", "disable-recurrence"): "ACCEPTED",
    ("PAID", "accept"): None, ("PAID", "send"): None, ("PAID", "paid"): "PAID",
    ("PAID", "unpaid"): "ACCEPTED", ("PAID", "credit-loss"): None, ("PAID", "update"): None,
    ("PAID", "replace"): None, ("PAID", "delete"): None, ("PAID", "disable-recurrence"): "PAID",
    ("CREDIT_LOSS", "accept"): None, ("CREDIT_LOSS", "send"): None, ("CREDIT_LOSS", "paid"): None,
    ("CREDIT_LOSS", "unpaid"): "ACCEPTED", ("CREDIT_LOSS", "credit-loss"): "CREDIT_LOSS",
    ("CREDIT_LOSS", "update"): None, ("CREDIT_LOSS", "replace"): None, ("CREDIT_LOSS", "delete"): None,
    ("CREDIT_LOSS", "disable-recurrence"): "CREDIT_LOSS",
}  # fmt: skip
WAY = {"DRAFT": (), "ACCEPTED": ("accept",), "PAID": ("accept", "paid"), "CREDIT_LOSS": ("accept", "credit-loss")}


def seller(place: Place) -> None:
    """Make the business able to invoice, and give it a customer and a product."""
    settings = ("--set", "invoicing_iban=FI4950009420028730", "--set", "invoicing_email=sales@example.com")
    accrual = ("--set", "has_accrual_based_entries_for_invoicing=true")
    place.run("business", "update", place.environ["ACCTCLI_BUSINESS"], *settings, *accrual)
    place.run("contact", "create", "--name", "Meyer Oy", "--customer-id", "C-12", "--email", "m@example.com", *ADDRESS)
    product = ("--name", "Work", "--unit", "h", "--amount", "125.50", "--vat-rate", "25.5", "--vat-code", "1")
    place.run("product", "create", "--code", "A1", *product, "--vat-inclusive")


def draft(place: Place, *rows: str, day: str = "2026-03-01") -> str:
    """The id of a new draft for the customer."""
    given = [word for row in rows or (WORK, TOOL) for word in ("--row", row)]
    return str(place.json("invoice", "create", "--to", "C-12", "--date", day, "--days", "14", *given)["id"])


def accepted(place: Place, *rows: str, day: str = "2026-03-01") -> str:
    number = draft(place, *rows, day=day)
    place.run("invoice", "accept", number)
    return number


def in_state(place: Place, state: str) -> str:
    """The id of a new invoice that is there."""
    number = draft(place)
    for action in WAY[state]:
        place.run("invoice", action, number)
    return number


def receivable(place: Place) -> Decimal:
    """What the books say that customers owe."""
    account = place.json("business", "get", place.environ["ACCTCLI_BUSINESS"])["account_trade_receivables"]
    balance: Decimal = place.json("account", "get", f"id:{account}")["balance"]
    return balance


def open_invoices(place: Place) -> Decimal:
    """What the invoices say."""
    total: Decimal = place.json("invoice", "aging")["totals"]["total"]
    return total


@pytest.mark.everywhere
def test_an_invoice_lives(place: Place) -> None:
    seller(place)
    number = draft(place, "code=A1,count=2", TOOL)
    made = place.json("invoice", "get", number)
    assert (made["status"], made["invoice_number"], made["pdf"]) == ("DRAFT", None, None)
    assert [(row["code"], row["amount"], row["total_amount"]) for row in made["rows"]] == [
        ("A1", D("100.00"), D("251.00")),
        (None, D("33.33"), D("55.00")),
    ]
    assert (made["total_vat_amount"], made["total_amount"], made["due_date"]) == (D("56.00"), D("306.00"), "2026-03-15")
    changed = place.json("invoice", "update", number, "--days", "30", "--description", "March")
    assert changed == made | {
        "payment_condition_days": 30,
        "due_date": "2026-03-31",
        "description": "March",
        "updated_at": changed["updated_at"],
        "earliest_debt_collection_date": "2026-04-14",
    }
    issued = place.json("invoice", "accept", number)
    assert (issued["status"], issued["friendly_name"], issued["reference"]) == ("ACCEPTED", "Invoice 1", "10016")
    assert (receivable(place), open_invoices(place)) == (D("306.00"), D("306.00"))
    assert place.json("invoice", "aging", "--date", "9999-12-31")["totals"]["total"] == D("306.00")
    paid = place.json("invoice", "paid", number)
    assert (paid["status"], receivable(place), open_invoices(place)) == ("PAID", D("0.00"), D("0.00"))
    place.run("invoice", "unpaid", number)
    place.run("invoice", "credit-loss", number)
    assert (receivable(place), open_invoices(place)) == (D("0.00"), D("0.00"))
    # it was given up today, and owed before
    assert place.json("invoice", "aging", "--date", "2026-03-31")["totals"]["not_due"] == D("306.00")
    assert [one["id"] for one in place.json("invoice", "list", "--became", "paid")] == [made["id"]]


def test_what_nobody_says_is_of_today_and_due_as_the_business_says(place: Place) -> None:
    seller(place)
    terms = ("--set", "invoicing_default_payment_condition_days=21")
    place.run("business", "update", place.environ["ACCTCLI_BUSINESS"], *terms)
    days = {today_in("FI", datetime.now(UTC))}
    made = place.json("invoice", "create", "--to", "C-12", "--row", WORK)
    days.add(today_in("FI", datetime.now(UTC)))
    assert date.fromisoformat(made["invoicing_date"]) in days
    assert made["payment_condition_days"] == 21
    shown = place.run("invoice", "get", str(made["id"])).out.split("\n\n")
    assert [line.split()[:2] for line in shown[1].splitlines()[2:]] == [["Work", "2.00"]]


@pytest.mark.together
@pytest.mark.parametrize("state", WAY)
def test_every_step_of_its_life_is_allowed_or_refused(place: Place, state: str) -> None:
    seller(place)
    options = {
        "send": ("--method", "email", "--yes"),
        "update": ("--description", "Other"),
        "replace": ("--to", "C-12", "--date", "2026-03-01", "--days", "14", "--row", WORK, "--row", TOOL),
        "delete": ("--yes",),
    }
    number, before = None, None
    for trigger, end in ((trigger, end) for (start, trigger), end in LIFE.items() if start == state):
        if number is None:
            number = in_state(place, state)
            before = place.json("invoice", "get", number)
        done = place.try_run("invoice", trigger, number, *options.get(trigger, ()))
        assert done.code == (8 if end is None else 0), (trigger, done.err)
        if end is None:
            assert place.json("invoice", "get", number) == before, trigger
            continue
        if end == "gone":
            refused(place, 6, "invoice", "get", number)
        else:
            assert place.json("invoice", "get", number)["status"] == end, trigger
        assert receivable(place) == open_invoices(place), trigger
        number = None


def test_what_is_wrong_is_named(place: Place) -> None:
    seller(place)
    empty = str(place.json("invoice", "create", "--to", "C-12", "--date", "2026-03-01", "--days", "14")["id"])
    assert "An invoice needs a row" in refused(place, 8, "invoice", "accept", empty)
    place.run("contact", "create", "--name", "Abel")
    other = draft(place)
    place.run("invoice", "update", other, "--to", "Abel")
    assert "receiver" in refused(place, 8, "invoice", "accept", other)
    assert "reference" in refused(place, 7, "invoice", "update", other, "--reference", "10017")
    assert "--days" in refused(place, 2, "invoice", "update", other, "--days", "-1")
    issued = accepted(place)
    done = place.try_run("invoice", "update", issued, "--days", "3")
    assert (done.code, done.err.splitlines()[-1].rpartition(": ")[2]) == (8, f"acctcli invoice credit-note {issued}")
    refused(place, 8, "invoice", "delete", issued, "--yes")


def test_a_day_that_takes_no_posting_is_known_before_it_is_refused(place: Place) -> None:
    """`check` says of closed days and missing periods what `accept` refuses a claim for, in the same words."""
    seller(place)
    number = draft(place, WORK)

    def told(day: str) -> tuple[int, list[tuple[str, str]], int]:
        place.run("invoice", "update", number, "--date", day)
        done = place.try_run("invoice", "check", number, "--json")
        found = [(one["field"], one["lacks"]) for one in json.loads(done.out)]
        refused = place.try_run("invoice", "accept", number, "--json")
        for _, lacks in found:
            assert f"{lacks}." in json.loads(refused.err)["error"]["message"]
        return done.code, found, refused.code

    outside = "2025-07-01 lies in no accounting period: one begins on 2026-01-01"
    assert told("2025-07-01") == (10, [("invoicing_date", outside)], 8)
    year = place.json("period", "list")[-1]
    closed = f"The accounting period {year['start_date']} - {year['end_date']} is locked"
    place.run("period", "lock", str(year["id"]))
    assert told(year["start_date"]) == (10, [("invoicing_date", closed)], 8)
    place.run("period", "unlock", str(year["id"]))
    assert place.json("invoice", "check", number) == []


def test_what_lacks_is_known_before_it_is_refused(place: Place) -> None:
    """`check` says of a draft what `accept` refuses it for, and changes nothing."""
    seller(place)
    slug = place.environ["ACCTCLI_BUSINESS"]
    place.run("business", "update", slug, "--set", "invoicing_vat_exemption_reason=", "--set", "invoicing_city=")
    free = "name=Work,unit=h,count=1,amount=100,vat=0,vat-code={}"
    number = draft(place, WORK, *(free.format(code) for code in (3, 5, 6, 13)))
    before = place.json("invoice", "get", number)
    done = place.try_run("invoice", "check", number, "--json")
    lacking = json.loads(done.out)
    told = place.try_run("invoice", "accept", number)
    assert told.err.endswith(f"hint: all that lacks, row by row: acctcli invoice check {number}\n")
    refusal = place.try_run("invoice", "accept", number, "--json")
    said = {text for texts in json.loads(refusal.err)["error"]["fields"].values() for text in texts}
    assert (done.code, len(lacking)) == (10, 7)
    assert said == {f"{one['lacks']}: {one['right']} ({one['law']})." for one in lacking}
    assert place.json("invoice", "get", number) == before
    place.run("business", "update", slug, "--set", "invoicing_city=Turku")
    place.run("invoice", "update", number, "--row", WORK)
    assert place.json("invoice", "check", number) == []
    place.run("invoice", "accept", number)
    assert place.json("invoice", "check", number) == []
    asked = place.try_run("invoice", "check", number, "--format", "xrechnung", "--json")
    assert (asked.code, {one["needed_for"] for one in json.loads(asked.out)}) == (10, {"xrechnung"})


def test_a_day_in_no_accounting_period_is_named_with_what_adds_one(place: Place) -> None:
    seller(place)
    number = str(place.json("invoice", "create", "--to", "C-12", "--date", "2031-02-01", "--row", WORK)["id"])
    told = place.try_run("invoice", "accept", number)
    assert (told.code, "hint: add the accounting period: acctcli period create --next" in told.err) == (8, True)


def test_credit_notes_take_back_what_is_left(place: Place) -> None:
    seller(place)
    number = accepted(place)
    part = place.json("invoice", "credit-note", number, "--part", "1:0.5")
    assert (part["is_credit_note_for"], part["total_amount"]) == (int(number), D("-62.75"))
    place.run("invoice", "accept", str(part["id"]))
    assert receivable(place) == open_invoices(place) == D("243.25")
    rest = place.json("invoice", "credit-note", number)
    assert [(row["name"], row["product_count"]) for row in rest["rows"]] == [
        ("Work", D("-1.50")),
        ("Tool", D("-1.50")),
    ]
    assert place.json("invoice", "accept", str(rest["id"]))["friendly_name"] == "Credit note 3"
    assert receivable(place) == open_invoices(place) == D("0.00")
    assert place.json("invoice", "aging")["customers"] == []
    assert "nothing of invoice" in refused(place, 2, "invoice", "credit-note", number)
    assert "no more than 0.00 without VAT is left" in refused(place, 8, "invoice", "credit-note", number, "--row", WORK)
    assert [one["id"] for one in place.json("invoice", "list", "--credit-notes")] == [rest["id"], part["id"]]


def test_an_invoice_is_sent_once_unless_agreed(place: Place) -> None:
    seller(place)
    number = accepted(place)
    ways = {one["value"]: one["is_available"] for one in place.json("invoice", "delivery-methods", number)}
    assert ways == {"EMAIL": True, "EINVOICE": False, "ELASKU": False, "PAPER": True, "EMAIL_XRECHNUNG": False}
    sent = place.json("invoice", "send", number)
    assert (sent["delivery_method"], sent["status"]) == ("EMAIL", "ACCEPTED")
    assert "was sent at" in refused(place, 2, "invoice", "send", number)
    again = place.json("invoice", "send", number, "--yes", "--method", "paper")
    assert again["delivery_method"] == "PAPER"
    assert again["last_delivery_at"] > sent["last_delivery_at"]
    refused(place, 8, "invoice", "send", number, "--yes", "--method", "einvoice")


def test_a_subject_says_what_the_invoice_said_when_it_was_accepted(place: Place) -> None:
    seller(place)
    business, number = place.environ["ACCTCLI_BUSINESS"], accepted(place)
    name = place.json("business", "get", business)["name"]
    said = "invoicing_default_email_subject={invoice}, {business}: {iban}"
    place.run("business", "update", business, "--name", "Later Oy", "--iban", "FI2112345600000785", "--set", said)
    asked = place.json("invoice", "send", number, "--method", "email", "--dry-run")
    assert asked["body"]["data"]["email_subject"] == f"Lasku 1, {name}: FI49 5000 9420 0287 30"
    place.run("business", "update", business, "--set", f"invoicing_default_email_subject={'x' * 250}{{business}}")
    asked = place.json("invoice", "send", number, "--method", "email", "--dry-run")
    assert asked["body"]["data"]["email_subject"] == f"{'x' * 250}{name}"[:256]


def test_the_files_of_an_invoice_go_with_its_mail_and_are_told(place: Place) -> None:
    seller(place)
    (place.folder / "terms.txt").write_bytes(b"Net 14 days.")
    (file,) = place.json("file", "upload", "terms.txt")
    number = draft(place)
    place.run("invoice", "update", number, "--attachment", str(file["id"]))
    place.run("invoice", "accept", number)
    sent = place.run("invoice", "send", number)
    assert "Files that went with it: terms.txt (12 bytes)." in sent.err
    kept = place.run("invoice", "send", number, "--yes", "--method", "paper")
    assert "note: files go with mail only, not by PAPER: terms.txt" in kept.err


def test_messages_come_and_go(place: Place) -> None:
    seller(place)
    number = draft(place)
    made = place.json("invoice", "status-message", "add", number, "Seen by the customer")
    assert place.json("invoice", "get", number)["external_status_messages"] == [made]
    place.run("invoice", "status-message", "remove", number, str(made["id"]), "--yes")
    assert place.json("invoice", "get", number)["external_status_messages"] == []


def test_pdfs_are_saved_one_by_one_or_all(place: Place) -> None:
    seller(place)
    first, second, unfinished = accepted(place), accepted(place), draft(place)
    [saved] = place.json("invoice", "pdf", first, "--to", "one")
    content = (place.folder / saved["path"]).read_bytes()
    assert (saved["outcome"], len(content), content[:5]) == ("saved", saved["size"], b"%PDF-")
    rows = place.json("invoice", "pdf", "--all", "--to", "all")
    assert [row["id"] for row in rows] == [int(second), int(first)]
    assert len(list((place.folder / "all").iterdir())) == 2
    done = place.try_run("invoice", "pdf", first, unfinished, "--to", "some")
    assert done.code == 10
    assert f"{unfinished} draft-{unfinished}.pdf: there is no file yet" in done.err
    assert len(list((place.folder / "some").iterdir())) == 1
    assert "Overwrite" in refused(place, 2, "invoice", "pdf", first, "--to", "one")


def test_an_invoice_is_xml_for_machines(place: Place) -> None:
    seller(place)
    number = accepted(place)
    missing = refused(place, 2, "invoice", "xml", number, "--format", "xrechnung")
    assert "business." in missing
    slug = place.environ["ACCTCLI_BUSINESS"]
    place.run("business", "identifier", "create", "--type", "y_tunnus", "--value", "0112038-9")
    place.run("business", "identifier", "create", "--type", "vat_code", "--value", "FI01120389")
    details = ("street=Katu 1", "city=Oulu", "postal_code=90100", "country=FI", "contact=Aino")
    given = [word for detail in details for word in ("--set", f"invoicing_{detail}")]
    place.run("business", "update", slug, *given, "--set", "contact_phone=0401234567")
    buyer = str(place.json("contact", "list")[0]["id"])
    place.run("contact", "update", buyer, "--set", "xrechnung_buyer_reference=04011000-12345-03")
    number = accepted(place)
    place.run("invoice", "xml", number, "--output-file", "finvoice.xml")
    assert ElementTree.parse(place.folder / "finvoice.xml").getroot().tag == "Finvoice"
    framed = ("invoice", "xml", number, "--format", "finvoice", "--frame")
    assert "einvoicing_operator" in refused(place, 2, *framed)
    place.run("business", "update", slug, "--set", "invoicing_electronic_address=003701120389")
    way = ("einvoice_address=003715728600", "einvoice_operator=BAWCFI22")
    place.run("contact", "update", buyer, *(word for one in way for word in ("--set", f"invoicing_{one}")))
    told = place.run(*framed, "--operator", "003721291126", "--output-file", "framed.xml")
    assert "receiver_info.invoicing_einvoice_address" in told.err
    content = (place.folder / "framed.xml").read_bytes()
    # in the frame and in the invoice, where the address stands twice
    assert [content.count(one) for one in (b">003701120389<", b">003721291126<", b">BAWCFI22<")] == [3, 2, 2]
    xrechnung = place.run("invoice", "xml", number, "--format", "xrechnung").out
    assert "xrechnung_3.0" in xrechnung
    note = str(place.json("invoice", "credit-note", number)["id"])
    place.run("invoice", "accept", note)
    told = place.json("invoice", "xml", note, "--format", "xrechnung")
    assert (told["invoice"], told["format"]) == (int(note), "xrechnung")
    assert "<cac:BillingReference>" in told["xml"]


def test_what_machines_read_is_what_stood_when_it_was_accepted(place: Place) -> None:
    """Names, addresses and accounts of later days stand on no paper and in no e-invoice; what was empty is told."""
    seller(place)
    slug, buyer = place.environ["ACCTCLI_BUSINESS"], str(place.json("contact", "list")[0]["id"])
    place.run("business", "identifier", "create", "--type", "vat_code", "--value", "FI01120389")
    place.run("business", "update", slug, "--set", "invoicing_country=FI")
    number = accepted(place)
    before = place.json("invoice", "xml", number)
    assert "FI4950009420028730" in before["xml"]
    assert "business.contact_phone" in refused(place, 2, "invoice", "xml", number, "--format", "xrechnung")
    later = (
        "name=Renamed Oy",
        "invoicing_iban=FI2112345600000785",
        "invoicing_contact=Aino",
        "contact_phone=0401234567",
    )
    place.run("business", "update", slug, *(word for one in later for word in ("--set", one)))
    place.run("contact", "update", buyer, "--name", "Oak Oy", "--set", "xrechnung_buyer_reference=04011000-12345-03")
    assert place.json("invoice", "xml", number) == before
    told = place.run("invoice", "xml", number, "--format", "xrechnung")
    assert "receiver_info.xrechnung_buyer_reference" in told.err
    assert [text in told.out for text in ("Meyer Oy", "04011000-12345-03", "0401234567", "FI4950009420028730")] == [
        True
    ] * 4
    assert [text in told.out for text in ("Oak Oy", "Renamed Oy", "FI2112345600000785")] == [False] * 3


def test_a_nightly_export_tells_every_change_once(place: Place) -> None:
    seller(place)
    first, second = accepted(place), draft(place)

    def export(*more: str) -> list[tuple[Any, ...]]:
        argv = ("invoice", "list", "--expand", "rows", "--since", "state.json", "--quiet", "--output", "tsv", *more)
        lines = place.run(*argv, "--columns", "id,status,row.name").lines()
        return [tuple(line.split("\t")) for line in lines[1:]]

    assert export() == [
        (second, "DRAFT", "Work"),
        (second, "DRAFT", "Tool"),
        (first, "ACCEPTED", "Work"),
        (first, "ACCEPTED", "Tool"),
    ]
    assert export() == []
    place.run("invoice", "paid", first)
    third = draft(place, WORK)
    assert export() == [(third, "DRAFT", "Work"), (first, "PAID", "Work"), (first, "PAID", "Tool")]
    state = (place.folder / "state.json").read_bytes()
    place.run("invoice", "delete", second, "--yes")
    assert export() == []
    assert b'"%s"' % second.encode() in state
    assert "its filter is" in refused(place, 2, "invoice", "list", "--status", "paid", "--since", "state.json")


def test_a_list_is_a_workbook(place: Place) -> None:
    seller(place)
    accepted(place)
    place.run("invoice", "list", "--all", "--output", "xlsx", "--output-file", "x.xlsx")
    with zipfile.ZipFile(io.BytesIO((place.folder / "x.xlsx").read_bytes())) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml")
        assert b"Meyer Oy" in archive.read("xl/sharedStrings.xml")
    assert b"<v>306.00</v>" in sheet


def test_an_einvoice_lies_in_the_outbox_or_is_handed_to_a_program(place: Place) -> None:
    seller(place)
    address = ("--street", "Katu 1", "--city", "Helsinki", "--postal-code", "00100", "--country", "FI")
    place.run("business", "update", place.environ["ACCTCLI_BUSINESS"], *address)
    invoice = accepted(place)
    place.run("contact", "update", "C-12", "--set", "invoicing_einvoice_address=003726044706")
    place.run("contact", "update", "C-12", "--set", "invoicing_einvoice_operator=BAWCFI22")
    send = ("invoice", "send", invoice, "--method", "einvoice", "--yes")
    laid_down = place.run(*send).err.strip().rpartition(" lies in ")[2]
    assert Path(laid_down).read_bytes().startswith(b"<?xml version='1.0' encoding='ISO-8859-15'?>")
    told = place.run(*send, ACCTCLI_EINVOICE_COMMAND='["cat", "{file}"]').err
    receipt = json.loads(Path(told.strip().rpartition(" lies in ")[2].rstrip(".")).read_text())
    assert (receipt["exit_code"], "<Finvoice " in receipt["output"]) == (0, True)
    refused = place.try_run(*send, ACCTCLI_EINVOICE_COMMAND='["false"]')
    assert (refused.code, refused.err.partition("\n")[0]) == (
        8, "error: false did not take the e-invoice (exit code 1). (412)",
    )  # fmt: skip
    # the receipts that are there are of other attempts than the one that a person says arrived
    killed = {"ACCTCLI_EINVOICE_COMMAND": '["sh", "-c", "kill -9 $$"]'}
    assert place.try_run(*send, **killed).code == 9
    assert "receipt" not in place.run(*send, "--in-doubt", "arrived", **killed).err
