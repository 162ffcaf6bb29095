"""Read what the generator wrote, the way the program does."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import BinaryIO, NamedTuple

import pytest

from acctcli.banking.statements.model import Line, Parts, StatementFault
from acctcli.banking.statements.proving import Proven, check_they_follow, proved
from tests.banking.statements.generator import Expected

Reader = Callable[[BinaryIO], Parts]


class Read(NamedTuple):
    """What came of a file."""

    statements: list[Proven]
    lines: list[Line]
    notes: list[str]

    @property
    def short(self) -> list[Expected]:
        """What the generator knows of each line that is booked."""
        return [
            Expected(line.booked, line.cents, line.reference, line.part)
            for line in self.lines
            if line.booked is not None and not line.left_out
        ]


def read(reader: Reader, *files: bytes) -> Read:
    """Read and prove files."""
    statements: list[Proven] = []
    named = ((f"file {number}", reader(BytesIO(data))) for number, data in enumerate(files, 1))
    lines = [line for name, parts in named for _, line in proved(name, parts, statements)]
    return Read(statements, lines, check_they_follow(statements))


def refused(reader: Reader, data: bytes) -> StatementFault:
    """Return the fault that a file is refused with."""
    with pytest.raises(StatementFault) as caught:
        read(reader, data)
    return caught.value
