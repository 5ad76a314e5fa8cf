//! Why a package manager failed, in its own words: the cause, and not what it printed last.

// Registries and packages write the lines.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use bailiwick_sdk::diagnostics::maven::{complaint, without_colours};

/// Words for what another attempt cannot change.
const LASTING: &[&str] = &[
    "npm error code E404",
    "npm error code EUSAGE",
    "npm error code ERESOLVE",
    "npm error code ETARGET",
    "npm error code EJSONPARSE",
    "npm error code EINTEGRITY",
    "THESE PACKAGES DO NOT MATCH THE HASHES",
    "ERROR: ResolutionImpossible",
];

const NO_DISTRIBUTION: &str = "ERROR: No matching distribution found for ";

/// pip finds no package either where it reached no index.
const NOT_REACHED: &str = "WARNING: Retrying (";

/// Whether another attempt would end in the same way.
pub(super) fn is_lasting(stderr: &str) -> bool {
    let absent = stderr.contains(NO_DISTRIBUTION) && !stderr.contains(NOT_REACHED);
    absent || LASTING.iter().any(|words| stderr.contains(words))
}

/// The cause, as far as the program is known, or else the last lines that say something, joined.
pub(super) fn last_words(stdout: &str, stderr: &str) -> String {
    let stderr: String = stderr.lines().map(|line| without_colours(line) + "\n").collect();
    if let Some(cause) = npm(&stderr).or_else(|| pip(&stderr)).or_else(|| complaint(stdout)) {
        return cause;
    }
    let said = |text: &str| {
        let lines: Vec<_> = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with("npm warn"))
            .filter(|line| !line.starts_with("Picked up JAVA_TOOL_OPTIONS"))
            .collect();
        lines.get(lines.len().saturating_sub(4)..).unwrap_or_default().join("; ")
    };
    let words = said(&stderr);
    if words.is_empty() { said(stdout) } else { words }
}

/// npm's cause stands in its first lines, before advice, a stack and the place of a log.
fn npm(stderr: &str) -> Option<String> {
    let lines: Vec<&str> = stderr
        .lines()
        .filter_map(|line| line.strip_prefix("npm error"))
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with("at ") && !line.contains("A complete log of this run"))
        .collect();
    let code = lines.first()?.strip_prefix("code ").unwrap_or_default();
    let after = |start: &str| lines.iter().find_map(|line| line.strip_prefix(start)).map(str::trim);
    // What is in the way, and what does not fit with it.
    let conflict = || {
        let found = after("Found: ")?;
        let wanted = lines.iter().skip_while(|line| !line.starts_with("Could not resolve dependency")).nth(1)?;
        Some(format!("{found} does not fit with {wanted} (npm {code})"))
    };
    let cause = match code {
        "ERESOLVE" => conflict(),
        "E404" => after("404  The requested resource ").map(|rest| format!("{rest} (npm {code})")),
        "ETARGET" => after("notarget ").map(|rest| format!("{rest} (npm {code})")),
        _ => None,
    };
    Some(cause.unwrap_or_else(|| lines.iter().take(3).copied().collect::<Vec<_>>().join("; ")))
}

fn pip(stderr: &str) -> Option<String> {
    if let Some((_, rest)) = stderr.split_once("The conflict is caused by:\n") {
        let lines: Vec<&str> = rest.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
        return Some(lines.join("; "));
    }
    let package = stderr.lines().find_map(|line| line.strip_prefix(NO_DISTRIBUTION))?;
    let reached = if stderr.contains(NOT_REACHED) { "; the package index was not reached" } else { "" };
    Some(format!("No matching distribution found for {package}{reached}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn npm_says_what_is_in_conflict_or_missing_and_not_where_its_log_is() {
        let log = "npm error A complete log of this run can be found in: x\n";
        for (stderr, expected, lasting) in [
            (
                "npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree\nnpm error\n\
                 npm error While resolving: x@1.0.0\nnpm error Found: react@18.2.0\nnpm error node_modules/react\n\
                 npm error   react@\"18.2.0\" from the root project\nnpm error\nnpm error Could not resolve dependency:\n\
                 npm error peer react@\"17.0.2\" from react-dom@17.0.2\nnpm error node_modules/react-dom\nnpm error\n\
                 npm error Fix the upstream dependency conflict\nnpm error\nnpm error\nnpm error For a full report see:\n\
                 npm error /h/.npm/_logs/report.txt\n",
                "react@18.2.0 does not fit with peer react@\"17.0.2\" from react-dom@17.0.2 (npm ERESOLVE)",
                true,
            ),
            (
                "npm warn old\nnpm error code E404\nnpm error 404 Not Found - GET https://r.example/@a%2fb\nnpm error 404\n\
                 npm error 404  The requested resource '@a/b@1.0.0' could not be found or you do not have permission to access it.\n",
                "'@a/b@1.0.0' could not be found or you do not have permission to access it. (npm E404)",
                true,
            ),
            (
                "npm error code ETARGET\nnpm error notarget No matching version found for left-pad@99.0.0.\n\
                 npm error notarget In most cases you or one of your dependencies are requesting a version that doesn't exist.\n",
                "No matching version found for left-pad@99.0.0. (npm ETARGET)",
                true,
            ),
            ("npm warn old\nnpm error code ENOTFOUND\nnpm error network\n", "code ENOTFOUND; network", false),
            (
                "npm error code ECONNREFUSED\nnpm error FetchError: f\nnpm error     at X\n",
                "code ECONNREFUSED; FetchError: f",
                false,
            ),
        ] {
            let stderr = format!("{stderr}{log}");
            assert_eq!(last_words("out", &stderr), expected);
            assert_eq!(is_lasting(&stderr), lasting, "{stderr}");
        }
    }

    #[test]
    fn pip_says_which_package_is_missing_or_which_two_do_not_fit() {
        let absent = "ERROR: Could not find a version that satisfies the requirement a==99 (from versions: 1, 2)\n\
            ERROR: No matching distribution found for a==99\n";
        assert_eq!(last_words("Looking in links: /w\n", absent), "No matching distribution found for a==99");
        assert!(is_lasting(absent));
        let unreachable = format!("WARNING: Retrying (Retry(total=0)) after connection broken by 'X'\n{absent}");
        assert!(last_words("", &unreachable).ends_with("for a==99; the package index was not reached"));
        assert!(!is_lasting(&unreachable), "the index may answer the next time");
        let conflict = "ERROR: Cannot install a==1 and b==4 because these package versions have conflicting dependencies.\n\n\
            The conflict is caused by:\n    The user requested b==4\n    a 1 depends on b>=4.6\n\nTo fix this you could try to:\n\
            ERROR: ResolutionImpossible: for help visit x\n";
        assert_eq!(last_words("", conflict), "The user requested b==4; a 1 depends on b>=4.6");
        assert!(is_lasting(conflict));
    }

    #[test]
    fn maven_says_its_error_and_not_what_the_jvm_was_started_with() {
        let stderr = "Picked up JAVA_TOOL_OPTIONS: -Djava.io.tmpdir=/x\n";
        assert_eq!(last_words("\u{1b}[0m[ERROR] no plugin p:1 -> [Help 1]\n[ERROR] \n", stderr), "no plugin p:1");
        assert_eq!(last_words("only this", stderr), "only this");
        assert_eq!(last_words("only this", "\u{1b}[0m\n"), "only this");
    }
}

#[cfg(test)]
mod fuzzing {
    use bailiwick_fuzz::Target;

    #[test]
    fn installers() {
        const WORDS: &[&str] = &[
            "npm error code ERESOLVE\n",
            "npm error 404  The requested resource ",
            "npm error Found: ",
            "npm error Could not resolve dependency:\n",
            "npm error notarget ",
            "ERROR: No matching distribution found for ",
            "The conflict is caused by:\n",
            "WARNING: Retrying (",
            "[ERROR] ",
            "\u{1b}[1;31m",
            "-> [Help 1]",
            "\n",
        ];
        Target { name: "installers", words: WORDS }.run_text(|text| {
            let words = super::last_words(text, text);
            assert!(words.len() <= 4 * text.len() + 64, "{words}");
            let _ = super::is_lasting(text);
        });
    }
}
