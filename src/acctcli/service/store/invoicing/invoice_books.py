"""What posting a sales invoice asks of the business: its accounts by what they are for. SQL only."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, and_, bindparam, select

from acctcli.models.enums import AccountType
from acctcli.service.rules.invoice_books import SalesAccount
from acctcli.service.store.schema.chart import account, system_account
from acctcli.service.store.schema.invoices import sales_invoice_row
from acctcli.service.store.schema.products import product

RECEIVABLES, VAT, CASH = "account_trade_receivables", "account_vat_liabilities", "account_cash_payment"


class InvoiceAccounts(NamedTuple):
    """Where invoices are posted; None is what the business has not got.

    `bank` is the first account of money that is not the one for cash, a hidden one only if all are. `products` maps
    products to their accounts.
    """

    receivables: int | None
    vat: int | None
    bank: int | None
    bad_debts: int | None
    sales: tuple[SalesAccount, ...]
    products: dict[int, int]


IN_BUSINESS = account.c.business_id == bindparam("business_id")
ROLES = select(system_account.c.role, system_account.c.account_id).where(
    system_account.c.business_id == bindparam("business_id"), system_account.c.role.in_((RECEIVABLES, VAT, CASH))
)
BY_NUMBER = (account.c.padded_number, account.c.id)
MONEY = (
    select(account.c.id)
    .where(IN_BUSINESS, account.c.type == AccountType.ASS_PAY.value)
    .order_by(account.c.is_shown.desc(), *BY_NUMBER)
)
SALES = (
    select(account.c.id, account.c.default_vat_code, account.c.default_vat_rate_label, account.c.is_shown)
    .where(IN_BUSINESS, account.c.type == AccountType.REV_SAL.value)
    .order_by(*BY_NUMBER)
)
NUMBERED = select(account.c.id).where(IN_BUSINESS, account.c.number == bindparam("number"))
OF_PRODUCTS = (
    select(product.c.id, product.c.account_id)
    .join(
        sales_invoice_row,
        and_(sales_invoice_row.c.business_id == product.c.business_id, sales_invoice_row.c.product_id == product.c.id),
    )
    .where(
        product.c.business_id == bindparam("business_id"),
        sales_invoice_row.c.invoice_id == bindparam("invoice_id"),
        product.c.account_id.is_not(None),
    )
)


def accounts(conn: Connection, business_id: int, invoice_id: int, bad_debts_number: str) -> InvoiceAccounts:
    """Return the accounts an invoice may be posted to."""
    here = {"business_id": business_id}
    this = {**here, "invoice_id": invoice_id}
    roles = {row.role: row.account_id for row in conn.execute(ROLES, here)}
    money = [one for one in conn.execute(MONEY, here).scalars() if one != roles.get(CASH)]
    return InvoiceAccounts(
        receivables=roles.get(RECEIVABLES),
        vat=roles.get(VAT),
        bank=money[0] if money else None,
        bad_debts=conn.execute(NUMBERED, {**here, "number": bad_debts_number}).scalar(),
        sales=tuple(SalesAccount(*row) for row in conn.execute(SALES, here)),
        products={row.id: row.account_id for row in conn.execute(OF_PRODUCTS, this)},
    )
