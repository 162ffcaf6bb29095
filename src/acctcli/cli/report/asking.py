"""Ask the service for a report: its columns, with the options that go with every column."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from acctcli.cli.report.asked import Columns, check_asked
from acctcli.cli.session.state import State
from acctcli.client.messages import Reply
from acctcli.models.report import PointReportRequest, RangeReportRequest

if TYPE_CHECKING:
    from acctcli.client.stream import StreamedReport


_decode_fields = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


class Ask:
    """The options of a report; call it with a path segment and columns to get the reply."""

    def __init__(
        self, here: State, tags: Sequence[int] | None = None, *, accounts: bool = False, change: bool = False
    ) -> None:
        self.here = here
        self._options: dict[str, Any] = {
            **({"tag_ids": list(tags)} if tags else {}),
            **({"extend_accounts": True} if accounts else {}),
            **({"append_comparison_columns": True} if change else {}),
        }

    def __call__(self, segment: str, columns: Columns) -> Reply:
        """Return the whole report."""
        reply = self.here.api.report(segment, self._body(segment, columns))
        with suppress(msgspec.DecodeError, RecursionError):  # whoever shows it says what it is instead
            check_asked(segment, columns, _decode_fields(reply.body))
        return reply

    def stream(self, segment: str, columns: Columns, array: str) -> StreamedReport:
        """Return the records of a long report as they come."""
        check = partial(check_asked, segment, columns)
        return self.here.api.stream_report(segment, self._body(segment, columns), array, check)

    def plain(self) -> Ask:
        """Return what asks for the same books without account detail and comparison."""
        return Ask(self.here, self._options.get("tag_ids"))

    def _body(self, segment: str, columns: Columns) -> PointReportRequest | RangeReportRequest:
        model = PointReportRequest if segment.startswith("balance-sheet") else RangeReportRequest
        return model.model_validate({"columns": list(columns), **self._options})
