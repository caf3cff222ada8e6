"""Shards: what their combined gradients reproduce, in one process and over real ranks."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from numerics import check, objective
from numerics.check import workers
from numerics.check.ranks import cut, over_micro_batches
from numerics.check.subject import bind
from numerics.errors import UnusableInput
from numerics.objectives.bradley_terry import bradley_terry
from numerics.properties import Finding

SHAPE = {"B": 2, "T": 4, "V": 8}


def over_tokens(logp, logp_old, adv, mask):
    return -((logp - logp_old).exp() * adv * mask).sum() / mask.sum()


def over_sequences(logp, logp_old, adv, mask):
    return -(((logp - logp_old).exp() * adv * mask).sum(-1) / mask.sum(-1)).mean()


def summed(logp, logp_old, adv, mask):
    return -((logp - logp_old).exp() * adv * mask).sum()


def over_all_tokens(logp, logp_old, adv, mask, items):
    return -((logp - logp_old).exp() * adv * mask).sum() / items


def averaged_later(logp, logp_old, adv, mask, items, ranks):
    return ranks * over_all_tokens(logp, logp_old, adv, mask, items)


def whitened(logp, logp_old, adv, mask):
    return over_tokens(logp, logp_old, (adv - adv.mean()) / (adv.std() + 1e-6), mask)


def of_groups(logp, rewards, group, mask):
    same = group[:, None] == group
    adv = rewards - (same * rewards).sum(-1) / same.sum(-1)
    return -(logp * adv[:, None] * mask).sum(-1).mean()


ITEMS = {"tokens": "items"}
BOTH = {"tokens": "items", "shards": "ranks"}


def judged(loss, *claims: str, count: int = 2, **declared: Any) -> Finding:
    subject = bind(objective(loss, claims=claims, **declared), SHAPE)
    return over_micro_batches(subject, count, 0)


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize(
    ("loss", "declared", "reproduced"),
    [
        (summed, {}, "the sum"),
        (over_sequences, {}, "the mean"),
        (over_tokens, {}, "the mean weighted by tokens"),
        (over_all_tokens, {"denominators": ITEMS}, "the sum"),
        (averaged_later, {"denominators": BOTH}, "the mean"),
        (bradley_terry, {}, "the mean"),
    ],
)
def test_what_reproduces_the_one_process_gradient(loss, declared, reproduced, count: int) -> None:
    found = judged(loss, count=count, **declared)
    assert found.verdict == "reported"
    assert f"{reproduced} of the local gradients" in found.message
    none = judged(loss, "micro-batches: none", **declared)
    assert none.verdict == "reported"
    combination = reproduced.removeprefix("the ")
    if combination in ("sum", "mean"):
        assert judged(loss, f"micro-batches: {combination}", **declared).verdict == "pass"
    for wrong in {"sum", "mean"} - {combination}:
        found = judged(loss, f"micro-batches: {wrong}", **declared)
        assert found.verdict == "fail" and found.observed and found.observed > 0.1


def test_a_group_stays_in_one_shard_and_statistics_of_a_batch_are_exempt() -> None:
    assert "mean" in judged(of_groups).message and judged(of_groups).verdict == "reported"
    found = judged(whitened, "micro-batches: mean")
    assert found.verdict == "not_applicable"
    assert "batch statistics" in found.message


def test_shards_have_unequal_numbers_of_tokens() -> None:
    whole = cut(bind(objective(over_tokens), SHAPE), 3, 0)
    assert len({float(whole.shard(i)["mask"].sum()) for i in range(3)}) == 3


@pytest.mark.parametrize(
    ("loss", "declared"), [(over_tokens, {}), (over_all_tokens, ITEMS), (of_groups, {})]
)
def test_the_reproduction_runs_and_shows_the_difference(loss, declared) -> None:
    claimed = "sum" if loss is of_groups else "mean"
    found = judged(loss, f"micro-batches: {claimed}", denominators=declared)
    assert found.counterexample is not None
    lines = found.counterexample["reproduction"]
    assert len(lines.splitlines()) == 5
    values: list[torch.Tensor] = []
    exec(lines, {"print": lambda *each: values.extend(each)})
    whole, total, mean = values
    assert torch.allclose(mean, whole) == (loss is of_groups)
    assert torch.allclose(total, whole) == bool(declared)


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (lambda: judged(over_tokens, "micro-batches: average"), ["unknown claim", "average"]),
        (lambda: judged(over_tokens, denominators={"words": "mask"}), ["denominators=", "words"]),
        (lambda: judged(over_tokens, denominators={"tokens": "n"}), ["no argument n"]),
        (lambda: check(over_tokens, accumulate=1), ["2 or more"]),
        (lambda: check(objective(by_rows), accumulate=2), ["cannot be cut", "group_advantage"]),
    ],
)
def test_what_cannot_be_compared_has_one_message(run, words: list[str]) -> None:
    with pytest.raises(UnusableInput) as caught:
        run()
    assert all(word in str(caught.value) for word in words), str(caught.value)


def by_rows(rewards, group):
    return rewards - rewards.mean()


def test_accumulation_is_part_of_the_report() -> None:
    declared = objective(over_tokens, claims=["micro-batches: mean"])
    report = check(declared, accumulate=2, only=("gradient_is_consistent",), seeds=1)
    assert report.verdict == "fail"
    assert report.findings[-1].property == "adds_up_over_micro_batches"


# ------------------------------------------------------------------ real processes

FILE = """
import torch.distributed as dist
from numerics import objective

@objective(claims=["ranks: mean"])
def divided_by_its_own(logp, logp_old, adv, mask):
    return -((logp - logp_old).exp() * adv * mask).sum() / mask.sum()

@objective(claims=["ranks: sum"])
def divided_by_all(logp, logp_old, adv, mask):
    tokens = mask.sum().clone()
    if dist.is_initialized():
        assert dist.get_world_size() == 2
        dist.all_reduce(tokens)
    return -((logp - logp_old).exp() * adv * mask).sum() / tokens
"""
RAISES = FILE.replace("dist.all_reduce(tokens)", "raise KeyError(dist.get_rank())")
WAITS = FILE.replace("dist.all_reduce(tokens)", "dist.get_rank() or dist.all_reduce(tokens)")


def over_two_ranks(path: Path, text: str, **how: Any) -> list[Finding]:
    from numerics.check.load import load

    path.write_text(text)
    subjects = [bind(entry, SHAPE) for entry in load(str(path))]
    return workers.over_ranks(str(path), {}, subjects, 2, **how)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen]:
    """Every process that is started."""
    found: list[subprocess.Popen] = []
    original = subprocess.Popen

    def recorded(*args: Any, **kwargs: Any) -> subprocess.Popen:
        found.append(original(*args, **kwargs))
        return found[-1]

    monkeypatch.setattr(workers.subprocess, "Popen", recorded)
    return found


def test_two_ranks_tell_a_right_loss_from_a_wrong_one(tmp_path: Path, started: list) -> None:
    own, everyone = over_two_ranks(tmp_path / "two_rank_losses.py", FILE)
    assert own.verdict == "fail"
    assert "divides by its own number of tokens" in own.notes[0]
    assert everyone.verdict == "pass"
    assert "the sum of the local gradients" in everyone.message
    assert [process.returncode for process in started] == [0, 0]


@pytest.mark.long
def test_a_loss_that_raises_on_a_rank_is_one_message_and_leaves_no_process(
    tmp_path: Path, started: list
) -> None:
    with pytest.raises(UnusableInput, match=r"rank \d: divided_by_all raised KeyError"):
        over_two_ranks(tmp_path / "raising_rank_losses.py", RAISES)
    assert len(started) == 2
    assert all(process.returncode is not None for process in started)


@pytest.mark.long
def test_a_collective_that_one_rank_leaves_out_ends_in_time(tmp_path: Path, started: list) -> None:
    with pytest.raises(UnusableInput, match=r"did not finish|ended with status"):
        over_two_ranks(tmp_path / "waiting_rank_losses.py", WAITS, timeout=20.0)
    assert all(process.returncode is not None for process in started)


def test_a_rank_ends_with_its_parent(tmp_path: Path) -> None:
    """Its standard input closes when the parent is gone; it waits for a job that never comes."""
    os.mkfifo(tmp_path / "job.json")
    command = [sys.executable, "-m", "numerics.check.rank_worker", str(tmp_path), "0"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.5)
    assert process.stdin
    process.stdin.close()
    assert process.wait(30) == 2


def test_no_gloo_is_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.distributed, "is_gloo_available", lambda: False)
    with pytest.raises(UnusableInput, match="no gloo"):
        workers.over_ranks("absent.py", {}, [], 2)


def test_how_many_ranks(tmp_path: Path) -> None:
    for ranks in (1, 9):
        with pytest.raises(UnusableInput, match="--ranks"):
            workers.over_ranks("absent.py", {}, [], ranks)
