"""What rows of sales invoices are filled in from."""

from __future__ import annotations

from acctcli.service.routes.route import INVOICING, INVOICING_READ, INVOICING_WRITE, PAGING, SEARCH, resource

PRODUCTS = resource(
    "product",
    "product",
    f"{INVOICING}product/",
    "product",
    models=("product:ProductRequest", "product:Product"),
    read=INVOICING_READ,
    write=INVOICING_WRITE,
    filters=(*PAGING, SEARCH._replace(description="Code or name.")),
)
