"""The usual commands of a plain resource, made by one function a verb; what is special is written out.

tags = Resource(app, TAG.noun, TAG.records, "tag:TagRequest", COLUMNS, DETAILS, FIELDS, kind=TAG)
tags.get("Show one tag.", "acctcli tag get 1")
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Annotated, Any

import typer

from acctcli.cli.command.called import Kind, Many, id_argument, is_of_many, several
from acctcli.cli.command.classes import (
    ActionCommand,
    Command,
    Context,
    CreateCommand,
    DeleteCommand,
    ExportCommand,
    ListCommand,
    UpdateCommand,
    shows,
)
from acctcli.cli.command.options import RANGE, Field, range_query
from acctcli.cli.completing.shown import noted
from acctcli.cli.output.show import show, show_done, show_rows
from acctcli.cli.session.state import State, state

if TYPE_CHECKING:
    from acctcli.cli.output.columns import Rows
    from acctcli.client.collection import Collection
    from acctcli.client.messages import Reply
    from acctcli.models.base import Request

Columns = tuple[str, ...]
# what the first and the last day of a range are called in a query
Days = tuple[str, str]
# what a record goes by on the command line: its id, or what people call it
Name = int | str
# what a command does with the names of a record, that of what it is part of first
Run = Callable[..., None]
# what help says of such a request
INFERRED = "\n\nThat other services than local take this request is inferred: nothing that is known of them shows it."
# names of records as they were typed, with those that the interface knows them by
Found = Mapping[Name, Name]
Names = Sequence[Name]
# sends the request of one of several records
Send = Callable[[Name], "Reply"]
# what a command does with records, of the one they are part of if of any
RunForEach = Callable[[State, Names, Names], None]


@dataclass(frozen=True)
class Resource:
    """What the commands of one resource do not share with those of all others.

    `noun` is what a record is called in sentences, `records` where `Api` has them, `model` the request's place in
    `acctcli.models`, imported when a body is read. With `part_of`, the kind or the noun of another resource, records
    are those of one of its records, whose id is the first argument. Records go by their ids (`key`), and by what those
    of their `kind` are called, unless `name` is another argument; `find` makes the interface's name of it. `more` gives
    fields of a body or a query that take more than reading an option, `defaults` what need not be said of a whole body.
    `present` shows a record otherwise than by its details, `editing` surrounds what changes one, `changed` is told of
    it. `checking` takes options that are no fields, and returns what refuses a body: a whole one, or the changes of the
    record named. `inferred` are verbs that nothing shows which is known of services of others: their requests are as
    those for other records are. `many` says how some are made from one file.
    """

    app: typer.Typer
    noun: str
    records: Callable[..., Collection[Any]]
    model: str
    columns: Columns
    details: Columns
    fields: tuple[Field, ...] = ()
    part_of: Kind | str = ""
    name: Any = None
    kind: Kind | None = None
    key: str = "id"
    find: Callable[[State, Any], Name] = lambda here, name: name
    more: Callable[[State], Mapping[str, object]] = lambda here: {}
    defaults: Mapping[str, object] | None = None
    present: Callable[[State, Reply], None] | None = None
    editing: Callable[[Name], AbstractContextManager[None]] = lambda name: nullcontext()
    changed: Callable[[State, Name, Reply], None] = lambda here, name, reply: None
    checking: Callable[[State], Callable[[Any, Name | None], None]] = lambda here: lambda body, name: None
    inferred: Sequence[str] = ()
    many: Many | None = None

    def list(
        self,
        help: str,
        example: str,
        *filters: Field,
        days: Days | None = None,
        through: Callable[[State, Iterator[Rows]], Iterator[Rows]] = lambda _, pages: pages,
    ) -> None:
        """Add the command that lists records, those of a range of `days` where it has any; pages pass `through`."""

        def run(here: State, *parent: Name) -> None:
            listing = self.records(here.api, *parent).list(self._query(here, days), here.extent)
            show_rows(here, listing, self.columns, lambda pages: through(here, noted(here, self.kind, pages)))

        self._add("list", ListCommand.taking(*(RANGE if days else ()), *filters), help, example, run, self._parent)

    def export(
        self,
        help: str,
        example: str,
        *filters: Field,
        days: Days | None = None,
        kind: str | None = None,
        is_filtered: bool = False,
    ) -> None:
        """Add the command that lists records, or with --since those that have changed (`exports.changes.show_list`)."""

        def run(here: State) -> None:
            from acctcli.cli.exports.changes import show_list

            records, query = self.records(here.api), self._query(here, days)
            note = partial(noted, here, self.kind)
            show_list(here, kind or self.noun, records, query, self.columns, through=note, is_filtered=is_filtered)

        self._add("list", ExportCommand.taking(*(RANGE if days else ()), *filters), help, example, run, ())

    def get(self, help: str, example: str) -> None:
        """Add the command that shows a record."""

        def run(here: State, parent: Names, names: Names) -> None:
            found = self._found(here, names)
            records = self.records(here.api, *parent)
            if len(found) == 1:
                self.show(here, records.get(*found.values()))
            else:
                self._send_each(here, found, lambda name: records.get(found[name]), self.columns)

        self._add_for_each("get", Command, help, example, run)

    def create(
        self,
        help: str,
        example: str,
        *own: Field,
        columns: Columns | None = None,
        once: Columns | None = None,
        local_only: bool = False,
    ) -> None:
        """Add the command that makes a record; it shows `columns`, what is shown this `once`, or the details."""
        shown = once or columns

        def run(here: State, *parent: Name) -> None:
            if local_only:
                here.require_local()
            if self.many and is_of_many(here.options.file):
                self._create_all(here, self.many, (*self.fields, *own), *parent)
                return
            reply = self.records(here.api, *parent).create(self._body(here), here.options.idempotency_key)
            if shown:
                show(here, reply, shown)
            else:
                self.show(here, reply)

        cls = CreateCommand.taking(*self.fields, *own, model=self.model)
        self._add("create", cls, help, example, run, self._parent, once)

    def update(self, help: str, example: str, *own: Field) -> None:
        """Add the command that changes the fields given."""

        def run(here: State, *names: Name) -> None:
            from acctcli.cli.command.body import read_changes

            *parent, name = names
            refuse = self.checking(here)
            body = read_changes(here, self._request(), self._filled(here))
            refuse(body, name)
            with self.editing(name):
                reply = self.records(here.api, *parent).update(self.find(here, name), body)
                self.changed(here, name, reply)
                self.show(here, reply)

        cls = UpdateCommand.taking(*self.fields, *own, model=self.model)
        self._add("update", cls, help, example, run, self._names)

    def replace(self, help: str, example: str, *own: Field) -> None:
        """Add the command that replaces all fields."""

        def run(here: State, *names: Name) -> None:
            *parent, name = names
            body = self._body(here)  # which is whole: nothing of what was there counts
            with self.editing(name):
                reply = self.records(here.api, *parent).replace(self.find(here, name), body)
                self.changed(here, name, reply)
                self.show(here, reply)

        cls = UpdateCommand.taking(*self.fields, *own, model=self.model)
        self._add("replace", cls, help, example, run, self._names)

    def delete(self, help: str, example: str, consequence: str = "") -> None:
        """Add the command that deletes records; its question names the `consequence`, after the record."""

        def run(here: State, parent: Names, names: Names) -> None:
            from acctcli.client.messages import encode_plain

            names = list(dict.fromkeys(names))
            part = "".join(f" of {self._whole} {one}" for one in parent)
            noun, end = (
                (self.noun, consequence) if len(names) == 1 else (self._plural, consequence.replace(" its ", " their "))
            )
            told = f"{noun} {', '.join(map(str, names))}{part}"
            described = [self._described(here, name, *parent) for name in names] if here.asks else names
            here.confirm(f"Delete {noun} {', '.join(map(str, described))}{part}{end}?")
            found = self._found(here, names)
            records = self.records(here.api, *parent)
            if len(found) == 1:
                ((name, record),) = found.items()
                with self.editing(name):
                    records.delete(record)
                show_done(here, f"Deleted {told}.", **{self.key: record}, deleted=True)
                return
            # people are told in sentences, as they are of one
            is_said = here.format == "table"

            def delete(name: Name) -> Reply:
                with self.editing(name):
                    reply = records.delete(found[name])
                if is_said:
                    here.say(f"Deleted {self.noun} {name}{part}.")
                return replace(reply, body=encode_plain({self.key: found[name], "deleted": True}))

            self._send_each(here, found, delete, () if is_said else (self.key, "deleted"), "deleted")

        self._add_for_each("delete", DeleteCommand, help, example, run)

    def act(
        self, verb: str, help: str, example: str, action: str, mend: str = "", *own: Field,
        body_of: Callable[[State], Request | None] = lambda here: None, local_only: bool = False,
    ) -> None:  # fmt: skip
        """Add a command for an `action` below a record; `body_of` reads its `own` options, `mend` helps if it fails."""

        def run(here: State, parent: Names, names: Names) -> None:
            from acctcli.cli.command.many import key_of_one, remedied

            if local_only:
                here.require_local()
            found, records = self._found(here, names), self.records(here.api, *parent)
            key, body = here.options.idempotency_key, body_of(here)
            if len(found) == 1:
                ((name, record),) = found.items()
                with remedied(mend, name):
                    reply = records.act(record, action, body, key)
                self.show_result(here, record, reply, *parent)
                self.changed(here, record, reply)
                return
            from uuid import uuid4

            base = key or str(uuid4())

            def act(name: Name) -> Reply:
                with remedied(mend, name):
                    reply = records.act(found[name], action, body, key_of_one(base, str(found[name])))
                self.changed(here, name, reply)
                return reply if reply.body.strip() else records.get(found[name])

            self._send_each(here, found, act, self.columns, base=base)

        self._add_for_each(verb, ActionCommand.taking(*own), help, example, run)

    def show(self, here: State, reply: Reply) -> None:
        """Show one record."""
        if self.present is None:
            show(here, reply, self.details)
        else:
            self.present(here, reply)

    def show_result(self, here: State, record: Name, reply: Reply, *parent: Name) -> None:
        """Show what an action answers, and the record itself where that is nothing."""
        self.show(here, reply if reply.body.strip() else self.records(here.api, *parent).get(record))

    def _described(self, here: State, name: Name, *parent: Name) -> str:
        """Return a name, and where somebody is asked about it what tells people which record of a kind that is."""
        if self.kind is None or not here.asks:
            return str(name)
        from acctcli.cli.output.replies import reader

        row = reader(dict[str, Any], self.noun)(self.records(here.api, *parent).get(self.find(here, name)).body)
        return f"{name} ({self.kind.describe(row)})"

    @property
    def _plural(self) -> str:
        return f"{self.noun}{'es' if self.noun.endswith('s') else 's'}"

    def _send_each(
        self, here: State, found: Found, send: Send, columns: Columns, done: str = "done", base: str | None = None
    ) -> None:
        """Send a request for each of several records; those that are refused are named at the end."""
        from acctcli.cli.command.many import Step, send_all

        writes = [Step(partial(send, name), f"{self.noun} {name}") for name in found]
        send_all(
            here,
            writes,
            base,
            columns,
            lambda number: f"{number} of {len(found)} {self._plural} {'is' if number == 1 else 'are'} {done}",
            goes_on=True,
        )

    def _add_for_each(self, verb: str, cls: type[Command], help: str, example: str, run: RunForEach) -> None:
        """Add a command that takes the names of one or more records."""

        def run_all(here: State, *names: Any) -> None:
            *parent, chosen = names
            run(here, parent, chosen)

        *parent, name = self._names
        self._add(verb, cls, help, example, run_all, (*parent, several(name)))

    def _found(self, here: State, names: Names) -> Found:
        """Find all of the records before anything is done with one; what has two names is one."""
        found: dict[Name, Name] = {}
        for name in names:
            found.setdefault(self.find(here, name), name)
        return {name: record for record, name in found.items()}

    def _request(self) -> type[Request]:
        module, _, name = self.model.partition(":")
        model: type[Request] = getattr(import_module(f"acctcli.models.{module}"), name)
        return model

    def _query(self, here: State, days: Days | None) -> dict[str, Any]:
        span = range_query(here, *days) if days else {}
        return {**here.named, **span, **self.more(here)}

    def _body(self, here: State) -> Request:
        from acctcli.cli.command.body import read_body

        refuse = self.checking(here)
        body = read_body(here, self._request(), self._filled(here), self.defaults)
        refuse(body, None)
        return body

    def _filled(self, here: State) -> Mapping[str, object]:
        return {**self.more(here), **(self.many.filling(here)(here.named) if self.many else {})}

    def _create_all(self, here: State, many: Many, fields: Sequence[Field], *parent: Name) -> None:
        from acctcli.cli.command.bringing import Brought, create_all

        refuse, records = (many.checking or self.checking)(here), self.records(here.api, *parent)
        brought = Brought(self.noun, records, self._request(), fields, many, refuse)
        create_all(here, brought, self.columns)

    @property
    def _whole(self) -> str:
        return self.part_of.noun if isinstance(self.part_of, Kind) else self.part_of

    @property
    def _parent(self) -> tuple[Any, ...]:
        return (Annotated[int, id_argument(self.part_of, metavar=self._whole.upper())],) if self.part_of else ()

    @property
    def _names(self) -> tuple[Any, ...]:
        if self.part_of:
            more = f"of this {self._whole}'s list"
            return (*self._parent, Annotated[int, id_argument(self.noun, more, metavar=self.noun.upper())])
        return (self.name or Annotated[int, id_argument(self.kind or self.noun)],)

    def _add(
        self,
        verb: str,
        cls: type[Command],
        help: str,
        example: str,
        run: Run,
        arguments: tuple[Any, ...],
        marked: Columns | None = None,
    ) -> None:
        """Add a command that takes these arguments and has no other parameters; its class brings the options."""
        taken = {f"name_{place}": annotation for place, annotation in enumerate(arguments)}
        is_inferred = verb in self.inferred

        def command(ctx: Context, **names: Name) -> None:
            here = state(ctx)
            if is_inferred:
                here.say_inferred()
            run(here, *(names[one] for one in taken))

        parameters = {"ctx": Context, **taken}.items()
        signature = Signature(
            [Parameter(one, Parameter.POSITIONAL_OR_KEYWORD, annotation=kind) for one, kind in parameters]
        )
        command.__name__ = f"{verb}_record"
        command.__doc__ = f"{help}{INFERRED if is_inferred else ''}\n\nExample: {example}"
        command.__signature__ = signature  # type: ignore[attr-defined]
        self.app.command(verb, cls=cls)(shows(marked)(command) if marked else command)
