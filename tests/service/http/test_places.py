"""Who has a place: by what is due, what is under way, and how receivers have answered so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.service.http import places as places_module
from acctcli.service.http.places import MOST, Held, Places
from acctcli.service.store.deliveries import Lane

# of a receiver that has proved itself wholly, of a new one, and of one that stood still
PROVED, FRESH, STILL = 16, 0, -8


def lanes(number: int, answers: int, *, business: int = 1, first: int = 1) -> list[Lane]:
    return [Lane(one, business, answers) for one in range(first, first + number)]


def crowd(businesses: int, each: int, answers: int) -> list[Lane]:
    """Make lanes of many businesses, whose numbers begin at 1,000."""
    return [Lane(1000 * (of + 1) + one, 1000 + of, answers) for of in range(businesses) for one in range(each)]


def held(some: Iterable[Lane], room: Mapping[int, int]) -> list[Held]:
    """Return the places that lanes have after they were shared."""
    return [Held(*lane) for lane in some for _ in range(room.get(lane.subscription_id, 0))]


@pytest.mark.parametrize(("answers", "has"), [(-8, 1), (-1, 1), (0, 1), (1, 2), (3, 4), (15, 16), (16, 16)])
def test_a_lane_alone_has_one_place_more_for_each_answer_in_time(answers: int, has: int) -> None:
    assert Places().share(lanes(1, answers), []) == {1: has}


def test_nobody_has_a_second_place_while_others_have_none() -> None:
    some = lanes(100, PROVED)
    room = Places().share(some, [])
    # half of all, from where on only first ones are given
    assert Counter(room.values()) == {1: 72, 2: 28}
    taken = held(some, room)
    late = lanes(80, PROVED, first=200)
    assert sorted(Places().share([*some, *late], taken)) == [one.subscription_id for one in late][:64]


def test_a_first_place_comes_before_a_second_one_whoever_has_more() -> None:
    some, other = lanes(127, PROVED), Lane(500, 2, PROVED)
    taken = [*(Held(*lane) for lane in some[:126]), Held(*other)]
    # which fills the half from where on there are only first ones
    assert Places().share([other, some[126]], taken) == {127: 1}


def test_a_business_that_has_none_comes_before_further_lanes_of_others() -> None:
    some = lanes(300, PROVED)
    room = Places().share(some, [])
    assert sum(room.values()) == 192
    other = lanes(30, PROVED, business=2, first=500)
    more = Places().share([*some, *other], held(some, room))
    # the first one of a business may have what no other may
    assert more == {500: 1}


@pytest.mark.parametrize(("answers", "has", "kept"), [(PROVED, 192, 64), (FRESH, 48, 16), (STILL, 24, 8)])
def test_of_each_kind_the_last_places_are_for_businesses_without_any(answers: int, has: int, kept: int) -> None:
    one, others = lanes(400, answers), crowd(100, 1, answers)
    room = Places().share(one, [])
    assert sum(room.values()) == has
    assert sum(Places().share(others, held(one, room)).values()) == kept


def test_who_stands_still_and_who_is_new_leave_half_of_all_to_others() -> None:
    some, quick = [*crowd(200, 1, FRESH), *lanes(400, STILL, business=2, first=5001)], lanes(400, PROVED)
    room = Places().share(some, [])
    assert sum(room.values()) == 64 + 24
    # those that were new take their time now
    taken = [one._replace(answers=STILL) for one in held(some, room)]
    fresh = crowd(100, 1, FRESH)
    more = Places().share([Lane(one.subscription_id + 10**6, one.business_id + 10**6, 0) for one in fresh], taken)
    assert sum(more.values()) == MOST["unproven"] - 88
    assert sum(Places().share(quick, taken).values()) == 192 - 88


def test_places_go_round() -> None:
    """Of more lanes than there are places each one has its turn before any has a second one."""
    places, some = Places(), crowd(40, 4, STILL)
    turns: Counter[int] = Counter()
    for _ in range(5):
        turns.update(places.share(some, []))
    assert set(turns.values()) == {1}
    assert len(turns) == 5 * 32


def test_who_was_served_longest_ago_is_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places_module, "REMEMBERED", 3)
    served = places_module.Served()
    for one in (1, 2, 3, 1, 4):
        served.note(one)
    assert [served[one] for one in (1, 2, 3, 4)] == [4, 0, 3, 5]


LANES = st.builds(Lane, st.integers(1, 60), st.just(0), st.sampled_from([STILL, -1, FRESH, 1, 3, PROVED])).map(
    lambda lane: lane._replace(business_id=lane.subscription_id % 7)
)
SOME = st.lists(LANES, max_size=60, unique_by=lambda lane: lane.subscription_id)


@given(st.lists(SOME, max_size=6), SOME)
def test_whatever_happens_a_lane_has_no_second_place_before_another_could_have_its_first(
    before: list[list[Lane]], some: list[Lane]
) -> None:
    places, taken = Places(), list[Held]()
    for one in before:
        taken += held(one, places.share(one, taken))
    assert len(taken) <= MOST["all"]
    room = places.share(some, taken)
    has = Counter(one.subscription_id for one in taken)
    left = [lane for lane in some if not has[lane.subscription_id] and lane.subscription_id not in room]
    assert all(number == 1 and not has[lane] for lane, number in room.items() if any(one.answers > 0 for one in left))
    # what is over can begin anew: nothing is lost of a place
    assert places.share(some, []).keys() == {lane.subscription_id for lane in some}
