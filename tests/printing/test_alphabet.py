"""What of an invoice the font lacks is named before it has a number (docs/law.md 7.6)."""

from __future__ import annotations

from typing import Any

import pytest

from acctcli.printing.alphabet import paper_findings
from tests.papers.invoices import BUSINESS, RECEIVER, invoice, row


def named(sold: dict[str, Any], **business: str) -> list[tuple[str, str]]:
    found = paper_findings(sold, sold["rows"], sold["receiver_info"], {**BUSINESS, **business})
    return [(one.fields[0], one.lacks) for one in found]


def test_what_europe_writes_is_printed() -> None:
    assert named(invoice(row("Łódź → Čeněk\r\nΑθήνα\tСофия €½ ẞ", "1"), description="a\N{COMBINING DIAERESIS}")) == []


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("茶 and 茶碗", "茶 碗"),
        ("שלום", "ש ל ו ם"),
        ("ok 👍", "👍"),
        ("ชา", "ช า"),
        ("e\N{COMBINING ACUTE ACCENT} q\N{COMBINING ACUTE ACCENT}", "\N{COMBINING ACUTE ACCENT}"),
    ],
)
def test_each_text_that_would_be_boxes_is_named_with_its_letters(text: str, letters: str) -> None:
    sold = invoice(row("Tea", "1"), row(text, "1"), receiver_info={**RECEIVER, "invoicing_street": text})
    told = f"letters that the font of invoices lacks, {letters}, in"
    found = named(sold, invoicing_contact=text)
    assert [field for field, _ in found] == [
        "rows.1.name",
        "receiver_info.invoicing_street",
        "business.invoicing_contact",
    ]
    assert all(told in lacks for _, lacks in found)
