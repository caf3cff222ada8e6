"""A certificate does not depend on what was proved before it: lemmas do not renumber its names."""

from derivations.library import find
from derivations.tactics.theorem import prove

LEMMA = "relative_entropy_is_locally_the_fisher_quadratic"
CITES_IT = "fisher_form_along_a_line"


def test_the_certificate_is_the_same_before_and_after_its_lemma_was_proved():
    hashes = []
    for before in ([], [LEMMA]):
        prove.cache_clear()
        for name in before:
            assert prove(find(name)).status == "proved"
        proof = prove(find(CITES_IT))
        assert proof.status == "proved"
        hashes.append(proof.main)
    assert hashes[0] == hashes[1]
