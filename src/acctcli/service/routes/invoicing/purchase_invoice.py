"""Purchase invoices: `/v1/invoicing/{business_slug}/purchase_invoice/` (docs/interface.md 8.1)."""

from __future__ import annotations

from acctcli.models.enums import PurchaseSource
from acctcli.service.cases import purchases
from acctcli.service.routes.operation import BILLS_READ, BILLS_WRITE, INVOICING, Area
from acctcli.service.routes.parameters import SEARCH, Asked, Clauses, Parameter, moment
from acctcli.service.store.invoicing.purchases import list_page

RANGED = {
    **dict.fromkeys(("created_at", "updated_at"), moment),
    **dict.fromkeys(("invoicing_date", "due_date", "payment_date"), None),
}
ENDS = (("gte", "first"), ("lte", "last"))


def _past_due(call: Asked, name: str) -> Clauses:
    flag = call.query.flag(name)
    return {} if flag is None else {name if flag else "is_not_past_due": {"today": call.today}}


AREA = Area(
    "purchase",
    f"{INVOICING}purchase_invoice/",
    "purchase_invoice",
    read=BILLS_READ,
    write=BILLS_WRITE,
    request="purchase_invoice:PurchaseInvoiceRequest",
    response="purchase_invoice:PurchaseInvoice",
)
AREA.list(
    list_page,
    purchases.show_purchases,
    SEARCH._replace(description="Invoice number, sender's name or reference."),
    Parameter("invoice_number", "string", "The whole invoice number."),
    Parameter("import_source", "string", "How the invoice came in.", tuple(PurchaseSource)),
    Parameter("is_paid", "boolean", "Invoices that are paid."),
    Parameter("is_past_due", "boolean", "Unpaid invoices due before today.", narrow=_past_due),
    *(
        Parameter(f"{name}_{end}", "date", f"The {word} day of a range of `{name}`, inclusive.", narrow=narrow)
        for name, narrow in RANGED.items()
        for end, word in ENDS
    ),
    weigh=purchases.weigh_purchases,
)
AREA.create(purchases.create_purchase, local=True)
AREA.get(purchases.get_purchase)
AREA.change(purchases.change_purchase)
AREA.delete(purchases.delete_purchase)
