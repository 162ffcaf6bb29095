"""What people type for a command that is called otherwise, and what the parser says of values, in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable

# what verbs are called elsewhere
_VERBS = {
    "add": "create", "new": "create", "post": "create", "make": "create",
    "show": "get", "view": "get", "read": "get", "cat": "get",
    "ls": "list", "search": "list", "find": "list",
    "edit": "update", "change": "update", "modify": "update", "set": "update", "rename": "update",
    "remove": "delete", "rm": "delete", "del": "delete",
    "void": "reverse", "undo": "reverse", "storno": "reverse",
}  # fmt: skip
# what stands under no group of its name
_ELSEWHERE = {
    "undo": "acctcli document reverse, acctcli invoice credit-note, acctcli purchase unpay",
    "import": "acctcli bank import, acctcli purchase import, acctcli document create --file FILE.jsonl",
    "export": "acctcli document list --all --output csv, acctcli report journal --output xlsx, acctcli audit export",
    "login": "acctcli auth login",
    "logout": "acctcli auth logout",
    "init": "acctcli business create",
    "balance": "acctcli account balances",
    "backup": "acctcli local backup",
    "restore": "acctcli local restore",
    "config": "acctcli env list, acctcli business update",
    "pay": "acctcli invoice pay, acctcli purchase pay, acctcli purchase pay-file",
    "customer": "acctcli contact",
    "supplier": "acctcli contact, acctcli purchase",
    "entry": "acctcli document",
    "transaction": "acctcli document, acctcli bank",
}
_NO_INTEGER = re.compile(r"('.*') is not a valid int(?:eger)?(?: range)?\.")
_NO_NUMBER = re.compile(r"('.*') is not a valid float(?: range)?\.")
_OUTSIDE = re.compile(r"(-?[0-9.]+) is not in the range (?:(-?[0-9.]+)<=)?x(?:(>=|<=)(-?[0-9.]+))?\.")


def what_is_meant(word: str, names: Iterable[str], place: str, *, is_root: bool) -> str:
    """Return the hint for a word that is no command: what it is called here, the nearest one, or where all stand."""
    from difflib import get_close_matches

    names = list(names)
    if is_root and word in _ELSEWHERE:
        return f"see: {_ELSEWHERE[word]}"
    near = [_VERBS[word]] if _VERBS.get(word) in names else get_close_matches(word, names, 1)
    return f"did you mean {near[0]}?" if near else f"see: {place} --help"


def in_a_sentence(message: str) -> str:
    """Return what the parser says of a value as people say it."""
    message = _NO_INTEGER.sub(r"\1 is not a whole number.", message)
    message = _NO_NUMBER.sub(r"\1 is not a number.", message)
    return _OUTSIDE.sub(_bounds, message)


def _bounds(found: re.Match[str]) -> str:
    value, least, sign, bound = found.groups()
    if sign == ">=":
        least, bound = bound, None
    if least is not None and bound is not None:
        return f"{value} is not between {least} and {bound}."
    return f"{value} is not {least} or more." if least is not None else f"{value} is not {bound} or less."
