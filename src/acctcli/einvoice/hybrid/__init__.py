"""Invoices for people and machines in one file: a PDF/A-3 that holds the invoice in CII (docs/law.md 7.10).

The paper is what the service drew; nothing on it is changed. Pure functions, which need pypdf.
"""
