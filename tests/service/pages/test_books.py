"""What the session of a browser lets in, in process: reads, for as long as it lasts, of what its person may see."""

from __future__ import annotations

from datetime import timedelta

import httpx
import pytest

from acctcli.service.http.app import create_app
from acctcli.service.identity.credentials import read_session
from acctcli.service.identity.sessions import LIFETIME
from tests.service.actor import World
from tests.service.pages.visitor import Visitor, person


@pytest.mark.everywhere
def test_a_session_reads_what_its_person_may_until_it_ends(service: World) -> None:
    anna, owner = person(service), service.user()
    own, other = anna.create_business(), owner.create_business()
    visitor = Visitor(service).open("/identity/login").sign_in()
    stores = service.database, service.contents, service.outbox, service.installation
    app = create_app(*stores, clock=service.clock, entropy=service.entropy, read=read_session)
    secret = {"Authorization": f"Token {visitor.cookie('session')}"}
    with httpx.Client(transport=httpx.WSGITransport(app), base_url="http://in-process", headers=secret) as reader:

        def status(slug: str, method: str = "GET", path: str = "tags/") -> int:
            return reader.request(method, f"/v1/business/{slug}/{path}", json={"name": "x"}).status_code

        assert [one["slug"] for one in reader.get("/v1/business/").json()["results"]] == [own["slug"]]
        reads = [status(own["slug"]), status(other["slug"]), status("none"), status(own["slug"], "POST")]
        assert reads == [200, 403, 404, 403]
        # what changes counts for the next request
        service.permit(anna, other["id"], "bookkeeping_read")
        assert status(other["slug"]) == 200
        service.dismiss(anna, other["id"])
        assert status(other["slug"]) == 403
        service.clock.move(LIFETIME - timedelta(seconds=1))
        assert status(own["slug"]) == 200
        service.clock.move(timedelta(seconds=2))
        assert status(own["slug"]) == 401
