"""Where a benchmark runs: a fresh virtual environment with acctcli installed, and an empty home."""

from __future__ import annotations

import subprocess
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.measure import BenchError, Command

CHECKOUT = Path(__file__).resolve().parents[2]
TOKEN = "bench-token-of-the-page-server"


@dataclass(frozen=True)
class Place:
    """A virtual environment's programs and a scratch folder; `rounds` is how often each pair runs.

    `books` is where large books are kept for the next run; without it they are made anew in the scratch folder.
    """

    programs: Path
    folder: Path
    rounds: int
    books: Path | None = None

    @property
    def data_dir(self) -> Path:
        """Where the embedded service keeps its books."""
        return self.folder / "data"

    def environ(self, base_url: str | None = None) -> dict[str, str]:
        """Return an environment with nothing of the caller's in it, and the host of `--env bench`."""
        environ = {
            "HOME": str(self.folder),
            "PATH": f"{self.programs}:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "ACCTCLI_CONFIG_DIR": str(self.folder / "config"),
            "ACCTCLI_DATA_DIR": str(self.data_dir),
            "ACCTCLI_BUSINESS": "demo",
            "ACCTCLI_BENCH_TOKEN": TOKEN,
            "HTTPIE_CONFIG_DIR": str(self.folder / "httpie"),
        }
        if base_url is not None:
            environ["ACCTCLI_BENCH_BASE_URL"] = base_url
        return environ

    def command(self, *arguments: str | Path, base_url: str | None = None) -> Command:
        """Return a command of the virtual environment; the first argument names its program."""
        program, *rest = arguments
        return Command([self.programs / program, *rest], self.environ(base_url), self.folder)


def make_venv(folder: Path) -> Path:
    """Install acctcli (not editable) with the benchmark's extras and compile it; return its programs."""
    venv.create(folder, with_pip=True)
    programs = folder / "bin"
    _call([programs / "python", "-m", "pip", "install", "--quiet", f"{CHECKOUT}[bench]"])
    compile_packages(programs)
    return programs


def compile_packages(programs: Path) -> None:
    """Write the .pyc files that an install writes: without them every start pays for compiling."""
    find = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = _call([programs / "python", "-c", find]).strip()
    _call([programs / "python", "-m", "compileall", "-q", packages], check=False)


def refuse_editable(programs: Path) -> None:
    """Raise BenchError when acctcli would be imported from a checkout."""
    find = "import acctcli; print(acctcli.__file__)"
    # -P keeps the working directory off the path
    path = Path(_call([programs / "python", "-P", "-c", find]).strip())
    if "site-packages" not in path.parts:
        raise BenchError(f"{path} is not an installed copy; run `pip install '.[bench]'` without -e")


def _call(arguments: Sequence[str | Path], *, check: bool = True) -> str:
    done = subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True, check=False)
    if check and done.returncode:
        raise BenchError(f"{' '.join(map(str, arguments))}: {done.stderr[-2000:]}")
    return done.stdout
