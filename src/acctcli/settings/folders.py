"""The user's folders: a variable's word, or the platform's custom."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def config_dir(environ: Mapping[str, str] | None = None) -> Path:
    """Return the folder of config.toml: `ACCTCLI_CONFIG_DIR` or the platform's; it need not exist."""
    return _folder("CONFIG", environ)


def data_dir(environ: Mapping[str, str] | None = None) -> Path:
    """Return the folder of the local books: `ACCTCLI_DATA_DIR` or the platform's; it need not exist."""
    return _folder("DATA", environ)


def files_dir(environ: Mapping[str, str] | None = None) -> Path:
    """Return the folder of what local files hold: `ACCTCLI_FILES_DIR`, or one beside the local books."""
    return _named("FILES", environ) or data_dir(environ) / "local" / "files"


def outbox_dir(environ: Mapping[str, str] | None = None) -> Path:
    """Return the folder of what the local service sends: `ACCTCLI_OUTBOX_DIR`, or one beside the local books."""
    return _named("OUTBOX", environ) or data_dir(environ) / "local" / "outbox"


def cache_dir(environ: Mapping[str, str] | None = None) -> Path:
    """Return the folder of what can be fetched again: `ACCTCLI_CACHE_DIR` or the platform's."""
    return _folder("CACHE", environ)


def state_dir(environ: Mapping[str, str] | None = None) -> Path:
    """Return the folder of logs and progress notes: `ACCTCLI_STATE_DIR` or the platform's."""
    return _folder("STATE", environ)


def _folder(kind: str, environ: Mapping[str, str] | None) -> Path:
    return _named(kind, environ) or _platform_folder(kind)


def _named(kind: str, environ: Mapping[str, str] | None) -> Path | None:
    named = (os.environ if environ is None else environ).get(f"ACCTCLI_{kind}_DIR")
    if not named:
        return None
    # absolute, so that a later change of working directory moves nothing
    return Path(os.path.abspath(os.path.expanduser(named)))  # noqa: PTH100, PTH111 - Path.expanduser raises


def _platform_folder(kind: str) -> Path:
    import platformdirs

    folders = platformdirs.PlatformDirs("acctcli", appauthor=False)
    match kind:
        case "CONFIG":
            return folders.user_config_path
        case "DATA":
            return folders.user_data_path
        case "CACHE":
            return folders.user_cache_path
        case _:
            return folders.user_state_path
