"""The profiles that come with the program."""

from __future__ import annotations

import tomllib
from pathlib import Path

import acctcli
from acctcli.banking.statements.profile import Profile, read_profile

FOLDER = Path(acctcli.__file__).parent / "cli" / "bank" / "profiles"


def shipped() -> dict[str, Profile]:
    return {path.stem: read_profile(tomllib.loads(path.read_text())) for path in sorted(FOLDER.glob("*.toml"))}
