"""Apps that people sign in to with their account here: registrations, and what ends with them.

An address to return to is compared character for character (docs/interface.md 12.2).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from acctcli.service.identity.tokens import new_token, token_hash
from acctcli.service.problems import Invalid, Missing
from acctcli.service.store import service_trail
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import apps
from acctcli.service.store.people.apps import AppRow
from acctcli.service.store.people.ending import end_grant

if TYPE_CHECKING:
    from acctcli.service.store.engine.database import Connection
    from acctcli.service.store.events import Author

SCOPES = ("openid", "profile", "email", "offline_access")
SECRET = "acct_sec_"  # noqa: S105 - how a secret begins
CLIENT_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
# RFC 3986, without a fragment, blanks and what browsers read in ways of their own
ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9._~:/?\[\]@!$&'()*+,;=%-]+")
# of the web: no letters that mean something in a policy of pages, which names it
HOST = re.compile(r"(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]+)?")
LOOPBACK = ("localhost", "127.0.0.1", "::1")
# what a browser runs, or reads from the disk, instead of an app
NO_APPS = {"javascript", "data", "vbscript", "file", "blob", "about", "ftp", "ws", "wss", "view-source"}
MOST_ADDRESSES, LONGEST_ADDRESS, LONGEST_NAME = 20, 500, 128
# what the command line signs in as, and where it listens meanwhile
OWN_ID, OWN_NAME, OWN_PORT = "acctcli", "acctcli", 18320
OWN_ADDRESSES = (f"http://127.0.0.1:{OWN_PORT}/callback", f"http://[::1]:{OWN_PORT}/callback")


def check_address(address: str) -> str:
    """Return an address that an app may be returned to; Invalid for one that is none.

    It is https, http to this machine alone, or of a scheme of the app's own, which has a dot in it.
    """
    fault = f"{address[:LONGEST_ADDRESS]!r} is no address to return to: "
    if not ADDRESS.fullmatch(address) or len(address) > LONGEST_ADDRESS:
        raise Invalid.field("redirect", f"{fault}at most {LONGEST_ADDRESS} characters, and no blanks or fragment.")
    try:
        parts = urlsplit(address)
        _, host = parts.port, parts.hostname
    except ValueError as error:
        raise Invalid.field("redirect", f"{fault}it cannot be read.") from error
    if parts.scheme in ("http", "https"):
        if not host or not HOST.fullmatch(parts.netloc):
            raise Invalid.field("redirect", f"{fault}it has no host, or more than a host and a port.")
        if parts.scheme == "http" and host not in LOOPBACK:
            raise Invalid.field("redirect", f"{fault}http is for this machine only; use https.")
    elif "." not in parts.scheme or parts.scheme in NO_APPS:
        raise Invalid.field("redirect", f"{fault}a scheme of an app's own has a dot, such as com.example.app.")
    return address


def register(
    conn: Connection,
    environment: str,
    client_id: str,
    name: str,
    redirects: Sequence[str],
    scopes: Collection[str],
    now: datetime,
    author: Author,
    *,
    entropy: Callable[[int], bytes] | None = None,
) -> str | None:
    """Register an app, a confidential one where there is `entropy` for a secret, and return the secret.

    Raises Invalid for what cannot be registered, and for an id that is taken.
    """
    fields, secret = _checked(client_id, name, redirects, scopes), None
    known = apps.find(conn, client_id, environment)
    if known is not None and known.removed_at is None:
        raise Invalid.field("id", f"There is an app {client_id}.")
    if entropy is not None:
        secret = new_token(entropy, SECRET)
    fields |= {"secret_hash": secret and token_hash(secret), "created_at": stamp(now), "removed_at": None}
    if known is None:
        app_id = apps.add(conn, environment, fields)
    else:
        app_id = known.id
        apps.change(conn, app_id, fields)
    hashed = fields["secret_hash"]
    told = {"id": app_id, "client_id": client_id, "name": name, "environment": environment}
    told |= {"redirects": fields["redirects"], "scopes": fields["scopes"]}
    secret_sha256 = hashed and service_trail.hash_of(hashed)
    service_trail.record(conn, "app.created", {**told, "secret_sha256": secret_sha256}, stamp(now), author)
    return secret


def _checked(client_id: str, name: str, redirects: Sequence[str], scopes: Collection[str]) -> dict[str, str | None]:
    if not CLIENT_ID.fullmatch(client_id):
        raise Invalid.field("id", "An id has 1 to 64 letters, digits, dots, hyphens and underscores.")
    if not 0 < len(name.strip()) <= LONGEST_NAME or not name.isprintable():
        raise Invalid.field("name", f"A name has 1 to {LONGEST_NAME} printable characters.")
    if not 0 < len(redirects) <= MOST_ADDRESSES:
        raise Invalid.field("redirect", f"An app has 1 to {MOST_ADDRESSES} addresses to return to.")
    if unknown := set(scopes) - set(SCOPES):
        raise Invalid.field("scope", f"There is no scope {', '.join(sorted(unknown))}: {', '.join(SCOPES)}.")
    if not scopes:
        raise Invalid.field("scope", "An app has a scope at least.")
    addresses = " ".join(dict.fromkeys(map(check_address, redirects)))
    granted = " ".join(scope for scope in SCOPES if scope in scopes)
    return {"client_id": client_id, "name": name.strip(), "redirects": addresses, "scopes": granted}


def register_own(conn: Connection, environment: str, now: datetime, author: Author) -> None:
    """Register the command line as an app, unless it is, or was removed."""
    if apps.find(conn, OWN_ID, environment) is None:
        register(conn, environment, OWN_ID, OWN_NAME, OWN_ADDRESSES, SCOPES, now, author)


def remove(conn: Connection, environment: str, client_id: str, now: datetime, author: Author) -> AppRow:
    """Remove an app, end all that it was granted, and return it; Missing when there is none with this id."""
    found = apps.find(conn, client_id, environment)
    if found is None or found.removed_at is not None:
        raise Missing("There is no app with this id.")
    for grant_id in apps.open_grants(conn, app_id=found.id):
        end_grant(conn, grant_id, stamp(now), author)
    apps.forget_codes(conn, app_id=found.id)
    apps.change(conn, found.id, {"removed_at": stamp(now)})
    service_trail.record(conn, "app.deleted", {"id": found.id, "client_id": client_id}, stamp(now), author)
    return found
