"""Send any request of the interface."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from acctcli.cli.command.classes import ApiCommand, Context, new_group
from acctcli.cli.output.show import show_any, show_done, show_rows
from acctcli.cli.session.state import State, state
from acctcli.errors import UsageError

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")

app = new_group(__doc__)

Method = Annotated[str, typer.Argument(metavar="METHOD", help="GET, POST, PUT, PATCH or DELETE.")]
Path = Annotated[str, typer.Argument(metavar="PATH", help="Such as /v1/business/{business}/account/.")]
Field = Annotated[
    list[str] | None,
    typer.Option(
        "--field",
        "-F",
        metavar="K=V",
        help="A query parameter on GET, else a body field: JSON, or text as it is.",
    ),
]
Input = Annotated[
    str | None, typer.Option("--input", metavar="FILE", help="Send this file as the body; `-` for stdin.")
]
Paginate = Annotated[bool, typer.Option("--paginate", help="Read every page of a list and show its rows.")]


@app.command("api", cls=ApiCommand)
def send_request(
    ctx: Context,
    method: Method,
    path: Path,
    field: Field = None,
    input: Input = None,
    paginate: Paginate = False,
) -> None:
    """Send any request of the interface, with the same care as every other command.

    {business} in the path stands for the business in use.

    Example: acctcli api GET '/v1/business/{business}/account/' --field type=REV_SAL --paginate
    """
    here = state(ctx)
    verb = method.upper()
    if verb not in METHODS:
        raise UsageError(f"{method!r} is no method; there are {', '.join(METHODS)}")
    place = _place(here, path)
    fields = [_split(one) for one in field or []]
    if paginate:
        _paginate(here, verb, place, fields)
        return
    if verb == "GET":
        if input is not None:
            raise UsageError("--input is a body; GET has none")
        reply = here.http.send(verb, place, query=_query(fields))
    else:
        if verb == "DELETE":
            here.confirm(f"DELETE {place}?")
        reply = here.http.send(verb, place, body=_body(fields, input), key=here.options.idempotency_key)
    if reply.body:
        show_any(here, reply)
    else:
        show_done(here, f"{verb} {place}: {reply.status}", status=reply.status)


def _paginate(here: State, verb: str, place: str, fields: list[tuple[str, str]]) -> None:
    from acctcli.client.messages import LARGEST_PAGE, Extent
    from acctcli.client.pages import Listing

    if verb != "GET":
        raise UsageError("--paginate reads lists: it goes with GET only")
    extent = Extent(None, here.options.page_size or LARGEST_PAGE)
    show_rows(here, Listing(here.http, place, _query(fields), extent), ("all",))


def _place(here: State, path: str) -> str:
    from acctcli.client.urls import check_path

    whole = path.replace("{business}", here.business()) if "{business}" in path else path
    return check_path(whole)


def _split(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise UsageError(f"--field {text!r}: write it like name=value")
    return name, value


def _query(fields: list[tuple[str, str]]) -> dict[str, list[str]]:
    query: dict[str, list[str]] = {}
    for name, value in fields:
        query.setdefault(name, []).append(value)
    return query


def _body(fields: list[tuple[str, str]], source: str | None) -> bytes | None:
    from acctcli.cli.command.body import parse_json, read_text
    from acctcli.client import known
    from acctcli.client.messages import encode_plain

    if source is not None:
        if fields:
            raise UsageError("--input and --field exclude each other")
        text = read_text(source)
        parse_json(text, f"--input {source}")
        return text.encode()
    if not fields:
        return None
    values: dict[str, Any] = {}
    for name, value in fields:
        if known.is_secret(name) and value != "null":
            raise UsageError(
                f"--field {name}: a secret among the arguments can be read by others in the list of processes",
                hint="send the whole body with --input FILE, `-` for stdin",
            )
        values[name] = _guess(value)
    return encode_plain(values)


def _guess(value: str) -> Any:
    """JSON when it reads as JSON, else the text: there is no model to ask here."""
    from acctcli.cli.command.body import parse_json

    try:
        return parse_json(value, "--field")
    except UsageError:
        return value
