"""What a token may look like."""

from __future__ import annotations

from contextlib import suppress

from acctcli.errors import UsageError

SHORTEST, LONGEST = 8, 16 * 1024


def keep_from_dumps() -> None:
    """See that no core dump of this process is written: it would hold the token."""
    with suppress(ImportError, OSError, ValueError):  # Windows writes none; a limit may be another's to set
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def check_token(token: str, source: str) -> str:
    """Return `token` if it can stand in a header; raise UsageError naming `source`, never the value."""
    if why := refusal(token):
        raise UsageError(f"The token from {source} is refused: {why}", fields={"token": [why]})
    return token


def is_plain(token: str) -> bool:
    """Tell whether a token is of characters that a header, a shell and a terminal take as they are."""
    return all("!" <= character <= "~" for character in token)


def refusal(token: str) -> str | None:
    """Say why `token` cannot stand in a header; None when it can."""
    if len(token) < SHORTEST:
        return f"it is shorter than {SHORTEST} characters"
    if len(token) > LONGEST:
        return f"it is longer than {LONGEST} characters"
    if any(character.isspace() for character in token):
        return "it holds a blank or a line break; give the token alone"
    if not is_plain(token):
        return "it holds a character that no token has, such as one beyond ASCII; give the token alone"
    return None
