"""Sign in, sign out, and see who you are."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from acctcli.cli.command.classes import Command, Context, new_group
from acctcli.cli.command.typer_private import Context as ClickContext
from acctcli.cli.command.typer_private import UsageError as ClickUsageError
from acctcli.cli.output.show import show_done, show_text, show_value
from acctcli.cli.session.state import State, state
from acctcli.errors import UsageError

app = new_group(__doc__)

Select = Annotated[
    list[str] | None,
    typer.Option("--select", metavar="SLUG", help="A business it is to be good for. Repeatable."),
]
WithToken = Annotated[bool, typer.Option("--with-token", help="Read the token from stdin instead of asking for it.")]


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
def login(ctx: Context, with_token: WithToken = False) -> None:
    """Keep a token for the environment in the operating system's keyring, once the service accepts it.

    Where there is no usable keyring nothing is asked and nothing sent: the error names the variable to set instead.

    Example: acctcli auth login --env production
    """
    from acctcli.cli.session.connect import connect_with
    from acctcli.credentials import keep_from_dumps
    from acctcli.credentials.prompt import read_hidden, read_piped
    from acctcli.credentials.store import TokenStore

    here = state(ctx)
    environment = here.environment
    if environment.in_process:
        raise UsageError("the environment local runs in this process and needs no login")
    keep_from_dumps()
    TokenStore().prove(environment)
    token = read_piped(sys.stdin.buffer) if with_token else read_hidden(environment.name)
    here.http = connect_with(here.environment, here.options, here.environ, token)
    email = _email(here.http.send("GET", "/v1/user/").body)
    TokenStore().save(environment, token)
    show_done(here, f"Signed in to {environment.name} as {email}.", environment=environment.name, user=email)


@app.command("status", cls=Command)
def show_status(ctx: Context) -> None:
    """Ask the service who you are; exit 4 when it does not know.

    Example: acctcli auth status
    """
    from acctcli.cli.session.connect import source_of_token

    here = state(ctx)
    source = source_of_token(here.environment, here.environ)
    reply = here.api.user()
    show_value(
        here,
        {
            "environment": here.environment.name,
            "base_url": "in process" if here.environment.in_process else here.environment.base_url,
            "user": _email(reply.body),
            "token_source": source,
        },
    )


@app.command("logout", cls=Command)
def logout(ctx: Context) -> None:
    """Forget the environment's token in the keyring.

    Example: acctcli auth logout --env production
    """
    from acctcli.credentials.store import TokenStore

    here = state(ctx)
    environment = here.settings.describe(here.options.env)
    if environment.in_process:
        raise UsageError("the environment local runs in this process and keeps no token in the keyring")
    forgotten = TokenStore().delete(environment)
    text = f"Signed out of {environment.name}." if forgotten else f"There was no token for {environment.name}."
    show_done(here, text, environment=environment.name, forgotten=forgotten)


@app.command("token", cls=Command)
def print_token(ctx: Context) -> None:
    """Print the token commands use, for other programs; keep it out of files and logs.

    Example: acctcli auth token
    """
    here = state(ctx)
    token = _token(here)
    show_text(here, token, environment=here.environment.name, token=token)


@app.command("jwt", cls=Command)
def print_jwt(ctx: Context, select: Select = None) -> None:
    """Print a new token that lasts one hour; keep it out of files and logs.

    It is good for all your businesses, unless --business or --select says for which. The default business does not.

    Example: acctcli auth jwt --select demo
    """
    from acctcli.cli.command.body import check
    from acctcli.credentials.tokens import is_plain
    from acctcli.errors import ServerFault
    from acctcli.models.jwt import JwtRequest

    here = state(ctx)
    named = {"business_slug": here.options.business, "selected_business_slugs": select or None}
    if None not in named.values():
        raise UsageError("--business and --select exclude each other: a token is for one business, or for some")
    # an empty name, as of a variable that is not set, must not become a token for everything
    limits = {name: value for name, value in named.items() if value is not None}
    body = check(JwtRequest, limits, "the token's reach")
    token = _text_of(here.api.jwt(body).body, "token", "the service sent no token")
    if not (token and is_plain(token)):
        raise ServerFault("the service sent something that is no token", code="unreadable_reply")
    show_text(here, token, token=token)


def _token(here: State) -> str:
    from acctcli.credentials import keep_from_dumps, require

    keep_from_dumps()
    found = require(here.environment, here.environ)
    if found is not None:
        return found.token
    own = here.http.token
    assert own is not None
    return own


def _email(body: bytes) -> str:
    return _text_of(body, "email", "the service did not say who you are")


def _text_of(body: bytes, name: str, complaint: str) -> str:
    """Take a text out of a reply."""
    import msgspec

    from acctcli.errors import ServerFault

    try:
        found = msgspec.json.decode(body, type=dict[str, msgspec.Raw])[name]
        return msgspec.json.decode(found, type=str)
    except (msgspec.DecodeError, KeyError) as problem:
        raise ServerFault(complaint, code="unreadable_reply") from problem
