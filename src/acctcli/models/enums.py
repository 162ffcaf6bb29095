"""The documented value sets of the wire. Plain enums: the command line reads its choices from here."""

from __future__ import annotations

from enum import IntEnum, StrEnum


class AccountType(StrEnum):
    """What an account is for (interface: Account)."""

    ASS = "ASS"
    ASS_DEP = "ASS_DEP"
    ASS_DUE = "ASS_DUE"
    ASS_PAY = "ASS_PAY"
    ASS_REC = "ASS_REC"
    ASS_VAT = "ASS_VAT"
    EXP = "EXP"
    EXP_50 = "EXP_50"
    EXP_DEP = "EXP_DEP"
    EXP_NO = "EXP_NO"
    EXP_TAX = "EXP_TAX"
    EXP_TAX_PRE = "EXP_TAX_PRE"
    LIA = "LIA"
    LIA_ACC = "LIA_ACC"
    LIA_DEB = "LIA_DEB"
    LIA_DUE = "LIA_DUE"
    LIA_EQU = "LIA_EQU"
    LIA_PRE = "LIA_PRE"
    LIA_VAT = "LIA_VAT"
    REV = "REV"
    REV_NO = "REV_NO"
    REV_SAL = "REV_SAL"


class PermissionKey(StrEnum):
    """What a user may do in a business (interface: Usership)."""

    ADMIN = "admin"
    BOOKKEEPING_READ = "bookkeeping_read"
    BOOKKEEPING_ADMIN = "bookkeeping_admin"
    BOOKKEEPING_EDITOR = "bookkeeping_editor"
    BOOKKEEPING_ATTACHMENT = "bookkeeping_attachment"
    ACCOUNTS_READ = "accounts_read"
    ACCOUNTS_EDITOR = "accounts_editor"
    FILES_READ = "files_read"
    FILES_EDITOR = "files_editor"
    INVOICING_READ = "invoicing_read"
    INVOICING_ADMIN = "invoicing_admin"
    INVOICING_EDITOR = "invoicing_editor"
    CONTACT_READ = "contact_read"
    CONTACT_EDITOR = "contact_editor"
    REPORTING_READ = "reporting_read"
    REPORTING_ADMIN = "reporting_admin"
    REPORTING_EDITOR = "reporting_editor"
    SALARY = "salary"
    INTEGRATION_ADMIN = "integration_admin"


class BusinessForm(StrEnum):
    """Legal form; its prefix is the country (wire facts 2.3)."""

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


class VatPostingMethod(StrEnum):
    """Whether reported VAT is netted onto one account."""

    NET = "NET"
    SPLIT = "SPLIT"


class VatReportingMethod(StrEnum):
    """Whether VAT belongs to the bookkeeping date or, in Germany, to the payment date."""

    DEFAULT = "DEFAULT"
    DE_CASH_BASIS = "DE_CASH_BASIS"


class DefaultVatPeriod(IntEnum):
    """Length of a VAT period; -1 when not liable."""

    NONE = -1
    MONTH = 0
    QUARTER = 1
    YEAR = 2


class IdentifierType(StrEnum):
    """Official identifiers of a business."""

    Y_TUNNUS = "y_tunnus"
    VAT_CODE = "vat_code"
    STEUERNUMMER = "steuernummer"


class VatRateLabel(StrEnum):
    """Names of rates; the number behind a name depends on country and date (wire facts 3.4)."""

    STANDARD = "standard"
    REDUCED_A = "reduced_a"
    REDUCED_B = "reduced_b"
    ZERO = "zero"


class VatMethod(IntEnum):
    """Whether the amount of a blueprint row includes its VAT (0) or not (1)."""

    GROSS = 0
    NET = 1


class DocumentType(IntEnum):
    """Why a document exists (wire facts 2.7)."""

    NORMAL = 0
    VAT = 3
    DEPRECIATION = 4
    BROADCASTING_TAX = 6
    INCOME_TAX = 7


class BlueprintType(StrEnum):
    """Style of a blueprint, derived from the fields that are filled (wire facts 3.2)."""

    SALES = "SALES"
    PURCHASE = "PURCHASE"
    MANUAL = "MANUAL"


class RelationRole(StrEnum):
    """What a document is in a pair: where a claim or debt arises, or what clears it (wire facts 2.9)."""

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


class ContactType(StrEnum):
    """Whether a contact is a person or a business; unknown until somebody says so (wire facts 2.10)."""

    UNSET = "UNSET"
    PERSON = "PERSON"
    BUSINESS = "BUSINESS"


class InvoicingLanguage(StrEnum):
    """Languages of what is sent to a contact."""

    FI = "fi"
    EN = "en"
    SV = "sv"


class InvoiceStatus(StrEnum):
    """Where a sales invoice stands; sent and overdue are no statuses (wire facts 5.1)."""

    DRAFT = "DRAFT"
    ACCEPTED = "ACCEPTED"
    PAID = "PAID"
    CREDIT_LOSS = "CREDIT_LOSS"


class DeliveryMethod(StrEnum):
    """How a sales invoice reaches its receiver (wire facts 2.12)."""

    EMAIL = "EMAIL"
    EINVOICE = "EINVOICE"
    ELASKU = "ELASKU"
    PAPER = "PAPER"


class RecurrenceFrequency(StrEnum):
    """What the interval of a recurrence counts (wire facts 5.6)."""

    DAILY = "DAILY"
    WEEKLY = "WEEKLY"
    MONTHLY = "MONTHLY"
    YEARLY = "YEARLY"


class RecurrenceReferenceMethod(StrEnum):
    """Whether children of a template keep its reference or get their own; empty: nobody has said (wire facts 5.6)."""

    KEEP = "KEEP"
    ROLL = "ROLL"
    UNSET = ""


class HeaderType(StrEnum):
    """Which statement a header belongs to: balance sheet or income statement (wire facts 2.6)."""

    BALANCE_SHEET = "B"
    INCOME_STATEMENT = "I"


class PurchaseSource(StrEnum):
    """How a purchase invoice came in; a filed VAT return makes one of its own (wire facts 2.13)."""

    OPERATOR = "OPERATOR"
    EMAIL = "EMAIL"
    UPLOAD = "UPLOAD"
    VAT_PURCHASE_INVOICE = "VAT_PURCHASE_INVOICE"


class AnalysisStatus(StrEnum):
    """How far the analysis of a file is (wire facts 2.14)."""

    PENDING = "PENDING"
    IN_PROGRESS = "IN_PROGRESS"
    COMPLETED = "COMPLETED"
    CANCELLED = "CANCELLED"
    FAILED = "FAILED"


class InvitationStatus(StrEnum):
    """State of an invitation to a business."""

    OPEN = "OPEN"
    ACCEPTED = "ACCEPTED"
    REJECTED = "REJECTED"


class PermissionGroup(StrEnum):
    """Named sets of permissions."""

    ADMIN = "admin"
    READ_ONLY = "read_only"
    BOOKKEEPING = "bookkeeping"
    INVOICING = "invoicing"
    CUSTOM = "custom"


class VatCorrection(StrEnum):
    """Why a VAT return corrects an earlier one (domain facts 5)."""

    CALCULATION = "calculation"
    AUDIT = "audit"
    CASE_LAW = "case-law"
    INTERPRETATION = "interpretation"
