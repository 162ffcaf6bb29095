"""Names of saved files: one step of a path on every system, whatever they were called."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acctcli.cli.file.names import LONGEST, Names, safe_name

EXAMPLES = {
    "receipt.pdf": "receipt.pdf",
    "Kuitti ä € 漢字.pdf": "Kuitti ä € 漢字.pdf",
    "../../etc/passwd": "_.._etc_passwd",
    "/etc/passwd": "_etc_passwd",
    "..\\..\\windows\\system.ini": "_.._windows_system.ini",
    "c:\\x.txt": "c__x.txt",
    ".bashrc": "bashrc",
    "...": "file-7",
    "": "file-7",
    "   ": "file-7",
    "-rf": "rf",
    "--help.pdf": "help.pdf",
    "~/x": "_x",
    "a\0b": "a_b",
    "a\nb\tc": "a_b_c",
    "\x1b[31mred\x1b[0m.pdf": "_[31mred_[0m.pdf",
    "invoice\u202efdp.exe": "invoice_fdp.exe",
    "a\u00a0b\u202fc": "a b c",
    "a..pdf": "a..pdf",
    "a\u200bb\ufeff": "a_b_",
    "a\ud800b": "a_b",
    "con": "_con",
    "CON.pdf": "_CON.pdf",
    "nul.tar.gz": "_nul.tar.gz",
    "COM1.txt": "_COM1.txt",
    "lpt9": "_lpt9",
    "con .txt": "_con .txt",
    "com10": "com10",
    "console.log": "console.log",
    "trailing. . ": "trailing",
    'a<b>c:d"e|f?g*h': "a_b_c_d_e_f_g_h",
    "a\u0308.pdf": "ä.pdf",
    "$(rm -rf ~).pdf": "$(rm -rf ~).pdf",
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_name_becomes_safe(name: str) -> None:
    assert safe_name(name, 7) == EXAMPLES[name]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("x" * 300 + ".pdf", "x" * (LONGEST - 4) + ".pdf"),
        ("ä" * 300 + ".pdf", "ä" * ((LONGEST - 4) // 2) + ".pdf"),
        ("x" * 300, "x" * LONGEST),
        ("a." + "x" * 300, "a." + "x" * (LONGEST - 2)),
        ("漢" * 256, "漢" * (LONGEST // 3)),
        # an extension has up to 16 bytes
        ("x" * 300 + "." + "y" * 16, "x" * (LONGEST - 17) + "." + "y" * 16),
        ("x" * 300 + "." + "y" * 17, "x" * LONGEST),
        ("x" * 300 + "." + "ä" * 8, "x" * (LONGEST - 17) + "." + "ä" * 8),
        ("x" * 300 + "." + "ä" * 9, "x" * LONGEST),
        # what is left has no space and no point at its end
        ("x" * (LONGEST - 1) + " yyy", "x" * (LONGEST - 1)),
        ("x" * (LONGEST - 6) + ". yyy.pdf", "x" * (LONGEST - 6) + ".pdf"),
    ],
)
def test_a_long_name_is_cut_and_keeps_its_extension(name: str, expected: str) -> None:
    assert safe_name(name, 7) == expected


def test_files_of_one_name_are_told_apart_by_id() -> None:
    names = Names()
    claimed = [names.claim(name, record) for record, name in enumerate(["a.pdf", "a.pdf", "A.PDF", "a-2.pdf"], 1)]
    assert claimed == ["a.pdf", "a-2.pdf", "A-3.PDF", "a-2-4.pdf"]
    assert names.claim("a.pdf", 2) == "a-2-2.pdf"
    long = "x" * 300 + ".pdf"
    first, second = names.claim(long, 8), names.claim(long, 9)
    assert (len(first.encode()), second) == (LONGEST, "x" * (LONGEST - 6) + "-9.pdf")


@given(st.text(max_size=300), st.integers(1, 2**63 - 1))
def test_no_name_is_unsafe(name: str, record: int) -> None:
    safe = safe_name(name, record)
    assert 0 < len(safe.encode()) <= LONGEST
    assert safe[0] not in ".-~ "
    assert not set(safe) & set('/\\:*?"<>|')
    assert safe.isprintable()
    assert safe not in {".", ".."}
    assert safe == safe.rstrip(" .")
    assert safe_name(safe, record) == safe


def test_names_that_differ_in_case_alone_are_one() -> None:
    names = Names()
    claimed = [names.claim(name, record) for record, name in enumerate(("Receipt.pdf", "receipt.pdf", "Receipt.pdf"))]
    assert claimed == ["Receipt.pdf", "receipt-1.pdf", "Receipt-2.pdf"]
