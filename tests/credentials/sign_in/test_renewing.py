"""One renewal for many processes, whatever ends one of them in the middle."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, NamedTuple

import pytest

from acctcli.credentials.kept import Kept, Renewal, decode
from acctcli.settings import Environment
from acctcli.settings.expiry import Expiry
from tests.cli.login_host import CLIENT, LoginHost
from tests.cli.processes import ACCTCLI, environ
from tests.cli.recorder import Answer, recorder, said
from tests.credentials.sign_in.worker import main as work
from tests.forks import Fork, run_command
from tests.programs import require_path
from tests.sizes import is_full

ADA = "ada@books.example"
BACKEND = "tests.credentials.sign_in.file_keyring.Keyring"


class Worker(NamedTuple):
    """A process that asks for a token for each line that it is given."""

    process: Fork
    stdin: IO[str]
    stdout: IO[str]


class Machine:
    """A machine whose keyring is a file, and where somebody is signed in to a login host."""

    def __init__(self, folder: Path, host: LoginHost) -> None:
        self.host = host
        self.ring = folder / "ring.json"
        self.variables = environ(folder, host.url, FILE_KEYRING=str(self.ring))
        del self.variables["ACCTCLI_TOKEN"]
        self.variables |= {"PYTHON_KEYRING_BACKEND": BACKEND, "ACCTCLI_KEYRING_BACKENDS": BACKEND}
        self.environment = Environment("testing", host.url, None, None)
        self.sign_in()

    def sign_in(self, seconds: float = 3600.0) -> None:
        """Keep a sign-in whose access token lasts so long."""
        access, refresh = "access-first-0123456789", "refresh-first-0123456789"
        self.host.users[access] = ADA
        self.host.refresh_tokens[refresh] = ADA
        renewal = Renewal(
            refresh_token=refresh,
            token_url=f"{self.host.url}/token",
            client_id=CLIENT,
            expiry=Expiry.after(seconds),
        )
        kept = Kept(token=access, base_url=self.host.url, user=ADA, renewal=renewal)
        self.ring.write_text(json.dumps({"acctcli:testing token": kept.encode()}))

    @property
    def kept(self) -> Kept:
        """What is kept now; it can be read whatever happened."""
        return decode(json.loads(self.ring.read_text())["acctcli:testing token"], self.environment, "keyring")

    def change(self, **renewal: object) -> None:
        """Change what is kept of the renewal."""
        entry = json.loads(self.kept.encode())
        entry["renewal"] |= renewal
        self.ring.write_text(json.dumps({"acctcli:testing token": json.dumps(entry)}))

    @contextmanager
    def worker(self, **more: str) -> Iterator[Worker]:
        """Run a process that has read the sign-in."""
        with ExitStack() as stack:
            its_stdin, stdin, stdout, its_stdout = (
                stack.enter_context(os.fdopen(number, mode, encoding="utf-8"))
                for number, mode in zip((*os.pipe(), *os.pipe()), "rwrw", strict=True)
            )
            process = Fork(work, variables={**self.variables, **more}, streams=(its_stdin, its_stdout))
            its_stdin.close()
            its_stdout.close()
            try:
                yield Worker(process, stdin, stdout)
            finally:
                stdin.close()
                process.wait()

    def run(self, *argv: str) -> tuple[int, str]:
        """Run a command, and return its exit code and what it said."""
        done = run_command(argv, self.variables)
        return done.returncode, done.stderr.decode()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    host = LoginHost()
    with recorder(host) as server:
        host.server = server
        yield Machine(tmp_path, host)


def ask(worker: Worker) -> None:
    worker.stdin.write("\n")
    worker.stdin.flush()


def answer(worker: Worker) -> str:
    return worker.stdout.readline().strip()


def test_many_processes_renew_once_each_time(machine: Machine) -> None:
    processes, rounds = (20, 50) if is_full() else (5, 10)
    with contexts(machine, processes) as workers:
        for number in range(1, rounds + 1):
            for worker in workers:
                ask(worker)
            tokens = {answer(worker) for worker in workers}
            assert len(machine.host.asked) == number
            assert tokens == {machine.kept.token}
            assert tokens < set(machine.host.users)
    sent = [form["refresh_token"] for form in machine.host.asked]
    assert len(sent) == len(set(sent)) == rounds
    assert machine.run("user", "get")[0] == 0


@contextmanager
def contexts(machine: Machine, number: int) -> Iterator[list[Worker]]:
    """Run so many processes, all of which have begun."""
    with ExitStack() as stack:
        workers = [stack.enter_context(machine.worker()) for _ in range(number)]
        assert {answer(worker) for worker in workers} == {"ready"}
        yield workers


# before anything of it is lost, or after all is kept: nobody notices; in between the reply may be lost
POINTS = {
    ("locked", 1): 0,
    ("before reading", 1): 0,
    ("read", 1): 0,
    ("before keeping", 1): 0,
    ("half kept", 1): 0,
    ("kept", 1): 1,
    ("before asking", 1): 1,
    ("answered", 1): 1,
    ("before keeping", 2): 1,
    ("half kept", 2): 1,
    ("kept", 2): 0,
    ("renewed", 1): 0,
}


@pytest.mark.parametrize(("point", "sign_ins"), POINTS.items())
def test_a_process_that_is_killed_costs_one_sign_in_at_most(
    machine: Machine, point: tuple[str, int], sign_ins: int
) -> None:
    with machine.worker(KILL_AT=point[0], KILL_TIME=str(point[1])) as worker:
        assert answer(worker) == "ready"
        ask(worker)
        assert answer(worker) == ""
        assert worker.process.wait() == -signal.SIGKILL
    assert machine.kept.user == ADA
    machine.change(expiry=[0.0])
    code, told = machine.run("user", "get")
    assert code == (4 if sign_ins else 0), told
    if sign_ins:
        assert "the reply to its renewal was lost, which may have used it up" in told
        assert "hint: acctcli auth login --web --env testing" in told
        machine.sign_in()
        assert machine.run("user", "get")[0] == 0
    sent = [form["refresh_token"] for form in machine.host.asked]
    assert len(sent) == len(set(sent))


@pytest.mark.parametrize("lost", [Answer(reset=True), said({}, 500), said({}, 502), Answer(200, b"no JSON")])
def test_a_lost_reply_is_not_asked_for_again(machine: Machine, lost: Answer) -> None:
    machine.change(expiry=[0.0])
    machine.host.answer = lost
    for _ in range(3):
        assert machine.run("user", "get")[0] != 0
    machine.host.answer = None
    code, told = machine.run("user", "get")
    assert (code, len(machine.host.asked)) == (4, 1)
    assert "may have used it up" in told


@pytest.mark.parametrize("busy", [said({}, 503), said({}, 429)])
def test_a_host_that_did_nothing_is_asked_again(machine: Machine, busy: Answer) -> None:
    machine.change(expiry=[0.0])
    machine.host.answer = busy
    assert machine.run("user", "get")[0] == 3
    machine.host.answer = None
    assert machine.run("user", "get")[0] == 0
    assert len(machine.host.asked) == 2


def test_a_host_that_is_not_reached_costs_nothing(machine: Machine) -> None:
    before = machine.kept.renewal
    assert before is not None
    machine.change(expiry=[0.0], token_url="http://127.0.0.1:9/token")
    assert machine.run("user", "get")[0] == 3
    machine.change(token_url=before.token_url)
    assert machine.run("user", "get")[0] == 0


def test_what_is_in_doubt_is_used_as_long_as_it_lasts(machine: Machine) -> None:
    machine.change(is_in_doubt=True, expiry=[time.time() + 30])
    assert machine.run("user", "get")[0] == 0
    assert machine.host.asked == []


def test_a_token_is_renewed_a_minute_before_it_ends(machine: Machine) -> None:
    machine.change(expiry=[time.time() + 120])
    assert (machine.run("user", "get")[0], len(machine.host.asked)) == (0, 0)
    machine.change(expiry=[time.time() + 50])
    assert (machine.run("user", "get")[0], len(machine.host.asked)) == (0, 1)
    assert (machine.run("user", "get")[0], len(machine.host.asked)) == (0, 1)


def test_a_token_that_the_service_refuses_is_renewed_once(machine: Machine) -> None:
    machine.host.users.clear()
    assert machine.run("user", "get")[0] == 0
    assert len(machine.host.asked) == 1
    assert len([sent for sent in machine.host.server.sent if sent.path == "/v1/user/"]) == 2  # type: ignore[union-attr]


def test_a_service_that_refuses_the_new_one_too_is_not_asked_for_ever(machine: Machine) -> None:
    machine.host.reply = lambda fields: fields.update(access_token="nobody-knows-this-one")
    machine.host.users.clear()
    assert machine.run("user", "get")[0] == 4
    assert len(machine.host.asked) == 1


def test_a_refresh_token_that_is_over_is_said_and_not_sent_again(machine: Machine) -> None:
    machine.change(expiry=[0.0])
    machine.host.refresh_tokens.clear()
    code, told = machine.run("user", "get")
    assert code == 4
    assert "the login host does not renew it (invalid_grant)" in told
    code, told = machine.run("user", "get")
    assert (code, len(machine.host.asked)) == (4, 1)
    assert "it cannot be renewed" in told


def test_what_another_renewed_without_our_lock_is_taken(machine: Machine) -> None:
    """A machine that shares the keyring renews while we ask: our refresh token is used up, its tokens are there."""
    machine.change(expiry=[0.0])
    theirs = "access-of-another-machine"

    host = machine.host

    def tokens(form: dict[str, str]) -> Answer:
        host.users[theirs] = ADA
        kept = json.loads(machine.kept.encode())
        kept["token"] = theirs
        kept["renewal"] |= {"refresh_token": "refresh-of-another-machine", "expiry": [time.time() + 3600]}
        kept["renewal"].pop("is_in_doubt", None)
        machine.ring.write_text(json.dumps({"acctcli:testing token": json.dumps(kept)}))
        return said({"error": "invalid_grant"}, 400)

    host._tokens = tokens  # type: ignore[method-assign]
    assert machine.run("user", "get")[0] == 0
    assert machine.kept.token == theirs


def test_who_signs_out_meanwhile_is_signed_out(machine: Machine) -> None:
    with machine.worker() as worker:
        assert answer(worker) == "ready"
        assert machine.run("auth", "logout")[0] == 0
        ask(worker)
        assert answer(worker) == "4 The sign-in to testing is over: another command signed out meanwhile"
    assert machine.host.asked == []


BOB = "bob@books.example"


def with_bob(machine: Machine) -> None:
    """Let another person be signed in beside the one in use."""
    bob = Kept(token="access-of-bob-0123456789", base_url=machine.host.url, user=BOB)
    machine.host.users[bob.token] = BOB
    ada = json.loads(machine.kept.encode()) | {"others": [BOB]}
    entries = {"acctcli:testing token": json.dumps(ada), f"acctcli:testing token:{BOB}": bob.encode()}
    machine.ring.write_text(json.dumps(entries))


def aside(machine: Machine, user: str) -> Kept:
    """Return what is kept of somebody who is not in use."""
    return decode(json.loads(machine.ring.read_text())[f"acctcli:testing token:{user}"], machine.environment, "keyring")


def test_who_switches_during_a_renewal_waits_for_it(machine: Machine, tmp_path: Path) -> None:
    """Else the entry would be lost that comes of one of them."""
    require_path("/proc/self/fd")
    with_bob(machine)
    host, real = machine.host, machine.host._tokens
    switching: list[subprocess.Popen[bytes]] = []

    def tokens(form: dict[str, str]) -> Answer:
        other = subprocess.Popen([*ACCTCLI, "auth", "switch", BOB], env=machine.variables, stderr=subprocess.PIPE)
        switching.append(other)
        # it stands at the lock
        while not has_opened(other.pid, tmp_path / "state" / "tokens-testing"):
            assert other.poll() is None
            time.sleep(0.01)
        return real(form)

    host._tokens = tokens  # type: ignore[method-assign]
    with machine.worker() as worker:
        assert answer(worker) == "ready"
        ask(worker)
        renewed = answer(worker)
        (other,) = switching
        assert (other.communicate(timeout=60)[1], other.returncode) == (
            f"Commands go to testing as {BOB} now.\n".encode(),
            0,
        )
        assert (machine.kept.user, machine.kept.others, aside(machine, ADA).token) == (BOB, (ADA,), renewed)
        # who began as somebody goes on as they, and renews what was set aside
        host._tokens = real  # type: ignore[method-assign]
        ask(worker)
        again = answer(worker)
    assert again not in (renewed, "")
    assert (machine.kept.user, aside(machine, ADA).token) == (BOB, again)
    assert machine.run("auth", "switch", ADA)[0] == 0
    assert (machine.kept.token, machine.kept.others, machine.run("user", "get")[0]) == (again, (BOB,), 0)
    sent = [form["refresh_token"] for form in host.asked]
    assert len(sent) == len(set(sent)) == 2


def has_opened(process: int, beginning: Path) -> bool:
    """Tell whether a process has a file open whose path begins so."""
    for number in Path(f"/proc/{process}/fd").glob("*"):
        with suppress(OSError):  # it was closed meanwhile
            if str(number.readlink()).startswith(str(beginning)):
                return True
    return False


def test_no_secret_stands_anywhere_but_in_the_keyring(machine: Machine, tmp_path: Path) -> None:
    machine.change(expiry=[0.0])
    code, told = machine.run("user", "get", "--debug")
    assert code == 0
    secrets = {*machine.host.users, *machine.host.refresh_tokens, *(one["refresh_token"] for one in machine.host.asked)}
    assert len(secrets) >= 4
    others = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path != machine.ring]
    for secret in secrets:
        assert secret not in told
        assert all(secret.encode() not in content for content in others)
