//! .NET: packages whose generated code lies in `src/Generated/` and is completed by the other halves of its partial types.
//!
//! - [`build`] builds the project with `dotnet build`, without a network and without writing to the package.
//! - [`compiled`] asks which sources it compiled.
//! - [`source`] reads what a file declares and which generated names its attributes hold.
//! - [`drift`] finds such names that are generated no more: nothing fails then.
//! - [`strictness`] reads what project files and their like say of checks.
//! - [`shown`] finds what people wrote and users see, and the names that attributes give to generated things.

mod build;
mod compiled;
mod drift;
mod shown;
mod source;
mod strictness;
mod surface;
mod switched_off;

pub(super) use build::project_file;

use std::path::Path;

use async_trait::async_trait;
use bailiwick_sdk::diagnostics::msbuild;
use bailiwick_sdk::tasks::{Diagnostic, Language};

use super::{
    BuildRequest, Built, Checks, Definition, DriftRequest, Errors, LanguageError, LanguageService, Origin, Shown,
    Sought, Strictness, ToolEnvironment, open_package,
};
use crate::recorded::Recorded;
use bailiwick_toolchains::{BuildTools, Children};
use source::Source;

/// The .NET service.
#[derive(Debug, Clone, Copy)]
pub struct Dotnet;

/// Where the library lies; tests, samples and the listing of the public surface lie beside it.
const SOURCES: &str = "src/";

#[async_trait]
impl LanguageService for Dotnet {
    fn language(&self) -> Language {
        Language::Dotnet
    }

    fn build_checks(&self) -> &'static str {
        "dotnet build"
    }

    fn serves(&self, emitter: &str) -> bool {
        bailiwick_toolchains::is_dotnet_emitter(emitter)
    }

    fn defines(&self, text: &str, name: &str) -> Option<usize> {
        Source::parse(text)?.declares_type(name)
    }

    fn public(&self, path: &str, text: &str) -> Option<Vec<Definition>> {
        surface::public(path, text)
    }

    fn shown(&self, path: &str, content: &[u8], sought: &Sought) -> Vec<Shown> {
        let text = self.may_customize(path).then(|| String::from_utf8_lossy(content));
        text.map_or_else(Vec::new, |text| shown::shown(&text, sought))
    }

    fn own_names(&self, path: &str, content: &[u8], generated: &Sought) -> Vec<Shown> {
        let text = self.may_customize(path).then(|| String::from_utf8_lossy(content));
        text.map_or_else(Vec::new, |text| shown::own_names(&text, generated))
    }

    fn is_source(&self, path: &str) -> bool {
        Path::new(path).extension().is_some_and(|one| one == "cs")
    }

    fn origin(&self, path: &str, _content: &[u8]) -> Origin {
        if !is_generated(path) {
            Origin::HandWritten
        } else if path.starts_with(SOURCES) {
            Origin::Generated
        } else {
            // Samples and tests are generated once and then belong to people.
            Origin::Kept
        }
    }

    fn may_customize(&self, path: &str) -> bool {
        path.starts_with(SOURCES) && !is_generated(path) && self.is_source(path)
    }

    fn switched_off(&self, _: &str, content: &[u8]) -> Vec<String> {
        switched_off::switched_off(&String::from_utf8_lossy(content))
    }

    fn strictness(&self, package: &Path) -> Result<Option<Strictness>, LanguageError> {
        strictness::strictness(&open_package(package)?)
    }

    fn is_customization(&self, path: &str, content: &[u8]) -> bool {
        if !self.may_customize(path) {
            return false;
        }
        let text = String::from_utf8_lossy(content);
        match Source::parse(&text) {
            Some(source) => source.has_partial_type() || !source.named().is_empty(),
            // Broken or too new for the parser: the words decide, so that it is looked at.
            None => text.contains("partial") || text.contains("CodeGen"),
        }
    }

    fn tool_environment(&self, tools: &BuildTools, scratch: &Path) -> ToolEnvironment {
        tool_environment(tools, scratch)
    }

    fn build_diagnostics(&self, log: &str) -> Vec<Diagnostic> {
        msbuild::parse(log)
    }

    fn drift(&self, request: DriftRequest<'_>) -> Result<Vec<Diagnostic>, LanguageError> {
        drift::check(&request, self)
    }

    fn checks(&self, recorded: &Recorded) -> Checks {
        let project = recorded.directory().and_then(|package| project_file(&package).ok().flatten());
        let text = project.and_then(|project| recorded.text(&project).known());
        Checks { left_out_sources: text.map(|text| compiled::left_out(&text)), ..Checks::default() }
    }

    fn compares(&self) -> Option<Errors> {
        Some(Errors::All)
    }

    fn goes_on_after(&self, error: &Diagnostic) -> bool {
        msbuild::goes_on_after(error)
    }

    async fn build(
        &self,
        request: BuildRequest<'_>,
        tools: &BuildTools,
        children: &Children,
    ) -> Result<Built, LanguageError> {
        build::build(request, tools, children).await
    }
}

/// The generator's own directory, wherever it stands, and the form of name that compilers give to what they generate.
fn is_generated(path: &str) -> bool {
    path.split('/').rev().skip(1).any(|part| part == "Generated") || path.ends_with(".g.cs")
}

/// The newer emitters run `dotnet`, and so does a build.
fn tool_environment(tools: &BuildTools, scratch: &Path) -> ToolEnvironment {
    let Some(dotnet) = &tools.dotnet else { return ToolEnvironment::default() };
    ToolEnvironment { path: vec![dotnet.root.clone()], environment: dotnet.environment(scratch), read: dotnet.read() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origin_is_told_by_the_directory() {
        for (path, origin) in [
            ("src/Generated/Models/Widget.cs", Origin::Generated),
            ("src/Generated/WidgetClient.cs", Origin::Generated),
            ("src/Customization/Widget.cs", Origin::HandWritten),
            ("src/GeneratedHelpers.cs", Origin::HandWritten),
            ("tests/Generated/Samples/Samples_Widget.cs", Origin::Kept),
            ("tests/WidgetTests.cs", Origin::HandWritten),
        ] {
            assert_eq!(Dotnet.origin(path, b"partial class W { }"), origin, "{path}");
        }
    }

    #[test]
    fn customizations_are_the_other_halves_of_types_and_what_names_generated_code() {
        let half = b"namespace A { public readonly partial struct Status { } }".as_slice();
        assert!(Dotnet.is_customization("src/Customization/Status.cs", half));
        assert!(Dotnet.is_customization("src/Models/Status.cs", half));
        assert!(Dotnet.is_customization("src/Suppressions.cs", b"[assembly: CodeGenSuppressType(\"X\")]"));
        assert!(Dotnet.is_customization("src/Broken.cs", b"partial class {"), "what cannot be parsed is looked at");
        for (path, content) in [
            ("src/Generated/Status.cs", half),
            ("tests/Status.cs", half),
            ("src/Helper.cs", b"// partial class W\nclass Helper { }".as_slice()),
            ("src/Azure.Widget.csproj", half),
        ] {
            assert!(!Dotnet.is_customization(path, content), "{path}");
        }
    }
}
