"""Divergences, temperatures, entropies and metrics on the cases' inputs."""

import torch

from tests.numerics.corpus_numbers import real, slope

GRID = torch.linspace(-14.0, 15.0, 4001, dtype=torch.float64)


def law(logits):
    return torch.log_softmax(real(logits), -1)


def expectation(f, x, which):
    """Over the whole vocabulary, drawn from the policy."""
    p, ref = law(x["policy_logits"]), law(x["ref_logits"])
    return (p.exp() * f(p[None], ref[None])[0]).sum()


def expectation_under_old(f, x, which):
    p, old, ref = (law(x[f"{name}_logits"]) for name in ("policy", "old", "ref"))
    return (old.exp() * f(p[None], old[None], ref[None])[0]).sum()


def mean_of_samples(f, x, which):
    sampler, other = (real([x[n]]) for n in ("rollout_logp", "train_logp"))
    return f(sampler, other).mean()


def expected_slope(f, x, which):
    """sum_x P(x) d loss(x) / d logits, P held fixed; advantages of zero."""
    sampler = law(x.get("old_logits", x["policy_logits"]))
    ref = law(x["ref_logits"])

    def loss(logits):
        p = torch.log_softmax(logits, -1)
        total = torch.zeros(())
        for word in range(len(p)):
            logp, zero = p[word].view(1, 1), real([[0.0]])
            given = (sampler[word].view(1, 1), ref[word].view(1, 1), zero, zero + 1)
            total = total + sampler[word].exp() * f(logp, *given, beta=1.0)
        return total

    return slope(loss, real(x["policy_logits"]))


def slope_in_logp(f, x, which):
    logp, ref, zero = real([[x["logp"]]]), real([[x["ref_logp"]]]), real([[0.0]])
    return slope(lambda t: f(t, logp, ref, zero, zero + 1, beta=1.0), logp).item()


def padded_teacher(f, x, which):
    policy, teacher, mask = (real([x[n]]) for n in ("policy_logp", "teacher_logp", "mask"))
    return f(policy, teacher, mask).sum() / mask.sum()


def shaped(f, x, which):
    kl = real([x["kl"]])
    return f(kl, 0 * kl, real([x["score"]]), torch.ones_like(kl), x["beta"])[0]


def one_reward(f, x, which):
    logp, ref = real([[x["logp"]]]), real([[x["ref_logp"]]])
    return f(logp, ref, real([x["reward"]]), torch.ones_like(logp), x["beta"])


def clamped(f, x, which):
    logp, ref = real([[x["logp"]]]), real([[x["ref_logp"]]])
    clamps = {name: float(x[name]) for name in ("input_clamp", "output_clamp")}
    return slope(lambda t: f(t, logp, ref, torch.ones_like(t), **clamps), logp).item()


def logits_of_entropy(entropies):
    """[1,T,8] whose entropies are these: one word raised as far as needed, by bisection."""
    low, high = torch.zeros(len(entropies)).double(), torch.full((len(entropies),), 60.0).double()
    wanted = real(entropies)

    def raised(by):
        return torch.nn.functional.pad(by[:, None], (0, 7))

    for _ in range(80):
        middle = (low + high) / 2
        logp = torch.log_softmax(raised(middle), -1)
        above = -(logp.exp() * logp).sum(-1) > wanted
        low, high = torch.where(above, middle, low), torch.where(above, high, middle)
    return raised(low)[None]


def entropy_estimate(f, x, which):
    """-log p of a sample estimates the entropy: here words whose entropies are just these."""
    logits = logits_of_entropy([-logp for logp in x["logp"]])
    return f(logits, torch.ones_like(logits[..., 0]))


def entropy_bonus(f, x, which):
    logits = logits_of_entropy(x["entropies"])
    return -x["coef"] * f(logits, torch.ones_like(logits[..., 0]))


def pass_at_k(f, x, which):
    return f(x["n"], x["c"], x["k"])


def pass_at_k_of_problems(f, x, which):
    """Right: the mean over problems, each with its one sample; wrong: one problem of all."""
    total, solved, samples = x["problems"], x["solved"], x["samples_per_problem"]
    if which == "wrong":
        return f(total, solved, x["k"], problems=1)
    each = [f(samples, int(i < solved), min(x["k"], samples)) for i in range(total)]
    return sum(each) / total


def gaussian(mean, std):
    """Logits of a normal law on a fine grid."""
    return (-0.5 * ((GRID - mean) / std) ** 2)[None]


def gaussian_divergence(f, x, which):
    return f(*(gaussian(x[name]["mean"], x[name]["std"]) for name in ("p", "q")))


def divergence(f, x, which):
    return f(real([x["old_probs"]]).log(), real([x["new_probs"]]).log())


def mixture(f, x, which):
    return f(real([x["teacher"]]).log(), real([x["student"]]).log(), beta=x["beta"])


def fisher_of_a_mean(f, x, which):
    """J^T H J v with J = d logits / d mean, on the grid."""
    logits = gaussian(x["gaussian_mean"], x["sigma"])
    along = (GRID - x["gaussian_mean"])[None] / x["sigma"] ** 2
    return (along * f(logits, logits.clone(), along * x["vector"])).sum()


def on_policy_logits(f, x, which):
    """On-policy as the function sees it: logp_old is its own logp."""
    scale = x["T"] if which == "right" else 1.0
    logits, label = real([[x["logits"]]]), torch.tensor([[x["token"]]])
    old = torch.log_softmax(logits / scale, -1)[..., x["token"]]
    one = x["advantage"] * torch.ones_like(old)
    found = slope(lambda t: f(t, label, old, one, one / one, temperature=x["T"]), logits)
    return found[0, 0]


def log_probability(f, x, which):
    """-loss is the ratio to an old log-probability of zero, inside the clip."""
    logits, label = real([[x["logits"]]]), torch.tensor([[x["token"]]])
    zero = real([[0.0]])
    return (-f(logits, label, zero, zero + 1, zero + 1, temperature=x["T"])).log()


def rollout_ratio(f, x, which):
    logits, label = real([[x["logits"]]]), torch.tensor([[x["token"]]])
    one = real([[1.0]])
    return -f(logits, label, one, one, temperature=x["T"])


def sequence_divergence(f, x, which):
    kl = real(x["kl"])
    return f(kl, 0 * kl, real(x["mask"]))


def slope_in_value(f, x, which):
    def loss(value):
        adv = x["reward"] + x["gamma"] * x["V_next"] - value
        return f(real([[x["logp"]]]), adv, torch.ones_like(value))

    return slope(loss, real([[x["V"]]])).item()


NUMBERS = {
    "colossalai-3696-k3-direction": expectation,
    "slime-1004-k3-off-policy-value": expectation_under_old,
    "swift-7145-kl-metric-direction": mean_of_samples,
    "verl-2953-k3-gradient": expected_slope,
    "trl-2277-nash-md-k1-direct": expected_slope,
    "openrlhf-1309-k-estimators-off-policy": expected_slope,
    "trl-6503-differentiable-ratio-not-noop": slope_in_logp,
    "swift-9767-mask-after-exp": padded_teacher,
    "slime-373-kl-reward-no-coefficient": shaped,
    "torchrl-2908-kl-reward-sign": one_reward,
    "nemo-2958-clamped-kl-still-has-gradient": clamped,
    "sb3-127-entropy-estimate-sign": entropy_estimate,
    "ray-34779-entropy-sum": entropy_bonus,
    "verl-7240-best-of-k-with-replacement": pass_at_k,
    "aprender-2118-passk-problems-as-samples": pass_at_k_of_problems,
    "rlax-15-gaussian-kl-order": gaussian_divergence,
    "cleanrl-7dc0baef-ppg-kl-direction": divergence,
    "trl-3043-gjsd-mixture-weights": mixture,
    "deep-rl-5-kl-of-identical-policies": fisher_of_a_mean,
    "unsloth-zoo-832-temperature-parity": on_policy_logits,
    "verl-3133-megatron-temperature": log_probability,
    "prime-rl-697-raw-rollout-logprobs": rollout_ratio,
    "trlx-438-mean-kl-per-token": sequence_divergence,
    "rlax-28-gae-target-gradient": slope_in_value,
}
