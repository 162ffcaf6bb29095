"""Statements that are made up, in five formats and the habits of several banks; nothing here is shared with readers.

What is made is known: `Book` is the truth, and every format is written from it by itself.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import NamedTuple
from xml.sax.saxutils import escape

FINNISH, GERMAN = "FI2112345600000785", "DE89370400440532013000"
NAMES = ("Äänekosken Öljy Oy", "Müller & Söhne GmbH", "Kahvila <Satama>", "Ole Å", "Betreiber Straße KG", "Shop")
OTHERS = ("FI1410093000123458", "DE02120300000000202051", "")


@dataclass(frozen=True)
class Move:
    """One movement of the truth, or several that the bank booked in one sum."""

    day: date
    valued: date
    cents: int
    reference: str
    name: str = ""
    iban: str = ""
    viite: str = ""
    end_to_end: str = ""
    text: str = ""
    parts: tuple[int, ...] = ()
    is_pending: bool = False
    is_reversal: bool = False


@dataclass(frozen=True)
class Book:
    """The truth of one statement."""

    account: str
    number: int
    first: date
    last: date
    opening: int
    moves: list[Move] = field(default_factory=list)

    @property
    def closing(self) -> int:
        return self.opening + sum(one.cents for one in self.moves if not one.is_pending)


def books(
    seed: int, lines: int, statements: int = 1, account: str = FINNISH, *, batches: bool = True, references: bool = True
) -> list[Book]:
    """Make statements that follow each other, a month each."""
    rng = random.Random(seed)
    made, opening, day, count = [], rng.randrange(-(10**6), 10**7), date(2026, 1, 1), 0
    for number in range(1, statements + 1):
        last = (day.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
        moves = []
        for _ in range(lines):
            count += 1
            moves.append(
                _move(rng, day, last, f"{account[:2]}{seed % 10_000:04}{count:012}" if references else "", batches)
            )
        moves.sort(key=lambda one: one.day)
        book = Book(account, number, day, last, opening, moves)
        made.append(book)
        opening, day = book.closing, last + timedelta(days=1)
    return made


def _move(rng: random.Random, first: date, last: date, reference: str, batches: bool) -> Move:
    day = first + timedelta(days=rng.randrange((last - first).days + 1))
    cents = rng.choice([-1, 1]) * rng.choice([1, 99, 100, 1250, rng.randrange(1, 10**8)])
    move = Move(
        day, day - timedelta(days=rng.choice([0, 0, 0, 1])), cents, reference, rng.choice(NAMES), rng.choice(OTHERS),
        rng.choice(["", "", viite(rng.randrange(100, 10**6))]), rng.choice(["", f"E2E-{rng.randrange(10**6)}"]),
        rng.choice(["", "Coffee", "Rechnung 4711 & mehr", "Åland ö"]), is_reversal=rng.random() < 0.05,
    )  # fmt: skip
    if batches and reference and rng.random() < 0.1:
        parts = tuple(rng.choice([-1, 1]) ** 2 * rng.randrange(1, 10_000) for _ in range(rng.randrange(2, 5)))
        sign = 1 if cents > 0 else -1
        return replace(move, cents=sign * sum(parts), parts=tuple(sign * one for one in parts))
    return move


def viite(base: int) -> str:
    """Return a Finnish reference, worked out here once more."""
    total = sum(int(digit) * (7, 3, 1)[place % 3] for place, digit in enumerate(reversed(str(base))))
    return f"{base}{-total % 10}"


class Expected(NamedTuple):
    """What a reader is to make of one movement."""

    day: date
    cents: int
    reference: str
    part: int


def expected(found: list[Book]) -> list[Expected]:
    """Return the truth as lines: batches by their parts."""
    return [
        Expected(one.day, cents, one.reference, part)
        for book in found
        for one in book.moves
        if not one.is_pending
        for part, cents in (list(enumerate(one.parts, 1)) or [(0, one.cents)])
    ]


def money(cents: int, sign: str = ".") -> str:
    return f"{abs(cents) // 100}{sign}{abs(cents) % 100:02}"


# --- CAMT ---


@dataclass(frozen=True)
class Camt:
    """The habits of a bank: version, which opening balance, one line or many, how it says that something is booked."""

    message: str = "053"
    version: str = "02"
    opening: str = "OPBD"
    is_pretty: bool = True
    prefix: str = ""
    encoding: str = "UTF-8"

    @property
    def is_new(self) -> bool:
        return int(self.version) >= 8


CAMT_HABITS = (
    Camt(),
    Camt(version="08", opening="PRCD"),
    Camt(version="08", is_pretty=False),
    Camt(version="04", prefix="n0:"),
    Camt(version="06", encoding="ISO-8859-1"),
    Camt(version="10"),
)
_ROOTS = {
    "053": ("BkToCstmrStmt", "Stmt"),
    "052": ("BkToCstmrAcctRpt", "Rpt"),
    "054": ("BkToCstmrDbtCdtNtfctn", "Ntfctn"),
}


def camt(found: list[Book], habit: Camt = CAMT_HABITS[0]) -> bytes:
    """Write statements as CAMT."""
    return "".join(camt_pieces(found, habit)).encode(habit.encoding)


def camt_pieces(found: list[Book], habit: Camt = CAMT_HABITS[0]) -> Iterator[str]:
    """Yield the pieces of a file, so that a large one need not lie in memory."""
    yield from _Writer(habit).file(found)


class _Writer:
    """Writes CAMT in the habits of a bank."""

    def __init__(self, habit: Camt) -> None:
        self.habit = habit
        self.p = habit.prefix
        self.end = "\n" if habit.is_pretty else ""

    def tag(self, path: str, text: str, attributes: str = "") -> str:
        *outer, last = path.split("/")
        opened = "".join(f"<{self.p}{one}>" for one in outer)
        closed = "".join(f"</{self.p}{one}>" for one in reversed(outer))
        return f"{opened}<{self.p}{last}{attributes}>{escape(text)}</{self.p}{last}>{closed}{self.end}"

    def amount(self, cents: int, path: str = "Amt") -> str:
        return self.tag(path, money(cents), ' Ccy="EUR"')

    def mark(self, cents: int) -> str:
        return self.tag("CdtDbtInd", "DBIT" if cents < 0 else "CRDT")

    def around(self, name: str, *pieces: str) -> str:
        inside = "".join(pieces)
        return f"<{self.p}{name}>{inside}</{self.p}{name}>" if inside else ""

    def balance(self, code: str, cents: int, day: date) -> str:
        kind = self.around("Tp", self.tag("CdOrPrtry/Cd", code))
        told = (kind, self.amount(cents), self.mark(cents), self.tag("Dt/Dt", day.isoformat()))
        return self.around("Bal", *told) + self.end

    def party(self, one: Move) -> str:
        who = "Dbtr" if (one.cents > 0) != one.is_reversal else "Cdtr"
        name = self.tag(f"{who}/{'Pty/' if self.habit.is_new else ''}Nm", one.name)
        return self.around("RltdPties", name, self.tag(f"{who}Acct/Id/IBAN", one.iban) if one.iban else "")

    def details(self, one: Move, cents: int | None) -> str:
        sums = ""
        if cents is not None:
            is_new = self.habit.is_new
            sums = self.amount(cents) + self.mark(cents) if is_new else self.amount(cents, "AmtDtls/TxAmt/Amt")
        about = self.around(
            "RmtInf",
            self.tag("Ustrd", one.text) if one.text else "",
            self.tag("Strd/CdtrRefInf/Ref", one.viite.rjust(20, "0")) if one.viite else "",
        )
        refs = self.tag("Refs/EndToEndId", one.end_to_end or "NOTPROVIDED")
        return self.around("TxDtls", refs, sums, self.party(one), about) + self.end

    def entry(self, one: Move) -> str:
        parts = "".join(self.details(one, cents) for cents in one.parts) or self.details(one, None)
        return f"<{self.p}Ntry>{self.end}" + "".join((
            self.amount(one.cents), self.mark(one.cents), self.tag("RvslInd", "true") if one.is_reversal else "",
            self.tag("Sts/Cd" if self.habit.is_new else "Sts", "PDNG" if one.is_pending else "BOOK"),
            self.tag("BookgDt/Dt", one.day.isoformat()),
            self.tag("ValDt/DtTm", f"{one.valued.isoformat()}T00:00:00+02:00"),
            self.tag("AcctSvcrRef", one.reference) if one.reference else "",
            self.tag("BkTxCd/Domn/Cd", "PMNT"), self.around("NtryDtls", parts), f"</{self.p}Ntry>{self.end}",
        ))  # fmt: skip

    def file(self, found: list[Book]) -> Iterator[str]:
        habit, p = self.habit, self.p
        root, name = _ROOTS[habit.message]
        space = f"urn:iso:std:iso:20022:tech:xsd:camt.{habit.message}.001.{habit.version}"
        named = f'xmlns:{p[:-1]}="{space}"' if p else f'xmlns="{space}"'
        yield f'<?xml version="1.0" encoding="{habit.encoding}"?>{self.end}<{p}Document {named}><{p}{root}>{self.end}'
        yield self.around("GrpHdr", self.tag("MsgId", "M1"))
        for book in found:
            yield f"<{p}{name}>{self.tag('Id', f'S{book.number}')}{self.tag('ElctrncSeqNb', str(book.number))}"
            days = self.tag("FrDtTm", f"{book.first}T00:00:00") + self.tag("ToDtTm", f"{book.last}T23:59:59")
            account = self.tag("Id/IBAN", book.account) + self.tag("Ccy", "EUR")
            yield self.around("FrToDt", days) + self.around("Acct", account) + self.end
            if habit.message == "053":
                yield self.balance(habit.opening, book.opening, book.first)
                yield self.balance("CLBD", book.closing, book.last)
            yield from map(self.entry, book.moves)
            yield f"</{p}{name}>{self.end}"
        yield f"</{p}{root}></{p}Document>{self.end}"


# --- MT940 ---


def mt940(found: list[Book], *, is_german: bool = True, is_wrapped: bool = False) -> bytes:
    """Write statements as MT940, with the numbered parts of German banks or with plain text."""
    lines = []
    for book in found:
        if is_wrapped:
            lines.append("{1:F01BANKDEFFXXXX0000000000}{2:O9400000000000BANKDEFFXXXX00000000000000000000N}{4:")
        lines += [":20:STARTUMS", f":25:{book.account}", f":28C:{book.number:05}/001"]
        lines.append(f":60F:{_mt_balance(book.opening, book.first)}")
        for one in book.moves:
            mark = ("RD" if one.cents > 0 else "RC") if one.is_reversal else ("C" if one.cents > 0 else "D")
            bank = f"//{one.reference[-16:]}" if one.reference else ""
            about = f"NTRF{(one.end_to_end or 'NONREF')[:16]}{bank}"
            lines.append(f":61:{one.valued:%y%m%d}{one.day:%m%d}{mark}{money(one.cents, ',')}{about}")
            lines += _mt_details(one) if is_german else [f":86:{_plain(f'{one.name} {one.text} {one.viite}'.strip())}"]
        lines += [f":62F:{_mt_balance(book.closing, book.last)}", "-}" if is_wrapped else "-"]
    return ("\r\n".join(lines) + "\r\n").encode("cp1252")


def _mt_balance(cents: int, day: date) -> str:
    return f"{'D' if cents < 0 else 'C'}{day:%y%m%d}EUR{money(cents, ',')}"


def _plain(text: str) -> str:
    return text.replace("?", ".").replace(":", ".")


def _mt_details(one: Move) -> list[str]:
    said = (f"EREF+{one.end_to_end}" if one.end_to_end else "") + f"SVWZ+{one.text}"
    pieces = [said[start : start + 27] for start in range(0, len(said), 27)]
    texts = "".join(f"?{20 + place}{piece}" for place, piece in enumerate(pieces))
    name = f"?32{one.name[:27]}" + (f"?33{one.name[27:]}" if one.name[27:] else "")
    whole = f"166?00GUTSCHRIFT?109075{texts}" + (f"?31{one.iban}" if one.iban else "") + name
    return [f":86:{whole[:61]}", *(whole[start : start + 65] for start in range(61, len(whole), 65))]


# --- TITO ---

_LETTERS = str.maketrans("ÄÖÅäöå", "[\\]{|}")


def tito(found: list[Book], *, is_old: bool = True) -> bytes:
    """Write statements as records of fixed width, in the letters of ISO 646 or of ISO 8859-1."""
    lines = []
    for book in found:
        head = f"T00322100{book.account[4:]}{book.number:03}{book.first:%y%m%d}{book.last:%y%m%d}{book.last:%y%m%d}1200"
        head += f"{'':17}{book.first:%y%m%d}{_signed(book.opening)}{len(book.moves):06}EUR{'Tili':30}{0:018}"
        lines.append(f"{head:292}{book.account} NDEAFIHH".ljust(322))
        for count, one in enumerate(book.moves, 1):
            lines += _tito_move(one, one.cents, count, " ")
            for cents in one.parts:
                lines += _tito_move(one, cents, count, "1")
        lines.append(f"T40050{book.last:%y%m%d}{_signed(book.closing)}{_signed(book.closing)}")
    text = "\r\n".join(lines) + "\r\n"
    return (text.translate(_LETTERS) if is_old else text).encode("iso-8859-1", "replace")


def _signed(cents: int) -> str:
    return f"{'-' if cents < 0 else '+'}{abs(cents):018}"


def _tito_move(one: Move, cents: int, count: int, level: str) -> list[str]:
    kind = (4 if cents > 0 else 3) if one.is_reversal else (1 if cents > 0 else 2)
    kind = 9 if one.is_pending else kind
    record = f"T10188{count:06}{one.reference[-18:]:18}{one.day:%y%m%d}{one.valued:%y%m%d}{one.day:%y%m%d}"
    record += f"{kind}710{'PANO' if cents > 0 else 'OTTO':35}{_signed(cents)} A{one.name[:35]:35} {'':14} "
    lines = [f"{record}{one.viite:>020}{'':8}{level}" if one.viite else f"{record}{'':20}{'':8}{level}"]
    if one.text:
        lines.append(f"T1104300{one.text[:35]:35}")
    if one.iban:
        sepa = f"{'':35}{one.iban:35}{'':35}" + f"{one.name:70}" * 2 + f"{one.end_to_end:35}{'':35}"
        lines.append(f"T1132311{sepa}")
    return lines


# --- CSV ---


def csv(found: list[Book], bank: str) -> bytes:
    """Write statements as one of some banks does."""
    writers = {
        "op": _op, "s-pankki": _s_pankki, "danske": _danske, "n26": _n26, "sparkasse": _sparkasse, "nordea": _nordea,
    }  # fmt: skip
    return writers[bank]([(book, one) for book in found for one in book.moves if not one.parts])


Rows = list[tuple[Book, Move]]


def _row(*cells: str, mark: str = ";", quoted: bool = False) -> str:
    quote = quoted or mark == ","
    return mark.join(f'"{cell.replace(chr(34), chr(34) * 2)}"' if quote else cell for cell in cells)


def _with_sign(cents: int, sign: str = ",", plus: str = "") -> str:
    return f"{'-' if cents < 0 else plus}{money(cents, sign)}"


def _op(rows: Rows) -> bytes:
    head = "Kirjauspäivä;Arvopäivä;Määrä EUROA;Laji;Selitys;Saaja/Maksaja;"
    head += "Saajan tilinumero ja pankin BIC;Viite;Viesti;Arkistointitunnus"
    lines = [
        _row(
            f"{one.day:%d.%m.%Y}", f"{one.valued:%d.%m.%Y}", _with_sign(one.cents, plus="+"), "710", "TILISIIRTO",
            one.name, f"{one.iban} OKOYFIHH".strip(), one.viite.rjust(20, "0"), one.text, one.reference,
        )
        for _, one in rows
    ]  # fmt: skip
    return ("\r\n".join([head, *lines]) + "\r\n").encode("iso-8859-1", "replace")


def _s_pankki(rows: Rows) -> bytes:
    head = "Kirjauspäivä;Maksupäivä;Summa;Tapahtumalaji;Maksaja;Saajan nimi;"
    head += "Saajan tilinumero;Saajan BIC-tunnus;Viitenumero;Viesti;Arkistointitunnus"
    lines = [
        _row(
            f"{one.day:%d.%m.%Y}", f"{one.valued:%d.%m.%Y}", _with_sign(one.cents, plus="+"), "TILISIIRTO",
            one.name if one.cents > 0 else "DEMO OY", "DEMO OY" if one.cents > 0 else one.name, one.iban or "-",
            "-", one.viite or "-", f"'{one.text or '-'}'", one.reference,
        )
        for _, one in rows
    ]  # fmt: skip
    return ("\ufeff" + "\n".join([head, *lines]) + "\n").encode()


def _danske(rows: Rows) -> bytes:
    head = _row("Pvm", "Luokka", "Alaluokka", "Saaja/Maksaja", "Määrä", "Saldo", "Tila", "Tarkastus", quoted=True)
    lines, balance = [], rows[0][0].opening if rows else 0
    for _, one in rows:
        balance += 0 if one.is_pending else one.cents
        text = f"{abs(balance) // 100:,}".replace(",", " ")
        told = f"{'-' if balance < 0 else ''}{text},{abs(balance) % 100:02}"
        state = "Odottaa" if one.is_pending else "Toteutunut"
        lines.append(
            _row(
                f"{one.day:%d.%m.%Y}",
                "",
                "",
                f"{one.name} {one.text}",
                _with_sign(one.cents),
                told,
                state,
                "Ei",
                quoted=True,
            )
        )
    return ("\n".join([head, *lines]) + "\n").encode("iso-8859-1", "replace")


def _n26(rows: Rows) -> bytes:
    head = '"Booking Date","Value Date","Partner Name","Partner Iban",Type,"Payment Reference","Account Name",'
    head += '"Amount (EUR)","Original Amount","Original Currency","Exchange Rate"'
    lines = []
    for _, one in rows:
        who = (one.name, one.iban, "Credit Transfer", one.text, "Main", _with_sign(one.cents, "."))
        lines.append(_row(f"{one.day}", f"{one.valued}", *who, "", "", "", mark=","))
    return ("\n".join([head, *lines]) + "\n").encode()


def _sparkasse(rows: Rows) -> bytes:
    names = (
        "Auftragskonto", "Buchungstag", "Valutadatum", "Buchungstext", "Verwendungszweck", "Glaeubiger ID",
        "Mandatsreferenz", "Kundenreferenz (End-to-End)", "Sammlerreferenz", "Lastschrift Ursprungsbetrag",
        "Auslagenersatz Ruecklastschrift", "Beguenstigter/Zahlungspflichtiger", "Kontonummer/IBAN", "BIC (SWIFT-Code)",
        "Betrag", "Waehrung", "Info",
    )  # fmt: skip
    lines = [
        _row(
            book.account, "" if one.is_pending else f"{one.day:%d.%m.%y}", f"{one.valued:%d.%m.%y}", "GUTSCHRIFT",
            one.text, "", "", one.end_to_end, "", "", "", one.name, one.iban, "", _with_sign(one.cents), "EUR",
            "Umsatz vorgemerkt" if one.is_pending else "Umsatz gebucht", quoted=True,
        )
        for book, one in reversed(rows)
    ]  # fmt: skip
    return ("\r\n".join([_row(*names, quoted=True), *lines]) + "\r\n").encode("cp1252", "replace")


def _nordea(rows: Rows) -> bytes:
    head = "\ufeffKirjauspäivä;Määrä;Maksaja;Maksunsaaja;Nimi;Otsikko;Viesti;Viitenumero;Saldo;Valuutta;"
    lines, balance = [], rows[0][0].opening if rows else 0
    for _, one in rows:
        balance += 0 if one.is_pending else one.cents
        day = "Varaus" if one.is_pending else f"{one.day:%Y/%m/%d}"
        told = "" if one.is_pending else _with_sign(balance)
        lines.append(
            _row(day, _with_sign(one.cents), "", one.iban, one.name, one.name, one.text, one.viite, told, "EUR", "")
        )
    return ("\n".join([head, *reversed(lines)]) + "\n").encode()
