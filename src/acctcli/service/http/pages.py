"""The addresses of pages: a call as pages read it, and what they show as an answer (docs/interface.md 12.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from acctcli.service.http.answers import Answer, refusal
from acctcli.service.http.login import MAX_FIELDS, Form, Routes, read_form, read_visit
from acctcli.service.pages.page import Asked
from acctcli.service.pages.site import Site
from acctcli.service.problems import Invalid, MediaUnknown, TooLarge

if TYPE_CHECKING:
    from acctcli.service.http.wsgi import Arrival
    from acctcli.service.identity.host import LoginService
    from acctcli.service.identity.provider import Issuer

MAX_COOKIES = 8192


class PageAddresses:
    """Answers browsers."""

    def __init__(self, host: LoginService, issuer: Issuer) -> None:
        self._host = host
        self._site = Site(host, issuer)

    def routes(self) -> Routes:
        """Return what answers at which address."""
        return {place: dict.fromkeys(methods, self.show) for place, methods in self._site.places.items()}

    def show(self, arrival: Arrival, fields: dict[str, Any]) -> Answer:
        """Show a page."""
        del fields
        try:
            query, form = read_query(arrival), read_form(arrival) if arrival.method == "POST" else None
        except (Invalid, MediaUnknown, TooLarge) as problem:
            status, _, headers = refusal(problem, arrival.id)
            shown = self._site.refuse(read_asked(arrival, self._host, {}, None), status)
            return Answer(status, shown.body, (*shown.headers, *headers))
        return Answer(*self._site.answer(read_asked(arrival, self._host, query, form)))


def read_asked(arrival: Arrival, host: LoginService, query: Form, form: Form | None) -> Asked:
    """Return a call as pages read it."""
    return Asked(
        method="GET" if arrival.method == "HEAD" else arrival.method,
        path=arrival.path,
        query=query,
        form=form,
        cookies=_cookies(arrival.header("Cookie") or ""),
        accepted=arrival.header("Accept-Language") or "",
        called=arrival.header("Host") or "",
        origin=arrival.header("Origin"),
        site=arrival.header("Sec-Fetch-Site"),
        visit=read_visit(arrival, host),
    )


def read_query(arrival: Arrival, most: int = MAX_FIELDS) -> Form:
    """Return the parameters of an address; Invalid when there are more than `most`."""
    try:
        return parse_qs(arrival.query_string, keep_blank_values=True, max_num_fields=most)
    except ValueError as error:
        raise Invalid.whole("There are too many query parameters.") from error


def _cookies(header: str) -> dict[str, str]:
    pairs = (one.strip().partition("=") for one in header[:MAX_COOKIES].split(";"))
    return {name: value.strip('"') for name, _, value in pairs}
