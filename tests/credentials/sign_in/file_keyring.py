"""A keyring in a file, for processes: it is trusted where a test names it, and replaced in one step."""

from __future__ import annotations

import json
import os
from pathlib import Path

from keyring.backend import KeyringBackend


class Keyring(KeyringBackend):
    """Keeps entries in the file that FILE_KEYRING names."""

    priority = 1.0

    def get_password(self, service: str, username: str) -> str | None:
        return self._read().get(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        self._write({**self._read(), f"{service} {username}": password})

    def delete_password(self, service: str, username: str) -> None:
        self._write({name: value for name, value in self._read().items() if name != f"{service} {username}"})

    def _read(self) -> dict[str, str]:
        path = Path(os.environ["FILE_KEYRING"])
        entries: dict[str, str] = json.loads(path.read_bytes()) if path.exists() else {}
        return entries

    def _write(self, entries: dict[str, str]) -> None:
        path = Path(os.environ["FILE_KEYRING"])
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.write_text(json.dumps(entries))
        checkpoint("half kept")
        draft.replace(path)


def checkpoint(name: str) -> None:
    """End this process without a word when it comes to the point that KILL_AT names, the KILL_TIME-th time."""
    if os.environ.get("KILL_AT") == name:
        left = int(os.environ.get("KILL_TIME", "1")) - 1
        os.environ["KILL_TIME"] = str(left)
        if left == 0:
            os.kill(os.getpid(), 9)
