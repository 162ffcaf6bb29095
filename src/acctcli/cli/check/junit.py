"""A check as JUnit writes tests: a case for each part, and one for each finding; faults fail."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from acctcli.cli.check.findings import Checked
from acctcli.cli.output import sink
from acctcli.cli.session.state import State


def write(here: State, checked: Checked, command: str = "check") -> None:
    """Write the check that a command made as one XML document."""
    with sink.opened(here.options.output_file) as stream:
        stream.write(
            ET.tostring(_suite(f"acctcli {command} {here.business()}", checked), encoding="utf-8", xml_declaration=True)
            + b"\n"
        )


def _suite(name: str, checked: Checked) -> ET.Element:
    suite = ET.Element("testsuite", name=name)
    for part in checked.left_out:
        ET.SubElement(_case(suite, part, "all"), "skipped", message=checked.why)
    for part in checked.parts:
        found = [finding for finding in checked.findings if finding.part == part]
        if not found:
            _case(suite, part, "all")
        for finding in found:
            case = _case(suite, part, finding.record)
            told = _clean(f"{finding.problem}; {finding.remedy}")
            if finding.is_fault:
                ET.SubElement(case, "failure", message=told)
            else:
                ET.SubElement(case, "system-out").text = told
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(sum(case.find("failure") is not None for case in suite)))
    suite.set("skipped", str(len(checked.left_out)))
    return suite


def _case(suite: ET.Element, part: str, name: str) -> ET.Element:
    return ET.SubElement(suite, "testcase", classname=part, name=_clean(name))


def _clean(text: str) -> str:
    """Leave out what no XML may hold."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
