"""Bodies: typed by the model, never guessed; every mistake is named."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from acctcli.cli.command.body import read_body, read_changes
from acctcli.cli.session.options import Options
from acctcli.cli.session.state import State
from acctcli.client.messages import encode
from acctcli.errors import UsageError
from acctcli.models.account import AccountRequest
from acctcli.models.base import Request
from acctcli.models.business import BusinessRequest
from acctcli.models.document import DocumentRequest

ROWS = "blueprint.debet_entries"


def sent(model: type[Request], *assignments: str, **named: Any) -> str:
    """The body that these --set options make of a partial request."""
    return encode(read_changes(State(Options(set=assignments)), model, named)).decode()


def refused(model: type[Request], *assignments: str) -> UsageError:
    with pytest.raises(UsageError) as caught:
        read_changes(State(Options(set=assignments)), model, {})
    return caught.value


@pytest.mark.parametrize(
    ("assignment", "body"),
    [
        ("invoicing_postal_code=00100", '{"invoicing_postal_code":"00100"}'),
        ("invoicing_city=", '{"invoicing_city":""}'),
        ("invoicing_city=null", '{"invoicing_city":null}'),
        ("name=12", '{"name":"12"}'),
        ("name=[x]", '{"name":"[x]"}'),
        ("name=a=b", '{"name":"a=b"}'),
        ("name=Null", '{"name":"Null"}'),
        ("einvoicing_enabled=true", '{"einvoicing_enabled":true}'),
        ("invoicing_default_penalty_interest=8.50", '{"invoicing_default_penalty_interest":8.50}'),
        ("default_vat_period=-1", '{"default_vat_period":-1}'),
    ],
)
def test_set_is_typed_by_the_field(assignment: str, body: str) -> None:
    assert sent(BusinessRequest, assignment) == body


def test_nested_fields_and_lists() -> None:
    body = sent(
        DocumentRequest,
        "tag_ids=[3,4]",
        "blueprint.debet_account_id=7",
        'blueprint.credit_entries=[{"account_id":1,"amount":12345678901234567.89},{"account_id":2,"amount":10.10}]',
    )
    assert body == (
        '{"tag_ids":[3,4],"blueprint":{"debet_account_id":7,"credit_entries":'
        '[{"account_id":1,"amount":12345678901234567.89},{"account_id":2,"amount":10.10}]}}'
    )


@pytest.mark.parametrize(
    ("assignment", "field", "says"),
    [
        ("date=2026-02-30", "date", "calendar"),
        ("date=1.3.2026", "date", "YYYY-MM-DD"),
        ("is_draft=perhaps", "is_draft", "boolean"),
        ("type=2", "type", ""),
        ("contact_id=abc", "contact_id", "integer"),
        ("description=null", "description", "string"),
        ("descripton=x", "descripton", "did you mean description?"),
        ("blueprint.debit_account_id=1", "blueprint.debit_account_id", "did you mean debet_account_id?"),
        (f"{ROWS}=[{{\"account_id\":1,\"amont\":2}}]", f"{ROWS}.0.amont", "did you mean amount?"),
        (f"{ROWS}=[{{\"account_id\":1,\"amount\":1.234}}]", f"{ROWS}.0.amount", "2 decimal"),
        (f"{ROWS}=[{{\"account_id\":1,\"amount\":1e400}}]", f"{ROWS}.0.amount", "digits"),
    ],
)  # fmt: skip
def test_a_wrong_field_is_named_with_what_would_be_right(assignment: str, field: str, says: str) -> None:
    error = refused(DocumentRequest, assignment)
    assert list(error.fields) == [field]
    assert says in " ".join(error.fields[field])
    assert error.exit_code == 2


@pytest.mark.parametrize("assignment", ["name", "=x", "a..b=1", ".a=1", "blueprint.x"])
def test_an_assignment_of_no_form_is_refused(assignment: str) -> None:
    assert "field=value" in refused(DocumentRequest, assignment).message


def test_every_wrong_field_is_named_at_once() -> None:
    with pytest.raises(UsageError) as caught:
        read_body(State(Options(set=("type=NOPE",))), AccountRequest, {"number": "12345678"})
    assert set(caught.value.fields) == {"type", "number", "name_translations"}
    assert caught.value.fields["name_translations"] == ["required"]


def test_the_file_comes_first_then_options_then_set(tmp_path: Path) -> None:
    path = tmp_path / "body.json"
    path.write_text('{"name": "file", "form": "FI_TMI", "invoicing_city": "Turku"}')
    here = State(Options(file=str(path), set=("invoicing_city=Oulu",)))
    named = {"name": "option", "form": None, "einvoicing_enabled": False, "invoicing_street": ""}
    defaults = {"name": "default", "form": "FI_OY", "invoicing_city": "Espoo", "invoicing_country": "FI"}
    body = read_body(here, BusinessRequest, named, defaults)
    assert body.model_dump(exclude_unset=True) == {
        "name": "option",
        "form": "FI_TMI",
        "einvoicing_enabled": False,
        "invoicing_street": "",
        "invoicing_city": "Oulu",
        "invoicing_country": "FI",
    }


def test_a_file_may_begin_with_the_mark_that_editors_put_there(tmp_path: Path) -> None:
    path = tmp_path / "body.json"
    path.write_bytes(b'\xef\xbb\xbf{"name": "K\xc3\xa4pyl\xc3\xa4"}')
    body = read_body(State(Options(file=str(path))), BusinessRequest)
    assert body.model_dump(exclude_unset=True) == {"name": "Käpylä"}


@pytest.mark.parametrize(("name", "hint"), [("chart.XLSX", "it is a workbook: save it as CSV"), ("chart.json", None)])
def test_a_workbook_is_called_one(tmp_path: Path, name: str, hint: str | None) -> None:
    (tmp_path / name).write_bytes(b"PK\x03\x04\xff")
    with pytest.raises(UsageError) as caught:
        read_body(State(Options(file=str(tmp_path / name))), BusinessRequest)
    assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"{", "not JSON"),
        (b"[]", "one JSON object"),
        (b'{"name": NaN}', "NaN"),
        (b'{"name": "a", "name": "b"}', "comes twice"),
        (b"\xff", "not UTF-8"),
        (b'{"name": ' + b"[" * 100000, "not JSON"),
    ],
)
def test_files_that_are_no_body(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "body.json"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=says):
        read_body(State(Options(file=str(path))), BusinessRequest)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere\.json: No such file"):
        read_body(State(Options(file=str(tmp_path / "nowhere.json"))), BusinessRequest)


def test_decimals_keep_their_digits(tmp_path: Path) -> None:
    path = tmp_path / "body.json"
    path.write_text('{"blueprint": {"credit_entries": [{"account_id": 1, "amount": 10.10}]}}')
    body = read_body(State(Options(file=str(path))), DocumentRequest)
    rows = body.blueprint.credit_entries
    assert rows is not None
    assert rows[0].amount == Decimal("10.10")
    assert b'"amount":10.10}' in encode(body)


def test_nothing_to_change_is_refused() -> None:
    assert "nothing to change" in refused(BusinessRequest).message
