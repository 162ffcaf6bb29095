"""Names for files saved here: whatever they are called elsewhere, they stay in their folder and harm nobody."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 200  # bytes; file systems take 255, and some need room for more
LONGEST_EXTENSION = 16
# what a path, a shell, a device or Windows would take for something else than a name
_STEERING = re.compile(r'[/\\:*?"<>|]')
_HIDDEN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
_DEVICES = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])", re.IGNORECASE)


class Names:
    """Gives each file a name of its own; names that some file systems take for one are one."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def claim(self, name: str, record: int) -> str:
        """Return a safe name; a second file of the same name gets its id into it."""
        wanted = safe_name(name, record)
        found, number = wanted, 1
        while found.casefold() in self._taken:
            found = _with_suffix(wanted, f"-{record}" if number == 1 else f"-{record}-{number}")
            number += 1
        self._taken.add(found.casefold())
        return found


def safe_name(name: str, record: int) -> str:
    """Return a name that is one step of a path, shown as it is, on any system; its extension stays."""
    plain = _STEERING.sub("_", unicodedata.normalize("NFC", name))
    plain = "".join(map(_visible, plain))
    plain = plain.lstrip(" .-~").rstrip(" .")
    if _DEVICES.fullmatch(plain.partition(".")[0].strip()):
        plain = f"_{plain}"
    return _with_suffix(plain or f"file-{record}", "")


def _visible(letter: str) -> str:
    kind = unicodedata.category(letter)
    return " " if kind == "Zs" else "_" if kind in _HIDDEN else letter


def _with_suffix(name: str, suffix: str) -> str:
    """Put a suffix before the extension and cut what is too long before that."""
    stem, dot, extension = name.rpartition(".")
    if not dot or not stem or len(extension.encode()) > LONGEST_EXTENSION:
        stem, dot, extension = name, "", ""
    room = LONGEST - len(f"{suffix}{dot}{extension}".encode())
    return f"{_cut(stem, room)}{suffix}{dot}{extension}"


def _cut(text: str, size: int) -> str:
    """Return the start of a text in at most so many bytes of UTF-8, whole letters only."""
    encoded = text.encode()
    return text if len(encoded) <= size else encoded[:size].decode("utf-8", "ignore").rstrip(" .")
