"""The command tree is one tool: the same words mean the same everywhere."""

from __future__ import annotations

import builtins
import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.core import TyperArgument

from acctcli.cli.command.typer_private import Context
from acctcli.cli.root import ALONE, PROGRAM, build, files, load, summary
from acctcli.errors import UsageError
from tests.cli.walk import Found, commands, groups, walk

TREE = walk()
COMMANDS = commands()
EVERYWHERE = {
    "--env", "--business", "--timeout", "--ca-file", "--quiet", "-q", "--verbose", "-v", "--debug",
    "--output", "-o", "--json", "--columns", "--jq", "--output-file", "--raw-csv",
}  # fmt: skip
USUAL = {"list", "get", "create", "update", "replace", "delete"}
OWN = {
    "audit": {"show", "verify", "database", "export", "seen", "unseen", "comment", "comments"},
    "account": {"balances", "show", "hide", "statement"},
    "bank": {"confirm", "import", "match", "profile", "reconcile", "review", "rule", "status"},
    "bank profile": {"show"},
    "bank rule": {"add", "remove", "test"},
    "close": {"check", "post"},
    "depreciation": {"plan", "post"},
    "auth": {"login", "logout", "status", "switch", "token", "jwt"},
    "business": {"use", "permissions", "identifier", "import-opening", "logo"},
    "business logo": {"set", "remove"},
    "completion": {"show", "write"},
    "document": {
        "lock", "unlock", "flag", "unflag", "copy", "entries", "reverse", "correct",
        "attach", "detach", "set-files", "suggest-attachments", "suggestions", "relation",
    },
    "document relation": {"suggestions", "preview"},
    "event": {"tail"},
    "env": {"show", "set", "use", "unset"},
    "file": {"upload", "download"},
    "invoice": {
        "check", "accept", "send", "paid", "unpaid", "credit-loss", "credit-note", "disable-recurrence",
        "delivery-methods", "pdf", "xml", "aging", "status-message", "pay", "refund", "set-off", "remind",
    },
    "invoice status-message": {"add", "remove"},
    "local": {
        "init", "serve", "status", "tick", "client", "token", "tokens", "revoke-token", "password", "sign-out",
        "backup", "restore", "reset", "clean", "rotate-key",
    },
    "local client": {"add", "remove"},
    "payout": {"book"},
    "period": {"lock", "unlock", "fingerprint"},
    "purchase": {"import", "post", "pay", "pay-file", "withdraw", "refund", "unpay", "barcode", "aging"},
    "report": {
        "journal", "ledger", "trial-balance", "vat", "eu-vat", "balance-sheet", "income-statement", "equity-changes",
    },
    "user": {"invite", "grant", "revoke", "remove", "invitations", "withdraw", "accept", "reject"},
    "vat": {"period", "return", "recapitulative", "calendar", "drift"},
    "vat period": {"lock", "unlock", "report", "reopen"},
    "webhook": {"listen", "verify", "deliveries", "redeliver", "ping"},
    "workflow": {"run", "enable", "disable", "validate", "graph"},
    "workflow run": {"start", "watch", "cancel"},
}  # fmt: skip
# what these write lies here, or nowhere
RESOURCES = set(files()) - {
    "api", "audit", "auth", "bank", "completion", "constant", "env", "event", "local", "report", "start", "tour",
    "view",
}  # fmt: skip
BODIES = {"create", "update", "replace", "copy", "correct", "credit-note", "start"}
ACTIONS = {
    "lock", "unlock", "flag", "unflag", "show", "hide", "attach", "detach", "set-files", "upload",
    "accept", "send", "paid", "unpaid", "credit-loss", "disable-recurrence", "add", "book",
    "refund", "set-off", "post", "pay", "listen", "reverse", "invite", "grant", "revoke", "reject",
    "redeliver", "ping", "cancel", "remind",
}  # fmt: skip
# what whoever audits says: of a group that otherwise reads
REVIEWING = {"audit seen", "audit comment"}
# of a group that keeps settings here besides
IMPORTING = {"bank confirm", "bank import", "bank match", "bank review", "purchase import"}
# each file that is handed over is another one: what was cut off goes on by its name
HANDING = {"purchase pay-file"}
# a PATCH of the one field that the verb says
SETTING = {"unpay", "enable", "disable", "import-opening", "set"}
# reads of what lies here, and arrays that come in one piece
UNPAGED = {"bank profile list", "bank rule list", "env list", "constant list", "local client list"}
PAGED = {
    "document entries", "document suggestions", "audit unseen", "audit comments", "user invitations",
    "webhook deliveries",
}  # fmt: skip
FINAL = {"vat period report", "vat period reopen"}
# commands that ask before they write over a file of this machine
DOWNLOADS = {"file download", "invoice pdf"}
OVERWRITING = {*DOWNLOADS, "vat return", "vat recapitulative"}
# what it makes ends with it: whoever repeats it has another one made
PASSING = {"webhook listen"}
# what asks when it was done before
TWICE = {"invoice send"}
# what asks when everything is taken
WHOLE = {"user revoke"}
IRREVERSIBLE = {
    "delete", "remove", "unset", "restore", "reset", "clean", "withdraw", "rotate-key", "revoke-token", "sign-out",
}  # fmt: skip
PLURAL = re.compile(r".*[^s]s")


def named(found: Found) -> str:
    return found.name


def each_command(check: Callable[[Found], None]) -> Callable[[str], None]:
    """Let a test look at every command, a test of pytest for all that begin with the same word."""

    @pytest.mark.parametrize("word", sorted({found.path[0] for found in COMMANDS}))
    def test(word: str) -> None:
        for found in COMMANDS:
            if found.path[0] == word:
                check(found)

    return test


each_group = pytest.mark.parametrize("found", groups(), ids=named)


def writes(found: Found) -> bool:
    verbs = BODIES | ACTIONS | SETTING | {"delete"}
    if found.name == "api" or found.name in FINAL | REVIEWING | IMPORTING | HANDING:
        return True
    return found.path[0] in RESOURCES and found.verb in verbs


def test_the_tree_holds_what_the_issue_names() -> None:
    assert {found.path[0] for found in TREE} >= {"account", "api", "document", "invoice", "local", "tag", "tour"}
    assert not {"command", "completing", "exports", "output", "root", "session"} & set(files())
    assert len(COMMANDS) > 45
    assert len({found.path for found in TREE}) == len(TREE)


@pytest.mark.parametrize("found", TREE, ids=named)
def test_everything_has_help_of_one_sentence_first(found: Found) -> None:
    first = (found.command.help or "").split("\n\n")[0]
    assert re.fullmatch(r"[A-Z].{8,}\.", first, re.DOTALL), first


@each_command
def test_every_parameter_has_help_and_a_name_for_its_value(found: Found) -> None:
    for parameter in found.command.params:
        told = getattr(parameter, "help", None)
        assert told, parameter.name
        assert re.fullmatch(r"\S.*[.)]", told), f"{parameter.name}: {told}"
        if isinstance(parameter, TyperArgument):
            assert parameter.metavar, parameter.name


@each_command
def test_the_shared_options_work_after_every_verb(found: Found) -> None:
    assert found.options().keys() >= EVERYWHERE


@each_command
def test_lists_page(found: Found) -> None:
    paging = {"--all", "--limit", "--page-size"}
    if found.name in PAGED or (found.verb == "list" and found.name not in UNPAGED):
        assert found.options().keys() >= paging
    else:
        assert not found.options().keys() & {"--all", "--limit"} or found.name in DOWNLOADS


@each_command
def test_writing_commands_can_be_rehearsed(found: Found) -> None:
    assert ("--dry-run" in found.options()) == (
        writes(found) or found.verb in IRREVERSIBLE or found.name == "local tick"
    )


@each_command
def test_what_asks_or_writes_can_be_agreed_to_in_advance(found: Found) -> None:
    asks = found.verb in IRREVERSIBLE or found.name in {"api", *FINAL, *OVERWRITING, *TWICE, *WHOLE}
    can_write = "--dry-run" in found.options() or found.name == "resume"
    assert ("--yes" in found.options()) == (asks or can_write)


@each_command
def test_bodies_come_from_files_and_set(found: Found) -> None:
    body = found.path[0] in RESOURCES and found.verb in BODIES | {"preview"}
    assert {"--file", "-f", "--set"}.issubset(found.options()) == body


@each_command
def test_every_post_can_be_given_its_key(found: Found) -> None:
    verbs = BODIES - {"update", "replace"} | ACTIONS
    posts = (found.path[0] in RESOURCES and found.verb in verbs) or found.name in FINAL | REVIEWING | IMPORTING
    assert ("--idempotency-key" in found.options()) == ((posts and found.name not in PASSING) or found.name == "api")


@each_group
def test_groups_are_singular_and_verbs_are_the_usual_or_their_own(found: Found) -> None:
    assert not PLURAL.fullmatch(found.verb)
    inside = {one.verb for one in TREE if one.path[:-1] == found.path}
    assert inside <= USUAL | OWN.get(found.name, set())
    assert OWN.get(found.name, set()) <= inside


def test_the_lines_of_the_root_are_those_of_the_groups() -> None:
    own = {found.name: (found.command.help or "").split("\n")[0] for found in TREE if len(found.path) == 1}
    assert list(own) == sorted(own)
    assert {name: text for name, text in own.items() if name not in ALONE} == {
        name: summary(name) for name in own if name not in ALONE
    }
    assert {found.name for found in COMMANDS if len(found.path) == 1} == ALONE


def test_the_lines_of_the_root_are_sentences() -> None:
    for name in files():
        assert re.fullmatch(r"[A-Z][^\"]{8,}\.", summary(name)), name


def test_a_name_is_found_without_reading_files(monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(*given: object, **named: object) -> None:
        pytest.fail(f"opened {given}")

    load("tag")
    files.cache_clear()
    monkeypatch.setattr(Path, "open", opened)
    root = build()
    context = Context(root, info_name=PROGRAM)
    assert root.resolve_command(context, ["tag"])[0] == "tag"
    with pytest.raises(UsageError, match="there is no command 'tga'"):
        root.resolve_command(context, ["tga"])


@each_command
def test_no_command_function_hides_a_builtin(found: Found) -> None:
    callback = found.command.callback
    assert callback is not None
    assert callback.__name__ not in dir(builtins)


def test_an_option_is_spelled_one_way() -> None:
    spellings: dict[str, set[frozenset[str]]] = defaultdict(set)
    for found in COMMANDS:
        for text, option in found.options().items():
            assert re.fullmatch(r"--[a-z]+(-[a-z]+)*|-[a-zA-Z]", text), text
            spellings[text].add(frozenset(option.opts))
    assert {text: ways for text, ways in spellings.items() if len(ways) > 1} == {}


def test_a_shared_option_means_the_same_everywhere() -> None:
    shared = EVERYWHERE | {"--all", "--limit", "--page-size", "--file", "--set", "--dry-run", "--yes"}
    helps: dict[str, set[str | None]] = defaultdict(set)
    for found in COMMANDS:
        for text, option in found.options().items():
            if text in shared:
                helps[text].add(option.help)
    assert {text for text, told in helps.items() if len(told) != 1} == set()


def test_no_option_hides_a_shared_one() -> None:
    for found in COMMANDS:
        texts = [text for one in found.command.params for text in one.opts]
        assert len(texts) == len(set(texts)), found.name


def test_help_is_reached_by_two_spellings_and_of_commands_whole_by_a_third() -> None:
    for found in TREE:
        whole = [] if found.is_group else ["--help-all"]
        assert found.command.context_settings["help_option_names"] == ["-h", "--help", *whole], found.name
