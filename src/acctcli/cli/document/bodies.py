"""Bodies of documents: from options, from files, with accounts by number, and many from a file of JSON lines."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import cache, partial
from typing import Any, NamedTuple

from acctcli.cli.account.chart import Chart, read_chart
from acctcli.cli.account.rates import day_of_document, rates_on
from acctcli.cli.command.body import Part, check, check_any, collect, parse_json, read_body, read_text
from acctcli.cli.document.blueprints import Leg, Legs, check_balance, check_shape, fill, read_legs
from acctcli.cli.document.merging import complete
from acctcli.cli.document.rehearsal import Preview, read_preview
from acctcli.cli.session.state import State
from acctcli.cli.vat.charged import Charged, checker, is_meant
from acctcli.errors import UsageError
from acctcli.models.base import partial as partial_of
from acctcli.models.document import Blueprint, DocumentRequest, PreviewRequest
from acctcli.models.enums import DocumentType

# depreciation, taxes on income, VAT itself (docs/interface.md 5.1)
WITHOUT_VAT = frozenset(DocumentType) - {DocumentType.NORMAL}
_LINES = (".jsonl", ".ndjson")
_PART_OF_COST = "VAT of another country is part of the cost: write the account with @3, and the amount with that VAT"


class Written(NamedTuple):
    """What a command line says of a document, besides its fields.

    `bought` is the day whose VAT rates a purchase has, where that is not the day in the books; `has_own_vat` says that
    legs without a VAT code take that of their account.
    """

    by_number: bool = False
    legs: Legs | None = None
    foreign_vat: bool = False
    bought: date | None = None
    has_own_vat: bool = True


def take_written(here: State) -> Written:
    """Take what the options say of the blueprint out of the fields given."""
    sides = (here.named.pop(side, None) for side in ("debit", "credit", "expense"))
    return Written(here.named.pop("account_numbers", False), read_legs(*sides), is_meant(here))


class Made(NamedTuple):
    """A body to send; in a rehearsal with the entries it is going to make, where accounts go by number."""

    body: DocumentRequest
    preview: Preview | None = None


# --- one document ---


def read_document(here: State, written: Written, document: int | None = None) -> Made:
    """Build a whole document body: a new document, or what replaces the one of that id."""
    return _made(here, read_body(here, DocumentRequest), written, document)


def make_document(here: State, values: dict[str, Any], legs: Legs, bought: date) -> Made:
    """Build the body of a new document that a command says by itself, of a purchase with the VAT rates of a day."""
    return _made(here, check(DocumentRequest, values), Written(legs=legs, bought=bought), None)


def read_document_changes(here: State, written: Written, document: int) -> Made:
    """Build a partial document body."""
    values = collect(here, DocumentRequest, {})
    if written.legs is None:
        check_any(values)
    return _changed(here, values, written, document)


def read_document_copy(here: State, written: Written, document: int) -> Made:
    """Build what a copy shall have other than its original; nothing is needed."""
    return _changed(here, collect(here, DocumentRequest, {}), written, document)


def _changed(here: State, values: dict[str, Any], written: Written, document: int) -> Made:
    """Build changes; where they say a part of the blueprint, the rest of it is what the document has."""
    legs = written.legs
    body = check(partial_of(DocumentRequest), values)
    is_part = isinstance(values.get("blueprint"), Part) if legs is None else not (legs.debit and legs.credit)
    if not is_part:
        return _made(here, body, written, document)
    chart = fill_accounts(here, body, written, document, is_part=True)
    is_draft = complete(here, body, legs, document)
    if not here.options.dry_run:
        return Made(body)
    return Made(body, read_preview(here, chart or read_chart(here), body.blueprint.model_dump(), is_draft=is_draft))


def _made(here: State, body: DocumentRequest, written: Written, document: int | None) -> Made:
    # null in changes that do not say it: the document stays what it is
    is_draft = body.is_draft
    chart = fill_accounts(here, body, written, document, posts=is_draft is False)
    if chart is None or not here.options.dry_run:
        return Made(body)
    return Made(body, read_preview(here, chart, body.blueprint.model_dump(), is_draft=bool(is_draft)))


def fill_accounts(
    here: State,
    body: DocumentRequest | PreviewRequest,
    written: Written,
    document: int | None = None,
    *,
    posts: bool = False,
    is_part: bool = False,
) -> Chart | None:
    """Put the blueprint of the legs into a body, or ids where it holds account numbers.

    Returns the chart if it was needed. Raises UsageError for legs that make no document; `posts` says that it
    will be posted and not kept as a draft, `document` that it is there already, `is_part` that it has the rest.
    """
    has_blueprint = "blueprint" in body.model_fields_set
    if written.legs is not None:
        if has_blueprint:
            both = "--debit, --credit and --expense make the blueprint, and --file or --set has one too"
            raise UsageError(both, hint="give one of them")
        check_shape(written.legs, posts=posts, is_part=is_part)
        return _fill_legs(here, body, written, document, posts=posts)
    if has_blueprint and not written.foreign_vat:
        checker(here)(_charged(body.blueprint), lambda: _day_of(here, body, document))
    if not (written.by_number and has_blueprint):
        return None
    chart = read_chart(here)
    _number_to_id(body.blueprint, chart)
    return chart


def _fill_legs(
    here: State, body: DocumentRequest | PreviewRequest, written: Written, document: int | None, *, posts: bool
) -> Chart:
    legs = written.legs
    assert legs is not None
    if "date" not in body.model_fields_set and document is None:
        # said outright: the service's today need not be the day whose rates are taken
        body.date = here.day("--date")
    day_of = cache(lambda: written.bought or _day_of(here, body, document))
    rates = rates_on(here, day_of)
    chart = read_chart(here)
    if not written.foreign_vat:
        said = [
            Charged(_named(leg, chart), leg.code, leg.rate) for side in legs for leg in side if leg.code and leg.rate
        ]
        check_rates = checker(here, chart.rates)
        if written.bought:
            check_rates = checker(here, chart.rates, body.date, _PART_OF_COST)
        check_rates(said, day_of)
    # nothing is bought or sold by what closes the books
    has_own_vat = written.has_own_vat and not (isinstance(body, DocumentRequest) and body.type in WITHOUT_VAT)
    filled = fill(legs, chart, rates, has_own_vat=has_own_vat)
    if posts:
        check_balance(filled.blueprint)
    for note in filled.notes:
        here.say(f"note: {note}, the account's own")
    body.blueprint = check(partial_of(DocumentRequest), {"blueprint": filled.blueprint}).blueprint
    return chart


def _named(leg: Leg, chart: Chart) -> str:
    """Return a leg as it is written, with the number of its account where it has an id, which nobody knows."""
    return str(leg._replace(written=leg.written.replace(leg.account, chart.find(leg.account, leg.option).number, 1)))


def _day_of(here: State, body: DocumentRequest | PreviewRequest, document: int | None) -> date:
    """Return the day a document is going to have."""
    if "date" in body.model_fields_set and body.date is not None:
        return body.date
    return here.today() if document is None else day_of_document(here, document)


def _charged(blueprint: Blueprint, place: str = "the blueprint") -> list[Charged]:
    sides = (blueprint.debet_entries, blueprint.credit_entries, blueprint.expense_entries)
    return [Charged(place, row.vat_code, row.vat_rate) for side in sides for row in side or ()]


def _number_to_id(blueprint: Blueprint, chart: Chart) -> None:
    """Put ids where a blueprint holds account numbers."""
    for name in Blueprint.model_fields:
        value = getattr(blueprint, name)
        if name.endswith("account_id") and value is not None:
            setattr(blueprint, name, chart.find(str(value)).id)
        for row in value if isinstance(value, list) else ():
            if row.account_id is not None:
                row.account_id = chart.find(str(row.account_id)).id


# --- many documents ---


def is_json_lines(source: str | None) -> bool:
    """Tell whether the file holds one body a line, by its name."""
    return source is not None and source.lower().endswith(_LINES)


def read_lines(here: State, written: Written) -> Iterator[tuple[int, DocumentRequest]]:
    """Yield the number and the body of each line of the file; raises UsageError naming the line that makes none."""
    assert here.options.file is not None
    if here.options.set or written.legs is not None:
        given = "--set" if here.options.set else "--debit, --credit or --expense"
        raise UsageError(f"{given} does not go with a file of many documents")
    chart = read_chart(here) if written.by_number else None
    check_rates = checker(here, chart.rates if chart else ())
    for number, line in enumerate(read_text(here.options.file).split("\n"), 1):
        if not line.strip():
            continue
        place = f"{here.options.file} line {number}"
        values = parse_json(line, place)
        body = check(DocumentRequest, {**values, **here.named} if isinstance(values, dict) else values, place)
        if body.date is None:
            raise UsageError(
                f"{place}: there is no date, which would be another day with every run",
                hint="write a date into each line, or give one for all with --date",
            )
        if not written.foreign_vat:
            check_rates(_charged(body.blueprint, place), partial(_day_of, here, body, None))
        if chart and "blueprint" in body.model_fields_set:
            _number_to_id_in(place, body.blueprint, chart)
        yield number, body


def _number_to_id_in(place: str, blueprint: Blueprint, chart: Chart) -> None:
    try:
        _number_to_id(blueprint, chart)
    except UsageError as unknown:
        unknown.message = f"{place}: {unknown.message}"
        raise
