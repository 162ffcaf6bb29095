"""Purchase invoices: `/v1/invoicing/{business_slug}/purchase_invoice/` (wire facts 1.3, 2.13, 5.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acctcli.models.enums import PurchaseSource
from acctcli.service.cases import purchases
from acctcli.service.routes.call import Call, Page
from acctcli.service.routes.operation import INVOICING, INVOICING_READ, INVOICING_WRITE, Area
from acctcli.service.routes.parameters import SEARCH, Clauses, Parameter, moment
from acctcli.service.store.invoicing.purchases import list_page

if TYPE_CHECKING:
    from acctcli.models.purchase_invoice import PurchaseInvoice

RANGED = {
    **dict.fromkeys(("created_at", "updated_at"), moment),
    **dict.fromkeys(("invoicing_date", "due_date", "payment_date"), None),
}
ENDS = (("gte", "first"), ("lte", "last"))

AREA = Area(
    "purchase",
    f"{INVOICING}purchase_invoice/",
    read=INVOICING_READ,
    write=INVOICING_WRITE,
    request="purchase_invoice:PurchaseInvoiceRequest",
    response="purchase_invoice:PurchaseInvoice",
    one="{purchase_invoice_id}/",
)


def _past_due(call: Call, name: str) -> Clauses:
    flag = call.query.flag(name)
    return {} if flag is None else {name if flag else "is_not_past_due": {"today": call.today}}


@AREA.page(
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
)
def list_purchase_invoices(call: Call) -> Page:
    """List purchase invoices."""
    return call.listed(list_page, call.clauses, show=lambda rows: purchases.show_purchases(call, rows))


@AREA.create()
def create_purchase_invoice(call: Call) -> PurchaseInvoice:
    """Create a purchase invoice."""
    return purchases.create_purchase(call, call.body)


@AREA.get()
def get_purchase_invoice(call: Call) -> PurchaseInvoice:
    """Show a purchase invoice."""
    return purchases.show_purchase(call, purchases.find(call, call.ids["purchase_invoice_id"]))


@AREA.replace()
def replace_purchase_invoice(call: Call) -> PurchaseInvoice:
    """Replace a purchase invoice."""
    return purchases.replace_purchase(call, call.ids["purchase_invoice_id"], call.body)


@AREA.update()
def update_purchase_invoice(call: Call) -> PurchaseInvoice:
    """Change a purchase invoice."""
    return purchases.update_purchase(call, call.ids["purchase_invoice_id"], call.body)


@AREA.delete()
def delete_purchase_invoice(call: Call) -> None:
    """Delete a purchase invoice."""
    purchases.delete_purchase(call, call.ids["purchase_invoice_id"])
