"""What a paper says, as texts in one language: that of an invoice is read from the objects of the wire."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple

from acctcli import law
from acctcli.einvoice.terms import delivery_day, when_to_pay
from acctcli.einvoice.totals import round_cents
from acctcli.einvoice.vat import NO_HANDLING, reason
from acctcli.law.invoices import OWN_REASON, is_reason, sold_as
from acctcli.law.vat_codes import OUTPUT_VAT
from acctcli.models.enums import Language
from acctcli.papers.parties import Wire, read_parties
from acctcli.papers.payment import Payment, read_payment
from acctcli.papers.speaker import Speaker
from acctcli.papers.texts import Fact, paragraphs, told
from acctcli.papers.words import WORDS, PaperWords
from acctcli.printing.alphabet import clean


class Heads(NamedTuple):
    """What the columns are called, that of the names first; those of `texts` begin at their left edge.

    What rows come to down to the end of a page is `carried` in one of the columns.
    """

    name: str
    titles: tuple[str, ...]
    texts: frozenset[int]
    carried: int


class PaperRow(NamedTuple):
    """One row; `details` stand small under its name, and the cells are in the order of the columns.

    `carried` is what the rows down to it come to, those of an invoice without VAT. One that `leads` has
    those below it, down to the next one, with it.
    """

    name: str
    details: str
    cells: tuple[str, ...]
    carried: Decimal
    leads: bool = False


class Share(NamedTuple):
    """What one rate comes to: its base, its VAT and both; `reason` says why there is no VAT."""

    rate: str
    reason: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PaperContent:
    """All texts of one paper, in the order they stand on it."""

    language: Language
    made: datetime
    title: str
    number: str
    seller: list[str]
    buyer: list[str]
    buyer_ids: list[Fact]
    facts: list[Fact]
    description: list[str]
    heads: Heads
    rows: list[PaperRow]
    shares: list[Share]
    sums: list[Fact]
    total: Fact
    notes: list[str]
    payment: Payment | None
    foot: list[list[str]]
    remarks: list[str] = field(default_factory=list)


def read_content(
    invoice: Wire,
    business: Wire,
    language: Language,
    original: Wire | None = None,
    translated: Language | None = None,
) -> PaperContent:
    """Return what an invoice says; `original` is the invoice that a credit note credits.

    It is a translation, and says so, of an invoice in the language `translated`.
    """
    speaker = Speaker(language)
    words = speaker.words
    parties = read_parties(business, invoice["receiver_info"], invoice["contact_person"], speaker)
    return PaperContent(
        language=language,
        # what an invoice says is as it was changed last, so that it is written the same at any time
        made=datetime.fromisoformat(invoice["updated_at"]),
        title=_title(invoice, words),
        number=_number(invoice, speaker),
        seller=parties.seller,
        buyer=parties.buyer,
        buyer_ids=parties.buyer_ids,
        facts=[*_translated(invoice, speaker, translated), *_facts(invoice, business, original, speaker)],
        description=paragraphs(invoice["description"]),
        heads=_heads(words),
        rows=list(_rows(invoice["rows"], speaker)),
        shares=_shares(invoice, business["country"], speaker),
        sums=_sums(invoice, speaker),
        total=(
            words.to_credit if _gives_back(invoice) else words.to_pay,
            speaker.euros(Decimal(invoice["total_amount"])),
        ),
        notes=_notes(invoice, business),
        payment=read_payment(invoice, business, speaker),
        foot=parties.foot,
    )


def _title(invoice: Wire, words: PaperWords) -> str:
    return words.invoice if invoice["is_credit_note_for"] is None else words.credit_note


def _translated(invoice: Wire, speaker: Speaker, language: Language | None) -> list[Fact]:
    """Name the invoice that this is a translation of: a second one of a number would owe its VAT once more."""
    if language is None:
        return []
    return [(speaker.words.translated, f"{_title(invoice, WORDS[language])} {invoice['invoice_number']}")]


def _number(invoice: Wire, speaker: Speaker) -> str:
    number = invoice["invoice_number"]
    return speaker.words.draft if number is None else str(number)


def _facts(invoice: Wire, business: Wire, original: Wire | None, speaker: Speaker) -> list[Fact]:
    words, is_note = speaker.words, invoice["is_credit_note_for"] is not None
    return told(
        (words.credit_number if is_note else words.number, _number(invoice, speaker)),
        (words.credited, _credited(original, speaker)),
        (words.credit_date if is_note else words.invoicing_date, speaker.day(invoice["invoicing_date"])),
        (words.delivery_date, speaker.day(_delivered(invoice, business))),
        *(() if _gives_back(invoice) else _terms(invoice, speaker)),
        (words.customer, invoice["receiver_info"]["customer_id"]),
        (words.our_reference, invoice["seller_reference"]),
        (words.your_reference, invoice["buyer_reference"]),
    )


def _credited(original: Wire | None, speaker: Speaker) -> str | None:
    """Name the invoice that a credit note credits by its number and day: the law wants that it is found."""
    if original is None:
        return None
    return speaker.words.of_day.format(original["invoice_number"], speaker.day(original["invoicing_date"]))


def _gives_back(invoice: Wire) -> bool:
    """Say whether the customer is to get something: by a credit note, or by discounts larger than the rest."""
    return invoice["is_credit_note_for"] is not None or Decimal(invoice["total_amount"]) < 0


def _delivered(invoice: Wire, business: Wire) -> date | str | None:
    """Return the day of delivery as the invoice names it, else its own where the law wants one on every invoice.

    A credit note delivers nothing.
    """
    is_wanted = law.country(business["country"]).names_delivery_day and invoice["is_credit_note_for"] is None
    named: date | str | None = invoice["settlement_date"]
    return delivery_day(invoice) if is_wanted else named


def _terms(invoice: Wire, speaker: Speaker) -> Iterable[Fact]:
    """Tell when to pay, and what being late costs."""
    words = speaker.words
    penalty = Decimal(invoice["penalty_interest"])
    yield words.due_date, speaker.day(invoice["due_date"])
    yield words.terms, when_to_pay(invoice, speaker.language)
    if penalty:
        yield words.penalty, speaker.percent(penalty)


def _heads(words: PaperWords) -> Heads:
    titles = (words.quantity, words.unit, words.price, words.rate, words.net, words.vat, words.total)
    return Heads(words.name, titles, frozenset({titles.index(words.unit)}), titles.index(words.net))


def _rows(rows: Iterable[Wire], speaker: Speaker) -> Iterator[PaperRow]:
    carried = Decimal(0)
    for row in rows:
        carried += _net(row)
        yield _row(row, carried, speaker)


def _row(row: Wire, carried: Decimal, speaker: Speaker) -> PaperRow:
    total, vat = Decimal(row["total_amount"]), Decimal(row["total_vat_amount"])
    cells = (
        speaker.number(Decimal(row["product_count"])),
        clean(row["unit"]),
        speaker.amount(Decimal(row["amount"])),
        speaker.number(_rate(row)),
        *(speaker.amount(amount) for amount in (total - vat, vat, total)),
    )
    details = " · ".join(clean(part) for part in (row["code"], row["description"]) if part)
    return PaperRow(clean(row["name"]), details, cells, carried)


def _rate(row: Wire) -> Decimal:
    """Return the rate of VAT in percent: the wire allows any beside any code, but only code 1 makes VAT."""
    return Decimal(row["vat_rate"]) if row["vat_code"] == OUTPUT_VAT else Decimal(0)


def _shares(invoice: Wire, country: str, speaker: Speaker) -> list[Share]:
    """Return what each rate comes to, the highest first; rows without VAT by the reason for it."""
    groups: dict[tuple[Decimal, str], list[Wire]] = {}
    for row in invoice["rows"]:
        groups.setdefault((-_rate(row), _reason(row, country, speaker)), []).append(row)
    nets = {key: sum(map(_net, rows), Decimal(0)) for key, rows in groups.items()}
    vats = {key: round_cents(net * -key[0] / 100) for key, net in nets.items()}
    rest = Decimal(invoice["total_vat_amount"]) - sum(vats.values())
    by_row = {key: sum((Decimal(row["total_vat_amount"]) for row in rows), Decimal(0)) for key, rows in groups.items()}
    if rest and sum(by_row.values()) == Decimal(invoice["total_vat_amount"]):
        vats = by_row  # a service that adds up its rows, and what was accepted so
    elif rest:
        vats[max(nets, key=lambda key: abs(nets[key] * key[0]))] += rest
    return [_share(key, nets[key], vats[key], speaker) for key in sorted(groups)]


def _net(row: Wire) -> Decimal:
    return Decimal(row["total_amount"]) - Decimal(row["total_vat_amount"])


def _reason(row: Wire, country: str, speaker: Speaker) -> str:
    """Return why a row has no VAT; the words of the business may be long, and stand in the notes."""
    if _rate(row):
        return ""
    if row["vat_code"] in NO_HANDLING:
        return speaker.words.exempt
    return reason(row["vat_code"], speaker.language, None, country) or speaker.words.zero_rated


def _share(key: tuple[Decimal, str], net: Decimal, vat: Decimal, speaker: Speaker) -> Share:
    minus, why = key
    return Share(speaker.percent(-minus), why, tuple(speaker.amount(amount) for amount in (net, vat, net + vat)))


def _sums(invoice: Wire, speaker: Speaker) -> list[Fact]:
    total, vat = Decimal(invoice["total_amount"]), Decimal(invoice["total_vat_amount"])
    return [(speaker.words.net_total, speaker.amount(total - vat)), (speaker.words.vat_total, speaker.amount(vat))]


def _notes(invoice: Wire, business: Wire) -> list[str]:
    """Return why the business charges no VAT, in its own words."""
    seller, told = law.country(business["country"]), business["invoicing_vat_exemption_reason"]
    sold = {sold_as(row["vat_code"], _rate(row), seller) for row in invoice["rows"]}
    return paragraphs(told) if any(is_reason(code, told, seller) for code in sold & OWN_REASON) else []
