"""The official rules."""

from __future__ import annotations

import pytest

from tests.einvoice.fetch import FOLDER, is_there
from tests.einvoice.rulebooks import Rulebook
from tests.programs import give_up


@pytest.fixture(scope="session")
def rulebook() -> Rulebook:
    """Validators of UBL, EN 16931, XRechnung and Finvoice; without the rules the test is skipped, in CI it fails."""
    if not is_there():
        give_up("the rules of e-invoices are not here: `python -m tests.einvoice.fetch` gets them")
    return Rulebook(FOLDER)
