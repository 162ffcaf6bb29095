"""The router: what an address leads to, step by step."""

from __future__ import annotations

import pytest

from acctcli.service.http.answers import Answer
from acctcli.service.http.router import Handler, Router


def _handlers(name: str) -> dict[str, Handler]:
    return {"GET": lambda arrival, fields: Answer(200, name.encode())}


LIST, ONE, WORD, FILE = map(_handlers, ("list", "one", "word", "file"))


@pytest.fixture
def router() -> Router:
    made = Router()
    made.add_route("/v1/{business:slug}/tags/", LIST)
    made.add_route("/v1/{business:slug}/tags/{tag_id:id}/", ONE)
    made.add_route("/v1/{business:slug}/tags/suggestions/", WORD)
    made.add_route("/content/{name:content}/", FILE)
    return made


@pytest.mark.together
@pytest.mark.parametrize(
    ("path", "handlers", "fields"),
    [
        ("/v1/kahvila/tags/", LIST, {"business": "kahvila"}),
        ("/v1/kahvila/tags/17/", ONE, {"business": "kahvila", "tag_id": 17}),
        ("/v1/kahvila/tags/9223372036854775807/", ONE, {"business": "kahvila", "tag_id": 2**63 - 1}),
        (f"/v1/{'K-_9' * 4}/tags/", LIST, {"business": "K-_9K-_9K-_9K-_9"}),
        ("/v1/kahvila/tags/suggestions/", WORD, {"business": "kahvila"}),
        (f"/content/{'0f' * 16}/", FILE, {"name": "0f" * 16}),
    ],
)
def test_an_address_leads_to_its_handlers(
    router: Router, path: str, handlers: dict[str, Handler], fields: dict[str, object]
) -> None:
    found = router.find(path)
    assert found is not None
    assert found == (handlers, fields)


@pytest.mark.together
@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "/v1/",
        "/v1/kahvila/",
        "/v1/kahvila/tags",
        "/v1/kahvila/tags//",
        "/v1/kahvila/tags/17",
        "/v1/kahvila/tags/17/x/",
        "/v1/kahvila/tags/0/",
        "/v1/kahvila/tags/-1/",
        "/v1/kahvila/tags/٣/",
        "/v1/kahvila/tags/9223372036854775808/",
        f"/v1/kahvila/tags/{'1' * 20}/",
        "/v1/kah.vila/tags/",
        f"/v1/{'k' * 17}/tags/",
        f"/content/{'0F' * 16}/",
        f"/content/{'0f' * 15}/",
        "/content/../",
    ],
)
def test_anything_else_is_no_address(router: Router, path: str) -> None:
    assert router.find(path) is None


def test_one_place_has_one_field(router: Router) -> None:
    with pytest.raises(ValueError, match="another template has tag_id here"):
        router.add_route("/v1/{business:slug}/tags/{id:id}/", ONE)
