"""What a token in a real keyring costs a command, against one in a variable."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from tests.bench.measure import BenchError, Result, compare_times
from tests.bench.place import TOKEN, Place
from tests.bench.servers import page_server

ROWS = 100


def bench_keyring(place: Place) -> list[Result]:
    """Compare a page of 25 rows with the token in a Secret Service with the same page with it in a variable."""
    with page_server(ROWS) as base_url, _secret_service(place) as session:
        listing = ("document", "list", "--env", "bench", "--limit", "25", "--output", "json")
        with_variable = place.command("acctcli", *listing, base_url=base_url)
        asked = {name: value for name, value in with_variable.environ.items() if name != "ACCTCLI_BENCH_TOKEN"}
        with_keyring = replace(with_variable, environ={**asked, **session})
        keep = [str(place.programs / "python"), "-c", _KEEP, base_url, TOKEN]
        subprocess.run(keep, env=dict(with_keyring.environ), check=True, timeout=60)
        rounds = 4 * place.rounds
        return [compare_times("token in a keyring", with_keyring, with_variable, 1.8, rounds, "in a variable")]


# the page server knows no users, so that nobody can sign in to it
_KEEP = """
import sys
from acctcli.credentials.kept import Kept
from acctcli.credentials.store import open_store
from acctcli.settings import Settings
import os

store = open_store(Settings.load().environment("bench"), os.environ)
store.save(Kept(token=sys.argv[2], base_url=sys.argv[1]))
"""


@contextmanager
def _secret_service(place: Place) -> Iterator[dict[str, str]]:
    """Run a session bus and an unlocked keyring, and yield the variables that lead to them."""
    for program in ("dbus-daemon", "gnome-keyring-daemon"):
        if shutil.which(program) is None:
            raise BenchError(f"{program} is not installed")
    own = {**place.environ(), "XDG_RUNTIME_DIR": str(place.folder), "XDG_DATA_HOME": str(place.folder / "keyrings")}
    with _running(["dbus-daemon", "--session", "--nofork", "--print-address=1"], own) as bus:
        assert bus.stdout is not None
        session = {"DBUS_SESSION_BUS_ADDRESS": bus.stdout.readline().decode().strip()}
        keeper = ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"]
        with _running(keeper, {**own, **session}) as ring:
            assert ring.stdin is not None
            ring.stdin.write(b"bench")
            ring.stdin.close()
            yield session


@contextmanager
def _running(arguments: list[str], environ: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        arguments, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield process
        finally:
            process.terminate()
