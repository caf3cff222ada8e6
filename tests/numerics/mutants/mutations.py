"""One mistake at a time in every place of a function.

What guards against unusable input (an `if` that only raises) is left alone.
"""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

from tests.numerics.mutants.operators import OPERATORS, Place, Replacement


@dataclass(frozen=True)
class Mutation:
    """A mistake: its name, the code before and after, the function's new syntax, and the function
    as it was with `SEEN` called where the mistake is made.
    """

    mistake: str
    before: str
    after: str
    tree: ast.FunctionDef
    watched: ast.FunctionDef


SEEN = "_seen"


def mutations(tree: ast.FunctionDef) -> list[Mutation]:
    """Every mistake in every place, each different syntax once."""
    seen, found = {ast.dump(tree)}, []
    arguments = tree.args
    data = tuple(a.arg for a in (*arguments.posonlyargs, *arguments.args))
    options = tuple(a.arg for a in arguments.kwonlyargs)
    for number, (node, parent) in enumerate(_places(tree)):
        for mistake, after in _replacements(node, Place(data, options, parent)):
            changed = _replaced(tree, number, after)
            if ast.dump(changed) not in seen:
                seen.add(ast.dump(changed))
                before, now = ast.unparse(node), ast.unparse(ast.fix_missing_locations(after))
                call = ast.Call(ast.Name(SEEN, ast.Load()), [node], [])
                watched = _replaced(tree, number, call)
                found.append(Mutation(mistake, before, now, changed, watched))
    return found


def _places(tree: ast.FunctionDef) -> list[tuple[ast.expr, ast.AST]]:
    """The expressions of the body with their parents, in a fixed order."""
    found: list[tuple[ast.expr, ast.AST]] = []

    def visit(node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and all(isinstance(s, ast.Raise) for s in child.body):
                continue
            if isinstance(child, ast.Raise):
                continue
            if isinstance(getattr(child, "ctx", None), ast.Store):
                continue
            if isinstance(child, ast.expr):
                found.append((child, node))
            visit(child)

    for statement in tree.body:
        visit(ast.Module([statement], []))
    return found


def _replaced(tree: ast.FunctionDef, number: int, after: ast.expr) -> ast.FunctionDef:
    changed = copy.deepcopy(tree)
    node, _ = _places(changed)[number]

    class Put(ast.NodeTransformer):
        def visit(self, child: ast.AST) -> ast.AST:
            return copy.deepcopy(after) if child is node else self.generic_visit(child)

    Put().visit(changed)
    return changed


def _replacements(node: ast.expr, place: Place) -> Iterator[Replacement]:
    for operator in OPERATORS:
        yield from operator(node, place)
