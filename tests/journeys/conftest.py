"""One fixture, four places, each of two databases over each of two wires.

Every journey is made in the first, their core in each, and what is marked `everywhere` in the first and the last, which
have nothing in common.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journeys.places import Place, fresh, kept_open, served
from tests.sizes import is_full, runs_everywhere

KINDS = ["sqlite", "sqlite-socket", "postgresql", "postgresql-socket"]
_numbers = itertools.count(1)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Choose the places of a journey: rules are the same on every database, commands over every wire."""
    if "house" in metafunc.fixturenames:
        metafunc.parametrize("house", places(metafunc.definition), indirect=True, scope="session")


def places(test: pytest.Item) -> list[str]:
    """Return where a journey is made."""
    if is_full() or test.get_closest_marker("core"):
        return KINDS
    return [KINDS[0], KINDS[-1]] if runs_everywhere(test, usually=False) else KINDS[:1]


@pytest.fixture(scope="session")
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A database, and for the socket kinds a server on it; shared by all journeys."""
    folder = tmp_path_factory.mktemp(request.param)
    variables = {}
    if request.param.startswith("postgresql"):
        variables["ACCTCLI_DATABASE_URL"] = request.getfixturevalue("postgres").bare()
    place = fresh(request.param, folder, **variables)
    if request.param.endswith("socket"):
        with served(place) as guest:
            yield guest
    elif is_full():
        yield place
    else:
        with kept_open(place):
            yield place


# what the law wants an invoice to say of its seller
SELLER = (
    "business_id=0112038-9",
    "invoicing_street=Satama 1",
    "invoicing_postal_code=00100",
    "invoicing_city=Helsinki",
    "invoicing_vat_exemption_reason=Exempt, AVL 44 and 58 §",
)


@pytest.fixture
def place(house: Place, tmp_path: Path) -> Place:
    """A business of one's own in the house."""
    return found_business(house, tmp_path)


def found_business(house: Place, folder: Path) -> Place:
    """Create a business in a house, for somebody whose files are in a folder."""
    slug = f"journey-{next(_numbers)}"
    own = Place(house.name, folder, {**house.environ, "ACCTCLI_BUSINESS": slug})
    given = [word for setting in SELLER for word in ("--set", setting)]
    own.run("business", "create", "--name", "Journey Oy", "--form", "FI_OY", "--slug", slug, *given)
    return own
