//! The rule of hidden places, without a filesystem.

use super::*;

fn grant(more: &[&str], shown: &[&str]) -> Hidden {
    let mut hidden = Hidden::by_default();
    for pattern in more {
        hidden.hide(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
    }
    for pattern in shown {
        hidden.show(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
    }
    hidden
}

fn hides(hidden: &Hidden, path: &str) -> bool {
    hidden.rule(Path::new(""), Path::new(path), &Places::none(), |_| false).is_some()
}

#[test]
fn secrets_are_hidden_at_any_depth_and_in_any_case() {
    for path in [
        ".env",
        ".ENV",
        "a/b/.env.local",
        ".env/x",
        "certs/server.PEM",
        "x.key",
        ".ssh/config",
        "home/.ssh",
        "ID_RSA",
        ".git/config",
        "sub/.GIT/config",
        ".git/modules/x/config",
        ".docker/config.json",
        "a/.aws/credentials",
        ".npmrc",
        "_netrc",
        "prod.tfvars",
        ".bash_history",
        "./a/./.env",
        ".\u{17f}\u{17f}h/config",
    ] {
        assert!(hides(&grant(&[], &[]), path), "{path}");
    }
    for path in [
        "",
        "env",
        "a.env",
        ".env.example",
        ".env.sample",
        ".environment",
        "x.crt",
        "x.pem.md",
        "key",
        "id_rsa.pub",
        ".git",
        ".git/HEAD",
        "config",
        "docker/config.json",
        ".docker/Dockerfile",
        "secrets.json",
        "secrets.py",
        "keys.py",
    ] {
        assert!(!hides(&grant(&[], &[]), path), "{path}");
    }
}

#[test]
fn pattern_hides_names_at_any_depth_or_a_path_from_the_root() {
    let hidden = grant(&["*.snap", "private/", "/top.txt", "docs/internal", "**/x/y", "[a-b]?.dat"], &[]);
    for path in [
        "a.snap",
        "d/e/A.SNAP",
        "private",
        "a/private/x",
        "top.txt",
        "docs/internal",
        "Docs/Internal/x",
        "x/y",
        "a/x/y/z",
        "a1.dat",
        "d/B2.DAT",
    ] {
        assert!(hides(&hidden, path), "{path}");
    }
    for path in ["snap", "a.snaps", "d/top.txt", "a/docs/internal", "x", "xy", "docs", "c1.dat", "a12.dat"] {
        assert!(!hides(&hidden, path), "{path}");
    }
}

#[test]
fn what_is_shown_by_name_is_shown_and_nothing_beside_it() {
    let hidden = grant(&[], &[".env", "*.pem", "deploy/.ssh/config", "**/.git/config"]);
    for path in [".env", "a/.ENV", "x/a.pem", "deploy/.ssh/config", "sub/.git/config"] {
        assert!(!hides(&hidden, path), "{path}");
    }
    for path in
        [".env.local", "a.key", "deploy/.ssh", "deploy/.ssh/id_rsa", ".ssh/config", ".ssh/a.pem", ".git/modules"]
    {
        assert!(hides(&hidden, path), "{path}");
    }
}

#[test]
fn what_a_pattern_hides_is_not_shown_by_another() {
    let hidden = grant(&["private", ".env"], &["*.pem", ".env"]);
    for path in ["private/a.pem", ".env", "private"] {
        assert!(hides(&hidden, path), "{path}");
    }
    assert!(!hides(&hidden, "a.pem"));
}

#[test]
fn what_may_be_written_is_shown() {
    let mut allowed = Places::none();
    assert!(allowed.add(".npmrc") && allowed.add(".ssh/config"));
    let hides = |path: &str| {
        let temporary = |name: &OsStr| name == "tmp";
        Hidden::by_default().rule(Path::new(""), Path::new(path), &allowed, temporary).is_some()
    };
    for path in [".npmrc", "a/.NPMRC", ".ssh", ".ssh/config", ".ssh/tmp"] {
        assert!(!hides(path), "{path}");
    }
    for path in [".ssh/id_rsa", ".ssh/other", ".netrc", ".ssh/tmp/x"] {
        assert!(hides(path), "{path}");
    }
}

#[test]
fn directory_that_a_rule_of_several_components_begins_with_does_not_move() {
    let hidden = grant(&["keys/private", "a/**/b", "**/c/d"], &[]);
    for path in [".docker", "x/.git", "keys", "a", "a/x/y", "c", "z/c", "x/.local", "x/.local/share"] {
        assert!(hidden.leads_to_hidden(Path::new(path)), "{path}");
    }
    for path in ["x", "x/keys", "keys/public", "z", "docker", "share"] {
        assert!(!hidden.leads_to_hidden(Path::new(path)), "{path}");
    }
}

#[test]
fn names_are_left_out_as_paths_are_refused() {
    let hidden = grant(&["docs/internal", "*.snap"], &["*.pem"]);
    for path in [".env", "docs/internal", "x.snap", ".docker/config.json", "a.pem", "a", ".docker", "x/.git/config"] {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        let directory: Vec<_> = names::of(Path::new(directory)).collect();
        let left_out = hidden.hides_entry(&directory, name.as_bytes(), &Places::none(), |_| false);
        assert_eq!(left_out, hides(&hidden, path), "{path}");
    }
}

#[test]
fn text_that_is_not_a_pattern_is_refused() {
    let long = "x".repeat(257);
    for (pattern, expected) in [
        ("", "empty"),
        (long.as_str(), "256 bytes"),
        ("a/../b", "without `.`"),
        ("./a", "without `.`"),
        ("a//b", "without `.`"),
        ("/", "without `.`"),
        ("a\nb", "control characters"),
        ("[a", "as a glob"),
        ("{a", "as a glob"),
    ] {
        let error = Hidden::by_default().hide(pattern).unwrap_err().to_string();
        assert!(error.contains(expected), "{pattern}: {error}");
    }
    let mut hidden = Hidden::by_default();
    for number in 0..MOST_PATTERNS {
        hidden.hide(&format!("x{number}")).unwrap();
    }
    hidden.hide("x0").unwrap();
    assert!(matches!(hidden.hide("y"), Err(PatternError::TooMany { .. })));
}

#[test]
fn name_that_nothing_hides_cannot_be_shown() {
    for pattern in ["src", ".env.example", ".git", "a/b.txt"] {
        assert_eq!(Hidden::by_default().show(pattern), Err(PatternError::NotHidden), "{pattern}");
    }
    for rule in HIDDEN {
        let mut hidden = Hidden::by_default();
        hidden.show(&format!("**/{rule}")).unwrap();
        assert!(!hides(&hidden, &rule.replace('*', "x")), "{rule}");
    }
}

#[test]
fn no_rule_has_more_components_than_are_looked_at_above_a_name() {
    for rule in HIDDEN {
        let (above, last) = rule.rsplit_once('/').unwrap_or(("", rule));
        let directory = format!("{}/{above}", "deep/".repeat(50)).replace('*', "x");
        let hidden = Hidden::by_default();
        let above = hidden.above(Path::new(&directory), &Places::none());
        assert!(above.len() <= 2, "{rule}");
        let name = last.replace('*', "x");
        assert!(hidden.hides_entry(&above, name.as_bytes(), &Places::none(), |_| false), "{rule}");
        assert!(hidden.rule(Path::new(&directory), Path::new(&name), &Places::none(), |_| false).is_some(), "{rule}");
    }
}

#[test]
fn directory_moves_where_what_is_shown_in_it_was_shown_before_and_not_where_more_would_be() {
    let nothing = Places::none();
    let shows_more = |pattern: &str, from: &str, to: &str| {
        grant(&[], &[pattern]).shows_more(Path::new(from), Path::new(to), (&nothing, &nothing))
    };
    for (pattern, from, to) in [
        ("**/.env", "a", "b"),
        ("**/.env", "a/b", "c"),
        ("**/certs/*.pem", "a/b", "c/d"),
        ("**/certs/*.pem", "a/certs", "b/certs"),
        ("**", "a", "b/c"),
        ("*/.env", "a", "b"),
        ("tests/**/x.pem", "tests/a", "tests/b/c"),
        (".env", "a", "b"),
    ] {
        assert!(!shows_more(pattern, from, to), "{pattern}: {from} to {to}");
    }
    for (pattern, from, to) in [
        ("**/certs/*.pem", "a/keys", "a/certs"),
        ("*/.env", "a/b", "b"),
        ("tests/**/x.pem", "a", "tests/a"),
        ("tests/**/x.pem", "tests/a", "tests"),
        ("tests/x.pem", "keys", "tests"),
        ("**/a/**/b/*.pem", "a/c", "a/b"),
        ("{tests/certs,x}/*.pem", "a", "b"),
        ("a[/]b/*.pem", "a", "b"),
    ] {
        assert!(shows_more(pattern, from, to), "{pattern}: {from} to {to}");
    }
}
