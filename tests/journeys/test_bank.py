"""Statements of a bank on their way into the books: each line once, whoever imports it, from whatever file.

A full run kills 200 imports.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.banking.statements import flat
from tests.banking.statements import generator as made
from tests.fault_proxy import QUICK, Fault, fault_proxy, seeded
from tests.journeys.cutting import cut_off
from tests.journeys.places import Place, fresh, served
from tests.sizes import is_full

KILLS = 200 if is_full() else 6
D = Decimal
YEAR = made.books(4, 8, 3)
IMPORT = ("bank", "import")
TO_BANK = ("--account", "1910", "--yes")
COFFEE = made.Move(date(2026, 3, 5), date(2026, 3, 5), -320, "", "Kahvila", "", "", "", "Card 1")
SALE = replace(COFFEE, cents=12_550, name="Asiakas Oy", text="Invoice 7", reference="S1")


def write(place: Place, name: str, found: Iterable[made.Book], form: str = "camt") -> str:
    path = place.folder / name
    path.write_bytes(made.camt(list(found)) if form == "camt" else flat.tito(list(found)))
    return str(path)


def documents(place: Place) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = place.json("document", "list", "--all", "--columns", "all")
    return found


def sums(place: Place) -> Counter[tuple[str, int]]:
    return Counter((one["date"], int(one["balance"] * 100)) for one in documents(place))


def truth(found: Iterable[made.Book]) -> Counter[tuple[str, int]]:
    return Counter((str(one.day), one.cents) for one in made.expected(list(found)))


def statuses(place: Place, *argv: str) -> Counter[str]:
    return Counter(row["status"] for row in place.json(*IMPORT, *argv))


def book(*moves: made.Move, number: int = 1, opening: int = 0) -> made.Book:
    return made.Book(made.FINNISH, number, date(2026, 3, 1), date(2026, 3, 31), opening, list(moves))


@pytest.mark.everywhere
def test_each_line_becomes_a_draft_on_the_bank_account_once(place: Place) -> None:
    path = write(place, "statement.xml", YEAR)
    rows = place.json(*IMPORT, path, *TO_BANK)
    assert [row["status"] for row in rows] == ["posted"] * len(made.expected(YEAR))
    assert sums(place) == truth(YEAR)
    found = {one["id"]: one for one in documents(place)}
    for row in rows:
        one = found[row["document"]]
        assert (one["is_draft"], one["number"], one["date"]) == (True, None, row["date"])
        assert one["description"].endswith(row["identity"])
    again = place.json(*IMPORT, path, *TO_BANK)
    assert again == [{**row, "status": "already there"} for row in rows]
    assert len(documents(place)) == len(rows)


def test_a_draft_has_the_bank_on_its_side_and_is_treated_as_any_other(place: Place) -> None:
    path = write(place, "statement.xml", [book(SALE, COFFEE)])
    first, second = place.json(*IMPORT, path, *TO_BANK)
    money_in, money_out = (place.json("document", "get", str(row["document"])) for row in (first, second))
    (bank,) = money_in["blueprint"]["debet_entries"]
    (open_row,) = money_in["blueprint"]["credit_entries"]
    assert (bank["amount"], bank["description"]) == (D("125.50"), f"{first['identity']} S1")
    assert (open_row["account_id"], open_row["description"]) == (None, "Asiakas Oy Invoice 7")
    assert [row["account_id"] for row in money_out["blueprint"]["debet_entries"]] == [None]
    treated = ("--credit", "3000:125.50", "--posted", "--description", "Sale")
    place.run("document", "update", str(first["document"]), *treated)
    assert statuses(place, path, *TO_BANK) == {"already there": 2}
    (account,) = [one for one in place.json("account", "balances") if one["number"] == "1910"]
    assert account["balance"] == D("125.50")


def test_with_another_account_lines_are_posted_with_its_own_vat(place: Place) -> None:
    path = write(place, "statement.xml", [book(SALE, COFFEE)])
    assert statuses(place, path, *TO_BANK, "--contra", "3000") == {"posted": 2}
    entries = place.json("document", "entries", str(documents(place)[-1]["id"]))
    assert {(one["account_number"], one["amount"]) for one in entries} >= {("1910", D("125.50")), ("3000", D("100.00"))}
    balances = {one["number"]: one["balance"] for one in place.json("account", "balances")}
    assert balances["1910"] == D("122.30")


def test_equal_payments_of_a_day_are_all_kept_and_an_overlap_is_taken_once(place: Place) -> None:
    first = write(place, "first.xml", [book(COFFEE, COFFEE)])
    both = write(place, "both.xml", [book(COFFEE, COFFEE, COFFEE, number=2)])
    assert statuses(place, first, *TO_BANK) == {"posted": 2}
    done = place.run(*IMPORT, both, first, *TO_BANK, "--json")
    assert "overlap: what both have is taken once" in done.err
    assert sums(place) == {("2026-03-05", -320): 3}


def test_the_tag_alone_tells_what_is_there(place: Place) -> None:
    """From another machine, and when no service knows a key any more."""
    path = write(place, "statement.xml", YEAR)
    place.run(*IMPORT, path, *TO_BANK)
    elsewhere = {"ACCTCLI_STATE_DIR": str(place.folder / "elsewhere")}
    done = place.run(*IMPORT, path, *TO_BANK, "--idempotency-key", "another", "--output", "csv", **elsewhere)
    assert "posted" not in done.out
    assert sums(place) == truth(YEAR)


def test_the_same_lines_in_another_format_are_there(place: Place) -> None:
    place.run(*IMPORT, write(place, "statement.xml", YEAR), *TO_BANK)
    assert set(statuses(place, write(place, "statement.to", YEAR, "tito"), *TO_BANK)) == {"already there"}


def test_what_may_be_there_in_another_form_is_left_out_until_somebody_looked(place: Place) -> None:
    reworded = replace(COFFEE, text="Purchase by card")
    first = write(place, "first.xml", [book(COFFEE, COFFEE, SALE)])
    other = write(place, "other.xml", [book(reworded, reworded, reworded, replace(SALE, reference="S2"))])
    assert statuses(place, first, *TO_BANK) == {"posted": 3}
    done = place.try_run(*IMPORT, other, *TO_BANK, "--json")
    # there is one more of the former, and the other has a reference of its own
    assert (done.code, Counter(row["status"] for row in json.loads(done.out))) == (10, {"left out": 2, "posted": 2})
    assert "2 lines are left out that may be there, told in another way" in done.err
    assert sums(place) == {("2026-03-05", -320): 3, ("2026-03-05", 12_550): 2}
    assert statuses(place, first, *TO_BANK) == {"already there": 3}
    assert statuses(place, other, *TO_BANK, "--again") == {"already there": 2, "posted": 2}
    assert statuses(place, other, *TO_BANK) == {"already there": 4}


def test_a_document_that_was_moved_keeps_no_line_of_its_new_day_out(place: Place) -> None:
    (row,) = place.json(*IMPORT, write(place, "first.xml", [book(COFFEE)]), *TO_BANK, "--contra", "4000")
    place.run("document", "update", str(row["document"]), "--date", "2026-03-07")
    reworded = replace(COFFEE, text="Purchase by card")
    later = replace(reworded, day=date(2026, 3, 7))
    done = place.try_run(*IMPORT, write(place, "other.xml", [book(reworded, later)]), *TO_BANK, "--json")
    assert (done.code, [row["status"] for row in json.loads(done.out)]) == (10, ["left out", "posted"])


def test_a_batch_and_its_parts_are_the_same_money(place: Place) -> None:
    batch = replace(SALE, cents=300, parts=(100, 200))
    whole = write(place, "whole.xml", [book(replace(batch, parts=()))])
    parts = write(place, "parts.xml", [book(batch)])
    assert statuses(place, whole, *TO_BANK) == {"posted": 1}
    assert statuses(place, parts, *TO_BANK) == {"already there": 2}
    place.run("document", "delete", *(str(one["id"]) for one in documents(place)), "--yes")
    assert statuses(place, parts, *TO_BANK) == {"posted": 2}
    assert statuses(place, whole, *TO_BANK) == {"already there": 1}


def test_a_batch_whose_first_part_moves_nothing_is_no_other_batch(place: Place) -> None:
    parts = [(100, 200), (0, 500, 700)]
    batches = [replace(SALE, cents=sum(some), parts=some, reference=f"S{sum(some)}") for some in parts]
    path = write(place, "batches.xml", [book(*batches)])
    assert statuses(place, path, *TO_BANK) == {"posted": 4, "left out": 1}
    assert sum(cents for _, cents in sums(place).elements()) == 1500
    assert statuses(place, path, *TO_BANK) == {"already there": 4, "left out": 1}
    whole = write(place, "whole.xml", [book(*(replace(one, parts=()) for one in batches))])
    assert statuses(place, whole, *TO_BANK) == {"already there": 2}


def test_parts_of_a_batch_without_a_reference_may_be_there_as_one_line(place: Place) -> None:
    batch = replace(SALE, cents=300, parts=(0, 100, 200), reference="")
    whole = write(place, "whole.xml", [book(replace(batch, parts=()), COFFEE)])
    assert statuses(place, whole, *TO_BANK) == {"posted": 2}
    done = place.try_run(*IMPORT, write(place, "parts.xml", [book(batch, COFFEE)]), *TO_BANK, "--json")
    assert (done.code, [row["status"] for row in json.loads(done.out)]) == (
        10,
        ["left out", "left out", "left out", "already there"],
    )
    assert sums(place)["2026-03-05", 300] == 1


def test_a_batch_without_a_reference_may_be_there_by_its_parts(place: Place) -> None:
    """A notification told the parts, as one entry or as several; the statement has their sum, and a line like one."""
    batch, part = replace(SALE, cents=350, parts=(50, 100, 200), reference=""), replace(SALE, cents=50, reference="")
    parts = [replace(part, cents=cents, text=f"{cents}") for cents in (900, 1100, 300, 400)]
    assert statuses(place, write(place, "parts.xml", [book(COFFEE, batch, *parts)]), *TO_BANK) == {"posted": 8}
    before = sums(place)
    whole = [replace(part, cents=350, text="in all"), replace(part, cents=2000, text="all"), replace(part, cents=1050)]
    # parts would have its reference, too
    whole.append(replace(part, cents=700, reference="S700"))
    done = place.try_run(*IMPORT, write(place, "whole.xml", [book(COFFEE, *whole)]), *TO_BANK, "--json")
    rows = json.loads(done.out)
    assert (done.code, [row["status"] for row in rows]) == (
        10,
        ["already there", "left out", "left out", "posted", "posted"],
    )
    assert "or several come to it" in rows[1]["reason"]
    day = rows[0]["date"]
    assert sums(place) - before == {(day, 1050): 1, (day, 700): 1}


def test_what_was_deleted_is_imported_anew(place: Place) -> None:
    path = write(place, "statement.xml", [book(SALE, COFFEE)])
    first, second = place.json(*IMPORT, path, *TO_BANK)
    place.run("document", "delete", str(first["document"]), "--yes")
    again = place.json(*IMPORT, path, *TO_BANK)
    assert [row["status"] for row in again] == ["posted", "already there"]
    assert again[0]["document"] not in {first["document"], second["document"]}
    # also where the body is another one under the same key
    place.run("document", "delete", str(again[0]["document"]), "--yes")
    assert statuses(place, path, *TO_BANK, "--contra", "3000") == {"posted": 1, "already there": 1}


def test_an_import_that_is_killed_again_and_again_posts_each_line_once(place: Place) -> None:
    path = write(place, "statement.xml", YEAR)
    dice = random.Random(20260301)
    command = (*IMPORT, path, *TO_BANK, "--json")
    requests = len(made.expected(YEAR)) + 8
    for _ in range(KILLS):
        if dice.random() < 0.7:
            cut_off(place, dice.randint(1, requests), *command, when=dice.choice(["before", "after"]))
        else:
            with subprocess.Popen(
                (sys.executable, "-m", "acctcli", *command),
                env=place.environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            ) as running:  # fmt: skip
                time.sleep(dice.uniform(0, 1.2))
                running.kill()
        assert sums(place) <= truth(YEAR)
        found = [str(one["id"]) for one in documents(place)]
        if found and dice.random() < 0.3:  # somebody takes a part of it away
            place.run("document", "delete", *found[: dice.randint(1, 3)], "--yes")
    place.run(*command)
    assert sums(place) == truth(YEAR)


def test_over_a_network_that_breaks_each_line_is_posted_once(tmp_path: Path) -> None:
    host = fresh("sqlite", tmp_path, ACCTCLI_BUSINESS="fire")
    host.run("business", "create", "--name", "Fire Oy", "--slug", "fire")
    faults = [fault for fault in QUICK if fault is not Fault.THROTTLED]
    with (
        served(host) as guest,
        fault_proxy(guest.environ["ACCTCLI_LOCAL_BASE_URL"], seeded(20260301, rate=0.3, faults=faults)) as proxy,
    ):
        guest.environ.update(ACCTCLI_LOCAL_BASE_URL=proxy.base_url, ACCTCLI_BUSINESS="fire")
        path = write(guest, "statement.xml", YEAR)
        for _ in range(40):
            done = guest.try_run(*IMPORT, path, *TO_BANK, "--json")
            assert done.code in {0, 3, 8, 9, 10}, done.err
            if done.code == 0:
                break
        met = Counter(request.fault for request in proxy.requests)
    assert done.code == 0
    assert met.total() - met[Fault.NONE] > 5
    assert sums(host) == truth(YEAR)


def test_two_who_import_at_once_post_each_line_once(place: Place) -> None:
    path = write(place, "statement.xml", YEAR)
    command = (sys.executable, "-m", "acctcli", *IMPORT, path, *TO_BANK, "--json")
    running = [
        subprocess.Popen(command, env=place.environ, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    ends = [(one.communicate(timeout=120)[1], one.returncode) for one in running]
    # whoever asks for a key that is at work is told so, and goes on the next time
    assert {code for _, code in ends} <= {0, 8}, ends
    place.run(*IMPORT, path, *TO_BANK)
    assert sums(place) == truth(YEAR)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of a process is told by Linux only")
@pytest.mark.parametrize("has_rules", [False, True])
def test_a_large_statement_takes_little_memory_and_the_second_time_is_quick(tmp_path: Path, has_rules: bool) -> None:
    place = fresh("sqlite", tmp_path, ACCTCLI_BUSINESS="large")
    place.run("business", "create", "--name", "Large Oy", "--form", "FI_OY", "--slug", "large")
    lines, limit = 100_000, 120
    path = tmp_path / "large.xml"
    with path.open("w", encoding="utf-8") as file:
        file.writelines(made.camt_pieces(made.books(5, lines, 1, batches=False)))
    if has_rules:
        words = ("Äänekosken", "Müller", "Kahvila", "Ole", "Betreiber", "Shop")
        rules = "".join(f'[[rules]]\ntext = "{word}"\naccount = "3900"\n' for word in words)
        (tmp_path / "bank-rules.toml").write_text(rules, encoding="utf-8")
    first, posted, peak = timed(place, path)
    second, there, peak_again = timed(place, path)
    assert (posted, there) == ({"posted": lines}, {"already there": lines})
    assert max(peak, peak_again) < limit
    assert second < first / 5


# what getrusage says of a new process is the peak of the one that started it, where that was larger
PEAK = """
import os, sys
from pathlib import Path
from acctcli.__main__ import main
leave = os._exit
def tell(code):
    print(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0], file=sys.stderr)
    leave(code)
os._exit = tell
main()
"""


def timed(place: Place, path: Path) -> tuple[float, Counter[str], int]:
    """Import a file in a process of its own; return seconds of computing, what came of lines, and MiB at the most."""
    before = os.times()
    done = subprocess.run(
        (sys.executable, "-c", PEAK, *IMPORT, str(path), *TO_BANK, "--output", "csv", "--columns", "status", "--quiet"),
        env=place.environ, cwd=path.parent, capture_output=True, text=True, timeout=3000, check=False,
    )  # fmt: skip
    after = os.times()
    assert done.returncode == 0, done.stderr
    taken = after.children_user + after.children_system - before.children_user - before.children_system
    return taken, Counter(done.stdout.split("\n")[1:-1]), int(done.stderr.split()[-1]) // 1024
