import getpass
import io
import os
import pty
import sys
import warnings

import pytest

from acctcli.credentials.prompt import read_file_passphrase, read_hidden, read_piped
from acctcli.errors import UsageError
from tests.credentials.terminal import run_on_terminal


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


AROUND = [("", ""), ("", "\n"), ("", "\r\n"), ("\n\n", "\n\n"), ("  ", " \t"), ("\u00a0", "\u00a0\n")]


@pytest.mark.parametrize(("before", "after"), AROUND)
@pytest.mark.parametrize("token", ["0123456789", "x" * 16384])
def test_a_piped_token_loses_what_stands_around_it(token: str, before: str, after: str) -> None:
    assert read_piped(io.BytesIO(f"{before}{token}{after}".encode())) == token


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "No token was given on standard input"),
        (b"\n", "No token was given on standard input"),
        (b" \n ", "No token was given on standard input"),
        (b"0123456789\n0123456789\n", "it holds a blank or a line break; give the token alone"),
        (b"Token 0123456789", "it holds a blank or a line break; give the token alone"),
        (b"\xef\xbb\xbf0123456789", "beyond ASCII"),
        (b"x" * 16384 + b" " * 20_000, "it is longer than 16384 characters"),
        (b"x" * 100_000, "it is longer than 16384 characters"),
        (b"x" * 16384 + b"\n\ny", "it is longer than 16384 characters"),
        (b"short", "it is shorter than 8 characters"),
    ],
)
def test_what_is_no_token_is_refused(content: bytes, why: str) -> None:
    with pytest.raises(UsageError, match=why) as caught:
        read_piped(io.BytesIO(content))
    assert "0123456789" not in caught.value.message


def test_a_terminal_is_not_read_as_a_pipe() -> None:
    _, handle = pty.openpty()
    with os.fdopen(handle, "rb") as terminal, pytest.raises(UsageError, match="from a pipe or file"):
        read_piped(terminal)


def test_a_typed_token_is_hidden() -> None:
    code = """
from acctcli.credentials.prompt import read_hidden
print(read_hidden("testing") == "0123456789")
"""
    prompt = b"Token for testing (not shown): "
    for typed in (b"0123456789\n", b" \t0123456789  \n"):
        assert run_on_terminal(code, prompt=prompt, typed=typed) == (0, prompt + b"\r\nTrue\r\n")


def test_without_a_terminal_nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("0123456789\n"))
    with pytest.raises(UsageError, match="can only be typed on a terminal") as caught:
        read_hidden("testing")
    assert caught.value.hint == "acctcli auth login --with-token < FILE"


def test_a_terminal_that_would_show_the_token_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def show(prompt: str) -> str:
        warnings.warn("Can not control echo on the terminal.", getpass.GetPassWarning, stacklevel=1)
        return "0123456789"

    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(getpass, "getpass", show)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as most programs take them
        with pytest.raises(UsageError, match="This terminal would show the token"):
            read_hidden("testing")


@pytest.mark.parametrize(
    ("typed", "why"), [(None, "No token was given"), (" ", "No token was given"), ("a b c d e", "a blank")]
)
def test_what_is_typed_is_checked(monkeypatch: pytest.MonkeyPatch, typed: str | None, why: str) -> None:
    def answer(prompt: str) -> str:
        if typed is None:
            raise EOFError
        return typed

    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(getpass, "getpass", answer)
    with pytest.raises(UsageError, match=why):
        read_hidden("testing")


@pytest.mark.parametrize(("is_new", "asked"), [(True, 2), (False, 1)])
def test_the_passphrase_of_a_new_file_is_typed_twice(monkeypatch: pytest.MonkeyPatch, is_new: bool, asked: int) -> None:
    prompts = list[str]()

    def answer(prompt: str) -> str:
        prompts.append(prompt)
        return "open sesame"

    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(getpass, "getpass", answer)
    assert read_file_passphrase({}, is_new=is_new) == "open sesame"
    assert prompts == ["Passphrase of the file of tokens (not shown): ", "Once more: "][:asked]


def test_two_different_ones_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(["open sesame", "open simsim"])
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(getpass, "getpass", lambda prompt: next(typed))
    with pytest.raises(UsageError, match="These were two different passphrases; nothing was changed"):
        read_file_passphrase({}, is_new=True)
