"""What a handler is given and what it gives back.

A handler is a function of one `Call`, run inside the transaction of its request; it returns a `Page`, a
generator of JSON text too long to hold at once, or the bare payload (dict or list) for the status of its operation.
It raises `problems` and knows no HTTP beyond that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from acctcli.service.cases.work import Work
from acctcli.service.routes.parameters import Clauses, Parameter
from acctcli.service.routes.query import Page, PageRequest, QueryString

if TYPE_CHECKING:
    from acctcli.service.identity.credentials import Credential
    from acctcli.service.identity.keys import InstallationKey

# what the store lists rows with: how many there are, and those of one page
ListPage = Callable[..., tuple[int, Any]]
# shows the rows of a list
Show = Callable[["Call", Any], Sequence[Any]]


@dataclass(slots=True)
class Call(Work):
    """One request, authenticated and authorised, inside its transaction: a unit of work with what HTTP brings.

    `ids` holds the integers of the path, `parameters` what `query` may hold; `body` is the validated model, whose
    `model_fields_set` says what was sent, or None; `credential` is what the caller was let in by, `installation` what
    secrets are kept with.
    """

    ids: Mapping[str, int]
    query: QueryString
    body: Any
    parameters: Sequence[Parameter]
    credential: Credential
    installation: InstallationKey

    @property
    def page(self) -> PageRequest:
        """The page asked for."""
        return self.query.page()

    @property
    def clauses(self) -> Clauses:
        """The clauses that the parameters of the operation narrow its list by."""
        return dict(chain.from_iterable(parameter.clauses(self).items() for parameter in self.parameters))

    def listed(self, list_page: ListPage, show: Show, *, narrowed: bool) -> Page[Any]:
        """List the page asked for of the business's records, as they are shown."""
        page, clauses = self.page, (self.clauses,) if narrowed else ()
        total, rows = list_page(self.conn, self.business.id, *clauses, limit=page.size, offset=page.offset)
        return Page(total, show(self, rows))
