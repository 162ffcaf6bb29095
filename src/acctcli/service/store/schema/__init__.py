"""The tables of the service.

Conventions: every row of a business carries `business_id`, and references inside a business are composite, so that a
row of another business cannot be referenced. Amounts are integer cents. Moments are ISO 8601 UTC text of one width,
equal on both databases and sent as they are stored. Ids are never used twice.
"""

from acctcli.service.store.schema import books, business, events, invoicing, logins
from acctcli.service.store.schema.columns import metadata

__all__ = ["books", "business", "events", "invoicing", "logins", "metadata"]
