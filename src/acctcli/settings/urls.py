"""Hosts: https, or http on this machine; nothing in the address but scheme, host, port and path."""

from __future__ import annotations

import ipaddress  # costs nothing: urllib.parse imports it
import re
from urllib.parse import SplitResult, urlsplit

from acctcli.errors import UsageError

# the variable that says where people sign in to the local service
PUBLIC_URL = "ACCTCLI_PUBLIC_URL"
_LONGEST = 2000
_DEFAULT_PORTS = {"https": 443, "http": 80}
_CHARACTERS = re.compile(r"[A-Za-z0-9._~:/\[\]-]+")
_NETLOC = re.compile(r"(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?", re.IGNORECASE)
# ß, the last sigma of a word, and what joins letters or keeps them apart
_OF_TWO_NAMES = set("\u00df\u03c2\u200c\u200d")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")


def normalise_url(text: str, source: str, field: str = "base_url") -> str:
    """Return the one normal form of an address: lower-case host, no default port, no trailing slash.

    Raise UsageError naming `source` and `field`; it never repeats an address that may hold a password.
    """
    try:
        _check_characters(text)
        parts = urlsplit(text)
        return _normal_form(parts)
    except ValueError as error:
        why = str(error)
        raise UsageError(f"{source}: {field} is refused: {why}", fields={field: [why]}) from None


def public_address(given: str | None, source: str) -> str | None:
    """Return where people sign in to a service, scheme, host and port; raise UsageError for what has more."""
    if not given:
        return None
    address = normalise_url(given, source, "public_url")
    if origin(address) != address:
        raise UsageError(f"{source} is scheme, host and port, without a path")
    return address


def origin(url: str) -> str:
    """Return scheme, host and port of a normalised address: what a token belongs to."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def is_loopback(host: str) -> bool:
    """Tell whether `host` is this machine: 127.0.0.0/8, ::1 or localhost."""
    return host in {"localhost", "::1"} or (host.startswith("127.") and _is_ipv4(host))


def _check_characters(text: str) -> None:
    # before urlsplit, which drops line breaks and tabs without a word
    if len(text) > _LONGEST:
        raise ValueError(f"it is longer than {_LONGEST} characters")
    if "@" in text:
        raise ValueError("it holds a user name or password")
    if "?" in text or "#" in text:
        raise ValueError("it holds a query or a fragment")
    if not text.isascii() and (host := _in_ascii(text)):
        raise ValueError(f"its host is beyond ASCII, where one letter looks like another: write it as {host}")
    if not _CHARACTERS.fullmatch(text):
        raise ValueError("it is empty, or holds a character that has no place in a host address")


def _in_ascii(text: str) -> str:
    """Return the host of an address as the domain name system has it; nothing where that is no name, or not the fault.

    Python knows the names of 2003 (RFC 3490), which have four letters otherwise than those of today (RFC 5891).
    """
    try:
        host = urlsplit(text).hostname or ""
        return "" if host.isascii() or set(host) & _OF_TWO_NAMES else host.encode("idna").decode()
    except ValueError:
        return ""


def _normal_form(parts: SplitResult) -> str:
    scheme, path = parts.scheme, parts.path.rstrip("/")
    if scheme not in _DEFAULT_PORTS:
        raise ValueError("it does not start with https://")
    if not _NETLOC.fullmatch(parts.netloc):
        raise ValueError("it names no valid host and port")
    host = _host(parts)
    if scheme == "http" and not is_loopback(host):
        raise ValueError("http is for this machine only (127.0.0.1, ::1, localhost); use https")
    if not _is_path(path):
        raise ValueError("its path holds an empty or relative step")
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown}{_port(parts)}{path}"


def _host(parts: SplitResult) -> str:
    host = parts.hostname or ""
    if parts.netloc.startswith("["):
        return ipaddress.IPv6Address(host).compressed
    labels = host.split(".")
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise ValueError("it names no valid host")
    # 127.1, 0x7f.1 and 2130706433 are addresses to some resolvers and names to others
    if labels[-1][0].isdigit() and not _is_ipv4(host):
        raise ValueError("its host is neither a name nor an IPv4 address")
    return host


def _is_ipv4(host: str) -> bool:
    try:
        ipaddress.IPv4Address(host)
    except ValueError:
        return False
    return True


def _port(parts: SplitResult) -> str:
    if parts.port == 0:
        raise ValueError("its port is 0")
    return "" if parts.port in {None, _DEFAULT_PORTS[parts.scheme]} else f":{parts.port}"


def _is_path(path: str) -> bool:
    steps = path.split("/")[1:]
    return not any(step in {"", ".", ".."} for step in steps) and not set(path) & set("[]")
