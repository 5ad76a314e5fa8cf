//! Which language a package is written in.

use std::path::Path;

use super::{Dotnet, Go, Java, Javascript, LanguageError, LanguageService, Python, dotnet};

/// The emitter of Rust.
const RUST_EMITTER: &str = "@azure-tools/typespec-rust";

/// The service for what `emitter` generates.
///
/// # Errors
/// [`LanguageError::Unsupported`] and [`LanguageError::Rust`].
pub fn service_for(emitter: &str) -> Result<Box<dyn LanguageService>, LanguageError> {
    if Python.serves(emitter) {
        return Ok(Box::new(Python));
    }
    if Java.serves(emitter) {
        return Ok(Box::new(Java));
    }
    if Javascript::new().serves(emitter) {
        return Ok(Box::new(Javascript::new()));
    }
    if Go.serves(emitter) {
        return Ok(Box::new(Go));
    }
    if Dotnet.serves(emitter) {
        return Ok(Box::new(Dotnet));
    }
    Err(match emitter {
        RUST_EMITTER => LanguageError::Rust,
        _ => LanguageError::Unsupported { emitter: emitter.to_owned() },
    })
}

/// The service for the project files of a package, which lies in `repository`; `None` where there is no such file.
///
/// # Errors
/// When the package cannot be read, and [`LanguageError::Rust`].
pub fn service_for_files(package: &Path, repository: &Path) -> Result<Option<Box<dyn LanguageService>>, LanguageError> {
    let has = |name: &str| package.join(name).is_file();
    let module = package.ancestors().take_while(|directory| directory.starts_with(repository));
    Ok(if has("pom.xml") {
        Some(Box::new(Java))
    } else if dotnet::project_file(package)?.is_some() {
        Some(Box::new(Dotnet))
    } else if has("pyproject.toml") || has("setup.py") {
        Some(Box::new(Python))
    } else if has("package.json") {
        // After the others: packages of any language may carry tools of npm.
        Some(Box::new(Javascript::new()))
    } else if module.into_iter().any(|directory| directory.join("go.mod").is_file()) {
        Some(Box::new(Go))
    } else if has("Cargo.toml") {
        return Err(LanguageError::Rust);
    } else {
        None
    })
}

#[cfg(test)]
mod tests {
    use bailiwick_sdk::tasks::Language;

    use super::*;

    #[test]
    fn language_follows_from_the_project_files() {
        let repository = tempfile::tempdir().unwrap();
        let told = |files: &[&str], package: &str| {
            let root = repository.path().join(files.join("-").replace('/', "_"));
            for file in files {
                crate::laid_out::write(&root, file, "");
            }
            std::fs::create_dir_all(root.join(package)).unwrap();
            service_for_files(&root.join(package), &root).unwrap().map(|service| service.language())
        };
        assert_eq!(told(&["pyproject.toml"], ""), Some(Language::Python));
        assert_eq!(told(&["setup.py", "package.json"], ""), Some(Language::Python));
        assert_eq!(told(&["package.json"], ""), Some(Language::Javascript));
        assert_eq!(told(&["pom.xml"], ""), Some(Language::Java));
        assert_eq!(told(&["src/Azure.Widget.csproj"], ""), Some(Language::Dotnet));
        assert_eq!(told(&["sdk/go.mod"], "sdk/widget"), Some(Language::Go));
        assert_eq!(told(&["README.md"], ""), None);
    }

    #[test]
    fn language_follows_from_the_emitter() {
        for emitter in ["@typespec/http-client-python", "@azure-tools/typespec-python"] {
            assert_eq!(service_for(emitter).unwrap().language(), Language::Python);
        }
        assert_eq!(service_for("@azure-tools/typespec-java").unwrap().language(), Language::Java);
        for emitter in ["@azure-tools/typespec-ts", "@typespec/http-client-js"] {
            assert_eq!(service_for(emitter).unwrap().language(), Language::Javascript);
        }
        assert_eq!(service_for("@azure-tools/typespec-go").unwrap().language(), Language::Go);
        let error = service_for("@azure-tools/typespec-cobol").err().unwrap();
        assert!(error.to_string().contains("typespec-cobol"));
        for emitter in ["@azure-typespec/http-client-csharp", "@azure-tools/typespec-csharp"] {
            assert_eq!(service_for(emitter).unwrap().language(), Language::Dotnet);
        }
        assert!(error.hint().is_some());
    }

    #[test]
    fn rust_is_refused_with_the_reason_by_its_emitter_and_by_its_project_file() {
        let repository = tempfile::tempdir().unwrap();
        std::fs::write(repository.path().join("Cargo.toml"), "").unwrap();
        let by_file = service_for_files(repository.path(), repository.path()).err().unwrap();
        let by_emitter = service_for("@azure-tools/typespec-rust").err().unwrap();
        for error in [by_file, by_emitter] {
            assert!(error.to_string().contains("is not in the npm registry"), "{error}");
            assert!(error.hint().is_some());
        }
    }
}
