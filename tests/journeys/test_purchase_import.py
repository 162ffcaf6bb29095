"""E-invoices on their way into the books: to the cent what `invoice xml` wrote, and once, whatever ends the command."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from acctcli.cli.purchase import importing
from acctcli.einvoice.finvoice import finvoice
from acctcli.einvoice.ubl import xrechnung
from tests.einvoice.samples import FINNISH_BUYER, FINNISH_SELLER, Wire, cents, invoice, row
from tests.journeys.cutting import cut_off
from tests.journeys.places import Place
from tests.journeys.test_bank import documents
from tests.journeys.test_settlement import before_posting
from tests.sizes import is_full

D = Decimal
BUYER = {**FINNISH_BUYER, "xrechnung_buyer_reference": "PO-1"}
WRITERS: dict[str, Callable[[Wire, Wire], bytes]] = {"Finvoice": finvoice, "XRechnung": xrechnung}
ROWS = st.lists(
    st.builds(
        lambda price, number, rate: row(f"{price}", f"{number}", rate),
        st.decimals(min_value=-2000, max_value=2000, places=4),
        st.decimals(min_value=-50, max_value=50, places=4),
        st.sampled_from(["25.5", "13.5", "10", "0"]),
    ),
    min_size=1,
    max_size=12,
)
NUMBERS: Iterator[int] = count(1000)


def saved(place: Place, name: str, content: bytes) -> str:
    path = place.folder / name
    path.write_bytes(content)
    return str(path)


def sums_of(wire: Wire) -> tuple[dict[Decimal, tuple[Decimal, Decimal]], Decimal]:
    """Return base and VAT of each rate, and what is to be paid, worked out from the rows that were sold."""
    nets: dict[Decimal, Decimal] = defaultdict(D)
    for one in wire["rows"]:
        nets[one["vat_rate"]] += cents(one["amount"] * one["product_count"])
    return {rate: (net, cents(net * rate / 100)) for rate, net in nets.items() if net}, wire["total_amount"]


def booked(place: Place, document: int) -> tuple[dict[Decimal, tuple[Decimal, Decimal]], Decimal, Decimal]:
    """Return base and VAT of each rate that a document posts, the debt, and what it adds by rounding."""
    found: dict[Decimal, list[Decimal]] = defaultdict(lambda: [D(0), D(0)])
    debt = rounding = D(0)
    for one in place.json("document", "entries", str(document)):
        amount = D(one["amount"]) if one["is_debet"] else -D(one["amount"])
        if one["account_number"] == "2871":
            debt -= amount
        elif one["description"] == "Rounding":
            rounding += amount
        else:
            found[D(one["vat_rate"])][one["account_number"] == "1763"] += amount
    return {rate: (base, vat) for rate, (base, vat) in found.items()}, debt, rounding


@pytest.mark.parametrize("form", WRITERS)
def test_what_invoice_xml_wrote_is_in_the_books_to_the_cent(place: Place, form: str) -> None:
    @settings(max_examples=60 if is_full() else 6, suppress_health_check=list(HealthCheck))
    @given(rows=ROWS)
    @example(rows=[row("0.00"), row("0.07", "1", "13.5")])
    def brought(rows: list[Wire]) -> None:
        wire = invoice(rows, BUYER, invoice_number=next(NUMBERS))
        groups, payable = sums_of(wire)
        path = saved(place, "bill.xml", WRITERS[form](wire, FINNISH_SELLER))
        if not groups:
            assert "it comes to nothing" in place.try_run("purchase", "import", path, "--account", "4000", "--yes").err
            return
        (done,) = place.json("purchase", "import", path, "--account", "4000", "--yes")
        purchase = place.json("purchase", "get", str(done["purchase"]))
        found, debt, rounding = booked(place, done["document"])
        assert (D(purchase["amount"]), debt) == (payable, payable)
        assert found == groups
        assert rounding == payable - sum(base + vat for base, vat in groups.values())

    brought()


def bills(place: Place, number: int) -> list[str]:
    """Two invoices of one sender, in two formats."""
    return [
        saved(
            place,
            f"{form}-{number}.xml",
            writer(invoice([row("100.00"), row("0.33")], BUYER, invoice_number=number + add), FINNISH_SELLER),
        )
        for add, (form, writer) in enumerate(WRITERS.items())
    ]


def assert_each_is_there_once(place: Place, first: int, number: int = 2) -> None:
    purchases = place.json("purchase", "list", "--all", "--columns", "all")
    assert sorted(one["invoice_number"] for one in purchases) == [str(first + one) for one in range(number)]
    posted = documents(place)
    assert sorted(one["document"]["id"] for one in purchases) == sorted(one["id"] for one in posted)
    files = place.json("file", "list", "--all")
    assert sorted(one["original_attachment"]["id"] for one in purchases) == sorted(one["id"] for one in files)
    assert [one["attachment_ids"] for one in posted] == [
        [one["original_attachment"]["id"]]
        for found in posted
        for one in purchases
        if one["document"]["id"] == found["id"]
    ]


@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_at_any_request_each_invoice_is_there_once(place: Place, when: str) -> None:
    """Runs are killed one after the other, each a request later, and each goes on with the books of the last one."""
    files = bills(place, 1) if is_full() else bills(place, 1)[:1]
    command = ("purchase", "import", *files, "--account", "4000", "--yes", "--json")
    ended: list[int] = []
    for cut in range(1, 60):
        ended.append(cut_off(place, cut, *command, when=when))
        if not ended[-1]:
            break
    assert ended[-1] == 0
    assert len(ended) > 8
    assert_each_is_there_once(place, 1, len(files))
    rows: list[dict[str, Any]] = place.json(*command[:-1])
    assert {one["status"] for one in rows} == {"already there"}


def test_killed_anew_in_fresh_books_it_is_completed(place: Place) -> None:
    """One kill each, behind every write: what it left is what the next run goes on with, and no more."""
    for start, cut in enumerate(range(5, 22, 1 if is_full() else 6)):
        number = 100 * (start + 1)
        command = ("purchase", "import", bills(place, number)[0], "--account", "4000", "--yes", "--json")
        cut_off(place, cut, *command)
        place.json(*command[:-1])
        found = [one for one in place.json("purchase", "list", "--all") if one["invoice_number"] == str(number)]
        assert len(found) == 1
    purchases = place.json("purchase", "list", "--all", "--columns", "all")
    assert len({one["document"]["id"] for one in purchases}) == len(purchases) == len(documents(place))
    assert len(place.json("file", "list", "--all")) == len(purchases)


def test_several_who_import_at_once_enter_each_once(place: Place) -> None:
    """Whoever meets another one's request may have to run again; nothing is there twice."""
    command = ("purchase", "import", *bills(place, 1), "--account", "4000", "--yes", "--json")
    ends = place.at_once(command, command, command)
    assert {one.code for one in ends} <= {0, 7, 8}, ends
    place.json(*command[:-1])
    assert_each_is_there_once(place, 1)


@pytest.mark.parametrize("looked", ["find_uploaded", "body_of"])
def test_of_two_users_who_import_a_file_the_first_enters_it(
    place: Place, monkeypatch: pytest.MonkeyPatch, looked: str
) -> None:
    """Keys are of one user: that of another is as good as another key."""
    command = ("purchase", "import", bills(place, 1)[0], "--account", "4000", "--yes")
    before_posting(monkeypatch, lambda: place.run(*command, "--idempotency-key", "theirs"), importing, looked)
    (row,) = place.json(*command)
    assert_each_is_there_once(place, 1, 1)
    assert (row["status"], row["document"]) == ("already there", place.json("document", "list")[0]["id"])
