"""VAT reports of both countries, and the sales to other EU countries."""

from __future__ import annotations

from decimal import Decimal

import pytest

from acctcli.cli.report.labels import Labels
from acctcli.cli.report.shapes import EuVatReport, VatReport, decode
from acctcli.cli.report.sheet import Column, Kind, Sheet, SheetLine, Style
from acctcli.cli.report.vat import eu_rows, lay_out_eu, lay_out_vat, payable, vat_rows, warnings
from acctcli.law.recapitulative import EuSales
from acctcli.printing.numbers import LOCALES
from tests.cli.report.replies import EU_SALES, GERMAN_VAT, VAT, VAT_BY_RATE

D = Decimal


def test_the_finnish_report_as_lines() -> None:
    assert lay_out_vat(decode(VAT, VatReport), "2026", LOCALES["fi"]) == Sheet(
        "Arvonlisäveroraportti",
        "2026",
        (Column("Arvonlisäveroraportti"), Column("Veron peruste", Kind.AMOUNT), Column("Vero", Kind.AMOUNT)),
        [
            SheetLine(("Kotimaan myynti", None, None), Style.HEADING),
            SheetLine(("25,5\xa0%", D("100.00"), D("25.50")), level=1, below="Kotimaan myynti"),
            SheetLine(("13,5\xa0%", D("10.00"), D("1.35")), level=1, below="Kotimaan myynti"),
            SheetLine(("Nollaverokannan myynti", D("7.00"), None)),
            SheetLine(("Palveluostot EU-maista", D("100.00"), D("25.50"))),
            SheetLine(("Oikaisut", None, D("0.00"))),
            SheetLine(("Vähennettävä vero", None, D("39.44"))),
            SheetLine(("Maksettava vero", None, D("12.91")), Style.SUM, adds=(0, 1, 2, 3, 4, 5), less=(6,)),
        ],
    )


def test_services_from_outside_the_eu_are_followed_by_their_rates() -> None:
    assert list(lay_out_vat(decode(VAT_BY_RATE, VatReport), "2026", LOCALES["fi"]).lines)[:4] == [
        SheetLine(("Palveluostot EU:n ulkopuolelta", D("150.00"), D("30.50"))),
        SheetLine(("Palveluostot EU:n ulkopuolelta verokannoittain", None, None), Style.HEADING),
        SheetLine(("10\xa0%", D("50.00"), D("5.00")), level=1, below="Palveluostot EU:n ulkopuolelta verokannoittain"),
        SheetLine(
            ("25,5\xa0%", D("100.00"), D("25.50")), level=1, below="Palveluostot EU:n ulkopuolelta verokannoittain"
        ),
    ]


def test_the_german_report_as_lines() -> None:
    assert lay_out_vat(decode(GERMAN_VAT, VatReport), "2026", LOCALES["de"]) == Sheet(
        "Umsatzsteuerbericht",
        "2026",
        (Column("Umsatzsteuerbericht"), Column("Betrag", Kind.AMOUNT)),
        [
            SheetLine(("Summen", None), Style.HEADING),
            SheetLine(("Umsatzsteuer", D("19.00")), level=1, below="Summen"),
            SheetLine(("Vorsteuer", D("5.00")), level=1, below="Summen"),
            SheetLine(("Umsatzsteuerzahllast", D("14.00")), Style.SUM, 1, adds=(1,), less=(2,), below="Summen"),
            SheetLine(("Kennzahlen", None), Style.HEADING),
            SheetLine(("81 Steuerpflichtige Umsätze zu 19 %", D(100)), level=1, below="Kennzahlen"),
            SheetLine(("66 Vorsteuer aus Rechnungen anderer Unternehmer", D("5.00")), level=1, below="Kennzahlen"),
            SheetLine(("83 Verbleibende Vorauszahlung / Überschuss (-)", D("14.00")), level=1, below="Kennzahlen"),
        ],
    )


def test_a_report_without_figures_has_no_lines() -> None:
    empty = decode(b'{"summary": {"domestic_sales": {}}}', VatReport)
    assert list(lay_out_vat(empty, "2026", LOCALES["en"]).lines) == []
    assert list(lay_out_vat(decode(b"{}", VatReport), "2026", LOCALES["en"]).lines) == []


def test_each_figure_is_a_row() -> None:
    rows = [tuple(row.values()) for row in vat_rows(decode(VAT, VatReport))]
    assert rows == [
        ("summary", "domestic_sales", "25.50", "base", D("100.00")),
        ("summary", "domestic_sales", "25.50", "vat", D("25.50")),
        ("summary", "domestic_sales", "13.50", "base", D("10.00")),
        ("summary", "domestic_sales", "13.50", "vat", D("1.35")),
        ("summary", "zero_rated_sales", None, None, D("7.00")),
        ("summary", "eu_service_purchases", None, "base", D("100.00")),
        ("summary", "eu_service_purchases", None, "vat", D("25.50")),
        ("summary", "adjustments", None, None, D("0.00")),
        ("summary", "deductible_vat", None, None, D("39.44")),
        ("summary", "vat_payable", None, None, D("12.91")),
    ]
    assert [tuple(row.values()) for row in vat_rows(decode(GERMAN_VAT, VatReport))][1:4] == [
        ("totals", "input_vat", None, None, D("5.00")),
        ("totals", "vat_payable", None, None, D("14.00")),
        ("mapping", "81", None, None, D(100)),
    ]


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (VAT, D("12.91")),
        (b'{"mapping": {"83": 14.00}}', D("14.00")),
        (b'{"totals": {"vat_payable": -3}}', D(-3)),
        (b"{}", None),
    ],
)
def test_what_is_to_be_paid(body: bytes, value: Decimal | None) -> None:
    assert payable(decode(body, VatReport)) == value


def test_eu_sales_as_lines() -> None:
    assert lay_out_eu(decode(EU_SALES, EuVatReport), "2026", Labels("en")) == Sheet(
        "EU sales",
        "2026",
        (
            Column("Country"),
            Column("VAT ID"),
            Column("Name"),
            Column("Handling"),
            Column("Document"),
            Column("Net amount", Kind.AMOUNT),
        ),
        [
            SheetLine(("Sales to businesses", None, None, None, None, None), Style.HEADING),
            SheetLine(("DE", "DE136695976", "Kaffee GmbH", "goods", "260302-1", D("1000.10"))),
            SheetLine(("", "", "Nobody", "services", "260302-2", D("-10.00"))),
            SheetLine(("", "", "", "services", "260302-3", D("1.00"))),
            SheetLine(("Total", None, None, None, None, D("991.10")), Style.SUM),
            SheetLine(("Sales to private persons", None, None, None, None, None), Style.HEADING),
            SheetLine(("SE", "", "Anna", "goods", "260302-4", D("5.00"))),
            SheetLine(("Total", None, None, None, None, D("5.00")), Style.SUM),
        ],
    )


def test_eu_sales_as_rows_tell_the_two_lists_apart() -> None:
    rows = list(eu_rows(decode(EU_SALES, EuVatReport)))
    assert [(row["document_number"], row["is_private_person"]) for row in rows] == [
        ("260302-1", False),
        ("260302-2", False),
        ("260302-3", False),
        ("260302-4", True),
    ]
    assert rows[0] == {
        "country_code": "DE", "vat_id": "DE136695976", "name": "Kaffee GmbH", "vat_handling": "goods",
        "net_amount": D("1000.10"), "vat_id_missing": False, "contact_missing": False, "document_id": 4,
        "document_number": "260302-1", "is_private_person": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("vat_id", "reason"),
    [
        (b"136695976", "136695976 is no VAT number of another EU country"),
        (b"FI01120389", "FI01120389 is no VAT number of another EU country"),
        (b"NO123456789", "NO123456789 is no VAT number of another EU country"),
    ],
)
def test_a_sale_to_no_number_of_another_eu_country_is_named(vat_id: bytes, reason: str) -> None:
    # its country does not stand in the report either
    odd = EU_SALES.replace(
        b'"country_code": "DE", "vat_id": "DE136695976"', b'"country_code": "", "vat_id": "%s"' % vat_id
    )
    told = list(warnings(decode(odd, EuSales), "FI"))
    assert f"warning: document 260302-1 (Kaffee GmbH) cannot be stated: {reason}" in told
    assert len(told) == 4
