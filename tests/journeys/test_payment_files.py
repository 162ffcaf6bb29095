"""Purchase invoices on their way to the bank: each in one file only, whoever writes it, and whatever is cut off."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from acctcli.banking.payments import VERSIONS
from acctcli.banking.payments.identity import payment_ids
from acctcli.banking.payments.pain001 import credit_transfers
from acctcli.cli.purchase import handing
from acctcli.law.days import today_in
from tests.banking.payments.test_pain001 import read, texts
from tests.journeys.cutting import cut_off
from tests.journeys.places import Place
from tests.journeys.test_bank import documents
from tests.journeys.test_bank_matching import held, tax_of_march

D = Decimal
OWN, OTHER, GERMAN = "FI2112345600000785", "FI4950009420028730", "DE89370400440532013000"


def today() -> date:
    return today_in("FI", datetime.now(UTC))


def in_days(number: int) -> str:
    return str(today() + timedelta(days=number))


def with_account(place: Place) -> Place:
    place.run("account", "update", "1910", "--set", f"description={OWN}")
    return place


def enter(place: Place, amount: str, number: str, due: str | None, *more: str) -> str:
    due_day = ("--due", due) if due else ()
    made = place.json(
        "purchase", "create", "--date", "2026-03-02", "--amount", amount, "--source", "UPLOAD", "--number", number,
        "--sender", "Paperi Oy", *due_day, *more,
    )  # fmt: skip
    return str(made["id"])


def bill(place: Place, amount: str, number: str, due: str | None, *more: str, iban: str = OTHER) -> str:
    """A purchase invoice that is in the books, with an account to pay to."""
    found = enter(place, amount, number, due, "--iban", iban, *more)
    place.run("purchase", "post", found, "--account", "4000")
    return found


def three(place: Place) -> tuple[str, str, str]:
    with_account(place)
    return (
        bill(place, "125.50", "P-1", in_days(5), "--reference", "1232"),
        bill(place, "0.05", "P-2", in_days(5), "--bic", "COBADEFF", iban=GERMAN),
        bill(place, "1000.00", "P-3", in_days(20), "--reference", "RF48 2026 17", "--message", "not told"),
    )


def drafts(place: Place) -> list[dict[str, Any]]:
    return [one for one in documents(place) if one["is_draft"]]


def noted(place: Place) -> Counter[int]:
    """How often each invoice is on its way, by the books."""
    return Counter(
        one.purchase for draft in drafts(place) if not waits(draft) for one in payment_ids(draft["description"])
    )


def waits(draft: dict[str, Any]) -> bool:
    """Whether it is a line of a statement that waits for an account."""
    rows = [*draft["blueprint"]["debet_entries"], *draft["blueprint"]["credit_entries"]]
    return any(row["account_id"] is None for row in rows)


def written(place: Place, *names: str) -> Counter[int]:
    """How often each invoice is in the files that are there."""
    paths = [place.folder / name for name in names if (place.folder / name).exists()]
    found = [
        one for path in paths for text in texts(read(path.read_bytes()), "EndToEndId") for one in payment_ids(text)
    ]
    return Counter(one.purchase for one in found)


def elsewhere(place: Place, folder: Path) -> Place:
    """The same person on another machine, which knows nothing of what was done on the first one."""
    folder.mkdir()
    return replace(place, folder=folder, environ={**place.environ, "ACCTCLI_STATE_DIR": str(folder / "state")})


@pytest.mark.parametrize("version", VERSIONS)
def test_a_file_pays_what_is_open_on_the_day_it_is_due(place: Place, version: str, tmp_path: Path) -> None:
    one, two, other = three(place)
    before = held(place)
    done = place.run("purchase", "pay-file", "out.xml", "--due-to", in_days(30), "--pain", version, "--output", "jsonl")
    root = read((place.folder / "out.xml").read_bytes(), version)
    assert texts(root, "InstdAmt") == ["125.50", "0.05", "1000.00"]
    days = texts(root, "ReqdExctnDt" if version == "03" else "ReqdExctnDt/Dt")
    assert days == [in_days(5), in_days(20)]
    assert texts(root, "CdtrAcct/Id/IBAN") == [OTHER, GERMAN, OTHER]
    assert texts(root, "CdtrRefInf/Ref") == ["1232", "RF48202617"]
    assert texts(root, "Ustrd") == ["Invoice P-2"]
    (file,) = texts(root, "MsgId")
    # what is shown is what the file says of itself
    assert done.err.splitlines()[-3:] == [
        f"{in_days(5)}: 2 payments, 125.55",
        f"{in_days(20)}: 1 payment, 1000.00",
        f"{file}: 3 payments, 1125.55 in all, written to out.xml",
    ]
    # nothing is in any figure before the bank has paid
    assert held(place) == before
    rows = {str(one["id"]): one for one in drafts(place)}
    assert sorted(rows[key]["balance"] for key in rows) == [D("-1000.00"), D("-125.50"), D("-0.05")]
    # neither again here nor on another machine
    there = elsewhere(place, tmp_path / "there")
    for somebody in (place, there):
        again = somebody.try_run("purchase", "pay-file", "more.xml", "--due-to", in_days(30))
        assert (again.code, again.out) == (2, "")
        assert f"3 invoices ({one}, {two}, {other}) left out, which {file} has" in again.err
        refused = somebody.try_run("purchase", "pay-file", "more.xml", two)
        assert refused.code == 2
        assert f"purchase invoice {two}, payment: {file} of {in_days(5)} has it already" in refused.err
        assert not (somebody.folder / "more.xml").exists()
    assert noted(place) == {int(one): 1, int(two): 1, int(other): 1}


def test_what_is_past_due_or_due_on_no_day_is_paid_today(place: Place) -> None:
    with_account(place)
    late, any_day = bill(place, "10.00", "P-1", "2026-03-16"), bill(place, "20.00", "P-2", None)
    bill(place, "40.00", "P-3", in_days(9))
    days = {str(today())}
    told = place.run("purchase", "pay-file", "late.xml", "--due-to", in_days(8), "--dry-run").err
    assert f"1 invoice without a day to be paid by left out: acctcli purchase pay-file FILE {any_day}\n" in told
    due = place.json("purchase", "pay-file", "late.xml", "--due-from", "2026-03", "--due-to", in_days(8))
    named = place.json("purchase", "pay-file", "named.xml", any_day)
    days.add(str(today()))
    assert ([str(one["purchase"]) for one in due], [str(one["purchase"]) for one in named]) == ([late], [any_day])
    assert {one["date"] for one in (*due, *named)} <= days


def test_only_what_is_open_is_paid(place: Place) -> None:
    one, two, _ = three(place)
    place.run("purchase", "pay", one, "--amount", "25.50", "--account", "1910")
    place.run("purchase", "pay", two, "--account", "1910")
    rows = place.json("purchase", "pay-file", "out.xml", "--due-to", in_days(6))
    assert [(str(row["purchase"]), row["amount"]) for row in rows] == [(one, D("100.00"))]


def test_all_that_keeps_invoices_out_is_named_and_nothing_is_noted(place: Place) -> None:
    with_account(place)
    faults = {
        enter(place, "10.00", "P-1", None, "--iban", OTHER): "document: it is in no books yet",
        bill(place, "10.00", "P-2", None, iban="123-456"): "sender_bank_account: an IBAN is two letters",
        bill(place, "10.00", "P-3", None, iban="AE070331234567890123456"): "banks of AE take no SEPA transfers",
        bill(place, "-5.00", "P-4", None): "amount: -5.00 is open, and 0.01 to 999999999.99 can be paid",
        enter(place, "9.00", "P-5", None, "--iban", OTHER, "--currency", "USD"): "currency: USD, and only EUR",
    }
    bare = place.json("purchase", "create", "--date", "2026-03-02", "--amount", "7", "--source", "UPLOAD")
    place.run("purchase", "post", str(bare["id"]), "--account", "4000")
    faults[str(bare["id"])] = "sender_bank_account: missing"
    good = bill(place, "11.00", "P-9", None)
    count = len(documents(place))
    refused = place.try_run("purchase", "pay-file", "out.xml", good, *faults)
    assert (refused.code, refused.out) == (2, "")
    for number, told in faults.items():
        assert re.search(rf"purchase invoice {number}, [^;]*{re.escape(told)}", refused.err), (told, refused.err)
    assert f"purchase invoice {bare['id']}, sender_name: missing" in refused.err
    assert f"purchase invoice {good}" not in refused.err
    assert (len(documents(place)), (place.folder / "out.xml").exists()) == (count, False)
    # all but these
    left_out = [word for number in faults for word in ("--except", number)]
    assert len(place.json("purchase", "pay-file", "out.xml", good, *faults, *left_out)) == 1


@pytest.mark.parametrize(
    ("written_as", "iban", "told"),
    [
        ("1233", OTHER, "the last digit of the reference does not check the others"),
        ("RF49202617", GERMAN, "the check digits after RF do not fit the reference"),
    ],
)
def test_a_reference_with_wrong_check_digits_is_refused(place: Place, written_as: str, iban: str, told: str) -> None:
    with_account(place)
    found = bill(place, "10.00", "P-1", None, iban=iban)
    # as services that get invoices from elsewhere may have it
    path = f"/v1/invoicing/{place.environ['ACCTCLI_BUSINESS']}/purchase_invoice/{found}/"
    place.run("api", "PATCH", path, "--field", f"reference={json.dumps(written_as)}")
    refused = place.try_run("purchase", "pay-file", "out.xml", found)
    assert refused.code == 2
    assert f"purchase invoice {found}, reference: {told}" in refused.err


def test_words_that_are_no_reference_are_told_as_a_text(place: Place) -> None:
    with_account(place)
    found = bill(place, "10.00", "P-1", None, "--reference", "2026/77", "--message", "Kärki & Co", iban=GERMAN)
    (row,) = place.json("purchase", "pay-file", "out.xml", found)
    assert (row["reference"], row["text"]) == (None, "2026/77 Kärki + Co")


def test_taxes_and_paid_invoices_are_refused_and_left_out(place: Place) -> None:
    with_account(place)
    paid = bill(place, "10.00", "P-1", in_days(2))
    place.run("purchase", "pay", paid, "--account", "1910")
    tax_of_march(place)
    (tax,) = place.json("purchase", "list", "--source", "vat-purchase-invoice")
    for number in (str(tax["id"]), paid):
        refused = place.try_run("purchase", "pay-file", "out.xml", number)
        assert refused.code == 2
        assert f"nothing is open of purchase invoice {number}, or it is the tax" in refused.err
    assert place.try_run("purchase", "pay-file", "out.xml", "9999").code == 6
    assert "no purchase invoice is to be paid" in place.try_run("purchase", "pay-file", "o.xml", "--due-to", "2030").err


def test_what_a_supplier_owes_is_named_and_not_set_off(place: Place) -> None:
    with_account(place)
    owed, credit = bill(place, "10.00", "P-1", in_days(2)), bill(place, "-4.00", "P-2", in_days(2))
    # credit notes have no day to be paid by, as a rule
    other = bill(place, "-5.00", "P-3", None)
    bill(place, "-6.00", "P-4", in_days(9))
    done = place.run("purchase", "pay-file", "out.xml", "--due-to", in_days(3), "--output", "jsonl")
    told = [line for line in done.err.splitlines() if "which is not set off" in line]
    assert [line.partition(", which")[0] for line in told] == [
        "note: Paperi Oy P-2 owes 4.00",
        "note: Paperi Oy P-3 owes 5.00",
    ]
    assert [noted(place)[int(one)] for one in (owed, credit, other)] == [1, 0, 0]


def test_a_file_that_is_there_is_not_written_over_unasked(place: Place) -> None:
    one, _, _ = three(place)
    path = place.folder / "out.xml"
    path.write_text("mine")
    refused = place.try_run("purchase", "pay-file", "out.xml", one)
    assert (refused.code, path.read_text(), noted(place)) == (2, "mine", {})
    assert "confirm with --yes" in refused.err
    place.run("purchase", "pay-file", "out.xml", one, "--yes")
    assert written(place, "out.xml") == {int(one): 1}
    missing = place.try_run("purchase", "pay-file", "no/out.xml", one)
    assert (missing.code, "there is no folder" in missing.err) == (2, True)


def test_a_file_that_does_not_say_what_is_open_is_not_handed_over(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, _ = three(place)

    def with_less(version: str, payer: Any, file: str, made: datetime, batches: Any) -> bytes:
        return credit_transfers(
            version, payer, file, made, [one._replace(transfers=one.transfers[:1]) for one in batches]
        )

    monkeypatch.setattr(handing, "credit_transfers", with_less)
    refused = place.try_run("purchase", "pay-file", "out.xml", one, two)
    assert (refused.code, refused.out) == (1, "")
    assert "are open: nothing is handed over" in refused.err
    assert (noted(place), (place.folder / "out.xml").exists()) == ({}, False)


def test_a_rehearsal_notes_and_writes_nothing(place: Place) -> None:
    one, two, _ = three(place)
    rows = place.json("purchase", "pay-file", "out.xml", one, two, "--dry-run")
    assert [(row["amount"], row["document"]) for row in rows] == [(D("125.50"), None), (D("0.05"), None)]
    assert (noted(place), (place.folder / "out.xml").exists()) == ({}, False)


def test_the_account_that_is_paid_from(place: Place) -> None:
    one, two, other = (bill(place, "10.00", f"P-{n}", None) for n in range(3))
    nothing = place.try_run("purchase", "pay-file", "a.xml", one)
    assert (nothing.code, "--account 1910: the chart names no IBAN of it" in nothing.err) == (2, True)
    business = place.environ["ACCTCLI_BUSINESS"]
    place.run("business", "update", business, "--set", f"invoicing_iban={GERMAN}", "--set", "invoicing_bic=COBADEFFXXX")
    place.run("purchase", "pay-file", "a.xml", one)
    root = read((place.folder / "a.xml").read_bytes())
    assert texts(root, "DbtrAcct/Id/IBAN") == [GERMAN]
    assert texts(root, "DbtrAgt/FinInstnId/BICFI") == ["COBADEFFXXX"]
    place.run("purchase", "pay-file", "again.xml", "--again", texts(root, "MsgId")[0])
    assert texts(read((place.folder / "again.xml").read_bytes()), "DbtrAcct/Id/IBAN") == [GERMAN]
    # that of invoices is the one of the chart that has it, and another one is named
    place.run("account", "update", "1920", "--set", f"description={GERMAN}")
    with_account(place)
    place.run("purchase", "pay-file", "b.xml", two)
    place.run("purchase", "pay-file", "c.xml", other, "--account", "1910")
    accounts = {draft["entry_ui_rows"][-1]["account_number"] for draft in drafts(place)}
    assert texts(read((place.folder / "b.xml").read_bytes()), "DbtrAcct/Id/IBAN") == [GERMAN]
    assert texts(read((place.folder / "c.xml").read_bytes()), "DbtrAcct/Id/IBAN") == [OWN]
    assert accounts == {"1910", "1920"}
    own = bill(place, "5.00", "P-8", None, iban=OWN)
    refused = place.try_run("purchase", "pay-file", "d.xml", own, "--account", "1910")
    assert (refused.code, "that is the account that is paid from" in refused.err) == (2, True)


def test_a_file_is_written_again_as_it_was_and_withdrawn(place: Place) -> None:
    one, two, other = three(place)
    place.run("purchase", "pay-file", "out.xml", one, other)
    first = (place.folder / "out.xml").read_bytes()
    (file,) = texts(read(first), "MsgId")
    place.run("purchase", "pay-file", "again.xml", "--again", file)
    again = (place.folder / "again.xml").read_bytes()
    made = re.compile(rb"<CreDtTm>.*?</CreDtTm>")
    assert made.sub(b"", again) == made.sub(b"", first)
    unknown = place.try_run("purchase", "pay-file", "no.xml", "--again", "pay-aaaaaaaaaaaa")
    assert (unknown.code, "no payment of pay-aaaaaaaaaaaa is on its way" in unknown.err) == (2, True)
    assert place.try_run("purchase", "pay-file", "no.xml", "--again", "x").code == 2
    both = place.try_run("purchase", "pay-file", "no.xml", one, "--again", file)
    assert (both.code, "--again writes a file as it was noted" in both.err) == (2, True)
    # one of them, then all
    assert place.try_run("purchase", "withdraw", file).code == 2
    assert place.try_run("purchase", "withdraw", file, two, "--yes").code == 2
    assert place.json("purchase", "withdraw", file, one, "--dry-run")[0]["method"] == "DELETE"
    assert place.json("purchase", "withdraw", file, one, "--yes") == [{"purchase": int(one), "withdrawn": True}]
    assert noted(place) == {int(other): 1}
    place.run("purchase", "withdraw", file, "--yes")
    assert noted(place) == {}
    place.run("purchase", "pay-file", "new.xml", "--due-to", in_days(30))
    assert written(place, "new.xml") == {int(one): 1, int(two): 1, int(other): 1}


def test_what_is_posted_is_not_withdrawn_and_keeps_the_others_until_they_are_named(place: Place) -> None:
    one, two, other = three(place)
    rows = place.json("purchase", "pay-file", "out.xml", one, two, other)
    file = rows[0]["end_to_end"][:16]
    number = place.json("document", "update", str(rows[0]["document"]), "--posted")["number"]
    refused = place.try_run("purchase", "withdraw", file, "--yes")
    assert refused.code == 2
    assert f"document {number} is posted as the payment of purchase invoice {one}: nothing is withdrawn" in refused.err
    assert f"the others: acctcli purchase withdraw {file} {two} {other}" in refused.err
    assert noted(place) == {int(two): 1, int(other): 1}
    place.run("purchase", "withdraw", file, two, other, "--yes")
    assert noted(place) == {}


@pytest.mark.parametrize("when", ["before", "after"])
def test_killed_at_any_request_no_invoice_is_in_two_files_and_none_is_lost(place: Place, when: str) -> None:
    ids = [int(one) for one in three(place)]
    for cut in range(1, 60):
        name = f"{when}-{cut}.xml"
        argv = ("purchase", "pay-file", str(place.folder / name), "--due-to", in_days(30))
        done = cut_off(place, cut, *argv, when=when, ends=(0, 2))
        assert set(noted(place).values()) <= {1}
        files = [one.name for one in place.folder.glob(f"{when}-*.xml")]
        assert set(written(place, *files).values()) <= {1}
        if set(noted(place)) == set(ids):
            break
        assert done != 0, "it ended with invoices that are in no file"
    # what is noted and in no file, the next run names
    told = place.try_run("purchase", "pay-file", "last.xml", "--due-to", in_days(30)).err
    for file in sorted(set(re.findall(r"--again (pay-\w+)", told))):
        place.run("purchase", "pay-file", f"{file}.xml", "--again", file)
    names = [one.name for one in place.folder.glob("pay-*.xml")]
    assert written(place, *names) == dict.fromkeys(ids, 1)


def test_of_two_runs_that_look_at_once_one_writes(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other one hands over between this one's look and its notes."""
    one, _, _ = three(place)
    note = handing._note

    def behind_another(*said: Any) -> Any:
        monkeypatch.setattr(handing, "_note", note)
        place.run("purchase", "pay-file", "theirs.xml", one)
        return note(*said)

    monkeypatch.setattr(handing, "_note", behind_another)
    refused = place.try_run("purchase", "pay-file", "mine.xml", "--due-to", in_days(30))
    assert refused.code == 10
    assert f"purchase invoice {one} is in pay-" in refused.err
    assert (written(place, "mine.xml", "theirs.xml"), noted(place)) == ({int(one): 1}, {int(one): 1})


@pytest.mark.everywhere
def test_several_at_once_pay_each_invoice_once(place: Place) -> None:
    ids = [int(one) for one in three(place)]
    names = [f"{number}.xml" for number in range(3)]
    running = [
        subprocess.Popen(
            (sys.executable, "-m", "acctcli", "purchase", "pay-file", name, "--due-to", in_days(30)),
            env=place.environ, cwd=place.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )
        for name in names
    ]  # fmt: skip
    ends = [(one.communicate(timeout=120)[1].decode(), one.returncode) for one in running]
    assert {code for _, code in ends} <= {0, 2, 10}, ends
    assert set(written(place, *names).values()) <= {1}, ends
    # what none of them wrote, the next one does
    place.try_run("purchase", "pay-file", "last.xml", "--due-to", in_days(30))
    assert written(place, *names, "last.xml") == dict.fromkeys(ids, 1), ends


def test_what_was_paid_otherwise_is_not_written_again(place: Place) -> None:
    one, _, other = three(place)
    place.run("purchase", "pay-file", "out.xml", one, other)
    (file,) = texts(read((place.folder / "out.xml").read_bytes()), "MsgId")
    paid = place.try_run("purchase", "pay", one)
    assert (paid.code, f"note: {file}-1-{one} pays it, too" in paid.err) == (0, True), paid.err
    assert (f"acctcli purchase withdraw {file} {one}" in paid.err, f"-1-{other}" in paid.err) == (True, False)
    refused = place.try_run("purchase", "pay-file", "again.xml", "--again", file)
    assert (refused.code, f"of purchase invoice {one} 0.00 is open, and " in refused.err) == (2, True), refused.err
    assert f"acctcli purchase withdraw {file} {one}" in refused.err
    assert not (place.folder / "again.xml").exists()
    place.run("purchase", "withdraw", file, one, "--yes")
    place.run("purchase", "pay-file", "again.xml", "--again", file)
