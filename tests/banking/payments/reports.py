"""Reports of banks on payment files, as pain.002; nothing here is shared with what reads them."""

from __future__ import annotations

import re
from typing import NamedTuple
from xml.sax.saxutils import escape


class Report(NamedTuple):
    """What is said of a file, a batch (`FILE-1`), or a payment."""

    name: str
    status: str
    codes: tuple[str, ...] = ()
    words: str = ""
    amount: str = ""


def about(name: str, status: str, *codes: str, words: str = "", amount: str = "") -> Report:
    """`amount` is the one that was to be paid, as in `EUR 1.00`."""
    return Report(name, status, codes, words, amount)


def pain002(*said: Report, made: str = "2026-03-20T08:00:00", version: str = "03") -> str:
    """Write a report; what has two numbers behind the name of the file, or is no name of one, is a payment."""
    files = [one for one in said if re.fullmatch(r"[a-z]+-[a-z0-9]+", one.name)]
    batches = [one for one in said if re.fullmatch(r"[a-z]+-[a-z0-9]+-[0-9]+", one.name)]
    others = [one for one in said if one not in files and one not in batches]
    name = files[0].name if files else "-".join(said[0].name.split("-")[:2])
    head = f"<GrpHdr><MsgId>R1</MsgId><CreDtTm>{made}</CreDtTm></GrpHdr>"
    whole = "".join(f"<GrpSts>{one.status}</GrpSts>{_reasons(one)}" for one in files)
    original = f"<OrgnlMsgId>{escape(name)}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.03</OrgnlMsgNmId>"
    parts = "".join(
        f"<OrgnlPmtInfAndSts><OrgnlPmtInfId>{one.name}</OrgnlPmtInfId><PmtInfSts>{one.status}</PmtInfSts>{_reasons(one)}"
        "</OrgnlPmtInfAndSts>"
        for one in batches
    )
    single = "".join(
        "<OrgnlPmtInfAndSts><OrgnlPmtInfId>B</OrgnlPmtInfId><TxInfAndSts>"
        f"<OrgnlEndToEndId>{escape(one.name)}</OrgnlEndToEndId><TxSts>{one.status}</TxSts>{_reasons(one)}{_original(one)}"
        "</TxInfAndSts></OrgnlPmtInfAndSts>"
        for one in others
    )
    return (
        f'<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.{version}"><CstmrPmtStsRpt>{head}'
        f"<OrgnlGrpInfAndSts>{original}{whole}</OrgnlGrpInfAndSts>{parts}{single}</CstmrPmtStsRpt></Document>"
    )


def _reasons(one: Report) -> str:
    reasons = "".join(f"<StsRsnInf><Rsn><Cd>{code}</Cd></Rsn></StsRsnInf>" for code in one.codes)
    return f"{reasons}<StsRsnInf><AddtlInf>{escape(one.words)}</AddtlInf></StsRsnInf>" if one.words else reasons


def _original(one: Report) -> str:
    currency, _, amount = one.amount.partition(" ")
    told = f'<OrgnlTxRef><Amt><InstdAmt Ccy="{currency}">{amount}</InstdAmt></Amt></OrgnlTxRef>'
    return told if one.amount else ""
