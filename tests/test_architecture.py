"""The shape of the project: who imports whom, how big things are, what the kernel must not call.

Each rule is a function from source text to complaints, and each has a sample that it complains of.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERS = ("derivations.kernel", "derivations.language", "derivations.tactics")
LAYERS += ("derivations.theorems", "numerics", "docs")
KERNEL_BUDGET = 1200
BANNED = {"simplify", "equals", "doit", "solve", "nsimplify", "subs", "xreplace", "eval", "sympify"}
NOT_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
NOT_CODE |= {tokenize.ENDMARKER}


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def name_of(path: Path) -> str:
    """derivations/kernel/terms.py is the module derivations.kernel.terms."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(text: str) -> Iterator[str]:
    """Every module named by an import, also one inside a function."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def layer(module: str) -> int:
    """The place of a module in the order of imports; derivations.library looks at theorems."""
    for i, name in enumerate(LAYERS):
        if module == name or module.startswith(name + "."):
            return i
    return LAYERS.index("derivations.theorems") if module.split(".")[0] == "derivations" else -1


def upward(module: str, text: str) -> list[str]:
    """Imports from a later layer."""
    return [name for name in imported(text) if layer(name) > layer(module)]


def foreign(text: str, allowed: set[str]) -> list[str]:
    """Imports of packages that are neither allowed nor of the standard library."""
    tops = (name.split(".")[0] for name in imported(text))
    return [top for top in tops if top not in allowed | sys.stdlib_module_names]


def lines_of_code(text: str) -> int:
    """Lines that hold a token, comments and docstrings aside."""
    doc: set[int] = set()
    scopes = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(ast.parse(text)):
        first = node.body[0] if isinstance(node, scopes) and node.body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            doc |= set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return len({t.start[0] for t in tokens if t.type not in NOT_CODE} - doc)


def forbidden(text: str) -> list[str]:
    """Calls that the kernel must not make: SymPy's unsound or unpredictable ones."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            f = node.func
            called = f.attr if isinstance(f, ast.Attribute) else getattr(f, "id", "")
            forced = any(k.arg == "force" for k in node.keywords)
            found += [called] * (called in BANNED) + ["force"] * forced
    return found + [name for name in imported(text) if name.startswith("sympy.stats")]


def long_functions(text: str, limit: int = 40) -> list[str]:
    """Functions longer than the limit, decorators aside."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = [node for node in ast.walk(ast.parse(text)) if isinstance(node, functions)]
    return [f.name for f in found if (f.end_lineno or 0) - f.lineno + 1 > limit]


def untested(folder: str, tests: str, sweep: str) -> list[str]:
    """Modules of a folder that no test file is about: none is called test_<name>, names it, or
    goes through everything that the folder's discovery finds."""
    modules = [path for path in sources(folder) if path.stem != "__init__"]
    texts = {path.stem: path.read_text() for path in sources(tests)}
    if any(re.search(rf"\b{sweep}\(\)", text) for text in texts.values()):
        return []
    named = lambda name: any(re.search(rf"\b{name}\b", text) for text in texts.values())
    return [m.stem for m in modules if f"test_{m.stem}" not in texts and not named(m.stem)]


def complaints(rule: Callable[[str, str], object], *folders: str) -> dict[str, object]:
    """What a rule finds in each file of some folders, given its module name and its text."""
    found = {name_of(p): rule(name_of(p), p.read_text()) for p in sources(*folders)}
    return {name: what for name, what in found.items() if what}


# ------------------------------------------------------------------ the rules hold


def test_imports_lead_downwards() -> None:
    assert complaints(upward, "derivations", "numerics", "docs") == {}


def test_proofs_need_sympy_alone() -> None:
    rule = lambda _, text: foreign(text, {"sympy", "derivations"})
    assert complaints(rule, "derivations") == {}


def test_the_kernel_calls_nothing_banned() -> None:
    assert complaints(lambda _, text: forbidden(text), "derivations/kernel") == {}
    assert complaints(lambda _, text: "fmt: off" in text, "derivations/kernel") == {}


def test_the_kernel_stays_within_its_budget() -> None:
    kernel = sources("derivations/kernel")
    sizes = {name_of(path): lines_of_code(path.read_text()) for path in kernel}
    assert sum(sizes.values()) <= KERNEL_BUDGET, sizes


def test_files_stay_short() -> None:
    too_long = lambda _, text: len(text.splitlines()) > 300
    assert complaints(too_long, "derivations", "numerics", "docs") == {}


def test_a_theorem_file_fits_on_two_pages() -> None:
    assert complaints(lambda _, text: len(text.splitlines()) > 120, "derivations/theorems") == {}


def test_functions_stay_short() -> None:
    """A proof is one function, and its file has a limit of its own."""
    proof = lambda name: name.startswith("derivations.theorems.")
    rule = lambda name, text: [] if proof(name) else long_functions(text)
    assert complaints(rule, "derivations", "numerics", "docs") == {}


@pytest.mark.parametrize(
    ("folder", "tests", "sweep"),
    [
        ("derivations/theorems", "tests/derivations/theorems", "catalogue"),
        ("numerics/objectives", "tests/numerics/objectives", "references"),
        ("numerics/properties", "tests/numerics/properties", "properties"),
    ],
)
def test_what_is_discovered_is_tested(folder: str, tests: str, sweep: str) -> None:
    assert untested(folder, tests, sweep) == []


# ------------------------------------------------------------------ the rules can fail


def test_an_import_from_a_later_layer_is_seen() -> None:
    text = "def f():\n    from derivations.tactics.book import by\n"
    assert upward("derivations.kernel.rules", text) == ["derivations.tactics.book.by"]
    assert upward("derivations.theorems.foundations.x", text) == []
    assert upward("derivations.library", "import numerics") == ["numerics"]
    assert upward("numerics.cli", "from docs import page") == ["docs.page"]


def test_a_foreign_package_is_seen() -> None:
    assert foreign("import json, torch\nfrom numpy.linalg import det", {"sympy"}) == [
        "torch",
        "numpy",
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from sympy import simplify\nsimplify(x)", ["simplify"]),
        ("e.xreplace({})", ["xreplace"]),
        ("expand_log(e, force=True)", ["force"]),
        ("eval('1')", ["eval"]),
        ("import sympy.stats", ["sympy.stats"]),
        ("def subs(): pass", []),
    ],
)
def test_a_banned_call_is_seen(text: str, found: list[str]) -> None:
    assert forbidden(text) == found


def test_comments_and_docstrings_are_no_code() -> None:
    text = '"""Doc\nof two lines."""\n\n# a comment\nx = (\n    1\n)\n'
    text += '\n\ndef f():\n    """Doc."""\n    return 1\n'
    assert lines_of_code(text) == 5


def test_a_long_function_is_seen() -> None:
    assert long_functions("def f():\n" + "    x = 1\n" * 40) == ["f"]
    assert long_functions("def f():\n" + "    x = 1\n" * 39) == []


def test_an_untested_module_is_seen() -> None:
    assert "ppo_clip" in untested("numerics/objectives", "tests/benchmarks", "references")
