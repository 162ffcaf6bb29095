"""Every operation of the service: the OpenAPI document is made from this, and tests walk it.

Importing it loads every module with operations; what answers requests asks `addresses` for one of them.
"""

from __future__ import annotations

from acctcli.service.routes.addresses import modules, operations_of
from acctcli.service.routes.operation import Operation

TABLE: tuple[Operation, ...] = tuple(operation for module in sorted(modules()) for operation in operations_of(module))
