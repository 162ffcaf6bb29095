"""What a usual run leaves to the night (`--full`), and which tests stand for it in every run.

A test is here where another one, which stays, proves the same: the one that is more likely to find a fault stays. What
is about money, posting, keys, secrets or another user's data stays in every run at least once each.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Left(NamedTuple):
    """Tests of the night, each `tests/` less its path and name, and with a row in brackets where only that is left.

    `why` says what they add, and `kept` which tests look at the same in every run.
    """

    why: str
    kept: tuple[str, ...]
    tests: tuple[str, ...]


LEFT: Final = (
    Left(
        "Very many and very large: what memory and time they take.",
        (
            "journeys/test_bank.py::test_each_line_becomes_a_draft_on_the_bank_account_once",
            "hostile/test_records.py::test_odd_records_are_shown_or_refused",
        ),
        (
            "journeys/test_bank.py::test_a_large_statement_takes_little_memory_and_the_second_time_is_quick",
            "hostile/test_records.py::test_a_million_ids_that_lie_far_from_each_other_are_remembered",
        ),
    ),
    Left(
        "One person many times at once, after many persons at once.",
        ("journeys/test_sign_in.py::test_many_sign_in_at_once_and_the_books_go_on",),
        ("journeys/test_sign_in.py::test_one_person_signs_in_many_times_at_once",),
    ),
)
