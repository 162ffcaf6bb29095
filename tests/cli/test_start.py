"""`start`: a company by questions, and the commands that make it."""

from __future__ import annotations

import json
import os
from pathlib import Path

from tests.cli.conftest import Cli
from tests.cli.test_terminal import on_terminal
from tests.journeys.places import fresh

ANSWERS = (
    "Kahvila Äiti Oy", "", "", "0112038-8", "0112038-9", "week", "quarter", "FI01120388", "FI01120389",
    "FI2112345600000786", "FI21 1234 5600 0007 85", "Satama 1", "00100", "Helsinki", "osto", "", "", "y",
)  # fmt: skip


def typed(*answers: str) -> bytes:
    return "".join(f"{one}\n" for one in answers).encode()


def test_a_company_is_set_up_by_questions(tmp_path: Path) -> None:
    place = fresh("in process", tmp_path)
    variables = {**place.environ, "PATH": os.environ["PATH"]}
    screen = on_terminal(variables, "start", typed=typed(*ANSWERS), after=b"called? ", columns=200)
    assert screen.code == 0, screen.seen
    # what is wrong is asked again, with what would be right
    for told in ("There are none, month, quarter, year.", "0112038-9", "A VAT id is needed", "an address such as"):
        assert told in screen.seen
    place.environ["ACCTCLI_BUSINESS"] = "kahvila-aiti-oy"
    made = place.json("business", "get")
    assert (made["name"], made["form"], made["business_id"]) == ("Kahvila Äiti Oy", "FI_OY", "0112038-9")
    assert (made["default_vat_period"], made["invoicing_city"], made["invoicing_iban"]) == (
        1, "Helsinki", "FI2112345600000785",
    )  # fmt: skip
    assert [one["value"] for one in made["identifiers"]] == ["0112038-9", "FI01120389"]
    assert place.json("account", "get", "1910")["description"] == "FI2112345600000785"
    # the commands it shows make the same company again
    shown = [line.strip() for line in screen.seen.splitlines() if line.startswith("  acctcli business create")]
    assert len(shown) == 1
    assert "--name 'Kahvila Äiti Oy' --form FI_OY --slug kahvila-aiti-oy --business-id 0112038-9" in shown[0]


GERMAN_ANSWERS = (
    "Werk UG", "", "DE_UG", "skr49", "skr03", "181/815/08155", "month", "", "DE89370400440532013000",
    "Weg 1", "10115", "Berlin", "", "", "y",
)  # fmt: skip


def test_a_german_company_chooses_its_chart(tmp_path: Path) -> None:
    place = fresh("in process", tmp_path)
    variables = {**place.environ, "PATH": os.environ["PATH"]}
    screen = on_terminal(variables, "start", typed=typed(*GERMAN_ANSWERS), after=b"called? ", columns=200)
    assert screen.code == 0, screen.seen
    assert "Which chart of accounts (SKR04, SKR03)? [SKR04]" in screen.seen
    assert "There are SKR04, SKR03." in screen.seen
    place.environ["ACCTCLI_BUSINESS"] = "werk-ug"
    assert place.json("business", "get")["country_config"]["chart"] == "SKR03"
    assert place.json("account", "get", "1200")["description"] == "DE89370400440532013000"


def test_who_says_no_has_done_nothing(tmp_path: Path) -> None:
    place = fresh("in process", tmp_path)
    variables = {**place.environ, "PATH": os.environ["PATH"]}
    screen = on_terminal(variables, "start", typed=typed(*ANSWERS[:-1], "n"), after=b"called? ", columns=200)
    assert (screen.code, "not confirmed; nothing was done" in screen.seen) == (2, True)
    assert json.loads(place.run("business", "list", "--json").out) == []
    screen = on_terminal(variables, "start", typed=b"\n\n\n\n\n", after=b"called? ", columns=200)
    assert (screen.code, "5 answers made no sense" in screen.seen) == (2, True)


def test_without_a_terminal_it_leads_to_the_command(cli: Cli) -> None:
    done = cli("start")
    assert (done.code, done.out) == (2, "")
    assert "use: acctcli business create --help" in done.err
