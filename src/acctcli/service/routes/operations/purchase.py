"""What the business is invoiced for."""

from __future__ import annotations

from acctcli.models.enums import PurchaseSource
from acctcli.service.routes.route import INVOICING, INVOICING_READ, INVOICING_WRITE, PAGING, SEARCH, Parameter, resource

RANGED = ("created_at", "updated_at", "invoicing_date", "due_date", "payment_date")
ENDS = (("gte", "first"), ("lte", "last"))

PURCHASE_INVOICES = resource(
    "purchases.purchase",
    "purchase_invoice",
    f"{INVOICING}purchase_invoice/",
    "purchase invoice",
    models=("purchase_invoice:PurchaseInvoiceRequest", "purchase_invoice:PurchaseInvoice"),
    read=INVOICING_READ,
    write=INVOICING_WRITE,
    filters=(
        *PAGING,
        SEARCH._replace(description="Invoice number, sender's name or reference."),
        Parameter("invoice_number", "string", "The whole invoice number."),
        Parameter("import_source", "string", "How the invoice came in.", tuple(PurchaseSource)),
        Parameter("is_paid", "boolean", "Invoices that are paid."),
        Parameter("is_past_due", "boolean", "Unpaid invoices due before today."),
        *(
            Parameter(f"{name}_{end}", "date", f"The {word} day of a range of `{name}`, inclusive.")
            for name in RANGED
            for end, word in ENDS
        ),
    ),
)
