"""The secrets that this process knows, and what they look like where somebody sends them back."""

from __future__ import annotations

import os
import re
import sys
from binascii import b2a_base64
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from urllib.parse import quote, unquote, unquote_to_bytes

# parts of a secret count from so many letters and digits on: of itself, of its base64 and of its hexadecimal digits
_PLAIN, _BASE64, _HEX = 8, 9, 14
# and from so many on where they are neither a word nor a number
SHORT = 6
# shorter ones are words that mean something else inside of another word
_SHORTEST_PART = 4
# patterns are texts, which `re` compiles when it meets them first: most commands meet two
_LETTERS = "[A-Za-z0-9]+"
_ESCAPED_BLANK = r"\\[bfnrtv]"
_TOKENS = r"ACCTCLI_(?:\w+_)?TOKEN"
_VALUES = rf"{_TOKENS}|ACCTCLI_SMTP_PASSWORD|PGPASSWORD"
# words that stay on this machine: no server knows a part of them, and each may mean something in a message
_PASSPHRASES = "ACCTCLI_(?:BACKUP_)?PASSPHRASE"
_PROXIES = "(?i:https?|all)_(?i:proxy)"
_ADDRESSES = rf"ACCTCLI_(?:DATABASE|SMTP)_URL|{_PROXIES}"
# what names of secrets have in them
NAMES = "token|secret|password"
_WRITE_ONLY = f"(?i){NAMES}"
_NAMED = rf'(?i)"[^"\\]{{0,99}}(?:{NAMES})[^"\\]{{0,99}}"\s*:\s*("(?:[^"\\]|\\.)*")'.encode()
_IN_QUERY = r"(?i)password=([^&#\s]*)"
# what tokens, codes and secrets of the service look like, and JWTs, also where the end is missing
OWN_LOOK = r"(?i)(?<![a-z0-9])((?:acct_(?:pat|ses|code|ref|oat|sec)|whsec)_[\w.~+/=-]{8,})"
JWT_LOOK = r"(?<![A-Za-z0-9])(eyJ[\w-]{8,}(?:\.[\w-]*){0,2})"
_WHOLE = r"acct_(?:pat|ses|code|ref|oat|sec)_[\w.-]{32}|(?<![A-Za-z0-9])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}"
# a reply that is looked through for every spelling of the token, in bytes at most
SMALL = 64 * 1024
_LEVELS = 5
_OTHERS = bytes(byte for byte in range(256) if not chr(byte).isalnum() or byte > 127)
_LOWER = bytes(range(256)).lower()

_told: set[str] = set()


def know(secret: str | None) -> None:
    """Remember a secret for as long as the process lives, so that nothing that is shown holds it."""
    if secret:
        _told.add(secret)


def is_secret(field: str) -> bool:
    """Tell whether a field is named like one that holds a secret."""
    return re.search(_WRITE_ONLY, field) is not None


def know_fields(body: bytes) -> dict[str, str]:
    """Remember what a JSON body holds in fields that are named like secrets, and return those of the body itself.

    What its other fields say as well is no secret.
    """
    if not (values := re.findall(_NAMED, body)):
        return {}
    import json

    for value in values:
        know(json.loads(value, strict=False))
    fields = json.loads(body)
    own = {name: fields[name] for name in fields if is_secret(name)} if isinstance(fields, dict) else {}
    others = json.dumps([fields[name] for name in fields if name not in own]).encode()
    return {name: value for name, value in own.items() if isinstance(value, str) and not is_sent_back(value, others)}


def are_sent_back(fields: Mapping[str, str], body: bytes) -> bool:
    """Tell whether a reply holds what was sent in such fields: a short one in its field, any other anywhere."""
    import json

    try:
        shown = json.loads(body)
    except ValueError:
        shown = None
    own = shown if isinstance(shown, dict) else {}
    return any(own.get(name) == value or is_sent_back(value, body) for name, value in fields.items() if value)


def token_among(words: Sequence[str]) -> str | None:
    """Return the variable whose token is part of a word, "" for what looks like one; None when no word holds one."""
    tokens = {name: value for name, value in os.environ.items() if value and re.fullmatch(_TOKENS, name)}
    named = next((name for name, value in tokens.items() if any(value in word for word in words)), None)
    return "" if named is None and any(re.search(_WHOLE, word) for word in words) else named


def is_sent_back(token: str, body: bytes) -> bool:
    """Tell whether a body holds a token, in whatever spelling; in a large one as it is, and in base64 at both ends.

    To search every page for every spelling costs an export a seventh of its speed. Who sends headers back does so
    around the rows.
    """
    if len(body) > SMALL:
        ends = (body[:SMALL], body[-SMALL:])
        return token.encode() in body or any(coded in end for coded in _coded(token) for end in ends)
    spellings = _whole(token)
    return any(spelling in letters for letters in _letters(body) for spelling in spellings)


def needles() -> Needles:
    """Return what to look for: of the secrets told, and of those that stand in variables."""
    passphrases = {value for name, value in os.environ.items() if value and re.fullmatch(_PASSPHRASES, name)}
    return _needles(frozenset({*_told, *_in_variables()}), frozenset(passphrases))


class Needles:
    """Pieces of secrets, and of others the whole: a word of a passphrase is no secret.

    `pieces` are by their length, of lower-case letters and digits alone: whatever else stands between them in a text
    does not count. `mixed` are shorter ones that nobody writes by chance (`_is_mixed`). `words` finds secrets that have
    too few of these, as they are.
    """

    def __init__(self, secrets: frozenset[str], wholes: frozenset[str]) -> None:
        self.pieces: dict[int, set[str]] = {}
        self.mixed: set[str] = set()
        words: list[str] = []
        sizes = ((secret, secret in secrets) for secret in secrets | wholes)
        for secret, parts in sizes:
            plain, base64, hexadecimal = (_PLAIN, _BASE64, _HEX) if parts else (sys.maxsize,) * 3
            # also as it is read where its strokes are taken for escapes
            self._add(re.sub(_ESCAPED_BLANK, "", secret), plain)
            if not self._add(secret, plain):
                words.extend(_spellings(secret))
            elif parts:
                self._add_mixed(secret)
            for coded in _base64(secret.encode()):
                self._add(coded, base64)
            self._add(secret.encode().hex(), hexadecimal)
        self.words = re.compile("|".join(words), re.IGNORECASE) if words else None

    def _add(self, secret: str, size: int) -> bool:
        """Add all pieces of `size`, or the whole if it is shorter; tell whether it was long enough."""
        letters, _ = joined(secret)
        if len(letters) < _PLAIN:
            return False
        size = min(size, len(letters))
        self.pieces.setdefault(size, set()).update(
            letters[start : start + size] for start in range(len(letters) - size + 1)
        )
        return True

    def _add_mixed(self, secret: str) -> None:
        letters, _ = as_written(secret)
        pieces = [letters[start : start + SHORT] for start in range(len(letters) - SHORT + 1)]
        self.mixed.update(piece if piece.isalpha() else piece.lower() for piece in pieces if _is_mixed(piece))

    def short_in(self, letters: str) -> Iterator[int]:
        """Yield where short pieces begin in letters and digits as they were written."""
        for start in range(len(letters) - SHORT + 1 if self.mixed else 0):
            piece = letters[start : start + SHORT]
            if piece in self.mixed or piece.lower() in self.mixed:
                yield start


def _is_mixed(piece: str) -> bool:
    """Tell whether this is neither a word nor a number: digits among letters, or small letters and capitals."""
    if piece.isalpha():
        return not (piece.isupper() or piece[1:].islower())
    return not piece.isdigit()


_needles = lru_cache(maxsize=4)(Needles)


def joined(text: str) -> tuple[str, list[int]]:
    """Return the letters and digits of a text in lower case, and where each stands."""
    letters, places = as_written(text)
    return letters.lower(), places


def as_written(text: str) -> tuple[str, list[int]]:
    """Return the letters and digits of a text, and where each stands."""
    places: list[int] = []
    found: list[str] = []
    for match in re.finditer(_LETTERS, text):
        found.append(match[0])
        places.extend(range(match.start(), match.end()))
    return "".join(found), places


def _base64(secret: bytes) -> Iterator[str]:
    """Yield what is always the same of a secret's base64, wherever in a text the secret begins."""
    for before, unsure in ((0, 0), (1, 2), (2, 3)):
        sure = (before + len(secret)) * 8 // 6
        yield b2a_base64(bytes(before) + secret, newline=False).decode()[unsure:sure]


@lru_cache(maxsize=4)
def _coded(token: str) -> tuple[bytes, ...]:
    """Return what is always the same of a token's base64, as it is."""
    return tuple(coded.encode() for coded in _base64(token.encode()) if len(coded) >= _PLAIN)


@lru_cache(maxsize=4)
def _whole(token: str) -> tuple[bytes, ...]:
    """Return the letters and digits of a token, of its base64 and of its hexadecimal digits."""
    coded = (token, *_base64(token.encode()), token.encode().hex())
    return tuple(letters.encode() for one in coded if len(letters := joined(one)[0]) >= _PLAIN)


# those that Python knows, and the backslash of any other, which it warns of
_ESCAPES = re.compile(rb"(\\[\\'\"abfnrtv0-7xuUN\n])|\\")


def _letters(body: bytes) -> Iterator[bytes]:
    """Yield the letters and digits of a body, as it is and without escapes, which may stand one in another."""
    for _ in range(_LEVELS):
        yield body.translate(_LOWER, _OTHERS)
        if b"\\" in body:
            body = _ESCAPES.sub(rb"\1", body).decode("unicode_escape", "ignore").encode("ascii", "ignore")
        elif b"%" in body:
            body = unquote_to_bytes(body).replace(b"%", b"")
        elif b"&" in body:
            from html import unescape

            body = unescape(body.decode("ascii", "ignore")).encode("ascii", "ignore")
        else:
            return


def _spellings(secret: str) -> Iterator[str]:
    for spelling in dict.fromkeys((secret, quote(secret, safe=""))):
        pattern = re.escape(spelling)
        yield pattern if len(secret) >= _SHORTEST_PART else rf"(?<!\w){pattern}(?!\w)"


def _in_variables() -> Iterator[str]:
    for name, value in os.environ.items():
        if re.fullmatch(_VALUES, name) and value:
            yield value
        elif re.fullmatch(_ADDRESSES, name):
            user, _, password = value.rpartition("@")[0].rpartition("://")[2].partition(":")
            # a proxy that is given one word takes it for a token
            alone = "" if password or not re.fullmatch(_PROXIES, name) else user
            for word in (password, alone, *re.findall(_IN_QUERY, value)):
                yield from filter(None, (word, unquote(word)))
