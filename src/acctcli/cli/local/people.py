"""People of the local service: passwords, and tokens that are made, listed and withdrawn."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from acctcli.cli.command.classes import Context
from acctcli.cli.local.books import open_books
from acctcli.cli.output.show import show_done, show_ended, show_text, show_values
from acctcli.cli.session.state import State, state
from acctcli.credentials.prompt import ask_twice, read_line
from acctcli.errors import NotFound, UsageError

if TYPE_CHECKING:
    from acctcli.service.http.embedded import EmbeddedService

COLUMNS = ("id", "user", "name", "kind", "created_at", "expires_at")

Email = Annotated[str, typer.Argument(metavar="EMAIL", help="Address of the user.")]
User = Annotated[str | None, typer.Option("--user", metavar="EMAIL", help="Whose token; a new user is created.")]
Whose = Annotated[str | None, typer.Option("--of", metavar="EMAIL", help="Only the tokens of this user.")]
Unproved = Annotated[
    bool, typer.Option("--unproved", help="Also where the user wrote the address, which may be another person's.")
]
Name = Annotated[str | None, typer.Option("--name", metavar="TEXT", help="What it is for; makes a new one.")]
Expires = Annotated[
    str | None, typer.Option("--expires", metavar="DATE", help="Last day it holds, in UTC; makes a new one.")
]
TokenId = Annotated[int, typer.Argument(metavar="ID", min=1, help="Id that `local tokens` shows.")]


@contextmanager
def refusals() -> Iterator[None]:
    """Turn what the service refuses into errors of commands."""
    from acctcli.service.problems import Missing, Precondition, Problem

    try:
        yield
    except Missing as problem:
        raise NotFound(problem.detail) from problem
    except Precondition as problem:
        hint = "whoever reads the mail of the address comes in by an invitation; --unproved for the user who wrote it"
        raise UsageError(problem.detail, hint=hint) from problem
    except Problem as problem:
        raise UsageError(problem.detail) from problem


def print_token(
    ctx: Context, user: User = None, name: Name = None, expires: Expires = None, unproved: Unproved = False
) -> None:
    """Print the local user's token, or a new one: for another user, for a purpose, or until a day.

    A new one is shown this one time. `local tokens` lists those there are, `local revoke-token` withdraws one.

    Example: acctcli local token --user anna@example.com --name "Cash register"
    """
    here = state(ctx)
    if user is not None and not user.strip():
        raise UsageError("--user is empty", hint="give an email address, or leave it out for your own token")
    if name is not None and not 0 < len(name.strip()) <= 128:
        raise UsageError("--name has 1 to 128 characters")
    until = _end_of(here, expires)
    with open_books(here) as service, refusals():
        if (user, name, expires) == (None, None, None):
            token = service.token
        else:
            if user is not None and not _is_known(service, user):
                here.say(f"note: there was no user {user} before")
            token = service.keeper.new_token(user, name.strip() if name else "local", until, unproved=unproved)
        owner = user or service.user()
    show_text(here, token, user=owner, token=token)


def _is_known(service: EmbeddedService, email: str) -> bool:
    from acctcli.service.problems import Missing

    try:
        service.keeper.list_tokens(email)
    except Missing:
        return False
    return True


def list_tokens(ctx: Context, of: Whose = None) -> None:
    """List the tokens in force: whose they are, what for, and until when; never the tokens themselves.

    Those of the kind `access` are of apps that somebody let in, and last an hour.

    Example: acctcli local tokens
    """
    here = state(ctx)
    with open_books(here) as service, refusals():
        found = service.keeper.list_tokens(of)
    show_values(here, [one._asdict() for one in found], COLUMNS)


def revoke_token(ctx: Context, token_id: TokenId) -> None:
    """Withdraw a token: it is refused from now on, and so are the JWTs that were made with it.

    Example: acctcli local revoke-token 1 --yes
    """
    here = state(ctx)
    with open_books(here) as service, refusals():
        token = service.keeper.get_token(token_id)
        here.confirm(f"Withdraw the token {token.id} ({token.name}) of {token.user}?")
        if not here.options.dry_run:
            service.keeper.revoke_token(token_id)
    what = f"the token {token.id} ({token.name}) of {token.user}"
    show_ended(here, ("withdraw", "Withdrew"), what, "revoked", id=token.id, user=token.user, name=token.name)


def set_password(ctx: Context, email: Email, unproved: Unproved = False) -> None:
    """Set the password that a user signs in with: typed twice, unseen, or a line of standard input.

    It has 10 to 256 characters. Whoever is signed in as this user is signed out, and whoever was locked out after wrong
    passwords may try again.

    Example: acctcli local password anna@example.com
    """
    here = state(ctx)
    with open_books(here) as service, refusals():
        # before anybody types: a user there is not gets no password
        if service.keeper.is_invited(email):
            raise NotFound(
                "There is no user with this address yet: an invitation waits for it",
                hint="the mail names a page, where its code lets them set a password; or make the user first: "
                f"acctcli local token --user {email}",
            )
        if unproved:
            service.keeper.list_tokens(email)
        else:
            service.keeper.check_meant(email)
        service.keeper.set_password(email, _read_password(), unproved=unproved)
    show_done(here, f"The password of {email} is set.", user=email, password_set=True)


def sign_out(ctx: Context, email: Email) -> None:
    """Sign a user out: all browsers, and all apps that the user let in; personal access tokens stay.

    Example: acctcli local sign-out anna@example.com --yes
    """
    here = state(ctx)
    with open_books(here) as service, refusals():
        service.keeper.list_tokens(email)
        here.confirm(f"Sign {email} out of all browsers and apps?")
        if not here.options.dry_run:
            service.keeper.sign_out(email)
    show_ended(here, ("sign", "Signed"), f"{email} out everywhere", "signed_out", user=email)


def _read_password() -> str:
    hint = "pipe it into the command: acctcli local password EMAIL < FILE"
    if sys.stdin.isatty():
        return ask_twice("password", "New password (not shown): ", hint)
    return read_line("password", hint)


def _end_of(here: State, expires: str | None) -> datetime | None:
    """Return the moment at which a day is over."""
    if expires is None:
        return None
    from acctcli.cli.command.dates import parse_day

    day = parse_day(expires, "--expires", here.today)
    if day == date.max:
        raise UsageError(f"--expires {expires}: the calendar ends with that day; write an earlier one, or none")
    end = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)
    if end <= datetime.now(UTC):
        raise UsageError(f"--expires {expires}: that day is over")
    return end
