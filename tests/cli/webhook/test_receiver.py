"""What listens for deliveries on this machine: what it takes, and what it hands on."""

from __future__ import annotations

import http.client
from threading import Event
from urllib.parse import urlsplit

from acctcli.cli.webhook.receiver import Delivery, Receiver, forwarding
from tests.cli.recorder import Answer, recorder


def post(address: str, **headers: str) -> int:
    """Post without a signature, with headers as they are; return the status of the answer."""
    place = urlsplit(address)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=30)
    connection.request("POST", "/", b"{}", {"webhook-id": "evt_1", **headers})
    status = connection.getresponse().status
    connection.close()
    return status


def test_nothing_is_taken_before_it_is_known_what_it_is_signed_with() -> None:
    taken: list[Delivery] = []

    def take(delivery: Delivery) -> int:
        taken.append(delivery)
        return 204

    receiver = Receiver(0, take, Event())
    try:
        assert (post(receiver.address), taken) == (503, [])
        receiver.know(b"key")
        assert (post(receiver.address), taken) == (400, [])
    finally:
        receiver.close()


def test_a_header_of_any_letters_is_handed_on_as_it_came() -> None:
    receiver_of_shop = Answer(204)
    with recorder(receiver_of_shop) as shop:
        receiver = Receiver(0, forwarding(shop.base_url), Event())
        receiver.know(None)
        try:
            assert post(receiver.address, **{"X-City": "Z\xc3\xbcrich"}) == 204
        finally:
            receiver.close()
    (sent,) = shop.sent
    assert sent.headers["x-city"] == "Z\xc3\xbcrich"
