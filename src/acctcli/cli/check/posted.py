"""What documents should have posted by their blueprints, the second way to each of their entries.

Blueprints are what the audit trail recorded (docs/interface.md 5.4 says what comes of them); who changes entries and
every sum that is kept of them leaves these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from hashlib import blake2b
from typing import Any

import msgspec

from acctcli.cli.account.chart import Chart, read_chart
from acctcli.cli.check.findings import Finding
from acctcli.cli.document.entries import VatAccounts, cents_of, entries_of, units_of
from acctcli.cli.output.replies import decoded, read_all, reader
from acctcli.cli.report.shapes import JournalDocument
from acctcli.cli.session.state import State
from acctcli.client.messages import Extent
from acctcli.errors import NotFound

ENTRIES = "entries"
# number of an account, cents in debit less those in credit, VAT code and rate, text
_Line = tuple[str, int, int, str, str]

_read_blueprint = msgspec.json.Decoder(dict[str, Any], float_hook=Decimal).decode
_read_text = msgspec.json.Decoder(str).decode


class _Document(msgspec.Struct):
    id: int
    blueprint: msgspec.Raw
    number: str | None = None
    is_draft: bool = False


class _Roles(msgspec.Struct):
    account_vat_receivables: int | None = None
    account_vat_liabilities: int | None = None


class _Entry(msgspec.Struct):
    account_number: str | None
    amount: Decimal
    is_debet: bool
    vat_code: int
    vat_rate: str
    description: str

    def as_line(self) -> _Line:
        cents = cents_of(self.amount if self.is_debet else -self.amount)
        return self.account_number or "", cents, self.vat_code, self.vat_rate, self.description


_read_entry = reader(_Entry, "an entry")


class Planned:
    """A digest of what each document should have posted, and those of whose entries the journal says otherwise.

    `vat_accounts` are all that the business ever had: entries stay where they are when it takes others.
    """

    def __init__(self, chart: Chart, vat_accounts: Iterable[VatAccounts]) -> None:
        self._chart = chart
        self._vat_accounts = frozenset(vat_accounts)
        self._digests: set[bytes] = set()
        self._suspects: dict[int, None] = {}

    def noted(self, documents: Iterable[Mapping[str, msgspec.Raw]]) -> Iterator[Mapping[str, msgspec.Raw]]:
        """Take note of what each document should have posted, as it passes by; a draft posts nothing."""
        for shown in documents:
            if bytes(shown["is_draft"]) == b"true":
                yield shown
                continue
            document_id = int(bytes(shown["id"]))
            text = _read_text(shown["description"])
            for plan in self._of(shown["blueprint"]):
                lines = [(*one, _described(text, own)) for *one, own in plan]
                self._digests.add(_digest(document_id, lines))
            yield shown

    def compare(self, document: JournalDocument) -> None:
        """Compare the entries of a document of the journal with its plan."""
        lines = [
            (
                one.account_number or "",
                cents_of((one.debet or 0) - (one.credit or 0)),
                one.vat_code or 0,
                one.vat_rate or "",
                one.description or "",
            )
            for one in document.entries
        ]
        if document.document_id is not None and _digest(document.document_id, lines) not in self._digests:
            self._suspects[document.document_id] = None

    def confirmed(self, here: State) -> Iterator[Finding]:
        """Look again at each that differs, because others may have written meanwhile; name what still does."""
        if self._suspects:
            self._chart = read_chart(here)
            now = decoded(here.api.businesses.get(here.business()), _Roles)
            self._vat_accounts |= {VatAccounts(now.account_vat_receivables, now.account_vat_liabilities)}
        for document_id in self._suspects:
            with suppress(NotFound):
                document = decoded(here.api.documents.get(document_id), _Document)
                entries = read_all(here.api.documents.below(document_id, "entry/", {}, Extent(limit=None)), _read_entry)
                lines = sorted(one.as_line() for one in entries)
                if not document.is_draft and all(lines != sorted(plan) for plan in self._of(document.blueprint)):
                    name, remedy = f"document {document.number}", f"acctcli document entries {document_id}"
                    yield Finding(ENTRIES, name, "its entries are not what its blueprint posts", remedy, is_fault=True)

    def _of(self, blueprint: msgspec.Raw) -> Iterator[list[_Line]]:
        """Yield the lines of a blueprint, with each pair of accounts for VAT that there was."""
        read, by_id = _read_blueprint(blueprint), self._chart.by_id
        for vat_accounts in self._vat_accounts:
            yield [
                (
                    by_id[one.account_id].number if one.account_id in by_id else "",
                    one.cents if one.is_debit else -one.cents,
                    one.vat_code,
                    str(units_of(one.vat_rate)),
                    one.description,
                )
                for one in entries_of(read, vat_accounts)
            ]


def _described(document: str, own: str) -> str:
    """Return how the journal writes what an entry is about (docs/interface.md 10.3)."""
    if not own or own == document:
        return document
    return f"{document} · {own}" if document else own


def _digest(document_id: int, lines: Sequence[tuple[Any, ...]]) -> bytes:
    return blake2b(f"{document_id}{sorted(lines)}".encode(), digest_size=12).digest()
