"""Take a token, sign in by the browser, and sign out."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import BinaryIO

from acctcli.cli.output.show import show_done
from acctcli.cli.output.stderr import tell
from acctcli.cli.session.connect import connect
from acctcli.cli.session.state import State
from acctcli.client import known
from acctcli.client.faults import text_of
from acctcli.credentials import Credential, keep_from_dumps
from acctcli.credentials.kept import Kept
from acctcli.credentials.place import PlaceUnusable
from acctcli.credentials.prompt import ask_unseen, read_hidden, read_piped
from acctcli.credentials.store import CLIENT_SECRET, IN_USE, TokenStore, open_store
from acctcli.errors import AcctcliError, NotAuthenticated, ServerFault, UsageError
from acctcli.settings import Environment, variable

_LONGEST_ADDRESS, _LONGEST_EMAIL = 8192, 254
_NOBODY = "the service did not say who you are"
REDIRECT_URL = "http://127.0.0.1:18320/callback"


def take_token(here: State, store: str, piped: BinaryIO | None) -> None:
    """Keep a personal access token that is typed unseen, or read from a stream, once the service accepts it."""
    environment = here.environment
    tokens = _proven(here, store)
    token = read_hidden(environment.name) if piped is None else read_piped(piped)
    user = _user(here, token)
    _keep(here, tokens, store, Kept(token=token, base_url=environment.base_url or "", user=user))


def sign_in_by_browser(here: State, store: str, *, opens: bool, with_secret: bool) -> None:
    """Sign in at the login host, and keep what it gives once the service accepts it."""
    from acctcli.credentials.sign_in.callback import Callback
    from acctcli.credentials.sign_in.flow import Flow
    from acctcli.credentials.sign_in.host import LoginHost
    from acctcli.credentials.sign_in.provider import CLIENT_ID, SCOPES, Client, discover

    environment = here.environment
    registered = environment.sign_in
    tokens = _proven(here, store)
    redirect_url = registered.redirect_url or REDIRECT_URL
    # the port is ours before anybody is asked to come back to it
    callback = Callback(redirect_url) if opens else None
    try:
        secret = _secret(tokens, typed=with_secret)
        host = LoginHost(here.options.ca_file)
        provider = discover(environment, here.settings.login_url(environment), host)
        client = Client(registered.client_id or CLIENT_ID, secret)
        flow = Flow(provider, client, redirect_url, registered.scopes or SCOPES, host)
        if callback is not None:
            _open(here, flow.address)
        made = flow.finish(callback.wait if callback is not None else lambda: _pasted(flow.address))
    finally:
        if callback is not None:
            callback.close()
    try:
        user = _user(here, made.access_token)
        if with_secret and secret:
            tokens.place.put(CLIENT_SECRET, secret)
        _keep(here, tokens, store, flow.keep(made, environment.base_url or "", user))
    except AcctcliError:
        _end(here, flow.keep(made, environment.base_url or "", ""), secret)
        raise


def sign_out(here: State, environment: Environment, *, everybody: bool) -> None:
    """Forget the sign-in in use, or all of them, and end them at the login host where that gave them.

    What completion knows of the environment's books is forgotten, too.
    """
    from acctcli.cli.completing.kept import forget

    forget(environment.name)
    tokens = open_store(environment, here.environ)
    secret = tokens.place.get(CLIENT_SECRET)
    forgotten, following = tokens.remove(everybody=everybody)
    for kept in forgotten:
        _end(here, kept, secret)
    name = environment.name
    text = f"Signed out of {name}." if forgotten else f"There was no token for {name}."
    if following is not None:
        text += f" Commands go there as {following.user} now."
    _tell_of_variables(here, environment)
    facts = {"forgotten": bool(forgotten), "in_use": following.user if following else None}
    show_done(here, text, environment=name, **facts)


def _tell_of_variables(here: State, environment: Environment) -> None:
    for name in (variable(environment.name, "TOKEN"), "ACCTCLI_TOKEN"):
        if here.environ.get(name):
            here.say(f"note: {name} is set, and commands go on using that")


def _end(here: State, kept: Kept | None, secret: str | None) -> None:
    """Tell the login host that a sign-in is over; what it does not hear is said, as the token stays good there."""
    from acctcli.credentials.sign_in.host import LoginHost
    from acctcli.credentials.sign_in.provider import Client, revoke

    renewal = kept.renewal if kept is not None else None
    if kept is None or renewal is None or renewal.revocation_url is None:
        return
    # with a refresh token all that was made of it ends
    token = renewal.refresh_token or kept.token
    known.know(token)
    client = Client(renewal.client_id, secret)
    try:
        heard = revoke(renewal.revocation_url, client, token, LoginHost(here.options.ca_file, 10.0))
    except AcctcliError:
        heard = False
    if not heard:
        tell("note: the login host did not hear of it: end the sign-in there too, in its list of sign-ins")


def _proven(here: State, store: str) -> TokenStore:
    keep_from_dumps()
    _check_moved(here, store)
    tokens = open_store(here.environment, here.environ, store)
    tokens.place.prove()
    return tokens


def _check_moved(here: State, store: str) -> None:
    """Refuse to keep tokens in another place than those which are there: nobody would find these any more."""
    environment = here.environment
    if store == environment.store:
        return
    try:
        there = open_store(environment, here.environ).place.get(IN_USE)
    except PlaceUnusable:
        return
    if there is not None:
        raise UsageError(
            f"tokens of {environment.name} are kept in the {environment.store}",
            hint=f"sign out first: acctcli auth logout --everybody --env {environment.name}",
        )


def _user(here: State, token: str) -> str:
    """Return the address of whoever the service takes the token for."""
    here.http = connect(here.environment, here.options, here.environ, Credential(token, "login"))
    email = text_of(here.http.send("GET", "/v1/user/").body, "email", _NOBODY)
    if not 0 < len(email) <= _LONGEST_EMAIL:
        raise ServerFault(_NOBODY, code="unreadable_reply")
    return email


def _keep(here: State, tokens: TokenStore, store: str, kept: Kept) -> None:
    environment = here.environment
    replaced = tokens.save(kept)
    if store != environment.store:
        here.settings.use_store(environment.name, store)
    # a sign-in that nobody has any more is not left in force
    _end(here, replaced, tokens.place.get(CLIENT_SECRET))
    _tell_of_variables(here, environment)
    show_done(here, f"Signed in to {environment.name} as {kept.user}.", environment=environment.name, user=kept.user)


def _secret(tokens: TokenStore, *, typed: bool) -> str | None:
    if typed:
        secret: str | None = ask_unseen("client secret", "Client secret (not shown): ", "sign in on a terminal")
    else:
        secret = tokens.place.get(CLIENT_SECRET)
    known.know(secret)
    return secret


def _open(here: State, address: str) -> None:
    tell("Sign in with your browser; this goes on once you have. If no page opened, open this one:")
    tell(address)
    with suppress(OSError):  # it was printed
        open_browser(address, here.environ)


def open_browser(address: str, environ: Mapping[str, str]) -> None:
    """Open an address in a process of its own: it may take long, says what it likes, and is told no secret."""
    import subprocess

    told = {name: value for name, value in environ.items() if not name.startswith("ACCTCLI_")}
    subprocess.Popen(
        [sys.executable, "-m", "webbrowser", address],
        env=told,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _pasted(address: str) -> str:
    tell("Open this address in a browser, sign in, and paste the address at which the browser ends:")
    tell(address)
    try:
        text = sys.stdin.readline(_LONGEST_ADDRESS)
    except UnicodeDecodeError:
        raise UsageError("what was pasted is no text") from None
    if not text.strip():
        raise NotAuthenticated("no address was pasted", hint="sign in again")
    if "?" not in text:
        raise UsageError("what was pasted is not the address that the browser ended at: it has no `?`")
    return text
