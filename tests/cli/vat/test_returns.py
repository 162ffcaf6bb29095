"""The VAT return: what is shown, what is refused, and the file (docs/law.md 2)."""

from __future__ import annotations

import errno
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import At, Cli, succeed
from tests.cli.vat.service import FINNISH, GERMAN, SUMMARY, service
from tests.journeys.places import fresh

RETURN = ("vat", "return", "--period", "2026-03")
MADE_AT = re.compile(rb"198:\d{14}\r\n")


def summary(**changes: Any) -> dict[str, Any]:
    return {"summary": {**SUMMARY, **changes}}


def test_every_box_is_shown(cli: Cli, at: At) -> None:
    with service() as server:
        at(server)
        shown = succeed(cli(*RETURN, "--output", "csv", "--locale", "fi")).lines()
    assert shown[0] == "box,label,amount"
    assert shown[1] == '301,"Vero kotimaan myynnistä, yleinen verokanta",25.50'
    assert [line.rsplit(",", 1)[1] for line in shown[1:]] == [
        "25.50", "0.00", "0.00", "0.00", "0.00", "25.50", "0.00", "39.44", "11.56",
        "0.00", "0.00", "0.00", "0.00", "0.00", "100.00", "0.00", "0.00",
    ]  # fmt: skip
    report = next(one for one in server.sent if one.path.endswith("/vat-report/"))
    assert json.loads(report.body) == {"columns": [{"date_from": "2026-03-01", "date_to": "2026-03-31"}]}


@pytest.mark.together
@pytest.mark.parametrize(
    ("business", "is_said"),
    [
        ({**FINNISH, "vat_reporting_method": "FI_CASH_BASIS"}, True),
        ({**FINNISH, "vat_reporting_method": "DEFAULT"}, False),
        (FINNISH, False),
    ],
)
def test_a_return_by_payments_says_so(cli: Cli, at: At, business: dict[str, Any], is_said: bool) -> None:
    with service(business) as server:
        at(server)
        assert ("VAT follows payments" in succeed(cli(*RETURN)).err) == is_said


def test_money_that_no_claim_takes_is_named(cli: Cli, at: At) -> None:
    money = [
        {"document_id": number, "number": f"2603{number:02}-1", "date": "2026-03-01", "amount": 12.55}
        for number in range(1, 23)
    ]
    untold = {"unclaimed_money": money, "returned_money": money[:1]}
    with service({**FINNISH, "vat_reporting_method": "FI_CASH_BASIS"}, summary() | untold) as server:
        at(server)
        done = succeed(cli(*RETURN, "--json"))
        shown = succeed(cli(*RETURN, "--output", "csv", "--locale", "fi"))
    *_, row, back = done.json()
    assert back == {
        "box": None,
        "label": "In no box: money that went back, of no known sale (260301-1)",
        "amount": -12.55,
    }
    assert "in no return: 12.55 that went back, of which sale is not known: 260301-1" in done.err
    assert (row["box"], row["amount"]) == (None, 276.10)
    assert row["label"].startswith("In no box: money that no claim takes (260301-1, 260302-1, ")
    assert row["label"].endswith("260320-1 and 2 more)")
    assert "in no return: 276.10 that no invoice or claim takes, of documents 260301-1, " in done.err
    assert "acctcli document correct ID" in done.err
    assert shown.lines()[-2].startswith(',"Ei missään kohdassa: maksut ilman saatavaa (260301-1')


def test_json_keeps_the_digits(cli: Cli, at: At) -> None:
    with service() as server:
        at(server)
        shown = succeed(cli(*RETURN, "--json"))
    assert '{"box":"308","label":"Tax to pay, or to be refunded (-)","amount":11.56}' in shown.out
    assert '"amount":100.00}' in shown.out


@pytest.mark.parametrize(
    ("options", "environ", "label"),
    [
        (("--locale", "sv"), "fi_FI.UTF-8", "Skatt att dra av för skatteperioden"),
        ((), "fi_FI.UTF-8", "Verokauden vähennettävä vero"),
        ((), "C.UTF-8", "Deductible tax"),
        (("--locale", "de"), "C.UTF-8", "Abziehbare Steuer"),
    ],
)
def test_the_language_of_the_boxes(
    cli: Cli, at: At, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], environ: str, label: str
) -> None:
    monkeypatch.setenv("LC_ALL", environ)
    with service() as server:
        at(server)
        assert label in succeed(cli(*RETURN, *options)).out


def test_the_file_is_written_whole(cli: Cli, at: At) -> None:
    with service() as server:
        at(server)
        done = succeed(cli(*RETURN, "--filing-file", "march.txt", "--corrects", "audit"))
    assert "wrote march.txt" in done.err
    assert MADE_AT.sub(b"", Path("march.txt").read_bytes()) == (
        b"000:VSRALVKV\r\n014:0112038-9_AC\r\n048:acctcli\r\n010:0112038-9\r\n050:K\r\n052:3\r\n053:2026\r\n"
        b"301:25,50\r\n306:25,50\r\n307:39,44\r\n308:11,56\r\n314:100,00\r\n333:1\r\n042:+358 40 123 4567\r\n999:1\r\n"
    )


@pytest.mark.parametrize(
    ("options", "reporter", "number"),
    [
        (("--phone", "112"), "09 765 4321", "112"),
        (("--phone", "1" * 32), "09 765 4321", "1" * 32),
        ((), "09 765 4321", "09 765 4321"),
        ((), "", "+358 40 123 4567"),
        ((), None, "+358 40 123 4567"),
    ],
)
def test_whom_to_call_is_said_else_who_reported_last_else_the_business(
    cli: Cli, at: At, options: tuple[str, ...], reporter: str | None, number: str
) -> None:
    with service({**FINNISH, "taxauthority_latest_reporter_phone_number": reporter}) as server:
        at(server)
        succeed(cli(*RETURN, "--filing-file", "march.txt", *options))
    assert [line for line in Path("march.txt").read_text().splitlines() if line.startswith("042:")] == [f"042:{number}"]


@pytest.mark.together
@pytest.mark.parametrize("command", ["return", "recapitulative"])
@pytest.mark.parametrize(
    ("period", "told"),
    [("2099-03", "has not ended"), ("2026-02", "is no VAT period"), ("2025-12", "is no VAT period")],
)
def test_only_a_period_that_ended_and_is_filed_gets_a_file(
    cli: Cli, at: At, command: str, period: str, told: str
) -> None:
    march = {"id": 1, "start_date": "2026-03-01", "end_date": "2026-03-31", "due_date": "2026-05-12", "period": 0}
    with service(vat_periods=[march], sales={}) as server:
        at(server)
        asked = ("vat", command, "--period", period)
        refused = cli(*asked, "--filing-file", "out.txt")
        assert (refused.code, told in refused.err, Path("out.txt").exists()) == (2, True, False)
        assert not any("report" in one.path for one in server.sent)
        # without a file it may be looked at
        succeed(cli("vat", "return", "--period", period))


def test_a_full_disk_is_said_of_the_file_that_filled_it(cli: Cli, at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with service() as server:
        at(server)
        filed = cli(*RETURN, "--filing-file", "march.txt")
        shown = cli(*RETURN, "--output-file", "boxes.txt")
    assert (filed.code, filed.out, filed.err) == (
        1, "", "error: --filing-file march.txt cannot be written: No space left on device\n",
    )  # fmt: skip
    assert shown.err == "error: --output-file boxes.txt cannot be written: No space left on device\n"
    assert list(Path.cwd().iterdir()) == []


def test_a_file_is_not_replaced_without_a_word(cli: Cli, at: At) -> None:
    file = Path("march.txt")
    file.write_text("filed")
    with service() as server:
        at(server)
        refused = cli(*RETURN, "--filing-file", "march.txt")
        assert (refused.code, file.read_text()) == (2, "filed")
        assert "--yes" in refused.err
        succeed(cli(*RETURN, "--filing-file", "march.txt", "--yes"))
    assert file.read_bytes().startswith(b"000:VSRALVKV\r\n")


@pytest.mark.together
@pytest.mark.parametrize(
    ("report", "told"),
    [
        (
            summary(domestic_sales={"19.00": {"base": 100.00, "vat": 19.00}}, vat_payable=5.06),
            "no box takes tax at 19 % 19.00",
        ),
        (
            summary(non_eu_service_purchases={"base": 2000.00, "vat": 355.00}, vat_payable=366.56),
            "no box takes tax on services from outside the EU at several rates 355.00",
        ),
        (summary(vat_payable=12.00), "it says 11.56 is to be paid, the books say 12.00"),
        ({"totals": {}, "mapping": {}}, "has no summary"),
    ],
)
def test_a_wrong_figure_is_not_filed(cli: Cli, at: At, report: dict[str, Any], told: str) -> None:
    with service(vat_report=report) as server:
        at(server)
        refused = cli(*RETURN, "--filing-file", "march.txt")
    assert refused.code == 10
    assert told in refused.err
    assert not Path("march.txt").exists()


def test_a_report_of_another_shape_is_named(cli: Cli, at: At) -> None:
    with service(vat_report=summary(import_goods=5.00)) as server:
        at(server)
        refused = cli(*RETURN)
    assert refused.code == 9
    assert "the VAT report is not what the interface promises: import_goods is" in refused.err


def test_adjustments_must_be_placed(cli: Cli, at: At) -> None:
    with service(vat_report=summary(adjustments=-7.07, vat_payable=4.49)) as server:
        at(server)
        refused = cli(*RETURN)
        placed = succeed(cli(*RETURN, "--adjustments", "301", "--jq", '.[] | select(.box == "301").amount'))
        left_out = succeed(cli(*RETURN, "--adjustments", "none", "--jq", '.[] | select(.box == "308").amount'))
    assert (refused.code, placed.out, left_out.out) == (10, "18.43\n", "11.56\n")
    assert "no box takes adjustments -7.07" in refused.err
    assert "make payments of VAT documents of type vat" in refused.err
    assert (placed.err, left_out.err) == ("", "on no line of the return: adjustments -7.07\n")


@pytest.mark.together
@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--adjustments", "81"), "--adjustments 81: adjustments go to one of 301, 302, 303, 307, none"),
        (("--special-prepayment", "100"), "--special-prepayment: Only German businesses prepay."),
        (("--special-prepayment", "1e9999999"), "not an amount"),
        (("--special-prepayment", "1.005"), "not an amount"),
        (("--filing-file", "nowhere/march.txt"), "there is no folder nowhere"),
        (("--phone", "call\nme", "--filing-file", "march.txt"), "is no phone number"),
        (("--phone", "12", "--filing-file", "march.txt"), "'12' is no phone number"),
        (("--phone", "1" * 33, "--filing-file", "march.txt"), "is no phone number"),
        (("--period", "2026-03-14", "--filing-file", "march.txt"), "is no tax period"),
        (("--period", "soon"), "--period 'soon'"),
        (("--corrects", "boredom"), "boredom"),
    ],
)
def test_bad_input_is_refused_before_the_report_is_asked_for(
    cli: Cli, at: At, options: tuple[str, ...], told: str
) -> None:
    with service() as server:
        at(server)
        refused = cli(*RETURN, *options)
    assert (refused.code, refused.out) == (2, "")
    assert told in refused.err
    assert [one.path for one in server.sent if "report" in one.path] == []
    assert not Path("march.txt").exists()


@pytest.mark.together
@pytest.mark.parametrize(
    ("business", "told"),
    [
        ({**FINNISH, "identifiers": []}, "business demo has no y_tunnus"),
        ({**FINNISH, "identifiers": [{"type": "y_tunnus", "value": "demo-bfa195"}]}, "'demo-bfa195' is no Y-tunnus"),
        ({**FINNISH, "contact_phone": None}, "the file needs a phone number"),
    ],
)
def test_a_file_names_who_files(cli: Cli, at: At, business: dict[str, Any], told: str) -> None:
    with service(business) as server:
        at(server)
        refused = cli(*RETURN, "--filing-file", "march.txt")
        succeed(cli(*RETURN))
    assert refused.code == 2
    assert told in refused.err


GERMAN_REPORT = {
    "mapping": {"81": 1000.99, "89": 500.00, "61": 95.00, "62": 19.00, "66": 12.30, "83": 158.89},
    "totals": {"deductible_vat": 126.30, "import_vat": 19.00, "vat_payable": 177.89},
}


def test_a_german_return(cli: Cli, at: At) -> None:
    with service(GERMAN, GERMAN_REPORT) as server:
        at(server)
        done = succeed(cli(*RETURN, "--filing-file", "ustva.csv", "--json"))
    shown = {one["box"]: one["amount"] for one in done.json()}
    assert {box: value for box, value in shown.items() if value} == {
        "81": 1000,
        "89": 500,
        "61": 95.00,
        "62": 19.00,
        "66": 12.30,
        "83": 158.70,
    }
    assert "on no line of the return: import vat 19.00" in done.err
    assert Path("ustva.csv").read_text().splitlines()[:4] == [
        "Kz;Wert;Bezeichnung",
        "Steuernummer;21/815/08150;",
        "Zeitraum;2026 03;",
        "81;1000;Steuerpflichtige Umsätze zu 19 %",
    ]


EXTENDED = {**GERMAN, "has_dauerfristverlaengerung": True}


@pytest.mark.together
@pytest.mark.parametrize(
    ("business", "period", "told"),
    [
        (EXTENDED, "2026-11", "2026-11 is not the last month of 2026: 2026-12 credits the prepayment."),
        (EXTENDED, "2026-Q4", "2026-10-01 - 2026-12-31 is no month: only who files by month prepays."),
        (GERMAN, "2026-12", "The business has no Dauerfristverlängerung: nothing was prepaid."),
    ],
)
def test_a_special_prepayment_belongs_to_december_of_who_was_given_longer(
    cli: Cli, at: At, business: dict[str, Any], period: str, told: str
) -> None:
    with service(business, GERMAN_REPORT) as server:
        at(server)
        refused = cli("vat", "return", "--period", period, "--special-prepayment", "100")
    assert (refused.code, refused.out) == (2, "")
    assert f"--special-prepayment: {told}" in refused.err
    assert [one.path for one in server.sent if "report" in one.path] == []


@pytest.mark.parametrize("business", [EXTENDED, EXTENDED | {"has_dauerfristverlaengerung": None}])
def test_the_special_prepayment_is_credited(cli: Cli, at: At, business: dict[str, Any]) -> None:
    """Whoever was given longer, and where the service does not tell."""
    with service(business, GERMAN_REPORT) as server:
        at(server)
        done = succeed(
            cli("vat", "return", "--period", "2026-12", "--special-prepayment", "100.5", "--output", "csv", "--quiet")
        )
    assert done.lines()[-4:-2] == [
        "39,Special prepayment credited,100.50",
        '83,"Tax to pay, or to be refunded (-)",58.20',
    ]


@pytest.mark.together
@pytest.mark.parametrize(
    ("business", "period", "is_noted"),
    [
        (EXTENDED, "2026-12", True),
        (EXTENDED, "2026-11", False),
        (EXTENDED, "2026-Q4", False),
        (GERMAN, "2026-12", False),
    ],
)
def test_a_return_that_credits_no_special_prepayment_where_it_would_says_so(
    cli: Cli, at: At, business: dict[str, Any], period: str, is_noted: bool
) -> None:
    with service(business, GERMAN_REPORT) as server:
        at(server)
        done = succeed(cli("vat", "return", "--period", period))
    assert ("note: nothing is credited of the special prepayment" in done.err) == is_noted


def test_a_period_reported_without_the_special_prepayment_says_so(tmp_path: Path) -> None:
    place = fresh("de", tmp_path, ACCTCLI_BUSINESS="de")
    place.run("business", "create", "--name", "M UG", "--form", "DE_UG", "--slug", "de", "--vat-period", "month")
    place.run("business", "update", "--set", "has_dauerfristverlaengerung=true", "--yes")
    place.run("period", "create", "--start", "2025-01-01", "--end", "2025-12-31")
    place.run("vat", "period", "create", "--from", "2025-12-01")
    place.run("document", "create", "--date", "2025-12-15", "--debit", "1200:11900", "--credit", "4400:11900")
    told = "note: nothing is credited of the special prepayment"
    done = place.run("vat", "period", "report", "2025-12", "--yes", "--json")
    assert (json.loads(done.out)["filing_tax_to_be_paid"], told in done.err) == (1900, True)
    place.run("vat", "period", "reopen", "2025-12", "--reason", "Prepaid", "--yes")
    done = place.run("vat", "period", "report", "2025-12", "--special-prepayment", "1000", "--yes", "--json")
    assert (json.loads(done.out)["filing_tax_to_be_paid"], told in done.err) == (900, False)


@pytest.mark.together
@pytest.mark.parametrize("report", [None, {"totals": {"vat_payable": 19.00}}, {"mapping": {"81": 100.00, "83": 19.00}}])
def test_a_german_report_has_form_fields_and_totals(cli: Cli, at: At, report: dict[str, Any] | None) -> None:
    with service(GERMAN, report) as server:
        at(server)
        refused = cli(*RETURN)
    assert refused.code == 10
    assert "has no form fields and totals" in refused.err


def test_german_adjustments_must_be_placed(cli: Cli, at: At) -> None:
    report = {"mapping": {"81": 1000.00, "83": 190.00}, "totals": {"adjustments": -19.00, "vat_payable": 171.00}}
    with service(GERMAN, report) as server:
        at(server)
        refused = cli(*RETURN)
        placed = succeed(cli(*RETURN, "--adjustments", "81", "--jq", '.[] | select(.box == "81").amount'))
        unknown = cli(*RETURN, "--adjustments", "301")
    assert (refused.code, unknown.code, placed.out) == (10, 2, "900\n")
    assert "no box takes adjustments -19.00" in refused.err
    assert "--adjustments" in refused.err


def test_germany_has_no_return_for_a_year(cli: Cli, at: At) -> None:
    with service(GERMAN, GERMAN_REPORT) as server:
        at(server)
        refused = cli("vat", "return", "--period", "2026", "--filing-file", "year.csv")
    assert refused.code == 2
    assert "no advance VAT return for a year" in refused.err


@pytest.mark.together
@pytest.mark.parametrize(("country", "told"), [("SE", "SE"), (None, "no country")])
@pytest.mark.parametrize("argv", [RETURN, ("vat", "recapitulative", "--period", "2026-03"), ("vat", "calendar")])
def test_the_law_of_another_country_is_not_made_up(
    cli: Cli, at: At, argv: tuple[str, ...], country: str | None, told: str
) -> None:
    periods = [{"id": 1, "start_date": "2026-03-01", "end_date": "2026-03-31", "due_date": "2026-05-12"}]
    with service({**FINNISH, "country": country}, vat_periods=periods) as server:
        at(server)
        refused = cli(*argv)
    assert (refused.code, refused.out) == (2, "")
    assert f"the law of {told} is not known, only that of FI, DE" in refused.err
