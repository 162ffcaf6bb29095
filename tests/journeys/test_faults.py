"""Documents through a network that breaks, a thousand in a full run: every one exists exactly once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path

import pytest

from acctcli.client.access import FixedToken
from acctcli.client.http import Http
from acctcli.client.retry import Policy
from acctcli.client.transport import network_client
from tests.client.wire import Ear
from tests.fault_proxy import FAULTS, fault_proxy, seeded
from tests.journeys.places import Place, fresh, served
from tests.sizes import sized

DOCUMENTS = sized(1000)
AT_ONCE = 8
PATIENT = Policy(read=1.0, attempts=60, base=0.01, cap=0.1)


@pytest.fixture(params=["sqlite", "postgresql"])
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    variables = {}
    if request.param == "postgresql":
        variables["ACCTCLI_DATABASE_URL"] = request.getfixturevalue("postgres_factory").bare()
    place = fresh(request.param, tmp_path, ACCTCLI_BUSINESS="faults", **variables)
    place.run("business", "create", "--name", "Faults Oy", "--slug", "faults")
    with served(place) as guest:
        guest.environ["ACCTCLI_BUSINESS"] = "faults"
        yield guest


def test_every_document_exists_exactly_once(host: Place) -> None:
    upstream = host.environ["ACCTCLI_LOCAL_BASE_URL"]
    # a stalled request costs a second here, so stalls are rarer than the quick faults
    faults = [fault for fault in FAULTS for _ in range(1 if "until the client leaves" in fault else 20)]
    schedule = chain(FAULTS, seeded(20261121, rate=0.3, faults=faults))
    with fault_proxy(upstream, schedule) as proxy, network_client(upstream) as client:
        http = Http(client, proxy.base_url, FixedToken(host.environ["ACCTCLI_LOCAL_TOKEN"]), Ear(), policy=PATIENT)

        def post(number: int) -> int:
            body = json.dumps({"date": "2026-03-02", "description": f"document {number}"}).encode()
            made: int = json.loads(http.send("POST", "/v1/business/faults/document/", body=body).body)["id"]
            return made

        with ThreadPoolExecutor(AT_ONCE) as pool:
            ids = list(pool.map(post, range(DOCUMENTS)))
        met = Counter(request.fault for request in proxy.requests)
    assert set(met) >= set(FAULTS)
    listed = host.json("document", "list", "--all", "--columns", "id,description")
    assert Counter(one["description"] for one in listed) == Counter(f"document {n}" for n in range(DOCUMENTS))
    assert sorted(ids) == sorted(one["id"] for one in listed)
