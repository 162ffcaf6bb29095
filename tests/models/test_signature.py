"""Signatures of deliveries: the vector of docs/interface.md 11.2, and everything that makes one wrong."""

from __future__ import annotations

import pytest

from acctcli.models.signature import find_fault, read_secret, sign

SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"
KEY = b"0123456789abcdef01234567"
BODY = b'{"type":"sales_invoice.accepted"}'
AT = 1767225600
SIGNED = "v1,IM2rM20mFFrKLHz3wCzrII8dNNV666f1q1lZDJFoidc="


def test_the_vector() -> None:
    assert read_secret(SECRET) == read_secret(f" {SECRET}\n") == KEY
    assert sign(KEY, "msg_1", AT, BODY) == SIGNED
    assert find_fault(KEY, "msg_1", str(AT), SIGNED, BODY, AT) is None


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_not base64", "whsec_é", "sesame!"])
def test_what_is_no_secret_is_not_shown(secret: str) -> None:
    with pytest.raises(ValueError, match=r"^a secret is whsec_ and Base64$"):
        read_secret(secret)


@pytest.mark.parametrize("now", [AT - 300, AT + 300, AT + 300.9, None])
def test_a_clock_may_differ_by_five_minutes(now: float | None) -> None:
    assert find_fault(KEY, "msg_1", str(AT), SIGNED, BODY, now) is None


@pytest.mark.parametrize("now", [AT - 301, AT + 301])
def test_what_is_older_or_from_later_is_refused(now: float) -> None:
    told = find_fault(KEY, "msg_1", str(AT), SIGNED, BODY, now)
    assert told == "its timestamp is 301 s away from the clock here, and 300 may be"


@pytest.mark.parametrize("signatures", [f"v1a,AAAA {SIGNED}", f"v1,AAAA {SIGNED} v2,BBBB", f"{SIGNED} v1,é"])
def test_one_of_several_is_enough(signatures: str) -> None:
    assert find_fault(KEY, "msg_1", str(AT), signatures, BODY, AT) is None


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"delivery": "msg_2"}, "no signature fits"),
        ({"timestamp": str(AT + 1)}, "no signature fits"),
        ({"body": BODY + b"\n"}, "no signature fits"),
        ({"key": KEY[::-1]}, "no signature fits"),
        ({"signatures": "v1,"}, "no signature fits"),
        ({"signatures": SIGNED.removeprefix("v1,")}, "no signature of version v1"),
        ({"signatures": SIGNED.replace("v1,", "v1a,")}, "no signature of version v1"),
        ({"signatures": ""}, "no signature of version v1"),
        ({"timestamp": f"+{AT}"}, "no number of seconds"),
        ({"timestamp": f"{AT}.0"}, "no number of seconds"),
        ({"timestamp": "١٧٦٧"}, "no number of seconds"),
        ({"timestamp": "9" * 5000}, "no number of seconds"),
    ],
)
def test_whatever_is_changed_is_seen(changed: dict[str, object], says: str) -> None:
    right: dict[str, object] = {
        "key": KEY, "delivery": "msg_1", "timestamp": str(AT), "signatures": SIGNED, "body": BODY, "now": AT,
    }  # fmt: skip
    told = find_fault(**right | changed)  # type: ignore[arg-type]
    assert told is not None
    assert says in told
