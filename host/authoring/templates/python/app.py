"""`{{name}}`: the outline of a Markdown file."""

from dataclasses import dataclass
from typing import Annotated

from bailiwick_tool import Effects, Failure, Kind, export, place

#: How many bytes a file may have.
LARGEST = 1 << 20


@dataclass
class Heading:
    """A heading."""

    level: Annotated[int, "1 to 6."]
    text: Annotated[str, "What it says."]
    line: Annotated[int, "Its line, counted from 1."]


@dataclass
class Outline:
    """What the tool answers."""

    headings: Annotated[list[Heading], "The headings, in their order."]
    written: Annotated[str | None, "The file that was written, if one was."] = None


def outline(
    file: Annotated[str, "The Markdown file, such as `notes/guide.md`."],
    output: Annotated[str | None, "Where the outline is written, such as `notes/outline.md`. Without it nothing is written."] = None,
) -> Outline:
    with open(place(file), encoding="utf-8") as opened:
        text = opened.read(LARGEST + 1)
    if len(text) > LARGEST:
        raise Failure(Kind.TOO_LARGE, f"`{file}` has more than {LARGEST} characters")
    headings = list(headings_of(text))
    if not headings:
        raise Failure(Kind.NO_MATCH, f"`{file}` has no heading")
    if output is not None:
        with open(place(output), "w", encoding="utf-8") as opened:
            opened.writelines(f"{'  ' * (heading.level - 1)}- {heading.text}\n" for heading in headings)
    return Outline(headings, output)


def headings_of(text: str):
    for line, content in enumerate(text.splitlines(), 1):
        level = len(content) - len(content.lstrip("#"))
        if 1 <= level <= 6 and content[level : level + 1] == " ":
            yield Heading(level, content[level:].strip(), line)


Tool = export(
    outline,
    name="{{name}}",
    description="Lists the headings of a Markdown file with their lines. With `output` it writes them there as a list, too.",
    effects=Effects.READS | Effects.WRITES | Effects.DESTRUCTIVE | Effects.IDEMPOTENT,
)
