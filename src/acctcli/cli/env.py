"""Environments: where commands are sent."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from acctcli.cli.command.classes import Command, Context, DeleteCommand, new_group
from acctcli.cli.completing.values import environments
from acctcli.cli.output.show import show_done, show_ended, show_value, show_values
from acctcli.cli.session.state import State, state
from acctcli.errors import UsageError
from acctcli.settings import Environment

app = new_group(__doc__)

Name = Annotated[
    str, typer.Argument(metavar="NAME", autocompletion=environments, help="testing, production, local or your own.")
]
OptionalName = Annotated[
    str | None, typer.Argument(metavar="[NAME]", autocompletion=environments, help="The one in use if not given.")
]
BaseUrl = Annotated[str | None, typer.Option("--base-url", metavar="URL", help="Host of the interface.")]
LoginUrl = Annotated[str | None, typer.Option("--login-url", metavar="URL", help="Host to sign in at.")]

ClientId = Annotated[
    str | None, typer.Option("--client-id", metavar="ID", help="What this client is registered as at the login host.")
]
RedirectUrl = Annotated[
    str | None,
    typer.Option("--redirect-url", metavar="URL", help="The registered address that the browser comes back to."),
]
Scopes = Annotated[str | None, typer.Option("--scopes", metavar="SCOPES", help="What to ask for, between blanks.")]
DiscoveryUrl = Annotated[
    str | None, typer.Option("--discovery-url", metavar="URL", help="Where the login host names its addresses.")
]

NoBaseUrl = Annotated[bool, typer.Option("--base-url", help="Forget the host of the interface.")]
NoLoginUrl = Annotated[bool, typer.Option("--login-url", help="Forget the host to sign in at.")]
NoClientId = Annotated[bool, typer.Option("--client-id", help="Go back to `acctcli`.")]
NoRedirectUrl = Annotated[bool, typer.Option("--redirect-url", help="Go back to the usual address.")]
NoScopes = Annotated[bool, typer.Option("--scopes", help="Go back to the usual scopes.")]
NoDiscoveryUrl = Annotated[bool, typer.Option("--discovery-url", help="Go back to the login host's own.")]


@app.command("list", cls=Command)
def list_environments(ctx: Context) -> None:
    """List the environments and say which one is in use.

    Example: acctcli env list
    """
    here = state(ctx)
    current = here.settings.describe(here.options.env).name
    show_values(here, [_facts(one, current) for one in here.settings.list_environments()])


@app.command("show", cls=Command)
def show_environment(ctx: Context, name: OptionalName = None) -> None:
    """Show an environment and where each of its settings comes from.

    Example: acctcli env show production
    """
    here = state(ctx)
    found = here.settings.describe(name or here.options.env)
    current = here.settings.describe(here.options.env).name
    more = {"token_store": found.store, "sign_in": asdict(found.sign_in), "sources": dict(found.sources)}
    show_value(here, {**_facts(found, current), **more})


@app.command("set", cls=Command)
def set_environment(
    ctx: Context,
    name: Name,
    base_url: BaseUrl = None,
    login_url: LoginUrl = None,
    client_id: ClientId = None,
    redirect_url: RedirectUrl = None,
    scopes: Scopes = None,
    discovery_url: DiscoveryUrl = None,
) -> None:
    """Set the hosts of an environment, and how `auth login --web` signs in there; the other settings stay.

    Example: acctcli env set production --base-url https://api.books.example --login-url https://login.books.example
    """
    here = state(ctx)
    given = {
        "base_url": base_url,
        "login_url": login_url,
        "client_id": client_id,
        "redirect_url": redirect_url,
        "scopes": scopes,
        "discovery_url": discovery_url,
    }
    if not any(given.values()):
        raise UsageError("nothing to set", hint=f"acctcli env set {name} --base-url URL --login-url URL")
    settings = here.settings.set_environment(name, **given)
    _done(here, settings.describe(name), f"Environment {name} is set.")


@app.command("use", cls=Command)
def use_environment(ctx: Context, name: Name) -> None:
    """Make an environment the default.

    Example: acctcli env use production
    """
    here = state(ctx)
    settings = here.settings.use_environment(name)
    _done(here, settings.describe(name), f"Commands now go to environment {name}.")


@app.command("unset", cls=DeleteCommand)
def unset_environment(
    ctx: Context,
    name: Name,
    base_url: NoBaseUrl = False,
    login_url: NoLoginUrl = False,
    client_id: NoClientId = False,
    redirect_url: NoRedirectUrl = False,
    scopes: NoScopes = False,
    discovery_url: NoDiscoveryUrl = False,
) -> None:
    """Forget settings of an environment, all of them or those named; its token stays until `auth logout`.

    Example: acctcli env unset production --yes
    """
    here = state(ctx)
    given = {
        "base_url": base_url,
        "login_url": login_url,
        "client_id": client_id,
        "redirect_url": redirect_url,
        "scopes": scopes,
        "discovery_url": discovery_url,
    }
    keys = [key for key, is_named in given.items() if is_named]
    # one is easily set again
    if not keys:
        here.confirm(f"Forget the settings of environment {name}?")
    if not here.options.dry_run:
        left = here.settings.unset_environment(name, *keys).describe()
        if left.name == name and left.base_url is None and not left.in_process:
            here.say(f"note: commands still go to {name}, which has no host now: acctcli env use NAME")
    told = f"{', '.join(keys) or 'the settings'} of environment {name}"
    more = {"settings": keys} if keys else {}
    show_ended(here, ("forget", "Forgot"), told, "unset", environment=name, **more)


def _done(here: State, environment: Environment, text: str) -> None:
    show_done(here, text, **_facts(environment, here.settings.describe(here.options.env).name))


def _facts(environment: Environment, current: str) -> dict[str, object]:
    return {
        "name": environment.name,
        "in_use": environment.name == current,
        "base_url": "in process" if environment.in_process else environment.base_url,
        "login_url": environment.login_url,
        "business": environment.business,
    }
