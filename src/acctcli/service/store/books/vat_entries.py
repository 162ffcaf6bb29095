"""What VAT is reported from: the posted entries of a range, summed up. SQL only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date

from acctcli.law.vat_codes import INPUT_VAT, NO_VAT, OUTPUT_VAT
from acctcli.models.enums import AccountType, DocumentType
from acctcli.service.rules.vat_sums import VatMovement
from acctcli.service.store.engine.connection import Connection
from acctcli.service.store.engine.statements import Query

VAT_TYPES = (AccountType.LIA_VAT.value, AccountType.ASS_VAT.value)

EXPENSES = frozenset(kind.value for kind in AccountType if kind.startswith("EXP"))
REVENUE = frozenset(kind.value for kind in AccountType if kind.startswith("REV"))
# by VAT code: sales that were lost, purchases that were never paid, and sales that have no VAT
APART = {OUTPUT_VAT: EXPENSES, INPUT_VAT: REVENUE, NO_VAT: frozenset({AccountType.REV_SAL.value})}

# Drafts store no entries: every entry of the range is posted. That its account is one of the business says nothing
# new, but makes SQLite walk the range account by account instead of all entries of the business. Summed up by account:
# its sums are kept within 64 bits, those of several accounts are not.
MOVED = f"""SELECT account_id, vat_code, vat_rate, is_debit, sum(amount_cents) AS cents FROM entry
    WHERE business_id = :business_id AND account_id IN (SELECT id FROM account WHERE business_id = :business_id)
    AND date BETWEEN :date_from AND :date_to AND NOT document_id IN (
        SELECT id FROM document WHERE business_id = :business_id
        AND date BETWEEN :date_from AND :date_to AND type = {DocumentType.VAT.value})"""
TAGGED = """AND document_id IN (
    SELECT document_id FROM document_tag WHERE business_id = :business_id AND tag_id IN (:tag_ids...))"""


def _movements(more: str) -> Query[tuple[int, int, str, bool, int]]:
    return Query(
        tuple,
        f"""SELECT moved.vat_code, moved.vat_rate, account.type, moved.is_debit, moved.cents
        FROM ({MOVED} {more} GROUP BY account_id, vat_code, vat_rate, is_debit) AS moved
        JOIN account ON account.business_id = :business_id AND account.id = moved.account_id""",
    )


OF_ALL, OF_TAGGED = _movements(""), _movements(TAGGED)


def movements(
    conn: Connection, business_id: int, date_from: date, date_to: date, tag_ids: Sequence[int] = ()
) -> list[VatMovement]:
    """Return the posted entries of a range, both days included, by VAT code, rate, kind of account and side.

    One row each, in cents >= 0, in no order; documents of type 3 are left out. With `tag_ids` only documents that
    carry at least one of the tags count.
    """
    values = {"business_id": business_id, "date_from": date_from, "date_to": date_to}
    return _summed(OF_TAGGED.all(conn, **values, tag_ids=tag_ids) if tag_ids else OF_ALL.all(conn, **values))


def _summed(rows: Iterable[tuple[int, int, str, bool, int]]) -> list[VatMovement]:
    sums: Counter[tuple[int, int, AccountType | None, bool, bool]] = Counter()
    for code, rate, kind, is_debit, cents in rows:
        vat_account = AccountType(kind) if kind in VAT_TYPES else None
        sums[code, rate, vat_account, is_debit, kind in APART.get(code, ())] += int(cents)
    return [
        VatMovement(code, rate, vat_account, is_debit, cents, is_apart)
        for (code, rate, vat_account, is_debit, is_apart), cents in sums.items()
    ]
