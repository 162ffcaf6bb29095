"""Every collection and every odd endpoint of the interface, named once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from acctcli.client.collection import Collection
from acctcli.client.http import Http
from acctcli.client.messages import Reply, encode, encode_plain
from acctcli.client.pages import Listing
from acctcli.client.urls import build_path, identifier

if TYPE_CHECKING:
    from datetime import date

    from acctcli.client.messages import Extent
    from acctcli.client.stream import StreamedReport
    from acctcli.client.uploads import Upload
    from acctcli.client.urls import Query
    from acctcli.models.account import AccountRequest
    from acctcli.models.business import BusinessRequest, IdentifierRequest
    from acctcli.models.contact import ContactRequest
    from acctcli.models.delivery import SendRequest
    from acctcli.models.document import DocumentRequest, PreviewRequest
    from acctcli.models.file import FileRequest
    from acctcli.models.header import HeaderRequest
    from acctcli.models.invoice import SalesInvoiceRequest, StatusMessageRequest
    from acctcli.models.jwt import JwtRequest
    from acctcli.models.period import PeriodRequest
    from acctcli.models.product import ProductRequest
    from acctcli.models.purchase_invoice import PurchaseInvoiceRequest
    from acctcli.models.relation import RelationRequest
    from acctcli.models.report import PointReportRequest, RangeReportRequest
    from acctcli.models.sales_payout import SalesPayoutRequest
    from acctcli.models.tag import TagRequest
    from acctcli.models.user import UserRequest
    from acctcli.models.vat_period import VatPeriodRequest
    from acctcli.models.webhook import WebhookRequest
    from acctcli.models.workflow import WorkflowRequest


class Api:
    """The interface's operations; `business` is asked for a slug only by those that need one."""

    def __init__(self, http: Http, business: Callable[[], str]) -> None:
        self.http = http
        self._business = business

    def _scope(self) -> dict[str, str]:
        return {"business": self._business()}

    @cached_property
    def businesses(self) -> Collection[BusinessRequest]:
        """Businesses, addressed by slug."""
        return Collection(self.http, "/v1/business/", self._scope)

    @cached_property
    def identifiers(self) -> Collection[IdentifierRequest]:
        """Official identifiers of the business."""
        return Collection(self.http, "/v1/business/{business}/identifiers/", self._scope)

    @cached_property
    def accounts(self) -> Collection[AccountRequest]:
        """The chart of accounts."""
        return Collection(self.http, "/v1/business/{business}/account/", self._scope)

    @cached_property
    def headers(self) -> Collection[HeaderRequest]:
        """Headers that accounts stand under."""
        return Collection(self.http, "/v1/business/{business}/header/", self._scope)

    @cached_property
    def contacts(self) -> Collection[ContactRequest]:
        """Customers and suppliers."""
        return Collection(self.http, "/v1/business/{business}/contacts/", self._scope)

    @cached_property
    def tags(self) -> Collection[TagRequest]:
        """Tags that documents are grouped by."""
        return Collection(self.http, "/v1/business/{business}/tags/", self._scope)

    @cached_property
    def periods(self) -> Collection[PeriodRequest]:
        """Accounting periods."""
        return Collection(self.http, "/v1/business/{business}/period/", self._scope)

    @cached_property
    def vat_periods(self) -> Collection[VatPeriodRequest]:
        """VAT periods."""
        return Collection(self.http, "/v1/business/{business}/vat_period/", self._scope)

    @cached_property
    def documents(self) -> Collection[DocumentRequest]:
        """Accounting documents."""
        return Collection(self.http, "/v1/business/{business}/document/", self._scope)

    @cached_property
    def products(self) -> Collection[ProductRequest]:
        """What is sold: rows of invoices take name, price and VAT from it."""
        return Collection(self.http, "/v1/invoicing/{business}/product/", self._scope)

    @cached_property
    def purchase_invoices(self) -> Collection[PurchaseInvoiceRequest]:
        """What the business is invoiced for."""
        return Collection(self.http, "/v1/invoicing/{business}/purchase_invoice/", self._scope)

    @cached_property
    def sales_payouts(self) -> Collection[SalesPayoutRequest]:
        """What payment providers paid out for sales; payouts are made and read, never changed."""
        return Collection(self.http, "/v1/business/{business}/sales_payouts/", self._scope)

    @cached_property
    def invoices(self) -> Collection[SalesInvoiceRequest]:
        """Sales invoices and credit notes."""
        return Collection(self.http, "/v1/invoicing/{business}/invoice/", self._scope)

    def send_invoice(self, invoice: int, body: SendRequest, key: str | None = None) -> Reply:
        """Deliver an accepted invoice; some services answer with nothing."""
        return self.http.send("POST", self.invoices.path(invoice, "send/"), body=encode(body), key=key)

    def delivery_methods(self, invoice: int) -> Reply:
        """Return an array of the ways to deliver an invoice."""
        return self.http.send("GET", self.invoices.path(invoice, "delivery_methods/"))

    def status_messages(self, invoice: int) -> Collection[StatusMessageRequest]:
        """What other systems say about an invoice."""
        scope = {"invoice": str(identifier(invoice, "invoice"))}
        template = "/v1/invoicing/{business}/invoice/{invoice}/status_messages/"
        return Collection(self.http, template, lambda: {**self._scope(), **scope})

    def relations(self, document: int) -> Collection[RelationRequest]:
        """What a document is paired with."""
        scope = {"document": str(identifier(document, "document"))}
        template = "/v1/business/{business}/document/{document}/relation/"
        return Collection(self.http, template, lambda: {**self._scope(), **scope})

    def relation_suggestions(self, document: int) -> Reply:
        """Return an array of what a document may be paired with."""
        return self.http.send("GET", self.documents.path(document, "relation/suggestions/"))

    def preview_relations(self, body: PreviewRequest) -> Reply:
        """Return an array of what a document that does not exist yet may be paired with; nothing is changed."""
        path = build_path("/v1/business/{business}/document/relation/suggestions/preview/", self._scope())
        return self.http.send("POST", path, body=encode(body))

    def attachment_suggestions(self, document: int) -> Reply:
        """Return the files that may belong to a document, as an array or a page."""
        return self.http.send("GET", self.documents.path(document, "suggest_attachments/"))

    def accounting_suggestions(self, query: Query, extent: Extent) -> Listing:
        """Return the documents that the service proposes."""
        path = build_path("/v1/business/{business}/accounting_suggestions/", self._scope())
        return Listing(self.http, path, query, extent)

    def constant(self, name: str) -> Reply:
        """Return a value set of the interface, an array; `name` is its path segment, such as `vat_codes`."""
        path = build_path("/v1/business/{business}/constants/{name}/", {**self._scope(), "name": name})
        return self.http.send("GET", path)

    def vat_rates(self, day: date) -> Reply:
        """Return the VAT rates in force on a day, by label."""
        path = build_path("/v1/business/{business}/constants/vat_rates/", self._scope())
        return self.http.send("GET", path, query={"date_at": day.isoformat()})

    def ledger(self, first: date, last: date) -> StreamedReport:
        """Return the accounts of the ledger of these days, both included, each with all its entries."""
        from acctcli.client.stream import StreamedReport

        path = build_path("/v1/business/{business}/report/ledger/", self._scope())
        body = encode_plain({"columns": [{"date_from": first, "date_to": last}]})
        return StreamedReport(self.http, path, body, "accounts")

    @cached_property
    def files(self) -> Collection[FileRequest]:
        """Files; new ones come by `upload`."""
        return Collection(self.http, "/v1/business/{business}/files/", self._scope)

    def upload(self, file: Upload, key: str) -> Reply:
        """Upload a file; `key` names the intent, so that repeating it uploads nothing twice."""
        from acctcli.client.uploads import send

        return send(self.http, build_path("/v1/business/{business}/file_upload/", self._scope()), file, key)

    def report(self, name: str, body: PointReportRequest | RangeReportRequest) -> Reply:
        """Return a report; `name` is its path segment, such as `journal`."""
        path = build_path("/v1/business/{business}/report/{name}/", {**self._scope(), "name": name})
        return self.http.send("POST", path, body=encode(body))

    def stream_report(self, name: str, body: PointReportRequest | RangeReportRequest, array: str) -> StreamedReport:
        """Return the records of a long report as they come; `array` is the field that holds them."""
        from acctcli.client.stream import StreamedReport

        path = build_path("/v1/business/{business}/report/{name}/", {**self._scope(), "name": name})
        return StreamedReport(self.http, path, encode(body), array)

    @cached_property
    def workflows(self) -> Collection[WorkflowRequest]:
        """Workflow definitions."""
        return Collection(self.http, "/v1/business/{business}/workflows/", self._scope)

    def workflow_runs(self, workflow: int) -> Collection[Any]:
        """The runs of a workflow; they can only be read."""
        scope = {"workflow": str(identifier(workflow, "workflow"))}
        template = "/v1/business/{business}/workflows/{workflow}/runs/"
        return Collection(self.http, template, lambda: {**self._scope(), **scope})

    @cached_property
    def webhooks(self) -> Collection[WebhookRequest]:
        """Webhook subscriptions."""
        return Collection(self.http, "/v1/business/{business}/webhook_subscriptions/", self._scope)

    def jwt(self, body: JwtRequest) -> Reply:
        """Return a token of one hour, made with the personal access token."""
        return self.http.send("POST", "/auth/jwt/", body=encode(body))

    def permissions(self) -> Reply:
        """Return what the caller may do in the business."""
        return self.http.send("GET", build_path("/v1/business/{business}/me/permissions/", self._scope()))

    def user(self) -> Reply:
        """Return the signed-in user."""
        return self.http.send("GET", "/v1/user/")

    def update_user(self, body: UserRequest) -> Reply:
        """Change the signed-in user's own fields."""
        return self.http.send("PATCH", "/v1/user/", body=encode(body))

    def replace_user(self, body: UserRequest) -> Reply:
        """Replace the signed-in user's own fields."""
        return self.http.send("PUT", "/v1/user/", body=encode(body))
