"""Forms that come in parts: read by a library, within bounds of ours."""

from __future__ import annotations

import io

import pytest

from acctcli.service.http.bodies import parts_of, read_fields
from acctcli.service.problems import Invalid
from tests.service.files import MULTIPART, multipart

BODY = multipart(("name", "Käyttö".encode()), ("note", b"\r\n--"), ("empty", b""))


def test_the_parts_of_a_form_are_fields() -> None:
    assert read_fields(BODY, MULTIPART, forms=True) == {"name": "Käyttö", "note": "\r\n--", "empty": ""}


@pytest.mark.parametrize("end", [*range(1, len(BODY) - 4, 7)])
def test_a_form_that_breaks_off_is_refused(end: int) -> None:
    with pytest.raises(Invalid, match="multipart body cannot be read"):
        read_fields(BODY[:end], MULTIPART, forms=True)


@pytest.mark.parametrize(
    "body",
    [
        multipart(("name", b"\xff")),
        multipart(*[("name", b"x")] * 65),
        multipart(("name" * 3000, b"x")),
        BODY.replace(b"form-data", b"attachment"),
        BODY.replace(b"Content-Disposition", b"Content-Kind"),
    ],
)
def test_a_form_that_is_none_is_refused(body: bytes) -> None:
    with pytest.raises(Invalid, match="multipart body cannot be read"):
        read_fields(body, MULTIPART, forms=True)


@pytest.mark.parametrize(("encoding", "is_taken"), [("binary", True), ("8BIT", True), ("base64", False), ("x", False)])
def test_a_part_that_is_encoded_is_refused_rather_than_taken_for_what_it_holds(encoding: str, is_taken: bool) -> None:
    name = b'Content-Disposition: form-data; name="name"'
    body = BODY.replace(name, name + f"\r\nContent-Transfer-Encoding: {encoding}".encode())
    if is_taken:
        assert read_fields(body, MULTIPART, forms=True)["name"] == "Käyttö"
        return
    with pytest.raises(Invalid, match="must not be encoded"):
        read_fields(body, MULTIPART, forms=True)


def test_a_text_of_a_form_has_an_end() -> None:
    assert read_fields(multipart(("a", b"x" * 2**20)), MULTIPART, forms=True)["a"] == "x" * 2**20
    with pytest.raises(Invalid, match="may have 1 MiB") as refused:
        read_fields(multipart(("a", b"x" * (2**20 + 1))), MULTIPART, forms=True)
    assert refused.value.fields.keys() == {"a"}


def test_a_part_that_nobody_reads_is_passed_by() -> None:
    with parts_of(io.BytesIO(BODY), MULTIPART) as parts:
        assert [part.name for part in parts] == ["name", "note", "empty"]
