"""Searches of documents find what a walk through all of them finds, whatever stands in blocks already."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import date, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.service.store.books import blocks, documents, searches
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Statement
from acctcli.service.store.listing import Clauses
from acctcli.service.store.patterns import holding
from tests.databases import Factory, opened
from tests.service.actor import Reply, World, world
from tests.service.routes.books import Books, open_books
from tests.service.store.shape_faults import fetch
from tests.sizes import sized

WORDS = (
    "Rent",
    "Miete Straße",
    "100 % \\ a_b",
    "Päivä\nKahvi",
    "rent Z",
    "ZZ",
    "İzmir",
    "12",
    "No 4711/26",
    "x2026",
    "6-1",
    "01-1-1 b",
)
NEEDLES = (
    *WORDS,
    "e",
    "z",
    "%",
    "_",
    "\\",
    "\n",
    "ra",
    "0301-",
    "oy",
    "nothing of it",
    "2603",
    "aß",
    "ä",
    "471",
    "1",
    "0",
    "-1",
    "1\nr",
    "26 ",
    "o 4",
    "o 471",
    "1/2",
    "11/26 r",
    "x2",
    "2026",
    "oy 1",
    "straße 1",
    "e 12",
    "101-1\n",
    "-",
    "-5",
    "-12",
    "1-",
    "1-1",
    "1-1-1",
    "-1-",
    "01-1",
    "6-1",
    "260301-1",
    "2-4",
    "12-4711",
)


def searched(conn: Connection, books: Books, clauses: Clauses, limit: int, offset: int) -> tuple[int, list[int]]:
    count, page = documents.list_page(conn, books.business_id, clauses, limit=limit, offset=offset)
    return count, [row.id for row in page]


def walked(conn: Connection, books: Books, text: str) -> list[int]:
    """Search by looking at each document."""
    rows = fetch(conn, "SELECT id, date, number, description, contact_id FROM document", books.business_id)
    names: dict[int, str] = dict(fetch(conn, "SELECT id, name FROM contact", books.business_id))
    wanted = text.casefold()
    found = [
        (day, document_id)
        for document_id, day, number, description, contact_id in rows
        if wanted in f"{number or ''}\n{description}".casefold() or wanted in names.get(contact_id, "").casefold()
    ]
    return [document_id for _, document_id in sorted(found, reverse=True)]


class Keeper:
    """Writes and changes documents at random, and what they are found by."""

    def __init__(self, books: Books, dice: Random) -> None:
        self._books, self._dice = books, dice
        self.contacts = [books.contact(name) for name in ("Alder Oy", "Straße 12", "Rowan")]
        self.tags, self.files = [[make(name) for name in "ab"] for make in (books.tag, books.file)]
        self._ids: list[int] = []

    def write(self) -> None:
        """Create a document, or change or delete one, or call a contact otherwise."""
        dice, kind = self._dice, self._dice.random()
        if len(self._ids) < 5 or kind < 0.45:
            body = {"blueprint": self._blueprint(), "is_draft": dice.random() < 0.2, **self._fields()}
            self._ids.append(self._books.create("document/", body)["id"])
        elif kind < 0.7:
            fields = {**self._fields(), "blueprint": self._blueprint(), "is_draft": dice.random() < 0.3}
            some = {name: fields[name] for name in dice.sample(sorted(fields), dice.randrange(1, 4))}
            path = f"document/{dice.choice(self._ids)}/"
            self._books.act(f"{path}action/unlock/")
            self._books.change(path, **some)
        elif kind < 0.85:
            action = dice.choice(("flag", "unflag", "lock", "unlock"))
            self._books.act(f"document/{dice.choice(self._ids)}/action/{action}/")
        elif kind < 0.9:
            self._books.change(f"contacts/{dice.choice(self.contacts)}/", name=dice.choice(WORDS))
        else:
            gone = self._ids.pop(dice.randrange(len(self._ids)))
            self._books.act(f"document/{gone}/action/unlock/")
            assert self._books.send("DELETE", f"document/{gone}/").status == 204

    def _blueprint(self) -> object:
        return self._books.simple("1.00", credit=self._dice.choice(("3900", "4000", "2000")))

    def _fields(self) -> dict[str, object]:
        dice = self._dice
        return {
            "date": str(date(2026, 1, 1) + timedelta(days=dice.randrange(100))),
            "description": " ".join(dice.sample(WORDS, 2)),
            "contact_id": dice.choice([None, *self.contacts]),
            "tag_ids": dice.sample(self.tags, dice.randrange(3)),
            "attachment_ids": dice.sample(self.files, dice.randrange(3)),
            "is_flagged": dice.random() < 0.3,
        }

    def clauses(self) -> Clauses:
        """Draw filters that go together with a search."""
        dice, ids = self._dice, self._books.ids
        first, last = (date(2026, 1, 1) + timedelta(days=dice.randrange(100)) for _ in range(2))
        every: dict[str, object] = {
            "contact": dice.choice(self.contacts),
            "tags": dice.choice([*self.tags, 0]),
            "file": dice.choice([*self.files, 0]),
            "account": ids[dice.choice(("3900", "4000", "1910"))],
            "number": "260301-1",
            "date_from": first,
            "date_to": last,
        }
        pairs = ("income", "no_income"), ("draft", "posted"), ("flagged", "not_flagged"), ("locked", "not_locked")
        flags = [dice.choice(pair) for pair in (*pairs, ("has_attachments", "no_attachments"), ("expense", "nothing"))]
        drawn: dict[str, dict[str, object]] = {name: {name: value} for name, value in every.items()}
        drawn |= {name: {} for name in flags}
        return {name: drawn[name] for name in dice.sample(sorted(drawn), dice.randrange(1, 4))}


def small(monkeypatch: pytest.MonkeyPatch, *, due: int = 3, letters: int = 126) -> None:
    """Make blocks small, and often; with few letters, so that values need two."""
    monkeypatch.setattr(blocks, "SIZE", 4)
    monkeypatch.setattr(blocks, "DUE", due)
    monkeypatch.setattr(blocks, "MOST", 5)
    monkeypatch.setattr(blocks, "BASE", letters)


@pytest.mark.parametrize("letters", [2, 126])
def test_what_is_found_is_what_a_walk_finds(service: World, monkeypatch: pytest.MonkeyPatch, letters: int) -> None:
    small(monkeypatch, letters=letters)
    dice, books = Random(letters), open_books(service.user())
    keeper, told = Keeper(books, dice), set()
    for _ in range(sized(60)):
        for _ in range(4):
            keeper.write()
        with service.database.read() as conn:
            for needle in dice.sample(NEEDLES, 8):
                right, clause = walked(conn, books, needle), {"search": {"search": holding(needle)}}
                monkeypatch.setattr(documents, "FEW", dice.choice((0, 2, 2000)))
                limit, offset = dice.choice((1, 5, 30)), dice.randrange(len(right) + 2)
                page = right[offset : offset + limit]
                assert searched(conn, books, clause, limit, offset) == (len(right), page), needle
                both: Clauses = {**clause, **keeper.clauses()}
                together = documents.ROWS.list_page(conn, books.business_id, both, limit=limit, offset=offset // 2)
                expected = together[0], [row.id for row in together[1]]
                assert searched(conn, books, both, limit, offset // 2) == expected, both
                told.add(len(right))
    assert len(told) >= 12
    with service.database.read() as conn:
        assert len(fetch(conn, "SELECT id FROM search_block", books.business_id)) >= 5


VALUES = st.lists(st.text("abcdefgh", max_size=2), min_size=1, max_size=400)


@given(VALUES, st.sampled_from("abcdefgh"))
def test_columns_say_the_value_of_each_document(values: list[str], letter: str) -> None:
    column = blocks.coded(values)
    assert blocks.decoded(column, len(values)) == values
    choice = blocks.Choice(lambda every: bytes(letter in value for value in every.split(blocks.END)))
    for _ in range(2):
        mask = choice.mask(column, len(values))
        assert list(mask.to_bytes(len(values), "little")) == [letter in value for value in values]


@given(
    st.lists(st.sampled_from(("", "", "", "", "2", "1 12", "12", "12 2")), min_size=30, max_size=99),
    st.text("12 ", min_size=1, max_size=3),
)
def test_what_is_looked_for_in_lines_is_marked(lines: list[str], text: str) -> None:
    whole = "".join(f"{line}{blocks.END}" for line in lines)
    holds = bytes(text in line for line in lines)
    begins = bytes(line.startswith(text) for line in lines)
    assert searches.marked(whole, text, len(lines)) == blocks.to_mask(holds)
    assert searches.marked(f"{blocks.END}{whole}", f"{blocks.END}{text}", len(lines)) == blocks.to_mask(begins)


def test_columns_take_as_many_values_as_a_block_has_documents() -> None:
    values = [str(number) for number in range(blocks.SIZE)]
    choice = blocks.Choice(lambda every: bytes("7" in value for value in every.split(blocks.END)))
    flags = choice.mask(blocks.coded(values), blocks.SIZE).to_bytes(blocks.SIZE, "little")
    assert list(flags) == ["7" in value for value in values]
    assert blocks.decoded(blocks.coded(values), blocks.SIZE) == values


def test_a_part_of_the_number_of_a_document_is_found_in_no_other_text(
    service: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    small(monkeypatch, due=1)
    books = open_books(service.user())
    simple = {"date": "2026-03-12", "blueprint": books.simple("1.00", credit="3900")}
    bodies = ({"description": "12 1 boxes", "is_draft": True}, {"description": "Rent"}, {"description": "Rent"})
    _, *posted = (books.create("document/", {**simple, **body})["id"] for body in bodies)
    with service.database.read() as conn:
        for text, found in (("12-1", posted[:1]), ("2-2", posted[1:]), ("0312-", posted[::-1]), ("-11", [])):
            clauses: Clauses = {"search": {"search": holding(text)}}
            assert searched(conn, books, clauses, 9, 0) == (len(found), found)


def test_blocks_have_each_document_once(service: World, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch, due=1)
    books = open_books(service.user())
    keeper = Keeper(books, Random(2))
    for _ in range(80):
        keeper.write()
    for _ in range(9):  # each folds the changes of one month
        last = books.create("document/", {"date": "2026-02-02", "blueprint": books.simple("1.00")})["id"]
    with service.database.read() as conn:
        names = "month, size, document_ids, texts, days, contacts, shapes, first_id, last_id"
        made = fetch(conn, f"SELECT {names} FROM search_block", books.business_id)
        shape, flags = (
            f"(SELECT {name} FROM document_shape WHERE document_id = document.id)" for name in ("shape_id", "flags")
        )
        query = f"SELECT id, date, search_text, contact_id, {shape}, {flags} FROM document"
        rows = fetch(conn, query, books.business_id)
        marks = fetch(conn, "SELECT document_id FROM search_mark", books.business_id)
        assert fetch(conn, "SELECT document_id FROM search_loose", books.business_id) == []
    held: list[tuple[object, ...]] = []
    for month, size, ids, texts, *columns, first, last_one in made:
        every = list(map(int, ids.split(",")))
        assert (len(every), min(every), max(every)) == (size, first, last_one)
        held += zip(
            every, [month] * size, texts.split("Z")[:-1], *(blocks.decoded(one, size) for one in columns), strict=True
        )
    assert sorted(held) == sorted(
        (number, f"{day:%Y-%m}", text, f"{day}", str(contact or 0), f"{placed}:{marks_of}")
        for number, day, text, contact, placed, marks_of in rows
    )
    assert {size for _, size, *_ in made} <= {1, 2, 3, 4}
    assert marks == [(last,)]


WAITING = Statement("SELECT count(*) FROM pg_locks WHERE NOT granted")
NEXT_ID = Statement("SELECT setval(pg_get_serial_sequence('document', 'id'), :last)")


@pytest.mark.parametrize("method", ["POST", "PATCH", "DELETE", "FLAG"])
def test_what_is_written_while_blocks_are_made_is_found(
    postgres_factory: Factory, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    """On PostgreSQL a writer may begin before blocks are made and commit after that, with a lower id besides."""
    with opened(postgres_factory.fresh()) as database, world(database) as service:
        books = open_books(service.user())
        body = {"date": "2026-03-02", "description": "Before", "blueprint": books.simple("1.00")}

        def number_from(last: int) -> None:
            database.write(lambda conn: NEXT_ID.value(conn, last=last))

        first = books.create("document/", body)["id"]
        number_from(1000)
        books.create("document/", {**body, "description": "Other"})
        number_from(500)
        path = {"POST": "document/", "FLAG": f"document/{first}/action/flag/"}.get(method, f"document/{first}/")
        late = {**body, "date": "2026-04-02", "description": "Late"} if method in {"POST", "PATCH"} else None

        def hold_up(conn: Connection) -> Future[Reply]:
            conn.run(f"UPDATE tally SET count = count WHERE business_id = {books.business_id} AND kind = 'document'")
            writer = pool.submit(books.send, method.replace("FLAG", "POST"), path, late)
            while not database.write(WAITING.value):
                assert not writer.done(), writer.result()
                time.sleep(0.01)
            blocks.fold(conn, books.business_id, 1001)
            return writer

        with ThreadPoolExecutor(1) as pool:
            assert database.write(hold_up).result().status in (200, 201, 204)
        for _ in range(2):
            with database.read() as conn:
                for needle in ("Late", "Before", "Other"):
                    clause: Clauses = {"search": {"search": holding(needle)}}
                    right = walked(conn, books, needle)
                    assert searched(conn, books, clause, 30, 0) == (len(right), right), needle
                flagged = fetch(conn, "SELECT id FROM document WHERE is_flagged AND", books.business_id)
                both: Clauses = {"search": {"search": holding("e")}, "flagged": {}}
                assert searched(conn, books, both, 30, 0) == (len(flagged), [number for (number,) in flagged])
            database.write(lambda conn: blocks.fold(conn, books.business_id, 1001))


def test_a_deleted_business_leaves_no_blocks(service: World, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch, due=1)
    owner = service.user()
    books = open_books(owner)
    keeper = Keeper(books, Random(4))
    for _ in range(20):
        keeper.write()
    assert owner.send("DELETE", books.path).status == 204
    with service.database.read() as conn:
        for table in ("document", "search_block", "search_mark", "search_loose"):
            assert fetch(conn, f"SELECT * FROM {table}", books.business_id) == []


SEARCHES: dict[str, Clauses] = {
    "rare": {"search": {"search": holding("no 17x")}},
    "common": {"search": {"search": holding("rent")}},
    "short": {"search": {"search": holding("r")}},
    "called": {"search": {"search": holding("alder")}},
    "with a shape": {"search": {"search": holding("rent")}, "income": {}},
    "with days": {"search": {"search": holding("rent")}, "date_from": {"date_from": date(2026, 3, 2)}},
    "with a contact": {"search": {"search": holding("rent")}, "contact": {"contact": 1}},
}


def test_searches_read_few_rows_of_documents(sqlite_factory: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten times the documents take less than three times the steps of SQLite, on the last page as well."""
    steps: dict[str, list[int]] = {name: [] for name in SEARCHES}
    for size in (40, 400):
        with opened(sqlite_factory.fresh()) as database, world(database) as service:
            monkeypatch.setattr(blocks, "DUE", 10)
            books = open_books(service.user())
            contact = books.contact("Alder")
            for number in range(size):
                text = f"Rent no {number}x"
                books.document("2026-03-02", "1.00", description=text, contact_id=contact if number % 2 else None)
            with database.read() as conn:
                for name, clauses in SEARCHES.items():
                    count, _ = searched(conn, books, clauses, 5, 0)
                    assert count == {"rare": 1, "called": size // 2, "with a contact": size // 2}.get(name, size)
                    steps[name].append(count_steps(conn, books, clauses, count - 1))
    assert [name for name, (few, many) in steps.items() if many >= 3 * few] == []


def count_steps(conn: Connection, books: Books, clauses: Clauses, offset: int) -> int:
    """Count the steps of SQLite for a page."""
    done = [0]

    def step() -> int:
        done[0] += 1
        return 0

    conn.driver.set_progress_handler(step, 10)
    searched(conn, books, clauses, 5, offset)
    conn.driver.set_progress_handler(None, 10)
    return done[0]


def test_a_page_of_one_day_reads_the_ids_of_few_blocks(
    sqlite_factory: Factory, monkeypatch: pytest.MonkeyPatch
) -> None:
    small(monkeypatch)
    with opened(sqlite_factory.fresh()) as database, world(database) as service:
        books = open_books(service.user())
        made = [books.document("2026-03-02", "1.00", description="Rent")["id"] for _ in range(60)]
        read: list[str] = []
        integers = searches.integers

        def read_ids(text: str) -> list[int]:
            read.append(text)
            return integers(text)

        monkeypatch.setattr(searches, "integers", read_ids)
        with database.read() as conn:
            for offset in (0, 30, 55):
                read.clear()
                right = made[::-1][offset : offset + 5]
                assert searched(conn, books, {"search": {"search": holding("rent")}}, 5, offset) == (60, right)
                assert len(read) <= 3


def test_last_pages_of_what_hangs_on_many_are_near(sqlite_factory: Factory, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last page of a tag or a file takes about as many steps as the first."""
    monkeypatch.setattr(documents, "FEW", 10)
    with opened(sqlite_factory.fresh()) as database, world(database) as service:
        books = open_books(service.user())
        tag, file = books.tag("a"), books.file("b")
        for _ in range(200):
            books.document("2026-03-02", "1.00", tag_ids=[tag], attachment_ids=[file])
        with database.read() as conn:
            for clauses in ({"tags": {"tags": tag}}, {"file": {"file": file}}):
                first, last = (count_steps(conn, books, clauses, offset) for offset in (0, 195))
                assert last < 1.5 * first


def test_documents_of_a_locked_period_are_in_blocks_again(service: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A VAT period may lock most documents of a month: searches do not look for each of them where it is."""
    small(monkeypatch, due=2)
    books = open_books(service.user())
    for number in range(12):
        books.document("2026-03-02", "1.00", description=f"Rent {number}")
    (period,) = (row for row in books.get("vat_period/").body["results"] if row["start_date"] == "2026-03-01")
    for action, name in (("lock", "locked"), ("unlock", "not_locked")):
        books.act(f"vat_period/{period['id']}/action/{action}/")
        with service.database.read() as conn:
            assert len(fetch(conn, "SELECT document_id FROM search_loose", books.business_id)) < blocks.DUE
            clauses: Clauses = {"search": {"search": holding("rent")}, name: {}}
            assert searched(conn, books, clauses, 30, 0)[0] == 12
