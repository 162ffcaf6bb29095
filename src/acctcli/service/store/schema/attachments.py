"""Files: what is known of them; their content lies outside the database."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, String, Text, UniqueConstraint

from acctcli.service.store.schema.columns import id_column, of_business, stamps, table

attachment = table(
    "attachment",
    id_column(),
    *stamps(),
    *of_business(unique_id=True),
    Column("name", String(256), nullable=False),
    Column("search_name", Text, nullable=False),  # casefolded
    Column("type", String(128), nullable=False),  # media type, found from the content
    # what was uploaded: its bytes and their hash; null for what the service prints itself, when it is first asked for
    Column("size", BigInteger),
    Column("sha256", String(64)),
    Column("content_name", String(64), nullable=False),  # opaque; where the content lies
    Column("content_secret", String(64), nullable=False),  # signs the addresses the content is fetched from
    Column("analysis_status", String(16), nullable=False),
    Column("notes", String(8192), nullable=False),
    UniqueConstraint("content_name"),
    counted=True,
)
