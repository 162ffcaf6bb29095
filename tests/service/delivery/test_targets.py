"""What a delivery must not reach, however it is written: for none of it is a connection made."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from acctcli.service.delivery.posting import Post
from acctcli.service.delivery.targets import Refused, find_addresses, is_private, is_public, read_target

# addresses that are for nobody outside, in the notation of everybody
OWN = (
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200", "100.127.255.254", "127.0.0.1",
    "127.0.0.2", "127.1.2.3", "127.255.255.255", "168.63.129.16", "169.254.0.1", "169.254.169.254", "169.254.170.2",
    "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.8", "192.0.0.170", "192.0.2.1", "192.88.99.1", "192.168.0.1",
    "192.168.255.255", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "224.0.0.251",
    "239.255.255.250", "240.0.0.1", "255.255.255.254", "255.255.255.255",
)  # fmt: skip
OWN_6 = (
    "::", "::1", "::2", "::127.0.0.1", "::10.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
    "::ffff:192.168.0.1", "::ffff:8.8.8.8", "::ffff:7f00:1", "::ffff:0:127.0.0.1", "0:0:0:0:0:ffff:127.0.0.1",
    "64:ff9b::7f00:1", "64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b::8.8.8.8", "64:ff9b:1::1",
    "64:ff9b:1::127.0.0.1", "100::1", "100:0:0:1::1", "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:0:7f00:1::", "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1", "2001:1::1", "2001:1ff:ffff::1",
    "2002::1", "2002:7f00:1::", "2002:0a00:0001::1", "2002:a9fe:a9fe::", "2002:c0a8:1::1", "3fff::1", "3fff:fff::1",
    "4000::1", "5f00::1", "fc00::1", "fd00::1", "fd00:42::42", "fd00:c1::a9fe:a9fe", "fd00:ec2::254", "fd00:ec2::23",
    "fd20:ce::254", "fdff:ffff::1", "fe80::1", "fe80::a9fe:a9fe", "febf::1", "fec0::1", "feff::1", "ff00::1", "ff02::1",
    "ff02::fb", "ff05::2", "ff0e::1", "::ffff:0:0", "1::1", "e000::1", "f000::1",
)  # fmt: skip
# of those what a service may be allowed to reach: this machine and private networks
PRIVATE = {
    "10.0.0.1", "10.255.255.255", "127.0.0.1", "127.0.0.2", "127.1.2.3", "127.255.255.255", "172.16.0.1",
    "172.31.255.255", "192.168.0.1", "192.168.255.255", "::1", "fc00::1", "fd00::1", "fdff:ffff::1",
}  # fmt: skip
# 127.0.0.1, 10.0.0.1, 169.254.169.254 and others as systems read them, and not as everybody writes them
ODD = (
    "2130706433", "2130706433.", "017700000001", "0x7f000001", "0X7F000001", "0x7f.0.0.1", "0x7f.1", "127.1", "127.0.1",
    "0177.0.0.1", "0177.0.0.01", "127.0.0.01", "127.0.0.0x1", "127.00.00.01", "0127.0.0.1", "00000177.0.0.1",
    "0x7f.0x0.0x0.0x1",
    "0", "0x0", "00", "0.0", "0.0.0", "1", "127", "167772161", "0xa000001", "012.0.0.1", "10.1", "10.0.1",
    "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.254.43518", "169.16689662", "3232235521", "0xc0a80001",
    "192.168.1", "192.11010049", "127.0.0.1.", "127.0.0.256", "127.0.0.1.1", "256.256.256.256", "4294967295",
    "4294967296", "0x100000000", "08", "0x", "0xg.1", "host.127", "example.0x7f", "a.b.c.1", "evil.com.2130706433",
)  # fmt: skip
# hosts and addresses that one reader takes for another than the next one does
STRANGE = (
    "http://127.0.0.1@example.com/", "http://example.com@127.0.0.1/", "http://user:pass@example.com/",
    "http://example.com:80@127.0.0.1/", "http://127.0.0.1\\@example.com/", "http://example.com\\@127.0.0.1/",
    "http://example.com\\.evil.com/", "http:\\\\127.0.0.1/", "http:/127.0.0.1/", "http:127.0.0.1/", "http:///127.0.0.1/",
    "http://", "http:///", "https://", "//127.0.0.1/", "/127.0.0.1/", "127.0.0.1", "", " ", "http:// /",
    " http://127.0.0.1/", "http://127.0.0.1 /", "http://127.0.0.1\t/", "http://127.0.0.1\n/", "http://exa mple.com/",
    "http://example.com/\r\nX: y", "http://example.com\r\n/", "http://exa\tmple.com/", "http://example.com/\x00",
    "ftp://example.com/", "file:///etc/passwd", "gopher://127.0.0.1:25/", "dict://127.0.0.1/", "ldap://127.0.0.1/",
    "javascript:alert(1)", "data:text/plain,x", "unix:///var/run/docker.sock", "HTTP+UNIX://x/", "ws://127.0.0.1/",
    "http://[::1/", "http://::1/", "http://[::1]x/", "http://[::1]:/", "http://[127.0.0.1]/", "http://[::1%25lo]/",
    "http://[fe80::1%25eth0]/", "http://[fe80::1%eth0]/", "http://[v1.fe80]/", "http://[]/", "http://[::g]/",
    "http://[::ffff:127.0.0.1.]/", "http://[::1].example.com/", "http://[0:0:0:0:0:0:0:0:1]/",
    "http://example.com:0/", "http://example.com:65536/", "http://example.com:99999/", "http://example.com:-1/",
    "http://example.com:8o/", "http://example.com: 80/", "http://example.com:80:80/", "http://example.com:\u0661/",
    "http://example..com/", "http://.example.com/", "http://example.com../", "http://./", "http://../",
    "http://-example.com/", "http://example-.com/", "http://*/", "http://*.example.com/", "http://exa_mple_.com/",
    "http://%31%32%37.0.0.1/", "http://127%2e0%2e0%2e1/", "http://localhost%00.example.com/", "http://%6c%6f/",
    "http://localhost;.example.com/", "http://localhost,example.com/", "http://localhost!/", "http://(localhost)/",
    "http://loc$alhost/", "http://{localhost}/", "http://localhost|example.com/", "http://`id`.example.com/",
    "http://\u2460\u2461\u2466.\u24ea.\u24ea.\u2460/", "http://\uff11\uff12\uff17.0.0.1/", "http://127\u30020\u30020\u30021/",
    "http://127\uff0e0\uff0e0\uff0e1/", "http://127\uff610\uff610\uff611/", "http://\u0661\u0662\u0667.0.0.1/",
    "http://\uff4c\uff4f\uff43\uff41\uff4c\uff48\uff4f\uff53\uff54/", "http://lo\u00adcalhost/", "http://localho\u017ft/",
    "http://local\u200bhost/", "http://\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3/", "http://b\u00fccher.example/",
    f"http://{'a' * 64}.example.com/", f"http://{'a.' * 130}com/", "http://example.com\u2215@127.0.0.1/",
    "http://example.com?@127.0.0.1:x@y\n/",
)  # fmt: skip
NAMED = ("localhost", "LOCALHOST", "localhost.", "LocalHost", "a.localhost", "a.b.localhost", "foo.LOCALHOST.")
HOSTILE = [
    *(f"http://{one}/hook" for one in (*OWN, *ODD, *NAMED)),
    *(f"https://{one}:8443/hook" for one in OWN),
    *(f"http://[{one}]/hook" for one in OWN_6),
    *STRANGE,
]


class Touched(OSError):
    """Somebody was about to connect."""


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What was connected to, of all sockets."""
    asked: list[object] = []

    class Socket(socket.socket):
        def connect(self, address: Any, /) -> None:
            asked.append(address)
            raise Touched

        connect_ex = connect  # type: ignore[assignment]

    monkeypatch.setattr(socket, "socket", Socket)
    return asked


def test_there_are_many_hostile_addresses() -> None:
    assert len(set(HOSTILE)) == len(HOSTILE) >= 200


@pytest.mark.together
@pytest.mark.parametrize("url", HOSTILE, ids=ascii)
def test_nothing_is_connected_to(url: str, connected: list[object]) -> None:
    with pytest.raises(Refused) as refused:
        Post(allows_private=False)(url, {}, b"{}")
    assert connected == []
    assert refused.value.kind in ("target_forbidden", "target_invalid")


@pytest.mark.together
@pytest.mark.parametrize("url", [f"http://{one}/" for one in ODD if one != "127.0.0.1."] + list(STRANGE), ids=ascii)
def test_odd_notations_are_refused_also_where_all_may_be_reached(url: str, connected: list[object]) -> None:
    with pytest.raises(Refused, match="target_invalid"):
        Post(allows_private=True)(url, {}, b"{}")
    assert connected == []


def urls(addresses: Iterable[str]) -> list[str]:
    return [f"http://[{one}]:81/" if ":" in one else f"http://{one}:81/" for one in addresses]


@pytest.mark.together
@pytest.mark.parametrize("url", urls(one for one in (*OWN, *OWN_6) if one not in PRIVATE))
def test_what_is_neither_public_nor_private_is_refused_also_where_private_is_allowed(
    url: str, connected: list[object]
) -> None:
    with pytest.raises(Refused, match="target_forbidden"):
        Post(allows_private=True)(url, {}, b"{}")
    assert connected == []


@pytest.mark.parametrize("url", urls(sorted(PRIVATE)))
def test_this_machine_and_private_networks_may_be_allowed(url: str, connected: list[Any]) -> None:
    with pytest.raises(Refused, match="unreachable"):
        Post(allows_private=True)(url, {}, b"{}")
    assert [f"{where[0]}" for where in connected] == [url.removeprefix("http://").rpartition(":")[0].strip("[]")]


Answers = list[tuple[Any, ...]]


def answers(*addresses: str) -> Answers:
    family = {True: socket.AF_INET6, False: socket.AF_INET}
    return [(family[":" in one], socket.SOCK_STREAM, 6, "", (one, 80)) for one in addresses]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], Answers]], list[object]]:
    """Lets names lead where a test says; tells what was asked for."""
    asked: list[object] = []

    def lead(answer: Callable[[], Answers]) -> list[object]:
        def getaddrinfo(host: object, port: object, **_: object) -> Answers:
            asked.append((host, port))
            return answer()

        monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
        return asked

    return lead


@pytest.mark.together
@pytest.mark.parametrize("own", [*OWN, *OWN_6])
def test_a_name_that_leads_there_is_refused_wherever_else_it_leads(
    own: str, names: Any, connected: list[object]
) -> None:
    for found in (answers(own), answers("93.184.216.34", own), answers("2606:2800:220:1::1", own)):
        names(lambda found=found: found)
        with pytest.raises(Refused, match="target_forbidden"):
            Post(allows_private=False)("https://shop.example/", {}, b"{}")
    assert connected == []


@pytest.mark.together
@pytest.mark.parametrize("special", [one for one in (*OWN, *OWN_6) if one not in PRIVATE])
def test_a_name_that_leads_to_a_special_address_is_refused_also_where_private_is_allowed(
    special: str, names: Any, connected: list[object]
) -> None:
    for found in (answers(special), answers("93.184.216.34", special), answers("127.0.0.1", special)):
        names(lambda found=found: found)
        with pytest.raises(Refused, match="target_forbidden"):
            Post(allows_private=True)("https://metadata.example/", {}, b"{}")
    assert connected == []


def test_a_name_is_asked_for_once_and_its_address_is_connected_to(names: Any, connected: list[object]) -> None:
    """A server of names that answers otherwise the second time is not asked a second time."""
    replies = iter([answers("93.184.216.34"), answers("127.0.0.1")])
    looked_up = names(lambda: next(replies))
    with pytest.raises(Refused, match="unreachable"):
        Post(allows_private=False)("http://rebinding.example/", {}, b"{}")
    assert looked_up == [("rebinding.example", 80)]
    assert connected == [("93.184.216.34", 80)]


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "93.184.216.34", "1.1.1.1", "2606:4700::1111", "2a00:1450::1", "2001:4860:4860::8888"]
)
def test_others_are_public(address: str) -> None:
    assert is_public(address)


def test_what_is_no_address_is_not() -> None:
    assert not is_public("shop.example")
    assert not is_private("shop.example")


def test_a_target_is_read() -> None:
    assert read_target("https://shop.example/a/b?c=d#e") == (True, "shop.example", 443, "shop.example", "/a/b?c=d")
    assert read_target("http://shop.example.:8080") == (False, "shop.example", 8080, "shop.example.:8080", "/")
    assert read_target("http://[2606:4700::1111]:81/") == (False, "2606:4700::1111", 81, "[2606:4700::1111]:81", "/")


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost"])
def test_this_machine_is_found_where_that_is_allowed(host: str) -> None:
    found = find_addresses(read_target(f"http://{host}:81/"), allows_private=True)
    assert {where[1] for _, where in found} == {81}


def test_a_name_that_nobody_knows(names: Any) -> None:
    def unknown() -> Answers:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    names(unknown)
    with pytest.raises(Refused, match="name_unknown"):
        find_addresses(read_target("http://nowhere.example/"), allows_private=True)
    names(list)
    with pytest.raises(Refused, match="name_unknown"):
        find_addresses(read_target("http://nowhere.example/"), allows_private=True)


def test_a_look_up_that_gets_no_thread_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("acctcli.service.delivery.targets.Thread.start", start)
    with pytest.raises(Refused) as refused:
        find_addresses(read_target("http://shop.example/"), allows_private=False, seconds=5)
    assert refused.value.kind == "unreachable"
