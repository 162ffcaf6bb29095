"""Environments, hosts, the default business, and the folders they live in.

Precedence of every value: option > variable > project file > user file > default.

- `folders`: where the user's files are (`ACCTCLI_CONFIG_DIR`, `ACCTCLI_DATA_DIR`, or the platform's folders)
- `names`: which environment names, business slugs and variables exist
- `urls`: which hosts are acceptable, and their one normal form
- `files`: reading and changing settings files without losing or half-writing anything
- `resolve`: `Settings` and `Environment`, what every command asks
"""

from acctcli.settings.folders import cache_dir, config_dir, data_dir, files_dir, outbox_dir, state_dir
from acctcli.settings.names import KNOWN, LOCAL, PRODUCTION, variable
from acctcli.settings.resolve import STORES, Environment, Settings, SignIn

__all__ = [
    "KNOWN",
    "LOCAL",
    "PRODUCTION",
    "STORES",
    "Environment",
    "Settings",
    "SignIn",
    "cache_dir",
    "config_dir",
    "data_dir",
    "files_dir",
    "outbox_dir",
    "state_dir",
    "variable",
]
