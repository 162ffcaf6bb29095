"""Tokens of an hour, workflows and webhooks, every command of theirs in every place."""

from __future__ import annotations

import base64
import json
from time import sleep
from typing import Any

import pytest

from tests.graphs import FLAG, graph
from tests.journeys.places import Place
from tests.journeys.test_life import refused
from tests.service.cases.workflows.flows import flow, on

TARGET = "https://shop.example/events"


def claims(token: str) -> Any:
    return json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))


def holding(place: Place, token: str) -> Place:
    """The same place for who comes with this token."""
    return Place(place.name, place.folder, {**place.environ, "ACCTCLI_LOCAL_TOKEN": token})


def jwt(place: Place, *options: str) -> Place:
    """The same user, let in by a JWT."""
    return holding(place, place.run("auth", "jwt", *options).out.strip())


def sister(place: Place) -> str:
    """Another business of the same user."""
    slug = f"{place.environ['ACCTCLI_BUSINESS']}s"
    place.run("business", "create", "--name", "Sister Oy", "--form", "FI_OY", "--slug", slug)
    return slug


@pytest.mark.everywhere
def test_a_token_of_one_business_opens_it_alone(place: Place) -> None:
    own, other = place.environ["ACCTCLI_BUSINESS"], sister(place)
    bearer = jwt(place, "--business", own)
    assert claims(bearer.environ["ACCTCLI_LOCAL_TOKEN"])["business_slug"] == own
    tag = bearer.json("tag", "create", "--name", "Oulu")
    assert place.json("tag", "list") == [tag]
    refused(bearer, 2, "tag", "list", "--business", other)
    assert [one["business"] for one in bearer.json("user", "get")["userships"]] == [
        bearer.json("business", "get", own)["id"]
    ]
    rename = ("user", "update", "--set", "first_name=Eve")
    for argv in (("business", "list"), rename, ("auth", "jwt")):
        refused(bearer, 5, *argv)


def test_a_selection_shows_its_businesses_alone(place: Place) -> None:
    own, other = place.environ["ACCTCLI_BUSINESS"], sister(place)
    bearer = jwt(place, "--select", other, "--select", "nobody")
    assert claims(bearer.environ["ACCTCLI_LOCAL_TOKEN"])["billing_entities"] == {other: {"credit_cap": 0}}
    assert [one["slug"] for one in bearer.json("business", "list")] == [other]
    assert len(bearer.json("user", "get")["userships"]) == 1
    bearer.run("tag", "create", "--name", "Turku", "--business", other)
    refused(bearer, 2, "tag", "list", "--business", own)
    refused(bearer, 5, "business", "create", "--name", "New", "--form", "FI_OY")
    refused(place, 5, "auth", "jwt", "--select", "nobody")


def test_a_token_that_was_tampered_with_opens_nothing(place: Place) -> None:
    bearer = jwt(place)
    assert bearer.json("user", "get") == place.json("user", "get")
    head, body, signature = bearer.environ["ACCTCLI_LOCAL_TOKEN"].split(".")
    refused(holding(place, f"{head}.{body}.{signature[::-1]}"), 4, "user", "get")


def test_a_workflow_lives(place: Place) -> None:
    file = place.write("graph.json", graph())
    made = place.json("workflow", "create", "--name", "Watch", "--graph", file, "--enabled")
    number = str(made["id"])
    assert (made["react_flow_data"], made["latest_saved_version_number"]) == (graph(), 1)
    assert place.json("workflow", "list") == [made] == [place.json("workflow", "get", number)]
    changed = place.json("workflow", "update", number, "--graph", place.write("graph.json", graph(more=1)))
    assert changed == made | {
        "react_flow_data": graph(more=1),
        "latest_saved_version_number": 2,
        "updated_at": changed["updated_at"],
    }
    assert "trigger" in refused(place, 7, "workflow", "replace", number, "--name", "Watch", "--enabled")
    replaced = place.json("workflow", "replace", number, "--name", "Rest")
    assert (replaced["enabled"], replaced["latest_saved_version_number"]) == (False, 3)
    place.run("workflow", "delete", number, "--yes")
    refused(place, 6, "workflow", "get", number)


def test_no_run_is_invented(place: Place) -> None:
    made = place.json("workflow", "create", "--name", "x", "--graph", place.write("graph.json", graph()), "--enabled")
    place.run("tag", "create", "--name", "Oulu")
    assert place.json("workflow", "run", "list", str(made["id"])) == []
    refused(place, 6, "workflow", "run", "get", str(made["id"]), "1")


def test_an_event_is_taken_up_and_what_a_workflow_did_is_in_the_trail(place: Place) -> None:
    flagging = flow([on("document.created"), FLAG])
    made = place.json(
        "workflow", "create", "--name", "Flag", "--graph", place.write("flag.json", flagging), "--enabled"
    )
    workflow = str(made["id"])
    accounts = ("--debit", "1910", "--credit", "3000:10")
    documents = [place.json("document", "create", "--date", "2026-03-02", *accounts)["id"] for _ in range(3)]
    if place.environ.get("ACCTCLI_LOCAL_BASE_URL") is None:
        place.run("local", "tick")
    runs = _runs(place, workflow, len(documents))
    for run in runs:
        place.run("workflow", "run", "watch", workflow, str(run["id"]), "--wait-seconds", "120")
    assert all(place.json("document", "get", str(number))["is_flagged"] for number in documents)
    told = place.json("audit", "list", "--all", "--columns", "type,record_id,via")
    flagged = [one["record_id"] for one in told if (one["type"], one["via"]) == ("document.flagged", "workflow")]
    assert sorted(flagged) == documents
    place.run("audit", "verify")
    place.run("workflow", "disable", workflow)


def _runs(place: Place, workflow: str, count: int) -> list[Any]:
    """Return the runs of a workflow, once there are so many: a served service looks now and then."""
    for _ in range(600):
        if len(runs := place.json("workflow", "run", "list", workflow)) >= count:
            break
        sleep(0.2)
    assert len(runs) == count
    return list(runs)


def test_a_subscription_lives(place: Place) -> None:
    options = ("--name", "Shop", "--url", TARGET, "--username", "books", "--password-file", "-", "--json")
    key = ("--idempotency-key", f"hook of {place.environ['ACCTCLI_BUSINESS']}")
    first, again = (place.try_run("webhook", "create", *options, *key, stdin="sesame\n") for _ in range(2))
    assert (first.code, again.code, first.out) == (0, 0, again.out), first.err
    made = json.loads(first.out)
    number = str(made["id"])
    assert made.pop("signing_secret").startswith("whsec_")
    assert place.json("webhook", "list") == [made] == [place.json("webhook", "get", number)]
    changed = place.json("webhook", "update", number, "--inactive")
    assert changed == made | {"is_active": False, "updated_at": changed["updated_at"]}
    replaced = place.json("webhook", "replace", number, "--name", "Till", "--url", f"{TARGET}/2")
    assert (replaced["is_active"], replaced["basic_auth_username"]) == (True, None)
    assert "target_url" in refused(place, 2, "webhook", "update", number, "--url", "shop.example")
    place.run("webhook", "delete", number, "--yes")
    refused(place, 6, "webhook", "get", number)
