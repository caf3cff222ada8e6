"""Claims about what happens during the epochs."""

import torch
from torch import Tensor

from numerics.lessons.claims import Example, claim
from numerics.lessons.divergence import law, relative_entropy
from numerics.objectives.ppo_clip import clipped_surrogate


@claim(
    5,
    "The ratio is exactly 1 at the first step on a batch.",
    "When the trainer computes the log-probabilities with the sampler's numerics and temperature, "
    "and at the first optimiser step only, not at the first epoch.",
    None,
)
def the_first_ratio() -> Example:
    logits = law(1.0, 0.0)
    trained = torch.log_softmax(logits, -1)[0]
    warm = float((trained - torch.log_softmax(logits / 0.7, -1)[0]).exp())
    coarse = torch.log_softmax(logits.to(torch.bfloat16), -1)[0].double()
    rough = float((trained - coarse).exp())
    same = float((trained - torch.log_softmax(logits, -1)[0]).exp())
    moved = torch.log_softmax(logits + 0.1 * law(1.0, -1.0), -1)[0]
    later = float((moved - trained).exp())
    text = f"Logits (1, 0), first action: ratio {same:g} when all agrees; {rough:.4f} with a "
    text += f"bfloat16 sampler, {warm:.3f} with a sampling temperature of 0.7, {later:.3f} after "
    text += "a step of 0.1 along (1, -1)."
    values = {"same": same, "bfloat16": rough, "temperature": warm, "second step": later}
    others = all(abs(x - 1) > 1e-4 for x in (rough, warm, later))
    return Example(text, values, same == 1 and others)


def ascent(advantages: Tensor, rate: float, epochs: int) -> tuple[list[float], float]:
    """KL(old || new) after each full-batch epoch from the uniform policy, and the last gradient's
    largest entry.
    """
    old = torch.full_like(advantages, 1 / len(advantages))
    logits, distances, largest = torch.zeros_like(advantages), [], 0.0
    for _ in range(epochs):
        at = logits.clone().requires_grad_()
        rho = torch.softmax(at, -1) / old
        objective = clipped_surrogate(rho, advantages, 0.2).mean()
        gradient = torch.autograd.grad(objective, at)[0]
        largest = float(gradient.abs().max())
        logits = logits + rate * gradient
        distances.append(float(relative_entropy(old, torch.softmax(logits, -1))))
    return distances, largest


@claim(
    10,
    "The divergence keeps growing with more epochs.",
    "It can fall, and it can stay: once every sample is on its flat side the gradient is exactly "
    "zero and plain gradient ascent rests.",
    None,
)
def it_can_dip_and_rest() -> Example:
    distances, gradient = ascent(law(2.0, 1.0, -3.0), 2.0, 4)
    text = "Three actions, A = (2, 1, -3), uniform old policy, gradient ascent with rate 2: KL "
    text += ", ".join(f"{d:.3f}" for d in distances) + f"; last gradient {gradient:g}."
    values = {f"epoch {n}": d for n, d in enumerate(distances, 1)} | {"gradient": gradient}
    rests = distances[2] == distances[3] and gradient == 0
    return Example(text, values, distances[1] < distances[0] - 1e-3 and rests)
