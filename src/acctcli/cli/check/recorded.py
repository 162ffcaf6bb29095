"""What records are, against what the audit trail recorded of them last: a change that nobody made shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from acctcli.cli.audit.exporting import read_windows
from acctcli.cli.check.books import EVERY, Books
from acctcli.cli.check.findings import Finding, caught
from acctcli.cli.check.posted import Planned
from acctcli.cli.check.related import Ties
from acctcli.cli.check.reviewed import Reviewed
from acctcli.cli.document.entries import VatAccounts
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent
from acctcli.errors import NotFound

if TYPE_CHECKING:
    from acctcli.client.api import Api
    from acctcli.client.collection import Collection
    from acctcli.client.urls import Query

RECORDS = "records"
Shown = Mapping[str, msgspec.Raw]


class Kind(NamedTuple):
    """A kind of records: what the trail calls it, where they are, and what nothing changes without a record of it.

    What is shown of another record in it is `of.field`: the rest of that changes without it.
    `is_told`: each of them is recorded when it is made; others also come with the business, as its own record tells.
    """

    word: str
    records: Callable[[Api], Collection[Any]]
    fields: tuple[str, ...]
    is_told: bool = True


ROLES = (
    "account_yle_tax", "account_tax_deferrals", "account_income_tax_rec", "account_income_tax_lia",
    "account_previous_profit", "account_vat_receivables", "account_vat_liabilities", "account_vat_accrual_adjustment",
    "account_trade_receivables", "account_payables", "account_cash_payment",
)  # fmt: skip
# where invoices go, and where money goes
REACHED = (
    "invoicing_email", "invoicing_electronic_address", "invoicing_einvoice_address", "invoicing_einvoice_operator",
    "invoicing_street", "invoicing_postal_code", "invoicing_city", "invoicing_country",
)  # fmt: skip
PAID_TO = ("sender_bank_account", "sender_bank_bic", "reference")
ACCOUNTS_HELD = ("invoicing_iban", "invoicing_bic", "finanzkasse_iban")
TIE, UPLOADED = "relation", "file.created"
PERIOD = ("start_date", "end_date", "is_locked")
ACCOUNT = ("number", "type", "header_id", "default_vat_code", "default_vat_rate_label", "opening_balance")
# what was said of a document, and by nothing but a record of it
SAID = tuple(f"audit_trail_last_{said}_at" for said in ("comment", "mention", "seen"))
DOCUMENT = Kind(
    "document",
    lambda api: api.documents,
    ("number", "date", "is_draft", "description", "contact_id", "type", "blueprint", "attachment_ids", *SAID),
)
KINDS = (
    DOCUMENT,
    Kind("account", lambda api: api.accounts, ACCOUNT, is_told=False),
    Kind("header", lambda api: api.headers, ("name_translations", "type", "parent_id")),
    Kind("contact", lambda api: api.contacts, ("type", "name", "contact_business_id", *REACHED)),
    Kind(
        "sales_invoice",
        lambda api: api.invoices,
        ("invoice_number", "receiver", "invoicing_date", "due_date", "status", "rows", "is_credit_note_for"),
    ),
    Kind(
        "purchase_invoice",
        lambda api: api.purchase_invoices,
        ("invoice_number", "invoicing_date", "due_date", "sender_name", *PAID_TO, "amount", "is_paid", "document.id"),
    ),
    # what the service prints is listed as well, and has no record of its own
    Kind("file", lambda api: api.files, ("name", "type"), is_told=False),
    Kind("period", lambda api: api.periods, PERIOD, is_told=False),
    Kind("vat_period", lambda api: api.vat_periods, (*PERIOD, "is_reported", "filing_tax_to_be_paid"), is_told=False),
)
BUSINESS = Kind(
    "business",
    lambda api: api.businesses,
    ("form", "vat_reporting_method", "vat_posting_method", "default_vat_period", *ACCOUNTS_HELD, *ROLES),
)
# what the record of a new business tells besides
CAME_WITH = "came_with"
# what is recorded of a business and is no state of it
SILENT = ("unchanged", "restored", "chained")


class _Record(msgspec.Struct):
    id: int
    type: str
    record_id: int | None
    created_at: str
    author: str | None
    operation: str | None
    data: dict[str, msgspec.Raw]


_read = reader(_Record, "a record of the audit trail")
_read_shown: Callable[[bytes | msgspec.Raw], Shown] = reader(dict[str, msgspec.Raw], "a record")
_read_text = msgspec.json.Decoder(str | None).decode
_read_came_with = msgspec.json.Decoder(dict[str, list[dict[str, msgspec.Raw]]]).decode
_Key = tuple[str, int]


class _Recorded:
    """What a trail recorded last of each record, as a digest; None of what was recorded before there was a trail."""

    def __init__(self, here: State) -> None:
        self.digests: dict[_Key, bytes | None] = {}
        self.vat_accounts: set[VatAccounts] = set()
        self.ties = Ties()
        self.came_with: dict[_Key, _Record] = {}
        self.kinds_with: set[str] = set()
        self.uploaded: dict[int, str | None] = {}
        self.is_whole = False
        kinds = {kind.word: kind for kind in (*KINDS, BUSINESS)}
        (newest,) = [one for page in here.api.audit.list({}, Extent(limit=1)) for one in page] or (None,)
        last = 0 if newest is None else _read(newest).id
        self.reviewed = Reviewed(last)
        for record in map(_read, read_windows(here.api.audit, last)):
            if record.id == 1:
                self.is_whole = record.author is not None and not record.type.endswith(".chained")
            if record.record_id is not None and record.type.rpartition(".")[2] not in SILENT:
                self._take(record, record.record_id, kinds)

    def _take(self, record: _Record, record_id: int, kinds: Mapping[str, Kind]) -> None:
        word, _, done = record.type.partition(".")
        key = word, record_id
        if word == TIE:
            self._tie(record, record_id, is_gone=done == "deleted")
        elif word in kinds and done == "deleted":
            self.digests.pop(key, None)
            if word == DOCUMENT.word:
                self.ties.leave(record_id)
        elif word in kinds:
            self.digests[key] = None if record.author is None else _digest(kinds[word], record.data)
            self._begin(record, kinds)
        if word == DOCUMENT.word:
            self.reviewed.record(record_id, record.data)
        if record.type == UPLOADED:
            self.uploaded[record_id] = _read_text(record.data.get("sha256", b"null"))
        if word == BUSINESS.word:
            self.vat_accounts.add(_vat_accounts(record.data))

    def _begin(self, record: _Record, kinds: Mapping[str, Kind]) -> None:
        """Take what came with the business, where its first record tells of it."""
        for word, those in _read_came_with(record.data.get(CAME_WITH, b"{}")).items():
            self.kinds_with.add(word)
            for shown in those:
                key = word, int(bytes(shown["id"]))
                self.came_with[key] = msgspec.structs.replace(record, data=shown)
                self.digests[key] = _digest(kinds[word], shown)

    def tells_all_of(self, kind: Kind) -> bool:
        """Whether there is a record of each one of a kind."""
        return self.is_whole and (kind.is_told or kind.word in self.kinds_with)

    def _tie(self, record: _Record, relation_id: int, *, is_gone: bool) -> None:
        before = self.ties.of(relation_id)
        if is_gone:
            self.ties.part(relation_id)
        else:
            self.ties.record(relation_id, None if record.author is None else msgspec.json.encode(record.data))
        self.reviewed.relate([before, self.ties.of(relation_id)])


_read_id = msgspec.json.Decoder(int | None).decode
_read_inner = msgspec.json.Decoder(dict[str, msgspec.Raw] | None).decode


def _value(shown: Shown, field: str) -> bytes:
    name, _, inner = field.partition(".")
    value = bytes(shown.get(name, b"null"))
    return bytes((_read_inner(value) or {}).get(inner, b"")) if inner else value


def _digest(kind: Kind, shown: Shown) -> bytes:
    return blake2b(b"\0".join(_value(shown, field) for field in kind.fields), digest_size=8).digest()


def _vat_accounts(shown: Shown) -> VatAccounts:
    receivables, liabilities = (_value(shown, f"account_vat_{side}") for side in ("receivables", "liabilities"))
    return VatAccounts(_read_id(receivables), _read_id(liabilities))


def check_recorded(here: State, books: Books) -> Iterator[Finding]:
    """Compare every record with what the trail recorded of it last; name what was changed, taken away or put in.

    What documents should have posted is noted on the way, for `check_entries`.
    """
    recorded, found = _Recorded(here), list[Finding]()
    this = decoded(here.api.businesses.get(here.business()), dict[str, msgspec.Raw])
    found.extend(_check(here, BUSINESS, recorded, [this]))
    books.has_beginning, books.uploaded = bool(recorded.kinds_with), recorded.uploaded
    if recorded.is_whole:
        books.planned = Planned(books.chart, recorded.vat_accounts)
    for kind in KINDS:
        with caught(found, RECORDS, f"{_noun(kind)}s", f"acctcli audit list --record {kind.word}"):
            every = read_all(kind.records(here.api).list({}, EVERY), _read_shown)
            if kind is DOCUMENT:
                every = recorded.reviewed.noted(recorded.ties.noted(every))
            if kind is DOCUMENT and books.planned is not None:
                every = books.planned.noted(every)
            found.extend(_check(here, kind, recorded, every))
            if kind is DOCUMENT:
                found.extend(recorded.ties.differing(here, is_whole=recorded.is_whole))
                found.extend(recorded.reviewed.differing(here))
    yield from found


def _noun(kind: Kind) -> str:
    return kind.word.replace("_", " ")


def _check(here: State, kind: Kind, recorded: _Recorded, every: Iterable[Shown]) -> Iterator[Finding]:
    left = {record_id for word, record_id in recorded.digests if word == kind.word}
    for shown in every:
        record_id = int(bytes(shown["id"]))
        left.discard(record_id)
        known = recorded.digests.get((kind.word, record_id), b"")
        if known is None or known == _digest(kind, shown) or not (known or recorded.tells_all_of(kind)):
            continue
        yield from _confirmed(here, kind, record_id, recorded)
    for record_id in sorted(left):
        yield from _confirmed(here, kind, record_id, recorded)


def _confirmed(here: State, kind: Kind, record_id: int, recorded: _Recorded) -> Iterator[Finding]:
    """Look again, because others may have written meanwhile; name what is still not as it was recorded."""
    shown: Shown | None = None
    with suppress(NotFound):
        name = here.business() if kind is BUSINESS else record_id
        shown = decoded(kind.records(here.api).get(name), dict[str, msgspec.Raw])
    query: Query = {"resource": kind.word, "record_id": record_id}
    records = read_all(here.api.audit.list(query, EVERY), _read)
    came_with = recorded.came_with.get((kind.word, record_id))
    last = next((one for one in records if one.type.rpartition(".")[2] not in SILENT), came_with)
    is_deleted = last is None or last.type.endswith(".deleted")
    find = partial(Finding, RECORDS, _named(kind, record_id, shown or (last.data if last else {})))
    shows = f"business {last.record_id} --json" if last and last is came_with else f"{kind.word} {record_id}"
    remedy = f"acctcli audit show {shows}"
    if shown is None and not is_deleted:
        yield find("it is gone, and the audit trail has not recorded that it was deleted", remedy, is_fault=True)
    elif shown is not None and (last is None or is_deleted):
        yield find("the audit trail has not recorded that it was made", "acctcli audit verify", is_fault=True)
    elif shown is not None and last is not None:
        names = [field for field in kind.fields if _value(shown, field) != _value(last.data, field)]
        if names:
            when = f"{last.author} on {last.created_at[:10]}"
            yield find(f"{', '.join(names)}: not what the trail recorded last, of {when}", remedy, is_fault=True)


def _named(kind: Kind, record_id: int, shown: Shown) -> str:
    """Return what people call a record: its number where it has one of its own, else its id."""
    number = bytes(shown.get("number", b"null")).strip(b'"').decode()
    return f"{_noun(kind)} {number if number != 'null' else record_id}"
