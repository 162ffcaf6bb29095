"""Accounts of a business: `/v1/business/{business_slug}/account/` (docs/interface.md 4.1, 4.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from acctcli.models.enums import AccountType, VatRateLabel
from acctcli.service.cases.bodies import name_columns
from acctcli.service.cases.work import Work, found
from acctcli.service.problems import Invalid, Precondition
from acctcli.service.routes.operation import ACCOUNTS_READ, ACCOUNTS_WRITE, ONE_BUSINESS, Area
from acctcli.service.routes.parameters import SEARCH, Asked, Clauses, Parameter, among, clause, either
from acctcli.service.rules.accounts import TYPE_OF_ROLE, is_balance_sheet, natural_balance
from acctcli.service.rules.money import LARGEST_CENTS, from_cents, to_cents
from acctcli.service.rules.numbers import padded_number
from acctcli.service.store.books import accounts, headers
from acctcli.service.store.books.accounts import AccountRow, Movements
from acctcli.service.store.books.headers import Lines
from acctcli.service.store.patterns import beginning, holding
from acctcli.service.store.rows import Taken

if TYPE_CHECKING:
    from acctcli.models.account import Account, AccountListItem, AccountRequest

MONEY = AccountType.ASS_PAY
TYPES = tuple(AccountType)
MOST_DIGITS = 7
# how an account stands in reports, beside its name
STATED = ("number", "type", "header_id")


def _number(call: Asked, name: str) -> Clauses:
    """Narrow by an account number; it stays a text, 0123 is not 123."""
    number = call.query.text(name)
    if number is not None and not (number.isascii() and number.isdigit() and len(number) <= MOST_DIGITS):
        raise Invalid.field(name, f"Must be a number of 1 to {MOST_DIGITS} digits.")
    return clause(name, number)


def _padded(call: Asked, name: str) -> Clauses:
    """Narrow by padded numbers, as the list is ordered: a range is one slice of it."""
    return {bound: {bound: padded_number(values[bound])} for bound, values in _number(call, name).items()}


def _search(call: Asked, name: str) -> Clauses:
    text = call.query.text(name)
    return {} if text is None else {"search": {"search_number": beginning(text), "search_name": holding(text)}}


def _create(work: Work, body: AccountRequest) -> AccountListItem:
    """Create an account; a number that is taken is 400."""
    values = _values(work, body, type(body).model_fields.keys()) | work.born | {"is_shown": True}
    _check_opening(values["type"], values["opening_cents"])
    _refuse_opening(work, 0, values["opening_cents"], "an opening balance")
    try:
        values["id"] = accounts.create(work.conn, work.business.id, values)
    except Taken:
        raise _number_taken() from None
    row = AccountRow(**{name: values[name] for name in AccountRow._fields})
    (item,) = _items(work, [row])
    work.emit("account.created", _alone(item, row, accounts.NO_MOVEMENTS))
    return item


def _get(work: Work, account_id: int) -> Account:
    """Show an account, hidden ones too, with its balance."""
    return _shown(work, _find(work, account_id))


def _change(work: Work, account_id: int, body: AccountRequest, sent: AbstractSet[str]) -> Account:
    row = _find(work, account_id, for_update=True)
    values = _values(work, body, sent)
    _check_opening(values.get("type", row.type), values.get("opening_cents", row.opening_cents))
    _refuse_closed(work, row, values)
    _check_type(work, row, values.get("type", row.type))
    return _write(work, row, values)


def _check_type(work: Work, row: AccountRow, wanted: str) -> None:
    """Refuse another type where the business points at the account for its type."""
    if wanted == row.type:
        return
    for role in accounts.roles(work.conn, work.business.id, row.id):
        if TYPE_OF_ROLE.get(role, wanted) != wanted:
            text = f"Account {row.number} is set as {role} of the business, which is of type {row.type}."
            raise Invalid.field("type", text)


def _refuse_closed(work: Work, row: AccountRow, values: dict[str, Any]) -> None:
    """Refuse what would change figures of closed days: the opening balance, and what they stand under."""
    from acctcli.service.cases.closed import has_closed_figures, refuse_arranging, refuse_settings

    opening = values.get("opening_cents", row.opening_cents)
    _refuse_opening(work, row.opening_cents, opening, f"the opening balance of account {row.number}")
    stated = [name for name in STATED if values.get(name, getattr(row, name)) != getattr(row, name)]
    if not stated or not has_closed_figures(work, row.id, row.opening_cents):
        return
    if stated == ["header_id"]:
        refuse_arranging(work, f"the header of account {row.number}")
    else:
        refuse_settings(work, (f"the {name} of account {row.number}" for name in stated))


def _refuse_opening(work: Work, before: int, after: int, what: str) -> None:
    """Refuse another opening balance while days are closed: it stands in their reports."""
    if before == after:
        return
    from acctcli.service.cases.closed import refuse_settings

    refuse_settings(work, [what])


def _set_shown(work: Work, account_id: int, *, is_shown: bool) -> Account:
    """Hide an account from the user interface, or show it there; the books keep it."""
    row = _find(work, account_id, for_update=True)
    if row.is_shown == is_shown:
        return _shown(work, row)
    return _write(work, row, {"is_shown": is_shown})


def _delete(work: Work, account_id: int) -> None:
    """Delete an account; one with entries, or one a product or a business setting points at, stays (412)."""
    row = _find(work, account_id, for_update=True)
    if accounts.movements(work.conn, work.business.id, row.id).entries:
        raise Precondition(f"Account {row.number} has entries.")
    if roles := accounts.roles(work.conn, work.business.id, row.id):
        raise Precondition(f"Account {row.number} is set as {', '.join(roles)} of the business.")
    if accounts.is_invoiced_to(work.conn, work.business.id, row.id):
        raise Precondition(f"Products or rows of invoices name account {row.number}.")
    _refuse_opening(work, row.opening_cents, 0, f"the opening balance of account {row.number}")
    accounts.remove(work.conn, work.business.id, row.id)
    work.emit("account.deleted", {"id": row.id})


def _find(work: Work, account_id: int, *, for_update: bool = False) -> AccountRow:
    return found(accounts.get(work.conn, work.business.id, account_id, for_update=for_update), "account")


def _write(work: Work, row: AccountRow, values: dict[str, Any]) -> Account:
    values |= {"updated_at": work.stamp}
    try:
        accounts.change(work.conn, work.business.id, row.id, values)
    except Taken:
        raise _number_taken() from None
    changed = row._replace(**{name: value for name, value in values.items() if name != "search_name"})
    if (row.type == MONEY) != (changed.type == MONEY):
        accounts.rebalance_documents(work.conn, work.business.id, row.id)
    payload = _shown(work, changed)
    work.emit("account.updated", payload)
    return payload


def _number_taken() -> Invalid:
    return Invalid.field("number", "Another account has this number.")


def _values(work: Work, body: AccountRequest, sent: AbstractSet[str]) -> dict[str, Any]:
    """Return the columns behind the fields of a request."""
    header_id = body.header_id if "header_id" in sent else None
    if header_id is not None and headers.get(work.conn, work.business.id, header_id) is None:
        raise Invalid.field("header_id", f"Unknown header id {header_id}.")
    plain = ("number", "header_id", "description", "default_vat_code")
    values: dict[str, Any] = {name: getattr(body, name) for name in plain if name in sent}
    # str: a default is still a member of its enum, what was sent is plain text
    values |= {name: str(getattr(body, name)) for name in ("type", "default_vat_rate_label") if name in sent}
    if "number" in sent:
        values["padded_number"] = padded_number(body.number)
    if "opening_balance" in sent:
        values["opening_cents"] = to_cents(body.opening_balance)
    if "name_translations" in sent:
        values |= name_columns(work, body.name_translations)
    return values


def _check_opening(account_type: str, opening_cents: int) -> None:
    if opening_cents and not is_balance_sheet(account_type):
        raise Invalid.field("opening_balance", f"Accounts of type {account_type} open with nothing.")
    if abs(opening_cents) > LARGEST_CENTS:
        raise Invalid.field("opening_balance", "Beyond what the books can hold.")


def _items(work: Work, rows: Sequence[AccountRow]) -> list[AccountListItem]:
    lines = headers.lines(work.conn, work.business.id, (row.header_id for row in rows if row.header_id))
    # what is today's law for one account is it for all of them
    rates = work.law.rates_at(work.today)
    percents = {label.value: rates.rate(label) for label in VatRateLabel}
    return [_item(row, lines, percents) for row in rows]


def _item(row: AccountRow, lines: Lines, percents: Mapping[str, Decimal]) -> AccountListItem:
    """Return an account as lists show it; `lines` hold the line of its header, `percents` the rates by label."""
    path = lines[row.header_id] if row.header_id else []
    return {
        "id": row.id,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "number": row.number,
        "padded_number": row.padded_number,
        "name": row.name,
        "name_translations": msgspec.Raw(row.name_translations.encode()),
        "header_id": row.header_id,
        "header_path": [step.name for step in path],
        "description": row.description,
        "type": row.type,
        "default_vat_code": row.default_vat_code,
        "default_vat_rate_label": row.default_vat_rate_label,
        "default_vat_rate": percents[row.default_vat_rate_label],
        "opening_balance": from_cents(row.opening_cents),
        "is_shown": row.is_shown,
    }


def _alone(item: AccountListItem, row: AccountRow, moved: Movements) -> Account:
    """Return an account as it is shown alone."""
    balance = natural_balance(row.type, row.opening_cents, moved.debit, moved.credit)
    return {**item, "balance": from_cents(balance), "is_used": moved.entries > 0}


def _shown(work: Work, row: AccountRow) -> Account:
    (item,) = _items(work, [row])
    return _alone(item, row, accounts.movements(work.conn, work.business.id, row.id))


AREA = Area(
    "account",
    f"{ONE_BUSINESS}account/",
    "account",
    read=ACCOUNTS_READ,
    write=ACCOUNTS_WRITE,
    request="account:AccountRequest",
    response="account:Account",
    listed="account:AccountListItem",
)
AREA.list(
    accounts.list_page,
    _items,
    Parameter("is_shown", "boolean", "Accounts shown in the user interface."),
    Parameter("is_used", "boolean", "Accounts with at least one entry.", narrow=either("is_used", "is_unused")),
    Parameter("number", "integer", "Exact account number.", narrow=_number),
    Parameter("number_gte", "integer", "Lowest account number.", narrow=_padded),
    Parameter("number_lte", "integer", "Highest account number.", narrow=_padded),
    SEARCH._replace(description="Number by prefix, name by contains.", narrow=_search),
    Parameter("tags", "integer", "Id of a tag that at least one document of the account carries."),
    Parameter("type", "string", "Account type.", TYPES, repeatable=True, narrow=among(TYPES, "types")),
)
AREA.create(_create)
AREA.get(_get)
AREA.change(_change)
AREA.delete(_delete)
AREA.act("hide/", partial(_set_shown, is_shown=False), "Hide an account.", name="hide_account")
AREA.act("show/", partial(_set_shown, is_shown=True), "Show an account.", name="show_account")
