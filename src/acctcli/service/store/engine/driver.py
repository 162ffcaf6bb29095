"""The driver of SQLite: the newest SQLite that is installed.

`pysqlite3` carries one whose write-ahead log is safe (`sqlite.SAFE_WAL`), where it has wheels; elsewhere Python's own.
Nothing else imports either: two SQLites in one process free each other's locks on a file, and so destroy it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
else:
    try:
        from pysqlite3 import dbapi2 as sqlite3
    except ImportError:
        import sqlite3

__all__ = ["sqlite3"]
