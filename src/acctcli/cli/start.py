"""Set up a company by a few questions, and see the commands that do it."""

from __future__ import annotations

import re
import shlex
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from acctcli.cli.command.classes import Command, Context, new_group
from acctcli.cli.output.stderr import ask
from acctcli.cli.session.state import State, state
from acctcli.errors import AcctcliError, UsageError

if TYPE_CHECKING:
    from acctcli.law.decisions import Chart

app = new_group(__doc__)

# makes the value of an answer, or raises ValueError with what would be right
Read = Callable[[str], str]
_ASKED = 5
_LONGEST_SLUG = 16


@app.command("start", cls=Command)
def start(ctx: Context) -> None:
    """Ask what a company is called and how it is taxed, then run the commands that set it up.

    Each command is shown, so that it can be run again for another company. An empty answer takes what stands in
    brackets, or leaves it out.

    Example: acctcli start
    """
    here = state(ctx)
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError("start asks questions, and there is no terminal", hint="use: acctcli business create --help")
    commands = list(_commands())
    here.say("\nThese commands set it up:\n")
    for command in commands:
        here.say(f"  acctcli {shlex.join(command)}")
    here.confirm(f"\nRun them in environment {here.environment.name}?")
    for command in commands:
        _run(here, command)
    here.say("\nIts books are ready. Next: acctcli contact create, acctcli invoice create, acctcli bank import")


def _commands() -> Iterator[list[str]]:
    """Ask, and yield what to run."""
    from acctcli import law
    from acctcli.banking.iban import check_iban
    from acctcli.cli.business.options import VAT_PERIODS
    from acctcli.law.identifiers import check_vat_id
    from acctcli.models.business import BusinessRequest

    forms = sorted(form for country in law.countries() for form in country.forms)
    name = _answer("What is the company called?", _something)
    slug = _answer("What shall commands call it?", _slug, _slug(name))
    form = _answer(
        f"Which legal form has it ({', '.join(forms)})?", _one_of(forms), BusinessRequest.model_fields["form"].default
    )
    country = law.country_of_form(form)
    names = [one.name for one in country.charts if one.name]
    chart = _answer(f"Which chart of accounts ({', '.join(names)})?", _one_of(names), names[0]) if names else None
    number = _answer("What is its official business id, if it has one yet?", country.official_id.check, "")
    period = _answer(f"How long are its VAT periods ({', '.join(VAT_PERIODS)})?", _one_of(VAT_PERIODS), "month")
    vat_id = _answer("Which VAT id has it, if any?", check_vat_id, "")
    iban = _answer("Which IBAN do customers pay to?", check_iban, "")
    facts = {
        "--chart": chart,
        "--business-id": number,
        "--iban": iban,
        "--street": _answer("Street and number, as invoices have it?", _something, ""),
        "--postal-code": _answer("Postal code?", _something, ""),
        "--city": _answer("Town or city?", _something, ""),
        "--country": country.code,
        "--email": _answer("E-mail that customers answer to?", _email, ""),
        "--phone": _answer("Telephone?", _something, ""),
        "--vat-period": period,
    }
    more = [word for option, value in facts.items() if value for word in (option, value)]
    yield ["business", "create", "--name", name, "--form", form, "--slug", slug, *more]
    yield ["business", "use", slug]
    if vat_id:
        yield ["business", "identifier", "create", "--type", "vat_code", "--value", vat_id]
    if iban:
        yield ["account", "update", _bank_account(country.chart(chart)), "--set", f"description={iban}"]


def _bank_account(chart: Chart) -> str:
    """Return the number of the account of the money that is no cash, the first of a chart."""
    from acctcli.models.enums import AccountType

    return next(one.number for one in chart.accounts() if one.type is AccountType.ASS_PAY and one.field is None)


def _answer(question: str, read: Read, usual: str | None = None) -> str:
    """Ask until the answer makes sense; an empty one is the usual, if there is one."""
    shown = f"{question} [{usual}]" if usual else question if usual is None else f"{question} []"
    for _ in range(_ASKED):
        ask(shown)
        line = sys.stdin.readline()
        if not line:
            raise UsageError("nothing was done")
        answer = line.strip()
        if not answer and usual is not None:
            return usual
        try:
            return read(answer)
        except ValueError as problem:
            ask(f"{problem}\n")
    raise UsageError(f"{question} {_ASKED} answers made no sense; nothing was done")


def _something(answer: str) -> str:
    if not answer:
        raise ValueError("An answer is needed.")
    return answer


def _email(answer: str) -> str:
    from acctcli.models.base import EMAIL

    if not re.search(EMAIL, answer):
        raise ValueError("Write an address such as name@example.com.")
    return answer


def _slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    slug = re.sub("[^a-z0-9]+", "-", plain).strip("-")[:_LONGEST_SLUG].strip("-")
    if not slug:
        raise ValueError("It takes letters a to z, digits and hyphens.")
    return slug


def _one_of(values: Iterable[str]) -> Read:
    def read(answer: str) -> str:
        found = next((one for one in values if one.casefold() == answer.casefold()), None)
        if found is None:
            raise ValueError(f"There are {', '.join(values)}.")
        return found

    return read


def _run(here: State, command: list[str]) -> None:
    from acctcli.cli.root import run

    here.say(f"\n$ acctcli {shlex.join(command)}")
    sys.stdout.flush()
    where = ["--env", here.options.env] if here.options.env else []
    if code := run([*command, *where]):
        raise AcctcliError(f"acctcli {shlex.join(command)} ended with {code}; what stands above it is done")
