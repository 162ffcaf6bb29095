"""What a handler is given and what it gives back.

A handler is a function of one `Call`, run inside the transaction of its request; it returns a `Page`, a
generator of JSON text too long to hold at once, or the bare payload (dict or list) for the status of its operation.
It raises `problems` and knows no HTTP beyond that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

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
# says of each row of a list how heavy it is to show, in rows of blueprints and invoices
Weigh = Callable[["Call", Any], Sequence[int]]
R = TypeVar("R")

PORTION = 10_000


@dataclass(slots=True)
class Call(Work):
    """One request, authenticated and authorised, inside its transaction: a unit of work with what HTTP brings.

    `ids` holds the integers of the path, `parameters` what `query` may hold; `body` is the validated model, whose
    `model_fields_set` says what was sent, or None; `credential` is what the caller was let in by, `installation` what
    secrets are kept with, `seen` the header If-Match: which state of a record the caller knows.
    """

    ids: Mapping[str, int]
    query: QueryString
    body: Any
    parameters: Sequence[Parameter]
    credential: Credential
    installation: InstallationKey
    seen: str | None

    @property
    def page(self) -> PageRequest:
        """The page asked for."""
        return self.query.page()

    @property
    def clauses(self) -> Clauses:
        """The clauses that the parameters of the operation narrow its list by."""
        return dict(chain.from_iterable(parameter.clauses(self).items() for parameter in self.parameters))

    def listed(self, list_page: ListPage, show: Show, *, narrowed: bool, weigh: Weigh | None) -> Page[Any]:
        """List the page asked for of the business's records, as they are shown.

        What is heavier than a portion is shown portion by portion.
        """
        page, clauses = self.page, (self.clauses,) if narrowed else ()
        total, rows = list_page(self.conn, self.business.id, *clauses, limit=page.size, offset=page.offset)
        weights = weigh(self, rows) if weigh else ()
        if sum(weights) <= PORTION:
            return Page(total, show(self, rows))
        self.take_turn()
        return Page(total, chain.from_iterable(show(self, part) for part in portions(rows, weights)))


def portions(rows: Sequence[R], weights: Sequence[int]) -> Iterator[list[R]]:
    """Cut rows into parts that are no heavier than a portion, but for single ones that are."""
    part: list[R] = []
    left = PORTION
    for row, weight in zip(rows, weights, strict=True):
        if part and weight > left:
            yield part
            part, left = [], PORTION
        part.append(row)
        left -= weight
    yield part
