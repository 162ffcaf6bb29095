"""People, businesses, what belongs to a business beside its books, and what the service keeps for itself."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from acctcli.service.store.businesses import FLAGS
from acctcli.service.store.businesses import TEXTS as BUSINESS_TEXTS
from acctcli.service.store.contacts import TEXTS as CONTACT_TEXTS
from acctcli.service.store.schema.columns import (
    Id,
    Sortable,
    Stamp,
    flag,
    id_column,
    inside,
    metadata,
    of_business,
    partial_index,
    stamps,
    table,
)

users = table(
    "users",
    id_column(),
    *stamps(),
    Column("email", String(254), nullable=False, unique=True),
    Column("first_name", String(150), nullable=False),
    Column("last_name", String(150), nullable=False),
    Column("language", String(2)),
    flag("show_get_started_info"),
    Column("last_login", Stamp),
    Column("date_joined", Stamp, nullable=False),
    Column("last_active_business_id", Id),
    Column("last_active_business_slug", String(16)),
    Column("email_changed_at", Stamp),  # by the user, so that it may be anybody's; null: whoever made the user gave it
)

# Who the person at this machine is, whatever address they have: one row, or none before the first command.
local_user = Table(
    "local_user",
    metadata,
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    PrimaryKeyConstraint("user_id"),
)

token = table(
    "token",
    id_column(),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", String(128), nullable=False),
    Column("hash", String(64), nullable=False, unique=True),
    Column("created_at", Stamp, nullable=False),
    Column("expires_at", Stamp),
    Column("revoked_at", Stamp),
    # `access` of one that an app got by what `grant_id` granted, else `personal`
    Column("kind", String(16), nullable=False, server_default="personal"),
    Column("environment", String(40), nullable=False, server_default="local"),
    Column("grant_id", Id, index=True),
    Column("scopes", String(128)),
)

# The keys that signed JWTs, by the names that their heads have: the newest one is in force.
jwt_key = table(
    "jwt_key",
    id_column(),
    Column("kid", String(16), nullable=False, unique=True),
    Column("created_at", Stamp, nullable=False),
)

business = table(
    "business",
    id_column(),
    *stamps(),
    Column("name", String(256), nullable=False),
    Column("slug", String(16), nullable=False, unique=True),
    Column("search_text", Text, nullable=False),  # casefolded name and slug: lower() of SQLite knows ASCII only
    Column("country", String(2), nullable=False),
    Column("form", String(16), nullable=False),
    Column("vat_posting_method", String(16), nullable=False),
    Column("vat_reporting_method", String(16), nullable=False),
    Column("default_vat_period", Integer, nullable=False),
    Column("invoicing_default_penalty_interest", String(20), nullable=False),  # decimal text
    Column("invoicing_default_payment_condition_days", Integer, nullable=False),
    Column("owner_id", Id, ForeignKey("users.id", ondelete="SET NULL"), index=True),
    *(Column(name, Text if length is None else String(length)) for name, length in BUSINESS_TEXTS.items()),
    *(flag(name) for name in FLAGS),
    Column("chart", String(16)),  # null: the usual one of the country, as of all businesses of earlier releases
)

usership = table(
    "usership",
    id_column(),
    *stamps(),
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    *of_business(),
    Column("permissions", Text, nullable=False),  # keys, separated by spaces, in the order of the enumeration
    UniqueConstraint("user_id", "business_id"),
    Index(None, "business_id"),
)

# An invitation waits for whoever has the address. Of its code, which the mail has, only the hash is kept.
invitation = table(
    "invitation",
    id_column(),
    *stamps(),
    *of_business(),
    Column("email", String(254), nullable=False),
    Column("search_email", Text, nullable=False, index=True),  # as addresses are compared (rules/addresses.py)
    Column("status", String(16), nullable=False),
    Column("permission_group", String(16), nullable=False),
    Column("permissions", Text, nullable=False),  # as in usership
    Column("expires_at", Stamp, nullable=False),
    Column("invited_by", Id, ForeignKey("users.id", ondelete="SET NULL"), index=True),
    Column("user_id", Id, ForeignKey("users.id", ondelete="SET NULL"), index=True),  # who had the address then
    Column("code_hash", String(64), nullable=False),
    Index(None, "business_id", "id"),
)

# The file that is the logo of a business, for papers that are drawn from now on.
business_logo = Table(
    "business_logo",
    metadata,
    *of_business(),
    Column("attachment_id", Id, nullable=False),
    PrimaryKeyConstraint("business_id"),
    inside("attachment_id", "attachment"),
)

identifier = table(
    "identifier",
    id_column(),
    *stamps(),
    *of_business(),
    Column("type", String(16), nullable=False),
    Column("value", String(64), nullable=False),
    UniqueConstraint("business_id", "type"),
)

contact = table(
    "contact",
    id_column(),
    *stamps(),
    *of_business(unique_id=True),
    Column("type", String(16), nullable=False),
    Column("name", String(256), nullable=False),
    Column("sort_name", Sortable, nullable=False),  # casefolded: the order of lists
    Column("name_aliases", Text, nullable=False),  # JSON array of texts
    Column("search_text", Text, nullable=False),  # casefolded name, aliases, customer id, business id, e-mail
    flag("is_invoicing_enabled"),
    Column("invoicing_language", String(2), nullable=False),
    *(Column(name, Text if length is None else String(length)) for name, length in CONTACT_TEXTS.items()),
    Index(None, "business_id", "sort_name", "id"),
    counted=True,
    moved_by="sort_name",
)

tag = table(
    "tag",
    id_column(),
    *stamps(),
    *of_business(unique_id=True),
    Column("name", String(32)),
    Column("search_name", Text, nullable=False),  # casefolded, empty for a tag without a name
    Column("description", String(256)),
    Column("color", String(16)),
    UniqueConstraint("business_id", "name"),
    counted=True,
)

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

workflow = table(
    "workflow",
    id_column(),
    *stamps(),
    *of_business(unique_id=True),
    Column("name", String(128), nullable=False),
    Column("react_flow_data", Text, nullable=False),  # JSON object, as it was sent
    flag("enabled"),
    Column("version_number", BigInteger, nullable=False),  # of `react_flow_data`, from 1
    Column("author_id", BigInteger),  # who saved the graph or enabled it, last: it acts as they may
    Column("event_number", BigInteger),  # the last event that it was looked at for; null while it is not enabled
    Column("held_until", Stamp),  # until then it begins no runs by events: it had begun too many
    # found without reading graphs, which are long
    partial_index(
        "ix_workflow_event_number", "business_id", "event_number", "held_until", where="event_number IS NOT NULL"
    ),
    counted=True,
)

# the graphs that runs began with, each once: it is made when a run needs it, and goes when none does any more
workflow_version = table(
    "workflow_version",
    id_column(),
    *of_business(unique_id=True),
    Column("workflow_id", Id, nullable=False),
    Column("version_number", BigInteger, nullable=False),  # which another text has, too, if it is the same graph
    Column("react_flow_data", Text, nullable=False),  # JSON object
    inside("workflow_id", "workflow", ondelete="CASCADE"),
    Index(None, "business_id", "workflow_id", "id"),
)

workflow_run = table(
    "workflow_run",
    id_column(),
    *stamps(),
    *of_business(),
    Column("workflow_id", Id, nullable=False),
    Column("version_number", BigInteger, nullable=False),
    Column("version_id", Id, nullable=False),  # the graph of that version
    Column("status", String(16), nullable=False),
    Column("trigger_node_uuid", String(36)),
    Column("event_id", BigInteger),  # number of the event in the business; null for a run started by hand
    Column("started_at", Stamp),
    Column("finished_at", Stamp),
    Column("last_error", Text),
    Column("node_runs", Text, nullable=False),  # JSON object by the ids of the nodes that have begun
    Column("author_id", BigInteger),  # that of the workflow, when it began
    Column("mark", String(32), nullable=False, server_default=""),  # random; what it sends bears it
    Column("worker", String(32)),  # who is at it until `due_at`
    Column("due_at", Stamp),  # from when on somebody may take it; null when nothing is left to do
    Column("steps", BigInteger, nullable=False, server_default="0"),  # that were begun, and interruptions
    Column("spent_ms", BigInteger, nullable=False, server_default="0"),  # waiting for answers
    Column("input", Text),  # JSON object that a run by hand was given
    Column("sends", Boolean, nullable=False, server_default=text("false")),  # its next step does, as far as is known
    inside("workflow_id", "workflow", ondelete="CASCADE"),
    inside("version_id", "workflow_version"),
    Index(None, "business_id", "workflow_id", "id"),
    Index(None, "business_id", "version_id"),
    partial_index("ix_workflow_run_due_at", "business_id", "sends", "due_at", where="due_at IS NOT NULL"),
    partial_index("ix_workflow_run_open", "business_id", "workflow_id", where="due_at IS NOT NULL"),
    partial_index("ix_workflow_run_finished_at", "finished_at", where="due_at IS NULL"),
    partial_index(
        "uq_workflow_run_event",
        "workflow_id",
        "event_id",
        "trigger_node_uuid",
        where="event_id IS NOT NULL",
        unique=True,
    ),
)

# How many rows a list has, kept by triggers: `kind` is the table's name.
tally = Table(
    "tally",
    metadata,
    *of_business(),
    Column("kind", String(32), nullable=False),
    Column("count", BigInteger, nullable=False),
    # random, and another one whenever a row comes, goes, or moves: what is known of the order holds as long as it stays
    Column("state", BigInteger, nullable=False),
    PrimaryKeyConstraint("business_id", "kind"),
)

# Stored replies for Idempotency-Key (docs/interface.md 1.6).
stored_reply = Table(
    "stored_reply",
    metadata,
    Column("user_id", Id, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("key", String(255), nullable=False),
    Column("fingerprint", String(64), nullable=False),
    Column("status", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("created_at", Stamp, nullable=False, index=True),
    PrimaryKeyConstraint("user_id", "key"),
)

# How far the schema has come (store/migrations): one row.
schema_revision = Table("schema_revision", metadata, Column("number", String(4), nullable=False))
