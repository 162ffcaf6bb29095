"""Whatever is sold, paid, credited, written off and set off on whatever days: what is open is what the books say.

On every day the account of receivables, as the ledger has it, is the sum of what is open of invoices as `aging` shows
it, for each customer it is what their documents posted, and what is open of each invoice is what its status says.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from acctcli.law.days import today_in
from acctcli.service.routes.table import TABLE
from tests.cli.recorder import Answer, Sent, recorder
from tests.journeys.places import Done, Place, fresh, served
from tests.journeys.test_invoices import ADDRESS, receivable, seller
from tests.sizes import is_full

D = Decimal
FIRST, LAST = date(2026, 3, 1), date(2026, 3, 20)
DAYS = [(FIRST + timedelta(days=number)).isoformat() for number in range(-1, (LAST - FIRST).days + 2)]
CUSTOMERS = ("C-12", "C-13")
SEEDS, STEPS = (range(1, 11), 120) if is_full() else ([2], 40)
# done, refused before anything is sent, refused by the service
ENDS = {0, 2, 8}
PUBLIC = [(one.method, re.compile(re.sub(r"{\w+}", "[^/]+", one.path))) for one in TABLE if not one.local]


class Till:
    """Somebody who does to invoices whatever the commands do, on days in any order; no two customers are mixed."""

    def __init__(self, place: Place, seed: int) -> None:
        self.place, self.dice = place, Random(seed)
        seller(place)
        place.run("contact", "create", "--name", "Abel Oy", "--customer-id", "C-13", *ADDRESS)
        self.ids: dict[str, list[str]] = {customer: [] for customer in CUSTOMERS}
        self.steps: list[Callable[[], object]] = [
            self.sell, self.credit, self.credit, self.pay, self.pay, self.pay_part, self.pay_part, self.pay_many,
            self.pay_many, self.set_off, self.write_off, self.lose, self.take_back, self.move, self.say, self.say,
            self.give_back, self.reverse,
        ]  # fmt: skip
        for customer in (*CUSTOMERS, *CUSTOMERS):
            self.sell(customer)

    def step(self) -> None:
        self.dice.choice(self.steps)()

    def day(self) -> str:
        return (FIRST + timedelta(days=self.dice.randrange((LAST - FIRST).days))).isoformat()

    def amount(self) -> str:
        return f"{self.dice.randrange(1, 900)}.{self.dice.randrange(100):02}"

    def some(self, count: int) -> list[str]:
        """Return the ids of invoices of one customer."""
        ids = self.ids[self.dice.choice(CUSTOMERS)]
        return self.dice.sample(ids, min(count, len(ids)))

    def run(self, *argv: str) -> Done:
        done = self.place.try_run(*argv)
        assert done.code in ENDS, f"{argv}: {done.code} {done.err}"
        return done

    def sell(self, customer: str | None = None) -> None:
        whom, dice = customer or self.dice.choice(CUSTOMERS), self.dice
        rows = [
            f"name=Work {place},unit=h,count={dice.randrange(1, 9)},amount={dice.randrange(1, 99)}.49,vat={rate}"
            for place, rate in enumerate(dice.sample(("25.5", "25.5", "13.5", "10"), dice.randrange(1, 4)))
        ]
        words = [word for row in rows for word in ("--row", row)]
        self.accept(whom, "invoice", "create", "--to", whom, "--date", self.day(), "--days", "14", *words)

    def credit(self) -> None:
        customer = self.dice.choice(CUSTOMERS)
        part = self.dice.choice(((), ("--part", f"1:{self.dice.randrange(1, 4)}"), ("--part", "1:0.5")))
        self.accept(
            customer, "invoice", "credit-note", self.dice.choice(self.ids[customer]), "--date", self.day(), *part
        )

    def accept(self, customer: str, *argv: str) -> None:
        """Accept what a command drafts, where it does."""
        if (done := self.run(*argv, "--jq", ".id", "--json")).code == 0:
            number = done.out.strip()
            if self.run("invoice", "accept", number).code == 0:
                self.ids[customer].append(number)
            else:
                self.place.run("invoice", "delete", number, "--yes")

    def settle(self, few: list[str], *options: str) -> None:
        """Pay invoices, or give back what they have too much."""
        day = self.day()
        if self.run("invoice", "pay", *few, *options, "--date", day).code:
            self.run("invoice", "refund", *few, *options, "--date", day)

    def pay(self) -> None:
        self.settle(self.some(1))

    def pay_part(self) -> None:
        self.settle(self.some(1), "--amount", self.amount())

    def pay_many(self) -> None:
        every = self.place.json("invoice", "list", "--all", "--status", "accepted")
        owed = {str(one["id"]) for one in every if one["total_amount"] > 0}
        if few := [one for one in self.some(6) if one in owed]:
            self.settle(few, "--amount", self.amount())

    def set_off(self) -> None:
        one, two = self.some(2)
        if self.run("invoice", "set-off", one, two).code:
            self.run("invoice", "set-off", two, one)

    def say(self) -> None:
        self.run("invoice", self.dice.choice(("paid", "credit-loss", "unpaid")), *self.some(1))

    def lose(self) -> None:
        """Give an invoice up, whole or what is left of it, and credit it all the same."""
        customer = self.dice.choice(CUSTOMERS)
        one = self.dice.choice(self.ids[customer])
        self.run("invoice", "credit-loss", one)
        self.accept(customer, "invoice", "credit-note", one, "--date", self.day())

    def write_off(self) -> None:
        """Post a loss on any day, as bookkeepers do it by hand."""
        (one,) = self.some(1)
        invoice = self.place.json("invoice", "get", one)
        rows = ("--debit", f"8600:{self.amount()}@3", "--credit", "1700", "--contact", str(invoice["receiver"]))
        document = self.place.json("document", "create", "--date", self.day(), *rows)["id"]
        claim = str(invoice["document"]["id"])
        self.run("document", "relation", "create", str(document), "--related", claim, "--role", "settlement")

    def payments(self) -> list[dict[str, Any]]:
        """Return the documents that settle something, but for those that the actions of invoices write."""
        every = self.place.json("document", "list", "--all", "--columns", "all")
        return [one for one in every if not one["description"] or one["description"].startswith(("Payment", "Refund"))]

    def take_back(self) -> None:
        # what was given back of a payment, or took it back, would lead to no claim any more
        claims = {
            self.place.json("invoice", "get", one)["document"]["id"] for some in self.ids.values() for one in some
        }
        every = self.payments()
        if found := [one for one in every if {pair["related_document"] for pair in one["relations"]} <= claims]:
            one = self.dice.choice(found)
            number = str(one["id"])
            for relation in one["relations"]:
                self.place.run("document", "relation", "delete", number, str(relation["id"]), "--yes")
            self.place.run("document", "delete", number, "--yes")

    def give_back(self) -> None:
        """Post what was given back of a payment, related to that and to no invoice."""
        if found := [one for one in self.payments() if one["contact_id"]]:
            one = self.dice.choice(found)
            rows = ("--credit", "1910", "--debit", f"1700:{self.amount()}@3", "--contact", str(one["contact_id"]))
            document = self.place.json("document", "create", "--date", self.day(), *rows)["id"]
            pair = ("--related", str(one["id"]), "--role", "settlement")
            self.run("document", "relation", "create", str(document), *pair)

    def reverse(self) -> None:
        if found := self.payments():
            self.run("document", "reverse", str(self.dice.choice(found)["id"]), "--date", self.day())

    def move(self) -> None:
        if found := self.payments():
            self.run("document", "update", str(self.dice.choice(found)["id"]), "--date", self.day())


def check(place: Place, ids: dict[str, list[str]]) -> set[str]:
    """See that all ways to what is open agree, and return the statuses that there are."""
    documents = place.json("document", "list", "--all", "--columns", "all")
    invoices = {one: place.json("invoice", "get", one) for some in ids.values() for one in some}
    receivers = {invoices[some[0]]["receiver"] for some in ids.values()}
    for day in (*DAYS, f"{today_in('FI', datetime.now(UTC))}"):
        aging = place.json("invoice", "aging", "--date", day)
        assert aging["totals"]["total"] == by_the_ledger(place, day), day
        shown = dict.fromkeys(receivers, D("0.00")) | {one["receiver"]: one["total"] for one in aging["customers"]}
        assert shown == {one: posted(documents, one, day) for one in receivers}, day
    assert aging["totals"]["total"] == receivable(place)
    opens = {number: open_of(place, number) for number in invoices}
    assert sum(opens.values()) == receivable(place)
    for number, invoice in invoices.items():
        assert (invoice["status"] == "ACCEPTED") == (opens[number] != 0), (number, invoice, opens[number])
        assert (invoice["status"] == "PAID") == (invoice["payment_date"] is not None)
        if not invoice["is_credit_note_for"]:
            left, cents = vat_left(documents, invoice, invoices)
            assert left >= -cents, (number, left)
    return {one["status"] for one in invoices.values()}


def vat_left(
    documents: list[dict[str, Any]], invoice: dict[str, Any], invoices: dict[str, dict[str, Any]]
) -> tuple[Decimal, Decimal]:
    """Return the VAT of an invoice that nothing gave back, and what rounding in parts may come to: a cent each."""
    by_id = {one["id"]: one for one in documents}
    claims = {one["document"]["id"] for one in invoices.values()}
    claim = by_id[invoice["document"]["id"]]
    notes = [by_id[invoices[str(one)]["document"]["id"]] for one in invoice["credit_notes"] if str(one) in invoices]
    near = [by_id[one["related_document"]] for one in claim["relations"] if one["related_document"] not in claims]
    rows = [row for one in (claim, *notes, *near) for row in one["entry_ui_rows"] if row["account_number"] == "2939"]
    charged = sum(((-row["amount"] if row["is_debet"] else row["amount"]) for row in rows), D("0.00"))
    return charged, D("0.01") * (len(notes) + len(near))


def by_the_ledger(place: Place, day: str) -> Decimal:
    report: dict[str, Any] = place.json("report", "ledger", "--from", "2026-01-01", "--to", day)
    found = [one for one in report["accounts"] if one["number"] == "1700"]
    return sum((one["totals"]["balance_csum"] for one in found), D("0.00"))


def posted(documents: list[dict[str, Any]], receiver: int, day: str) -> Decimal:
    """Return what the documents of a customer posted to receivables until a day."""
    rows = [
        (row["is_debet"], row["amount"])
        for one in documents
        if one["date"] <= day and one["contact_id"] == receiver
        for row in one["entry_ui_rows"]
        if row["account_number"] == "1700"
    ]
    return sum((amount if is_debit else -amount for is_debit, amount in rows), D("0.00"))


def open_of(place: Place, number: str) -> Decimal:
    """Return what a payment of all that is open would be, or a refund with a minus."""
    for command, sign, side in (("pay", 1, "credit_entries"), ("refund", -1, "debet_entries")):
        plan = place.try_run("invoice", command, number, "--dry-run", "--jq", f".body.blueprint.{side}[0].amount")
        if plan.code == 0:
            return D(plan.out.strip()) * sign
    return D(0)


@pytest.mark.parametrize("seed", SEEDS)
def test_receivables_are_what_is_open_on_every_day(place: Place, seed: int) -> None:
    till = Till(place, seed)
    for _ in range(STEPS):
        till.step()
    assert check(place, till.ids) >= {"ACCEPTED", "PAID"}


def test_what_settles_invoices_is_sent_as_operations_of_the_interface(place: Place, tmp_path: Path) -> None:
    """The same commands against a service that is not the local one: what arrives are operations that it has too."""
    is_served = "ACCTCLI_LOCAL_BASE_URL" in place.environ
    with (
        nullcontext(place) if is_served else served(place) as guest,
        httpx.Client(base_url=guest.environ["ACCTCLI_LOCAL_BASE_URL"]) as service,
    ):

        def forward(sent: Sent) -> Answer:
            headers = {name: text for name, text in sent.headers.items() if name not in {"host", "connection"}}
            reply = service.request(sent.method, sent.path, headers=headers, content=sent.body)
            kept = {name: text for name, text in reply.headers.items() if name in KEPT}
            return Answer(reply.status_code, reply.content, kept)

        with recorder(forward) as server:
            names = {
                "ENV": "testing",
                "TESTING_BASE_URL": server.base_url,
                "TOKEN": guest.environ["ACCTCLI_LOCAL_TOKEN"],
            }
            there = fresh("elsewhere", tmp_path / "there", **{f"ACCTCLI_{name}": text for name, text in names.items()})
            there.environ["ACCTCLI_BUSINESS"] = place.environ["ACCTCLI_BUSINESS"]
            till = Till(there, 7)
            for _ in range(STEPS):
                till.step()
            check(there, till.ids)
    sent = {(one.method, one.path.partition("?")[0]) for one in server.sent}
    assert {method for method, _ in sent} >= {"GET", "POST", "PATCH", "DELETE"}
    assert [
        one for one in sent if not any(one[0] == method and path.fullmatch(one[1]) for method, path in PUBLIC)
    ] == []


KEPT = {"content-type", "etag", "idempotent-replayed", "x-request-id", "retry-after"}
