"""The PDFs of invoices, and those with the e-invoice inside, as ZUGFeRD and Factur-X have them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec

from acctcli.cli.file.downloads import Source, Wanted
from acctcli.cli.invoice import papers
from acctcli.cli.invoice.options import ZUGFERD
from acctcli.cli.session.state import State
from acctcli.errors import UsageError
from acctcli.models.enums import EInvoiceFormat


def papers_of(here: State, form: str | None) -> Source:
    """Return the PDFs of the business's invoices: as they are, or with the e-invoice inside; UsageError else."""
    if form not in {None, ZUGFERD}:
        raise UsageError(f"--format {form!r}: there is {ZUGFERD}")
    return papers.pdfs_of(here) if form is None else _hybrids_of(here)


def _hybrids_of(here: State) -> Source:
    """Return the PDFs of the business's invoices, each of which becomes a PDF/A-3 with its CII inside."""
    if find_spec("pypdf") is None:
        hint = "install it with: pip install 'acctcli[invoices]'"
        raise UsageError(f"--format {ZUGFERD} needs pypdf, which is not installed", hint=hint)
    plain, business = papers.pdfs_of(here), here.api.businesses.get(here.business())
    told: set[str] = set()

    def say(note: str) -> None:
        """Say what is so of many invoices once."""
        if note not in told:
            told.add(note)
            here.say(note)

    def hybrid(invoice: int, paper: bytes) -> bytes:
        from acctcli.einvoice.hybrid.writing import hybrid

        made = papers.make(here, here.api.invoices.get(invoice), business, EInvoiceFormat.CII, say=say)
        return hybrid(paper, made.content, *made.said)

    def finished(wanted: Wanted) -> Wanted:
        return replace(wanted, finish=lambda paper: hybrid(wanted.id, paper))

    def every() -> Iterator[Wanted]:
        return map(finished, plain.every())

    return Source(every, lambda invoice: finished(plain.one(invoice)))
