"""Every table, for whoever looks at all of them."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from acctcli.service.store import schema
from acctcli.service.store.schema.columns import metadata

__all__ = ["metadata"]

for _module in iter_modules(schema.__path__, f"{schema.__name__}."):
    if _module.name != __name__:
        import_module(_module.name)
