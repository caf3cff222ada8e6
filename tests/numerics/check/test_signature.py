"""Names to arguments to one family; several families or none are refused."""

import pytest

from numerics.check.signature import family_of, map_arguments
from numerics.errors import UnusableInput
from numerics.families import families
from numerics.objective import objective


@pytest.mark.parametrize(
    ("names", "family"),
    [
        ("logp adv", "policy"),
        ("logp logp_old logp_ref adv mask", "policy"),
        ("logp logp_ref", "kl"),
        ("logp logp_old logp_ref mask", "kl"),
        ("logits labels adv mask", "logits"),
        ("logits labels", "logits"),
        ("logp_w logp_l ref_w ref_l", "preference"),
        ("logp_w logp_l mask_w mask_l", "preference"),
        ("score_w score_l", "reward_model"),
        ("rewards group", "group_advantage"),
        ("rewards group mask", "group_advantage"),
        ("rewards values mask gamma lam", "gae"),
        ("rewards values next_values terminated truncated gamma lam", "gae"),
        ("logp logp_ref score mask beta", "token_reward"),
        ("logits", "entropy"),
        ("logits mask", "entropy"),
        ("value returns", "value"),
        ("value value_old returns mask", "value"),
        ("x mask", "whiten"),
        ("logits_p logits_q", "divergence"),
        ("n c k", "metric"),
        ("logp adv value returns", "actor_critic"),
        ("logp rewards group mask", "group_policy"),
        ("weight features targets mask", "accumulation"),
    ],
)
def test_the_family_follows_from_the_names(names: str, family: str) -> None:
    found = family_of(objective(print), frozenset(names.split()), families())
    assert found.name == family


@pytest.mark.parametrize("names", ["logp", "labels", "logits labels logp adv", "adv mask", "n k"])
def test_names_of_no_family(names: str) -> None:
    with pytest.raises(UnusableInput, match="fit no family"):
        family_of(objective(print), frozenset(names.split()), families())


def test_a_name_of_another_family_stays_at_its_default() -> None:
    """beta and k are data of other families; here they are the loss's own options."""

    def penalised(logp, logp_ref, adv, mask, beta=0.04, k=3): ...

    def penalty(logp, logp_ref, mask=None, adv=None): ...

    assert map_arguments(objective(penalised)).ours == ("logp", "logp_ref", "adv", "mask")
    assert map_arguments(objective(penalty)).family.name == "policy"  # it knows all the names

    def strange(logp, logp_ref, adv, beta): ...

    with pytest.raises(UnusableInput, match="fit no family") as caught:
        map_arguments(objective(strange))
    assert "policy: adv, logp" in str(caught.value)


def test_names_of_two_families_are_ambiguous_until_one_is_said() -> None:
    known = {"policy": families()["policy"], "twin": families()["policy"]}
    names = frozenset({"logp", "adv"})
    with pytest.raises(UnusableInput, match="several families") as caught:
        family_of(objective(print), names, known)
    assert "--family policy" in str(caught.value)
    assert family_of(objective(print, family="twin"), names, known) is known["twin"]


def test_a_declared_family_must_fit() -> None:
    with pytest.raises(UnusableInput, match="fit no family"):
        family_of(objective(print, family="kl"), frozenset({"logp", "adv"}), families())


def test_foreign_names_constants_defaults_and_keywords() -> None:
    def theirs(lp, A, eps, mask=None, *, style="x", **rest): ...

    mapped = map_arguments(objective(theirs, args={"logp": "lp", "adv": "A"}, constants={"eps": 1}))
    assert dict(mapped.data) == {"lp": "logp", "A": "adv", "mask": "mask"}
    assert mapped.family.name == "policy"


def test_an_argument_without_a_value_is_named_with_a_suggestion() -> None:
    def theirs(log_prob, adv): ...

    with pytest.raises(UnusableInput) as caught:
        map_arguments(objective(theirs))
    assert 'args={"logp": "log_prob"}' in str(caught.value)
    assert "test_signature.py:" in str(caught.value)


def test_nothing_is_mapped_without_being_asked() -> None:
    """A default hides `log_prob`: it is left at it."""

    def theirs(logp, adv, log_prob=None): ...

    assert "log_prob" not in map_arguments(objective(theirs)).data


def test_no_signature() -> None:
    with pytest.raises(UnusableInput):
        map_arguments(objective(dict))
