"""How long a request waits before it is repeated."""

from __future__ import annotations

from acctcli.client.retry import Policy, Timing, backoff


def test_waits_lie_between_nothing_and_a_bound_that_doubles_up_to_a_cap() -> None:
    asked: list[tuple[float, float]] = []

    def uniform(least: float, most: float) -> float:
        asked.append((least, most))
        return most

    policy = Policy(base=0.5, cap=3.0)
    waits = [backoff(attempt, policy, Timing(uniform=uniform)) for attempt in range(1, 6)]
    assert waits == [0.5, 1.0, 2.0, 3.0, 3.0]
    assert asked == [(0.0, wait) for wait in waits]
