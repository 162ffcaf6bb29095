"""From the settings to a connection: transport, token, patience, and what is said about them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from acctcli.cli.session.options import Options
from acctcli.cli.session.production import watch_writes
from acctcli.cli.session.watch import Narrator
from acctcli.client import known
from acctcli.client.http import Http
from acctcli.client.retry import Policy
from acctcli.client.transport import IN_PROCESS, in_process_client, network_client
from acctcli.credentials import keep_from_dumps, require, smtp_password
from acctcli.settings import Environment, data_dir, files_dir, outbox_dir

LOCAL_TOKEN = "the local service's own token"  # noqa: S105 - says where a token is from


def connect(environment: Environment, options: Options, environ: Mapping[str, str]) -> Http:
    """Open the environment with the token that belongs to it.

    Raises UsageError (no host, no embedded service) and NotAuthenticated (no token, no usable keyring).
    """
    found = require(environment, environ)
    return connect_with(environment, options, environ, found.token if found else None)


def connect_with(environment: Environment, options: Options, environ: Mapping[str, str], token: str | None) -> Http:
    """Open the environment with a token given; None means the embedded service's own."""
    keep_from_dumps()
    base_url = environment.base_url or IN_PROCESS
    if environment.in_process:
        client, own = in_process_client(
            data_dir(environ) / "local",
            environ.get("ACCTCLI_DATABASE_URL"),
            files_dir(environ),
            outbox_dir(environ),
            environ.get("ACCTCLI_SMTP_URL"),
            partial(_known_password, environ),
        )
        token = token or own
    else:
        client = network_client(base_url, options.ca_file)
    narrator = Narrator(options)
    policy = Policy(deadline=options.timeout) if options.timeout else Policy()
    watch = watch_writes(environment, options, environ)
    return Http(client, base_url, token, narrator, policy=policy, dry_run=options.dry_run, before_write=watch)


def _known_password(environ: Mapping[str, str]) -> str | None:
    password = smtp_password(environ)
    known.know(password)
    return password


def source_of_token(environment: Environment, environ: Mapping[str, str]) -> str:
    """Say where the token comes from, without opening anything but the keyring."""
    found = require(environment, environ)
    return found.source if found else LOCAL_TOKEN
