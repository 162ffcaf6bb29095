"""E-invoices of the whole tool: typed as people type them, numbered by the service, judged by the official rules."""

from __future__ import annotations

import pytest

from tests.einvoice.rulebooks import CLEAN, Rulebook, Verdict, bare_tree
from tests.journeys.places import Place, fresh

pytestmark = pytest.mark.usefixtures("books_stay_open")

BUYERS = {
    "DE": ("--name", "Stadt Musterstadt", "--street", "Marktplatz 1", "--postal-code", "12345", "--city", "Musterstadt",
           "--set", "invoicing_tax_code=DE129273398", "--set", "xrechnung_buyer_reference=04011000-12345-03"),
    "FI": ("--name", "Rakennus Virtanen Oy", "--street", "Hämeenkatu 10", "--postal-code", "33100", "--city", "Tampere",
           "--set", "invoicing_tax_code=FI01120389"),
    "CH": ("--name", "Käserei Zürich AG", "--street", "Bahnhofstrasse 1", "--postal-code", "8001", "--city", "Zürich"),
}  # fmt: skip
SELLERS = {
    "DE": (
        *("DE_UG", "DE89370400440532013000", "COBADEFFXXX"),
        {"vat_code": "DE136695976", "steuernummer": "1121081508150"},
    ),
    "FI": ("FI_OY", "FI4950009420028730", "OKOYFIHH", {"vat_code": "FI15728600", "y_tunnus": "1572860-0"}),
}  # fmt: skip
RATES = {"DE": ("19", "7"), "FI": ("25.5", "13.5")}
# to whom, the rows, and the categories of VAT they come to; the full and the reduced rate are filled in
Kind = tuple[str, tuple[str, ...], tuple[str, ...]]
KINDS: dict[str, Kind] = {
    "rates mixed": ("home", ("amount=99.99,count=7.5,vat={0}", "amount=33.333,count=3,vat={1}"), ("S", "S")),
    "small amounts": ("home", ("amount=0.01,vat={0}", "amount=0.0049,vat={0}", "amount=0.05,vat={1}"), ("S", "S")),
    "VAT that rows round and sums do not": ("home", ("amount=0.33,vat={0}",) * 10, ("S",)),
    "discounts by negative rows": ("home", ("amount=100,count=3,vat={0}", "amount=-25,vat={0}"), ("S",)),
    "more discount than work": ("home", ("amount=10,vat={0}", "amount=-20,vat={0}"), ("S",)),
    "nothing to pay": ("home", ("amount=10,vat={0}", "amount=10,count=-1,vat={0}"), ("S",)),
    "construction": ("home", ("amount=1000,vat=0,vat-code=10",), ("AE",)),
    "services to the EU": ("EU", ("amount=80,count=10,vat=0,vat-code=6",), ("AE",)),
    "goods to the EU": ("EU", ("amount=12.50,count=40,vat=0,vat-code=5", "amount=-5,vat=0,vat-code=5"), ("K",)),
    "goods to the rest of the world": ("CH", ("amount=199.90,count=5,vat=0,vat-code=13",), ("G",)),
    "services to the rest of the world": ("CH", ("amount=150,count=8,vat=0,vat-code=12",), ("O",)),
    "exempt beside taxed": ("home", ("amount=45,vat=0,vat-code=3", "amount=10,vat={0}"), ("E", "S")),
    "zero-rated": ("home", ("amount=45,vat=0,vat-code=4", "amount=10,vat={1}"), ("Z", "S")),
}  # fmt: skip
# what Finland rates at zero is exempt in Germany
OF_GERMANS = {**KINDS, "zero-rated": (*KINDS["zero-rated"][:2], ("E", "S"))}


class Seller:
    """A business that sells, with its customers."""

    def __init__(self, place: Place, country: str) -> None:
        self.place, self.rates = place, RATES[country]
        form, iban, bic, numbers = SELLERS[country]
        place.run("business", "create", "--name", "Öhman & Söhne", "--form", form, "--slug", "seller")
        for kind, value in numbers.items():
            place.run("business", "identifier", "create", "--type", kind, "--value", value)
        details = {
            "invoicing_iban": iban, "invoicing_bic": bic, "invoicing_contact": "Aino Öhman",
            "contact_phone": "+358 9 123 4567", "invoicing_email": "sales@example.com", "invoicing_street": "Tie 1",
            "invoicing_city": "Ort", "invoicing_postal_code": "10115", "invoicing_country": country,
            "invoicing_vat_exemption_reason": "Artikel 132 und 148 Richtlinie 2006/112/EG",
        }  # fmt: skip
        given = [word for name, value in details.items() for word in ("--set", f"{name}={value}")]
        place.run("business", "update", "seller", *given)
        for land, words in BUYERS.items():
            address = ("--customer-id", land, "--country", land, "--email", "buyer@example.com", "--invoicing")
            place.run("contact", "create", *words, *address)
        self.buyers = {"home": country, "EU": {"DE": "FI", "FI": "DE"}[country], "CH": "CH"}

    def accepted(self, to: str, rows: tuple[str, ...]) -> str:
        """Sell something, and return the id of the invoice."""
        given = [word for row in rows for word in ("--row", f"name=Work,unit=h,{row.format(*self.rates)}")]
        dates = ("--date", "2026-03-02", "--days", "14", "--set", "buyer_reference=PO-99")
        number = str(self.place.json("invoice", "create", "--to", self.buyers[to], *dates, *given)["id"])
        self.place.run("invoice", "accept", number)
        return number

    def xml(self, number: str, form: str) -> bytes:
        """Save the e-invoice of an invoice."""
        self.place.run("invoice", "xml", number, "--format", form, "--output-file", f"{number}.xml")
        return (self.place.folder / f"{number}.xml").read_bytes()


@pytest.fixture(scope="module", params=SELLERS)
def seller(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Seller:
    place = fresh("einvoice", tmp_path_factory.mktemp(request.param), ACCTCLI_BUSINESS="seller")
    return Seller(place, request.param)


@pytest.mark.together
@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_invoice_passes_the_official_rules(seller: Seller, name: str, rulebook: Rulebook) -> None:
    to, rows, categories = (OF_GERMANS if seller.buyers["home"] == "DE" else KINDS)[name]
    number = seller.accepted(to, rows)
    document = seller.xml(number, "xrechnung")
    assert rulebook.judge_xrechnung(document) == CLEAN
    subtotals = bare_tree(document).iterfind("TaxTotal/TaxSubtotal/TaxCategory/ID")
    assert tuple(category.text for category in subtotals) == categories
    assert rulebook.judge_finvoice(seller.xml(number, "finvoice")) == []
    assert rulebook.judge_cii(seller.xml(number, "cii")) == CLEAN


@pytest.mark.together
@pytest.mark.parametrize("name", ["rates mixed", "services to the EU", "VAT that rows round and sums do not"])
def test_a_credit_note_passes_the_official_rules(seller: Seller, name: str, rulebook: Rulebook) -> None:
    to, rows, _ = KINDS[name]
    number = seller.accepted(to, rows)
    note = str(seller.place.json("invoice", "credit-note", number)["id"])
    seller.place.run("invoice", "accept", note)
    document = seller.xml(note, "xrechnung")
    assert document.startswith(b"<?xml")
    assert bare_tree(document).tag == "CreditNote"
    assert rulebook.judge_xrechnung(document) == CLEAN
    assert rulebook.judge_finvoice(seller.xml(note, "finvoice")) == []
    assert rulebook.judge_cii(seller.xml(note, "cii")) == CLEAN
    owed = [
        bare_tree(seller.xml(one, "xrechnung")).findtext("LegalMonetaryTotal/PayableAmount") for one in (number, note)
    ]
    assert owed[0] == owed[1]


def test_peppol_needs_addresses_there_and_passes_the_official_rules(seller: Seller, rulebook: Rulebook) -> None:
    number = seller.accepted(*KINDS["rates mixed"][:2])
    refused = seller.place.try_run("invoice", "xml", number, "--format", "peppol")
    assert refused.code == 2
    for field in ("business.invoicing_electronic_address", "receiver_info.invoicing_electronic_address"):
        assert f"{field} (missing: an address in Peppol" in refused.err
    address = (
        "--set",
        "invoicing_electronic_address=7300010000001",
        "--set",
        "invoicing_electronic_address_scheme=0088",
    )
    seller.place.run("business", "update", "seller", *address)
    seller.place.run("contact", "update", BUYERS[seller.buyers["home"]][1], *address)
    # it lacked what is there by now; it is no XRechnung by its name, and that is all
    assert rulebook.judge_xrechnung(seller.xml(number, "peppol")) == Verdict([], ["BR-DE-21"])
    assert rulebook.judge_xrechnung(seller.xml(number, "xrechnung")) == CLEAN
