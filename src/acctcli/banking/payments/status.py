"""pain.002: what a bank says of a payment file, of its batches, and of single payments (docs/payments.md 3.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from enum import StrEnum
from typing import BinaryIO, NamedTuple

from acctcli.banking.payments.identity import FILE, PaymentId, payment_ids, read_batch_id
from acctcli.banking.statements.model import ADDED, StatementFault, check_once, exact, one_line
from acctcli.markup import Node, Pieces

_NAMESPACE = re.compile(r".*:pain\.002\.001\.[0-9]{2}")
_REPORT = re.compile(rb"pain\.002\.001\.")
_DAY = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T+Z-].*)?", re.ASCII)
_CURRENCY = "EUR"
# settled on the payer's account, or on the supplier's; all else is still on its way
_PAID, _REFUSED = {"ACSC", "ACCC"}, {"RJCT", "CANC"}
_DUPLICATE = {"AM05", "DUPL", "DU01", "DU02", "DU03", "DU04", "DU05"}
_REASONS = {
    "AC01": "the account number is wrong",
    "AC03": "the supplier's account number is wrong",
    "AC04": "the account is closed",
    "AC06": "the account is blocked",
    "AC07": "the supplier's account is closed",
    "AG01": "such payments are forbidden on the account",
    "AM02": "the amount is not allowed",
    "AM04": "there is not enough money",
    "AM09": "the amount is wrong",
    "AM10": "the control sum is wrong",
    "BE01": "the name does not fit the account",
    "CUST": "the customer asked for it",
    "DT01": "the day is wrong",
    "FF01": "the file has a wrong format",
    "MD07": "the customer has died",
    "MS02": "the customer gave no reason",
    "MS03": "the bank gives no reason",
    "RC01": "the code of the bank is wrong",
    "RR04": "a rule of the authorities is in the way",
    "TM01": "it came too late",
    **dict.fromkeys(sorted(_DUPLICATE), "it was there before"),
}


class Fate(StrEnum):
    """What became of a payment: `DUPLICATE` was refused because the same is there already, which counts.

    `UNCLEAR` is what a person has to look at; the reason says why.
    """

    PAID = "paid"
    REJECTED = "rejected"
    DUPLICATE = "duplicate"
    WAITING = "on its way"
    RETURNED = "returned"
    UNCLEAR = "unclear"


class Said(NamedTuple):
    """What a bank says of a payment, or where `payment` is None of a batch, or of a whole file without a `batch`.

    `day` is that of the movement and `cents` what left the account, or was to, as far as these are told; `made` is the
    day of the report, `line` that of its file.
    """

    file: str
    fate: Fate
    batch: int | None = None
    payment: PaymentId | None = None
    reason: str = ""
    day: date | None = None
    made: date | None = None
    cents: int | None = None
    line: int = 0


def is_report(beginning: bytes) -> bool:
    """Whether a file that begins like this is a report of pain.002."""
    return _REPORT.search(beginning) is not None


def read_report(stream: BinaryIO) -> Iterator[Said]:
    """Yield what a report says of files of ours; those of others are passed over. Raise StatementFault."""
    levels = {"OrgnlGrpInfAndSts": _of_file, "OrgnlPmtInfAndSts": _of_batch, "TxInfAndSts": _of_payment}
    whole, opening = frozenset({*levels, "GrpHdr"}), frozenset({"CstmrPmtStsRpt"})
    pieces = Pieces(stream, whole, opening, StatementFault, aside=ADDED)
    made: date | None = None
    is_found = False
    for node, has_ended in pieces:
        if not has_ended:
            if not _NAMESPACE.fullmatch(pieces.namespace):
                raise StatementFault(f"{pieces.namespace!r} is not pain.002", node.line, "xmlns")
            is_found = True
        elif node.name == "GrpHdr":
            made = _day(node, "CreDtTm")
        elif (said := levels[node.name](node)) is not None:
            yield said._replace(made=made)
    if not is_found:
        raise StatementFault("there is no report of pain.002 in this XML")


def _of_file(node: Node) -> Said | None:
    check_once(node, "OrgnlMsgId", "GrpSts")
    name = node.said("OrgnlMsgId").lower()
    status = node.said("GrpSts")
    return _said(node, name, status) if status and FILE.fullmatch(name) else None


def _of_batch(node: Node) -> Said | None:
    check_once(node, "OrgnlPmtInfId", "PmtInfSts")
    named, status = read_batch_id(node.said("OrgnlPmtInfId")), node.said("PmtInfSts")
    return _said(node, named[0], status)._replace(batch=named[1]) if named and status else None


def _of_payment(node: Node) -> Said | None:
    """Return what is said of a payment; raise StatementFault where it is not said of which."""
    check_once(node, "OrgnlEndToEndId", "TxSts", "FctvIntrBkSttlmDt", "OrgnlTxRef")
    check_once(node.first("OrgnlTxRef/Amt"), "InstdAmt")
    text = node.said("OrgnlEndToEndId")
    if not text:
        raise StatementFault("it is not said which payment this is", node.line, "OrgnlEndToEndId")
    status = node.said("TxSts")
    named = list(payment_ids(text))
    if not named or not status:
        return None
    (one,) = named[:1]
    settled = node.first("FctvIntrBkSttlmDt")
    day = None if settled is None else _day(settled, "Dt", "DtTm")
    said = _said(node, one.file, status)._replace(batch=one.batch, payment=one, day=day)
    amount = node.first("OrgnlTxRef/Amt/InstdAmt")
    if said.fate is not Fate.PAID or amount is None:
        return said
    cents = int(exact(amount.text.strip(), amount.line, "InstdAmt").scaleb(2))
    if (currency := amount.attributes.get("Ccy")) != _CURRENCY:
        told = f"the report tells {amount.text.strip()} {currency or 'of no currency'}, and payments are in {_CURRENCY}"
        return said._replace(fate=Fate.UNCLEAR, reason=told)
    return said._replace(cents=cents)


def _said(node: Node, file: str, status: str) -> Said:
    """Return what a status means, with the reasons that the bank gives."""
    codes = [code for one in node.all("StsRsnInf") if (code := one.said("Rsn/Cd", "Rsn/Prtry"))]
    words = one_line(*(part.text for one in node.all("StsRsnInf") for part in one.all("AddtlInf")))
    named = [f"{code} ({_REASONS[code]})" if code in _REASONS else code for code in codes]
    told = ": ".join(filter(None, (" and ".join(named), words)))
    return Said(
        file, _fate(status, codes), reason=told if status in _REFUSED else f"{status} {told}".strip(), line=node.line
    )


def _fate(status: str, codes: list[str]) -> Fate:
    if status in _REFUSED:
        return Fate.DUPLICATE if _DUPLICATE.intersection(codes) else Fate.REJECTED
    return Fate.PAID if status in _PAID else Fate.WAITING


def _day(node: Node, *paths: str) -> date | None:
    """Return the day of a date, or of a moment; None where there is none. Raise StatementFault for what is no day."""
    text = node.said(*paths)
    if not text:
        return None
    try:
        if match := _DAY.fullmatch(text):
            return date.fromisoformat(match[1])
    except ValueError:
        pass
    raise StatementFault(f"{text!r} is not a day", node.line, paths[0])
