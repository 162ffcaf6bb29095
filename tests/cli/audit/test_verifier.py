"""The program that goes with an export: whatever is done to the folder it finds, or says that it cannot know."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from acctcli.cli.audit import verifier
from acctcli.service.store import events

Lines = list[dict[str, Any]]
NAMES = (*verifier.COVERED, "hash")


class Folder(NamedTuple):
    """An export: its records and what it says of itself."""

    records: Lines
    facts: dict[str, Any]


def record(before: str, number: int, day: int, text: str, **more: Any) -> dict[str, Any]:
    said = {
        "business_id": 3,
        "number": number,
        "type": "tag.created",
        "data": json.dumps({"id": number, "name": text}, ensure_ascii=False),
        "created_at": f"2026-03-{day:02}T10:{number:02}:00.000000Z",
        "user_id": 1,
        "author": "Änne <a@example.com>",
        "client": "teller/1",
        "via": "http",
        "request_id": f"r{number}",
        "operation": "POST create_tag",
        **more,
    }
    # hashed by the service's own code, not by that of the program
    return {**said, "hash": events.chained(before, [said[name] for name in verifier.COVERED])}


def export(business: int = 3, **of_fourth: Any) -> Folder:
    """Make an export of eight records of four days, three of them sealed."""
    records: Lines = []
    for number in range(1, 9):
        before = records[-1]["hash"] if records else events.BEGINNING
        more = {"business_id": business, **(of_fourth if number == 4 else {})}
        records.append(record(before, number, (number + 1) // 2, "café", **more))
    seals = [
        {"day": one["created_at"][:10], "id": one["number"], "hash": one["hash"], "mark": "m" * 64}
        for one in records[1:7:2]
    ]
    return Folder(records, {"last_number": 8, "last_hash": records[-1]["hash"], "seals": seals})


def write(folder: Path, made: Folder) -> None:
    lines = [json.dumps({name: one[name] for name in NAMES}, ensure_ascii=False) for one in made.records]
    (folder / "trail.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    (folder / "trail.json").write_text(json.dumps(made.facts), "utf-8")


def run(folder: Path, *argv: str) -> tuple[int, str]:
    """Run the program as an auditor does; it never ends with a traceback."""
    program = [sys.executable, "-I", "-S", verifier.__file__, str(folder), *argv]
    done = subprocess.run(program, capture_output=True, text=True, check=False, timeout=60)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout + done.stderr


def chain_anew(made: Folder) -> None:
    """Make all hashes anew, as whoever has a folder can."""
    before = events.BEGINNING
    for one in made.records:
        one["hash"] = before = events.chained(before, [one[name] for name in verifier.COVERED])
    made.facts.update(last_number=made.records[-1]["number"], last_hash=before)


def drop(place: slice) -> Callable[[Folder], None]:
    return lambda made: made.records.__delitem__(place)


def put(**values: Any) -> Callable[[Folder], None]:
    return lambda made: made.records[2].update(values)


def swap_seals(name: str) -> Callable[[Folder], None]:
    def swap(made: Folder) -> None:
        first, second, *_ = made.facts["seals"]
        first[name], second[name] = second[name], first[name]

    return swap


def renumbered(made: Folder) -> None:
    del made.records[3]
    for number, one in enumerate(made.records, 1):
        one["number"] = number


def cut_with_seals(made: Folder) -> None:
    del made.records[5:]
    del made.facts["seals"][2:]


def mixed(made: Folder) -> None:
    made.records[4:] = export(business=4).records[4:]


def bared(made: Folder) -> None:
    for one in made.records[2:]:
        one.update(dict.fromkeys((*verifier.WHO, "hash")))


ATTACKS: dict[str, tuple[Callable[[Folder], object], str]] = {
    "reordered": (lambda made: made.records.insert(2, made.records.pop(3)), "record 4 follows record 2"),
    "twice": (lambda made: made.records.insert(2, made.records[2]), "record 3 follows record 3"),
    "head cut": (drop(slice(0, 2)), "the first record is 3: what was before it is missing"),
    "tail cut": (drop(slice(6, 8)), "the trail ends with record 6; the last was 8"),
    "middle cut and renumbered": (renumbered, "record 4 is not what was recorded"),
    "tail cut with its seals": (cut_with_seals, "the trail ends with record 5; the last was 8"),
    "hashes of seals swapped": (swap_seals("hash"), "record 2 is not what was sealed on 2026-03-01"),
    "days of seals swapped": (swap_seals("day"), "record 2 is not what was sealed on 2026-03-02"),
    "a seal taken away": (lambda made: made.facts["seals"].pop(0), "record 2 has lost its seal of 2026-03-01"),
    "a seal put in": (
        lambda made: made.facts["seals"].append({**made.facts["seals"][0], "hash": "0" * 64}),
        "there are two seals of record 2",
    ),
    "two businesses mixed": (mixed, "record 5 is of another business, 4"),
    "facts of another": (lambda made: made.facts.update(export(business=4).facts), "the trail ends with record 8"),
    "another letter of the same look": (
        put(data=json.dumps({"id": 3, "name": "cafe\u0301"}, ensure_ascii=False)),
        "record 3 is not what was recorded",
    ),
    "another time zone": (put(created_at="2026-03-02T12:03:00.000000+02:00"), "record 3 is not what was recorded"),
    "a moment without zeros": (put(created_at="2026-03-02T10:03:00Z"), "record 3 is not what was recorded"),
    "user as text": (put(user_id="1"), "line 3 is no record"),
    "number as text": (put(number="3"), "line 3 is no record"),
    "number as yes": (put(number=True), "line 3 is no record"),
    "number as float": (put(number=3.0), "line 3 is no record"),
    "not a number": (put(number=float("nan")), "line 3 is no record"),
    "hash as number": (put(hash=5), "line 3 is no record"),
    "author null": (put(author=None), "line 3 is no record"),
    "data as object": (put(data={"id": 3}), "line 3 is no record"),
    "half a letter": (put(author="\ud800"), "line 3 is no record"),
    "hashes taken off": (bared, "record 3 is not what was recorded"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_what_is_done_to_an_export_is_found(tmp_path: Path, name: str) -> None:
    attack, told = ATTACKS[name]
    made = export()
    attack(made)
    if name == "half a letter":
        write(tmp_path, export())
        text = (tmp_path / "trail.jsonl").read_text("utf-8")
        (tmp_path / "trail.jsonl").write_text(
            text.replace("\u00c4nne", "\\ud800", 3).replace("\\ud800", "Änne", 2), "utf-8"
        )
    else:
        write(tmp_path, made)
    code, found = run(tmp_path)
    assert code == 1
    assert told in found


def compact(line: str) -> str:
    return json.dumps(json.loads(line), ensure_ascii=False, separators=(",", ":"))


def altered(whole: bytes, how: str) -> bytes:
    lines = whole.splitlines(keepends=True)
    third = lines[2]
    pairs = json.dumps(list(json.loads(third).items())).encode()
    changed = {
        "no end of line": b"".join(lines) + third[:-1],
        "half a line": b"".join(lines)[:-9],
        "two in a line": b"".join([*lines[:2], third[:-1] + third, *lines[3:]]),
        "a pair of arrays": b"".join([*lines[:2], pairs + b"\n", *lines[3:]]),
        "deep": b"".join([*lines[:2], b"[" * 200_000 + b"\n", *lines[3:]]),
        "huge number": b"".join([*lines[:2], third.replace(b'"number": 3', b'"number": ' + b"9" * 9000), *lines[3:]]),
        "named twice": b"".join([*lines[:2], third.replace(b"{", b'{"author": "Bert", ', 1), *lines[3:]]),
        "no UTF-8": whole.replace("Ä".encode(), b"\xc4", 1),
        "a mark of order": b"\xef\xbb\xbf" + whole,
        "empty line": b"".join([*lines[:2], b"\n", *lines[2:]]),
        "nothing": b"",
        "a billion of nothing": b"\0" * 10_000_000,
    }
    return changed[how]


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("no end of line", "record 3 follows record 8"),
        ("half a line", "line 8 is no record"),
        ("two in a line", "line 3 is no record"),
        ("a pair of arrays", "line 3 is no record"),
        ("deep", "line 3 is no record"),
        ("huge number", "line 3 is no record"),
        ("named twice", "line 3 says other things than a record does"),
        ("no UTF-8", "line 1 is no record"),
        ("a mark of order", "line 1 is no record"),
        ("empty line", "line 3 is no record"),
        ("nothing", "the trail ends with record 0; the last was 8"),
        ("a billion of nothing", "line 1 is no record"),
    ],
)
def test_what_is_no_export_is_told(tmp_path: Path, how: str, told: str) -> None:
    write(tmp_path, export())
    file = tmp_path / "trail.jsonl"
    file.write_bytes(altered(file.read_bytes(), how))
    code, found = run(tmp_path)
    assert code == 1
    assert told in found


@pytest.mark.parametrize(
    "facts",
    [b"", b"{}", b"[" * 200_000, b'{"last_number":"8","last_hash":"","seals":[]}', b'{"seals":{"a":1}}', b"\xff"],
)
def test_facts_that_are_none_are_told(tmp_path: Path, facts: bytes) -> None:
    write(tmp_path, export())
    (tmp_path / "trail.json").write_bytes(facts)
    assert run(tmp_path) == (1, "trail.json is not what an export writes\n")
    (tmp_path / "trail.json").unlink()
    code, told = run(tmp_path)
    assert (code, told.startswith("cannot read ")) == (1, True)


def test_the_same_written_in_another_way_is_said(tmp_path: Path) -> None:
    made = export()
    write(tmp_path, made)
    file = tmp_path / "trail.jsonl"
    text = "".join(f"{compact(line)}\n" for line in file.read_text("utf-8").splitlines())
    said = "The lines say what was recorded, but are not written as an export writes them."
    for written, is_as_usual in (
        (text, True),
        (text.replace("\n", "\r\n"), False),
        (text.replace("é", "\\u00e9"), False),
    ):
        file.write_bytes(written.encode())
        code, told = run(tmp_path, "--head", made.facts["last_hash"])
        assert (code, said in told) == (0, not is_as_usual)


def test_what_cannot_be_known_is_said(tmp_path: Path) -> None:
    whole = export()
    noted = whole.facts["last_hash"]
    for attack in (renumbered, cut_with_seals, lambda made: made.records[2].update(author="Bert")):
        made = export()
        attack(made)
        made.facts["seals"].clear()
        for one in made.records:
            one["created_at"] = f"2026-03-01T10:{one['number']:02}:00.000000Z"
        chain_anew(made)
        write(tmp_path, made)
        code, told = run(tmp_path)
        assert (code, "Whether all of it was made anew shows only a hash noted elsewhere, with --head." in told) == (
            0,
            True,
        )
        code, told = run(tmp_path, "--head", noted)
        assert (code, "no record has the hash that was noted" in told) == (1, True)


def test_a_hash_that_was_noted_earlier_stands_for_all_until_then(tmp_path: Path) -> None:
    made = export()
    write(tmp_path, made)
    code, told = run(tmp_path, "--head", made.records[4]["hash"])
    assert (code, "The hash that was noted is that of record 5." in told) == (0, True)


def test_a_clock_that_went_back_and_what_a_restore_found_are_told(tmp_path: Path) -> None:
    found = {"id": 3, "last_id": 3, "is_proved": False, "faults": [{"id": 2, "text": "it was changed"}]}
    write(tmp_path, export(type="business.restored", data=json.dumps(found)))
    code, told = run(tmp_path)
    assert (code, "when a backup was restored, record 2: it was changed" in told) == (1, True)
    assert "Records up to 3 came with a backup that could not be proved." in told
    write(tmp_path, export(created_at="2026-02-27T10:00:00.000000Z"))
    _, told = run(tmp_path)
    assert "Record 4 says 2026-02-27T10:00:00.000000Z, the one before it 2026-03-02T10:03:00.000000Z" in told


def test_what_was_recorded_before_there_was_a_trail_needs_no_hash(tmp_path: Path) -> None:
    made = export()
    before = events.BEGINNING
    for one in made.records[:4]:
        one.update(dict.fromkeys((*verifier.WHO, "user_id", "hash")))
    for one in made.records:
        before = events.chained(before, [one[name] for name in verifier.COVERED])
        one["hash"] = one["hash"] and before
    seals = [{**made.facts["seals"][2], "hash": made.records[5]["hash"]}]
    made.facts.update(last_hash=before, seals=seals)
    write(tmp_path, made)
    code, told = run(tmp_path, "--head", before)
    assert code == 1
    assert "record 4 has lost its seal of 2026-03-02" in told  # of the last that nobody sealed
