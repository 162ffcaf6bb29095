"""`acctcli invoice check`: what lacks is told by field before anybody refuses it, and nothing is written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from acctcli.client.messages import encode_plain
from tests.cli.conftest import At, Cli, succeed
from tests.cli.invoice.test_commands import INVOICES, Case, Desk
from tests.cli.recorder import recorder, said
from tests.einvoice.samples import (
    FINNISH_BUYER,
    FINNISH_SELLER,
    GERMAN_BUYER,
    GERMAN_SELLER,
    SMALL_SELLER,
    Wire,
    invoice,
    row,
)

SELLERS: dict[str, Wire] = {
    "FI": {**FINNISH_SELLER, "form": "FI_OY", "can_invoice": True},
    "DE": {**GERMAN_SELLER, "form": "DE_UG", "can_invoice": True},
}
READY = {"type": "BUSINESS", "is_invoicing_enabled": True}
BY_MAIL = {
    "invoicing_einvoice_address": None, "invoicing_einvoice_operator": None, "xrechnung_buyer_reference": None,
    "invoicing_electronic_address": None, "invoicing_electronic_address_scheme": None,
}  # fmt: skip
FINNISH, GERMAN = {**FINNISH_BUYER, **READY, **BY_MAIL}, {**GERMAN_BUYER, **READY}
SWEDISH = {
    **FINNISH, "name": "Sven AB", "invoicing_country": "SE", "invoicing_tax_code": "SE556000461501",
    "contact_business_id": None,
}  # fmt: skip


@pytest.fixture
def desk(at: At) -> Iterator[Case]:
    """A desk, and the recorder in front of it."""
    made = Desk()
    with recorder(made) as server:
        at(server)
        yield made, server


def lay(service: Desk, seller: Wire, buyer: Wire, *rows: Wire, number: int = 7, **changed: Any) -> None:
    """Let there be a draft of 2026-03-02, and its business."""
    draft = {"status": "DRAFT", "invoice_number": None, "settlement_date": None, **changed}
    found = {**invoice(rows, buyer, **draft), "id": number}
    service.records[f"{INVOICES}{number}/"] = json.loads(encode_plain(found))
    service.records["/v1/business/demo/"] = {**seller, "slug": "demo"}


def rows_of(cli: Cli, *words: str, code: int = 10) -> list[dict[str, Any]]:
    outcome = cli("invoice", "check", *words, "--json")
    assert outcome.code == code, outcome.err
    found: list[dict[str, Any]] = json.loads(outcome.out)
    return found


@pytest.mark.together
@pytest.mark.parametrize(
    ("home", "buyer", "sold"),
    [
        ("FI", FINNISH, row("100.00")),
        ("FI", FINNISH, row("100.00", rate="0", vat_code=10)),
        ("FI", SWEDISH, row("100.00", rate="0", vat_code=5)),
        ("DE", SWEDISH, row("100.00", rate="0", vat_code=6)),
        ("DE", GERMAN, row("100.00", rate="19")),
        ("DE", GERMAN, row("100.00", rate="0", vat_code=10)),
    ],
)
def test_nothing_lacks(cli: Cli, desk: Case, home: str, buyer: Wire, sold: Wire) -> None:
    service, server = desk
    lay(service, SELLERS[home], buyer, sold)
    assert rows_of(cli, "7", code=0) == []
    told = succeed(cli("invoice", "check", "7"))
    assert (told.err, server.writes) == ("nothing lacks of 1 invoice\n", [])


def test_everything_that_lacks_is_a_row(cli: Cli, desk: Case) -> None:
    service, server = desk
    seller = SELLERS["FI"] | {"invoicing_street": "", "invoicing_city": None, "identifiers": [], "business_id": ""}
    buyer = FINNISH | {"invoicing_postal_code": "", "invoicing_tax_code": "FI01120388"}
    rows = (row("1.00", rate="24"), row("1.00", rate="0", vat_code=3), row("1.00", rate="0", vat_code=10))
    lay(service, seller, buyer, *rows)
    told = [(one["field"], one["lacks"], one["right"], one["law"]) for one in rows_of(cli, "7")]
    lacks = "The business has no invoicing_street, invoicing_city"
    assert told == [
        (
            "receiver_info.invoicing_postal_code",
            "Rakennus Virtanen Oy cannot be invoiced without invoicing_postal_code",
            "an invoice names the buyer's address",
            "AVL 209 e §",
        ),
        ("business.invoicing_street", lacks, "an invoice names the seller's address", "AVL 209 e §"),
        ("business.invoicing_city", lacks, "an invoice names the seller's address", "AVL 209 e §"),
        (
            "business.identifiers",
            "The business has no business id, VAT id or tax number of Finland",
            "an invoice names one of the seller's",
            "AVL 209 e §",
        ),
        (
            "rows.0.vat_rate",
            "24 % is no VAT rate of Finland on 2026-03-02",
            "the rate is 25.5 % on that day",
            "AVL 84, 85 and 85 a §",
        ),
        (
            "business.invoicing_vat_exemption_reason",
            "The business has no invoicing_vat_exemption_reason",
            "an invoice says why a row bears no VAT, such as 'Ei arvonlisäveroa, vähäinen toiminta, AVL 3 §'",
            "AVL 209 e §",
        ),
        (
            "receiver_info.invoicing_tax_code",
            "FI01120388 is no number that can be right",
            "A VAT id is needed, such as FI01120389: after FI come 8 digits that check each other, and these do not",
            "AVL 209 e §",
        ),
    ]
    assert server.writes == []


def test_a_table_says_how_much_lacks(cli: Cli, desk: Case) -> None:
    service, _ = desk
    lay(service, SELLERS["FI"], FINNISH, number=7)
    lay(service, SELLERS["FI"], FINNISH, row("100.00", rate="0", vat_code=5), number=8)
    outcome = cli("invoice", "check", "7", "8", "7")
    assert (outcome.code, outcome.err) == (10, "error: 2 fields of 2 invoices lack something\n")
    heading, _, empty, wrong = outcome.out.splitlines()
    assert heading.split() == ["invoice", "needed", "for", "field", "lacks", "right", "law"]
    assert empty.split()[:3] == ["7", "accept", "rows"]
    assert wrong.split()[:3] == ["8", "accept", "rows.0.vat_code"]


def test_what_lacks_of_the_business_or_the_buyer_comes_with_the_commands_that_set_it(cli: Cli, desk: Case) -> None:
    service, _ = desk
    nobody = SELLERS["DE"] | {"business_id": None, "identifiers": []}
    lay(service, nobody, GERMAN, row("1.00", rate="19"))
    told = "what sets it: acctcli business identifier create --type steuernummer --value NUMBER"
    assert cli("invoice", "check", "7").err.splitlines()[-1] == f"hint: {told}"
    lay(service, nobody | {"invoicing_city": ""}, GERMAN | {"invoicing_city": ""}, row("1.00", rate="19"))
    told += "; acctcli business update --help; acctcli contact update --help"
    assert cli("invoice", "check", "7").err.splitlines()[-1] == f"hint: {told}"


def test_the_day_of_delivery_has_the_rate_and_a_credit_note_what_was_sold(cli: Cli, desk: Case) -> None:
    service, _ = desk
    lay(service, SELLERS["FI"], FINNISH, row("100.00", rate="14"), settlement_date="2025-12-31")
    assert rows_of(cli, "7", code=0) == []
    lay(service, SELLERS["FI"], FINNISH, row("-100.00", rate="14"), is_credit_note_for=5)
    service.records[f"{INVOICES}5/"] = json.loads(encode_plain(invoice([row("100.00", rate="14")], id=5)))
    assert rows_of(cli, "7", code=0) == []


LEITWEG = {
    "invoice": 7,
    "needed_for": "xrechnung",
    "field": "receiver_info.xrechnung_buyer_reference",
    "lacks": "missing",
    "right": "Leitweg-ID or reference",
    "law": "BT-10, BR-DE-15",
}


@pytest.mark.parametrize("status", ["DRAFT", "ACCEPTED"])
def test_what_its_xrechnung_lacks_is_said_of_drafts_and_of_accepted_ones(cli: Cli, desk: Case, status: str) -> None:
    service, _ = desk
    number = None if status == "DRAFT" else 12
    buyer = GERMAN | {"xrechnung_buyer_reference": None, "invoicing_electronic_address_scheme": "EM"}
    changed: dict[str, Any] = {"status": status, "invoice_number": number}
    lay(service, SELLERS["DE"], buyer, row("1.00", rate="19"), **changed, buyer_reference=None)
    assert rows_of(cli, "7") == [LEITWEG]
    # nothing of an accepted one is void by now: it stays as it was
    seller = SELLERS["DE"] | {"invoicing_street": ""}
    lay(service, seller, buyer, row("1.00", rate="19"), **changed, buyer_reference="7")
    assert [one["field"] for one in rows_of(cli, "7", code=10 if number is None else 0)] == (
        ["business.invoicing_street"] if number is None else []
    )


@pytest.mark.together
@pytest.mark.parametrize(
    ("buyer", "formats"),
    [
        ({}, []),
        ({"invoicing_einvoice_address": "003701120389", "invoicing_einvoice_operator": "BAWCFI22"}, ["finvoice"]),
        ({"invoicing_electronic_address": "x", "invoicing_electronic_address_scheme": "9999"}, ["peppol"]),
        ({"xrechnung_buyer_reference": "7"}, ["xrechnung"]),
        ({"invoicing_einvoice_operator": "BAWCFI22", "xrechnung_buyer_reference": "7"}, ["finvoice", "xrechnung"]),
    ],
)
def test_only_formats_that_the_buyer_takes_are_looked_at(cli: Cli, desk: Case, buyer: Wire, formats: list[str]) -> None:
    service, _ = desk
    seller = SELLERS["FI"] | {"invoicing_iban": None, "einvoicing_address": None}
    lay(service, seller, FINNISH | buyer, row("1.00"))
    found = rows_of(cli, "7", code=10 if formats else 0)
    assert sorted({one["needed_for"] for one in found}) == formats
    assert [one["needed_for"] for one in found if one["field"] == "business.invoicing_iban"] == sorted(formats)[::-1]


def test_a_format_is_looked_at_when_it_is_asked_for(cli: Cli, desk: Case) -> None:
    service, _ = desk
    lay(service, SELLERS["FI"] | {"invoicing_iban": None}, FINNISH, row("1.00"))
    (one,) = rows_of(cli, "7", "--format", "finvoice")
    assert (one["needed_for"], one["field"], one["law"]) == ("finvoice", "business.invoicing_iban", "BT-84, BR-61")
    outcome = cli("invoice", "check", "7", "--format", "fax")
    assert (outcome.code, outcome.err) == (2, "error: --format 'fax': there are xrechnung, finvoice, peppol, cii\n")


def test_a_small_seller_lacks_its_reason_only(cli: Cli, desk: Case) -> None:
    service, _ = desk
    small = {**SMALL_SELLER, "form": "DE_UG", "can_invoice": True}
    private = {**GERMAN, **BY_MAIL, "type": "PERSON", "invoicing_tax_code": None}
    lay(service, small, private, row("1.00", rate="0", vat_code=3))
    assert rows_of(cli, "7", code=0) == []
    lay(service, small | {"invoicing_vat_exemption_reason": ""}, private, row("1.00", rate="0", vat_code=3))
    (one,) = rows_of(cli, "7")
    assert (one["law"], one["right"].rpartition(" such as ")[2]) == (
        "§ 14 (4) no. 8 UStG", "'Keine Umsatzsteuer, Kleinunternehmer nach § 19 UStG'",
    )  # fmt: skip


PERIODS, VAT_PERIODS = "/v1/business/demo/period/", "/v1/business/demo/vat_period/"
YEAR = {"id": 1, "start_date": "2026-01-01", "end_date": "2026-12-31", "is_locked": False, "is_reported": False}
MARCH = {**YEAR, "id": 3, "start_date": "2026-03-01", "end_date": "2026-03-31"}


@pytest.mark.together
@pytest.mark.parametrize(
    ("years", "vat", "changed", "lacks"),
    [
        ([YEAR], [MARCH], {}, None),
        ([YEAR | {"is_locked": True}], [MARCH], {}, "The accounting period 2026-01-01 - 2026-12-31 is locked"),
        ([YEAR], [MARCH | {"is_locked": True}], {}, "The VAT period 2026-03-01 - 2026-03-31 is locked"),
        (
            [YEAR],
            [MARCH | {"start_date": "2026-04-01", "end_date": "2026-04-30", "is_locked": True, "is_reported": True}],
            {},
            "The VAT period 2026-04-01 - 2026-04-30 has been reported, and 2026-03-02 lies before its end: what is "
            "written there would change what it opens with",
        ),
        ([], [], {}, "2026-03-02 lies in no accounting period: there is none"),
        ([], [], {"has_accrual_based_entries_for_invoicing": False}, None),
    ],
)
def test_the_day_of_a_claim_has_to_take_postings(
    cli: Cli, desk: Case, years: list[Wire], vat: list[Wire], changed: Wire, lacks: str | None
) -> None:
    service, _ = desk
    lay(service, SELLERS["FI"] | {"has_accrual_based_entries_for_invoicing": True} | changed, FINNISH, row("1.00"))
    service.lists |= {PERIODS: years, VAT_PERIODS: vat}
    found = rows_of(cli, "7", code=10 if lacks else 0)
    assert [(one["needed_for"], one["field"], one["lacks"]) for one in found] == (
        [("accept", "invoicing_date", lacks)] if lacks else []
    )
    # a credit note goes where its invoice is: in no books
    lay(
        service,
        SELLERS["FI"] | {"has_accrual_based_entries_for_invoicing": True},
        FINNISH,
        row("-1.00"),
        is_credit_note_for=5,
    )
    service.records[f"{INVOICES}5/"] = json.loads(encode_plain(invoice([row("1.00")], id=5)))
    assert rows_of(cli, "7", code=0) == []


def test_who_may_not_see_the_periods_is_told(cli: Cli, at: At) -> None:
    service = Desk()
    for number in (7, 8):
        seller = SELLERS["FI"] | {"has_accrual_based_entries_for_invoicing": True}
        lay(service, seller, FINNISH, row("1.00"), number=number)
    with recorder(lambda sent: said({"detail": "No."}, 403) if PERIODS in sent.path else service(sent)) as server:
        at(server)
        told = succeed(cli("invoice", "check", "7", "8")).err
    note = "note: you may not see the periods, so that nothing is said of days that take no postings\n"
    assert told == f"{note}nothing lacks of 2 invoices\n"


@pytest.mark.together
@pytest.mark.parametrize("broken", [{"rows": 7}, {"receiver_info": {"name": "x"}}, {"invoicing_date": "tomorrow"}])
def test_what_is_no_invoice_is_no_finding(cli: Cli, desk: Case, broken: Wire) -> None:
    service, _ = desk
    lay(service, SELLERS["FI"], FINNISH, row("1.00"))
    service.records[f"{INVOICES}7/"] |= broken
    outcome = cli("invoice", "check", "7", "--json")
    assert (outcome.code, outcome.out, json.loads(outcome.err)["error"]["code"]) == (9, "", "unreadable_reply")
