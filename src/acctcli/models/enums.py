"""The documented value sets of the wire. Plain enums: the command line reads its choices from here."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import Self


class Labelled(StrEnum):
    """A set whose values have words for people: a label, and an explanation where there is more to say."""

    label: str
    explanation: str

    def __new__(cls, value: str, label: str = "", explanation: str = "") -> Self:
        """Make a member of its value, which is a text like those of other sets, and its words."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.label, member.explanation = label, explanation
        return member


class AccountType(Labelled):
    """What an account is for (docs/interface.md 4.1)."""

    ASS = "ASS", "assets"
    ASS_DEP = "ASS_DEP", "depreciable assets"
    ASS_DUE = "ASS_DUE", "trade receivables"
    ASS_PAY = "ASS_PAY", "bank and cash"
    ASS_REC = "ASS_REC", "accrued receivables"
    ASS_VAT = "ASS_VAT", "VAT receivable"
    EXP = "EXP", "expenses"
    EXP_50 = "EXP_50", "half-deductible expenses"
    EXP_DEP = "EXP_DEP", "depreciation"
    EXP_NO = "EXP_NO", "non-deductible expenses"
    EXP_TAX = "EXP_TAX", "tax account"
    EXP_TAX_PRE = "EXP_TAX_PRE", "prepaid taxes"
    LIA = "LIA", "liabilities and equity"
    LIA_ACC = "LIA_ACC", "accrued liabilities"
    LIA_DEB = "LIA_DEB", "debts"
    LIA_DUE = "LIA_DUE", "trade payables"
    LIA_EQU = "LIA_EQU", "equity"
    LIA_PRE = "LIA_PRE", "profit of previous periods"
    LIA_VAT = "LIA_VAT", "VAT liability"
    REV = "REV", "revenue"
    REV_NO = "REV_NO", "tax-free revenue"
    REV_SAL = "REV_SAL", "sales revenue"


class PermissionKey(Labelled):
    """What a user may do in a business (docs/interface.md 2.3)."""

    ADMIN = "admin", "Administrator", "May do everything in the business."
    BOOKKEEPING_READ = "bookkeeping_read", "Bookkeeping: read", "Sees documents and entries."
    BOOKKEEPING_ADMIN = "bookkeeping_admin", "Bookkeeping: manage", "Changes documents, locks and unlocks them."
    BOOKKEEPING_EDITOR = "bookkeeping_editor", "Bookkeeping: edit", "Creates and changes documents."
    BOOKKEEPING_ATTACHMENT = (
        "bookkeeping_attachment",
        "Bookkeeping: attachments",
        "Sees documents and attaches files to them.",
    )
    ACCOUNTS_READ = "accounts_read", "Accounts: read", "Sees the chart of accounts."
    ACCOUNTS_EDITOR = "accounts_editor", "Accounts: edit", "Changes the chart of accounts."
    FILES_READ = "files_read", "Files: read", "Sees files."
    FILES_EDITOR = "files_editor", "Files: edit", "Uploads and changes files."
    INVOICING_READ = "invoicing_read", "Invoicing: read", "Sees invoices and products."
    INVOICING_ADMIN = "invoicing_admin", "Invoicing: manage", "Changes invoices and their status messages."
    INVOICING_EDITOR = "invoicing_editor", "Invoicing: edit", "Creates, changes and sends invoices."
    CONTACT_READ = "contact_read", "Contacts: read", "Sees contacts."
    CONTACT_EDITOR = "contact_editor", "Contacts: edit", "Changes contacts."
    REPORTING_READ = "reporting_read", "Reporting: read", "Sees reports."
    REPORTING_ADMIN = "reporting_admin", "Reporting: manage", "Changes accounting and VAT periods."
    REPORTING_EDITOR = "reporting_editor", "Reporting: edit", "Changes accounting and VAT periods."
    SALARY = "salary", "Salaries", "Sees salaries."
    INTEGRATION_ADMIN = "integration_admin", "Integrations", "Changes webhooks and workflows."


class BusinessForm(StrEnum):
    """Legal form; its prefix is the country (docs/interface.md 3.1)."""

    FI_OY = "FI_OY"
    FI_OYJ = "FI_OYJ"
    FI_TMI = "FI_TMI"
    FI_KY = "FI_KY"
    FI_OK = "FI_OK"
    FI_AY = "FI_AY"
    FI_AS_OY = "FI_AS_OY"
    FI_KOY = "FI_KOY"
    FI_NY = "FI_NY"
    FI_YHD = "FI_YHD"
    DE_UG = "DE_UG"
    DEMO = "DEMO"


class VatPostingMethod(Labelled):
    """Whether reported VAT is netted onto one account."""

    NET = "NET", "Netted: reported VAT is left on one account"
    SPLIT = "SPLIT", "Split: VAT of sales and of purchases stay on their accounts"


class VatReportingMethod(Labelled):
    """Whether VAT belongs to the bookkeeping date or to the payment date (docs/law.md 2.5)."""

    DEFAULT = "DEFAULT", "By bookkeeping date"
    DE_CASH_BASIS = "DE_CASH_BASIS", "By payment date (Germany)"
    FI_CASH_BASIS = "FI_CASH_BASIS", "By payment date (Finland)"


class DefaultVatPeriod(IntEnum):
    """Length of a VAT period; -1 when not liable."""

    NONE = -1
    MONTH = 0
    QUARTER = 1
    YEAR = 2


class IdentifierType(Labelled):
    """Official identifiers of a business."""

    Y_TUNNUS = "y_tunnus", "Finnish business id (Y-tunnus)"
    VAT_CODE = "vat_code", "VAT id"
    STEUERNUMMER = "steuernummer", "German tax number (Steuernummer)"


class VatRateLabel(StrEnum):
    """Names of rates; the number behind a name depends on country and date (docs/law.md 1)."""

    STANDARD = "standard"
    REDUCED_A = "reduced_a"
    REDUCED_B = "reduced_b"
    ZERO = "zero"


class VatMethod(IntEnum):
    """Whether the amount of a blueprint row includes its VAT (0) or not (1)."""

    GROSS = 0
    NET = 1


class DocumentType(IntEnum):
    """Why a document exists (docs/interface.md 5.1)."""

    NORMAL = 0
    VAT = 3
    DEPRECIATION = 4
    BROADCASTING_TAX = 6
    INCOME_TAX = 7


class BlueprintType(StrEnum):
    """Style of a blueprint, derived from the fields that are filled (docs/interface.md 5.2)."""

    SALES = "SALES"
    PURCHASE = "PURCHASE"
    MANUAL = "MANUAL"


class RelationRole(StrEnum):
    """What a document is in a pair: where a claim or debt arises, or what clears it (docs/interface.md 5.7)."""

    ACCRUAL = "ACCRUAL"
    SETTLEMENT = "SETTLEMENT"


class RelationType(StrEnum):
    """Why two documents belong together."""

    ACCRUAL_PAIR = "ACCRUAL_PAIR"


class Language(StrEnum):
    """Languages of names and of the user."""

    FI = "fi"
    SV = "sv"
    EN = "en"
    DE = "de"


class EInvoiceFormat(StrEnum):
    """How an e-invoice is written."""

    XRECHNUNG = "xrechnung"
    FINVOICE = "finvoice"
    PEPPOL = "peppol"
    CII = "cii"


class ContactType(StrEnum):
    """Whether a contact is a person or a business; unknown until somebody says so (docs/interface.md 6.3)."""

    UNSET = "UNSET"
    PERSON = "PERSON"
    BUSINESS = "BUSINESS"


class InvoicingLanguage(StrEnum):
    """Languages of what is sent to a contact."""

    FI = "fi"
    EN = "en"
    SV = "sv"


class InvoiceStatus(StrEnum):
    """Where a sales invoice stands; sent and overdue are no statuses (docs/interface.md 7.1)."""

    DRAFT = "DRAFT"
    ACCEPTED = "ACCEPTED"
    PAID = "PAID"
    CREDIT_LOSS = "CREDIT_LOSS"


class DeliveryMethod(Labelled):
    """How a sales invoice reaches its receiver (docs/interface.md 7.4)."""

    EMAIL = "EMAIL", "Email"
    EINVOICE = "EINVOICE", "E-invoice"
    ELASKU = "ELASKU", "Consumer e-invoice"
    PAPER = "PAPER", "Paper"
    EMAIL_XRECHNUNG = "EMAIL_XRECHNUNG", "Email with an XRechnung"


# these need the words of a mail, and those are e-invoices by themselves
BY_MAIL = frozenset({DeliveryMethod.EMAIL, DeliveryMethod.EMAIL_XRECHNUNG})
BY_OPERATOR = frozenset({DeliveryMethod.EINVOICE, DeliveryMethod.ELASKU})


class InDoubt(StrEnum):
    """What a person says of what may have left, as nothing said whether it was taken (docs/interface.md 7.4)."""

    ARRIVED = "ARRIVED"
    AGAIN = "AGAIN"


class RecurrenceFrequency(StrEnum):
    """What the interval of a recurrence counts (docs/interface.md 7.6)."""

    DAILY = "DAILY"
    WEEKLY = "WEEKLY"
    MONTHLY = "MONTHLY"
    YEARLY = "YEARLY"


class RecurrenceReferenceMethod(StrEnum):
    """Whether children of a template keep its reference or get their own; empty: nobody has said.

    See docs/interface.md 7.6.
    """

    KEEP = "KEEP"
    ROLL = "ROLL"
    UNSET = ""


class HeaderType(StrEnum):
    """Which statement a header belongs to: balance sheet or income statement (docs/interface.md 4.2)."""

    BALANCE_SHEET = "B"
    INCOME_STATEMENT = "I"


class PurchaseSource(StrEnum):
    """How a purchase invoice came in; a filed VAT return makes one of its own (docs/interface.md 8.1)."""

    OPERATOR = "OPERATOR"
    EMAIL = "EMAIL"
    UPLOAD = "UPLOAD"
    VAT_PURCHASE_INVOICE = "VAT_PURCHASE_INVOICE"


class AnalysisStatus(StrEnum):
    """How far the analysis of a file is (docs/interface.md 6)."""

    PENDING = "PENDING"
    IN_PROGRESS = "IN_PROGRESS"
    COMPLETED = "COMPLETED"
    CANCELLED = "CANCELLED"
    FAILED = "FAILED"


class PermissionGroup(Labelled):
    """Named sets of permissions."""

    ADMIN = "admin", "Administrator"
    READ_ONLY = "read_only", "Sees everything"
    BOOKKEEPING = "bookkeeping", "Bookkeeping"
    INVOICING = "invoicing", "Invoicing"
    CUSTOM = "custom", "Chosen one by one"


class DeliveryStatus(StrEnum):
    """How far the delivery of an event has come; only a waiting one is attempted."""

    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"
    CANCELLED = "cancelled"


class InvitationStatus(StrEnum):
    """What has become of an invitation (docs/interface.md 2.5)."""

    OPEN = "OPEN"
    ACCEPTED = "ACCEPTED"
    REJECTED = "REJECTED"


class VatCorrection(StrEnum):
    """Why a VAT return corrects an earlier one (docs/law.md 2.2)."""

    CALCULATION = "calculation"
    AUDIT = "audit"
    CASE_LAW = "case-law"
    INTERPRETATION = "interpretation"
