"""Every behaviour of the table against a read, a write, a report and a download: exit code, time, memory, stdout."""

from __future__ import annotations

import json
import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from signal import SIGKILL
from tempfile import TemporaryFile
from threading import Timer

from tests.cli.processes import ACCTCLI, environ
from tests.hostile.plays import CUT, DOWNLOAD, OK, READ, REPORT, WRITE, Behaviour, behaviours
from tests.hostile.server import Play, hostile, reply
from tests.sizes import is_full

# seconds after the deadline, and seconds after which a command is hung, with or without one
LATER = 2.0
HUNG = 60.0
MEMORY = 150 * 2**20
AT_ONCE = 6
# what always runs is one run of so many
SHARE = 16
ARGV = {
    READ: ("contact", "get", "1", "--json"),
    WRITE: ("contact", "create", "--name", "x", "--json"),
    REPORT: ("report", "journal", "--period", "2026", "--output", "jsonl"),
    DOWNLOAD: ("file", "download", "1", "--to", "out", "--json"),
}
FILE = b"\x00\x01\x02\x03" * 500
BODIES = {
    READ: b'{"id": 1, "name": "Virtanen"}',
    WRITE: b'{"id": 1, "name": "x"}',
    REPORT: b'{"report_type":"journal","documents":[{"number":"1","entries":[]}],"totals":{}}',
    DOWNLOAD: FILE,
}


@dataclass(frozen=True)
class Outcome:
    """How a run ended; `seconds` from the first request, `memory` in bytes at the most."""

    code: int
    out: bytes
    err: str
    seconds: float
    memory: int


def run(behaviour: Behaviour, sort: str, home: Path) -> Outcome:
    """Run one command against a server of one behaviour."""

    def answer(path: str, port: int) -> Play:
        if sort == DOWNLOAD and "/files/1/" in path:
            record = {"id": 1, "name": "a.bin", "file": f"http://127.0.0.1:{port}/content"}
            return [reply(json.dumps(record).encode())]
        return behaviour.make(BODIES[sort])

    home.mkdir()
    with hostile(answer) as server, TemporaryFile() as out, TemporaryFile() as err:
        argv = [*ACCTCLI, *ARGV[sort], "--timeout", str(behaviour.deadline)]
        variables = environ(home, f"http://127.0.0.1:{server.port}")
        process = subprocess.Popen(argv, env=variables, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=home)
        hung = Timer(HUNG, os.kill, (process.pid, SIGKILL))
        hung.start()
        _, status, usage = os.wait4(process.pid, 0)
        hung.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - (server.first_asked or 0.0)
        out.seek(0)
        err.seek(0)
        return Outcome(process.returncode, out.read(), err.read().decode(), seconds, usage.ru_maxrss * 1024)


def faults(behaviour: Behaviour, sort: str, outcome: Outcome, usual: int, home: Path) -> list[str]:
    """Say what is wrong with the end of a run; `usual` is the memory of an honest one."""
    wanted = behaviour.code
    if sort == DOWNLOAD and wanted != OK:
        wanted = CUT  # it is told among those of others
    if sort == REPORT and behaviour.report is not None:
        wanted = behaviour.report
    found = [] if outcome.code == wanted else [f"exit {outcome.code} instead of {wanted}"]
    if outcome.seconds > behaviour.deadline + LATER:
        found.append(f"{outcome.seconds:.1f} s")
    if outcome.memory - usual - len(outcome.out) > MEMORY:
        found.append(f"{(outcome.memory - usual) // 2**20} MiB")
    return found + _unclean(sort, outcome, home)


def _unclean(sort: str, outcome: Outcome, home: Path) -> list[str]:
    found = []
    try:
        lines = outcome.out.decode().splitlines() if sort == REPORT else [outcome.out.decode() or "null"]
        shown = [json.loads(line) for line in lines]
        if outcome.code != OK and sort in {READ, WRITE} and shown != [None]:
            found.append("something on stdout")
    except ValueError:
        found.append(f"stdout is no JSON: {outcome.out[-60:]!r}")
    if outcome.code != OK:
        try:
            error = json.loads(outcome.err.splitlines()[-1])["error"]
            if error["exit_code"] != outcome.code:
                found.append("the error says another code")
        except (ValueError, LookupError):
            found.append("the last line of stderr is no error")
    if "Traceback" in outcome.err or "internal fault" in outcome.err or "\x1b" in outcome.err:
        found.append(f"stderr: {outcome.err[-200:]}")
    kept = [path for path in (home / "out").rglob("*") if path.is_file()] if sort == DOWNLOAD else []
    if [path.read_bytes() for path in kept] != ([FILE] if sort == DOWNLOAD and outcome.code == OK else []):
        found.append("another file than was sent is kept")
    return found


def test_the_table_has_two_hundred_behaviours() -> None:
    names = [behaviour.name for behaviour in behaviours()]
    assert len(set(names)) == len(names) >= 200


def test_no_server_makes_a_command_wait_swell_or_lie(tmp_path: Path) -> None:
    honest = Behaviour("honest", lambda body: [reply(body)], OK)
    usual = max(run(honest, sort, tmp_path / sort).memory for sort in ARGV)
    runs = [(behaviour, sort) for behaviour in behaviours() for sort in behaviour.of]
    chosen = runs if is_full() else runs[:: len(runs) // SHARE]

    for behaviour, sort in chosen:
        behaviour.make(BODIES[sort])  # what takes long to make is made once

    def judge(place: int) -> str:
        behaviour, sort = chosen[place]
        home = tmp_path / f"{place}"
        outcome = run(behaviour, sort, home)
        if outcome.seconds > behaviour.deadline + LATER:  # by itself, or because the machine was busy
            home = tmp_path / f"{place} again"
            outcome = run(behaviour, sort, home)
        wrong = faults(behaviour, sort, outcome, usual, home)
        return f"{sort}, {behaviour.name}: {'; '.join(wrong)}\n  {outcome.err[-300:]}" if wrong else ""

    with ThreadPoolExecutor(AT_ONCE) as executor:
        found = list(filter(None, executor.map(judge, range(len(chosen)))))
    assert not found, f"{len(found)} of {len(chosen)}:\n" + "\n".join(found)
