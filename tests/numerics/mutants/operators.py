"""The mistakes: each operator maps a place of a function to what may wrongly stand there.

An operator yields the name of the mistake and the new expression. What an option's default is, and
which of two things a word names, is left alone: no check can know it from the code.
"""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Replacement = tuple[str, ast.expr]
Operator = Callable[[ast.expr, "Place"], Iterator[Replacement]]


@dataclass(frozen=True)
class Place:
    """Where a node stands: the data and options of its function, and what surrounds it."""

    data: tuple[str, ...]
    options: tuple[str, ...]
    parent: ast.AST


SIBLINGS = (
    ("logp", "logp_old", "logp_ref"),
    ("logp_w", "logp_l"),
    ("ref_w", "ref_l"),
    ("logp_w", "ref_w"),
    ("logp_l", "ref_l"),
    ("mask_w", "mask_l"),
    ("value", "value_old", "returns"),
    ("score_w", "score_l"),
    ("values", "next_values"),
    ("terminated", "truncated"),
    ("gamma", "lam"),
    ("n", "c", "k"),
)
AXES = {"sum", "mean", "all", "any", "argmax", "gather", "scatter", "stack", "log_softmax"}
AXES |= {"softmax", "unsqueeze", "flatten", "new_ones", "transpose", "range", "cat"}
UNARY = {"exp", "log", "sigmoid", "logsigmoid", "expm1", "sqrt"}
OPPOSITE = {"minimum": "maximum", "maximum": "minimum", "smaller": "larger", "larger": "smaller"}
COUNTS = ("mask", "tokens", "counts", "kept", "rows")


def _named(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def _function(node: ast.AST) -> str | None:
    """exp of torch.exp(x), x.exp() and exp(x)."""
    if not isinstance(node, ast.Call):
        return None
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else None


def _receiver(node: ast.Call) -> ast.expr | None:
    """x of x.exp(); None for torch.exp(x)."""
    if isinstance(node.func, ast.Attribute):
        owner = node.func.value
        if not (isinstance(owner, ast.Name) and owner.id in ("torch", "base", "lesson")):
            return owner
    return None


def _method(node: ast.expr, name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(node, name, ast.Load()), list(arguments), [])


def sign(node: ast.expr, place: Place) -> Iterator[Replacement]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
        yield "sign of a term", ast.BinOp(node.left, op, node.right)
    number = isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not number:
        yield "sign of a term", node.operand


def swapped(node: ast.expr, place: Place) -> Iterator[Replacement]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
        yield "swapped difference", ast.BinOp(node.right, node.op, node.left)
    if isinstance(node, ast.Call) and len(node.args) >= 2:
        first, second, *rest = node.args
        if isinstance(first, ast.Name) and isinstance(second, ast.Name):
            yield "swapped arguments", ast.Call(node.func, [second, first, *rest], node.keywords)
    if _function(node) == "where" and isinstance(node, ast.Call) and len(node.args) == 3:
        test, yes, no = node.args
        yield "swapped cases", ast.Call(node.func, [test, no, yes], [])
    if isinstance(node, ast.IfExp) and not _of_words(node.test):
        yield "swapped cases", ast.IfExp(node.test, node.orelse, node.body)


def dropped(node: ast.expr, place: Place) -> Iterator[Replacement]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        for kept, gone in ((node.left, node.right), (node.right, node.left)):
            masked = {n for n in _named(gone) if n.startswith("mask") or n == "kept"}
            yield ("dropped mask" if masked else "dropped factor"), kept
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        yield "dropped denominator", node.left
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield "dropped term", node.left
    if isinstance(node, ast.Call) and _function(node) == "where" and len(node.args) == 3:
        yield "dropped case", node.args[1]
        yield "dropped case", node.args[2]
    if isinstance(node, ast.Call) and _function(node) in UNARY:
        inner = _receiver(node) or (node.args[0] if node.args else None)
        if inner is not None:
            yield "dropped function", inner


def limits(node: ast.expr, place: Place) -> Iterator[Replacement]:
    if not isinstance(node, ast.Call):
        return
    name, receiver = _function(node), _receiver(node)
    if name in OPPOSITE and isinstance(node.func, ast.Attribute):
        other = ast.Attribute(node.func.value, OPPOSITE[name], ast.Load())
        yield "max for min", ast.Call(other, node.args, node.keywords)
        yield from (("dropped clip", one) for one in node.args)
    if name == "clamp" and receiver is not None:
        yield "dropped clip", receiver
        if len(node.args) == 2:
            for side, bound in (("max", node.args[1]), ("min", node.args[0])):
                yield (
                    "clip of one side",
                    ast.Call(node.func, [], [ast.keyword(side, bound)]),
                )
        for keyword in node.keywords:
            side = "max" if keyword.arg == "min" else "min"
            yield (
                "clip of the other side",
                ast.Call(node.func, [], [ast.keyword(side, keyword.value)]),
            )


def detached(node: ast.expr, place: Place) -> Iterator[Replacement]:
    if isinstance(node, ast.Call) and _function(node) == "detach":
        yield "missing detach", _receiver(node) or node
        return
    assigned = isinstance(place.parent, ast.Assign) and node is place.parent.value
    listed = isinstance(place.parent, ast.Tuple) and isinstance(node, ast.Call)
    operand = isinstance(place.parent, ast.BinOp | ast.UnaryOp) and isinstance(node, ast.Name)
    number = isinstance(node, ast.Name) and node.id in place.options
    assigned = assigned and not isinstance(node, ast.Tuple | ast.List | ast.IfExp)
    if (assigned or listed or operand) and not number:
        yield "added detach", _method(node, "detach")


def denominators(node: ast.expr, place: Place) -> Iterator[Replacement]:
    name = _function(node)
    if not isinstance(node, ast.Call) or name not in ("sum", "mean"):
        return
    receiver = _receiver(node)
    if receiver is None:
        return
    other = "mean" if name == "sum" else "sum"
    yield (
        f"{other} for {name}",
        ast.Call(ast.Attribute(receiver, other, ast.Load()), node.args, node.keywords),
    )
    if name == "sum" and _named(receiver) & set(COUNTS):
        ones = ast.Call(
            ast.Attribute(ast.Name("torch", ast.Load()), "ones_like", ast.Load()), [receiver], []
        )
        yield (
            "all cells for the mask",
            ast.Call(ast.Attribute(ones, "sum", ast.Load()), node.args, node.keywords),
        )
    if node.args:
        yield "other axis", ast.Call(node.func, [ast.Constant(0)], node.keywords)


def shifted(node: ast.expr, place: Place) -> Iterator[Replacement]:
    data = isinstance(node, ast.Name) and node.id in place.data
    asked = isinstance(place.parent, ast.Attribute) and place.parent.attr in (
        "dim",
        "shape",
        "dtype",
    )
    if data and not asked and not isinstance(place.parent, ast.keyword):
        yield "off by one", _method(node, "roll", ast.Constant(1), ast.Constant(-1))
    part = node.slice if isinstance(node, ast.Subscript) else None
    if isinstance(node, ast.Subscript) and isinstance(part, ast.Slice) and part.step is not None:
        yield "order", node.value
    if isinstance(node, ast.Call) and _function(node) == "reversed":
        yield "order", node.args[0]


def constants(node: ast.expr, place: Place) -> Iterator[Replacement]:
    if not isinstance(node, ast.Constant) or isinstance(node.value, bool):
        return
    if not isinstance(node.value, int | float) or isinstance(
        place.parent, ast.Subscript | ast.Slice
    ):
        return
    if isinstance(place.parent, ast.UnaryOp | ast.Tuple | ast.keyword | ast.Compare):
        return
    if _function(place.parent) in AXES:
        return
    yield "constant", ast.Constant(2 * node.value if node.value else 1.0)


def comparisons(node: ast.expr, place: Place) -> Iterator[Replacement]:
    other = {ast.Gt: ast.Lt, ast.Lt: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
    if not isinstance(node, ast.Compare) or len(node.ops) > 1 or _of_words(node):
        return
    if type(node.ops[0]) in other:
        op = other[type(node.ops[0])]()
        yield "comparison", ast.Compare(node.left, [op], node.comparators)


def _of_words(node: ast.expr) -> bool:
    """A comparison with a word: which of two options a word names is nobody's mistake."""
    texts = [n for n in ast.walk(node) if isinstance(n, ast.Constant)]
    return isinstance(node, ast.Compare) and any(isinstance(n.value, str) for n in texts)


def arguments(node: ast.expr, place: Place) -> Iterator[Replacement]:
    if isinstance(node, ast.Name) and node.id in place.data:
        for group in SIBLINGS:
            for other in group if node.id in group else ():
                if other != node.id and other in place.data:
                    yield "wrong argument", ast.Name(other, ast.Load())
    if isinstance(node, ast.Call):
        for number, keyword in enumerate(node.keywords):
            if isinstance(keyword.value, ast.Name) and keyword.value.id in place.options:
                rest = node.keywords[:number] + node.keywords[number + 1 :]
                yield "dropped option", ast.Call(node.func, node.args, rest)


def deviations(node: ast.expr, place: Place) -> Iterator[Replacement]:
    if isinstance(node, ast.Subscript) and _named(node.value) == {"DEVIATIONS"}:
        yield "wrong deviation", ast.BinOp(ast.Constant(1), ast.Sub(), node)
    if isinstance(node, ast.Name) and node.id == "correction":
        yield "wrong deviation", ast.BinOp(ast.Constant(1), ast.Sub(), node)


OPERATORS: tuple[Operator, ...] = (
    sign,
    swapped,
    dropped,
    limits,
    detached,
    denominators,
    shifted,
    constants,
    comparisons,
    arguments,
    deviations,
)
