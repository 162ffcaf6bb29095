"""Files that something happened to: each is read and proves, or is refused; nothing else comes of any."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import partial

import pytest

from acctcli.banking.statements.camt import read_camt
from acctcli.banking.statements.delimited import read_csv
from acctcli.banking.statements.detecting import format_of, profile_of
from acctcli.banking.statements.model import StatementFault
from acctcli.banking.statements.mt940 import read_mt940
from acctcli.banking.statements.proposing import propose
from acctcli.banking.statements.tito import read_tito
from tests.banking.statements import flat
from tests.banking.statements import generator as made
from tests.banking.statements.reading import Reader, read
from tests.banking.statements.shipped import shipped
from tests.sizes import sized

FILES = sized(5000)
SHIPPED = shipped()
BANKS = ("danske", "n26", "nordea", "op", "s-pankki", "sparkasse")
ODD = b"0123456789,.<>/:;-+?T\n\"'& \x00\xff"


def written(dice: random.Random) -> Iterator[tuple[Reader, bytes]]:
    """Yield files in all formats, without an end."""
    while True:
        seed, lines = dice.randrange(10**6), dice.randrange(1, 6)
        found = made.books(seed, lines, dice.randrange(1, 3))
        plain = made.books(seed, lines, 1, made.GERMAN, batches=False)
        yield read_camt, made.camt(found, dice.choice(made.CAMT_HABITS))
        yield read_tito, flat.tito(found)
        yield read_mt940, flat.mt940(plain, is_german=dice.random() < 0.5)
        bank = dice.choice(BANKS)
        yield partial(read_csv, profile=SHIPPED[bank]), flat.csv(plain, bank)


def mutated(data: bytes, dice: random.Random) -> bytes:
    """Return a file with one thing changed: bytes, a line, or its end."""
    place, lines = dice.randrange(len(data)), data.split(b"\n")
    match dice.randrange(6):
        case 0:
            return data[:place] + dice.randbytes(1) + data[place + 1 :]
        case 1:
            return data[:place] + data[place + dice.randrange(1, 20) :]
        case 2:
            return data[:place] + bytes(dice.choices(ODD, k=dice.randrange(1, 8))) + data[place:]
        case 3:
            del lines[dice.randrange(len(lines))]
        case 4:
            lines.insert(dice.randrange(len(lines)), dice.choice(lines))
        case 5:
            return data[:place]
    return b"\n".join(lines)


def test_a_file_that_was_changed_proves_or_is_refused() -> None:
    dice = random.Random(20261124)
    ends: Counter[str] = Counter()
    for (reader, data), _ in zip(written(dice), range(FILES), strict=False):
        changed = data
        for _ in range(dice.choice([1, 1, 2, 5])):
            changed = mutated(changed, dice) or b" "
        try:
            done = read(reader, changed)
        except StatementFault:
            ends["refused"] += 1
            continue
        ends["read"] += 1
        for one in done.statements:
            if one.opening is not None and one.closing is not None:
                assert one.opening + one.total == one.closing
    assert min(ends["read"], ends["refused"]) > FILES // 10


@pytest.mark.parametrize("bank", BANKS)
def test_telling_and_proposing_ends_with_an_answer_or_a_fault(bank: str) -> None:
    dice = random.Random(7)
    data = flat.csv(made.books(7, 5, batches=False), bank)
    proposed = 0
    for _ in range(FILES // 20):
        changed = mutated(data, dice)
        try:
            assert format_of(changed) in {"csv", "camt", "mt940", "tito"}
            assert profile_of(changed, SHIPPED) in {None, *SHIPPED}
            proposed += bool(propose(changed, "x").columns.amount)
        except StatementFault:
            continue
    assert proposed > FILES // 200
