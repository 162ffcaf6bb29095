from __future__ import annotations

import json
import time

import pytest

from acctcli.client.faults import error_of, unreadable
from acctcli.client.messages import Reply
from acctcli.errors import AcctcliError


def reply(status: int, body: object, content_type: str = "application/json") -> Reply:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Reply(status, {"content-type": content_type, "x-request-id": "r-1"}, data)


@pytest.mark.parametrize(
    ("status", "name", "exit_code"),
    [
        (400, "Rejected", 7),
        (401, "NotAuthenticated", 4),
        (403, "Forbidden", 5),
        (404, "NotFound", 6),
        (405, "NotFound", 6),
        (409, "Conflict", 8),
        (412, "Conflict", 8),
        (415, "Rejected", 7),
        (418, "Rejected", 7),
        (422, "Rejected", 7),
        (423, "Conflict", 8),
        (426, "Rejected", 7),
        (429, "ServerFault", 9),
        (500, "ServerFault", 9),
        (599, "ServerFault", 9),
        (304, "ServerFault", 9),
    ],
)
def test_every_status_has_its_class_and_exit_code(status: int, name: str, exit_code: int) -> None:
    error = error_of(reply(status, {"detail": "no"}))
    assert (type(error).__name__, error.exit_code, error.status) == (name, exit_code, status)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"detail": "Not found."}, "Not found. (400)"),
        ({"code": "locked", "detail": "The document is locked."}, "The document is locked. (400)"),
        ({"name": ["This field is required."]}, "name: This field is required. (400)"),
        ({"name": "Too long", "code": "validation_error"}, "name: Too long (400)"),
        ({"non_field_errors": ["Debit and credit differ."]}, "Debit and credit differ. (400)"),
        ({"rows": [{}, {"amount": ["Wrong."]}]}, "rows.1.amount: Wrong. (400)"),
        ({"blueprint": {"debet_entries": [{"account_id": ["Unknown."]}]}},
         "blueprint.debet_entries.0.account_id: Unknown. (400)"),
        ({"message": "Nope", "extra": None}, "Nope (400)"),
        ({"message": "Nope", "name": [""]}, "name: (400)"),
        ({"detail": "", "message": "Nope"}, "Nope (400)"),
        ({"rows": [["Wrong."], ["Bad."]]}, "rows.0: Wrong.; rows.1: Bad. (400)"),
        ({"rows": [{"non_field_errors": ["Differs."]}]}, "rows.0.non_field_errors: Differs. (400)"),
        ({"message": "Nope", "count": 0, "is_open": False}, "count: 0; is_open: False (400)"),
        ({"message": "Nope", "missing_invoicing_fields": ["city"], "city": ["Is needed."]}, "city: Is needed. (400)"),
        ({"message": "Nope", "missing_invoicing_fields": ["city", "street"]}, "city: missing; street: missing (400)"),
        ({"message": "Nope", "missing_invoicing_fields": None}, "Nope (400)"),
        ({"error": "invalid_grant", "error_description": "It expired."}, "It expired. (400)"),
        (["One.", "Two."], "One.; Two. (400)"),
        ("just text", "just text (400)"),
        ({}, "the service answered Bad Request (400)"),
        (b"", "the service answered Bad Request (400)"),
        (b"plain words", "plain words (400)"),
        (b"\xff\xfe{", "\ufffd\ufffd{ (400)"),
    ],
)  # fmt: skip
def test_bodies_of_every_shape_become_one_line(body: object, message: str) -> None:
    assert error_of(reply(400, body)).message == message


def test_html_is_named_with_its_title() -> None:
    page = b"<html><head><title>502 Bad &amp; Gateway</title></head><body>...</body></html>"
    error = error_of(reply(502, page, "text/html"))
    assert error.message == "the server answered with an HTML page: 502 Bad & Gateway (502)"
    assert error_of(reply(502, b"Bad Gateway", "text/html; charset=utf-8")).message == (
        "the server answered with an HTML page (502)"
    )


@pytest.mark.parametrize("page", [b"<title>" * 150_000, b"<title" * 150_000, b"<title>" + b"<" * 1_000_000])
def test_a_page_that_only_begins_titles_is_read_at_once(page: bytes) -> None:
    error = error_of(reply(404, b"<html>" + page, "text/html"))
    assert error.message == "the server answered with an HTML page (404)"


def test_fields_codes_and_request_ids_are_kept() -> None:
    body = {"code": "validation_error", "detail": "Invalid.", "name": ["a", "b"], "rows": [{"x": "c"}]}
    error = error_of(reply(400, body))
    assert (error.code, error.fields, error.request_id) == (
        "validation_error",
        {"name": ["a", "b"], "rows.0.x": ["c"]},
        "r-1",
    )


def test_a_field_may_be_called_as_the_code_is() -> None:
    body = {"code": ["Too long."], "error_code": "validation_error", "detail": "code: Too long."}
    error = error_of(reply(400, body))
    assert (error.code, error.fields, error.message) == (
        "validation_error",
        {"code": ["Too long."]},
        "code: Too long. (400)",
    )
    assert error_of(reply(400, {"code": 17, "detail": "Numbered."})).fields == {}
    assert error_of(reply(400, {"code": "", "detail": "Nameless."})).code == "validation_error"


def test_long_texts_are_cut_and_stay_on_one_line() -> None:
    message = error_of(reply(400, {"detail": "x\n" * 4000})).message
    assert len(message) < 520
    assert "\n" not in message


def test_deep_nesting_is_no_trap() -> None:
    body = b'{"a":' * 5000 + b"1" + b"}" * 5000
    assert isinstance(error_of(reply(400, body)), AcctcliError)


def test_an_unreadable_success_says_what_came() -> None:
    assert "HTML page" in unreadable(reply(200, b"<html>", "text/html"), "x").message
    assert "noise" in unreadable(reply(200, b"\x00"), "noise").message


def test_names_of_fields_do_not_multiply() -> None:
    started = time.process_time()
    error = error_of(reply(400, {"k" * 40_000: {str(leaf): "x" for leaf in range(2500)}}))
    assert time.process_time() - started < 2.0
    assert list(error.fields) == ["k" * 200 + "…"]
    assert [len(texts) for texts in error.fields.values()] == [100]
