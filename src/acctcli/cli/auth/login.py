"""Take a token, sign in by the browser, and sign out."""

from __future__ import annotations

import sys
from typing import BinaryIO

from acctcli.cli.output.show import show_done
from acctcli.cli.output.stderr import tell
from acctcli.cli.session.connect import connect_with
from acctcli.cli.session.state import State
from acctcli.client import known
from acctcli.client.faults import text_of
from acctcli.credentials import Credential, keep_from_dumps
from acctcli.credentials.jwts import ENTRY
from acctcli.credentials.kept import Kept
from acctcli.credentials.prompt import ask_unseen, read_hidden, read_piped
from acctcli.credentials.store import CLIENT_SECRET, TokenStore, open_store
from acctcli.errors import AcctcliError, NotAuthenticated, UsageError
from acctcli.settings import Environment, variable

_LONGEST_ADDRESS = 8192
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
            _open(flow.address)
        made = flow.finish(callback.wait if callback is not None else lambda: _pasted(flow.address))
    finally:
        if callback is not None:
            callback.close()
    user = _user(here, made.access_token)
    if with_secret and secret:
        tokens.place.put(CLIENT_SECRET, secret)
    _keep(here, tokens, store, flow.keep(made, environment.base_url or "", user))


def sign_out(here: State, environment: Environment, *, everybody: bool) -> None:
    """Forget the sign-in in use, or all of them, and end them at the login host where that gave them."""
    tokens = open_store(environment, here.environ)
    forgotten, following = tokens.remove()
    _end(here, tokens, forgotten)
    tokens.place.remove(ENTRY)
    while everybody and following is not None:
        gone, following = tokens.remove()
        _end(here, tokens, gone)
    if following is None:
        tokens.place.remove(CLIENT_SECRET)
    name = environment.name
    text = f"Signed out of {name}." if forgotten else f"There was no token for {name}."
    if following is not None:
        text += f" Commands go there as {following.user} now."
    facts = {"forgotten": forgotten is not None, "in_use": following.user if following else None}
    show_done(here, text, environment=name, **facts)


def _end(here: State, tokens: TokenStore, kept: Kept | None) -> None:
    """Tell the login host that a sign-in is over; what it does not hear is said, as the token stays good there."""
    from acctcli.credentials.sign_in.host import LoginHost
    from acctcli.credentials.sign_in.provider import Client, revoke

    renewal = kept.renewal if kept is not None else None
    if renewal is None or renewal.refresh_token is None or renewal.revocation_url is None:
        return
    known.know(renewal.refresh_token)
    client = Client(renewal.client_id, tokens.place.get(CLIENT_SECRET))
    try:
        heard = revoke(renewal.revocation_url, client, renewal.refresh_token, LoginHost(here.options.ca_file, 10.0))
    except AcctcliError:
        heard = False
    if not heard:
        tell("note: the login host did not hear of it: end the sign-in there too, in its list of sign-ins")


def _proven(here: State, store: str) -> TokenStore:
    keep_from_dumps()
    tokens = open_store(here.environment, here.environ, store)
    tokens.place.prove()
    return tokens


def _user(here: State, token: str) -> str:
    """Return the address of whoever the service takes the token for."""
    here.http = connect_with(here.environment, here.options, here.environ, Credential(token, "login"))
    return text_of(here.http.send("GET", "/v1/user/").body, "email", "the service did not say who you are")


def _keep(here: State, tokens: TokenStore, store: str, kept: Kept) -> None:
    environment = here.environment
    if store != environment.store:
        here.settings.use_store(environment.name, store)
    tokens.save(kept)
    for name in (variable(environment.name, "TOKEN"), "ACCTCLI_TOKEN"):
        if here.environ.get(name):
            here.say(f"note: {name} is set, and commands go on using that")
    show_done(here, f"Signed in to {environment.name} as {kept.user}.", environment=environment.name, user=kept.user)


def _secret(tokens: TokenStore, *, typed: bool) -> str | None:
    if typed:
        secret: str | None = ask_unseen("client secret", "Client secret (not shown): ", "sign in on a terminal")
    else:
        secret = tokens.place.get(CLIENT_SECRET)
    known.know(secret)
    return secret


def _open(address: str) -> None:
    import webbrowser

    tell("Sign in with your browser; this goes on once you have. If no page opened, open this one:")
    tell(address)
    try:
        webbrowser.open(address)
    except webbrowser.Error:
        return  # it was printed


def _pasted(address: str) -> str:
    tell("Open this address in a browser, sign in, and paste the address at which the browser ends:")
    tell(address)
    text = sys.stdin.readline(_LONGEST_ADDRESS)
    if not text.strip():
        raise NotAuthenticated("no address was pasted", hint="sign in again")
    if "?" not in text:
        raise UsageError("what was pasted is not the address that the browser ended at: it has no `?`")
    return text
