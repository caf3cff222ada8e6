"""`proofgrad check`: verdicts, exit status, JSON keys, one clear message for unusable losses."""

import json
import sys

import pytest
import torch
import typer
from typer.testing import CliRunner

from numerics.commands.check import command

RIGHT = """
@objective(like="grpo", clip=0.2, beta=0.04, reduce="token-mean")
def right(logp, logp_old, logp_ref, adv, mask):
    ratio = torch.exp(logp - logp_old)
    surrogate = torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
    gap = logp_ref - logp
    return ((0.04 * (gap.exp() - 1 - gap) - surrogate) * mask).sum() / mask.sum()
"""
WRONG = RIGHT.replace("right", "wrong").replace("torch.min(", "torch.max(")
DETACHED = RIGHT.replace("right", "detached").replace("- logp\n", "- logp.detach()\n")
POLICY = "@objective\ndef loss(logp, logp_old, adv, mask):\n    "
RATIO = "torch.exp(logp - logp_old)"

# name: (body of the loss, words of the message)
UNUSABLE = {
    "nan": (f"return ({RATIO} * adv).sum() * torch.log(-mask.sum())", ["returns NaN", "sample"]),
    "nan gradient": (
        f"return torch.where(mask > 5, torch.sqrt(logp), {RATIO} * adv).sum()",
        ["gradient", "NaN"],
    ),
    "not a scalar": (f"return -{RATIO} * adv", ["does not return a scalar", "[2, 4]", "reduce it"]),
    "a tuple": (f"return ({RATIO} * adv).sum(), {{}}", ["tuple", "returns=0"]),
    "nothing": ("pass", ["does not return a scalar", "None"]),
    "a float": ("return float((logp * adv).sum().detach())", ["does not return a scalar", "float"]),
    "no gradient": (
        f"return ({RATIO} * adv).sum().detach()",
        ["no gradient", "detach of", ".py:6"],
    ),
    "ignores logp": ("return (adv * logp_old).sum()", ["no gradient", "ignores"]),
    "mutates": (f"adv.sub_(1.0)\n    return ({RATIO} * adv).sum()", ["adv", "in place"]),
    "mutates logp": (f"logp.clamp_(-1, 0)\n    return ({RATIO} * adv).sum()", ["logp", "in place"]),
    "raises": ("raise KeyError('no such thing')", ["raised KeyError", "no such thing", ".py:6"]),
    "wrong shape inside": (f"return ({RATIO} @ adv).sum()", ["raised RuntimeError", ".py:6"]),
    "random": ("return (logp * adv * torch.rand_like(logp)).sum()", ["another value each time"]),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_an_unusable_loss_has_one_clear_message(name: str, write, run) -> None:
    body, words = UNUSABLE[name]
    status, out, err = run("check", write(POLICY + body))
    assert status == 2
    assert out == ""
    assert "Traceback" not in err
    assert err.startswith("unusable input: ")
    assert all(word in err for word in words), err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("@objective\ndef f(logp, advantages, mask): ...", ["advantages", "--arg adv=advantages"]),
        ("@objective\ndef f(logp, mask): ...", ["fit no family", "logp, mask"]),
        ("@objective(args={'logp': 'lp'})\ndef f(logp, adv): ...", ["no argument lp"]),
        ("@objective(constants={'b': 1})\ndef f(logp, adv): ...", ["no argument b"]),
        ("@objective(family='policies')\ndef f(logp, adv): ...", ["unknown family", "logits"]),
        (
            "@objective(like='grpo2')\ndef f(logp, adv): return (logp * adv).sum()",
            ["grpo2", "grpo"],
        ),
        (
            "@objective(like='ppo_clip', eps=0.2)\ndef f(logp, adv): return (logp * adv).sum()",
            ["no option eps", "clip=0.2"],
        ),
        ("@objective(clip=1)\ndef f(logp, adv): return (logp * adv).sum()", ["no like="]),
        ("@objective(shapes={'adv': 'T'})\ndef f(logp, adv): ...", ["shapes"]),
        ("@objective(returns=3)\ndef f(logp, adv): return (logp * adv).sum(), 1", ["no result 3"]),
        ("def f(logp, adv): ...", ["declares no objective"]),
        ("def f(:", ["raised SyntaxError"]),
        ("1 / 0", ["raised ZeroDivisionError", ".py:4"]),
        ("raise SystemExit(0)", ["raised SystemExit"]),
    ],
)
def test_a_wrong_declaration_has_one_clear_message(text: str, words: list, write, run) -> None:
    status, _, err = run("check", write(text))
    assert status == 2
    assert "Traceback" not in err
    assert all(word in err for word in words), err


@pytest.mark.parametrize(
    "target",
    ["absent.py", "absent.py:f", "no.such.module:f", "json:no_such", "json:__name__", "json"],
)
def test_a_target_that_is_not_there(target: str, write, run) -> None:
    write("")
    status, _, err = run("check", target)
    assert status == 2
    assert err.startswith("unusable input: ")


def test_integer_inputs(write, run) -> None:
    batch = {
        name: torch.ones(2, 3, dtype=torch.int64) for name in ("logp", "logp_old", "adv", "mask")
    }
    name = write(POLICY + f"return ({RATIO} * adv).sum()")
    torch.save(batch, "batch.pt")
    status, _, err = run("check", name, inputs="batch.pt")
    assert status == 2
    assert "integers" in err
    assert "int64" in err


def test_a_batch_of_the_users_own(write, run) -> None:
    name = write(POLICY + f"return -({RATIO} * adv * mask).sum()")
    rng = torch.Generator().manual_seed(0)
    draw = lambda: -torch.rand(2, 3, generator=rng, dtype=torch.float64)
    batch = {"logp": draw(), "logp_old": draw(), "adv": draw(), "mask": torch.ones(2, 3).double()}
    torch.save(batch, "batch.pt")
    assert run("check", name, inputs="batch.pt")[0] in (0, 3)
    del batch["adv"]
    torch.save(batch, "batch.pt")
    status, _, err = run("check", name, inputs="batch.pt")
    assert status == 2
    assert "lack adv" in err
    assert run("check", name, inputs="absent.pt")[0] == 2


def test_a_right_loss_passes(write, run) -> None:
    status, out, _ = run("check", write(RIGHT))
    assert status == 0
    assert "right" in out
    assert "FAIL" not in out
    assert "ratio above 1.2, A > 0" in out


def test_a_wrong_loss_fails_with_a_reproduction(write, run) -> None:
    status, out, _ = run("check", write(WRONG))
    assert status == 1
    assert "matches_the_specification" in out
    assert "reproduce:" in out


def test_an_accidental_detach_is_named(write, run) -> None:
    status, out, _ = run("check", write(DETACHED))
    assert status == 1
    assert "detach of [2x4]" in out
    assert "the specification freezes nothing" in out


def test_the_worst_status_wins(write, run) -> None:
    assert run("check", write(RIGHT + WRONG))[0] == 1
    assert run("check", write(RIGHT + WRONG), only=["no_such_property"])[0] == 2


def test_json_has_exactly_the_promised_keys(write, run) -> None:
    status, out, _ = run("check", write(RIGHT + WRONG), as_json=True)
    assert status == 1
    document = json.loads(out)
    assert list(document) == ["objectives"]
    assert [entry["verdict"] for entry in document["objectives"]] == ["pass", "fail"]
    for entry in document["objectives"]:
        assert list(entry) == ["objective", "family", "verdict", "checks"]
        for finding in entry["checks"]:
            assert list(finding) == [
                "property",
                "verdict",
                "observed",
                "allowed",
                "minimum_detectable",
                "counterexample",
                "theorem",
            ]
            verdicts = ("pass", "fail", "inconclusive", "reported", "not_applicable")
            assert finding["verdict"] in verdicts


def test_a_plain_function_through_flags(write, run) -> None:
    text = (
        "def theirs(old, new, weights, keep, eps, /, style):\n"
        "    r = torch.exp(new - old)\n"
        "    x = torch.min(r * weights, r.clamp(1 - eps, 1 + eps) * weights)\n"
        "    return {'loss': -(x * keep).sum() / keep.sum(), 'style': style}\n"
    )
    flags = {
        "arg": ["logp=new,logp_old=old", "adv=weights", "mask=keep"],
        "constant": ["eps=0.1", "style=plain"],
        "returns": "loss",
        "like": "ppo_clip",
    }
    name = write(text)
    assert run("check", f"{name}:theirs", option=["clip=0.1"], **flags)[0] == 0
    assert run("check", f"{name}:theirs", option=["clip=0.2"], **flags)[0] == 1
    assert run("check", f"{name}:theirs", **{**flags, "arg": ["logp"]})[0] == 2


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ({"shape": ["0,2"]}, ["--shape 0,2", "at least one"]),
        ({"shape": ["2,x"]}, ["--shape 2,x"]),
        ({"shape": ["1,2,3,4"]}, ["--shape 1,2,3,4"]),
        ({"shape": ["B=2,B=3"]}, ["--shape B=2,B=3"]),
        ({"shape": ["Q=2"]}, ["unknown axis", "Q"]),
        ({"shape": ["100000,100000"]}, ["too large a shape"]),
        ({"device": "moon"}, ["--device moon"]),
        ({"device": "meta"}, ["--device meta"]),
        ({"dtype": "float31"}, ["dtypes=", "float31", "float32"]),
        ({"ranks": 1}, ["--ranks", "2 to 8"]),
        ({"accumulate": -1}, ["accumulate", "2 or more"]),
        ({"only": ["gradient_is_consistant"]}, ["unknown property", "gradient_is_consistent"]),
        ({"only": ["averages_pairs_as_claimed"]}, ["says nothing of the policy family"]),
        ({"claim": ["micro-batches: median"], "accumulate": 2}, ["unknown claim", "median"]),
        ({"denominator": ["words=mask"]}, ["denominators=", "words"]),
        ({"setup": "absent"}, ["--setup"]),
    ],
)
def test_an_unusable_value_of_a_flag_is_one_message(flags: dict, words: list, write, run) -> None:
    only = {"only": ["gradient_is_consistent"]}
    status, out, err = run("check", write(RIGHT), **{**only, **flags})
    assert (status, out) == (2, "")
    assert err.count("unusable input: ") == 1 and "Traceback" not in err
    assert all(word in err for word in words), err


def test_shapes_seed_and_dtype_are_those_that_were_asked_for(write, run) -> None:
    seen = (
        "seen = set()\n@objective\ndef loss(logp, adv, mask):\n"
        "    seen.add((tuple(logp.shape), logp.dtype))\n"
        "    return -(logp * adv * mask).sum()\n"
    )
    flags = {"shape": ["2,3", "T=5"], "dtype": "float32", "only": ["gradient_is_consistent"]}
    name = write(seen)
    status, out, _ = run("check", name, **flags)
    assert status == 0
    given = sys.modules[name.removesuffix(".py")].seen
    assert given == {((2, 3), torch.float32), ((2, 5), torch.float32)}
    _, other, _ = run("check", name, seed=7, **flags)
    assert other != out


def test_claims_and_accumulation_on_the_command_line(write, run) -> None:
    name = write(POLICY + f"return -({RATIO} * adv * mask).sum() / mask.sum()")
    flags = {"accumulate": 2, "only": ["gradient_is_consistent"]}
    status, out, _ = run("check", name, **flags)
    assert status == 0 and "the mean weighted by tokens" in out
    status, out, _ = run("check", name, claim=["micro-batches: mean"], **flags)
    assert status == 1 and "divides by its own number of tokens" in out


def test_a_setup_on_the_command_line(write, run) -> None:
    text = (
        "def theirs(config, ratio, adv, mask):\n"
        "    x = torch.min(ratio * adv, ratio.clamp(*config) * adv)\n"
        "    return -(x * mask).sum() / mask.sum()\n"
        "def make(loss, low, high):\n"
        "    return lambda logp, logp_old, adv, mask: "
        "loss((low, high), torch.exp(logp - logp_old), adv, mask)\n"
    )
    name = write(text)
    flags = {"setup": f"{name}:make", "like": "ppo_clip", "constant": ["low=0.8", "high=1.2"]}
    assert run("check", f"{name}:theirs", **flags)[0] == 0
    status, out, _ = run("check", f"{name}:theirs", **{**flags, "constant": ["low=0.7,high=1.2"]})
    assert status == 1
    assert "setup=make, constants={'low': 0.7, 'high': 1.2}).judged(" in out


@pytest.mark.long
def test_ranks_on_the_command_line(write, run) -> None:
    name = write(POLICY + f"return -({RATIO} * adv * mask).sum()")
    flags = {"ranks": 2, "only": ["gradient_is_consistent"], "as_json": True}
    for claim, status, verdict in (("sum", 0, "pass"), ("mean", 1, "fail")):
        found, out, _ = run("check", name, claim=[f"ranks: {claim}"], **flags)
        last = json.loads(out)["objectives"][0]["checks"][-1]
        assert (last["property"], last["verdict"]) == ("adds_up_over_ranks", verdict)
        assert found == status


def test_progress_is_shown_on_a_terminal_only(write, run, monkeypatch) -> None:
    name, flags = write(RIGHT), {"only": ["gradient_is_consistent"]}
    assert run("check", name, **flags)[2] == ""
    monkeypatch.setenv("FORCE_COLOR", "1")  # what rich takes for a terminal
    assert "right: gradient_is_consistent" in run("check", name, **flags)[2]


def test_the_command_as_typer_runs_it(write) -> None:
    app = typer.Typer()
    app.command("check")(command)
    name = write(RIGHT)
    result = CliRunner().invoke(app, [f"{name}:right", "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["objectives"][0]["objective"] == "right"
    assert CliRunner().invoke(app, ["absent.py"]).exit_code == 2
