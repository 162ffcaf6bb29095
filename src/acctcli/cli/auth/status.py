"""Who is signed in to which environment, with which token, for how long, and for which businesses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

import msgspec

from acctcli.cli.session.connect import LOCAL_TOKEN, connect
from acctcli.cli.session.state import State
from acctcli.client.access import is_jwt, moment_of
from acctcli.client.api import Api
from acctcli.client.faults import text_of
from acctcli.client.messages import Extent
from acctcli.credentials import Credential, no_token, resolve
from acctcli.credentials.prompt import read_file_passphrase
from acctcli.credentials.store import TokenStore, open_store
from acctcli.errors import AcctcliError, Forbidden, NotFound
from acctcli.settings import Environment, data_dir

# seconds for each environment: one that does not answer must not hide the others
_PATIENCE = 15.0
Row = dict[str, Any]


def look(here: State) -> tuple[list[Row], list[AcctcliError]]:
    """Return a row for each person and environment, and what went wrong with those that commands go to."""
    rows: list[Row] = []
    problems: list[AcctcliError] = []
    # one file has the tokens of several environments
    ask = cache(lambda is_new: read_file_passphrase(here.environ, is_new=is_new))
    for environment in _environments(here):
        store = open_store(environment, here.environ, passphrase=ask)
        row, problem = _row(here, environment, store)
        rows.append(row)
        if problem is not None and (row["token_source"] or environment.name == here.environment.name):
            problems.append(problem)
        rows += _others(environment, store if row["token_source"] == environment.store else None)
    return rows, problems


def _environments(here: State) -> Iterator[Environment]:
    if here.options.env is not None:
        yield here.environment
        return
    for found in here.settings.list_environments():
        there = data_dir(here.environ) / "local"
        if found.name == here.environment.name or found.base_url or (found.in_process and there.is_dir()):
            yield found


def _row(here: State, environment: Environment, store: TokenStore) -> tuple[Row, AcctcliError | None]:
    row: Row = {
        "environment": environment.name,
        "base_url": "in process" if environment.in_process else environment.base_url,
        "user": None,
        "kind": None,
        "token_source": None,
        "expires_at": None,
        "businesses": None,
        "is_in_use": True,
        "problem": None,
    }
    try:
        found = resolve(environment, here.environ, store)
        if found is None and not environment.in_process:
            raise no_token(environment)
        row |= _facts(found)
        row |= _answered(here, environment, found)
    except AcctcliError as problem:
        return {**row, "problem": problem.message}, problem
    return row, None


def _facts(found: Credential | None) -> Row:
    """Return what the token says of itself."""
    if found is None:
        return {"token_source": LOCAL_TOKEN, "kind": "personal access token"}
    user = found.kept.user if found.kept is not None else None
    ends = moment_of(found.token, "exp")
    kind = "JWT" if is_jwt(found.token) else "personal access token"
    if found.kept is not None and found.kept.renewal is not None:
        kind, ends = found.kept.kind, found.kept.renewal.expiry.at
    return {"user": user, "token_source": found.source, "kind": kind, "expires_at": _moment(ends)}


def _answered(here: State, environment: Environment, found: Credential | None) -> Row:
    """Return what the service says of whoever has the token."""
    options = replace(here.options, env=environment.name, timeout=here.options.timeout or _PATIENCE)
    http = connect(environment, options, here.environ, found)
    try:
        api = Api(http, lambda: "")
        told: Row = {"user": text_of(api.user().body, "email", "the service did not say who you are")}
        told |= {"businesses": _businesses(api)}
        is_plain = found is None or not (is_jwt(found.token) or (found.kept is not None and found.kept.renewal))
        return told | _end(api) if is_plain and not environment.is_hosted else told
    finally:
        http.client.close()


def _end(api: Api) -> Row:
    """Return until when a personal access token holds, if the service says so: an earlier one does not."""
    try:
        said = msgspec.json.decode(api.own_token().body, type=dict[str, Any])["expires_at"]
        return {"expires_at": None if said is None else _moment(datetime.fromisoformat(said).timestamp())}
    except (NotFound, msgspec.DecodeError, KeyError, TypeError, ValueError):
        return {}


def _businesses(api: Api) -> list[str] | None:
    """Return the first slugs; None when the token may not ask."""
    try:
        pages = api.businesses.list({}, Extent(limit=200))
        return [msgspec.json.decode(row, type=dict[str, Any])["slug"] for page in pages for row in page]
    except (Forbidden, msgspec.DecodeError, KeyError):
        return None


def _others(environment: Environment, store: TokenStore | None) -> list[Row]:
    """Return the people who are signed in beside the one in use, of whom the service is not asked."""
    try:
        others = store.all()[1:] if store is not None else []
    except AcctcliError:
        return []
    return [
        {
            "environment": environment.name,
            "base_url": environment.base_url,
            "user": kept.user,
            "kind": kept.kind,
            "token_source": environment.store,
            "expires_at": _moment(kept.renewal.expiry.at if kept.renewal else None),
            "businesses": None,
            "is_in_use": False,
            "problem": None,
        }
        for kept in others
    ]


def _moment(at: float | None) -> str | None:
    try:
        return None if at is None else datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):  # no moment of a calendar
        return None
