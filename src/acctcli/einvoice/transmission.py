"""How a Finvoice travels: from whom to whom, in it and in the frame that goes before it (docs/law.md 7.5).

Operators and banks read the frame, a header of ebXML in an envelope of SOAP, and pass the invoice on by it. Both say
the same; identifier and time are those of the invoice, the same when it is sent again: operators notice a double by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element

from acctcli.einvoice.markup import document, node
from acctcli.einvoice.parties import Stop, buyer_stop, seller_stop
from acctcli.einvoice.terms import day

_SPECIFICATION = "EN16931"
_SOAP, _EBXML = "SOAP-ENV", "eb"
_NAMES = {
    f"xmlns:{_SOAP}": "http://schemas.xmlsoap.org/soap/envelope/",
    "xmlns:xlink": "http://www.w3.org/1999/xlink",
    f"xmlns:{_EBXML}": "http://www.oasis-open.org/committees/ebxml-msg/schema/msg-header-2_0.xsd",
}
_SCHEMA = "http://www.finvoice.info/finvoice.xsd"
_VERSION = {f"{_EBXML}:version": "2.0"}
# what the description of the format has in place of an agreement of two parties
_AGREEMENT = "yoursandmycpa"


def transmission_details(invoice: Mapping[str, Any], business: Mapping[str, Any]) -> Element | None:
    """Return MessageTransmissionDetails, or None where an address or an operator is not known."""
    seller, buyer = seller_stop(business), buyer_stop(invoice)
    if None in (*seller, *buyer):
        return None
    return node(
        "MessageTransmissionDetails",
        node(
            "MessageSenderDetails", node("FromIdentifier", seller.address), node("FromIntermediator", seller.operator)
        ),
        node("MessageReceiverDetails", node("ToIdentifier", buyer.address), node("ToIntermediator", buyer.operator)),
        node(
            "MessageDetails",
            node("MessageIdentifier", _identifier(invoice, business)),
            node("MessageTimeStamp", _time(invoice)),
            node("SpecificationIdentifier", _SPECIFICATION),
        ),
    )


def frame(invoice: Mapping[str, Any], business: Mapping[str, Any], encoding: str) -> bytes:
    """Return what goes before a Finvoice whose way is known, a document of its own."""
    root = Element(f"{_SOAP}:Envelope", _NAMES)
    for part, content in (("Header", _header(invoice, business)), ("Body", _body(invoice, business))):
        outer = node(f"{_SOAP}:{part}", content)
        assert outer is not None
        root.append(outer)
    return document(root, encoding)


def _header(invoice: Mapping[str, Any], business: Mapping[str, Any]) -> Element | None:
    return _eb(
        "MessageHeader",
        *_parties("From", "Sender", seller_stop(business)),
        *_parties("To", "Receiver", buyer_stop(invoice)),
        _eb("CPAId", _AGREEMENT),
        Element(f"{_EBXML}:ConversationId"),
        _eb("Service", "Routing"),
        _eb("Action", "ProcessInvoice"),
        _eb(
            "MessageData",
            _eb("MessageId", _identifier(invoice, business)),
            _eb("Timestamp", _time(invoice)),
            Element(f"{_EBXML}:RefToMessageId"),
        ),
        **{f"{_SOAP}:mustUnderstand": "1", **_VERSION},
    )


def _parties(way: str, role: str, stop: Stop) -> tuple[Element | None, ...]:
    named = ((stop.address, role), (stop.operator, "Intermediator"))
    return tuple(_eb(way, _eb("PartyId", name), _eb("Role", part)) for name, part in named)


def _body(invoice: Mapping[str, Any], business: Mapping[str, Any]) -> Element | None:
    schema = Element(f"{_EBXML}:Schema", {f"{_EBXML}:location": _SCHEMA, **_VERSION})
    names = {f"{_EBXML}:id": "Finvoice", "xlink:href": _identifier(invoice, business)}
    return _eb("Manifest", _eb("Reference", schema, **names), **{f"{_EBXML}:id": "Manifest", **_VERSION})


def _eb(name: str, *content: Element | str | None, **attributes: str) -> Element | None:
    return node(f"{_EBXML}:{name}", *content, **attributes)


def _identifier(invoice: Mapping[str, Any], business: Mapping[str, Any]) -> str:
    return f"{business['slug']}-{invoice['invoice_number']}"


def _time(invoice: Mapping[str, Any]) -> str:
    return f"{day(invoice['invoicing_date'])}T00:00:00"
