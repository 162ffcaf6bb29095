"""The log of a served service: what failed under the id that was answered, and nothing of what was asked."""

from __future__ import annotations

import json
import logging
import os
import stat
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from acctcli.service.http import logs
from acctcli.service.http.embedded import open_embedded
from acctcli.service.store.engine.driver import sqlite3
from tests.serving import serve


def test_a_fault_is_in_the_log_by_its_id(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with open_embedded(tmp_path / "local") as service:
        token = service.token
    environ = {**os.environ, "ACCTCLI_DATA_DIR": str(tmp_path), "ACCTCLI_CONFIG_DIR": str(tmp_path)}
    headers = {"Authorization": f"Token {token}"}
    with (
        serve(environ, "--log-format", "json") as url,
        httpx.Client(base_url=url, headers=headers, trust_env=False, verify=False) as client,
    ):
        assert (client.get("/health").json(), client.get("/ready").json()) == ({"status": "ok"}, {"status": "ready"})
        assert client.get("/ready", headers={"Host": "probe.example", "Authorization": ""}).status_code == 200
        slug = client.post("/v1/business/", json={"name": "Log"}).json()["slug"]
        books = sqlite3.connect(tmp_path / "local" / "books.sqlite3")
        books.execute("ALTER TABLE tag RENAME TO gone")
        books.execute("UPDATE schema_revision SET number = '9999'")
        books.commit()
        books.close()
        reply = client.get(f"/v1/business/{slug}/tags/", params={"search": "canary-4711"})
        assert reply.status_code == 500
        name = reply.headers["X-Request-Id"]
        assert reply.json()["detail"] == f"The service failed; its log has more under {name}."
        assert client.get("/health").status_code == 200
        assert client.get("/ready").status_code == 503
    file = tmp_path / "local" / logs.FILE
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    [failed] = [line for line in lines if line["message"] == f"{name} failed"]
    assert failed["level"] == "ERROR"
    assert any(line.startswith("acctcli.") and "DatabaseFault" in line for line in failed["error"])
    assert lines[0]["message"].startswith("serving at port ")
    assert lines[-1]["message"] == "stopped"
    said = capfd.readouterr().err
    assert name in said
    assert "canary-4711" not in said + file.read_text()
    assert token not in said + file.read_text()


def test_a_full_file_is_moved_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "MOST_BYTES", 100)
    handler = logs.LogFile(tmp_path)
    for number in range(20):
        handler.emit(logging.LogRecord("x", logging.INFO, "", 0, f"{number:090}", None, None))
    kept = sorted(path.name for path in tmp_path.iterdir())
    assert kept == [logs.FILE, *(f"{logs.FILE}.{number}" for number in range(1, logs.KEPT))]
    assert [int((tmp_path / name).read_text().split()[-1]) for name in kept] == [19, 17, 15, 13]


WRITER = """
import logging, sys
from pathlib import Path
from acctcli.service.http import logs

logs.MOST_BYTES, logs.KEPT = 1000, 200
handler = logs.LogFile(Path(sys.argv[1]))
sys.stdin.read()
for number in range(250):
    handler.emit(logging.LogRecord("x", logging.INFO, "", 0, f"{sys.argv[2]}{number:090}", None, None))
"""


def test_processes_that_write_at_once_lose_no_line_to_each_other(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    writers = [subprocess.Popen([*command, name], stdin=subprocess.PIPE) for name in "abcd"]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.close()
    assert [writer.wait(60) for writer in writers] == [0] * 4
    lines = [line.split()[-1] for path in tmp_path.iterdir() for line in path.read_text().splitlines()]
    assert sorted(lines) == [f"{name}{number:090}" for name in "abcd" for number in range(250)]
    assert all(path.stat().st_size >= 1000 for path in tmp_path.iterdir() if path.name != logs.FILE)


def test_an_outline_quotes_nothing() -> None:
    def fail() -> None:
        try:
            int("canary-4711")
        except ValueError as error:
            raise KeyError("canary-4711") from error

    with pytest.raises(KeyError) as caught:
        fail()
    told = logs.outline(caught.value)
    assert [line for line in told if not line.startswith("  ")] == ["builtins.KeyError", "builtins.ValueError"]
    assert any(line.endswith("in fail") for line in told)
    assert "canary" not in "".join(told)


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_record_is_a_line_whatever_is_in_it(form: str) -> None:
    told = "name\n2026-01-01 INFO 1 forged \x1b[2J\x9b\u2028\u200b\x7f end \u00e4"
    try:
        raise KeyError("x")
    except KeyError as error:
        record = logging.LogRecord("x", logging.ERROR, "", 0, "%s", (told,), (KeyError, error, error.__traceback__))
    line = logs.FORMATS[form]().format(record)
    assert line.splitlines() == [line]
    assert line.isprintable()
    assert "end \u00e4" in line
    assert "builtins.KeyError" in line


def test_nobody_waits_for_who_does_not_read_the_log(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, True)
    handler = logs.Aloud(tmp_path, writer)
    handler.setFormatter(logs.TextLines())
    record = logging.LogRecord("acctcli.service", logging.ERROR, "", 0, "x" * 1000, None, None)
    for _ in range(100):  # more than a pipe holds
        handler.emit(record)
    held = len(os.read(reader, 2**20))
    assert 2**15 < held < 100_000
    handler.emit(record)
    assert os.read(reader, 2**20).endswith(b"x" * 1000 + b"\n")
    handler.emit(logging.LogRecord("acctcli.service", logging.ERROR, "", 0, "y" * 10_000, None, None))
    assert os.read(reader, 2**20).endswith(b"y" * 10_000 + b"\n")
    os.close(reader)
    handler.emit(record)  # nor does anything fail when nobody will ever read it
    os.close(writer)
