"""Request models: defaults, limits, and errors that name the field."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from acctcli.law.vat_codes import NO_VAT, VAT_CODES
from acctcli.models.account import AccountRequest
from acctcli.models.base import partial
from acctcli.models.business import BusinessRequest, IdentifierRequest
from acctcli.models.contact import ContactRequest
from acctcli.models.delivery import EmailData
from acctcli.models.document import Blueprint, BlueprintRow, DocumentRequest
from acctcli.models.file import FileRequest
from acctcli.models.header import HeaderRequest
from acctcli.models.invoice import (
    SALES_VAT_CODES,
    RecurrenceRule,
    SalesInvoiceRequest,
    SalesInvoiceRowRequest,
    StatusMessageRequest,
)
from acctcli.models.jwt import JwtRequest
from acctcli.models.product import ProductRequest
from acctcli.models.purchase_invoice import PurchaseInvoiceRequest
from acctcli.models.report import RangeReportRequest
from acctcli.models.sales_payout import SalesPayoutRequest
from acctcli.models.tag import TagRequest
from acctcli.models.user import UserRequest
from acctcli.models.vat_period import VatPeriodRequest
from acctcli.models.webhook import WebhookRequest

D = Decimal
NAMES = [{"key": "fi", "value": "Pankkitili"}, {"key": "en", "value": "Bank account"}]
ACCOUNT = {"number": "1910", "name_translations": NAMES}
# controls beyond those of ASCII
C1 = ["a\x7fb", "a\x80b", "a\x9fb"]
PLAIN_HOSTS = [
    f"http://{host}/x"
    for host in ("203.0.113.7", "0.0.0.0", "255.255.255.255:80", "[::1]", "[::ffff:127.0.0.1]", "0x7f.example", "a.1b")
]
ODD_HOSTS = [
    f"http://{host}/x"
    for host in ("127.1", "0x7f.1", "0x7f.0.0.1", "0177.0.0.1", "127.0.0.1.", "127.0.0.01", "1.2.3.4.5", "2130706433")
] + ["https://0x7F000001", "http://a.256:80/", "http://1.2.3.256/", "http://127.0.0.0x1?"]


def faults(model: type[BaseModel], body: dict[str, Any]) -> set[str]:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(body)
    return {".".join(str(part) for part in error["loc"]) for error in caught.value.errors()}


def test_an_account_needs_number_and_names_only() -> None:
    assert AccountRequest.model_validate(ACCOUNT).model_dump() == {
        "number": "1910",
        "name_translations": NAMES,
        "header_id": None,
        "description": None,
        "type": "EXP",
        "default_vat_code": 3,
        "default_vat_rate_label": "zero",
        "opening_balance": D("0.00"),
    }


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"number": ""}, "number"),
        ({"number": "12345678"}, "number"),
        ({"number": "19a"}, "number"),
        ({"number": 1910}, "number"),
        ({"number": "1910\n"}, "number"),
        ({"number": "١٩"}, "number"),
        ({"name_translations": []}, "name_translations"),
        ({"name_translations": [*NAMES, NAMES[0]]}, "name_translations"),
        ({"name_translations": [{"key": "French", "value": "x"}]}, "name_translations.0.key"),
        ({"name_translations": [{"key": "fi", "value": ""}]}, "name_translations.0.value"),
        ({"name_translations": "Bank"}, "name_translations"),
        ({"header_id": 0}, "header_id"),
        ({"description": "x" * 8193}, "description"),
        ({"type": "BANK"}, "type"),
        ({"type": None}, "type"),
        ({"default_vat_code": 0}, "default_vat_code"),
        ({"default_vat_code": 16}, "default_vat_code"),
        ({"default_vat_rate_label": "25.5"}, "default_vat_rate_label"),
        ({"opening_balance": D("0.001")}, "opening_balance"),
        ({"opening_balance": 10.5}, "opening_balance"),
    ],
)
def test_account_faults_name_the_field(change: dict[str, Any], field: str) -> None:
    assert faults(AccountRequest, ACCOUNT | change) == {field}


def test_an_account_without_anything_names_what_is_missing() -> None:
    assert faults(AccountRequest, {}) == {"number", "name_translations"}


def test_a_blueprint_row_has_defaults_and_tolerates_unknown_keys() -> None:
    assert BlueprintRow.model_validate({"account_id": None, "sum": 1}).model_dump() == {
        "account_id": None,
        "description": None,
        "vat_code": 3,
        "vat_rate": D("0.00"),
        "vat_method": 0,
        "amount": D("0.00"),
    }


def test_a_blueprint_may_be_empty_and_null_arrays_are_kept_apart() -> None:
    assert Blueprint.model_validate({}).model_dump() == {
        "debet_account_id": None,
        "debet_entries": [],
        "credit_account_id": None,
        "credit_entries": [],
        "expense_entries": [],
    }
    assert Blueprint.model_validate({"debet_entries": None}).model_dump(exclude_unset=True) == {"debet_entries": None}


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ({}, "account_id"),
        ({"account_id": "bank"}, "account_id"),
        ({"account_id": 0}, "account_id"),
        ({"account_id": 1, "description": "x" * 257}, "description"),
        ({"account_id": 1, "vat_code": 16}, "vat_code"),
        ({"account_id": 1, "vat_code": -1}, "vat_code"),
        ({"account_id": 1, "vat_rate": D("1000")}, "vat_rate"),
        ({"account_id": 1, "vat_rate": D("-1")}, "vat_rate"),
        ({"account_id": 1, "vat_rate": D("25.505")}, "vat_rate"),
        ({"account_id": 1, "vat_method": 2}, "vat_method"),
        ({"account_id": 1, "vat_method": True}, "vat_method"),
        ({"account_id": 1, "amount": D("1.001")}, "amount"),
        ({"account_id": 1, "amount": None}, "amount"),
    ],
)
def test_row_faults_name_side_position_and_field(row: dict[str, Any], field: str) -> None:
    body = {"blueprint": {"credit_entries": [{"account_id": 1}, row]}}
    assert faults(DocumentRequest, body) == {f"blueprint.credit_entries.1.{field}"}


def test_a_document_needs_nothing() -> None:
    body = DocumentRequest.model_validate({})
    assert body.model_fields_set == set()
    assert body.model_dump(exclude={"date", "blueprint"}) == {
        "is_flagged": False,
        "is_draft": False,
        "description": "",
        "contact_id": None,
        "attachment_ids": [],
        "tag_ids": [],
        "type": 0,
    }


def test_document_values_may_be_texts_of_digits() -> None:
    body = DocumentRequest.model_validate(
        {
            "date": "2026-03-01",
            "type": "3",
            "is_draft": "true",
            "tag_ids": ["1"],
            "blueprint": {"debet_account_id": "5"},
        }
    )
    assert body.model_dump(exclude_unset=True) == {
        "date": date(2026, 3, 1),
        "type": 3,
        "is_draft": True,
        "tag_ids": [1],
        "blueprint": {"debet_account_id": 5},
    }


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"is_draft": None}, "is_draft"),
        ({"date": None}, "date"),
        ({"date": "yesterday"}, "date"),
        ({"description": "x" * 257}, "description"),
        ({"description": None}, "description"),
        ({"contact_id": "x"}, "contact_id"),
        ({"attachment_ids": None}, "attachment_ids"),
        ({"tag_ids": ["x"]}, "tag_ids.0"),
        ({"type": 5}, "type"),
        ({"blueprint": None}, "blueprint"),
        ({"blueprint": []}, "blueprint"),
    ],
)
def test_document_faults_name_the_field(body: dict[str, Any], field: str) -> None:
    assert faults(DocumentRequest, body) == {field}
    assert faults(partial(DocumentRequest), body) == {field}


def test_a_business_needs_a_name_only() -> None:
    body = BusinessRequest.model_validate({"name": "Example"})
    assert body.model_dump(exclude_unset=True) == {"name": "Example"}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 257}, "name"),
        ({"slug": "a/b"}, "slug"),
        ({"slug": ".."}, "slug"),
        ({"slug": "x" * 17}, "slug"),
        ({"slug": "abc\n"}, "slug"),
        ({"business_id": ""}, "business_id"),
        ({"vat_posting_method": "GROSS"}, "vat_posting_method"),
        ({"vat_reporting_method": ""}, "vat_reporting_method"),
        ({"form": "SE_AB"}, "form"),
        ({"default_vat_period": 3}, "default_vat_period"),
        ({"default_vat_period": True}, "default_vat_period"),
        ({"invoicing_default_penalty_interest": D("-1")}, "invoicing_default_penalty_interest"),
        ({"invoicing_default_payment_condition_days": 1000}, "invoicing_default_payment_condition_days"),
        ({"contact_phone": "home"}, "contact_phone"),
        ({"invoicing_email": "me"}, "invoicing_email"),
        ({"invoicing_iban": "F" * 35}, "invoicing_iban"),
        ({"invoicing_postal_code": 100}, "invoicing_postal_code"),
        ({"business_country": "FIN"}, "business_country"),
        ({"account_payables": "1910x"}, "account_payables"),
        ({"einvoicing_enabled": "perhaps"}, "einvoicing_enabled"),
        ({"taxauthority_latest_reporter_full_name": "x" * 301}, "taxauthority_latest_reporter_full_name"),
    ],
)
def test_business_faults_name_the_field(change: dict[str, Any], field: str) -> None:
    assert faults(BusinessRequest, {"name": "Example"} | change) == {field}


def test_headers_need_a_type_and_names_only() -> None:
    body = HeaderRequest.model_validate({"type": "I", "name_translations": NAMES})
    assert body.model_dump() == {"type": "I", "name_translations": NAMES, "parent_id": None}
    assert faults(HeaderRequest, {}) == {"type", "name_translations"}


def test_a_rule_follows_every_month_unless_it_says_more() -> None:
    body = RecurrenceRule.model_validate({"frequency": "MONTHLY"})
    assert body.model_dump() == {"frequency": "MONTHLY", "interval": 1}


def test_identifiers_have_a_known_type_and_a_value() -> None:
    body = IdentifierRequest.model_validate({"type": "y_tunnus", "value": "1572860-0"})
    assert body.model_dump() == {"type": "y_tunnus", "value": "1572860-0"}
    assert faults(IdentifierRequest, {"type": "duns", "value": ""}) == {"type", "value"}


def test_users_write_little_about_themselves() -> None:
    body = UserRequest.model_validate({"id": 5, "first_name": "Aino", "language": ""})
    assert body.model_dump(exclude_unset=True) == {"first_name": "Aino", "language": ""}
    assert faults(UserRequest, {"language": "fr"}) == {"language"}
    assert faults(UserRequest, {"email": "nobody", "last_name": "x" * 151}) == {"email", "last_name"}


def test_a_report_needs_a_column_of_days_in_order() -> None:
    column = {"date_from": "2026-01-01", "date_to": "2026-01-31"}
    assert RangeReportRequest.model_validate({"columns": [column]}).model_dump() == {
        "columns": [{"name": None, "date_from": date(2026, 1, 1), "date_to": date(2026, 1, 31)}],
        "extend_accounts": False,
        "append_comparison_columns": False,
        "tag_ids": [],
    }
    assert faults(RangeReportRequest, {}) == {"columns"}
    assert faults(RangeReportRequest, {"columns": []}) == {"columns"}
    assert faults(RangeReportRequest, {"columns": [{}]}) == {"columns.0.date_from", "columns.0.date_to"}
    assert faults(RangeReportRequest, {"columns": [column | {"date_to": "2025-12-31"}]}) == {"columns.0.date_to"}


COLUMN = {"date_from": "2026-01-01", "date_to": "2026-01-31"}
BILL = {"invoicing_date": "2026-03-01", "amount": 1, "import_source": "UPLOAD"}
ITEM = {"amount": 1, "account_number": "3000"}
PAYOUT = {"external_id": "x", "source": "x", "date": "2026-03-01", "amount": 1, "items": [ITEM]}
SOLD = {"name": "x", "unit": "x", "amount": 1, "vat_rate": 0, "vat_code": 1, "product_count": 1}
INVOICE = {"receiver": 1, "invoicing_date": "2026-03-01", "payment_condition_days": 14}
PRODUCT = {"name": "x", "unit": "x", "amount": 1}
MAIL = {"email_content": None}
HOOK = {"name": "x", "target_url": "https://hooks.example/"}


@pytest.mark.parametrize(
    ("model", "body", "field", "good", "bad"),
    [
        (AccountRequest, ACCOUNT, "number", ["1", "1234567"], ["12345678"]),
        (BusinessRequest, {"name": "x"}, "invoicing_default_payment_condition_days", [0, 999], [-1, 1000]),
        (BusinessRequest, {"name": "x"}, "slug", ["x", "x" * 16], ["", "x" * 17]),
        (BusinessRequest, {"name": "x"}, "invoicing_email", ["a@" + "b" * 252], ["a@" + "b" * 253]),
        (BusinessRequest, {"name": "x"}, "contact_phone", ["", "+1 (2) 3.4/5-6", "1" * 32], ["1" * 33, "1,2"]),
        (ContactRequest, {"name": "x"}, "name_aliases", [[], ["x"] * 10], [["x"] * 11]),
        (ContactRequest, {"name": "x"}, "notes", ["x" * 8192], ["x" * 8193]),
        (DocumentRequest, {}, "description", ["", "x" * 256], ["x" * 257]),
        (EmailData, MAIL, "email_subject", ["x", "x" * 256], ["", "x" * 257, "a\nb", "a\tb", "a\x7fb", "a\u2028b"]),
        (FileRequest, {}, "name", ["x" * 256], ["", "x" * 257]),
        (JwtRequest, {}, "selected_business_slugs", [["x"], ["x"] * 100], [[], ["x"] * 101]),
        (JwtRequest, {}, "business_slug", ["x", "x" * 64], ["", "x" * 65]),
        (ProductRequest, PRODUCT, "unit", ["x", "x" * 8], ["", "x" * 9]),
        (ProductRequest, PRODUCT, "code", ["", "x" * 25], ["x" * 26]),
        (PurchaseInvoiceRequest, BILL, "message", ["", "x" * 140], ["x" * 141]),
        (PurchaseInvoiceRequest, BILL, "currency", ["x", "x" * 16], ["", "x" * 17]),
        (RangeReportRequest, {}, "columns", [[COLUMN], [COLUMN] * 120], [[], [COLUMN] * 121]),
        (RangeReportRequest, {"columns": [COLUMN]}, "tag_ids", [[], [1] * 1000], [[1] * 1001]),
        (RecurrenceRule, {}, "interval", [1, 999], [0, 1000, None]),
        (SalesInvoiceRequest, INVOICE, "description", ["x" * 512], ["x" * 513]),
        (SalesInvoiceRequest, INVOICE, "reference", ["1" * 20], ["1" * 21]),
        (SalesInvoiceRequest, INVOICE, "payment_condition_days", [0, 999], [-1, 1000]),
        (SalesInvoiceRowRequest, SOLD, "name", ["x", "x" * 64], ["", "x" * 65]),
        (SalesInvoiceRowRequest, SOLD, "unit", ["", "x" * 8], ["x" * 9]),
        (SalesInvoiceRowRequest, SOLD, "description", ["", "x" * 128], ["x" * 129]),
        (SalesPayoutRequest, PAYOUT, "items", [[ITEM]], [[], None]),
        (SalesPayoutRequest, PAYOUT, "external_id", ["x", "x" * 128], ["", "x" * 129]),
        (StatusMessageRequest, {}, "message", ["x", "x" * 1024], ["", "x" * 1025]),
        (TagRequest, {}, "color", ["", "x" * 16], ["x" * 17]),
        (TagRequest, {}, "name", ["x", "x" * 32], ["", "x" * 33]),
        (VatPeriodRequest, {}, "period", [None, 0, 1, 2], [-1, 3]),
        (WebhookRequest, HOOK, "basic_auth_username", ["x", "x" * 255], ["", "x" * 256, "a:b", "a\tb", *C1]),
        (WebhookRequest, HOOK, "basic_auth_password", ["a:b", "x" * 255, "\xa0"], ["", "x" * 256, "a\tb", *C1]),
        (WebhookRequest, HOOK, "target_url", PLAIN_HOSTS, ODD_HOSTS),
    ],
)
def test_the_last_value_is_taken_and_the_next_one_refused(
    model: type[BaseModel], body: dict[str, Any], field: str, good: list[object], bad: list[object]
) -> None:
    for value in good:
        assert field in model.model_validate(body | {field: value}).model_fields_set
    for value in bad:
        assert faults(model, body | {field: value}) == {field}


def test_the_rows_of_invoices_take_the_codes_of_sales_and_no_handling() -> None:
    sales = [code.value for code in VAT_CODES if code.is_sale or code.value == NO_VAT]
    assert list(SALES_VAT_CODES) == sales
