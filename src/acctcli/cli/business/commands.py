"""Businesses: list, create, change, choose."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from acctcli.cli.business import identifier, logo
from acctcli.cli.business import options as opt
from acctcli.cli.command.classes import Command, Context, CreateCommand, RehearsedCommand, new_group, shows
from acctcli.cli.command.options import SEARCH
from acctcli.cli.command.plain import Name, Resource
from acctcli.cli.completing import slugs
from acctcli.cli.output.inside import rows_of
from acctcli.cli.output.show import show_done, show_report
from acctcli.cli.session.state import State, state
from acctcli.errors import Incomplete, NetworkError, NotAuthenticated, NotFound, ServerFault, UsageError

if TYPE_CHECKING:
    from acctcli.client.messages import Reply
    from acctcli.models.business import NewBusiness

COLUMNS = ("id", "slug", "name", "business_id", "form", "country")
DETAILS = (
    *COLUMNS,
    "country_config.chart",
    "vat_posting_method",
    "default_vat_period",
    "period_id",
    "vat_period_id",
    "owner_email",
    "identifiers",
)
# seconds to ask whether there is a business; and how many are looked at for one of a similar name
PATIENCE = 10.0
LOOKED_AT = 1000
# invoices are posted when they are accepted
BY_CLAIMS = "has_accrual_based_entries_for_invoicing"
PERMISSION_COLUMNS = ("id", "name", "explanation")
OPENED = ("number", "name", "debit", "credit", "status")

app = new_group(__doc__, shows="business:Business")
app.add_typer(identifier.app, name="identifier")
app.add_typer(logo.app, name="logo")


def _in_use(here: State, slug: Name) -> Name:
    return here.business() if slug == opt.IN_USE else slug


def _follow(here: State, slug: Name, reply: Reply) -> None:
    """Keep the default business of the environment the default one when its slug changes."""
    from acctcli.cli.output.replies import decoded

    environment, found = here.environment, decoded(reply, dict[str, object]).get("slug")
    if not isinstance(found, str) or found == slug or environment.business != slug:
        return
    source = environment.sources["business"]
    if source == str(here.settings.user_path):
        here.settings.use_business(environment.name, found)
        here.say(f"Commands in environment {environment.name} now work in business {found}.")
    else:
        here.say(f"note: {source} names {slug}, which is {found} now")


def _changed(here: State, slug: Name, reply: Reply) -> None:
    _follow(here, _in_use(here, slug), reply)
    # a replacement sets what it does not name
    says_it = (BY_CLAIMS in word or word.startswith(("--file", "--books-")) for word in here.words)
    # a replacement sets what it does not name
    if "replace" in here.words or any(says_it):
        _name_unbooked(here, reply)


def _name_unbooked(here: State, reply: Reply) -> None:
    """Say what is open in the books, or was put there now, and what stays beside books that are kept by claims."""
    from acctcli.cli.invoice.standing import ACCEPTED, open_of, read_invoice
    from acctcli.cli.output.replies import decoded, read_all
    from acctcli.cli.output.stderr import how_many_are
    from acctcli.client.messages import Extent

    changed = decoded(reply, dict[str, object])
    by_claims, slug = changed.get(BY_CLAIMS), changed.get("slug")
    if isinstance(slug, str):  # it may be another than the one in use, or go by another name now
        here.options = replace(here.options, business=slug)
    rows = list(read_all(here.api.invoices.list({"status": ACCEPTED}, Extent(limit=None)), read_invoice))
    if booked := [one for one in rows if one.claim is not None]:
        owed = sum(open_of(here, booked).values())
        here.say(f"note: {how_many_are(len(booked), 'open invoice')} in the books, {owed} in all")
        if by_claims is False:
            here.say("note: they stay there, and in the VAT return; what is accepted from now on is posted when paid")
    if by_claims:
        left = [one for one in rows if one.claim is None]
        if left:
            beside = "; credit notes stay with their invoices" if any(one.is_credit_note_for for one in left) else ""
            here.say(
                "note: not in the books, because they cannot be posted on their days: "
                f"{', '.join(one.friendly_name for one in left)}{beside}; when they are paid, invoice paid posts them"
            )


businesses = Resource(
    app,
    "business",
    lambda api: api.businesses,
    "business:BusinessRequest",
    COLUMNS,
    DETAILS,
    (opt.NAME, opt.FORM, *opt.SETTINGS),
    name=opt.Slug,
    key="slug",
    find=_in_use,
    changed=_changed,
)
# what can be taken back is done with the business in use, if none is named
in_use = replace(businesses, name=opt.MaybeSlug)
businesses.list("List the businesses you may see.", "acctcli business list", SEARCH, through=slugs.noted)
in_use.get("Show one business, that in use if none is named.", "acctcli business get")


@app.command(
    "create",
    cls=CreateCommand.taking(*businesses.fields, opt.SLUG, opt.BUSINESS_ID, opt.CHART, model="business:NewBusiness"),
)
def create_business(ctx: Context) -> None:
    """Create a business with its chart of accounts.

    Example: acctcli business create --name 'Demo Two Oy' --form FI_OY --slug demo-two
    """
    from acctcli.cli.command.body import read_body
    from acctcli.models.business import NewBusiness
    from acctcli.settings import LOCAL

    here = state(ctx)
    body = read_body(here, NewBusiness, {})
    chart = _name_chart(body)
    made = here.api.businesses.create(body, here.options.idempotency_key)
    businesses.show(here, made)
    if chart:
        _check_chart(made, chart)
    if here.environment.name == LOCAL:
        here.say("note: its books are those of this calendar year; the year after it: acctcli period create --next")


in_use.update(
    "Change the fields given, and no others; of the business in use if none is named.",
    "acctcli business update --iban FI2112345600000785 --street 'Satama 1' --postal-code 00100 --city Helsinki",
    opt.BUSINESS_ID,
)
businesses.replace(
    "Replace every setting; what is not given goes back to its default.",
    "acctcli business replace demo --name 'Demo Oy' --form FI_OY",
)
businesses.delete(
    "Delete a business and everything in it.", "acctcli business delete demo --yes", " with all its books"
)


@app.command("use", cls=Command)
def use_business(ctx: Context, slug: opt.Slug) -> None:
    """Make a business the default of the environment; the service is asked whether there is one, if it answers.

    Example: acctcli business use demo
    """
    here = state(ctx)
    environment = here.environment
    unasked = _look_for(here, slug)
    here.settings.use_business(environment.name, slug)
    slugs.remember(here, [slug])
    if unasked:
        here.say(f"note: nobody could be asked whether there is a business {slug}: {unasked}")
    show_done(
        here,
        f"Commands in environment {environment.name} now work in business {slug}.",
        environment=environment.name,
        business=slug,
    )


@app.command("import-opening", cls=RehearsedCommand)
@shows(OPENED)
def import_opening_balances(
    ctx: Context,
    source: opt.TrialBalance,
    mapping: opt.Mapping = None,
    headings: opt.Headings = None,
    result: opt.Result = None,
    is_replaced: opt.Replaced = False,
) -> None:
    """Set the opening balances of the books from the trial balance of another system.

    It must balance to the cent, and the first accounting period be open. Accounts that the chart lacks are named all
    at once. The same command goes on after a stop, and run again it changes nothing.

    Example: acctcli business import-opening trial-balance.csv --map numbers.csv --yes
    """
    from acctcli.cli.business.opening import Asked, import_opening

    asked = Asked(source, mapping, headings or (), result, is_replaced)
    import_opening(state(ctx), asked, OPENED)


def _name_chart(body: NewBusiness) -> str | None:
    """Write the chart that a body chooses as it is called; UsageError where the country has none of that name."""
    from acctcli import law

    choice = body.country_config
    if choice is None or choice.chart is None:
        return None
    try:
        choice.chart = law.country_of_form(body.form).choose_chart(choice.chart).name
    except ValueError as problem:
        raise UsageError(
            f"--chart {choice.chart}: {problem}", fields={"country_config.chart": [str(problem)]}
        ) from None
    return choice.chart


def _check_chart(made: Reply, chart: str) -> None:
    """Raise Incomplete where a service made a business and does not say that it has the chart that was asked for."""
    from acctcli.cli.business.home import Home
    from acctcli.cli.output.replies import decoded

    found = decoded(made, Home)
    if found.chart_name != chart:
        told = f"has the chart {found.chart_name}" if found.chart_name else "does not say which chart it has"
        raise Incomplete(
            f"business {found.slug} was made, and {told}: {chart} was asked for",
            hint=f"see acctcli account list --business {found.slug}; bring the accounts of {chart} there, or take the "
            f"business back with acctcli business delete {found.slug}",
        )


def _look_for(here: State, slug: str) -> str | None:
    """Return why the service cannot be asked for a business; raise NotFound, naming near ones, if it has none."""
    here.options = replace(here.options, timeout=here.options.timeout or PATIENCE)
    try:
        here.api.businesses.get(slug)
    except (NetworkError, NotAuthenticated, ServerFault) as problem:
        return problem.message
    except NotFound as problem:
        raise NotFound(
            f"there is no business {slug} in environment {here.environment.name}",
            status=problem.status,
            request_id=problem.request_id,
            hint=_near(here, slug),
        ) from problem
    return None


def _near(here: State, slug: str) -> str:
    from difflib import get_close_matches

    from acctcli.cli.output.replies import read_all, reader
    from acctcli.client.messages import Extent

    rows = here.api.businesses.list({}, Extent(LOOKED_AT))
    found = {str(one.get("slug")) for one in read_all(rows, reader(dict[str, object], "a business"))}
    near = get_close_matches(slug, found, 3)
    if near:
        return f"did you mean {' or '.join(near)}?"
    return "see: acctcli business list" if found else "make one with: acctcli business create"


@app.command("permissions", cls=Command)
@shows(PERMISSION_COLUMNS)
def list_permissions(ctx: Context) -> None:
    """List what you may do in the business; an administrator has one permission for everything.

    Example: acctcli business permissions
    """
    here = state(ctx)
    show_report(here, here.api.permissions(), rows_of("granted_permissions"), PERMISSION_COLUMNS)
