"""The QR code of European transfers: what it says, as EPC069-12 writes it (docs/law.md 6.3)."""

from __future__ import annotations

from decimal import Decimal

from acctcli.banking.checks import compact
from acctcli.banking.iban import check_iban
from acctcli.banking.references import check_creditor_reference, rf_reference

LARGEST_PAYLOAD = 331
_LEAST, _MOST = Decimal("0.01"), Decimal("999999999.99")
_NAME, _TEXT = 70, 140


def epc_payload(
    name: str, iban: str, amount: Decimal, *, reference: str | None = None, text: str = "", bic: str | None = None
) -> str:
    """Return the lines of the code for `amount` euros to `iban`, to be encoded as UTF-8 with error level M.

    The reference is a Finnish or an RF one; the text stands only where there is no reference. Name and text are cut
    to what the code holds. Raise ValueError for an account, a reference or an amount that cannot be paid like this.
    """
    if not _LEAST <= amount <= _MOST or amount % _LEAST:
        raise ValueError(f"a transfer is of {_LEAST} to {_MOST} euros, in whole cents")
    creditor = _creditor_reference(reference) if reference else ""
    remittance = "" if creditor else _line(text, _TEXT)
    head = ["BCD", "002", "1", "SCT", compact(bic or ""), _line(name, _NAME), check_iban(iban), f"EUR{amount:.2f}"]
    payload = "\n".join([*head, "", creditor, remittance]).rstrip("\n")
    if len(payload.encode()) > LARGEST_PAYLOAD:
        raise ValueError(f"the code holds {LARGEST_PAYLOAD} bytes")
    return payload


def _creditor_reference(reference: str) -> str:
    """Return the RF form: the code has no field for a bare national reference."""
    plain = compact(reference)
    return check_creditor_reference(plain) if plain.startswith("RF") else rf_reference(plain)


def _line(text: str, length: int) -> str:
    return " ".join(text.split())[:length].rstrip()
