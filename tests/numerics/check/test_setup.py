"""`setup=`: losses that need a configuration, a trainer, a module, or a dictionary of tensors."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
import torch

from numerics import check, objective
from numerics.check.load import load
from numerics.errors import UnusableInput

ONE = {"seeds": 1, "shapes": ({"B": 2, "T": 4, "V": 8},)}


@dataclass
class Config:
    clip_ratio: float


def configured(config: Config, batch: dict[str, torch.Tensor]) -> tuple[torch.Tensor, dict]:
    """A library's loss: a configuration object and a dictionary of tensors in, a tuple out."""
    ratio = (batch["new"] - batch["old"]).exp()
    low, high = 1 - config.clip_ratio, 1 + config.clip_ratio
    surrogate = torch.minimum(ratio * batch["adv"], ratio.clamp(low, high) * batch["adv"])
    return -(surrogate * batch["keep"]).sum() / batch["keep"].sum(), {}


def canonical(loss, clip):
    """Ours to theirs."""

    def called(logp, logp_old, adv, mask):
        batch = {"new": logp, "old": logp_old, "adv": adv, "keep": mask}
        return loss(Config(clip), batch)

    return called


class Trainer:
    """A loss as a method of an object that holds the options."""

    def __init__(self, clip: float) -> None:
        self.clip = clip

    def loss(self, logp, logp_old, adv, mask):
        return canonical(configured, self.clip)(logp, logp_old, adv, mask)[0]


class Module(torch.nn.Module):
    """A loss as a module."""

    def forward(self, logp, logp_old, adv, mask):
        return configured(Config(0.2), {"new": logp, "old": logp_old, "adv": adv, "keep": mask})[0]


def test_a_library_function_is_judged_through_its_setup() -> None:
    declared = partial(objective, configured, setup=canonical, returns=0, like="ppo_clip")
    assert check(declared(constants={"clip": 0.2}, clip=0.2), **ONE).verdict == "pass"
    assert check(declared(constants={"clip": 0.3}, clip=0.2), **ONE).verdict == "fail"


def test_the_constants_of_a_setup_are_options_of_the_loss() -> None:
    declared = objective(configured, setup=canonical, returns=0, constants={"clip": 0.2})
    report = check(declared, only=("changes_with_every_option",), **ONE)
    assert [(f.verdict, f.message) for f in report.findings] == [("pass", "clip")]


@pytest.mark.parametrize(
    "loss",
    [Module(), Trainer(0.2).loss, objective(Module, setup=Module), partial(Trainer(0.2).loss)],
    ids=["module", "method", "class", "partial"],
)
def test_objects_are_losses(loss) -> None:
    declared = loss if hasattr(loss, "judged") else objective(loss)
    assert "test_setup.py" in declared.where or isinstance(loss, partial)
    assert check(objective(declared.judged, like="ppo_clip"), **ONE).verdict == "pass"
    assert check(objective(declared.judged, like="ppo_clip", clip=0.1), **ONE).verdict == "fail"


def needs_more(loss, trainer): ...


def raises():
    raise KeyError("no such key")


@pytest.mark.parametrize(
    ("setup", "words"),
    [
        (needs_more, ["setup needs_more of configured needs trainer", "constants="]),
        (raises, ["setup raises of configured raised KeyError", "no such key"]),
        (lambda: 3, ["returns no loss", "int"]),
    ],
)
def test_a_setup_that_cannot_be_used_has_one_message(setup, words: list[str]) -> None:
    with pytest.raises(UnusableInput) as caught:
        check(objective(configured, setup=setup))
    assert all(word in str(caught.value) for word in words), str(caught.value)
    assert "test_setup.py:" in str(caught.value)


FILE = """
from numerics import objective

def theirs(config, log_ratio, adv, mask):
    return -(log_ratio.exp() * adv * mask).sum() * config["scale"]

def make(loss, scale=1.0):
    return lambda logp, logp_old, adv, mask: loss({"scale": scale}, logp - logp_old, adv, mask)

adapted = objective(theirs, setup=make)

@objective
def own(logp, adv): ...
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    file = tmp_path / "losses_with_a_setup.py"
    file.write_text(FILE)
    return str(file)


def test_a_setup_is_named_on_the_command_line(path: str) -> None:
    declared = {"setup": f"{path}:make", "constants": {"scale": 2.0}}
    (entry,) = load(f"{path}:theirs", declared)
    assert entry.judged is not entry.function
    assert entry.name == "theirs"
    assert check(entry, only=("gradient_is_consistent",), **ONE).verdict == "pass"
    for wrong in ("make", f"{path}:absent", "absent.py:make"):
        with pytest.raises(UnusableInput):
            load(f"{path}:theirs", {"setup": wrong})


def test_an_objective_has_the_name_that_its_file_gives_it(path: str) -> None:
    assert [entry.name for entry in load(path)] == ["adapted", "own"]
    assert load(f"{path}:adapted")[0].home.endswith("losses_with_a_setup")
