//! Which sources MSBuild compiles: by what it says itself, in every target framework of the project. A project file, or a
//! `Directory.Build.targets` beside it, can take any of them out of the build, and an emitter writes such files.

// A project file, and with it the answer, may be an emitter's.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::collections::BTreeSet;

use bailiwick_sdk::tasks::Diagnostic;
use globset::GlobBuilder;
use serde_json::Value;

use super::super::ran::Ran;
use super::super::{BuildRequest, Checks, Judged, LanguageError, LanguageService, content_of, open_package};
use super::Dotnet;
use super::build::{Analyzed, Place, WITHOUT_ANALYZERS};

/// What `-target` names: all that is done before the compiler is called, and the compiler.
const COMPILATION: &str = "-target:Compile";

/// Asks for the sources. Without a target they are those of the project's own text.
const ITEMS: &str = "-getItem:Compile";

/// What is asked about a framework. A source has to be in each answer. MSBuild gives no answer where an analyzer has an error, so
/// then it is asked without analyzers. It is also asked what the text of the project says without that property: a source that
/// is compiled only where no analyzer runs was not compiled in the build itself.
fn questions(analyzed: Analyzed) -> &'static [&'static [&'static str]] {
    match analyzed {
        Analyzed::Whole => &[&[COMPILATION, ITEMS]],
        Analyzed::Apart => &[&[COMPILATION, ITEMS, WITHOUT_ANALYZERS], &[ITEMS]],
    }
}

/// A build that leaves code out has not shown that it compiles, whatever its exit code. Sources that the project file leaves
/// out are left out as a person meant it; after a run, by what the commit has.
pub(super) async fn not_compiled(
    request: &BuildRequest<'_>,
    place: &Place<'_>,
    analyzed: Analyzed,
) -> Result<Option<Diagnostic>, LanguageError> {
    let mut due: BTreeSet<String> = Dotnet.customization_files(request.package)?.into_iter().collect();
    let generated = Dotnet.generated_files(request.package)?;
    due.extend(generated.into_iter().filter(|file| file.starts_with(super::SOURCES)));
    let meant = meant(request, place.project)?;
    due.retain(|file| !meant.iter().any(|pattern| fits(pattern, file)));
    if due.is_empty() {
        return Ok(None);
    }
    let framework = ["-getProperty:TargetFramework", "-getProperty:TargetFrameworks"];
    let Some(frameworks) = place.asked(&framework).await?.and_then(|answer| frameworks(&answer)) else {
        return Ok(Some(unanswered()));
    };
    for framework in frameworks {
        let property = format!("-property:TargetFramework={framework}");
        let property = (!framework.is_empty()).then_some(property.as_str());
        let mut left = BTreeSet::new();
        for question in questions(analyzed) {
            let question: Vec<&str> = question.iter().copied().chain(property).collect();
            let Some(compiled) = place.asked(&question).await?.and_then(|answer| items(&answer)) else {
                return Ok(Some(unanswered()));
            };
            left.extend(due.iter().filter(|file| !compiled.contains(*file)).cloned());
        }
        due = left;
        if due.is_empty() {
            break;
        }
    }
    Ok(due.into_iter().next().map(|file| Diagnostic {
        file: Some(format!("sdk/{file}")),
        ..error("`dotnet build` left this file out, so nothing shows that it compiles".to_owned())
    }))
}

impl Place<'_> {
    /// What `dotnet msbuild` answers, with paths as people know them; `None` where it gives no answer.
    async fn asked(&self, question: &[&str]) -> Result<Option<Value>, LanguageError> {
        let arguments = [&["msbuild", self.project, "-nologo", "-nodeReuse:false"], question].concat();
        let Ran::Ended(finished) = self.run(&arguments, "`dotnet msbuild`").await? else { return Ok(None) };
        let text = self.layout.readable(&finished.stdout.text);
        Ok(if finished.exit.is_success() { answer(&text) } else { None })
    }
}

/// The answer in what was printed: warnings may stand before it.
fn answer(text: &str) -> Option<Value> {
    let begin = text.lines().scan(0_usize, |at, line| {
        let here = *at;
        *at = here.saturating_add(line.len()).saturating_add(1);
        Some((here, line))
    });
    let (begin, _) = begin.into_iter().find(|(_, line)| line.starts_with('{'))?;
    let mut values = serde_json::Deserializer::from_str(text.get(begin..)?).into_iter();
    values.next()?.ok()
}

/// The frameworks for which a project is compiled; one without a name where it has none to choose from.
fn frameworks(answer: &Value) -> Option<Vec<String>> {
    let properties = answer.get("Properties")?;
    let all = properties.get("TargetFrameworks")?.as_str()?;
    let all: Vec<String> = all.split(';').map(str::trim).filter(|one| !one.is_empty()).map(str::to_owned).collect();
    Some(if all.is_empty() { vec![String::new()] } else { all })
}

/// The package's own files among the items, relative to it.
fn items(answer: &Value) -> Option<BTreeSet<String>> {
    let items = answer.get("Items")?.get("Compile")?.as_array()?;
    let paths = items.iter().filter_map(|item| item.get("FullPath")?.as_str()?.strip_prefix("sdk/"));
    Some(paths.map(str::to_owned).collect())
}

/// The patterns of sources that the project file leaves out, relative to its directory. After edits the file of the commit
/// says it, and nothing where that is not known: the file at hand may be a generator's.
fn meant(request: &BuildRequest<'_>, project: &str) -> Result<Vec<String>, LanguageError> {
    let Checks { left_out_sources: recorded, .. } = request.checks;
    if request.judged == Judged::AfterEdits {
        return Ok(recorded.clone().unwrap_or_default());
    }
    let content = content_of(&open_package(request.package)?, project)?.unwrap_or_default();
    Ok(left_out(&String::from_utf8_lossy(&content)))
}

/// `<Compile Remove="…" />` in the text of a project file.
pub(super) fn left_out(project: &str) -> Vec<String> {
    let elements = project.split("<Compile").skip(1).filter_map(|rest| rest.split('>').next());
    let values = elements.filter_map(|element| {
        let (_, rest) = element.split_once("Remove")?;
        let rest = rest.trim_start().strip_prefix('=')?.trim_start();
        rest.split(['"', '\'']).nth(1)
    });
    values.flat_map(|value| value.split(';')).map(|one| one.trim().replace('\\', "/")).collect()
}

/// Whether a file of the package, below `src/`, fits a pattern of MSBuild, in which `*` and `?` stay within a name and `**`
/// stands for any directories. Brackets and braces are letters there.
fn fits(pattern: &str, file: &str) -> bool {
    let Some(file) = file.strip_prefix(super::SOURCES) else { return false };
    let literal = |sign: char| if "[]{}".contains(sign) { format!("[{sign}]") } else { sign.to_string() };
    let pattern: String = pattern.trim_start_matches("./").chars().map(literal).collect();
    let glob = GlobBuilder::new(&pattern).literal_separator(true).backslash_escape(false).build();
    glob.is_ok_and(|glob| glob.compile_matcher().is_match(file))
}

fn unanswered() -> Diagnostic {
    error("MSBuild does not say which sources it compiles, so nothing shows that it compiles all of them".to_owned())
}

fn error(message: String) -> Diagnostic {
    Diagnostic::without_place("dotnet", "not-compiled", message)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn answer_is_read_behind_warnings_and_names_files_of_the_package() {
        let printed = "sdk/src/W.csproj : warning X1: {odd}\n{\n  \"Items\": { \"Compile\": [\n { \"FullPath\": \"sdk/src/Generated/A.cs\" },\n \
                       { \"FullPath\": \"/shared/B.cs\" }, { \"Identity\": \"C.cs\" } ] } }\nBuild succeeded.\n";
        let found = answer(printed).unwrap();
        assert_eq!(items(&found).unwrap().into_iter().collect::<Vec<_>>(), ["src/Generated/A.cs"]);
        for text in ["", "net8.0\n", "{ \"Items\": ", "{ \"Items\": {} }", "[]"] {
            assert_eq!(answer(text).and_then(|one| items(&one)), None, "{text}");
        }
        let of = |all: &str| frameworks(&json!({ "Properties": { "TargetFramework": "", "TargetFrameworks": all } }));
        assert_eq!(of("").unwrap(), [""]);
        assert_eq!(of("netstandard2.0; net8.0;").unwrap(), ["netstandard2.0", "net8.0"]);
        assert_eq!(frameworks(&json!({})), None);
    }

    #[test]
    fn project_files() {
        const WORDS: &[&str] =
            &["<Compile ", "Remove=\"", "**/", "*", "\\", ";", "{", "\"Items\": ", "\"Compile\": [", "sdk/src/"];
        bailiwick_fuzz::Target { name: "project_files", words: WORDS }.run_text(|text| {
            for pattern in left_out(text) {
                assert!(!pattern.contains(';'), "{pattern}");
                let _ = fits(&pattern, "src/Generated/Models/A.cs");
                let _ = fits(&pattern, &format!("src/{pattern}"));
            }
            if let Some(found) = answer(text) {
                let _ = frameworks(&found);
                let files = items(&found).unwrap_or_default();
                assert!(files.iter().all(|file| !file.starts_with("sdk/") || text.contains("sdk/sdk/")), "{files:?}");
            }
        });
    }

    #[test]
    fn patterns_of_a_project_file_are_those_of_msbuild() {
        let project = "<Project><ItemGroup><Compile Include=\"a.cs\" /><Compile Remove = 'Old\\**\\*.cs;Draft.cs' />\n\
                       <Compile\n Update=\"x\" /><EmbeddedResource Remove=\"y\" /></ItemGroup></Project>";
        let patterns = left_out(project);
        assert_eq!(patterns, ["Old/**/*.cs", "Draft.cs"]);
        for (file, out) in [
            ("src/Old/A.cs", true),
            ("src/Old/a/b/A.cs", true),
            ("src/Draft.cs", true),
            ("src/Older/A.cs", false),
            ("src/a/Draft.cs", false),
            ("src/Old/A.txt", false),
            ("Draft.cs", false),
        ] {
            assert_eq!(patterns.iter().any(|pattern| fits(pattern, file)), out, "{file}");
        }
        assert!(
            fits("**", "src/a/b.cs") && fits("**/*.g.cs", "src/x.g.cs") && fits("Gen*/*A*.cs", "src/Generated/xAy.cs")
        );
        assert!(!fits("Gen*/B*B.cs", "src/Generated/B.cs") && !fits("*.cs", "src/Generated/B.cs"));
        assert!(fits("a[1]{b}!.cs", "src/a[1]{b}!.cs") && !fits("a[1].cs", "src/a1.cs"), "letters");
    }
}
