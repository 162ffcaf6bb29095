"""The embedded service: set up, serve, back up."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from acctcli.cli.command.classes import Command, Context, DeleteCommand, RehearsedCommand, new_group
from acctcli.cli.command.options import LONGEST, Seconds
from acctcli.cli.local import client, people, ticking
from acctcli.cli.local.books import books_file, books_folder, has_books, open_books, stored_contents
from acctcli.cli.local.ticking import Deliver, PrivateTargets
from acctcli.cli.output.show import show_done, show_ended, show_value
from acctcli.cli.output.stderr import how_many, tell
from acctcli.cli.session.state import state
from acctcli.credentials import smtp_password
from acctcli.credentials.prompt import read_passphrase
from acctcli.errors import ServerFault, UsageError
from acctcli.settings import LOCAL, files_dir, outbox_dir
from acctcli.settings.urls import PUBLIC_URL, is_loopback, public_address

app = new_group(__doc__)

# a petabyte
MOST_MIB = 2**30
# a century
MOST_DAYS = 36_500

Host = Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Address to listen on.")]
Port = Annotated[int, typer.Option("--port", min=1, max=65535, metavar="N", help="Port to listen on.")]
Workers = Annotated[int, typer.Option("--workers", min=1, max=64, metavar="N", help="Processes that serve.")]
DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        "--database-url", metavar="URL", help="postgresql://… or sqlite:///…; no password here, see PGPASSWORD."
    ),
]
AllowedHosts = Annotated[
    list[str] | None, typer.Option("--allowed-host", metavar="NAME", help="Name clients may call it by. Repeatable.")
]
PublicUrl = Annotated[
    str | None,
    typer.Option("--public-url", metavar="URL", help="Address that people sign in at; https, or this machine."),
]
Patience = Annotated[
    float,
    typer.Option(
        "--patience",
        click_type=Seconds(min=0.1, max=LONGEST),
        metavar="SECONDS",
        help="How long a client that sends may stand still.",
    ),
]
MaxStored = Annotated[
    int,
    typer.Option(
        "--max-stored",
        min=1,
        max=MOST_MIB,
        metavar="MIB",
        help="How large the files of a business may be together.",
    ),
]
MaxItems = Annotated[
    int,
    typer.Option(
        "--max-items", min=100, max=20_000, metavar="N", help="How many items the lists of a request may have."
    ),
]
MaxRecurring = Annotated[
    int,
    typer.Option(
        "--max-recurring", min=1, max=20_000, metavar="N", help="How many invoices a run makes of a template."
    ),
]
KeepMail = Annotated[
    int,
    typer.Option("--keep-mail", min=2, max=MOST_DAYS, metavar="DAYS", help="How old copies of mail may get."),
]
OldMail = Annotated[
    int | None,
    typer.Option(
        "--keep-mail", min=2, max=MOST_DAYS, metavar="DAYS", help="Also remove copies of mail that are older."
    ),
]
LogFormat = Annotated[Literal["text", "json"], typer.Option("--log-format", help="How the log is written.")]
Files = Annotated[
    Path | None,
    typer.Option("--files", metavar="DIR", file_okay=False, help="Folder of what files hold; all workers share it."),
]
Target = Annotated[Path, typer.Argument(metavar="FILE", dir_okay=False, help="File to write; it must not exist.")]
Source = Annotated[Path, typer.Argument(metavar="FILE", dir_okay=False, help="File that `local backup` wrote.")]


WithKey = Annotated[
    bool,
    typer.Option(
        "--with-key", help="With the key of its secrets, under a passphrase: asked for, piped in or of a variable."
    ),
]


Forced = Annotated[
    bool, typer.Option("--force", help="Also when its audit trail is not what was recorded, which goes on being told.")
]


@app.command("init", cls=Command)
def init_service(ctx: Context) -> None:
    """Create the local database and its user; every command does it when it is first needed.

    Example: acctcli local init
    """
    here = state(ctx)
    with open_books(here) as service:
        show_done(here, f"The local service is ready in {books_folder(here)}.", **service.facts())


@app.command("status", cls=Command)
def show_status(ctx: Context) -> None:
    """Show where the local service keeps its data, and how much of it there is.

    Example: acctcli local status
    """
    here = state(ctx)
    if not has_books(here):
        folder = books_folder(here)
        raise UsageError(f"there is no local database in {folder} yet", hint="create one with: acctcli local init")
    with open_books(here) as service:
        show_value(here, service.facts())


@app.command("serve", cls=Command)
def serve(
    ctx: Context,
    host: Host = "127.0.0.1",
    port: Port = 8320,
    workers: Workers = 1,
    database_url: DatabaseUrl = None,
    files: Files = None,
    allowed_host: AllowedHosts = None,
    public_url: PublicUrl = None,
    patience: Patience = 30.0,
    log_format: LogFormat = "text",
    max_stored: MaxStored = 102_400,
    max_items: MaxItems = 10_000,
    max_recurring: MaxRecurring = 100,
    keep_mail: KeepMail = 90,
    deliver: Deliver = False,
    allow_private_targets: PrivateTargets = False,
) -> None:
    """Serve the local service on a socket until it is stopped; every request needs a token.

    Clients on this machine reach it after: acctcli env set local --base-url http://127.0.0.1:PORT
    Those elsewhere take https only, for which a proxy stands before it. People sign in at the same address with a
    browser, and look through their books below /view/; where a proxy has another address, --public-url or
    ACCTCLI_PUBLIC_URL says it. The log goes to stderr and into service.log beside the database. With --deliver webhook
    subscriptions are told what happens.

    Example: acctcli local serve --port 8320 --workers 2
    """
    from acctcli.service.cases.work import Limits
    from acctcli.service.http.granted import share
    from acctcli.service.http.serving import serve as run
    from acctcli.service.http.workers import listen

    here = state(ctx)
    url = _checked(database_url) or here.environ.get("ACCTCLI_DATABASE_URL")
    place = files.absolute() if files else files_dir(here.environ)
    login_address = (
        public_address(public_url, "--public-url")
        or public_address(here.environ.get(PUBLIC_URL), PUBLIC_URL)
        or _own_address(host, port)
    )
    with open_books(here, url, place) as service:
        service.keeper.register_own_app()
    count, threads = share(workers)
    listener = listen(host, port)
    if count < workers:
        tell(f"warning: {how_many(count, 'worker')} instead of {workers}: the system grants no threads for more")
    here.say(f"Serving on http://{f'[{host}]' if ':' in host else host}:{port}; stop it with Ctrl-C.")
    if not here.environ.get("ACCTCLI_SMTP_URL"):
        here.say(f"note: no mail server is set (ACCTCLI_SMTP_URL): mail stays in {outbox_dir(here.environ)}")
    run(
        books_folder(here),
        url,
        place,
        outbox_dir(here.environ),
        smtp_password=smtp_password(here.environ) if here.environ.get("ACCTCLI_SMTP_URL") else None,
        listener=listener,
        workers=count,
        threads=threads,
        allowed_hosts=(host, *(allowed_host or ())),
        patience=patience,
        log_format=log_format,
        limits=Limits(max_stored * 2**20, max_items, max_recurring, keep_mail),
        login_address=login_address,
        delivers=deliver,
        allows_private=allow_private_targets,
        target="acctcli.cli.local.views:application",
    )


app.command("tick", cls=RehearsedCommand)(ticking.tick)
app.add_typer(client.app, name="client")
app.command("token", cls=Command)(people.print_token)
app.command("tokens", cls=Command)(people.list_tokens)
app.command("revoke-token", cls=DeleteCommand)(people.revoke_token)
app.command("password", cls=Command)(people.set_password)
app.command("sign-out", cls=DeleteCommand)(people.sign_out)


@app.command("rotate-key", cls=DeleteCommand)
def rotate_key(ctx: Context) -> None:
    """Sign JWTs with a new key from now on: those that were made before end at once. Tokens and secrets stay.

    Example: acctcli local rotate-key --yes
    """
    here = state(ctx)
    here.confirm("End every JWT that was made until now?")
    if here.options.dry_run:
        show_done(here, "Would begin a new key.", rotated=False)
        return
    with open_books(here) as service:
        kid = service.keeper.rotate_key()
    show_done(here, f"JWTs are signed with the key {kid} from now on.", kid=kid, rotated=True)


@app.command("backup", cls=Command)
def backup(ctx: Context, target: Target, with_key: WithKey = False) -> None:
    """Copy the local database to a file, whole and checked, while it may be in use.

    What its files hold is copied to a folder of that name with -files at the end. With --with-key the key that opens
    the secrets in it, such as those of webhooks, is in a file with -key at the end, under a passphrase.

    Example: acctcli local backup books-of-today.sqlite3
    """
    if not target.name:
        raise UsageError("there is no name of a file to write", hint="for example: acctcli local backup books.sqlite3")
    from acctcli.cli.local.copies import alone, back_up, check_whole, key_file

    here = state(ctx)
    passphrase = read_passphrase(here.environ) if with_key and key_file(books_file(here)).exists() else None
    size, missing = back_up(books_file(here), stored_contents(here), target, passphrase)
    done = f"Wrote {size} bytes to {target}"
    if passphrase is None and key_file(books_file(here)).exists():
        here.say("The key of its secrets and of its audit trail is not among them; --with-key adds it.")
    elif passphrase is None and with_key:
        here.say("These books have no key yet: nothing in them was sealed.")
    for folder in alone(target.parent):
        here.say(f"The folder {folder} holds files of a backup that is not there: bring its file back, or delete it.")
    show_done(here, f"{done}.", file=str(target), bytes=size)
    check_whole(missing, done)


@app.command("restore", cls=DeleteCommand)
def restore(ctx: Context, source: Source, with_key: WithKey = False, force: Forced = False) -> None:
    """Replace the local database by a backup, and bring back what its files hold.

    The backup is checked first, with --dry-run nothing more: tables, references, that documents balance, sums that are
    kept, and its audit trails: one that is not what was recorded is not restored. The books that were there are kept in
    a file, which is named.

    Example: acctcli local restore books-of-march.sqlite3 --yes
    """
    from acctcli.cli.local.copies import bring_back, check_trails, check_whole, rehearse, say_doubts, sealed_key
    from acctcli.service.store.contents import make_folder

    here = state(ctx)
    database = books_file(here)
    here.confirm(f"Replace all local books by {source}?")
    facts = {"file": str(source), "restored": not here.options.dry_run}
    passphrase = read_passphrase(here.environ) if with_key else None
    if here.options.dry_run:
        missing, doubts = rehearse(source, database, stored_contents(here), passphrase, is_forced=force)
        told = " The books that are there would be kept." if database.exists() else ""
        show_done(here, f"Would restore {source}, which is whole.{told}", **facts, kept=None)
        say_doubts(here, doubts)
        check_trails(doubts, f"{source} can be restored")
        check_whole(missing, f"{source} can be restored")
        return
    make_folder(books_folder(here), parents=True)
    kept, missing, doubts = bring_back(source, database, stored_contents(here), passphrase, is_forced=force)
    # the backup knows other tokens: opening makes a new one for this machine
    with open_books(here) as service:
        service.facts()
    told = f" The books that were there are kept in {kept}." if kept else ""
    show_done(here, f"Restored {source}.{told}", **facts, kept=str(kept) if kept else None)
    if passphrase is None and sealed_key(source).exists():
        here.say(f"The key of its secrets is in {sealed_key(source)}; --with-key brings it back, too.")
    say_doubts(here, doubts)
    check_trails(doubts, f"Restored {source}")
    check_whole(missing, f"Restored {source}")


@app.command("reset", cls=DeleteCommand)
def reset(ctx: Context) -> None:
    """Delete all local books, and what their files hold; copies of what was sent stay in the outbox.

    Example: acctcli local reset --yes
    """
    from acctcli.cli.completing.kept import forget
    from acctcli.cli.local.copies import wipe

    here = state(ctx)
    database = books_file(here)
    here.confirm(f"Delete all local books in {books_folder(here)}?")
    if not here.options.dry_run:
        wipe(database, stored_contents(here))
        forget(LOCAL)
    show_ended(here, ("delete", "Deleted"), "all local books", "reset", folder=str(books_folder(here)))


@app.command("clean", cls=DeleteCommand)
def clean(ctx: Context, keep_mail: OldMail = None) -> None:
    """Remove what interrupted uploads and deletions have left, in the books and in the folder of files.

    Replies that were kept for repeated requests go when they are a day old; a service that is served does that, too.

    Example: acctcli local clean --yes
    """
    from acctcli.cli.local.copies import leftovers
    from acctcli.service.http.embedded import DATABASE_FILE
    from acctcli.service.http.logs import FILE as LOG_FILE
    from acctcli.service.store.contents import discard

    here = state(ctx)
    with open_books(here) as service:
        stuck = [] if here.options.dry_run else service.take_away(keep_mail)
        folder, before = books_folder(here), service.stray_before()
        strays = [*service.strays(before), *leftovers(folder / DATABASE_FILE, before)]
        if strays:
            places = f"{folder} and {service.contents.folder}"
            here.confirm(f"Remove {how_many(len(strays), 'file')} in {places}, which no record names?")
        for path in () if here.options.dry_run else strays:
            discard(path)
    show_ended(here, ("remove", "Removed"), how_many(len(strays), "file"), "cleaned", files=len(strays))
    if stuck:
        which = ", ".join(map(str, stuck))
        raise ServerFault(f"what the deleted businesses {which} had cannot be removed; {folder / LOG_FILE} says why")


def _own_address(host: str, port: int) -> str:
    """Return where people sign in on this machine."""
    name = host if is_loopback(host) else "127.0.0.1"
    return f"http://{f'[{name}]' if ':' in name else name}:{port}"


def _checked(url: str | None) -> str | None:
    """Refuse a password among the arguments, where every user of the machine can read it."""
    import re

    if url is not None and re.search(r"(?i)://[^?]*:[^?]*@|password=", url):
        raise UsageError(
            "--database-url must not hold a password: others can read it in the list of processes",
            hint="put the whole URL into ACCTCLI_DATABASE_URL, or the password into PGPASSWORD",
        )
    return url
