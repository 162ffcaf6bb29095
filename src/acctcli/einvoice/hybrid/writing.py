"""A paper and its e-invoice as one PDF/A-3, as ZUGFeRD and Factur-X have it (docs/law.md 7.10)."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import date
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.sax.saxutils import escape

from acctcli.einvoice.faults import PaperRefused
from acctcli.einvoice.incoming.embedded import STUMBLES
from acctcli.einvoice.markup import clean
from acctcli.einvoice.terms import day, language_of, words

if TYPE_CHECKING:
    from pypdf import PdfWriter
    from pypdf.generic import DictionaryObject, IndirectObject

FILE_NAME = "factur-x.xml"
_HEADER = "%PDF-1.7"
_MADE_BY = "acctcli"
_PRODUCER = "pypdf"
# the profile of the invoice inside, and what it is to the paper: the same invoice in another form
_PROFILE, _RELATION = "EN 16931", "/Alternative"
_COLOURS = "sRGB IEC61966-2.1"
_FACTUR_X = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#"
_MOST_TOLD = 3
# how a page appears on a screen; which letters a font has, which is often wrong and need not stand (6.2.11.4.2)
_LEFT_OUT = {"/Page": ("/Trans",), "/FontDescriptor": ("/CharSet", "/CIDSet")}
# properties of Factur-X, as its standard describes them
_PROPERTIES = {
    "DocumentFileName": "name of the embedded XML invoice file",
    "DocumentType": "INVOICE",
    "Version": "The actual version of the Factur-X XML schema",
    "ConformanceLevel": "The conformance level of the embedded Factur-X data",
}


class _Facts(NamedTuple):
    """What the file says of itself, in its dictionary and its metadata."""

    title: str
    subject: str
    author: str
    day: date

    @property
    def stamp(self) -> str:
        return f"{self.day:%Y-%m-%d}T00:00:00Z"

    @property
    def pdf_stamp(self) -> str:
        return f"D:{self.day:%Y%m%d}000000Z"


def hybrid(
    paper: bytes,
    xml: bytes,
    invoice: Mapping[str, Any],
    business: Mapping[str, Any],
    original: Mapping[str, Any] | None = None,
) -> bytes:
    """Return the PDF of an invoice as PDF/A-3 with its CII inside; the same input gives the same bytes.

    What is on the pages stays as it is. Raise PaperRefused where they are not fit for an archive, and ImportError
    without pypdf.
    """
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    # it tells of what it mends by itself
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = PdfReader(BytesIO(paper))
        _check(reader)
        return _written(reader, xml, _facts(reader, invoice, business, original), sha256(paper + xml).digest()[:16])
    except (PyPdfError, *STUMBLES) as problem:
        raise PaperRefused(f"the PDF of the service cannot be read: {problem}") from problem


def _check(reader: Any) -> None:
    from acctcli.einvoice.hybrid.archive import archive_faults

    if reader.is_encrypted:
        raise PaperRefused("the PDF of the service is encrypted, which no archive takes (ISO 19005-3, 6.1.3)")
    if told := list(islice(dict.fromkeys(archive_faults(reader)), _MOST_TOLD + 1)):
        more = "; and more" if len(told) > _MOST_TOLD else ""
        faults = "; ".join(told[:_MOST_TOLD])
        raise PaperRefused(f"the PDF of the service is not fit for an archive (ISO 19005-3): {faults}{more}")


def _facts(
    reader: Any, invoice: Mapping[str, Any], business: Mapping[str, Any], original: Mapping[str, Any] | None
) -> _Facts:
    from pypdf import DocumentInformation

    spoken = words(language_of(invoice, business))
    kind = spoken.invoice if original is None else spoken.credit_note
    told = reader.metadata or DocumentInformation()
    title = told.title or f"{kind} {invoice['invoice_number']}"
    subject = told.subject or f"{title}, {invoice['receiver_info']['name']}"
    return _Facts(clean(title), clean(subject), clean(business["name"]), day(invoice["invoicing_date"]))


def _written(reader: Any, xml: bytes, facts: _Facts, identity: bytes) -> bytes:
    from pypdf import PdfWriter
    from pypdf.generic import ArrayObject, ByteStringObject, DictionaryObject, IndirectObject, NameObject, NullObject

    from acctcli.einvoice.hybrid.objects import everything

    writer = PdfWriter(clone_from=reader)
    writer.pdf_header = _HEADER
    file, root = _file(writer, xml, facts), writer.root_object
    root[NameObject("/AF")] = ArrayObject([file])
    root[NameObject("/Names")] = _named(root, file)
    if isinstance(told := root.get("/Metadata"), IndirectObject):
        # readers that look for metadata anywhere find one packet
        writer._replace_object(told, NullObject())
    root[NameObject("/Metadata")] = _metadata(writer, facts)
    root[NameObject("/OutputIntents")] = ArrayObject([_colours(writer)])
    for one in everything(root):
        if isinstance(one, DictionaryObject):
            for key in _LEFT_OUT.get(str(one.get("/Type")), ()):
                one.pop(key, None)
    writer.metadata = {
        "/Title": facts.title,
        "/Subject": facts.subject,
        "/Author": facts.author,
        "/Creator": _MADE_BY,
        "/Producer": _PRODUCER,
        "/CreationDate": facts.pdf_stamp,
        "/ModDate": facts.pdf_stamp,
    }
    # pypdf would throw dice for it
    writer._ID = ArrayObject([ByteStringObject(identity), ByteStringObject(identity)])
    made = BytesIO()
    writer.write(made)
    return made.getvalue()


def _stream(writer: PdfWriter, content: bytes, entries: Mapping[str, Any], *, is_packed: bool) -> IndirectObject:
    from pypdf.generic import DecodedStreamObject, NameObject

    stream = DecodedStreamObject()
    stream.set_data(content)
    found = stream.flate_encode() if is_packed else stream
    found.update({NameObject(key): value for key, value in entries.items()})
    return writer._add_object(found)


def _dictionary(entries: Mapping[str, Any]) -> DictionaryObject:
    from pypdf.generic import DictionaryObject, NameObject

    return DictionaryObject({NameObject(key): value for key, value in entries.items()})


def _file(writer: PdfWriter, xml: bytes, facts: _Facts) -> IndirectObject:
    """Embed the invoice, and return what names it."""
    from pypdf.generic import NameObject, NumberObject, TextStringObject

    about = _dictionary({"/ModDate": TextStringObject(facts.pdf_stamp), "/Size": NumberObject(len(xml))})
    entries = {"/Type": NameObject("/EmbeddedFile"), "/Subtype": NameObject("/text/xml"), "/Params": about}
    content, name = _stream(writer, xml, entries, is_packed=True), TextStringObject(FILE_NAME)
    return writer._add_object(
        _dictionary(
            {
                "/Type": NameObject("/Filespec"),
                "/F": name,
                "/UF": name,
                "/Desc": TextStringObject("Factur-X"),
                "/AFRelationship": NameObject(_RELATION),
                "/EF": _dictionary({"/F": content, "/UF": content}),
            }
        )
    )


def _named(root: DictionaryObject, file: IndirectObject) -> DictionaryObject:
    """Return the names of the document with that of the file among them."""
    from pypdf.generic import ArrayObject, NameObject, TextStringObject

    from acctcli.einvoice.hybrid.objects import at, dictionary

    names = dictionary(at(root, "/Names"))
    names[NameObject("/EmbeddedFiles")] = _dictionary({"/Names": ArrayObject([TextStringObject(FILE_NAME), file])})
    return names


def _colours(writer: PdfWriter) -> DictionaryObject:
    """Return what the colours of the pages mean: sRGB."""
    from pypdf.generic import NameObject, NumberObject, TextStringObject

    profile = files("acctcli.einvoice.hybrid").joinpath("srgb.icc").read_bytes()
    return _dictionary(
        {
            "/Type": NameObject("/OutputIntent"),
            "/S": NameObject("/GTS_PDFA1"),
            "/OutputConditionIdentifier": TextStringObject(_COLOURS),
            "/Info": TextStringObject(_COLOURS),
            "/DestOutputProfile": _stream(writer, profile, {"/N": NumberObject(3)}, is_packed=True),
        }
    )


def _metadata(writer: PdfWriter, facts: _Facts) -> IndirectObject:
    from pypdf.generic import NameObject

    entries = {"/Type": NameObject("/Metadata"), "/Subtype": NameObject("/XML")}
    return _stream(writer, _packet(facts).encode(), entries, is_packed=False)


def _packet(facts: _Facts) -> str:
    """Return the metadata (XMP), with the description of those of Factur-X that archives want (6.6.2.3)."""
    title, subject, author = map(escape, (facts.title, facts.subject, facts.author))
    properties = "".join(
        '<rdf:li rdf:parseType="Resource">'
        f"<pdfaProperty:name>{name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType>"
        "<pdfaProperty:category>external</pdfaProperty:category>"
        f"<pdfaProperty:description>{told}</pdfaProperty:description></rdf:li>\n"
        for name, told in _PROPERTIES.items()
    )
    return f"""<?xpacket begin="\N{ZERO WIDTH NO-BREAK SPACE}" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance></rdf:Description>
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{subject}</rdf:li></rdf:Alt></dc:description>
<dc:creator><rdf:Seq><rdf:li>{author}</rdf:li></rdf:Seq></dc:creator></rdf:Description>
<rdf:Description rdf:about="" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
<pdf:Producer>{_PRODUCER}</pdf:Producer></rdf:Description>
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
<xmp:CreatorTool>{_MADE_BY}</xmp:CreatorTool><xmp:CreateDate>{facts.stamp}</xmp:CreateDate>
<xmp:ModifyDate>{facts.stamp}</xmp:ModifyDate></rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
 xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>{_FACTUR_X}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq>
{properties}</rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>
<rdf:Description rdf:about="" xmlns:fx="{_FACTUR_X}">
<fx:DocumentType>INVOICE</fx:DocumentType><fx:DocumentFileName>{FILE_NAME}</fx:DocumentFileName>
<fx:Version>1.0</fx:Version><fx:ConformanceLevel>{_PROFILE}</fx:ConformanceLevel></rdf:Description>
</rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>"""
