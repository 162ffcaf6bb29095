"""From the state to a connection: transport, token, patience, and what is said about them."""

from __future__ import annotations

from acctcli.cli._state import State
from acctcli.cli._watch import Narrator
from acctcli.client.http import Http
from acctcli.client.retry import Policy
from acctcli.client.transport import IN_PROCESS, in_process_client, network_client
from acctcli.credentials import require
from acctcli.settings import data_dir, files_dir

LOCAL_TOKEN = "the local service's own token"  # noqa: S105 - says where a token is from


def connect(here: State) -> Http:
    """Open the environment with the token that belongs to it.

    Raises UsageError (no host, no embedded service) and NotAuthenticated (no token, no usable keyring).
    """
    found = require(here.environment, here.environ)
    return connect_with(here, found.token if found else None)


def connect_with(here: State, token: str | None) -> Http:
    """Open the environment with a token given; None means the embedded service's own."""
    environment = here.environment
    base_url = environment.base_url or IN_PROCESS
    if environment.in_process:
        database = here.environ.get("ACCTCLI_DATABASE_URL")
        client, own = in_process_client(data_dir(here.environ) / "local", database, files_dir(here.environ))
        token = token or own
    else:
        client = network_client(base_url, here.options.ca_file)
    narrator = Narrator(here.options, [token] if token else [])
    policy = Policy(deadline=here.options.timeout) if here.options.timeout else Policy()
    return Http(client, base_url, token, narrator, policy=policy, dry_run=here.options.dry_run)


def source_of_token(here: State) -> str:
    """Say where the token comes from, without opening anything but the keyring."""
    found = require(here.environment, here.environ)
    return found.source if found else LOCAL_TOKEN
