"""The people of a business: what they may do, and how invited ones come in (docs/interface.md 2.5).

Nobody is known by an address, which people change: places are of users, and an invitation is of whoever had the address
when it was written, or has the code of its mail.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from acctcli.models.enums import InvitationStatus, PermissionKey
from acctcli.service.cases.work import Work, found
from acctcli.service.identity.invitations import is_code
from acctcli.service.problems import Invalid, NotAllowed, Precondition
from acctcli.service.rules.addresses import is_reached
from acctcli.service.rules.roles import group_of, in_order, keys_of
from acctcli.service.store.people import invitations, memberships, users
from acctcli.service.store.people.admission import Scope, lock
from acctcli.service.store.people.invitations import Addressed, InvitationRow

if TYPE_CHECKING:
    from acctcli.models.user import (
        AcceptRequest,
        BusinessInvitation,
        GrantRequest,
        Invitation,
        Member,
        OwnInvitation,
        RevokeRequest,
    )

ADMIN = PermissionKey.ADMIN.value
NOT_REACHED = "Write an address that mail reaches as it is written: no quotes, comments or letters that nobody sees."


def check_address(email: str) -> None:
    """Refuse an address that mail would not reach, or that it would take for another one; raises Invalid."""
    if not is_reached(email):
        raise Invalid.field("email", NOT_REACHED)


# --- who is in a business ---


def show_member(row: memberships.Member) -> Member:
    """Return a person of a business as they are shown."""
    keys = row.permissions.split()
    return {
        "id": row.id,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "email": row.email,
        "first_name": row.first_name,
        "last_name": row.last_name,
        "permission_group": group_of(keys),
        "permissions": keys,
    }


def grant_permissions(work: Work, user_id: int, body: GrantRequest) -> Member:
    """Let somebody do more: what a role may, or single permissions; what they have stays."""
    row = _member(work, user_id)
    return _put(work, row.id, {*row.permissions.split(), *asked_keys(body)}, "updated")


def revoke_permissions(work: Work, user_id: int, body: RevokeRequest) -> Member:
    """Let somebody do less; who has nothing left is still a member."""
    row = _member(work, user_id)
    left = set(row.permissions.split()) - set(body.permissions)
    if ADMIN not in left:
        _keep_an_administrator(work, row)
        _end_invitations_of(work, row.id)
    return _put(work, row.id, left, "updated")


def remove_member(work: Work, user_id: int) -> None:
    """Take somebody out of the business."""
    row = _member(work, user_id)
    _keep_an_administrator(work, row)
    _end_invitations_of(work, row.id)
    memberships.remove(work.conn, work.business.id, row.id)
    work.emit("usership.deleted", {"id": row.id})
    _tell(work, "deleted", row.id, [])


def asked_keys(body: GrantRequest) -> list[str]:
    """Return the permission keys that a body asks for; Invalid when it asks for none."""
    keys = keys_of(body.permission_group, body.permissions)
    if not keys:
        raise Invalid.whole("Name a role other than custom, or permissions.")
    return keys


def _end_invitations_of(work: Work, user_id: int) -> None:
    """Take back what somebody offered who may not offer it any more."""
    for invitation_id in invitations.by_inviter(work.conn, work.business.id, user_id):
        _withdraw(work, invitation_id)


def _withdraw(work: Work, invitation_id: int) -> None:
    invitations.settle(work.conn, invitation_id, invitations.WITHDRAWN, work.stamp)
    work.emit("invitation.deleted", {"id": invitation_id})


def _member(work: Work, user_id: int) -> memberships.Member:
    return found(memberships.get(work.conn, work.business.id, user_id), "person in this business")


def _keep_an_administrator(work: Work, row: memberships.Member) -> None:
    """Refuse to leave a business to nobody: who is written here waits for other writers of the business."""
    is_admin = ADMIN in row.permissions.split()
    if is_admin and not memberships.has_other(work.conn, work.business.id, row.id, ADMIN):
        raise Precondition(f"{row.email} is the last administrator of this business: make somebody else one before.")


def _put(work: Work, user_id: int, keys: Collection[str], verb: str) -> Member:
    held = in_order(keys)
    memberships.put(work.conn, user_id, work.business.id, " ".join(held), work.stamp)
    shown = show_member(_member(work, user_id))
    work.emit(f"usership.{verb}", shown)
    _tell(work, verb, user_id, held)
    return shown


def _tell(work: Work, verb: str, user_id: int, keys: Sequence[str]) -> None:
    """Tell the trail of the service, which knows who may do what where."""
    business_id = work.business.id
    work.tell(f"usership.{verb}", {"user_id": user_id, "business_id": business_id, "permissions": keys})


# --- who is invited ---


def show_invitation(row: InvitationRow) -> Invitation:
    """Return an invitation as the user it waits for sees it among their own data."""
    return {
        "id": row.id,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "email": row.email,
        "status": row.status,
        "permissions": row.permissions.split(),
        "permission_group": row.permission_group,
        "tags": [],
    }


def show_to_business(work: Work, row: InvitationRow) -> BusinessInvitation:
    """Return an invitation as the business sees it."""
    is_over = row.status == InvitationStatus.OPEN and row.expires_at <= work.stamp
    return {**show_invitation(row), "expires_at": row.expires_at, "is_over": is_over, "invited_by": row.invited_by}


def withdraw_invitation(work: Work, invitation_id: int) -> None:
    """Take back an invitation that waits."""
    row = found(invitations.get(work.conn, work.business.id, invitation_id), "invitation")
    _refuse_settled(row)
    _withdraw(work, row.id)


# --- what an invited person does ---


def own_invitations(work: Work) -> list[OwnInvitation]:
    """Return the invitations that wait for the caller."""
    found_ones = invitations.addressed(work.conn, work.user.id, work.user.email, work.stamp)
    return [_show_own(work, one) for one in found_ones]


def accept(work: Work, invitation_id: int, code: str | None = None) -> OwnInvitation:
    """Let the caller into the business that an invitation is to; raises Missing, Precondition and NotAllowed.

    It must be addressed to the caller; `code` is that of its mail, and needed unless the caller was known to have the
    address when it was written (docs/interface.md 2.5).
    """
    inside, one = _own(work, invitation_id, code)
    row = one.invitation
    invitations.settle(inside.conn, row.id, InvitationStatus.ACCEPTED.value, inside.stamp)
    before = memberships.get(inside.conn, row.business_id, work.user.id)
    _tell_settled(inside, row.id, "accepted")
    held = before.permissions.split() if before else []
    _put(inside, work.user.id, {*held, *row.permissions.split()}, "updated" if before else "created")
    return _shown_again(inside, one)


def reject(work: Work, invitation_id: int, body: AcceptRequest) -> OwnInvitation:
    """Let the business know that the caller does not come; it takes what accepting takes."""
    inside, one = _own(work, invitation_id, body.code)
    invitations.settle(inside.conn, one.invitation.id, InvitationStatus.REJECTED.value, inside.stamp)
    _tell_settled(inside, one.invitation.id, "rejected")
    return _shown_again(inside, one)


def _own(work: Work, invitation_id: int, code: str | None) -> tuple[Work, Addressed]:
    """Return an invitation that waits for the caller, and the same work in its business, whose writers wait."""
    one = found(_addressed(work, invitation_id), "invitation")
    lock(work.conn, one.slug)
    one = found(_addressed(work, invitation_id), "invitation")
    _refuse_settled(one.invitation)
    if one.invitation.expires_at <= work.stamp:
        raise Precondition("This invitation is over: ask for another one.")
    if not is_code(code, one.invitation.code_hash) and _needs_code(work, one.invitation):
        raise NotAllowed("This needs the code of the mail that the invitation came with.")
    scope = Scope(one.invitation.business_id, one.slug, one.form, one.country, frozenset())
    return replace(work, scope=scope), one


def _addressed(work: Work, invitation_id: int) -> Addressed | None:
    return invitations.addressed_one(work.conn, work.user.id, work.user.email, invitation_id)


def _needs_code(work: Work, row: InvitationRow) -> bool:
    """Whether nothing but the mail shows that the address is the caller's: they may have written it themselves."""
    return row.user_id != work.user.id or users.is_unproved(work.conn, work.user.id)


def _refuse_settled(row: InvitationRow) -> None:
    if row.status != InvitationStatus.OPEN:
        raise Precondition(f"This invitation is {row.status}: only an open one can be changed.")


def _tell_settled(work: Work, invitation_id: int, verb: str) -> None:
    row = found(invitations.get(work.conn, work.business.id, invitation_id), "invitation")
    work.emit(f"invitation.{verb}", show_to_business(work, row))


def _shown_again(work: Work, one: Addressed) -> OwnInvitation:
    row = found(invitations.get(work.conn, one.invitation.business_id, one.invitation.id), "invitation")
    return _show_own(work, one._replace(invitation=row))


def _show_own(work: Work, one: Addressed) -> OwnInvitation:
    row = one.invitation
    # who invites where is for whoever gets the mail
    is_hidden = row.status == InvitationStatus.OPEN and _needs_code(work, row)
    return {
        **show_to_business(work, row._replace(invited_by=None) if is_hidden else row),
        "business_slug": "" if is_hidden else one.slug,
        "business_name": "" if is_hidden else one.name,
        "inviter": "" if is_hidden else one.inviter,
        "needs_code": is_hidden,
    }
