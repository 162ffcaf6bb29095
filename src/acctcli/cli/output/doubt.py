"""The one sentence of a command that failed although it wrote, or may have: what, how to find out, how to go on."""

from __future__ import annotations

import re
import shlex

from acctcli.cli.output.stderr import Doubt
from acctcli.cli.session.state import State, without
from acctcli.client import redact
from acctcli.client.writes import Write
from acctcli.errors import AcctcliError

_KEY = "--idempotency-key"
# where a write is seen that was sent to an address which shows nothing: in a list, or in the record it was done to
_SEEN = (
    (re.compile(r"file_upload/$"), "files/"),
    (re.compile(r"document/[^/]+/action/copy/$"), "document/"),
    (re.compile(r"(/runs/[^/]+/)action/cancel/$"), r"\1"),
    (
        re.compile(r"(/webhook_subscriptions/[^/]+/)(?:action/ping|deliveries/[^/]+/action/redeliver)/$"),
        r"\1deliveries/",
    ),
    (re.compile(r"relation/suggestions/preview/$"), ""),
    (re.compile(r"^(/v1/business/[^/]+/)logo/$"), r"\1"),
    (re.compile(r"/((?:users|invitations)/)[^/]+/(?:\w+/)*$"), r"/\1"),
    (re.compile(r"^(/v1(?:/[^/]+){4}/)(?:actions?/[^/]+|send|show|hide|status_messages(?:/[^/]+)?)/$"), r"\1"),
)
# such a reply may be somebody else's
_ODD = {"unreadable_reply", "secret_sent_back"}


def facts_of(error: BaseException, here: State | None) -> Doubt | None:
    """Return what is to be said of the last write of a command that ended so; None if it surely wrote nothing."""
    write = None if here is None or here.writes is None else here.writes.last
    if here is None or write is None:
        return None
    is_done = write.is_done and not (isinstance(error, AcctcliError) and error.code in _ODD)
    facts = {
        "is_done": is_done,
        "told": write.told or f"{write.method} {write.path} {'was' if is_done else 'may have been'} done",
        "request": f"{write.method} {write.path}",
        "idempotency_key": write.key,
        "look": shlex.join(["acctcli", "api", "GET", seen_at(write.path), "--env", here.environment.name]),
        "repeat": _repeating(here, write),
    }
    return {name: redact.text(fact) if isinstance(fact, str) else fact for name, fact in facts.items()}


def seen_at(path: str) -> str:
    """Return the address that shows what a write to an address has done."""
    for sent_to, shown_at in _SEEN:
        path, is_one = sent_to.subn(shown_at, path)
        if is_one:
            break
    return path


def _repeating(here: State, write: Write) -> str | None:
    """Return the command that does it once and not twice; None where it holds a secret, which is not shown."""
    words = [word for word in without(here.plain_words, {_KEY}) if word != "--again"]
    if write.key is not None and here.takes_key:
        words += [_KEY, write.key]
    elif write.method == "POST":
        return None
    if any(redact.text(word) != word for word in words):
        return None
    return shlex.join(["acctcli", *words])
