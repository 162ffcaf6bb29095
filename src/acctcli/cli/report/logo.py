"""The logo that a business has now, for papers that are drawn here (docs/law.md 7.6)."""

from __future__ import annotations

import re
from contextlib import closing
from io import BytesIO

from acctcli.cli.session.state import State
from acctcli.errors import Incomplete, ServerFault

# seconds for one small picture
_PATIENCE = 30.0
_START = re.compile(rb"\x89PNG|\xff\xd8\xff")


def logo_at(here: State, address: object) -> bytes | None:
    """Return the logo at an address that the service gave, fit for paper; None where the service does not have it.

    An address elsewhere is not asked: who looks at a report, or reminds a customer, would tell strangers so, and what
    stands on a paper would be theirs to choose.
    """
    if not isinstance(address, str) or not address.startswith(f"{here.http.base_url}/"):
        return None
    from acctcli.client.downloads import Budget, ContentKind, Fetcher
    from acctcli.printing.logos import LARGEST, LogoError, made_fit

    content = BytesIO()
    try:
        patience = here.options.timeout or _PATIENCE
        with closing(Fetcher(here.http, Budget(LARGEST), here.options.ca_file, patience, stays=True)) as fetcher:
            fetcher.fetch(address, content, ContentKind(_START))
        return made_fit(content.getvalue())
    except (ServerFault, Incomplete, LogoError) as fault:
        here.say(f"note: drawn without the logo of the business: {fault}")
        return None
