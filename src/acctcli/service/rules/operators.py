"""Operators of e-invoices in Finland by the id that invoices are addressed with.

Not every operator there is: those whose ids several public sources agree on.
"""

from __future__ import annotations

OPERATORS: dict[str, str] = {
    "003721291126": "Maventa",
    "003723327487": "Apix Messaging",
    "BAWCFI22": "Basware",
}
