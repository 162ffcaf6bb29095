"""The samples are records of the interface, no more."""

from __future__ import annotations

from acctcli.models.business import Business
from acctcli.models.contact import Contact
from acctcli.models.invoice import SalesInvoice, SalesInvoiceRow
from tests.einvoice.samples import FINNISH_BUYER, FINNISH_SELLER, GERMAN_BUYER, GERMAN_SELLER, ORIGINAL


def test_every_field_of_a_sample_is_one_of_the_interface() -> None:
    assert set(ORIGINAL) <= set(SalesInvoice.__annotations__)
    assert set(ORIGINAL["rows"][0]) <= set(SalesInvoiceRow.__annotations__)
    for seller in (FINNISH_SELLER, GERMAN_SELLER):
        assert set(seller) <= set(Business.__annotations__)
    for buyer in (FINNISH_BUYER, GERMAN_BUYER):
        assert set(buyer) <= set(Contact.__annotations__)
