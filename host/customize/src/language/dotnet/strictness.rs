//! What the files that MSBuild reads say beside a package's description: which warnings count, which analyzers run, which targets
//! are made. With a target of its own, or the property `SkipCompilerExecution`, a project compiles nothing and its build passes.

// An emitter may have written the files.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::path::Path;

use bailiwick_base::files::Tree;
use sha2::{Digest, Sha256};

use super::super::strictness::{Said, Strictness};
use super::super::{LanguageError, files_of, listed_content};
use super::SOURCES;

/// Elements that hide no error: groups, what describes or packs a library, and what it is compiled for and from. Which sources
/// are compiled, MSBuild is asked about. In lower case, as MSBuild compares names of properties.
const PLAIN: [&str; 50] = [
    "allowunsafeblocks",
    "apicompatversion",
    "assemblyname",
    "assemblytitle",
    "authors",
    "company",
    "compile",
    "content",
    "copyright",
    "description",
    "embeddedresource",
    "generatepackageonbuild",
    "implicitusings",
    "includeautorestdependency",
    "includegeneratorsharedcode",
    "includemanagementsharedcode",
    "includeoperationssharedsource",
    "includeassets",
    "internalsvisibleto",
    "ispackable",
    "itemgroup",
    "langversion",
    "link",
    "neutrallanguage",
    "none",
    "packageicon",
    "packageid",
    "packagelicenseexpression",
    "packageprojecturl",
    "packagereadmefile",
    "packagereference",
    "packagereleasenotes",
    "packagetags",
    "packageversion",
    "privateassets",
    "product",
    "project",
    "propertygroup",
    "publishrepositoryurl",
    "releasenotes",
    "repositorytype",
    "repositoryurl",
    "rootnamespace",
    "summary",
    "targetframework",
    "targetframeworks",
    "title",
    "version",
    "versionprefix",
    "versionsuffix",
];
/// Properties with which more is an error, where they are `true`.
const FINDING: [&str; 6] = [
    "codeanalysistreatwarningsaserrors",
    "enablenetanalyzers",
    "enforcecodestyleinbuild",
    "generatedocumentationfile",
    "msbuildtreatwarningsaserrors",
    "treatwarningsaserrors",
];
/// What is shown of an element at most.
const SHOWN: usize = 80;

/// What the files that concern the library say: those at the root of the package and below `src/`. `None` without a project file.
pub(super) fn strictness(package: &Tree) -> Result<Option<Strictness>, LanguageError> {
    let mut found = Strictness::default();
    for file in files_of(package)? {
        if file.contains('/') && !file.starts_with(SOURCES) {
            continue;
        }
        let Some(kind) = kind(&file) else { continue };
        let content = listed_content(package, &file)?;
        match std::str::from_utf8(&content) {
            Ok(text) if kind == Kind::Project => of_project(text, &file, &mut found),
            Ok(text) if kind == Kind::Severities => of_severities(text, &file, &mut found),
            _ => drop(found.unread.insert(of_digest(&file, &content))),
        }
        found.files.insert(file, content);
    }
    let is_project = found.files.keys().any(|file| file.ends_with(".csproj"));
    Ok(is_project.then_some(found))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// XML of MSBuild.
    Project,
    /// Lines that say how much a finding counts.
    Severities,
    /// Read without being named, and never written by an emitter.
    Other,
}

fn kind(path: &str) -> Option<Kind> {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    match name.as_str() {
        ".editorconfig" | ".globalconfig" => return Some(Kind::Severities),
        "global.json" | "nuget.config" => return Some(Kind::Other),
        _ => {}
    }
    match Path::new(&name).extension()?.to_str()? {
        "csproj" | "projitems" | "props" | "targets" => Some(Kind::Project),
        "rsp" | "ruleset" | "user" => Some(Kind::Other),
        _ => None,
    }
}

fn of_digest(what: &str, content: &[u8]) -> String {
    let digest = Sha256::digest(content);
    digest.iter().take(8).fold(format!("{what} of digest "), |text, byte| text + &format!("{byte:02x}"))
}

/// Notes each element that is not plain, with the condition of its group.
fn of_project(text: &str, file: &str, found: &mut Strictness) {
    let Some(elements) = elements(text) else {
        found.unread.insert(of_digest(file, text.as_bytes()));
        return;
    };
    let mut group = String::new();
    for Element { tag, value } in elements {
        let name = tag.split([' ', '/']).next().unwrap_or_default().to_ascii_lowercase();
        if matches!(name.as_str(), "propertygroup" | "itemgroup") {
            group.clone_from(&tag);
        }
        if is_plain(&name, &tag, value) {
            continue;
        }
        let is_conditional = tag.contains(' ') || group.contains(' ');
        if !is_conditional && finds_more(&name, value) {
            found.said.insert(format!("{file}: {name}"), Said::On);
            continue;
        }
        let condition = if group.contains(' ') { format!("<{group}>") } else { String::new() };
        let whole = format!("{condition}<{tag}>{value}");
        let shown = if whole.chars().count() > SHOWN { of_digest(&shortened(&whole), whole.as_bytes()) } else { whole };
        let shown = format!("{file}: {shown}");
        match name.as_str() {
            // It may say anything, so that one less may say less, too.
            "import" => drop(found.unread.insert(shown)),
            _ => drop(found.said.insert(shown, Said::Off)),
        }
    }
}

fn finds_more(name: &str, value: &str) -> bool {
    FINDING.contains(&name) && value.eq_ignore_ascii_case("true")
        || name == "nullable" && value.eq_ignore_ascii_case("enable")
}

fn shortened(text: &str) -> String {
    text.chars().take(SHOWN).chain(['…']).collect()
}

fn is_plain(name: &str, tag: &str, value: &str) -> bool {
    let is_known = PLAIN.contains(&name);
    // Functions are called in values.
    let calls = [tag, value].iter().any(|text| text.contains("$(["));
    let attributes = tag.get(name.len()..).unwrap_or_default().trim_end_matches('/').trim();
    match name {
        "project" => matches!(attributes, "" | "Sdk=\"Microsoft.NET.Sdk\""),
        _ => is_known && !calls && !["Remove", "Update", "ExcludeAssets"].iter().any(|word| attributes.contains(word)),
    }
}

struct Element<'a> {
    /// What stands between the brackets, with each run of white space as one space.
    tag: String,
    /// The text that follows, up to the next bracket.
    value: &'a str,
}

/// The elements of XML as MSBuild has it; `None` for what no project file needs: a document type, a section of characters, a
/// character by its number, and text that is not the whole content of its element.
fn elements(text: &str) -> Option<Vec<Element<'_>>> {
    let mut rest = text.trim_start_matches('\u{feff}');
    let mut found = Vec::new();
    while let Some((before, after)) = rest.split_once('<') {
        if !before.trim().is_empty() {
            return None;
        }
        if let Some(comment) = after.strip_prefix("!--") {
            rest = comment.split_once("-->")?.1;
        } else if let Some(instruction) = after.strip_prefix('?') {
            rest = instruction.split_once("?>")?.1;
        } else if after.starts_with('!') {
            return None;
        } else {
            let end = end_of_tag(after)?;
            let (tag, behind) = (after.get(..end)?, after.get(end.checked_add(1)?..)?);
            rest = behind;
            if tag.starts_with('/') {
                continue;
            }
            let value = behind.split('<').next().unwrap_or_default();
            if !value.trim().is_empty() {
                rest = behind.strip_prefix(value).filter(|rest| rest.starts_with("</"))?;
            }
            if tag.contains("&#") || value.contains("&#") {
                return None;
            }
            found.push(Element { tag: tag.split_whitespace().collect::<Vec<_>>().join(" "), value: value.trim() });
        }
    }
    rest.trim().is_empty().then_some(found)
}

/// Where a tag ends: `>` may stand in the value of an attribute.
fn end_of_tag(text: &str) -> Option<usize> {
    let mut quote = None;
    text.char_indices().find_map(|(at, sign)| {
        match (sign, quote) {
            ('>', None) => return Some(at),
            ('"' | '\'', None) => quote = Some(sign),
            (sign, Some(open)) if sign == open => quote = None,
            _ => {}
        }
        None
    })
}

/// Lines such as `dotnet_diagnostic.AZC0030.severity = none`, and `generated_code = true`, for which analyzers are not run.
fn of_severities(text: &str, file: &str, found: &mut Strictness) {
    let mut section = "";
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with(['#', ';'])) {
        if line.starts_with('[') {
            section = line;
            continue;
        }
        let Some((name, value)) = line.split_once(['=', ':']) else { continue };
        let (name, value) = (name.trim().to_ascii_lowercase(), value.trim().to_ascii_lowercase());
        let counts = name.ends_with("severity") || name == "generated_code" || value.contains(':');
        if !counts {
            continue;
        }
        let is_error = name.ends_with("severity") && value == "error";
        found.said.insert(format!("{file}: {section} {name} = {value}"), if is_error { Said::On } else { Said::Off });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROJECT: &str = "<Project Sdk=\"Microsoft.NET.Sdk\">\n  <PropertyGroup>\n    <TargetFramework>net8.0</TargetFramework>\n    \
                           <TreatWarningsAsErrors>true</TreatWarningsAsErrors>\n    <NoWarn>CS1591</NoWarn>\n  </PropertyGroup>\n</Project>\n";

    fn of(files: &[(&str, &str)]) -> Option<Strictness> {
        let directory = crate::laid_out::directory(files);
        strictness(&Tree::open(&directory.path().canonicalize().unwrap()).unwrap()).unwrap()
    }

    fn loosened(files: &[(&str, &str)]) -> Vec<String> {
        let before = of(&[("src/W.csproj", PROJECT)]).unwrap();
        let now = of(files).unwrap_or_default();
        before.loosened(&now).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn project_that_checks_less_or_compiles_nothing_is_told() {
        let with = |text: &str| PROJECT.replace("</Project>", &format!("{text}</Project>"));
        for (text, told) in [
            ("<PropertyGroup><NoWarn>$(NoWarn);AZC0030</NoWarn></PropertyGroup>", "<NoWarn>$(NoWarn);AZC0030"),
            (
                "<PropertyGroup>\n<skipCompilerExecution >true</skipCompilerExecution></PropertyGroup>",
                "<skipCompilerExecution>true",
            ),
            ("<PropertyGroup><DefineConstants>NET9</DefineConstants></PropertyGroup>", "<DefineConstants>NET9"),
            ("<Target\n  Name=\"CoreCompile\" />", "<Target Name=\"CoreCompile\" />"),
            ("<ItemGroup><Compile Remove=\"a>b.cs\" /></ItemGroup>", "<Compile Remove=\"a>b.cs\" />"),
            (
                "<PropertyGroup Condition=\"'$(A)' == ''\"><TreatWarningsAsErrors>false</TreatWarningsAsErrors></PropertyGroup>",
                "<PropertyGroup Condition=\"'$(A)' == ''\"><TreatWarningsAsErrors>false",
            ),
            (
                "<PropertyGroup><Version>$([System.IO.File]::ReadAllText('a'))</Version></PropertyGroup>",
                "<Version>$([System.IO.File]::ReadAllText('a'))",
            ),
            ("<Import Project=\"loose.props\" />", "<Import Project=\"loose.props\" />"),
            ("<Sdk Name=\"Other\" />", "<Sdk Name=\"Other\" />"),
        ] {
            let found = loosened(&[("src/W.csproj", &with(text))]);
            assert_eq!(found, [format!("src/W.csproj: {told}")], "{text}");
            let beside = format!("<Project>{text}</Project>");
            let found = loosened(&[("src/W.csproj", PROJECT), ("Directory.Build.targets", &beside)]);
            assert_eq!(found, [format!("Directory.Build.targets: {told}")], "{text}");
        }
        let other = PROJECT.replace("Sdk=\"Microsoft.NET.Sdk\"", "InitialTargets=\"A\" Sdk=\"Microsoft.NET.Sdk\"");
        assert_eq!(loosened(&[("src/W.csproj", &other)]).len(), 1);
        let hidden = PROJECT.replace("<Treat", "<!-- <Treat").replace("Errors>\n", "Errors> -->\n");
        assert_eq!(loosened(&[("src/W.csproj", &hidden)]), ["src/W.csproj: treatwarningsaserrors"]);
        let moved = (
            "src/W.props",
            "<Project><PropertyGroup><TreatWarningsAsErrors>true</TreatWarningsAsErrors></PropertyGroup></Project>",
        );
        assert_eq!(loosened(&[("src/W.csproj", &hidden), moved]), ["src/W.csproj: treatwarningsaserrors"]);
        for split in ["CS1591<!-- -->;AZC0030", "CS1591&#59;AZC0030", "CS1591<?a?>;AZC0030"] {
            assert_eq!(loosened(&[("src/W.csproj", &PROJECT.replace("CS1591", split))]).len(), 2, "{split}");
        }
        let section = PROJECT.replace("CS1591", "<![CDATA[AZC0030]]>");
        assert_eq!(loosened(&[("src/W.csproj", &section)]).len(), 2);
    }

    #[test]
    fn severities_and_files_that_are_read_without_being_named_are_told() {
        for (file, content) in [
            (".editorconfig", "[*.cs]\ndotnet_diagnostic.AZC0030.severity = none\n"),
            ("src/Generated/.editorconfig", "generated_code = true\n"),
            ("src/.globalconfig", "dotnet_analyzer_diagnostic.severity: silent\n"),
            ("Directory.Build.rsp", "-property:SkipCompilerExecution=true\n"),
            ("src/W.csproj.user", "<Project />\n"),
            ("NuGet.Config", "<configuration />\n"),
        ] {
            assert_eq!(loosened(&[("src/W.csproj", PROJECT), (file, content)]).len(), 1, "{file}");
        }
        let severity = |section: &str| format!("[{section}]\ndotnet_diagnostic.AZC0030.severity = error\n");
        let of = |section: &str| of(&[("src/W.csproj", PROJECT), ("src/.editorconfig", &severity(section))]).unwrap();
        assert_eq!(of("*.cs").loosened(&of("*.md")).len(), 1);
    }

    #[test]
    fn project_that_an_emitter_writes_anew_and_what_it_drops_of_hiding_is_not_told() {
        let anew = "\u{feff}<?xml version=\"1.0\"?>\r\n<Project Sdk=\"Microsoft.NET.Sdk\">\r\n  <PropertyGroup>\r\n    \
                    <Description>a &lt; b</Description>\r\n    <Version>1.0.0-beta.2</Version>\r\n    <LangVersion>latest</LangVersion>\r\n    \
                    <TargetFrameworks>$(RequiredTargetFrameworks)</TargetFrameworks>\r\n    <IncludeOperationsSharedSource>true</IncludeOperationsSharedSource>\r\n    \
                    <TreatWarningsAsErrors>true</TreatWarningsAsErrors>\r\n  </PropertyGroup>\r\n  <ItemGroup>\r\n    \
                    <Compile Include=\"$(AzureCoreSharedSources)AsyncLockWithValue.cs\" LinkBase=\"Shared/Core\" />\r\n    \
                    <PackageReference Include=\"Azure.Core\" />\r\n  </ItemGroup>\r\n</Project>\r\n";
        let of_tests = "<Project><PropertyGroup><NoWarn>$(NoWarn);CS1591</NoWarn></PropertyGroup></Project>";
        let style = "root = true\n[*.cs]\nindent_size = 4\ndotnet_diagnostic.CA1000.severity = error\n";
        let files = [("src/W.csproj", anew), ("tests/W.Tests.csproj", of_tests), ("src/.editorconfig", style)];
        assert_eq!(loosened(&files), [] as [&str; 0]);
        assert!(of(&[("src/A.cs", ""), ("Directory.Build.props", PROJECT)]).is_none(), "nothing to compare with");
    }

    #[test]
    fn build_files() {
        const WORDS: &[&str] = &[
            "<Project>",
            "<PropertyGroup ",
            "Condition=\"",
            "<NoWarn>",
            "<!--",
            "-->",
            "<![CDATA[",
            "<?",
            "$([",
            "'>",
        ];
        bailiwick_fuzz::Target { name: "build_files", words: WORDS }.run_text(|text| {
            let mut found = Strictness::default();
            of_project(text, "src/W.csproj", &mut found);
            of_severities(text, "src/.editorconfig", &mut found);
            assert_eq!(found.loosened(&found.clone()), [] as [&str; 0]);
        });
    }
}
