"""What the checks of references and account numbers share."""

from __future__ import annotations


def compact(text: str) -> str:
    """Return a number as machines write it: without blanks, in capitals."""
    return "".join(text.split()).upper()


def is_digits(text: str) -> bool:
    """Whether a text is one or more of 0 to 9; other scripts have decimal digits too."""
    return text.isascii() and text.isdigit()


def mod_97(text: str) -> int:
    """Return the remainder by 97 of a text whose letters count A = 10 to Z = 35 (ISO 7064)."""
    return int("".join(str(int(letter, 36)) for letter in text)) % 97


def check_digits(country_or_rf: str, body: str) -> str:
    """Return the two digits that stand between the letters and the body of an IBAN or an RF reference."""
    return f"{98 - mod_97(f'{body}{country_or_rf}00'):02}"
