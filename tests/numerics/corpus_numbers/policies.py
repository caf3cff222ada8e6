"""Policy losses on the cases' inputs: losses of tokens are put in as advantages at ratio one."""

import torch

from tests.numerics.corpus_numbers import column, padded, real, slope


def of_losses(f, losses, mask, **options):
    """The loss of tokens with these losses: ratio 1, so that -A is the loss of a token."""
    zero = torch.zeros_like(losses)
    return f(logp=zero, logp_old=zero, adv=-losses, mask=mask, **options)


def of_ratios(f, ratios, adv, **options):
    """Rows of one token with these ratios and advantages."""
    logp = column(ratios).log()
    ones = torch.ones_like(logp)
    return f(logp=logp, logp_old=0 * logp, adv=column(adv), mask=ones, **options)


def one_token(f, x, which):
    return of_ratios(f, [x["ratio"]], [x["advantage"]], **{n: x[n] for n in ("c",) if n in x})


def token_by_token(f, x, which):
    return [-of_ratios(f, [ratio], [adv]) for ratio, adv in x["pairs_ratio_advantage"]]


def lower_bound(f, x, which):
    return of_ratios(
        f, [x["ratio"]], [x["advantage"]], **({} if which == "right" else {"eps": x["eps"]})
    )


def cispo(f, x, which):
    ones = torch.ones(1, 1, dtype=torch.float64)
    found = slope(
        lambda logp: f(logp, real([[-x["log_ratio"] - 1]]), ones, ones, eps_high=x["eps_high"]),
        real([[-1.0]]),
    )
    return found.item()


def several(f, x, which):
    return of_ratios(f, x["ratio"], x["advantages"])


def advantages_as_mask(f, x, which):
    adv, mask = real(x["advantages"]), real(x["mask"])
    return f(0 * adv, 0 * adv, adv, mask)


def mask_shift(f, x, which):
    losses = real([x["token_losses"]])
    attention = x["attention_mask"][x["start"] + 1 : x["end"] + 1]
    return of_losses(f, losses, real([attention]))


def wrong_slice(f, x, which):
    """Words 0 and 1 only: word 0 has the given log-probability at each position."""
    logp = real(x["token_logps"])
    logits = torch.stack([logp, torch.log(-torch.expm1(logp))], -1)
    logits = torch.cat([logits, torch.zeros(1, 2, dtype=torch.float64)])[None]
    ids = torch.zeros(1, len(logp) + 1, dtype=torch.int64)
    mask = real([[0.0] * (len(logp) + 1 - x["n_actions"]) + [1.0] * x["n_actions"]])
    return -f(logits, ids, mask)


def not_unsqueezed(f, x, which):
    logp = real(x["ratio"]).log()
    ones = torch.ones_like(logp)
    return -logp.numel() * f(logp, 0 * logp, real(x["advantages"]), ones)


def all_rows(f, x, which):
    logp = real(x["logp"])
    return f(logp, real(x["advantage"]), torch.ones_like(logp))


def filtered(f, x, which):
    """The ratios of the kept responses, from the slopes in their advantages."""
    keep = torch.tensor(x["keep"])
    logp = column(x["logp"])
    ones = torch.ones_like(logp)

    def loss(adv):
        return f(logp, logp.clone(), adv, ones, keep=lambda _: keep)

    found = slope(loss, torch.zeros(len(logp), dtype=torch.float64))
    return -len(keep) * found[keep]


def returns_to_go(rewards, gamma):
    out, last = [], 0.0
    for reward in reversed(rewards):
        last = reward + gamma * last
        out.append(last)
    return real([out[::-1]])


def reinforce(f, x, which):
    logp, adv = real([x["logp"]]), returns_to_go(x["rewards"], x["gamma"])
    return f(logp, adv, torch.ones_like(adv))


def reinforce_slope(f, x, which):
    adv = returns_to_go(x["rewards"], x["gamma"])
    return slope(lambda logp: f(logp, adv, torch.ones_like(adv)), real([x["logp"]]))[0]


def masked_losses(f, x, which):
    return of_losses(f, real(x["per_token_loss"]), real(x["mask"]))


def micro_losses(f, x, which):
    losses = column(x["micro_losses"])
    return of_losses(f, losses, torch.ones_like(losses))


def micro_batches(f, x, which):
    return of_losses(f, *padded([batch["token_losses"] for batch in x["micro_batches"]]))


def sums_of_rows(sums, tokens):
    """Rows of equal losses with these sums."""
    return padded([[s / n] * n for s, n in zip(sums, tokens, strict=True)])


def samples_and_tokens(f, x, which):
    sums, tokens = [b["sum"] for b in x["micro"]], [b["tokens"] for b in x["micro"]]
    return of_losses(f, *sums_of_rows(sums, tokens))


def devices(f, x, which):
    share = x["global_tokens"] // len(x["device_nll_sums"])
    return of_losses(f, *sums_of_rows(x["device_nll_sums"], [share] * len(x["device_nll_sums"])))


def equal_rows(f, x, which):
    rows = x["n_sequences"]
    sums, tokens = [x["token_loss_sum"] / rows] * rows, [x["n_tokens"] // rows] * rows
    return of_losses(f, *sums_of_rows(sums, tokens))


def one_row(f, x, which):
    return of_losses(f, *sums_of_rows([x["total_loss"]], [x["N_tokens"]]))


def accumulation_window(f, x, which):
    window = x["window"]
    sums, tokens = ([x[n][k] for k in window] for n in ("token_loss_sums", "token_counts"))
    return of_losses(f, *sums_of_rows(sums, tokens))


def truncated(f, x, which):
    losses, sampled = real(x["per_token_loss"]), real(x["mask"])
    kept = sampled * (1 - real(x["truncated"]))[:, None]
    options = {"sampled": sampled} if which == "wrong" else {}
    return of_losses(f, losses, kept, **options)


def gspo(f, x, which):
    gap = real(x["log_ratio"])
    return f(gap, 0 * gap, real(x["advantages"]), real(x["mask"]))


def sequence_losses(f, x, which):
    mask = real(x["mask"])
    return f(0 * mask, 0 * mask, -real(x["sequence_loss"]), mask)


def luspo(f, x, which):
    return of_losses(f, real(x["x"]), real(x["mask"]))


def gap_of_k3(penalty):
    """u >= 0 with e^u - 1 - u = penalty, by Newton's method."""
    u = (2 * penalty).sqrt()
    for _ in range(60):
        u = u - (u.exp() - 1 - u - penalty) / torch.where(u > 0, torch.expm1(u), 1.0)
    return u


def penalty_alone(f, x, which):
    gap, mask = gap_of_k3(real(x["kl"])), real(x["mask"])
    return f(0 * gap, 0 * gap, gap, 0 * gap, mask, beta=x["beta"])


def mean_ratio(f, x, which):
    logp, old, mask = (real([x[n]]) for n in ("logp", "old_logp", "mask"))
    return -f(logp, old, torch.ones_like(mask), mask)


def charged(f, x, which):
    kl, zero = real([[x["kl"]]]), real([[0.0]])
    return f(kl, kl, zero, zero, torch.ones_like(zero), beta=x["beta"])


def sampler_weight(f, x, which):
    """The weight of a token of A = -1: its loss over its ratio."""
    current, old, rollout = (real([[x[n]]]) for n in ("current", "old", "rollout"))
    one = torch.ones_like(old)
    return f(current, old, rollout, -one, one) / (current - old).exp()


def dropped_weight(f, x, which):
    ratio, adv, weight = (real([[x[n]]]) for n in ("ratio", "advantage", "is_weight"))
    return f(ratio.log(), 0 * ratio, weight, adv, torch.ones_like(adv))


def unbounded(f, x, which):
    return -of_ratios(f, [x["ratio"]], [x["advantage"]])


def at_the_start(f, x, which):
    adv = column(x["advantages"])
    return f(0 * adv, 0 * adv, 0 * adv, adv, torch.ones_like(adv))


NUMBERS = {
    "rl2-21-lower-clip-bound": lower_bound,
    "tianshou-433-dual-clip-positive-adv": one_token,
    "open-instruct-1269-cispo-no-logprob": cispo,
    "torchrl-1033-normalise-after-first-term": several,
    "verl-2506-mask-is-advantages": advantages_as_mask,
    "trlx-509-mask-shift": mask_shift,
    "palm-rlhf-31-wrong-token-slice": wrong_slice,
    "trl-4db63af98-advantage-not-unsqueezed": not_unsqueezed,
    "tianshou-155-logprob-shape": all_rows,
    "trl-4454-gfpo-filter-misaligned": filtered,
    "deep-rl-class-95-g0-for-all-steps": reinforce,
    "gymnasium-1336-mean-logprob-times-sum": reinforce_slope,
    "verl-931-seq-mean-token-sum": masked_losses,
    "trl-2995-grpo-token-vs-seq-mean": masked_losses,
    "trl-3138-drgrpo-missing-batch-factor": masked_losses,
    "trl-2647-grpo-grad-accum-scaling": micro_losses,
    "open-instruct-1161-token-accum": micro_batches,
    "openrlhf-1249-token-loss-global": micro_batches,
    "verl-5625-token-mean-sample-scale": samples_and_tokens,
    "transformers-37474-multi-gpu-average": devices,
    "prime-rl-2034-custom-loss-batch-size": equal_rows,
    "prime-rl-816-min-instead-of-max": one_row,
    "trl-6024-dapo-steps-per-generation": accumulation_window,
    "trl-6369-dapo-truncated-denominator": truncated,
    "soup-723-gspo-column-centering": gspo,
    "trl-3823-gspo-broadcast-length-weight": sequence_losses,
    "trl-6654-luspo-mask-after-broadcast": luspo,
    "open-instruct-535-unmasked-kl-mean": penalty_alone,
    "trlx-108-ratio-over-padding": mean_ratio,
    "nemo-2530-double-kl": charged,
    "slime-179-tis-uses-current-policy": sampler_weight,
    "trl-5031-is-weight-dropped": dropped_weight,
    "control-ray-37334-unbounded-negative": unbounded,
    "control-spinningup-315-g-form": token_by_token,
    "control-torchrl-786-one-sided-clamp": token_by_token,
    "control-trl-2703-zero-loss-at-start": at_the_start,
}
