"""`changelog-writer`: entries for the newest section of a changelog, in the form of Azure SDK packages."""

import os
import re
from dataclasses import dataclass
from typing import Annotated

from bailiwick_tool import Effects, Failure, Kind, export, place

TITLE = "# Release History"
UNRELEASED = "Unreleased"
#: In their order.
SECTIONS = {
    "features": "Features Added",
    "breaking": "Breaking Changes",
    "fixes": "Bugs Fixed",
    "other": "Other Changes",
}
HEADING = re.compile(r"^## (?P<version>\d+\.\d+\.\d+\S*) \((?P<date>[^)]*)\)\s*$")
DATE = re.compile(r"^\d{4}-\d{2}-\d{2}$")


@dataclass
class Answer:
    """What the tool answers."""

    version: Annotated[str, "The version whose section was written."]
    added: Annotated[list[str], "The entries that were not there before."]
    section: Annotated[str, "The section as it is now."]
    created: Annotated[bool, "Whether the file was made."]


Entries = Annotated[list[str] | None, "One sentence each, without a bullet."]


def write(
    file: Annotated[str, "The changelog, such as `package/CHANGELOG.md`."],
    version: Annotated[str, "The version the entries are for, such as `1.2.0` or `1.2.0b1`."],
    date: Annotated[str | None, "The day of release, such as `2026-11-22`. Without it the section is unreleased."] = None,
    features: Entries = None,
    breaking: Entries = None,
    fixes: Entries = None,
    other: Entries = None,
) -> Answer:
    if not re.fullmatch(r"\d+\.\d+\.\d+\S*", version):
        raise Failure(Kind.INVALID_INPUT, f"`{version}` is no version such as `1.2.0`")
    if date is not None and not DATE.match(date):
        raise Failure(Kind.INVALID_INPUT, f"`{date}` is no day such as `2026-11-22`")
    wanted = {"features": features, "breaking": breaking, "fixes": fixes, "other": other}
    new = {SECTIONS[key]: [one_line(entry) for entry in entries] for key, entries in wanted.items() if entries}
    if not new:
        raise Failure(Kind.INVALID_INPUT, "there is nothing to enter")
    path = place(file)
    created = not os.path.exists(path)
    lines = [TITLE, ""] if created else read(path)
    start, end = newest(lines)
    found = HEADING.match(lines[start]) if start < end else None
    if found and found["version"] == version:
        if found["date"] != UNRELEASED and date != found["date"]:
            raise Failure(Kind.NOT_PERMITTED, f"{version} was released on {found['date']}, so its section stays as it is")
        entries = parsed(lines[start + 1 : end], file)
        day = date or found["date"]
    elif any(heading["version"] == version for heading in map(HEADING.match, lines) if heading):
        raise Failure(Kind.NOT_PERMITTED, f"{version} is there already, below a newer version")
    else:
        # A new section in front of the newest one.
        entries, day, end = {}, date or UNRELEASED, start
    added = []
    for title, sentences in new.items():
        known = entries.setdefault(title, [])
        for sentence in sentences:
            if sentence not in known:
                known.append(sentence)
                added.append(sentence)
    section = rendered(version, day, entries)
    body = [*lines[:start], *section, *lines[end:]]
    with open(path, "w", encoding="utf-8", newline="\n") as opened:
        opened.write("\n".join(body).rstrip("\n") + "\n")
    return Answer(version, added, "\n".join(section).rstrip("\n"), created)


def read(path: str) -> list[str]:
    with open(path, encoding="utf-8") as opened:
        return opened.read().splitlines()


def one_line(entry: str) -> str:
    text = " ".join(entry.split()).removeprefix("- ").removeprefix("* ")
    if not text:
        raise Failure(Kind.INVALID_INPUT, "an entry says nothing")
    return text


def newest(lines: list[str]) -> tuple[int, int]:
    """Where the newest section begins and ends; where one would begin if there is none."""
    starts = [index for index, line in enumerate(lines) if line.startswith("## ")]
    if not starts:
        return len(lines), len(lines)
    return starts[0], starts[1] if len(starts) > 1 else len(lines)


def parsed(lines: list[str], file: str) -> dict[str, list[str]]:
    """The entries of a section by title. What this does not understand it would lose, so it refuses it."""
    entries: dict[str, list[str]] = {}
    title = None
    for line in lines:
        if line.startswith("### "):
            title = line[4:].strip()
            entries.setdefault(title, [])
        elif line.startswith(("- ", "* ")) and title is not None:
            entries[title].append(line[2:].strip())
        elif line.startswith("  ") and line.strip() and title is not None and entries[title]:
            entries[title][-1] += "\n" + line.rstrip()
        elif line.strip():
            raise Failure(Kind.AMBIGUOUS, f"`{file}` has text in its newest section that is no entry: `{line[:60]}`")
    return entries


def rendered(version: str, day: str, entries: dict[str, list[str]]) -> list[str]:
    lines = [f"## {version} ({day})", ""]
    known = list(SECTIONS.values())
    for title in sorted(entries, key=lambda title: known.index(title) if title in known else len(known)):
        if entries[title]:
            lines += [f"### {title}", "", *(f"- {entry}" for entry in entries[title]), ""]
    return lines


Tool = export(
    write,
    name="changelog-writer",
    description="Enters features, breaking changes, fixes and other changes into the newest section of a CHANGELOG.md of "
    "an Azure SDK package, and begins a section for a new version. Entries that are there already stay once, released "
    "sections stay as they are.",
    effects=Effects.READS | Effects.WRITES | Effects.DESTRUCTIVE | Effects.IDEMPOTENT,
)
