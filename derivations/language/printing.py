"""Formulas for people: unicode text and LaTeX from kernel terms, bound variables named by sort."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Add, Basic, Expr, Integer, Mul, Pow, Rational

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.language.notation import LETTERS, SYMBOLS

Names = tuple[str, ...]


class Printer:
    """One output format: `unicode` or `latex` supply the pieces."""

    def __init__(self, pieces: Mapping[str, str]) -> None:
        self.p = pieces

    def formula(self, e: Basic, bound: Names = ()) -> str:
        """A formula or a term."""
        method = getattr(self, "_" + type(e).__name__, None)
        if isinstance(e, K.Variable):
            return self._variable(e, bound)
        if method is not None:
            return method(e, bound)
        if isinstance(e, Rational):
            return self._rational(e)
        raise K.Refused(f"{type(e).__name__} cannot be printed")

    # -- names

    def symbol(self, name: str) -> str:
        """A name in this format: Greek letters, primes, subscripts."""
        stem = name.split("~")[0]
        if stem in SYMBOLS:
            return SYMBOLS[stem][self.p["format"]]
        return self.p["primes"](stem) if callable(self.p["primes"]) else stem

    def _variable(self, e: K.Variable, bound: Names) -> str:
        if isinstance(e, K.Bound):
            return bound[-1 - e.tag] if e.tag < len(bound) else f"?{e.tag}"
        if isinstance(e, K.Slot):
            return self.symbol(f"{LETTERS.get(_sort_name(e.sort), 'i')}{e.tag + 1}")
        return self.symbol(str(e.tag))

    def fresh(self, e: Basic, bound: Names) -> str:
        """A name for the variable that e binds: the letter of its sort, primed until unused."""
        letter = LETTERS.get(_sort_name(B.scope_sort(e)), "i")
        taken = {self.symbol(str(v.tag)) for v in B.variables(e) if isinstance(v, K.Var)}
        name = letter
        while self.symbol(name) in bound or self.symbol(name) in taken:
            name += "'"
        return self.symbol(name)

    # -- terms

    def _rational(self, e: Rational) -> str:
        if e.q == 1:
            return str(e.p)
        return self.p["frac"].format(str(e.p), str(e.q))

    def _wrapped(self, e: Basic, bound: Names, level: int) -> str:
        text = self.formula(e, bound)
        return self.p["paren"].format(text) if _level(e) < level else text

    def _Add(self, e: Add, bound: Names) -> str:
        parts = sorted(e.args, key=_negative)
        out = self._wrapped(parts[0], bound, 1)
        for x in parts[1:]:
            sign, y = (" - ", -x) if _negative(x) else (" + ", x)
            out += sign + self._wrapped(y, bound, 2 if sign == " - " else 1)
        return out

    def _Mul(self, e: Mul, bound: Names) -> str:
        c, rest = e.as_coeff_Mul()
        if c < 0:
            return "-" + self._wrapped(-e, bound, 2)
        flags = [x.args[0] for x in e.args if isinstance(x, K.Inv) and x.args[0] in e.args]
        if flags:  # x Inv(x) is the indicator of x != 0
            gone = [*flags, *map(K.Inv, flags)]
            kept = [x for x in e.args if x not in gone]
            marks = [self.p["indicator"].format(self.formula(x, bound)) for x in flags]
            first = [self._wrapped(Mul(*kept), bound, 2)] if kept else []
            return self.p["times"].join([*first, *marks])
        over = [x for x in Mul.make_args(rest) if not isinstance(_base(x), K.Inv)]
        under = [_inverted(x) for x in Mul.make_args(rest) if isinstance(_base(x), K.Inv)]
        if c.p != 1 or not over:
            over = [Integer(c.p), *over]
        if c.q != 1:
            under = [Integer(c.q), *under]
        over = sorted(over, key=_weight)
        top = self._product([x for x in over if x != 1 or len(over) == 1], bound)
        if not under:
            return top
        single = len([x for x in over if x != 1]) <= 1 and _level(Mul(*over)) >= 2
        below = self._product(sorted(under, key=_weight), bound)
        return self.fraction(top, below, single, len(under) == 1 and _level(under[0]) >= 3)

    def fraction(self, top: str, below: str, single: bool, atomic: bool) -> str:
        """A quotient; text output parenthesises what needs it."""
        if self.p["format"] == "latex":
            return self.p["frac"].format(top, below)
        return f"{top}/{below}" if atomic else f"{top}/({below})"

    def _product(self, xs: list[Basic], bound: Names) -> str:
        last = len(xs) - 1
        texts = [
            self._wrapped(x, bound, 2 if i == last and isinstance(x, (K.Sum, K.Max)) else 3)
            if not (i == last and isinstance(x, K.Sum))
            else self.formula(x, bound)
            for i, x in enumerate(xs)
        ]
        return self.p["times"].join(texts)

    def _Pow(self, e: Pow, bound: Names) -> str:
        return self.p["power"].format(self._wrapped(e.base, bound, 4), self.formula(e.exp, bound))

    def _Inv(self, e: K.Inv, bound: Names) -> str:
        return self.fraction("1", self.formula(e.args[0], bound), True, _level(e.args[0]) >= 3)

    def _Exp(self, e: K.Exp, bound: Names) -> str:
        return self.p["exp"].format(self.formula(e.args[0], bound))

    def _Log(self, e: K.Log, bound: Names) -> str:
        return self.p["log"].format(self.formula(e.args[0], bound))

    def _App(self, e: K.App, bound: Names) -> str:
        args = [self.formula(x, bound) for x in e.args[1:]]
        name = self.symbol(e.fn.name)
        if e.fn.name in CONDITIONAL and len(args) >= 2:
            return f"{name}({args[0]}{self.p['bar']}{', '.join(args[1:])})"
        return f"{name}({', '.join(args)})"

    def _Max2(self, e: K.Max2, bound: Names) -> str:
        x, y = e.args
        if x + y == 0:
            pick = y if _negative(x) else x
            return self.p["abs"].format(self.formula(pick, bound))
        return self.p["max"].format(f"{self.formula(x, bound)}, {self.formula(y, bound)}")

    def _Delta(self, e: K.Delta, bound: Names) -> str:
        return self.p["delta"].format(*[self.formula(x, bound) for x in e.args])

    def _Card(self, e: K.Card, bound: Names) -> str:
        return self.p["size"].format(self._set(e.args[0], bound))

    def _Nil(self, e: K.Nil, bound: Names) -> str:
        return self.p["nil"]

    def _Snoc(self, e: K.Snoc, bound: Names) -> str:
        return f"{self.formula(e.args[0], bound)}{self.p['dot']}{self.formula(e.args[1], bound)}"

    def _Pair(self, e: K.Pair, bound: Names) -> str:
        return f"({self.formula(e.args[0], bound)}, {self.formula(e.args[1], bound)})"

    def _Sum(self, e: K.Sum, bound: Names) -> str:
        return self._big("sum", e, bound)

    def _Max(self, e: K.Max, bound: Names) -> str:
        return self._big("bigmax", e, bound)

    def _big(self, piece: str, e: Basic, bound: Names) -> str:
        X, body = e.args
        v = self.fresh(e, bound)
        inner = self._wrapped(body, (*bound, v), 2)
        return self.p[piece].format(v + self._range(X, bound), inner)

    def _Series(self, e: K.Series, bound: Names) -> str:
        v = self.fresh(e, bound)
        return self.p["series"].format(v, self._wrapped(e.args[0], (*bound, v), 2))

    def _range(self, X: Basic, bound: Names) -> str:
        if isinstance(X, K.Range):
            return f" < {self.formula(X.args[0], bound)}"
        return self.p["in"] + self._set(X, bound)

    def _set(self, X: Basic, bound: Names) -> str:
        if isinstance(X, K.Words):
            return self.p["power"].format(
                self._set(X.args[0], bound), self.formula(X.args[1], bound)
            )
        if isinstance(X, K.Prod):
            return self.p["cross"].join(self._set(Y, bound) for Y in X.args)
        return X.name if isinstance(X, K.Fin) else str(X)

    # -- formulas

    def _Eq(self, e: K.Eq, bound: Names) -> str:
        return f"{self.formula(e.args[0], bound)} = {self.formula(e.args[1], bound)}"

    def _Le(self, e: K.Le, bound: Names) -> str:
        return f"{self.formula(e.args[0], bound)}{self.p['le']}{self.formula(e.args[1], bound)}"

    def _Lt(self, e: K.Lt, bound: Names) -> str:
        return f"{self.formula(e.args[0], bound)} < {self.formula(e.args[1], bound)}"

    def _Imp(self, e: K.Imp, bound: Names) -> str:
        p, q = e.args
        if q == K.Lt(0, 0) and isinstance(p, K.Eq):
            return f"{self.formula(p.args[0], bound)}{self.p['ne']}{self.formula(p.args[1], bound)}"
        left = self.formula(p, bound)
        if isinstance(p, (K.Imp, K.All)):
            left = self.p["paren"].format(left)
        return f"{left}{self.p['imp']}{self.formula(q, bound)}"

    def _All(self, e: K.All, bound: Names) -> str:
        names: list[str] = []
        body: Basic = e
        while isinstance(body, K.All):
            v = self.fresh(body, (*bound, *names))
            names.append(v)
            body = body.args[1]
        return self.p["all"].format(", ".join(names), self.formula(body, (*bound, *names)))

    def _Lim(self, e: K.Lim, bound: Names) -> str:
        F, body, limit = e.args
        v = self.fresh(e, bound)
        to = {K.Infinity: self.p["oo"], K.Right: self.p["right"]}.get(type(F), "")
        if isinstance(F, K.Near):
            to = self.formula(F.args[0], bound)
        inner = self._wrapped(body, (*bound, v), 2)
        return self.p["lim"].format(v, to, inner, self.formula(limit, bound))

    def _HasD(self, e: K.HasD, bound: Names) -> str:
        body, at, d = e.args
        v = self.fresh(e, bound)
        inner = self._wrapped(body, (*bound, v), 2)
        return self.p["deriv"].format(v, inner, self.formula(at, bound), self.formula(d, bound))


CONDITIONAL = ("pi", "pi2", "pi_old", "pi_ref", "P", "dpi")


def _sort_name(sort: Basic) -> str:
    if isinstance(sort, K.WordsOf):
        return "words"
    if isinstance(sort, K.Prod):
        return "pair"
    return sort.name if isinstance(sort, (K.Fin, K.Named)) else ""


def _negative(x: Basic) -> bool:
    return bool(x.as_coeff_Mul()[0] < 0) if isinstance(x, Expr) else False


def _base(x: Basic) -> Basic:
    return x.base if isinstance(x, Pow) else x


def _inverted(x: Basic) -> Basic:
    base = _base(x).args[0]
    return base**x.exp if isinstance(x, Pow) else base


def _weight(x: Basic) -> tuple[int, str]:
    """The order of factors on a page: numbers, parameters, functions, sums last."""
    kinds: list[Any] = [Rational, K.Var, Pow, K.Bound, K.Card, K.Delta, K.App, K.Log, K.Exp, Add]
    kinds += [K.Max2, K.Max, K.Sum]
    place = next((i for i, k in enumerate(kinds) if isinstance(x, k)), 5)
    return (place, "")


def _level(e: Basic) -> int:
    """How tightly a term binds: sums 1, products 2, fractions 3, atoms 4."""
    if isinstance(e, Add) or (e.is_Rational and e < 0):
        return 1
    if isinstance(e, Mul) and e.as_coeff_Mul()[0] < 0:
        return 1
    if isinstance(e, (Mul, K.Sum, K.Max, K.Series)) or (e.is_Rational and e.q != 1):
        return 2
    return 3 if isinstance(e, (Pow, K.Inv, K.Formula)) else 4


def _unicode_primes(stem: str) -> str:
    return stem.replace("'", "′")


def _latex_primes(stem: str) -> str:
    base = stem.rstrip("'")
    primes = stem[len(base) :]
    text = base if len(base) == 1 else rf"\mathrm{{{base}}}".replace("_", r"\_")
    return text + primes


UNICODE = Printer(
    {
        **{"format": "unicode", "primes": _unicode_primes, "frac": "{}/{}", "paren": "({})"},
        **{"times": " ", "power": "{}^{}", "exp": "exp({})", "log": "log({})", "bar": "|"},
        **{"abs": "|{}|", "max": "max({})", "delta": "δ({}, {})", "size": "|{}|", "nil": "ε"},
        **{"dot": "·", "sum": "Σ_{} {}", "bigmax": "max_{} {}", "series": "Σ_{}≥0 {}"},
        **{"in": "", "cross": "×", "le": " ≤ ", "ne": " ≠ ", "imp": " ⇒ ", "all": "∀{}: {}"},
        **{"indicator": "1[{} ≠ 0]", "oo": "∞", "right": "0+", "lim": "lim_({}→{}) {} = {}"},
        "deriv": "d/d{} [{}] at {} = {}",
    }
)
LATEX = Printer(
    {
        **{"format": "latex", "primes": _latex_primes, "frac": r"\frac{{{}}}{{{}}}"},
        **{"paren": r"\left({}\right)", "times": r"\,", "power": "{}^{{{}}}", "exp": "e^{{{}}}"},
        **{"log": r"\log\left({}\right)", "bar": r"\mid ", "abs": r"\left|{}\right|"},
        **{"max": r"\max({})", "delta": r"\delta_{{{}\,{}}}", "size": r"|{}|"},
        **{"nil": r"\varepsilon", "dot": r"\cdot ", "sum": r"\sum_{{{}}} {}"},
        **{"bigmax": r"\max_{{{}}} {}", "series": r"\sum_{{{}\ge 0}} {}", "in": ""},
        **{"cross": r"\times ", "le": r" \le ", "ne": r" \ne ", "imp": r" \;\Rightarrow\; "},
        **{"indicator": r"\mathbf{{1}}[{} \ne 0]"},
        **{"all": r"\forall {}:\; {}", "oo": r"\infty", "right": "0^+"},
        **{"lim": r"\lim_{{{} \to {}}} {} = {}"},
        "deriv": r"\frac{{d}}{{d{}}} \left[{}\right]_{{{}}} = {}",
    }
)


def text(e: Basic) -> str:
    """A formula in unicode."""
    return UNICODE.formula(e)


def latex(e: Basic) -> str:
    """A formula in LaTeX."""
    return LATEX.formula(e)
