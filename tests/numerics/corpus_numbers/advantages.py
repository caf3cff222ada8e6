"""Advantages and critics on the cases' inputs."""

import torch

from tests.numerics.corpus_numbers import padded, real


def episode(f, rewards, values, next_values, gamma, lam, terminated=(), truncated=()):
    """One row, ended at the given steps; advantages [T]."""
    ended = [[float(t in steps) for t in range(len(rewards))] for steps in (terminated, truncated)]
    rows = [real([row]) for row in (rewards, values, next_values, *ended)]
    return f(*rows, torch.ones_like(rows[0]), gamma, lam)[0]


def timeout(f, x, which):
    rewards, values, at = x["rewards"], x["values"], x["truncated_at"]
    following = [*values[1:], x["V_final_obs"]]
    return episode(f, rewards, values, following, x["gamma"], x["lam"], truncated=(at,))


def one_timeout(f, x, which):
    last = x["V_terminal_obs"]
    return episode(f, [x["reward"]], [x["V"]], [last], x["gamma"], 1.0, truncated=(0,))


def shifted_done(f, x, which):
    rewards, values, at = x["rewards"], x["values"], x["terminal_at"]
    following = [*values[1:], 0.0]
    found = episode(f, rewards, values, following, x["gamma"], x["lam"], terminated=(at,))
    return found[at]


def last_value(f, x, which):
    following = [*x["values"][1:], x["V_new_obs"]]
    last = len(x["rewards"]) - 1
    return episode(f, x["rewards"], x["values"], following, x["gamma"], x["lam"], truncated=(last,))


def after_reset(f, x, which):
    rewards, values = [x["reward"], 0.0], [x["V"], x["V_after_reset"]]
    following = [x["V_next_true"], 0.0]
    found = episode(f, rewards, values, following, x["gamma"], x["lam"], (1,), (0,))
    return found[0]


def next_episode(f, x, which):
    at, steps = x["truncated_at"], len(x["rewards"])
    values = [x["V_A"]] * (at + 1) + [x["V_B"]] * (steps - at - 1)
    following = [*values[1:], values[-1]]
    following[at] = x["V_A"]
    found = episode(f, x["rewards"], values, following, x["gamma"], 1.0, (), (at, steps - 1))
    return found[at]


def padded_values(f, x, which):
    rows = [real([x[n]]) for n in ("rewards", "values")]
    mask = real([x.get("mask") or x["response_mask"]])
    return f(*rows, mask, x["gamma"], x["lam"])[mask > 0]


def second_group(f, x, which):
    first, second = x["groups"]
    group = torch.tensor([0] * len(first) + [1] * len(second))
    return f(real([*first, *second]), group)[len(first) :]


def tiled(f, x, which):
    """Prompts in the order A, B, A, B; advantages told in the order A, A, B, B."""
    a, b = x["rewards_by_prompt"].values()
    rewards = real([r for both in zip(a, b, strict=True) for r in both])
    found = f(rewards, torch.tensor([0, 1] * x["group_size"]))
    return torch.cat([found[0::2], found[1::2]])


def one_group(f, x, which):
    rewards = real(x["rewards"])
    return f(rewards, torch.zeros(len(rewards), dtype=torch.int64))


def first_of_group(f, x, which):
    return one_group(f, x, which)[0]


def deviation(f, x, which):
    """The deviation that the advantages were divided by."""
    rewards = real(x["rewards"])
    return ((rewards - rewards.mean()) / one_group(f, x, which))[0]


def second_row(f, x, which):
    return f(real(x["scores"]), real(x["mask"]))[1]


def valid_cells(f, x, which):
    mask = real(x["mask"])
    return f(real(x["advantages"]), mask)[mask > 0]


def single(f, x, which):
    found = real([x["advantages"]])
    return f(found, torch.ones_like(found))[0]


def over_ranks(f, x, which):
    row = real([[value for rank in x["rank_tokens"] for value in rank]])
    return f(row, torch.ones_like(row))[0]


def rows(f, x, which):
    return f(real(x["x"]), real(x["mask"]))


def value_error(f, x, which):
    value, old, wanted = (real([[x[n]]]) for n in ("v_new", "v_old", "return"))
    return f(value, old, wanted, torch.ones_like(value))


def token_errors(f, x, which):
    errors, mask = padded(x["token_sq_errors"])
    return f(errors.sqrt(), 0 * errors, mask)


def tempered(f, x, which):
    """The value that is compared with a target of zero."""
    value = real([[x["value"]]])
    return f(value, 0 * value, torch.ones_like(value), temperature=x["T"]).sqrt()


def normalised(f, x, which):
    given = (real([[x["return"]]]), real([[x["v_norm"]]]))
    return f(*given, x["mu"], x["sigma"])


def squashed(f, x, which):
    z, mean = real([[x["z"]]]), real([[float(x["mean"])]])
    log_std = real([[float(x["std"])]]).log()
    return f(z, mean, mean, log_std, log_std)


def step(f, x, which):
    tries = real([[x["theta_last_try"]]])
    return f(real([x["theta_old"]]), tries, real([1.0]), real([1.0]), 0.01)


NUMBERS = {
    "cleanrl-198-timeout": timeout,
    "sb3-633-timeout-treated-as-terminal": one_timeout,
    "roboverse-814-done-buffer-shifted": shifted_done,
    "sb3-185-last-value-off-by-one": last_value,
    "torchrl-3771-compact-next-value": after_reset,
    "torchrl-4209-vtrace-next-episode": next_episode,
    "verl-50-values-unmasked-before-gae": padded_values,
    "verl-1758-critic-mask-offset": padded_values,
    "grpo-flat-2-batch-statistics": second_group,
    "prime-rl-600-group-order": tiled,
    "slime-2230-uneven-groups": second_group,
    "pipelinerl-54-first-rollout-stats": one_group,
    "nemo-1518-loo-zero-std": first_of_group,
    "control-slime-233-std-after-centering": deviation,
    "verl-1527-whitened-pads-nonzero": second_row,
    "skyrl-1305-mean-over-padding": valid_cells,
    "sb3-1028-minibatch-of-one": single,
    "slime-2235-whiten-per-cp-rank": over_ranks,
    "openrlhf-1250-masked-normalize-broadcast": rows,
    "cleanrl-15-value-clip-min": value_error,
    "control-baselines-91-value-max": value_error,
    "verl-6957-critic-microbatch": token_errors,
    "slime-1928-temperature-on-values": tempered,
    "mappo-13-value-not-denormalised": normalised,
    "mighty-118-tanh-correction-one-side": squashed,
    "tianshou-1287-line-search-keeps-bad-step": step,
}
