"""Sales invoices from draft to payment."""
