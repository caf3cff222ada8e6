"""Kernel terms of one token's loss, and their values on a batch of tokens.

A specification is a kernel term in the real variables `logp`, `logp_old`, `logp_ref`, `adv` (and
`rho`, the ratio exp(logp - logp_old) where its gradient is stopped), in the values and rewards of a
token, or in the log-probabilities and scores of a pair of responses. The bridge evaluates it with
every token or pair as one model; autograd then differentiates the same term.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from derivations.kernel import terms as K
from derivations.language.syntax import larger, reals, smaller
from numerics.bridge import Evaluator, Value
from numerics.errors import UnusableInput

NAMES = ("logp", "logp_old", "logp_ref", "adv", "rho")
NAMES += ("value", "value_old", "returns", "entropy", "score", "beta", "last")
NAMES += ("logp_w", "logp_l", "ref_w", "ref_l", "score_w", "score_l")
SORTS = {"logp": "T", "logp_old": "T", "logp_ref": "T", "mask": "T"}  # functions of a position,
SORTS |= {"rewards": "G", "same": "G"}  # of a response of the batch,
SORTS |= {"p": "V", "features": "V", "weight": "V"}  # of a token of the vocabulary
OFF = 0.0  # what Log is off the positive reals; no loss of ours takes one


def token_variables() -> dict[str, Any]:
    """The real variables of a token's loss by name."""
    return {name: reals(name) for name in NAMES}


def decimal(number: float) -> Any:
    """An option such as 0.2 as the rational that its digits say; the kernel refuses floats."""
    from sympy import Rational

    return Rational(repr(number))


def between(x: Any, low: Any, high: Any) -> Any:
    """clip(x, low, high) = max(low, min(x, high))."""
    return larger(low, smaller(x, high))


class Tokens:
    """The bridge's model of a batch: every token is one, and a real variable is its data."""

    horizon = 1

    def __init__(
        self,
        data: Mapping[str, Tensor],
        tables: Mapping[str, Tensor] | None = None,
        width: int | None = None,
    ) -> None:
        self.data, self.tables = data, tables or {}
        self.width = next(iter(data.values())).numel() if width is None else width

    def extent(self, sort: Any) -> int:
        """Members of a finite set: the length of the tables of its functions."""
        name = str(sort.args[0]) if sort.args else str(sort)
        sizes = {len(self.tables[x]) for x in self.tables if SORTS.get(x) == name}
        if len(sizes) != 1:
            raise UnusableInput("a loss of one token has no sums", got=f"a sum over {sort}")
        return sizes.pop()

    def sampled(self, sort: Any) -> Tensor:
        raise UnusableInput("a loss of one token is no formula", got=f"a quantifier over {sort}")

    def apply(self, symbol: Any, args: Sequence[Value], ev: Evaluator) -> Value:
        """The data of a variable or of a function; raises UnusableInput for any other symbol."""
        name = str(symbol)  # a free variable prints as its tag
        if isinstance(symbol, K.Fn) and len(args) == 1 and str(symbol.args[0]) in self.tables:
            index = torch.as_tensor(args[0])
            return self.tables[str(symbol.args[0])][index[..., 0] if index.dim() else index]
        if not isinstance(symbol, K.Var) or name not in self.data:
            known = ", ".join([*self.data, *self.tables])
            raise UnusableInput("the specification has an unknown symbol", None, known, name)
        return self.data[name].reshape(-1)


def evaluate(term: Any, inputs: Mapping[str, Tensor]) -> Tensor:
    """The term at every token [B,T] or pair [B]; differentiable in the inputs, `rho` held fixed.

    >>> import torch
    >>> rho = reals("rho")
    >>> x = {"logp": torch.zeros(1, 2), "logp_old": torch.zeros(1, 2)}
    >>> evaluate(3 * rho, x).tolist()
    [[3.0, 3.0]]
    """
    known = [inputs[name] for name in NAMES if name in inputs]
    like = max(known, key=lambda value: value.dim())
    data = {name: _per_token(inputs[name], like) for name in NAMES if name in inputs}
    if "logp_old" in data:
        data["rho"] = (data["logp"] - data["logp_old"]).exp().detach()
    data = {name: value.double() for name, value in data.items()}
    result = Evaluator(Tokens(data), OFF).real(term)
    return result.expand(like.numel()).reshape(like.shape)


def _per_token(value: Tensor, like: Tensor) -> Tensor:
    if value.dim() == 0 or value.dim() == like.dim():
        return value.expand(like.shape)
    return value[:, None].expand_as(like)
