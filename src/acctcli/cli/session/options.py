"""The values of the options that many commands share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Options:
    """The values of the shared options; a command that lacks one has its default."""

    env: str | None = None
    business: str | None = None
    timeout: float | None = None
    ca_file: Path | None = None
    verbose: bool = False
    debug: bool = False
    quiet: bool = False
    output: str | None = None
    json: bool = False
    columns: str | None = None
    jq: str | None = None
    output_file: Path | None = None
    raw_csv: bool = False
    limit: int | None = None
    all: bool = False
    page_size: int | None = None
    since: Path | None = None
    file: str | None = None
    set: tuple[str, ...] = ()
    idempotency_key: str | None = None
    dry_run: bool = False
    yes: bool = False
    scoped: bool = False
