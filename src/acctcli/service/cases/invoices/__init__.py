"""Sales invoices: drafted, accepted, booked, printed, sent, settled, made again."""
