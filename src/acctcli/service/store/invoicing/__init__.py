"""Products, invoices and payouts. SQL only."""
