"""`acctcli event`: types that there are, and a service that is away for a while (what is listed: webhook/)."""

from __future__ import annotations

import time

import pytest

from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import TOKEN, Answer, Sent, page, recorder, said

AWAY = Answer(500, b"")


def row(number: int) -> dict[str, object]:
    return {"id": number, "type": "tag.created", "timestamp": "2026-01-01T00:00:00Z", "data": {"id": 1}}


@pytest.mark.together
@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (
            ("event", "list", "--type", "tag.creatd"),
            "--type: there is no event tag.creatd\nhint: did you mean tag.created?",
        ),
        (("event", "tail", "--type", "webhook.ping"), "--type: there is no event webhook.ping"),
        (("webhook", "deliveries", "--type", "nonsense"), "--type: there is no event nonsense\nhint: such as"),
    ],
)
def test_a_type_that_there_is_not_is_said_before_anything_is_sent(
    cli: Cli, at: At, argv: tuple[str, ...], says: str
) -> None:
    with recorder(said({"id": 1, "slug": "demo"})) as server:
        at(server)
        done = cli(*argv)
        assert (done.code, done.out, server.sent) == (2, "", [])
    assert says in done.err


def test_test_events_may_be_asked_for_among_deliveries(cli: Cli) -> None:
    for line in ("business create --name Demo --form FI_OY --slug demo", "business use demo"):
        succeed(cli(*line.split()))
    assert succeed(cli("webhook", "deliveries", "--type", "webhook.ping", "--json")).out == "[]\n"


class Service:
    """One of ours: an event, then none for a while as it is away, then another one, then nobody is let in."""

    def __init__(self) -> None:
        self.after: list[str] = []
        self._back = 0.0

    def __call__(self, sent: Sent) -> Answer:
        if "/events/" not in sent.path:
            return page() if "/audit/" in sent.path else said({"id": 1, "slug": "demo"})
        self.after.append(sent.path.partition("after=")[2].partition("&")[0])
        if len(self.after) == 1:
            self._back = time.monotonic() + 0.5
            return page(row(6))
        if time.monotonic() < self._back:
            return AWAY
        return said({"detail": "No."}, 401) if self.after[-1] == "7" else page(row(7))


def test_whoever_follows_goes_on_when_the_service_is_back_and_is_told_where_it_ended(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = Service()
    with recorder(service) as server:
        monkeypatch.setenv("ACCTCLI_OWN_BASE_URL", server.base_url)
        monkeypatch.setenv("ACCTCLI_TOKEN", TOKEN)
        done = cli("event", "tail", "--after", "5", "--env", "own", "--business", "demo", "--timeout", "0.1")
    assert (done.code, [line.split()[2] for line in done.out.splitlines()]) == (4, ["6", "7"])
    assert sorted(set(service.after)) == ["5", "6", "7"]
    away, back, *_ = done.err.splitlines()
    assert away.startswith("note: no answer, it is asked again until there is one: ")
    assert back == "note: there are answers again"
    assert "go on with --after 7" in done.err
