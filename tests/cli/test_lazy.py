"""Imports are the cost of a command line: each command loads what it uses and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.processes import environ
from tests.cli.recorder import Answer, of_a_business, page, recorder, said
from tests.cli.vat.service import GERMAN, service

HEAVY = {
    "alembic", "asyncio", "httpx", "jaq", "keyring", "msgspec", "multipart", "pydantic", "rich", "sqlalchemy", "stdnum",
}  # fmt: skip
FRAME = {"command", "completing", "output", "session"}
ROW = {"id": 1, "number": "1910", "name": "Bank", "type": "ASS", "default_vat_code": 0, "default_vat_rate": "0",
       "opening_balance": 0, "is_shown": True}  # fmt: skip

# runs the entry point, and tells on stderr what was loaded when it would leave
PROBE = """
import os, sys
import acctcli.__main__ as program

end = os._exit

def leave(code):
    os.write(2, ("\\n" + " ".join(sorted(name for name, module in sys.modules.items() if module))).encode())
    end(code)

os._exit = leave
sys.argv[0] = "acctcli"
program.main()
"""


def loaded(home: Path, *argv: str, base_url: str | None = None, **more: str) -> set[str]:
    """Return the modules that a command line, which must succeed, has loaded in the end."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *argv],
        env=environ(home, base_url, **more),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr[:2000]
    return set(done.stderr.splitlines()[-1].split())


def tops(modules: set[str]) -> set[str]:
    return {name.split(".")[0] for name in modules}


def test_the_version_is_said_before_anything_is_loaded(tmp_path: Path) -> None:
    modules = loaded(tmp_path, "--version")
    assert "typer" not in tops(modules)
    assert {name for name in modules if name.startswith("acctcli")} == {"acctcli", "acctcli.__main__"}
    assert len(modules) < 60


@pytest.mark.parametrize(
    "argv",
    [
        "--help",
        "account --help",
        "account list --help",
        "api --help",
        "auth --help",
        "business --help",
        "completion --help",
        "document create --help",
        "env --help",
        "invoice --help",
        "invoice create --help",
        "local --help",
        "report --help",
        "tour --help",
        "user --help",
        "view --help",
    ],
)
def test_help_loads_nothing_heavy(tmp_path: Path, argv: str) -> None:
    assert tops(loaded(tmp_path, *argv.split())) & HEAVY == set()


def beyond_the_frame(modules: set[str]) -> set[str]:
    """Modules of the command line, besides the packages that every command stands on."""
    below = {name.removeprefix("acctcli.cli.") for name in modules if name.startswith("acctcli.cli.")}
    return {name for name in below if name.split(".")[0] not in FRAME}


def test_the_root_help_loads_no_group(tmp_path: Path) -> None:
    assert beyond_the_frame(loaded(tmp_path, "--help")) == {"root"}


def test_a_group_loads_no_other_group(tmp_path: Path) -> None:
    assert beyond_the_frame(loaded(tmp_path, "account", "--help")) == {
        "root", "account", "account.commands", "account.words",
    }  # fmt: skip


@pytest.mark.parametrize("form", ["json", "jsonl", "csv", "tsv"])
def test_reading_over_the_network_validates_nothing_and_draws_nothing(tmp_path: Path, form: str) -> None:
    with recorder(page(ROW)) as server:
        modules = loaded(tmp_path, "account", "list", "--output", form, base_url=server.base_url)
    assert tops(modules) & HEAVY == {"httpx", "msgspec"}
    assert "httpx._main" not in modules


@pytest.mark.parametrize("argv", ["list", "list --expand rows", "list --since {}/state.json", "aging", "pdf --all"])
def test_reading_invoices_validates_nothing(tmp_path: Path, argv: str) -> None:
    with recorder(of_a_business(page())) as server:
        words = ("invoice", *argv.format(tmp_path).split(), "--output", "csv")
        modules = loaded(tmp_path, *words, base_url=server.base_url)
    assert tops(modules) & HEAVY == {"httpx", "msgspec"}


def test_a_table_in_a_pipe_loads_the_widths_of_letters_and_no_more_of_rich(tmp_path: Path) -> None:
    with recorder(
        said({**ROW, "balance": 1.00, "is_used": True, "description": "", "created_at": "", "updated_at": ""})
    ) as server:
        modules = loaded(tmp_path, "account", "get", "id:1", base_url=server.base_url)
    assert tops(modules) & HEAVY == {"httpx", "msgspec", "rich"}
    assert not {"rich.console", "rich.table", "rich.markdown", "rich.syntax", "pygments"} & modules


def test_a_writing_command_loads_its_own_model_only(tmp_path: Path) -> None:
    with recorder(Answer(200, b'{"id": 1, "name": "x"}')) as server:
        modules = loaded(tmp_path, "account", "update", "id:1", "--number", "1911", "--json", base_url=server.base_url)
    assert tops(modules) & HEAVY == {"httpx", "msgspec", "pydantic"}
    assert not {"acctcli.models.business", "acctcli.models.document", "acctcli.models.user"} & modules


def test_reading_loads_no_law_and_a_return_that_of_one_country(tmp_path: Path) -> None:
    with recorder(page()) as server:
        listed = loaded(tmp_path, "invoice", "list", "--output", "csv", base_url=server.base_url)
    with service(GERMAN, {"mapping": {"83": 0.00}, "totals": {"vat_payable": 0.00}}) as server:
        filled = loaded(tmp_path, "vat", "return", "--period", "2026-03", base_url=server.base_url)
    assert not {name for name in listed if name.startswith("acctcli.law")}
    assert {name for name in filled if name.startswith(("acctcli.law.finland", "acctcli.law.germany"))} == {
        "acctcli.law.germany", "acctcli.law.germany.filing",
    }  # fmt: skip


@pytest.mark.parametrize("argv", ["env list", "env show testing", "completion show bash"])
def test_settings_need_no_network(tmp_path: Path, argv: str) -> None:
    assert not tops(loaded(tmp_path, *argv.split(), "--json")) & (HEAVY - {"msgspec"})


@pytest.mark.parametrize(
    ("before", "word"),
    [("", ""), ("account", ""), ("account list", "--"), ("account list --env", ""), ("account list --columns", "")],
)
def test_completion_loads_nothing_heavy(tmp_path: Path, before: str, word: str) -> None:
    modules = loaded(tmp_path, *before.split(), _ACCTCLI_COMPLETE="zsh", _ACCTCLI_WORD=word)
    assert tops(modules) & HEAVY == set()


@pytest.mark.parametrize(
    "argv",
    ["local init", "business list", "account list --business bench", "document create --business bench --file {}"],
)
def test_local_books_load_one_driver(tmp_path: Path, argv: str) -> None:
    """What runs on SQL text loads no library that builds it, nor the other database's driver; made anew or not."""
    body = tmp_path / "body.json"
    body.write_text('{"date": "2026-04-02", "description": "x", "is_draft": true}')
    local = ("--env", "local") if argv != "local init" else ()
    if local:
        loaded(tmp_path, *["business", "create", "--name", "Bench", "--slug", "bench", "--form", "FI_OY"], *local)
    modules = loaded(tmp_path, *argv.format(body).split(), *local)
    assert not tops(modules) & {"alembic", "psycopg", "sqlalchemy"}
    assert "acctcli.service.store.engine.sqlite" in modules


def test_a_local_read_loads_the_operations_of_its_address_only(tmp_path: Path) -> None:
    loaded(tmp_path, "business", "create", "--env", "local", "--name", "Birches", "--slug", "birches", "--json")
    modules = loaded(tmp_path, "account", "list", "--env", "local", "--business", "birches", "--json")
    routes = {name.removeprefix("acctcli.service.routes.") for name in modules if "acctcli.service.routes." in name}
    frame = {"addresses", "call", "operation", "parameters", "query", "business", "invoicing"}
    assert routes - frame == {"business.account"}
    assert {name for name in modules if "acctcli.service.cases." in name} == {
        "acctcli.service.cases.bodies",
        "acctcli.service.cases.work",
    }
    assert not {"pydantic", "acctcli.models.account"} & modules
    # nor anything of signing in, but for tokens
    assert not {"authlib", "cryptography", "jinja2", "joserfc"} & tops(modules)
    identity = {name.rpartition(".")[2] for name in modules if name.startswith("acctcli.service.identity.")}
    assert identity == {"credentials", "grants", "keys", "signatures", "tokens"}


@pytest.mark.parametrize("argv", ["local token", "local tokens", "local client list"])
def test_tokens_and_apps_of_local_books_load_no_library_of_signing_in(tmp_path: Path, argv: str) -> None:
    assert not {"authlib", "cryptography", "jinja2", "joserfc"} & tops(loaded(tmp_path, *argv.split()))
