"""Files: receipts, invoices, statements (docs/interface.md 6.2)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, WithJsonSchema
from typing_extensions import TypedDict

from acctcli.models.base import Id, Name256, Request, Text128
from acctcli.models.enums import AnalysisStatus
from acctcli.models.reply import Stored, shown_as


class FileRequest(Request):
    """What may be written of a file that is there."""

    name: Name256
    folder_id: Id | None = None
    analysis_status: AnalysisStatus = AnalysisStatus.COMPLETED


Bytes = Annotated[Any, WithJsonSchema({"type": "string", "contentEncoding": "base64"})]


class LogoRequest(Request):
    """A picture that is to stand on papers: a PNG or a JPEG."""

    file: Bytes


class UploadRequest(Request):
    """A new file; `type` is what the sender takes it for, the type kept is the one found in the content."""

    name: Name256
    file: Bytes
    type: Text128 | None = None
    folder_id: Id | None = None


class Preview(TypedDict):
    """A picture of a file."""

    image: str
    blurhash: str
    blurhash_w: int
    blurhash_h: int


class AnalysisBadge(TypedDict):
    """One finding of an analysis, for people."""

    key: str
    label: str
    value: str


class AnalysisValue(TypedDict):
    """One finding of an analysis."""

    type: str
    value: str


class AnalysisResult(TypedDict):
    """What an analysis found."""

    values: list[AnalysisValue]
    analysis_data: dict[str, Any] | None


class AttachmentListItem(Stored):
    """A file in lists; `file` is where its content is fetched from, without the credential of the interface."""

    file: str
    name: str
    type: Annotated[str, Field(description="Media type")]
    preview: Preview | None
    folder_id: int | None
    blurhash: str | None
    blurhash_w: int | None
    blurhash_h: int | None
    analysis_badges: list[AnalysisBadge]
    analysis_status: Annotated[str, shown_as(AnalysisStatus)]
    notes: str


class Attachment(AttachmentListItem):
    """A file on its own."""

    is_deletable: bool
    analysis_results: list[AnalysisResult]
