"""Random trade made through commands: contacts, products, drafts, acceptance, and credit notes of what was accepted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from random import Random

from tests.einvoice.bulk.people import SELLERS, VAT_IDS, Seller, Wire, customer
from tests.journeys.places import Place, fresh, kept_open
from tests.years import FIRST_DAY

D = Decimal
# who buys from whom, the most different first
TRADE = (
    (Seller.GERMAN, "office"), (Seller.FINNISH, "FI business"), (Seller.FINNISH, "SE business"),
    (Seller.GERMAN, "DE business"), (Seller.FINNISH_SMALL, "FI business"), (Seller.FINNISH, "EE business"),
    (Seller.GERMAN, "US business"), (Seller.FINNISH, "DE business"), (Seller.GERMAN_SMALL, "DE person"),
    (Seller.FINNISH, "CH business"), (Seller.GERMAN, "FI business"), (Seller.FINNISH, "office"),
    (Seller.FINNISH, "FI person"), (Seller.GERMAN, "SE business"), (Seller.GERMAN, "EE business"),
    (Seller.FINNISH, "NO business"), (Seller.FINNISH, "EE person"), (Seller.GERMAN, "DE person"),
    (Seller.GERMAN_SMALL, "office"), (Seller.FINNISH, "XI business"), (Seller.FINNISH, "US person"),
    (Seller.GERMAN, "CH person"), (Seller.FINNISH_SMALL, "FI person"), (Seller.GERMAN, "XI business"),
    (Seller.GERMAN_SMALL, "DE business"), (Seller.FINNISH_SMALL, "DE business"), (Seller.FINNISH, "SE person"),
)  # fmt: skip
RATES = {"FI": ("25.5", "13.5", "10", "0"), "DE": ("19", "7", "0")}
PRODUCTS: tuple[Wire, ...] = (
    {"code": "A-17", "name": "Asennustyö", "unit": "h", "amount": D("125.50"), "is_vat_inclusive": True},
    {"code": "S/1", "name": "Sand, fein", "unit": "kg", "amount": D("0.0375")},
    {"code": "Ü 3", "name": "Šroub M6×40 ½″", "unit": "kpl", "amount": D("0.1999"), "is_vat_inclusive": True},
)
UNITS = ("h", "kpl", "kg", "Std", "Stk", "m²", "pkt", "lapio")
WORDS = (
    "Työ", "Ääkköset", "Größe", "Żółć", "Příruba", "Τέλος", "Услуга", "Ġebla", "Œuf", "Ŝipo", "Ąžuolas", "№ 7", "½ kg",
    "<b>&amp;</b>", "\"lainaus\"", "„Zitat“", "– ja –", "A\u030angstro\u0308m", "50 %", "x" * 30, "]]>", "Đorđe", "ß",
    "co\N{SOFT HYPHEN}op", "1\N{NO-BREAK SPACE}000", "it’s", "Ĳ", "ŋ", "ħ", "@", "\\", "{}", "10 €",
)  # fmt: skip


@dataclass(frozen=True)
class Sold:
    """An accepted invoice, or a credit note, as the service shows it; `original` is the invoice that it credits."""

    place: Place
    seller: Seller
    kind: str
    invoice: Wire
    original: Wire | None = None

    @property
    def id(self) -> str:
        return str(self.invoice["id"])

    @property
    def name(self) -> str:
        return f"{self.seller} {self.kind}, {self.invoice['friendly_name']}"


@kept_open()
def trade(seed: int, least: int, folder: Path) -> list[Sold]:
    """Trade until there are so many accepted invoices and credit notes."""
    dice = Random(seed)
    places = {seller: _founded(seller, folder) for seller in Seller}
    products = {seller: _products(seller, place) for seller, place in places.items()}
    made: list[Sold] = []
    number = 0
    while len(made) < least:
        seller, kind = TRADE[number % len(TRADE)]
        made += _deal(dice, places[seller], seller, kind, products[seller], number)
        number += 1
    return made


def _founded(seller: Seller, folder: Path) -> Place:
    place = fresh(seller, folder, ACCTCLI_BUSINESS=seller)
    place.run("business", "create", "--slug", seller, "--file", place.write("business.json", SELLERS[seller]))
    if vat_id := VAT_IDS.get(seller):
        place.run("business", "identifier", "create", "--type", "vat_code", "--value", vat_id)
    return place


def _products(seller: Seller, place: Place) -> list[Wire]:
    vat = (
        {"vat_code": 3, "vat_rate": 0} if seller.is_small else {"vat_code": 1, "vat_rate": D(RATES[seller.country][0])}
    )
    return [place.json("product", "create", "--file", place.write("product.json", {**one, **vat})) for one in PRODUCTS]


def _deal(dice: Random, place: Place, seller: Seller, kind: str, products: list[Wire], number: int) -> list[Sold]:
    contact = place.json("contact", "create", "--file", place.write("contact.json", customer(dice, kind)))
    body = {"receiver": contact["id"], **_terms(dice), "rows": _rows(dice, seller, kind, products)}
    draft = place.json("invoice", "create", "--file", place.write("invoice.json", body))
    sold = Sold(place, seller, kind, place.json("invoice", "accept", str(draft["id"])))
    notes = _credited(dice, sold, number % 5) if sold.invoice["total_amount"] > 0 else []
    return [sold, *notes]


def _credited(dice: Random, sold: Sold, how: int) -> list[Sold]:
    """Credit an invoice as a whole, or twice a part of each row and then what is left, or not at all."""
    if how not in (1, 3):
        return []
    parts: list[str] = []
    for place, row in enumerate(sold.invoice["rows"], 1):
        if how == 3 and row["product_count"] > 1 and row["amount"] > 0:
            parts += ["--part", f"{place}:{(row['product_count'] / dice.choice((3, 4))).quantize(D('0.0001'))}"]
    if not _bears_parts(sold.invoice["rows"]):
        parts = []
    made = []
    for part in [parts, parts, []] if parts else [[]]:
        note = sold.place.json("invoice", "credit-note", sold.id, *part)
        accepted = sold.place.json("invoice", "accept", str(note["id"]))
        made.append(Sold(sold.place, sold.seller, sold.kind, accepted, sold.invoice))
    return made


def _bears_parts(rows: list[Wire]) -> bool:
    """Whether discounts leave two thirds of each rate: no more than is left of one is credited."""
    sums: dict[tuple[int, Decimal], list[Decimal]] = {}
    for row in rows:
        sums.setdefault((row["vat_code"], row["vat_rate"]), []).append(row["total_amount"])
    return all(3 * sum(one) >= 2 * sum(max(amount, D(0)) for amount in one) + 1 for one in sums.values())


def _terms(dice: Random) -> Wire:
    day: date = FIRST_DAY + timedelta(days=dice.randrange(300))
    said: Wire = {"invoicing_date": f"{day}", "payment_condition_days": dice.choice((0, 7, 14, 30, 60))}
    chances = {
        "settlement_date": f"{day.replace(day=1)}",
        "description": "\n".join(_text(dice, 120) for _ in range(dice.randrange(1, 5))),
        "contact_person": _text(dice, 64),
        "seller_reference": _text(dice, 32),
        "reference": dice.choice(("RF1220420", "868516259619897", "1232", "RF48202617")),
        "penalty_interest": D(dice.choice(("0", "9.5", "11.25"))),
    }
    said |= {name: value for name, value in chances.items() if dice.random() < 0.5}
    # without one neither XRechnung nor Peppol can be written
    return said | ({"buyer_reference": _text(dice, 32)} if dice.random() < 0.8 else {})


def _rows(dice: Random, seller: Seller, kind: str, products: list[Wire]) -> list[Wire]:
    codes = dice.sample(allowed := codes_for(seller, kind), k=min(len(allowed), dice.choice((1, 1, 2, 3))))
    if 12 in codes and dice.random() < 0.8:
        codes = [12]
    count = dice.choice((1, 1, 2, 3, 5, 9)) if dice.random() < 0.95 else 40
    rows = [_row(dice, seller, dice.choice(codes)) for _ in range(count)]
    if products[0]["vat_code"] in codes and dice.random() < 0.6:
        rows += [_of_product(one, _count(dice)) for one in dice.choices(products, k=2)]
    if dice.random() < 0.3:
        # a discount: a row below zero by its price, or by its count
        off = dice.choice(rows)
        signs = dice.choice(((-1, 1), (1, -1)))
        lower = {"name": "Alennus – Rabatt", "product": None, "code": None, "product_count": D(signs[1])}
        share = D(1) if dice.random() < 0.9 else 50 * abs(off["product_count"])
        rows.append({**off, **lower, "amount": signs[0] * (off["amount"] * share / 10).quantize(D("0.0001"))})
    return rows


def codes_for(seller: Seller, kind: str) -> list[int]:
    """Return the VAT codes that a seller may have for a kind of customer (docs/law.md 7.1)."""
    if seller.is_small:
        return [3]
    place, _, what = ("DE", "", "office") if kind == "office" else kind.partition(" ")
    if place in {"CH", "NO", "US"}:
        return [1, 4, 12, 13]
    if place == seller.country:
        return [1, 3, 4] if what == "person" or kind == "office" else [1, 3, 4, 10]
    if what == "person" or kind == "office":
        return [1, 3]
    return [1, 4, 5] if place == "XI" else [1, 4, 5, 6]


def _row(dice: Random, seller: Seller, code: int) -> Wire:
    rate = dice.choice(RATES[seller.country]) if code == 1 or dice.random() < 0.1 else "0"
    row: Wire = {
        "name": _text(dice, dice.choice((12, 30, 64))),
        "unit": dice.choice(UNITS),
        "amount": _price(dice),
        "product_count": _count(dice),
        "vat_rate": D(rate),
        "vat_code": code,
    }
    if dice.random() < 0.3:
        row |= {"description": _text(dice, 128), "code": _text(dice, 25)}
    return row


def _of_product(product: Wire, count: Decimal) -> Wire:
    same = ("code", "name", "unit", "vat_rate", "vat_code", "description")
    return {
        **{name: product[name] for name in same},
        "amount": product["vat_exclusive_amount"],
        "product": product["id"],
        "product_count": count,
    }


def _price(dice: Random) -> Decimal:
    most, places = dice.choice(((10**4, 2), (10**4, 2), (10**6, 2), (10**4, 4), (10**6, 4), (10**8, 2), (99, 4)))
    return D(dice.randrange(1, most)).scaleb(-places)


def _count(dice: Random) -> Decimal:
    whole = D(dice.randrange(1, 60))
    return dice.choice((D(1), whole, whole / 4, whole + D("0.3333"), D(dice.randrange(1, 10**6)).scaleb(-4)))


def _text(dice: Random, most: int) -> str:
    text = dice.choice(WORDS)
    while len(longer := f"{text}{dice.choice((' ', ' ', ', ', '  '))}{dice.choice(WORDS)}") <= most:
        text = longer
    return text[:most].strip()
