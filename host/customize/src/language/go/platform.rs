//! Which files `go` compiles on another platform than this one, by their names.

/// Operating systems and processors that `go` knows the names of in the names of files (`internal/syslist`).
const SYSTEMS: [&str; 18] = [
    "aix",
    "android",
    "darwin",
    "dragonfly",
    "freebsd",
    "hurd",
    "illumos",
    "ios",
    "js",
    "linux",
    "nacl",
    "netbsd",
    "openbsd",
    "plan9",
    "solaris",
    "wasip1",
    "windows",
    "zos",
];
const PROCESSORS: [&str; 24] = [
    "386",
    "amd64",
    "amd64p32",
    "arm",
    "armbe",
    "arm64",
    "arm64be",
    "loong64",
    "mips",
    "mipsle",
    "mips64",
    "mips64le",
    "mips64p32",
    "mips64p32le",
    "ppc",
    "ppc64",
    "ppc64le",
    "riscv",
    "riscv64",
    "s390",
    "s390x",
    "sparc",
    "sparc64",
    "wasm",
];

/// `dial_windows.go`, `asm_arm64_test.go`: compiled only where the name says. `go` reads names so: what stands before the
/// first dot, without `_test`, may end in `_system`, `_processor` or `_system_processor`. Any other ending says nothing.
pub(crate) fn is_of_another_platform(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    let name = name.split('.').next().unwrap_or(name);
    // What stands before the first underscore is no ending.
    let Some((_, endings)) = name.split_once('_') else { return false };
    let mut endings = endings.rsplit('_').skip_while({
        let mut first = true;
        move |ending| std::mem::take(&mut first) && *ending == "test"
    });
    let (system, processor) = here();
    match endings.next() {
        Some(last) if PROCESSORS.contains(&last) => {
            last != processor || endings.next().is_some_and(|one| SYSTEMS.contains(&one) && one != system)
        }
        Some(last) => SYSTEMS.contains(&last) && last != system,
        None => false,
    }
}

/// This platform, as `go` calls it.
fn here() -> (&'static str, &'static str) {
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        other => other,
    };
    let processor = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    (system, processor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_endings_that_name_another_platform_say_so() {
        let (system, processor) = here();
        for file in [
            "dial_windows.go",
            "sub/asm_s390x.go",
            "dial_plan9_test.go",
            &format!("dial_windows_{processor}.go"),
            &format!("dial_{system}_s390x_test.go"),
            "a_b_windows.pb.go",
        ] {
            assert!(is_of_another_platform(file), "{file}");
        }
        for file in [
            "windows.go",
            "windows_test.go",
            "summary_helpers.go",
            "summary_test.go",
            "dial_unix.go",
            "windows_helpers.go",
            &format!("dial_{system}.go"),
            &format!("dial_{system}_{processor}_test.go"),
            "test.go",
        ] {
            assert!(!is_of_another_platform(file), "{file}");
        }
    }
}
