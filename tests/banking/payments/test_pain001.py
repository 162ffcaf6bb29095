"""Payment files: right by the schemas of ISO 20022, with the same facts as another program writes, and added up."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sepaxml
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from acctcli.banking.payments import VERSIONS
from acctcli.banking.payments.identity import FILE, PaymentId, batch_id, file_id, payment_ids, read_batch_id
from acctcli.banking.payments.letters import plain, says_anything
from acctcli.banking.payments.pain001 import LARGEST, Batch, Payer, Sums, Transfer, credit_transfers, summed

FILE_ID = file_id("key")
MADE = datetime(2026, 3, 10, 9, 30, tzinfo=UTC)
PAYER = Payer("Journey Oy", "FI2112345600000785", "NDEAFIHH")
ONE = Transfer(PaymentId(FILE_ID, 1, 12), "Paperi Oy", "FI4950009420028730", 12_550, "OKOYFIHH", "1232")
TWO = Transfer(PaymentId(FILE_ID, 1, 13), "Müller und Söhne", "DE89370400440532013000", 5, text="Invoice 7 + 8")
THREE = Transfer(PaymentId(FILE_ID, 2, 14), "Kone Oy", "FI4950009420028730", 100_000, reference="RF48202617")
BATCHES = [Batch(1, date(2026, 3, 16), [ONE, TWO]), Batch(2, date(2026, 3, 31), [THREE])]


@cache
def schema(version: str) -> Any:
    path = Path(sepaxml.__file__).parent / "schemas" / f"pain.001.001.{version}.xsd"
    return etree.XMLSchema(etree.parse(path))


def read(content: bytes, version: str = "09") -> Any:
    """Return the root of a file that its schema takes."""
    root = etree.fromstring(content)
    schema(version).assertValid(root)
    return root


def texts(root: Any, path: str) -> list[str]:
    steps = "/".join(f"*[local-name()='{name}']" for name in path.split("/"))
    return [one.text.strip() for one in root.xpath(f"//{steps}") if (one.text or "").strip()]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_file_says_what_is_to_be_paid(version: str) -> None:
    root = read(credit_transfers(version, PAYER, FILE_ID, MADE, BATCHES), version)
    assert etree.QName(root).namespace == f"urn:iso:std:iso:20022:tech:xsd:pain.001.001.{version}"
    assert texts(root, "GrpHdr/MsgId") == [FILE_ID]
    assert texts(root, "GrpHdr/CreDtTm") == ["2026-03-10T09:30:00+00:00"]
    assert texts(root, "NbOfTxs") == ["3", "2", "1"]
    assert texts(root, "CtrlSum") == ["1125.55", "125.55", "1000.00"]
    assert texts(root, "PmtInf/PmtInfId") == [batch_id(FILE_ID, 1), batch_id(FILE_ID, 2)]
    assert texts(root, "ReqdExctnDt" if version == "03" else "ReqdExctnDt/Dt") == ["2026-03-16", "2026-03-31"]
    assert texts(root, "DbtrAcct/Id/IBAN") == [PAYER.iban] * 2
    assert texts(root, "DbtrAgt/FinInstnId/BIC" if version == "03" else "DbtrAgt/FinInstnId/BICFI") == ["NDEAFIHH"] * 2
    assert texts(root, "EndToEndId") == [f"{FILE_ID}-1-12", f"{FILE_ID}-1-13", f"{FILE_ID}-2-14"]
    assert texts(root, "InstdAmt") == ["125.50", "0.05", "1000.00"]
    assert texts(root, "CdtrAcct/Id/IBAN") == [ONE.iban, TWO.iban, THREE.iban]
    assert texts(root, "Cdtr/Nm") == ["Paperi Oy", "Müller und Söhne", "Kone Oy"]
    assert texts(root, "CdtrRefInf/Ref") == ["1232", "RF48202617"]
    assert texts(root, "CdtrRefInf/Tp/Issr") == ["ISO"]
    assert texts(root, "Ustrd") == ["Invoice 7 + 8"]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_bank_without_a_code_and_one_that_the_older_version_does_not_know(version: str) -> None:
    odd = replace(ONE, bic="NDEAFI0O")
    root = read(
        credit_transfers(version, PAYER._replace(bic=""), FILE_ID, MADE, [Batch(1, MADE.date(), [odd])]), version
    )
    assert texts(root, "DbtrAgt/FinInstnId/Othr/Id") == ["NOTPROVIDED"]
    assert texts(root, "CdtrAgt/FinInstnId/BICFI") == ([] if version == "03" else ["NDEAFI0O"])


@pytest.mark.parametrize("version", VERSIONS)
def test_another_program_writes_the_same_facts(version: str) -> None:
    """It has no references, and ids by chance; all else has to agree."""
    config = {"name": PAYER.name, "IBAN": PAYER.iban, "BIC": PAYER.bic, "batch": True, "currency": "EUR"}
    other = sepaxml.SepaTransfer(config, schema=f"pain.001.001.{version}", clean=False)
    for batch in BATCHES:
        for one in batch.transfers:
            bic = {"BIC": one.bic} if one.bic else {}
            other.add_payment(
                {
                    "name": one.name,
                    "IBAN": one.iban,
                    "amount": one.cents,
                    "execution_date": batch.day,
                    "description": one.text or "-",
                    "endtoend_id": str(one.id),
                    **bic,
                }
            )
    theirs = read(other.export(), version)
    ours = read(credit_transfers(version, PAYER, FILE_ID, MADE, BATCHES), version)
    for path in (
        "NbOfTxs", "CtrlSum", "PmtMtd", "SvcLvl/Cd", "ReqdExctnDt", "ReqdExctnDt/Dt", "Dbtr/Nm", "DbtrAcct/Id/IBAN",
        "DbtrAgt/FinInstnId/BIC", "DbtrAgt/FinInstnId/BICFI", "ChrgBr", "EndToEndId", "InstdAmt", "Cdtr/Nm",
        "CdtrAgt/FinInstnId/BIC", "CdtrAgt/FinInstnId/BICFI", "CdtrAcct/Id/IBAN",
    ):  # fmt: skip
        assert texts(ours, path) == texts(theirs, path)


def test_what_a_file_holds_is_added_up_and_compared_with_what_it_says_of_itself() -> None:
    content = credit_transfers("09", PAYER, FILE_ID, MADE, BATCHES)
    assert summed(content) == [Sums(date(2026, 3, 16), 2, 12_555), Sums(date(2026, 3, 31), 1, 100_000)]
    for said, other in (
        (b">0.05<", b">0.06<"),
        (b">125.55<", b">125.56<"),
        (b">1125.55<", b">1125.54<"),
        (b">3<", b">4<"),
    ):
        assert content.count(said) == 1
        with pytest.raises(ValueError, match="says"):
            summed(content.replace(said, other))


letters = st.text(max_size=200)


@settings(deadline=None, max_examples=60)
@given(
    name=letters,
    text=letters,
    cents=st.lists(st.integers(1, LARGEST), min_size=1, max_size=5),
    version=st.sampled_from(VERSIONS),
)
def test_whatever_people_write_the_file_is_right_and_adds_up(
    name: str, text: str, cents: list[int], version: str
) -> None:
    made = [
        Transfer(PaymentId(FILE_ID, 1, number), plain(name, 70) or "Nobody", ONE.iban, amount, text=plain(text, 140))
        for number, amount in enumerate(cents, 1)
    ]
    content = credit_transfers(version, PAYER, FILE_ID, MADE, [Batch(1, MADE.date(), made)])
    assert [int(one.replace(".", "")) for one in texts(read(content, version), "InstdAmt")] == cents
    assert summed(content) == [Sums(MADE.date(), len(cents), sum(cents))]


@pytest.mark.parametrize(
    ("written", "taken"),
    [
        ("Äänekosken Öljy & Söhne Straße", "Äänekosken Öljy + Söhne Straße"),
        ("Čapek, Ørsted; Łódź_Æ", "Capek, Orsted, Lodz-AE"),
        ("//Tools//and/", "Tools/and"),
        ("one\n\ttwo\u00a0three", "one two three"),
        ("日本 \u0000!", ".. .."),
        ("a" * 80, "a" * 70),
    ],
)
def test_letters_that_banks_take(written: str, taken: str) -> None:
    assert plain(written, 70) == taken


def test_a_text_of_signs_says_nothing() -> None:
    assert (says_anything(plain("日本!", 70)), says_anything(plain("ß", 70))) == (False, True)


def test_an_id_is_found_in_whatever_letters_a_bank_writes_it() -> None:
    one = PaymentId(FILE_ID, 12, 345)
    assert FILE.fullmatch(FILE_ID)
    assert file_id("key") != file_id("other key")
    assert list(payment_ids(f"PAYMENT {str(one).upper()}, {one}.")) == [one, one]
    for other in (f"x{one}", f"{one}a", f"{one}-2", f"{FILE_ID}-12", f"{FILE_ID}-0-1", "pay-abc-1-1"):
        assert list(payment_ids(other)) == []
    assert read_batch_id(batch_id(FILE_ID, 12).upper()) == (FILE_ID, 12)
    assert read_batch_id(str(one)) is None
    assert len(str(PaymentId(FILE_ID, 999, 10**13 - 1))) <= 35
