"""Samples: shapes, every branch reached, valid log-probabilities, reproducible from their seed."""

import pytest
import torch

from numerics.families import families, sample

SHAPE = {"N": 2, "B": 3, "T": 7, "V": 11}


@pytest.mark.parametrize("name", families())
@pytest.mark.parametrize("regime", ["near", "moderate", "far"])
def test_shapes_types_and_seeds(name: str, regime: str) -> None:
    family = families()[name]
    inputs = family.sample(SHAPE, 5, regime)
    assert set(inputs) == family.names
    for key, value in inputs.items():
        axes = family.argument(key).axes[0]
        assert value.shape == tuple(SHAPE[axis] for axis in axes)
        assert value.dtype == (
            torch.int64 if key in ("labels", "input_ids", "group") else torch.float64
        )
    again = family.sample(SHAPE, 5, regime)
    assert all(torch.equal(inputs[key], again[key]) for key in inputs)
    others = [family.sample(SHAPE, seed, regime) for seed in (6, 7, 8)]
    assert any(not torch.equal(inputs[k], other[k]) for other in others for k in inputs)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("regime", ["near", "moderate", "far"])
def test_log_probabilities_are_not_positive(seed: int, regime: str) -> None:
    inputs = sample("policy", seed, regime, B=4, T=9)
    for name in ("logp", "logp_old", "logp_ref"):
        assert float(inputs[name].max()) <= 0.0


@pytest.mark.parametrize("name", ["policy", "logits"])
@pytest.mark.parametrize("seed", range(5))
def test_every_branch_is_reached(name: str, seed: int) -> None:
    family = families()[name]
    reached = family.coverage(family.sample(SHAPE, seed, "moderate"))
    assert all(count > 0 for key, count in reached.items() if "20" not in key)
    assert reached["lengths"] > 1
    assert family.coverage(family.sample(SHAPE, seed, "far"))["|log-ratio| above 20"] > 0


@pytest.mark.parametrize("name", families())
def test_the_default_setting_of_check_reaches_every_branch(name: str) -> None:
    family = families()[name]
    reached: dict[str, int] = {}
    for shape in family.shapes:
        for regime in ("near", "moderate", "far"):
            for seed in range(3):
                counts = family.coverage(family.sample(shape, seed, regime))
                reached = {key: reached.get(key, 0) + count for key, count in counts.items()}
    assert reached
    assert [key for key, count in reached.items() if not count] == []


def test_group_ids_are_no_positions_and_only_far_samples_have_a_group_of_one() -> None:
    family = families()["group_advantage"]
    for seed in range(8):
        for regime, alone in (("near", 0), ("moderate", 0), ("far", 1)):
            inputs = family.sample({"B": 9, "T": 2}, seed, regime)
            counts = family.coverage(inputs)
            assert counts["groups of one"] == alone
            assert counts["groups"] > 1
            assert int(inputs["group"].min()) >= 7


def test_preferences_serve_per_response_and_per_token() -> None:
    from numerics.families.preference import per_response, per_token_mean

    x = sample("preference", 1, "far", B=6, T=5)
    whole, mean = (f(x["logp_w"], x["mask_w"]) for f in (per_response, per_token_mean))
    assert torch.allclose(whole, mean * x["mask_w"].sum(-1))
    assert torch.equal(per_response(whole, x["mask_w"]), whole)
    assert torch.equal(per_token_mean(mean, x["mask_w"]), mean)
    assert all(float(x[name].max()) < 0 for name in ("logp_w", "logp_l", "ref_w", "ref_l"))


def test_episodes_end_inside_a_row_in_both_ways() -> None:
    x = sample("gae", 0, "moderate", B=4, T=8)
    assert not bool((x["terminated"] * x["truncated"]).any())
    where = x["truncated"] > 0
    following = torch.cat([x["values"][:, 1:], 0 * x["values"][:, :1]], -1)
    assert bool((x["next_values"] != following)[where].all())
    assert torch.equal(x["next_values"] * x["mask"], x["next_values"])


def test_penalties_reach_both_sides_and_the_clamps() -> None:
    family = families()["kl"]
    assert all(family.coverage(family.sample(SHAPE, 0, "far")).values())


def test_near_samples_stay_inside_the_clip() -> None:
    inputs = sample("policy", 0, "near", B=4, T=20)
    assert float((inputs["logp"] - inputs["logp_old"]).abs().max()) < 0.22


def test_the_smallest_shape_works() -> None:
    inputs = sample("logits", 0, "far", B=1, T=1, V=2)
    assert inputs["mask"].tolist() == [[1.0]]
