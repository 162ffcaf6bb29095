"""`acctcli api`: what is typed is what is sent, and what comes back is shown as it is."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.cli.conftest import At, Cli, succeed
from tests.cli.recorder import Answer, Sent, page, recorder, said

TAGS = "/v1/business/{business}/tags/"


def query(sent: Sent) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(sent.path).query, keep_blank_values=True)


def test_fields_of_a_get_are_its_query_each_as_often_as_it_is_given(cli: Cli, at: At) -> None:
    with recorder(page()) as server:
        at(server)
        succeed(cli("api", "get", TAGS, "-F", "tag=1", "--field", "name=a=b & c", "-F", "tag=2", "-F", "search="))
    (sent,) = server.sent
    assert (sent.method, urlsplit(sent.path).path, sent.body) == ("GET", "/v1/business/demo/tags/", b"")
    assert sorted(query(sent)) == [("name", "a=b & c"), ("search", ""), ("tag", "1"), ("tag", "2")]


def test_fields_of_a_list_go_with_every_page(cli: Cli, at: At) -> None:
    def behave(sent: Sent) -> Answer:
        number = int(dict(query(sent))["page"])
        return said({"count": 3, "next": number + 1 if number < 2 else None, "results": rows[2 * number - 2 :][:2]})

    rows = [{"id": number} for number in (1, 2, 3)]
    with recorder(behave) as server:
        at(server)
        done = succeed(cli("api", "GET", TAGS, "--paginate", "--page-size", "2", "-F", "type=A", "-F", "type=B"))
    assert [line.split() for line in done.lines()] == [["id"], ["──"], ["1"], ["2"], ["3"]]
    assert [sorted(query(sent)) for sent in sorted(server.sent, key=lambda sent: sent.path)] == [
        [("page", number), ("page_size", "2"), ("type", "A"), ("type", "B")] for number in "12"
    ]


def test_fields_of_a_body_are_json_where_they_read_as_json(cli: Cli, at: At) -> None:
    fields = {
        "amount": "10.10",
        "is_on": "false",
        "none": "null",
        "ids": "[1, 2]",
        "sub": '{"a": 1}',
        "text": "by hand",
        "quoted": '"7"',
        "number": "007",
        "nan": "NaN",
        "empty": "",
    }
    with recorder(said({"id": 1})) as server:
        at(server)
        succeed(cli("api", "PATCH", f"{TAGS}1/", *(word for one in fields.items() for word in ("-F", "=".join(one)))))
    (sent,) = server.sent
    assert (sent.method, sent.path) == ("PATCH", "/v1/business/demo/tags/1/")
    assert sent.body == (
        b'{"amount":10.10,"is_on":false,"none":null,"ids":[1,2],"sub":{"a":1},"text":"by hand","quoted":"7",'
        b'"number":"007","nan":"NaN","empty":""}'
    )


@pytest.mark.together
@pytest.mark.parametrize("method", ["post", "PUT", "DELETE"])
def test_a_file_is_the_body_as_it_is(cli: Cli, at: At, method: str) -> None:
    body = '{"name": "x",\n "amount": 1.50}\n'
    Path("body.json").write_text(body)
    with recorder(said({"id": 1})) as server:
        at(server)
        for source in ("body.json", "-"):
            succeed(cli("api", method, f"{TAGS}1/", "--input", source, "--yes", stdin=body))
    assert [(sent.method, sent.body.decode()) for sent in server.sent] == [(method.upper(), body)] * 2


def test_a_post_has_the_key_that_is_given_or_one_of_its_own(cli: Cli, at: At) -> None:
    argv = ("api", "POST", TAGS, "--field", "name=x")
    with recorder(said({"id": 1}, 201)) as server:
        at(server)
        succeed(cli(*argv, "--idempotency-key", "mine"))
        plan = succeed(cli(*argv, "--idempotency-key", "mine", "--dry-run", "--json")).json()
        succeed(cli(*argv))
        succeed(cli(*argv))
    keys = [sent.headers["idempotency-key"] for sent in server.sent]
    assert (keys[0], plan["idempotency_key"], len(set(keys))) == ("mine", "mine", 3)


@pytest.mark.together
@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("POST {} --input body.json --field name=y", "--input and --field exclude each other"),
        ("POST {} --input half.json", "--input half.json: not JSON"),
        ("POST {} --field =y", "--field '=y': write it like name=value"),
        ("HEAD {}", "'HEAD' is no method; there are GET, POST, PUT, PATCH, DELETE"),
        ("GET {} --input body.json", "--input is a body; GET has none"),
        ("GET {} --field type", "--field 'type': write it like name=value"),
        ("POST {} --paginate", "GET only"),
        ("DELETE {}1/ --paginate --yes", "GET only"),
        ("DELETE {}1/", "DELETE /v1/business/demo/tags/1/?"),
    ],
)
def test_what_makes_no_sense_is_not_sent(cli: Cli, at: At, words: str, says: str) -> None:
    Path("body.json").write_text('{"name": "x"}')
    Path("half.json").write_text('{"name": ')
    with recorder(said({"id": 1})) as server:
        at(server)
        outcome = cli("api", *words.format(TAGS).split())
    assert (outcome.code, outcome.out, server.sent) == (2, "", [])
    assert says in outcome.err


def test_the_business_of_the_path_is_the_one_in_use(cli: Cli, at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    with recorder(said({"id": 1})) as server:
        at(server)
        succeed(cli("api", "GET", "/v1/{business}/{business}/", "--business", "other"))
        monkeypatch.delenv("ACCTCLI_BUSINESS")
        refused = cli("api", "GET", TAGS)
        succeed(cli("api", "GET", "/v1/user/"))
    assert (refused.code, refused.out) == (2, "")
    assert [sent.path for sent in server.sent] == ["/v1/other/other/", "/v1/user/"]


def test_what_comes_back_is_shown_as_it_is_unless_a_form_or_fields_are_asked_for(cli: Cli, at: At) -> None:
    body = b'{"id":7,"amount":10.10,"sub":{"a":null}}'
    with recorder(Answer(200, body)) as server:
        at(server)

        def shown(*options: str) -> str:
            return succeed(cli("api", "GET", "/v1/x/", *options)).out

        whole = '{\n  "id": 7,\n  "amount": 10.10,\n  "sub": {\n    "a": null\n  }\n}\n'
        assert [shown(), shown("--json")] == [whole, whole]
        assert shown("--jq", ".amount") == "10.10\n"
        assert shown("-o", "csv") == 'id,amount,sub\n7,10.10,"{""a"":null}"\n'
        assert [line.split() for line in shown("--columns", "amount").splitlines()[2:]] == [["amount", "10.10"]]
        assert shown("-o", "tsv", "--columns", "sub.a,id") == "sub.a\tid\n\t7\n"


def test_nothing_that_comes_back_is_told_by_its_status(cli: Cli, at: At) -> None:
    with recorder(Answer(204, b"", {})) as server:
        at(server)
        told = succeed(cli("api", "DELETE", "/v1/x/1/", "--yes"))
        facts = succeed(cli("api", "DELETE", "/v1/x/1/", "--yes", "--json")).json()
    assert (told.out, told.err) == ("", "DELETE /v1/x/1/: 204\n")
    assert facts == {"status": 204}
