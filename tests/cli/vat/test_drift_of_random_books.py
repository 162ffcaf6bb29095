"""Whatever is done in a month that was filed and opened again: `vat drift` names why its VAT return is another."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.journeys.places import Place, fresh
from tests.sizes import is_full

MONTHS = {1: 31, 2: 28, 3: 31}
OPENED = ((3,), (2, 3), (1, 2, 3))
POSTED = (
    "--debit 1700 --credit 3000:{amount}@1/{rate}",
    "--debit 1700 --credit 3000:{amount}@1/{rate}",
    "--debit 1700 --credit 3000:-{amount}@1/{rate}",
    "--debit 1910 --credit 3000:{amount}@1/{rate}",
    "--debit 1910 --credit 3000:{amount}",
    "--debit 1910 --credit 1700:{amount}",
    "--debit 1910 --credit 1700:{amount}",
    "--credit 1910 --debit 1700:{amount}",
    "--credit 2871 --debit 4000:{amount}@2/{rate}",
    "--credit 1910 --debit 2871:{amount}",
)
WHAT = ("post", "post", "post", "post", "relate", "relate", "relate", "unrelate", "contact", "day", "text", "delete")


class Bookkeeper:
    """Posts, relates and changes at random what may be; the service refuses what lies in closed months."""

    def __init__(self, place: Place, random: Random) -> None:
        self.place = place
        self.random = random
        self.documents: list[int] = []
        self.relations: list[tuple[int, int]] = []

    def work(self, months: Sequence[int]) -> None:
        """Do one thing, in some of the months if it is new."""
        what = self.random.choice(WHAT)
        if what == "post" or not self.documents:
            self._post(months)
        elif what == "relate":
            self.relate()
        elif what == "unrelate":
            for document, relation in self.random.sample(self.relations, min(1, len(self.relations))):
                self._try("relation", "delete", str(document), str(relation), "--yes")
        elif what == "delete":
            self._try("delete", self._one(), "--yes")
        else:
            value = {"contact": self.random.choice("12"), "day": self._day(months), "text": "Other words"}[what]
            option = {"contact": "--contact", "day": "--date", "text": "--description"}[what]
            self._try("update", self._one(), option, value)

    def relate(self) -> None:
        """Relate two documents, if there are two that may be."""
        if len(self.documents) < 2:
            return
        first, second = self.random.sample(self.documents, 2)
        role = self.random.choice(("settlement", "settlement", "accrual"))
        made = self._try("relation", "create", str(first), "--related", str(second), "--role", role, "--json")
        if made is not None:
            self.relations.append((first, made["id"]))

    def returned(self, month: int) -> Any:
        """Return what the VAT report of a month shows, but for money that no claim takes."""
        found = self.place.json("report", "vat", "--period", f"2026-{month:02}")
        return {name: value for name, value in found.items() if not name.endswith("_money")}

    def _post(self, months: Sequence[int]) -> None:
        amount = Decimal(self.random.choice((1000, 10_000, 11_350, self.random.randint(1, 20_000)))).scaleb(-2)
        rate = self.random.choice(("25.5", "13.5", "10"))
        entries = self.random.choice(POSTED).format(amount=amount, rate=rate).split()
        contact = self.random.choice(((), ("--contact", "1"), ("--contact", "1"), ("--contact", "2")))
        made = self._try("create", "--date", self._day(months), *entries, *contact, "--json")
        if made is not None:
            self.documents.append(made["id"])

    def _one(self) -> str:
        return str(self.random.choice(self.documents))

    def _day(self, months: Sequence[int]) -> str:
        month = self.random.choice(months)
        return f"2026-{month:02}-{self.random.randint(1, MONTHS[month]):02}"

    def _try(self, *argv: str) -> Any:
        """Run a command on documents; return its JSON, None where it is refused."""
        done = self.place.try_run("document", *argv)
        assert done.code in {0, 6, 7, 8}, f"{argv}: {done.err}"
        return json.loads(done.out) if done.code == 0 and "--json" in argv else None


@pytest.mark.parametrize("method", ["FI_CASH_BASIS", "DEFAULT"])
@pytest.mark.parametrize("seed", range(30 if is_full() else 3))
def test_a_return_that_would_be_another_has_a_drift(tmp_path: Path, seed: int, method: str) -> None:
    random = Random(seed)
    place = fresh("filed", tmp_path)
    for line in (
        "business create --name Paid --form FI_OY --slug paid --business-id 0112038-9",
        "business use paid",
        f"business update paid --set vat_reporting_method={method}",
        "contact create --name One",
        "contact create --name Two",
        "vat period delete 1 --yes",
        *(f"vat period create --start 2026-{month:02}-01 --period month" for month in MONTHS),
    ):
        place.run(*line.split())
    keeper = Bookkeeper(place, random)
    for _ in range(10):
        keeper.work((1, *MONTHS))
    keeper.relate()
    for month in MONTHS:
        place.run("vat", "period", "report", str(month + 1), "--yes")
    filed = {month: keeper.returned(month) for month in MONTHS}
    assert place.json("vat", "drift") == []
    opened = random.choice(OPENED)
    for month in reversed(opened):
        place.run("vat", "period", "reopen", str(month + 1), "--reason", "late", "--yes")
    for _ in range(random.randint(1, 4)):
        keeper.work(opened)
    named = {month: place.json("vat", "drift", f"2026-{month:02}") for month in MONTHS}
    other = {month for month in MONTHS if keeper.returned(month) != filed[month]}
    assert other <= {month for month in MONTHS if named[month]}
    # before the first month that was opened nothing can be
    assert not any(named[month] for month in MONTHS if month < opened[0])
