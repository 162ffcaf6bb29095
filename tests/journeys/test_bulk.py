"""Files of documents under fire: a network that breaks, kills of either side, signals at every moment; each line once.

A full run is 5,000 lines, 1,000 faults, 200 signals and 20 kills of the service.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.cli.processes import ACCTCLI
from tests.fault_proxy import Fault, FaultProxy, fault_proxy
from tests.journeys.places import Place, fresh
from tests.serving import free_port, wait_for
from tests.sizes import is_full

FILES, LINES, FAULTS, SIGNALS, KILLS = (10, 500, 1000, 200, 20) if is_full() else (2, 60, 24, 10, 2)
AT_ONCE = 5
ENDS = (signal.SIGTERM, signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGHUP)
# a stalled request waits for half a minute
BREAKING = tuple(fault for fault in Fault if fault not in {Fault.NONE, Fault.STALL, Fault.STALL_BEFORE})
# what Python itself says of a Ctrl-C before the first instruction of ours
NOT_STARTED = ("Could not import runpy module", "Fatal Python error: init_")
DAY = "2026-03-01"


class Server:
    """The service, killed now and then and started again at the same address."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self.port = free_port()
        self.kills = 0
        self._process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        command = [*ACCTCLI, "local", "serve", "--port", str(self.port), "--quiet"]
        process = subprocess.Popen(
            command, env=self._place.environ, cwd=self._place.folder, start_new_session=True, stderr=subprocess.DEVNULL
        )
        wait_for(self.port, process)
        return process

    def kill_now_and_then(self, times: int, enough: threading.Event) -> None:
        while self.kills < times and not enough.wait(0.3 if is_full() else 1.0):
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(30)
            self.kills += 1
            self._process = self._start()

    def stop(self) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(30)


def faults(dice: random.Random) -> Iterator[Fault]:
    """Break one request in five until enough are broken, never so many in a row that a client gives up."""
    for _ in range(FAULTS):
        yield from [Fault.NONE] * dice.randint(1, 7)
        yield dice.choice(BREAKING)


def written(file: int) -> list[dict[str, str]]:
    """The lines of a file; some are equal, in the file and in others."""
    own = [{"date": DAY, "description": f"file {file}, line {line}"} for line in range(LINES - 2)]
    return [*own, *[{"date": DAY, "description": f"file {file}, twice"}] * 2]


def post_under_fire(guest: Place, path: str, dice: random.Random, ends: int) -> list[str]:
    """Post a file in spite of everything; return what is wrong with how its commands ended."""
    wrong = []
    command = [*ACCTCLI, "document", "create", "--file", path, "--output", "jsonl"]
    while True:
        with subprocess.Popen(
            command, env=guest.environ, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as running:
            number = None
            if ends:
                number = dice.choice(ENDS)
                # from the first instruction on to the middle of the file
                time.sleep(dice.uniform(0, 2.0) * dice.random())
                running.send_signal(number)
                ends -= 1
            _, err = running.communicate(timeout=120)
        expected = {0, 3, 9} | ({-number, 128 + number} if number else set())
        is_python_s = any(line in err for line in NOT_STARTED)
        if not is_python_s and (running.returncode not in expected or ("Traceback" in err and "/acctcli/" in err)):
            wrong.append(f"{running.returncode} after {number}: {err}")
        if running.returncode == 0 and not ends:
            return wrong


def test_each_line_is_there_exactly_once(tmp_path: Path) -> None:
    place = fresh("sqlite", tmp_path, ACCTCLI_BUSINESS="fire")
    place.run("business", "create", "--name", "Fire Oy", "--slug", "fire")
    token = place.run("local", "token").out.strip()
    server = Server(place)
    enough = threading.Event()
    seeds = random.Random(20261122)
    files = [written(file) for file in range(FILES)]
    paths = [place.write_lines(f"many-{file}.jsonl", lines) for file, lines in enumerate(files)]
    try:
        with fault_proxy(f"http://127.0.0.1:{server.port}", faults(seeds)) as proxy, ThreadPoolExecutor() as pool:
            guest = fresh("guest", tmp_path / "guest", ACCTCLI_BUSINESS="fire", ACCTCLI_LOCAL_TOKEN=token)
            guest.environ["ACCTCLI_LOCAL_BASE_URL"] = proxy.base_url
            killing = pool.submit(server.kill_now_and_then, KILLS, enough)
            with ThreadPoolExecutor(AT_ONCE) as posting:
                runs = [
                    posting.submit(post_under_fire, guest, path, random.Random(seeds.random()), SIGNALS // FILES)
                    for path in paths
                ]
                wrong = [line for run in runs for line in run.result()]
            killing.result()
            assert wrong == []
            assert server.kills == KILLS
            assert_faults(proxy)
            for path, lines in zip(paths, files, strict=True):
                last = guest.run("document", "create", "--file", path).err.splitlines()[-1]
                assert last.startswith(f"nothing was posted: all {len(lines)} lines are there already")
            assert guest.json("resume") == []
    finally:
        enough.set()
        server.stop()
    listed = place.json("document", "list", "--all", "--columns", "description")
    assert Counter(one["description"] for one in listed) == Counter(
        line["description"] for lines in files for line in lines
    )


def assert_faults(proxy: FaultProxy) -> None:
    """All that were planned were met: requests that come after the last file keep coming until then."""
    met = Counter(request.fault for request in proxy.requests)
    assert met.total() - met[Fault.NONE] >= FAULTS * 9 // 10
