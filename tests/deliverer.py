"""`python -m tests.deliverer URL`: a process that delivers until it is told to end, or killed."""

from __future__ import annotations

import contextlib
import secrets
import signal
import sys

from acctcli.service.cases.webhooks.delivering import Delivering
from acctcli.service.delivery.posting import Post
from acctcli.service.http.app import utc_now
from acctcli.service.http.delivering import Lanes
from acctcli.service.store.engine.opening import open_database
from tests.service.actor import INSTALLATION


def main(url: str, seconds: float) -> None:
    with contextlib.closing(open_database(url)) as database:
        post = Post(allows_private=True, seconds=seconds)
        lanes = Lanes(Delivering(database, INSTALLATION, utc_now, secrets.token_bytes, post))
        signal.signal(signal.SIGTERM, lambda *_: lanes.end())
        print("begun", flush=True)
        lanes.run()


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 15.0)
