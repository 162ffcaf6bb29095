"""What a payment file is called, and each payment in it (docs/payments.md 2).

The end-to-end id of a payment says all that is needed to find it again: the file, the batch, and the purchase invoice.
Banks carry it to the statement, and name it, its batch or its file when they refuse.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from typing import NamedTuple

# what the names of files begin with
PREFIX = "pay-"
_LETTERS = 12
_FILE = rf"{PREFIX}[a-z2-7]{{{_LETTERS}}}"
_PAYMENT = re.compile(rf"\b({_FILE})-([1-9][0-9]{{0,2}})-([1-9][0-9]{{0,12}})(?![0-9a-z-])", re.IGNORECASE)
_BATCH = re.compile(rf"({_FILE})-([1-9][0-9]{{0,2}})", re.IGNORECASE)
# what an id has room for: 35 characters, as all ids of ISO 20022
MOST_BATCHES, LARGEST = 999, 10**13 - 1
FILE = re.compile(_FILE)


class PaymentId(NamedTuple):
    """The end-to-end id of a payment; `purchase` is the id of the purchase invoice."""

    file: str
    batch: int
    purchase: int

    def __str__(self) -> str:
        return f"{batch_id(self.file, self.batch)}-{self.purchase}"


def file_id(key: str) -> str:
    """Return the id of the file that is made under a key."""
    digest = hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return f"{PREFIX}{base64.b32encode(digest).decode()[:_LETTERS].lower()}"


def batch_id(file: str, batch: int) -> str:
    """Return the id of a batch of a file, which are numbered from 1."""
    return f"{file}-{batch}"


def payment_ids(text: str) -> Iterator[PaymentId]:
    """Yield the payments that a text names, in whatever letters a bank has put it."""
    for found in _PAYMENT.finditer(text):
        yield PaymentId(found[1].lower(), int(found[2]), int(found[3]))


def read_batch_id(text: str) -> tuple[str, int] | None:
    """Return the file and the number of a batch; None where a text is no id of one."""
    found = _BATCH.fullmatch(text.strip())
    return (found[1].lower(), int(found[2])) if found else None


def file_or_batch(text: str) -> str:
    """Return the id of a file, or of a batch of one, as we write it; empty where a text is none."""
    name = text.strip().lower()
    return name if FILE.fullmatch(name) or _BATCH.fullmatch(name) else ""
