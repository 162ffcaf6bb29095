"""Forty secrets, servers that send them back in every way, and a thousand commands that show none of them."""

from __future__ import annotations

import json
import random
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from acctcli.client import known
from tests.canaries import Canaries
from tests.cli.conftest import At, Cli
from tests.cli.recorder import Answer, Sent, page, recorder, said
from tests.cli.walk import commands
from tests.client.spellings import SPELLINGS
from tests.credentials.keyrings import MemoryKeyring, installed
from tests.databases import KINDS
from tests.journeys.places import fresh
from tests.serving import serve
from tests.sizes import sized

# they need no server, or print the token for other programs
APART = {"local", "tour", "completion", "env", "constant", "auth token"}
COMMANDS = [
    (shlex.split(example)[1:], found.options())
    for found in commands()
    for example in found.examples
    if not {found.path[0], found.name} & APART
]
LOUD: tuple[list[str], ...] = (
    [],
    ["--json"],
    ["--verbose"],
    ["--debug"],
    ["--debug", "--json"],
    ["--dry-run"],
    ["--quiet"],
)
HTML = {"Content-Type": "text/html"}
SHAPES: list[Callable[[str, int], Answer]] = [
    lambda text, status: said({"detail": text}, status),
    lambda text, status: said({"detail": f"Authorization: Token {text}", "code": text}, status),
    lambda text, status: said({text: ["is wrong"], "rows": [{"a": [text]}, {text: text}]}, status),
    lambda text, status: said([text, {"token": text}], status),
    said,
    lambda text, status: Answer(status, f"<html><title>{text}</title>{text}</html>".encode(), HTML),
    lambda text, status: Answer(status, text.encode(), {"Content-Type": "text/plain"}),
    lambda text, status: said({"detail": "no"}, status, X_Request_Id=_line(text), X_Echo=_line(text)),
    lambda text, _: Answer(302, b"", {"Location": f"https://{_line(text)}@evil.example/{_line(text)}"}),
    lambda text, _: Answer(307, b"", {"Location": f"https://{_line(text)}.example/?{_line(text)}"}),
    lambda text, _: Answer(200, f"<html>{text}".encode(), HTML),
    lambda text, _: Answer(200, f"{{{text}".encode()),
]
STATUSES = (400, 401, 403, 404, 409, 422, 423, 500, 501)
DATA = sorted(SPELLINGS.keys() - {"tags"})


def _line(text: str) -> str:
    return "".join(letter for letter in text if " " <= letter <= "~")


class Parrot:
    """Answers with a secret: spelled anyhow, cut anywhere, anywhere in an error; whole in a record.

    `given` is one that the command reads from a file or a pipe.
    """

    def __init__(self, canaries: Canaries, chance: random.Random) -> None:
        self._canaries = canaries
        self._chance = chance
        self.given = ""

    def __call__(self, sent: Sent) -> Answer:
        chance = self._chance
        if chance.random() < 0.2:
            text = SPELLINGS[chance.choice(DATA)](sent.headers["authorization"].removeprefix("Token "))
            record = {"id": 1, "number": "1910", "name": text, "email": text, "token": "x", "file": text}
            return chance.choice([said(record), page(record)])
        secret = self.given or chance.choice(self._canaries.held())
        text = SPELLINGS[chance.choice(list(SPELLINGS))](secret)
        start, end = sorted(chance.choices(range(len(text) + 1), k=2)) if chance.random() < 0.5 else (0, len(text))
        before = "." * chance.choice([0, chance.randint(400, 510), chance.randint(9_900, 10_000)])
        return chance.choice(SHAPES)(f"{before} {text[start:end]} is wrong", chance.choice(STATUSES))


@pytest.fixture
def canaries() -> Canaries:
    return Canaries(random.Random(20261122))


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """What other processes were started with."""
    seen: list[object] = []
    listening = [True]

    def hear(event: str, facts: tuple[object, ...]) -> None:
        if listening and event in {"subprocess.Popen", "os.exec", "os.posix_spawn", "os.system", "os.fork"}:
            seen.append((event, facts))

    sys.addaudithook(hear)
    yield seen
    listening.clear()


def lines(chance: random.Random, canaries: Canaries) -> Iterator[tuple[list[str], str]]:
    """Yield command lines and the secret that each is given."""
    for number in range(sized(1_000)):
        secret = chance.choice(canaries.typed())
        if number % 10 == 0:
            words = ["webhook", "create", "--name", "Shop", "--url", "https://shop.example/", "--username", "me"]
            yield [*words, "--password-file", "password", "--timeout", "0.3", *chance.choice(LOUD)], secret
        elif number % 10 == 1:
            yield ["auth", "login", "--with-token", "--timeout", "0.3", *chance.choice(LOUD[:5])], secret
        elif number % 10 == 2:
            words = ["document", "create", "--file", "many.jsonl", "--again"]
            yield [*words, "--timeout", "0.3", *chance.choice(LOUD[:5])], ""
        else:
            words, options = chance.choice(COMMANDS)
            patience = ["--timeout", "0.3"] if "--timeout" in options else []
            yield [*words, *patience, *(word for word in chance.choice(LOUD) if word in options)], ""


def test_no_command_shows_a_secret(
    cli: Cli,
    at: At,
    home: Path,
    canaries: Canaries,
    started: list[object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance = random.Random(7)
    leaks: list[object] = []
    failed = 0
    parrot = Parrot(canaries, chance)
    with recorder(parrot) as server, installed(MemoryKeyring()):
        at(server)
        for name, value in canaries.variables().items():
            monkeypatch.setenv(name, value)
        (home / "work" / "many.jsonl").write_text('{"date": "2026-03-01", "description": "x"}\n' * 3)
        for argv, parrot.given in lines(chance, canaries):
            # each is a process of its own
            monkeypatch.setattr(known, "_told", set())
            (home / "work" / "password").write_text(parrot.given)
            outcome = cli(*argv, stdin=parrot.given)
            failed += outcome.code != 0
            if seen := canaries.seen_in(outcome.out) | canaries.seen_in(outcome.err):
                leaks.append((argv, seen, outcome.out, outcome.err))
            if "--json" in argv and "--debug" not in argv and outcome.code and outcome.err.startswith("{"):
                json.loads(outcome.err)
        assert len(server.sent) > sized(500)
    assert (leaks[:3], failed > sized(500)) == ([], True)
    (home / "work" / "password").unlink()
    assert canaries.seen_below(home) == {}
    assert started == []


def dumped(url: str) -> Iterator[bytes]:
    """Yield the rows of all tables of a PostgreSQL database, their bytes as they are."""
    with psycopg.connect(url) as conn:
        tables = conn.execute("SELECT relname FROM pg_stat_user_tables ORDER BY 1").fetchall()
        assert len(tables) > 20
        for (table,) in tables:
            copy = sql.SQL("COPY {} TO STDOUT (FORMAT binary)").format(sql.Identifier(table))
            with conn.cursor().copy(copy) as rows:
                yield from map(bytes, rows)


@pytest.mark.parametrize("kind", KINDS)
def test_the_service_keeps_no_secret_that_can_be_read(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    chance = random.Random(5)
    mail, passphrase, *passwords = Canaries(chance).typed()
    place = fresh("keeper", tmp_path / "home", ACCTCLI_SMTP_PASSWORD=mail, ACCTCLI_BACKUP_PASSPHRASE=passphrase)
    if kind == "postgresql":
        place.environ["ACCTCLI_DATABASE_URL"] = request.getfixturevalue("postgres_factory").fresh()
    place.environ["ACCTCLI_SMTP_URL"] = "smtps://acct@127.0.0.1:9"
    place.run("business", "create", "--name", "Shop", "--form", "FI_OY", "--slug", "shop")
    place.run("business", "use", "shop")
    tokens = [place.run("local", "token", "--user", f"u{number}@a.example").out.strip() for number in range(5)]
    told = [place.run("auth", "jwt").out.strip().rpartition(".")[2] for _ in range(3)]
    for password in passwords:
        address = ("--url", "https://shop.example/", "--username", "me", "--password-file", "-")
        made = place.try_run("webhook", "create", "--name", "Shop", *address, "--json", stdin=password)
        told.append(json.loads(made.out)["signing_secret"].removeprefix("whsec_"))
    own = place.run("local", "token").out.strip()
    with serve(place.environ, folder=place.folder) as url:
        for token in (*tokens, *passwords):
            there = {"ACCTCLI_LOCAL_BASE_URL": url, "ACCTCLI_LOCAL_TOKEN": token}
            assert place.try_run("user", "get", "--debug", **there).code == (0 if token in tokens else 4)
    if kind == "postgresql":
        place.folder.joinpath("dump").write_bytes(b"\n".join(dumped(place.environ["ACCTCLI_DATABASE_URL"])))
    else:
        place.run("local", "backup", "books.backup", "--with-key")
    canaries = Canaries(chance, mail, passphrase, *passwords, *tokens, *told, own)
    [kept] = (place.folder / "data" / "local").glob("token*")
    assert canaries.seen_below(place.folder) == {str(kept): {own}}
