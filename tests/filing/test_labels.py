"""Every box has a name."""

from __future__ import annotations

import pytest

from acctcli.filing import finland, germany
from acctcli.filing.labels import box_labels
from acctcli.models.enums import Language


@pytest.mark.parametrize("language", Language)
def test_every_box_has_one_name_in_every_language(language: Language) -> None:
    assert set(box_labels("FI", language)) == set(finland.BOXES)
    assert set(box_labels("DE", language)) == {*germany.FORM, "10"}
    for country in ("FI", "DE"):
        names = list(box_labels(country, language).values())
        assert len(set(names)) == len(names)


def test_a_form_speaks_the_languages_of_its_country() -> None:
    assert [box_labels("FI", language)["307"] for language in Language] == [
        "Verokauden vähennettävä vero",
        "Skatt att dra av för skatteperioden",
        "Deductible tax",
        "Deductible tax",
    ]
    assert [box_labels("DE", language)["83"] for language in (Language.DE, Language.FI)] == [
        "Verbleibende Vorauszahlung / Überschuss (-)",
        "Tax to pay, or to be refunded (-)",
    ]
