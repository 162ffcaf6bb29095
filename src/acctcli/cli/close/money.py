"""Whether accounts hold at the end of a period what others say: banks, customers, suppliers, and nothing (clearing)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from decimal import Decimal

from acctcli.banking.matching.own import ON_THE_WAY
from acctcli.cli.account.chart import Account
from acctcli.cli.bank.accounts import BankAccounts
from acctcli.cli.bank.compared import Asked, Compared, compare_filed
from acctcli.cli.bank.filed import read_filed
from acctcli.cli.bank.reconciling import BANK, problems_of
from acctcli.cli.bank.there import read_document
from acctcli.cli.check.books import EVERY
from acctcli.cli.check.findings import Finding
from acctcli.cli.check.records import CLEARING, CLEARING_WORDS, PAYABLES, RECEIVABLES, contradicted
from acctcli.cli.close.closing import Closing, held_on
from acctcli.cli.document.settling import MONEY
from acctcli.cli.invoice.aging import by_customer
from acctcli.cli.invoice.standing import open_on
from acctcli.cli.output.replies import read_all
from acctcli.cli.purchase.aging import by_supplier
from acctcli.cli.purchase.debts import DEBT, Debts
from acctcli.cli.report.ages import OLDER
from acctcli.cli.report.amounts import rounded
from acctcli.cli.session.state import State
from acctcli.errors import Forbidden, NotFound, UsageError

SUSPENSE = "suspense"
# how accounts are called that wait for somebody to find out, in the languages of the charts
SUSPENSE_WORDS = ("suspense", "unknown", "epäselv", "tuntemat", "oidentifier", "observation", "ungeklärt", "interim")
_NOTHING = Decimal("0.00")


def check_bank(here: State, closing: Closing) -> Iterator[Finding]:
    """Prove accounts of money by the statements that are named or kept (docs/bank.md 9), and name what is not proved.

    An account to which lines were imported is open without a statement; of others it is said that nothing proves them.
    """
    compared = dict(closing.compared)
    try:
        compared = {one.account.number: one for one in _kept(here, closing)} | compared
    except Forbidden as refused:
        here.say(f"statements that are kept with the books were not looked at: {refused.message}")
    except (NotFound, UsageError) as unread:
        yield Finding(BANK, "statements", unread.message, "acctcli bank reconcile", is_fault=True)
    transit = _transit(here)
    for account in closing.books.chart.by_id.values():
        if account.number in compared:
            found = problems_of(compared[account.number], closing.days)
            yield from (one._replace(part=BANK) for one in found)
        elif account.type == MONEY and account.id != transit:
            yield from _unproved(here, account, closing)


def _transit(here: State) -> int | None:
    """Return the id of the account of what is between own accounts, which no bank has (docs/bank.md 6.1)."""
    found = BankAccounts(here, None).transit
    return None if found is None else found.id


def _kept(here: State, closing: Closing) -> list[Compared]:
    every = read_filed(here)
    return compare_filed(here, every, Asked((), None, None, None, closing.days)) if every else []


def _unproved(here: State, account: Account, closing: Closing) -> Iterator[Finding]:
    record, held = f"account {account.number}", rounded(closing.holds(account.number))
    days = {"date_from": closing.days[0].isoformat(), "date_to": closing.last.isoformat()}
    is_moved = False
    for document in read_all(here.api.documents.list({**days, "account": account.id}, EVERY), read_document):
        is_moved = True
        if document.tags:
            problem = f"it holds {held} in the books; without its statements nobody can say whether the bank does"
            remedy = "name its statements: acctcli close check FILE..., or acctcli bank reconcile FILE..."
            yield Finding(BANK, record, problem, remedy, is_fault=True)
            return
    if is_moved or held:
        problem = f"no statement was imported to it: that it holds {held} is what the books alone say"
        yield Finding(BANK, record, problem, f"acctcli account statement {account.number}")


def check_receivables(here: State, closing: Closing) -> Iterator[Finding]:
    """Compare what customers owe at the end with the accounts that it stands on, and name what is very late."""
    books = closing.books
    found = [(one, amount) for one, amount in open_on(here, closing.last) if not one.is_foreign]
    claims = [(one, amount) for one, amount in found if one.claim is not None]
    usual = books.chart.by_id.get(books.settings.account_trade_receivables or 0)
    numbers = {one.claim.stands_on for one, _ in claims if one.claim is not None and one.claim.stands_on}
    numbers |= {usual.number} if usual is not None else set()
    remedy = f"acctcli invoice aging --date {closing.last}"
    # of books without invoices nobody can say who owes it
    is_kept = any(one.invoice_number for one in books.invoices)
    yield from _compared(RECEIVABLES, closing, numbers, _sum(claims), ("open invoices", remedy), is_fault=is_kept)
    late = sum((row[OLDER] for row in by_customer(found, closing.last)), _NOTHING)
    if late:
        problem = f"{late} has been due for more than 90 days: what is lost of it is lost in this period"
        yield Finding(RECEIVABLES, "open invoices", problem, f"{remedy}; acctcli invoice credit-loss ID")


def check_payables(here: State, closing: Closing) -> Iterator[Finding]:
    """Compare what suppliers are owed at the end with the accounts that it stands on, and name what no document has."""
    debts = Debts(here, closing.last)
    remedy = f"acctcli purchase aging --date {closing.last}"
    usual = {one.number for one in closing.books.chart.by_id.values() if one.type == DEBT}
    for number in sorted(usual | debts.claimed.keys()):
        claimed = debts.claimed.get(number, _NOTHING)
        # what is owed on an account that no purchase invoice ever stood on is known to nobody but the books
        is_kept = number in debts.claimed
        yield from _compared(PAYABLES, closing, {number}, claimed, ("open purchase invoices", remedy), is_fault=is_kept)
    yield from contradicted(debts)
    for one in debts.unbooked:
        named, remedy_of_one = f"purchase invoice {one.id}", f"acctcli purchase post {one.id} --account NUMBER"
        yield Finding(PAYABLES, named, f"{one.title} is open, and not in the books", remedy_of_one, is_fault=True)
    late = sum((row[OLDER] for row in by_supplier(debts.open, closing.last)), _NOTHING)
    if late:
        yield Finding(PAYABLES, "open purchase invoices", f"{late} has been due for more than 90 days", remedy)


def _sum(found: Iterable[tuple[object, Decimal]]) -> Decimal:
    return sum((amount for _, amount in found), _NOTHING)


def _compared(
    part: str, closing: Closing, numbers: set[str], claimed: Decimal, told: tuple[str, str], *, is_fault: bool
) -> Iterator[Finding]:
    """Compare what accounts hold with what is claimed on them; `told`: of what, and the command that shows it."""
    held, claimed = rounded(_sum((one, closing.holds(one)) for one in numbers)), rounded(claimed)
    if held != claimed:
        problem = f"on {closing.last} it holds {held}, the {told[0]} come to {claimed}"
        yield Finding(part, f"account {', '.join(sorted(numbers))}", problem, told[1], is_fault=is_fault)


def check_clearing(here: State, closing: Closing) -> Iterator[Finding]:
    """Name accounts that only pass something on, and hold something at the end: of transfers what did not come soon."""
    transit = closing.books.chart.by_id.get(_transit(here) or 0)
    if transit is not None and closing.holds(transit.number) and not _came(here, closing, transit.number):
        yield _held(closing, CLEARING, transit, f"it did not come within {ON_THE_WAY.days} days")
    for one in _holding(closing, CLEARING_WORDS):
        if transit is None or one.id != transit.id:
            yield _held(closing, CLEARING, one, "something on it has no counterpart")


def _came(here: State, closing: Closing, number: str) -> bool:
    """Say whether an account holds nothing on a day soon after the last one."""
    days = (closing.last + timedelta(days=count) for count in range(1, ON_THE_WAY.days + 1))
    return any(not held_on(here, day)[0].get(number) for day in days)


def check_suspense(here: State, closing: Closing) -> Iterator[Finding]:
    """Name accounts of what nobody has found out yet, and what opening balances leave over."""
    del here
    for one in _holding(closing, SUSPENSE_WORDS):
        yield _held(closing, SUSPENSE, one, "nobody has said yet what it is")
    if closing.difference:
        problem = f"opening balances do not balance, by {rounded(closing.difference)}"
        remedy = "acctcli account update NUMBER --set opening_balance=AMOUNT"
        yield Finding(SUSPENSE, "opening balances", problem, remedy, is_fault=True)


def _holding(closing: Closing, words: tuple[str, ...]) -> Iterator[Account]:
    for account in closing.books.chart.by_id.values():
        if rounded(closing.holds(account.number)) and any(word in account.name.casefold() for word in words):
            yield account


def _held(closing: Closing, part: str, account: Account, why: str) -> Finding:
    problem = f"{account.name} holds {rounded(closing.holds(account.number))} on {closing.last}: {why}"
    remedy = f"acctcli account statement {account.number} --to {closing.last}"
    return Finding(part, f"account {account.number}", problem, remedy, is_fault=True)
