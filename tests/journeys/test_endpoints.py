"""Every operation of the interface has a command of its own that reaches it, in every place."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from urllib.parse import urlsplit

import pytest

from acctcli.client.transport import IN_PROCESS
from acctcli.law.days import days_of
from acctcli.service.routes.table import TABLE
from tests.graphs import graph
from tests.journeys.endpoints import STEPS, Step
from tests.journeys.places import Done, Place
from tests.pictures import picture

OPERATIONS = {f"{route.method} {route.path}" for route in TABLE}
THE_BUSINESS = "GET /v1/business/{business_slug}/ 200"
# every write in a business, as the trail calls it
WRITES = {f"{route.method} {route.name}" for route in TABLE if route.scoped and not route.safe} | {
    "POST create_business"
}
# what --verbose says of a request and its reply
SPOKEN = re.compile(r"([A-Z]+) (\S+) (\d{3}) \d+ ms")


def pattern(template: str) -> str:
    """The regular expression of a path: ids are digits."""
    return re.sub(r"{(\w+)}", lambda field: r"[\w-]+" if field[1] == "business_slug" else r"\d+", template)


def operation(method: str, path: str) -> str:
    """The one operation of the table that a request asks for."""
    (found,) = [one.path for one in TABLE if one.method == method and re.fullmatch(pattern(one.path), path)]
    return f"{method} {found}"


def requests(place: Place, done: Done) -> list[str]:
    """What a command asked for, and the status of each reply; all of it was asked of this place and no other."""
    base = place.environ.get("ACCTCLI_LOCAL_BASE_URL", IN_PROCESS)
    found = [(method, urlsplit(url), status) for method, url, status in SPOKEN.findall(done.err)]
    assert {f"{url.scheme}://{url.netloc}" for _, url, _ in found} == {base}
    return [f"{operation(method, url.path)} {status}" for method, url, status in found]


def take(place: Place, step: Step, ids: dict[str, str]) -> str:
    """Make a step, see that it makes the requests it should, and return the operation it is for."""
    between_midnights = len(days_of(datetime.now(UTC))) > 1
    done = place.try_run(*step.command.format_map(ids).split(), "--json", "--verbose")
    assert done.code == (6 if step.requests[-1].endswith(" 404") else 0), f"{step.command}: {done.err}"
    asked = requests(place, done)
    if between_midnights and asked != list(step.requests) and THE_BUSINESS in asked:
        asked.remove(THE_BUSINESS)  # which day it is there
    assert asked == list(step.requests), step.command
    if step.keep:
        reply = json.loads(done.out)
        ids[step.keep] = str((reply[0] if isinstance(reply, list) else reply)["id"])
    writes = [request for request in step.requests if not request.startswith("GET ")]
    return (writes or step.requests)[-1].rpartition(" ")[0]


@pytest.mark.core
def test_every_route_is_reached_by_a_command(place: Place) -> None:
    (place.folder / "receipt.txt").write_text("receipt\n")
    (place.folder / "logo.png").write_bytes(picture())
    place.write("graph.json", graph())
    ids = {"business": place.environ["ACCTCLI_BUSINESS"]}
    assert {take(place, step, ids) for step in STEPS} == OPERATIONS
    listed = place.try_run("audit", "list", "--all", "--json")
    assert listed.code == 0, listed.err
    # the trail of a business that is deleted goes with it
    gone = {"PUT replace_business", "DELETE delete_business"}
    # there is nobody to take out but the last administrator
    gone |= {"DELETE remove_member"}
    assert {one["operation"] for one in json.loads(listed.out)} == WRITES - gone
