"""The letter of a reminder: what it says is what the json of the same command says, and scanners pay just that."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from acctcli.banking.barcode import Transfer, read_barcode
from acctcli.client.messages import encode_plain
from acctcli.models.enums import Language
from acctcli.papers.speaker import Speaker
from tests.accessible import faults
from tests.cli.conftest import Cli, succeed
from tests.cli.invoice.test_commands import Case
from tests.cli.invoice.test_reminding import BUSINESS, FIRST, ON, PERSON, desk, had, lay, may
from tests.cli.recorder import said
from tests.papers.invoices import BUSINESS as SELLER
from tests.papers.invoices import RECEIVER
from tests.papers.scanning import codes, pages

__all__ = ["desk"]  # the fixture

COMPANY = {**RECEIVER, **BUSINESS, "invoicing_language": None}
HEAD = ["BCD", "002", "1", "SCT", "ITELFIHH", "Hämeen Työ & Kädentaito Oy", "FI7944052020036082"]
GERMAN = {
    **SELLER, "name": "Müller Gerätebau GmbH", "country": "DE", "invoicing_country": "DE", "invoicing_city": "Kassel",
    "invoicing_street": "Am Graben 4", "invoicing_postal_code": "34117", "invoicing_iban": "DE89370400440532013000",
    "invoicing_bic": "COBADEFFXXX", "identifiers": [{"id": 1, "type": "steuernummer", "value": "2613/081508151"}],
}  # fmt: skip
EVA = {
    **RECEIVER, **PERSON, "name": "Eva Weiß", "contact_business_id": None, "invoicing_tax_code": None,
    "invoicing_street": "Ringstraße 1", "invoicing_postal_code": "10115", "invoicing_city": "Berlin",
    "invoicing_country": "DE",
}  # fmt: skip


def owed(
    case: Case, *numbers: int, buyer: dict[str, Any] = COMPANY, seller: dict[str, Any] = SELLER, **more: Any
) -> None:
    """Let there be late invoices of a business that says all of itself."""
    service, _ = case
    for number in numbers:
        lay(service, number, buyer=buyer, **{"contact_person": "Bertta Ström", **more})
    service.records["/v1/business/demo/"] = json.loads(encode_plain({"id": 1, "slug": "demo", **seller}))


def letter(cli: Cli, folder: Path, *words: str) -> tuple[Any, bytes]:
    """Return the json of a reminder, and its paper."""
    path = folder / "letter.pdf"
    asked = ("invoice", "remind", *words)
    succeed(cli(*asked, "--output", "pdf", "--output-file", str(path)))
    return json.loads(succeed(cli(*asked, "--json")).out, parse_float=Decimal), path.read_bytes()


def figures(found: Any, language: Language) -> list[str]:
    """Return every day and every amount of a reminder, as they are written in a language."""
    speaker, every = Speaker(language), found["invoices"]
    days = [found["date"], found["pay_by"], *(late["due_date"] for late in every)]
    kinds = ("open", "interest", "fees", "lump_sum")
    amounts = [found["total"], *(sum(Decimal(late[kind]) for late in every) for kind in kinds)]
    texts = []
    for late in every:
        amounts += [late["open"], late["fees"], late["lump_sum"], late["total"]]
        for part in late["periods"]:
            texts.append(f"{speaker.day(part['from'])} \N{EN DASH} {speaker.day(part['to'])} {part['days']}")
            texts.append(f"{speaker.number(Decimal(part['rate']))} {speaker.amount(part['interest'])}")
    return [*map(speaker.day, days), *(speaker.amount(Decimal(one)) for one in amounts if one), *texts]


def assert_said(found: Any, text: str, language: Language) -> None:
    plain = re.sub(r"\s", "", text)
    assert [one for one in figures(found, language) if re.sub(r"\s", "", one) not in plain] == []


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("fi", ["Maksumuistutus", "Lasku 7", "perintälaki 10 e §", "Maksutiedot", "Asiakasnumero K-1042"]),
        ("sv", ["Betalningspåminnelse", "Faktura 7", "10 e § indrivningslagen", "Att betala senast 28.8.2025"]),
        ("en", ["Payment reminder", "Invoice 7", "Lump sum 40.00", "€1,062.72", "Total to pay"]),
        ("de", ["Zahlungserinnerung", "Rechnung 7", "Verzugspauschale 40,00", "Bitte zahlen Sie bis zum 28.08.2025"]),
    ],
)
def test_one_invoice_is_paid_by_its_reference(
    cli: Cli, desk: Case, tmp_path: Path, language: Language, words: list[str]
) -> None:
    owed(desk, 7)
    found, content = letter(cli, tmp_path, "7", *ON, "--locale", language)
    (text,) = pages(content, tmp_path)
    assert [word for word in words if word not in text] == []
    assert_said(found, text, Language(language))
    assert "laskut@kadentaito.example, +358 40 123 4567" in text
    seen = codes(content, tmp_path)
    assert read_barcode(seen["code128"]) == Transfer("FI7944052020036082", found["total"], "10016", date(2025, 8, 28))
    assert seen["qrcode"].split("\n") == [*HEAD, "EUR1062.72", "", "RF0810016"]
    assert faults(content) == []


def test_a_letter_names_the_due_date_where_interest_begins_days_later(cli: Cli, desk: Case, tmp_path: Path) -> None:
    owed(desk, 7, due_date="2025-05-31")  # a Saturday
    found, content = letter(cli, tmp_path, "7", *ON, "--locale", "fi")
    (text,) = pages(content, tmp_path)
    assert_said(found, text, Language.FI)
    days = re.findall(r"\d+\.[56]\.2025", text)
    assert (days, found["total"]) == (["31.5.2025", "3.6.2025", "30.6.2025"], Decimal("1061.77"))


def test_a_german_person_is_asked_for_fees_of_two_reminders(cli: Cli, desk: Case, tmp_path: Path) -> None:
    owed(desk, 8, buyer=EVA, seller=GERMAN, reference="RF1220420", contact_person=None, **had(FIRST))
    found, content = letter(cli, tmp_path, "8", *ON, "--fee", "7.50", "--locale", "de")
    (text,) = pages(content, tmp_path)
    assert_said(found, text, Language.DE)
    assert (found["stage"], "Mahnkosten 12,50" in text) == ("Reminder 2", True)
    assert [word for word in ("Zweite Mahnung", "Eva Weiß", "§§ 280, 286 BGB", "RF12 2042 0") if word not in text] == []
    # a German account has no barcode
    assert codes(content, tmp_path)["qrcode"].split("\n")[4:] == [
        "COBADEFFXXX", "Müller Gerätebau GmbH", "DE89370400440532013000", "EUR1026.40", "", "RF1220420",
    ]  # fmt: skip
    assert set(codes(content, tmp_path)) == {"qrcode"}


def test_a_transfer_for_several_names_them_instead_of_a_reference(cli: Cli, desk: Case, tmp_path: Path) -> None:
    owed(desk, 9, 10, 11)
    owed(desk, 12, contact_person="Åke Berg", due_date="2025-08-04", reference="10029")
    found, content = letter(cli, tmp_path, "9", "10", "11", "12", *ON, "--locale", "sv")
    made = pages(content, tmp_path)
    assert_said(found, " ".join(made), Language.SV)
    assert "Fakturor 9, 10, 11, 12" in made[-1]
    assert "ange meddelandet nedan i stället för referens" in made[-1]
    # whom they are for differs
    assert "Bertta Ström" not in made[0]
    seen = codes(content, tmp_path, page=len(made))
    assert seen == {"qrcode": "\n".join([*HEAD, f"EUR{found['total']}", "", "", "Fakturor 9, 10, 11, 12"])}


def test_one_without_a_reference_is_named_on_the_slip(cli: Cli, desk: Case, tmp_path: Path) -> None:
    owed(desk, 8, reference=None)
    _, content = letter(cli, tmp_path, "8", *ON, "--locale", "fi")
    (text,) = pages(content, tmp_path)
    assert re.search(r"Viesti .*Lasku 8 .*Eräpäivä", text.partition("Maksutiedot")[2])
    assert "viite" not in text
    seen = codes(content, tmp_path)
    assert (set(seen), seen["qrcode"].split("\n")[7:]) == ({"qrcode"}, ["EUR1062.72", "", "", "Lasku 8"])


def test_forty_invoices_go_over_pages_each_whole_on_one(cli: Cli, desk: Case, tmp_path: Path) -> None:
    numbers = [str(number) for number in range(101, 141)]
    owed(desk, *map(int, numbers))
    found, content = letter(cli, tmp_path, *numbers, *ON, "--locale", "en")
    made = pages(content, tmp_path)
    named = [re.findall(r"Invoice (\d+)", page) for page in made]
    assert (len(made), [number for page in named for number in page]) == (8, numbers)
    carried = Decimal(0)
    for place, page in enumerate(made, 1):
        assert f"Page {place} of 8" in page
        assert (f"Brought forward {carried:,}" in page) == (place > 1)
        assert page.count("Lump sum 40.00 1,062.72") == len(named[place - 1])
        carried += len(named[place - 1]) * Decimal("1062.72")
    assert carried == found["total"]
    assert_said(found, " ".join(made), Language.EN)
    # their numbers have no room in a transfer
    assert codes(content, tmp_path, page=8)["qrcode"].split("\n")[7:] == [
        "EUR42508.80", "", "", "Payment reminder 14 Aug 2025, K-1042",
    ]  # fmt: skip
    assert faults(content) == []


def test_the_letter_that_is_kept_is_the_one_that_is_shown_on_any_day(
    cli: Cli, desk: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, server = desk
    owed(desk, 7)
    may(service, "admin")
    service.lists["/v1/business/demo/files/"] = []
    service.answers["/v1/business/demo/file_upload/"] = said({"id": 4}, 201)
    _, content = letter(cli, tmp_path, "7", *ON)
    monkeypatch.setattr("acctcli.cli.session.state.utc_now", lambda: datetime(2025, 8, 14, 9, tzinfo=UTC))
    succeed(cli("invoice", "remind", "7", "--method", "paper"))
    kept = server.writes[0]
    assert (kept.path, content in kept.body) == ("/v1/business/demo/file_upload/", True)


def test_a_letter_that_cannot_be_drawn_is_refused_before_anything_is_sent(
    cli: Cli, desk: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, server = desk
    owed(desk, 7)
    may(service, "admin")
    monkeypatch.setattr("acctcli.cli.output.check.find_spec", lambda _: None)
    for words, option in ((("--method", "paper"), "--method paper"), (("--output", "pdf"), "--output pdf")):
        outcome = cli("invoice", "remind", "7", *words)
        assert (outcome.code, outcome.err, server.writes) == (
            2,
            f"error: {option} needs reportlab, which is not installed\n"
            "hint: install it with: pip install 'acctcli[reports]'\n",
            [],
        )
