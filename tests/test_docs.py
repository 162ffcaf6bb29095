"""What the documentation says is so: sections, citations, examples and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import pytest

from acctcli.banking.barcode import bank_barcode
from acctcli.banking.references import national_reference, rf_reference
from acctcli.service.http.answers import STATUS
from acctcli.service.problems import Problem
from acctcli.service.rules.invoices import row_sums
from acctcli.service.rules.money import to_cents, to_e4
from tests.journeys.places import Place, fresh

ROOT = Path(__file__).parents[1]
PAGES = {path.name: path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").glob("*.md"))}
TEXTS = [*(ROOT / "docs").glob("*.md"), *ROOT.glob("*.md")]
WIDTH = 120

CITATION = re.compile(r"docs/(\w+\.md)((?:(?:,| to)? \d+(?:\.\d+)?(?![\w.]\d))*)")
INSIDE = re.compile(r"(?:[Ss]ections? |\()(\d+\.\d+|\d+(?= has| is| holds))(?=\)|[^\d.])")
TO_LAW = re.compile(r"\[law\]\(law\.md\) (\d+(?:\.\d+)?)")
# documents of those who built this, which are not here
OUTSIDE = re.compile(
    r"wire facts|domain facts|design section|\(Q\d+|[(;] ?interface: |\(interface\)|interface,? rule \d"
)
SOURCES = [*ROOT.glob("src/**/*.py"), *ROOT.glob("tests/**/*.py"), *TEXTS]
PATH = re.compile(r"`([a-z][\w.]*/[\w./]*)`")
HEADING = re.compile(r"^#{2,3} (\d+(?:\.\d+)?) \S", re.MULTILINE)
LINK = re.compile(r"\]\(([^)#]+?)(?:#[^)]*)?\)")
CELL = re.compile(r"\s*\|\s*")


def headings(page: str) -> list[str]:
    return HEADING.findall(PAGES[page])


def table(page: str, head: str) -> Iterator[list[str]]:
    """The rows of the table whose first line begins with `head`."""
    lines = PAGES[page].split(f"\n{head}", 1)[1].splitlines()[2:]
    for line in lines:
        if not line.startswith("|"):
            return
        yield CELL.split(line.strip("| "))


def examples(page: str, heading: str) -> Iterator[tuple[str, str]]:
    """The pairs of lines in the first block below a heading: what is asked, and the answer, which is indented."""
    block = PAGES[page].split(f"\n### {heading}", 1)[1].split("```text\n", 1)[1].split("```", 1)[0]
    lines = [line.strip() for line in block.splitlines()]
    yield from zip(lines[::2], lines[1::2], strict=True)


# --- pages ---


@pytest.mark.parametrize("page", PAGES)
def test_sections_are_numbered_in_order(page: str) -> None:
    numbers = [tuple(map(int, number.split("."))) for number in headings(page)]
    chapters = [one for one in numbers if len(one) == 1]
    assert chapters == [(position,) for position in range(1, len(chapters) + 1)]
    for chapter in chapters:
        sections = [one for one in numbers if len(one) == 2 and one[:1] == chapter]
        assert sections == [(*chapter, position) for position in range(1, len(sections) + 1)]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    targets = [target for target in LINK.findall(path.read_text(encoding="utf-8")) if "://" not in target]
    assert [target for target in targets if not (path.parent / target).exists()] == []


def named_paths(path: Path) -> set[str]:
    """What a page names as a file or a folder of the project."""
    return {name for name in PATH.findall(path.read_text(encoding="utf-8")) if not name.startswith("v1/")}


@pytest.mark.parametrize("path", [path for path in TEXTS if path.name != "CHANGELOG.md"], ids=lambda path: path.name)
def test_files_that_are_named_exist(path: Path) -> None:
    places = (ROOT, ROOT / "src/acctcli", ROOT / "src/acctcli/service")
    missing = [name for name in named_paths(path) if not any((place / name).exists() for place in places)]
    assert missing == []


@pytest.mark.parametrize("page", PAGES)
def test_lines_are_not_too_long(page: str) -> None:
    assert [line for line in PAGES[page].splitlines() if len(line) > WIDTH] == []


# --- citations ---


def dead_citations(text: str) -> Iterator[str]:
    """The sections cited that are not there."""
    for page, sections in CITATION.findall(text):
        if page not in PAGES:
            yield page
            continue
        for section in re.findall(r"\d+(?:\.\d+)?", sections):
            if section not in headings(page):
                yield f"{page} {section}"


def test_a_dead_citation_is_found() -> None:
    text = "docs/interface.md 1.1, 99.1; docs/law.md 1; docs/none.md 3; docs/interface.md"
    assert list(dead_citations(text)) == ["interface.md 99.1", "none.md"]


def test_every_citation_leads_to_a_section() -> None:
    texts = ((path, path.read_text(encoding="utf-8")) for path in SOURCES if path != Path(__file__))
    assert {path.name: dead for path, text in texts if (dead := list(dead_citations(text)))} == {}


def test_nothing_cites_what_is_not_here() -> None:
    texts = ((path, path.read_text(encoding="utf-8")) for path in SOURCES if path != Path(__file__))
    assert {path.name: found for path, text in texts if (found := OUTSIDE.findall(text))} == {}


@pytest.mark.parametrize("page", PAGES)
def test_pages_cite_their_own_sections(page: str) -> None:
    assert [section for section in INSIDE.findall(PAGES[page]) if section not in headings(page)] == []
    assert [section for section in TO_LAW.findall(PAGES[page]) if section not in headings("law.md")] == []


# --- CONTRIBUTING.md ---


class Example(NamedTuple):
    """A list of files, and what tells the files of an example."""

    pattern: re.Pattern[str]
    files: set[str]


def examples_of_files() -> dict[str, Example]:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found = {}
    for pattern, below in re.findall(r"^<!-- files: (.*) -->\n\n((?:[- ] .*\n)+)", text, re.MULTILINE):
        files = set(re.findall(r"^- `([^`]+)`: ", below, re.MULTILINE))
        found[min(files)] = Example(re.compile(pattern, re.MULTILINE), files)
    return found


EXAMPLES = examples_of_files()


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_list_names_the_files_of_its_example(name: str) -> None:
    pattern, files = EXAMPLES[name]
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")}
    assert {path for path, text in texts.items() if pattern.search(f"{path}\n{text}")} == files


def test_there_is_a_list_for_everything_that_is_added() -> None:
    # a resource, a format, an e-invoice, one that comes in, a statement of a bank, a country, a report
    assert [len(example.files) for example in EXAMPLES.values()] == [5, 2, 6, 2, 4, 8, 8]


# --- interface.md ---


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Somebody with a Finnish business."""
    place = fresh("docs", tmp_path_factory.mktemp("docs"))
    place.run("business", "create", "--name", "Docs Oy", "--form", "FI_OY", "--slug", "docs")
    place.run("business", "use", "docs")
    return place


@pytest.mark.together
@pytest.mark.parametrize(("options", "answer"), tuple(examples("interface.md", "5.5 ")))
def test_worked_examples_post_as_told(person: Place, options: str, answer: str) -> None:
    command = ("document", "create", "--date", "2026-03-02", *options.split()[1:])
    document = person.json(*command)
    entries = person.json("document", "entries", str(document["id"]))
    posted = [f"{'D' if one['is_debet'] else 'C'}{one['account_number']} {one['amount']}" for one in entries]
    assert f"{'; '.join(posted)}; balance {document['balance']}" == answer


def test_vat_codes_are_what_is_told(person: Place) -> None:
    known = {code["value"]: code for code in person.json("constant", "get", "vat-codes")}
    told: set[int] = set()
    for codes, label, side, posted in table("interface.md", "| code | what it is"):
        for code in map(int, re.findall(r"[1-9]\d*", codes)):
            told.add(code)
            tags = set(known[code]["tags"])
            assert known[code]["label"].casefold() == label.casefold()
            assert side == ("sale" if "sale" in tags else "purchase" if "purchase" in tags else "any")
            assert (posted == "both sides") == ("reverse_charge" in tags)
    assert told == set(known)


def test_every_refusal_is_told() -> None:
    told = {int(status): set(re.findall(r"`(\w+)`", codes)) for status, codes, _ in table("interface.md", "| status |")}
    known: dict[int, set[str]] = {500: {Problem.code}}
    for problem, status in STATUS.items():
        known.setdefault(status, set()).add(problem.code)
    assert told == known


def test_rows_of_invoices_come_to_what_is_told() -> None:
    rows = list(table("interface.md", "| price × count @ rate"))
    assert rows
    for formula, net, vat, total in rows:
        amount, count, rate = (Decimal(number) for number in re.split(r" [×@] ", formula))
        sums = row_sums(to_e4(amount), to_e4(count), to_cents(rate), 1)
        assert [sums.total - sums.vat, sums.vat, sums.total] == [to_cents(Decimal(one)) for one in (net, vat, total)]


# --- law.md ---


FORMS = {"FI": "FI_OY", "DE": "DE_UG"}


def create_business(person: Place, slug: str, country: str) -> None:
    form = ("--form", FORMS[country], "--set", "default_vat_period=-1")
    person.run("business", "create", "--name", slug, "--slug", slug, *form)


@pytest.mark.parametrize("country", FORMS)
def test_rates_are_in_force_from_the_day_that_is_told(person: Place, country: str) -> None:
    rows = [row[1:] for row in table("law.md", "| country | from") if row[0] == country]
    slug = f"rates-{country.lower()}"
    create_business(person, slug, country)
    command = ("constant", "get", "vat-rates", "--business", slug, "--date")
    for first, *rates in rows:
        shown = person.json(*command, first)
        assert [shown["effective_from"], *(one["rate"] for one in shown["vat_rate_options"])] == [first, *rates]
    assert rows
    assert person.json(*command, "9999-12-31")["effective_from"] == rows[-1][0]


def start_of(period: str) -> tuple[str, str]:
    """The first day of 2026-08, 2026-Q1 or 2026, and how long it is."""
    year, _, part = period.partition("-")
    if not part:
        return f"{year}-01-01", "year"
    if part.startswith("Q"):
        return f"{year}-{int(part[1:]) * 3 - 2:02}-01", "quarter"
    return f"{period}-01", "month"


@pytest.mark.together
@pytest.mark.parametrize(("period", "country", "due"), [row[:3] for row in table("law.md", "| period | country")])
def test_vat_falls_due_on_the_day_that_is_told(person: Place, period: str, country: str, due: str) -> None:
    slug = f"due-{country}-{period}"
    create_business(person, slug, country)
    start, length = start_of(period)
    command = ("vat", "period", "create", "--business", slug, "--start", start, "--period", length)
    assert person.json(*command)["due_date"] == due


def test_references_are_what_is_told() -> None:
    rows = list(table("law.md", "| base | reference"))
    assert rows
    assert [[base, national_reference(base), rf_reference(reference)] for base, reference, _ in rows] == rows


def test_barcodes_are_what_is_told() -> None:
    for given, digits in examples("law.md", "6.2 "):
        iban, amount, reference, due = given.split()
        assert bank_barcode(iban, Decimal(amount), reference, date.fromisoformat(due)) == digits
