"""A frozen type with named fields, made in a fraction of the time that a frozen dataclass takes.

A dataclass writes and compiles six methods for each type, and every command waits for the two dozen types of the rules.
Here all types share theirs. `fields` and `replace` of `dataclasses` work as they do elsewhere.
"""

from dataclasses import MISSING, FrozenInstanceError, dataclass, fields
from typing import Any, TypeVar, dataclass_transform

_Step = TypeVar("_Step")


@dataclass_transform(kw_only_default=True, frozen_default=True)
def step(cls: type[_Step]) -> type[_Step]:
    """The rules of one step of a round: fields by name, equal where all are equal, never changed."""
    made = dataclass(init=False, repr=False, eq=False, kw_only=True)(cls)
    for name, method in _METHODS.items():
        setattr(made, name, method)
    return made


def _init(self: Any, **given: Any) -> None:
    for one in fields(self):
        if one.name in given:
            value = given.pop(one.name)
        elif one.default is not MISSING:
            value = one.default
        else:
            raise TypeError(f"{type(self).__name__}: {one.name} is missing")
        object.__setattr__(self, one.name, value)
    if given:
        raise TypeError(f"{type(self).__name__} has no {', '.join(given)}")


def _eq(self: Any, other: object) -> bool:
    return vars(self) == vars(other) if type(other) is type(self) else NotImplemented


def _hash(self: Any) -> int:
    return hash((type(self), *vars(self).values()))


def _repr(self: Any) -> str:
    return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


def _frozen(self: Any, name: str, value: object = None) -> None:
    raise FrozenInstanceError(f"{type(self).__name__}.{name} cannot be changed")


_METHODS = {
    "__init__": _init,
    "__eq__": _eq,
    "__hash__": _hash,
    "__repr__": _repr,
    "__setattr__": _frozen,
    "__delattr__": _frozen,
}
