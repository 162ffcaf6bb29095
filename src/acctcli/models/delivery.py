"""Sending sales invoices (docs/interface.md 7.4)."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from acctcli.models.base import Request, Text8192, seen
from acctcli.models.enums import BY_MAIL, DeliveryMethod


def _read_line(text: str) -> str:
    """Refuse line breaks and control characters: in a header of a mail they would begin another header."""
    if text.splitlines() != [text] or any(char < " " or char == "\x7f" for char in text):
        raise PydanticCustomError("one_line", "Must be one line without control characters.")
    return text


Subject = Annotated[str, StringConstraints(min_length=1, max_length=256), AfterValidator(_read_line), seen]


class EmailData(Request):
    """What the mail says; null content stands for the default of the business."""

    email_subject: Subject
    email_content: Text8192 | None


class SendRequest(Request):
    """How an invoice is to reach its receiver; an e-mail needs `data`."""

    delivery_method: DeliveryMethod
    data: EmailData | None = Field(default=None, validate_default=True)

    @field_validator("data")
    @classmethod
    def _has_mail(cls, data: EmailData | None, info: ValidationInfo) -> EmailData | None:
        if data is None and info.data.get("delivery_method") in BY_MAIL:
            raise PydanticCustomError("missing_data", "An e-mail needs email_subject and email_content.")
        return data
