"""The parts of an invoice stacked on pages."""

from __future__ import annotations

from typing import NamedTuple

from acctcli.service.papers.closing import closings
from acctcli.service.papers.content import PaperContent
from acctcli.service.papers.head import TOP, Continuation, Foot, Head
from acctcli.service.papers.pen import BODY, SMALL, Block
from acctcli.service.papers.prose import running_text
from acctcli.service.papers.slip import Slip
from acctcli.service.papers.table import Columns, TableHead, TableRow

_ABOVE_FOOT = 14.0


class Placed(NamedTuple):
    """A part and where it begins."""

    block: Block
    top: float


Page = list[Placed]


class _Stack:
    """Puts parts under each other, and a new page under the last where there is no room."""

    def __init__(self, content: PaperContent, bottom: float) -> None:
        self._content = content
        self._bottom = bottom
        self.pages: list[Page] = [[]]
        self._next = TOP
        self._put(Head(content))

    def add(self, block: Block, *, under: Block | None = None, needs: float = 0.0) -> None:
        """Add a part where it, or more that belongs to it, has room; on a new page it stands under `under`."""
        if not self._has_room(max(block.height, needs)):
            self._turn(under)
        self._put(block)

    def add_with_last(self, block: Block, head: TableHead) -> None:
        """Add a part that takes the last of several rows along when it goes on a new page."""
        page = self.pages[-1]
        if not self._has_room(block.height):
            takes = all(isinstance(placed.block, TableRow) for placed in page[-2:])
            last = page.pop().block if takes else None
            self._turn(head if last else None)
            if last:
                self._put(last)
        self._put(block)

    def add_at_foot(self, block: Block) -> None:
        """Add a part at the lower edge of the last page."""
        if not self._has_room(block.height):
            self._turn(None)
        self.pages[-1].append(Placed(block, self._bottom - block.height))

    def _has_room(self, height: float) -> bool:
        return self._next + height <= self._bottom

    def _turn(self, head: Block | None) -> None:
        self.pages.append([])
        self._next = TOP
        self._put(Continuation(self._content))
        if head:
            self._put(head)

    def _put(self, block: Block) -> None:
        self.pages[-1].append(Placed(block, self._next))
        self._next += block.height


def lay_out(content: PaperContent, foot: Foot) -> list[Page]:
    """Return the pages of an invoice; the payment slip stands at the foot of the last."""
    bottom = foot.top - _ABOVE_FOOT
    stack = _Stack(content, bottom)
    for line in running_text(content.description, BODY):
        stack.add(line)
    columns = Columns(content)
    head, rows = TableHead(columns), [TableRow(row, columns) for row in content.rows]
    stack.add(head, needs=head.height + sum(row.height for row in rows[:1]))
    for row in rows:
        stack.add(row, under=head)
    # half a page: the last row, however long it is, has room above it
    first, *others = closings(content, (bottom - TOP) / 2)
    stack.add_with_last(first, head)
    for part in others:
        stack.add(part)
    for line in running_text(content.notes, SMALL):
        stack.add(line)
    if content.payment:
        stack.add_at_foot(Slip(content.payment, content.language))
    return stack.pages
