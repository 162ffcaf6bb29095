"""CAMT in the habits of several banks, and what is hostile or broken."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.banking.statements.camt import read_camt
from acctcli.banking.statements.model import ProofFault
from tests.banking.statements import generator as made
from tests.banking.statements.reading import read, refused

D = Decimal
PAID = made.Move(date(2026, 1, 5), date(2026, 1, 5), 12_550, "A1", "Äiti", made.OTHERS[0], "1232", "E1", "Kahvi")
BOOK = made.Book(made.FINNISH, 7, date(2026, 1, 1), date(2026, 1, 31), 10_000, [PAID])

# in the way of the examples of a Finnish bank association's guide: a reference payment with a batch, and a charge
SAMPLE = b"""<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>
<Stmt><Id>STMT-1</Id><LglSeqNb>53</LglSeqNb><FrToDt><FrDtTm>2026-03-02T00:00:00.0+02:00</FrDtTm>
<ToDtTm>2026-03-02T00:00:00.0+02:00</ToDtTm></FrToDt><Acct><Id><IBAN>FI2112345600000785</IBAN></Id><Ccy>EUR</Ccy></Acct>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><CdtLine><Incl>false</Incl></CdtLine><Amt Ccy="EUR">1000</Amt>
<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-03-02</Dt></Dt></Bal>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1290.50</Amt><CdtDbtInd>CRDT</CdtDbtInd>
<Dt><Dt>2026-03-02</Dt></Dt></Bal>
<Ntry><NtryRef>1</NtryRef><Amt Ccy="EUR">300.50</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
<BookgDt><Dt>2026-03-02</Dt></BookgDt><ValDt><Dt>2026-03-02</Dt></ValDt><AcctSvcrRef>260302588UTR0001</AcctSvcrRef>
<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ATXN</SubFmlyCd></Fmly></Domn><Prtry><Cd>705</Cd></Prtry></BkTxCd>
<NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch>
<TxDtls><Refs><AcctSvcrRef>1</AcctSvcrRef><EndToEndId>NOTPROVIDED</EndToEndId></Refs>
<AmtDtls><TxAmt><Amt Ccy="EUR">200</Amt></TxAmt></AmtDtls><RltdPties><Dbtr><Nm>VIRTANEN MATTI</Nm></Dbtr></RltdPties>
<RmtInf><Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>00000000000000001232</Ref></CdtrRefInf></Strd>
</RmtInf></TxDtls>
<TxDtls><AmtDtls><TxAmt><Amt Ccy="EUR">100.5</Amt></TxAmt></AmtDtls><RltdPties><Dbtr><Nm>Oy Ab</Nm></Dbtr></RltdPties>
<RmtInf><Strd><CdtrRefInf><Ref>RF33 2348236</Ref></CdtrRefInf></Strd></RmtInf></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="EUR">10.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt>
<DtTm>2026-03-02T10:00:00</DtTm></BookgDt>
<AcctSvcrRef>260302588UTR0002</AcctSvcrRef><BkTxCd><Prtry><Cd>730</Cd></Prtry></BkTxCd>
<NtryDtls><TxDtls><AmtDtls><InstdAmt><Amt Ccy="SEK">110.35</Amt></InstdAmt></AmtDtls>
<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">0.25</TtlChrgsAndTaxAmt></Chrgs>
<RltdPties><Cdtr><Nm>Bank</Nm></Cdtr><CdtrAcct><Id><Othr><Id>BG 1</Id></Othr></Id></CdtrAcct></RltdPties>
<RmtInf><Ustrd>Palvelumaksu</Ustrd><Ustrd>maaliskuu</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>PDNG</Sts><BkTxCd/></Ntry>
</Stmt></BkToCstmrStmt></Document>"""


@given(st.integers(0, 2**32), st.sampled_from(made.CAMT_HABITS), st.integers(1, 3), st.integers(0, 12))
def test_what_was_written_is_read(seed: int, habit: made.Camt, statements: int, lines: int) -> None:
    truth = made.books(seed, lines, statements)
    done = read(read_camt, made.camt(truth, habit))
    assert done.short == made.expected(truth)
    assert [(one.opening, one.closing) for one in done.statements] == [
        (D(book.opening) / 100, D(book.closing) / 100) for book in truth
    ]


def test_a_statement_with_all_that_there_may_be() -> None:
    done = read(read_camt, SAMPLE)
    first, second, charge, pending = done.lines
    assert (first.amount, first.structured, first.name, first.part) == (D("200.00"), "1232", "VIRTANEN MATTI", 1)
    assert (second.amount, second.structured, second.part, second.batch) == (D("100.50"), "RF332348236", 2, D("300.50"))
    assert (charge.amount, charge.name, charge.iban, charge.text) == (
        D("-10.00"),
        "Bank",
        "BG1",
        "Palvelumaksu maaliskuu",
    )
    assert (charge.charges, charge.original, charge.original_currency) == (D("0.25"), D("110.35"), "SEK")
    assert (first.code, charge.code, charge.number) == ("PMNT-RCDT-ATXN", "730", 19)
    assert (pending.left_out, pending.booked) == ("PDNG", None)
    assert (done.statements[0].head.number, done.statements[0].left_out) == ("53", 1)


def test_a_reversal_has_its_sign_already_and_names_the_parties_as_they_were() -> None:
    back = replace(PAID, cents=-12_550, is_reversal=True)
    (line,) = read(read_camt, made.camt([replace(BOOK, moves=[back])])).lines
    assert (line.amount, line.is_reversal, line.name) == (D("-125.50"), True, "Äiti")


def test_one_of_several_payments_does_not_name_the_whole_batch() -> None:
    data = WHOLE.replace("<NtryDtls>", "<NtryDtls><Btch><NbOfTxs>5</NbOfTxs></Btch>")
    (line,) = read(read_camt, data.encode()).lines
    assert (line.amount, line.name, line.structured) == (D("125.50"), "", "")


def test_reports_and_notifications_have_no_balances() -> None:
    for message, kind in (("052", "report"), ("054", "notification")):
        done = read(read_camt, made.camt([BOOK], made.Camt(message=message)))
        assert (done.statements[0].is_proved, done.statements[0].head.kind, len(done.lines)) == (False, kind, 1)


WHOLE = made.camt([BOOK]).decode()
LINE_OF_ENTRY = WHOLE[: WHOLE.index("<Ntry>")].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "line", "field"),
    [
        ("<Sts>BOOK</Sts>", "", LINE_OF_ENTRY, "Sts"),
        (">125.50<", ">125,50<", LINE_OF_ENTRY + 1, "Ntry/Amt"),
        (">125.50<", ">125.505<", LINE_OF_ENTRY + 1, "Ntry/Amt"),
        (">125.50<", ">NaN<", LINE_OF_ENTRY + 1, "Ntry/Amt"),
        (">125.50<", ">-125.50<", LINE_OF_ENTRY + 1, "Ntry/Amt"),
        (">125.50<", f">{'9' * 30}<", LINE_OF_ENTRY + 1, "Ntry/Amt"),
        ('"EUR">125.50', '"USD">125.50', LINE_OF_ENTRY + 1, "Ntry/Amt"),
        ("2026-01-05</Dt>", "2026-02-30</Dt>", LINE_OF_ENTRY + 4, "BookgDt"),
        ("CRDT</CdtDbtInd>\n<Sts>", "PLUS</CdtDbtInd>\n<Sts>", LINE_OF_ENTRY, "Ntry/CdtDbtInd"),
        ("camt.053.001.02", "pain.001.001.03", 5, "xmlns"),
        (">125.50</Amt>", '>125.50</Amt><Amt Ccy="EUR">1</Amt>', LINE_OF_ENTRY + 1, "Ntry/Amt"),
        ("<Sts>BOOK</Sts>", "<CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts>", LINE_OF_ENTRY + 3, "Ntry/CdtDbtInd"),
        ("</EndToEndId>", "</EndToEndId><EndToEndId>E2</EndToEndId>", LINE_OF_ENTRY + 8, "Refs/EndToEndId"),
        ("<Sts>BOOK</Sts>", '<x:Ntry xmlns:x="urn:x"/><Sts>BOOK</Sts>', LINE_OF_ENTRY + 3, "Ntry"),
    ],
)
def test_what_is_wrong_is_named_with_line_and_field(old: str, new: str, line: int, field: str) -> None:
    assert old in WHOLE
    fault = refused(read_camt, WHOLE.replace(old, new).encode())
    assert (fault.line, fault.field) == (line, field) or field == "xmlns" == fault.field


def test_what_others_add_to_a_statement_is_none_of_its_entries() -> None:
    entry = WHOLE[WHOLE.index("<Ntry>") : WHOLE.index("</Ntry>") + len("</Ntry>")]
    for added in (entry, entry.replace("<Ntry>", '<Ntry xmlns="urn:x">')):
        data = WHOLE.replace("<Sts>BOOK", f"<SplmtryData><Envlp>{added}</Envlp></SplmtryData><Sts>BOOK")
        assert read(read_camt, data.encode()).lines == read(read_camt, WHOLE.encode()).lines
    foreign = WHOLE.replace('<Amt Ccy="EUR">125.50', '<x:Amt xmlns:x="urn:x" Ccy="EUR">1</x:Amt><Amt Ccy="EUR">125.50')
    assert foreign != WHOLE
    assert read(read_camt, foreign.encode()).lines == read(read_camt, WHOLE.encode()).lines


SPACE = b' xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"'


def test_a_statement_without_a_namespace_is_one_by_its_elements_and_balances() -> None:
    assert read(read_camt, SAMPLE.replace(SPACE, b"")).short == read(read_camt, SAMPLE).short
    assert "is missing" in refused(read_camt, SAMPLE.replace(SPACE, b"").replace(b">10.00<", b">10.01<")).problem


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"Document", b"Envelope"),
        # nothing in these proves that they are what they seem
        (b"Stmt>", b"Rpt>"),
        (b"Stmt>", b"Ntfctn>"),
    ],
)
def test_what_else_has_no_namespace_is_refused(old: bytes, new: bytes) -> None:
    fault = refused(read_camt, SAMPLE.replace(SPACE, b"").replace(old, new))
    assert (fault.line, fault.field) == (3, "xmlns")
    assert "urn:iso:std:iso:20022:tech:xsd:camt.053.001.08 would be" in fault.problem


BOOKED = b"<BookgDt><Dt>2026-03-02</Dt></BookgDt>"
VALUED = b"<ValDt><Dt>2026-03-02</Dt></ValDt>"


def test_an_entry_without_a_day_is_booked_on_that_of_a_statement_of_one_day() -> None:
    whole = read(read_camt, SAMPLE)
    lacking = read(read_camt, SAMPLE.replace(BOOKED, b"").replace(VALUED, b"<ValDt><Dt>2026-03-01</Dt></ValDt>"))
    assert lacking.short == whole.short
    assert {line.valued for line in lacking.lines if line.part} == {date(2026, 3, 1)}
    # what is pending has no day, and is not posted
    assert [line.booked for line in lacking.lines if line.left_out] == [None]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"<FrDtTm>2026-03-02", b"<FrDtTm>2026-03-01"),
        (b"<Cd>OPBD<", b"<Cd>ITBD<"),
        (b"<Cd>CLBD<", b"<Cd>CLAV<"),
    ],
)
def test_an_entry_without_a_day_is_refused_where_nothing_proves_one(old: bytes, new: bytes) -> None:
    data = SAMPLE.replace(BOOKED, b"").replace(old, new)
    assert data.count(VALUED) == 1
    fault = refused(read_camt, data)
    line = data[: data.index(b"<Ntry>")].count(b"\n") + 1
    assert (fault.line, fault.field, "<BookgDt>" in fault.problem) == (line, "BookgDt", True)


def test_parts_that_do_not_come_to_their_batch_are_refused() -> None:
    batch = replace(PAID, cents=300, parts=(100, 200))
    data = made.camt([replace(BOOK, moves=[batch])], made.Camt(version="08"))
    assert len(read(read_camt, data).lines) == 2
    fault = refused(read_camt, data.replace(b">2.00<", b">2.01<"))
    assert (fault.problem, fault.field) == ("the parts come to 3.01, and the entry to 3.00", "NtryDtls")


@pytest.mark.parametrize("taken", ["0", "1.50"])
def test_charges_of_a_batch_are_a_part_where_they_are_taken_out_of_it_and_never_those_of_each_part(taken: str) -> None:
    told = '<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">1.50</TtlChrgsAndTaxAmt></Chrgs><NtryDtls><Btch>'
    data = SAMPLE.decode().replace("<NtryDtls><Btch>", told).replace(">300.50<", f">{D('300.50') - D(taken)}<")
    lines = read(read_camt, data.replace(">1290.50<", f">{D('1290.50') - D(taken)}<").encode()).lines
    parts = [(one.amount, one.name, one.charges) for one in lines if one.part]
    assert parts[:2] == [(D("200.00"), "VIRTANEN MATTI", None), (D("100.50"), "Oy Ab", None)]
    assert parts[2:] == ([(D("-1.50"), "", None)] if D(taken) else [])


def test_charges_are_added_up_in_the_currency_of_the_account() -> None:
    charges = "".join(f'<Rcrd><Amt Ccy="{one}">0.10</Amt></Rcrd>' for one in ("EUR", "EUR", "SEK"))
    data = WHOLE.replace("<BkTxCd>", f"<Chrgs>{charges}</Chrgs><BkTxCd>")
    assert read(read_camt, data.encode()).lines[0].charges == D("0.20")


def test_a_notification_without_a_currency_has_that_of_its_entries() -> None:
    data = made.camt([BOOK], made.Camt(message="054")).replace(b"<Ccy>EUR</Ccy>", b"")
    assert read(read_camt, data).statements[0].head.currency == "EUR"


def test_a_statement_that_does_not_add_up_is_refused() -> None:
    fault = refused(read_camt, made.camt([replace(BOOK, moves=[PAID])]).replace(b">225.50<", b">225.51<"))
    assert isinstance(fault, ProofFault)
    assert "100.00 and 125.50 of 1 line come to 225.50, and the statement ends with 225.51: 0.01 is missing" in str(
        fault
    )


def test_two_opening_balances_that_differ_are_refused() -> None:
    opening = WHOLE[WHOLE.index("<Bal>") : WHOLE.index("</Bal>") + 6]
    other = opening.replace("OPBD", "PRCD").replace("100.00", "90.00")
    assert refused(read_camt, WHOLE.replace(opening, opening + other).encode()).field == "PRCD"


# --- hostile ---

LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "ha"}">' for n in range(10))
DOCTYPES = {
    "many laughs": f"<!DOCTYPE Document [{LAUGHS}]>",
    "a file of this machine": '<!DOCTYPE Document [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    "a file of another": '<!DOCTYPE Document SYSTEM "http://127.0.0.1:9/x.dtd">',
    "parameters": '<!DOCTYPE Document [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;]>',
    "nothing": "<!DOCTYPE Document>",
}


@pytest.mark.parametrize("doctype", DOCTYPES.values(), ids=DOCTYPES)
def test_no_document_type_is_read(doctype: str) -> None:
    head, rest = WHOLE.split("?>", 1)
    fault = refused(read_camt, f"{head}?>{doctype}{rest.replace('Kahvi', '&l9;')}".encode())
    assert fault.field == "DOCTYPE"


@pytest.mark.parametrize(
    ("hostile", "told"),
    [
        ("<x>" * 60 + "</x>" * 60, "deeper in each other than 40"),
        ("<x/>" * 30_000, "more than 20,000 elements"),
        (f"<x>{'y' * 2**21}</x>", "more than 1,048,576 characters"),
        ("&unknown;", "this is not XML: undefined entity"),
        ("<x>", "this is not XML: mismatched tag"),
        (f"<!--{'y' * 2**22}-->", "one tag or comment is longer than 1,048,576 bytes"),
        (f"<x y='{'z' * 2**22}'/>", "one tag or comment is longer than 1,048,576 bytes"),
        ("<x y='zzzz'/>" * 19_000 + f"<x y='{'z' * 2**20}'/>", "more than 1,048,576 characters"),
        ("<Stmt></Stmt>", "this stands outside a statement"),
        ("<Ntry></Ntry>", "there is no amount"),
        ("\x00", "this is not XML"),
    ],
)
def test_what_no_bank_writes_is_refused(hostile: str, told: str) -> None:
    assert told in refused(read_camt, WHOLE.replace("<Sts>", f"{hostile}<Sts>").encode()).problem


def test_a_file_that_was_cut_off_is_refused() -> None:
    data = made.camt(made.books(3, 30))
    for length in range(200, len(data) - 20, len(data) // 17):
        refused(read_camt, data[:length])


def test_xml_without_a_statement_is_refused() -> None:
    assert "no statement" in refused(read_camt, b"<Document/>").problem
