"""Samples: shapes, every branch reached, valid log-probabilities, reproducible from their seed."""

import pytest
import torch

from numerics.families import families, sample

SHAPE = {"B": 3, "T": 7, "V": 11}


@pytest.mark.parametrize("name", families())
@pytest.mark.parametrize("regime", ["near", "moderate", "far"])
def test_shapes_types_and_seeds(name: str, regime: str) -> None:
    family = families()[name]
    inputs = family.sample(SHAPE, 5, regime)
    assert set(inputs) == family.names
    for key, value in inputs.items():
        axes = family.argument(key).axes[0]
        assert value.shape == tuple(SHAPE[axis] for axis in axes)
        assert value.dtype == (torch.int64 if key == "labels" else torch.float64)
    again = family.sample(SHAPE, 5, regime)
    assert all(torch.equal(inputs[key], again[key]) for key in inputs)
    other = family.sample(SHAPE, 6, regime)
    assert not torch.equal(inputs[family.differentiated], other[family.differentiated])


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


def test_penalties_reach_both_sides_and_the_clamps() -> None:
    family = families()["kl"]
    assert all(family.coverage(family.sample(SHAPE, 0, "far")).values())


def test_near_samples_stay_inside_the_clip() -> None:
    inputs = sample("policy", 0, "near", B=4, T=20)
    assert float((inputs["logp"] - inputs["logp_old"]).abs().max()) < 0.22


def test_the_smallest_shape_works() -> None:
    inputs = sample("logits", 0, "far", B=1, T=1, V=2)
    assert inputs["mask"].tolist() == [[1.0]]
