"""Every operation of the service, once: routing, permissions and the OpenAPI document are read from this table.

Handlers and models are named, not imported: a process that answers one read loads one routes file and no model.
"""

from __future__ import annotations

from acctcli.service.routes.operations.account import ACCOUNTS
from acctcli.service.routes.operations.business import BUSINESS, IDENTIFIERS
from acctcli.service.routes.operations.constant import CONSTANTS
from acctcli.service.routes.operations.contact import CONTACTS
from acctcli.service.routes.operations.delivery import DELIVERY
from acctcli.service.routes.operations.document import DOCUMENTS
from acctcli.service.routes.operations.file import FILES
from acctcli.service.routes.operations.header import HEADERS
from acctcli.service.routes.operations.invoice import INVOICES
from acctcli.service.routes.operations.jwt import JWT
from acctcli.service.routes.operations.payout import SALES_PAYOUTS
from acctcli.service.routes.operations.period import ACCOUNTING_PERIODS
from acctcli.service.routes.operations.product import PRODUCTS
from acctcli.service.routes.operations.purchase import PURCHASE_INVOICES
from acctcli.service.routes.operations.relation import RELATIONS
from acctcli.service.routes.operations.report import REPORTS
from acctcli.service.routes.operations.tag import TAGS
from acctcli.service.routes.operations.user import USER
from acctcli.service.routes.operations.vat_period import VAT_PERIODS
from acctcli.service.routes.operations.webhook import WEBHOOKS
from acctcli.service.routes.operations.workflow import WORKFLOWS
from acctcli.service.routes.route import Route

TABLE: tuple[Route, ...] = (
    *USER,
    *BUSINESS,
    *IDENTIFIERS,
    *ACCOUNTS,
    *HEADERS,
    *CONTACTS,
    *TAGS,
    *PRODUCTS,
    *INVOICES,
    *DELIVERY,
    *PURCHASE_INVOICES,
    *SALES_PAYOUTS,
    *CONSTANTS,
    *DOCUMENTS,
    *RELATIONS,
    *FILES,
    *REPORTS,
    *ACCOUNTING_PERIODS,
    *VAT_PERIODS,
    *JWT,
    *WORKFLOWS,
    *WEBHOOKS,
)
