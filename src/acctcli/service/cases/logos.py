"""The logo of a business: a file that papers show from then on (docs/interface.md 3.7)."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from acctcli.service.cases.businesses import show_business
from acctcli.service.cases.files import delete_file, upload_file
from acctcli.service.cases.work import Work
from acctcli.service.problems import Invalid, Precondition
from acctcli.service.store import logos

if TYPE_CHECKING:
    from acctcli.models.business import Business
    from acctcli.models.file import LogoRequest
    from acctcli.service.store.contents import Content

NAME = "logo.png"


def fit_for_paper(content: bytes) -> bytes:
    """Return what is kept of a picture that was sent; Invalid where it is no logo."""
    from acctcli.printing.logos import LogoError, made_fit

    try:
        return made_fit(content)
    except LogoError as fault:
        raise Invalid.field("file", str(fault)) from fault


def set_logo(work: Work, body: LogoRequest) -> Business:
    """Let a picture, whose content is on the disk already, be the logo; invoices keep the one they have."""
    from acctcli.models.file import UploadRequest

    content: Content = body.file
    former = logos.now(work.conn, work.business.id)
    if former is not None and former.sha256 == content.sha256:
        work.discarded.append(content.name)
        return show_business(work)
    file = upload_file(work, UploadRequest(name=NAME, file=content))
    return _put(work, former, file["id"])


def remove_logo(work: Work) -> None:
    """Let the business have no logo, if it has one."""
    former = logos.now(work.conn, work.business.id)
    if former is not None:
        _put(work, former, None)


def _put(work: Work, former: logos.LogoRow | None, file_id: int | None) -> Business:
    """Change the logo and tell of it; a former one goes unless something else names its file."""
    logos.put(work.conn, work.business.id, file_id)
    shown = show_business(work)
    work.emit("business.updated", shown)
    if former is not None:
        with suppress(Precondition):
            delete_file(work, former.id)
    return shown
