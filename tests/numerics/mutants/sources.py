"""The functions that a reference objective calls, and the same objective with one of them replaced.

Only functions of ours count (`numerics.*`); what only raises for unusable input is left alone.
"""

import ast
import copy
import inspect
import types
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeGuard

Function = Callable[..., Any]
OURS, NOT_OURS = "numerics.", ("numerics.errors", "numerics.token_terms", "numerics.row_terms")


def called(function: Function) -> list[Function]:
    """The function and, each once, every function of ours that it reaches."""
    found: list[Function] = [function]
    for one in found:
        found += [other for other in _named_in(one) if other not in found]
    return found


def _named_in(function: Function) -> Iterator[Function]:
    names, space = function.__code__.co_names, function.__globals__
    for name in names:
        value = space.get(name)
        inside = [getattr(value, n, None) for n in names] if inspect.ismodule(value) else [value]
        yield from (one for one in inside if _is_ours(one))


def _is_ours(value: Any) -> TypeGuard[Function]:
    if not isinstance(value, types.FunctionType) or value.__name__ == "_require":
        return False
    return value.__module__.startswith(OURS) and value.__module__ not in NOT_OURS


@cache
def tree_of(function: Function) -> ast.FunctionDef:
    """The syntax of a function, without its docstring."""
    file = Path(inspect.getsourcefile(function) or "")
    named = [s for s in _parsed(file).body if getattr(s, "name", "") == function.__name__]
    (tree,) = (copy.deepcopy(s) for s in named if isinstance(s, ast.FunctionDef))
    tree.body = [s for s in tree.body if not _is_text(s)]
    return tree


@cache
def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text())


def _is_text(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def rebuilt(
    function: Function, changed: Function, tree: ast.FunctionDef, **names: Function
) -> Function:
    """The objective in namespaces of its own, where `changed` has the syntax `tree` and sees
    `names` too.
    """
    group = called(function)
    spaces = {one.__module__: {**one.__globals__, **names} for one in group}
    fresh = {one: _copied(one, spaces[one.__module__]) for one in group}
    fresh[changed] = _compiled(tree, changed, spaces[changed.__module__])
    modules = {name: types.ModuleType(name) for name in spaces}
    for space in spaces.values():
        for name, value in space.items():
            if inspect.isfunction(value) and value in fresh:
                space[name] = fresh[value]
            elif inspect.ismodule(value) and value.__name__ in modules:
                space[name] = modules[value.__name__]
    for name, module in modules.items():
        vars(module).update(spaces[name])
    return fresh[function]


def _copied(function: Function, space: dict[str, Any]) -> Function:
    copy = types.FunctionType(
        function.__code__, space, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__kwdefaults__, copy.__module__ = function.__kwdefaults__, function.__module__
    return copy


def _compiled(tree: ast.FunctionDef, function: Function, space: dict[str, Any]) -> Function:
    module = ast.fix_missing_locations(ast.Module([tree], []))
    own = dict(space)  # the defaults and annotations are evaluated here
    exec(compile(module, f"{function.__name__}, mutated", "exec"), own)
    return _copied(own[function.__name__], space)
