"""Apache PDFBox Preflight, the strongest judge of archives that Debian has: it knows PDF/A-1b.

PDF/A-3b allows more than that: files inside, and later versions of PDF. So it is given a twin of the same length that
calls itself PDF/A-1b and PDF 1.4, and in which what leads to the file inside has a name that nothing knows. All else is
judged as it is: fonts and each letter of them, colours, streams, the metadata and their schema.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from xml.etree.ElementTree import parse

from tests.programs import require_path, require_program

_JARS = ("preflight", "pdfbox2", "xmpbox", "fontbox2", "commons-logging", "javax.activation", "jaxb-api")
_TWIN = (
    (b"%PDF-1.7", b"%PDF-1.4"),
    (b"<pdfaid:part>3<", b"<pdfaid:part>1<"),
    (b"/EmbeddedFiles ", b"/UnknownEntry1 "),
    (b"/EF ", b"/XX "),
)


def twin(content: bytes) -> bytes:
    """Return the same file as PDF/A-1b."""
    for written, instead in _TWIN:
        assert content.count(written) == 1
        content = content.replace(written, instead)
    return content


def judge(papers: Mapping[str, bytes], folder: Path) -> dict[str, list[str]]:
    """Return what is wrong with each file as PDF/A-1b, nothing for those that are valid."""
    jars = ":".join(str(require_path(f"/usr/share/java/{name}.jar")) for name in _JARS)
    for number, content in enumerate(papers.values()):
        (folder / f"{number}.pdf").write_bytes(content)
    listed = folder / "listed"
    listed.write_text("".join(f"{folder / f'{number}.pdf'}\n" for number in range(len(papers))))
    command = [require_program("java"), "-cp", jars, "org.apache.pdfbox.preflight.Validator_A1b", "xml", "group"]
    subprocess.run([*command, str(listed)], capture_output=True, timeout=60, check=False)
    found = list(parse(folder / "listed.preflight.xml").getroot().iter("preflight"))
    told = [[one.findtext("details", "") for one in each.iter("error")] for each in found]
    assert [each.findtext("isValid") for each in found] == ["false" if faults else "true" for faults in told]
    return dict(zip(papers, told, strict=True))
