"""Compiles `Build.cs` and `Naming.cs` with Roslyn: `compile.py RUNTIME ROSLYN OUTPUT SOURCE…`, all absolute.

There is no compiler to start, only the libraries, so Python loads the runtime and calls them.
"""

import sys
from pathlib import Path

CONFIGURATION = """{ "runtimeOptions": {
  "tfm": "net8.0",
  "framework": { "name": "Microsoft.NETCore.App", "version": "8.0.0" },
  "configProperties": { "System.Globalization.Invariant": true } } }
"""


def main(runtime, roslyn, output, *sources):
    from clr_loader import get_coreclr
    from pythonnet import set_runtime

    configuration = Path(output).with_suffix(".runtimeconfig.json")
    configuration.write_text(CONFIGURATION)
    set_runtime(get_coreclr(runtime_config=str(configuration), dotnet_root=runtime))
    import clr

    for name in ["Microsoft.CodeAnalysis", "Microsoft.CodeAnalysis.CSharp"]:
        clr.AddReference(f"{roslyn}/{name}.dll")
    from Microsoft.CodeAnalysis import DiagnosticSeverity, MetadataReference, OutputKind, SyntaxTree
    from Microsoft.CodeAnalysis.CSharp import CSharpCompilation, CSharpCompilationOptions, CSharpParseOptions
    from Microsoft.CodeAnalysis.CSharp import CSharpSyntaxTree, LanguageVersion
    from System import Array, Object
    from System.IO import MemoryStream

    options = CSharpParseOptions(LanguageVersion.Latest)
    trees = [CSharpSyntaxTree.ParseText(Path(source).read_text(), options, source) for source in sources]
    framework = Path(Object().GetType().Assembly.Location).parent
    libraries = [*framework.glob("System*.dll"), framework / "netstandard.dll", *Path(roslyn).glob("Microsoft.CodeAnalysis*.dll")]
    references = [MetadataReference.CreateFromFile(str(library)) for library in libraries if "Native" not in library.name]
    compiled = CSharpCompilation.Create(
        Path(output).stem,
        Array[SyntaxTree](trees),
        Array[MetadataReference](references),
        CSharpCompilationOptions(OutputKind.ConsoleApplication),
    )
    stream = MemoryStream()
    result = compiled.Emit(stream)
    for message in result.Diagnostics:
        if message.Severity == DiagnosticSeverity.Error:
            print(message.ToString(), file=sys.stderr)
    if not result.Success:
        return 1
    Path(output).write_bytes(bytes(stream.ToArray()))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
