"""Invoices as people and machines read them, and what they lack for that."""

from __future__ import annotations

from acctcli.cli.command.classes import Context
from acctcli.cli.invoice import options as opt
from acctcli.cli.session.state import state

LACKING = ("invoice", "needed_for", "field", "lacks", "right", "law")


def check_invoices(ctx: Context, ids: opt.Checked, form: opt.CheckedFormat = None) -> None:
    """Say what invoices lack in law and for their e-invoices, one row each with what would be right; exit 10 if any.

    A draft is looked at as `accept` does, and nothing is changed; what lacks for e-invoices that its buyer takes, or
    for that of --format, is said too, and of accepted invoices that alone.

    Example: acctcli invoice check 1
    """
    from acctcli.cli.invoice import checking

    checking.check_each(state(ctx), ids, opt.einvoice_format(form), LACKING)


def save_pdfs(
    ctx: Context, ids: opt.InvoiceIds = None, form: opt.PaperFormat = None, language: opt.Translated = None
) -> None:
    """Save the PDFs of invoices; what is there already is overwritten only when you agree. Drafts have none.

    What was sent stays as it is: in another language a PDF is a translation of that, and says so.

    Example: acctcli invoice pdf 2 --to invoices --format zugferd
    """
    from acctcli.cli.file.downloads import download_all
    from acctcli.cli.invoice.hybrids import papers_of

    here = state(ctx)
    download_all(here, papers_of(here, form, language), ids, "invoices")


def show_xml(
    ctx: Context,
    invoice: opt.InvoiceId,
    form: opt.Format = None,
    frame: opt.Frame = False,
    operator: opt.Operator = None,
) -> None:
    """Write an invoice as machines read it: XRechnung 3.0, Finvoice 3.0, Peppol BIS Billing 3.0, or CII.

    Example: acctcli invoice xml 2 --format finvoice --output-file invoice.xml
    """
    from acctcli.cli.invoice import papers

    papers.show_xml(state(ctx), invoice, opt.einvoice_format(form), papers.Way(frame, operator))
