"""Every collection and every odd endpoint of the interface, named once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from acctcli.client.body import encode
from acctcli.client.collection import Collection
from acctcli.client.http import Http
from acctcli.client.reply import Reply
from acctcli.client.urls import build_path

if TYPE_CHECKING:
    from acctcli.client.stream import StreamedReport
    from acctcli.models.account import AccountRequest
    from acctcli.models.business import BusinessRequest, IdentifierRequest
    from acctcli.models.document import DocumentRequest
    from acctcli.models.report import RangeReportRequest
    from acctcli.models.user import UserRequest


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
    def documents(self) -> Collection[DocumentRequest]:
        """Accounting documents."""
        return Collection(self.http, "/v1/business/{business}/document/", self._scope)

    def report(self, name: str, body: RangeReportRequest) -> Reply:
        """Return a report; `name` is its path segment, such as `journal`."""
        path = build_path("/v1/business/{business}/report/{name}/", {**self._scope(), "name": name})
        return self.http.send("POST", path, body=encode(body))

    def stream_report(self, name: str, body: RangeReportRequest, array: str) -> StreamedReport:
        """Return the records of a long report as they come; `array` is the field that holds them."""
        from acctcli.client.stream import StreamedReport

        path = build_path("/v1/business/{business}/report/{name}/", {**self._scope(), "name": name})
        return StreamedReport(self.http, path, encode(body), array)

    def user(self) -> Reply:
        """Return the signed-in user."""
        return self.http.send("GET", "/v1/user/")

    def update_user(self, body: UserRequest) -> Reply:
        """Change the signed-in user's own fields."""
        return self.http.send("PATCH", "/v1/user/", body=encode(body))

    def replace_user(self, body: UserRequest) -> Reply:
        """Replace the signed-in user's own fields."""
        return self.http.send("PUT", "/v1/user/", body=encode(body))
