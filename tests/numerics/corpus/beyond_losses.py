"""What surrounds a loss: critics and their units, squashed actions, the choice of a step."""

import torch

from tests.numerics.corpus import Case

TEMPERATURE = {"constants": {"temperature": 0.5}}


def squared_error(value, returns, mask, temperature=1.0):
    return (((value - returns) ** 2) * mask).sum() / mask.sum()


def tempered_values(value, returns, mask, temperature=1.0):
    return squared_error(value / temperature, returns, mask)


def advantage_of_the_value(returns, value_normalised, value_mean, value_std):
    return returns - (value_mean + value_std * value_normalised)


def advantage_of_the_output(returns, value_normalised, value_mean, value_std):
    return returns - value_normalised


def gaussian(z, mean, log_std):
    return (-0.5 * ((z - mean) / log_std.exp()) ** 2 - log_std).sum(-1)


def squash(z):
    """log |d tanh / d z|."""
    return torch.log1p(-(torch.tanh(z) ** 2)).sum(-1)


def corrected_on_both_sides(z, mean, mean_old, log_std, log_std_old):
    new, old = (
        gaussian(z, mean, log_std) - squash(z),
        gaussian(z, mean_old, log_std_old) - squash(z),
    )
    return (new - old).exp()


def corrected_on_one_side(z, mean, mean_old, log_std, log_std_old):
    new, old = gaussian(z, mean, log_std) - squash(z), gaussian(z, mean_old, log_std_old)
    return (new - old).exp()


def searched(theta_old, tries, improvement, divergence, delta, after_the_last):
    for one, gain, kl in zip(tries, improvement, divergence, strict=True):
        if gain > 0 and kl <= delta:
            return one
    return after_the_last


def rejected_step_undone(theta_old, tries, improvement, divergence, delta):
    return searched(theta_old, tries, improvement, divergence, delta, theta_old)


def rejected_step_kept(theta_old, tries, improvement, divergence, delta):
    return searched(theta_old, tries, improvement, divergence, delta, tries[-1])


CASES = {
    "slime-1928-temperature-on-values": Case(
        tempered_values, squared_error, "ignores_the_temperature_of_the_sampler", TEMPERATURE
    ),
    "mappo-13-value-not-denormalised": Case(
        advantage_of_the_output, advantage_of_the_value, "gives_a_perfect_critic_no_advantage"
    ),
    "mighty-118-tanh-correction-one-side": Case(
        corrected_on_one_side, corrected_on_both_sides, "is_the_ratio_of_one_action"
    ),
    "tianshou-1287-line-search-keeps-bad-step": Case(
        rejected_step_kept, rejected_step_undone, "stays_in_the_trust_region"
    ),
}
