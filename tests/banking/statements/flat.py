"""Statements that are made up, in text: MT940, TITO, and CSV of several banks; nothing here is shared with readers."""

from __future__ import annotations

from datetime import date

from tests.banking.statements.generator import Book, Move, money

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


def tito(found: list[Book], *, is_old: bool = True, is_told: bool = True) -> bytes:
    """Write statements as records of fixed width, in the letters of ISO 646 or of ISO 8859-1.

    Of a batch may be told how many it is the sum of.
    """
    lines = []
    for book in found:
        head = f"T00322100{book.account[4:]}{book.number:03}{book.first:%y%m%d}{book.last:%y%m%d}{book.last:%y%m%d}1200"
        head += f"{'':17}{book.first:%y%m%d}{_signed(book.opening)}{len(book.moves):06}EUR{'Tili':30}{0:018}"
        lines.append(f"{head:292}{book.account} NDEAFIHH".ljust(322))
        for count, one in enumerate(book.moves, 1):
            lines += _tito_move(one, one.cents, count, " ")
            if one.parts and is_told:
                lines.append(f"T1101601{len(one.parts):08}")
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
        "op": _op, "op-personal": _op_personal, "s-pankki": _s_pankki, "danske": _danske, "n26": _n26,
        "sparkasse": _sparkasse, "nordea": _nordea,
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


def _op_personal(rows: Rows) -> bytes:
    names = (
        "Kirjauspäivä", "Arvopäivä", "Määrä EUROA", "Laji", "Selitys", "Saaja/Maksaja", "Saajan tilinumero",
        "Saajan pankin BIC", "Viite", "Viesti", "Arkistointitunnus",
    )  # fmt: skip
    lines = []
    for _, one in rows:
        dated = f'"{one.day}";"{one.valued}";{_with_sign(one.cents)};'
        told = ("510", "TILISIIRTO", one.name, one.iban, "", f"ref={one.viite}", one.text, one.reference)
        lines.append(dated + _row(*told, quoted=True))
    return ("\ufeff" + "\n".join([_row(*names, quoted=True), *lines]) + "\n").encode()


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
