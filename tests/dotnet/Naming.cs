// Stands in for the analyzers of azure-sdk-for-net, which only NuGet has: the names of public types. It judges what Roslyn
// compiled, follows the texts of the real analyzers, and shares no table and no code with bailiwick.

using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class Naming : DiagnosticAnalyzer
{
    private static readonly DiagnosticDescriptor Generic = Rule("AZC0012", "Type name '{0}' is too generic and has high chance of collision with BCL types or types from other libraries. Consider using a more descriptive multi-word name, such as '{1}Client' or '{1}Service'.");
    private static readonly DiagnosticDescriptor Suffix = Rule("AZC0030", "Model name '{0}' ends with '{1}'. We suggest renaming it to '{2}' or another name with this suffix.");
    private static readonly DiagnosticDescriptor Definition = Rule("AZC0031", "Model name '{0}' ends with 'Definition'. Suggest to rename it to an appropriate name.");
    private static readonly DiagnosticDescriptor Data = Rule("AZC0032", "Model name '{0}' ends with 'Data'. Suggest to rename it to an appropriate name.");

    private static readonly string[] Worthless = { "Request", "Requests", "Response", "Responses", "Parameter", "Parameters", "Option", "Collection" };

    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics => ImmutableArray.Create(Generic, Suffix, Definition, Data);

    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.Analyze | GeneratedCodeAnalysisFlags.ReportDiagnostics);
        context.RegisterSymbolAction(one => Judge(one, (INamedTypeSymbol)one.Symbol), SymbolKind.NamedType);
    }

    private static void Judge(SymbolAnalysisContext context, INamedTypeSymbol type)
    {
        if (type.DeclaredAccessibility != Accessibility.Public || type.ContainingType != null || !(type.TypeKind is TypeKind.Class or TypeKind.Struct or TypeKind.Interface))
        {
            return;
        }
        string name = type.Name;
        void Report(DiagnosticDescriptor rule, params object[] words) => context.ReportDiagnostic(Diagnostic.Create(rule, type.Locations[0], type.Locations.Skip(1), words));

        if (name.Count(char.IsUpper) <= (type.TypeKind == TypeKind.Interface ? 2 : 1))
        {
            Report(Generic, name, type.ContainingNamespace.Name + name);
        }
        // A model is what is read and written.
        if (type.TypeKind != TypeKind.Class || !type.AllInterfaces.Any(one => one.Name == "IJsonModel"))
        {
            return;
        }
        string suffix = Worthless.FirstOrDefault(one => name.EndsWith(one));
        if (suffix != null)
        {
            Report(Suffix, name, suffix, name[..^suffix.Length] + (suffix.StartsWith("Response") ? "Result" : "Content"));
        }
        if (name.EndsWith("Definition") && type.ContainingNamespace.GetTypeMembers(name[..^"Definition".Length]).IsEmpty)
        {
            Report(Definition, name);
        }
        if (name.EndsWith("Data"))
        {
            Report(Data, name);
        }
    }

    private static DiagnosticDescriptor Rule(string code, string text) => new(code, "Names of types", text, "Usage", DiagnosticSeverity.Error, isEnabledByDefault: true);
}
