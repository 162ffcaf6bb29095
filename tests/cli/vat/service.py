"""A service that knows one business, its VAT periods and its reports, as a test states them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from tests.cli.recorder import Answer, Recorder, Sent, page, recorder, said

FINNISH = {
    "slug": "demo",
    "country": "FI",
    "contact_phone": "+358 40 123 4567",
    "identifiers": [{"id": 1, "type": "y_tunnus", "value": "0112038-9"}],
}
GERMAN = {
    "slug": "demo",
    "country": "DE",
    "has_dauerfristverlaengerung": False,
    "identifiers": [{"id": 1, "type": "steuernummer", "value": "21/815/08150"}],
}
# E1, E5 and E6 of docs/interface.md 5.5 in one month
SUMMARY = {
    "domestic_sales": {"25.50": {"base": 100.00, "vat": 25.50}},
    "eu_goods_sales": 0.00,
    "eu_service_sales": 0.00,
    "eu_service_purchases": {"base": 100.00, "vat": 25.50},
    "adjustments": 0.00,
    "deductible_vat": 39.44,
    "vat_payable": 11.56,
}
# what a business in Finland sold to one in Sweden
SALE = {
    "country_code": "SE",
    "vat_id": "SE556000000101",
    "name": "Kund AB",
    "vat_handling": "services",
    "net_amount": 500.00,
    "vat_id_missing": False,
    "contact_missing": False,
    "document_id": 17,
    "document_number": "260302-1",
}

# a month and a quarter that have ended
FILED = [
    {"id": number, "start_date": first, "end_date": "2026-03-31", "due_date": "2026-05-12", "period": kind}
    for number, first, kind in ((1, "2026-03-01", 0), (2, "2026-01-01", 1))
]


@contextmanager
def service(
    business: dict[str, Any] = FINNISH,
    vat_report: dict[str, Any] | None = None,
    sales: Mapping[str, Sequence[Any]] | None = None,
    vat_periods: Sequence[Any] | None = None,
    periods: Sequence[Any] = (),
) -> Iterator[Recorder]:
    """Run it; `sales` are the rows of the EU VAT report by the first day asked for, others have none.

    Unless told otherwise it has the VAT periods that the tests file.
    """

    def behave(sent: Sent) -> Answer:
        match sent.path.removeprefix("/v1/business/demo/").split("?")[0]:
            case "":
                return said(business)
            case "vat_period/":
                return page(*(FILED if vat_periods is None else vat_periods))
            case "period/":
                return page(*periods)
            case "report/vat-report/":
                return said(vat_report or {"summary": SUMMARY})
            case "report/eu-vat-contact-report/":
                first = json.loads(sent.body)["columns"][0]["date_from"]
                return said({"rows": (sales or {}).get(first, []), "private_person_rows": []})
            case _:
                return said({}, 404)

    with recorder(behave) as server:
        yield server
