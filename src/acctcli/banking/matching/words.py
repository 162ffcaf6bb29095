"""What the texts of a statement say: words, numbers, references and names, as they are compared (docs/bank.md 6)."""

from __future__ import annotations

import re
import unicodedata

from acctcli.banking.checks import compact
from acctcli.banking.references import check_any_reference, check_creditor_reference
from acctcli.banking.statements.model import plain_reference

# letters that do not come apart into a letter and a mark
_LETTERS = str.maketrans({"æ": "ae", "ø": "o", "đ": "d", "ł": "l", "œ": "oe"})
# how banks write umlauts that their formats have no letters for
_SPELLED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_WORD = re.compile(r"[^\W_]+")
_TOKEN = re.compile(r"[0-9A-Z](?:[0-9A-Z/\-.]*[0-9A-Z])?")
_BEHIND_LETTERS = re.compile(r"[A-Z]+[/\-.]?([0-9]+)")
_NUMBER_SIGN = r"[ .:#\-]*(?:(?:NRO|NR|NO|N:O|NUMMER|NUMBER|NUMERO)\b)?[ .:#]*"
# words that stand before the number of an invoice, or before a reference, in the languages of the countries
_INVOICES = re.compile(
    r"\b(?:INVOICES?|INV|LASKU(?:T|NUMERO|NRO)?|FAKTUR(?:A|OR|ANUMMER|ANR)?|RECHNUNG(?:EN|SNUMMER|SNR)?|RNR|RE|RG|"
    rf"CREDIT NOTES?|HYVITYSLASKU|KREDITFAKTURA|GUTSCHRIFT)\b{_NUMBER_SIGN}"
    r"((?:[0-9A-Z/\-.]*[0-9][0-9A-Z/\-.]*(?:[ ,;&+]+(?:(?:UND|AND|JA|OCH|SEK[ÄA]) )?)?)+)"
)
_REFERENCE = re.compile(
    rf"\b(?:VIITE(?:NUMERO|NRO)?|REFERENCE|REFERENS(?:NUMMER|NR)?|REFERENZ|REF)\b{_NUMBER_SIGN}"
    r"([0-9]{1,5}(?: [0-9]{5})*|[0-9]{4,20})\b"
)
_RF = re.compile(r"\bRF[0-9]{2}(?: ?[0-9A-Z]{1,4}){1,6}\b")
# a number of so many digits stands in a text by accident seldom enough
LONG = 6
# names of so many letters may have been cut off: fields of MT940, two of them, of TITO, and of SEPA
_CUT_OFF = {27, 35, 54, 70}


def folded(text: str) -> str:
    """Return the words of a text without capitals, marks and signs, a blank between them."""
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS))
    bare = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return " ".join(_WORD.findall(bare))


def spellings(name: str) -> set[str]:
    """Return a name folded, and as banks write it that have no umlauts: Müller is Muller, and Mueller, too."""
    return {folded(name), folded(unicodedata.normalize("NFC", name.casefold()).translate(_SPELLED))}


def says_words(text: str, words: str) -> bool:
    """Whether folded words stand in a folded text, each of them whole."""
    return f" {words} " in f" {text} "


def sorted_words(name: str) -> str:
    """Return the words of a folded name in the order of letters: banks put family names first, or last."""
    return " ".join(sorted(name.split()))


def may_be_cut(written: str) -> bool:
    """Whether a name has one of the lengths at which banks cut names off."""
    return len(written.strip()) in _CUT_OFF


def reference_key(written: str | None) -> str:
    """Return a reference as it is compared, the RF form of a Finnish one as that; empty where its check is wrong."""
    if not written or not written.strip():
        return ""
    try:
        return _bare(check_any_reference(compact(written)))
    except ValueError:
        return ""


def references_in(structured: str, text: str) -> frozenset[str]:
    """Return the references with good check digits that a line has: in its own field, else in its text.

    In a text a Finnish one has the word for it before it: every tenth number has the right check digit.
    """
    if own := reference_key(structured):
        return frozenset({own})
    upper = text.upper()
    found = {key for match in _REFERENCE.findall(upper) if (key := reference_key(match))}
    return frozenset(found.union(*map(_rf_in, _RF.findall(upper))))


def _rf_in(text: str) -> set[str]:
    """Return the reference that some words in a row make, whichever words behind it belong to it."""
    words = text.split()
    for last in range(len(words), 0, -1):
        try:
            return {_bare(check_creditor_reference("".join(words[:last])))}
        except ValueError:
            continue
    return set()


def _bare(reference: str) -> str:
    """Return the Finnish reference within an RF reference, if it is one."""
    if not reference.startswith("RF"):
        return reference
    try:
        return check_any_reference(reference[4:])
    except ValueError:
        return reference


def number_key(written: str) -> str:
    """Return the number of an invoice as it is compared."""
    return plain_reference(written)


def numbers_in(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the numbers that a text calls those of invoices, and all that it has, as they are compared."""
    upper = text.upper()
    called = set[str]().union(*(_numbers(match) for match in _INVOICES.findall(upper)))
    return frozenset(called), frozenset(called | _numbers(upper))


def _numbers(text: str) -> set[str]:
    tokens = [token for token in _TOKEN.findall(text) if any(letter.isdigit() for letter in token)]
    behind = [match[1] for token in tokens if (match := _BEHIND_LETTERS.fullmatch(token))]
    return {number_key(token) for token in (*tokens, *behind)}


def is_long(number: str) -> bool:
    """Whether a number has so many digits that it hardly stands in a text by accident."""
    return sum(letter.isdigit() for letter in number) >= LONG
