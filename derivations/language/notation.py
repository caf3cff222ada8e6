"""Each symbol once: how it is written as text and in LaTeX, where it stands in a product, and the
letter that ranges over a set."""

from __future__ import annotations

_GREEK = {"beta": "β", "gamma": "γ", "epsilon": "ε", "eps": "ε", "theta": "θ", "lam": "λ"}
_GREEK |= {"mu": "μ", "pi": "π", "rho": "ρ", "tau": "τ", "delta": "δ", "eta": "η", "alpha": "α"}
_GREEK |= {"omega": "ω", "phi": "φ", "psi": "ψ", "sigma": "σ", "kappa": "κ", "xi": "ξ"}
_LATEX = {"eps": r"\varepsilon", "epsilon": r"\varepsilon", "lam": r"\lambda"}

SYMBOLS: dict[str, dict[str, str]] = {
    name: {"unicode": letter, "latex": _LATEX.get(name, "\\" + name)}
    for name, letter in _GREEK.items()
}
SYMBOLS |= {
    "dpi": {"unicode": "∂π", "latex": r"\partial\pi"},
    "dr": {"unicode": "∂r", "latex": r"\partial r"},
    "dp": {"unicode": "∂p", "latex": r"\partial p"},
    "ddp": {"unicode": "∂²p", "latex": r"\partial^2 p"},
    "pi_old": {"unicode": "π_old", "latex": r"\pi_{\mathrm{old}}"},
    "pi_ref": {"unicode": "π_ref", "latex": r"\pi_{\mathrm{ref}}"},
    "ref": {"unicode": "π_ref", "latex": r"\pi_{\mathrm{ref}}"},
    "star": {"unicode": "π*", "latex": r"\pi^{*}"},
    "Adv": {"unicode": "A", "latex": "A"},
}
# The letter for a bound variable of each set or sort; any other one-letter set X has the letter x.
LETTERS = {"K": "i", "O": "ω", "natural": "t", "real": "x", "words": "w", "pair": "z"}

# Several reals are x, y, z ...; a second state is s′.
REALS = ("x", "y", "z", "u", "v")

# f(x, y) is written f(x | y): the probability of x given y.
CONDITIONAL = frozenset({"pi", "pi2", "pi_old", "pi_ref", "ref", "star", "P", "dpi"})

# Probabilities stand before values in a product: first of places, then of actions, then of moves.
_MEASURES = ("d", "d2", "mu", "mu2", "m", "m2", "p0", "Pr", "rho", "w", "p", "q")


def letter_of(set_name: str) -> str:
    """The letter that ranges over a set, "" when no letter says which set it is."""
    if set_name in LETTERS:
        return LETTERS[set_name]
    return set_name.lower() if len(set_name) == 1 and set_name.isalpha() else ""


def place_in_product(function: str) -> int:
    """Where a function stands among the factors of a product."""
    if function in _MEASURES:
        return 0
    if function in CONDITIONAL:
        return 2 if function == "P" else 1
    return 3
