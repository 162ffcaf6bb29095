"""From whom to whom a Finvoice travels, in it and in the frame before it (docs/law.md 7.5)."""

from __future__ import annotations

from xml.etree.ElementTree import Element, fromstring

import pytest

from acctcli.einvoice.finvoice import finvoice, framed_finvoice
from acctcli.einvoice.incoming.reading import read_einvoice
from tests.einvoice.rulebooks import Rulebook
from tests.einvoice.samples import FINNISH_BUYER, FINNISH_SELLER, Sample, Wire, invoice, row


def texts(parent: Element, *paths: str) -> list[str | None]:
    return [parent.findtext(path) for path in paths]


def tree(sample: Sample) -> Element:
    return fromstring(finvoice(*sample))


def test_it_travels_between_two_operators() -> None:
    found = tree(Sample(invoice([row("10.00")], FINNISH_BUYER))).find("MessageTransmissionDetails")
    assert found is not None
    assert texts(
        found,
        "MessageSenderDetails/FromIdentifier",
        "MessageSenderDetails/FromIntermediator",
        "MessageReceiverDetails/ToIdentifier",
        "MessageReceiverDetails/ToIntermediator",
        "MessageDetails/MessageIdentifier",
        "MessageDetails/MessageTimeStamp",
        "MessageDetails/SpecificationIdentifier",
    ) == [
        "003712345671", "003721291126", "003701120389", "BAWCFI22", "kirjo-17", "2026-03-02T00:00:00", "EN16931"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("0037 0112 0389", "003701120389"),
        ("00370112 0389abc", "003701120389ABC"),
        ("fi49 5000 9420 0287 30", "FI4950009420028730"),
        ("TE003701120389", "TE003701120389"),
        ("te-0037 birch", "te-0037 birch"),
    ],
)
def test_the_numbers_of_addresses_are_those_that_operators_know(typed: str, address: str) -> None:
    buyer, seller = (
        {**FINNISH_BUYER, "invoicing_einvoice_address": typed},
        {**FINNISH_SELLER, "einvoicing_address": typed},
    )
    found = tree(Sample(invoice([row("10.00")], buyer), seller))
    assert (
        texts(
            found,
            "MessageTransmissionDetails/MessageSenderDetails/FromIdentifier",
            "MessageTransmissionDetails/MessageReceiverDetails/ToIdentifier",
            "SellerOrganisationUnitNumber",
            "BuyerOrganisationUnitNumber",
        )
        == [address] * 4
    )


@pytest.mark.parametrize("field", ["einvoicing_address", "einvoicing_operator"])
@pytest.mark.parametrize("nothing", [None, "", "A"])
def test_without_address_and_operator_nothing_is_said_of_the_way(field: str, nothing: str | None) -> None:
    """The schema wants two characters of each."""
    seller = {**FINNISH_SELLER, field: nothing}
    buyer = {**FINNISH_BUYER, f"invoicing_{field.replace('einvoicing', 'einvoice')}": nothing}
    for sample in (
        Sample(invoice([row("10.00")], FINNISH_BUYER), seller),
        Sample(invoice([row("10.00")], buyer)),
    ):
        assert tree(sample).find("MessageTransmissionDetails") is None


@pytest.mark.parametrize(
    ("side", "known", "way"),
    [
        ("seller", {"invoicing_electronic_address": "0037 12345671", "einvoicing_operator": "003721291126"},
         ["003712345671", "003721291126"]),
        # an account is served by its bank
        ("seller", {"invoicing_electronic_address": "FI49 5000 9420 0287 30"}, ["FI4950009420028730", "OKOYFIHH"]),
        ("buyer", {"invoicing_einvoice_address": "FI4950009420028730"}, ["FI4950009420028730", "OKOYFIHH"]),
        ("seller", {"invoicing_electronic_address": "FI4950009420028730", "einvoicing_operator": "DABAFIHH"},
         ["FI4950009420028730", "DABAFIHH"]),
        # no address of Finnish e-invoicing
        ("seller", {"invoicing_electronic_address": "a@b.example", "einvoicing_operator": "DABAFIHH"}, []),
    ],
)  # fmt: skip
def test_the_way_is_what_is_known_of_it(side: str, known: Wire, way: list[str]) -> None:
    """A business can set its electronic address, and no other one (docs/interface.md 3.1)."""
    nowhere = dict.fromkeys(
        ("einvoicing_address", "einvoicing_operator", "invoicing_einvoice_address", "invoicing_einvoice_operator")
    )
    seller, buyer = dict(FINNISH_SELLER), dict(FINNISH_BUYER)
    (seller if side == "seller" else buyer).update({**nowhere, **known})
    found = tree(Sample(invoice([row("10.00")], buyer), seller)).find("MessageTransmissionDetails")
    part = {"seller": "MessageSenderDetails", "buyer": "MessageReceiverDetails"}[side]
    assert [one.text for one in found.findall(f"{part}/*")] == way if found is not None else not way


def test_a_frame_says_the_way_before_the_invoice(rulebook: Rulebook) -> None:
    sample = Sample(invoice([row("10.00", name="Łódź")], FINNISH_BUYER))
    made = framed_finvoice(*sample)
    before, bare = made[: made.rindex(b"<?xml")], made[made.rindex(b"<?xml") :]
    assert bare == finvoice(*sample)
    assert rulebook.judge_finvoice(bare) == []
    eb, soap = (f"{{http://{name}}}" for name in (
        "www.oasis-open.org/committees/ebxml-msg/schema/msg-header-2_0.xsd", "schemas.xmlsoap.org/soap/envelope/"
    ))  # fmt: skip
    found = fromstring(before)
    assert found.tag == f"{soap}Envelope"
    assert [part.tag for part in found] == [f"{soap}Header", f"{soap}Body"]
    header = found.find(f"{soap}Header/{eb}MessageHeader")
    assert header is not None
    assert dict(header.attrib) == {f"{soap}mustUnderstand": "1", f"{eb}version": "2.0"}
    assert [(part.tag.removeprefix(eb), [one.text for one in part] or part.text) for part in header] == [
        ("From", ["003712345671", "Sender"]),
        ("From", ["003721291126", "Intermediator"]),
        ("To", ["003701120389", "Receiver"]),
        ("To", ["BAWCFI22", "Intermediator"]),
        ("CPAId", "yoursandmycpa"),
        ("ConversationId", None),
        ("Service", "Routing"),
        ("Action", "ProcessInvoice"),
        ("MessageData", ["kirjo-17", "2026-03-02T00:00:00", None]),
    ]
    reference = found.find(f"{soap}Body/{eb}Manifest/{eb}Reference")
    assert reference is not None
    assert reference.get("{http://www.w3.org/1999/xlink}href") == "kirjo-17"
    assert [dict(one.attrib) for one in reference] == [
        {f"{eb}location": "http://www.finvoice.info/finvoice.xsd", f"{eb}version": "2.0"}
    ]
    assert read_einvoice(made) == read_einvoice(bare)
