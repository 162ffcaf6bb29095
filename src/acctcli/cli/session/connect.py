"""From the settings to a connection: transport, token, patience, and what is said about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from acctcli.cli.session.options import Options
from acctcli.cli.session.production import watch_writes
from acctcli.cli.session.scoped import is_wanted, scoped_access
from acctcli.cli.session.watch import Narrator
from acctcli.client import known
from acctcli.client.access import Access, FixedToken
from acctcli.client.http import Http
from acctcli.client.retry import Policy
from acctcli.client.transport import IN_PROCESS, in_process_client, network_client
from acctcli.credentials import Credential, keep_from_dumps, smtp_password
from acctcli.settings import Environment, data_dir, files_dir, outbox_dir
from acctcli.settings.urls import PUBLIC_URL, public_address

if TYPE_CHECKING:
    from acctcli.credentials.kept import Kept
    from acctcli.credentials.sign_in.renewing import Renewer
    from acctcli.credentials.store import TokenStore

LOCAL_TOKEN = "the local service's own token"  # noqa: S105 - says where a token is from


def connect(environment: Environment, options: Options, environ: Mapping[str, str], found: Credential | None) -> Http:
    """Open the environment with the credential that was found; None means the embedded service's own token.

    Raises UsageError where there is no embedded service.
    """
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
            public_address(environ.get(PUBLIC_URL), PUBLIC_URL),
        )
        found = found or Credential(own, LOCAL_TOKEN)
    else:
        client = network_client(base_url, options.ca_file)
    assert found is not None
    policy = Policy(deadline=options.timeout) if options.timeout else Policy()
    http = Http(
        client,
        base_url,
        access_of(environment, options, found),
        Narrator(options),
        policy=policy,
        dry_run=options.dry_run,
        before_write=watch_writes(environment, options, environ),
        advice=_advice(environment, found),
    )
    if is_wanted(environment, options, environ, found):
        return replace(http, access=scoped_access(http, environment, options, found))
    return http


def _advice(environment: Environment, found: Credential) -> str:
    """Return what may help whose token is refused."""
    if found.source.startswith("ACCTCLI_"):
        return f"{found.source} holds the token: set it to another one"
    if environment.in_process:
        return "the local service has another one: acctcli local token"
    return f"sign in with: acctcli auth login --env {environment.name}"


def access_of(environment: Environment, options: Options, found: Credential) -> Access:
    """Return what lets requests in: the token that was found, or what a sign-in's renewals make of it."""
    if found.kept is None or found.kept.renewal is None or found.store is None:
        return FixedToken(found.token)
    from acctcli.client.access import RenewedToken

    return RenewedToken(renewer(environment, options, found.kept, found.store).current)


def renewer(environment: Environment, options: Options, kept: Kept, store: TokenStore) -> Renewer:
    """Return what renews the access token of a sign-in."""
    from acctcli.credentials.kept import Renewal
    from acctcli.credentials.sign_in.host import LoginHost
    from acctcli.credentials.sign_in.provider import Client, NewTokens, exchange
    from acctcli.credentials.sign_in.renewing import Ask, Renewer
    from acctcli.credentials.store import CLIENT_SECRET

    def get_ready() -> Ask:
        secret = store.place.get(CLIENT_SECRET)
        known.know(secret)
        host = LoginHost(options.ca_file, min(options.timeout or LoginHost.seconds, LoginHost.seconds))

        def ask(renewal: Renewal) -> NewTokens:
            form = {"grant_type": "refresh_token", "refresh_token": renewal.refresh_token or ""}
            return exchange(renewal.token_url, Client(renewal.client_id, secret), form, host)

        return ask

    known.know(kept.renewal.refresh_token if kept.renewal else None)
    return Renewer(environment, store, kept, get_ready)


def _known_password(environ: Mapping[str, str]) -> str | None:
    password = smtp_password(environ)
    known.know(password)
    return password
