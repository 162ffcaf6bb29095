"""The document that a line of a statement becomes (docs/bank.md 1, 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from acctcli.banking.checks import compact
from acctcli.banking.matching.candidates import Kind
from acctcli.banking.matching.outcome import Matched, Reason, Row
from acctcli.banking.matching.seen import takes_back
from acctcli.banking.matching.words import reference_key
from acctcli.banking.payments.identity import payment_ids
from acctcli.banking.statements.model import Line, one_line
from acctcli.cli.account.chart import Account, Chart
from acctcli.cli.account.rates import rates_on
from acctcli.cli.bank.owed import aims_of
from acctcli.cli.bank.there import on_account, with_aims
from acctcli.cli.command.body import check
from acctcli.cli.document.blueprints import Leg, Legs, RateOf, fill
from acctcli.cli.document.entries import units_of
from acctcli.cli.session.state import State
from acctcli.errors import UsageError
from acctcli.law.vat_codes import NO_VAT
from acctcli.models.document import DocumentRequest
from acctcli.models.enums import AccountType, DocumentType

# what the row of a draft begins with whose line takes back what was paid
TAKES_BACK = "Came back:"
# what stands next where the bank took fees out of its line
FEES = "Fees {}:"
# the word behind which a reference is known again in a text
_REFERENCE = "ref"
_LONGEST = 256
# ids of payments that a description has room for, beside a tag and what it is about
_MOST_NAMED = 8
_OF_VAT, _WITHOUT_VAT = {AccountType.LIA_VAT, AccountType.ASS_VAT}, {None, 0, NO_VAT}


class Twin(NamedTuple):
    """The other side of a transfer: the tag of its line, and its account."""

    tag: str
    account: Account


def twin_of(found: Matched, chart: Chart) -> Twin | None:
    """Return the other side of a transfer that has a line of its own."""
    return Twin(found.twin, chart.by_id[found.rows[0].account or 0]) if found.twin else None


class Bodies:
    """Makes documents: of what is matched, and of the rest drafts, or postings against the account `contra`.

    `contacts` are who owes claims, by their keys; `fees` is the id of the account for what a bank takes. `kept` are the
    tags of lines that become drafts though `contra` would take them.
    """

    def __init__(self, here: State, contra: str | None, chart: Chart) -> None:
        self._here = here
        self._chart = chart
        self._contra = chart.find(contra, "--contra") if contra else None
        self._said: set[str] = set()
        self._rates_of = lru_cache(maxsize=400)(self._rates)
        self.contacts: Mapping[str, int] = {}
        self.fees: int | None = None
        self.kept = set[str]()

    def check(self, bank: Account) -> None:
        """Raise UsageError where a line would be posted on the bank account against itself."""
        if self._contra is not None and self._contra.id == bank.id:
            raise UsageError(f"--contra: {bank} is the bank account itself")

    def keep(self, tag: str) -> None:
        """Make a line a draft, whatever account there is for the rest."""
        if self._contra is not None:
            self.kept.add(tag)

    def of(self, line: Line, tag: str, bank: Account) -> DocumentRequest:
        """Return the body of a line that is booked, and that nothing is known of."""
        said = _said(line)
        contra = None if tag in self.kept else self._contra
        rows = [_waiting(line)] if contra is None else self._contra_rows(line, contra, said)
        return self._document(line, tag, bank, rows, with_tag(said, tag), is_draft=contra is None)

    def waiting(self, line: Line, tag: str, bank: Account) -> DocumentRequest:
        """Return the draft of a line, whatever account there is for the rest."""
        self.keep(tag)
        return self.of(line, tag, bank)

    def to_settle(self, line: Line, tag: str, bank: Account, found: Matched) -> DocumentRequest:
        """Return the draft of a line that an action is to settle, with what that is for."""
        told = with_aims(tag, aims_of(found.claims))
        return self._document(line, tag, bank, [_waiting(line)], with_tag(_said(line), tag), is_draft=True, told=told)

    def matched(self, line: Line, tag: str, bank: Account, found: Matched, twin: Twin | None) -> DocumentRequest:
        """Return the body of a line that is matched, a transfer with its other side, if there is a line for it."""
        rows = [row for one in found.rows for row in self._rows(line, one)]
        # of what was handed to the bank, its id stays: of more than a description has room for, in the rows
        title = _title(found) or _said(line)
        handed = [part.claim.payment for part in found.parts if part.is_handed]
        if len(handed) > _MOST_NAMED:
            for row, part in zip(rows, found.parts, strict=False):
                row["description"] = with_tag(part.claim.title, part.claim.payment)
            handed = sorted({str(one.file) for one in payment_ids(" ".join(handed))})
        end = " ".join((*handed[:_MOST_NAMED], tag))
        if twin is not None:
            rows[0]["description"], end = twin.tag, f"{end} {on_account(twin.account.number, twin.tag)}"
        told = with_aims(tag, aims_of(found.claims))
        contacts = {self.contacts.get(claim.key) for claim in found.claims} or {None}
        contact = contacts.pop() if len(contacts) == 1 else None
        is_refund = any(claim.kind is Kind.REFUND for claim in found.claims)
        kind = DocumentType.VAT if is_refund or self._is_of_tax_office(found) else DocumentType.NORMAL
        end = with_tag(title, end)
        return self._document(line, tag, bank, rows, end, is_draft=False, told=told, contact=contact, kind=kind)

    def _is_of_tax_office(self, found: Matched) -> bool:
        """Whether all of a line is on accounts of VAT without a code: such money is in no return."""
        accounts = [self._chart.by_id[row.account or 0] for row in found.rows if self._is_vat_without_code(row)]
        if not accounts or len(accounts) < len(found.rows):
            return False
        self._note(f"{accounts[0]}: without a VAT code this is paid to or by the tax office, and in no return")
        return True

    def _is_vat_without_code(self, row: Row) -> bool:
        account = self._chart.by_id.get(row.account or 0)
        if account is None or account.type not in _OF_VAT:
            return False
        return (account.default_vat_code if row.vat_code is None else row.vat_code) in _WITHOUT_VAT

    def _note(self, note: str) -> None:
        """Say a note, once."""
        if note not in self._said:
            self._said.add(note)
            self._here.say(f"note: {note}")

    def _document(
        self,
        line: Line,
        tag: str,
        bank: Account,
        rows: Sequence[dict[str, Any]],
        description: str,
        *,
        is_draft: bool,
        told: str = "",
        contact: int | None = None,
        kind: DocumentType = DocumentType.NORMAL,
    ) -> DocumentRequest:
        own = {"account_id": bank.id, "amount": abs(line.amount), "is_debit": line.amount > 0}
        own["description"] = _short(one_line(told or tag, line.reference))
        sides: dict[bool, list[dict[str, Any]]] = {True: [], False: []}
        for row in (own, *rows):
            sides[row.pop("is_debit")].append(row)
        values = {
            "date": line.booked,
            "description": description,
            "is_draft": is_draft,
            "blueprint": {"debet_entries": sides[True], "credit_entries": sides[False]},
            **({} if contact is None else {"contact_id": contact}),
            **({} if kind is DocumentType.NORMAL else {"type": kind.value}),
        }
        return check(DocumentRequest, values)

    def _rows(self, line: Line, row: Row) -> list[dict[str, Any]]:
        if row.vat_code != NO_VAT:
            leg = Leg("account", str(row.account), f"id:{row.account}", abs(units_of(row.cents)), False)
            leg = leg._replace(code=row.vat_code, rate=row.vat_rate)
            return self._filled(line, leg, is_debit=row.cents > 0, said=row.text or _said(line))
        made = {"account_id": row.account, "amount": units_of(abs(row.cents)), "is_debit": row.cents > 0}
        text = row.text or _said(line)
        return [{**made, "description": _short(text)} if text else made]

    def _contra_rows(self, line: Line, contra: Account, said: str) -> list[dict[str, Any]]:
        """Return the row of the other account, with its own VAT code and rate on the day."""
        fees = self._fees_of(line)
        leg = Leg("--contra", contra.number, f"id:{contra.id}", abs(line.amount + fees))
        rows = self._filled(line, leg, is_debit=line.amount < 0, said=said)
        return [*rows, *(self._rows(line, Row(self.fees, int(fees.scaleb(2)), "Fees")) if fees else ())]

    def _fees_of(self, line: Line) -> Decimal:
        """Return the fees that were taken out of a line, where an account takes them and something else is left."""
        fees = line.charges or Decimal(0)
        return fees if self.fees is not None and (line.amount + fees) * line.amount > 0 else Decimal(0)

    def _filled(self, line: Line, leg: Leg, *, is_debit: bool, said: str) -> list[dict[str, Any]]:
        if line.booked is None:
            return []
        legs = Legs((leg,), (), ()) if is_debit else Legs((), (leg,), ())
        filled = fill(legs, self._chart, self._rates_of(line.booked))
        for note in filled.notes:
            self._note(f"{note}, the account's own")
        rows: list[dict[str, Any]] = filled.blueprint["debet_entries" if is_debit else "credit_entries"]
        more = {"is_debit": is_debit, **({"description": _short(said)} if said else {})}
        return [{**row, **more} for row in rows]

    def _rates(self, day: date) -> RateOf:
        return rates_on(self._here, lambda: day)


def _waiting(line: Line) -> dict[str, Any]:
    """Return the row that waits for an account, and says what its line does so that it is read as that again.

    What the line takes back, its fees, that digits are a reference, and the IBAN of who paid stand in it.
    """
    row = {"account_id": None, "amount": abs(line.amount), "is_debit": line.amount < 0}
    mark = _REFERENCE if reference_key(line.structured).isdigit() else None
    back, fees = TAKES_BACK if takes_back(line) else None, FEES.format(line.charges) if line.charges else None
    told = one_line(back, fees, _said(line, mark), compact(line.iban))
    return {**row, "description": _short(told)} if told else row


def _said(line: Line, mark: str | None = None) -> str:
    return one_line(line.name, line.text, mark, line.structured or line.end_to_end) or line.code


def _title(found: Matched) -> str:
    """Return what a document is called that settles something, like those of `invoice pay` and `purchase pay`."""
    if found.reason is Reason.TRANSFER:
        return f"{found.said[:1].upper()}{found.said[1:]}"
    if not found.parts:
        return ""
    owed_by_us = {Kind.PURCHASE, Kind.REFUND}
    is_back = any((part.cents + part.over > 0) == (part.claim.kind in owed_by_us) for part in found.parts)
    return f"{'Refund' if is_back else 'Payment'}: {', '.join(claim.title for claim in found.claims)}"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def with_tag(said: str, tag: str) -> str:
    """Return a description with a tag at its end, as long as it may be."""
    room = _LONGEST - len(tag) - 1
    return f"{said if len(said) <= room else f'{said[: room - 1]}…'} {tag}".strip()
