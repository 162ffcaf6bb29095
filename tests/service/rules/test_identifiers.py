"""Which numbers of a record are wrong, and which of them a write is to blame for."""

from __future__ import annotations

import pytest

from acctcli.law.finland import check_y_tunnus
from acctcli.law.identifiers import check_account
from acctcli.service.rules.identifiers import alone, faults_of, new_faults

CHECKS = {"a": alone(check_y_tunnus), "b": alone(check_account)}


@pytest.mark.parametrize("nothing", [None, "", "  "])
def test_where_nothing_stands_nothing_is_wrong(nothing: str | None) -> None:
    assert faults_of(CHECKS, {"a": nothing, "b": nothing}) == {}


def test_every_fault_is_told() -> None:
    assert list(new_faults(CHECKS, {"a": "1", "b": "2"})) == ["a", "b"]


def test_what_was_wrong_before_and_stays_is_not_told() -> None:
    before = {"a": "1", "b": None}
    assert new_faults(CHECKS, {"a": "1", "b": None}, before) == {}
    assert list(new_faults(CHECKS, {"a": "1", "b": "2"}, before)) == ["b"]
    assert list(new_faults(CHECKS, {"a": "2", "b": None}, before)) == ["a"]
    assert new_faults(CHECKS, {"a": "0112038-9", "b": None}, before) == {}
