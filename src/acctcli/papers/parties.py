"""Who a paper is from and to, as texts: both addresses, and how the seller is known and reached."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from acctcli import law
from acctcli.models.enums import IdentifierType
from acctcli.papers.addresses import address_lines, country_of
from acctcli.papers.speaker import Speaker
from acctcli.papers.texts import Fact, told
from acctcli.printing.alphabet import clean

Wire = Mapping[str, Any]


class Parties(NamedTuple):
    """Both addresses, the name first, the numbers of the buyer, and the foot, which tells of the seller."""

    seller: list[str]
    buyer: list[str]
    buyer_ids: list[Fact]
    foot: list[list[str]]


def read_parties(business: Wire, receiver: Wire, person: str | None, speaker: Speaker) -> Parties:
    """Return the parties of a business and of a contact, where it is for a `person`."""
    words = speaker.words
    # between two countries, both addresses say theirs
    home = country_of(business) if country_of(business) == country_of(receiver) else None
    is_near = home is not None or country_of(receiver) is None
    seller = [clean(line) for line in (business["name"], *address_lines(business, home))]
    return Parties(
        seller=seller,
        buyer=[clean(line) for line in (receiver["name"], *filter(None, [person]), *address_lines(receiver, home))],
        buyer_ids=told(
            (words.business_id if is_near else words.foreign_id, receiver["contact_business_id"]),
            (words.vat_id, receiver["invoicing_tax_code"]),
        ),
        foot=[seller, _reached(business), _identifiers(business, speaker)],
    )


def _reached(business: Wire) -> list[str]:
    reached = (business[name] for name in ("invoicing_contact", "contact_phone", "invoicing_email"))
    return [clean(text) for text in reached if text]


def _identifiers(business: Wire, speaker: Speaker) -> list[str]:
    words = speaker.words
    labels = {
        IdentifierType.Y_TUNNUS: words.business_id,
        IdentifierType.VAT_CODE: words.vat_id,
        IdentifierType.STEUERNUMMER: words.tax_number,
    }
    values = {one["type"]: one["value"] for one in business["identifiers"]}
    official = law.country(business["country"]).official_id
    if official.type in values:
        values[official.type] = official.show(values[official.type])
    return [f"{label} {values[kind]}" for kind, label in labels.items() if kind in values]
