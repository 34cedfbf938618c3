"""Changes to the syntax tree of code: comparisons, signs, numbers, words, conditions, returns, whole statements.

Not changed: annotations, docstrings, decorators, assertions (no test should reach a failing one), error messages and
the words of sentences. A module is changed in memory when it is imported; no file is changed.
"""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mutants.mutant import ROOT, Mutant, numbered

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_SIGNS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
}
_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
#: Fields of nodes that are not changed.
_CLOSED = {"annotation", "returns", "decorator_list", "bases", "type_params", "cause", "exc", "op", "ops", "ctx"}


@dataclass(frozen=True, slots=True)
class Site:
    """A place in a tree, and the change to make there."""

    line: int
    scope: str
    old: str
    new: str
    change: Callable[[], None]


def code_mutants(package: str) -> list[Mutant]:
    """Return all changes to the modules of a package."""
    found = []
    for path in sorted((ROOT / "aceking" / package).rglob("*.py")):
        file = path.relative_to(ROOT).as_posix()
        for number, site in enumerate(sites(ast.parse(path.read_text(encoding="utf-8")))):
            name = f"{file} {site.scope}: {site.old} -> {site.new}"
            found.append(Mutant(name, file, site.line, site.old, site.new, package, number))
    return numbered(found)


def changed_tree(mutant: Mutant) -> ast.Module:
    """Return the tree of the module with the change made."""
    tree = ast.parse((ROOT / mutant.file).read_text(encoding="utf-8"))
    if mutant.site >= 0:
        list(sites(tree))[mutant.site].change()
    return ast.fix_missing_locations(tree)


def sites(tree: ast.Module) -> Iterator[Site]:
    """Yield all places of a module that can be changed, in the order of its text."""
    yield from _inside(tree, "module")


def _inside(node: ast.AST, scope: str) -> Iterator[Site]:
    for field, value in ast.iter_fields(node):
        if field in _CLOSED or (isinstance(node, ast.ClassDef) and field == "keywords"):
            continue
        if isinstance(value, list):
            for place, one in enumerate(value):
                if isinstance(one, ast.AST):
                    yield from _node(one, scope, _setter(value, place))
        elif isinstance(value, ast.AST):
            yield from _node(value, scope, _field_setter(node, field))


def _setter(many: list[ast.AST], place: int) -> Callable[[ast.AST], None]:
    def put(new: ast.AST) -> None:
        many[place] = new

    return put


def _field_setter(node: ast.AST, field: str) -> Callable[[ast.AST], None]:
    return lambda new: setattr(node, field, new)


def _node(node: ast.AST, scope: str, put: Callable[[ast.AST], None]) -> Iterator[Site]:
    if _is_left_alone(node, scope):
        return
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        scope = node.name if scope == "module" else f"{scope}.{node.name}"
    if isinstance(node, ast.stmt):
        yield from _statement(node, scope, put)
    elif isinstance(node, ast.expr):
        yield from _expression(node, scope, put)
    elif isinstance(node, ast.comprehension):
        yield from _filters(node, scope)
    yield from _inside(node, scope)


def _is_left_alone(node: ast.AST, scope: str) -> bool:
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Assert() | ast.JoinedStr():
            return True
        case ast.Expr(value=ast.Constant(value=str() | EllipsisType())):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Assign(targets=[ast.Name(id="__slots__")]):
            return True
        case ast.Assign(value=ast.Subscript() | ast.BinOp(op=ast.BitOr())) if scope == "module":
            return True  # an alias of a type
        case ast.Assign(value=ast.Call(func=ast.Name(id="NewType" | "TypeVar"))):
            return True
        case ast.Call(func=ast.Name(id="cast")):
            return True
    return False


EllipsisType = type(...)


def _statement(node: ast.stmt, scope: str, put: Callable[[ast.AST], None]) -> Iterator[Site]:
    match node:
        case ast.Expr() | ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Break():
            yield _site(node, scope, "nothing", lambda: put(ast.Pass()))
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield _site(node, scope, "nothing", lambda: put(ast.Pass()))
        case ast.Return(value=ast.Constant(value=None | False)):
            pass  # None counts as false; False becomes True below
        case ast.Return(value=ast.expr()):
            nothing = ast.Return(value=ast.Constant(value=None))
            yield _site(node, scope, "return None", lambda: put(nothing))
    if isinstance(node, ast.AugAssign) and type(node.op) in _SIGNS:
        other = ast.AugAssign(target=node.target, op=_SIGNS[type(node.op)](), value=node.value)
        yield _site(node, scope, ast.unparse(other), lambda: put(other))
    if isinstance(node, ast.Match) and len(node.cases) > 1:
        for one in node.cases:
            told = f"case {ast.unparse(one.pattern)}"
            yield Site(one.pattern.lineno, scope, told, "nothing", lambda gone=one: node.cases.remove(gone))  # type: ignore[misc]
    if isinstance(node, ast.If | ast.While) and _is_plain(node.test):
        yield _negated(node.test, scope, _field_setter(node, "test"))


def _expression(node: ast.expr, scope: str, put: Callable[[ast.AST], None]) -> Iterator[Site]:
    def swap(new: ast.expr) -> Site:
        return _site(node, scope, ast.unparse(ast.fix_missing_locations(new)), lambda: put(new))

    match node:
        case ast.Compare(left=left, ops=[op], comparators=many) if type(op) in _COMPARISONS:
            for other in _COMPARISONS[type(op)]:
                yield swap(ast.Compare(left=left, ops=[other()], comparators=many))
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _SIGNS:
            yield swap(ast.BinOp(left=left, op=_SIGNS[type(sign)](), right=right))
        case ast.BoolOp(op=ast.And() | ast.Or(), values=values):
            yield swap(ast.BoolOp(op=ast.Or() if isinstance(node.op, ast.And) else ast.And(), values=values))
            for gone in values:
                rest = [one for one in values if one is not gone]
                yield swap(rest[0] if len(rest) == 1 else ast.BoolOp(op=node.op, values=rest))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield swap(operand)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield swap(operand)
        case ast.IfExp(test=test) if _is_plain(test):
            yield _negated(test, scope, _field_setter(node, "test"))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=words) if name in _NAMES:
            yield swap(ast.Call(func=ast.Name(id=_NAMES[name], ctx=ast.Load()), args=args, keywords=words))
        case ast.Constant():
            for value in _other_values(node.value):
                yield swap(ast.Constant(value=value))


def _other_values(value: object) -> Iterator[bool | int | str]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
        if value:
            yield value - 1
    elif isinstance(value, str) and value and " " not in value:
        yield f"-{value}-"


def _filters(node: ast.comprehension, scope: str) -> Iterator[Site]:
    for place, test in enumerate(node.ifs):
        every = _setter(node.ifs, place)  # type: ignore[arg-type]
        yield _site(test, scope, "True", lambda put=every: put(ast.Constant(value=True)), prefix="if ")  # type: ignore[misc]


def _is_plain(test: ast.expr) -> bool:
    """Return True for a condition that no other change negates."""
    return isinstance(test, ast.Name | ast.Attribute | ast.Call | ast.NamedExpr | ast.Subscript)


def _negated(test: ast.expr, scope: str, put: Callable[[ast.AST], None]) -> Site:
    return _site(test, scope, f"not {ast.unparse(test)}", lambda: put(ast.UnaryOp(op=ast.Not(), operand=test)))


def _site(node: ast.stmt | ast.expr, scope: str, new: str, change: Callable[[], None], *, prefix: str = "") -> Site:
    return Site(node.lineno, scope, _short(prefix + ast.unparse(node)), _short(prefix + new), change)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else f"{line[:97]}..."
