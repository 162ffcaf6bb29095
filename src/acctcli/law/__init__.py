"""What a country decides about books, VAT and invoices: one typed `Country` each, found by its code.

Both halves use it. Nothing here reads a clock, a file or the network, but for the time zones of the system. A country's
package is loaded when it is first asked for, and its chart and returns only when they are needed.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from acctcli.errors import UsageError

if TYPE_CHECKING:
    from acctcli.law.decisions import Country

# the countries whose books are kept here, and where the `COUNTRY` of each is
PACKAGES = {"FI": "acctcli.law.finland", "DE": "acctcli.law.germany"}
# the time that their days begin by; beside the packages, because commands ask for today without their law
ZONES = {"FI": "Europe/Helsinki", "DE": "Europe/Berlin"}


class UnknownCountryError(UsageError):
    """The law of a country is not known here: nothing is taken from another one's."""

    def __init__(self, code: str | None) -> None:
        super().__init__(f"the law of {code or 'no country'} is not known, only that of {', '.join(PACKAGES)}")


def country(code: str | None) -> Country:
    """Return the law of a country by its two letters; raise UnknownCountryError where it is not known."""
    if code not in PACKAGES:
        raise UnknownCountryError(code)
    return _load(PACKAGES[code])


def countries() -> list[Country]:
    """Return the law of every country that is known."""
    return [country(code) for code in PACKAGES]


def country_of_form(form: str) -> Country:
    """Return the law that a business of a legal form lives under."""
    found = next((one for one in countries() if form in one.forms), None)
    if found is None:
        raise UnknownCountryError(form)
    return found


@cache
def _load(package: str) -> Country:
    found: Country = import_module(package).COUNTRY
    return found
