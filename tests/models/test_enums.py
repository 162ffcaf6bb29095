"""The documented value sets, whole."""

from __future__ import annotations

from acctcli.models.enums import (
    AccountType,
    BusinessForm,
    ContactType,
    DefaultVatPeriod,
    DocumentType,
    HeaderType,
    InvoicingLanguage,
    PermissionKey,
)


def test_account_types() -> None:
    documented = (
        "ASS, ASS_DEP, ASS_DUE, ASS_PAY, ASS_REC, ASS_VAT, EXP, EXP_50, EXP_DEP, EXP_NO, EXP_TAX, "
        "EXP_TAX_PRE, LIA, LIA_ACC, LIA_DEB, LIA_DUE, LIA_EQU, LIA_PRE, LIA_VAT, REV, REV_NO, REV_SAL"
    )
    assert list(AccountType) == documented.split(", ")


def test_permission_keys() -> None:
    documented = (
        "admin, bookkeeping_read, bookkeeping_admin, bookkeeping_editor, bookkeeping_attachment, "
        "accounts_read, accounts_editor, files_read, files_editor, invoicing_read, invoicing_admin, "
        "invoicing_editor, contact_read, contact_editor, reporting_read, "
        "reporting_admin, reporting_editor, salary, integration_admin"
    )
    assert list(PermissionKey) == documented.split(", ")


def test_numbers_on_the_wire() -> None:
    assert [member.value for member in DefaultVatPeriod] == [-1, 0, 1, 2]
    assert [member.value for member in DocumentType] == [0, 3, 4, 6, 7]
    assert len(BusinessForm) == 12


def test_words_of_contacts_and_headers() -> None:
    assert list(ContactType) == ["UNSET", "PERSON", "BUSINESS"]
    assert list(InvoicingLanguage) == ["fi", "en", "sv"]
    assert list(HeaderType) == ["B", "I"]
