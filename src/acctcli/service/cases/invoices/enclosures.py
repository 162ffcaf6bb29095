"""The files of an invoice, as a mail takes them along (docs/interface.md 7.4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from acctcli.service.cases.files import mebibytes
from acctcli.service.cases.invoices.prints import kept_print
from acctcli.service.cases.work import Work
from acctcli.service.delivery.mail import Attachment, file_name
from acctcli.service.problems import FileUnusable, Precondition
from acctcli.service.store.invoicing import invoice_parts, invoice_prints

if TYPE_CHECKING:
    from acctcli.models.invoice import MailedFile
    from acctcli.service.store.contents import Contents
    from acctcli.service.store.invoicing.invoice_parts import FileRow
    from acctcli.service.store.invoicing.invoice_prints import Source

# of all files of a mail: with what base64 adds, and the invoice itself, it stays below the 25 MB that large hosts take
LARGEST = 15 * 2**20
# so many bytes are a hundredth of a MiB
WORTH_NAMING = 10**4


class Enclosure(NamedTuple):
    """A file that goes along; `source` is what a print is made of, which may lie in no file yet."""

    row: FileRow
    source: Source | None

    def attachment(self, contents: Contents) -> Attachment:
        """Return it with its content; FileUnusable where that is not what was uploaded."""
        return Attachment(self.row.name, self.row.type, self._read(contents))

    def _read(self, contents: Contents) -> bytes:
        if self.source:
            return kept_print(contents, self.row.content_name, self.source)
        content = contents.whole(self.row.content_name, self.row.sha256)
        if content is None:
            text = f"The content of {file_name(self.row.name)} is missing, or not what was uploaded"
            raise FileUnusable(f"{text}: a backup may have it. Nothing was sent.")
        return content


def enclosures(work: Work, invoice_id: int) -> list[Enclosure]:
    """Return the files of an invoice that a mail takes along; Precondition where they are too large for one."""
    rows = invoice_parts.files(work.conn, work.business.id, invoice_id)
    _check_sizes(rows)
    return [Enclosure(row, invoice_prints.source(work.conn, row.content_name)) for row in rows]


def show_mailed(work: Work, invoice_id: int) -> list[MailedFile]:
    """Show the files of an invoice that a mail takes along; sizes are in bytes, null for what the service prints."""
    rows = invoice_parts.files(work.conn, work.business.id, invoice_id)
    names = distinct(row.name for row in rows)
    return [
        {"id": row.id, "name": name, "type": row.type, "size": row.size} for row, name in zip(rows, names, strict=True)
    ]


def distinct(names: Iterable[str]) -> list[str]:
    """Return names as files are saved under; of several alike, in letters of any case, each has one of its own."""
    found: dict[str, str] = {}
    for name in map(file_name, names):
        path, number, own = PurePath(name), 1, name
        while own.casefold() in found:
            number += 1
            own = f"{path.stem}-{number}{path.suffix}"
        found[own.casefold()] = own
    return list(found.values())


def _check_sizes(rows: Sequence[FileRow]) -> None:
    sizes = [(row.size or 0, file_name(row.name)) for row in rows]
    whole = sum(size for size, _ in sizes)
    if whole > LARGEST:
        named = ", ".join(
            f"{name} {mebibytes(size)}" for size, name in sorted(sizes, reverse=True) if size >= WORTH_NAMING
        )
        told = f"A mail takes files of {mebibytes(LARGEST)} together, and those of this invoice have {mebibytes(whole)}"
        raise Precondition(f"{told}: {named}. Nothing was sent.", fields={"attachments": [f"Too large: {named}."]})
