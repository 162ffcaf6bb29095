"""Forty secrets that may be seen nowhere, and how to see them whatever somebody made of them.

What finds them here shares nothing with what hides them: it undoes escapes one kind at a time, and looks for any eight
letters of a secret in a row, any twelve of its base64, any eighteen of its hexadecimal digits; for five where a text
was cut off behind them.
"""

from __future__ import annotations

import base64
import html
import json
import random
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import quote, unquote

NUMBER = 40
# what is sent and of other environments; of addresses and servers; typed on this machine; kept of a sign-in
_ENVIRONMENTS, _VARIABLES, _PASSPHRASES, _KEPT = 14, 21, 23, 27
_CUT = 5
_LARGE = 64 * 1024
_SIGNS = "-_.~+/=!&<\"'%@:"


class Canaries:
    """The secrets, and the variables and files of a user who has them all."""

    def __init__(self, chance: random.Random, *others: str) -> None:
        self.all = [*(_secret(chance) for _ in range(NUMBER)), *others]
        # some are of the forms that the service's own have
        self.all[1:4] = [".".join((f"eyJ{_plain(chance)}", _plain(chance), _plain(chance))) for _ in range(3)]
        self.all[4:6] = [f"{begin}{_plain(chance)}" for begin in ("acct_pat_", "acct_oat_1.")]
        self._pieces: dict[str, str] = {}
        for secret in self.all:
            self._pieces.update(dict.fromkeys(_pieces(secret), secret))
        self._ends = {piece: secret for secret in self.all for piece in _windows(_letters(_own(secret)), _CUT)}
        self._lengths = sorted({len(piece) for piece in self._pieces})

    @property
    def token(self) -> str:
        """The one that is sent."""
        return self.all[0]

    def variables(self) -> dict[str, str]:
        """The token of the environment `testing`, those of others, and passwords of everything."""
        database, smtp, password, mail, *proxies = map(_quoted, self.all[_ENVIRONMENTS:_VARIABLES])
        users = [f"me:{one}" for one in proxies[:-1]] + proxies[-1:]
        passphrases = self.all[_VARIABLES:_PASSPHRASES]
        return {
            "ACCTCLI_TOKEN": self.token,
            **{f"ACCTCLI_E{number}_TOKEN": self.all[number] for number in range(1, _ENVIRONMENTS)},
            "ACCTCLI_DATABASE_URL": f"postgresql://acct:{database}@db.example/books",
            "ACCTCLI_SMTP_URL": f"smtps://acct:{smtp}@mail.example",
            "ACCTCLI_SMTP_PASSWORD": unquote(mail),
            "PGPASSWORD": unquote(password),
            **{name: f"http://{user}@proxy.example:1" for name, user in zip(PROXIES, users, strict=True)},
            **dict(zip(("ACCTCLI_PASSPHRASE", "ACCTCLI_BACKUP_PASSPHRASE"), passphrases, strict=True)),
        }

    def held(self) -> list[str]:
        """Those of the variables that some server may know."""
        return self.all[:_VARIABLES]

    def kept(self) -> list[str]:
        """Those of a sign-in: access token, refresh token, client secret, and a JWT of one business."""
        return self.all[_PASSPHRASES:_KEPT]

    def typed(self) -> list[str]:
        """Those that come from files and pipes: passwords of webhooks and people, and tokens to sign in with."""
        return self.all[_KEPT:NUMBER]

    def seen_in(self, text: str) -> set[str]:
        """Return the secrets of which a part can be read out of a text."""
        found: set[str] = set()
        for letters in map(_letters, _readings(text)):
            for length in self._lengths:
                for start in range(len(letters) - length + 1):
                    found.update(filter(None, [self._pieces.get(letters[start : start + length])]))
        for mark in re.finditer("\u2026", text):
            last = text[max(0, mark.start() - 2 * _CUT) : mark.start()].rpartition(" ")[2]
            found.update(filter(None, [self._ends.get(_letters(last)[-_CUT:])]))
        return found

    def seen_below(self, folder: Path) -> dict[str, set[str]]:
        """Return the files that hold a part of a secret, or are named by one."""
        paths = [path for path in folder.rglob("*") if path.is_file()]
        seen = {str(path): self.seen_in(path.name) | self.seen_in_bytes(path.read_bytes()) for path in paths}
        return {name: secrets for name, secrets in seen.items() if secrets}

    def seen_in_bytes(self, content: bytes) -> set[str]:
        """Return the secrets that can be read out of a file; of a large one, those of which half stands there."""
        if len(content) <= _LARGE:
            return self.seen_in(content.decode("latin-1"))
        content = content.lower()
        return {secret for secret in self.all if any(half in content for half in _halves(secret))}


PROXIES = ("http_proxy", "HTTPS_PROXY", "ALL_PROXY")


def _plain(chance: random.Random) -> str:
    return "".join(chance.choices(string.ascii_letters + string.digits, k=24))


def _secret(chance: random.Random) -> str:
    letters = chance.choices(string.ascii_letters + string.digits, k=chance.randint(14, 48))
    for _ in range(chance.randint(0, 4)):
        letters.insert(chance.randint(1, len(letters)), chance.choice(_SIGNS))
    return "".join(letters)


def _quoted(secret: str) -> str:
    return "".join(letter if letter.isalnum() else f"%{ord(letter):02X}" for letter in secret)


def _own(secret: str) -> str:
    """Return a secret without the beginning that all of its kind have."""
    return re.sub(r"^(?:acct_[a-z]+_(?:\d+\.)?|whsec_)", "", secret)


@cache
def _halves(secret: str) -> frozenset[bytes]:
    """Return the halves of a secret, as it is and in every code, in lower case."""
    plain = _own(secret).encode()
    coded = [base64.b64encode(bytes(before) + plain)[4 if before else 0 : -4] for before in range(3)]
    coded += [one.replace(b"+", b"-").replace(b"/", b"_") for one in coded]
    texts = (quote(plain), json.dumps(plain.decode())[1:-1], html.escape(plain.decode()), plain.hex())
    whole = {one.lower() for one in (plain, *coded, *(text.encode() for text in texts))}
    return frozenset(half for one in whole for half in (one[: len(one) // 2], one[len(one) // 2 :]))


def _pieces(secret: str) -> Iterator[str]:
    secret = _own(secret)
    yield from _windows(_letters(secret), 8)
    for before in range(3):
        coded = base64.b64encode(bytes(before) + secret.encode()).decode()
        yield from _windows(_letters(coded[4 if before else 0 : (before + len(secret)) * 4 // 3]), 12)
    yield from _windows(secret.encode().hex(), 18)


def _windows(text: str, length: int) -> Iterator[str]:
    return (text[start : start + length] for start in range(len(text) - length + 1))


def _letters(text: str) -> str:
    return re.sub("[^a-z0-9]", "", text.lower())


def _readings(text: str) -> Iterator[str]:
    """Yield the text as it is, and with one and two kinds of escapes undone."""
    once = {undone for undo in _UNDO if (undone := undo(text)) != text}
    twice = {undo(one) for one in once for undo in _UNDO}
    return iter({text, *once, *twice})


_UNDO = (
    unquote,
    html.unescape,
    lambda text: re.sub(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})", lambda one: chr(int(one[1] or one[2], 16)), text),
    lambda text: re.sub(r"\\([nrt])", " ", text).replace("\\\\", "\\"),
    lambda text: re.sub(r"</?[a-z]+>", "", text),
)
