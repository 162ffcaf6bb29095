"""Sign in, sign out, and see who you are."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated

import typer

from acctcli.cli.command.classes import Command, Context, new_group
from acctcli.cli.command.typer_private import Context as ClickContext
from acctcli.cli.command.typer_private import TyperChoice
from acctcli.cli.command.typer_private import UsageError as ClickUsageError
from acctcli.cli.output.show import show_done, show_text, show_values
from acctcli.cli.session.state import State, state
from acctcli.errors import UsageError
from acctcli.settings import STORES, Environment

COLUMNS = ("environment", "is_in_use", "user", "kind", "token_source", "expires_at", "businesses", "problem")

app = new_group(__doc__)

Select = Annotated[
    list[str] | None,
    typer.Option("--select", metavar="SLUG", help="A business it is to be good for. Repeatable."),
]
WithToken = Annotated[bool, typer.Option("--with-token", help="Read the token from stdin instead of asking for it.")]
Web = Annotated[bool, typer.Option("--web", help="Sign in with the browser instead of giving a token.")]
NoBrowser = Annotated[
    bool, typer.Option("--no-browser", help="Print the address to open, and take the one the browser ends at.")
]
WithSecret = Annotated[
    bool, typer.Option("--with-client-secret", help="Ask for the secret of a confidential client, and keep it too.")
]
Store = Annotated[
    str | None,
    typer.Option(
        "--store", click_type=TyperChoice(STORES), help="Where to keep it: the keyring, or a file with a passphrase."
    ),
]
Keep = Annotated[bool, typer.Option("--keep", help="Keep it for commands with --scoped instead of printing it.")]
Who = Annotated[str | None, typer.Argument(metavar="[EMAIL]", help="The person; the only other one if not given.")]
Everybody = Annotated[bool, typer.Option("--everybody", help="Forget the others of the environment too.")]


class _Login(Command):
    """Repeats no argument that it does not know: it may be a token."""

    def parse_args(self, ctx: ClickContext, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except ClickUsageError:
            raise UsageError(
                "an argument is not known; it is not shown, as it may be a token, which others could read in the list "
                "of processes",
                hint="type the token unseen, or: acctcli auth login --with-token < FILE",
            ) from None


@app.command("login", cls=_Login)
def login(
    ctx: Context,
    with_token: WithToken = False,
    web: Web = False,
    no_browser: NoBrowser = False,
    with_client_secret: WithSecret = False,
    store: Store = None,
) -> None:
    """Keep a token for the environment in the operating system's keyring, once the service accepts it.

    It is one that you made in the login application, or with --web one that signing in there gives, which is renewed as
    long as you do not sign out. Where there is no usable keyring nothing is asked and nothing sent: the error names the
    ways out. Several people may be signed in to one environment; see `acctcli auth switch`.

    Example: acctcli auth login --env production
    """
    from acctcli.cli.auth.login import sign_in_by_browser, take_token

    here = state(ctx)
    _require_host(here.environment)
    if with_token and web:
        raise UsageError("--with-token and --web exclude each other")
    if (no_browser or with_client_secret) and not web:
        raise UsageError("--no-browser and --with-client-secret go with --web")
    store = store or here.environment.store
    if web:
        sign_in_by_browser(here, store, opens=not no_browser, with_secret=with_client_secret)
    else:
        take_token(here, store, sys.stdin.buffer if with_token else None)


@app.command("status", cls=Command)
def show_status(ctx: Context) -> None:
    """Ask each service who you are there, or that of --env alone; exit 4 when one does not know.

    Example: acctcli auth status
    """
    from acctcli.cli.auth.status import look

    here = state(ctx)
    rows, problems = look(here)
    show_values(here, rows, COLUMNS)
    if problems:
        raise problems[0]


@app.command("switch", cls=Command)
def switch(ctx: Context, who: Who = None) -> None:
    """Go on as another person who is signed in to the environment.

    Example: acctcli auth switch anna@example.com --env production
    """
    from acctcli.credentials.store import open_store

    here = state(ctx)
    _require_host(here.environment)
    found = open_store(here.environment, here.environ).switch(who)
    name = here.environment.name
    show_done(here, f"Commands go to {name} as {found.user} now.", environment=name, user=found.user)


@app.command("logout", cls=Command)
def logout(ctx: Context, everybody: Everybody = False) -> None:
    """Forget the environment's token, and tell the login host of a sign-in that it is over.

    Example: acctcli auth logout --env production
    """
    from acctcli.cli.auth.login import sign_out

    here = state(ctx)
    environment = here.settings.describe(here.options.env)
    _require_host(environment)
    sign_out(here, environment, everybody=everybody)


@app.command("token", cls=Command)
def print_token(ctx: Context) -> None:
    """Print the token commands use, for other programs; keep it out of files and logs.

    Example: acctcli auth token
    """
    here = state(ctx)
    token = _token(here)
    show_text(here, token, environment=here.environment.name, token=token)


@app.command("jwt", cls=Command)
def print_jwt(ctx: Context, select: Select = None, keep: Keep = False) -> None:
    """Print a new token that lasts one hour; keep it out of files and logs.

    It is good for all your businesses, unless --business or --select says for which. The default business does not.
    With --keep it is not printed but kept beside the token, for commands with --scoped.

    Example: acctcli auth jwt --select demo
    """
    from acctcli.cli.command.body import check
    from acctcli.cli.session.scoped import jwt_of
    from acctcli.models.jwt import JwtRequest

    here = state(ctx)
    named = {"business_slug": here.options.business, "selected_business_slugs": select or None}
    if None not in named.values():
        raise UsageError("--business and --select exclude each other: a token is for one business, or for some")
    # an empty name, as of a variable that is not set, must not become a token for everything
    limits = {name: value for name, value in named.items() if value is not None}
    body = check(JwtRequest, limits, "the token's reach")
    slugs = select or [slug for slug in (here.options.business,) if slug]
    remember = _keeping(here, slugs) if keep else None
    token = jwt_of(here.api.jwt(body).body)
    if remember is None:
        show_text(here, token, token=token)
        return
    for slug in slugs:
        remember(slug, token)
    show_done(here, f"Kept a token for {', '.join(slugs)}.", environment=here.environment.name, businesses=slugs)


def _keeping(here: State, slugs: list[str]) -> Callable[[str, str], None]:
    """Return what keeps JWTs beside the token, once it is sure that it can."""
    from acctcli.cli.session.scoped import keeping, open_cache

    if not slugs:
        raise UsageError("--keep needs a business: --business or --select")
    found = here.credential
    if found is None or found.kept is None:
        raise UsageError("--keep keeps it beside a token that `auth login` keeps, and there is none")
    return keeping(open_cache(here.environment, found))


def _token(here: State) -> str:
    from acctcli.client.messages import Request
    from acctcli.credentials import keep_from_dumps

    keep_from_dumps()
    found = here.credential
    if found is not None and found.kept is None:
        return found.token
    access = here.http.access
    assert access is not None
    return access.token(Request("GET", "/v1/user/"))


def _require_host(environment: Environment) -> None:
    if environment.in_process:
        raise UsageError(f"the environment {environment.name} runs in this process and needs no login")
