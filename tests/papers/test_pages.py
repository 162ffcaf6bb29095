"""The parts of an invoice on pages."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, cast

import pytest
from reportlab.lib.units import mm

from acctcli.models.enums import Language
from acctcli.papers.closing import Closing
from acctcli.papers.content import read_content
from acctcli.papers.head import TOP, Continuation, Foot, Head
from acctcli.papers.pages import Page, lay_out
from acctcli.papers.pen import BODY, BOLD, HEIGHT
from acctcli.papers.prose import TextLine, running_text
from acctcli.papers.slip import Slip
from acctcli.papers.table import Carried, Columns, TableHead, TableRow
from tests.papers.invoices import BUSINESS, RECEIVER, Json, invoice, row

if TYPE_CHECKING:
    from acctcli.papers.pen import Pen, Style

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
    assert_apart(pages, foot)


class Written(list[tuple[float, str]]):
    """A pen that notes what it writes, and how far down."""

    def write(self, x: float, y: float, text: str, font: object = None) -> None:
        self.append((y, text))

    write_to = write

    def rule(self, *edges: object) -> None:
        """Draw nothing."""

    frame = fill = rule

    def element(self, kind: str, **said: str) -> AbstractContextManager[None]:
        return nullcontext()


def test_a_page_that_goes_on_says_of_what_and_whose_it_is() -> None:
    content = read_content(invoice(), BUSINESS, Language.EN)
    told = Written()
    Continuation(content).draw(cast("Pen", told), TOP)
    assert [text for _, text in told] == [content.seller[0], f"{content.title} {content.number}"]


def test_the_foot_is_written_below_its_edge() -> None:
    foot = Foot(content := read_content(invoice(), BUSINESS, Language.EN))
    told = Written()
    foot.draw(cast("Pen", told), 1, 2)
    assert {text for column in content.foot for text in column} <= {text for _, text in told}
    assert all(foot.top < y < HEIGHT for y, _ in told)


def test_a_fact_of_several_lines_pushes_the_next_one_down() -> None:
    content = read_content(invoice(seller_reference="W" * 32, buyer_reference="PO-99"), BUSINESS, Language.EN)
    head, told = Head(content), Written()
    head.draw(cast("Pen", told), TOP)
    label, *lines = [y for y, text in told if text == "Our reference" or set(text) == {"W"}]
    (below,) = [y for y, text in told if text == "PO-99"]
    assert len(lines) > 1
    assert [*lines, below] == pytest.approx([label + place * BODY.step for place in range(len(lines) + 1)])
    assert below < TOP + head.height


def test_the_buyer_stands_where_the_window_of_an_envelope_is() -> None:
    content = read_content(invoice(), BUSINESS, Language.EN)
    told = Written()
    Head(content).draw(cast("Pen", told), TOP)
    (name,) = [y for y, text in told if text == content.buyer[0]]
    assert name == pytest.approx(50 * mm, abs=1)


@pytest.mark.parametrize("title", ["Invoice", "Second payment reminder"])
def test_the_seller_stands_beside_the_title(title: str) -> None:
    business = {**BUSINESS, "name": "Metsälahden Saunarakennus ja Puutavara Oy", "invoicing_street": "W" * 64}
    content = replace(read_content(invoice(), business, Language.EN), title=title)
    starts, ends = list[float](), list[float]()

    class Placing(Written):
        def write(self, x: float, y: float, text: str, font: object = BODY) -> None:
            if y < TOP + 50:
                ends.append(x + cast("Style", font).measure(text))

        def write_to(self, x: float, y: float, text: str, font: object = BODY) -> None:
            starts.append(x - cast("Style", font).measure(text))

    Head(content).draw(cast("Pen", Placing()), TOP)
    assert len(starts) == 1
    assert max(ends) < starts[0] - 12


def test_a_name_leaves_no_word_alone_on_its_last_line() -> None:
    name = "Metsälahden Saunarakennus ja Puutavara Oy"
    room = BOLD.measure("Metsälahden Saunarakennus ja Puutavara") + 1
    assert BOLD.fold(name, room)[1:] == ["Oy"]
    assert BOLD.balance(name, room) == ["Metsälahden Saunarakennus", "ja Puutavara Oy"]
    assert BOLD.balance(name, 500) == [name]
    long = "Bürgermeisterinnenwahlkampfkostenerstattungsstelle"
    assert BOLD.balance(f"{long} Berlin", BOLD.measure(long) + 9) == [long, "Berlin"]
    assert BOLD.balance(long, 99) == BOLD.fold(long, 99)
    assert [BOLD.balance(text, 30) for text in ("", "W")] == [[""], ["W"]]


def test_figures_without_room_are_written_smaller() -> None:
    assert BOLD.fit("1.00", 100) == BOLD
    small = BOLD.fit("123456789.00", 20)
    assert small.measure("123456789.00") == pytest.approx(20)
    assert small == BOLD._replace(size=small.size)


def test_the_slip_holds_its_facts_where_it_has_no_codes() -> None:
    content = read_content(invoice(), {**BUSINESS, "invoicing_iban": None}, Language.EN)
    assert content.payment is not None
    slip, told = Slip(content.payment, content.language), Written()
    slip.draw(cast("Pen", told), TOP)
    assert [text for _, text in told if text in {"Reference", "Due date", "Amount", "€374.07"}] == [
        "Reference",
        "Due date",
        "Amount",
        "€374.07",
    ]
    assert all(TOP < y < TOP + slip.height for y, _ in told)


def test_what_would_be_too_small_on_the_slip_is_broken_into_lines() -> None:
    content = read_content(invoice(), {**BUSINESS, "invoicing_iban": None}, Language.EN)
    assert content.payment is not None
    numbers = "Invoices " + ", ".join(map(str, range(100_000, 100_016)))
    slip = Slip(content.payment._replace(sum=[("Message", numbers), *content.payment.sum]), content.language)
    told = Written()
    slip.draw(cast("Pen", told), TOP)
    texts = [text for _, text in told]
    lines = texts[texts.index("Message") + 1 : texts.index("Reference")]
    assert (len(lines) > 2, " ".join(lines)) == (True, numbers)
    assert all(TOP < y < TOP + slip.height for y, _ in told)


def test_figures_have_room_in_every_row() -> None:
    content = read_content(invoice(row("Small", "1"), row("Large", "9876543.2109", "1234.5678")), BUSINESS, Language.EN)
    columns = Columns(content)
    for line in content.rows:
        assert [
            columns.style.measure(cell) <= width for cell, width in zip(line.cells, columns.widths, strict=True)
        ] == [True] * len(line.cells)


def test_running_text_has_a_space_under_its_last_line() -> None:
    first, last = running_text(["Thank you!", "Come again."], BODY)
    assert (first.height, last.text) == (BODY.step, "Come again.")
    assert last.height > BODY.step


def assert_apart(pages: list[Page], foot: Foot) -> None:
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
            assert page.index(TableHead) + 1 + (Carried in page[: page.index(TableRow)]) == page.index(TableRow)
    (last,) = [page for page in kinds if Closing in page]
    assert last[last.index(Closing) - 1] is TableRow
    assert kinds[-1][-1] is Slip
    # and the slip what it asks to be paid for
    assert last is kinds[-1]


@pytest.mark.parametrize("count", [*range(14, 24), 60, 100])
def test_sums_are_carried_from_page_to_page(count: int) -> None:
    """Two ways: the sum at the foot of a page is that at the head of the next, and of all rows until then."""
    pages = placed(invoice(*rows(count)))
    carried = [[part.block for part in page if isinstance(part.block, Carried)] for page in pages]
    foot = [one for page in carried for one in page if not one.is_over]
    head = [one for page in carried for one in page if one.is_over]
    until = [sum(isinstance(part.block, TableRow) for page in pages[:turn] for part in page) for turn in range(1, 9)]
    assert [one.row.carried for one in foot] == [one.row.carried for one in head] == until[: len(pages) - 1]
    assert [type(page[-1].block) for page in pages[:-1]] == [Carried] * (len(pages) - 1)


def test_a_slip_takes_along_what_stood_above_it() -> None:
    """However far down the page it is: notes too long for one page leave their last line to it."""
    for count in range(40, 200, 3):
        business = {**BUSINESS, "invoicing_vat_exemption_reason": "Exempt by law for reasons.\n" * count}
        sold = invoice(row("Exempt", "1", vat_code=3))
        pages = placed(sold, business)
        assert len(pages[-1]) > 2
        assert isinstance(pages[-1][-1].block, Slip)
        assert_apart(pages, Foot(read_content(sold, business, Language.EN)))


def test_decimal_marks_stand_under_each_other() -> None:
    sold = invoice(row("One", "1234.5", "10"), row("Two", "0.3333", "2.25"), row("Three", "-7", "100"))
    content = read_content(sold, BUSINESS, Language.FI)
    columns, marks = Columns(content), dict[int, set[float]]()

    class Placing(Written):
        def write(self, x: float, y: float, text: str, font: object = None) -> None:
            marks.setdefault(place, set()).add(round(x + columns.style.measure(text.partition(",")[0]), 3))

    for place in (0, 2, 3, 4, 5, 6):
        for line in content.rows:
            columns.write(cast("Pen", Placing()), place, TOP, line.cells[place])
    assert {place: len(edges) for place, edges in marks.items()} == dict.fromkeys((0, 2, 3, 4, 5, 6), 1)


@pytest.mark.parametrize("count", [1, 3, 20, 25, 40, 100])
def test_rates_that_no_page_holds_go_on_the_next(count: int) -> None:
    taxed = [row(f"Row {place}", "1", rate=f"{place}.5") for place in range(count)]
    pages = placed(sold := invoice(*taxed, row("Free", "1", vat_code=6)))
    parts = [part.block for page in pages for part in page if isinstance(part.block, Closing)]
    assert [share.rate for part in parts for share in part.shares] == [
        *(f"{place}.5%" for place in reversed(range(count))),
        "0%",
    ]
    assert [part.has_sums for part in parts] == [False] * (len(parts) - 1) + [True]
    assert (len(parts) == 1) == (count <= 20)
    assert_apart(pages, Foot(read_content(sold, BUSINESS, Language.EN)))


@pytest.mark.parametrize("size", [2, 4, 6, 9])
@pytest.mark.parametrize("count", [*range(1, 50, 3), 90])
def test_rows_stay_with_the_one_that_leads_them(size: int, count: int) -> None:
    """On one page, with the sums where they are the last, unless they are too many for that."""
    plain = read_content(invoice(*rows(count)), BUSINESS, Language.EN)
    led = [line._replace(leads=place % size == 0) for place, line in enumerate(plain.rows)]
    content = replace(plain, rows=led, shares=[], remarks=["Please pay.", "Thank you!"])
    pages = lay_out(content, foot := Foot(content))
    assert_apart(pages, foot)
    found = [[part.block.row for part in page if isinstance(part.block, TableRow)] for page in pages]
    assert [line for page in found for line in page] == led
    if size <= 6:
        assert all(page[0].leads for page in found if page)
    assert [type(part.block) for part in pages[-1]][-4:] == [Closing, TextLine, TextLine, Slip]
    assert found[-1]


LONG = {
    "name": "W" * 256,
    "invoicing_email": "W" * 254,
    **dict.fromkeys(("invoicing_street", "invoicing_contact"), "W" * 64),
    "invoicing_city": "W" * 32,
    "invoicing_postal_code": "W" * 8,
    "contact_phone": "0" * 32,
}


def test_the_longest_texts_of_all_lie_beside_each_other() -> None:
    receiver = {**RECEIVER, **LONG, "invoicing_country": "DE"}
    texts = {"contact_person": "W" * 64, **dict.fromkeys(("seller_reference", "buyer_reference"), "W" * 32)}
    sold = invoice(row("W" * 64, "1", unit="W" * 8, description="W" * 128), receiver_info=receiver, **texts)
    business = {**BUSINESS, **LONG}
    assert_apart(placed(sold, business), Foot(read_content(sold, business, Language.EN)))


def test_parts_write_nothing_beyond_their_height() -> None:
    texts = {"contact_person": "W" * 64, **dict.fromkeys(("seller_reference", "buyer_reference"), "W" * 32)}
    longest = row("W" * 64, "1", unit="W" * 8, description="W" * 128)
    sold = invoice(longest, row("Exempt", "1", vat_code=3), receiver_info={**RECEIVER, **LONG}, **texts)
    # without an account there are no codes to draw
    for page in placed(sold, {**EXEMPT, **LONG, "invoicing_iban": None}):
        for block, top in page:
            told = Written()
            block.draw(cast("Pen", told), top)
            assert [text for y, text in told if not top < y < top + block.height] == []


def test_the_only_row_stays_with_its_head() -> None:
    lengths = [placed(invoice(row("Only", "1"), description="word " * count)) for count in range(0, 900, 30)]
    assert {len(pages) for pages in lengths} == {1, 2}
    for pages in lengths:
        for page in pages:
            kinds = [type(part.block) for part in page]
            assert kinds.count(TableHead) == kinds.count(TableRow)
