"""A business whose workflows run, and who takes what they send."""

from __future__ import annotations

import pytest

from tests.service.actor import World
from tests.service.cases.workflows.flows import Receiver
from tests.service.routes.books import Books, open_books


@pytest.fixture
def books(service: World) -> Books:
    return open_books(service.user())


@pytest.fixture
def receiver() -> Receiver:
    return Receiver()
