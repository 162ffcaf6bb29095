"""Where deliveries may go: a host is resolved once, all its addresses are looked at, and one is connected to.

A service that posts to addresses which others write must not reach what only its own machine or network can: that is
refused, in whatever notation it is written, and whatever a name leads to (docs/interface.md 11.6).
"""

from __future__ import annotations

import socket
from concurrent.futures import Future
from contextlib import suppress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from acctcli.models.graph import has_odd_host, has_user, is_web_address

Address = tuple[int, Any]

PORTS = {"http": 80, "https": 443}

# of IPv4 what is not for everybody (IANA's registry of special addresses), relays of 6to4, and the one address among
# those of everybody at which a cloud tells a machine about itself
OWN_IPV4 = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "168.63.129.16/32", "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16",
            "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        ),
    )
)  # fmt: skip
# of IPv6 what is for everybody, and what of that is not: assignments of protocols (Teredo among them), examples, 6to4
ALL_IPV6 = IPv6Network("2000::/3")
OWN_IPV6 = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")))
# of both what may be allowed: this machine, and private networks (RFC 1918, RFC 4193)
PRIVATE_IPV4 = tuple(map(IPv4Network, ("10.0.0.0/8", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")))
PRIVATE_IPV6 = tuple(map(IPv6Network, ("::1/128", "fc00::/7")))
# and of that what may not: where clouds tell a machine about itself, its secrets among that
METADATA = tuple(map(IPv6Network, ("fd00:42::42/128", "fd00:c1::a9fe:a9fe/128", "fd00:ec2::/32", "fd20:ce::254/128")))


class Refused(Exception):
    """What cannot be delivered to; `kind` is one word for why."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class Target(NamedTuple):
    """Where to deliver; `name` is what a certificate must have, `place` what the Host header says."""

    is_tls: bool
    name: str
    port: int
    place: str
    path: str


def read_target(url: str) -> Target:
    """Return the parts of an address; Refused for one that is read in more than one way."""
    if not is_web_address(url) or has_user(url) or has_odd_host(url):
        raise Refused("target_invalid")
    parts = urlsplit(url)
    name = (parts.hostname or "").removesuffix(".")
    with suppress(ValueError):
        name = str(ip_address(name))
    path = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    return Target(parts.scheme == "https", name, parts.port or PORTS[parts.scheme], parts.netloc, path)


def find_addresses(target: Target, *, allows_private: bool, seconds: float = 15.0) -> list[Address]:
    """Return the addresses of a target, for a socket; Refused when there is none, or one that must not be reached.

    `allows_private`: this machine and private networks may be; link-local and other special addresses never are.
    TimeoutError when the system does not find them in time.
    """
    name = target.name.lower()
    if not allows_private and (name == "localhost" or name.endswith(".localhost")):
        raise Refused("target_forbidden")
    try:
        found = _look_up(target, seconds)
    except TimeoutError:
        raise
    except (OSError, UnicodeError):
        raise Refused("name_unknown") from None
    addresses = [(int(family), where) for family, *_, where in found if family in (socket.AF_INET, socket.AF_INET6)]
    if not addresses:
        raise Refused("name_unknown")
    hosts = [str(where[0]) for _, where in addresses]
    if not all(is_public(one) or (allows_private and is_private(one)) for one in hosts):
        raise Refused("target_forbidden")
    return addresses


def _look_up(target: Target, seconds: float) -> list[Any]:
    """Ask the system in a thread, unless the name is an address: nothing else limits how long it takes."""
    with suppress(ValueError):
        address = ip_address(target.name)
        family = socket.AF_INET if address.version == 4 else socket.AF_INET6
        return [(family, socket.SOCK_STREAM, 0, "", (target.name, target.port))]
    found: Future[list[Any]] = Future()

    def ask() -> None:
        try:
            found.set_result(socket.getaddrinfo(target.name, target.port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as fault:
            found.set_exception(fault)

    try:
        Thread(target=ask, daemon=True).start()
    except RuntimeError:  # the system grants no more of them
        raise Refused("unreachable") from None
    return found.result(seconds)


def is_public(text: str) -> bool:
    """Whether an address is one of the whole internet, and not another one in disguise."""
    address = _address(text)
    if isinstance(address, IPv4Address):
        return not any(address in own for own in OWN_IPV4)
    return address is not None and address in ALL_IPV6 and not any(address in own for own in OWN_IPV6)


def is_private(text: str) -> bool:
    """Whether an address is one of this machine or of a private network, and none that tells secrets of a machine."""
    address = _address(text)
    if isinstance(address, IPv4Address):
        return any(address in own for own in PRIVATE_IPV4)
    if address is None or any(address in own for own in METADATA):
        return False
    return any(address in own for own in PRIVATE_IPV6)


def _address(text: str) -> IPv4Address | IPv6Address | None:
    with suppress(ValueError):
        return ip_address(text.partition("%")[0])
    return None
