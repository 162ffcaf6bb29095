"""What a local service keeps of secrets that it makes, takes and is sent: in its files nobody reads one."""

from __future__ import annotations

import base64
import json
import random
import shlex
import string
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import psycopg
import pytest
from lxml import html
from psycopg import sql

from tests.canaries import Canaries
from tests.cli.demo import ANNA, demo
from tests.cli.test_examples import EXAMPLES, UNRUN
from tests.databases import KINDS
from tests.journeys.places import Place
from tests.serving import serve
from tests.sizes import is_full

REDIRECT = "https://till.example/callback"
SCOPES = "openid profile email offline_access"
# of the rest of the year, beside what the company did in March
MONTHS = [
    line
    for month in range(4, 13)
    for line in (
        f"document create --date 2026-{month:02}-02 --description Sale --debit 1910 --credit 3000:125.50@1/25.5",
        f"document create --date 2026-{month:02}-05 --description Beans --credit 1910 --debit 4000:80",
    )
]
YEAR = [
    *MONTHS,
    "contact update 1 --city Turku",
    "invoice create --to 1001 --date 2026-06-02 --days 14 --row code=A1,count=2 --delivery email",
    "invoice accept 6",
    "invoice send 6 --subject Invoice --text Thanks",
    "period lock 1",
    "period unlock 1",
    "report journal --period 2026",
    "vat return --period 2026-03",
    "audit verify",
    "local clean --yes",
]


def dumped(url: str) -> Iterator[bytes]:
    """Yield the rows of all tables of a PostgreSQL database, their bytes as they are."""
    with psycopg.connect(url) as conn:
        tables = conn.execute("SELECT relname FROM pg_stat_user_tables ORDER BY 1").fetchall()
        assert len(tables) > 20
        for (table,) in tables:
            copy = sql.SQL("COPY {} TO STDOUT (FORMAT binary)").format(sql.Identifier(table))
            with conn.cursor().copy(copy) as rows:
                yield from map(bytes, rows)


def send(browser: httpx.Client, page: httpx.Response, **given: str) -> httpx.Response:
    """Fill in the form of a page that asks for these, and send it."""
    form = html.fromstring(page.content).xpath(f"//form[.//*[@name='{next(iter(given))}']]")[0]
    fields = {name: value or "" for name, value in form.fields.items()}
    return browser.post(form.action, data=fields | given)


def sign_in(url: str, client: dict[str, str], password: str, wrong: str) -> list[str]:
    """Let a browser without scripts sign Anna in to an app, wrongly first; return every secret on the way."""
    headers = {"Accept-Language": "en", "Origin": "null", "Sec-Fetch-Site": "same-origin"}
    verifier = "".join(random.Random(wrong).choices(string.ascii_letters, k=48))
    challenge = base64.urlsafe_b64encode(sha256(verifier.encode()).digest()).decode().rstrip("=")
    asked = {"client_id": client["id"], "redirect_uri": REDIRECT, "response_type": "code", "scope": SCOPES}
    asked |= {"state": "of the app", "nonce": "n-1", "code_challenge": challenge, "code_challenge_method": "S256"}
    with httpx.Client(base_url=url, headers=headers, verify=False, timeout=60) as browser:
        there = browser.get("/.well-known/openid-configuration").json()
        page = browser.get(there["authorization_endpoint"], params=asked, follow_redirects=True)
        for word in (wrong, password):
            page = send(browser, page, email=ANNA, password=word)
        asked_for = browser.get(page.headers["Location"])
        back = send(browser, asked_for, decision="allow")
        code = parse_qs(urlsplit(back.headers["Location"]).query)["code"][0]
        cookies = list(browser.cookies.values())
    proof = {"client_id": client["id"], "client_secret": client["secret"]}
    grant = {"grant_type": "authorization_code", "code": code, "redirect_uri": REDIRECT, "code_verifier": verifier}
    token = there["token_endpoint"]
    given = httpx.post(token, data={**proof, **grant}, timeout=60, verify=False).json()
    again = {**proof, "grant_type": "refresh_token", "refresh_token": given["refresh_token"]}
    renewed = httpx.post(token, data=again, timeout=60, verify=False).json()
    user = {"Authorization": f"Token {renewed['access_token']}"}
    assert httpx.get(f"{url}/v1/user/", headers=user, timeout=60, verify=False).json()["email"] == ANNA
    # used up, wrong, and another's: what is refused is kept no more than what is taken
    for form in ({**proof, **grant}, again, {**proof, **grant, "code": wrong}, {**again, "client_secret": wrong}):
        assert httpx.post(token, data=form, timeout=60, verify=False).status_code in {400, 401}
    signatures = [one["id_token"].rpartition(".")[2] for one in (given, renewed) if one.get("id_token")]
    tokens = [one[kind] for one in (given, renewed) for kind in ("access_token", "refresh_token")]
    return [verifier, code, *cookies, *tokens, *signatures]


def work(place: Place, passwords: list[str]) -> list[str]:
    """Do what a company does in a year, and return the secrets that it was shown once."""
    for line in YEAR:
        place.run(*shlex.split(line))
    told = [place.run("local", "token", "--user", f"u{number}@a.example").out.strip() for number in range(5)]
    told += [place.run("auth", "jwt").out.strip().rpartition(".")[2] for _ in range(3)]
    for password in passwords:
        address = ("--url", "https://shop.example/", "--username", "me", "--password-file", "-")
        made = place.try_run("webhook", "create", "--name", "Shop", *address, "--json", stdin=password)
        told.append(json.loads(made.out)["signing_secret"].removeprefix("whsec_"))
    # what happens in the books is to be told to these addresses
    place.run("document", "create", "--date", "2026-12-30", "--debit", "1910", "--credit", "3000:1")
    place.run("local", "tick")
    return told


@pytest.mark.parametrize("kind", KINDS if is_full() else KINDS[:1])
def test_the_service_keeps_no_secret_that_can_be_read(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    chance = random.Random(5)
    mail, passphrase, person, wrong, *passwords = Canaries(chance).all
    variables = {"ACCTCLI_SMTP_PASSWORD": mail, "ACCTCLI_BACKUP_PASSPHRASE": passphrase}
    if kind == "postgresql":
        variables["ACCTCLI_DATABASE_URL"] = request.getfixturevalue("postgres_factory").fresh()
    place = demo(tmp_path / "home", **variables)
    told = work(place, passwords[:6])
    # the mails until now lie in a folder; from now on there is a server, which nobody reaches
    place.environ["ACCTCLI_SMTP_URL"] = "smtps://acct@127.0.0.1:9"
    assert place.try_run("invoice", "send", "6", "--subject", "Again", "--timeout", "0.1").code != 0
    assert place.try_run("local", "password", ANNA, stdin=f"{person}\n").code == 0
    client = place.json("local", "client", "add", "--name", "Shop", "--kind", "confidential", "--redirect", REDIRECT)
    with serve(place.environ, folder=place.folder) as url:
        told += sign_in(url, client, person, wrong)
        for token in (*told[:5], *passwords[6:]):
            there = {"ACCTCLI_LOCAL_BASE_URL": url, "ACCTCLI_LOCAL_TOKEN": token}
            assert place.try_run("user", "get", "--debug", **there).code == (0 if token in told else 4)
        if is_full():
            # whatever else there is to be done, in whatever order
            for name, example in EXAMPLES:
                if name not in UNRUN and name not in {"tour", "local reset", "local restore"}:
                    place.try_run(*shlex.split(example)[1:])
        if kind == "sqlite":
            place.run("local", "backup", "books.backup", "--with-key")
            assert (place.folder / "books.backup").stat().st_size > 100_000
        own = place.run("local", "token").out.strip()
        # while it is served, what is not written to its main file yet stands in another
        assert_unread(place, kind, own, [mail, passphrase, person, wrong, *passwords, *told, client["secret"]])


def assert_unread(place: Place, kind: str, own: str, secrets: list[str]) -> None:
    """Look through all files, and the rows of a database that is elsewhere."""
    data = place.folder / "data" / "local"
    if kind == "postgresql":
        rows = b"\n".join(dumped(place.environ["ACCTCLI_DATABASE_URL"]))
        place.folder.joinpath("dump").write_bytes(rows)
    else:
        assert (data / "books.sqlite3").stat().st_size > 100_000
    canaries = Canaries(random.Random(1), own, *secrets)
    [kept] = data.glob("token*")
    assert canaries.seen_below(place.folder) == {str(kept): {own}}
    (key,) = data.glob("key*")
    spellings = (root := key.read_bytes(), root.hex().encode(), base64.b64encode(root), base64.urlsafe_b64encode(root))
    for path in place.folder.rglob("*"):
        if path.is_file() and path != key:
            assert not [one for one in spellings if one.rstrip(b"=") in path.read_bytes()], path
