"""What the addresses of signing in read of a call (docs/interface.md 12)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from acctcli.service.http.bodies import FORM, media_type, whole
from acctcli.service.identity.host import Visit
from acctcli.service.problems import Invalid, MediaUnknown

if TYPE_CHECKING:
    from acctcli.service.http.router import Handler
    from acctcli.service.http.wsgi import Arrival
    from acctcli.service.identity.host import LoginService

MAX_FORM = 64 * 1024
MAX_FIELDS = 50
LOOPBACK = ("127.0.0.1", "::1", "::ffff:127.0.0.1")
Form = Mapping[str, list[str]]
Routes = dict[str, dict[str, "Handler"]]


def read_form(arrival: Arrival) -> Form:
    """Return the fields of a form; MediaUnknown and Invalid for what is none, or has too many."""
    if media_type(arrival.content_type) != FORM:
        raise MediaUnknown(f"Send the body as {FORM}.")
    with arrival.open_body(MAX_FORM) as stream, whole(stream) as body:
        try:
            return parse_qs(body.decode(), keep_blank_values=True, max_num_fields=MAX_FIELDS)
        except ValueError as error:
            raise Invalid.whole("The form cannot be read.") from error


def read_visit(arrival: Arrival, host: LoginService) -> Visit:
    """Return who comes.

    Where people sign in by https a proxy on this machine is in front, and says last from which address they come.
    """
    address: str = arrival.environ.get("REMOTE_ADDR", "")
    forwarded = arrival.header("X-Forwarded-For")
    if forwarded and address in LOOPBACK and host.address.startswith("https:"):
        address = forwarded.rpartition(",")[2].strip()
    return Visit(address, arrival.header("User-Agent") or "", arrival.id)
