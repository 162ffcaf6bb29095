"""Passwords of subscriptions: from a file, a pipe or a prompt, never from an argument, where others can see them."""

from __future__ import annotations

from acctcli.cli.session.state import State
from acctcli.errors import UsageError

FIELD = "basic_auth_password"
_OTHER_WAY = "give it with --password-file FILE, `-` for stdin"


def read_password(source: object) -> str:
    """Return what a file, or stdin for `-`, holds, without the one line break at its end."""
    from acctcli.cli.command.body import read_text

    text = read_text(str(source), "--password-file").removesuffix("\n").removesuffix("\r")
    if not text:
        raise UsageError(f"--password-file {source}: there is no password in it")
    return text


def asked(here: State, ask: bool) -> dict[str, object]:
    """Return the password that is typed, if it is to be asked for; refuse one among the arguments."""
    given = [text.partition("=")[2] for text in here.options.set if text.partition("=")[0] == FIELD]
    if any(value != "null" for value in given):
        raise UsageError(
            "a password must not stand among the arguments: others can read it in the list of processes",
            hint="use --password-file FILE or --ask-password; --set basic_auth_password=null takes it away",
        )
    if not ask:
        return {}
    from acctcli.credentials.prompt import ask_unseen

    return {FIELD: ask_unseen("password", "Password (not shown): ", _OTHER_WAY)}
