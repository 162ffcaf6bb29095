"""What whoever owns the database does for people stands in the trail, and is undone again."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from acctcli.service.identity.keeper import Keeper
from acctcli.service.identity.passwords import is_right
from acctcli.service.problems import Missing
from acctcli.service.store import service_trail
from acctcli.service.store.people import passwords
from tests.service.actor import START, World

pytestmark = pytest.mark.everywhere


@pytest.fixture
def keeper(service: World) -> Keeper:
    return Keeper(service.database, service.installation, "local", service.clock)


def told(service: World, prefix: str) -> list[tuple[str, dict[str, object]]]:
    """What the trail has of a kind."""
    with service.database.read() as conn:
        rows = conn.fetch("SELECT type, data FROM event WHERE business_id = 0 ORDER BY number")[1]
    return [(kind, json.loads(data)) for kind, data in rows if kind.startswith(prefix)]


def unrecorded(service: World) -> list[tuple[str, str]]:
    with service.database.read() as conn:
        return [(one.record, one.text) for one in service_trail.unrecorded(conn)]


def run(service: World, statement: str) -> None:
    assert service.database.write(lambda conn: conn.run(statement)) == 1


def test_a_token_has_a_name_and_an_end_and_can_be_withdrawn(service: World, keeper: Keeper) -> None:
    token = keeper.new_token("anna@example.com", "Cash register", START + timedelta(days=1))
    (listed,) = keeper.list_tokens("anna@example.com")
    assert listed == keeper.get_token(listed.id)
    assert listed._asdict() == {
        "id": listed.id,
        "user_id": listed.user_id,
        "user": "anna@example.com",
        "name": "Cash register",
        "kind": "personal",
        "environment": "local",
        "created_at": "2026-03-15T12:00:00.000000Z",
        "expires_at": "2026-03-16T12:00:00.000000Z",
    }
    header = {"Authorization": f"Token {token}"}
    assert service.client.get("/v1/user/", headers=header).json()["email"] == "anna@example.com"
    keeper.revoke_token(listed.id)
    assert service.client.get("/v1/user/", headers=header).status_code == 401
    assert keeper.list_tokens(None) == []
    for again in (keeper.revoke_token, keeper.get_token):
        with pytest.raises(Missing):
            again(listed.id)
    assert told(service, "token")[1] == (
        "token.revoked",
        {"id": listed.id, "revoked_at": "2026-03-15T12:00:00.000000Z"},
    )
    assert token not in str(told(service, ""))
    assert unrecorded(service) == []
    run(service, "UPDATE token SET revoked_at = NULL")
    assert unrecorded(service) == [(f"token {listed.id}", "revoked_at: not what the audit trail recorded")]


def test_a_token_that_is_over_is_not_listed(service: World, keeper: Keeper) -> None:
    keeper.new_token("anna@example.com", "a day", START + timedelta(days=1))
    service.clock.move(timedelta(days=1))
    assert keeper.list_tokens(None) == []


def test_a_jwt_ends_with_its_token(service: World, keeper: Keeper) -> None:
    token = keeper.new_token("anna@example.com", "local", None)
    made = service.client.post("/auth/jwt/", headers={"Authorization": f"Token {token}"}).json()["token"]
    header = {"Authorization": f"Token {made}"}
    assert service.client.get("/v1/user/", headers=header).status_code == 200
    keeper.revoke_token(keeper.list_tokens(None)[0].id)
    assert service.client.get("/v1/user/", headers=header).status_code == 401


def test_a_token_of_another_environment_is_refused(service: World) -> None:
    other = Keeper(service.database, service.installation, "testing", service.clock)
    token = other.new_token("anna@example.com", "local", None)
    reply = service.client.get("/v1/user/", headers={"Authorization": f"Token {token}"})
    assert (reply.status_code, reply.json()["code"]) == (401, "authentication_failed")
    run(service, "UPDATE token SET environment = 'local'")
    assert service.client.get("/v1/user/", headers={"Authorization": f"Token {token}"}).status_code == 200
    assert [text for _, text in unrecorded(service)] == ["environment: not what the audit trail recorded"]


def test_a_password_is_set_and_recorded_and_never_told(service: World, keeper: Keeper) -> None:
    anna = service.user("anna@example.com")
    keeper.set_password("anna@example.com", "a first password")
    keeper.set_password("anna@example.com", "correct horse battery")
    with service.database.read() as conn:
        hashed = passwords.find(conn, anna.id)
    assert is_right("correct horse battery", hashed)
    assert not is_right("a first password", hashed)
    assert [kind for kind, _ in told(service, "password")] == ["password.changed"] * 2
    assert set(told(service, "password")[0][1]) == {"id", "hash_sha256"}
    assert "$argon2id" not in str(told(service, ""))
    assert unrecorded(service) == []
    run(service, "UPDATE password SET hash = 'another'")
    assert unrecorded(service) == [(f"password {anna.id}", "hash_sha256: not what the audit trail recorded")]
    with pytest.raises(Missing):
        keeper.set_password("nobody@example.com", "correct horse battery")


def test_a_password_that_nobody_recorded_is_named(service: World) -> None:
    anna = service.user("anna@example.com")
    run(service, f"INSERT INTO password (user_id, hash, changed_at) VALUES ({anna.id}, 'x', '2026')")
    assert unrecorded(service) == [(f"password {anna.id}", "the audit trail has not recorded that it was made")]
