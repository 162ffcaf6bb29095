"""Verify an audit trail that was exported: python verify.py [FOLDER] [--head HASH].

Needs Python 3.8 or later and nothing else. Every record has a hash of the one before it and of itself, each day has the
hash of its last record. --head is a hash that was noted when this trail, or an earlier part of it, was exported: with
it a folder that was written anew, or cut at its end together with trail.json, shows as well; without it that cannot be
known. Nor can it be known here who made the marks of the seals: that takes the key, and `acctcli audit verify`.
Exit 0: all is as it was recorded. Exit 1: it is not, and each record that differs is named.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

WHO = ("author", "client", "via", "request_id", "operation")
COVERED = ("business_id", "number", "type", "data", "created_at", "user_id", *WHO)
RESTORED = ("business.restored", "service.restored")
# requests wait for each other: what was asked first may be recorded second
WAIT = timedelta(minutes=10)


def chained(before: str, record: dict[str, Any]) -> str:
    """Return the hash of a record."""
    parts = [before.encode()]
    for name in COVERED:
        text = b"" if record[name] is None else str(record[name]).encode()
        parts.append(b"%d:" % len(text) + text)
    return hashlib.sha256(b"".join(parts)).hexdigest()


def read(line: bytes) -> dict[str, Any]:
    """Return the record of a line; raise ValueError for anything else."""
    pairs = json.loads(line.decode("utf-8"), object_pairs_hook=list)
    if not isinstance(pairs, list) or not all(isinstance(pair, tuple) for pair in pairs):
        raise ValueError("no record")
    record = dict(pairs)
    if [name for name, _ in pairs] != [*COVERED, "hash"]:
        raise ValueError("says other things than a record does")
    # whoever made it is a text in what was recorded with a hash, and nobody before there were any
    of_trail = isinstance(record["hash"], str)
    known = {name: str if of_trail else type(None) for name in WHO}
    kinds = {"business_id": int, "number": int, "type": str, "data": str, "created_at": str, **known}
    if any(type(record[name]) is not kind for name, kind in kinds.items()):
        raise ValueError("no record")
    if not (of_trail or record["hash"] is None) or type(record["user_id"]) not in (int, type(None)):
        raise ValueError("no record")
    return record


class Trail:
    """A walk along the records of a folder; `faults` are what is wrong, `notes` what whoever reads it should know."""

    def __init__(self, facts: dict[str, Any], noted: str | None) -> None:
        self.facts = facts
        self.noted = noted
        self.last: dict[str, Any] = {}
        self.before = "0" * 64
        self.count = 0
        self.seals: dict[int, dict[str, Any]] = {}
        self.days: set[str] = set()
        self.noted_at: int | None = None
        self.faults: list[str] = []
        self.notes: list[str] = []
        for seal in facts["seals"]:
            if seal["id"] in self.seals or seal["day"] in self.days:
                self.faults.append(f"there are two seals of record {seal['id']} or of {seal['day']}")
            self.seals[seal["id"]] = seal
            self.days.add(seal["day"])

    def take(self, record: dict[str, Any]) -> None:
        """Go on by one record."""
        number, last = record["number"], self.last
        if last and number != last["number"] + 1:
            self.faults.append(f"record {number} follows record {last['number']}")
        elif not last and number != 1:
            told = f"The first record is {number}"
            if record["hash"] is not None:
                self.faults.append(f"{told.lower()}: what was before it is missing")
            self.notes.append(f"{told}: what was before it was forgotten before there was a trail, or is missing.")
        if last and record["business_id"] != last["business_id"]:
            self.faults.append(f"record {number} is of another business, {record['business_id']}")
        found = self.restored(record)
        self.look_at_days(record, is_proved=found)
        made = chained(self.before, record)
        # what was recorded without a hash comes before all that has one
        is_bare = record["hash"] is None and bool(last) and last["hash"] is not None
        if is_bare or record["hash"] not in (None, made):
            self.faults.append(f"record {number} is not what was recorded, or one before it is not")
        self.before = record["hash"] or made
        self.last, self.count = record, self.count + 1
        if self.before == self.noted:
            self.noted_at = number
        seal = self.seals.pop(number, None)
        if seal is not None and (seal["hash"], seal["day"]) != (self.before, record["created_at"][:10]):
            self.faults.append(f"record {number} is not what was sealed on {seal['day']}")

    def look_at_days(self, record: dict[str, Any], *, is_proved: bool) -> None:
        """Find the end of a day without its seal, and a clock that was set back."""
        if not self.last:
            return
        was, now = self.last["created_at"], record["created_at"]
        if was[:10] < now[:10] and record["hash"] is not None and is_proved and was[:10] not in self.days:
            self.faults.append(f"record {self.last['number']} has lost its seal of {was[:10]}")
        try:
            if moment(was) - moment(now) > WAIT:
                self.notes.append(f"Record {record['number']} says {now}, the one before it {was}: clocks differ.")
        except ValueError:
            self.notes.append(f"Record {record['number']} or the one before it says no moment.")

    def restored(self, record: dict[str, Any]) -> bool:
        """Tell what a restore found; return whether it proved what was before it."""
        if record["type"] not in RESTORED:
            return True
        said = json.loads(record["data"])
        for fault in said.get("faults", []):
            self.faults.append(f"when a backup was restored, record {fault['id']}: {fault['text']}")
        if not said.get("is_proved", True):
            self.notes.append(f"Records up to {said['last_id']} came with a backup that could not be proved.")
        return bool(said.get("is_proved", True))

    def end(self) -> None:
        """Compare the end with what the export says of it, and with what was noted."""
        for seal in self.seals.values():
            self.faults.append(f"record {seal['id']}, sealed on {seal['day']}, is missing")
        number = self.last.get("number", 0)
        if (number, self.before) != (self.facts["last_number"], self.facts["last_hash"]):
            self.faults.append(f"the trail ends with record {number}; the last was {self.facts['last_number']}")
        if self.noted is None:
            self.notes.append("Whether all of it was made anew shows only a hash noted elsewhere, with --head.")
        elif self.noted_at is None:
            self.faults.append("no record has the hash that was noted")
        elif self.noted_at != number:
            self.notes.append(f"The hash that was noted is that of record {self.noted_at}.")


def moment(text: str) -> datetime:
    """Return a moment of UTC."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ")


def verify(folder: Path, noted: str | None) -> Trail:
    """Go through a folder."""
    trail = Trail(read_facts(folder / "trail.json"), noted)
    is_as_written = True
    with (folder / "trail.jsonl").open("rb") as lines:
        for place, line in enumerate(lines, 1):
            try:
                record = read(line)
                trail.take(record)
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                told = str(error) if str(error).startswith("says") else "is no record"
                trail.faults.append(f"line {place} {told}")
                return trail
            written = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            is_as_written = is_as_written and line == written
    trail.end()
    if not is_as_written:
        trail.notes.append("The lines say what was recorded, but are not written as an export writes them.")
    return trail


def read_facts(file: Path) -> dict[str, Any]:
    """Return what an export says of itself; SystemExit when it says nothing of that kind."""
    try:
        facts = json.loads(file.read_text("utf-8"))
        kinds = [type(facts["last_number"]) is int, type(facts["last_hash"]) is str]
        kinds += [
            type(seal["id"]) is int and all(type(seal[name]) is str for name in ("day", "hash", "mark"))
            for seal in facts["seals"]
        ]
    except (ValueError, KeyError, TypeError, RecursionError):
        kinds = [False]
    if not all(kinds):
        sys.exit("trail.json is not what an export writes")
    return dict(facts)


def told(trail: Trail) -> Iterator[str]:
    """Yield what came of it."""
    if trail.last:
        whose = f"business {trail.last['business_id']}" if trail.last["business_id"] else "the service"
        records = "1 record" if trail.count == 1 else f"{trail.count} records"
        yield f"Of {whose}: {records} until {trail.last['created_at']}, the last hash is {trail.before}."
    yield from trail.faults or ["The audit trail is as it was recorded."]
    yield from trail.notes


def main(arguments: list[str]) -> int:
    """Tell what is wrong, or that nothing is."""
    noted = None
    if "--head" in arguments:
        place = arguments.index("--head")
        noted = "".join(arguments[place + 1 : place + 2])
        del arguments[place : place + 2]
    folder = Path(arguments[0]) if arguments else Path(__file__).resolve().parent
    try:
        trail = verify(folder, noted)
    except OSError as error:
        sys.exit(f"cannot read {error.filename}: {error.strerror}")
    sys.stdout.write("\n".join(told(trail)) + "\n")
    return 1 if trail.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
