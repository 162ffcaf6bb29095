"""Which requests are repeated, and how long they wait before that."""

from __future__ import annotations

from acctcli.client.retry import Policy, Timing, backoff, repeatable, worth_repeating


def test_waits_lie_between_nothing_and_a_bound_that_doubles_up_to_a_cap() -> None:
    asked: list[tuple[float, float]] = []

    def uniform(least: float, most: float) -> float:
        asked.append((least, most))
        return most

    policy = Policy(base=0.5, cap=3.0)
    waits = [backoff(attempt, policy, Timing(uniform=uniform)) for attempt in range(1, 6)]
    assert waits == [0.5, 1.0, 2.0, 3.0, 3.0]
    assert asked == [(0.0, wait) for wait in waits]


def test_what_can_do_harm_twice_is_not_repeated() -> None:
    methods = ("GET", "HEAD", "PUT", "DELETE", "POST", "PATCH", "OPTIONS")
    assert [one for one in methods if repeatable(one, None)] == ["GET", "HEAD", "PUT", "DELETE"]
    assert [one for one in methods if repeatable(one, "key")] == ["GET", "HEAD", "PUT", "DELETE", "POST"]
    # what is in flight under a key is asked for again, and nothing else that conflicts
    assert [one for one in methods if worth_repeating(409, one, "key")] == ["POST"]
    assert not any(worth_repeating(503, one, "key") for one in ("PATCH", "OPTIONS"))
