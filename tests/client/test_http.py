"""Retries, keys, limits and secrets of one request."""

from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import Iterator
from datetime import UTC, datetime

import httpx
import pytest

from acctcli import __version__
from acctcli.client.bounds import RECORD, Limit
from acctcli.client.direct import Unreachable
from acctcli.client.messages import Planned
from acctcli.client.retry import Policy, retry_after
from acctcli.client.writes import Write
from acctcli.errors import (
    AcctcliError,
    Conflict,
    Forbidden,
    NetworkError,
    NotAuthenticated,
    NotFound,
    Rejected,
    ServerFault,
    UsageError,
)
from tests.client.wire import TOKEN, Wire, script, wire

OK = httpx.Response(200, json={"id": 1})


def ok() -> httpx.Response:
    return httpx.Response(200, json={"id": 1})


def keys(w: Wire) -> list[str | None]:
    return [request.headers.get("idempotency-key") for request in w.requests]


def test_headers_are_those_of_the_interface() -> None:
    w = wire(script(ok()))
    w.http.send("GET", "/v1/user/")
    headers = w.requests[0].headers
    assert headers["authorization"] == f"Token {TOKEN}"
    assert headers["x-client"] == headers["user-agent"] == f"acctcli/{__version__}"
    assert headers["accept"] == "application/json"
    assert "idempotency-key" not in headers


def test_every_post_has_a_key_and_repeats_keep_it() -> None:
    w = wire(script(httpx.Response(503), httpx.ReadError("reset"), httpx.Response(429), ok()))
    w.http.send("POST", "/v1/business/", body=b"{}")
    assert len(set(keys(w))) == 1
    assert len(w.requests) == 4
    assert {request.content for request in w.requests} == {b"{}"}


def test_what_cannot_be_sent_is_not_tried_again() -> None:
    w = wire(script(httpx.LocalProtocolError("a header holds a line break"), ok()))
    with pytest.raises(UsageError, match="cannot be sent: a header holds a line break") as problem:
        w.http.send("POST", "/v1/business/", body=b"{}", key="a\nb")
    assert (len(w.requests), problem.value.hint) == (1, None)


def test_two_posts_have_two_keys() -> None:
    w = wire(script(ok()))
    for _ in range(2):
        w.http.send("POST", "/v1/business/", body=b"{}")
    assert len(set(keys(w))) == 2


def test_a_key_given_is_the_key_sent() -> None:
    w = wire(script(ok()))
    w.http.send("POST", "/v1/business/", body=b"{}", key="mine")
    assert keys(w) == ["mine"]


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "POST"])
@pytest.mark.parametrize("fault", [502, 503, 504, 429, "connect", "read"])
def test_repeatable_requests_are_repeated_after_every_passing_fault(method: str, fault: int | str) -> None:
    first: httpx.Response | Exception
    if isinstance(fault, int):
        first = httpx.Response(fault)
    else:
        first = httpx.ConnectError("no") if fault == "connect" else httpx.ReadTimeout("no")
    w = wire(script(first, ok()))
    assert w.http.send(method, "/v1/user/").status == 200
    assert len(w.requests) == 2


@pytest.mark.parametrize("fault", [httpx.ConnectError("no"), httpx.ConnectTimeout("no"), httpx.PoolTimeout("no")])
def test_a_patch_is_repeated_when_it_was_never_received(fault: Exception) -> None:
    w = wire(script(fault, ok()))
    assert w.http.send("PATCH", "/v1/user/", body=b"{}").status == 200


@pytest.mark.parametrize(
    "fault", [httpx.ReadError("reset"), httpx.ReadTimeout("slow"), httpx.RemoteProtocolError("cut")]
)
def test_a_patch_that_may_have_been_received_is_not_repeated(fault: Exception) -> None:
    w = wire(script(fault, ok()))
    with pytest.raises(NetworkError):
        w.http.send("PATCH", "/v1/user/", body=b"{}")
    assert len(w.requests) == 1


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_patch_is_not_repeated_after_an_answer(status: int) -> None:
    w = wire(script(httpx.Response(status), ok()))
    with pytest.raises(ServerFault):
        w.http.send("PATCH", "/v1/user/", body=b"{}")
    assert len(w.requests) == 1


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, Rejected),
        (403, Forbidden),
        (404, NotFound),
        (412, Conflict),
        (422, Rejected),
        (423, Conflict),
        (500, ServerFault),
    ],
)
def test_final_answers_are_never_repeated(status: int, error: type[Exception]) -> None:
    w = wire(script(httpx.Response(status, json={"detail": "no"})))
    with pytest.raises(error):
        w.http.send("POST", "/v1/business/", body=b"{}")
    assert len(w.requests) == 1


def test_a_post_in_flight_is_asked_again_with_its_key() -> None:
    w = wire(script(*[httpx.Response(409, json={"code": "conflict"})] * 8, ok()))
    assert w.http.send("POST", "/v1/business/", body=b"{}", key="k").status == 200
    assert keys(w) == ["k"] * 9


def test_a_post_in_flight_for_ever_ends_as_a_conflict() -> None:
    w = wire(script(httpx.Response(409, json={"code": "conflict", "detail": "in progress"})))
    with pytest.raises(Conflict, match="in progress"):
        w.http.send("POST", "/v1/business/", body=b"{}")
    assert w.clock.time - 1000 <= 120


def test_other_conflicts_are_not_asked_again() -> None:
    w = wire(script(httpx.Response(409)))
    with pytest.raises(Conflict):
        w.http.send("PUT", "/v1/user/", body=b"{}")
    assert len(w.requests) == 1


def test_pauses_are_random_below_a_growing_bound() -> None:
    w = wire(script(httpx.Response(503)))
    with pytest.raises(ServerFault):
        w.http.send("GET", "/v1/user/")
    policy = Policy()
    assert len(w.clock.pauses) == policy.attempts - 1
    bounds = [min(policy.cap, policy.base * 2**n) for n in range(policy.attempts - 1)]
    assert all(0 <= pause <= bound for pause, bound in zip(w.clock.pauses, bounds, strict=True))
    assert len(set(w.clock.pauses)) == len(w.clock.pauses)


def test_retry_after_is_the_least_wait() -> None:
    w = wire(script(httpx.Response(429, headers={"retry-after": "7"}), ok()))
    w.http.send("GET", "/v1/user/")
    assert w.clock.pauses[0] >= 7


def test_who_is_told_when_to_come_again_comes_at_a_moment_of_its_own() -> None:
    w = wire(script(*[httpx.Response(429, headers={"retry-after": "7"})] * 4, ok()))
    w.http.send("GET", "/v1/user/")
    assert len(set(w.clock.pauses)) == 4


def test_a_retry_after_beyond_the_deadline_ends_at_once() -> None:
    w = wire(script(httpx.Response(429, headers={"retry-after": "3600"})))
    with pytest.raises(ServerFault) as caught:
        w.http.send("GET", "/v1/user/")
    assert w.clock.pauses == []
    assert caught.value.status == 429


def test_what_was_never_received_needs_no_word_on_repeating() -> None:
    w = wire(script(httpx.ConnectError("refused")))
    with pytest.raises(NetworkError) as caught:
        w.http.send("POST", "/v1/business/", body=b"{}", key="k-1")
    assert caught.value.hint is None


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_throttling_beyond_retries_says_what_can_be_done(method: str) -> None:
    w = wire(script(httpx.Response(429)))
    with pytest.raises(ServerFault) as caught:
        w.http.send(method, "/v1/business/", key="k-1" if method == "POST" else None)
    assert "try again later" in (caught.value.hint or "")


def test_no_limit_of_a_try_reaches_beyond_the_deadline() -> None:
    assert Policy().timeouts(100.0) == (10.0, 30.0, 30.0, 100.0)
    assert Policy().timeouts(3.0) == (3.0, 3.0, 3.0, 3.0)


def test_retry_after_reads_seconds_dates_and_nonsense() -> None:
    now = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
    assert retry_after("12") == 12
    assert retry_after("Sun, 01 Mar 2026 12:00:30 GMT", now) == 30
    assert retry_after("Sun, 01 Mar 2026 11:00:00 GMT", now) == 0
    assert [retry_after(text) for text in (None, "", "soon", "-5", "1e9")] == [0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("\u00b2", 0),
        ("\u0663", 0),
        ("1,2", 0),
        ("Sun, 99 Mar 2026 12:00:30 GMT", 0),
        ("Sun, 01 Mar 2026 12:00:30 +99999999999999", 0),
        ("Fri, 31 Dec 9999 23:59:59 +9999", 0),
        ("Sun, 01 Mar 2026 12:00:30 -0000", 30),
        ("Fri, 31 Dec 9999 23:59:59 -2300", 251630017199.0),
        ("9" * 6000, float("inf")),
    ],
)
def test_an_odd_retry_after_is_no_fault(text: str, seconds: float) -> None:
    assert retry_after(text, datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)) == seconds


def test_what_no_try_can_reach_is_tried_once() -> None:
    w = wire(script(Unreachable("no such host"), ok()))
    with pytest.raises(NetworkError, match=r"cannot connect \(no such host\)$"):
        w.http.send("GET", "/v1/user/")
    assert len(w.requests) == 1


@pytest.mark.parametrize("headers", [["gzip, gzip"], ["gzip", "gzip"], ["br"], ["deflate"], ["gzip;q=1"], ["x-gzip"]])
def test_an_encoding_nobody_asked_for_is_refused_unread(headers: list[str]) -> None:
    body = httpx.ByteStream(gzip.compress(gzip.compress(b"{}")))
    pairs = [("content-encoding", text) for text in headers]
    w = wire(lambda request: httpx.Response(200, headers=pairs, stream=body))
    with pytest.raises(ServerFault, match="Content-Encoding"):
        w.http.send("GET", "/v1/user/")
    assert len(w.requests) == 1


class Packed(httpx.SyncByteStream):
    """A compressed body that comes in pieces."""

    def __init__(self, packed: bytes, size: int) -> None:
        self._parts = [packed[start : start + size] for start in range(0, len(packed), size)]

    def __iter__(self) -> Iterator[bytes]:
        yield from self._parts


@pytest.mark.parametrize("size", [1, 7, 100_000, 10_000_000])
@pytest.mark.parametrize("plain", [b"{}", b'{"a":"' + b"x" * 131_066 + b'"}', b"[" + b"12345," * 250_000 + b"1]"])
def test_a_body_is_unpacked_whole(plain: bytes, size: int) -> None:
    half = len(plain) // 2
    packed = gzip.compress(plain[:half], 1) + gzip.compress(plain[half:], 9)
    w = wire(lambda request: httpx.Response(200, headers={"content-encoding": "GZIP"}, stream=Packed(packed, size)))
    assert w.http.send("GET", "/v1/user/").body == plain


@pytest.mark.parametrize(
    "packed",
    [b"{}", gzip.compress(b"{}")[:-1], gzip.compress(b"{}") + b"{}"],
    ids=["not packed", "without its end", "with more behind it"],  # what is packed holds the time
)
def test_a_broken_encoding_is_a_broken_reply(packed: bytes) -> None:
    w = wire(lambda request: httpx.Response(200, headers={"content-encoding": "gzip"}, stream=Packed(packed, 9)))
    with pytest.raises(NetworkError):
        w.http.send("GET", "/v1/user/")


@pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "PUT", "DELETE"])
@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"<!DOCTYPE html><title>Sign in</title>", "an HTML page"),
        (b" \n <html>", "an HTML page"),
        (b"OK", "something else"),
        (b"\xef\xbb\xbf{}", "something else"),
        (b"\x1f\x8b\x08", "something else"),
        (b'{"name": "\xff"}', "bytes that are no text"),
        ('{"name": "\u00e4"}'.encode("latin-1"), "bytes that are no text"),
        (b'{"name": "\xed\xa0\x80"}', "bytes that are no text"),
    ],
)
def test_what_cannot_be_json_is_unreadable_whatever_was_asked(method: str, body: bytes, text: str) -> None:
    w = wire(lambda request: httpx.Response(200, headers={"content-type": "application/json"}, content=body))
    with pytest.raises(ServerFault, match=f"answered 200 with {text}") as caught:
        w.http.send(method, "/v1/x/", body=b"{}")
    assert caught.value.code == "unreadable_reply"


def test_of_a_long_refusal_so_much_is_read_as_tells_why() -> None:
    class Page(httpx.SyncByteStream):
        sent = 0

        def __iter__(self) -> Iterator[bytes]:
            while True:
                self.sent += 100_000
                yield b"<title>Too much</title>" + b" " * 99_977

    page = Page()
    w = wire(lambda request: httpx.Response(400, headers={"content-type": "text/html"}, stream=page))
    with pytest.raises(Rejected, match="HTML page: Too much"):
        w.http.send("GET", "/v1/user/")
    assert page.sent < 300_000


@pytest.mark.parametrize("location", ["javascript:alert(1)", "mailto:x", "data:,x", "http://xn--/"])
def test_a_redirect_to_no_address_is_a_fault_of_the_service(location: str) -> None:
    w = wire(lambda request: httpx.Response(302, headers={"location": location}))
    with pytest.raises(ServerFault, match="redirects GET /v1/user/ to no address"):
        w.http.send("GET", "/v1/user/")
    assert len(w.requests) == 1


def test_five_redirects_are_followed() -> None:
    steps = [httpx.Response(307, headers={"location": f"/v1/{step}/"}) for step in range(5)]
    w = wire(script(*steps, ok()))
    assert w.http.send("GET", "/v1/user/").body == ok().content
    assert [request.url.path for request in w.requests] == ["/v1/user/", *(f"/v1/{step}/" for step in range(5))]


def test_a_redirect_to_another_port_is_told_with_it() -> None:
    elsewhere = httpx.Response(302, headers={"location": "https://books.example:8443/v1/user/"})
    w = wire(lambda request: elsewhere)
    with pytest.raises(ServerFault, match=r"to https://books\.example:8443, which"):
        w.http.send("GET", "/v1/user/")


def test_an_empty_body_may_be_called_packed() -> None:
    w = wire(lambda request: httpx.Response(204, headers={"content-encoding": "gzip"}, stream=Packed(b"", 9)))
    assert w.http.send("DELETE", "/v1/x/").body == b""


def test_a_bomb_takes_no_more_memory_than_a_body_may() -> None:
    packed = gzip.compress(b" " * 200_000_000)
    w = wire(
        lambda request: httpx.Response(200, headers={"content-encoding": "gzip"}, stream=Packed(packed, 131_072)),
    )
    tracemalloc.start()
    try:
        with pytest.raises(ServerFault, match="larger than"):
            w.http.send("GET", "/v1/user/", limit=Limit(1_000_000))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 5_000_000


def test_no_answer_ends_as_a_network_error_that_names_the_key() -> None:
    w = wire(script(httpx.ReadTimeout("slow")))
    with pytest.raises(NetworkError) as caught:
        w.http.send("POST", "/v1/business/", body=b"{}", key="k-1")
    assert "after 6 tries" in caught.value.message
    assert w.http.writes.last == Write(False, "POST", "/v1/business/", "k-1")


def test_the_last_write_that_was_done_or_may_have_been_is_known() -> None:
    w = wire(script(ok(), ok(), httpx.ReadTimeout("slow")))
    assert (w.http.writes.last, w.http.writes.any_done) == (None, False)
    w.http.send("POST", "/v1/business/", body=b"{}", key="k-1")
    assert (w.http.writes.last, w.http.writes.any_done) == (Write(True, "POST", "/v1/business/", "k-1"), True)
    w.http.send("GET", "/v1/user/")
    assert w.http.writes.last == Write(True, "POST", "/v1/business/", "k-1")
    with pytest.raises(NetworkError):
        w.http.send("POST", "/v1/business/", body=b"{}", key="k-2")
    assert (w.http.writes.last, w.http.writes.any_done) == (Write(False, "POST", "/v1/business/", "k-2"), True)


CUT = httpx.ReadError("reset")
NOBODY = httpx.ConnectError("refused")


@pytest.mark.parametrize(
    ("method", "outcomes", "may_be_done"),
    [
        ("POST", [NOBODY] * 6, False),
        ("POST", [httpx.Response(400)], False),
        # how web frameworks answer what they have done
        ("POST", [httpx.Response(302, headers={"location": "/there"})], True),
        ("POST", [httpx.Response(303, headers={"location": "/there"})], True),
        *(("POST", [httpx.Response(code, headers={"location": "/there"})], False) for code in (301, 307, 308)),
        # nobody waited for the end
        ("POST", [httpx.Response(408)], True),
        ("PATCH", [httpx.Response(499)], True),
        ("POST", [CUT, httpx.Response(400)], True),
        ("POST", [CUT, NOBODY, httpx.Response(422)], True),
        ("POST", [CUT, httpx.Response(307, headers={"location": "/there"})], True),
        ("POST", [NOBODY, httpx.Response(400)], False),
        ("POST", [httpx.Response(409)] * 40, True),
        ("POST", [httpx.Response(429)] * 6, False),
        ("POST", [httpx.Response(504), httpx.Response(400)], True),
        ("POST", [httpx.Response(500)], True),
        ("PATCH", [CUT], True),
        ("PATCH", [NOBODY] * 6, False),
        ("PATCH", [httpx.Response(409)], False),
        ("PUT", [CUT, httpx.Response(423)], True),
        ("DELETE", [CUT] * 6, True),
        ("DELETE", [httpx.Response(404)], False),
    ],
)
def test_a_write_that_may_be_done_is_known_whatever_ends_it(
    method: str, outcomes: list[httpx.Response | Exception], may_be_done: bool
) -> None:
    w = wire(script(*outcomes))
    key = "k-1" if method == "POST" else None
    with pytest.raises(AcctcliError):
        w.http.send(method, "/v1/business/demo/", body=b"{}", key=key)
    assert w.http.writes.last == (Write(False, method, "/v1/business/demo/", key) if may_be_done else None)


def test_a_refusal_leaves_the_write_before_it_known() -> None:
    w = wire(script(ok(), httpx.Response(400)))
    w.http.send("POST", "/v1/business/", body=b"{}", key="k-1")
    with pytest.raises(Rejected):
        w.http.send("PATCH", "/v1/business/demo/", body=b"{}")
    assert w.http.writes.last == Write(True, "POST", "/v1/business/", "k-1")


def test_a_token_that_comes_back_in_a_header_is_masked() -> None:
    w = wire(script(httpx.Response(200, headers={"x-echo": f"Token {TOKEN}"})))
    assert w.http.send("GET", "/v1/user/").headers["x-echo"] == "Token [hidden]"


@pytest.mark.parametrize("cut", [CUT, *map(httpx.Response, (502, 503, 504))])
def test_a_delete_that_was_cut_off_and_is_gone_now_was_done(cut: httpx.Response | Exception) -> None:
    w = wire(script(cut, httpx.Response(404, json={"code": "not_found", "detail": "There is no such record."})))
    assert w.http.send("DELETE", "/v1/business/demo/").status == 204
    assert w.http.writes.last == Write(True, "DELETE", "/v1/business/demo/", None)


@pytest.mark.parametrize(
    "gone",
    [
        httpx.Response(404),
        httpx.Response(404, text="<html><title>Not Found</title></html>"),
        httpx.Response(404, json={"message": "no Route matched with those values"}),
        httpx.Response(404, json={"code": "no_route", "detail": "Nobody is here."}),
    ],
)
def test_a_404_of_somebody_else_says_nothing_of_a_delete_that_was_cut_off(gone: httpx.Response) -> None:
    w = wire(script(httpx.Response(502), gone))
    with pytest.raises(NotFound):
        w.http.send("DELETE", "/v1/business/demo/")
    assert w.http.writes.last == Write(False, "DELETE", "/v1/business/demo/", None)


ERROR = {"code": "locked", "detail": "The period is locked."}
DENIALS: list[tuple[str, object]] = [
    *((method, ERROR) for method in ("POST", "PUT", "PATCH", "DELETE")),
    ("POST", {"error_code": "locked", "detail": "The period is locked.", "code": ["is locked"]}),
    ("DELETE", {"error": "locked"}),
    ("DELETE", {"success": False}),
    ("DELETE", {"deleted": False, "id": 1}),
    ("DELETE", ["The period is locked."]),
    ("DELETE", False),
]


@pytest.mark.parametrize(("method", "body"), DENIALS)
def test_a_success_that_denies_itself_is_none(method: str, body: object) -> None:
    w = wire(script(httpx.Response(200, json=body)))
    with pytest.raises(ServerFault, match="as if it were done, and says in it") as caught:
        w.http.send(method, "/v1/business/demo/", body=b"{}")
    assert caught.value.code == "unreadable_reply"


@pytest.mark.parametrize("body", [{"detail": "Deleted."}, {"id": 1, "detail": "x", "code": "y"}, {"error": None}, None])
def test_a_deletion_may_be_answered_with_something(body: object) -> None:
    w = wire(script(httpx.Response(200, json=body)))
    assert w.http.send("DELETE", "/v1/business/demo/").status == 200


def test_a_204_that_announces_a_body_is_no_success_of_a_deletion() -> None:
    w = wire(script(httpx.Response(204, headers={"content-length": "40"})))
    with pytest.raises(ServerFault, match="announces more"):
        w.http.send("DELETE", "/v1/business/demo/")
    w = wire(script(httpx.Response(204, headers={"content-length": "0"})))
    assert w.http.send("DELETE", "/v1/business/demo/").status == 204


def test_a_delete_of_what_never_was_is_not_found() -> None:
    w = wire(script(httpx.ConnectError("no"), httpx.Response(404)))
    with pytest.raises(NotFound):
        w.http.send("DELETE", "/v1/business/demo/")


def test_401_is_final() -> None:
    w = wire(script(httpx.Response(401)))
    with pytest.raises(NotAuthenticated):
        w.http.send("GET", "/v1/user/")
    assert len(w.requests) == 1


def test_without_a_token_nothing_is_sent() -> None:
    w = wire(script(ok()))
    w.http.access = None
    with pytest.raises(NotAuthenticated):
        w.http.send("GET", "/v1/user/")
    assert w.requests == []


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_redirects_of_writes_are_not_followed(method: str) -> None:
    w = wire(script(httpx.Response(307, headers={"location": "/elsewhere/"}), ok()))
    with pytest.raises(ServerFault, match="not followed"):
        w.http.send(method, "/v1/user/", body=b"{}")
    assert len(w.requests) == 1


@pytest.mark.parametrize(
    "target",
    [
        "https://evil.example/v1/user/",
        "http://books.example/v1/user/",
        "//evil.example/",
        "https://books.example:444/",
        "https://u:p@books.example/v1/user/",
    ],
)
def test_the_token_never_follows_a_redirect_to_another_host(target: str) -> None:
    w = wire(script(httpx.Response(301, headers={"location": target}), ok()))
    with pytest.raises(ServerFault, match="not followed"):
        w.http.send("GET", "/v1/user/")
    assert [str(request.url) for request in w.requests] == ["https://books.example/v1/user/"]


def test_a_read_is_redirected_within_the_host() -> None:
    w = wire(script(httpx.Response(301, headers={"location": "/v1/user/?a=1"}), ok()))
    w.http.send("GET", "/v1/user")
    assert str(w.requests[1].url) == "https://books.example/v1/user/?a=1"


def test_nothing_where_a_read_is_redirected_to_says_nothing_of_the_record() -> None:
    missing = httpx.Response(404, json={"code": "not_found", "detail": "Not found."})
    found = wire(script(httpx.Response(302, headers={"location": "/login"}), missing))
    with pytest.raises(ServerFault, match=r"redirects /v1/x/ to where nothing is"):
        found.http.send("GET", "/v1/x/")


def test_redirects_in_circles_end() -> None:
    w = wire(script(httpx.Response(302, headers={"location": "/v1/user/"})))
    with pytest.raises(ServerFault, match="circles"):
        w.http.send("GET", "/v1/user/")


def test_a_bomb_is_stopped_after_decompression() -> None:
    packed = gzip.compress(b" " * 8_000_000)
    w = wire(
        lambda request: httpx.Response(200, headers={"content-encoding": "gzip"}, content=packed),
    )
    with pytest.raises(ServerFault, match="larger than"):
        w.http.send("GET", "/v1/user/", limit=Limit(1_000_000))


@pytest.mark.parametrize("announced", ["1", "9", "4000", "-1", "many"])
def test_a_body_is_what_came_whatever_was_announced(announced: str) -> None:
    body = b'{"id": 7}'
    w = wire(lambda request: httpx.Response(200, headers={"content-length": announced}, content=body))
    assert w.http.send("GET", "/v1/user/").body == body


def test_what_is_announced_takes_no_memory_until_it_comes() -> None:
    announced = {"content-length": str(RECORD.size)}
    w = wire(lambda request: httpx.Response(200, headers=announced, content=b"{}"))
    tracemalloc.start()
    try:
        w.http.send("GET", "/v1/user/")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < RECORD.size / 8


def test_a_drip_is_stopped_by_the_deadline() -> None:
    w = wire(script(ok()), Policy(deadline=100))

    class Drip(httpx.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            while True:
                w.clock.sleep(20)
                yield b" "

    w.http.client = httpx.Client(transport=httpx.MockTransport(lambda request: httpx.Response(200, stream=Drip())))
    with pytest.raises(NetworkError, match="did not end in time"):
        w.http.send("GET", "/v1/user/")


def test_a_replay_is_said() -> None:
    w = wire(script(httpx.Response(201, headers={"Idempotent-Replayed": "true"}, json={})))
    w.http.send("POST", "/v1/business/", body=b"{}", key="k")
    assert w.ear.heard[-1] == "replayed k"


def test_a_dry_run_sends_no_write_and_shows_it_whole() -> None:
    w = wire(script(ok()))
    w.http.dry_run = True
    w.http.send("GET", "/v1/user/")
    with pytest.raises(Planned) as planned:
        w.http.send("POST", "/v1/business/", body=b'{"amount":10.10}', key="k")
    assert planned.value.as_json() == (
        b'{"method": "POST", "host": "https://books.example", "path": "/v1/business/", "idempotency_key": "k", '
        b'"body": {"amount":10.10}}'
    )
    assert [request.method for request in w.requests] == ["GET"]


def test_the_token_never_stands_in_an_error() -> None:
    body = {"detail": f"bad token {TOKEN}", "headers": [f"Token {TOKEN}"]}
    w = wire(script(httpx.Response(400, json=body)))
    with pytest.raises(Rejected) as caught:
        w.http.send("GET", "/v1/user/")
    assert TOKEN not in caught.value.message
    assert TOKEN not in str(caught.value.fields)
