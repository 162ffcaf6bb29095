"""Lines that are payments, brought into the books while another user pays the same claims: nothing is paid twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from acctcli.cli.bank import importing, reviewing
from acctcli.cli.purchase import vat_debt
from acctcli.client.http import Http
from tests.banking.statements import generator as made
from tests.journeys.places import Done, Place
from tests.journeys.test_bank import documents
from tests.journeys.test_bank_matching import (
    MAY,
    MOVE,
    TO_BANK,
    bill,
    is_paid,
    reference,
    rules,
    statement,
    tags_of,
    tax_of_march,
)
from tests.journeys.test_invoices import accepted, receivable, seller
from tests.journeys.test_settlement import WORK, balance, before_posting, stands

D = Decimal


def before_request(monkeypatch: pytest.MonkeyPatch, number: int, done: Callable[[], object]) -> Callable[[], bool]:
    """Let another do something before one of the next requests; return what tells whether it came to that."""
    exchange, left, is_between = Http._exchange, number, False

    def counting(self: Http, *said: Any) -> Any:
        nonlocal left, is_between
        if not is_between:
            left -= 1
            if not left:
                is_between = True
                done()
                is_between = False
        return exchange(self, *said)

    monkeypatch.setattr(Http, "_exchange", counting)
    return lambda: left <= 0


def claim(place: Place, which: str, number: int) -> tuple[str, str]:
    """A new invoice or bill, and the statement of the line that pays it."""
    said, day = f"M{which[0]}{number}", date(2026, 3, number)
    if which == "invoice":
        found = accepted(place, WORK)
        move = replace(MOVE, reference=said, day=day, viite=reference(place, found))
    else:
        found = bill(place, f"{80 + number}.00", said)
        move = replace(MOVE, reference=said, day=day, cents=-8_000 - 100 * number, name="Paperi Oy", text=said)
    return found, statement(place, move, name=f"{said}.xml")


def is_settled(place: Place, which: str, claimed: str) -> bool:
    if which == "invoice":
        return stands(place, claimed)[0][0] == "PAID"
    return is_paid(place, claimed) == [True]


def owed(place: Place, which: str) -> Decimal:
    return receivable(place) if which == "invoice" else balance(place, "2871")


@pytest.mark.parametrize("later", [0, 92])
@pytest.mark.parametrize("which", ["invoice", "purchase"])
def test_who_pays_between_two_requests_of_an_import_pays_once(
    place: Place, monkeypatch: pytest.MonkeyPatch, which: str, later: int
) -> None:
    """Whichever was first: the line is left, and what the other has posted stands for it where it has its day."""
    seller(place)
    said = set[bool]()
    for number in range(1, 32):
        day = str(date(2026, 3, number) + timedelta(later))
        claimed, path = claim(place, which, number)
        theirs = list[Done]()
        pay = partial(place.try_run, which, "pay", claimed, "--date", day, "--account", "1910")
        with monkeypatch.context() as patched:
            came = before_request(patched, number, partial(_note, theirs, pay))
            ours = place.try_run("bank", "import", path, *TO_BANK, "--no-keep")
        assert {one.code for one in theirs} <= {0, 2, 8, 10}, (number, theirs)
        assert ours.code in {0, 10}, (number, ours.err)
        # who is told of nothing has paid it alone
        is_told = ours.code == 10
        said.add(is_told)
        if is_told:
            assert "somebody else paid at the same moment" in ours.err, ours.err
        assert owed(place, which) == D("0.00"), (number, ours.err, theirs)
        assert is_settled(place, which, claimed)
        place.run("bank", "match", path, *TO_BANK)
        # each line is there once: as what it was matched with, or as a draft beside a payment of another day
        assert sum(len(tags_of(one)) for one in documents(place)) == number, (number, ours.err)
        assert owed(place, which) == D("0.00")
        if not came():
            break
    assert (number < 31, said) == (True, {True, False})
    drafts = [one for one in documents(place) if one["is_draft"]]
    assert bool(drafts) == bool(later)


def test_who_pays_while_the_rest_is_posted_against_an_account_pays_once(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is matched no more was posted against the account, beside the payment."""
    seller(place)
    claimed, path = claim(place, "invoice", 1)
    pay = ("invoice", "pay", claimed, "--date", "2026-03-01", "--account", "1910")
    before_posting(monkeypatch, lambda: place.run(*pay), importing, "read_known")
    done = place.try_run("bank", "import", path, *TO_BANK, "--contra", "2960")
    assert (done.code, "is matched no more" in done.err) == (10, True), done.err
    assert [balance(place, number) for number in ("1910", "2960")] == [D("125.50"), D("0.00")]
    place.run("bank", "match", path, *TO_BANK)
    (paid,) = [one for one in documents(place) if tags_of(one)]
    assert (paid["description"].partition(" bank-")[0], paid["is_draft"]) == ("Payment: Invoice 1", False)


def test_who_pays_while_a_draft_is_matched_pays_once(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    seller(place)
    said = set[bool]()
    for number in range(1, 32):
        claimed, path = claim(place, "invoice", number)
        (row,) = place.json("bank", "import", path, *TO_BANK, "--no-keep", "--no-match")
        theirs = list[Done]()
        pay = partial(place.try_run, "invoice", "pay", claimed, "--date", row["date"], "--account", "1910")
        with monkeypatch.context() as patched:
            came = before_request(patched, number, partial(_note, theirs, pay))
            ours = place.try_run("bank", "match", path, *TO_BANK)
        said.add("somebody else paid at the same moment" in ours.err)
        assert owed(place, "invoice") == D("0.00"), (number, ours.err, theirs)
        place.run("bank", "match", path, *TO_BANK)
        assert sum(len(tags_of(one)) for one in documents(place)) == number, (number, ours.err)
        assert not any(one["is_draft"] for one in documents(place)), (number, ours.err)
        if not came():
            break
    assert (number < 31, said) == (True, {True, False})


def test_what_somebody_chose_of_a_bill_that_is_paid_meanwhile_waits(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The choice was to pay what was open, not to pay it twice."""
    seller(place)
    paper, path = claim(place, "purchase", 1)
    (row,) = place.json("bank", "import", path, *TO_BANK, "--no-match")
    plan = place.write("plan.json", [{**row, "choice": {"settle": [f"purchase {paper}"]}}])
    pay = ("purchase", "pay", paper, "--date", row["date"], "--account", "1910")
    before_posting(monkeypatch, lambda: place.run(*pay), reviewing, "read_plan")
    done = place.try_run("bank", "review", "--apply", plan, "--yes")
    told = f"document {row['document']} of line {row['identity']} is matched no more"
    assert (done.code, told in done.err) == (10, True), done.err
    assert owed(place, "purchase") == D("0.00")
    assert is_paid(place, paper) == [True]


def test_a_bill_that_goes_into_a_file_for_the_bank_while_its_line_is_brought_in_is_named(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file would pay it once more."""
    seller(place)
    place.run("account", "update", "1910", "--set", f"description={made.FINNISH}")
    paper, path = claim(place, "purchase", 1)
    place.run("purchase", "update", paper, "--iban", made.OTHERS[1])
    hand = ("purchase", "pay-file", "out.xml", paper, "--yes")
    before_posting(monkeypatch, lambda: place.run(*hand), importing, "read_known")
    done = place.try_run("bank", "import", path, *TO_BANK)
    assert (done.code, f"purchase invoice {paper} by a file" in done.err) == (10, True), done.err
    assert f" {paper}\n" in done.err[done.err.index("acctcli purchase withdraw pay-") :]
    assert owed(place, "purchase") == D("0.00")


def test_tax_that_somebody_else_pays_while_its_line_is_brought_in_is_named(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both are there, as no relation tells which document the tax was paid by."""
    seller(place)
    tax_of_march(place)
    (debt,) = (str(one["id"]) for one in place.json("purchase", "list"))
    move = replace(MOVE, cents=-2_550, viite="1232", name="Verohallinto", day=MAY)
    book = rules(place, 'tax_reference = "1232"\n')
    pay = ("purchase", "pay", debt, "--date", str(MAY), "--account", "1910")
    before_posting(monkeypatch, lambda: place.run(*pay), vat_debt, "_rounding")
    done = place.try_run("bank", "import", statement(place, move), *TO_BANK, "--rules", book)
    assert (done.code, f"purchase {debt} beside line bank-" in done.err) == (10, True), done.err
    assert "were posted for it at the same moment, and both are there" in done.err
    assert balance(place, "1910") == D("125.50") - 2 * D("25.50")


def _note(noted: list[Done], run: Callable[[], Done]) -> None:
    noted.append(run())
