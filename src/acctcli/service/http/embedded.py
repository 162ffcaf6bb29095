"""The service of one user: a folder with a database and a token, made on first use."""

from __future__ import annotations

import math
import os
import secrets
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from datetime import date, timedelta
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acctcli.errors import UsageError
from acctcli.service.cases.work import OWN_BOOKS, Limits
from acctcli.service.delivery.operator import COMMAND, operator_client
from acctcli.service.delivery.outbox import Outbox
from acctcli.service.delivery.smtp import mail_server, no_password
from acctcli.service.http.app import create_app, utc_now
from acctcli.service.http.logs import LOG, log_to
from acctcli.service.identity import grants
from acctcli.service.identity.credentials import read_session
from acctcli.service.identity.keys import open_key
from acctcli.service.identity.tokens import LOCAL, token_hash
from acctcli.service.store import events
from acctcli.service.store.contents import Contents, Owner, created, flush_folders, make_folder, settle
from acctcli.service.store.engine.opening import open_database
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import users
from acctcli.service.store.people.admission import admit
from acctcli.settings.names import check_environment_name

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from acctcli.service.cases.invoices.recurrence import Done, Recurrence
    from acctcli.service.cases.webhooks.delivering import Delivering
    from acctcli.service.cases.workflows.running import Ran, Runs
    from acctcli.service.http.advancing import Advancer
    from acctcli.service.http.app import Application
    from acctcli.service.http.delivering import Lanes
    from acctcli.service.identity.keeper import Keeper
    from acctcli.service.identity.keys import InstallationKey
    from acctcli.service.store.engine.database import Connection, Database
    from acctcli.service.store.workflows import Held

DATABASE_FILE = "books.sqlite3"
FILES_FOLDER = "files"
OUTBOX_FOLDER = "outbox"
STRAY_SECONDS = 3600
TOKEN_FILE = "token"  # noqa: S105 - a name
KEY_FILE = "key"
TRAIL_FILE = "trail"
LOCAL_USER = "local@localhost"
# the variable that has the name of the service in its tokens
NAME = "ACCTCLI_LOCAL_NAME"


class EmbeddedService:
    """An open service: `app` answers WSGI calls, `token` is the local user's; closes as a context manager."""

    def __init__(
        self,
        folder: Path,
        database: Database,
        contents: Contents,
        outbox: Outbox,
        installation: InstallationKey,
        app: Application,
        token: str,
        limits: Limits,
        environment: str,
    ) -> None:
        self.folder = folder
        self.database = database
        self.contents = contents
        self.outbox = outbox
        self.installation = installation
        self.app = app
        self.token = token
        self.limits = limits
        self.environment = environment

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @cached_property
    def keeper(self) -> Keeper:
        """What may be done for people by who has the database."""
        from acctcli.service.identity.keeper import Keeper

        return Keeper(self.database, self.installation, self.environment, utc_now)

    def for_sessions(self) -> Application:
        """Return the same service for callers in process that show the session of a browser: they only read."""
        stores = self.database, self.contents, self.outbox, self.installation
        return create_app(*stores, limits=self.limits, environment=self.environment, read=read_session)

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    def facts(self) -> dict[str, Any]:
        """Return where the data is and how much there is: folder, database, user, and numbers of rows."""
        from acctcli.service.store.books import totals

        with self.database.read() as conn:
            counts = totals.counts(conn)
        return {"folder": str(self.folder), "database": self.database.name, "user": self.user(), **counts}

    def user(self) -> str:
        """Return the address of the local user."""
        with self.database.read() as conn:
            (_, email) = users.local(conn) or (0, LOCAL_USER)
        return email

    def stray_before(self) -> float:
        """Return the moment before which nothing that is under way has begun, in seconds since 1970."""
        return utc_now().timestamp() - STRAY_SECONDS

    def strays(self, before: float) -> list[Path]:
        """Return what interrupted uploads and deletions left in the folder of files before a moment.

        Raises UsageError when other books keep content there: what these do not name may be theirs.
        """
        from acctcli.service.store import attachments

        if others := self.contents.others():
            raise UsageError(
                f"the folder {self.contents.folder} also holds files of {', '.join(others)}: nothing was removed there",
                hint=f"let each books have a folder of their own, with ACCTCLI_FILES_DIR; if those are gone, "
                f"delete what they signed: {self.contents.sign_of('')}*",
            )
        with self.database.read() as conn:
            known = frozenset(attachments.content_names(conn))
        return list(self.contents.strays(known, before))

    def take_away(self, mail_days: int | None) -> list[int]:
        """Take away what deleted businesses left, old stored replies, and copies of mail older than so many days.

        The days of trails that are over are sealed meanwhile. A copy is of mail that a server took over.

        Returns the businesses that could not be taken away; the log says why.
        """
        from acctcli.service.cases.erasing import Erasure
        from acctcli.service.cases.pruning import Pruning

        erasure = Erasure(self.database, self.contents)
        erasure.run()
        for business_id, fault in erasure.faults.items():
            LOG.error("what the deleted business %s had cannot be taken away", business_id, exc_info=fault)
        now = utc_now()
        Pruning(self.database, now).run()
        self.database.write(lambda conn: events.seal_all(conn, stamp(now), self.installation.trail_marker()))
        if mail_days is not None:
            self.outbox.forget((now - timedelta(days=mail_days)).timestamp())
        return list(erasure.faults)

    def make_recurring(self, until: date | None, is_over: Callable[[], bool] = lambda: False) -> Iterator[Done]:
        """Make and mail the invoices that are due of templates by a day; raises InFlight while others do.

        Without a day it is today where each business is. What is left when `is_over` says so waits for the next time.
        """
        return self._recurrence().run(until, is_over)

    def preview_recurring(self, until: date | None) -> Iterator[Done]:
        """Tell what `make_recurring` would make, and what would be in its way; nothing is kept of it."""
        return self._recurrence().preview(until)

    def deliver(self, *, allows_private: bool, only: int | None = None, seconds: float = math.inf) -> Lanes:
        """Deliver what is due now, as far as that begins within so many seconds; return what says how many were.

        To all webhook subscriptions, or to `only` one. `allows_private`: also to addresses of this machine and its
        network.
        """
        lanes = self.lanes(allows_private=allows_private, only=only)
        lanes.run_once(seconds)
        return lanes

    def count_due_deliveries(self) -> int:
        """Return how many deliveries are due now."""
        return self._delivering(allows_private=False).count_due()

    def lanes(self, *, allows_private: bool, only: int | None = None) -> Lanes:
        """Return what delivers to webhook subscriptions until it is told to end."""
        from acctcli.service.http.delivering import Lanes

        return Lanes(self._delivering(allows_private=allows_private), only)

    def _delivering(self, *, allows_private: bool) -> Delivering:
        from acctcli.service.cases.webhooks.delivering import Delivering
        from acctcli.service.delivery.posting import Post

        post = Post(allows_private=allows_private)
        return Delivering(self.database, self.installation, utc_now, secrets.token_bytes, post)

    def runs(self, *, allows_private: bool = False) -> Runs:
        """Return what begins and advances runs of workflows.

        `allows_private`: what they send may go to addresses of this machine and its network.
        """
        from acctcli.service.cases.workflows.running import Runs
        from acctcli.service.delivery.posting import Post
        from acctcli.service.delivery.requests import sender

        send = sender(Post(allows_private=allows_private))
        return Runs(self.database, utc_now, secrets.token_bytes, self.installation.trail_marker, send)

    def advance_workflows(self, *, allows_private: bool = False, seconds: float = math.inf) -> Iterator[Ran]:
        """Begin the runs that events trigger, advance those that are due, and yield those that are over.

        After so many seconds what is left waits.
        """
        from acctcli.service.http.advancing import advance

        return advance(self.runs(allows_private=allows_private), seconds)

    def has_work_left(self) -> bool:
        """Say whether a workflow is to begin a run, or a run to go on, now."""
        return bool(self.runs().waiting())

    def preview_workflows(self) -> Iterator[tuple[str, int, int | None]]:
        """Tell which runs `advance_workflows` would advance, by business and workflow; None for those it would begin.

        Only what is due by now: what these do may begin others. Nothing is kept of it.
        """
        runs = self.runs()
        for place in runs.waiting():
            yield from ((place.slug, *one) for one in runs.preview(place))

    def advancer(self, *, allows_private: bool) -> Advancer:
        """Return what advances runs of workflows until it is told to end."""
        from acctcli.service.http.advancing import Advancer

        return Advancer(self.runs(allows_private=allows_private))

    def held_workflows(self) -> list[Held]:
        """Return the workflows that began so many runs that they begin no others for a while."""
        return self.runs().held()

    def advance_run(self, slug: str, workflow_id: int, run_id: int, *, allows_private: bool = False) -> bool:
        """Do one step of a run, and say so; False while somebody else is at it."""
        from acctcli.service.store.workflows import Due, place_of

        with self.database.read() as conn:
            place = place_of(conn, slug)
        if place is None:
            return False
        runs = self.runs(allows_private=allows_private)
        return runs.advance(Due(place, workflow_id, run_id), 1) is not False

    def _recurrence(self) -> Recurrence:
        from acctcli.service.cases.invoices.recurrence import Recurrence

        most, marker = self.limits.recurring, self.installation.trail_marker
        return Recurrence(self.database, self.outbox, utc_now, secrets.token_bytes, most, marker)


def open_embedded(
    folder: Path,
    database_url: str | None = None,
    *,
    files: Path | None = None,
    outbox: Path | None = None,
    smtp_url: str | None = None,
    smtp_password: Callable[[], str | None] = no_password,
    allowed_hosts: Collection[str] | None = None,
    limits: Limits = OWN_BOOKS,
    login_address: str | None = None,
) -> EmbeddedService:
    """Open the service of a folder: its SQLite file, or the database of `database_url`.

    What files hold lies in `files`, what is sent in `outbox`, or both in folders beside the database. Mail goes to the
    server of `smtp_url`, and nowhere without one; `smtp_password` is asked when the server wants to know. E-invoices go
    to the program of `ACCTCLI_EINVOICE_COMMAND`. Tokens bear the name of `ACCTCLI_LOCAL_NAME`; people sign in at
    `login_address`, here or, in process, at a service that is served. Creates and migrates the database, the local user
    and its token as needed; the folder is 0700, the token 0600. Raises UsageError and NetworkError when the database
    cannot be used, UsageError when `smtp_url` is no mail server or the program no array of words.
    """
    file, begun, environment = folder / DATABASE_FILE, begun_mark(folder), own_name()
    if database_url is None and begun.exists() and not file.exists():
        from acctcli.service.store.engine.sqlite import lost

        raise lost(file, "missing")
    place, post = files or folder / FILES_FOLDER, outbox or folder / OUTBOX_FOLDER
    server = mail_server(smtp_url, smtp_password) if smtp_url else None
    client = operator_client(os.environ.get(COMMAND))
    for needed in (folder, place, post):
        _make_folder(needed)
    log_to(folder)
    database = open_database(database_url or f"sqlite:///{file}")
    installation = open_key(folder / KEY_FILE, secrets.token_bytes, environment)
    try:
        trail = _trail_note(folder, None if database_url is None else database)
        database.migrate(installation.trail_marker, trail)
        settle(trail, b"")
        if database_url is None:
            with suppress(OSError):  # the folder around may be somebody else's
                settle(begun, b"")
        owner = Owner(database.place(), database.name)
        contents = Contents(place, owner)
        _sign(contents, database)
        postbox = Outbox(post, contents, server, client)
        token_file = f"{TOKEN_FILE}-{owner.place}" if database_url else TOKEN_FILE
        token = _token(folder, database, token_file, installation, environment)
        stores = database, contents, postbox, installation
        app = create_app(
            *stores,
            allowed_hosts=allowed_hosts,
            limits=limits,
            environment=environment,
            login_address=login_address,
            has_pages=allowed_hosts is not None,
        )
        return EmbeddedService(folder, *stores, app, token, limits, environment)
    except BaseException:
        database.close()
        raise


def own_name() -> str:
    """Return the name of this service, which its tokens bear; raises UsageError for what is none."""
    return check_environment_name(os.environ.get(NAME) or LOCAL, NAME)


def begun_mark(folder: Path) -> Path:
    """Return the file beside a folder that says that there are books in it, for when the folder is not mounted."""
    return folder.with_name(f"{folder.name}-begun")


def _trail_note(folder: Path, database: Database | None) -> Path:
    """Return the file beside the key that says that trails have begun in the folder's own database, or another one."""
    if database is None:
        return folder / TRAIL_FILE
    return folder / f"{TRAIL_FILE}-{sha256(database.name.encode()).hexdigest()[:16]}"


def _make_folder(folder: Path) -> None:
    try:
        make_folder(folder, parents=True)
    except OSError as error:
        raise UsageError(f"cannot create {folder}: {error.strerror}") from error


def _sign(contents: Contents, database: Database) -> None:
    """Let the books sign a folder that has had their content since before folders were signed."""
    if contents.is_signed or contents.is_empty():
        return
    from acctcli.service.store import attachments

    with database.read() as conn:
        newest = attachments.newest_content(conn)
    if newest is not None and contents.holds(newest, None):
        contents.sign()


def _token(folder: Path, database: Database, own: str, installation: InstallationKey, environment: str) -> str:
    """Return the token of a folder if this database knows it, else a new one, kept in a file for this database."""
    for name in dict.fromkeys((own, TOKEN_FILE)):
        try:
            token = (folder / name).read_text("utf-8", "replace").strip()
        except FileNotFoundError:
            continue
        with database.read() as conn:
            hashed, moment = token_hash(token), stamp(utc_now())
            if token and admit(conn, hashed, moment, None, to_write=False, environment=environment):
                return token
    token = database.write(partial(_create_local_token, installation=installation, environment=environment))
    _keep_token(folder / own, token)
    return token


def _create_local_token(conn: Connection, installation: InstallationKey, environment: str) -> str:
    """Create a token for the local user, who is known by id: an address is changed, and then anybody's."""
    author, now = grants.local_author(conn, "local init", installation), utc_now()
    if (found := users.local(conn)) is not None:
        user_id = found[0]
    else:
        user_id = grants.create_user(conn, LOCAL_USER, now, author)
        users.make_local(conn, user_id)
    return grants.create_token(
        conn, user_id, "local", now, author, entropy=secrets.token_bytes, environment=environment
    )


def _keep_token(file: Path, token: str) -> None:
    """Write a token file whole, for its owner only."""
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    with created(draft) as stream:
        stream.write(f"{token}\n".encode())
    draft.replace(file)
    flush_folders(file.parent)
