//! The build, on a copy of the package: `tsc` of the repository's own or of the locked set, or the package's own `build`
//! script where its dependencies are installed.
//!
//! Around the copy the repository's directories are linked, where the configuration that a `tsconfig.json` extends may lie.

use std::ffi::OsString;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Instant;

use bailiwick_sdk::tasks::Diagnostic;

use super::super::layout::Layout;
use super::super::{
    BuildRequest, Built, Checks, Judged, LanguageError, LanguageService, content_of, open_package, package_files,
};
use super::configured::configuration;
use super::layout::SOURCES;
use super::start::Starter;
use crate::recorded::InCommit;
use bailiwick_toolchains::{BuildTools, Children, TypeScript};

/// What tools made, and what is linked instead of copied.
const NOT_COPIED: [&str; 6] = ["node_modules", "dist", "dist-esm", ".git", "TempTypeSpecFiles", "*.tsbuildinfo"];

/// Files for other platforms, which the compilation for Node leaves out.
const PLATFORMS: [&str; 6] = ["-browser.", ".browser.", "-react-native.", ".native.", "-workerd.", ".d."];

pub(super) async fn build(
    request: BuildRequest<'_>,
    tools: &BuildTools,
    children: &Children,
    language: &dyn LanguageService,
) -> Result<Built, LanguageError> {
    let started = Instant::now();
    let package = request.package;
    let nothing = || LanguageError::NothingToBuild { package: package.to_owned() };
    let typescript = tools.typescript.as_ref().filter(|_| package.join("src").is_dir()).ok_or_else(nothing)?;
    let root = request.work.join("build");
    std::fs::create_dir_all(&root).map_err(LanguageError::io(&root, "created"))?;
    let root = root.canonicalize().map_err(LanguageError::io(&root, "read"))?;
    let mut place = Place::make(request, &root, typescript)?;
    let mut way = place.way(typescript).ok_or_else(nothing)?;
    let starter = Starter { package, node: &tools.node, typescript, children, scratch: root.join("typescript") };
    let mut output = starter.start(&place, &way).await?;
    if output.passed() && !way.is_compiler() && request.judged == Judged::AfterEdits {
        // Whatever the script calls and reads may be the emitter's. The compiler begins with nothing that the script left.
        place = Place::make(request, &root, typescript)?;
        if let Some(compiler) = place.compiler(typescript) {
            output.then(starter.start(&place, &compiler).await?);
            if !output.passed() {
                output.diagnostics.push(compiled_again());
            }
            way = compiler;
        } else if request.checks.configured.is_some() {
            output.diagnostics.push(nothing_compiled());
        }
    }
    if output.passed() && way.is_compiler() {
        let customizations = language.customization_files(package)?;
        let mut left_out = not_compiled(&output.compiled, &customizations);
        if left_out.is_none() && request.judged == Judged::AfterEdits {
            left_out = starter.left_out(&place, &output.compiled, request.checks).await?;
        }
        output.diagnostics.extend(left_out);
    }
    Ok(Built::reporting(output.diagnostics, output.log, started))
}

impl Starter<'_> {
    /// A source that the compiler left out and compiles with the configurations of the commit: an emitter may have written those
    /// that stand there. Where the commit has none, every source counts.
    async fn left_out(
        &self,
        place: &Place,
        compiled: &[String],
        checks: &Checks,
    ) -> Result<Option<Diagnostic>, LanguageError> {
        let mut left: Vec<String> = package_files(self.package)?;
        left.retain(|file| file.starts_with(SOURCES) && is_compiled(file) && !compiled.contains(file));
        if let Some(configured) = checks.configured.as_ref().filter(|_| !left.is_empty()) {
            let package = open_package(&place.layout.package)?;
            for (file, text) in &configured.texts {
                let _ = package.write(file, text.as_bytes())?;
            }
            let lists = place.lists(self.typescript, &configured.first);
            let listed = self.start(place, &lists).await?.compiled;
            left.retain(|file| listed.is_empty() || listed.contains(file));
        }
        Ok(left.first().map(|file| leaves_out(file)))
    }
}

/// How a package is built.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// `tsc` with a configuration.
    Compiler { script: PathBuf, configuration: String },
    /// `tsc`, only asked what it compiles with a configuration.
    Lists { script: PathBuf, configuration: String },
    /// `npm run build`.
    Script { npm: PathBuf },
}

impl Way {
    fn is_compiler(&self) -> bool {
        matches!(self, Self::Compiler { .. })
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Compiler { .. } | Self::Lists { .. } => "`tsc`",
            Self::Script { .. } => "`npm run build`",
        }
    }

    /// The arguments; `earlier` is where nothing is.
    pub(super) fn arguments(&self, earlier: &Path) -> Vec<OsString> {
        match self {
            Self::Compiler { script, configuration } => {
                let mut arguments = vec![script.clone().into_os_string(), "-p".into(), configuration.into()];
                arguments.extend(["--noEmit", "--pretty", "false", "--listFiles"].map(OsString::from));
                // Stronger than what a configuration says, which an emitter may write.
                if is_from(script, NO_CHECK) {
                    arguments.extend(["--noCheck", "false"].map(OsString::from));
                }
                // What a file says that an earlier check has found is not taken for true.
                if is_from(script, INCREMENTAL) {
                    arguments.extend(["--incremental", "--tsBuildInfoFile"].map(OsString::from));
                    arguments.push(earlier.as_os_str().to_owned());
                }
                arguments
            }
            Self::Lists { script, configuration } => {
                let mut arguments = vec![script.clone().into_os_string(), "-p".into(), configuration.into()];
                arguments.extend(["--pretty", "false", "--listFilesOnly"].map(OsString::from));
                arguments
            }
            Self::Script { npm } => {
                let mut arguments = vec![npm.clone().into_os_string()];
                arguments.extend(["run", "build"].map(OsString::from));
                arguments
            }
        }
    }
}

/// A copy of the package with its dependencies in place.
pub(super) struct Place {
    pub(super) layout: Layout,
    /// Whether the package's own build script may build it.
    scripted: bool,
}

impl Place {
    fn make(request: BuildRequest<'_>, root: &Path, typescript: &TypeScript) -> Result<Self, LanguageError> {
        let place = Self { layout: Layout::copied(request, root, &NOT_COPIED)?, scripted: is_scripted(&request) };
        let own = request.place.join("node_modules");
        // What is installed above the package is found above the copy, too.
        let modules =
            if own.is_dir() { Some(own) } else { (!place.is_installed()).then(|| typescript.node_modules.clone()) };
        if let Some(modules) = modules {
            let link = place.layout.package.join("node_modules");
            symlink(&modules, &link).map_err(LanguageError::io(&link, "created"))?;
        }
        Ok(place)
    }

    /// A file of what the repository installed for the package, the nearest first.
    fn installed(&self, file: &str) -> Option<PathBuf> {
        let mut directories =
            self.layout.original.ancestors().take_while(|one| one.starts_with(&self.layout.repository));
        directories.find_map(|directory| directory.join("node_modules").join(file).canonicalize().ok())
    }

    fn is_installed(&self) -> bool {
        self.installed("").is_some()
    }

    fn way(&self, typescript: &TypeScript) -> Option<Way> {
        if self.layout.original.join("node_modules").is_dir()
            && self.scripted
            && let Some(npm) = &typescript.npm
        {
            return Some(Way::Script { npm: npm.clone() });
        }
        self.compiler(typescript)
    }

    /// The compiler, where the package has a configuration.
    fn compiler(&self, typescript: &TypeScript) -> Option<Way> {
        let configuration = configuration(&self.layout.original)?;
        Some(Way::Compiler { script: self.script(typescript), configuration })
    }

    /// The compiler that is asked what it compiles with this configuration.
    fn lists(&self, typescript: &TypeScript, configuration: &str) -> Way {
        Way::Lists { script: self.script(typescript), configuration: configuration.to_owned() }
    }

    fn script(&self, typescript: &TypeScript) -> PathBuf {
        self.installed("typescript/bin/tsc").unwrap_or(typescript.node_modules.join("typescript/bin/tsc"))
    }
}

/// Whether the package has a build script that counts. After a run the commit is known to have the same: an emitter writes
/// `package.json`, and what judges a build is never written by what is judged.
fn is_scripted(request: &BuildRequest<'_>) -> bool {
    let manifest = open_package(request.place).and_then(|package| content_of(&package, "package.json"));
    let script = build_script(&manifest.ok().flatten().unwrap_or_default());
    script
        .is_some_and(|script| request.judged == Judged::AsItStands || request.checks.script == InCommit::Known(script))
}

/// The build script of a `package.json`.
pub(super) fn build_script(manifest: &[u8]) -> Option<String> {
    let manifest: serde_json::Value = serde_json::from_slice(manifest).ok()?;
    manifest["scripts"]["build"].as_str().map(str::to_owned)
}

/// The version that has the option `noCheck`. An older one ends with an error where a configuration or the command line names it.
const NO_CHECK: (u32, u32) = (5, 6);
/// The version that takes `incremental` where nothing is written.
const INCREMENTAL: (u32, u32) = (4, 0);

/// Whether `typescript/bin/tsc` is of this version or a later one.
fn is_from(script: &Path, version: (u32, u32)) -> bool {
    let manifest = script.ancestors().nth(2).and_then(|root| std::fs::read(root.join("package.json")).ok());
    let manifest: serde_json::Value = serde_json::from_slice(&manifest.unwrap_or_default()).unwrap_or_default();
    let mut numbers = manifest["version"].as_str().unwrap_or_default().split('.').map(str::parse::<u32>);
    matches!((numbers.next(), numbers.next()), (Some(Ok(major)), Some(Ok(minor))) if (major, minor) >= version)
}

/// A build that leaves code out has not shown that it compiles, whatever its exit code.
fn not_compiled(compiled: &[String], customizations: &[String]) -> Option<Diagnostic> {
    if !compiled.iter().any(|file| file.starts_with(SOURCES)) {
        return Some(nothing_compiled());
    }
    let first = customizations.iter().find(|file| is_compiled(file) && !compiled.contains(file))?;
    Some(leaves_out(first))
}

/// Whether a source file is one that the compilation for Node has to do with.
fn is_compiled(file: &str) -> bool {
    let typed = [".ts", ".mts", ".cts", ".tsx"].iter().any(|ending| file.ends_with(ending));
    typed && !PLATFORMS.iter().any(|platform| file.contains(platform))
}

/// Why errors are told that the script of the package does not find.
fn compiled_again() -> Diagnostic {
    let message = "the build script of the package passed; `tsc` compiled the package as well, without what the script makes, because an \
                   emitter may have written what a script calls and reads";
    Diagnostic::without_place("tsc", "compiled-again", message.to_owned())
}

fn nothing_compiled() -> Diagnostic {
    Diagnostic::without_place("tsc", "not-compiled", "`tsc` compiled nothing of `src`".to_owned())
}

fn leaves_out(file: &str) -> Diagnostic {
    let message = "`tsc` left this file out, so nothing shows that it compiles".to_owned();
    Diagnostic { file: Some(format!("sdk/{file}")), ..Diagnostic::without_place("tsc", "not-compiled", message) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laid_out::write;

    struct Fixture {
        _directory: tempfile::TempDir,
        base: PathBuf,
        package: PathBuf,
        typescript: TypeScript,
    }

    fn fixture() -> Fixture {
        let directory = tempfile::tempdir().unwrap();
        let base = directory.path().canonicalize().unwrap();
        for (file, content) in [
            ("repo/.git/HEAD", ""),
            ("repo/tsconfig.json", "base"),
            ("repo/sdk/w/w/src/a.ts", "a"),
            ("repo/sdk/w/w/dist/a.js", "old"),
            ("repo/sdk/w/w/config/a.tsbuildinfo", "old"),
            ("repo/sdk/w/w/tsconfig.json", "{}"),
            ("repo/sdk/w/w/package.json", r#"{"scripts":{"build":"tsc -p ."}}"#),
            ("set/node_modules/typescript/bin/tsc", ""),
        ] {
            write(&base, file, content);
        }
        let typescript = TypeScript {
            root: base.join("set"),
            node_modules: base.join("set/node_modules"),
            npm: Some("/npm/bin/npm-cli.js".into()),
        };
        let package = base.join("repo/sdk/w/w");
        std::fs::create_dir(base.join("work")).unwrap();
        Fixture { _directory: directory, base, package, typescript }
    }

    impl Fixture {
        fn place(&self) -> Place {
            let (package, work) = (self.package.as_path(), self.base.join("work"));
            let request = BuildRequest::plain(package, &work);
            Place::make(request, &work, &self.typescript).unwrap()
        }
    }

    #[test]
    fn package_is_copied_without_its_output_with_the_locked_modules_and_the_repository_around_it() {
        let fixture = fixture();
        let place = fixture.place();
        let layout = &place.layout;
        assert_eq!(std::fs::read_to_string(layout.package.join("src/a.ts")).unwrap(), "a");
        assert!(!layout.package.join("src").is_symlink() && !layout.package.join("dist").exists());
        assert!(!layout.package.join("config/a.tsbuildinfo").exists());
        assert_eq!(std::fs::read_to_string(layout.package.join("../../../tsconfig.json")).unwrap(), "base");
        assert!(layout.package.join("node_modules/typescript").exists());
        let script = fixture.base.join("set/node_modules/typescript/bin/tsc");
        assert_eq!(
            place.way(&fixture.typescript),
            Some(Way::Compiler { script: script.clone(), configuration: "tsconfig.json".to_owned() })
        );
        // Where `tsconfig.json` only refers to it.
        write(&fixture.package, "tsconfig.src.json", "{}");
        assert_eq!(
            fixture.place().way(&fixture.typescript),
            Some(Way::Compiler { script, configuration: "tsconfig.src.json".to_owned() })
        );
    }

    #[test]
    fn own_script_builds_where_the_dependencies_of_the_package_are_installed() {
        let fixture = fixture();
        write(&fixture.package, "node_modules/typescript/bin/tsc", "");
        let place = fixture.place();
        assert_eq!(place.way(&fixture.typescript), Some(Way::Script { npm: "/npm/bin/npm-cli.js".into() }));
        write(&fixture.package, "package.json", "{}");
        let script = fixture.package.join("node_modules/typescript/bin/tsc");
        assert_eq!(
            fixture.place().way(&fixture.typescript),
            Some(Way::Compiler { script, configuration: "tsconfig.json".to_owned() })
        );
    }

    #[test]
    fn script_that_the_commit_does_not_have_builds_nothing_after_a_run() {
        let fixture = fixture();
        let (package, work) = (fixture.package.as_path(), fixture.base.join("work"));
        let scripted = |recorded: &InCommit, judged: Judged| {
            let checks = Checks { script: recorded.clone(), ..Checks::default() };
            is_scripted(&BuildRequest { checks: &checks, judged, ..BuildRequest::plain(package, &work) })
        };
        for (recorded, judged, counts) in [
            (InCommit::Known("tsc -p .".into()), Judged::AfterEdits, true),
            (InCommit::Known("true".into()), Judged::AfterEdits, false),
            (InCommit::Absent, Judged::AfterEdits, false),
            (InCommit::Known("true".into()), Judged::AsItStands, true),
            (InCommit::Unknown, Judged::AfterEdits, false),
            (InCommit::Unknown, Judged::AsItStands, true),
        ] {
            assert_eq!(scripted(&recorded, judged), counts, "{recorded:?} {judged:?}");
        }
    }

    #[test]
    fn check_that_a_configuration_switches_off_is_made_by_every_compiler_that_can_leave_it_out() {
        let fixture = fixture();
        let script = fixture.package.join("node_modules/typescript/bin/tsc");
        for (version, knows) in
            [("5.5.4", false), ("5.6.0-beta", true), ("5.10.1", true), ("7.0.2", true), ("x", false)]
        {
            write(&fixture.package, "node_modules/typescript/package.json", format!("{{\"version\":\"{version}\"}}"));
            assert_eq!(is_from(&script, NO_CHECK), knows, "{version}");
        }
    }

    #[test]
    fn build_that_leaves_code_out_is_not_a_success() {
        let own = |files: &[&str]| files.iter().map(|file| (*file).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            not_compiled(&own(&["src/a.ts", "src/b.ts"]), &own(&["src/b.ts", "src/c-browser.mts", "src/d.js"])),
            None
        );
        let found = not_compiled(&own(&["src/a.ts"]), &own(&["src/b.ts"])).unwrap();
        assert_eq!(found.file.as_deref(), Some("sdk/src/b.ts"));
        assert!(not_compiled(&own(&["test/a.ts"]), &[]).is_some());
    }
}
