"""Each symbol once: how it is written as text and in LaTeX, and the letter that ranges over a set."""

from __future__ import annotations

_GREEK = {"beta": "β", "gamma": "γ", "epsilon": "ε", "eps": "ε", "theta": "θ", "lam": "λ"}
_GREEK |= {"mu": "μ", "pi": "π", "rho": "ρ", "tau": "τ", "delta": "δ", "eta": "η", "alpha": "α"}
_LATEX = {"eps": r"\varepsilon", "epsilon": r"\varepsilon", "lam": r"\lambda"}

SYMBOLS: dict[str, dict[str, str]] = {
    name: {"unicode": letter, "latex": _LATEX.get(name, "\\" + name)}
    for name, letter in _GREEK.items()
}
SYMBOLS |= {
    "pi2": {"unicode": "π′", "latex": r"\pi'"},
    "mu2": {"unicode": "μ′", "latex": r"\mu'"},
    "V2": {"unicode": "V′", "latex": "V'"},
    "d2": {"unicode": "d′", "latex": "d'"},
    "J2": {"unicode": "J′", "latex": "J'"},
    "s2": {"unicode": "s′", "latex": "s'"},
    "a2": {"unicode": "a′", "latex": "a'"},
    "p0": {"unicode": "p₀", "latex": "p_0"},
    "theta0": {"unicode": "θ₀", "latex": r"\theta_0"},
    "dpi": {"unicode": "∂π", "latex": r"\partial\pi"},
    "pi_old": {"unicode": "π_old", "latex": r"\pi_{\mathrm{old}}"},
    "pi_ref": {"unicode": "π_ref", "latex": r"\pi_{\mathrm{ref}}"},
    "ref": {"unicode": "π_ref", "latex": r"\pi_{\mathrm{ref}}"},
}

# The letter for a bound variable of each set or sort.
LETTERS = {"S": "s", "A": "a", "V": "v", "Y": "y", "K": "i", "O": "ω", "X": "x"}
LETTERS |= {"natural": "t", "real": "x", "words": "w", "pair": "z"}
