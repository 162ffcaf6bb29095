"""Programs of the machine: what tests ask for is what .ci/run installs; a missing one skips by name, or fails in CI."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from tests.check import CHECKOUT
from tests.programs import Program, require_path, require_program
from tests.surroundings import IN_CI

PROGRAMS = set(get_args(Program))
SCRIPT = CHECKOUT / ".ci" / "run"
# what the script itself runs
TOOLS = ("awk", "bash", "dirname", "env", "id", "timeout")


def test_finds_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(tmp_path, "ledger")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert require_program("ledger") == str(tmp_path / "ledger")


def test_skips_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(IN_CI, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(pytest.skip.Exception, match="ledger is not installed"):
        require_program("ledger")


def test_fails_in_ci(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(IN_CI, "true")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(pytest.fail.Exception, match="ledger is not installed"):
        require_program("ledger")


def test_a_file_of_the_system_that_is_missing_skips_by_name_and_fails_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    assert require_path("/") == Path("/")
    monkeypatch.delenv(IN_CI, raising=False)
    with pytest.raises(pytest.skip.Exception, match="this system has no /nosuch"):
        require_path("/nosuch")
    monkeypatch.setenv(IN_CI, "true")
    with pytest.raises(pytest.fail.Exception, match="this system has no /nosuch"):
        require_path("/nosuch")


# --- what tests ask for ---


def modules(word: str) -> Iterator[tuple[Path, ast.Module]]:
    """Yield the tests' own modules with a word in them; those of the bench, run by hand, say what they miss."""
    for path in sorted((CHECKOUT / "tests").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if word in text and (path.parent.name != "bench" or path.name.startswith("test_")):
            yield path, ast.parse(text)


def named(tree: ast.Module) -> set[str]:
    """Return the texts of a module: mypy sees to it that `require_program` is given nothing but listed ones."""
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def started_by_name(tree: ast.Module) -> set[str]:
    """Return the programs that a module starts without asking for them."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args)
    commands = (call.args[0] for call in calls if "subprocess." in ast.unparse(call.func))
    first = (command.elts[0] for command in commands if isinstance(command, ast.List | ast.Tuple))
    return {str(word.value) for word in first if isinstance(word, ast.Constant)}


def test_every_listed_program_is_asked_for() -> None:
    own = {Path(__file__), CHECKOUT / "tests" / "programs.py"}
    assert set().union(*(named(tree) for path, tree in modules("require_program") if path not in own)) >= PROGRAMS


def test_no_program_is_started_without_asking_for_it() -> None:
    found = {str(path.relative_to(CHECKOUT)): started_by_name(tree) for path, tree in modules("subprocess.")}
    assert {path: names for path, names in found.items() if names} == {}


# --- what .ci/run installs ---


def pretend(folder: Path, name: str, script: str = "") -> None:
    """Put a program of this name into a folder."""
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


def run_script(folder: Path, *installed: str) -> tuple[int, list[str], str]:
    """Run the script on a machine that has these programs, with a README that asks for something small."""
    (folder / ".ci").mkdir()
    (folder / ".ci" / "run").write_text(SCRIPT.read_text())
    readme = '```sh\nfalse\n```\nwords\n```sh\necho "CI is $CI"; echo "$PWD"\n```\n```sh\nfalse\n```\n'
    (folder / "README.md").write_text(readme)
    machine = folder / "machine"
    machine.mkdir()
    for tool in TOOLS:
        (machine / tool).symlink_to(str(shutil.which(tool)))
    pretend(machine, "sudo", 'exec "$@"')
    if "java" in installed:
        (folder / "share" / "java").mkdir(parents=True)
        (folder / "share" / "java" / "preflight.jar").touch()
    pretend(machine, "apt-get", 'echo "apt-get $*"')
    for program in set(installed) - set(TOOLS):
        pretend(machine, program)
    done = subprocess.run(
        [require_program("bash"), folder / ".ci" / "run"],
        env={"PATH": str(machine)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout.splitlines(), done.stderr


def test_ci_runs_the_command_of_the_readme(tmp_path: Path) -> None:
    told = ['$ echo "CI is $CI"; echo "$PWD"', "CI is true", str(tmp_path.resolve())]
    assert run_script(tmp_path, "python3", *PROGRAMS) == (0, told, "")


NEEDED = {
    "chromium", "dbus", "default-jre-headless", "gnome-keyring", "hledger", "ledger", "libactivation-java",
    "libjaxb-api-java", "libpdfbox2-java", "poppler-utils", "strace", "zbar-tools", "python3-venv",
}  # fmt: skip


def test_ci_installs_what_a_new_machine_lacks(tmp_path: Path) -> None:
    code, told, complaints = run_script(tmp_path)
    assert (code, told[0], complaints) == (0, "apt-get update -qq", "")
    packages = set(told[1].partition("--no-install-recommends ")[2].split())
    assert packages == NEEDED


def test_ci_knows_the_package_of_every_program_that_tests_ask_for() -> None:
    listed = re.findall(r"^  \[([\w-]+)\]=[\w-]+$", SCRIPT.read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(PROGRAMS)
