"""Which proxy leads to a host, by the variables and settings that other programs follow too.

An address of a proxy may hold a password: errors name the variable, never what it says.
"""

from __future__ import annotations

import os
import ssl
from urllib.parse import SplitResult, urlsplit
from urllib.request import getproxies, proxy_bypass

from acctcli.client.dialing import Proxy
from acctcli.errors import UsageError

# by which https goes, the first that is there
_KINDS = ("https", "all")
_SCHEMES = {"http", "https"}


def proxy_to(host: str, tls: ssl.SSLContext) -> Proxy | None:
    """Return the proxy for https to a host, None where there is none; `tls` is what a proxy of https must satisfy.

    Raises UsageError for variables that cannot be followed.
    """
    found = getproxies()
    kind = next((kind for kind in _KINDS if found.get(kind)), None)
    if kind is None or _goes_without(host, found.get("no", "")):
        return None
    address = found[kind]
    try:
        parts = urlsplit(address if "://" in address else f"http://{address}")
        if problem := _problem(parts):
            raise UsageError(f"{_source(kind)} {problem}", hint="write it as http://host:port")
        return Proxy.at(parts, tls if parts.scheme == "https" else None)
    except ValueError as error:
        raise UsageError(
            f"{_source(kind)} is not the address of a proxy", hint="write it as http://host:port"
        ) from error


def _problem(parts: SplitResult) -> str | None:
    if parts.scheme not in _SCHEMES:
        return f"names a proxy of the kind {parts.scheme}://; only http:// and https:// can be used"
    return None if parts.hostname else "names no host"


def _goes_without(host: str, exceptions: str) -> bool:
    """Whether the host is excepted from proxies."""
    try:
        for exception in exceptions.split(","):
            urlsplit(f"//{exception.strip()}")
    except ValueError as error:
        raise UsageError(
            f"{_source('no')} names something that is no host", hint="write it as a.example,.b.example"
        ) from error
    return bool(proxy_bypass(host))


def _source(kind: str) -> str:
    """Say where the proxies of a kind are set."""
    name = f"{kind}_proxy"
    for variable in (name, name.upper()):
        if os.environ.get(variable):
            return variable
    return "the system's setting of proxies"
