"""What signing in needs of a service, and the forms that it reads (docs/interface.md 12)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from acctcli.service.http.bodies import FORM, media_type, whole
from acctcli.service.problems import Invalid, MediaUnknown
from acctcli.service.store.events import Author

if TYPE_CHECKING:
    from acctcli.service.http.router import Handler
    from acctcli.service.http.service import Clock, Entropy
    from acctcli.service.http.wsgi import Arrival
    from acctcli.service.identity.keys import InstallationKey
    from acctcli.service.store.engine.database import Database

MAX_FORM = 64 * 1024
MAX_FIELDS = 50
MAX_CLIENT = 200
Form = Mapping[str, list[str]]
Routes = dict[str, dict[str, "Handler"]]


class LoginHost:
    """The means of signing in: `address` is where it is known to be, scheme and host."""

    def __init__(
        self,
        database: Database,
        installation: InstallationKey,
        clock: Clock,
        entropy: Entropy,
        environment: str,
        address: str,
    ) -> None:
        self.database = database
        self.installation = installation
        self.clock = clock
        self.entropy = entropy
        self.environment = environment
        self.address = address

    def author(self, arrival: Arrival, operation: str) -> Author:
        """Return who the trail names: by client and request, for who it is shows only then."""
        client = (arrival.header("User-Agent") or "")[:MAX_CLIENT]
        return Author(None, "", client, "http", arrival.id, operation, self.installation.trail_marker)


def read_form(arrival: Arrival) -> Form:
    """Return the fields of a form; MediaUnknown and Invalid for what is none, or has too many."""
    if media_type(arrival.content_type) != FORM:
        raise MediaUnknown(f"Send the body as {FORM}.")
    with arrival.open_body(MAX_FORM) as stream, whole(stream) as body:
        try:
            return parse_qs(body.decode(), keep_blank_values=True, max_num_fields=MAX_FIELDS)
        except ValueError as error:
            raise Invalid.whole("The form cannot be read.") from error
