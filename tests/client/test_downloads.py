"""Downloads: no credential leaves, no address leads where it should not, what comes is counted."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from acctcli.client import downloads
from acctcli.client.downloads import PDF, XML, AddressRefused, Budget, ContentKind, Fetcher, kind_of
from acctcli.client.retry import Policy
from acctcli.client.transport import IN_PROCESS
from acctcli.errors import Incomplete, NetworkError, ServerFault
from tests.cli.recorder import Answer, Recorder, Sent, recorder
from tests.client.wire import TOKEN, Handler, Wire, script, wire

ADDRESS = "https://files.example/a/b?signature=s"
CONTENT = b"%PDF-" + bytes(range(256)) * 20


def nobody(request: httpx.Request) -> httpx.Response:
    raise AssertionError(f"the service itself is asked for {request.url}")


ANYTHING = kind_of("a.bin")
PAGE = b"<!DOCTYPE html><title>Sign in</title>"


class Downloads(NamedTuple):
    """A fetcher, what its own requests were, and the connection to the service behind it."""

    fetcher: Fetcher
    asked: list[httpx.Request]
    wire: Wire

    def fetch(self, address: str = ADDRESS, kind: ContentKind = ANYTHING) -> bytes:
        into = io.BytesIO()
        assert self.fetcher.fetch(address, into, kind) == len(into.getvalue())
        return into.getvalue()


At = Callable[..., Downloads]


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> At:
    """Make a place where every host on the network is one handler: `at(handler)`."""

    def place(handler: Handler, *, base_url: str = "https://books.example", most: int = 2**30) -> Downloads:
        w = wire(nobody, Policy(attempts=4), base_url=base_url)
        asked: list[httpx.Request] = []

        def noted(request: httpx.Request) -> httpx.Response:
            asked.append(request)
            return handler(request)

        def client(url: str, ca_file: Path | None) -> httpx.Client:
            return httpx.Client(transport=httpx.MockTransport(noted))

        monkeypatch.setattr(downloads, "network_client", client)
        return Downloads(Fetcher(w.http, Budget(most)), asked, w)

    return place


def good(content: bytes = CONTENT, **headers: str) -> Handler:
    """Answer with a file, as often as it is asked for."""
    length = {"content-length": str(len(content))}
    return lambda request: httpx.Response(200, stream=httpx.ByteStream(content), headers=length | headers)


def one_by_one(*handlers: Handler) -> Handler:
    """Ask each of these once, then the last one for ever."""
    rest = list(handlers)

    def answer(request: httpx.Request) -> httpx.Response:
        handler = rest.pop(0) if len(rest) > 1 else rest[0]
        return handler(request)

    return answer


def redirect(to: str, status: int = 302) -> httpx.Response:
    return httpx.Response(status, headers={"location": to})


def test_the_content_comes_and_no_credential_goes(at: At) -> None:
    place = at(good())
    assert place.fetch() == CONTENT
    request = place.asked[0]
    assert str(request.url) == ADDRESS
    assert set(request.headers) == {"host", "accept", "accept-encoding", "user-agent"}
    assert request.headers["accept-encoding"] == "identity"
    assert TOKEN not in str(request.headers)
    assert place.wire.requests == []


@pytest.mark.together
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_another_host_is_followed_with_nothing_in_hand(at: At, status: int) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.host == "files.example":
            cookie = {"location": "https://store.example/c", "set-cookie": "session=1; Domain=example"}
            return httpx.Response(status, headers=cookie)
        return good()(request)

    place = at(answer)
    assert place.fetch() == CONTENT
    assert [str(one.url) for one in place.asked] == [ADDRESS, "https://store.example/c"]
    assert all(not {"authorization", "cookie", "x-client"} & set(one.headers) for one in place.asked)


@pytest.mark.together
@pytest.mark.parametrize(
    "address",
    [
        "http://files.example/a",
        "http://127.0.0.1:8320/a",
        "https://127.0.0.1/a",
        "https://localhost/a",
        "http://in-process/v1/content/a/",
        "https://user:secret@files.example/a",
        "https://token@files.example/a",
        "https://:secret@files.example/a",
        "ftp://files.example/a",
        "file:///etc/passwd",
        "//files.example/a",
        "/v1/content/a/",
        "",
        "https://",
        "https://[::1]/",
        "https://files.example:99999/",
        "javascript:alert(1)",
        "https://xn--/",
    ],
)
def test_an_address_that_leads_elsewhere_is_refused(at: At, address: str) -> None:
    place = at(good())
    with pytest.raises(ServerFault) as caught:
        place.fetch(address)
    assert caught.value.code == "unsafe_address"
    assert (place.asked, place.wire.requests) == ([], [])


@pytest.mark.together
@pytest.mark.parametrize(
    "target",
    [
        "http://files.example/a",
        "http://127.0.0.1/a",
        "https://127.0.0.1/a",
        "http://in-process/a",
        "https://token@files.example/a",
        "file:///etc/passwd",
    ],
)
def test_a_redirect_that_leads_elsewhere_is_refused(at: At, target: str) -> None:
    place = at(one_by_one(script(redirect(target)), good()))
    with pytest.raises(ServerFault) as caught:
        place.fetch()
    assert (caught.value.code, len(place.asked)) == ("unsafe_address", 1)


def test_a_host_elsewhere_never_leads_back_to_this_machine(at: At) -> None:
    place = at(lambda request: redirect("http://127.0.0.1:8320/a"), base_url="http://127.0.0.1:8320")
    with pytest.raises(ServerFault, match="only https is"):
        place.fetch()
    assert len(place.asked) == 1


def test_a_circle_of_redirects_ends(at: At) -> None:
    place = at(script(redirect("https://files.example/again")))
    with pytest.raises(ServerFault, match="in circles"):
        place.fetch()
    assert len(place.asked) == 6


def test_whoever_asks_for_a_credential_gets_none(at: At) -> None:
    asking = httpx.Response(401, headers={"www-authenticate": 'Basic realm="books", Token'})
    place = at(script(asking))
    with pytest.raises(ServerFault, match="401"):
        place.fetch()
    assert len(place.asked) == 1
    assert "authorization" not in place.asked[0].headers


@pytest.mark.together
@pytest.mark.parametrize("status", [403, 404, 410])
def test_an_address_that_is_over_is_told_apart(at: At, status: int) -> None:
    with pytest.raises(AddressRefused, match=str(status)):
        at(script(httpx.Response(status))).fetch()


@pytest.mark.together
@pytest.mark.parametrize("status", [204, 206, 304, 400, 500, 418])
def test_other_answers_are_no_file(at: At, status: int) -> None:
    place = at(script(httpx.Response(status, content=b"")))
    with pytest.raises(ServerFault, match=str(status)):
        place.fetch()
    assert len(place.asked) == 1


class Cut(httpx.SyncByteStream):
    """A reply that breaks off."""

    def __iter__(self):  # type: ignore[no-untyped-def]
        yield b"half"
        raise httpx.ReadError("reset")


def test_a_broken_connection_begins_again_from_nothing(at: At) -> None:
    cut = httpx.Response(200, stream=Cut())
    place = at(one_by_one(script(cut), script(httpx.ConnectError("no")), script(httpx.Response(503)), good()))
    assert place.fetch() == CONTENT
    assert len(place.asked) == 4
    assert len(place.wire.clock.pauses) == 3


def test_nothing_of_a_longer_try_is_left_behind_a_shorter_file(at: At) -> None:
    place = at(one_by_one(script(httpx.Response(200, stream=Cut())), good(b"%P")))
    assert place.fetch() == b"%P"


def test_tries_are_used_up(at: At) -> None:
    place = at(script(httpx.ConnectError("refused")))
    with pytest.raises(NetworkError, match=r"files\.example"):
        place.fetch()
    assert len(place.asked) == 4


@pytest.mark.together
@pytest.mark.parametrize("length", ["0", "5", "100000"])
def test_a_size_that_is_not_the_announced_one_is_no_whole_file(at: At, length: str) -> None:
    with pytest.raises(NetworkError, match=r"of \d+ bytes came"):
        at(good(CONTENT, **{"content-length": length})).fetch()


def test_nothing_at_all_is_a_file_only_where_that_is_said(at: At) -> None:
    place = at(lambda request: httpx.Response(200, stream=httpx.ByteStream(b"")))
    with pytest.raises(NetworkError, match="without a file"):
        place.fetch()
    assert at(good(b"")).fetch() == b""


def test_an_encoding_that_was_not_asked_for_is_refused(at: At) -> None:
    with pytest.raises(ServerFault, match="encoding"):
        at(script(httpx.Response(200, stream=httpx.ByteStream(b"x"), headers={"content-encoding": "br"}))).fetch()


def test_all_files_together_have_a_limit(at: At) -> None:
    place = at(one_by_one(*(good(b"x" * size) for size in (600_000, 600_000, 400_000, 100_000))), most=2**20)
    place.fetch()
    with pytest.raises(Incomplete, match="more than 1 MiB"):
        place.fetch()
    # what failed has not used the rest up
    assert len(place.fetch()) == 400_000
    with pytest.raises(Incomplete):
        place.fetch()


def test_files_may_have_all_that_the_limit_allows(at: At) -> None:
    place = at(one_by_one(good(b"x" * 2**19), good(b"y" * 2**19), good(b""), good(b"z")), most=2**20)
    assert [len(place.fetch()) for _ in range(3)] == [2**19, 2**19, 0]
    with pytest.raises(Incomplete, match="more than 1 MiB"):
        place.fetch()


def test_what_came_in_vain_does_not_count(at: At) -> None:
    short = good(b"x" * 600_000, **{"content-length": "600001"})
    place = at(one_by_one(short, good(b"x" * 600_000)), most=2**20)
    assert len(place.fetch()) == 600_000


def test_a_file_that_never_ends_is_given_up(at: At) -> None:
    class Drip(httpx.SyncByteStream):
        def __iter__(self):  # type: ignore[no-untyped-def]
            while True:
                place.wire.clock.time += 100
                yield b"x"

    place = at(script(httpx.Response(200, stream=Drip())))
    with pytest.raises(NetworkError, match="in time"):
        place.fetch()
    assert place.wire.clock.time < 2000


@pytest.mark.together
@pytest.mark.parametrize(
    ("content", "media", "kind", "is_it"),
    [
        (b"%PDF-1.7 x", "application/pdf", PDF, True),
        (b"%PDF-1.7 x", "", PDF, True),
        (b"\r\njunk %PDF-1.7 x", "binary/octet-stream", PDF, True),
        (PAGE, "text/html; charset=utf-8", PDF, False),
        (PAGE, "application/pdf", PDF, False),
        (b"", "application/pdf", PDF, False),
        (b"<?xml version='1.0'?><a/>", "text/xml", XML, True),
        (b"\xef\xbb\xbf\n<Invoice/>", "", XML, True),
        (PAGE, "text/xml", XML, False),
        (b"{}", "text/xml", XML, False),
        (b"", "text/xml", XML, False),
        (PAGE, "TEXT/HTML", kind_of("receipt.png"), False),
        (PAGE, "text/html", kind_of("page.HTML"), True),
        (PAGE, "text/plain", kind_of("page.txt"), True),
        (b"", "image/png", kind_of("empty.png"), True),
    ],
)
def test_what_comes_is_of_the_kind_that_was_asked_for(
    at: At,
    content: bytes,
    media: str,
    kind: ContentKind,
    is_it: bool,
) -> None:
    place = at(good(content, **{"content-type": media}))
    if is_it:
        assert place.fetch(kind=kind) == content
    else:
        with pytest.raises(ServerFault, match="something else instead of the file"):
            place.fetch(kind=kind)
        assert len(place.asked) == 1


def test_no_error_holds_the_token(at: At) -> None:
    place = at(script(httpx.Response(500)))
    with pytest.raises(ServerFault) as caught:
        place.fetch(f"https://{TOKEN}.example/")
    assert TOKEN not in caught.value.message


# --- on this machine ---


def test_a_service_on_this_machine_may_keep_its_files_here() -> None:
    def answer(sent: Sent) -> Answer:
        if sent.path == "/a":
            return Answer(302, b"", {"Location": "/b"})
        return Answer(200, CONTENT, {"Content-Type": "application/pdf"})

    with recorder(answer) as server:
        with local(server.base_url) as place:
            assert place.fetch(f"{server.base_url}/a") == CONTENT
        assert_bare(server, ["/a", "/b"])


def test_another_port_of_this_machine_gets_no_credential_either() -> None:
    answer = Answer(200, CONTENT, {"Content-Type": "application/pdf"})
    with recorder(answer) as service, recorder(answer) as host:
        with local(service.base_url) as place:
            assert place.fetch(f"{host.base_url}/a") == CONTENT
        assert service.sent == []
        assert_bare(host, ["/a"])


def test_a_short_file_is_noticed_on_the_wire() -> None:
    short = Answer(200, CONTENT, {"Content-Length": str(len(CONTENT) + 1)})

    def answer(sent: Sent) -> Answer:
        return short if len(server.sent) == 1 else Answer(200, CONTENT, {})

    with recorder(answer) as server:
        # the client waits for the byte that never comes, then begins again
        with local(server.base_url, read=0.3) as place:
            assert place.fetch(f"{server.base_url}/a") == CONTENT
        assert len(server.sent) == 2


@contextmanager
def local(base_url: str, read: float = 30.0) -> Iterator[Downloads]:
    """A place with real sockets."""
    w = wire(nobody, Policy(read=read), base_url=base_url)
    with closing(Fetcher(w.http, Budget(2**30))) as fetcher:
        yield Downloads(fetcher, [], w)


def assert_bare(server: Recorder, paths: list[str]) -> None:
    assert [sent.path for sent in server.sent] == paths
    for sent in server.sent:
        assert set(sent.headers) <= {"host", "accept", "accept-encoding", "user-agent", "connection"}
        assert TOKEN not in str(sent.headers)


# --- in this process ---


def test_the_embedded_service_is_asked_in_process_and_without_a_token() -> None:
    w = wire(good(), base_url=IN_PROCESS)
    place = Downloads(Fetcher(w.http, Budget(2**30)), [], w)
    assert place.fetch(f"{IN_PROCESS}/v1/content/a/?signature=s") == CONTENT
    assert [request.headers.get("authorization") for request in w.requests] == [None]


@pytest.mark.parametrize("address", [f"{IN_PROCESS}.example/a", "http://in-process@evil.example/a", "http://evil/a"])
def test_what_only_looks_like_it_is_not_in_process(address: str) -> None:
    w = wire(good(), base_url=IN_PROCESS)
    with pytest.raises(ServerFault):
        Fetcher(w.http, Budget(2**30)).fetch(address, io.BytesIO(), ANYTHING)
    assert w.requests == []


def test_a_redirect_to_a_host_that_is_no_name_is_a_fault(at: At) -> None:
    with pytest.raises(ServerFault, match=r"files\.example redirects to no address"):
        at(lambda request: redirect("http://xn--/")).fetch()
