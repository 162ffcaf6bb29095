"""The logo: `/v1/business/{business_slug}/logo/` (docs/interface.md 3.7)."""

from __future__ import annotations

from acctcli.service.cases import logos
from acctcli.service.routes.operation import ADMIN, ONE_BUSINESS, Area

AREA = Area("business", f"{ONE_BUSINESS}logo/", "logo", one="", write=ADMIN, response="business:Business")
AREA.replace(
    logos.set_logo,
    summary="Set the logo of a business.",
    request="file:LogoRequest",
    uploads=True,
    remakes=logos.fit_for_paper,
    local=True,
)
AREA.delete(logos.remove_logo, summary="Remove the logo of a business.", local=True)
