"""The outbox: what is delivered is on the disk before it is recorded, and mail that has left is not sent again."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from acctcli.errors import UsageError
from acctcli.models.enums import InDoubt
from acctcli.service.delivery import operator
from acctcli.service.delivery import outbox as outbox_module
from acctcli.service.delivery.mail import Letter, Person, compose
from acctcli.service.delivery.operator import OperatorClient, operator_client
from acctcli.service.delivery.outbox import ANEW, KINDS, Envelope, Outbox, Parcel
from acctcli.service.delivery.smtp import MailServer
from acctcli.service.problems import Locked, MailUnrecorded, MailUnsure, NotSent, Precondition, Problem, Unavailable
from acctcli.service.store.contents import Contents
from tests.mail_server import PASSWORD, USER, Mailbox, serving_mail
from tests.power import names_at_risk

# what these parcels are made of lies in no file
CONTENTS = Contents(Path("none"))
MAIL_ANSWER = KINDS["eml"].answer
MARK = "0123456789abcdef"
LETTER_MARK = "fedcba9876543210"
ENVELOPE = Envelope(Person("Books", "books@example.com"), Person("Birch", "birch@example.com"), LETTER_MARK)
LETTER = Letter(*ENVELOPE[:2], "Invoice 7", "Hello\n", LETTER_MARK, datetime(2026, 4, 2, tzinfo=UTC))
MESSAGE = compose(LETTER, [])


@pytest.fixture
def outbox(tmp_path: Path) -> Outbox:
    return Outbox(tmp_path / "outbox", CONTENTS)


@pytest.fixture
def mailbox(outbox: Outbox) -> Iterator[Mailbox]:
    """A server that the outbox sends to."""
    with serving_mail() as made:
        outbox.server = MailServer("127.0.0.1", made.port, None, is_tls=False, starts_tls=False)
        yield made


PAPER = Parcel("books", MARK, "invoice-7", "pdf", lambda _: b"%PDF")
MAIL = Parcel("books", MARK, "invoice-7", "eml", lambda _: MESSAGE, ENVELOPE)
AGAIN = MAIL._replace(mark="f" * 16)


def held(outbox: Outbox) -> dict[str, bytes]:
    """What lies in the outbox, by its place there."""
    paths = (path for path in outbox.folder.rglob("*") if path.is_file())
    return {str(path.relative_to(outbox.folder)): path.read_bytes() for path in paths}


@pytest.mark.parametrize("parcel", [PAPER, MAIL])
def test_without_a_server_everything_is_laid_down(outbox: Outbox, parcel: Parcel) -> None:
    content = parcel.make(CONTENTS)
    with outbox.delivered(parcel):
        assert held(outbox) == {f"books/invoice-7-0123456789ab.{parcel.ending}": content}
    assert held(outbox) == {f"books/invoice-7-0123456789ab.{parcel.ending}": content}
    assert {stat.S_IMODE(path.stat().st_mode) for path in outbox.folder.rglob("*")} == {0o700, 0o600}


def test_the_first_message_is_there_after_a_power_cut(outbox: Outbox) -> None:
    with names_at_risk(outbox.folder.parent) as named, outbox.delivered(MAIL):
        pass
    assert named == []


def test_what_cannot_be_recorded_is_taken_out_again(outbox: Outbox) -> None:
    with pytest.raises(Locked), outbox.delivered(MAIL):
        raise Locked
    assert held(outbox) == {}


def test_what_may_have_been_recorded_stays(outbox: Outbox) -> None:
    with pytest.raises(Unavailable), outbox.delivered(MAIL):
        raise Unavailable
    assert held(outbox) == {"books/invoice-7-0123456789ab.eml": MESSAGE}


def test_only_mail_goes_to_the_server(outbox: Outbox, mailbox: Mailbox) -> None:
    with outbox.delivered(PAPER):
        pass
    assert mailbox.received == []
    with outbox.delivered(MAIL):
        # it has left before it is recorded, and cannot be taken back
        assert [(one.sender, one.recipients, one.content) for one in mailbox.received] == [
            ("books@example.com", ["birch@example.com"], MESSAGE)
        ]
        assert "books/sent/invoice-7-fedcba987654-0123456789ab.eml.unrecorded" in held(outbox)
    assert held(outbox) == {
        "books/invoice-7-0123456789ab.pdf": b"%PDF",
        "books/sent/invoice-7-fedcba987654.eml": MESSAGE,
    }


def test_an_account_of_another_domain_stands_in_the_mail_and_not_in_its_envelope(outbox: Outbox) -> None:
    with serving_mail() as mailbox:
        outbox.server = MailServer(
            "127.0.0.1", mailbox.port, USER, is_tls=False, starts_tls=False, password=lambda: PASSWORD
        )
        elsewhere = ENVELOPE._replace(sender=Person("Books", "invoices@elsewhere.example"))
        with outbox.delivered(MAIL._replace(envelope=elsewhere)):
            pass
    (one,) = mailbox.received
    assert (one.sender, one.content) == ("invoices@elsewhere.example", b"Sender: books@example.com\r\n" + MESSAGE)
    assert held(outbox) == {"books/sent/invoice-7-fedcba987654.eml": one.content}


def test_mail_that_was_not_recorded_is_not_sent_again(outbox: Outbox, mailbox: Mailbox) -> None:
    with pytest.raises(Unavailable) as caught, outbox.delivered(MAIL):
        raise Unavailable
    assert caught.value.detail == (
        "The mail was sent, but that could not be recorded. Asked again, that is done without sending it."
    )
    with pytest.raises(OSError, match="full"), outbox.delivered(AGAIN):
        raise OSError("full")
    with pytest.raises(MailUnrecorded) as refused, outbox.delivered(AGAIN):
        raise Locked
    assert refused.value.detail == "The mail was sent, but that could not be recorded: The record is locked."
    with outbox.delivered(AGAIN):
        pass
    assert len(mailbox.received) == 1
    assert held(outbox) == {"books/sent/invoice-7-fedcba987654.eml": MESSAGE}
    with outbox.delivered(AGAIN):
        pass
    assert len(mailbox.received) == 2


def test_mail_of_a_request_is_recorded_whatever_it_would_say_by_now(outbox: Outbox, mailbox: Mailbox) -> None:
    assert outbox.unrecorded("books", MARK) is None
    for parcel in (MAIL, MAIL._replace(mark="f" * 16, envelope=ENVELOPE._replace(mark="0" * 16))):
        with pytest.raises(Unavailable), outbox.delivered(parcel):
            raise Unavailable
    assert (outbox.unrecorded("others", MARK), outbox.unrecorded("books", LETTER_MARK)) == (None, None)
    left = outbox.unrecorded("books", MARK)
    assert left is not None
    with left:
        pass
    assert len(mailbox.received) == 2
    names = ["invoice-7-000000000000-ffffffffffff.eml.unrecorded", "invoice-7-fedcba987654.eml"]
    assert sorted(held(outbox)) == [f"books/sent/{name}" for name in names]


def test_a_slow_mail_server_holds_only_so_many(
    outbox: Outbox, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deliver(parcel: Parcel) -> None:
        with slow.delivered(parcel):
            pass

    monkeypatch.setattr(outbox_module, "MOST_AT_ONCE", 1)
    slow, mailbox.holds = Outbox(outbox.folder, CONTENTS, outbox.server), True
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(deliver, MAIL)
        assert mailbox.arrived.wait(10)
        other = AGAIN._replace(stem="invoice-8")
        problem = refused(slow, other)
        assert (type(problem), problem.detail) == (
            NotSent,
            "1 mails are leaving at this moment: send this one when some have left.",
        )
        deliver(PAPER)
        mailbox.free.set()
        first.result()
    deliver(other)
    names = ["invoice-7-fedcba987654.eml", "invoice-8-fedcba987654.eml"]
    assert sorted(path.name for path in outbox.folder.glob("books/sent/*")) == names


def test_large_mails_are_made_by_few_at_once(outbox: Outbox, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    def deliver(parcel: Parcel) -> None:
        with slow.delivered(parcel):
            pass

    def other(number: int, weight: int) -> Parcel:
        mark = f"{number}" * 16
        return MAIL._replace(mark=mark, stem=f"invoice-{number}", weight=weight, make=made.get)

    monkeypatch.setattr(outbox_module, "MOST_LARGE_AT_ONCE", 1)
    slow, mailbox.holds, made = Outbox(outbox.folder, CONTENTS, outbox.server), True, Made()
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(deliver, other(1, 2**20 + 1))
        assert mailbox.arrived.wait(10)
        problem = refused(slow, other(2, 2**20 + 1))
        detail = "1 mails with large files are leaving at this moment: send this one when some have left."
        assert (type(problem), problem.detail, made.times) == (NotSent, detail, 1)
        small = pool.submit(deliver, other(3, 2**20))
        mailbox.free.set()
        first.result()
        small.result()
    deliver(other(2, 2**20 + 1))
    assert (made.times, len(mailbox.received)) == (3, 3)


class Made:
    """How often a mail was made."""

    def __init__(self) -> None:
        self.times = 0

    def get(self, _: Contents) -> bytes:
        self.times += 1
        return MESSAGE


def refused(outbox: Outbox, parcel: Parcel) -> Problem:
    with pytest.raises(Problem) as caught, outbox.delivered(parcel):
        raise AssertionError("nothing may be recorded")
    return caught.value


def test_mail_that_may_have_left_is_sent_again_only_when_a_person_says_so(outbox: Outbox, mailbox: Mailbox) -> None:
    mailbox.drops = "DATA"
    for _ in range(2):
        assert type(refused(outbox, MAIL)) is MailUnsure
        assert held(outbox) == {"books/sent/invoice-7-0123456789ab.eml.unsure": MESSAGE}
    mailbox.drops = ""
    # even where it would say something else by now
    for same in (MAIL, MAIL._replace(envelope=ENVELOPE._replace(mark="0" * 16))):
        assert type(refused(outbox, same)) is MailUnsure
    # nor does another request, with a mark of its own as one without a key has, also if it says something else
    for other in (AGAIN, AGAIN._replace(envelope=ENVELOPE._replace(mark="0" * 16))):
        problem = refused(outbox, other)
        detail = "Nothing was sent: a mail of this invoice may have left earlier, its server did not say."
        assert (type(problem), problem.detail) == (Precondition, f"{detail} {MAIL_ANSWER}")
    with outbox.delivered(AGAIN._replace(stem="invoice-70")):
        pass
    assert len(mailbox.received) == 2
    with outbox.delivered(AGAIN._replace(in_doubt=InDoubt.AGAIN)):
        assert len(mailbox.received) == 3
    names = ["7-0123456789ab", "7-fedcba987654", "70-fedcba987654"]
    assert held(outbox) == {f"books/sent/invoice-{name}.eml": MESSAGE for name in names}
    # and then it is as with any mail
    with outbox.delivered(MAIL._replace(mark="e" * 16)):
        pass
    assert len(mailbox.received) == 4


def in_doubt(outbox: Outbox, mailbox: Mailbox) -> None:
    """Send a mail that the server takes without saying so."""
    mailbox.drops = "DATA"
    assert type(refused(outbox, MAIL)) is MailUnsure
    mailbox.drops = ""


def test_mail_that_arrived_is_recorded_and_not_sent(outbox: Outbox, mailbox: Mailbox) -> None:
    arrived = AGAIN._replace(envelope=None, in_doubt=InDoubt.ARRIVED)
    assert refused(outbox, arrived).detail == "No mail of this invoice is in doubt."
    in_doubt(outbox, mailbox)
    with pytest.raises(Locked), outbox.delivered(arrived):
        raise Locked
    assert held(outbox) == {"books/sent/invoice-7-0123456789ab.eml.unsure": MESSAGE}
    with outbox.delivered(arrived):
        pass
    assert (held(outbox), len(mailbox.received)) == ({"books/sent/invoice-7-0123456789ab.eml": MESSAGE}, 1)
    assert refused(outbox, arrived).detail == "No mail of this invoice is in doubt."


def test_only_what_is_in_doubt_goes_again_as_that(outbox: Outbox, mailbox: Mailbox) -> None:
    problem = refused(outbox, MAIL._replace(in_doubt=InDoubt.AGAIN))
    assert (type(problem), problem.detail, mailbox.received) == (
        Precondition,
        "No mail of this invoice is in doubt.",
        [],
    )


@pytest.mark.parametrize(("answer", "kind"), [("450 later", NotSent), ("550 never", Precondition)])
def test_what_a_server_refuses_when_it_goes_again_is_as_much_in_doubt_as_before(
    outbox: Outbox, mailbox: Mailbox, answer: str, kind: type[Problem]
) -> None:
    in_doubt(outbox, mailbox)
    mailbox.answer_to_data = answer
    assert type(refused(outbox, AGAIN._replace(in_doubt=InDoubt.AGAIN))) is kind
    assert held(outbox) == {"books/sent/invoice-7-0123456789ab.eml.unsure": MESSAGE}


def test_mail_that_may_be_repeated_is_refused_to_the_same_request_only(outbox: Outbox, mailbox: Mailbox) -> None:
    invitation = MAIL._replace(repeatable=True)
    mailbox.drops = "DATA"
    for _ in range(2):
        assert refused(outbox, invitation).detail.endswith(ANEW)
    mailbox.drops = ""
    with outbox.delivered(invitation._replace(mark="f" * 16)):
        pass
    assert [one.content for one in mailbox.received] == [MESSAGE, MESSAGE]


PROGRAM = """
import sys
from pathlib import Path
from acctcli.service.delivery.outbox import Outbox
from acctcli.service.delivery.operator import OperatorClient, operator_client
from acctcli.service.delivery.smtp import MailServer
from tests.service.delivery.test_outbox import CONTENTS, MAIL

server = MailServer("127.0.0.1", int(sys.argv[2]), None, is_tls=False, starts_tls=False)
with Outbox(Path(sys.argv[1]), CONTENTS, server).delivered(MAIL):
    pass
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows kills otherwise")
@pytest.mark.parametrize("name", ["SIGKILL", "SIGINT"])
def test_an_end_while_mail_leaves_is_quick_and_sends_nothing_twice(outbox: Outbox, mailbox: Mailbox, name: str) -> None:
    mailbox.holds = True
    command = [sys.executable, "-c", PROGRAM, str(outbox.folder), str(mailbox.port)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as sending:
        assert mailbox.arrived.wait(30)
        sending.send_signal(signal.Signals[name])
        assert sending.wait(6) != 0
    mailbox.free.set()
    assert type(refused(outbox, MAIL)) is MailUnsure
    assert held(outbox) == {"books/sent/invoice-7-0123456789ab.eml.unsure": MESSAGE}


@pytest.mark.parametrize(("answer", "kind"), [("450 later", NotSent), ("550 never", Precondition)])
def test_mail_that_is_refused_leaves_nothing(
    outbox: Outbox, mailbox: Mailbox, answer: str, kind: type[Exception]
) -> None:
    mailbox.answer_to_data = answer
    assert type(refused(outbox, MAIL)) is kind
    assert held(outbox) == {}


def test_a_kill_between_sending_and_recording_sends_nothing_twice(outbox: Outbox, mailbox: Mailbox) -> None:
    killed = outbox.delivered(MAIL)
    killed.__enter__()  # and never comes back
    with Outbox(outbox.folder, CONTENTS, outbox.server).delivered(MAIL):
        pass
    assert len(mailbox.received) == 1


def test_old_copies_of_mail_go_but_not_what_is_still_needed(outbox: Outbox, mailbox: Mailbox) -> None:
    now = time.time()
    for number, age in enumerate((3, 1)):
        with outbox.delivered(MAIL._replace(stem=f"invoice-{number}")):
            pass
        (made,) = outbox.folder.glob(f"books/sent/invoice-{number}-*")
        os.utime(made, (now - age, now - age))
    outbox.delivered(MAIL._replace(stem="unrecorded")).__enter__()
    mailbox.drops = "DATA"
    refused(outbox, MAIL._replace(stem="unsure"))
    outbox.server = None
    with outbox.delivered(MAIL):
        pass
    for path in (*outbox.folder.glob("books/sent/un*"), outbox.folder / "books" / MAIL.file_name):
        os.utime(path, (0, 0))
    before = held(outbox)
    outbox.forget(now - 2)
    assert before.keys() - held(outbox).keys() == {f"books/sent/invoice-0-{LETTER_MARK[:12]}.eml"}
    assert held(outbox).keys() < before.keys()


def test_a_disk_that_refuses_is_unavailable(outbox: Outbox, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for name in ("created", "flush_folders"):
        with monkeypatch.context() as broken:
            broken.setattr(outbox_module, name, full)
            with pytest.raises(Unavailable, match="No space left on device"), outbox.delivered(PAPER):
                raise AssertionError("nothing may be recorded")
        assert held(outbox) == {}
    (outbox.folder / "books").rmdir()
    (outbox.folder / "books").touch()
    with pytest.raises(Unavailable, match="The outbox cannot be written: File exists"), outbox.delivered(MAIL):
        raise AssertionError("nothing may be recorded")
    assert mailbox.received == []


# --- e-invoices, by the client of an operator ---

EINVOICE = Parcel("books", MARK, "invoice-7", "xml", lambda _: b"<Invoice/>", letter=LETTER_MARK)
OTHER = EINVOICE._replace(mark="f" * 16)
SENT_XML, RECEIPT_OF = "books/sent/invoice-7-fedcba987654.xml", "books/sent/invoice-7-{}.receipt.json"
# notes what it was given, then does as it is told
CLIENT = """
import json, os, pathlib, subprocess, sys, time
told, *words = sys.argv[1:]
seen = pathlib.Path(__file__).with_name("seen")
note = [words, pathlib.Path(words[-1]).read_text(), sys.stdin.read(), sorted(n for n in os.environ if "ACCTCLI" in n)]
with seen.open("a") as stream:
    stream.write(json.dumps(note) + "\\n")
print("one\\ntwo", file=sys.stderr)
if told == "hang":
    subprocess.Popen([sys.executable, "-c", f"import time; time.sleep(1); open({str(seen)!r}, 'a').write('late')"])
    time.sleep(60)
if told == "flood":
    while True:
        os.write(1, b"x" * 2**20)
if told == "much":
    os.write(1, b"first\\n" + b"x" * int(words[0]) + b"\\nlast")
    sys.exit(int(words[1]))
if told == "die":
    os.kill(os.getpid(), 9)
sys.exit(int(told))
"""


@pytest.fixture
def told(outbox: Outbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let an operator's client end as it is told."""
    script = tmp_path / "client.py"
    script.write_text(CLIENT)
    monkeypatch.setenv("ACCTCLI_SMTP_PASSWORD", "secret")

    def tell(how: str, *words: str) -> None:
        outbox.client = OperatorClient((sys.executable, str(script), how, *words), 1.0 if how == "hang" else 60.0)

    tell("0")
    return tell


def seen(outbox: Outbox) -> list[Any]:
    path = outbox.folder.parent / "seen"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def receipt(outbox: Outbox, mark: str = MARK) -> Any:
    return json.loads(held(outbox)[RECEIPT_OF.format(mark[:12])])


@pytest.mark.usefixtures("told")
def test_a_client_takes_an_einvoice_over_once_and_its_receipt_is_kept(outbox: Outbox) -> None:
    unrecorded = "The e-invoice was sent, but that could not be recorded"
    with pytest.raises(Unavailable, match=unrecorded), outbox.delivered(EINVOICE):
        raise Unavailable
    # whoever asks for the same next records it
    with outbox.delivered(OTHER):
        pass
    file = str(outbox.folder / "books/sent/invoice-7-0123456789ab.xml")
    assert seen(outbox) == [[[file], "<Invoice/>", "", []]]
    assert set(held(outbox)) == {SENT_XML, RECEIPT_OF.format(MARK[:12])}
    kept = receipt(outbox)
    assert (kept["command"][2:], kept["exit_code"], kept["output"]) == (["0", file], 0, "one\ntwo\n")
    outbox.forget(time.time() + 9)
    assert set(held(outbox)) == {RECEIPT_OF.format(MARK[:12])}


def test_the_file_stands_where_the_words_say(outbox: Outbox, told: Callable[..., None]) -> None:
    told("0", "--file={file}", str(outbox.folder.parent / "client.py"))
    with outbox.delivered(EINVOICE):
        pass
    ((words, *_),) = seen(outbox)
    assert words[0] == f"--file={outbox.folder}/books/sent/invoice-7-0123456789ab.xml"
    assert len(words) == 2


@pytest.mark.parametrize(("code", "kind"), [("3", Precondition), ("75", NotSent)])
def test_what_a_client_refuses_is_not_sent_and_may_be_sent_later(
    outbox: Outbox, told: Callable[..., None], code: str, kind: type[Problem]
) -> None:
    told(code)
    problem = refused(outbox, EINVOICE)
    name = Path(sys.executable).name
    assert (type(problem), problem.detail) == (kind, f"{name} did not take the e-invoice (exit code {code}): two.")
    assert (set(held(outbox)), receipt(outbox)["exit_code"]) == ({RECEIPT_OF.format(MARK[:12])}, int(code))
    told("0")
    with outbox.delivered(EINVOICE):
        pass
    assert receipt(outbox)["exit_code"] == 0


@pytest.mark.parametrize("how", ["hang", "die"])
def test_what_a_client_was_ended_over_goes_again_only_when_a_person_says_so(
    outbox: Outbox, told: Callable[..., None], how: str
) -> None:
    told(how)
    answer = KINDS["xml"].answer
    unheard = (
        f"{Path(sys.executable).name} did not say whether it took the e-invoice over, which may have left. {answer}"
    )
    problem = refused(outbox, EINVOICE)
    assert (type(problem), problem.detail) == (MailUnsure, unheard)
    assert receipt(outbox)["exit_code"] == (None if how == "hang" else -9)
    told("0")
    assert refused(outbox, EINVOICE).detail == unheard
    earlier = "an e-invoice of this invoice may have left earlier, the operator's client did not say"
    assert refused(outbox, OTHER).detail == f"Nothing was sent: {earlier}. {answer}"
    assert len(seen(outbox)) == 1
    # a mail of it is none of this
    with outbox.delivered(MAIL):
        pass
    with outbox.delivered(OTHER._replace(in_doubt=InDoubt.AGAIN)):
        pass
    time.sleep(1.2 if how == "hang" else 0)
    # what the first one began was ended with it
    assert len(seen(outbox)) == 2
    assert not [name for name in held(outbox) if name.endswith(".unsure")]
    assert (
        refused(outbox, OTHER._replace(in_doubt=InDoubt.ARRIVED)).detail == "No e-invoice of this invoice is in doubt."
    )


def test_what_a_client_writes_is_kept_whole_up_to_64_kib_and_cut_in_the_middle_beyond(
    outbox: Outbox, told: Callable[..., None]
) -> None:
    around = len("one\ntwo\n" + "first\n" + "\nlast")
    told("much", str(2**16 - around), "0")
    with outbox.delivered(EINVOICE):
        pass
    whole = receipt(outbox)
    assert (len(whole["output"]), whole["output"][:14], whole["bytes_left_out"]) == (2**16, "one\ntwo\nfirst\n", 0)
    told("much", str(2**20 - around), "3")
    refusal = refused(outbox, OTHER._replace(letter="0" * 64)).detail
    assert refusal.endswith("did not take the e-invoice (exit code 3): last.")
    cut = receipt(outbox, OTHER.mark)
    first, last = cut["output"].split(f"\n[{2**20 - 2**16} bytes are left out]\n")
    assert (len(first), len(last), cut["bytes_left_out"]) == (2**15, 2**15, 2**20 - 2**16)
    assert (first[:14], last[-6:]) == ("one\ntwo\nfirst\n", "x\nlast")


def test_who_writes_without_end_is_ended_and_in_doubt(
    outbox: Outbox, told: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operator, "_MOST_OUTPUT", 2**20)
    told("flood")
    began = time.monotonic()
    assert type(refused(outbox, EINVOICE)) is MailUnsure
    kept = receipt(outbox)
    assert (kept["exit_code"], kept["bytes_left_out"] > 2**20 - 2**16, time.monotonic() - began < 30) == (
        None,
        True,
        True,
    )
    assert type(refused(outbox, OTHER)) is Precondition


def test_an_einvoice_that_arrived_is_recorded(outbox: Outbox, told: Callable[..., None]) -> None:
    told("die")
    refused(outbox, EINVOICE)
    with outbox.delivered(OTHER._replace(in_doubt=InDoubt.ARRIVED)):
        pass
    assert len(seen(outbox)) == 1
    assert held(outbox)["books/sent/invoice-7-0123456789ab.xml"] == b"<Invoice/>"


def test_whoever_is_interrupted_ends_the_client_and_leaves_a_doubt(
    outbox: Outbox, told: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    told("hang")
    wait, waits = subprocess.Popen.wait, iter([KeyboardInterrupt()])

    def interrupted(self: subprocess.Popen[bytes], timeout: float | None = None) -> int:
        for one in waits:
            raise one
        return wait(self, timeout)

    monkeypatch.setattr(subprocess.Popen, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt), outbox.delivered(EINVOICE):
        pass
    assert "books/sent/invoice-7-0123456789ab.xml.unsure" in held(outbox)
    assert type(refused(outbox, OTHER)) is Precondition


def test_a_client_that_is_not_there_leaves_nothing(outbox: Outbox) -> None:
    outbox.client = OperatorClient(("/nowhere/client",))
    problem = refused(outbox, EINVOICE)
    assert (type(problem), problem.detail.startswith("client cannot be run: ")) == (NotSent, True)
    assert held(outbox) == {}


def test_a_client_is_named_by_words() -> None:
    assert operator_client(None) is operator_client("") is None
    assert operator_client('["op", "--send"]') == OperatorClient(("op", "--send"))
    for written in ("op --send", "[]", '["op", ""]', '["op", 3]', '{"op": 1}', '"op"'):
        with pytest.raises(UsageError, match="is no array of words"):
            operator_client(written)
