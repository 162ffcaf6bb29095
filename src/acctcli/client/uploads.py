"""Files on their way to the service, as multipart bodies that are the same bytes each time they are made.

A service that remembers requests by their bytes sees a repeated upload for what it is.
"""

from __future__ import annotations

import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cached_property

from acctcli.client.direct import httpx
from acctcli.client.http import Http
from acctcli.client.messages import Planned, Reply, encode_plain

# what a service takes is for it to say; this keeps a slip of the hand out of memory
LARGEST = 100 * 2**20
UNKNOWN = "application/octet-stream"
# without the machine's own tables: the same body everywhere
_TYPES = mimetypes.MimeTypes(filenames=())


@dataclass(frozen=True)
class Upload:
    """A file to be sent under a name, into a folder of the service if it has any."""

    name: str
    content: bytes
    folder: int | None = None

    @cached_property
    def sha256(self) -> str:
        """The hash of the content, in hex."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def type(self) -> str:
        """The media type its name suggests; the service looks for itself."""
        return _TYPES.guess_type(self.name, strict=False)[0] or UNKNOWN

    def facts(self) -> dict[str, object]:
        """What a dry run shows instead of the bytes."""
        shown = {"name": self.name, "size": len(self.content), "sha256": self.sha256, "type": self.type}
        return shown if self.folder is None else {**shown, "folder_id": self.folder}


def send(http: Http, path: str, file: Upload, key: str | None = None, *, method: str = "POST") -> Reply:
    """Upload a file; errors are those of `Http.send`."""
    content_type, body = _encode(file)
    try:
        return http.send(method, path, body=body, content_type=content_type, key=key)
    except Planned as planned:
        planned.shown = encode_plain(file.facts())
        raise


def _encode(file: Upload) -> tuple[str, bytes]:
    """Return the media type and the bytes of the body; its boundary is a hash, which no content holds of itself."""
    content_type = f"multipart/form-data; boundary=acctcli-{file.sha256[:48]}"
    fields = {"name": file.name} if file.folder is None else {"name": file.name, "folder_id": str(file.folder)}
    part = (file.name, file.content, file.type)
    request = httpx.Request(
        "POST", "http://service", data=fields, files={"file": part}, headers={"Content-Type": content_type}
    )
    return content_type, request.read()
