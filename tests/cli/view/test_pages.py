"""What pages show: every figure is that of the command, found by going through the pages as a reader would."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from acctcli.cli.check.findings import Checked, Finding
from acctcli.cli.check.records import NUMBERS
from acctcli.cli.session.state import State
from acctcli.cli.view import account, checked, dashboard, invoices, journal, reports
from acctcli.law.vat_codes import VAT_CODES
from acctcli.models.enums import Language
from acctcli.papers.words import WORDS
from acctcli.printing.numbers import LOCALES
from tests.cli.company import company as company_of
from tests.cli.view.looking import EVIL, MARCH, YEAR, Pages, Read, every_page, looking
from tests.journeys.places import Place

D = Decimal
STATEMENTS = ["income-statement", "balance-sheet"]


def finnish(day: str) -> str:
    return "{0.day}.{0.month}.{0.year}".format(date.fromisoformat(day))


def by_name(read: Read) -> dict[str, list[Decimal | None]]:
    return dict(read.figures)


def test_every_page_is_reached_and_holds_nothing_that_runs(pages: Pages, books: Place) -> None:
    """Go everywhere once, of each kind of page a few times; nowhere else is anything asked for."""
    token = books.run("local", "token").out.strip()
    waiting, seen, kinds = [pages.root, f"{pages.root}document/2"], set[str](), dict[str, int]()
    while waiting:
        path = waiting.pop(0)
        kind = path.removeprefix(pages.root).partition("?")[0].partition("/")[0]
        if path in seen or kinds.get(kind, 0) >= 12:
            continue
        seen.add(path)
        kinds[kind] = kinds.get(kind, 0) + 1
        reply = pages.get(path)
        assert reply.status_code == 200, (path, reply.text)
        assert token not in reply.text
        if not reply.headers["content-type"].startswith("text/html"):
            continue
        read = Read(reply.text)
        assert {one.name for one in read.elements} & {"script", "object", "embed", "base"} == set(), path
        # what stands around it on paper, and nothing else, which the policy names
        (around,) = read.all("style")
        digest = base64.b64encode(hashlib.sha256(around.text.encode()).digest()).decode()
        assert f"style-src 'self' 'sha256-{digest}';" in reply.headers["content-security-policy"]
        for element in read.elements:
            assert not [name for name in element.given if name.startswith("on") or name == "style"], (path, element)
            for name in ("href", "src", "action"):
                if element.name not in {"td", "th", "tr"} and (to := element.given.get(name)) is not None:
                    assert to.startswith((pages.root, "#")), (path, element)
        waiting += [to for one in read.all("a") if (to := one.given["href"]) and to[0] != "#"]
    assert {
        "",
        "journal",
        "account",
        "document",
        "receipt",
        "check",
        "vat",
        "trial-balance",
        *STATEMENTS,
    } <= kinds.keys()


def test_the_overview_says_what_commands_say(pages: Pages, books: Place) -> None:
    read = pages.read(f"?{YEAR}")
    text = read.source
    (result,) = [
        row
        for row in books.json("report", "income-statement", "--period", "2026")["rows"]
        if row["name"] == "Result of the period"
    ]
    figures = [D(one.given["amount"] or "") for one in read.all("p") if one.given.get("class") == "figure"]
    assert figures[0] == result["values"][0]
    money = [one for one in books.json("account", "balances") if one["type"] == "ASS_PAY"]
    assert figures[1] == sum(one["balance"] for one in money)
    shown = by_name(read)
    assert [shown[f"{one['number']} {one['name']}"] for one in money] == [[one["balance"]] for one in money]
    for command, of in (("invoice", "customers"), ("purchase", "suppliers")):
        aged = books.json(command, "aging")
        for row in aged[of]:
            found = [one for one in shown[row["name"]] if one]
            assert found == [row[name] for name in row if name.startswith(("not_due", "days", "total")) and row[name]]
        assert f'value="{aged["totals"]["total"]}"' in text
    due = books.json("report", "vat", "--period", "2026-03")["summary"]["vat_payable"]
    assert shown["2026-03"] == [due]
    assert text.count("<svg ") == 3
    found = json.loads(books.try_run("check", "--json").out)
    assert "No figure differs." in text
    # it has the books of others too, however large
    assert "Not looked at: database<" in text
    assert "Not looked at" not in pages.read("check").source
    assert [one.text for one in read.all("a")][-1] == f"Findings: {len(found)}"


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_statement_is_the_commands_and_its_figures_lead_to_their_entries(
    pages: Pages, books: Place, name: str
) -> None:
    report = books.json("report", name, "--period", "2026", "--accounts")
    accounts = [
        (f"{one['number']} {one['name']}", one["values"]) for row in report["rows"] for one in row.get("accounts") or ()
    ]
    rows = [
        (row["name"], row["values"])
        for row in report["rows"]
        if row["name"] not in {"Assets", "Equity and liabilities"}
    ]
    read = pages.read(f"{name}?{YEAR}")
    assert sorted(read.figures) == sorted([*rows, *accounts])
    followed = 0
    for row in read.rows:
        if row and (way := row[-1].given.get("href")) and row[0].text in dict(accounts):
            (closing,) = [one for one in pages.read(way).figures if one[0] == "Closing balance"][-1:]
            # both sides of a figure: statements show what is owed, and revenue, as positive amounts
            assert abs(closing[1][-1] or D(0)) == abs(read.amounts(row)[0] or D(0)), row[0].text
            followed += 1
    assert followed == len(accounts)


def test_figures_of_the_overview_lead_to_what_they_are_made_of(pages: Pages, books: Place) -> None:
    read = pages.read(f"?{YEAR}")
    (cash,) = [one.given for one in read.all("p") if "/trial-balance?" in (one.given.get("href") or "")]
    assert by_name(pages.read(cash["href"] or ""))["Total"][-1] == D(cash["amount"] or "")
    rows = {row[0].text: row[-1].given.get("href") or "" for row in read.rows if row}
    owing = pages.read(rows["Asiakas Oy"])
    (row,) = books.json("invoice", "aging")["customers"]
    assert sum(row[name] for name in row if name.startswith(("not_due", "days"))) == row["total"]
    assert {cells[1].text for cells in owing.rows if cells[0].name == "td"} == {"Asiakas Oy", ""}
    assert owing.amounts(owing.rows[-1])[-1] == row["total"]
    *opens, total = [owing.amounts(cells)[-1] for cells in owing.rows[1:]]
    assert sum((one or D(0) for one in opens), D(0)) == total
    led = [[cell.given.get("href") is not None for cell in cells] for cells in owing.rows[1:-1]]
    assert led == [[True, *[False] * (len(owing.rows[0]) - 2), True]] * len(opens)
    # of a day, and of the customer alone, whatever others are called
    assert rows["Asiakas Oy"].partition("/invoices/open?to=")[2].endswith(f"&customer={row['receiver']}")
    assert pages.read("invoices/open?to=2025-12-31").rows == pages.read("invoices/open?customer=x").rows == []
    owed = books.json("purchase", "aging")
    for name, total in [*((row["name"], row["total"]) for row in owed["suppliers"]), ("", owed["totals"]["total"])]:
        read = pages.read(rows[name] if name else f"payables?to={rows['Kone Oy'].partition('?to=')[2][:10]}")
        *opens, last = [figure[-1] for _, figure in read.figures]
        assert last == total == sum((one or D(0) for one in opens), D(0)), name
    assert [name for name, _ in pages.read(rows["Kone Oy"]).figures] == ["Kone Oy K-7", "Kone Oy", "Total"]
    assert pages.read("payables?supplier=Kone").rows == []


@pytest.mark.parametrize("days", [YEAR, "from=2027-01-01&to=2027-12-31"])
def test_money_of_a_day_leads_to_the_balance_of_that_day(
    pages: Pages, monkeypatch: pytest.MonkeyPatch, days: str
) -> None:
    monkeypatch.setattr(State, "today", lambda here: date(2026, 3, 10))
    read = pages.read(f"?{days}")
    (cash,) = [one.given for one in read.all("p") if "/trial-balance?" in (one.given.get("href") or "")]
    assert by_name(pages.read(cash["href"] or ""))["Total"][-1] == D(cash["amount"] or "")
    money = [row for row in read.rows if "/account/19" in (row[0].given.get("href") or "")]
    assert money
    assert [read.amounts(row) for row in money] == [
        by_name(pages.read(row[1].given["href"] or ""))["Closing balance"][-1:] for row in money
    ]


def test_large_books_are_looked_through_when_somebody_asks(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dashboard, "_FEW", 10)
    assert [one.text for one in pages.read(f"?{YEAR}").all("a")][-1] == "Look for faults and gaps"


def test_the_profit_of_the_balance_sheet_leads_to_the_income_statement(pages: Pages) -> None:
    (row,) = [
        row
        for row in pages.read("balance-sheet?from=2026-01-01&to=2026-03-31").rows
        if "Profit of the p" in row[0].text
    ]
    read = pages.read(row[-1].given["href"] or "")
    assert by_name(read)["Result of the period"] == [D(row[-1].given["amount"] or "")]


def test_a_line_of_several_accounts_leads_to_them_together(pages: Pages, books: Place) -> None:
    (loans,) = [row for row in pages.read(f"balance-sheet?{YEAR}").rows if row[0].text == "Loans"]
    shown = by_name(pages.read(loans[-1].given["href"] or ""))
    report = books.json("report", "trial-balance", "--period", "2026")["accounts"]
    wanted = {one["number"]: [*one["columns"][0].values()] for one in report if one["number"] in {"2370", "2620"}}
    assert {name: found for name, found in shown.items() if name != "Total"} == wanted
    assert shown["Total"] == [sum(column) for column in zip(*wanted.values(), strict=True)]


@pytest.mark.together
@pytest.mark.parametrize(
    ("period", "days", "compare"), [("2026", YEAR, "previous-year"), ("2026-03", MARCH, "previous-period")]
)
@pytest.mark.parametrize("name", STATEMENTS)
def test_two_periods_stand_side_by_side(
    pages: Pages, books: Place, name: str, period: str, days: str, compare: str
) -> None:
    report = books.json("report", name, "--period", period, "--compare", compare)
    shown = by_name(pages.read(f"{name}?{days}&compare={compare}"))
    assert all(shown[row["name"]] == row["values"] for row in report["rows"] if row["name"] in shown)
    assert "Total assets" in shown or "Result of the period" in shown


def test_what_a_year_carries_over_is_told_beside_the_sums_that_have_it(pages: Pages) -> None:
    told = "Debit and credit include: Result carried to profit of previous periods"
    assert told in pages.read("trial-balance?from=2025-12-01&to=2026-01-01").source
    assert told not in pages.read(f"trial-balance?{YEAR}").source


def test_a_line_of_more_accounts_than_an_address_has_room_for_leads_nowhere(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "/trial-balance?number=" in pages.read(f"income-statement?{YEAR}").source
    monkeypatch.setattr(reports, "_MOST_NUMBERS", 1)
    assert "/trial-balance?number=" not in pages.read(f"income-statement?{YEAR}").source


def test_the_trial_balance_is_the_commands(pages: Pages, books: Place) -> None:
    report = books.json("report", "trial-balance", "--period", "2026-03")
    wanted = [(one["number"], [*one["columns"][0].values()]) for one in report["accounts"]]
    assert pages.read(f"trial-balance?{MARCH}").figures == [*wanted, ("Total", [*report["totals"][0].values()])]


def test_the_vat_report_is_the_commands(pages: Pages, books: Place) -> None:
    def figures(value: object) -> Iterator[Decimal]:
        if isinstance(value, dict):
            for one in value.values():
                yield from figures(one)
        elif value is not None:
            yield D(str(value))

    report = books.json("report", "vat", "--period", "2026-03")["summary"]
    read = pages.read(f"vat?{MARCH}")
    wanted = [*figures(report)]
    # VAT periods stand behind it
    assert [one for _, row in read.figures for one in row if one is not None][: len(wanted)] == wanted
    journal = books.json("report", "journal", "--period", "2026-03")["documents"]
    found = 0
    for row in read.rows:
        way = row[0].given.get("href") or "" if row else ""
        if "/journal?" in way:
            asked = parse_qs(urlsplit(way).query)
            code, rate = int(asked["vat_code"][0]), asked.get("vat_rate")
            codes = {(one["number"], entry["vat_code"]) for one in journal for entry in one["entries"]}
            rates = {(one["number"], D(entry["vat_rate"])) for one in journal for entry in one["entries"]}
            # documents with an entry of the code, and one of the rate, which may be another
            posted = {number for number, one in codes if one == code and (not rate or (number, D(rate[0])) in rates)}
            assert {*documents(pages, way)} == posted, row[0].text
            found += 1
    # rates of sales and of services from abroad, and all lines of one code
    assert found == 4 + 1 + 8


def test_the_vat_return_is_the_commands(pages: Pages, books: Place) -> None:
    told = books.try_run("vat", "return", "--period", "2026-03", "--json")
    read = pages.read(f"vat?{MARCH}")
    boxes = [(row[0].text, read.amounts(row)) for row in read.rows if len(row) == 2 and row[0].text[:3].isdecimal()]
    wanted = json.loads(told.out, parse_float=D)
    assert boxes == [(f"{one['box']} {one['label']}", [D(str(one["amount"]))]) for one in wanted]
    assert len(boxes) > 10
    (why,) = [one.text for one in read.all("p") if one.given.get("class") == "note"]
    assert why.startswith("This return cannot be filed: ")
    assert json.loads(told.err)["error"]["message"].endswith(why.removeprefix("This return cannot be filed: "))


def test_vat_periods_are_the_calendars(pages: Pages, books: Place) -> None:
    duties = books.json("vat", "calendar", "--from", "2026-01-01", "--to", "2026-12-31")
    known = [one for one in duties if one["duty"] == "VAT return" and one["vat_period_id"]]
    rows = [[cell.text for cell in row[:3]] for row in pages.read(f"vat?{MARCH}").rows if len(row) == 4]
    assert known
    assert rows[1:] == [[one["period"], finnish(one["due_date"]), one["status"]] for one in known]


def documents(pages: Pages, path: str) -> dict[str, list[tuple[str, Decimal, Decimal]]]:
    """The documents of a journal, and what each posted: account, debit, credit."""
    found: dict[str, list[tuple[str, Decimal, Decimal]]] = {}
    for read in every_page(pages, path):
        for row in read.rows:
            if row and row[0].given.get("scope") == "rowgroup":
                number = row[0].text.partition(" ")[0]
                assert number not in found
                found[number] = []
            elif row and row[0].name == "td":
                debit, credit = (one or D("0.00") for one in read.amounts(row))
                found[number].append((row[0].text.partition(" ")[0], debit, credit))
    return found


def test_the_journal_is_the_commands_on_all_its_pages(
    pages: Pages, books: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "SIZE", 17)
    wanted = {
        one["number"]: [(entry["account_number"], entry["debet"], entry["credit"]) for entry in one["entries"]]
        for one in books.json("report", "journal", "--period", "2026-03")["documents"]
    }
    found = documents(pages, f"journal?{MARCH}")
    assert len(wanted) > 3 * 17
    assert {number: sorted(lines) for number, lines in found.items()} == {
        number: sorted(lines) for number, lines in wanted.items()
    }


@pytest.mark.together
@pytest.mark.parametrize(
    ("asked", "options"),
    [
        ("account=1900", ["--account", "1900"]),
        ("text=sauna", ["--search", "sauna"]),
        ("tag=Oulu", ["--tag", "Oulu"]),
        ("tag=%3Cscript%3Ehit()%3C/script%3E", ["--tag", "<script>hit()</script>"]),
        ("account=1910&text=Web+shop", ["--account", "1910", "--search", "Web shop"]),
        (f"{MARCH}&account=1700", ["--period", "2026-03", "--account", "1700"]),
        ("from=2026-11-01", ["--from", "2026-11-01"]),
    ],
)
def test_filters_are_the_commands(pages: Pages, books: Place, asked: str, options: list[str]) -> None:
    wanted = [one["number"] for one in books.json("document", "list", "--all", "--posted", *options)]
    read = pages.read(f"journal?{asked}")
    assert f">Documents: {len(wanted)}<" in read.source
    assert [*documents(pages, f"journal?{asked}")] == wanted


def test_drafts_are_shown_where_they_are_asked_for(pages: Pages) -> None:
    assert documents(pages, "journal?kind=drafts") == {"Draft": []}
    assert "Draft" in documents(pages, "journal?kind=all")
    assert "Draft" not in documents(pages, "journal")


@pytest.mark.parametrize("size", [7, 1000])
def test_an_account_is_the_ledgers_with_its_balance_on_every_page(
    pages: Pages, books: Place, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(account, "SIZE", size)
    (ledger,) = [
        one
        for one in books.json("report", "ledger", "--from", "2026-03-05", "--to", "2026-12-31")["accounts"]
        if one["number"] == "1910"
    ]
    found, balance = [], ledger["opening_balance"]
    assert balance
    for position, read in enumerate(every_page(pages, "account/1910?from=2026-03-05&to=2026-12-31")):
        said = [D(one.given["amount"] or "") for one in read.all("dd")]
        totals = ledger["totals"]
        assert said == [ledger["opening_balance"], totals["debet"], totals["credit"], totals["balance_csum"]]
        first, *entries = [row for row in read.rows if read.amounts(row)]
        assert (first[2].text, read.amounts(first)[-1]) == (
            "Brought forward" if position else "Opening balance",
            balance,
        )
        if entries[-1][0].text == "Closing balance":
            assert read.amounts(entries.pop())[-1] == totals["balance_csum"]
        found += [(row[0].text, *read.amounts(row)) for row in entries]
        balance = found[-1][-1]
    assert found == [
        (one["number"], one["debet"] or None, one["credit"] or None, one["balance_csum"]) for one in ledger["entries"]
    ]
    assert balance == ledger["totals"]["balance_csum"]


def test_an_account_that_never_moved_stands_at_nothing(pages: Pages) -> None:
    read = pages.read(f"account/1920?{YEAR}")
    assert [one.given["amount"] for one in read.all("dd")] == ["0.00"] * 4


def test_a_document_is_shown_with_all_that_belongs_to_it(pages: Pages, books: Place) -> None:
    by_number = pages.read("document/no:260305-1")
    read = pages.read("document/2")
    assert read.source == by_number.source
    rows = books.json("document", "entries", "2")
    entries = [
        (row[0].text.partition(" ")[0], read.amounts(row))
        for row in read.rows
        if row and row[0].name == "td" and len(row) == 5
    ]
    assert entries[:-1] == [
        (one["account_number"], [one["amount"], None][:: 1 if one["is_debet"] else -1]) for one in rows
    ]
    assert entries[-1] == ("Total", [D("80.00"), D("80.00")])
    (way,) = {one.given["href"] for one in read.all("a") if one.text == "260319-1"}
    assert "Document 260319-1" in pages.read(way or "").source
    assert [one.text for one in read.all("figcaption")] == [
        "Receipt 4710.txt",
        "point.png",
        "paper.pdf",
        "evil.svg",
        "evil.html",
    ]
    assert len(read.all("img")) == len(read.all("iframe")) == 1
    trail = books.json("audit", "show", "document", "2")
    history = [row[2].text for row in read.rows if len(row) == 4 and row[0].name == "td"]
    assert history == [one["type"] for one in trail]


def test_a_draft_posts_nothing_and_says_so(pages: Pages, books: Place) -> None:
    (draft,) = books.json("document", "list", "--draft")
    assert "Nothing is posted." in pages.read(f"document/{draft['id']}").source


@pytest.mark.together
@pytest.mark.parametrize(
    ("name", "kind", "way"),
    [
        ("Receipt 4710.txt", "application/octet-stream", "attachment"),
        ("point.png", "image/png", "inline"),
        ("paper.pdf", "application/pdf", "inline"),
        ("evil.svg", "application/octet-stream", "attachment"),
        ("evil.html", "application/octet-stream", "attachment"),
    ],
)
def test_a_receipt_is_what_was_uploaded_and_only_safe_kinds_are_shown(
    pages: Pages, books: Place, name: str, kind: str, way: str
) -> None:
    (number,) = {one["id"] for one in books.json("file", "list", "--all") if one["name"] == name}
    reply = pages.get(f"receipt/{number}")
    assert (reply.status_code, reply.headers["content-type"]) == (200, kind)
    assert reply.headers["content-disposition"].startswith(f"{way}; filename*=UTF-8''")
    assert reply.headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'self'"
    assert reply.content == (books.folder / ("receipt.txt" if name.endswith(".txt") else name)).read_bytes()


def test_names_are_text_wherever_they_stand(pages: Pages, books: Place) -> None:
    (found,) = books.json("document", "list", "--search", "onerror")
    for path in (
        f"journal?{MARCH}",
        f"document/{found['id']}",
        "account/3020",
        f"trial-balance?{MARCH}",
        f"income-statement?{MARCH}",
    ):
        read = pages.read(path)
        assert [one for one in read.elements if one.given.get("onerror") or one.given.get("src") == "x"] == []
        assert EVIL in unescape(re.sub('</?span(?: class="long")?>', "", read.source))


def test_what_check_finds_is_what_the_command_finds(
    pages: Pages, books: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checked, "SIZE", 7)
    wanted = json.loads(books.try_run("check", "--json").out)
    read = list(every_page(pages, "check"))
    rows = [row for page in read for row in page.rows if row and row[0].name == "td"]
    assert sorted([cell.text for cell in row] for row in rows) == sorted(
        [one[name] for name in ("part", "record", "problem", "remedy")] for one in wanted
    )
    assert len(read) == -(-len(wanted) // 7) > 2
    assert f">Findings: {len(wanted)}<" in read[0].source
    ways = {row[1].text: row[1].given["href"] or "" for row in rows if "href" in row[1].given}
    assert {name.rstrip("0123456789-") for name in ways} >= {"document ", "draft ", "draft invoice ", "account "}
    for name, way in ways.items():
        title, *_ = [one.text for one in pages.read(way).all("h1")]
        said = {"document": name.capitalize(), "draft": "Draft", "account": name.removeprefix("account ")}
        assert said[name.partition(" ")[0]] in title, name
    assert pages.get("check?page=999").text.count("there is no page 999") == 1


def test_a_number_that_is_missing_leads_nowhere(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = Finding(NUMBERS, "document 260302-9", "no document has this number", "acctcli audit list")
    monkeypatch.setattr(checked, "look_through", lambda here: Checked([NUMBERS], [], "", [missing]))
    (row,) = [row for row in pages.read("check").rows if row[0].name == "td"]
    assert (row[1].text, row[1].given) == (missing.record, {"lang": "en"})


@pytest.mark.together
@pytest.mark.parametrize("language", LOCALES)
def test_pages_speak_the_language_that_is_asked_for(books: Place, language: str) -> None:
    words = {
        "fi": "Tuloslaskelma",
        "sv": "Resultaträkning",
        "en": "Income statement",
        "de": "Gewinn- und Verlustrechnung",
    }
    amount = {"fi": "16\xa0365,78", "sv": "16\xa0365,78", "en": "16,365.78", "de": "16.365,78"}
    with looking(books, language) as shown:
        read = shown.read(f"income-statement?{YEAR}")
        assert read.elements[0].given["lang"] == language
        assert [one.text for one in read.all("h1")] == [words[language]]
        assert amount[language] in read.source
        own = [one.text for one in read.all("a") if one.given.get("aria-current") == "page"]
        assert own == [words[language]]
        assert len(shown.read(f"?{YEAR}").all("h2")) == 7
        # a rate is written in one way on all pages
        rate = "25.5%" if language == "en" else "25,5\xa0%"
        assert f">2\xa0·\xa0{rate}<" in shown.read("document/2").source
        assert f">{rate}<" in shown.read("invoice/3").source
        assert f">{rate}<" in shown.read(f"vat?{YEAR}").source
        paper = WORDS[Language(language)]
        (note,) = [one for one in books.json("invoice", "list", "--all") if one["is_credit_note_for"]]
        for number, kind in ((3, paper.invoice), (note["id"], paper.credit_note)):
            shown_as = [one.text for one in shown.read(f"invoice/{number}").all("h1")]
            assert shown_as == [f"{kind} {books.json('invoice', 'get', str(number))['invoice_number']}"]


def test_every_word_of_the_pages_has_four_languages() -> None:
    from acctcli.cli.view import words

    used = set[str]()
    for path in Path(words.__file__).parent.glob("*.py"):
        if path.name != "words.py":
            used |= set(re.findall(r'words\(\s*"([^"]+)"', path.read_text("utf-8")))
    known = words.Words("fi")
    assert {one for one in used | {code.label for code in VAT_CODES} if known(one) == one} == set()
    assert len(used) > 20


def test_ways_keep_what_was_asked_for(pages: Pages) -> None:
    # whatever the code calls its own
    others = {"self": ["1"], "path": ["2"], "text_": ["3"]}
    read = pages.read(f"journal?{MARCH}&account=1910&text=%26%22%3C&{urlencode(others, doseq=True)}")
    years = [parse_qs(urlsplit(one.given["href"] or "").query) for one in read.all("a") if one.text == "2025"]
    assert years == [{"from": ["2025-01-01"], "to": ["2025-12-31"], "account": ["1910"], "text": ['&"<'], **others}]
    (field,) = [one for one in read.all("input") if one.given.get("id") == "text"]
    assert field.given["value"] == '&"<'


@pytest.mark.parametrize("status", ["", "DRAFT", "ACCEPTED", "PAID", "CREDIT_LOSS"])
def test_invoices_are_the_commands_by_status(
    pages: Pages, books: Place, monkeypatch: pytest.MonkeyPatch, status: str
) -> None:
    monkeypatch.setattr(invoices, "SIZE", 2)
    wanted = books.json("invoice", "list", "--all", *(["--status", status.lower()] if status else []))
    rows = [row for read in every_page(pages, f"invoices?status={status}") for row in read.rows if row[0].name == "td"]
    assert [(row[0].text, row[1].text, row[2].text, row[3].text, D(row[-1].given["amount"] or "")) for row in rows] == [
        (
            one["friendly_name"].replace(" ", "\N{NO-BREAK SPACE}"),
            one["receiver_info"]["name"],
            finnish(one["invoicing_date"]),
            finnish(one["due_date"]),
            one["total_amount"],
        )
        for one in wanted
    ]
    assert [row[4].text.endswith(", overdue") for row in rows] == [one["is_past_due"] for one in wanted]
    assert len(wanted) == {"": 5, "DRAFT": 1, "ACCEPTED": 3, "PAID": 1, "CREDIT_LOSS": 0}[status]


def test_invoices_tell_their_last_reminder(pages: Pages, books: Place) -> None:
    heads, *rows = [[cell.text for cell in row] for row in pages.read("invoices").rows]
    told = {row[0]: had for row in rows if (had := row[heads.index("Reminded")])}
    name = books.json("invoice", "get", "3")["friendly_name"].replace(" ", "\N{NO-BREAK SPACE}")
    assert told == {name: "Second payment reminder 4.5.2026"}
    for day, last in (
        ("2026-03-31", ""),
        ("2026-04-30", "Payment reminder 1.4.2026"),
        ("2026-05-04", "Second payment reminder 4.5.2026"),
    ):
        opened = [row for row in pages.read(f"invoices/open?to={day}").rows if row[0].text == name]
        assert [cell.text for row in opened for cell in row[4:-2]] == ([last] if last else [])
    facts = pages.read("invoice/3").all("dd")
    assert [one.text for one in facts if "reminder" in one.text] == ["Second payment reminder 4.5.2026"]


def test_an_invoice_is_shown_with_what_is_open_and_its_paper(pages: Pages, books: Place) -> None:
    # the service paid today, which late in the evening is tomorrow where the day of commands is that of noon
    aged = {one["name"]: one["total"] for one in books.json("invoice", "aging", "--date", "2099-12-31")["customers"]}
    found = Decimal(0)
    for one in books.json("invoice", "list", "--all"):
        read = pages.read(f"invoice/{one['id']}")
        assert [heading.text for heading in read.all("h1")] == [one["friendly_name"]]
        amounts = [read.amounts(row) for row in read.rows if read.amounts(row)]
        assert amounts == [
            *([row["amount"], row["total_amount"] - row["total_vat_amount"]] for row in one["rows"]),
            [None, one["total_vat_amount"]],
            [None, one["total_amount"]],
        ]
        # the total consists of what stands above it
        assert sum((amount or D(0) for _, amount in amounts[:-1]), D(0)) == amounts[-1][1]
        is_draft = one["status"] == "DRAFT"
        assert len(read.all("iframe")) == (0 if is_draft else 1)
        found += sum((D(figure.given["amount"] or "") for figure in read.all("p") if "amount" in figure.given), D(0))
        paper = pages.get(f"paper/{one['id']}")
        assert paper.status_code == (404 if is_draft else 200)
        if not is_draft:
            assert paper.headers["content-type"] == "application/pdf"
            assert paper.content[:5] == b"%PDF-"
    # what is open of each is what the customers owe together
    assert found == sum(aged.values())


def test_credit_notes_and_invoices_lead_to_each_other(pages: Pages, books: Place) -> None:
    (note,) = [one for one in books.json("invoice", "list", "--all") if one["is_credit_note_for"]]
    for number, name in ((note["id"], "Invoice 2"), (note["is_credit_note_for"], note["friendly_name"])):
        ways = [one for one in pages.read(f"invoice/{number}").all("a") if one.text == name]
        assert len(ways) == 1
        assert pages.read(ways[0].given["href"] or "").all("h1")[0].text == name


def test_a_search_finds_every_kind_of_record(pages: Pages, books: Place) -> None:
    def found(text: str) -> dict[str, list[str]]:
        read = pages.read(f"search?text={text}")
        shown: dict[str, list[str]] = {}
        for element in read.elements:
            if element.name == "h2":
                shown[element.text] = []
            elif element.name == "td" and shown and (element.given.get("href") or "a" in element.given):
                shown[list(shown)[-1]].append(element.text)
        return {title: texts for title, texts in shown.items() if texts}

    assert found("Kone") == {"Documents": ["260305-3", "260304-2"], "Purchase invoices": ["Kone Oy", "Kone Oy K-7"]}
    assert found("Asiakas")["Contacts"] == ["Asiakas Oy"]
    assert "Invoice\N{NO-BREAK SPACE}2" in found("Asiakas")["Invoices"]
    assert found("191") == {"Accounts": ["1910"]}
    wanted = books.json("document", "list", "--all", "--search", "sauna")
    assert found("sauna") == {"Documents": [one["number"] for one in wanted[:10]]}
    assert f">10 of {len(wanted)}<" in pages.read("search?text=sauna").source
    assert found("nothing-like-it") == {}
    assert "Write above what to look for." in pages.read("search?text=+").source


def test_what_a_contact_has_is_one_step_away(pages: Pages, books: Place) -> None:
    (way,) = [one.given["href"] for one in pages.read("search?text=Asiakas").all("a") if one.text == "Asiakas Oy"]
    wanted = books.json("document", "list", "--all", "--posted", "--contact", "1")
    assert [*documents(pages, way or "")] == [one["number"] for one in wanted]
    assert len(wanted) > 1


def test_a_german_form_leads_to_its_entries(tmp_path: Path) -> None:
    place = company_of(tmp_path / "german", "DE_UG")
    place.run("document", "create", "--date", "2026-03-02", "--debit", "1800", "--credit", "4400:119@1/19")
    place.run("document", "create", "--date", "2026-03-03", "--debit", "1800", "--credit", "4300:107@1/7")
    report = place.json("report", "vat", "--period", "2026-03")
    with looking(place, "de") as shown:
        read = shown.read(f"vat?{MARCH}")
        figures = {
            row[0].text.partition(" ")[0]: (read.amounts(row), row[0].given.get("href") or "")
            for row in read.rows
            if row
        }
        assert figures["81"][0] == [report["mapping"]["81"]] == [D(100)]
        assert "81 Steuerpflichtige Umsätze zu 19 %" in read.source
        assert [*documents(shown, figures["81"][1])] == ["260302-1"]
        assert [*documents(shown, figures["86"][1])] == ["260303-1"]
    # a payment has no VAT code, and what it pays is of another day
    place.run("business", "update", "--vat-basis", "de-cash-basis", "--yes")
    with looking(place, "de") as shown:
        read = shown.read(f"vat?{MARCH}")
        assert [row[0].text for row in read.rows if "/journal?" in (row[0].given.get("href") or "")] == []
