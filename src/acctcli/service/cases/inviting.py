"""Inviting somebody to a business: the letter, which leaves first, and the record of it (docs/interface.md 2.5)."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from acctcli.models.enums import InvitationStatus
from acctcli.service.cases.people import asked_keys, check_address, show_to_business
from acctcli.service.cases.work import Work, found
from acctcli.service.delivery.mail import Letter, Person, compose, one_line
from acctcli.service.delivery.outbox import Envelope, Parcel
from acctcli.service.identity.invitations import PAGE, code_hash, new_code
from acctcli.service.identity.keys import InstallationKey
from acctcli.service.problems import Invalid
from acctcli.service.rules.roles import group_of
from acctcli.service.store import businesses
from acctcli.service.store.moments import stamp
from acctcli.service.store.people import invitations, jwt_keys, memberships, users

if TYPE_CHECKING:
    from acctcli.models.user import BusinessInvitation, InvitationRequest

LIFETIME = timedelta(days=14)


class Words(NamedTuple):
    """What a letter says in a language; `roles` are in the order of the enumeration, `{...}` are filled in."""

    subject: str
    invited: str
    page: str
    accept: str
    until: str
    roles: tuple[str, str, str, str, str]


WORDS = {
    "en": Words(
        "Invitation to the books of {business}",
        "{inviter} invites you to work in the books of {business}: {role}.",
        "Open this page, type your address {email} and the code below there, and choose a password. If you have an "
        "account already, sign in first.",
        "On the command line: see the number of the invitation, and accept it:",
        "This is the code. It works once, until {day}. Whoever has it and this address gets in: keep it to yourself.",
        ("administrator", "reading everything", "bookkeeping", "invoicing", "single permissions"),
    ),
    "fi": Words(
        "Kutsu: {business}, kirjanpito",
        "{inviter} kutsuu sinut käyttämään yrityksen {business} kirjanpitoa: {role}.",
        "Avaa tämä sivu, anna siellä osoitteesi {email} ja alla oleva koodi ja valitse salasana. Jos sinulla on jo "
        "tili, kirjaudu ensin sisään.",
        "Komentorivillä: katso kutsun numero ja hyväksy kutsu:",
        "Tässä on koodi. Se toimii kerran, {day} asti. Älä anna sitä muille: sillä ja tällä osoitteella pääsee sisään.",
        ("pääkäyttäjä", "lukuoikeus kaikkeen", "kirjanpito", "laskutus", "yksittäiset oikeudet"),
    ),
    "sv": Words(
        "Inbjudan till bokföringen för {business}",
        "{inviter} bjuder in dig till bokföringen för {business}: {role}.",
        "Öppna den här sidan, ange din adress {email} och koden nedan där och välj ett lösenord. Har du redan ett "
        "konto, logga in först.",
        "På kommandoraden: se inbjudans nummer och godkänn den:",
        "Det här är koden. Den gäller en gång, till och med {day}. Ge den inte till någon: med den och den här "
        "adressen kommer man in.",
        ("administratör", "läsrätt till allt", "bokföring", "fakturering", "enskilda rättigheter"),
    ),
    "de": Words(
        "Einladung zur Buchhaltung von {business}",
        "{inviter} lädt Sie zur Buchhaltung von {business} ein: {role}.",
        "Öffnen Sie diese Seite, geben Sie dort Ihre Adresse {email} und den Code darunter ein, und wählen Sie ein "
        "Passwort. Haben Sie schon ein Konto, melden Sie sich vorher an.",
        "Auf der Kommandozeile: sehen Sie nach der Nummer der Einladung, und nehmen Sie sie an:",
        "Das ist der Code. Er gilt einmal, bis {day}. Geben Sie ihn niemandem: mit ihm und dieser Adresse kommt man "
        "hinein.",
        ("Verwaltung", "alles lesen", "Buchhaltung", "Rechnungen", "einzelne Rechte"),
    ),
}
ROLES = ("admin", "read_only", "bookkeeping", "invoicing", "custom")


def pack_invitation(work: Work, body: InvitationRequest, key: InstallationKey, mark: str) -> Parcel:
    """Return the letter to whoever is invited, ready to be delivered; `mark` stands for the request."""
    keys = _checked(work, body)
    number, letter_mark = _numbered(work, body, keys)
    business = businesses.get(work.conn, work.business.id, work.today)
    sender = Person(business["name"], business["invoicing_email"] or work.user.email)
    words = WORDS[work.user.language or work.law.language]
    content = _content(work, body, words, group_of(keys), business["name"], new_code(key, letter_mark))
    letter = Letter(
        sender,
        Person("", body.email),
        words.subject.format(business=business["name"]),
        content,
        letter_mark,
        work.now,
    )
    envelope = Envelope(letter.sender, letter.recipient, letter_mark)
    stem, made = f"invitation-{number}", lambda _: compose(letter, ())
    return Parcel(work.business.slug, mark, stem, "eml", made, envelope, repeatable=True)


def record_invitation(work: Work, body: InvitationRequest, key: InstallationKey) -> BusinessInvitation:
    """Keep an invitation whose letter has left."""
    keys = _checked(work, body)
    _, letter_mark = _numbered(work, body, keys)
    values = {
        **work.born,
        "status": InvitationStatus.OPEN.value,
        "permission_group": group_of(keys),
        "permissions": " ".join(keys),
        "expires_at": stamp(work.now + LIFETIME),
        "invited_by": work.user.id,
        "user_id": _known(work, body.email),
        "code_hash": code_hash(new_code(key, letter_mark)),
    }
    made = invitations.create(work.conn, work.business.id, body.email, values)
    shown = show_to_business(work, found(invitations.get(work.conn, work.business.id, made), "invitation"))
    work.emit("invitation.created", shown)
    return shown


def _known(work: Work, email: str) -> int | None:
    """Return who has an address for sure; who wrote it themselves may have taken it from whoever is meant."""
    user_id = users.find_email(work.conn, email)
    return None if user_id is None or users.is_unproved(work.conn, user_id) else user_id


def _checked(work: Work, body: InvitationRequest) -> list[str]:
    """Return the permissions that are offered; Invalid for whoever is there for sure, or invited already."""
    check_address(body.email)
    keys = asked_keys(body)
    known = _known(work, body.email)
    if known is not None and memberships.get(work.conn, work.business.id, known) is not None:
        raise Invalid.field("email", "This is the address of somebody in this business: grant them permissions.")
    if (waiting := invitations.waiting(work.conn, work.business.id, body.email, work.stamp)) is not None:
        raise Invalid.field("email", f"Invitation {waiting.id} waits for this address: withdraw it before.")
    return keys


def _numbered(work: Work, body: InvitationRequest, keys: list[str]) -> tuple[int, str]:
    """Return the how-manieth invitation of the business this is, and what stands for its letter."""
    number = invitations.number(work.conn, work.business.id) + 1
    # books that came back count on from a smaller number, and under another key of JWTs
    begun = jwt_keys.current(work.conn)
    facts = (begun, work.business.slug, work.business.id, number, body.email, " ".join(keys), work.user.id)
    return number, sha256("\0".join(map(str, ("invitation", *facts))).encode()).hexdigest()


def _content(work: Work, body: InvitationRequest, words: Words, role: str, business: str, code: str) -> str:
    said = {
        "inviter": one_line(work.user.called),
        "business": one_line(business),
        "role": words.roles[ROLES.index(role)],
        "email": body.email,
        "day": (work.now + LIFETIME).date().isoformat(),
    }
    lines = [words.invited.format(**said), ""]
    # in a process nobody else can sign in; the code stands in no address, which servers log, and in no command
    if work.login_address is not None:
        lines += [words.page.format(**said), "", f"    {work.login_address}{PAGE}", ""]
    commands = ("acctcli user invitations --mine", "acctcli user accept NUMBER --with-code")
    lines += [words.accept, "", *(f"    {command}" for command in commands), ""]
    lines += [words.until.format(**said), "", f"    {code}", ""]
    return "\n".join(lines)
