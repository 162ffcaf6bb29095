import ipaddress
from urllib.parse import urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from acctcli.errors import UsageError
from acctcli.settings.urls import is_loopback, normalise_url, origin

LABELS = st.from_regex(r"[a-z]([a-z0-9-]{0,10}[a-z0-9])?", fullmatch=True)
HOSTS = st.lists(LABELS, min_size=1, max_size=4).map(".".join)
STEPS = st.lists(st.from_regex(r"[a-z0-9_~-][a-z0-9._~-]{0,8}", fullmatch=True), max_size=3)


@pytest.mark.parametrize(
    ("given_url", "normal"),
    [
        ("https://api.example.com", "https://api.example.com"),
        ("HTTPS://API.Example.COM/", "https://api.example.com"),
        ("https://api.example.com:443/", "https://api.example.com"),
        ("https://api.example.com:8443/Api//", "https://api.example.com:8443/Api"),
        ("https://203.0.113.9/v0", "https://203.0.113.9/v0"),
        ("https://[2001:DB8:0::1]:444", "https://[2001:db8::1]:444"),
        ("http://localhost:8000/", "http://localhost:8000"),
        ("http://127.255.0.3:80", "http://127.255.0.3"),
        (f"https://{'a' * 63}.example", f"https://{'a' * 63}.example"),
        (f"https://{'a.' * 123}example", f"https://{'a.' * 123}example"),
        ("https://api.example.com:80", "https://api.example.com:80"),
        ("http://127.0.0.1:443", "http://127.0.0.1:443"),
        ("http://[0:0:0:0:0:0:0:1]:9", "http://[::1]:9"),
    ],
)
def test_normal_form(given_url: str, normal: str) -> None:
    assert normalise_url(given_url, "--base-url") == normal


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("", "it is empty"),
        ("api.example.com", "it does not start with https://"),
        ("ftp://api.example.com", "it does not start with https://"),
        ("http://api.example.com", "http is for this machine only"),
        ("http://128.0.0.1", "http is for this machine only"),
        ("http://127.0.0.1.example.com", "http is for this machine only"),
        ("http://localhost.example.com", "http is for this machine only"),
        ("http://0.0.0.0", "http is for this machine only"),
        ("http://[::ffff:127.0.0.1]", "http is for this machine only"),
        ("http://127.1", "its host is neither a name nor an IPv4 address"),
        ("http://2130706433", "its host is neither a name nor an IPv4 address"),
        ("http://0x7f.1", "its host is neither a name nor an IPv4 address"),
        ("http://127.0.0.01", "its host is neither a name nor an IPv4 address"),
        ("https://me:secret@api.example.com", "it holds a user name or password"),
        ("https://api.example.com?", "it holds a query or a fragment"),
        ("https://api.example.com/#", "it holds a query or a fragment"),
        ("https://api.example.com/a/../b", "its path holds an empty or relative step"),
        ("https://api.example.com/a//b", "its path holds an empty or relative step"),
        ("https://api.example.com/a[b]", "its path holds an empty or relative step"),
        ("https://api.example.com/%2e", "it is empty, or holds a character"),
        ("https://api.example.com\\.evil.com", "it is empty, or holds a character"),
        ("https://api.exa\nmple.com", "it is empty, or holds a character"),
        (" https://api.example.com", "it is empty, or holds a character"),
        ("https://bücher.example", "its host is beyond ASCII, where one letter looks like another: write it as xn--bc"),
        ("https://straße.example:444/x", "it is empty, or holds a character"),
        ("https://api.example/bücher", "it is empty, or holds a character"),
        ("https://[fe80::1%eth0]", "it is empty, or holds a character"),
        ("https://", "it names no valid host and port"),
        ("https:///path", "it names no valid host and port"),
        ("https://api.example.com:", "it names no valid host and port"),
        ("https://api.example.com:x", "it names no valid host and port"),
        ("https://a..b", "it names no valid host"),
        ("https://-a.example", "it names no valid host"),
        (f"https://{'a' * 64}.example", "it names no valid host"),
        (f"https://{'a.' * 123}examples", "it names no valid host"),
        ("https://api.example.com:0", "its port is 0"),
        ("https://api.example.com:70000", "Port out of range"),
        ("https://[::1", "Invalid IPv6 URL"),
        ("https://" + "a" * 2000, "it is longer than 2000 characters"),
    ],
)
def test_refusals_say_where_and_why_but_never_repeat_the_address(url: str, why: str) -> None:
    with pytest.raises(UsageError) as caught:
        normalise_url(url, "ACCTCLI_TESTING_LOGIN_URL", "login_url")
    assert caught.value.message.startswith(f"ACCTCLI_TESTING_LOGIN_URL: login_url is refused: {why}")
    assert "secret" not in caught.value.message
    assert list(caught.value.fields) == ["login_url"]


@given(HOSTS, st.integers(1, 65535), STEPS)
def test_a_good_address_is_accepted_and_its_normal_form_stays(host: str, port: int, steps: list[str]) -> None:
    normal = normalise_url(f"https://{host.upper()}:{port}/{'/'.join(steps)}/", "--base-url")
    assert normalise_url(normal, "--base-url") == normal
    parts = urlsplit(normal)
    assert (parts.scheme, parts.hostname, parts.port or 443) == ("https", host, port)
    assert parts.path == "".join(f"/{step}" for step in steps)
    assert origin(normal) == (f"https://{host}" if port == 443 else f"https://{host}:{port}")


@given(st.text(max_size=40).map("http".__add__) | st.text(alphabet="htps:/@?#.[]a1-\\%\n ", max_size=40))
@example("http://[::1]x")
@example("https://[::1]evil.example:443")
def test_whatever_is_accepted_has_no_hidden_part(text: str) -> None:
    try:
        normal = normalise_url(text, "--base-url")
    except UsageError:
        return
    parts = urlsplit(normal)
    assert parts.username is None
    assert parts.password is None
    assert (parts.query, parts.fragment) == ("", "")
    assert not normal.endswith("/")
    assert parts.hostname
    assert parts.scheme == "https" or is_loopback(parts.hostname)


@given(st.ip_addresses(v=4))
@example(ipaddress.IPv4Address("127.0.0.1"))
@example(ipaddress.IPv4Address("127.255.255.255"))
@example(ipaddress.IPv4Address("128.0.0.0"))
def test_loopback_is_127_slash_8(address: ipaddress.IPv4Address) -> None:
    assert is_loopback(str(address)) == address.is_loopback
