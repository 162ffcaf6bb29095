"""The service under eight connections, and the command line without any."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from tests.bench.contestants import (
    DRF_WORKERS,
    LARGE_SLUG,
    SLUG,
    Contestant,
    drf_service,
    measure,
    own_service,
    seed_drf,
)
from tests.bench.load import Order
from tests.bench.measure import Result, compare_times, median_ratio, medians, take_turns
from tests.bench.place import Place

ACCOUNTS, MANY_ACCOUNTS = 10_000, 100_000
SECONDS = 2.0
Asking = Callable[[Contestant], Order]


def bench_service(place: Place) -> list[Result]:
    """Compare listing accounts and creating documents with Django REST framework, one process each."""
    asked: list[tuple[str, Asking, float]] = [
        ("list 25 of 10,000 accounts, requests/s", Contestant.list_order, 13.5),
        ("create document, 4 entries, requests/s", Contestant.create_order, 6.0),
    ]
    with own_service(place, ACCOUNTS) as ours, _drf_services(place) as theirs:
        return [_compare(name, ask, ours, theirs, place, limit) for name, ask, limit in asked]


@contextmanager
def _drf_services(place: Place) -> Iterator[list[Contestant]]:
    document = seed_drf(place, ACCOUNTS)
    with ExitStack() as stack:
        yield [stack.enter_context(drf_service(place, document, worker)) for worker in DRF_WORKERS]


def _compare(name: str, ask: Asking, ours: Contestant, theirs: list[Contestant], place: Place, limit: float) -> Result:
    """Compare with the worker class that is fastest at this request."""
    best = max(theirs, key=lambda contestant: measure(ask(contestant), SECONDS / 2))
    pairs = take_turns(place.rounds, lambda: measure(ask(ours), SECONDS), lambda: measure(ask(best), SECONDS))
    mine, other = medians(pairs)
    figures = f"{mine:,.0f}, DRF on gunicorn {best.name} {other:,.0f}"
    return Result(name, median_ratio(pairs), limit, figures, at_least=True)


def bench_growth(place: Place) -> list[Result]:
    """Compare a list out of 100,000 accounts with one out of 10,000: the first page, and any page."""
    with own_service(place, ACCOUNTS, MANY_ACCOUNTS) as small:
        large = Contestant(small.name, small.port, small.token, small.document, LARGE_SLUG)
        first = _compare_growth("list 10,000 -> 100,000, first page", large.list_order(), small.list_order(), place)
        any_page = _compare_growth(
            "list 10,000 -> 100,000, any page",
            large.list_order("page={n}", cycle=MANY_ACCOUNTS // 25),
            small.list_order("page={n}", cycle=ACCOUNTS // 25),
            place,
        )
    return [first, any_page]


def _compare_growth(name: str, large: Order, small: Order, place: Place) -> Result:
    pairs = take_turns(place.rounds, lambda: 1 / measure(large, SECONDS), lambda: 1 / measure(small, SECONDS))
    slow, fast = medians(pairs)
    figures = f"{slow * 1e6:.0f} us a request, from {fast * 1e6:.0f} us"
    return Result(name, median_ratio(pairs), 1.2, figures)


def bench_local(place: Place) -> list[Result]:
    """Compare a whole `account list` in process with the same against a server on loopback."""
    listing = ("account", "list", "--business", SLUG, "--output", "json", "--env")
    with own_service(place, 60) as server:
        remote = place.command("acctcli", *listing, "bench", base_url=f"http://127.0.0.1:{server.port}")
        environ = {**remote.environ, "ACCTCLI_BENCH_TOKEN": server.token}
        local = place.command("acctcli", *listing, "local")
        return [
            compare_times(
                "account list --env local",
                local,
                type(remote)(remote.arguments, environ, remote.folder),
                1.45,
                2 * place.rounds,
                "loopback server",
            )
        ]
