"""Rewards per token of reinforcement learning from human feedback.

    r_t = -beta (log pi(y_t|s_t) - log pi_ref(y_t|s_t)),  plus the score r(x, y) at the last token
    sum_t r_t = r(x, y) - beta log(pi(y|x) / pi_ref(y|x))

Source: Ouyang et al., InstructGPT (2022), equation 2; Stiennon et al. (2020). Theorem:
`token_rewards_sum_to_the_penalised_score`.
Shapes: logp, logp_ref, mask [B,T] (1 = response token); score [B]; result [B,T], 0 off the mask.
Sign: a reward, maximised: a token that the policy prefers more than the reference costs.
Units: those of the score; log-probabilities in nats.
Gradient: differentiable in logp; callers detach the rewards, which are no loss.
Raises: UnusableInput for a row without a response token and for shapes that differ.

>>> import torch
>>> gap, mask = torch.tensor([[0.2, -0.1]]), torch.ones(1, 2)
>>> r = token_rewards(gap, 0 * gap, torch.tensor([1.0]), mask, beta=0.5)
>>> [round(x, 4) for x in r[0].tolist()]
[-0.1, 1.05]
"""

import torch
from torch import Tensor

from numerics.errors import UnusableInput


def token_rewards(
    logp: Tensor, logp_ref: Tensor, score: Tensor, mask: Tensor, *, beta: float
) -> Tensor:
    """The reward of each response token; the score sits on the last one under the mask."""
    if not logp.shape == logp_ref.shape == mask.shape or score.shape != mask.shape[:1]:
        got = [tuple(x.shape) for x in (logp, logp_ref, mask, score)]
        raise UnusableInput("shapes differ", None, "[B,T] three times, then [B]", str(got))
    if not bool((mask > 0).any(-1).all()):
        raise UnusableInput("a response without a token", expected="at least one 1 a row in mask")
    places = torch.arange(mask.shape[-1], device=mask.device)
    last = (places * (mask > 0)).argmax(-1, keepdim=True)
    ends = torch.zeros_like(logp).scatter(-1, last, score.to(logp.dtype)[:, None])
    return torch.where(mask > 0, -beta * (logp - logp_ref), 0.0) + ends
