"""Papers and e-invoices of random trade: judged by the official rules, read by other programs, scanned (docs/law.md 7).

What is judged is what was accepted: all of it is made through commands, and compared with the JSON of the service.
"""

from __future__ import annotations

import re
from collections import defaultdict
from decimal import Decimal
from pathlib import Path

import pytest
from facturx import get_facturx_xml_from_pdf

from acctcli.einvoice.incoming.proving import prove
from acctcli.einvoice.incoming.reading import read_einvoice
from tests.einvoice.bulk.paper import assert_says, codes_of
from tests.einvoice.bulk.people import SELLERS
from tests.einvoice.bulk.saying import read_by_others, read_here, told
from tests.einvoice.bulk.trade import Sold, trade
from tests.einvoice.rulebooks import CLEAN, Rulebook, Verdict
from tests.papers.scanning import codes, pages
from tests.sizes import is_full

SEED = 20261
LEAST = 200 if is_full() else 12
# an inch; of fewer than enough a module of the barcode has less than two, and it may go unread, but is never misread
DOTS = (150, 200, 300)
ENOUGH = 200
# not called XRechnung
ONLY_THE_NAME = Verdict([], ["BR-DE-21"])
FORMATS = ("xrechnung", "peppol", "finvoice", "cii")
_FIELD = re.compile(r"(?:made: |\), )([a-z_.0-9]+) \(")


class Written:
    """Everything that commands write of accepted invoices, each once."""

    def __init__(self, folder: Path) -> None:
        self.sold = trade(SEED, LEAST, folder)
        self._made: dict[tuple[str, str], bytes | set[str]] = {}
        for seller, place in {one.seller: one.place for one in self.sold}.items():
            place.run("invoice", "pdf", "--all", "--to", seller)
            # of some no e-invoice can be made
            place.try_run("invoice", "pdf", "--all", "--to", f"{seller}-zugferd", "--format", "zugferd")

    def xml(self, one: Sold, form: str) -> bytes | set[str]:
        """Return an e-invoice, or the fields for want of which none is made."""
        if (key := (one.name, form)) not in self._made:
            path = one.place.folder / "made.xml"
            path.unlink(missing_ok=True)
            done = one.place.try_run("invoice", "xml", one.id, "--format", form, "--output-file", str(path))
            self._made[key] = path.read_bytes() if done.code == 0 else set(_FIELD.findall(done.err))
        return self._made[key]

    def pdf(self, one: Sold, kind: str = "") -> bytes | None:
        path = one.place.folder / f"{one.seller}{kind}" / one.invoice["pdf"]["name"]
        return path.read_bytes() if path.exists() else None


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return Written(tmp_path_factory.mktemp("bulk"))


def lacking(one: Sold, form: str) -> set[str]:
    """Return the fields for want of which a format is refused, by what its rules ask for (docs/law.md 7.4 to 7.9)."""
    buyer, seller = one.invoice["receiver_info"], SELLERS[one.seller]
    codes = {row["vat_code"] for row in one.invoice["rows"]}
    # BR-O-11
    found = {"rows"} if 12 in codes and len(codes) > 1 else set()
    if form in {"xrechnung", "peppol"} and not (buyer["xrechnung_buyer_reference"] or one.invoice["buyer_reference"]):
        found.add("receiver_info.xrechnung_buyer_reference")
    in_peppol = buyer["invoicing_electronic_address"] or buyer["invoicing_einvoice_address"]
    if form == "peppol" and not seller.get("invoicing_electronic_address"):
        found.add("business.invoicing_electronic_address")
    if form in {"xrechnung", "peppol"} and not in_peppol and (form == "peppol" or not buyer["invoicing_email"]):
        found.add("receiver_info.invoicing_electronic_address")
    return found


@pytest.mark.parametrize("form", FORMATS)
def test_what_was_accepted_is_written_or_what_it_lacks_is_named(written: Written, form: str) -> None:
    lacks = {one.name: lacking(one, form) for one in written.sold}
    found = {one.name: made for one in written.sold if isinstance(made := written.xml(one, form), set)}
    assert found == {name: fields for name, fields in lacks.items() if fields}
    assert len(found) < LEAST


def judged(rulebook: Rulebook, form: str, xml: bytes) -> Verdict:
    match form:
        case "finvoice":
            return Verdict(rulebook.judge_finvoice(xml), [])
        case "cii":
            return rulebook.judge_cii(xml)
        case _:
            # the rules of KoSIT hold those of Peppol
            return rulebook.judge_xrechnung(xml)


@pytest.mark.parametrize("form", FORMATS)
def test_the_official_rules_find_no_fault(form: str, written: Written, rulebook: Rulebook) -> None:
    made = {one.name: xml for one in written.sold if isinstance(xml := written.xml(one, form), bytes)}
    assert made
    known = ONLY_THE_NAME if form == "peppol" else CLEAN
    verdicts = {name: judged(rulebook, form, xml) for name, xml in made.items()}
    assert {name: verdict for name, verdict in verdicts.items() if verdict != known} == {}


def test_what_is_written_as_xrechnung_lacks_only_its_name_in_cii(written: Written, rulebook: Rulebook) -> None:
    both = [one for one in written.sold if isinstance(written.xml(one, "xrechnung"), bytes)]
    found = {
        one.name: rulebook.judge_xrechnung_in_cii(xml)
        for one in both
        if isinstance(xml := written.xml(one, "cii"), bytes)
    }
    assert found == {one.name: ONLY_THE_NAME.rules for one in both}


def test_others_read_what_the_service_says(written: Written) -> None:
    for one in written.sold:
        says = told(one.invoice)
        for form in ("xrechnung", "peppol", "cii"):
            if isinstance(xml := written.xml(one, form), bytes):
                assert (one.name, form, read_by_others(xml)) == (one.name, form, says)
        if isinstance(xml := written.xml(one, "finvoice"), bytes):
            prove(read := read_einvoice(xml))
            assert (one.name, read_here(read)) == (one.name, says)


def test_sums_are_those_of_each_rate_and_credit_notes_come_to_what_they_credit(written: Written) -> None:
    left: dict[tuple[str, int], list[Decimal]] = defaultdict(list)
    for one in written.sold:
        if one.original is None:
            assert told(one.invoice).rounding == 0, one.name
        else:
            left[one.seller, one.original["id"]] += [one.invoice["total_amount"], one.invoice["total_vat_amount"]]
    credited = {(one.seller, one.original["id"]): one.original for one in written.sold if one.original}
    assert left
    for key, original in credited.items():
        amounts = left[key]
        assert (key, sum(amounts[::2]), sum(amounts[1::2])) == (
            key, -original["total_amount"], -original["total_vat_amount"]
        )  # fmt: skip


def test_paper_says_the_same_and_holds_the_e_invoice(written: Written, tmp_path: Path) -> None:
    for one in written.sold:
        paper, hybrid, cii = written.pdf(one), written.pdf(one, "-zugferd"), written.xml(one, "cii")
        assert paper
        language = "de" if one.seller.country == "DE" else one.invoice["receiver_info"]["invoicing_language"]
        assert_says(" ".join(pages(paper, tmp_path)), one.invoice, language)
        assert (hybrid is None) == isinstance(cii, set)
        if hybrid:
            assert get_facturx_xml_from_pdf(hybrid) == ("factur-x.xml", cii)


def test_scanners_read_how_to_pay(written: Written, tmp_path: Path) -> None:
    slips = [(one, says) for one in written.sold if (says := codes_of(one.invoice, SELLERS[one.seller]))]
    # in a usual run one in each way
    ways = [(place, dots) for place in range(len(slips)) for dots in DOTS] if is_full() else enumerate(DOTS)
    scanned: dict[tuple[str, int], dict[str, str]] = {}
    wanted: dict[tuple[str, int], dict[str, str]] = {}
    for place, dots in ways:
        one, says = slips[place]
        paper = written.pdf(one)
        assert paper
        scanned[one.name, dots] = found = codes(paper, tmp_path, len(pages(paper, tmp_path)), dots)
        is_unread = dots < ENOUGH and "code128" not in found
        wanted[one.name, dots] = {"qrcode": says["qrcode"]} if is_unread else says
    assert scanned == wanted
