"""The local service's own folder: backups hold files too, and nothing stays that no record names."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from acctcli.cli.local import ticking
from acctcli.service.cases.work import Limits
from acctcli.service.http import granted, serving
from acctcli.service.http.embedded import open_embedded
from acctcli.service.http.granted import BESIDE, LEAST
from acctcli.service.store.engine.postgres import PostgresDatabase
from tests.cli.conftest import Cli, found, succeed
from tests.mail_server import PASSWORD, USER, serving_mail
from tests.serving import free_port

CONTENT = b"%PDF-1.7\n"
TEMPLATE = {
    "receiver": 1,
    "invoicing_date": "2026-01-31",
    "payment_condition_days": 14,
    "rows": [{"name": "Hosting", "unit": "kk", "amount": 10, "vat_rate": 25.5, "vat_code": 1, "product_count": 1}],
    "is_active_recurrence_template": True,
    "recurrence_rule": {"frequency": "MONTHLY", "interval": 1},
    "delivery_method": "EMAIL",
    "recurrence_email_subject": "Your invoice",
}


@pytest.fixture
def contents(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of what files hold, with one file in it: a.pdf, id 1."""
    monkeypatch.setenv("ACCTCLI_BUSINESS", "books")
    succeed(cli("business", "create", "--name", "Books Oy", "--slug", "books"))
    Path("a.pdf").write_bytes(CONTENT)
    succeed(cli("file", "upload", "a.pdf"))
    return home / "data" / "local" / "files"


def held(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in folder.glob("??/*")]


@pytest.mark.together
@pytest.mark.parametrize(
    ("command", "option", "value"),
    [
        *(("serve", "--patience", value) for value in ("nan", "inf", "-1", "1e9")),
        *(("serve", "--max-stored", value) for value in ("0", "-1", "1e3", f"1{'0' * 30}")),
        *(("serve", "--max-items", value) for value in ("0", f"1{'0' * 30}")),
        *(("serve", "--max-recurring", value) for value in ("0", f"1{'0' * 30}")),
        *(("serve", "--keep-mail", value) for value in ("1", "999999")),
        *(("clean", "--keep-mail", value) for value in ("1", "999999")),
        ("serve", "--workers", "65"),
        *(("serve", "--public-url", value) for value in ("http://books.example", "https://books.example/path", "x")),
    ],
)
def test_numbers_beyond_reason_are_refused(cli: Cli, command: str, option: str, value: str) -> None:
    """Of a port that is taken: whatever is not refused does not serve."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = ("--port", str(taken.getsockname()[1])) if command == "serve" else ()
        done = cli("local", command, option, value, *port, "--yes" if command == "clean" else "--quiet")
    assert (done.code, done.out) == (2, "")
    assert option in done.err


def test_what_the_system_does_not_grant_is_said_before_anything_is_served(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[tuple[int, int]] = []

    def serve(*_: object, listener: socket.socket, workers: int, threads: int, **__: object) -> None:
        listener.close()
        served.append((workers, threads))

    monkeypatch.setattr(serving, "serve", serve)
    for left in (LEAST + BESIDE - 1, 4 * LEAST):
        monkeypatch.setattr(granted, "_of_groups", lambda left=left: [left])
        done = cli("local", "serve", "--port", str(free_port()), "--workers", "3")
        if left > LEAST + BESIDE:
            assert (done.code, done.err.splitlines()[0][:29]) == (0, "warning: 2 workers instead of")
        else:
            assert (done.code, "Serving on" in done.err) == (2, False)
    assert served == [(2, LEAST)]


def test_what_is_served_is_what_options_say_before_variables(
    cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[tuple[tuple[object, ...], dict[str, object]]] = []

    def serve(*places: object, listener: socket.socket, threads: int, **more: object) -> None:
        listener.close()
        served.append((places, more))

    variable, given = (f"sqlite:///{home / name}.sqlite3" for name in ("variable", "given"))
    local = home / "data" / "local"
    monkeypatch.setattr(serving, "serve", serve)
    monkeypatch.setenv("ACCTCLI_DATABASE_URL", variable)
    monkeypatch.setenv("ACCTCLI_SMTP_PASSWORD", PASSWORD)
    number = free_port()
    port = ("--port", str(number))
    succeed(cli("local", "serve", *port))
    monkeypatch.setenv("ACCTCLI_SMTP_URL", f"smtp://{USER.replace('@', '%40')}@127.0.0.1:1")
    names = ("--allowed-host", "books.example", "--allowed-host", "books")
    limits = ("--max-stored", "7", "--max-items", "200", "--max-recurring", "3", "--keep-mail", "30")
    how = ("--patience", "2.5", "--log-format", "json", "--deliver", "--allow-private-targets")
    monkeypatch.setenv("ACCTCLI_PUBLIC_URL", "https://elsewhere.example")
    public = ("--public-url", "https://Books.Example:443/")
    succeed(cli("local", "serve", *port, "--database-url", given, "--files", "held", *names, *limits, *how, *public))
    assert served == [
        (
            (local, variable, local / "files", local / "outbox"),
            {
                "smtp_password": None,
                "workers": 1,
                "allowed_hosts": ("127.0.0.1",),
                "patience": 30.0,
                "log_format": "text",
                "limits": Limits(100 * 2**30, 10_000, 100, 90),
                "login_address": f"http://127.0.0.1:{number}",
                "delivers": False,
                "allows_private": False,
                "target": "acctcli.cli.local.views:application",
            },
        ),
        (
            (local, given, home / "work" / "held", local / "outbox"),
            {
                "smtp_password": PASSWORD,
                "workers": 1,
                "allowed_hosts": ("127.0.0.1", "books.example", "books"),
                "patience": 2.5,
                "log_format": "json",
                "limits": Limits(7 * 2**20, 200, 3, 30),
                "login_address": "https://books.example",
                "delivers": True,
                "allows_private": True,
                "target": "acctcli.cli.local.views:application",
            },
        ),
    ]
    assert [(home / name).exists() for name in ("variable.sqlite3", "given.sqlite3")] == [True, True]


def test_the_address_of_a_service_on_ipv6_is_one(home: Path) -> None:
    port = free_port()
    command = [sys.executable, "-m", "acctcli", "local", "serve", "--host", "::1", "--port", str(port)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        said = server.stderr.readline()
        try:
            address = said.split()[2].rstrip(";")
            assert address == f"http://[::1]:{port}"
            assert answered(f"{address}/health") == 200
        finally:
            server.terminate()
            server.stderr.read()


def answered(address: str) -> int:
    """Ask until somebody answers."""
    deadline = time.monotonic() + 20
    while True:
        try:
            return httpx.get(address, trust_env=False, verify=False).status_code
        except httpx.TransportError:
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_files_lie_beside_the_database(contents: Path) -> None:
    assert held(contents) == [CONTENT]


def test_a_variable_names_another_folder(cli: Cli, home: Path, contents: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCTCLI_FILES_DIR", str(home / "elsewhere"))
    Path("b.pdf").write_bytes(b"%PDF-b")
    succeed(cli("file", "upload", "b.pdf"))
    assert (held(home / "elsewhere"), held(contents)) == ([b"%PDF-b"], [CONTENT])


def test_a_backup_brings_files_back(cli: Cli, contents: Path) -> None:
    succeed(cli("local", "backup", "backup.sqlite3"))
    assert held(Path("backup.sqlite3-files")) == [CONTENT]
    succeed(cli("file", "delete", "1", "--yes"))
    assert held(contents) == []
    succeed(cli("local", "restore", "backup.sqlite3", "--yes"))
    succeed(cli("file", "download", "1", "--to", "out"))
    assert Path("out/a.pdf").read_bytes() == CONTENT


def test_a_backup_is_never_written_over_another(cli: Cli, contents: Path) -> None:
    succeed(cli("local", "backup", "backup.sqlite3"))
    before = Path("backup.sqlite3").read_bytes()
    outcome = cli("local", "backup", "backup.sqlite3")
    assert (outcome.code, Path("backup.sqlite3").read_bytes()) == (2, before)
    outcome = cli("local", "backup", "missing/backup.sqlite3")
    assert (outcome.code, Path("missing").exists()) == (2, False)


def test_a_reset_deletes_files_and_no_others(cli: Cli, contents: Path) -> None:
    foreign = contents / "ab" / ("ab" + "0" * 30)
    foreign.parent.mkdir(exist_ok=True)  # one name of 256 is that of the file of the books
    foreign.write_bytes(b"of another database")
    unasked = cli("local", "reset")
    assert (unasked.code, "--yes" in unasked.err) == (2, True)
    succeed(cli("local", "reset", "--dry-run"))
    assert len(held(contents)) == 2
    succeed(cli("local", "reset", "--yes"))
    assert held(contents) == [b"of another database"]


def test_cleaning_removes_what_no_record_names(cli: Cli, contents: Path) -> None:
    stray, new = (contents / "ab" / f"ab{digit * 30}" for digit in "01")
    stray.parent.mkdir(exist_ok=True)
    for path in (stray, new):
        path.write_bytes(b"left over")
    for path in contents.rglob("*"):
        if path != new:
            os.utime(path, (1_000_000_000, 1_000_000_000))
    assert succeed(cli("local", "clean", "--dry-run")).err == "Would remove 1 file.\n"
    refused = cli("local", "clean")
    assert (refused.code, stray.exists()) == (2, True)
    assert "Remove 1 file in" in refused.err
    assert succeed(cli("local", "clean", "--yes", "--json")).json() == {"files": 1, "cleaned": True}
    assert sorted(held(contents)) == sorted([CONTENT, b"left over"])
    assert new.exists()
    succeed(cli("local", "clean"))


def test_cleaning_says_what_it_cannot_remove(cli: Cli, home: Path, contents: Path) -> None:
    folder = home / "data" / "local"
    with open_embedded(folder) as service:
        stop = "BEGIN SELECT RAISE(ABORT, 'this one stays'); END"
        service.database.write(lambda conn: conn.run(f"CREATE TRIGGER stop BEFORE DELETE ON account {stop}"))
    succeed(cli("business", "delete", "books", "--yes"))
    refused = cli("local", "clean", "--yes", "--json")
    assert (refused.code, json.loads(refused.out)["cleaned"]) == (9, True)
    assert "what the deleted businesses 1 had cannot be removed" in refused.err
    assert "the deleted business 1" in (folder / "service.log").read_text()
    assert held(contents) == []


@pytest.mark.usefixtures("contents")
def test_cleaning_removes_old_copies_of_mail_only_when_asked_and_nothing_of_the_trail(cli: Cli, home: Path) -> None:
    def kept() -> list[str]:
        with open_embedded(home / "data" / "local") as service, service.database.read() as conn:
            return [kind for (kind,) in conn.fetch("SELECT type FROM event WHERE business_id > 0 ORDER BY id")[1]]

    mail = home / "data" / "local" / "outbox" / "books" / "sent" / "invoice-1-0123456789ab.eml"
    mail.parent.mkdir(parents=True)
    mail.touch()
    os.utime(mail, times=(time.time() - 50 * 86_400,) * 2)
    assert kept() == ["business.created", "file.created"]
    for command in (("--dry-run", "--keep-mail", "49"), (), ("--keep-mail", "51")):
        succeed(cli("local", "clean", *command))
        assert (kept(), mail.exists()) == (["business.created", "file.created"], True)
    succeed(cli("local", "clean", "--keep-mail", "49"))
    assert (kept(), mail.exists()) == (["business.created", "file.created"], False)


# --- invoices that recur ---


@pytest.fixture
def template(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An accepted template of 31 January, of every month, mailed to a customer: invoice 1 of a business."""
    monkeypatch.setenv("ACCTCLI_BUSINESS", "books")
    Path("customer.json").write_text(
        json.dumps(
            {
                "name": "Birch Oy",
                "is_invoicing_enabled": True,
                "invoicing_email": "birch@example.com",
                "invoicing_street": "Koivukatu 1",
                "invoicing_city": "Turku",
                "invoicing_postal_code": "20100",
                "invoicing_country": "FI",
            }
        )
    )
    Path("template.json").write_text(json.dumps(TEMPLATE))
    seller = ("--name", "Books Oy", "--slug", "books", "--set", "invoicing_email=books@example.com")
    address = ("street=Satama 1", "postal_code=20100", "city=Turku")
    given = [word for one in address for word in ("--set", f"invoicing_{one}")]
    found(cli, *seller, "--business-id", "0112038-9", *given)
    succeed(cli("contact", "create", "--file", "customer.json"))
    succeed(cli("api", "POST", "/v1/invoicing/{business}/invoice/", "--input", "template.json"))
    succeed(cli("api", "POST", "/v1/invoicing/{business}/invoice/1/actions/accept/"))


def done(day: str, action: str, number: int | None, problem: str | None = None) -> dict[str, object]:
    return {
        "business": "books",
        "date": day,
        "template": 1,
        "workflow": None,
        "run": None,
        "action": action,
        "invoice_number": number,
        "problem": problem,
    }


@pytest.mark.usefixtures("template")
def test_a_tick_makes_what_is_due_once(cli: Cli, home: Path) -> None:
    preview = succeed(cli("local", "tick", "--to", "2026-03-31", "--dry-run", "--json")).json()
    assert preview == [done("2026-02-28", "due", None), done("2026-03-31", "due", None)]
    assert succeed(cli("local", "tick", "--to", "2026-03-31", "--json")).json() == [
        done("2026-02-28", "made", 2),
        done("2026-03-31", "made", 3),
        done("2026-02-28", "mailed", 2),
        done("2026-03-31", "mailed", 3),
    ]
    again = succeed(cli("local", "tick", "--to", "2026-03-31"))
    assert (again.out, again.err) == ("", "Nothing was due.\n")
    outbox = home / "data" / "local" / "outbox" / "books"
    assert sorted(path.suffix for path in outbox.iterdir()) == [".eml", ".eml"]
    assert cli("local", "tick", "--to", "31.3.2026").code == 2


@pytest.mark.usefixtures("template")
def test_a_tick_leaves_invoices_that_it_has_no_time_for(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as hurried:
        hurried.setattr(ticking, "MINUTE", 0.0)
        ended = cli("local", "tick", "--to", "2026-02-28", "--json")
    assert (ended.code, json.loads(ended.out)) == (10, [])
    assert "there was not enough time for all invoices" in ended.err
    rows = [done("2026-02-28", "made", 2), done("2026-02-28", "mailed", 2)]
    assert succeed(cli("local", "tick", "--to", "2026-02-28", "--json")).json() == rows


@pytest.mark.usefixtures("template")
def test_what_cannot_be_made_is_named_and_ends_a_tick_but_no_preview(cli: Cli) -> None:
    (year,) = succeed(cli("period", "list", "--json")).json()
    succeed(cli("period", "lock", str(year["id"])))
    preview = succeed(cli("local", "tick", "--to", "2026-02-28", "--dry-run", "--json")).json()
    ended = cli("local", "tick", "--to", "2026-02-28", "--json")
    locked = "The accounting period 2026-01-01 - 2026-12-31 is locked."
    assert preview == [done("2026-02-28", "due", None, locked)]
    assert (ended.code, json.loads(ended.out)) == (8, [done("2026-02-28", "not made", None, locked)])


@pytest.mark.usefixtures("template")
def test_mail_goes_to_the_server_named(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving_mail() as mailbox:
        monkeypatch.setenv("ACCTCLI_SMTP_URL", f"smtp://{USER.replace('@', '%40')}@127.0.0.1:{mailbox.port}")
        monkeypatch.setenv("ACCTCLI_SMTP_PASSWORD", "another")
        refused = cli("local", "tick", "--to", "2026-02-28", "--json")
        problem = f"The mail server 127.0.0.1 refuses the user {USER} or the password (535)."
        assert (refused.code, refused.json()) == (
            8,
            [done("2026-02-28", "made", 2), done("2026-02-28", "not mailed", 2, problem)],
        )
        assert json.loads(refused.err)["error"]["hint"] == "the next run tries them again"
        monkeypatch.setenv("ACCTCLI_SMTP_PASSWORD", PASSWORD)
        again = succeed(cli("local", "tick", "--to", "2026-02-28", "--json"))
        assert again.json() == [done("2026-02-28", "mailed", 2)]
    (received,) = mailbox.received
    assert (received.sender, received.recipients) == ("books@example.com", ["birch@example.com"])


# as addresses they are right, and a database is nowhere
REACHABLE = (
    "postgresql://books:{}@127.0.0.1:1/books",
    "postgresql://books:a:{}@127.0.0.1:1/books",
    "postgresql://books:a%40{}/@127.0.0.1:1/books",
    "postgresql://127.0.0.1:1/books?user=books&password={}",
)


@pytest.mark.parametrize(
    "url",
    [
        *REACHABLE,
        "postgresql://books:%zz{}@127.0.0.1:1/books",
        "postgresql://127.0.0.1:1/books?user=books&Password={}",
        "host=127.0.0.1 port=1 password={}",
        "books:{}@127.0.0.1/books",
    ],
)
def test_a_password_of_the_database_is_never_shown_and_no_argument(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    secret = "x4pQ-9sL2-hidden"
    for shown in ((), ("--debug",), ("--json",)):
        served = cli("local", "serve", "--database-url", url.format(secret), *shown)
        assert (served.code, served.out) == (2, "")
        assert secret not in served.err
    with monkeypatch.context() as changed:
        changed.setenv("ACCTCLI_DATABASE_URL", url.format(secret))
        for shown in ((), ("--debug",), ("--json",)):
            refused = cli("local", "status", *shown)
            assert (refused.code, refused.out) == (3 if url in REACHABLE else 2, "")
            assert "x4pQ" not in refused.err


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("postgresql://books:{}@db.example/books", "postgresql://books:***@db.example/books"),
        ("postgresql://books:a@{}/b:c@db.example/books", "postgresql://books:***@db.example/books"),
        (
            "postgresql://db.example:5432/books?password={}&user=b",
            "postgresql://db.example:5432/books?password=***&user=b",
        ),
        ("postgresql://books@db.example:5432/books", "postgresql://books@db.example:5432/books"),
    ],
)
def test_nor_is_it_in_the_name_of_the_database(url: str, name: str) -> None:
    assert PostgresDatabase(url.format("x4pQ-9sL2")).name == name


@pytest.mark.usefixtures("template")
def test_a_mail_in_doubt_is_sent_once_and_told(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving_mail() as mailbox:
        monkeypatch.setenv("ACCTCLI_SMTP_URL", f"smtp://127.0.0.1:{mailbox.port}")
        mailbox.drops = "DATA"
        told = cli("invoice", "send", "1", "--json", "--idempotency-key", "k")
        error = json.loads(told.err)["error"]
        assert (told.code, told.out, len(mailbox.received)) == (9, "", 1)
        assert error["message"].startswith("The mail server did not say whether it took the mail to birch@example.com")
        assert error["doubt"]["repeat"] == "acctcli invoice send 1 --json --idempotency-key k"
        mailbox.drops = ""
        assert cli("invoice", "send", "1", "--json", "--idempotency-key", "k").code == 9
        refused = cli("invoice", "send", "1")
        assert (refused.code, len(mailbox.received)) == (8, 1)
        assert "acctcli invoice send --in-doubt arrived, or again" in refused.err
        sent = succeed(cli("invoice", "send", "1", "--in-doubt", "again", "--json")).json()
        assert sent["last_delivery_at"]
    first, second = (received.message["Message-ID"] for received in mailbox.received)
    assert first == second


def test_a_password_in_the_address_of_the_server_is_never_shown(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCTCLI_SMTP_URL", f"smtps://user:{PASSWORD}@mail.example")
    for argv in (("local", "init"), ("business", "list", "--debug")):
        refused = cli(*argv)
        assert refused.code == 2
        assert "ACCTCLI_SMTP_URL must not hold a password" in refused.err
        assert PASSWORD not in refused.out + refused.err
