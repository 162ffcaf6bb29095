"""How a reminder reads, in the customer's language: its words, a sheet, and the text of a mail (docs/law.md 7.11)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING

from acctcli.banking.iban import grouped
from acctcli.cli.invoice.reminded import Stage
from acctcli.cli.report.labels import Label
from acctcli.cli.report.sheet import Cell, Column, Kind, Sheet, SheetLine, Style, clean, with_each_day
from acctcli.models.enums import Language
from acctcli.printing.numbers import format_day, format_decimal, percent_sign

if TYPE_CHECKING:
    from acctcli.cli.invoice.reminding import Late, Reminder
    from acctcli.cli.report.view import View

_TITLES = {
    Stage.FIRST: "Payment reminder",
    Stage.SECOND: "Second payment reminder",
    Stage.NOTICE: "Collection notice",
}
_WORDS = {
    label.en: label
    for label in (
        Label("Payment reminder", "Maksumuistutus", "Betalningspåminnelse", "Zahlungserinnerung"),
        Label("Second payment reminder", "Toinen maksumuistutus", "Andra betalningspåminnelsen", "Zweite Mahnung"),
        Label("Collection notice", "Maksuvaatimus", "Betalningskrav", "Letzte Mahnung"),
        Label("Invoice {}", "Lasku {}", "Faktura {}", "Rechnung {}"),
        Label("Invoice", "Lasku", "Faktura", "Rechnung"),
        Label("Invoices {}", "Laskut {}", "Fakturor {}", "Rechnungen {}"),
        Label("Invoices", "Laskut", "Fakturor", "Rechnungen"),
        Label("Due, period", "Eräpäivä, aika", "Förfallodag, tid", "Fällig, Zeitraum"),
        Label("Amount", "Summa", "Belopp", "Betrag"),
        Label("Unpaid", "Maksamatta", "Obetalt", "Offen"),
        Label("Message", "Viesti", "Meddelande", "Verwendungszweck"),
        Label("due on {}", "eräpäivä {}", "förfallodag {}", "fällig am {}"),
        Label("Days", "Päiviä", "Dagar", "Tage"),
        Label("Late interest", "Viivästyskorko", "Dröjsmålsränta", "Verzugszinsen"),
        Label("Lump sum", "Vakiokorvaus", "Schablonersättning", "Verzugspauschale"),
        Label("Reminder fees", "Muistutusmaksut", "Påminnelseavgifter", "Mahnkosten"),
        Label("To pay", "Maksettavaa", "Att betala", "Zu zahlen"),
        Label("Account {}", "Tili {}", "Konto {}", "Konto {}"),
        Label("reference {}", "viite {}", "referens {}", "Verwendungszweck {}"),
        Label("To pay by", "Maksettava viimeistään", "Att betala senast", "Zu zahlen bis"),
        Label(
            "According to our books, the following is still unpaid. Please pay it by {}.",
            "Kirjanpitomme mukaan seuraava on vielä maksamatta. Pyydämme maksamaan sen viimeistään {}.",
            "Enligt vår bokföring är följande ännu obetalt. Vi ber er betala det senast {}.",
            "Nach unseren Büchern ist Folgendes noch offen. Bitte zahlen Sie bis zum {}.",
        ),
        Label(
            "To pay all at once, give the message below instead of a reference. To pay one by one, give that of each.",
            "Jos maksatte kaiken kerralla, käyttäkää viitteen sijaan alla olevaa viestiä. Erikseen maksettaessa "
            "käyttäkää kunkin laskun omaa viitettä.",
            "Om ni betalar allt på en gång, ange meddelandet nedan i stället för referens. Betalar ni var för sig, "
            "ange varje fakturas egen referens.",
            "Zahlen Sie alles zusammen, geben Sie bitte den Verwendungszweck unten an; zahlen Sie einzeln, den der "
            "jeweiligen Rechnung.",
        ),
        Label(
            "If you have paid already, there is nothing to do.",
            "Jos olette jo maksaneet, tämä kirje on aiheeton.",
            "Om ni redan har betalat kan ni bortse från detta brev.",
            "Haben Sie bereits gezahlt, ist dieses Schreiben gegenstandslos.",
        ),
        Label(
            "What is not paid by then is handed over for collection.",
            "Ellei maksua ole tullut siihen mennessä, saatava siirretään perittäväksi.",
            "Det som inte har betalats till dess överlämnas till indrivning.",
            "Was bis dahin nicht gezahlt ist, wird ohne weitere Mahnung eingezogen.",
        ),
        Label(
            "If you object to this claim, tell us: {}",
            "Jos vaatimus on mielestänne aiheeton, ilmoittakaa siitä: {}",
            "Om ni bestrider fordran, meddela oss: {}",
            "Einwände gegen die Forderung teilen Sie uns bitte mit: {}",
        ),
        Label(
            "The invoice is attached once more.",
            "Lasku on liitteenä uudelleen.",
            "Fakturan bifogas på nytt.",
            "Die Rechnung liegt noch einmal bei.",
        ),
    )
}


class Letter:
    """A reminder in words; `view` says in which language."""

    def __init__(self, reminder: Reminder, view: View) -> None:
        self.reminder = reminder
        self.language = Language(view.locale.language)
        self._view = view

    @property
    def title(self) -> str:
        """Which reminder it is."""
        return title_of(self.reminder.stage, self.language)

    @property
    def subject(self) -> str:
        """What a mail with it is about."""
        named = ", ".join(self._invoice(one) for one in self.reminder.late)
        return f"{self.title}: {named}, {clean(self.reminder.seller.name)}"

    def sheet(self) -> Sheet:
        """Return it as a table, with what there is to say below."""
        lines = [line for one in self.reminder.late for line in self._lines(one)]
        if len(self.reminder.late) == 1:
            lines.pop()
        last = (self.say("To pay by"), str(self.reminder.until), None, None, self.reminder.total)
        lines.append(SheetLine(last, Style.SUM))
        lines += [_line(Style.HEADING, note) for note in self._notes()]
        titles = (self.say("Invoice"), self._view.words("Date"), self.say("Days"), "%")
        columns = (*map(Column, titles), Column(self._view.words("Amount"), Kind.AMOUNT))
        return Sheet(self.title, f"{self.reminder.debtor.address} · {self.reminder.day}", columns, lines)

    def text(self) -> str:
        """Return it as the text of a mail, with which the invoice itself goes; days are as on its paper."""
        named = [self._piece(line) for line in self.sheet().lines if not line.spans]
        notes = [*self._notes(), self.say("The invoice is attached once more."), clean(self.reminder.seller.name)]
        said = "\n\n".join([self.title, "\n".join(named), *notes])
        return with_each_day(said, lambda day: format_day(day, self.language)) + "\n"

    def _piece(self, line: SheetLine) -> str:
        said, day, _, rate, amount = line.cells
        assert isinstance(amount, Decimal)
        if rate:
            said = f"{said} {day}, {rate}{percent_sign(self.language)}"
        elif day:
            said = f"{said} {day}" if line.style is Style.SUM else f"{said}, {self.say('due on {}', day)}"
        return f"{said}: {format_decimal(amount, self._view.locale)} EUR"

    def _lines(self, one: Late) -> Iterator[SheetLine]:
        reference = one.terms.reference
        named = [self._invoice(one), *([self.say("reference {}", clean(reference))] if reference else [])]
        yield SheetLine((", ".join(named), str(one.invoice.due_date), None, None, one.open))
        for part in one.accrued:
            span, rate = f"{part.first} \N{EN DASH} {part.last}", format_decimal(part.rate, self._view.locale, 0)
            cells = (self.say("Late interest"), span, str(part.days), rate, part.interest)
            yield SheetLine(cells, level=1)
        for name, amount in (("Reminder fees", one.fees), ("Lump sum", one.lump_sum)):
            if amount:
                yield _line(Style.PLAIN, self.say(name), amount=amount, level=1)
        yield _line(Style.SUM, self.say("To pay"), amount=one.total)

    def _notes(self) -> Iterator[str]:
        yield from self.laws()
        if iban := self.reminder.seller.invoicing_iban:
            yield self.say("Account {}", clean(grouped(iban)))
        yield from self.requests()

    def laws(self) -> list[str]:
        """Return the sections that give what is asked for, as one line; none where it was agreed on."""
        cited = ", ".join(self.reminder.law.cite(one, self.language) for one in self.reminder.laws)
        return [cited[0].upper() + cited[1:]] if cited else []

    def requests(self) -> Iterator[str]:
        """Yield what the customer is asked for besides the money."""
        found = self.reminder
        yield self.say("If you have paid already, there is nothing to do.")
        if found.stage is Stage.NOTICE:
            yield self.say("What is not paid by then is handed over for collection.")
        if reached := ", ".join(filter(None, (found.seller.invoicing_email, found.seller.contact_phone))):
            yield self.say("If you object to this claim, tell us: {}", clean(reached))

    def _invoice(self, one: Late) -> str:
        return self.say("Invoice {}", one.number)

    def say(self, name: str, *given: object) -> str:
        """Return words in the language of the customer."""
        return str(getattr(_WORDS[name], self.language)).format(*given)


def title_of(stage: Stage, language: Language) -> str:
    """Return what a reminder is called in a language."""
    return str(getattr(_WORDS[_TITLES[stage]], language))


def _line(style: Style, said: str, *, amount: Cell = None, level: int = 0) -> SheetLine:
    return SheetLine((said, None, None, None, amount), style, level)
