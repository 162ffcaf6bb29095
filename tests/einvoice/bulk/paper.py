"""The figures of an invoice on paper, found in the text that pdftotext reads, and what its codes are to say."""

from __future__ import annotations

import re
from collections import defaultdict
from decimal import Decimal
from typing import Any

from stdnum.iso7064 import mod_97_10

from acctcli.models.enums import Language
from acctcli.papers.words import WORDS
from tests.einvoice.bulk.people import Wire
from tests.einvoice.bulk.saying import D, cents, plain

# thousands and decimals
MARKS = {"fi": (" ", ","), "sv": (" ", ","), "en": (",", "."), "de": (".", ",")}


def written(number: Decimal, language: str, places: int = 2) -> str:
    """Write a number as people do, with at least so many decimals."""
    thousands, mark = MARKS[language]
    whole, _, decimals = f"{abs(number):f}".partition(".")
    decimals = decimals.rstrip("0").ljust(places, "0")
    grouped = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", thousands, whole)
    return ("−" if number < 0 else "") + grouped + (mark + decimals if decimals else "")


def read_number(text: str, language: str) -> Decimal:
    thousands, mark = MARKS[language]
    return D(text.replace(thousands, "").replace(mark, ".").replace("−", "-"))


def assert_says(text: str, invoice: Wire, language: str) -> None:
    """Find all figures of an invoice in the text of its pages: each row in its place, each rate, and the sums."""
    place = 0
    for row in invoice["rows"]:
        place = text.index(figures_of(row, language), place)
    assert_shares(text[place:], invoice, language)
    words = WORDS[Language(language)]
    net, vat = invoice["total_amount"] - invoice["total_vat_amount"], invoice["total_vat_amount"]
    total = words.to_credit if invoice["total_amount"] < 0 or invoice["is_credit_note_for"] else words.to_pay
    for label, amount in ((words.net_total, net), (words.vat_total, vat), (total, invoice["total_amount"])):
        shown = written(amount, language)
        euros = (
            re.escape(shown),
            rf"{re.escape(shown)} €",
            re.escape(shown.replace("−", "−€") if amount < 0 else f"€{shown}"),
        )
        assert re.search(rf"{re.escape(label)} (?:{'|'.join(euros)})(?![\d.,])", text), (label, amount)


def figures_of(row: Wire, language: str) -> str:
    """Return the cells of a row: count, unit, price, rate, and what it comes to without VAT, of VAT, and with it."""
    vat, total = row["total_vat_amount"], row["total_amount"]
    rate = row["vat_rate"] if row["vat_code"] == 1 else D(0)
    cells = (
        written(row["product_count"], language, 0),
        row["unit"],
        written(row["amount"], language),
        written(rate, language, 0),
        *(written(amount, language) for amount in (total - vat, vat, total)),
    )
    return " ".join(cells)


def assert_shares(text: str, invoice: Wire, language: str) -> None:
    """Compare the bases of all rates, and their VAT, which all in all is that of the invoice."""
    thousands, mark = map(re.escape, MARKS[language])
    number = rf"−?\d{{1,3}}(?:{thousands}\d{{3}})*"
    amount = rf"({number}{mark}\d\d)"
    found: dict[Decimal, tuple[Decimal, Decimal]] = {}
    for rate, *amounts in re.findall(rf"({number}(?:{mark}\d+)?) ?% {amount} {amount} {amount}", text):
        base, vat, both = (read_number(one, language) for one in amounts)
        assert base + vat == both
        before = found.get(read_number(rate, language), (D(0), D(0)))
        found[read_number(rate, language)] = (before[0] + base, before[1] + vat)
    nets: dict[Decimal, Decimal] = defaultdict(Decimal)
    for row in invoice["rows"]:
        nets[row["vat_rate"] if row["vat_code"] == 1 else D(0)] += row["total_amount"] - row["total_vat_amount"]
    assert {rate: base for rate, (base, _) in found.items()} == nets
    assert sum(vat for _, vat in found.values()) == invoice["total_vat_amount"]
    if invoice["is_credit_note_for"] is None:
        assert {rate: vat for rate, (_, vat) in found.items()} == {
            rate: cents(net * rate / 100) for rate, net in nets.items()
        }


def codes_of(invoice: Wire, business: Wire) -> dict[str, str]:
    """Return what scanners are to read on the slip of an invoice (docs/law.md 6.2, 6.3); nothing where none is due."""
    total = invoice["total_amount"]
    if total <= 0 or invoice["is_credit_note_for"]:
        return {}
    iban, reference = business["invoicing_iban"].replace(" ", ""), invoice["reference"]
    rf = reference if reference.startswith("RF") else f"RF{mod_97_10.calc_check_digits(f'{reference}RF')}{reference}"
    bic = business.get("invoicing_bic") or {"5": "OKOYFIHH", "4": "ITELFIHH"}[iban[4]]
    lines = ("BCD", "002", "1", "SCT", bic, plain(business["name"])[:70], iban, f"EUR{total:.2f}", "", rf)
    found: dict[str, Any] = {"qrcode": "\n".join(lines)}
    if iban.startswith("FI"):
        amount = f"{int(total * 100):08}" if total < 10**6 else "0" * 8
        head, digits = ("4", "000") if rf != reference else ("5", rf[2:4])
        rest = reference if rf != reference else rf[4:]
        number = f"{digits}{rest:>0{23 - len(digits)}}"
        found["code128"] = f"{head}{iban[2:]}{amount}{number}{invoice['due_date'].replace('-', '')[2:]}"
    return found
