"""CAMT.053, .052 and .054: statements, reports and notifications of ISO 20022, in any of their versions.

Only entries that are booked count. What the bank booked in one sum is read as its parts where they come to that sum.
The sign is that of the entry: a reversal says so and is not turned round once more (docs/bank.md 3.1).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import BinaryIO, NamedTuple

from acctcli.banking.statements.model import (
    ADDED,
    Foot,
    Head,
    Line,
    Parts,
    ProofFault,
    StatementFault,
    check_once,
    exact,
    one_line,
    plain_reference,
)
from acctcli.markup import Node, Pieces

_NAMESPACE = re.compile(r".*:camt\.05([234])\.001\.[0-9]{2}")
_KINDS = {"Stmt": "statement", "Rpt": "report", "Ntfctn": "notification"}
_OPENING, _CLOSING = ("OPBD", "PRCD"), ("CLBD",)
_CODE = ("Tp/CdOrPrtry/Cd", "Tp/CdOrPrtry/Prtry")
_DAY = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T+Z-].*)?", re.ASCII)
_MOST_DETAILS = 100_000
_SIGNS = {"CRDT": 1, "DBIT": -1}
_ONCE = ("Amt", "CdtDbtInd", "Sts", "RvslInd", "BookgDt", "AcctSvcrRef", "AmtDtls", "Refs")
# what stands for an element that is not there
_NOTHING = Node("", {}, 0)
# later versions have the name of a party one level deeper
_NAMES = ("Nm", "Pty/Nm", "Agt/FinInstnId/Nm")


def read_camt(stream: BinaryIO) -> Parts:
    """Yield the parts of all statements in a file."""
    kinds = frozenset(_KINDS)
    pieces = Pieces(stream, kinds | {"Ntry", "TxDtls"}, kinds, StatementFault, aside=ADDED)
    reader, found = None, False
    details: list[_Detail] = []
    for node, has_ended in pieces:
        if not has_ended:
            _check_namespace(pieces, node)
            reader, found, details = _Statement(node), True, []
        elif reader is None:
            raise StatementFault("this stands outside a statement", node.line, node.name)
        elif node.name == "TxDtls":
            if len(details) >= _MOST_DETAILS:
                raise StatementFault(f"one entry has more than {_MOST_DETAILS:,} parts", node.line, "TxDtls")
            details.append(_Detail.read(node))
        elif node.name == "Ntry":
            yield from reader.entry(node, details)
            details = []
        else:
            yield from reader.end(pieces.line)
            reader = None
    if not found:
        raise StatementFault("there is no statement of camt.052, .053 or .054 in this XML")


def _check_namespace(pieces: Pieces, node: Node) -> None:
    """Raise StatementFault for another namespace; a statement without one is proved by balances (docs/bank.md 3.1)."""
    is_plain = not pieces.namespace and (pieces.root or _NOTHING).name == "Document" and node.name == "Stmt"
    if not is_plain and not _NAMESPACE.fullmatch(pieces.namespace):
        told = "is not camt.052, .053 or .054: urn:iso:std:iso:20022:tech:xsd:camt.053.001.08 would be"
        raise StatementFault(f"{pieces.namespace!r} {told}", node.line, "xmlns")


class _Detail(NamedTuple):
    """What one movement of an entry says; the sign is that of the entry where it has none."""

    line: int
    amount: str
    currency: str
    sign: str
    reference: str
    debtor: tuple[str, str]
    creditor: tuple[str, str]
    structured: str
    end_to_end: str
    text: str
    code: str
    charges: Sequence[Node]
    original: tuple[str, str]
    is_return: bool

    @classmethod
    def read(cls, node: Node) -> _Detail:
        check_once(node, *_ONCE)
        check_once(node.first("Refs"), "EndToEndId")
        parts = node.firsts()
        amounts = parts.get("AmtDtls", _NOTHING)
        amount = parts.get("Amt") or amounts.first("TxAmt/Amt")
        original = amounts.first("InstdAmt/Amt") or amounts.first("CntrValAmt/Amt")
        references = parts.get("Refs", _NOTHING)
        structured, text = _remittance(parts.get("RmtInf", _NOTHING))
        end_to_end = references.said("EndToEndId")
        parties = parts.get("RltdPties", _NOTHING).firsts()
        return cls(
            node.line,
            amount.text.strip() if amount else "",
            amount.attributes.get("Ccy", "") if amount else "",
            node.said("CdtDbtInd"),
            references.said("AcctSvcrRef"),
            _party(parties, "Dbtr"),
            _party(parties, "Cdtr"),
            structured,
            "" if end_to_end == "NOTPROVIDED" else end_to_end,
            text or one_line(node.said("AddtlTxInf")),
            _code(parts),
            _charges(node) if "Chrgs" in parts else (),
            (original.text.strip(), original.attributes.get("Ccy", "")) if original else ("", ""),
            "RtrInf" in parts,
        )


def _remittance(told: Node) -> tuple[str, str]:
    """Return the reference that the payer gave, and what was written besides."""
    structured = list(told.all("Strd"))
    references = [one for part in structured if (one := part.said("CdtrRefInf/Ref"))]
    free = [part.text for part in told.all("Ustrd")]
    free += [part.text for strd in structured for part in strd.all("AddtlRmtInf")]
    return references[0] if references else "", one_line(*free, *references[1:])


def _party(parties: Mapping[str, Node], who: str) -> tuple[str, str]:
    """Return the name and the account of a party."""
    some = (parties[one] for one in (who, f"Ultmt{who}") if one in parties)
    name = next((name for one in some if (name := one.said(*_NAMES))), "")
    return name, parties.get(f"{who}Acct", _NOTHING).said("Id/IBAN", "Id/Othr/Id")


def _code(parts: Mapping[str, Node]) -> str:
    """Return how the bank classes a movement, such as `PMNT-RCDT-ESCT`, or by its own code."""
    found = parts.get("BkTxCd", _NOTHING)
    domain = found.first("Domn") or _NOTHING
    return "-".join(filter(None, map(domain.said, ("Cd", "Fmly/Cd", "Fmly/SubFmlyCd")))) or found.said("Prtry/Cd")


def _charges(node: Node) -> list[Node]:
    """Return the sum of the charges, or the charges where no sum is told."""
    charges = list(node.all("Chrgs"))
    totals = [found for one in charges if (found := one.first("TtlChrgsAndTaxAmt"))]
    return totals or [found for one in charges for part in (one, *one.all("Rcrd")) if (found := part.first("Amt"))]


class _Statement:
    """One statement of a file: its head is complete with its first entry."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._currency = ""
        self._opening: Decimal | None = None
        self._closing: Decimal | None = None
        self._only_day: date | None = None
        self._has_begun = False

    def entry(self, node: Node, details: Sequence[_Detail]) -> Iterator[Head | Line]:
        """Yield the lines of an entry, after the head where it is the first."""
        if not self._has_begun:
            amount = node.first("Amt")
            yield from self._begin(amount.attributes.get("Ccy", "") if amount else "")
        yield from _Entry(node, self._currency, self._only_day).lines(details)

    def end(self, line: int) -> Parts:
        """Yield what is left of the statement."""
        yield from self._begin()
        yield Foot(self._opening, self._closing, line)

    def _begin(self, currency: str = "") -> Iterator[Head]:
        if self._has_begun:
            return
        self._has_begun = True
        node = self._node
        self._currency = node.said("Acct/Ccy")
        balances = list(node.all("Bal"))
        if not self._currency:
            amounts = [found for one in balances if (found := one.first("Amt"))]
            self._currency = amounts[0].attributes.get("Ccy", "") if amounts else currency
        self._opening = self._balance(balances, _OPENING)
        self._closing = self._balance(balances, _CLOSING)
        first = self._day_of_period(balances, "FrDtTm", _OPENING)
        last = self._day_of_period(balances, "ToDtTm", _CLOSING)
        self._only_day = first if first == last and None not in (self._opening, self._closing) else None
        yield Head(
            _KINDS[node.name],
            "".join(node.said("Acct/Id/IBAN", "Acct/Id/Othr/Id", "Acct/Id/PrtryAcct/Id", "Acct/Id/BBAN").split()),
            self._currency,
            _number(node),
            first,
            last,
            self._opening,
            node.line,
        )

    def _balance(self, balances: Sequence[Node], codes: Sequence[str]) -> Decimal | None:
        """Return the balance of a kind; raise StatementFault where there are two that differ."""
        found: dict[Decimal, Node] = {}
        for one in balances:
            if one.said(*_CODE) in codes:
                found.setdefault(_signed(one, self._currency), one)
        if len(found) > 1:
            node = list(found.values())[1]
            told = " and ".join(map(str, found))
            raise StatementFault(f"there are two balances of this kind: {told}", node.line, node.said(*_CODE))
        return next(iter(found), None)

    def _day_of_period(self, balances: Sequence[Node], name: str, codes: Sequence[str]) -> date | None:
        period = self._node.first("FrToDt")
        if period is not None and (told := period.first(name)) is not None:
            return _day(told.text, told.line, name)
        found = next((one.first("Dt") for one in balances if one.said(*_CODE) == codes[0]), None)
        return _day_in(found, "Dt") if found is not None else None


def _number(node: Node) -> str:
    """Return the number of a statement, with that of its page where there are several."""
    number, page = node.said("LglSeqNb", "ElctrncSeqNb", "Id"), node.said("StmtPgntn/PgNb", "RptPgntn/PgNb")
    is_whole = page in {"", "1"} and node.said("StmtPgntn/LastPgInd", "RptPgntn/LastPgInd") in {"", "true", "1"}
    return number if is_whole else f"{number}/{page}"


def _signed(node: Node, currency: str) -> Decimal:
    """Return the amount of a balance or an entry with its sign; raise StatementFault for another currency."""
    check_once(node, *_ONCE)
    amount = node.first("Amt")
    if amount is None:
        raise StatementFault("there is no amount", node.line, f"{node.name}/Amt")
    own = amount.attributes.get("Ccy", "")
    if currency and own != currency:
        raise StatementFault(f"{own or 'no currency'} on an account in {currency}", amount.line, f"{node.name}/Amt")
    return exact(amount.text.strip(), amount.line, f"{node.name}/Amt") * _sign(node)


def _sign(node: Node) -> int:
    told = node.said("CdtDbtInd")
    if told not in _SIGNS:
        raise StatementFault(f"{told!r} is neither CRDT nor DBIT", node.line, f"{node.name}/CdtDbtInd")
    return _SIGNS[told]


def _day_in(node: Node, field: str) -> date:
    """Return the day of an element that holds a date, or a date with its time."""
    return _day(node.said("Dt", "DtTm") or node.text, node.line, field)


def _day(text: str, line: int, field: str) -> date:
    day = _read_day(text.strip())
    if day is None:
        raise StatementFault(f"{text.strip()!r} is not a day", line, field)
    return day


@lru_cache(maxsize=400)
def _read_day(text: str) -> date | None:
    """Return the day of a date, or of a date with its time; the entries of a statement have few of them."""
    match = _DAY.fullmatch(text)
    try:
        return date.fromisoformat(match[1]) if match else None
    except ValueError:
        return None


class _Entry:
    """An entry: one movement, or several that the bank booked in one sum."""

    def __init__(self, node: Node, currency: str, only_day: date | None) -> None:
        self._node = node
        self._only_day = only_day
        self._inside = node.firsts()
        self._currency = currency
        self._amount = _signed(node, currency)
        told = self._said("RvslInd")
        if told not in {"", "true", "false", "1", "0"}:
            raise StatementFault(f"{told!r} is neither true nor false", node.line, "RvslInd")
        self._is_reversal = told in {"true", "1"}
        self._status = node.said("Sts", "Sts/Cd", "Sts/Prtry")
        if not self._status:
            raise StatementFault("it is not said whether the entry is booked", node.line, "Sts")

    def lines(self, details: Sequence[_Detail]) -> Iterator[Line]:
        """Yield one line, or one for each part."""
        if self._status == "BOOK" and len(details) > 1 and any(one.amount for one in details):
            for part, (amount, detail) in enumerate(self._parts(details), 1):
                yield self._line(amount, detail, part)
        else:
            yield self._line(self._amount, self._only(details), 0)

    def _only(self, details: Sequence[_Detail]) -> _Detail | None:
        """Return what is said of the entry as a whole; one of several payments does not say it."""
        told = self._said("NtryDtls", "Btch/NbOfTxs")
        return details[0] if len(details) == 1 and told in {"", "1"} else None

    def _said(self, name: str, *paths: str) -> str:
        """Return what an element of the entry says, or the first that does of those at paths within it."""
        found = self._inside.get(name, _NOTHING)
        return found.said(*paths) if paths else found.text.strip()

    def _parts(self, details: Sequence[_Detail]) -> list[tuple[Decimal, _Detail | None]]:
        """Return the amounts of the parts, with what is said of them; charges that the entry is less by are a part.

        Raises StatementFault where they do not come to the entry.
        """
        parts: list[tuple[Decimal, _Detail | None]] = [(self._amount_of(one), one) for one in details]
        total = sum(amount for amount, _ in parts)
        if total == self._amount:
            return parts
        charged = self._charged(_charges(self._node))
        if charged and total - charged == self._amount:
            return [*parts, (-charged, None)]
        raise ProofFault(f"the parts come to {total}, and the entry to {self._amount}", self._node.line, "NtryDtls")

    def _amount_of(self, one: _Detail) -> Decimal:
        """Return the amount of a part; raise StatementFault for what is none in the currency of the account."""
        if one.currency != self._currency:
            told = f"{one.currency or 'no currency'} in a batch in {self._currency}"
            raise StatementFault(told, one.line, "TxDtls/Amt")
        if one.sign not in {"", *_SIGNS}:
            raise StatementFault(f"{one.sign!r} is neither CRDT nor DBIT", one.line, "TxDtls/CdtDbtInd")
        return exact(one.amount, one.line, "TxDtls/Amt") * (_SIGNS[one.sign] if one.sign else _sign(self._node))

    def _line(self, amount: Decimal, detail: _Detail | None, part: int) -> Line:
        node = self._node
        name, iban = self._counterparty(detail, amount)
        original, original_currency = self._original(detail)
        text = detail.text if detail and detail.text else one_line(self._said("AddtlNtryInf"))
        # what the bank took of a batch is no charge of each of its parts
        charges = (detail.charges if detail else ()) or (() if part else _charges(node))
        reference, batch = self._said("AcctSvcrRef"), self._amount if part else None
        return Line(
            detail.line if detail and part else node.line,
            amount,
            self._booked(),
            self._day("ValDt"),
            reference or (detail.reference if detail else ""),
            one_line(name),
            "".join(iban.split()),
            plain_reference(detail.structured) if detail else "",
            detail.end_to_end if detail else "",
            text,
            _code(self._inside) or (detail.code if detail else ""),
            self._charged(charges),
            original,
            original_currency,
            self._is_reversal,
            part,
            batch if reference else None,
            "" if self._status == "BOOK" else self._status,
            None if reference else batch,
            "" if detail or part else self._said("NtryDtls", "Btch/PmtInfId", "Btch/MsgId"),
        )

    def _charged(self, charges: Sequence[Node]) -> Decimal | None:
        """Return what the bank took, as far as it is told in the currency of the account."""
        own = [one for one in charges if one.attributes.get("Ccy") == self._currency]
        return sum((exact(one.text.strip(), one.line, "Chrgs") for one in own), Decimal("0.00")) if own else None

    def _counterparty(self, detail: _Detail | None, amount: Decimal) -> tuple[str, str]:
        """Return name and account of the other side; what came back names the parties as they were."""
        if detail is None:
            return "", ""
        is_back = self._is_reversal or detail.is_return
        sides = (detail.debtor, detail.creditor) if (amount > 0) != is_back else (detail.creditor, detail.debtor)
        return sides[0] if any(sides[0]) else sides[1]

    def _original(self, detail: _Detail | None) -> tuple[Decimal | None, str]:
        """Return the amount in another currency, before it was changed into that of the account."""
        text, currency = detail.original if detail else ("", "")
        if not text:
            found = self._inside.get("AmtDtls", _NOTHING).first("InstdAmt/Amt")
            text, currency = (found.text.strip(), found.attributes.get("Ccy", "")) if found else ("", "")
        if not text or currency == self._currency:
            return None, ""
        try:
            return exact(text, self._node.line, "InstdAmt"), currency
        except StatementFault:  # a currency with three decimals
            return None, currency

    def _day(self, name: str) -> date | None:
        found = self._inside.get(name)
        return _day_in(found, name) if found is not None else None

    def _booked(self) -> date | None:
        """Return the day of booking, else that of a statement of one day; raise StatementFault for none of either."""
        if (day := self._day("BookgDt")) is not None or self._status != "BOOK":
            return day
        if self._only_day is None:
            told = "a booked entry has no day of booking, nor do balances prove one day of its statement"
            raise StatementFault(f"{told}: <BookgDt><Dt>2026-03-02</Dt></BookgDt> would be", self._node.line, "BookgDt")
        return self._only_day
