"""Tables that are rows and nothing else: a row is a mapping with the names of the columns. SQL only."""

from __future__ import annotations

from acctcli.service.store.rows import Record, Rows

# a tag that is removed comes off the documents that carry it
TAGS = Rows[Record](dict, "tag", filters={"search": r"search_name LIKE :search ESCAPE '\'"}, has_unique=True)
# secrets are encrypted
WEBHOOKS = Rows[Record](dict, "webhook_subscription")
