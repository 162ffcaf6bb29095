"""Files for tests: small ones of each kind, and the bodies that carry them."""

from __future__ import annotations

import io
import struct
import zipfile

PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n"
PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR"
BOUNDARY = "a-boundary"
MULTIPART = f"multipart/form-data; boundary={BOUNDARY}"


def archive(*members: tuple[str, bytes], packed: bool = False) -> bytes:
    """Return a zip file."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED) as made:
        for name, content in members:
            made.writestr(name, content)
    return stream.getvalue()


def multipart(*parts: tuple[str, bytes], boundary: str = BOUNDARY, filename: str = "x") -> bytes:
    """Return a multipart body; the part `file` is sent as a file."""
    lines = []
    for name, content in parts:
        file = f'; filename="{filename}"' if name == "file" else ""
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n'
        lines.append(head.encode() + content + b"\r\n")
    return b"".join(lines) + f"--{boundary}--\r\n".encode()
