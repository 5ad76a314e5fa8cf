"""Names of public types that the .NET guidelines do not allow: a stand-in for the analyzers of azure-sdk-for-net.

It reads the C# that a generator wrote, which is laid out regularly, and knows nothing of TypeSpec.
"""

import re

# Types inside types are further in; their holder's name stands before theirs.
DECLARED = re.compile(
    r"^ {0,4}public\s+(?:(?:abstract|sealed|static|readonly|partial)\s+)*(class|struct|interface)\s+(\w+)", re.MULTILINE
)
SPACE = re.compile(r"^\s*namespace\s+([\w.]+)", re.MULTILINE)
SUPPRESSED = re.compile(
    r'\[assembly:\s*SuppressMessage\(\s*"[^"]*",\s*"(AZC\d+)[^"]*".*?Target\s*=\s*"~T:([\w.]+)"', re.DOTALL
)

WORTHLESS = ("Request", "Requests", "Response", "Responses", "Parameter", "Parameters", "Option", "Collection")


def check(sources):
    """Every violation as (place, code, message), by file and line."""
    texts = [(path, path.read_text(encoding="utf-8-sig")) for path in sources]
    suppressed = {pair for _, text in texts for pair in SUPPRESSED.findall(text)}
    declared = {found.group(2) for _, text in texts for found in DECLARED.finditer(text)}
    for path, text in texts:
        space = SPACE.search(text)
        namespace = space.group(1) if space else ""
        for found in DECLARED.finditer(text):
            kind, name = found.groups()
            for code, message in judge(kind, name, namespace, declared, "Models" in path.parts):
                if (code, f"{namespace}.{name}") not in suppressed:
                    line = text.count("\n", 0, found.start(2)) + 1
                    column = found.start(2) - text.rfind("\n", 0, found.start(2))
                    yield f"{path}({line},{column})", code, message


def judge(kind, name, namespace, declared, is_model):
    service = namespace.split(".")[-1]
    if len(re.findall(r"[A-Z]", name)) <= (2 if kind == "interface" else 1):
        yield "AZC0012", (
            f"Type name '{name}' is too generic and has high chance of collision with BCL types or types from other "
            f"libraries. Consider using a more descriptive multi-word name, such as '{service}{name}Client' or '{service}{name}Service'."
        )
    if not is_model or kind != "class":
        return
    for suffix in WORTHLESS:
        if name.endswith(suffix) and name != "ErrorResponse":
            stem = name[: -len(suffix)]
            new = f"{stem}Result" if suffix.startswith("Response") else f"{stem}Content"
            yield "AZC0030", (
                f"Model name '{name}' ends with '{suffix}'. We suggest renaming it to '{new}' or another name with this "
                "suffix."
            )
    if name.endswith("Definition") and name.removesuffix("Definition") not in declared:
        yield "AZC0031", f"Model name '{name}' ends with 'Definition'. Suggest to rename it to an appropriate name."
    if name.endswith("Data"):
        yield "AZC0032", f"Model name '{name}' ends with 'Data'. Suggest to rename it to an appropriate name."
