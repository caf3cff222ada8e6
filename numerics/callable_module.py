"""A module that can be called like the function of the same name inside it.

`numerics.objective` is a module and `from numerics import objective` must yield the decorator;
importing a submodule binds the module to that very name, whatever the package exported before. With
this class both readings are right: `@objective(...)` calls the function,
`numerics.objective.Objective` reads the module.
"""

from types import ModuleType
from typing import Any


class CallableModule(ModuleType):
    """Assign it to `sys.modules[__name__].__class__` in a module that defines a function of its own
    name.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.__dict__[self.__name__.rpartition(".")[2]](*args, **kwargs)
