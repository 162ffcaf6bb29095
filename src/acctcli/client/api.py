"""Every collection and every odd endpoint of the interface, named once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from acctcli.client.collection import Collection, check_made, check_record
from acctcli.client.http import Http
from acctcli.client.messages import Reply, encode, encode_plain
from acctcli.client.pages import Listing
from acctcli.client.urls import build_path

if TYPE_CHECKING:
    from datetime import date

    from acctcli.client.messages import Extent
    from acctcli.client.stream import Check, StreamedReport
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
    from acctcli.models.user import InvitationRequest, UserRequest
    from acctcli.models.vat_period import VatPeriodRequest
    from acctcli.models.webhook import WebhookRequest
    from acctcli.models.workflow import RunRequest, WorkflowRequest

_REPORT = "/v1/business/{business}/report/{name}/"
_USER = "/v1/user/"


class Api:
    """The interface's operations; `business` is asked for a slug only by those that need one.

    Collections are declared here, one line each: the type of their bodies, and the path of the list.
    """

    def __init__(self, http: Http, business: Callable[[], str]) -> None:
        self.http = http
        self._business = business
        at = self._collection
        self.businesses: Collection[BusinessRequest] = at("/v1/business/")
        self.identifiers: Collection[IdentifierRequest] = at("/v1/business/{business}/identifiers/")
        self.accounts: Collection[AccountRequest] = at("/v1/business/{business}/account/")
        self.headers: Collection[HeaderRequest] = at("/v1/business/{business}/header/")
        self.contacts: Collection[ContactRequest] = at("/v1/business/{business}/contacts/")
        self.tags: Collection[TagRequest] = at("/v1/business/{business}/tags/")
        self.periods: Collection[PeriodRequest] = at("/v1/business/{business}/period/")
        self.fingerprints: Collection[Any] = at("/v1/business/{business}/fingerprint/")
        self.vat_periods: Collection[VatPeriodRequest] = at("/v1/business/{business}/vat_period/")
        self.documents: Collection[DocumentRequest] = at("/v1/business/{business}/document/")
        self.files: Collection[FileRequest] = at("/v1/business/{business}/files/")
        self.products: Collection[ProductRequest] = at("/v1/invoicing/{business}/product/")
        self.invoices: Collection[SalesInvoiceRequest] = at("/v1/invoicing/{business}/invoice/")
        self.purchase_invoices: Collection[PurchaseInvoiceRequest] = at("/v1/invoicing/{business}/purchase_invoice/")
        self.sales_payouts: Collection[SalesPayoutRequest] = at("/v1/business/{business}/sales_payouts/")
        self.workflows: Collection[WorkflowRequest] = at("/v1/business/{business}/workflows/")
        self.audit: Collection[Any] = at("/v1/business/{business}/audit/")
        self.service_audit: Collection[Any] = at("/v1/audit/")
        self.unseen_documents: Collection[Any] = at("/v1/business/{business}/audit/unseen/")
        self.members: Collection[Any] = at("/v1/business/{business}/users/")
        self.invitations: Collection[InvitationRequest] = at("/v1/business/{business}/invitations/")
        self.own_invitations: Collection[Any] = at("/v1/user/invitations/")
        self.webhooks: Collection[WebhookRequest] = at("/v1/business/{business}/webhook_subscriptions/")
        self.deliveries: Collection[Any] = at("/v1/business/{business}/webhook_subscriptions/deliveries/")
        self.events: Collection[Any] = at("/v1/business/{business}/events/")

    def subscription_deliveries(self, subscription: int) -> Collection[Any]:
        """What a webhook subscription is told; only the environment local says so."""
        return self._collection(
            "/v1/business/{business}/webhook_subscriptions/{subscription}/deliveries/", subscription=subscription
        )

    def ping(self, subscription: int, key: str | None = None) -> Reply:
        """Tell a webhook subscription of nothing, and return that delivery."""
        return check_made(self.http.send("POST", self.webhooks.path(subscription, "action/ping/"), key=key))

    def relations(self, document: int) -> Collection[RelationRequest]:
        """What a document is paired with."""
        return self._collection("/v1/business/{business}/document/{document}/relation/", document=document)

    def comments(self, document: int) -> Collection[Any]:
        """What was said of a document."""
        return self._collection("/v1/business/{business}/document/{document}/comments/", document=document)

    def status_messages(self, invoice: int) -> Collection[StatusMessageRequest]:
        """What other systems say about an invoice."""
        return self._collection("/v1/invoicing/{business}/invoice/{invoice}/status_messages/", invoice=invoice)

    def workflow_runs(self, workflow: int) -> Collection[RunRequest]:
        """The runs of a workflow; only the environment local lets them be begun by hand, and cancelled."""
        return self._collection("/v1/business/{business}/workflows/{workflow}/runs/", workflow=workflow)

    def _collection(self, template: str, **parent: int) -> Collection[Any]:
        return Collection(self.http, template, lambda: {"business": self._business(), **parent})

    def _path(self, template: str, **names: str) -> str:
        return build_path(template, {"business": self._business(), **names})

    def send_invoice(self, invoice: int, body: SendRequest, key: str | None = None, seen: str | None = None) -> Reply:
        """Deliver an accepted invoice; some services answer with nothing.

        `seen` is when it was sent last as far as its sender knows, empty for never: the environment local sends nothing
        where it was sent since.
        """
        return self.http.send("POST", self.invoices.path(invoice, "send/"), body=encode(body), key=key, seen=seen)

    def kept_invoice(self, invoice: int) -> Reply:
        """Return what an accepted invoice says; only the environment local keeps it for others to read."""
        return check_record(self.http.send("GET", self.invoices.path(invoice, "kept/")), invoice)

    def delivery_methods(self, invoice: int) -> Reply:
        """Return an array of the ways to deliver an invoice."""
        return self.http.send("GET", self.invoices.path(invoice, "delivery_methods/"))

    def relation_suggestions(self, document: int) -> Reply:
        """Return an array of what a document may be paired with."""
        return self.http.send("GET", self.documents.path(document, "relation/suggestions/"))

    def preview_relations(self, body: PreviewRequest) -> Reply:
        """Return an array of what a document that does not exist yet may be paired with; nothing is changed."""
        path = self._path("/v1/business/{business}/document/relation/suggestions/preview/")
        return self.http.send("POST", path, body=encode(body))

    def attachment_suggestions(self, document: int) -> Reply:
        """Return the files that may belong to a document, as an array or a page."""
        return self.http.send("GET", self.documents.path(document, "suggest_attachments/"))

    def accounting_suggestions(self, query: Query, extent: Extent) -> Listing:
        """Return the documents that the service proposes."""
        return Listing(self.http, self._path("/v1/business/{business}/accounting_suggestions/"), query, extent)

    def constant(self, name: str) -> Reply:
        """Return a value set of the interface, an array; `name` is its path segment, such as `vat_codes`."""
        return self.http.send("GET", self._path("/v1/business/{business}/constants/{name}/", name=name))

    def vat_rates(self, day: date) -> Reply:
        """Return the VAT rates in force on a day, by label."""
        path = self._path("/v1/business/{business}/constants/vat_rates/")
        return self.http.send("GET", path, query={"date_at": day.isoformat()})

    def upload(self, file: Upload, key: str) -> Reply:
        """Upload a file; `key` names the intent, so that repeating it uploads nothing twice."""
        from acctcli.client.uploads import send

        return send(self.http, self._path("/v1/business/{business}/file_upload/"), file, key)

    def set_logo(self, file: Upload) -> Reply:
        """Let a picture be the logo of the business, and return that; only the environment local takes one."""
        from acctcli.client.uploads import send

        slug = self._business()
        return check_record(send(self.http, self.businesses.path(slug, "logo/"), file, method="PUT"), slug)

    def remove_logo(self) -> Reply:
        """Let the business have no logo."""
        return self.http.send("DELETE", self.businesses.path(self._business(), "logo/"))

    def report(self, name: str, body: PointReportRequest | RangeReportRequest) -> Reply:
        """Return a report; `name` is its path segment, such as `journal`."""
        return self.http.send("POST", self._path(_REPORT, name=name), body=encode(body))

    def stream_report(
        self, name: str, body: PointReportRequest | RangeReportRequest, array: str, check: Check
    ) -> StreamedReport:
        """Return the records of a long report as they come; `array` holds them, `check` is told the other fields."""
        return self._stream(name, encode(body), array, check)

    def ledger(self, first: date, last: date, check: Check) -> StreamedReport:
        """Return the accounts of the ledger of these days, both included, each with all its entries."""
        body = encode_plain({"columns": [{"date_from": first, "date_to": last}]})
        return self._stream("ledger", body, "accounts", check)

    def _stream(self, name: str, body: bytes, array: str, check: Check) -> StreamedReport:
        from acctcli.client.bounds import ACCOUNT, ROW
        from acctcli.client.stream import StreamedReport

        limit, inner = (ACCOUNT, "entries") if name == "ledger" else (ROW, None)
        return StreamedReport(self.http, self._path(_REPORT, name=name), body, array, check, limit, inner)

    def verify_audit(self, *, of_service: bool = False) -> Reply:
        """Return what came of recomputing the audit trail, that of the business or of the service itself."""
        records = self.service_audit if of_service else self.audit
        return self.http.send("GET", records.path(action="verification/"))

    def verify_database(self, part: str) -> Reply:
        """Return what came of a look through a part of the database: its structure, its rows or its figures."""
        return self.http.send("GET", self.service_audit.path(action="database/"), query={"part": part})

    def jwt(self, body: JwtRequest) -> Reply:
        """Return a token of one hour, made with the personal access token."""
        return self.http.send("POST", "/auth/jwt/", body=encode(body))

    def permissions(self) -> Reply:
        """Return what the caller may do in the business."""
        return self.http.send("GET", self._path("/v1/business/{business}/me/permissions/"))

    def user(self) -> Reply:
        """Return the signed-in user."""
        return self.http.send("GET", _USER)

    def own_token(self) -> Reply:
        """Return what the token is, and until when it holds; the environment local alone knows."""
        return self.http.send("GET", f"{_USER}token/")

    def update_user(self, body: UserRequest) -> Reply:
        """Change the signed-in user's own fields."""
        return self.http.send("PATCH", _USER, body=encode(body))

    def replace_user(self, body: UserRequest) -> Reply:
        """Replace the signed-in user's own fields."""
        return self.http.send("PUT", _USER, body=encode(body))
