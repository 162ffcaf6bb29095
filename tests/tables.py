"""A table of cases is one test, which looks at every row and names all that fail.

pytest makes a test of each row, which costs every worker some milliseconds before the row is looked at: more than most
rows take. So a function that is parametrised and takes nothing else is collected once. One that takes fixtures is, too,
if it is marked `together`: its rows share what the fixtures give, so each only reads, or writes what is no other row's.
Rows are tests of their own again where one is asked for by name: `pytest 'tests/law/test_vat_rules.py::test_x[row]'`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from types import FunctionType, ModuleType
from typing import Any, Final
from unittest.mock import patch

import pytest

from acctcli.client import known

Row = dict[str, Any]
TOGETHER: Final = "together"
# what `pytest.fail` and `pytest.raises` raise is no Exception
FAILURES: Final = (Exception, pytest.fail.Exception)
_Param: Final = type(pytest.param())


def join(module: ModuleType) -> None:
    """Put a test of all rows in the place of each test of a module that is called with them one by one."""
    for name, test in list(vars(module).items()):
        if name.startswith("test_") and isinstance(test, FunctionType):
            setattr(module, name, as_one(test))


def as_one(test: Callable[..., None]) -> Callable[..., None]:
    """Return a test of all rows in the place of one that is to be called with each; any other as it is."""
    marks: list[pytest.Mark] = getattr(test, "pytestmark", [])
    tables = [mark for mark in marks if mark.name == "parametrize"]
    given = {name for table in tables for name in _names(table)}
    taken = set(inspect.signature(test).parameters)
    shares = any(mark.name == TOGETHER for mark in marks)
    if not tables or not (shares or taken <= given) or not all(map(_is_plain, tables)) or hasattr(test, "hypothesis"):
        return test
    rows = list(_rows(tables))

    def together(**shared: Any) -> None:
        _look_at_all(test, rows, shared)

    together.__name__ = test.__name__
    together.__doc__ = test.__doc__
    together.__module__ = test.__module__
    # the place of the test, and what it takes besides rows
    together.__wrapped__ = test  # type: ignore[attr-defined]
    signature = inspect.signature(test)
    kept = [one for name, one in signature.parameters.items() if name not in given]
    together.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
    together.pytestmark = [mark for mark in marks if mark not in tables]  # type: ignore[attr-defined]
    return together


def _names(table: pytest.Mark) -> list[str]:
    names = table.args[0]
    return [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)


def _is_plain(table: pytest.Mark) -> bool:
    """Whether a table has rows, all of which are to pass, and gives them to the test itself."""
    rows = table.args[1]
    if not isinstance(rows, (list, tuple)) or not rows or table.kwargs.keys() - {"ids"}:
        return False
    return not any(isinstance(row, _Param) and row.marks for row in rows)


def _rows(tables: Iterable[pytest.Mark]) -> Iterator[Row]:
    """Yield what the test is called with, each row of a table with each of the others."""
    for chosen in product(*(list(_rows_of(table)) for table in tables)):
        yield {name: value for row in chosen for name, value in row.items()}


def _rows_of(table: pytest.Mark) -> Iterator[Row]:
    names = _names(table)
    for row in table.args[1]:
        values = row.values if isinstance(row, _Param) else (row,) if len(names) == 1 else row
        yield dict(zip(names, values, strict=True))


def _look_at_all(test: Callable[..., None], rows: Iterable[Row], shared: Row) -> None:
    """Call a test with each row; raise what failed at the end, each with its row."""
    failed: list[BaseException] = []
    for row in rows:
        try:
            # no row masks the secrets of another
            with patch.object(known, "_told", set()):
                test(**shared, **row)
        except FAILURES as failure:
            failure.add_note("with " + ", ".join(f"{name}={value!r}" for name, value in row.items()))
            failed.append(failure)
    if len(failed) == 1:
        raise failed[0]
    if failed:
        raise BaseExceptionGroup(f"{len(failed)} rows fail", failed)
