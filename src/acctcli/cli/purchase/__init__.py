"""Purchase invoices and the barcodes of their payments."""
