"""The two output formats of the printer: plain unicode for terminals, LaTeX for pages.

Each field is a template of one construct; the printer fills it in and decides on parentheses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from derivations.language.notation import SYMBOLS

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_FRACTIONS = {"1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾"}


@dataclass(frozen=True)
class Format:
    """The templates of one output format."""

    name: str
    minus: str
    times: str
    paren: str
    exp: str
    log: str
    short_log: str
    bar: str
    absolute: str
    larger: str
    equal_letters: str
    indicator: str
    size: str
    nil: str
    dot: str
    big_sum: str
    big_max: str
    below: str
    in_set: str
    cross: str
    at_most: str
    at_least: str
    less: str
    more: str
    unequal: str
    both: str
    implies: str
    for_all: str
    infinity: str
    from_right: str
    limit: str
    derivative: str
    derivative_at: str

    @property
    def is_latex(self) -> bool:
        """Whether braces group and fractions stack."""
        return self.name == "latex"

    def symbol(self, stem: str) -> str:
        """A name in this format: Greek letters, primes, subscripts; V2 is a second V: V′."""
        found = re.fullmatch(r"(.*?[^\d'])(\d*)('*)", stem, re.DOTALL)
        base, digits, primes = found.groups() if found else (stem, "", "")
        if base + digits in SYMBOLS:
            base, digits = base + digits, ""
        elif digits == "2":
            digits, primes = "", primes + "'"
        text = SYMBOLS[base][self.name] if base in SYMBOLS else self._plain(base)
        text = self.index(text, digits) if digits else text
        if self.is_latex:
            return text + primes
        return (text + "′" * len(primes)).replace("′′", "″").replace("″′", "‴")

    def _plain(self, base: str) -> str:
        if len(base) == 1 or not self.is_latex:
            return base
        return rf"\mathrm{{{base}}}".replace("_", r"\_")

    def power(self, base: str, exponent: str) -> str:
        """base^exponent."""
        if self.is_latex:
            return f"{base}^{{{exponent}}}"
        if exponent.isdigit():
            return base + exponent.translate(_RAISED)
        return f"{base}^{exponent}" if _short(exponent) else f"{base}^({_tight(exponent)})"

    def index(self, name: str, index: str) -> str:
        """name with an index below."""
        if self.is_latex:
            return f"{name}_{{{index}}}"
        return name + (index.translate(_LOWERED) if index.isdigit() else _lowered(index))

    def number(self, p: int, q: int) -> str:
        """A rational number on its own."""
        if q == 1:
            return str(p)
        return rf"\frac{{{p}}}{{{q}}}" if self.is_latex else _FRACTIONS.get(f"{p}/{q}", f"{p}/{q}")

    def fraction(self, top: str, under: str, under_is_atomic: bool) -> str:
        """A quotient; unicode text needs the parentheses that a bar makes superfluous."""
        if self.is_latex:
            return rf"\frac{{{top}}}{{{under}}}"
        return f"{top}/{under}" if under_is_atomic else f"{top}/({under})"

    def operator(self, template: str, below: str, body: str) -> str:
        """A sum or a maximum with what stands below it."""
        return template.format(below if self.is_latex else _lowered(below), body)


def _short(text: str) -> bool:
    return re.fullmatch(r"\w[₀-₉]*[′″‴]*", text) is not None


def _tight(text: str) -> str:
    return text.replace(" + ", "+").replace(" − ", "−").replace(" < ", "<")


def _lowered(text: str) -> str:
    return f"_{text}" if _short(text) else f"_{{{_tight(text)}}}"


UNICODE = Format(
    name="unicode",
    minus="−",
    times=" ",
    paren="({})",
    exp="exp({})",
    log="log({})",
    short_log="log {}",
    bar="|",
    absolute="|{}|",
    larger="max({}, {})",
    equal_letters="1[{} = {}]",
    indicator="1[{}]",
    size="|{}|",
    nil="⟨⟩",
    dot="·",
    big_sum="Σ{} {}",
    big_max="max{} {}",
    below=" < ",
    in_set="∈",
    cross="×",
    at_most=" ≤ ",
    at_least=" ≥ ",
    less=" < ",
    more=" > ",
    unequal=" ≠ ",
    both=" and ",
    implies=" ⇒ ",
    for_all="∀ {}: {}",
    infinity="∞",
    from_right="0⁺",
    limit="lim_{{{}→{}}} {} = {}",
    derivative="d/d{} {} = {}",
    derivative_at="d/d{0} {1} = {3} at {0} = {2}",
)
LATEX = Format(
    name="latex",
    minus="-",
    times=r"\,",
    paren=r"\left({}\right)",
    exp="e^{{{}}}",
    log=r"\log\left({}\right)",
    short_log=r"\log {}",
    bar=r"\mid ",
    absolute=r"\left|{}\right|",
    larger=r"\max\left({}, {}\right)",
    equal_letters=r"\mathbf{{1}}[{} = {}]",
    indicator=r"\mathbf{{1}}[{}]",
    size="|{}|",
    nil=r"\langle\rangle",
    dot=r"\cdot ",
    big_sum=r"\sum_{{{}}} {}",
    big_max=r"\max_{{{}}} {}",
    below=" < ",
    in_set=r" \in ",
    cross=r" \times ",
    at_most=r" \le ",
    at_least=r" \ge ",
    less=" < ",
    more=" > ",
    unequal=r" \ne ",
    both=r" \text{ and } ",
    implies=r" \;\Rightarrow\; ",
    for_all=r"\forall {}:\; {}",
    infinity=r"\infty",
    from_right="0^+",
    limit=r"\lim_{{{} \to {}}} {} = {}",
    derivative=r"\frac{{d}}{{d{}}} {} = {}",
    derivative_at=r"\left.\frac{{d}}{{d{0}}} {1}\right|_{{{0} = {2}}} = {3}",
)


def words_of(name: str) -> str:
    """A reason's name with the symbols in it as on the page: "pi2 sums to one" becomes "π′ ..."."""
    known = lambda word: word in SYMBOLS or re.fullmatch(r"([A-Za-z]|mu|pi)[02]", word)  # noqa: E731
    written = lambda m: UNICODE.symbol(m[0]) if known(m[0]) else m[0]  # noqa: E731
    return re.sub(r"\b[A-Za-z]\w*\b", written, name)
