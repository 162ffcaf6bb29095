"""pain.001: SEPA credit transfers for a bank, in the two versions that banks take (docs/payments.md 1.3)."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple
from xml.etree.ElementTree import Element, indent, tostring

from acctcli.banking.payments.identity import PaymentId, batch_id
from acctcli.markup import FileFault, Node, Pieces

_NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:pain.001.001."
NAME_LENGTH, TEXT_LENGTH = 70, 140
# of one payment, in cents
LARGEST = 99_999_999_999
# what stands for a bank whose code nobody knows
_NO_BANK = "NOTPROVIDED"
_OLDER_BIC = re.compile(r"[A-Z]{6}[A-Z2-9][A-NP-Z0-9](?:[A-Z0-9]{3})?")


class Payer(NamedTuple):
    """Whose money it is; `bic` is empty where nobody knows it."""

    name: str
    iban: str
    bic: str = ""


@dataclass(frozen=True, slots=True)
class Transfer:
    """One payment: to whom, how many cents, and with what it is told: a `reference` with check digits, or a text.

    Names and texts are in letters that banks take, account and reference are checked and without blanks.
    """

    id: PaymentId
    name: str
    iban: str
    cents: int
    bic: str = ""
    reference: str = ""
    text: str = ""


class Batch(NamedTuple):
    """Payments of one day."""

    number: int
    day: date
    transfers: Sequence[Transfer]

    @property
    def cents(self) -> int:
        """What they come to."""
        return sum(one.cents for one in self.transfers)


class Sums(NamedTuple):
    """What a file says of one batch: its day, how many payments it has, and what they come to in cents."""

    day: date
    number: int
    cents: int


def credit_transfers(version: str, payer: Payer, file: str, made: datetime, batches: Sequence[Batch]) -> bytes:
    """Return the file of some batches; `made` is a moment that knows its place."""
    count, cents = sum(len(one.transfers) for one in batches), sum(one.cents for one in batches)
    head = _node(
        "GrpHdr",
        _node("MsgId", file),
        _node("CreDtTm", made.isoformat(timespec="seconds")),
        *_sums(count, cents),
        _node("InitgPty", _node("Nm", payer.name)),
    )
    parts = (_batch(version, payer, file, one) for one in batches)
    root = _node("Document", _node("CstmrCdtTrfInitn", head, *parts))
    root.set("xmlns", f"{_NAMESPACE}{version}")
    indent(root)
    content: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return content


def summed(content: bytes) -> list[Sums]:
    """Add up what a file says, batch by batch; raise ValueError where it says other sums of itself."""
    found: list[Sums] = []
    paid: list[int] = []
    declared: list[tuple[int, int]] = []
    parts = frozenset({"GrpHdr", "CdtTrfTxInf", "PmtInf"})
    for node, _ in Pieces(io.BytesIO(content), whole=parts, opening=frozenset(), fault=FileFault):
        if node.name == "CdtTrfTxInf":
            paid.append(_cents(node.said("Amt/InstdAmt")))
            continue
        declared.append((int(node.said("NbOfTxs")), _cents(node.said("CtrlSum"))))
        if node.name == "PmtInf":
            found.append(Sums(date.fromisoformat(_day(node)), len(paid), sum(paid)))
            paid = []
    added = [(one.number, one.cents) for one in found]
    whole = (sum(count for count, _ in added), sum(cents for _, cents in added))
    if declared != [whole, *added]:
        raise ValueError(f"the file says {declared} of itself, and holds {[whole, *added]}")
    return found


def _batch(version: str, payer: Payer, file: str, batch: Batch) -> Element:
    day = str(batch.day)
    return _node(
        "PmtInf",
        _node("PmtInfId", batch_id(file, batch.number)),
        _node("PmtMtd", "TRF"),
        # each is a line of its own on the statement, with its own id
        _node("BtchBookg", "false"),
        *_sums(len(batch.transfers), batch.cents),
        _node("PmtTpInf", _node("SvcLvl", _node("Cd", "SEPA"))),
        _node("ReqdExctnDt", day if version == "03" else _node("Dt", day)),
        _node("Dbtr", _node("Nm", payer.name)),
        _account("DbtrAcct", payer.iban),
        _node("DbtrAgt", _bank(version, payer.bic)),
        _node("ChrgBr", "SLEV"),
        *(_transfer(version, one) for one in batch.transfers),
    )


def _transfer(version: str, one: Transfer) -> Element:
    amount = _node("InstdAmt", _amount(one.cents))
    amount.set("Ccy", "EUR")
    return _node(
        "CdtTrfTxInf",
        _node("PmtId", _node("EndToEndId", str(one.id))),
        _node("Amt", amount),
        *([_node("CdtrAgt", _bank(version, one.bic))] if _fits(version, one.bic) else []),
        _node("Cdtr", _node("Nm", one.name)),
        _account("CdtrAcct", one.iban),
        *_told(one),
    )


def _told(one: Transfer) -> Iterator[Element]:
    """Yield what the payment is told with: banks carry a reference or a text, never both."""
    if one.reference:
        kind = _node("CdOrPrtry", _node("Cd", "SCOR"))
        issuer = [_node("Issr", "ISO")] if one.reference.startswith("RF") else []
        told = _node("CdtrRefInf", _node("Tp", kind, *issuer), _node("Ref", one.reference))
        yield _node("RmtInf", _node("Strd", told))
    elif one.text:
        yield _node("RmtInf", _node("Ustrd", one.text))


def _account(name: str, iban: str) -> Element:
    return _node(name, _node("Id", _node("IBAN", iban)))


def _bank(version: str, bic: str) -> Element:
    if not _fits(version, bic):
        return _node("FinInstnId", _node("Othr", _node("Id", _NO_BANK)))
    return _node("FinInstnId", _node("BIC" if version == "03" else "BICFI", bic))


def _fits(version: str, bic: str) -> bool:
    """Whether a code of a bank is one, of those that the older version knows."""
    return bool(bic) and (version != "03" or _OLDER_BIC.fullmatch(bic) is not None)


def _sums(count: int, cents: int) -> Iterator[Element]:
    yield _node("NbOfTxs", str(count))
    yield _node("CtrlSum", _amount(cents))


def _node(name: str, *content: Element | str) -> Element:
    element = Element(name)
    for part in content:
        if isinstance(part, str):
            element.text = part
        else:
            element.append(part)
    return element


def _amount(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"


def _cents(text: str) -> int:
    whole, _, decimals = text.partition(".")
    return int(f"{whole}{decimals:0<2}")


def _day(node: Node) -> str:
    return node.said("ReqdExctnDt/Dt", "ReqdExctnDt")
