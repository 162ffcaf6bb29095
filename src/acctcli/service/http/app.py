"""The service as a WSGI application."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from acctcli.service.http.downloads import Downloads
from acctcli.service.http.pipeline import Clock, Entropy, Service
from acctcli.service.http.routing import Application, falcon_app
from acctcli.service.routes.table import TABLE

if TYPE_CHECKING:
    from acctcli.service.delivery.outbox import Outbox
    from acctcli.service.identity.keys import InstallationKey
    from acctcli.service.store.contents import Contents
    from acctcli.service.store.engine.database import Database


def utc_now() -> datetime:
    """Return the moment, aware."""
    return datetime.now(UTC)


def create_app(
    database: Database,
    contents: Contents,
    outbox: Outbox,
    installation: InstallationKey,
    *,
    clock: Clock = utc_now,
    entropy: Entropy = secrets.token_bytes,
    allowed_hosts: Collection[str] | None = None,
) -> Application:
    """Return the service as a WSGI application over an open, migrated database, the folders of its files, and its key.

    `clock` returns aware UTC moments; `allowed_hosts` are the host names the service answers to, None answers to all.
    """
    service = Service(database, contents, outbox, installation, clock, entropy)
    downloads = Downloads(database, contents, clock)
    return falcon_app(service, TABLE, downloads=downloads, allowed_hosts=allowed_hosts, entropy=entropy)
