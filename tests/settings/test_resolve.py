import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.errors import UsageError
from acctcli.settings import Environment, Settings, files

HOST = "https://api.testing.example"
LOGIN = "https://login.testing.example"
WORDS = st.none() | st.sampled_from(["one", "two", "three"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty working directory with no project file above it but the ones a test writes."""
    work = tmp_path / "work" / "deep"
    work.mkdir(parents=True)
    return work


def load(folder: Path, **variables: str) -> Settings:
    return Settings.load({"ACCTCLI_CONFIG_DIR": str(folder / "config"), **variables}, folder)


def config(folder: Path) -> str:
    return str(folder / "config" / "config.toml")


def write_config(folder: Path, text: str) -> None:
    (folder / "config").mkdir(exist_ok=True)
    Path(config(folder)).write_text(text)


def test_with_nothing_configured_the_environment_is_local_in_process(folder: Path) -> None:
    here = load(folder).environment()
    assert here == Environment("local", None, None, None)
    assert here.in_process
    assert here.sources == {"name": "default"}
    assert not (folder / "config").exists()


@pytest.mark.parametrize("name", ["testing", "production", "my-env"])
def test_an_environment_without_a_host_names_the_command_that_sets_it(folder: Path, name: str) -> None:
    with pytest.raises(UsageError, match=f"Environment '{name}' has no host") as caught:
        load(folder).environment(name)
    assert caught.value.exit_code == 2
    assert caught.value.hint == f"acctcli env set {name} --base-url URL --login-url URL"


def test_a_mistyped_environment_is_told_the_nearest(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"\(did you mean 'testing'\?\)"):
        load(folder).environment("tseting")


def test_hosts_come_from_the_user_file(folder: Path) -> None:
    settings = load(folder).set_environment("testing", base_url=f"{HOST}:443/", login_url=LOGIN)
    assert settings.environment("testing") == Environment("testing", HOST, LOGIN, None)
    assert load(folder).environment("testing") == settings.environment("testing")
    assert settings.environment("testing").sources == {
        "name": "--env",
        "base_url": config(folder),
        "login_url": config(folder),
    }


def test_variables_win_over_the_user_file(folder: Path) -> None:
    load(folder).set_environment("my-env", base_url=HOST, login_url=LOGIN)
    here = load(folder, ACCTCLI_MY_ENV_BASE_URL="http://127.0.0.1:8000/").environment("my-env")
    assert here == Environment("my-env", "http://127.0.0.1:8000", LOGIN, None)
    assert here.sources["base_url"] == "ACCTCLI_MY_ENV_BASE_URL"


def test_an_empty_variable_leaves_the_host_to_the_user_file(folder: Path) -> None:
    load(folder).set_environment("testing", base_url=HOST, login_url=LOGIN)
    here = load(folder, ACCTCLI_TESTING_BASE_URL="", ACCTCLI_TESTING_LOGIN_URL="").environment("testing")
    assert here == Environment("testing", HOST, LOGIN, None)
    assert here.sources == {"name": "--env", "base_url": config(folder), "login_url": config(folder)}


def test_local_with_a_host_is_not_in_process(folder: Path) -> None:
    here = load(folder, ACCTCLI_LOCAL_BASE_URL="http://localhost:8000").environment("local")
    assert here == Environment("local", "http://localhost:8000", None, None)
    assert not here.in_process


def test_a_bad_host_is_refused_where_it_stands(folder: Path) -> None:
    write_config(folder, '[environments.testing]\nbase_url = "http://api.example.com"\n')
    with pytest.raises(UsageError, match=r"config\.toml: environments\.testing: base_url is refused: http is for"):
        load(folder).environment("testing")
    with pytest.raises(UsageError, match=r"^ACCTCLI_TESTING_BASE_URL: base_url is refused: it holds a user name"):
        load(folder, ACCTCLI_TESTING_BASE_URL="https://a:b@api.example.com").environment("testing")
    mended = load(folder).set_environment("testing", base_url=HOST)
    assert mended.environment("testing").base_url == HOST


@given(option=WORDS, named=WORDS, project=WORDS, user=WORDS)
def test_precedence_of_the_environment(
    tmp_path_factory: pytest.TempPathFactory,
    option: str | None,
    named: str | None,
    project: str | None,
    user: str | None,
) -> None:
    folder = tmp_path_factory.mktemp("precedence")
    if project:
        (folder / ".acctcli.toml").write_text(f'environment = "{project}"\n')
    if user:
        write_config(folder, f'environment = "{user}"\n')
    here = load(folder, ACCTCLI_ENV=named or "").describe(option)
    words = [
        (option, "--env"),
        (named, "ACCTCLI_ENV"),
        (project, str(folder / ".acctcli.toml")),
        (user, config(folder)),
        ("local", "default"),
    ]
    assert (here.name, here.sources["name"]) == next((word, source) for word, source in words if word)


@given(option=WORDS, named=WORDS, project=WORDS, user=WORDS, other=WORDS)
def test_precedence_of_the_business(
    tmp_path_factory: pytest.TempPathFactory,
    *,
    option: str | None,
    named: str | None,
    project: str | None,
    user: str | None,
    other: str | None,
) -> None:
    folder = tmp_path_factory.mktemp("precedence")
    if project:
        (folder / ".acctcli.toml").write_text(f'business = "{project}"\n')
    settings = load(folder, ACCTCLI_BUSINESS=named or "")
    if user:
        settings = settings.use_business("local", user)
    if other:
        settings = settings.use_business("testing", f"{other}-of-testing")
    here = settings.environment("local")
    words = [
        (named, "ACCTCLI_BUSINESS"),
        (project, str(folder / ".acctcli.toml")),
        (user, config(folder)),
        (None, None),
    ]
    default = next(((word, source) for word, source in words if word), (None, None))
    assert (here.business, here.sources.get("business")) == default
    if option or here.business:
        assert settings.business(here, option) == (option or here.business)
    else:
        with pytest.raises(UsageError, match="No business is chosen for environment 'local'") as caught:
            settings.business(here, option)
        assert caught.value.hint == "acctcli business use SLUG --env local"


def test_a_default_business_never_crosses_environments(folder: Path) -> None:
    settings = load(folder, ACCTCLI_TESTING_BASE_URL=HOST).use_business("testing", "acme")
    assert settings.environment("testing").business == "acme"
    assert settings.environment("local").business is None


def test_a_project_business_holds_for_every_environment(folder: Path) -> None:
    (folder / ".acctcli.toml").write_text('environment = "testing"\nbusiness = "acme"\n')
    settings = load(folder, ACCTCLI_TESTING_BASE_URL=HOST).use_business("local", "mine")
    assert [settings.environment(name).business for name in (None, "local")] == ["acme", "acme"]


def test_a_bad_business_option_is_refused(folder: Path) -> None:
    settings = load(folder)
    with pytest.raises(UsageError, match=r"^--business: 'a/b' is not a business slug"):
        settings.business(settings.environment(), "a/b")


def test_the_nearest_project_file_upwards_wins(folder: Path) -> None:
    (folder.parent.parent / ".acctcli.toml").write_text('environment = "far"\n')
    (folder.parent / ".acctcli.toml").write_text('business = "near"\n')
    here = load(folder).describe()
    assert (here.name, here.business) == ("local", "near")
    assert here.sources["business"] == str(folder.parent / ".acctcli.toml")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            'base_url = "https://evil.example"',
            "base_url is refused: a project file names environment and business",
        ),
        ('token = "secret-secret"', "token is refused: a project file names environment and business only"),
        ('[environments.testing]\nbase_url = "https://evil.example"', "environments is refused"),
        ('[environment]\nbase_url = "https://evil.example"', "environment must be a string"),
        ("business = 3", "business must be a string"),
        ('business = "a/b"', "business: 'a/b' is not a business slug"),
        ('environment = "A"', "environment: 'A' cannot name an environment"),
        ("environment", "cannot be read: it is not valid TOML"),
    ],
)
def test_a_project_file_says_no_more_than_environment_and_business(folder: Path, text: str, why: str) -> None:
    path = folder / ".acctcli.toml"
    path.write_text(text)
    with pytest.raises(UsageError) as caught:
        load(folder)
    assert caught.value.message.startswith(str(path))
    assert why in caught.value.message
    assert "evil" not in caught.value.message
    assert "secret" not in caught.value.message


def test_a_project_file_may_be_a_link_but_not_to_nothing_and_not_a_folder(folder: Path) -> None:
    (folder / "shared.toml").write_text('business = "acme"\n')
    link = folder / ".acctcli.toml"
    link.symlink_to(folder / "shared.toml")
    assert load(folder).environment().business == "acme"
    (folder / "shared.toml").unlink()
    with pytest.raises(UsageError, match="cannot be read: it is a link to nothing"):
        load(folder)
    link.unlink()
    link.mkdir()
    with pytest.raises(UsageError, match="cannot be read: it is not a plain file"):
        load(folder)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("environment = 1", "environment must be a string"),
        ('environment = "../x"', "environment: '../x' cannot name an environment"),
        ("environments = 1", "environments must be a table"),
        ("environments.testing = 1", "environments.testing must be a table"),
        ('[environments."A b"]', "environments: 'A b' cannot name an environment"),
        ("environments.testing.base_url = 1", "environments.testing.base_url must be a string"),
        ("environments.testing.login_url = 1", "environments.testing.login_url must be a string"),
        ("environments.testing.business = 1", "environments.testing.business must be a string"),
    ],
)
def test_a_misshapen_user_file_is_named_with_its_key(folder: Path, text: str, why: str) -> None:
    write_config(folder, text)
    with pytest.raises(UsageError) as caught:
        load(folder)
    assert caught.value.message.startswith(f"{config(folder)}: {why}")


def test_a_bad_default_business_is_refused_where_it_stands(folder: Path) -> None:
    write_config(folder, '[environments.local]\nbusiness = "a/b"\n')
    with pytest.raises(UsageError, match=r"config\.toml: 'a/b' is not a business slug"):
        load(folder).environment()


def test_environments_are_listed_with_those_of_file_and_variables(folder: Path) -> None:
    settings = load(folder, ACCTCLI_MY_ENV_BASE_URL=HOST, ACCTCLI_BASE_URL="ignored")
    settings = settings.set_environment("backup", base_url="https://b.example")
    assert settings.list_environments() == [
        Environment("testing", None, None, None),
        Environment("production", None, None, None),
        Environment("local", None, None, None),
        Environment("backup", "https://b.example", None, None),
        Environment("my-env", HOST, None, None),
    ]
    assert [environment.sources for environment in settings.list_environments()] == [
        {},
        {},
        {},
        {"base_url": config(folder)},
        {"base_url": "ACCTCLI_MY_ENV_BASE_URL"},
    ]


def test_environments_that_somebody_made_are_listed_by_name(folder: Path) -> None:
    names = ["zoo", "apu", "my-env", "backup", "m", "testing", "koe", "b2"]
    settings = load(folder, **{f"ACCTCLI_{name.upper().replace('-', '_')}_BASE_URL": HOST for name in names})
    made = ["apu", "b2", "backup", "koe", "m", "my-env", "zoo"]
    assert settings.environment_names() == ["testing", "production", "local", *made]


def test_setting_one_host_keeps_the_other_and_the_business(folder: Path) -> None:
    settings = load(folder).set_environment("testing", base_url=HOST, login_url=LOGIN)
    settings = settings.use_business("testing", "acme").set_environment("testing", base_url="https://new.example")
    assert settings.environment("testing") == Environment("testing", "https://new.example", LOGIN, "acme")


def test_setting_nothing_or_nonsense_writes_nothing(folder: Path) -> None:
    with pytest.raises(UsageError, match="Nothing to set"):
        load(folder).set_environment("testing")
    with pytest.raises(UsageError, match=r"^--login-url: login_url is refused"):
        load(folder).set_environment("testing", base_url=HOST, login_url="http://login.example")
    with pytest.raises(UsageError, match=r"^NAME: 'Testing' cannot name"):
        load(folder).set_environment("Testing", base_url=HOST)
    with pytest.raises(UsageError, match=r"^SLUG: 'a b' is not"):
        load(folder).use_business("testing", "a b")
    assert not (folder / "config").exists()


def test_using_an_environment_makes_it_the_default(folder: Path) -> None:
    settings = load(folder).set_environment("testing", base_url=HOST).use_environment("testing")
    assert settings.environment().name == "testing"
    assert settings.environment().sources["name"] == config(folder)
    assert load(folder).use_environment("local").environment().name == "local"
    with pytest.raises(UsageError, match="Environment 'production' has no host"):
        settings.use_environment("production")


def test_a_variable_still_wins_over_what_was_just_used(folder: Path) -> None:
    settings = load(folder, ACCTCLI_ENV="my-env", ACCTCLI_MY_ENV_BASE_URL=HOST).use_environment("local")
    assert settings.environment().sources["name"] == "ACCTCLI_ENV"


def test_unsetting_forgets_hosts_and_business_and_sends_nothing_elsewhere(folder: Path) -> None:
    settings = load(folder).set_environment("testing", base_url=HOST).use_environment("testing")
    settings = settings.use_business("testing", "acme").unset_environment("testing")
    assert settings.describe() == Environment("testing", None, None, None)
    with pytest.raises(UsageError, match="Environment 'testing' has no host"):
        settings.environment()
    with pytest.raises(UsageError, match="Nothing is stored for environment 'testing'"):
        settings.unset_environment("testing")


def test_unsetting_one_environment_leaves_the_others_and_the_default(folder: Path) -> None:
    settings = load(folder).set_environment("testing", base_url=HOST).use_environment("testing")
    settings = settings.set_environment("backup", base_url="https://b.example").unset_environment("backup")
    assert settings.environment() == Environment("testing", HOST, None, None)
    assert settings.describe("backup") == Environment("backup", None, None, None)
    assert files.read_toml(Path(config(folder))) == {
        "environment": "testing",
        "environments": {"testing": {"base_url": HOST}},
    }


def test_changes_start_from_the_file_of_the_moment(folder: Path) -> None:
    early, late = load(folder), load(folder)
    early.set_environment("testing", base_url=HOST)
    late.use_business("local", "acme")
    assert files.read_toml(Path(config(folder))) == {
        "environments": {"testing": {"base_url": HOST}, "local": {"business": "acme"}}
    }


@pytest.mark.parametrize("text", ["environments = 1\n", "environments.testing = 1\n", 'environments."A b" = {}\n'])
def test_a_file_that_was_spoilt_meanwhile_is_named_and_left_as_it_is(folder: Path, text: str) -> None:
    early = load(folder)
    write_config(folder, text)
    with pytest.raises(UsageError, match=r"config\.toml: environments"):
        early.set_environment("testing", base_url=HOST)
    assert Path(config(folder)).read_text() == text


def test_the_login_host_is_asked_for_only_where_it_is_needed(folder: Path) -> None:
    settings = load(folder).set_environment("testing", base_url=HOST)
    with pytest.raises(UsageError, match="Environment 'testing' has no host: its login_url is not set") as caught:
        settings.login_url(settings.environment("testing"))
    assert caught.value.hint == "acctcli env set testing --base-url URL --login-url URL"
    settings = settings.set_environment("testing", login_url=LOGIN)
    assert settings.login_url(settings.environment("testing")) == LOGIN


def test_a_removed_working_directory_is_no_traceback(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = folder / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert Settings.load({"ACCTCLI_CONFIG_DIR": str(folder / "config")}).environment().name == "local"


def test_loading_imports_nothing_heavy(folder: Path) -> None:
    code = """
import sys
from pathlib import Path
from acctcli import credentials
from acctcli.settings import Settings
credentials.resolve(Settings.load(cwd=Path(sys.argv[1])).environment())
heavy = {"pydantic", "keyring", "tomli_w", "tomllib", "platformdirs", "json", "typer", "httpx"}
print(sorted(heavy & set(sys.modules)))
"""
    environ = {"ACCTCLI_CONFIG_DIR": str(folder), "ACCTCLI_LOCAL_BASE_URL": "http://127.0.0.1:1"}
    environ["ACCTCLI_TOKEN"] = "not-a-secret"
    command = [sys.executable, "-c", code, str(folder)]
    assert subprocess.check_output(command, env=environ, text=True) == "[]\n"
