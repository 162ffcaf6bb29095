"""Payments on their way out: what a file for a bank says, and by what each payment is found again (docs/payments.md).

Amounts are cents, and in euros: these are SEPA credit transfers.
"""

# of pain.001.001, by the ends of their names, the one that banks prefer first
VERSIONS = ("09", "03")
