"""The EU recapitulative statement and its files (docs/law.md 2.4)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.law import finland, germany
from acctcli.law.calendar import TaxPeriod
from acctcli.law.decisions import Country
from acctcli.law.recapitulative import Customer, EuSales, Fault, Sale, Statement, state_sales
from acctcli.models.enums import DefaultVatPeriod
from tests.law.filers import Filer

SALE = Sale(
    net_amount=Decimal("500.00"),
    vat_handling="services",
    country_code="SE",
    vat_id="SE556000000101",
    name="Kund AB",
    vat_id_missing=False,
    contact_missing=False,
    document_id=17,
    document_number="260302-1",
)
MARCH = TaxPeriod(DefaultVatPeriod.MONTH, 2026, 3)


def of(*sales: Sale) -> EuSales:
    return EuSales(list(sales), [])


def test_goods_and_services_are_stated_also_where_they_come_to_nothing_together() -> None:
    taken_back = replace(SALE, net_amount=Decimal("-500.00"), vat_handling="goods")
    stated = Customer("SE", "556000000101", "Kund AB", goods=Decimal("-500.00"), services=Decimal("500.00"))
    assert state_sales(of(SALE, taken_back), "FI").customers == [stated]
    assert state_sales(of(SALE, replace(SALE, net_amount=Decimal("-500.00"))), "FI").customers == []


def test_a_customer_has_one_line() -> None:
    statement = state_sales(
        of(
            SALE,
            replace(SALE, net_amount=Decimal("-100.00"), vat_id="se 5560000001-01"),
            replace(SALE, net_amount=Decimal("40.50"), vat_handling="goods"),
            replace(SALE, vat_id="DE136695976", name="Kunde GmbH", country_code="DE"),
        ),
        "FI",
    )
    assert statement == Statement(
        [
            Customer("DE", "136695976", "Kunde GmbH", services=Decimal("500.00")),
            Customer("SE", "556000000101", "Kund AB", goods=Decimal("40.50"), services=Decimal("400.00")),
        ],
        [],
    )
    assert (statement.total("goods", "triangulation"), statement.total("services")) == (
        Decimal("40.50"),
        Decimal("900.00"),
    )


def test_a_customer_of_triangular_trade_alone_has_a_line() -> None:
    statement = state_sales(of(replace(SALE, vat_handling="triangulation")), "FI")
    assert statement == Statement([Customer("SE", "556000000101", "Kund AB", triangulation=Decimal("500.00"))], [])


def test_a_customer_whose_sales_cancel_out_has_no_line() -> None:
    assert state_sales(of(SALE, replace(SALE, net_amount=Decimal("-500.00"))), "FI") == Statement([], [])


def test_services_are_never_stated_to_northern_ireland() -> None:
    sold = replace(SALE, vat_id="XI980780684", country_code="GB", vat_handling="services")
    statement = state_sales(of(sold), "FI")
    assert (statement.customers, ["goods only" in one.reason for one in statement.faults]) == ([], [True])


@pytest.mark.parametrize(
    ("vat_id", "country_code", "country", "number"),
    [
        ("GR123456789", "GR", "EL", "123456789"),
        ("EL123456789", "EL", "EL", "123456789"),
        ("XI123456789", "XI", "XI", "123456789"),
        ("123456789", "GR", "EL", "123456789"),
        ("123456789", "gr", "EL", "123456789"),
        ("556000000101", "SE", "SE", "556000000101"),
        ("ATU12345678", "AT", "AT", "U12345678"),
        ("fr.xx 123456789", "FR", "FR", "XX123456789"),
    ],
)
def test_prefixes(vat_id: str, country_code: str, country: str, number: str) -> None:
    sold = replace(SALE, vat_id=vat_id, country_code=country_code, vat_handling="goods")
    [line] = state_sales(of(sold), "FI").customers
    assert (line.country, line.number) == (country, number)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"vat_id": None, "vat_id_missing": True}, "the customer has no VAT number"),
        ({"vat_id": ""}, "the customer has no VAT number"),
        ({"contact_missing": True}, "the document has no contact"),
        ({"vat_id": "GB123456789"}, "GB123456789 is no VAT number of another EU country"),
        ({"vat_id": "FI01120389"}, "FI01120389 is no VAT number of another EU country"),
        ({"vat_id": "SE1"}, "SE1 cannot be a VAT number"),
        ({"vat_id": "SE55600,0000"}, "SE55600,0000 cannot be a VAT number"),
        ({"vat_handling": "rent"}, "the sale is neither of goods nor of services but rent"),
    ],
)
def test_what_cannot_be_stated_is_named(changes: dict[str, object], reason: str) -> None:
    odd = replace(SALE, **changes)  # type: ignore[arg-type]
    statement = state_sales(of(SALE, odd), "FI")
    assert statement.faults == [Fault("260302-1", "Kund AB", reason)]
    assert [line.services for line in statement.customers] == [Decimal("500.00")]


def test_a_private_person_is_named_by_document_id_where_there_is_no_number() -> None:
    person = replace(SALE, name="Anna", document_number=None)
    statement = state_sales(EuSales([], [person]), "FI")
    assert statement == Statement([], [Fault("17", "Anna", "the customer is a private person")])


def test_a_report_without_rows_is_empty() -> None:
    assert (EuSales([]).is_empty, EuSales([SALE]).is_empty, EuSales([], [SALE]).is_empty) == (True, False, False)


CUSTOMERS = [
    Customer("EL", "123456789", "Pelatis", goods=Decimal("1200.99"), services=Decimal("0.50")),
    Customer("SE", "556000000101", "Kund AB", services=Decimal("-400.99"), triangulation=Decimal("33.00")),
]


def file_of(country: Country, customers: list[Customer]) -> bytes:
    made_at = datetime(2026, 4, 9, 18, 5, 1)
    return country.filing().statement_file(Statement(customers, []), MARCH, Filer("0112038-9"), made_at)


def test_the_finnish_file() -> None:
    assert file_of(finland.COUNTRY, CUSTOMERS) == (
        b"000:VSRALVYV\r\n"
        b"198:09042026180501\r\n"
        b"010:0112038-9\r\n"
        b"052:3\r\n"
        b"053:2026\r\n"
        b"001:2\r\n"
        b"102:EL\r\n"
        b"103:123456789\r\n"
        b"210:1200,99\r\n"
        b"211:0,50\r\n"
        b"212:0,00\r\n"
        b"009:1\r\n"
        b"102:SE\r\n"
        b"103:556000000101\r\n"
        b"210:0,00\r\n"
        b"211:-400,99\r\n"
        b"212:33,00\r\n"
        b"009:2\r\n"
        b"048:acctcli\r\n"
        b"014:0112038-9_AC\r\n"
        b"999:1\r\n"
    )


def test_the_german_file() -> None:
    assert file_of(germany.COUNTRY, CUSTOMERS) == (
        b"#v3.0\r\n"
        b"#ve3.2.0\r\n"
        b"Umsatzsteuer-Identifikationsnummer (USt-IdNr.),Summe (Euro),Art der Leistung\r\n"
        b"EL123456789,1200,L\r\n"
        b"SE556000000101,-400,S\r\n"
        b"SE556000000101,33,D\r\n"
    )


def test_elster_takes_1500_lines() -> None:
    many = [Customer("SE", f"{number:012}", "", goods=Decimal(1)) for number in range(1500)]
    assert file_of(germany.COUNTRY, many).count(b"\r\n") == 1503
    with pytest.raises(ValueError, match="at most 1500 lines, and these are 1501"):
        file_of(germany.COUNTRY, [*many, CUSTOMERS[1]._replace(services=Decimal(0))])


@given(
    st.lists(
        st.builds(
            Sale,
            net_amount=st.integers(-(10**9), 10**9).map(lambda cents: Decimal(cents).scaleb(-2)),
            vat_handling=st.sampled_from(["goods", "services"]),
            vat_id=st.sampled_from(["SE556000000101", "EL123456789", "GR123456789", "GB1", None]),
            document_id=st.integers(1, 9),
        )
    )
)
def test_every_sale_is_in_a_line_or_a_fault(sales: list[Sale]) -> None:
    statement = state_sales(of(*sales), "FI")
    good = [sale for sale in sales if sale.vat_id not in {"GB1", None}]
    assert len(statement.faults) == len(sales) - len(good)
    for handling in ("goods", "services"):
        expected = sum((sale.net_amount for sale in good if sale.vat_handling == handling), Decimal(0))
        assert statement.total(handling) == expected
