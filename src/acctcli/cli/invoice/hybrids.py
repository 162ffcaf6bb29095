"""The PDFs of invoices: as they are, in another language, or with the e-invoice inside, as ZUGFeRD has them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from acctcli.cli.file.downloads import Source, Wanted
from acctcli.cli.invoice import papers
from acctcli.cli.invoice.options import ZUGFERD
from acctcli.cli.output.check import require_library
from acctcli.cli.session.state import State
from acctcli.errors import UsageError
from acctcli.models.enums import EInvoiceFormat, Language


def papers_of(here: State, form: str | None, language: str | None) -> Source:
    """Return the PDFs of the business's invoices: as they are, or made into something else; UsageError else."""
    if form not in {None, ZUGFERD}:
        raise UsageError(f"--format {form!r}: there is {ZUGFERD}")
    if language not in {None, *Language}:
        raise UsageError(f"--language {language!r}: there are {', '.join(Language)}")
    if form and language:
        raise UsageError(f"--language is of paper alone: the e-invoice of --format {form} is in that of its invoice")
    if form:
        return _each(here, _hybrids(here))
    return _each(here, _translations(here, Language(language))) if language else papers.pdfs_of(here)


def _each(here: State, change: Callable[[Wanted], Wanted]) -> Source:
    plain = papers.pdfs_of(here)
    return Source(lambda: map(change, plain.every()), lambda invoice: change(plain.one(invoice)))


def _once(here: State) -> Callable[[str], None]:
    """Return what says on stderr what is so of many invoices once."""
    told: set[str] = set()

    def say(note: str) -> None:
        if note not in told:
            told.add(note)
            here.say(note)

    return say


def _hybrids(here: State) -> Callable[[Wanted], Wanted]:
    """Return what makes of a PDF a PDF/A-3 with the CII of its invoice inside."""
    require_library("pypdf", f"--format {ZUGFERD}", "invoices")
    business, say = here.api.businesses.get(here.business()), _once(here)

    def hybrid(invoice: int, paper: bytes) -> bytes:
        from acctcli.einvoice.hybrid.writing import hybrid

        made = papers.make(here, here.api.invoices.get(invoice), business, EInvoiceFormat.CII, say=say)
        return hybrid(paper, made.content, *made.said)

    return lambda wanted: replace(wanted, finish=lambda paper: hybrid(wanted.id, paper))


def _translations(here: State, language: Language) -> Callable[[Wanted], Wanted]:
    """Return what makes of a PDF one in a language: the same where that is the invoice's."""
    require_library("reportlab", "--language", "reports")
    business, say = here.api.businesses.get(here.business()), _once(here)

    def translate(invoice: int, paper: bytes) -> bytes:
        return papers.translation(here, here.api.invoices.get(invoice), business, language, say) or paper

    def translated(wanted: Wanted) -> Wanted:
        name = f"{wanted.name.removesuffix('.pdf')}-{language}.pdf"
        return replace(wanted, name=name, finish=lambda paper: translate(wanted.id, paper))

    return translated
