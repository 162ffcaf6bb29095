"""The parts of a paper stacked on pages."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from acctcli.papers.closing import Closing, closings
from acctcli.papers.content import PaperContent
from acctcli.papers.head import TOP, Continuation, Foot, Head
from acctcli.papers.pen import BODY, SMALL, Block
from acctcli.papers.prose import TextLine, running_text
from acctcli.papers.slip import Slip
from acctcli.papers.table import Carried, Columns, TableHead, TableRow

if TYPE_CHECKING:
    from acctcli.printing.logos import Logo

_ABOVE_FOOT = 14.0
# a page has room for so many rows, whatever else stands on it
_MOST_TOGETHER = 6


class Placed(NamedTuple):
    """A part and where it begins."""

    block: Block
    top: float


Page = list[Placed]


class _Stack:
    """Puts parts under each other, and a new page under the last where there is no room."""

    def __init__(self, content: PaperContent, bottom: float, logo: Logo | None) -> None:
        self._content = content
        self._bottom = bottom
        self.pages: list[Page] = [[]]
        self._next = TOP
        self._put(Head(content, logo))

    def add(self, block: Block, *, needs: float = 0.0) -> None:
        """Add a part where it, or more that belongs to it, has room."""
        if not self._has_room(max(block.height, needs)):
            self._turn()
        self._put(block)

    def add_rows(self, rows: list[TableRow], head: TableHead, *, are_last: bool) -> None:
        """Add rows that belong together; where they go on a new page, head and sum of those before stand above them."""
        if not self._has_room(_height(rows) + (0.0 if are_last else Carried.height)):
            before = self.pages[-1][-1].block
            self._turn(head, before if isinstance(before, TableRow) else None)
        for row in rows:
            self._put(row)

    def add_with_last(self, block: Block, head: TableHead, last: list[TableRow], needs: float) -> None:
        """Add a part that takes the `last` of the rows along when it, or all that it `needs`, goes on a new page."""
        if not self._has_room(max(block.height, needs)):
            taken = [row for _ in last if (row := self._taken(TableRow))]
            before = self.pages[-1][-1].block
            if taken and isinstance(before, TableRow):
                self._turn(head, before)
                for row in reversed(taken):
                    self._put(row)
            else:
                self._turn()
        self._put(block)

    def add_at_foot(self, block: Block) -> None:
        """Add a part at the lower edge of the last page, on which it is never alone."""
        if not self._has_room(block.height):
            last = self._taken(TextLine, Closing)
            self._turn()
            if last is not None:
                self._put(last)
        self.pages[-1].append(Placed(block, self._bottom - block.height))

    def room_of_page(self, *blocks: Block) -> float:
        """Return the room of a page that goes on, less that of parts."""
        return self._bottom - TOP - Continuation.height - sum(block.height for block in blocks)

    def _taken(self, *kinds: type[Block]) -> Block | None:
        """Take the last part off a page, where it is of a kind and follows another one of these or a row."""
        page = self.pages[-1]
        stays = len(page) > 1 and isinstance(page[-1].block, kinds) and isinstance(page[-2].block, (TableRow, *kinds))
        if not stays:
            return None
        block, self._next = page.pop()
        return block

    def _has_room(self, height: float) -> bool:
        return self._next + height <= self._bottom

    def _turn(self, head: TableHead | None = None, last: TableRow | None = None) -> None:
        """Begin a page; `last` is the row down to which the sum is carried over to it."""
        if head and last:
            self._put(Carried(last.row, last.columns, is_over=False))
        self.pages.append([])
        self._next = TOP
        self._put(Continuation(self._content))
        if head:
            self._put(replace(head, is_repeated=True))
            if last:
                self._put(Carried(last.row, last.columns, is_over=True))

    def _put(self, block: Block) -> None:
        self.pages[-1].append(Placed(block, self._next))
        self._next += block.height


def lay_out(content: PaperContent, foot: Foot, logo: Logo | None = None) -> list[Page]:
    """Return the pages of a paper; the logo stands on the first, the payment slip at the foot of the last."""
    bottom = foot.top - _ABOVE_FOOT
    stack = _Stack(content, bottom, logo)
    for line in running_text(content.description, BODY):
        stack.add(line)
    columns = Columns(content)
    head, rows = TableHead(columns), [TableRow(row, columns) for row in content.rows]
    groups = _groups(rows)
    stack.add(head, needs=head.height + Carried.height + sum(map(_height, groups[:1])))
    for place, group in enumerate(groups, 1):
        stack.add_rows(group, head, are_last=place == len(groups))
    _close(stack, content, head, groups[-1] if groups else [])
    return stack.pages


def _height(rows: list[TableRow]) -> float:
    return sum(row.height for row in rows)


def _groups(rows: list[TableRow]) -> list[list[TableRow]]:
    """Return rows with those that they lead, as long as these are not too many to stay together."""
    groups: list[list[TableRow]] = []
    for row in rows:
        is_led = groups and groups[-1][0].row.leads and not row.row.leads
        if is_led and len(groups[-1]) < _MOST_TOGETHER:
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def _close(stack: _Stack, content: PaperContent, head: TableHead, last: list[TableRow]) -> None:
    """Add what comes after the rows: on one page, with the last row, where one holds it all."""
    # half a page: the last row, however long it is, has room above it
    first, *others = closings(content, (stack.room_of_page() + Continuation.height) / 2)
    notes = [*running_text(content.remarks, BODY), *running_text(content.notes, SMALL)]
    slips = [Slip(content.payment, content.language)] if content.payment else []
    parts: list[Block] = [first, *others, *notes, *slips]
    needs = sum(part.height for part in parts)
    over = stack.room_of_page(head, *last) - Carried.height
    stack.add_with_last(first, head, last, needs if needs <= over else 0.0)
    for part in parts[1 : len(parts) - len(slips)]:
        stack.add(part)
    for slip in slips:
        stack.add_at_foot(slip)
