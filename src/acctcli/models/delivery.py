"""Sending sales invoices (docs/interface.md 7.4)."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from acctcli.models.base import Request, Text8192, seen
from acctcli.models.enums import BY_MAIL, DeliveryMethod, InDoubt

LONGEST_SUBJECT = 256


def _read_line(text: str) -> str:
    """Refuse line breaks and control characters: in a header of a mail they would begin another header."""
    if text.splitlines() != [text] or any(char < " " or char == "\x7f" for char in text):
        raise PydanticCustomError("one_line", "Must be one line without control characters.")
    return text


Subject = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_SUBJECT), AfterValidator(_read_line), seen]


class EmailData(Request):
    """What the mail says; null content stands for the default of the business."""

    email_subject: Subject
    email_content: Text8192 | None


class SendRequest(Request):
    """How an invoice is to reach its receiver; an e-mail needs `data`.

    `in_doubt` says what became of an e-mail or e-invoice that may have left; one that arrived is recorded, and needs no
    more.
    """

    delivery_method: DeliveryMethod
    in_doubt: InDoubt | None = None
    data: EmailData | None = Field(default=None, validate_default=True)

    @field_validator("data")
    @classmethod
    def _has_mail(cls, data: EmailData | None, info: ValidationInfo) -> EmailData | None:
        is_needed = info.data.get("delivery_method") in BY_MAIL and info.data.get("in_doubt") != InDoubt.ARRIVED
        if data is None and is_needed:
            raise PydanticCustomError("missing_data", "An e-mail needs email_subject and email_content.")
        return data

    @field_validator("in_doubt")
    @classmethod
    def _may_have_left(cls, in_doubt: InDoubt | None, info: ValidationInfo) -> InDoubt | None:
        if in_doubt is not None and info.data.get("delivery_method") == DeliveryMethod.PAPER:
            raise PydanticCustomError("in_doubt", "Only an e-mail or an e-invoice may be in doubt.")
        return in_doubt
