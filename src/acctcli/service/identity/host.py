"""What signing in needs of a service: its database, its key, its clock, and the address that it is known by."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from acctcli.service.identity.sessions import Sessions
from acctcli.service.store.events import Author

if TYPE_CHECKING:
    from acctcli.service.identity.keys import InstallationKey
    from acctcli.service.store.engine.database import Database

MAX_CLIENT = 200


class Visit(NamedTuple):
    """Who comes: from which address, with which client, by which request."""

    address: str = ""
    client: str = ""
    request_id: str = ""


class LoginService:
    """The means of signing in: `address` is where it is known to be, scheme and host."""

    def __init__(
        self,
        database: Database,
        installation: InstallationKey,
        clock: Callable[[], datetime],
        entropy: Callable[[int], bytes],
        environment: str,
        address: str,
    ) -> None:
        self.database = database
        self.installation = installation
        self.clock = clock
        self.entropy = entropy
        self.environment = environment
        self.address = address
        self.sessions = Sessions(installation, environment, entropy)

    def author(self, visit: Visit, operation: str, user_id: int | None = None, name: str = "") -> Author:
        """Return who the trail names; nobody yet, where only the work shows who it is."""
        marker = self.installation.trail_marker
        return Author(user_id, name, visit.client[:MAX_CLIENT], "http", visit.request_id, operation, marker)
