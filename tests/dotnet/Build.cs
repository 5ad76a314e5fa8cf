// Stands in for MSBuild: compiles the one project that it is given with Roslyn, and prints what MSBuild prints.

using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Threading;
using System.Xml.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;

public static class Build
{
    /// <summary> What lies beside this program: assemblies to compile against, and sources that libraries share. </summary>
    private static readonly string Home = Path.GetDirectoryName(AppContext.BaseDirectory.TrimEnd('/'));

    /// <summary> With it the compiler is given no analyzers. </summary>
    private const string WithoutAnalyzers = "-property:RunAnalyzers=false";

    public static int Main(string[] arguments)
    {
        if (arguments.Length > 2 && arguments[0] == "msbuild")
        {
            return Answer(Path.GetFullPath(arguments[1]), arguments.Skip(2).Where(one => one != "-nologo" && one != "-nodeReuse:false").ToList());
        }
        if (arguments.Length < 2 || arguments[0] != "build" || arguments.Skip(2).Any(one => !one.StartsWith('-')))
        {
            Console.WriteLine($"this stand-in for MSBuild builds one project and was asked for: {string.Join(' ', arguments)}");
            return 1;
        }
        if (!File.Exists(arguments[1]))
        {
            Console.WriteLine("MSBUILD : error MSB1009: Project file does not exist.");
            return 1;
        }
        string project = Path.GetFullPath(arguments[1]);
        bool analyzed = !arguments.Contains(WithoutAnalyzers);
        Directory.CreateDirectory(Path.GetDirectoryName(Note(project)));
        File.Delete(Note(project));
        List<string> messages = Messages(project, analyzed);
        // MSBuild prints every message when it comes, and again in its summary.
        foreach (string message in messages.Concat(messages))
        {
            Console.WriteLine($"{message} [{project}]");
        }
        int errors = messages.Count(message => message.Contains(": error "));
        if (errors == 0)
        {
            File.WriteAllText(Note(project), Inputs(project, analyzed));
        }
        Console.WriteLine($"Build {(errors > 0 ? "FAILED" : "succeeded")}.\n    {messages.Count - errors} Warning(s)\n    {errors} Error(s)");
        return errors > 0 ? 1 : 0;
    }

    /// <summary> What is asked: for which frameworks a project is compiled, what is compiled, and what its text names as that. </summary>
    private static int Answer(string project, List<string> question)
    {
        XElement root = XDocument.Load(project).Root;
        string Property(string name) => root.Descendants(name).Select(one => one.Value).LastOrDefault() ?? "";
        object answer = null;
        if (question.SequenceEqual(new[] { "-getProperty:TargetFramework", "-getProperty:TargetFrameworks" }))
        {
            answer = new { Properties = new { TargetFramework = Property("TargetFramework"), TargetFrameworks = Property("TargetFrameworks") } };
        }
        else if (question.Where(one => !one.StartsWith("-property:")).Where(one => one != "-target:Compile").SequenceEqual(new[] { "-getItem:Compile" }))
        {
            // MSBuild compiles before it answers about a target, unless nothing has changed since it compiled.
            bool analyzed = !question.Contains(WithoutAnalyzers);
            if (question.Contains("-target:Compile") && !IsUpToDate(project, analyzed) && Messages(project, analyzed).Any(message => message.Contains(": error ")))
            {
                Console.WriteLine("MSBUILD : error MSB4181: the compilation failed.");
                return 1;
            }
            answer = new { Items = new { Compile = Compiled(project, root).Select(path => new { Identity = path, FullPath = path }) } };
        }
        Console.WriteLine(answer == null ? $"this stand-in for MSBuild was asked: {string.Join(' ', question)}" : JsonSerializer.Serialize(answer, new JsonSerializerOptions { WriteIndented = true }));
        return answer == null ? 1 : 0;
    }

    /// <summary> Where a build without an error notes what it compiled, when it is through. </summary>
    private static string Note(string project) => Path.Combine(Path.GetDirectoryName(project), "obj", "compiled");

    private static string Inputs(string project, bool analyzed) =>
        string.Join('\n', Compiled(project, XDocument.Load(project).Root).Prepend(project).Prepend($"{analyzed}"));

    private static bool IsUpToDate(string project, bool analyzed)
    {
        string inputs = Inputs(project, analyzed);
        DateTime noted = File.GetLastWriteTimeUtc(Note(project));
        return File.Exists(Note(project)) && File.ReadAllText(Note(project)) == inputs && inputs.Split('\n').Skip(1).All(path => File.GetLastWriteTimeUtc(path) < noted);
    }

    private static List<string> Messages(string project, bool analyzed)
    {
        XElement root = XDocument.Load(project).Root;
        List<string> missing = Included(root, "PackageReference").Where(name => !File.Exists(Package(name))).ToList();
        if (missing.Count > 0)
        {
            return missing.Select(name => $"{project} : error NU1101: Unable to find package {name}. No packages exist with this id in source(s): offline").ToList();
        }
        CSharpCompilation compilation = Compilation(project, root);
        // The compiler's own program stops after the first of its stages that has an error, and so does this.
        var stages = new List<Func<IEnumerable<Diagnostic>>>
        {
            () => compilation.GetParseDiagnostics(),
            () => compilation.GetDeclarationDiagnostics(),
            () => compilation.GetMethodBodyDiagnostics(),
            () => compilation.WithAnalyzers(ImmutableArray.Create<DiagnosticAnalyzer>(new Naming())).GetAnalyzerDiagnosticsAsync(CancellationToken.None).Result,
        };
        var found = new List<Diagnostic>();
        foreach (Func<IEnumerable<Diagnostic>> stage in stages.Take(analyzed ? 4 : 3).TakeWhile(_ => found.All(one => one.Severity != DiagnosticSeverity.Error)))
        {
            found.AddRange(stage().Where(one => !one.IsSuppressed && one.Severity >= DiagnosticSeverity.Warning));
        }
        List<string> messages = found.OrderBy(one => one.Location.SourceTree?.FilePath, StringComparer.Ordinal).ThenBy(one => one.Location.SourceSpan).Select(Line).ToList();
        // What a real build does after the compiler, such as comparing the public surface with that of the last release.
        if (found.All(one => one.Severity != DiagnosticSeverity.Error))
        {
            messages.AddRange(root.Descendants("Error").Select(one => $"{project} : error {(string)one.Attribute("Code")}: {(string)one.Attribute("Text")}"));
        }
        return messages;
    }

    private static CSharpCompilation Compilation(string project, XElement root)
    {
        var options = new CSharpParseOptions(LanguageVersion.Latest, preprocessorSymbols: new[] { "NET", "NET8_0", "NET8_0_OR_GREATER" });
        var trees = Compiled(project, root).OrderBy(path => path, StringComparer.Ordinal).Select(path => CSharpSyntaxTree.ParseText(File.ReadAllText(path), options, path)).ToList();
        string runtime = Path.GetDirectoryName(typeof(object).Assembly.Location);
        IEnumerable<string> assemblies = Directory.GetFiles(runtime, "*.dll").Where(IsManaged).Concat(Directory.GetFiles(Path.Combine(Home, "packages"), "*.dll"));
        var settings = new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true);
        var compilation = CSharpCompilation.Create(Path.GetFileNameWithoutExtension(project), trees, assemblies.Select(path => MetadataReference.CreateFromFile(path)), settings);
        return compilation.AddSyntaxTrees(Contexts(compilation).Select(text => CSharpSyntaxTree.ParseText(text, options, "generated.g.cs")));
    }

    /// <summary> Stands in for the source generator of System.ClientModel: `Default` of every context, without the builders. </summary>
    private static IEnumerable<string> Contexts(Compilation compilation)
    {
        INamedTypeSymbol context = compilation.GetTypeByMetadataName("System.ClientModel.Primitives.ModelReaderWriterContext");
        IEnumerable<INamedTypeSymbol> types = compilation.GetSymbolsWithName(name => name.EndsWith("Context"), SymbolFilter.Type).OfType<INamedTypeSymbol>();
        foreach (INamedTypeSymbol type in types.Where(one => context != null && SymbolEqualityComparer.Default.Equals(one.BaseType, context)))
        {
            yield return $"namespace {type.ContainingNamespace.ToDisplayString()} {{ public partial class {type.Name} {{ public static {type.Name} Default {{ get; }} = new {type.Name}(); }} }}";
        }
    }

    /// <summary> The sources of a project without those that it, or the nearest `Directory.Build.targets`, removes: at any place, whatever the condition. </summary>
    private static IEnumerable<string> Compiled(string project, XElement root)
    {
        string directory = Path.GetDirectoryName(project);
        IEnumerable<string> above = Enumerable.Range(0, directory.Count(one => one == '/')).Select(up => Path.Combine(directory, string.Concat(Enumerable.Repeat("../", up)), "Directory.Build.targets"));
        string targets = above.FirstOrDefault(File.Exists);
        var files = new List<XElement> { root };
        if (targets != null)
        {
            files.Add(XDocument.Load(targets).Root);
        }
        IEnumerable<string> patterns = files.SelectMany(file => file.Descendants("Compile")).SelectMany(one => ((string)one.Attribute("Remove") ?? "").Split(';')).Where(one => one != "");
        List<Regex> removed = patterns.Select(one => new Regex("^" + Regex.Escape(one.Trim().Replace('\\', '/')).Replace(@"\*\*/", "(.*/)?").Replace(@"\*\*", ".*").Replace(@"\*", "[^/]*") + "$")).ToList();
        IEnumerable<string> sources = Sources(directory).Where(path => !removed.Any(one => one.IsMatch(Path.GetRelativePath(directory, path))));
        // Azure.Core's shared sources are compiled into every library of azure-sdk-for-net, whose build defines this property.
        return Included(root, "Compile").Any(one => one.StartsWith("$(AzureCoreSharedSources)")) ? sources.Concat(Sources(Path.Combine(Home, "shared"))) : sources;
    }

    private static IEnumerable<string> Sources(string directory)
    {
        var left = new[] { "bin", "obj" }.Select(name => Path.Combine(directory, name) + "/").ToList();
        return Directory.GetFiles(directory, "*.cs", SearchOption.AllDirectories).Where(path => !left.Any(path.StartsWith));
    }

    private static IEnumerable<string> Included(XElement root, string item) =>
        root.Descendants(item).Select(one => (string)one.Attribute("Include") ?? "");

    private static string Package(string name) => Path.Combine(Home, "packages", name + ".dll");

    /// <summary> The runtime's directory holds native libraries of the same ending. </summary>
    private static bool IsManaged(string path)
    {
        try
        {
            System.Reflection.AssemblyName.GetAssemblyName(path);
            return true;
        }
        catch (BadImageFormatException)
        {
            return false;
        }
    }

    private static string Line(Diagnostic one)
    {
        string severity = one.Severity == DiagnosticSeverity.Error ? "error" : "warning";
        string text = $"{severity} {one.Id}: {one.GetMessage(CultureInfo.InvariantCulture)}";
        if (!one.Location.IsInSource)
        {
            return $"CSC : {text}";
        }
        FileLinePositionSpan place = one.Location.GetLineSpan();
        return $"{place.Path}({place.StartLinePosition.Line + 1},{place.StartLinePosition.Character + 1}): {text}";
    }
}
