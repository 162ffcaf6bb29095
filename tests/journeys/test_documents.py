"""Documents posted by account number, paired, given files, and found again in the statement of an account."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.journeys.places import Place

# the worked postings of docs/interface.md 5.5, as a bookkeeper types them: legs, entries, balance
EXAMPLES: list[tuple[str, str, list[str], str]] = [
    ("E1", "--debit 1910 --credit 3000:125.50@1/25.5", ["D1910 125.50", "C3000 100.00", "C2939 25.50"], "125.50"),
    ("E2", "--debit 1910 --credit 3000:100+vat@1/25.5", ["D1910 125.50", "C3000 100.00", "C2939 25.50"], "125.50"),
    ("E3", "--debit 1910 --credit 3000:34.80@1/25.5 --expense 8500:2.90@3",
     ["D1910 31.90", "D8500 2.90", "C3000 27.73", "C2939 7.07"], "31.90"),
    ("E4", "--debit 1910 --credit 3000:125.50@1/25.5 --expense 8500:12.55@2/25.5",
     ["D1910 112.95", "D8500 10.00", "D1763 2.55", "C3000 100.00", "C2939 25.50"], "112.95"),
    ("E5", "--credit 1910 --debit 4000:62.75@2/25.5 --debit 7800:10.00@2/13.5 --debit 8500:5.00@3",
     ["D4000 50.00", "D1763 12.75", "D7800 8.81", "D1763 1.19", "D8500 5.00", "C1910 77.75"], "-77.75"),
    ("E6", "--credit 1910 --debit 4450:100.00@8/25.5",
     ["D4450 100.00", "D1763 25.50", "C2939 25.50", "C1910 100.00"], "-100.00"),
    ("E7", "--debit 1700 --credit 3380:500.00@6", ["D1700 500.00", "C3380 500.00"], "0.00"),
    ("E8", "--debit 1910 --credit 1700:251.00", ["D1910 251.00", "C1700 251.00"], "251.00"),
    ("E9", "--debit 3000:27.73@1/0 --debit 2939:7.07 --credit 1910:34.80",
     ["D3000 27.73", "D2939 7.07", "C1910 34.80"], "-34.80"),
    ("E10", "--debit 1700 --credit 3000:251.00@1/25.5 --credit 3000:68.07@1/13.5",
     ["D1700 319.07", "C3000 200.00", "C2939 51.00", "C3000 59.97", "C2939 8.10"], "0.00"),
]  # fmt: skip
ON = ("--date", "2026-03-02")


def texts(entries: list[dict[str, Any]]) -> list[str]:
    return [f"{'D' if one['is_debet'] else 'C'}{one['account_number']} {one['amount']}" for one in entries]


def post(place: Place, legs: str, *more: str) -> dict[str, Any]:
    """Post a document of 2 March 2026 and return it."""
    document: dict[str, Any] = place.json("document", "create", *legs.split(), *(more or ON))
    return document


def entries(place: Place, document: dict[str, Any]) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = place.json("document", "entries", str(document["id"]))
    return listed


def test_the_rehearsal_shows_what_posting_does(place: Place) -> None:
    for name, legs, expected, balance in EXAMPLES:
        plan = place.json("document", "create", *legs.split(), *ON, "--dry-run")
        document = post(place, legs)
        assert (name, texts(plan["entries"]), str(plan["balance"])) == (name, expected, balance)
        made = [{**one, "id": 0, "created_at": 0, "updated_at": 0} for one in entries(place, document)]
        assert made == [{**one, "id": 0, "created_at": 0, "updated_at": 0} for one in plan["entries"]]
        assert str(document["balance"]) == balance
    assert len(place.json("document", "list")) == len(EXAMPLES)


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        ("2025-12-31", ["D1910 114.00", "C3100 100.00", "C2939 14.00"]),
        ("2026-01-01", ["D1910 114.00", "C3100 100.44", "C2939 13.56"]),
    ],
)
def test_an_amount_alone_takes_the_rate_of_its_day(place: Place, day: str, expected: list[str]) -> None:
    place.run("period", "create", "--start", "2025-01-01")
    document = post(place, "--debit 1910 --credit 3100:114", "--date", day)
    assert texts(entries(place, document)) == expected
    place.run("document", "update", str(document["id"]), *["--debit", "1910", "--credit", "3100:228"])
    assert entries(place, document)[-1]["vat_rate"] == ("14.00" if day < "2026" else "13.50")
    copied = place.json(
        "document", "copy", str(document["id"]), "--date", "2026-02-01", *["--debit", "1900", "--credit", "3100:1@3"]
    )
    assert texts(entries(place, copied)) == ["D1900 1.00", "C3100 1.00"]
    replaced = place.json("document", "replace", str(document["id"]), *["--credit", "1910", "--debit", "7800:1.14"])
    assert (replaced["blueprint_type"], replaced["date"]) == ("PURCHASE", day)


def test_a_draft_is_finished_later(place: Place) -> None:
    draft = place.json("document", "create", "--draft", "--debit", "1910:10", "--credit", "3000:9@3", *ON)
    assert (draft["is_draft"], entries(place, draft)) == (True, [])
    refused = place.try_run("document", "update", str(draft["id"]), "--posted")
    assert refused.code == 7
    place.run("document", "update", str(draft["id"]), "--posted", "--debit", "1910:10", "--credit", "3000:10@3")
    assert texts(entries(place, draft)) == ["D1910 10.00", "C3000 10.00"]


BOUGHT = "--credit 1910 --debit 4000:80@3"


@pytest.mark.parametrize("verb", ["update", "copy"])
def test_a_part_of_a_blueprint_leaves_the_rest(place: Place, verb: str) -> None:
    cash = next(one["id"] for one in place.json("account", "list") if one["number"] == "1900")
    bought, sold = BOUGHT, "--debit 1910 --credit 3000:40@3 --expense 8500:2@3"
    documents = {legs: str(post(place, legs)["id"]) for legs in (bought, sold)}
    for of, change, expected in (
        (bought, ("--credit", "1900"), ["D4000 80.00", "C1900 80.00"]),
        (bought, ("--set", f"blueprint.credit_account_id={cash}"), ["D4000 80.00", "C1900 80.00"]),
        (bought, ("--debit", "4000:90@3"), ["D4000 90.00", "C1900 90.00"]),
        (sold, ("--expense", "8500:3@3"), ["D1910 37.00", "D8500 3.00", "C3000 40.00"]),
        (sold, ("--debit", "1900"), ["D1900 37.00", "D8500 3.00", "C3000 40.00"]),
        (sold, ("--set", "blueprint.expense_entries=[]"), ["D1900 40.00", "C3000 40.00"]),
    ):
        plan = place.json("document", verb, documents[of], *change, "--dry-run")
        assert texts(plan["entries"]) == expected
        made = place.json("document", verb, documents[of], *change)
        assert texts(entries(place, made)) == expected
        documents[of] = str(made["id"])


@pytest.mark.parametrize("verb", ["update", "copy"])
@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("--debit", "1910"), "neither side of the document would have an amount"),
        (("--credit", "1900:70"), "they differ by 10.00"),
        (("--set", "blueprint.debet_entries=[]"), "--debit is missing: a document has two sides"),
    ],
)
def test_a_part_that_would_wipe_entries_is_refused(place: Place, verb: str, change: tuple[str, str], says: str) -> None:
    document = post(place, BOUGHT)
    refused = place.try_run("document", verb, str(document["id"]), *change)
    assert (refused.code, refused.out) == (2, "")
    assert says in refused.err
    assert texts(entries(place, document)) == ["D4000 80.00", "C1910 80.00"]
    assert len(place.json("document", "list")) == 1


def test_a_draft_is_completed_side_by_side(place: Place) -> None:
    draft = str(place.json("document", "create", "--draft", "--debit", "1910:10", *ON)["id"])
    place.run("document", "update", draft, "--credit", "3000:9@3")
    refused = place.try_run("document", "update", draft, "--posted", "--debit", "1910:8")
    assert (refused.code, "they differ by 1.00" in refused.err) == (2, True)
    posted = place.json("document", "update", draft, "--posted", "--debit", "1910")
    assert texts(entries(place, posted)) == ["D1910 9.00", "C3000 9.00"]


def test_a_claim_is_paired_with_its_payment(place: Place) -> None:
    claim = str(post(place, "--debit 1700 --credit 3380:500@6")["id"])
    preview = place.json(
        "document", "relation", "preview", *["--debit", "1910", "--credit", "1700:500"], "--date", "2026-03-20"
    )
    assert [(one["related_document"], one["role"]) for one in preview] == [(int(claim), "SETTLEMENT")]
    payment = str(post(place, "--debit 1910 --credit 1700:500", "--date", "2026-03-20")["id"])
    (suggested,) = place.json("document", "relation", "suggestions", claim)
    assert (suggested["related_document"], suggested["role"], suggested["score"]) == (int(payment), "ACCRUAL", 75)
    made = place.json("document", "relation", "create", claim, "--related", payment, "--role", "accrual")
    relation = str(made["id"])
    assert (made["role"], made["type"], made["related_document"]) == ("ACCRUAL", "ACCRUAL_PAIR", int(payment))
    assert place.json("document", "relation", "get", payment, relation)["role"] == "SETTLEMENT"
    assert [one["id"] for one in place.json("document", "relation", "list", payment)] == [made["id"]]
    assert place.json("document", "relation", "suggestions", claim) == []
    assert place.json("document", "relation", "update", claim, relation, "--role", "settlement")["role"] == "SETTLEMENT"
    swapped = place.json("document", "relation", "replace", claim, relation, "--related", payment, "--role", "accrual")
    assert swapped["role"] == "ACCRUAL"
    twice = place.try_run("document", "relation", "create", payment, "--related", claim, "--role", "settlement")
    assert (twice.code, twice.out) == (7, "")
    place.run("document", "relation", "delete", payment, relation, "--yes")
    assert place.json("document", "relation", "list", claim) == []


def test_files_are_attached_and_taken_off(place: Place) -> None:
    document = str(post(place, "--debit 1910 --credit 3000:1@3")["id"])
    files = []
    for name in ("a.txt", "b.txt"):
        path = place.folder / name
        path.write_text(f"receipt {name}\n")
        (uploaded,) = place.json("file", "upload", str(path))
        files.append(str(uploaded["id"]))

    def attached(*argv: str) -> list[str]:
        return [str(one) for one in place.json("document", *argv)["attachment_ids"]]

    first, second = files
    assert attached("attach", document, first, second) == [first, second]
    assert attached("detach", document, first) == [second]
    assert attached("set-files", document, first) == [first]
    assert [str(one["id"]) for one in place.json("document", "list", "--attachment", first)] == [document]
    assert attached("set-files", document) == []
    assert attached("update", document, "--attachment", second, "--attachment", first) == [second, first]
    assert place.json("document", "suggest-attachments", document) == []
    assert place.json("document", "suggestions", "--document", document) == []


def test_contact_tags_and_type_are_named(place: Place) -> None:
    contact = str(place.json("contact", "create", "--name", "Koivu Oy")["id"])
    tag = str(place.json("tag", "create", "--name", "project")["id"])
    made = post(
        place, "--debit 6800:5 --credit 1160:5", *ON, "--contact", contact, "--tag", tag, "--type", "depreciation"
    )
    assert (made["contact_id"], made["contact_name"], made["tag_ids"], made["type"]) == (
        int(contact),
        "Koivu Oy",
        [int(tag)],
        4,
    )
    for found in (("--contact", contact), ("--tag", tag), ("--account", "6800"), ("--account-type", "depreciation")):
        assert [one["id"] for one in place.json("document", "list", *found)] == [made["id"]], found
    for nothing in (("--account", "1910"), ("--has-rule",), ("--tagged", "1"), ("--rule", "1")):
        assert place.json("document", "list", *nothing) == [], nothing


def test_an_account_by_its_number(place: Place) -> None:
    post(place, "--debit 1910 --credit 2370:100")
    shown = place.json("account", "get", "1910")
    assert place.json("account", "get", f"id:{shown['id']}") == shown
    assert place.json("account", "update", "1910", "--name", "Main bank")["name"] == "Main bank"
    listed = place.json("account", "list", "--balances", "--type", "bank and cash")
    assert [(one["number"], str(one["balance"])) for one in listed] == [
        ("1900", "0.00"),
        ("1910", "100.00"),
        ("1920", "0.00"),
    ]
    table = place.run("account", "list", "--number", "1910").lines()
    assert table[-1].split() == ["1910", "Main", "bank", "bank", "and", "cash", "100.00"]
    refused = place.try_run("account", "get", "1911")
    assert (refused.code, refused.out) == (6, "")
    assert "the nearest are 1910 Main bank, " in refused.err


def test_the_statement_of_an_account_adds_up(place: Place) -> None:
    place.run("account", "update", "1910", "--set", "opening_balance=50")
    post(place, "--debit 1910 --credit 2370:100", "--date", "2026-01-15")
    post(place, "--debit 1910 --credit 3000:125.50@1/25.5", *ON, "--description", "Sale")
    post(place, "--credit 1910 --debit 8500:300.25=Fee", "--date", "2026-03-31")
    post(place, "--debit 1910 --credit 2370:1", "--date", "2026-04-01")
    rows = place.run("account", "statement", "1910", "--period", "2026-03", "-o", "csv").lines()
    assert [row.split(",")[0] + " " + ",".join(row.split(",")[-3:]) for row in rows[1:]] == [
        "2026-03-01 ,,150.00", "2026-03-02 125.50,,275.50", "2026-03-31 ,300.25,-24.75", "2026-03-31 ,,-24.75",
    ]  # fmt: skip
    ledger = place.json("account", "statement", "1910", "--period", "2026-03")
    assert (ledger["number"], ledger["opening_balance"]) == ("1910", Decimal("150.00"))
    assert ledger["totals"] == {
        "debet": Decimal("125.50"),
        "credit": Decimal("300.25"),
        "balance_csum": Decimal("-24.75"),
    }
    closing = place.run("account", "statement", "1910", "--from", "2026-01", "--to", "2026-12").lines()[-1].split()
    assert closing[-1] == str(place.json("account", "get", "1910")["balance"]) == "-23.75"
    unmoved = place.run("account", "statement", "1920", "--period", "2026-03", "-o", "csv").lines()
    assert unmoved[1:] == ["2026-03-01,,Opening balance,,,,,,0.00", "2026-03-31,,Closing balance,,,,,,0.00"]


@pytest.mark.parametrize("kind", ["depreciation", "income-tax", "broadcasting-tax", "vat"])
def test_what_closes_the_books_takes_no_vat_back(place: Place, kind: str) -> None:
    given = ("--date", "2026-03-31", "--debit", "6800:1000", "--credit", "1160:1000")
    posted = place.json("document", "create", *given, "--type", kind)["id"]
    entries = place.json("document", "entries", str(posted))
    assert [(one["account_number"], one["amount"], one["vat_code"]) for one in entries] == [
        ("6800", 1000, 3),
        ("1160", 1000, 3),
    ]
    usual = place.json("document", "create", *given)["id"]
    assert len(place.json("document", "entries", str(usual))) == 3
