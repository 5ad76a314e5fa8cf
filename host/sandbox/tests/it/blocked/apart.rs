//! A mount namespace of its own for a test, so that any user may mount there.

use std::os::unix::process::CommandExt;
use std::process::Command;

const MARK: &str = "BAILIWICK_TEST_APART";

/// Runs `body` in a new process with its own mount namespace, and its own user namespace where this user is not root.
/// Where neither can be had, says so, and fails if `CI` is set.
pub(crate) fn apart(name: &str, body: impl FnOnce()) {
    if std::env::var_os(MARK).is_some() {
        return body();
    }
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", name, "--nocapture", "--test-threads=1"]).env(MARK, "1");
    // SAFETY: between `fork` and `exec` only system calls are made, over strings that exist already.
    #[expect(unsafe_code, reason = "namespaces are entered by a process of one thread")]
    unsafe {
        let (users, groups) = (format!("0 {user} 1"), format!("0 {group} 1"));
        command.pre_exec(move || enter(user == 0, users.as_bytes(), groups.as_bytes()));
    }
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => return not_run(&format!("no mount namespace can be had: {error}")),
    };
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}: {text}", output.status);
    assert!(text.contains("1 passed"), "no test is named `{name}`: {text}");
    eprint(&text);
}

/// Says why a test cannot run here.
pub(crate) fn not_run(reason: &str) {
    assert!(std::env::var_os("CI").is_none(), "{reason}");
    eprint(&format!("not run: {reason}"));
}

#[expect(clippy::print_stderr, reason = "what a test has to say to a person")]
fn eprint(text: &str) {
    eprintln!("{text}");
}

fn enter(root: bool, users: &[u8], groups: &[u8]) -> std::io::Result<()> {
    let mut flags = libc::CLONE_NEWNS;
    if !root {
        flags |= libc::CLONE_NEWUSER;
    }
    // SAFETY: plain system calls with constant strings.
    #[expect(unsafe_code, reason = "namespaces have no safe interface here")]
    unsafe {
        if libc::unshare(flags) != 0 {
            return Err(std::io::Error::last_os_error());
        }
        if !root {
            for (path, content) in [
                (c"/proc/self/setgroups", b"deny".as_slice()),
                (c"/proc/self/uid_map", users),
                (c"/proc/self/gid_map", groups),
            ] {
                let file = libc::open(path.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
                if file < 0 || libc::write(file, content.as_ptr().cast(), content.len()) < 0 {
                    return Err(std::io::Error::last_os_error());
                }
            }
        }
        // What is mounted in here stays in here.
        let flags = libc::MS_REC | libc::MS_PRIVATE;
        if libc::mount(std::ptr::null(), c"/".as_ptr(), std::ptr::null(), flags, std::ptr::null()) != 0 {
            return Err(std::io::Error::last_os_error());
        }
    }
    Ok(())
}
