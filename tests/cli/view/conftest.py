"""One company for all tests of pages, which only read it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cli.view.looking import Pages, company, looking
from tests.journeys.places import Place


@pytest.fixture(scope="session")
def books(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return company(tmp_path_factory.mktemp("view") / "books")


@pytest.fixture(scope="session")
def pages(books: Place) -> Iterator[Pages]:
    with looking(books) as pages:
        yield pages
