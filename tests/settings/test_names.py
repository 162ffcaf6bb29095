import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.errors import UsageError
from acctcli.settings.names import (
    check_business_slug,
    check_environment_name,
    environment_of_variable,
    variable,
)

NAMES = st.from_regex(r"[a-z][a-z0-9]{0,9}(-[a-z0-9]{1,9}){0,2}", fullmatch=True)


@given(NAMES, NAMES)
def test_names_and_their_variables_are_one_to_one(first: str, second: str) -> None:
    assert check_environment_name(first, "--env") == first
    assert environment_of_variable(variable(first, "BASE_URL")) == first
    assert (variable(first, "TOKEN") == variable(second, "TOKEN")) == (first == second)


def test_a_hyphen_becomes_an_underscore() -> None:
    assert variable("my-env", "TOKEN") == "ACCTCLI_MY_ENV_TOKEN"


@pytest.mark.parametrize("name", ["ACCTCLI_BASE_URL", "ACCTCLI__BASE_URL", "ACCTCLI_A__B_BASE_URL", "PATH"])
def test_other_variables_name_no_environment(name: str) -> None:
    assert environment_of_variable(name) is None


def test_an_environment_name_may_have_forty_letters() -> None:
    assert check_environment_name("a" * 40, "--env") == "a" * 40


@pytest.mark.parametrize(
    "name", ["", "Testing", "my_env", "a--b", "a-", "-a", "1a", "a b", "a\n", "../x", "é", "a" * 41]
)
def test_unsafe_environment_names_are_refused_by_source(name: str) -> None:
    with pytest.raises(UsageError, match=r"^ACCTCLI_ENV: ") as caught:
        check_environment_name(name, "ACCTCLI_ENV")
    assert list(caught.value.fields) == ["environment"]


@pytest.mark.parametrize("slug", ["", "a/b", "a b", "..", "a\n", "é", "a%2fb", "\u0661"])
def test_unsafe_slugs_are_refused_by_source(slug: str) -> None:
    with pytest.raises(UsageError, match=r"^--business: ") as caught:
        check_business_slug(slug, "--business")
    assert list(caught.value.fields) == ["business"]


def test_a_slug_may_hold_letters_digits_hyphen_and_underscore() -> None:
    assert check_business_slug("Acme_2-oy", "--business") == "Acme_2-oy"
