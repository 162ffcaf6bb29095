"""A company whose books are as they should be, made by commands."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

from tests.journeys.places import Place, fresh, kept_open

CLOSED_DAY, OPEN_DAY = "2026-03-02", "2026-04-02"
COMMANDS = """
business create --name Check --form FI_OY --slug check --business-id 0112038-9
business use check
business update check --set invoicing_iban=FI2112345600000785 --set has_accrual_based_entries_for_invoicing=true
contact create --name Asiakas --invoicing --email osto@asiakas.example --street Katu --postal-code 00100 --city Oulu \
    --country FI
business update check --set invoicing_street=Katu --set invoicing_postal_code=00100 \
    --set invoicing_city=Oulu --set invoicing_country=FI
file upload receipt.txt
webhook create --name Events --url https://events.example/
account create --number 1710 --name Instalments --type ASS_DUE
"""
AFTER = f"""
vat period report {{vat}} --yes --adjustments 307
document create --date {OPEN_DAY} --debit 1910 --credit 3900:10 --set attachment_ids=[1]
"""
ROW = "name=Work,unit=h,count=1,amount=100,vat=25.5,code=1"
MONTH = files("acctcli.cli").joinpath("tour_month.jsonl")


@kept_open()
def found_company(folder: Path) -> Place:
    """Found a company with the tour's month of March, whose VAT is reported, and three invoices of April."""
    folder.mkdir()
    place = fresh("check", folder)
    (folder / "receipt.txt").write_text("receipt")
    for line in COMMANDS.replace("\\\n", "").strip().splitlines():
        place.run(*line.split())
    for period in place.json("vat", "period", "list"):
        place.run("vat", "period", "delete", str(period["id"]), "--yes")
    vat = place.json("vat", "period", "create", "--start", "2026-03-01", "--period", "month")["id"]
    post_month(place, 3)
    for line in AFTER.format(vat=vat).strip().splitlines():
        place.run(*line.split(), "--json")
    for _ in range(3):
        made = place.json("invoice", "create", "--to", "id:1", "--date", OPEN_DAY, "--days", "14", "--row", ROW)
        place.run("invoice", "accept", str(made["id"]), "--json")
    return place


def post_month(place: Place, month: int) -> None:
    """Post the tour's month as another month of the year, each document with a receipt."""
    lines = []
    for line in MONTH.read_text("utf-8").splitlines():
        document = json.loads(line)
        day = min(int(document["date"][-2:]), 28)
        # what the month sold on account has no invoices here
        document["blueprint"] = json.loads(json.dumps(document["blueprint"]).replace(" 1700,", " 1710,"))
        lines.append(json.dumps({**document, "date": f"2026-{month:02}-{day:02}", "attachment_ids": [1]}))
    name = f"month{month}.jsonl"
    (place.folder / name).write_text("\n".join(lines) + "\n", "utf-8")
    place.run("document", "create", "--file", name, "--account-numbers", "--json")
