"""Every box has a name."""

from __future__ import annotations

import pytest

from acctcli import law
from acctcli.law.finland.filing import BOXES
from acctcli.law.germany.filing import FORM
from acctcli.models.enums import Language


def box_labels(country: str, language: Language) -> dict[str, str]:
    return law.country(country).filing().box_labels(language)


@pytest.mark.parametrize("language", Language)
def test_every_box_has_one_name_in_every_language(language: Language) -> None:
    assert set(box_labels("FI", language)) == set(BOXES)
    assert set(box_labels("DE", language)) == {*FORM, "10"}
    for country in ("FI", "DE"):
        names = list(box_labels(country, language).values())
        assert len(set(names)) == len(names)


def test_a_form_speaks_the_languages_that_people_read() -> None:
    assert [box_labels("FI", language)["307"] for language in Language] == [
        "Verokauden vähennettävä vero",
        "Skatt att dra av för skatteperioden",
        "Deductible tax",
        "Abziehbare Steuer",
    ]
    assert [box_labels("DE", language)["83"] for language in Language] == [
        "Maksettava vero tai palautus (-)",
        "Skatt att betala eller få tillbaka (-)",
        "Tax to pay, or to be refunded (-)",
        "Verbleibende Vorauszahlung / Überschuss (-)",
    ]
    # no name is that of another language
    for country in ("FI", "DE"):
        for names in zip(*(box_labels(country, language).values() for language in Language), strict=True):
            assert len(set(names)) == len(Language)
