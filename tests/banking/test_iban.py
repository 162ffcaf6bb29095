"""IBANs and the banks of Finnish ones (docs/law.md 5.4)."""

from __future__ import annotations

import pytest
import stdnum.iban
from hypothesis import given
from hypothesis import strategies as st
from stdnum.luhn import calc_check_digit

from acctcli.banking.iban import check_iban, finnish_bic, grouped, looks_like_iban

# examples of the registry of ISO 13616
PUBLISHED = """
AD1200012030200359100100 AE070331234567890123456 AL47212110090000000235698741 BE68539007547034 BG80BNBG96611020345678
BR9700360305000010009795493P1 CH9300762011623852957 CY17002001280000001200527600 CZ6508000000192000145399
DK5000400440116243 EE382200221020145685 ES9121000418450200051332 FR1420041010050500013M02606 GE29NB0000000101904917
GI75NWBK000000007099453 GR1601101250000000012300695 HR1210010051863000160 HU42117730161111101800000000
IE29AIBK93115212345678 IS140159260076545510730339 IT60X0542811101000000123456 KW81CBKU0000000000001234560101
LC55HEMM000100010012001200023015 LI21088100002324013AA LT121000011101001000 LU280019400644750000
LV80BANK0000435195001 LY83002048000020100120361 MC5811222000010123456789030 MD24AG000225100013104168
ME25505000012345678951 MK07250120000058984 NL91ABNA0417164300 NO9386011117947 PL61109010140000071219812874
PT50000201231234567890154 RO49AAAA1B31007593840000 RS35260005601001611379 SC18SSCB11010000000000001497USD
SI56263300012039086 SK3112000000198742637541 SM86U0322509800000000270100 TN5910006035183598478831
TR330006100519786457841326 UA213223130000026007233566001 VA59001123000012345678 XK051212012345678906
""".split()  # noqa: SIM905

FINNISH = st.integers(10**12, 9 * 10**12).map(lambda base: finnish(str(base)))


def finnish(base: str) -> str:
    account = base + calc_check_digit(base)
    return f"FI{stdnum.iban.calc_check_digits(f'FI00{account}')}{account}"


@pytest.mark.parametrize(
    ("text", "iban"),
    [
        ("FI79 4405 2020 0360 82", "FI7944052020036082"),
        ("fi5810171000000122", "FI5810171000000122"),
        ("FI58\N{NO-BREAK SPACE}1017\N{NARROW NO-BREAK SPACE}1000\t0001 22\n", "FI5810171000000122"),
        ("FI37 1590 3000 0007 76", "FI3715903000000776"),
        ("FI49 5000 9420 0287 30", "FI4950009420028730"),
        ("DE89 3704 0044 0532 0130 00", "DE89370400440532013000"),
        ("SE45 5000 0000 0583 9825 7466", "SE4550000000058398257466"),
        ("GB29 NWBK 6016 1331 9268 19", "GB29NWBK60161331926819"),
        ("MT84 MALT 0110 0001 2345 MTLC AST0 01S", "MT84MALT011000012345MTLCAST001S"),
    ],
)
def test_an_iban_is_taken_as_people_type_it(text: str, iban: str) -> None:
    assert check_iban(text) == iban


@pytest.mark.parametrize("iban", PUBLISHED)
def test_accounts_have_the_length_of_their_country(iban: str) -> None:
    assert check_iban(iban) == iban
    for other in (iban[:-1], f"{iban}0"):
        with pytest.raises(ValueError, match=f"an IBAN of {iban[:2]} has {len(iban)} characters|10 to 30 letters"):
            check_iban(other)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "two letters of a country"),
        ("4405 2020 0360 82", "two letters of a country"),
        ("FI79-4405-2020-0360-82", "two letters of a country"),
        ("ZZ7944052020036082", "ZZ is no country"),
        ("FI794405202003608", "an IBAN of FI has 18 characters, and this has 17"),
        ("DE8937040044053201300", "an IBAN of DE has 22 characters, and this has 21"),
        ("FI7944052020036083", "do not fit the account"),
        ("DE88370400440532013000", "do not fit the account"),
        # right by 97, where check digits from 02 to 98 are right too
        ("DE00370400440532013050", "do not fit the account"),
        ("DE01370400440532013032", "do not fit the account"),
        ("DE99370400440532013014", "do not fit the account"),
        # right by 97, and no Finnish account
        ("FI5244052020036083", "last digit of the Finnish account"),
        ("FI74A4052020036082", "last digit of the Finnish account"),
        # right by 97, with a letter where Austria has digits
        ("AT06806G360163508865", "an account of AT has digits and letters in other places"),
    ],
)
def test_a_wrong_iban_says_why(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        check_iban(text)


@pytest.mark.parametrize(
    ("number", "bic"),
    [
        ("101", "NDEAFIHH"),
        ("250", "NDEAFIHH"),
        ("331", "ESSEFIHX"),
        ("340", "DABAFIHH"),
        ("361", "SBANFIHH"),
        ("370", "DNBAFIHX"),
        ("391", "SBANFIHH"),
        ("400", "ITELFIHH"),
        ("405", "HELSFIHH"),
        ("440", "ITELFIHH"),
        ("470", "POPFFI22"),
        ("478", "POPFFI22"),
        ("497", "HELSFIHH"),
        ("500", "OKOYFIHH"),
        ("660", "AABAFI22"),
        ("713", "CITIFIHX"),
        ("715", "ITELFIHH"),
        ("717", "BIGKFIH1"),
        ("797", "TRYEFIH2"),
        ("799", "HOLVFIHH"),
        ("800", "DABAFIHH"),
        # numbers that no bank has, or whose bank left
        ("310", None),
        ("380", None),
        ("404", None),
        ("711", None),
        ("900", None),
    ],
)
def test_the_first_digits_tell_the_bank(number: str, bic: str | None) -> None:
    assert finnish_bic(finnish(f"{number}0000000012")) == bic


def test_foreign_numbers_do_not_tell_a_finnish_bank() -> None:
    assert finnish_bic("DE89370400440532013000") is None


def test_print_groups() -> None:
    assert grouped("FI7944052020036082") == "FI79 4405 2020 0360 82"
    assert grouped("SE4550000000058398257466") == "SE45 5000 0000 0583 9825 7466"


@given(FINNISH)
def test_finnish_accounts_are_taken(iban: str) -> None:
    assert check_iban(grouped(iban)) == iban
    assert stdnum.iban.is_valid(iban)


@given(FINNISH, st.data())
def test_one_wrong_digit_is_refused(iban: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(2, len(iban) - 1))
    digit = data.draw(st.sampled_from([one for one in "0123456789" if one != iban[place]]))
    with pytest.raises(ValueError, match="check"):
        check_iban(iban[:place] + digit + iban[place + 1 :])


@given(st.text("0123456789ABZ", min_size=10, max_size=30), st.sampled_from(["AT", "BE", "DE", "EE", "FR", "NO", "SE"]))
def test_lengths_and_checks_agree_with_a_second_opinion(body: str, country: str) -> None:
    iban = f"{country}{stdnum.iban.calc_check_digits(f'{country}00{body}')}{body}"
    try:
        stdnum.iban.validate(iban, check_country=False)
    except stdnum.exceptions.ValidationError:
        with pytest.raises(ValueError, match=r"account|characters"):
            check_iban(iban)
        return
    assert check_iban(iban) == iban


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("fi49 5000 9420 0287 31", True),
        ("FI49 5000 9420", True),
        ("FI49 5000 9420 0287 30 OKOYFIHH", True),
        ("BG 5805-6201", False),
        ("BG 58056201", False),
        ("SB01000123456", False),
        ("CHASUS33 1234567", False),
        ("021000021 123456789", False),
        ("", False),
    ],
)
def test_what_is_meant_as_an_iban(text: str, meant: bool) -> None:
    assert looks_like_iban(text) is meant
