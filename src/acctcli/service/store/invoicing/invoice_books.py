"""What posting a sales invoice asks of the business: its accounts by what they are for. SQL only."""

from __future__ import annotations

from typing import NamedTuple

from acctcli.models.enums import AccountType
from acctcli.service.rules.invoice_books import HeldAt, SalesAccount
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query, Statement

RECEIVABLES, VAT, CASH = "account_trade_receivables", "account_vat_liabilities", "account_cash_payment"


class InvoiceAccounts(NamedTuple):
    """Where invoices are posted; None is what the business has not got.

    `iban` is that of invoices. `products` maps products to their accounts; `money` are all accounts of money.
    """

    receivables: int | None
    vat: int | None
    cash: int | None
    iban: str | None
    sales: tuple[SalesAccount, ...]
    products: dict[int, int]
    money: tuple[HeldAt, ...]


ROLES = Query[tuple[str, int]](
    tuple,
    f"""SELECT role, account_id FROM system_account
    WHERE business_id = :business_id AND role IN ('{RECEIVABLES}', '{VAT}', '{CASH}')""",
)
IBAN = Statement("SELECT invoicing_iban FROM business WHERE id = :business_id")
MONEY = Query(
    HeldAt,
    f"""SELECT id, name_translations || ' ' || COALESCE(description, ''), is_shown FROM account
    WHERE business_id = :business_id AND type = '{AccountType.ASS_PAY.value}' ORDER BY padded_number, id""",
)
SALES = Query(
    SalesAccount,
    f"""SELECT id, default_vat_code, default_vat_rate_label, is_shown FROM account
    WHERE business_id = :business_id AND type = '{AccountType.REV_SAL.value}' ORDER BY padded_number, id""",
)
NUMBERED = Statement("SELECT id FROM account WHERE business_id = :business_id AND number = :number")
OF_PRODUCTS = Query[tuple[int, int]](
    tuple,
    """SELECT product.id, product.account_id FROM product JOIN sales_invoice_row AS line
    ON line.business_id = product.business_id AND line.product_id = product.id
    WHERE product.business_id = :business_id AND line.invoice_id = :invoice_id AND product.account_id IS NOT NULL""",
)


def accounts(conn: Connection, business_id: int, invoice_id: int) -> InvoiceAccounts:
    """Return the accounts an invoice may be posted to."""
    roles = dict(ROLES.all(conn, business_id=business_id))
    return InvoiceAccounts(
        receivables=roles.get(RECEIVABLES),
        vat=roles.get(VAT),
        cash=roles.get(CASH),
        iban=IBAN.value(conn, business_id=business_id),
        sales=tuple(SALES.all(conn, business_id=business_id)),
        products=dict(OF_PRODUCTS.all(conn, business_id=business_id, invoice_id=invoice_id)),
        money=tuple(MONEY.all(conn, business_id=business_id)),
    )


def numbered(conn: Connection, business_id: int, number: str) -> int | None:
    """Return the account of a number."""
    found: int | None = NUMBERED.value(conn, business_id=business_id, number=number)
    return found
