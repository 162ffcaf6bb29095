"""Fingerprints of closed periods: `/v1/business/{business_slug}/fingerprint/` (docs/interface.md 3.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acctcli.service.cases.periods import fingerprints as cases
from acctcli.service.routes.call import Call
from acctcli.service.routes.operation import ONE_BUSINESS, Area, keys
from acctcli.service.routes.query import Page
from acctcli.service.store.books import fingerprints

if TYPE_CHECKING:
    from acctcli.models.period import Fingerprint


def list_fingerprints(call: Call) -> Page[Fingerprint]:
    """List the fingerprints of closed periods, the latest first."""
    return call.listed(fingerprints.list_page, cases.show_fingerprints, narrowed=False, weigh=None)


AREA = Area(
    "fingerprint",
    f"{ONE_BUSINESS}fingerprint/",
    "fingerprint",
    read=keys("reporting", "read", "editor", "admin"),
    response="period:CheckedFingerprint",
    listed="period:Fingerprint",
)
AREA.page("", list_fingerprints, "List the fingerprints of closed periods.", local=True)
AREA.get(cases.check_fingerprint, summary="Take the fingerprint of a closed period again.", local=True)
