"""Sales invoices: `/v1/invoicing/{business_slug}/invoice/`."""
