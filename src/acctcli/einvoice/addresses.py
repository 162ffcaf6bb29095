"""Electronic addresses that Peppol takes: the schemes of its list, and the check digits of some (docs/law.md 7.7)."""

from __future__ import annotations

import re
from importlib import import_module
from typing import NamedTuple

# of the list of electronic address schemes (PEPPOL-EN16931-CL008); mailboxes (EM) are none of them
_LISTED = """
    0002 0007 0009 0037 0060 0088 0096 0097 0106 0130 0135 0142 0147 0151 0154 0158 0170 0177 0183 0184 0188 0190
    0191 0192 0193 0194 0195 0196 0198 0199 0200 0201 0202 0203 0204 0205 0208 0209 0210 0211 0212 0213 0215 0216 0217
    0218 0221 0225 0230 0235 0240 9910 9913 9914 9915 9918 9919 9920 9922 9923 9924 9925 9926 9927 9928 9929 9930 9931
    9932 9933 9934 9935 9936 9937 9938 9939 9940 9941 9942 9943 9944 9945 9946 9947 9948 9949 9950 9951 9952 9953 9957
    9959
"""
SCHEMES = frozenset(_LISTED.split())


class _Form(NamedTuple):
    """How the numbers of a scheme are called and look, and the module that knows their check digits."""

    name: str
    pattern: re.Pattern[str]
    module: str | None


def check_address(scheme: str, value: str) -> None:
    """Raise ValueError, saying why, for a scheme that Peppol does not list and for a number that cannot be right."""
    if scheme not in SCHEMES:
        raise ValueError(f"{scheme} is no scheme of Peppol, such as 0216 of Finnish OVT codes (PEPPOL-EN16931-CL008)")
    form = _FORMS.get(scheme)
    if form is not None and not _is_right(form, value):
        raise ValueError(f"{value} is no {form.name}: a digit is wrong, or one too many or too few")


def _is_right(form: _Form, value: str) -> bool:
    if not form.pattern.fullmatch(value):
        return False
    return form.module is None or bool(import_module(f"stdnum.{form.module}").is_valid(value))


def _form(name: str, pattern: str, module: str | None = None) -> _Form:
    return _Form(name, re.compile(pattern), module)


_FORMS = {
    "0007": _form("Swedish organisation number", "[0-9]{10}", "se.orgnr"),
    "0088": _form("GLN", "[0-9]{13}", "ean"),
    "0151": _form("Australian business number", "[0-9]{11}", "au.abn"),
    "0184": _form("Danish CVR number", "(DK)?[0-9]{8}"),
    "0192": _form("Norwegian organisation number", "[0-9]{9}", "no.orgnr"),
    "0208": _form("Belgian enterprise number", "[0-9]{10}", "be.vat"),
}
