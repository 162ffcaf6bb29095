"""What a report says once counts, and what others add to it says nothing."""

from __future__ import annotations

from io import BytesIO

import pytest

from acctcli.banking.payments.status import Fate, read_report
from acctcli.banking.statements.model import StatementFault
from tests.banking.payments.reports import about, pain002

FILE = "pay-3k7q2m4x5pad"
WAITS = pain002(about(f"{FILE}-1-1", "ACSP", amount="EUR 1.00"))
SAID = f"<OrgnlEndToEndId>{FILE}-1-1</OrgnlEndToEndId><TxSts>RJCT</TxSts>"


def fates(report: str) -> list[Fate]:
    return [one.fate for one in read_report(BytesIO(report.encode()))]


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("<TxSts>", "<TxSts>RJCT</TxSts><TxSts>", "TxInfAndSts/TxSts"),
        ("<OrgnlEndToEndId>", "<OrgnlEndToEndId>X</OrgnlEndToEndId><OrgnlEndToEndId>", "TxInfAndSts/OrgnlEndToEndId"),
        ("</InstdAmt>", '</InstdAmt><InstdAmt Ccy="EUR">2</InstdAmt>', "Amt/InstdAmt"),
        ("<OrgnlMsgId>", "<OrgnlMsgId>X</OrgnlMsgId><OrgnlMsgId>", "OrgnlGrpInfAndSts/OrgnlMsgId"),
        ("<OrgnlPmtInfId>", "<PmtInfSts>ACSC</PmtInfSts><PmtInfSts>RJCT</PmtInfSts><OrgnlPmtInfId>",
         "OrgnlPmtInfAndSts/PmtInfSts"),
        ("<OrgnlPmtInfId>", f'<x:TxInfAndSts xmlns:x="urn:x">{SAID}</x:TxInfAndSts><OrgnlPmtInfId>', "TxInfAndSts"),
    ],
)  # fmt: skip
def test_what_stands_twice_or_is_of_others_is_refused(old: str, new: str, field: str) -> None:
    assert old in WAITS
    with pytest.raises(StatementFault) as caught:
        fates(WAITS.replace(old, new))
    assert caught.value.field == field


def test_what_others_add_to_a_report_says_nothing() -> None:
    added = f"<SplmtryData><Envlp><TxInfAndSts>{SAID}</TxInfAndSts></Envlp></SplmtryData></CstmrPmtStsRpt>"
    assert fates(WAITS.replace("</CstmrPmtStsRpt>", added)) == fates(WAITS) == [Fate.WAITING]
