"""Conventions that a loss declares: temperature, weights of responses and pairs, clamps, limits."""

import torch
from torch.nn.functional import logsigmoid

from tests.numerics.corpus import Case

TEMPERATURE = {"constants": {"temperature": 0.5}}
TEMPERED, PAIRS = "samples_at_the_claimed_temperature", "averages_pairs_as_claimed"
TWO = dict.fromkeys(("logp_w", "logp_l", "ref_w", "ref_l"), "B")


def from_logits(scale_by):
    def loss(logits, labels, logp_old, adv, mask, temperature=1.0):
        logp = torch.log_softmax(logits / scale_by(temperature), -1)
        logp = logp.gather(-1, labels[..., None])[..., 0]
        ratio = (logp - logp_old).exp()
        tokens = torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
        return -(tokens * mask).sum() / mask.sum()

    return loss


tempered = from_logits(lambda temperature: temperature)
untempered = from_logits(lambda temperature: 1.0)


def sequence_ratio(logp, logp_old, mask):
    return (((logp - logp_old) * mask).sum(-1) / mask.sum(-1)).exp()


def gspo(logp, logp_old, adv, mask):
    ratio = sequence_ratio(logp, logp_old, mask)
    return -torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()


def gspo_over_tokens(logp, logp_old, adv, mask):
    ratio = sequence_ratio(logp, logp_old, mask)
    rows = torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
    return -(rows[:, None] * mask).sum() / mask.sum()


def dpo_mean(logp_w, logp_l, ref_w, ref_l, beta=0.3):
    return -logsigmoid(beta * ((logp_w - ref_w) - (logp_l - ref_l))).mean()


def dpo_micro_batches_summed(logp_w, logp_l, ref_w, ref_l, beta=0.3):
    """One pair a micro-batch; their means are added and not divided by their number."""
    return -logsigmoid(beta * ((logp_w - ref_w) - (logp_l - ref_l))).sum()


def orpo_terms(logp_w, logp_l, weight):
    w, lo = (x - torch.log(-torch.expm1(x)) for x in (logp_w, logp_l))
    return -logp_w - weight * logsigmoid(w - lo)


def orpo_mean(logp_w, logp_l, weight=0.1):
    return orpo_terms(logp_w, logp_l, weight).mean()


def orpo_times_micro_batches(logp_w, logp_l, weight=0.1):
    return orpo_terms(logp_w, logp_l, weight).sum()


def kl_of_sequences(logp, logp_ref, mask):
    return ((logp - logp_ref) * mask).sum(-1).mean()


def kl_of_cells(logp, logp_ref, mask):
    return ((logp - logp_ref) * mask).mean()


def old_recomputed(old_scale):
    """The ratio to log-probabilities that the rollout engine returned."""

    def loss(logits, labels, adv, mask, temperature=1.0):
        def gathered(scale):
            logp = torch.log_softmax(logits / scale, -1)
            return logp.gather(-1, labels[..., None])[..., 0]

        ratio = (gathered(temperature) - gathered(old_scale(temperature)).detach()).exp()
        return -(ratio * adv * mask).sum() / mask.sum()

    return loss


old_tempered, old_raw = old_recomputed(lambda t: t), old_recomputed(lambda t: 1.0)


def actor_held(logp, adv, mask):
    return -(logp * adv.detach() * mask).sum() / mask.sum()


def actor_open(logp, adv, mask):
    return -(logp * adv * mask).sum() / mask.sum()


def clamped_k3(logp, logp_ref, input_clamp, output_clamp):
    gap = (logp_ref - logp).clamp(-input_clamp, input_clamp)
    return (gap.exp() - 1 - gap).clamp(max=output_clamp)


def clamped_flat(logp, logp_old, logp_ref, mask, input_clamp=5.0, output_clamp=1e9):
    penalty = clamped_k3(logp, logp_ref, input_clamp, output_clamp)
    inside = ((logp_ref - logp).abs() < input_clamp) & (penalty < output_clamp)
    ratio = (logp - logp_old).exp()
    return torch.where(inside, ratio * penalty, penalty.detach()) * mask


def clamped_with_open_weight(logp, logp_old, logp_ref, mask, input_clamp=5.0, output_clamp=1e9):
    penalty = clamped_k3(logp, logp_ref, input_clamp, output_clamp)
    return (logp - logp_old).exp() * penalty * mask


def margin_inside(score_w, score_l, margin=0.0):
    return -logsigmoid(score_w - score_l - margin).mean()


def margin_outside(score_w, score_l, margin=0.0):
    """Not a number where the sigmoid is below the margin."""
    return -(torch.sigmoid(score_w - score_l) - margin).log().mean()


def sppo(logp_w, logp_l, ref_w, ref_l, beta=0.5):
    a, b = logp_w - ref_w, logp_l - ref_l
    return ((a - 0.5 / beta) ** 2 + (b + 0.5 / beta) ** 2).mean()


def sppo_in_the_wrong_unit(logp_w, logp_l, ref_w, ref_l, beta=0.5):
    a, b = beta * (logp_w - ref_w), beta * (logp_l - ref_l)
    return ((a - 0.5) ** 2 + (b + 0.5) ** 2).mean()


def jsd(p, q, share, beta):
    m = torch.log(share * p.exp() + (1 - share) * q.exp())
    teacher = (p.exp() * (p - m)).sum(-1)
    return beta * teacher + (1 - beta) * (q.exp() * (q - m)).sum(-1)


def mixture(logits_p, logits_q, beta=0.3):
    p, q = torch.log_softmax(logits_p, -1), torch.log_softmax(logits_q, -1)
    return jsd(p, q, beta, beta)


def mixture_swapped(logits_p, logits_q, beta=0.3):
    p, q = torch.log_softmax(logits_p, -1), torch.log_softmax(logits_q, -1)
    return jsd(p, q, 1 - beta, beta)


def k3_of(logp, logp_ref):
    return (logp_ref - logp).exp() - 1 - (logp_ref - logp)


def k3_weighted(logp, logp_old, logp_ref):
    return (logp - logp_old).exp() * k3_of(logp, logp_ref)


def k3_unweighted(logp, logp_old, logp_ref):
    return k3_of(logp, logp_ref) + 0 * logp_old


def valid_pairs(logp_w, logp_l, mask_w, mask_l):
    valid = ((mask_w.sum(-1) > 0) & (mask_l.sum(-1) > 0)).to(logp_w.dtype)
    margin = (logp_w * mask_w).sum(-1) - (logp_l * mask_l).sum(-1)
    return valid, margin


def mask_after(logp_w, logp_l, mask_w, mask_l):
    valid, margin = valid_pairs(logp_w, logp_l, mask_w, mask_l)
    return -(logsigmoid(margin) * valid).sum() / valid.sum()


def mask_before(logp_w, logp_l, mask_w, mask_l):
    valid, margin = valid_pairs(logp_w, logp_l, mask_w, mask_l)
    return -logsigmoid(margin * valid).mean()


CASES = {
    "unsloth-zoo-832-temperature-parity": Case(untempered, tempered, TEMPERED, TEMPERATURE),
    "verl-3133-megatron-temperature": Case(untempered, tempered, TEMPERED, TEMPERATURE),
    "trl-3823-gspo-broadcast-length-weight": Case(
        gspo_over_tokens,
        gspo,
        "weighs_responses_equally",
        {"claims": ("one weight a response",), "shapes": {"adv": "B"}},
    ),
    "trl-2615-dpo-grad-accum-scaling": Case(
        dpo_micro_batches_summed, dpo_mean, PAIRS, {"claims": ("pair-mean",), "shapes": TWO}
    ),
    "trl-3716-orpo-grad-accum-scaling": Case(
        orpo_times_micro_batches,
        orpo_mean,
        PAIRS,
        {"claims": ("pair-mean",), "shapes": {"logp_w": "B", "logp_l": "B"}},
    ),
    "trlx-438-mean-kl-per-token": Case(
        kl_of_cells,
        kl_of_sequences,
        "weighs_tokens_as_claimed",
        {"claims": ("seq-mean-token-sum",)},
    ),
    "prime-rl-697-raw-rollout-logprobs": Case(old_raw, old_tempered, TEMPERED, TEMPERATURE),
    "rlax-28-gae-target-gradient": Case(
        actor_open, actor_held, "leaves_declared_inputs_frozen", {"claims": ("frozen: adv",)}
    ),
    "nemo-2958-clamped-kl-still-has-gradient": Case(
        clamped_with_open_weight,
        clamped_flat,
        "is_flat_beyond_its_clamp",
        {"claims": ("flat beyond 5",)},
    ),
    "rlhf-book-96-margin-outside-sigmoid": Case(
        margin_outside,
        margin_inside,
        "shifts_the_logit_by_its_margin",
        {"constants": {"margin": 0.01}},
    ),
    "trl-1615-sppo-scale": Case(
        sppo_in_the_wrong_unit,
        sppo,
        "scales_with_beta_as_claimed",
        {"claims": ("beta^-2",), "constants": {"beta": 0.3}, "shapes": TWO},
    ),
    "trl-3043-gjsd-mixture-weights": Case(
        mixture_swapped,
        mixture,
        "becomes_a_divergence_in_the_limit",
        {"claims": ("beta -> 0: KL(p||q)",), "constants": {"beta": 0.4}},
    ),
    "slime-1004-k3-off-policy-value": Case(
        k3_unweighted,
        k3_weighted,
        "averages_to_a_divergence",
        {"claims": ("unbiased", "samples from old")},
    ),
    "nemo-180-masked-pair-contributes-log2": Case(
        mask_before,
        mask_after,
        "averages_pairs_as_claimed",
        {"claims": ("empty pairs do not count",)},
    ),
}
