"""Documents of what somebody owes, seen from the side of sales or of purchases (docs/law.md 2.5)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from acctcli.models.enums import AccountType

MONEY = AccountType.ASS_PAY
VAT_ACCOUNTS = (AccountType.LIA_VAT, AccountType.ASS_VAT)

# code, rate, and kind of VAT account: what a report adds up by
Key = tuple[int, int, AccountType | None]
Rate = tuple[int, int]


class Posted(NamedTuple):
    """What a document posted to one account under one code and rate, debit less credit in cents."""

    document_id: int
    day: date
    account_id: int
    account_type: str
    vat_code: int
    vat_rate: int
    cents: int


class Origin(NamedTuple):
    """Whom a document is about, the invoice it books, the one that this invoice credits, and when it was delivered."""

    document_id: int
    contact_id: int | None
    invoice_id: int | None
    credited_id: int | None
    is_claim: bool
    delivered_on: date | None = None


class OpenItems(NamedTuple):
    """The documents that move accounts of trade receivables or payables, and what ties them.

    `openings` are the opening balances of these accounts, debits positive; `counted` are the documents whose VAT is
    asked for, None for all.
    """

    posted: Sequence[Posted]
    origins: Mapping[int, Origin]
    related: Collection[tuple[int, int]]
    openings: Mapping[int, int]
    counted: Collection[int] | None = None

    def until(self, day: date) -> OpenItems:
        """Return what there was of it at the end of a day: documents until then, and what ties those."""
        posted = [one for one in self.posted if one.day <= day]
        known = {one.document_id for one in posted}
        return self._replace(posted=posted, related=[pair for pair in self.related if known.issuperset(pair)])


class Document(NamedTuple):
    """A document seen from one side, sales or purchases: what arises there is positive, in cents.

    `due` is what it moves of each account of claims, `money` what came of it at once, `taxed` what it posted by code,
    rate and kind of account, debit less credit, `gross` what that comes to, and `by_rate` by code and rate.
    """

    id: int
    day: date
    due: dict[int, int]
    money: int
    taxed: Counter[Key]
    gross: int
    by_rate: Counter[Rate]

    @property
    def moved(self) -> int:
        """What it moves of all accounts of claims."""
        return sum(self.due.values())

    @property
    def total(self) -> int:
        """What it is all about: paid at once, and not yet."""
        pick = max if self.gross >= 0 else min
        return pick(self.moved + self.money, self.gross)

    @property
    def arises(self) -> bool:
        """Whether somebody owes by it: sold, or lent; money that goes back, or is taken back, makes no claim."""
        return self.moved > 0 and (self.money >= 0 or self.gross > 0)

    @property
    def is_taxed_claim(self) -> bool:
        """Whether somebody owes VAT by it."""
        return self.gross > 0 and self.moved > 0

    @property
    def takes_back(self) -> bool:
        """Whether it lowers what was sold: a credit note, a discount, a loss."""
        return self.gross < 0 and self.moved < 0

    @property
    def with_outlay(self) -> Document:
        """The same as what its customer owes: what was laid out for him is paid with the rest of it."""
        return self._replace(money=max(self.money, 0))

    def undoes(self, other: Document) -> bool:
        """Say whether it posts an earlier document the other way round."""
        return (
            (self.day, self.id) > (other.day, other.id)
            and (self.gross, self.money) == (-other.gross, -other.money)
            and self.due == {account: -cents for account, cents in other.due.items()}
            and self.taxed == Counter({key: -cents for key, cents in other.taxed.items()})
        )


def documents(ledger: OpenItems, code: int, sign: int) -> Iterator[tuple[int, Document]]:
    """Yield the documents that move the accounts of claims of a side, by id, in the order of their days."""
    due_type = AccountType.ASS_DUE if sign > 0 else AccountType.LIA_DUE
    rows: dict[int, list[Posted]] = defaultdict(list)
    for one in ledger.posted:
        rows[one.document_id].append(one)
    for document_id, posted in sorted(rows.items(), key=lambda item: (item[1][0].day, item[0])):
        due: dict[int, int] = defaultdict(int)
        taxed: Counter[Key] = Counter()
        by_rate: Counter[Rate] = Counter()
        for one in posted:
            if one.account_type == due_type:
                due[one.account_id] += sign * one.cents
            elif one.vat_code == code:
                kind = AccountType(one.account_type) if one.account_type in VAT_ACCOUNTS else None
                taxed[one.vat_code, one.vat_rate, kind] += one.cents
                by_rate[one.vat_code, one.vat_rate] -= sign * one.cents
        if not due:
            continue
        money = sign * sum(one.cents for one in posted if one.account_type == MONEY)
        gross = sum(by_rate.values())
        if ledger.counted is not None and document_id not in ledger.counted:
            taxed = Counter(dict.fromkeys(taxed, 0))
        yield document_id, Document(document_id, posted[0].day, dict(due), money, taxed, gross, by_rate)


def moved_between(documents: Iterable[Document]) -> list[set[int]]:
    """Return the accounts of claims, those as one between which a document moves what is owed: nobody pays by that."""
    found: list[set[int]] = []
    for one in documents:
        up, down = ({account for account, cents in one.due.items() if cents * sign > 0} for sign in (1, -1))
        for near in [up | down] if up and down else [{account} for account in one.due]:
            apart = [each for each in found if not each & near]
            found = [*apart, near.union(*(each for each in found if each & near))]
    return sorted(found, key=min)
