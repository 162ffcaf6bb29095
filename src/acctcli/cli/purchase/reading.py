"""Read all e-invoices of an import before anything is sent, and prove them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from acctcli.cli.file.uploads import read_upload
from acctcli.client.uploads import Upload
from acctcli.einvoice.incoming.embedded import embedded_xml, is_pdf
from acctcli.einvoice.incoming.model import Incoming, InvoiceFault
from acctcli.einvoice.incoming.proving import prove
from acctcli.einvoice.incoming.reading import read_einvoice
from acctcli.errors import UsageError


class Bill(NamedTuple):
    """An e-invoice: the file as it is kept, and what it says."""

    name: str
    upload: Upload
    invoice: Incoming

    @property
    def digest(self) -> str:
        """What tells the file from others: its name and its bytes."""
        return f"{self.upload.sha256} {self.upload.name}"

    def told(self, fault: InvoiceFault) -> UsageError:
        """Return a fault with the name of the file."""
        return _told(self.name, fault)


def read_bills(paths: Sequence[Path]) -> list[Bill]:
    """Return what the files say; raise UsageError with file, line and field for the first that is wrong."""
    return [_read(path) for path in paths]


def _read(path: Path) -> Bill:
    upload = read_upload(path)
    try:
        invoice = read_einvoice(_xml(upload.content))
        prove(invoice)
    except InvoiceFault as fault:
        raise _told(str(path), fault) from None
    except ImportError as missing:
        raise UsageError(
            f"{path}: PDFs need pypdf, which is not installed", hint="install it with: pip install 'acctcli[invoices]'"
        ) from missing
    return Bill(str(path), upload, invoice)


def _xml(content: bytes) -> bytes:
    return embedded_xml(content) if is_pdf(content) else content


def _told(name: str, fault: InvoiceFault) -> UsageError:
    place = f"{name} {fault}" if fault.line else f"{name}: {fault}"
    fields = {fault.field: [fault.problem]} if fault.field else None
    return UsageError(place, hint="nothing was imported", fields=fields)
