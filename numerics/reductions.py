"""From a loss per token to a scalar, under verl's names.

    token-mean               sum_bt m v / sum_bt m
    seq-mean-token-sum       mean over non-empty rows of sum_t m v
    seq-mean-token-mean      mean over non-empty rows of sum_t m v / sum_t m
    seq-mean-token-sum-norm  seq-mean-token-sum / norm (default: the padded length T)

They agree up to a factor when every row has the same length, and differ otherwise (theorem
`token_mean_weighs_sequences_by_length`).
"""

from torch import Tensor

from numerics.errors import UnusableInput

REDUCTIONS = ("token-mean", "seq-mean-token-sum", "seq-mean-token-mean", "seq-mean-token-sum-norm")


def reduce_tokens(
    values: Tensor, mask: Tensor, how: str, *, norm: float | None = None, guard: float = 0.0
) -> Tensor:
    """Reduce values under a mask; `guard` is added to each count of tokens, as some libraries do.

    Shapes: values, mask [B,T] (0 or 1); the result [].
    Units: those of the values.
    Raises: UnusableInput for an unknown name.

    >>> import torch
    >>> v, m = torch.tensor([[1.0, 2.0], [4.0, 9.0]]), torch.tensor([[1.0, 1.0], [1.0, 0.0]])
    >>> [float(reduce_tokens(v, m, how)) for how in REDUCTIONS]
    [2.3333332538604736, 3.5, 2.75, 1.75]
    """
    mask = mask.to(values.dtype)
    tokens = mask.sum(-1)
    sums = (values * mask).sum(-1)
    rows = (tokens > 0).to(values.dtype).sum()
    if how == "token-mean":
        return sums.sum() / (tokens.sum() + guard)
    if how == "seq-mean-token-sum":
        return sums.sum() / rows
    if how == "seq-mean-token-mean":
        counts = tokens + guard if guard else tokens.clamp(min=1.0)
        return (sums / counts).sum() / rows
    if how == "seq-mean-token-sum-norm":
        return sums.sum() / rows / (values.shape[-1] if norm is None else norm)
    raise UnusableInput("unknown reduction", expected=", ".join(REDUCTIONS), got=repr(how))
