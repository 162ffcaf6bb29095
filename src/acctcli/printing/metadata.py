"""What a PDF says of itself: title, author, subject, language and day, in its dictionary and as XMP (ISO 16684-1)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple
from xml.sax.saxutils import escape

from reportlab.pdfbase.pdfdoc import XMP, PDFDictionary, PDFString
from reportlab.pdfgen.canvas import Canvas

PDF_VERSION = (1, 7)
_PROGRAM = "acctcli"
_PACKET = """<?xpacket begin="\N{BYTE ORDER MARK}" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>{author}</rdf:li></rdf:Seq></dc:creator>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{subject}</rdf:li></rdf:Alt></dc:description>
<dc:language><rdf:Bag><rdf:li>{language}</rdf:li></rdf:Bag></dc:language>
<xmp:CreateDate>{made}</xmp:CreateDate>
<xmp:ModifyDate>{made}</xmp:ModifyDate>
<xmp:CreatorTool>{program}</xmp:CreatorTool>
<pdf:Producer>{producer}</pdf:Producer>
</rdf:Description>
</rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>"""


class Description(NamedTuple):
    """What a document is: `language` as BCP 47 has it, `made` the moment from which its content is."""

    title: str
    author: str
    subject: str
    language: str
    made: datetime


def describe(canvas: Canvas, told: Description) -> None:
    """Write what a document is into it; readers show its title instead of the name of its file.

    The same description makes the same bytes: nothing is of the moment it is written.
    """
    document, made = canvas._doc, told.made.astimezone(UTC)
    canvas.setTitle(told.title)
    canvas.setAuthor(told.author)
    canvas.setSubject(told.subject)
    canvas.setCreator(_PROGRAM)
    stamp = document._timeStamp
    stamp.t, stamp.lt, stamp.YMDhms = made.timestamp(), made.timetuple(), made.timetuple()[:6]
    stamp.tzname, stamp.dhh, stamp.dmm = "UTC", 0, 0
    document.Catalog.Lang = PDFString(told.language)
    document.Catalog.ViewerPreferences = PDFDictionary({"DisplayDocTitle": "true"})
    packet = _packet(told, document.info.producer).encode()
    document.Catalog.Metadata = XMP(creator=lambda _: packet)


def _packet(told: Description, producer: str) -> str:
    made = told.made.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    texts = {"title": told.title, "author": told.author, "subject": told.subject, "language": told.language}
    texts |= {"program": _PROGRAM, "producer": producer}
    return _PACKET.format(made=made, **{name: escape(text) for name, text in texts.items()})
