"""Secrets are masked in whatever may be printed, in parts of it too."""

from __future__ import annotations

import ast
import json
import time
from pathlib import Path

import pytest

import acctcli
from acctcli.client import known, redact
from acctcli.errors import Rejected
from acctcli.models.signature import PREFIX as SECRET_PREFIX
from acctcli.service.identity.apps import SECRET as CLIENT_SECRET
from acctcli.service.identity.opaque import ACCESS, CODE, REFRESH, SESSION
from acctcli.service.identity.tokens import PREFIX
from tests.client.spellings import SPELLINGS

SOURCE = Path(acctcli.__file__).parent
BEGINNINGS = (PREFIX, SESSION, CODE, REFRESH, ACCESS, CLIENT_SECRET, SECRET_PREFIX)
WHOLE = '{"a":1,"token":"uno\\"due.tre","basic_auth_password": "zwei","signing_secret":"drei","name":"x"}'


def test_fields_that_look_secret_are_masked() -> None:
    masked = redact.fields(WHOLE.encode())
    assert json.loads(masked) == {
        "a": 1,
        "token": "[hidden]",
        "basic_auth_password": "[hidden]",
        "signing_secret": "[hidden]",
        "name": "x",
    }
    assert redact.text(WHOLE) == masked.decode()


def test_headers_that_let_somebody_in_are_masked_however_they_are_written() -> None:
    shown = {"Accept": "*/*", "X-Client": "acctcli", "Idempotency-Key": "k-1"}
    kept = ("Authorization", "proxy-authorization", "COOKIE", "Set-Cookie", "X-API-Key")
    assert redact.headers({**shown, **dict.fromkeys(kept, "abc")}) == {**shown, **dict.fromkeys(kept, "[hidden]")}


def test_what_is_no_field_stays_as_it_was() -> None:
    body = b'{"description":"password=1 https://a:b@c.example/","amount":1.50}'
    assert redact.fields(body) == body


@pytest.mark.parametrize("end", range(WHOLE.index("uno"), len(WHOLE)))
def test_no_part_of_a_text_shows_a_secret(end: int) -> None:
    masked = redact.text(WHOLE[:end])
    assert not [word for word in ("un", "due", "tre", "zw", "dr") if word in masked]


@pytest.mark.parametrize(
    ("said", "masked"),
    [
        ("see https://user:secret@host.example/a", "see https://[hidden]@host.example/a"),
        ("https://token@host.example", "https://[hidden]@host.example"),
        ("/a?id=7&X-Amz-Signature=abc&next=2", "/a?id=7&X-Amz-Signature=[hidden]&next=2"),
        ("password=x", "password=[hidden]"),
        ("mail a@host.example", "mail a@host.example"),
    ],
)
def test_what_addresses_and_forms_give_away_is_masked(said: str, masked: str) -> None:
    assert redact.text(said) == masked


@pytest.mark.parametrize(
    "said",
    [
        "invalid token 9f8ZkQw3xLm0Rt5YbAAAA for this host",
        "Bearer 9f8ZkQw3xLm0Rt5YbAAAA is not known",
        "the header 'Authorization' was 'Basic dXNlcjpwYXNzd29yZDE='",
        "API key: 5e884898da28047151d0e56f8dc62927 is over",
        "access_key=AKIAIOSFODNN7EXAMPLEx; secret: wJalrXUtnFEMI/K7MDENG/bPxRfiCY",
        "the token is 123e4567-e89b-12d3-a456-426614174000.",
    ],
)
def test_what_is_long_and_mixed_behind_a_word_for_a_secret_is_masked(said: str) -> None:
    masked = redact.text(said)
    assert redact.MASK in masked
    assert not [word for word in ("9f8Zk", "dXNl", "5e88", "wJal", "123e4567") if word in masked]


@pytest.mark.parametrize(
    "said",
    [
        "the token expired at 2026-11-27T22:15:59.608939Z",
        "the account FI2112345600000785 of the token DE89370400440532013000 has no such key",
        "invoice 20261127001234567890, reference RF18539007547034, token 20261127001234567890",
        "run it again with --idempotency-key 123e4567-e89b-12d3-a456-426614174000",
        "bank-3k7q2m9x4pad is the key bank-3k7q2m9x4pad of a line",
        "a token of anna@example.com in ACCTCLI_TESTING_TOKEN, see acctcli local revoke-token --help",
        "request 4f1c2b3a9d8e7f6a5b4c3d2e1f0a9b8c was refused: password too short",
    ],
)
def test_what_only_stands_near_such_a_word_is_shown(said: str) -> None:
    assert redact.text(said) == said


def test_an_error_masks_addresses_in_all_that_it_says() -> None:
    said, shown = "https://user:secret@host.example is away", "https://[hidden]@host.example is away"
    error = Rejected(said, status=400, code=said, fields={said: [said]})
    redact.error(error)
    assert (error.message, error.code, error.fields) == (shown, shown, {shown: [shown]})


SECRET = 'pat_9f/Zk+7"Qw&3xLm<0Rt%5Yb'
# what a part that is left may have, of letters and digits in a row
SHOWN = 7


def parts_of(said: str) -> list[str]:
    """Every part of eight letters and digits of a text."""
    letters, _ = known.joined(said)
    return [letters[start : start + SHOWN + 1] for start in range(len(letters) - SHOWN)]


def assert_gone(said: str, masked: str, words: str = "") -> None:
    left, _ = known.joined(masked.replace(redact.MASK, " "))
    assert not [part for part in parts_of(said) if part in left and part not in words], masked


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_known_secret_is_found_however_it_is_written(spelling: str) -> None:
    known.know(SECRET)
    written = SPELLINGS[spelling](SECRET)
    masked = redact.text(f"Sorry: {written} is wrong, try 47.11 of 2026-11-22")
    assert masked.startswith("Sorry: ")
    assert masked.endswith(" is wrong, try 47.11 of 2026-11-22")
    assert redact.MASK in masked
    assert_gone(SECRET, masked)
    around, _ = known.joined(SPELLINGS[spelling]("x" * 90))
    assert_gone(written.strip("/w=\n")[5:-5], masked, words=around)


def test_short_parts_are_hidden_unless_they_are_words_or_numbers() -> None:
    known.know("secret-Sales-20241124-FPLRQdL9")
    said = "a secret of sales, Sales and SALES until 2024-11-23: FPLRQd, plr QdL9"
    assert redact.text(said) == "a secret of sales, Sales and SALES until 2024-11-23: [hidden], p[hidden]"


def test_a_password_that_looks_like_an_escape_is_found_behind_other_escapes() -> None:
    known.know("qSdEk09er55HKiE%8BeQVPVZD1S")
    assert redact.text(json.dumps(r"HKiE\n%8BeQ is wrong")) == '"[hidden] is wrong"'


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_whatever_is_cut_no_part_of_a_secret_is_left(spelling: str) -> None:
    known.know(SECRET)
    written = SPELLINGS[spelling](SECRET)
    for end in range(len(written) + 1):
        assert_gone(SECRET, redact.text(f"Sorry: {written[:end]}"))
        assert_gone(SECRET, redact.text(f"{written[end:]} is wrong"))
        # the same cut by ourselves
        before = "." * (500 - end)
        assert_gone(SECRET, redact.shortened(f"{before}{written} is wrong", 500))


def test_what_is_cut_is_masked_before() -> None:
    known.know(SECRET)
    for before in range(470, 501):
        masked = redact.shortened("." * before + SECRET + "." * 600, 500)
        assert masked.replace(".", "").replace("…", "") == redact.MASK[: 500 - before]


def test_secrets_of_variables_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCTCLI_TOKEN", "one-4c1e88d2")
    monkeypatch.setenv("ACCTCLI_PRODUCTION_TOKEN", "two-77ab93e0")
    monkeypatch.setenv("ACCTCLI_SMTP_PASSWORD", "kesä")
    monkeypatch.setenv("ACCTCLI_DATABASE_URL", "postgresql://acct:p%40ss/w0rd-db@db.example/books")
    monkeypatch.setenv("https_proxy", "http://me:p@ss:proxy@proxy.example:3128")
    monkeypatch.setenv("PGPASSWORD", "pg-0badf00d")
    monkeypatch.setenv("ACCTCLI_SMTP_URL", "smtp://mail.example/?user=a&Password=qu%2Bery-9d2f11")
    said = "one-4c1e88d2, two-77ab93e0, kesä, KES%C3%A4, p%40ss/w0rd-db, p@ss/w0rd-db, p@ss:proxy, pg-0badf00d, "
    said += "qu+ery-9d2f11, acct me"
    assert redact.text(said) == ", ".join([*[redact.MASK] * 9, "acct me"])


def test_the_words_of_a_passphrase_are_no_secrets_but_the_whole_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCTCLI_PASSPHRASE", "kirjanpito avaa laatikon")
    monkeypatch.setenv("ACCTCLI_BACKUP_PASSPHRASE", "tilintarkastaja nukkuu")
    free = "kirjanpito, laatikon avaa; nukkuu, tilintarkastaja, avaa laatikon"
    assert redact.text(free) == free
    for spelling in SPELLINGS.values():
        for secret in ("kirjanpito avaa laatikon", "tilintarkastaja nukkuu"):
            masked = redact.text(f"a {spelling(secret)} z")
            assert redact.MASK in masked
            assert not {"laatikon", "nukkuu"} & set(masked.lower().split())
    # a token is secret in parts too
    monkeypatch.setenv("ACCTCLI_TOKEN", "tok-kirjanpito")
    assert redact.text("about kirjanpito") == "about [hidden]"


def test_a_proxy_that_is_given_one_word_is_given_a_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://q7Zt90Lmm2@proxy.example:1")
    monkeypatch.setenv("http_proxy", "http://ab%2B7Zt90Lm:@proxy.example:1")
    monkeypatch.setenv("ACCTCLI_SMTP_URL", "smtp://kirjanpito@mail.example")
    assert redact.text("q7Zt90Lmm2 ab+7Zt90Lm kirjanpito") == "[hidden] [hidden] kirjanpito"


def test_a_short_password_is_a_word_of_its_own() -> None:
    known.know("ab")
    assert redact.text("about ab: a, b") == "about [hidden]: a, b"


def test_secrets_of_a_body_are_known() -> None:
    known.know_fields(b'{"name": "Shop", "basic_auth_password": "uno\\u0020dos-tres", "target_url": "x"}')
    assert redact.text("Shop: 'uno dos-tres' is weak") == "Shop: '[hidden]' is weak"


@pytest.mark.parametrize(
    ("said", "masked"),
    [
        ("https://user:p@ss@host.example/a", "https://[hidden]@host.example/a"),
        ("https://user:p/a?s#s@host.example/a", "https://[hidden]@host.example/a"),
        ('"https:\\/\\/user:p@ss@host.example\\/a"', '"https:\\/\\/[hidden]@host.example\\/a"'),
        ("https%3A%2F%2Fuser%3Ap%40ss%40host.example", "https%3A%2F%2F[hidden]%40host.example"),
        ("https:\\u002f\\u002fuser:pw\\u0040host.example", "https:\\u002f\\u002f[hidden]\\u0040host.example"),
        ("https&#58;//user&colon;pw&commat;host.example", "https&#58;//[hidden]&commat;host.example"),
        ("https://host.example:8443/a?mail=b@c.example", "https://host.example:8443/a?mail=b@c.example"),
        ("see https://host.example or write to a@b.example", "see https://host.example or write to a@b.example"),
        ("{'token': 'abc', 'name': 'x'}", "{'token': '[hidden]', 'name': 'x'}"),
        ('{"body": "{\\"client_secret\\": \\"abc\\"}"}', '{"body": "{\\"client_secret\\": \\"[hidden]\\"}"}'),
        ("Authorization: Bearer abc.def-ghi, no", "Authorization: [hidden], no"),
        ("got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOjF9.c2ln here", "got [hidden] here"),
        *((f"extra ({begin}Ab3-_x9.Zk2+), no", "extra ([hidden]), no") for begin in BEGINNINGS),
        ("acct%5Fpat%5FAb3x9Zk2q", "[hidden]"),
        ("acct_session of acct_pat_", "acct_session of acct_pat_"),
    ],
)
def test_what_looks_like_a_secret_is_masked_behind_escapes_too(said: str, masked: str) -> None:
    assert redact.text(said) == masked
    assert redact.text(masked) == masked


def test_a_body_stays_json_without_known_secrets() -> None:
    known.know(SECRET)
    body = {"description": f"paid with {SECRET}", "token": "abc", "amount": 1.50, "a": SECRET[:7], "b": SECRET[7:]}
    masked = json.loads(redact.fields(json.dumps(body).encode()))
    assert masked == {**body, "description": "paid with [hidden]", "token": "[hidden]", "b": "[hidden]"}


def test_no_advice_is_hidden() -> None:
    """What follows `hint` in a call, and what a hint is made of, is shown to people as it is written."""
    advice = [
        text.value
        for path in sorted(SOURCE.rglob("*.py"))
        if "hint" in (source := path.read_text("utf-8"))
        for found in ast.walk(ast.parse(source))
        if (isinstance(found, ast.keyword) and found.arg == "hint") or is_hint(found)
        for text in ast.walk(found)
        if isinstance(text, ast.Constant) and isinstance(text.value, str)
    ]
    assert len(advice) > 200
    assert [text for text in advice if redact.text(text) != text] == []


def is_hint(found: ast.AST) -> bool:
    """Say whether something is given the name `hint`."""
    return isinstance(found, ast.Assign) and any(
        isinstance(one, ast.Name) and one.id == "hint" for one in found.targets
    )


def test_a_hostile_text_takes_no_long_time() -> None:
    known.know(SECRET)
    started = time.perf_counter()
    pieces = ('"token', "a://b:x", "&token", "authorization: ", "eyJ", "<a", "%25", "\\u", "'secret'", "&amp;")
    redact.shortened('"token": "' + "eyJ" * 100_000, 10_000)
    for piece in pieces:
        redact.shortened(piece * (10_000 // len(piece)), 10_000)
    assert time.perf_counter() - started < 5
