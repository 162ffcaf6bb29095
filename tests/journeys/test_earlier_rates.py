"""What was bought or sold before a change of rate, and comes into the books after it (docs/law.md 1)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journeys.places import Place, fresh

pytestmark = pytest.mark.usefixtures("books_stay_open")

JANUARY = ("vat", "return", "--period", "2026-01")


@pytest.fixture
def cafe(tmp_path: Path) -> Place:
    """A Finnish company whose year before the change of rate is locked."""
    return with_closed_year(fresh("cafe", tmp_path), "FI_OY")


@pytest.fixture
def trader(tmp_path: Path) -> Place:
    """The same of a trader whose sales are in the books when they are paid."""
    place = with_closed_year(fresh("trader", tmp_path), "FI_TMI")
    settings = ("iban=FI2112345600000785", "email=lasku@kahvila.example", "street=Satama 1", "postal_code=00100")
    for one in (*settings, "city=Helsinki"):
        place.run("business", "update", "cafe", "--set", f"invoicing_{one}")
    place.run(
        "contact", "create", "--name", "Asiakas Oy", "--customer-id", "1001", "--type", "business", "--invoicing",
        "--email", "osto@asiakas.example", "--street", "Katu 1", "--postal-code", "00100", "--city", "Helsinki",
        "--country", "FI",
    )  # fmt: skip
    return place


def with_closed_year(place: Place, form: str) -> Place:
    place.run("business", "create", "--name", "Kahvila", "--form", form, "--slug", "cafe", "--business-id", "0112038-9")
    place.run("business", "use", "cafe")
    for one in place.json("vat", "period", "list"):
        place.run("vat", "period", "delete", str(one["id"]), "--yes")
    place.run("vat", "period", "create", "--start", "2026-01-01", "--period", "month")
    this, *_ = place.json("period", "list")
    assert this["start_date"] == "2026-01-01"
    year = place.json("period", "create", "--start", "2025-01-01", "--end", "2025-12-31")
    place.run("period", "lock", str(year["id"]))
    return place


def boxes(place: Place) -> dict[str, str]:
    return {row["box"]: str(row["amount"]) for row in place.json(*JANUARY) if row["amount"]}


def bill(place: Place, day: str = "2025-12-30") -> str:
    return str(place.json("purchase", "create", "--date", day, "--amount", "1140", "--source", "upload")["id"])


@pytest.mark.parametrize("account", ["7800", "7800:1140@2/14"])
def test_a_late_purchase_deducts_what_its_invoice_says(cafe: Place, account: str) -> None:
    cafe.run("purchase", "post", bill(cafe), "--account", account, "--date", "2026-01-02")
    assert boxes(cafe) == {"307": "140.00", "308": "-140.00"}
    cafe.run(*JANUARY, "--filing-file", "january.txt", "--phone", "+358 40 123 4567")


def test_an_invoice_of_the_new_year_may_be_of_a_delivery_before_it(cafe: Place) -> None:
    posted = ("purchase", "post", bill(cafe, "2026-01-05"), "--account", "7800:1140@2/14")
    done = cafe.run(*posted)
    assert "it is input VAT of what was delivered by 2025-12-31" in done.err
    assert boxes(cafe) == {"307": "140.00", "308": "-140.00"}


def test_a_purchase_posted_before_its_invoice_has_the_rate_of_its_day(cafe: Place) -> None:
    cafe.run("period", "unlock", str(cafe.json("period", "list", "--jq", ".[1].id")))
    cafe.run("purchase", "post", bill(cafe, "2026-01-05"), "--account", "7800", "--date", "2025-12-31")
    (row,) = [one for one in cafe.json("document", "entries", "1") if one["account_number"] == "7800"]
    assert str(row["amount"]) == "1000.00"


def test_a_document_takes_input_vat_of_an_earlier_rate_with_a_note(cafe: Place) -> None:
    given = ("document", "create", "--date", "2026-01-02", "--credit", "2871")
    done = cafe.run(*given, "--debit", "7800:1140@2/14")
    assert "note: --debit 7800:1140@2/14: 14 % is no VAT rate of Finland on 2026-01-02" in done.err
    assert boxes(cafe) == {"307": "140.00", "308": "-140.00"}


def test_a_leg_by_id_is_named_by_the_number_of_its_account(cafe: Place) -> None:
    (found,) = [one["id"] for one in cafe.json("account", "list", "--all") if one["number"] == "7800"]
    given = ("document", "create", "--date", "2026-01-02", "--credit", "2871", "--debit", f"id:{found}:1140@2/14")
    assert "note: --debit 7800:1140@2/14: 14 % is no VAT rate of Finland on 2026-01-02" in cafe.run(*given).err


@pytest.mark.parametrize("leg", ["7800:119@2/19", "3000:-114@1/14"])
def test_no_document_takes_others_unasked(cafe: Place, leg: str) -> None:
    refused = cafe.try_run("document", "create", "--date", "2026-01-02", "--credit", "2871", "--debit", leg)
    assert (refused.code, "--foreign-vat" in refused.err) == (2, True)


def test_no_purchase_takes_a_rate_that_the_country_never_had(cafe: Place) -> None:
    refused = cafe.try_run("purchase", "post", bill(cafe), "--account", "7800:1140@2/19", "--date", "2026-01-02")
    assert (refused.code, "with @3" in refused.err, "--foreign-vat" in refused.err) == (2, True, False)
    assert cafe.json("document", "list") == []


def test_a_late_sale_is_in_the_box_of_its_kind(cafe: Place) -> None:
    sold = ("document", "create", "--date", "2026-01-02", "--debit", "1910", "--credit", "3000:114@1/14")
    cafe.run(*sold, "--foreign-vat")
    assert boxes(cafe) == {"302": "14.00", "308": "14.00"}


@pytest.mark.parametrize("way", ["pay", "copy and reverse"])
def test_a_sale_from_before_the_change_that_was_paid_after_it_is_in_the_month_of_its_payment(
    trader: Place, way: str
) -> None:
    row = "name=Food,unit=kpl,count=10,amount=100,vat=14"
    trader.run("invoice", "create", "--to", "1001", "--date", "2025-12-15", "--row", row)
    trader.run("invoice", "accept", "1")
    if way == "pay":
        trader.run("invoice", "pay", "1", "--date", "2026-01-10")
    else:
        trader.run("invoice", "paid", "1")
        trader.run("document", "copy", "1", "--date", "2026-01-10")
        trader.run("document", "reverse", "1")
    assert boxes(trader) == {"302": "140.00", "308": "140.00"}
    trader.run(*JANUARY, "--filing-file", "january.txt", "--phone", "+358 40 123 4567")
