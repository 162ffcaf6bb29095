"""What a reply may hold: as many bytes, commas and brackets as the limit says, and not one more."""

from __future__ import annotations

import time

import httpx
import pytest

from acctcli.client.bounds import RECORD, Limit, TooLarge
from acctcli.errors import Rejected, ServerFault
from tests.client.wire import script, wire

FIVE = Limit(1000, 5)


@pytest.mark.parametrize(
    "within",
    [
        b"[1,2,3,4,5]",
        b'{"a":[],"b":{}}',
        b"[[[[[]]]]]",
        b'{"a":"1,2,3,4,[5],{6}","b":"[,{\\",[,{\\\\","c,[{":1}',
        b'["' + b",[{" * 300 + b'",2]',
    ],
)
def test_what_stands_in_texts_is_no_value(within: bytes) -> None:
    FIVE.check(within, "it")
    assert FIVE.allows(within)


@pytest.mark.parametrize(
    "beyond",
    [
        b"[1,2,3,4,5,6]",
        b'{"a":[],"b":[{},1]}',
        b"[[[[[[",
        b'{"a":"\\"","b":[1,2,3,4]}',
        b'{"a":"\\\\","b":[1,2,3,4],"c":"',
        b" " * 1001,
    ],
)
def test_one_more_is_too_much(beyond: bytes) -> None:
    with pytest.raises(TooLarge, match=r"^it (holds more than 5 values|is larger than 0 KiB)$"):
        FIVE.check(beyond, "it")
    assert not FIVE.allows(beyond)


def test_a_text_that_does_not_end_is_read_once() -> None:
    began = time.monotonic()
    assert not RECORD.allows(b'{"a":' + b"," * RECORD.values + b'"' + b'\\"' * 2_000_000)
    assert Limit(2**24, 9).allows(b"[[[[[" + b'"' + b'\\",' * 2_000_000)
    assert time.monotonic() - began < 5


def test_a_record_may_have_so_many_bytes_and_no_more() -> None:
    whole = b'{"id":1,"name":"' + b"x" * (RECORD.size - 18) + b'"}'
    w = wire(script(httpx.Response(200, content=whole), httpx.Response(200, content=whole + b" ")))
    assert w.http.send("GET", "/v1/user/").body == whole
    with pytest.raises(ServerFault, match=r"^the reply is larger than 16 MiB$") as caught:
        w.http.send("GET", "/v1/user/")
    assert (caught.value.exit_code, caught.value.code) == (9, "reply_too_large")
    assert "--paginate" in (caught.value.hint or "")


def test_a_record_may_have_so_many_values_and_no_more() -> None:
    # one bracket of the object, one of the list
    whole = b'{"x":[' + b"1," * (RECORD.values - 2) + b"1]}"
    w = wire(script(httpx.Response(200, content=whole), httpx.Response(200, content=whole[:-2] + b",1]}")))
    assert w.http.send("GET", "/v1/user/").body == whole
    with pytest.raises(ServerFault, match=r"^the reply holds more than 300,000 values$") as caught:
        w.http.send("GET", "/v1/user/")
    assert (caught.value.exit_code, caught.value.code) == (9, "reply_too_large")


def test_a_write_whose_reply_is_too_large_is_known_to_be_done() -> None:
    w = wire(script(httpx.Response(201, content=b"[" * (RECORD.values + 1))))
    with pytest.raises(TooLarge):
        w.http.send("POST", "/v1/business/", body=b"{}", key="k")
    assert w.http.writes.last is not None
    assert w.http.writes.last.is_done


def test_a_refusal_of_many_values_is_a_refusal() -> None:
    w = wire(script(httpx.Response(400, content=b'{"detail":"No.","x":[' + b"[]," * 300_000 + b"1]}")))
    with pytest.raises(Rejected, match=r"^x: 1 "):
        w.http.send("GET", "/v1/user/", limit=Limit(64 * 1024, 1000))
