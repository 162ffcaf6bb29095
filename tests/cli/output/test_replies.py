"""Records that commands look into: those of every page, and no others."""

from __future__ import annotations

import msgspec
import pytest

from acctcli.cli.output.replies import read_all, reader
from acctcli.errors import ServerFault


class Thing(msgspec.Struct):
    id: int


read = reader(Thing, "a thing")


def test_the_records_of_all_pages_are_read() -> None:
    pages = [[msgspec.Raw(b'{"id":1,"name":"a"}'), msgspec.Raw(b'{"id":2}')], [], [msgspec.Raw(b'{"id":3}')]]
    assert list(read_all(pages, read)) == [Thing(1), Thing(2), Thing(3)]


@pytest.mark.parametrize("record", [b'{"id":"1"}', b"[]", b'{"id":', b"[" * 100_000])
def test_a_record_of_another_shape_is_a_fault_of_the_service(record: bytes) -> None:
    with pytest.raises(ServerFault, match=r"^a thing is not what the interface promises") as caught:
        read(record)
    assert caught.value.code == "unreadable_reply"
