"""Whatever becomes of a file on its way, it is read as it was, refused, or says what its proof allows."""

from __future__ import annotations

import random

import pytest

from acctcli.einvoice.incoming.model import Incoming, InvoiceFault
from acctcli.einvoice.incoming.proving import prove
from acctcli.einvoice.incoming.reading import read_einvoice
from tests.einvoice.incoming.test_refused import CII, FINVOICE, UBL
from tests.sizes import is_full

NUMBER = 5000 if is_full() else 300
WORDS = (
    b"",
    b"0",
    b"-1",
    b"1,00",
    b"1.00",
    b"EUR",
    b"S",
    b"AE",
    b"<",
    b"&",
    b"\xff",
    b"99999999999999999999",
    b"20260302",
)


def read(content: bytes) -> Incoming | None:
    try:
        found = read_einvoice(content)
        prove(found)
    except InvoiceFault:
        return None
    return found


@pytest.mark.parametrize("whole", [FINVOICE, UBL, CII], ids=["Finvoice", "UBL", "CII"])
def test_a_damaged_file_adds_up_or_is_refused(whole: bytes) -> None:
    dice, refused = random.Random(11), 0
    for _ in range(NUMBER):
        start = dice.randrange(len(whole))
        end = min(start + dice.choice([1, 1, 3, 20, 400]), len(whole))
        found = read(whole[:start] + dice.choice(WORDS) + whole[end:])
        if found is None:
            refused += 1
            continue
        sums = found.sums
        assert sums.net + sums.vat + sums.rounding - sums.prepaid == sums.payable
        assert sum(one.base + one.vat for one in found.groups) == sums.gross
    assert refused > NUMBER // 3
