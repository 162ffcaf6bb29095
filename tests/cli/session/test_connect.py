"""From options to a connection: what is said of patience is what a request has."""

from __future__ import annotations

import time
from functools import partial

import pytest

from acctcli.cli.session import connect
from acctcli.client.http import Http
from acctcli.client.retry import Timing
from tests.cli.conftest import At, Cli
from tests.cli.recorder import recorder, said


@pytest.mark.parametrize(
    ("options", "tries"), [(("--timeout", "20"), 1), (("--timeout", "70"), 3), (("--timeout", "130"), 5), ((), 4)]
)
def test_a_request_is_tried_again_for_as_long_as_is_said(
    cli: Cli, at: At, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], tries: int
) -> None:
    """By a service that asks for half a minute each time; two minutes unless told otherwise."""
    waited: list[float] = []
    timing = Timing(now=lambda: time.monotonic() + sum(waited), sleep=waited.append)
    monkeypatch.setattr(connect, "Http", partial(Http, timing=timing))
    with recorder(said({"detail": "Busy."}, 503, Retry_After="30")) as server:
        at(server)
        outcome = cli("account", "list", *options)
        assert (outcome.code, outcome.out, len(server.sent)) == (9, "", tries)
