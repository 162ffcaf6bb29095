"""The parts of an invoice on pages."""

from __future__ import annotations

from itertools import pairwise

import pytest

from acctcli.models.enums import Language
from acctcli.service.papers.closing import Closing
from acctcli.service.papers.content import read_content
from acctcli.service.papers.head import TOP, Continuation, Foot, Head
from acctcli.service.papers.pages import Page, lay_out
from acctcli.service.papers.slip import Slip
from acctcli.service.papers.table import TableHead, TableRow
from tests.service.papers.invoices import BUSINESS, Json, invoice, row

EXEMPT = {**BUSINESS, "invoicing_vat_exemption_reason": "Exempt. " * 200}


def placed(sold: Json, business: Json = BUSINESS) -> list[Page]:
    content = read_content(sold, business, Language.EN)
    return lay_out(content, Foot(content))


def rows(count: int) -> list[Json]:
    return [row(f"Row {place}", "1", description="Small print" if place % 3 else None) for place in range(count)]


@pytest.mark.parametrize("count", [*range(1, 30), 100])
def test_parts_never_lie_on_each_other(count: int) -> None:
    sold = invoice(*rows(count), row("Exempt", "1", vat_code=3), description="word " * 300)
    foot = Foot(read_content(sold, EXEMPT, Language.EN))
    pages = placed(sold, EXEMPT)
    assert sum(isinstance(part.block, TableRow) for page in pages for part in page) == count + 1
    for page in pages:
        assert page[0].top == TOP
        for upper, lower in pairwise(page):
            assert upper.top + upper.block.height <= lower.top + 0.001
        assert page[-1].top + page[-1].block.height < foot.top


@pytest.mark.parametrize("count", range(1, 40))
def test_rows_have_a_head_and_totals_a_row(count: int) -> None:
    pages = placed(invoice(*rows(count)))
    kinds = [[type(part.block) for part in page] for page in pages]
    assert [page[0] for page in kinds] == [Head, *[Continuation] * (len(pages) - 1)]
    for page in kinds:
        assert page.count(TableHead) == (TableRow in page)
        if TableRow in page:
            assert page.index(TableHead) + 1 == page.index(TableRow)
    (last,) = [page for page in kinds if Closing in page]
    assert last[last.index(Closing) - 1] is TableRow
    assert kinds[-1][-1] is Slip


def test_the_only_row_stays_with_its_head() -> None:
    lengths = [placed(invoice(row("Only", "1"), description="word " * count)) for count in range(0, 900, 30)]
    assert {len(pages) for pages in lengths} == {1, 2}
    for pages in lengths:
        for page in pages:
            kinds = [type(part.block) for part in page]
            assert kinds.count(TableHead) == kinds.count(TableRow)
