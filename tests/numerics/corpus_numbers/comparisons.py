"""Comparisons on the cases' inputs."""

import math

import torch

from tests.numerics.corpus_numbers import real


def pair(f, w, lo, ref_w=0.0, ref_l=0.0, **options):
    return f(*(real([x]) for x in (w, lo, ref_w, ref_l)), **options)


def margin_of(loss):
    """m with -log sigmoid(m) = loss."""
    return -math.log(math.expm1(float(loss)))


def tokens(f, w, lo, mask_w, mask_l, ref_w=None, ref_l=None, **options):
    """One pair of token rows; no reference means zeros."""
    w, lo, mask_w, mask_l = (real([x]) for x in (w, lo, mask_w, mask_l))
    ref_w = 0 * w if ref_w is None else real([ref_w])
    ref_l = 0 * lo if ref_l is None else real([ref_l])
    return f(w, lo, ref_w, ref_l, mask_w, mask_l, **options)


def reference_free(f, x, which):
    return pair(f, *x["policy"], *x["ref"], beta=x["beta"])


def sign(f, x, which):
    return pair(f, x["margin"], 0.0, beta=x["beta"])


def variants(f, x, which):
    kinds = ("sigmoid", "hinge", "ipo")
    return [pair(f, x["margin"], 0.0, loss_type=kind, beta=x["beta"]) for kind in kinds]


def mask_ignored(f, x, which):
    both = x["policy_minus_ref"]
    return tokens(f, both["chosen"], both["rejected"], x["mask"], x["mask"], beta=x["beta"])


def label_padding(f, x, which):
    """The sequence log-probability is the margin against a response of probability one."""
    logps, valid = x["token_logps"], x["labels_valid"]
    return margin_of(tokens(f, logps, [0.0] * len(logps), valid, valid, beta=1.0))


def rejected_prompt(f, x, which):
    policy, ref = x["policy"], x["ref"]
    rows = [
        [side["prompt"], side[name]] for name in ("chosen", "rejected") for side in (policy, ref)
    ]
    w, ref_w, lo, ref_l = rows
    return tokens(f, w, lo, [0, 1], [0, 1], ref_w, ref_l, beta=x["beta"])


def nll_alone(f, x, which):
    logp, mask = -real([x["token_nll"]]), real([x["completion_mask"]])
    return f(logp, logp, mask, mask, weight=0.0)


def log_odds(f, x, which):
    """Against a response whose log-odds are zero, by the function's own measure."""
    even = math.log(0.5) if which == "right" else math.log(1.0001 / 2)
    one = torch.ones(1, 1, dtype=torch.float64)
    return margin_of(f(real([[x["mean_logp"]]]), real([[even]]), one, one, weight=1.0, nll=0.0))


def packed(f, x, which):
    rows = [[part["logratio_sum"] / part["len"]] * part["len"] for part in x["packed"]]
    width = max(map(len, rows))
    filled = [row + [0.0] * (width - len(row)) for row in rows]
    masks = [[1.0] * len(row) + [0.0] * (width - len(row)) for row in rows]
    return tokens(f, *filled, *masks, beta=x["beta"])


def prefix(f, x, which):
    """The rejected response has as many tokens as the public prefix, all of log-ratio zero."""
    logps, mask = x["token_logps"], x["loss_mask"]
    other = [0.0] * (len(mask) - x["public_len"]) + [1.0] * x["public_len"]
    options = {"alpha": x["alpha"], "beta": 1.0}
    if which == "wrong":  # 18.5 nats: the logistic loss is below the smallest step at one
        options["beta"] = 0.1
    loss = tokens(f, logps, [0.0] * len(logps), mask, other, **options)
    return margin_of(loss) / options["beta"]


def shared_prompt(f, x, which):
    prompt = x["prompt_logratio"]
    return pair(f, prompt + x["chosen_logratio"], prompt + x["rejected_logratio"], beta=x["beta"])


def far_apart(f, x, which):
    single = torch.float32
    return f(torch.tensor([float(x["chosen_minus_rejected"])], dtype=single), torch.zeros(1))


def scored_token(f, x, which):
    width = len(x["chosen_scores"])
    masks = [[float(t <= end) for t in range(width)] for end in x["eos_index"]]
    rows = x["chosen_scores"], x["rejected_scores"], *masks
    return f(*(real([row]) for row in rows))


def accumulated_pairs(f, x, which):
    margins = real(x["pair_margins"])
    zero = 0 * margins
    return f(margins, zero, zero, zero, beta=x["beta"])


def accumulated_losses(f, x, which):
    losses = real(x["micro_losses"])
    return f(-losses, -losses, weight=0.0)


def with_margin(f, x, which):
    return f(real([x["d"]]), real([0.0]), margin=x["m"])


def sppo(f, x, which):
    return pair(f, x["a"], x["b"], beta=x["beta"])


def invalid_pair(f, x, which):
    margins, valid = real(x["margins"])[:, None], real(x["valid"])[:, None]
    return f(margins, 0 * margins, valid, valid)


NUMBERS = {
    "liger-405-dpo-reference-free": reference_free,
    "liger-481-dpo-sign": sign,
    "swift-10167-loss-type-ignored": variants,
    "trl-3346-liger-dpo-mask": mask_ignored,
    "dpo-ref-21fd7fe-label-padding": label_padding,
    "openrlhf-294-dpo-rejected-prompt-unmasked": rejected_prompt,
    "trl-2502-orpo-nll-over-prompt": nll_alone,
    "colossalai-6407-orpo-biased-constant": log_odds,
    "swift-9925-ipo-packed-denominator": packed,
    "swift-6945-ld-dpo-absolute-positions": prefix,
    "control-openrlhf-235-prompt-cancels": shared_prompt,
    "deepspeed-501-log-of-sigmoid": far_apart,
    "gpt-neox-1285-rm-off-by-one": scored_token,
    "trl-2615-dpo-grad-accum-scaling": accumulated_pairs,
    "trl-3716-orpo-grad-accum-scaling": accumulated_losses,
    "rlhf-book-96-margin-outside-sigmoid": with_margin,
    "trl-1615-sppo-scale": sppo,
    "nemo-180-masked-pair-contributes-log2": invalid_pair,
}
