"""Where a workflow may send to: hosts of the internet, unless the service says otherwise (docs/interface.md 11.3)."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from acctcli.service.problems import Precondition

# addresses that stand for others, which may be private
TRANSLATED = ip_network("64:ff9b::/96")


@dataclass(frozen=True, slots=True)
class Targets:
    """Which hosts may be sent to; `with_private`: also this machine and its network."""

    with_private: bool = False

    def address_of(self, host: str, port: int) -> str:
        """Return the address that a host is to be reached at.

        Raises Precondition for a host that has none or may not be sent to. Whoever sends connects to this address: the
        name may lead elsewhere a moment later.
        """
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise Precondition(f"There is no host {host}.") from error
        addresses = [str(one[4][0]) for one in found]
        for address in addresses:
            if self.with_private or is_public(address):
                return address
        raise Precondition(f"The host {host} is this machine or one of a private network: nothing is sent there.")


def is_public(address: str) -> bool:
    """Say whether an address is one of the internet; one that stands for another address is what that is."""
    one = ip_address(address.partition("%")[0])
    if isinstance(one, IPv6Address):
        inner: IPv4Address | None = one.ipv4_mapped or one.sixtofour
        if one in TRANSLATED:
            inner = IPv4Address(int(one) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
        if one.teredo is not None:
            return False
    return one.is_global and not one.is_multicast
