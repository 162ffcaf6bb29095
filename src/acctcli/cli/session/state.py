"""What a command stands on: the options, the environment, the business, and the service behind them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from copy import copy
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from acctcli.cli.output.formats import FORMATS
from acctcli.cli.output.stderr import ask, tell
from acctcli.cli.session.options import Options
from acctcli.errors import UsageError

if TYPE_CHECKING:
    from typer import Context

    from acctcli.client.api import Api
    from acctcli.client.http import Http
    from acctcli.client.messages import Extent
    from acctcli.client.writes import Writes
    from acctcli.credentials import Credential
    from acctcli.settings import Environment, Settings

DEFAULT_LIMIT = 50


def utc_now() -> datetime:
    """Return the moment, aware."""
    return datetime.now(UTC)


def state(ctx: Context) -> State:
    """Return the state of the running command."""
    found = ctx.obj
    assert isinstance(found, State)
    return found


def without(words: Sequence[str], options: Collection[str]) -> Iterator[str]:
    """Yield the words of a command line but those that give some options, which take a value each."""
    rest = iter(words)
    for word in rest:
        if word in options:
            next(rest, None)
        elif word.partition("=")[0] not in options:
            yield word


class State:
    """Everything is found out on first use: a command that needs no network opens none."""

    def __init__(
        self,
        options: Options,
        environ: Mapping[str, str] | None = None,
        *,
        words: Sequence[str] = (),
        takes_key: bool = False,
    ) -> None:
        self.options = options
        self.words = words  # the command line as it was typed
        self.takes_key = takes_key  # whether that may hold --idempotency-key
        self.environ = os.environ if environ is None else environ
        self.settled: dict[str, str] = {}  # what options mean that name no day outright, or were left out
        self.named: dict[str, Any] = {}  # the fields given by options of their own, by their names on the wire
        self.last_act: Callable[[], None] | None = None  # what is done only when all else went well
        self.at_end = ExitStack()  # what is done in any case, after that

    @cached_property
    def settings(self) -> Settings:
        """The settings files and variables."""
        from acctcli.settings import Settings

        return Settings.load(self.environ)

    @cached_property
    def environment(self) -> Environment:
        """The environment to talk to: --env, then variables, the project file, the user file, `local`."""
        return self.settings.environment(self.options.env)

    def business(self) -> str:
        """Return the slug to work in, or raise UsageError with the commands that name one."""
        return self.settings.business(self.environment, self.options.business)

    def today(self) -> date:
        """Return today where the business is (docs/interface.md 1.8); where that matters, the business is asked."""
        return self._today

    def anew(self, **options: Any) -> State:
        """Return this state for another look, with some other options: the connection stays, the day is asked anew."""
        made = copy(self)
        made.options = replace(self.options, **options)
        made.__dict__.pop("_today", None)
        return made

    @property
    def plain_words(self) -> list[str]:
        """The command line as it means the same on any other day."""
        return [*without(self.words, self.settled), *chain.from_iterable(self.settled.items())]

    def day(self, option: str, text: str = "today") -> date:
        """Return the day that an option names."""
        from acctcli.cli.command.dates import parse_day

        day = parse_day(text, option, self.today)
        if day.isoformat() != text:
            self.settled[option] = day.isoformat()
        return day

    @cached_property
    def _today(self) -> date:
        from acctcli.law.days import days_of, today_in

        now = utc_now()
        days = days_of(now)
        return next(iter(days)) if len(days) == 1 else today_in(self._country, now)

    @cached_property
    def _country(self) -> str | None:
        """Return the country of the business; None where there is no business."""
        import msgspec

        from acctcli.client.faults import unreadable

        try:
            slug = self.business()
        except UsageError:
            return None
        reply = self.api.businesses.get(slug)
        try:
            country: str | None = msgspec.json.decode(reply.body, type=dict[str, Any]).get("country")
        except (msgspec.DecodeError, RecursionError) as problem:
            raise unreadable(reply, "something else") from problem
        return country

    @cached_property
    def credential(self) -> Credential | None:
        """The token of the environment, looked up once: that may take a passphrase; None for the service's own."""
        from acctcli.credentials import require

        return require(self.environment, self.environ)

    @cached_property
    def http(self) -> Http:
        """The connection, with the token that belongs to the environment."""
        from acctcli.cli.session.connect import connect

        return connect(self.environment, self.options, self.environ, self.credential)

    @cached_property
    def api(self) -> Api:
        """The interface's operations, scoped to the business where they need one."""
        from acctcli.client.api import Api

        return Api(self.http, self.business)

    @property
    def format(self) -> str:
        """The output format: --output, --json, or a table; --jq wants JSON."""
        if self.options.json and self.options.output not in {None, "json"}:
            raise UsageError(f"--json and --output {self.options.output} exclude each other")
        form = self.options.output or ("json" if self.options.json or self.options.jq is not None else "table")
        if form not in FORMATS:
            raise UsageError(f"--output {form!r}: there are {', '.join(FORMATS)}")
        if self.options.jq is not None and not FORMATS[form].is_json:
            raise UsageError(f"--jq filters JSON: it does not go with --output {form}")
        return form

    @property
    def extent(self) -> Extent:
        """How many rows are wanted."""
        from acctcli.client.messages import LARGEST_PAGE, Extent

        if self.options.all and self.options.limit is not None:
            raise UsageError("--all and --limit exclude each other")
        limit = None if self.options.all else self.options.limit or DEFAULT_LIMIT
        return Extent(limit, self.options.page_size or LARGEST_PAGE)

    def say(self, text: str) -> None:
        """Tell the user something on stderr, unless --quiet."""
        if not self.options.quiet:
            tell(text)

    def say_inferred(self) -> None:
        """Tell the user of a service of others that its request may not exist: it is as those of other records are."""
        # where errors are JSON, nothing else stands beside them
        if self.environment.is_hosted and self.format != "json":
            name = self.environment.name
            self.say(
                f"note: that {name} takes this request is inferred: nothing that is known of its interface shows it"
            )

    def say_where_mail_lies(self, mail: str) -> None:
        """Say where mail is that a service in this process sent to no server."""
        if self.options.dry_run or not self.environment.in_process or self.environ.get("ACCTCLI_SMTP_URL"):
            return
        from acctcli.settings import outbox_dir

        self.say(f"note: no mail server is set: {mail} lies in {outbox_dir(self.environ) / self.business()}")

    @property
    def writes(self) -> Writes | None:
        """What is known of the writes of this command; None before it has a connection."""
        return self.http.writes if "http" in self.__dict__ else None

    def close(self) -> None:
        """Give the connection back, if one was opened."""
        if "http" in self.__dict__:
            self.http.client.close()

    @cached_property
    def is_local_service(self) -> bool:
        """Whether the service is the one inside, under whatever name it is served: where no name says so, it is asked.

        That takes a business.
        """
        from acctcli.client.messages import Extent
        from acctcli.errors import Forbidden, NotFound
        from acctcli.settings import LOCAL

        if self.environment.is_hosted or self.environment.name == LOCAL:
            return not self.environment.is_hosted
        try:
            next(iter(self.api.audit.list({}, Extent(limit=1))), None)
        except Forbidden:
            return True
        except NotFound:
            return False
        return True

    def require_local(self) -> None:
        """Raise UsageError, before anything is sent, where the service's interface has no such operation."""
        from acctcli.settings import LOCAL

        # what an environment of a name of its own has, its service says
        if self.environment.is_hosted:
            name = self.environment.name
            raise UsageError(
                f"environment {name} stands for a service whose interface has no such operation; that of {LOCAL} has",
                hint=f"do it in the web application of {name}; a service of your own needs another name: "
                "acctcli env set NAME --base-url URL",
            )

    def require_local_service(self) -> None:
        """Raise UsageError, before anything else is sent, where the service is not the one inside.

        Under a name of its own it is asked, which takes a business.
        """
        from acctcli.settings import LOCAL

        self.require_local()
        if not self.is_local_service:
            name = self.environment.name
            raise UsageError(
                f"the service of environment {name} is not the one that comes with acctcli, and only that has such an "
                f"operation: as {LOCAL}, or served under a name of its own",
                hint=f"see where {name} leads with: acctcli env show {name}",
            )

    def _place_of_writes(self) -> str:
        """Return what a question begins with where an answer changes real books."""
        from acctcli.settings import PRODUCTION

        name = self.settings.describe(self.options.env).name
        return f"{PRODUCTION.upper()}: " if name == PRODUCTION else ""

    @property
    def asks(self) -> bool:
        """Whether somebody is asked: who has not said --yes, and sits at a terminal."""
        return not (self.options.yes or self.options.dry_run) and sys.stdin.isatty() and sys.stderr.isatty()

    def confirm(self, question: str) -> None:
        """Ask on a terminal; elsewhere require --yes. Raise UsageError when the answer is no."""
        if self.options.yes or self.options.dry_run:
            return
        if not self.asks:
            raise UsageError(f"{question} This cannot be taken back", hint="confirm with --yes")
        ask(f"{self._place_of_writes()}{question} [y/N]")
        if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
            raise UsageError("not confirmed; nothing was done")

    def agree(self, what: str, shown: str) -> None:
        """Ask on a terminal whether to do something; elsewhere require --yes, or --dry-run, with what that shows."""
        if not (self.options.yes or self.options.dry_run or self.asks):
            raise UsageError(f"this would {what}", hint=f"agree with --yes, or look at {shown} with --dry-run")
        self.confirm(f"{what[0].upper()}{what[1:]}?")
