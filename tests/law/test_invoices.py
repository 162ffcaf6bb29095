"""What the law asks of an invoice, country by country and code by code (docs/law.md 7.1)."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from acctcli import law
from acctcli.law.invoices import Finding, Line, customer_fault, first_findings, legal_findings
from acctcli.law.vat_codes import SALES
from acctcli.law.world import COUNTRIES

DAY = date(2026, 3, 1)

FINNISH = {
    "invoicing_country": "FI",
    "invoicing_tax_code": "FI15728600",
    "contact_business_id": "1572860-0",
    "type": "BUSINESS",
}
SWEDISH = {**FINNISH, "invoicing_country": "SE", "invoicing_tax_code": "SE556000000101"}
IRISH_SIX = {**FINNISH, "invoicing_country": "GB", "invoicing_tax_code": "XI980780684"}
NORWEGIAN = {**FINNISH, "invoicing_country": "NO", "invoicing_tax_code": None, "contact_business_id": None}
PERSON: dict[str, Any] = {"type": "PERSON", "invoicing_tax_code": None, "contact_business_id": None}


@pytest.mark.parametrize(
    ("code", "customer", "fits"),
    [
        (1, FINNISH | PERSON, True),
        (2, FINNISH, False),
        (3, FINNISH, True),
        (4, FINNISH, True),
        (5, SWEDISH, True),
        (5, IRISH_SIX, True),
        (5, FINNISH, False),
        (5, NORWEGIAN, False),
        (5, SWEDISH | PERSON, False),
        (5, SWEDISH | {"type": "PERSON"}, False),
        (6, SWEDISH, True),
        (6, SWEDISH | {"type": "UNSET"}, True),
        (6, IRISH_SIX, False),
        (6, FINNISH, False),
        (7, SWEDISH, False),
        (10, FINNISH, True),
        (10, FINNISH | PERSON, False),
        (10, FINNISH | {"type": "PERSON"}, False),
        (10, FINNISH | {"invoicing_tax_code": None, "contact_business_id": None}, False),
        (10, FINNISH | {"invoicing_tax_code": None}, True),
        (10, FINNISH | {"invoicing_tax_code": " "}, True),
        (10, FINNISH | {"invoicing_tax_code": " ", "contact_business_id": " "}, False),
        (10, SWEDISH, False),
        (12, NORWEGIAN, True),
        (12, NORWEGIAN | PERSON, True),
        (12, SWEDISH, False),
        (13, IRISH_SIX, True),
        (13, FINNISH, False),
        (13, NORWEGIAN | {"invoicing_country": None}, False),
    ],
)
def test_a_code_has_its_customers(code: int, customer: dict[str, Any], fits: bool) -> None:
    assert (customer_fault(code, customer, law.country("FI"), "Exempt, AVL 58 §") is None) == fits


def test_no_vat_needs_a_reason() -> None:
    for code in (0, 3):
        for reason in (None, "", " "):
            assert "invoicing_vat_exemption_reason" in str(customer_fault(code, FINNISH, law.country("FI"), reason))


def test_a_code_of_purchases_is_said_to_be_one() -> None:
    for country in law.countries():
        for code in (2, 7, 8, 9, 11, 14, 15):
            fault = customer_fault(code, FINNISH, country, "Exempt")
            assert fault is not None
            assert fault.sentence.startswith(f"VAT code {code} is one of purchases: a VAT code of sales (")


# --- whole invoices ---

SELLERS: dict[str, dict[str, Any]] = {
    "FI": {
        "form": "FI_OY",
        "name": "Demo Oy",
        "business_id": "0112038-9",
        "identifiers": [{"type": "y_tunnus", "value": "0112038-9"}, {"type": "vat_code", "value": "FI01120389"}],
        "can_invoice": True,
        "invoicing_street": "Satama 1",
        "invoicing_postal_code": "00100",
        "invoicing_city": "Helsinki",
        "invoicing_vat_exemption_reason": "Terveydenhuolto, AVL 34 §; alukset, AVL 58 §",
    },
    "DE": {
        "form": "DE_UG",
        "name": "Demo UG",
        "business_id": "181/815/08155",
        "identifiers": [{"type": "steuernummer", "value": "18181508155"}, {"type": "vat_code", "value": "DE136695976"}],
        "can_invoice": True,
        "invoicing_street": "Hafen 1",
        "invoicing_postal_code": "20457",
        "invoicing_city": "Hamburg",
        "invoicing_vat_exemption_reason": "Heilbehandlung, § 4 Nr. 14 UStG; Schiffe, § 4 Nr. 2 UStG",
    },
}
ADDRESSED = {
    "name": "Buyer",
    "is_invoicing_enabled": True,
    "invoicing_street": "Street 1",
    "invoicing_city": "City",
    "invoicing_postal_code": "12345",
    "invoicing_electronic_address_scheme": None,
    "xrechnung_buyer_reference": None,
}
GERMAN = {**FINNISH, "invoicing_country": "DE", "invoicing_tax_code": "DE136695976", "contact_business_id": None}
AT_HOME: dict[str, dict[str, Any]] = {"FI": FINNISH, "DE": GERMAN}
# by code, a buyer that it is for; those of 10 are at home
BUYERS: dict[int, dict[str, Any]] = {
    1: PERSON,
    4: PERSON,
    5: SWEDISH,
    6: SWEDISH,
    12: NORWEGIAN,
    13: NORWEGIAN,
    0: PERSON,
    3: PERSON,
}
CITED = {
    ("FI", "parties"): "AVL 209 e §",
    ("FI", "what"): "AVL 209 e §",
    ("FI", 5): "AVL 209 e §",
    ("FI", 6): "AVL 209 e §",
    ("DE", "parties"): "§ 14 (4) no. 1 UStG",
    ("DE", "what"): "§ 14 (4) no. 5 UStG",
    ("DE", 5): "§ 14a (3) UStG",
    ("DE", 6): "§ 14a (1) UStG",
}


def buyer(code: int, home: str, **changed: Any) -> dict[str, Any]:
    found = AT_HOME[home] if code == 10 else BUYERS[code]
    return {"invoicing_country": home, **ADDRESSED, **found, **changed}


def line(code: int, home: str, **changed: Any) -> Line:
    rate = law.country(home).rates_at(DAY).rate("standard") if code == 1 else Decimal(0)
    return Line("Work", code, rate)._replace(**changed)


def found(
    home: str, *lines: Line, receiver: dict[str, Any], reference: str | None = None, **changed: Any
) -> list[Finding]:
    business = SELLERS[home] | changed
    return legal_findings(lines, receiver, business, law.country(home), DAY, reference)


EVERYTHING = [(home, code) for home in SELLERS for code in sorted({*SALES, 0, 3})]


@pytest.mark.parametrize(("home", "code"), EVERYTHING)
def test_nothing_lacks_of_a_whole_invoice(home: str, code: int) -> None:
    assert found(home, line(code, home), receiver=buyer(code, home)) == []
    assert list(first_findings(1, buyer(code, home), SELLERS[home], law.country(home))) == []


@pytest.mark.parametrize(("home", "code"), EVERYTHING)
def test_names_and_the_seller_s_address_stand_on_every_invoice(home: str, code: int) -> None:
    receiver = buyer(code, home, name=" \u200b\xad")
    lacking = found(home, line(code, home), receiver=receiver, name="", invoicing_street=None, invoicing_city=" \x01")
    assert [(one.fields, one.law) for one in lacking] == [
        (("business.name",), CITED[home, "parties"]),
        (("receiver_info.name",), CITED[home, "parties"]),
        (("business.invoicing_street", "business.invoicing_city"), CITED[home, "parties"]),
    ]


@pytest.mark.parametrize(("home", "code"), EVERYTHING)
@pytest.mark.parametrize("has_foreign", [False, True])
def test_a_seller_has_a_number_of_its_country(home: str, code: int, has_foreign: bool) -> None:
    (foreign,) = SELLERS.keys() - {home}
    numbers = SELLERS[foreign]["identifiers"] if has_foreign else []
    lacking = found(home, line(code, home), receiver=buyer(code, home), business_id="", identifiers=numbers)
    cited = {"FI": "AVL 209 e §", "DE": "§ 14 (4) no. 2 UStG"}[home]
    assert lacking[0] == Finding(
        ("business.identifiers",),
        f"The business has no business id, VAT id or tax number of {COUNTRIES[home]}",
        "an invoice names one of the seller's",
        cited,
    )
    # sales to the EU want its VAT id besides
    assert [one.law for one in lacking[1:]] == ([CITED[home, code]] if code in {5, 6} else [])


@pytest.mark.parametrize("home", SELLERS)
@pytest.mark.parametrize("code", [5, 6])
@pytest.mark.parametrize("value", [None, "SE556000461501"])
def test_who_sells_to_the_eu_has_a_vat_id_of_its_own_country(home: str, code: int, value: str | None) -> None:
    first, _ = SELLERS[home]["identifiers"]
    numbers = [first, *([{"type": "vat_code", "value": value}] if value else [])]
    assert found(home, line(code, home), receiver=buyer(code, home), identifiers=numbers) == [
        Finding(
            ("business.identifiers",),
            f"VAT code {code} needs the seller's VAT id: the business has {value or 'none'}",
            f"an identifier of type vat_code that begins with {home}",
            CITED[home, code],
        )
    ]


@pytest.mark.parametrize(("home", "value"), [("FI", "FI01120388"), ("DE", "DE136695977")])
def test_the_digits_of_the_seller_s_vat_id_check_each_other_where_it_counts(home: str, value: str) -> None:
    numbers = [{"type": "vat_code", "value": value}]
    for code in (5, 6):
        (one,) = found(home, line(code, home), receiver=buyer(code, home), identifiers=numbers)
        assert (one.fields, one.lacks, one.law) == (
            ("business.identifiers",),
            f"{value} is no number that can be right",
            CITED[home, code],
        )
    assert found(home, line(1, home), receiver=buyer(1, home), identifiers=numbers) == []


@pytest.mark.parametrize("home", SELLERS)
@pytest.mark.parametrize("code", [5, 6])
def test_the_digits_of_a_buyer_s_vat_id_check_each_other(home: str, code: int) -> None:
    for field, other in (
        ("invoicing_tax_code", "contact_business_id"),
        ("contact_business_id", "invoicing_tax_code"),
    ):
        receiver = buyer(code, home, **{field: "SE556000461502", other: None})
        (one,) = found(home, line(code, home), line(code, home), receiver=receiver)
        assert (one.fields, one.law) == ((f"receiver_info.{field}",), CITED[home, code])
        assert one.lacks == "SE556000461502 is no number that can be right"
        assert one.right.startswith("A VAT id is needed, such as FI01120389: after SE come 12 digits")


@pytest.mark.parametrize(
    ("home", "field", "number", "section"),
    [
        ("FI", "invoicing_tax_code", "FI15728601", "AVL 209 e §"),
        ("FI", "contact_business_id", "1572860-1", "AVL 209 e §"),
        ("DE", "invoicing_tax_code", "DE136695977", "§ 13b (5) UStG"),
        ("DE", "contact_business_id", "HRB 1234", None),
    ],
)
def test_the_buyer_who_owes_the_tax_has_a_number_that_can_be_right(
    home: str, field: str, number: str, section: str | None
) -> None:
    numbers = dict.fromkeys(("invoicing_tax_code", "contact_business_id")) | {field: number}
    lacking = found(home, line(10, home), receiver=buyer(10, home, **numbers))
    assert [(one.fields, one.law) for one in lacking] == ([((f"receiver_info.{field}",), section)] if section else [])


@pytest.mark.parametrize("home", SELLERS)
def test_a_code_for_others_names_its_rows_and_its_section(home: str) -> None:
    # a person at home is none of them
    receiver = buyer(1, home)
    lacking = found(home, *(line(code, home) for code in (5, 6, 1, 10, 12, 13, 5)), receiver=receiver)
    sections = {
        "FI": ["AVL 72 b §", "AVL 65 §", "AVL 8 c §", "AVL 65 §", "AVL 70 §"],
        "DE": ["§ 6a (1) UStG", "§ 3a (2) UStG", "§ 13b (5) UStG", "§ 3a UStG", "§ 6 (1) UStG"],
    }[home]
    needed = [
        "a customer with a VAT id of another EU country",
        "a customer with a VAT id of another EU country",
        f"a business of {COUNTRIES[home]} with a business or VAT id",
        "a customer outside the EU",
        "a customer outside the EU",
    ]
    places = [("rows.0.vat_code", "rows.6.vat_code"), *((f"rows.{n}.vat_code",) for n in (1, 3, 4, 5))]
    assert lacking == [
        Finding(fields, f"VAT code {code} is not for this customer", f"it needs {who}", section)
        for fields, code, who, section in zip(places, (5, 6, 10, 12, 13), needed, sections, strict=True)
    ]


@pytest.mark.parametrize("home", SELLERS)
@pytest.mark.parametrize("code", [0, 3])
def test_no_vat_needs_words_such_as_those_of_small_sellers(home: str, code: int) -> None:
    (one,) = found(
        home, line(code, home), line(code, home), receiver=buyer(code, home), invoicing_vat_exemption_reason=" "
    )
    such, section = {
        "FI": ("'Ei arvonlisäveroa, vähäinen toiminta, AVL 3 §'", "AVL 209 e §"),
        "DE": ("'Keine Umsatzsteuer, Kleinunternehmer nach § 19 UStG'", "§ 14 (4) no. 8 UStG"),
    }[home]
    assert (one.fields, one.right, one.law) == (
        ("business.invoicing_vat_exemption_reason",),
        f"an invoice says why a row bears no VAT, such as {such}",
        section,
    )


@pytest.mark.parametrize(
    ("home", "rate", "words", "such"),
    [
        ("FI", None, "Terveydenhuolto, AVL 34 §", "'Vesialuksen veroton myynti, AVL 58 §'"),
        ("FI", "0.00", None, "'Vesialuksen veroton myynti, AVL 58 §'"),
        ("DE", None, "Heilbehandlung, § 4 Nr. 14 UStG", "'Steuerfreier Umsatz für die Seeschifffahrt, § 4 Nr. 2 UStG'"),
    ],
)
def test_a_zero_rated_sale_needs_words_that_name_its_section(
    home: str, rate: str | None, words: str | None, such: str
) -> None:
    # of a rate of zero Germany knows the section by itself, and Finland knows no such rate
    sold = line(4, home) if rate is None else line(1, home, rate=Decimal(rate))
    (one,) = found(home, sold, receiver=buyer(4, home), invoicing_vat_exemption_reason=words)
    assert one == Finding(
        ("business.invoicing_vat_exemption_reason",),
        "The business has no invoicing_vat_exemption_reason with the section of a zero-rated sale",
        f"an invoice says why a row bears no VAT, such as {such}",
        {"FI": "AVL 209 e §", "DE": "§ 14 (4) no. 8 UStG"}[home],
    )
    assert found("DE", line(1, "DE", rate=Decimal(0)), receiver=buyer(1, "DE")) == []


@pytest.mark.parametrize(("home", "section"), [("FI", "AVL 84, 85 and 85 a §"), ("DE", "§ 12 UStG")])
def test_a_rate_that_is_none_of_the_day_is_told_by_row(home: str, section: str) -> None:
    wrong = line(1, home, rate=Decimal(23))
    (one,) = found(home, line(1, home), wrong, wrong, receiver=buyer(1, home))
    assert (one.fields, one.law) == (("rows.1.vat_rate", "rows.2.vat_rate"), section)
    assert one.lacks == f"23 % is no VAT rate of {COUNTRIES[home]} on 2026-03-01"
    # under other codes no rate is charged
    assert found(home, line(4, home, rate=Decimal(23)), receiver=buyer(4, home)) == []


def test_what_was_prepaid_comes_off_at_its_own_rate() -> None:
    before = line(1, "FI", rate=Decimal(24))
    assert found("FI", before._replace(taken_off=True), receiver=buyer(1, "FI")) == []
    assert found("FI", before, receiver=buyer(1, "FI")) != []


def test_a_row_says_what_was_sold() -> None:
    for home, section in (("FI", "AVL 209 e §"), ("DE", "§ 14 (4) no. 5 UStG")):
        (one,) = found(home, line(1, home, name=" "), receiver=buyer(1, home))
        assert (one.fields, one.law) == (("rows.0.name",), section)


@pytest.mark.parametrize("home", SELLERS)
@pytest.mark.parametrize(
    ("of_contact", "of_invoice", "is_right"),
    [
        ("04011000-12345-03", None, True),
        (None, "04011000-12345-03", True),
        (None, None, False),
        ("04011000-12345-34", None, False),
        (None, "Order 7", False),
    ],
)
def test_an_office_that_is_found_by_a_leitweg_id_is_named_by_it(
    home: str, of_contact: str | None, of_invoice: str | None, is_right: bool
) -> None:
    office = buyer(
        1,
        home,
        **GERMAN,
        name="Amt",
        invoicing_electronic_address_scheme="0204",
        xrechnung_buyer_reference=of_contact,
    )
    lacking = found(home, line(1, home), receiver=office, reference=of_invoice)
    assert [(one.fields, one.law) for one in lacking] == (
        [] if is_right else [(("receiver_info.xrechnung_buyer_reference",), "§ 5 (1) no. 1 ERechV")]
    )
    # nobody else needs one
    assert found(home, line(1, home), receiver=office | {"invoicing_electronic_address_scheme": "EM"}) == []


def test_a_demo_is_no_seller_of_law() -> None:
    demo: dict[str, Any] = {
        "form": "DEMO",
        "identifiers": [{"type": "y_tunnus", "value": "demo"}],
        "invoicing_street": None,
    }
    assert found("FI", line(5, "FI"), receiver=buyer(5, "FI"), **demo) == []


@pytest.mark.parametrize("home", SELLERS)
def test_a_draft_needs_a_row_and_somebody_it_can_go_to(home: str) -> None:
    nowhere = buyer(1, home, invoicing_city=None, invoicing_country="", is_invoicing_enabled=False)
    business = SELLERS[home] | {"can_invoice": False}
    assert list(first_findings(0, nowhere, business, law.country(home))) == [
        Finding(("rows",), "An invoice needs a row", "it says what was sold", CITED[home, "what"]),
        Finding(
            ("receiver_info.invoicing_city", "receiver_info.invoicing_country"),
            "Buyer cannot be invoiced without invoicing_city, invoicing_country",
            "an invoice names the buyer's address",
            CITED[home, "parties"],
        ),
        Finding(("business.can_invoice",), "The business cannot invoice", "the service has to let it"),
    ]
    (disabled,) = first_findings(1, buyer(1, home, is_invoicing_enabled=False), SELLERS[home], law.country(home))
    assert disabled.sentence == "Invoicing is not enabled for Buyer: set is_invoicing_enabled to true."
