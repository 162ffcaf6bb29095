"""Accounting and VAT periods, and what follows from reporting VAT."""
