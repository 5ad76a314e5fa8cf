"""What the author of a bailiwick tool imports: one function with types is the tool, and its schemas are made of them.

- `export(function, name=…, description=…, effects=…)` gives the class that the component exports, which has to be called `Tool`.
- Arguments and answers are `str`, `int`, `float`, `bool`, `list[…]`, `dict[str, …]`, `… | None`, `Literal[…]`, enums, and
  dataclasses of these. `Annotated[type, "…"]` describes one to a model. An argument with a default may be left out.
- `place("notes/a.md")` is the path of a file in a granted directory. What the sandbox refuses is an `OSError` and, unless
  it is caught, an error that the caller can read; so is a `Failure`. Any other exception is a failure of the tool itself.
"""

import dataclasses
import enum
import errno
import inspect
import json
import types
import typing

from componentize_py_types import Err
from wit_world.exports import tool as contract

Effects = contract.Effects
Kind = contract.ErrorKind


class Failure(Exception):
    """Something the caller can react to: a kind, and one lower-case sentence without a full stop."""

    def __init__(self, kind: Kind, message: str):
        super().__init__(message)
        self.kind = kind
        self.message = message


def place(path: str) -> str:
    """The path inside the tool of what a caller names `directory/path`."""
    if not path or "\0" in path:
        raise Failure(Kind.INVALID_INPUT, "the path is empty or has a NUL character")
    if path.startswith("/"):
        raise Failure(Kind.NOT_PERMITTED, f"`{path}` is absolute; a path begins with the name of a granted directory")
    # Whether it stays in the directory is decided where it is opened, by the host.
    return "/" + path


def export(function, *, name: str, description: str, effects: Effects) -> type:
    """The class that the component exports for `function`."""
    hints = typing.get_type_hints(function, include_extras=True)
    answer = hints.pop("return", None)
    parameters = inspect.signature(function).parameters.values()
    arguments = [(one.name, hints[one.name], one.default is inspect.Parameter.empty) for one in parameters]
    described = contract.Descriptor(
        name, description, json.dumps(_object(arguments)), json.dumps(_schema(answer)), effects
    )
    if not dataclasses.is_dataclass(_bare(answer)[0]):
        raise TypeError("the function has to answer a dataclass")

    class Tool:
        def describe(self) -> contract.Descriptor:
            return described

        def invoke(self, input: str) -> str:
            try:
                given = json.loads(input)
                return json.dumps(_plain(function(**{n: _build(t, given[n]) for n, t, _ in arguments if n in given})))
            except Failure as failure:
                raise Err(contract.ToolError(failure.kind, failure.message)) from None
            except UnicodeDecodeError:
                raise Err(contract.ToolError(Kind.NOT_TEXT, "the file is not text in UTF-8")) from None
            except OSError as error:
                raise Err(contract.ToolError(_kind(error), _message(error))) from None

    return Tool


_KINDS = {
    errno.ENOENT: Kind.NOT_FOUND,
    errno.EACCES: Kind.NOT_PERMITTED,
    errno.EPERM: Kind.NOT_PERMITTED,
    errno.EROFS: Kind.NOT_PERMITTED,
    errno.EBADF: Kind.NOT_PERMITTED,
    errno.ELOOP: Kind.WRONG_KIND,
    errno.EISDIR: Kind.WRONG_KIND,
    errno.ENOTDIR: Kind.WRONG_KIND,
    errno.EFBIG: Kind.TOO_LARGE,
}
#: `ENOTCAPABLE`, which only WASI has.
_NOT_CAPABLE = 76


def _kind(error: OSError) -> Kind:
    if error.errno == _NOT_CAPABLE:
        return Kind.NOT_PERMITTED
    return _KINDS.get(error.errno, Kind.FAILED)


def _message(error: OSError) -> str:
    said = (error.strerror or "the file cannot be used").lower()
    return said if error.filename is None else f"`{str(error.filename).lstrip('/')}`: {said}"


def _bare(hint) -> tuple[object, str | None]:
    """A type without its description, and the description."""
    if typing.get_origin(hint) is typing.Annotated:
        bare, *notes = typing.get_args(hint)
        return bare, next((note for note in notes if isinstance(note, str)), None)
    return hint, None


def _fields(kind) -> list[tuple[str, object, bool]]:
    hints = typing.get_type_hints(kind, include_extras=True)
    missing = dataclasses.MISSING
    return [
        (field.name, hints[field.name], field.default is missing and field.default_factory is missing)
        for field in dataclasses.fields(kind)
    ]


def _object(fields: list[tuple[str, object, bool]]) -> dict:
    return {
        "type": "object",
        "properties": {name: _schema(hint) for name, hint, _ in fields},
        "required": [name for name, _, required in fields if required],
        "additionalProperties": False,
    }


_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}


def _schema(hint) -> dict:
    """JSON Schema of a type."""
    kind, description = _bare(hint)
    schema = _schema_of(kind)
    if description is not None:
        schema["description"] = description
    return schema


def _schema_of(kind) -> dict:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    if origin is list:
        return {"type": "array", "items": _schema(arguments[0])}
    if origin is dict and arguments[0] is str:
        return {"type": "object", "additionalProperties": _schema(arguments[1])}
    if origin is typing.Literal:
        return {"enum": list(arguments)}
    if origin in (typing.Union, types.UnionType):
        schemas = [_schema(one) for one in arguments if one is not type(None)]
        if type(None) in arguments:
            schemas.append({"type": "null"})
        return {"anyOf": schemas}
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return {"enum": [one.value for one in kind]}
    if dataclasses.is_dataclass(kind):
        return _object(_fields(kind))
    raise TypeError(f"`{kind}` has no JSON Schema here; use plain types, lists, dictionaries, enums and dataclasses")


def _build(hint, value):
    """A value of a type from its JSON, which the host has held against the schema."""
    kind, _ = _bare(hint)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if value is None:
        return None
    if origin is list:
        return [_build(arguments[0], one) for one in value]
    if origin is dict:
        return {name: _build(arguments[1], one) for name, one in value.items()}
    if origin in (typing.Union, types.UnionType):
        kinds = [one for one in arguments if one is not type(None)]
        return _build(kinds[0], value) if len(kinds) == 1 else value
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return kind(value)
    if dataclasses.is_dataclass(kind):
        return kind(**{name: _build(hint, value[name]) for name, hint, _ in _fields(kind) if name in value})
    return value


def _plain(value):
    """JSON of an answer; what is `None` is left out of an object."""
    if dataclasses.is_dataclass(value):
        fields = ((field.name, getattr(value, field.name)) for field in dataclasses.fields(value))
        return {name: _plain(one) for name, one in fields if one is not None}
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    return value
