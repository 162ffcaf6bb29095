"""The logo that a business has now, for papers that are drawn here (docs/law.md 7.6)."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from io import BytesIO

from acctcli.cli.session.state import State
from acctcli.errors import Incomplete, ServerFault

# seconds for one small picture
_PATIENCE = 30.0
_WITHOUT = "note: drawn without the logo of the business"
_START = re.compile(rb"\x89PNG|\xff\xd8\xff")


def logo_at(here: State, address: object, say: Callable[[str], None] | None = None) -> bytes | None:
    """Return the logo at an address that the service gave, fit for paper; None without one, and where it is left out.

    An address elsewhere is not asked: who looks at a report, or reminds a customer, would tell strangers so, and what
    stands on a paper would be theirs to choose. What is left out is said, by `say` where that is about many papers.
    """
    if not isinstance(address, str) or not address:
        return None
    say = say or here.say
    if not address.startswith(f"{here.http.base_url}/"):
        say(f"{_WITHOUT}: its address is not the service's own")
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
        say(f"{_WITHOUT}: {fault}")
        return None
