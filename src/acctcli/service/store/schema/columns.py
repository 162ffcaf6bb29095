"""What the tables are made of: keys, references inside a business, integer cents, moments."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

Id = BigInteger().with_variant(Integer, "sqlite")
Cents = BigInteger()
Stamp = String(27)
# what tables say to the triggers
COUNTED, MOVED_BY = "counted", "moved_by"
# in the order of code points on both databases; PostgreSQL would sort by the language of its cluster
Sortable = Text().with_variant(Text(collation="C"), "postgresql")

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def table(name: str, *parts: Any, counted: bool = False, moved_by: str | None = None) -> Table:
    """Make a table whose ids are never used twice.

    `counted` has triggers count its rows, `moved_by` names a column that changes the order of its list.
    """
    info = {COUNTED: counted, MOVED_BY: moved_by}
    return Table(name, metadata, *parts, info=info, sqlite_autoincrement=True)


def id_column() -> Column[int]:
    """Number the rows."""
    return Column("id", Id, primary_key=True)


def stamps() -> tuple[Column[str], Column[str]]:
    """Say when a row was made and last changed."""
    return Column("created_at", Stamp, nullable=False), Column("updated_at", Stamp, nullable=False)


def of_business(*, unique_id: bool = False) -> tuple[Any, ...]:
    """Belong to a business; with `unique_id` other tables can reference the pair (business_id, id)."""
    column = Column("business_id", Id, ForeignKey("business.id", ondelete="CASCADE"), nullable=False)
    return (column, UniqueConstraint("business_id", "id")) if unique_id else (column,)


def inside(local: str, table: str, *, ondelete: str | None = None) -> ForeignKeyConstraint:
    """Reference a row of the same business."""
    return ForeignKeyConstraint(["business_id", local], [f"{table}.business_id", f"{table}.id"], ondelete=ondelete)


def cents(name: str, *, check: str = "") -> tuple[Column[int], CheckConstraint, *tuple[CheckConstraint, ...]]:
    """Hold integer cents: SQLite would turn a sum beyond 64 bits into a float, the check refuses it."""
    whole = CheckConstraint(f"typeof({name}) = 'integer'", name=f"{name}_integer").ddl_if(dialect="sqlite")
    extra = (CheckConstraint(f"{name} {check}", name=f"{name}_range"),) if check else ()
    return Column(name, Cents, nullable=False), whole, *extra


def flag(name: str) -> Column[bool]:
    """Hold yes or no."""
    return Column(name, Boolean, nullable=False)


def tags_of(owner: str, column: str | None = None) -> Table:
    """Let the records of a table carry tags; `column` is what names them, when it is not called after the table."""
    return _hanging_on(owner, column, "tag", ondelete="CASCADE")


def files_of(owner: str, column: str | None = None) -> Table:
    """Let the records of a table have files, in the order they were given; a file that one has stays."""
    return _hanging_on(owner, column, "attachment", Column("position", Integer, nullable=False))


def _hanging_on(owner: str, column: str | None, what: str, *more: Column[int], ondelete: str | None = None) -> Table:
    record, linked = column or f"{owner}_id", f"{what}_id"
    return Table(
        f"{owner}_{what}",
        metadata,
        *of_business(),
        Column(record, Id, nullable=False),
        Column(linked, Id, nullable=False),
        *more,
        PrimaryKeyConstraint("business_id", record, linked),
        inside(record, owner, ondelete="CASCADE"),
        inside(linked, what, ondelete=ondelete),
        Index(None, "business_id", linked, record),
    )


def partial_index(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    """Index only the rows of a condition."""
    condition = text(where)
    return Index(name, *columns, unique=unique, sqlite_where=condition, postgresql_where=condition)
