"""A company whose truth is known: what is open, the statements of its bank, and what each line is really for.

Nothing here is shared with what is tested: references, names and amounts are made up by themselves. Beside what people
do right there is what they do: wrong references, double payments, equal invoices, namesakes, years in texts.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from acctcli.banking.matching.candidates import Candidates, Claim, Kind, OwnAccount, Rule, ibans_of, names_of
from tests.banking.statements.generator import FINNISH, Book, Move, viite

BANK, SAVINGS, RECEIVABLES, PAYABLES, VAT, FOOD, FEES = 1, 2, 10, 20, 30, 40, 41
SAVINGS_IBAN, OFFICE_IBAN = "FI1410093000123458", "DE02120300000000202051"
TAX_REFERENCE = viite(99887766)
FIRST, LAST = date(2026, 3, 1), date(2026, 3, 31)
_BEGIN = ("Rakennus", "Kauppa", "Huolto", "Kuljetus", "Metsa", "Satama", "Vihreä", "Äänekosken", "Müller", "Straßen")
_END = ("Virtanen", "Korhonen", "Söderström", "Schmidt", "Lahtinen", "Åberg", "Weiß", "Nieminen")
_FORM = ("Oy", "Ab", "GmbH", "Tmi")
# what a line is for: cents by claim, or one word
Truth = frozenset[tuple[str, int]] | str
NOTHING = "nothing"


@dataclass
class Company:
    """Claims, rules, one month at a bank, and the truth of its lines by what every format tells: day and amount."""

    dice: random.Random
    account: str
    claims: list[Claim] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    truth: dict[tuple[date, int], list[Truth]] = field(default_factory=lambda: defaultdict(list))
    kinds: dict[tuple[date, int], list[str]] = field(default_factory=lambda: defaultdict(list))
    number: int = 1000

    @property
    def candidates(self) -> Candidates:
        """What matching is given."""
        own = (
            OwnAccount(BANK, "1910 Bank", frozenset({self.account})),
            OwnAccount(SAVINGS, "1920 Savings", frozenset({SAVINGS_IBAN})),
        )
        rules = Rule("Kespro", FOOD, words="kespro", comes_in=False), Rule("palvelumaksu", FEES, words="palvelumaksu")
        return Candidates(tuple(self.claims), own, (), rules)

    @property
    def book(self) -> Book:
        """The month as its bank tells it."""
        return Book(self.account, 1, FIRST, LAST, 10_000_000, sorted(self.moves, key=lambda one: one.day))

    # --- what it makes ---

    def day(self, since: date = FIRST) -> date:
        return since + timedelta(days=self.dice.randrange((LAST - since).days + 1))

    def cents(self) -> int:
        usual = self.dice.random() < 0.25
        return self.dice.choice([10_000, 12_550, 25_000, 5_000]) if usual else self.dice.randrange(500, 5_000_000)

    def customer(self) -> str:
        """Return a name; some are alike but for one word, some people are called like firms."""
        return (
            f"{self.dice.choice(_BEGIN)} {self.dice.choice(_END)} {self.dice.randrange(60)} {self.dice.choice(_FORM)}"
        )

    def claim(self, cents: int, name: str, kind: Kind = Kind.INVOICE, **more: object) -> Claim:
        """Add something open, since a day before the month or within it."""
        self.number += self.dice.randrange(1, 4)
        key, account = f"{kind} {self.number}", {Kind.INVOICE: RECEIVABLES, Kind.PURCHASE: PAYABLES}.get(kind, VAT)
        said: dict[str, object] = {
            "references": frozenset({viite(self.number * 7 + 10**6)}),
            "numbers": frozenset({str(self.number)}), "names": names_of(name),
        }  # fmt: skip
        day = FIRST - timedelta(days=self.dice.randrange(-10, 40))
        made = Claim(key, kind, self.number, key, cents, day, account, self.number, **{**said, **more})  # type: ignore[arg-type]
        self.claims.append(made)
        return made

    def pay(self, what: str, truth: Truth, cents: int, **said: object) -> date:
        """Add a line, on a day of the month, and what it is for; two lines of one day and amount are of one kind."""
        since = said.pop("since", FIRST)
        assert isinstance(since, date)
        for _ in range(50):
            day = self.day(since)
            if (day, cents) not in self.truth:
                break
        is_reversal = bool(said.pop("is_reversal", False))
        reference = f"{self.account[:2]}{self.number % 10_000:04}{len(self.moves):012}"
        self.moves.append(Move(day, day, cents, reference, is_reversal=is_reversal, **said))  # type: ignore[arg-type]
        self.truth[day, cents].append(truth)
        self.kinds[day, cents].append(what)
        return day


def ref(claim: Claim) -> str:
    """Return the reference of a claim."""
    (only,) = claim.references
    return only


def whole(*claims: Claim) -> Truth:
    """Return the truth of a line that is all of them."""
    return frozenset((one.key, one.open) for one in claims)


def after(*claims: Claim) -> date:
    """Return the first day on which all of them are there."""
    return max(FIRST, *(one.day for one in claims))


# --- what lines are ---


def by_reference(of: Company) -> None:
    name = of.customer()
    claim = of.claim(of.cents(), name)
    payer = name if of.dice.random() < 0.8 else of.customer()
    of.pay("reference", whole(claim), claim.open, name=payer, viite=ref(claim))


def in_parts_by_reference(of: Company) -> None:
    claim = of.claim(2 * of.cents() + 20, name := of.customer())
    first = of.dice.randrange(1, claim.open)
    for cents in (first, claim.open - first):
        of.pay("reference, a part", frozenset({(claim.key, cents)}), cents, name=name, viite=ref(claim))


def too_much(of: Company) -> None:
    claim = of.claim(of.cents(), name := of.customer())
    of.pay("reference, too much", whole(claim), claim.open + of.dice.randrange(100, 9_000), name=name, viite=ref(claim))


def by_number(of: Company) -> None:
    claim = of.claim(of.cents(), of.customer(), references=frozenset())
    word = of.dice.choice(["Invoice", "Lasku", "lasku nro", "Rechnung", "Faktura"])
    of.pay("number", whole(claim), claim.open, name=of.customer(), text=f"{word} {claim.id}")


def by_numbers(of: Company) -> None:
    name = of.customer()
    claims = [of.claim(of.cents(), name, references=frozenset()) for _ in range(of.dice.randrange(2, 4))]
    text = f"Laskut {' '.join(str(one.id) for one in claims)}"
    of.pay("numbers", whole(*claims), sum(one.open for one in claims), name=name, text=text)


def by_name(of: Company) -> None:
    claim = of.claim(of.dice.randrange(500, 5_000_000), name := of.customer())
    of.pay("amount and name", whole(claim), claim.open, name=name, since=after(claim), text="Kiitos")


def by_sum(of: Company) -> None:
    name = of.customer()
    claims = [of.claim(of.dice.randrange(500, 5_000_000), name) for _ in range(of.dice.randrange(2, 4))]
    of.pay("several", whole(*claims), sum(one.open for one in claims), name=name, since=after(*claims))


def in_parts(of: Company) -> None:
    claim = of.claim(2 * of.cents() + 20, name := of.customer())
    first = of.dice.randrange(1, claim.open)
    for cents in (first, claim.open - first):
        of.pay("parts", frozenset({(claim.key, cents)}), cents, name=name, since=after(claim))


def purchase_by_reference(of: Company) -> None:
    claim = of.claim(-of.cents(), name := of.customer(), Kind.PURCHASE)
    of.pay("purchase, reference", whole(claim), claim.open, name=name, viite=ref(claim))


def purchase_by_account(of: Company) -> None:
    claim = of.claim(
        -of.dice.randrange(500, 5_000_000), name := of.customer(), Kind.PURCHASE, ibans=ibans_of(OFFICE_IBAN)
    )
    of.pay("purchase, account", whole(claim), claim.open, name=name, iban=OFFICE_IBAN, since=after(claim))


def purchase_by_id(of: Company) -> None:
    claim = of.claim(-of.cents(), of.customer(), Kind.PURCHASE, references=frozenset())
    claim_number = f"R-{claim.id}"
    of.claims[-1] = claim = replace(claim, numbers=frozenset({claim_number}))
    of.pay("purchase, id of payment", whole(claim), claim.open, name=of.customer(), end_to_end=claim_number)


def transfer(of: Company) -> None:
    cents = of.dice.choice([-1, 1]) * of.cents()
    of.pay("transfer", f"transfer {SAVINGS}", cents, name="Demo Oy", iban=SAVINGS_IBAN)


def tax(of: Company) -> None:
    claim = of.claim(-of.cents(), "Verohallinto", Kind.TAX, references=frozenset({TAX_REFERENCE}), names=frozenset())
    of.pay("tax", whole(claim), claim.open, name="Verohallinto", viite=TAX_REFERENCE)


def by_rule(of: Company) -> None:
    word, rule = of.dice.choice([("KESPRO OY", "Kespro"), ("PALVELUMAKSU", "palvelumaksu")])
    of.pay("rule", f"rule {rule}", -of.cents(), name=word, text="Korttiosto")


# --- what lines only seem to be ---


def equal_invoices(of: Company) -> None:
    cents, name = of.cents(), of.customer()
    claims = [of.claim(cents, name) for _ in range(2)]
    of.pay("one of two equal invoices", NOTHING, cents, name=name, since=after(*claims))


def double_payment(of: Company) -> None:
    claim = of.claim(of.cents(), name := of.customer())
    first = of.pay("paid twice", whole(claim), claim.open, name=name, viite=ref(claim), since=after(claim))
    if first < LAST:
        of.pay("paid twice", NOTHING, claim.open, name=name, viite=ref(claim), since=first + timedelta(days=1))


def wrong_reference(of: Company) -> None:
    of.claim(of.cents(), of.customer())
    wrong = str(10**7 + of.dice.randrange(10**6))
    of.pay("wrong reference", NOTHING, of.cents(), name="Vieras", viite=viite(int(wrong)))


def reference_of_another(of: Company) -> None:
    claim, other = of.claim(of.cents(), name := of.customer()), of.claim(of.cents(), of.customer())
    if claim.open != other.open:
        since = after(claim, other)
        of.pay("reference of another's invoice", whole(claim), claim.open, name=name, viite=ref(other), since=since)


def namesake(of: Company) -> None:
    claim = of.claim(of.dice.randrange(500, 5_000_000), of.customer().rpartition(" ")[0] + " Oy")
    # the one without what umlauts are spelled as
    name = min(claim.names, key=len)
    of.pay("namesake", NOTHING, claim.open, name=name.removesuffix(" oy") + " Ab")


def year_in_text(of: Company) -> None:
    claim = of.claim(of.cents(), of.customer(), numbers=frozenset({"2026"}))
    of.pay("year in a text", NOTHING, claim.open, name="Vieras", text="Jasenmaksu 2026")


def paid_before(of: Company) -> None:
    """The invoice it names was paid and is not open; another one of the same amount is."""
    claim = of.claim(of.cents(), name := of.customer())
    of.pay("names another invoice", NOTHING, claim.open, name=name, text=f"Lasku {claim.id + 5_000}")


def taken_back(of: Company) -> None:
    claim = of.claim(of.cents(), name := of.customer())
    of.pay("taken back", NOTHING, claim.open, name=name, viite=ref(claim), is_reversal=True)


def stranger(of: Company) -> None:
    of.pay("stranger", NOTHING, of.dice.choice([-1, 1]) * of.cents(), name=of.customer(), text="Kortti 1001")


def two_who_fit(of: Company) -> None:
    claim = of.claim(of.cents(), name := of.customer())
    for _ in range(2):
        of.pay("two lines for one invoice", NOTHING, claim.open, name=name, since=after(claim))


RIGHT: tuple[Callable[[Company], None], ...] = (
    by_reference, by_reference, by_reference, in_parts_by_reference, too_much, by_number, by_numbers, by_name, by_name,
    by_sum, in_parts, purchase_by_reference, purchase_by_account, purchase_by_id, transfer, tax, by_rule, by_rule,
)  # fmt: skip
WRONG: tuple[Callable[[Company], None], ...] = (
    equal_invoices, double_payment, wrong_reference, reference_of_another, namesake, year_in_text, paid_before,
    taken_back, stranger, two_who_fit,
)  # fmt: skip


def company(seed: int, lines: int, account: str = FINNISH, *, takes_back: bool = True) -> Company:
    """Make a company with so many lines; a third of what happens is not what it seems."""
    made = Company(random.Random(seed), account)
    wrong = WRONG if takes_back else tuple(kind for kind in WRONG if kind is not taken_back)
    while len(made.moves) < lines:
        made.dice.choice(wrong if made.dice.random() < 0.3 else RIGHT)(made)
    return made
