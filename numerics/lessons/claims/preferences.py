"""Claims about reward models and direct preference optimisation."""

import torch

from numerics.errors import UnusableInput
from numerics.lessons import dpo_fit, reward_model
from numerics.lessons.claims import Example, claim
from numerics.lessons.divergence import law
from numerics.lessons.tilted import optimum

UNANIMOUS = torch.tensor([[0.0, 1.0], [0.0, 0.0]], dtype=torch.float64)
CYCLE = torch.tensor([[0.0, 0.8, 0.2], [0.2, 0.0, 0.8], [0.8, 0.2, 0.0]], dtype=torch.float64)


@claim(
    14,
    "DPO is exact only if the optimal policy can be reached.",
    "It also needs preferences that follow Bradley-Terry, the population instead of a sample, and "
    "comparisons that connect all responses.",
    "language_models.partition_function_cancels_in_preferences",
    "language_models.bradley_terry_ignores_prompt_shifts",
)
def what_exact_needs() -> Example:
    rewards, reference, beta = law(0.0, 1.0, 2.0), law(0.5, 0.3, 0.2), 0.5
    target = optimum(reference, rewards, beta).policy

    def error(wins: torch.Tensor) -> float:
        return float((dpo_fit.fit(wins, reference, beta=beta) - target).abs().max())

    fitted = dpo_fit.fit(CYCLE, reference, beta=beta)
    implied = torch.sigmoid(beta * (fitted / reference).log().diff().neg()[0])
    values = {
        "population": error(reward_model.preference(rewards)),
        "20 comparisons a pair": error(reward_model.compared(rewards, 20, 0)),
        "true Pr(1 beats 2) in a cycle": float(CYCLE[0, 1]),
        "fitted": float(implied),
    }
    text = f"Three responses: largest error of the policy {values['population']:.0e} on the "
    text += f"population, {values['20 comparisons a pair']:.2f} from 20 comparisons a pair. In a "
    text += f"cycle of preferences at 0.8 the fit says {values['fitted']:.2f}."
    exact = values["population"] < 1e-9 and values["20 comparisons a pair"] > 0.01
    return Example(text, values, exact and abs(values["fitted"] - 0.5) < 1e-9)


@claim(
    15,
    "In DPO, as in RLHF, beta sets how far the policy may drift from the reference.",
    "Not for a pair on which everybody agrees: the DPO risk has no finite optimum there, whatever "
    "beta is. The IPO risk has one, at a log-ratio difference of 1/(2 tau).",
    "language_models.identity_preference_loss_has_a_finite_optimum_for_unanimous_pairs",
)
def unanimous_pairs() -> Example:
    even = law(0.5, 0.5)
    margins = (0.0, 5.0, 50.0)
    risks = [float(dpo_fit.dpo_loss(law(h, 0.0), even, UNANIMOUS, beta=1.0)) for h in margins]
    try:
        dpo_fit.fit(UNANIMOUS, even, beta=1.0)
        finite = True
    except UnusableInput:
        finite = False
    policy = dpo_fit.fit_identity(UNANIMOUS, even, tau=0.5)
    gap = float((policy[0] / policy[1]).log())
    text = "One pair, always the same winner, beta = 1: the DPO risk falls from "
    text += f"{risks[0]:.3f} to {risks[1]:.4f} to {risks[2]:.0e} as the difference grows from 0 "
    text += f"to 5 to 50. IPO with tau = 0.5 stops at {gap:.3f}."
    values = {f"risk at {h:g}": risk for h, risk in zip(margins, risks, strict=True)}
    falls = risks[0] > risks[1] > risks[2] > 0
    return Example(text, values | {"IPO": gap}, falls and not finite and abs(gap - 1) < 1e-9)


@claim(
    16,
    "The reward is learned up to one constant a prompt.",
    "When comparisons connect all responses. Otherwise each connected part has a constant of its "
    "own.",
    "language_models.bradley_terry_ignores_prompt_shifts",
    "language_models.connected_comparisons_identify_rewards",
)
def a_constant_for_each_part() -> Example:
    apart = torch.zeros(4, 4, dtype=torch.float64)
    for i, j in ((0, 1), (2, 3)):
        apart[i, j], apart[j, i] = 0.7, 0.3
    joined = apart.clone()
    joined[1, 2], joined[2, 1] = 0.6, 0.4
    rewards, shifted = law(0.4, 0.0, 0.0, -0.4), law(0.4, 0.0, 3.0, 2.6)
    values = {
        f"{name}, {which}": float(reward_model.preference_loss(r, wins))
        for name, wins in (("apart", apart), ("joined", joined))
        for which, r in (("as it is", rewards), ("second part raised by 3", shifted))
    }
    losses = list(values.values())
    text = "Four responses, compared 1-2 and 3-4: raising the second pair by 3 leaves the loss at "
    text += f"{losses[0]:.4f}. With 2-3 compared too it goes from {losses[2]:.4f} to "
    text += f"{losses[3]:.4f}."
    same = abs(losses[0] - losses[1]) < 1e-12 and losses[3] > losses[2] + 0.1
    return Example(text, values, same and len(set(reward_model.components(apart))) == 2)
