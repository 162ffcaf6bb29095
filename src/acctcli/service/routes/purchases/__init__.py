"""Purchase invoices: `/v1/invoicing/{business_slug}/purchase_invoice/`."""
