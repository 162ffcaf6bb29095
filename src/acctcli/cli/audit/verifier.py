"""Verify an audit trail that was exported: python verify.py [FOLDER] [--head HASH].

Needs Python 3.8 or later and nothing else. Every record has a hash of the one before it and of itself, each day has the
hash of its last record. --head is the hash that was noted when the trail was exported: with it a folder that was
written anew shows, too. Exit 0: all is as it was recorded. Exit 1: it is not, and each record that differs is named.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

COVERED = (
    "business_id", "number", "type", "data", "created_at", "user_id", "author", "client", "via", "request_id",
    "operation",
)  # fmt: skip


def chained(before: str, record: dict[str, Any]) -> str:
    """Return the hash of a record."""
    parts = [before.encode()]
    for name in COVERED:
        text = b"" if record[name] is None else str(record[name]).encode()
        parts.append(b"%d:" % len(text) + text)
    return hashlib.sha256(b"".join(parts)).hexdigest()


def faults(folder: Path, noted: str | None) -> Iterator[str]:
    """Yield what is wrong."""
    facts = json.loads((folder / "trail.json").read_text("utf-8"))
    seals = {seal["id"]: seal for seal in facts["seals"]}
    before, number = "0" * 64, 0
    for place, line in enumerate((folder / "trail.jsonl").read_text("utf-8").split("\n")[:-1], 1):
        try:
            pairs = json.loads(line, object_pairs_hook=list)
            record = dict(pairs)
            if [name for name, _ in pairs] != [*COVERED, "hash"]:
                yield f"line {place} says other things than a record does"
            made = chained(before, record)
        except (ValueError, KeyError, TypeError):
            yield f"line {place} is no record"
            return
        if number and record["number"] != number + 1:
            yield f"record {record['number']} follows record {number}"
        number, before = record["number"], made
        if record["hash"] is not None and record["hash"] != made:
            yield f"record {number} is not what was recorded, or one before it is not"
            before = record["hash"]
        seal = seals.pop(number, None)
        if seal is not None and seal["hash"] != before:
            yield f"record {number} is not what was sealed on {seal['day']}"
    for seal in seals.values():
        yield f"record {seal['id']}, sealed on {seal['day']}, is missing"
    if (number, before) != (facts["last_number"], facts["last_hash"]):
        yield f"the trail ends with record {number}; the last was {facts['last_number']}"
    if noted is not None and before != noted:
        yield "the last hash is not the one that was noted"


def main(arguments: list[str]) -> int:
    """Tell what is wrong, or that nothing is."""
    noted = None
    if "--head" in arguments:
        place = arguments.index("--head")
        noted = "".join(arguments[place + 1 : place + 2])
        del arguments[place : place + 2]
    folder = Path(arguments[0]) if arguments else Path(__file__).resolve().parent
    found = list(faults(folder, noted))
    sys.stdout.write("\n".join(found or ["The audit trail is as it was recorded."]) + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
