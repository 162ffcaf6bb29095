"""What a command works on: which environment, which host, which business, and who said so.

Precedence of each value: option > variable > project file (.acctcli.toml) > user file > default.

A default business in the user file is kept per environment and is never used with another one. A business
from an option, a variable or the project file is somebody's explicit word and holds for whatever environment
is resolved: a folder is one company's books, and passing over its project file for a personal default would
post to another company's.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from acctcli.errors import UsageError
from acctcli.settings import files
from acctcli.settings.folders import config_dir
from acctcli.settings.names import (
    KNOWN,
    LOCAL,
    check_business_slug,
    check_environment_name,
    environment_of_variable,
    variable,
)
from acctcli.settings.urls import normalise_url

PROJECT_FILE = ".acctcli.toml"
_PROJECT_KEYS = ("environment", "business")
_SIGN_IN_KEYS = ("client_id", "redirect_url", "scopes", "discovery_url")
_OPTION_KEYS = ("base_url", "login_url", *_SIGN_IN_KEYS)
_ENVIRONMENT_KEYS = (*_OPTION_KEYS, "business")
STORES = ("keyring", "file")


@dataclass(frozen=True)
class SignIn:
    """How the command line is registered at a login host; None where nothing was set."""

    client_id: str | None = None
    redirect_url: str | None = None
    scopes: str | None = None
    discovery_url: str | None = None


@dataclass(frozen=True)
class Environment:
    """One environment as resolved; `sources` maps each set field to who set it.

    Sources read `--env`, a variable's name, the path of a file, or `default`. `store` is where its tokens are kept.
    """

    name: str
    base_url: str | None
    login_url: str | None
    business: str | None
    sources: Mapping[str, str] = field(default_factory=dict, compare=False)
    sign_in: SignIn = SignIn()
    store: str = STORES[0]

    @property
    def in_process(self) -> bool:
        """Whether the service runs inside this process: `local` without a host."""
        return self.name == LOCAL and self.base_url is None

    @property
    def is_hosted(self) -> bool:
        """Whether its name stands for a service that has the interface and no operation beyond it."""
        return self.name in KNOWN and self.name != LOCAL


class Settings:
    """Everything said about environments, read once; changes return new Settings and leave these alone."""

    def __init__(
        self,
        environ: Mapping[str, str],
        user: tuple[Path, files.Table],
        project: tuple[Path | None, Mapping[str, str]],
    ) -> None:
        self.environ = environ
        self.user_path, self.user = user
        self.project_path, self.project = project

    @classmethod
    def load(cls, environ: Mapping[str, str] | None = None, cwd: Path | None = None) -> Settings:
        """Read the user file and the nearest project file from `cwd` upwards.

        Raise UsageError naming the file, and the key where it is one, if either cannot be used.
        """
        environ = os.environ if environ is None else environ
        user_path = config_dir(environ) / "config.toml"
        user = files.read_toml(user_path) or {}
        _check_user(user, user_path)
        project_path = _find_project_file(cwd)
        project = _read_project(project_path) if project_path else {}
        return cls(environ, (user_path, user), (project_path, project))

    def environment(self, name: str | None = None) -> Environment:
        """Return the environment to use; `name` is the option's value, if one was given.

        Raise UsageError, with the command that sets it as the hint, if it has no host and is not `local`.
        """
        found = self.describe(name)
        if found.base_url is None and not found.in_process:
            raise self._no_host(found.name, "base_url")
        return found

    def describe(self, name: str | None = None) -> Environment:
        """Return the environment as far as it is set, host or none; for showing, not for using."""
        name, source = self._name(name)
        return self._described(name, {"name": source})

    def business(self, environment: Environment, option: str | None = None) -> str:
        """Return the business slug to work on; raise UsageError if none is named or it is no slug."""
        if option is not None:
            return check_business_slug(option, "--business")
        if environment.business is not None:
            return environment.business
        raise UsageError(
            f"No business is chosen for environment '{environment.name}': give --business SLUG",
            hint=f"acctcli business use SLUG --env {environment.name}",
            fields={"business": ["required"]},
        )

    def login_url(self, environment: Environment) -> str:
        """Return the login host; raise UsageError, its hint the command that sets one, if there is none."""
        if environment.login_url is None:
            raise self._no_host(environment.name, "login_url")
        return environment.login_url

    def environment_names(self) -> list[str]:
        """Return testing, production, local, then every other name in the user file or a host variable."""
        others = {*self._stored_environments()}
        others.update(name for key in self.environ if (name := environment_of_variable(key)))
        return [*KNOWN, *sorted(others.difference(KNOWN))]

    def list_environments(self) -> list[Environment]:
        """Return every environment there is a word about, usable or not; nobody chose its name."""
        return [self._described(name, {}) for name in self.environment_names()]

    def set_environment(self, name: str, **given: str | None) -> Settings:
        """Store the hosts given, and how to sign in there, leaving the others as they are."""
        check_environment_name(name, "NAME")
        wanted = {
            key: _checked(key, text, f"--{key.replace('_', '-')}") for key, text in given.items() if text is not None
        }
        if not wanted:
            raise UsageError("Nothing to set: give --base-url, --login-url or both", hint=_set_command(name))
        return self._change(lambda user: _environment_table(user, name).update(wanted))

    def use_store(self, name: str, store: str) -> Settings:
        """Say where the tokens of environment `name` are kept; that outlives its other settings, as the tokens do."""
        return self._change(lambda user: user.setdefault("stores", {}).update({name: store}))

    def use_environment(self, name: str) -> Settings:
        """Make `name` the default environment; it must have a host, or be `local`."""
        self.environment(check_environment_name(name, "NAME"))
        return self._change(lambda user: user.update(environment=name))

    def unset_environment(self, name: str, *keys: str) -> Settings:
        """Forget some settings of `name`, without `keys` all of them.

        It stays the default environment if it was: commands end there, rather than write into other books unasked.
        """
        check_environment_name(name, "NAME")

        def reset(user: files.Table) -> None:
            stored = user.get("environments", {}).get(name, {})
            if missing := [key for key in keys if key not in stored]:
                raise UsageError(f"{', '.join(missing)} of environment '{name}' is not set in {self.user_path}")
            for key in keys:
                del stored[key]
            if not stored:
                del user["environments"][name]

        def forget(user: files.Table) -> None:
            if user.get("environments", {}).pop(name, None) is None:
                raise UsageError(f"Nothing is stored for environment '{name}' in {self.user_path}")

        return self._change(reset if keys else forget)

    def use_business(self, name: str, slug: str) -> Settings:
        """Make `slug` the default business of environment `name`, and of no other."""
        check_environment_name(name, "--env")
        check_business_slug(slug, "SLUG")
        return self._change(lambda user: _environment_table(user, name).update(business=slug))

    def _change(self, edit: Callable[[files.Table], None]) -> Settings:
        def checked(user: files.Table) -> None:
            _check_user(user, self.user_path)
            edit(user)

        user = files.change_toml(self.user_path, checked)
        return Settings(self.environ, (self.user_path, user), (self.project_path, self.project))

    def _described(self, name: str, sources: dict[str, str]) -> Environment:
        values: dict[str, str | None] = {}
        for key in _OPTION_KEYS:
            values[key] = self._value(name, key, sources)
        business = self._default_business(name, sources)
        sign_in = SignIn(*(values[key] for key in _SIGN_IN_KEYS))
        store = self.user.get("stores", {}).get(name, STORES[0])
        return Environment(name, values["base_url"], values["login_url"], business, sources, sign_in, store)

    def _name(self, option: str | None) -> tuple[str, str]:
        if option is not None:
            return check_environment_name(option, "--env"), "--env"
        if named := self.environ.get("ACCTCLI_ENV"):
            return check_environment_name(named, "ACCTCLI_ENV"), "ACCTCLI_ENV"
        if named := self.project.get("environment"):
            return named, str(self.project_path)
        if named := self.user.get("environment"):
            return named, str(self.user_path)
        return LOCAL, "default"

    def _value(self, name: str, key: str, sources: dict[str, str]) -> str | None:
        from_variable = variable(name, key.upper())
        if text := self.environ.get(from_variable):
            sources[key] = from_variable
            return _checked(key, text, from_variable)
        if (text := self._stored_environments().get(name, {}).get(key)) is not None:
            sources[key] = str(self.user_path)
            return _checked(key, text, f"{self.user_path}: environments.{name}")
        return None

    def _default_business(self, name: str, sources: dict[str, str]) -> str | None:
        stored = self._stored_environments().get(name, {})
        for slug, source in (
            (self.environ.get("ACCTCLI_BUSINESS"), "ACCTCLI_BUSINESS"),
            (self.project.get("business"), str(self.project_path)),
            (stored.get("business"), str(self.user_path)),
        ):
            if slug:
                sources["business"] = source
                return check_business_slug(slug, source)
        return None

    def _stored_environments(self) -> dict[str, dict[str, str]]:
        stored: dict[str, dict[str, str]] = self.user.get("environments", {})
        return stored

    def _no_host(self, name: str, key: str) -> UsageError:
        near = "" if name in self.environment_names() else _nearest(name, self.environment_names())
        return UsageError(
            f"Environment '{name}' has no host: its {key} is not set{near}",
            hint=_set_command(name),
            fields={key: ["required"]},
        )


def _checked(key: str, text: str, source: str) -> str:
    """Return a value that is set for an environment; addresses in their normal form, but the redirect as registered."""
    if key in {"base_url", "login_url", "discovery_url"}:
        return normalise_url(text, source, key)
    if key == "redirect_url":
        normalise_url(text, source, key)
    elif not (text and text.isascii() and text.isprintable()):
        why = "it is empty, or holds a character beyond ASCII or that does not print"
        raise UsageError(f"{source}: {key} is refused: {why}", fields={key: [why]})
    return text


def _set_command(name: str) -> str:
    return f"acctcli env set {name} --base-url URL --login-url URL"


def _nearest(name: str, names: list[str]) -> str:
    from difflib import get_close_matches

    found = get_close_matches(name, names, n=1)
    return f" (did you mean '{found[0]}'?)" if found else ""


def _environment_table(user: files.Table, name: str) -> files.Table:
    table: files.Table = user.setdefault("environments", {}).setdefault(name, {})
    return table


def _check_user(user: files.Table, path: Path) -> None:
    """Check the shape of the user file; a host is judged when it is used, so that `env set` can mend it."""
    if "environment" in user:
        check_environment_name(_text(user["environment"], path, "environment"), f"{path}: environment")
    stored = user.get("environments", {})
    if not isinstance(stored, dict):
        raise _wrong(path, "environments", "must be a table")
    for name, table in stored.items():
        check_environment_name(name, f"{path}: environments")
        if not isinstance(table, dict):
            raise _wrong(path, f"environments.{name}", "must be a table")
        for key in _ENVIRONMENT_KEYS:
            if key in table:
                _text(table[key], path, f"environments.{name}.{key}")
    stores = user.get("stores", {})
    if not isinstance(stores, dict) or not all(store in STORES for store in stores.values()):
        raise _wrong(path, "stores", f"must be a table of environments, each with one of {', '.join(STORES)}")


def _find_project_file(cwd: Path | None) -> Path | None:
    try:
        start = Path.cwd() if cwd is None else Path(os.path.abspath(cwd))  # noqa: PTH100 - keep links as typed
    except FileNotFoundError:  # the working directory was removed under us
        return None
    for folder in (start, *start.parents):
        candidate = folder / PROJECT_FILE
        if os.path.lexists(candidate):
            return candidate
    return None


def _read_project(path: Path) -> dict[str, str]:
    tables = files.read_toml(path, links=True)
    if tables is None:
        raise UsageError(f"{path} cannot be read: it is a link to nothing", hint=f"mend or remove {path}")
    for key in tables:
        if key not in _PROJECT_KEYS:
            raise _wrong(
                path,
                key,
                "is refused: a project file names environment and business only, never a host or token",
            )
    project = {key: _text(value, path, key) for key, value in tables.items()}
    if "environment" in project:
        check_environment_name(project["environment"], f"{path}: environment")
    if "business" in project:
        check_business_slug(project["business"], f"{path}: business")
    return project


def _text(value: object, path: Path, key: str) -> str:
    if not isinstance(value, str):
        raise _wrong(path, key, "must be a string")
    return value


def _wrong(path: Path, key: str, why: str) -> UsageError:
    return UsageError(f"{path}: {key} {why}", fields={key: [why]}, hint=f"mend {path}")
