"""Forty secrets, every command with `--debug`, and thirty things that go wrong with each: none is shown or written."""

from __future__ import annotations

import json
import random
import shlex
import socketserver
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from acctcli.client import known, retry
from acctcli.credentials.backends import Keyring
from acctcli.credentials.jwts import JwtCache
from acctcli.credentials.kept import Kept, Renewal
from acctcli.credentials.store import CLIENT_SECRET, IN_USE, TokenStore
from acctcli.settings import Environment
from acctcli.settings.expiry import Expiry
from tests.canaries import Canaries
from tests.cli.conftest import At, Cli, Outcome
from tests.cli.recorder import Answer, Recorder, Sent, page, recorder, said
from tests.cli.walk import commands
from tests.client.spellings import SPELLINGS
from tests.credentials.keyrings import MemoryKeyring, installed
from tests.serving import free_port
from tests.sizes import is_full

HTML = {"Content-Type": "text/html"}
DATA = sorted(SPELLINGS.keys() - {"tags"})
Shape = Callable[[str, Sent], Answer]


def _line(text: str) -> str:
    return "".join(letter for letter in text if " " <= letter <= "~")


def refusing(status: int) -> Shape:
    # no patience lasts as long
    late = {"Retry_After": "600"} if status in retry.TRANSIENT else {}
    return lambda text, _: said({"detail": f"Authorization: Token {text}", "code": text}, status, **late)


def moved(status: int, address: str) -> Shape:
    return lambda text, _: Answer(status, b"", {"Location": address.format(_line(text))})


def echoed(_: str, sent: Sent) -> Answer:
    return said({"detail": "No.", "request": {**sent.headers, "body": sent.body.decode("latin-1")}}, 400)


def headers_echoed(_: str, sent: Sent) -> Answer:
    return Answer(403, b"{}", {f"X-Echo-{name}": _line(value) for name, value in sent.headers.items()})


def recorded(_: str, sent: Sent) -> Answer:
    """A record that holds what was sent, in data."""
    chance = random.Random(len(sent.path))
    text = SPELLINGS[chance.choice(DATA)](sent.headers.get("authorization", "no token").removeprefix("Token "))
    record = {"id": 1, "number": "1910", "name": text, "email": text, "token": "x", "file": text}
    return chance.choice([said(record), page(record)])


FAULTS: dict[str, Shape] = {
    **{str(status): refusing(status) for status in (400, 401, 403, 404, 409, 412, 422, 423, 429, 500, 501, 502, 503)},
    "HTML": lambda text, _: Answer(500, f"<html><title>{text}</title>{text}</html>".encode(), HTML),
    "HTML as a success": lambda text, _: Answer(200, f"<html>{text}".encode(), HTML),
    "text": lambda text, _: Answer(422, text.encode(), {"Content-Type": "text/plain"}),
    "headers": lambda text, _: said({"detail": "no"}, 400, X_Request_Id=_line(text), Set_Cookie=f"a={_line(text)}"),
    "the request": echoed,
    "the headers of the request": headers_echoed,
    "a record": recorded,
    "keys": lambda text, _: said({text: ["is wrong"], "rows": [{"a": [text]}, {text: text}]}, 400),
    "a list": lambda text, _: said([text, {"token": text}], 400),
    "a text": lambda text, _: said(text),
    "half a record": lambda text, _: Answer(200, json.dumps({"name": text})[:-2].encode()),
    "a user in an address": moved(302, "https://u:{0}@evil.example/{0}"),
    "an address": moved(307, "https://{0}.example/?{0}"),
    "a path": moved(301, "/{0}/"),
    "a reset": lambda text, _: Answer(reset=True),
    "silence": lambda text, _: Answer(stall=True),
    # nobody is asked
    "nobody": lambda text, _: Answer(),
}
# of each command, unless all is run
SHARE = 3
# commands whose examples ask a server here: others are about this machine, or about books beside it
ASKING = 170
EXAMPLES = [(found, shlex.split(found.examples[0].removesuffix(" --env production"))[1:]) for found in commands()]
# it is about a folder of its own, and prints whatever that holds
APART = {"tour"}
PRINTS = {"auth token"}
PAPER = "report journal --period 2026 --output pdf --output-file journal.pdf"
# what reads one from stdin
TYPED = (
    (
        "webhook create",
        ["--name", "Shop", "--url", "https://shop.example/", "--username", "me", "--password-file", "-"],
    ),
    ("auth login", ["--with-token"]),
    ("local password", ["anna@example.com"]),
    ("local backup", ["copy.backup", "--with-key"]),
)


class Parrot:
    """Answers with one fault, and in it a secret that it may know or was sent: spelled anyhow, cut anywhere."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.held: list[str] = []
        self.fault = ""
        self.given = ""

    def __call__(self, sent: Sent) -> Answer:
        chance = self._chance
        told = [sent.headers.get("authorization", ""), self.given, chance.choice(self.held)]
        secret = chance.choice([one for one in told if one]).removeprefix("Token ")
        text = SPELLINGS[chance.choice(list(SPELLINGS))](secret)
        start, end = sorted(chance.choices(range(len(text) + 1), k=2)) if chance.random() < 0.5 else (0, len(text))
        before = "." * chance.choice([0, chance.randint(400, 510), chance.randint(9_900, 10_000)])
        return FAULTS[self.fault](f"{before} {text[start:end]} is wrong", sent)


class _Database(socketserver.BaseRequestHandler):
    """A server of databases that refuses, and says what it was sent and who it is."""

    def handle(self) -> None:
        while (sent := self.request.recv(4096)) and sent[4:8] == b"\x04\xd2\x16\x2f":  # SSLRequest
            self.request.sendall(b"N")
        told = sent.decode("latin-1").replace("\0", " ") + str(getattr(self.server, "told", ""))
        text = b"".join(mark + word.encode() + b"\0" for mark, word in ((b"S", "FATAL"), (b"C", "28P01"), (b"M", told)))
        self.request.sendall(b"E" + (len(text) + 5).to_bytes(4) + text + b"\0")


@contextmanager
def database(told: str) -> Iterator[int]:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Database) as server:
        server.daemon_threads = True
        server.told = told  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


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


def signed_in(canaries: Canaries, server: Recorder, folder: Path) -> dict[tuple[str, str], str]:
    """Return what a keyring holds of a sign-in, whose access token is over."""
    access, refresh, secret, jwt = canaries.kept()
    url = server.base_url
    renewal = Renewal(
        refresh_token=refresh,
        token_url=f"{url}/token",
        revocation_url=f"{url}/revoke",
        client_id="acctcli",
        expiry=Expiry(0.0),
    )
    environment = Environment("testing", url, None, None)
    ring = MemoryKeyring()
    with installed(ring):
        store = TokenStore(environment, Keyring(environment), folder / "lock")
        store.save(Kept(token=access, base_url=url, user="ada@books.example", renewal=renewal))
        store.place.put(CLIENT_SECRET, secret)
        JwtCache(access, url, store).put("demo", jwt, 3600.0)
        assert store.place.get(IN_USE) is not None
    assert len(ring.entries) == 3
    return ring.entries


def runs(chance: random.Random, canaries: Canaries) -> Iterator[tuple[str, list[str], str, str]]:
    """Yield command lines, what is typed, and the fault; all faults for each command, or a share of them."""
    named = {found.name: found for found, _ in EXAMPLES}
    lines = [(found, words) for found, words in EXAMPLES if found.name not in APART]
    lines.append((named["document create"], ["document", "create", "--file", "many.jsonl", "--again"]))
    # its logo is at an address that the service tells
    lines.append((named["report journal"], PAPER.split()))
    untyped = len(lines)
    lines += [(named[name], [*name.split(), *more]) for name, more in TYPED]
    faults = list(FAULTS)
    for number, (found, words) in enumerate(lines):
        mine = faults if is_full() else [faults[(SHARE * number + one) % len(faults)] for one in range(SHARE)]
        patience = ["--timeout", "0.1"] if "--timeout" in found.options() else []
        for fault in mine:
            more = [
                one for one in chance.choice([[], ["--json"], ["--scoped"], ["--dry-run"]]) if one in found.options()
            ]
            secret = chance.choice(canaries.typed()) if number >= untyped else ""
            yield found.name, [*words, *patience, *more, "--debug"], secret, fault


def seen_in(outcome: Outcome, name: str, canaries: Canaries) -> set[str]:
    """Return what was shown; one command prints the token in use, and nothing else shows it."""
    if name in PRINTS and outcome.code == 0:
        return canaries.seen_in(outcome.err)
    return canaries.seen_in(outcome.out) | canaries.seen_in(outcome.err)


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
    ends: dict[str, set[int]] = {}
    # in how many of its runs a command has asked a server
    asking = Counter[str]()
    parrot = Parrot(chance)
    ring = MemoryKeyring()
    # as often as ever, without waiting
    monkeypatch.setattr(retry, "backoff", lambda *_: 0.0)
    (home / "work" / "many.jsonl").write_text('{"date": "2026-03-01", "description": "x"}\n' * 3)
    (home / "work" / "receipt.txt").write_text("Coffee beans 80.00\n")
    with recorder(parrot) as server, database(" ".join(canaries.held())) as port, installed(ring):
        at(server)
        variables = canaries.variables()
        variables["ACCTCLI_DATABASE_URL"] = variables["ACCTCLI_DATABASE_URL"].replace("db.example", f"127.0.0.1:{port}")
        entries = signed_in(canaries, server, home)
        for name, argv, parrot.given, parrot.fault in runs(chance, canaries):
            # each is a process of its own
            monkeypatch.setattr(known, "_told", set())
            with monkeypatch.context() as mine:
                for variable, value in variables.items():
                    mine.setenv(variable, value)
                if name.startswith("local "):
                    # with a password in it the service does not even begin
                    mine.setenv("ACCTCLI_SMTP_URL", "smtps://acct@mail.example")
                ring.entries, parrot.held = dict(entries), canaries.held()
                if parrot.fault == "nobody":
                    mine.setenv("ACCTCLI_TESTING_BASE_URL", f"http://127.0.0.1:{free_port()}")
                elif chance.random() < 0.3 or "--scoped" in argv:
                    mine.delenv("ACCTCLI_TOKEN")
                    parrot.held.remove(canaries.token)
                before = len(server.sent)
                outcome = cli(*argv, stdin=f"{parrot.given}\n" if parrot.given else "")
            if len(server.sent) > before:
                asking[name] += 1
            ends.setdefault(name, set()).add(outcome.code)
            if seen := seen_in(outcome, name, canaries):
                leaks.append((argv, parrot.fault, seen, outcome.out, outcome.err))
            if "--json" in argv and outcome.code and outcome.err.startswith("{"):
                json.loads(outcome.err)
        assert len(asking) > ASKING
        # all but rehearsals, and those that find nobody there; how much is sent ahead of a page is chance
        assert asking.total() > 0.8 * SHARE * len(asking)
        assert {"/token", "/revoke", "/v1/user/"} <= {sent.path for sent in server.sent}
    assert leaks[:3] == []
    assert len(ends) == len(EXAMPLES) - len(APART)
    assert sum(ends[name] != {0} for name in ends) > 0.8 * len(ends), [name for name in ends if ends[name] == {0}]
    assert canaries.seen_below(home) == {}
    assert started == []
