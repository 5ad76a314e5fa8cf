//! Compilers and other children that stay for the next request.

use std::fs;
use std::path::{Path, PathBuf};

use bailiwick_customize::typespec::{Residents, Stay};
use bailiwick_sdk::tasks::Language;
use bailiwick_toolchains::{Child, Compiler, Node, Staying, Unanswered};
use tempfile::TempDir;

use crate::bench::{Bench, Clones};

/// The processes of compilers that stay, by their numbers.
pub(crate) fn resident_processes() -> Vec<i32> {
    let arguments = |pid: &i32| fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let own = |pid: &i32| {
        let mut pid = *pid;
        while pid > 1 {
            let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
            let parent = stat.rsplit_once(')').unwrap().1.split_whitespace().nth(1).unwrap().parse().unwrap();
            if u32::try_from(parent).unwrap() == std::process::id() {
                return true;
            }
            pid = parent;
        }
        false
    };
    fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok())
        .filter(|pid| String::from_utf8_lossy(&arguments(pid)).contains("--requests\0"))
        .filter(own)
        .collect()
}

pub(crate) fn resident_compiler_answers_as_a_new_one_does_whatever_was_asked_before(bench: &Bench) {
    let warm = Residents::new(Stay::UntilEnded);
    same_answers_whatever_was_asked_before(bench, &|| warm.clone());
    bench.runtime.block_on(warm.end());
    assert!(resident_processes().is_empty());
}

/// Asks with one of `warm` after the other, all of which share one compiler.
pub(crate) fn same_answers_whatever_was_asked_before(bench: &Bench, warm: &dyn Fn() -> Residents) {
    let cold = Residents::new(Stay::Never);
    let clones = bench.clones();
    let text = fs::read_to_string(clones.project().client_file()).unwrap();
    let broken = format!("{text}@@access(Nothing, Access.internal, \"python\");\n");
    let renamed = format!("{text}@@clientName(Manufacturer, \"Maker\", \"python\");\n");
    // Each text comes after every other one, and the first twice.
    let asked = [None, Some(&broken), Some(&renamed), None, Some(&renamed), Some(&broken), None];
    let answers = [None, Some(&broken), Some(&renamed)]
        .map(|client| (client, bench.read(&cold, &clones, client.map(String::as_str), Language::Python)));
    assert!(resident_processes().is_empty());
    assert!(answers[0].1 != answers[1].1 && answers[1].1 != answers[2].1 && answers[0].1 != answers[2].1);
    let mut processes = Vec::new();
    for client in asked {
        let answer = bench.read(&warm(), &clones, client.map(String::as_str), Language::Python);
        let expected = &answers.iter().find(|(text, _)| *text == client).unwrap().1;
        assert_eq!(&answer, expected);
        processes.push(resident_processes());
    }
    assert_eq!(processes[0].len(), 1, "no compiler stayed");
    processes.dedup();
    assert_eq!(processes.len(), 1, "another process answered");

    // The project's own file counts as it is then.
    fs::write(clones.project().client_file(), &renamed).unwrap();
    assert_eq!(bench.read(&warm(), &clones, None, Language::Python), answers[2].1);
    assert_eq!(resident_processes(), processes[0], "another process answered");
    fs::remove_file(clones.project().client_file()).unwrap();
    let without = bench.read(&cold, &clones, None, Language::Python);
    assert_eq!(bench.read(&warm(), &clones, None, Language::Python), without);
}

pub(crate) fn resident_compiler_serves_nothing_but_what_it_was_started_for(bench: &Bench) {
    let (cold, warm) = (Residents::new(Stay::Never), Residents::new(Stay::UntilEnded));
    let clones = bench.clones();
    let read = |residents: &Residents, language| bench.read(residents, &clones, None, language);
    read(&warm, Language::Python);
    let first = resident_processes();
    // Another language is another purpose.
    assert_eq!(read(&warm, Language::Java), read(&cold, Language::Java));
    assert_eq!(resident_processes().len(), 2);
    // So is another content of any file, and no more than two stay.
    clones.append(&clones.project().directory.join("main.tsp"), "\nmodel Added { id: string; }\n");
    let answer = read(&warm, Language::Python);
    assert!(answer.contains("\"Added\""), "the model that was added is not in the answer");
    assert_eq!(answer, read(&cold, Language::Python));
    let now = resident_processes();
    assert!(now.len() <= 3 && !now.is_empty() && now.iter().any(|pid| !first.contains(pid)), "{first:?} {now:?}");
    bench.runtime.block_on(warm.end());

    // A project's own code could remember, so none of it runs in a process that stays.
    let script = clones.project().directory.join("script.js");
    fs::write(script, "globalThis.asked = (globalThis.asked ?? 0) + 1;\nexport const namespace = 'X';\n").unwrap();
    clones.customize("import \"./script.js\";\n");
    for _ in 0..2 {
        assert_eq!(read(&warm, Language::Python), read(&cold, Language::Python));
        assert!(resident_processes().is_empty());
    }
}

pub(crate) fn resident_compiler_that_dies_or_answers_nonsense_is_replaced_by_a_new_process(bench: &Bench) {
    let (cold, warm) = (Residents::new(Stay::Never), Residents::new(Stay::UntilEnded));
    let clones = bench.clones();
    let expected = bench.read(&cold, &clones, None, Language::Python);
    assert_eq!(bench.read(&warm, &clones, None, Language::Python), expected);
    let [process] = resident_processes()[..] else { panic!("no compiler stayed") };
    let killed = std::process::Command::new("kill").args(["-9", &process.to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(bench.read(&warm, &clones, None, Language::Python), expected);
    assert!(resident_processes().is_empty(), "a package is tried again");

    let compiler = bench.tools.compiler();
    for answer in [
        "printf '{}' > \"$output\"",
        "yes '[' | head -c 1000000 > \"$output\"",
        "ln -s /etc/passwd \"$output\"",
        "mkfifo \"$output\"",
        "true",
        "exit 0",
    ] {
        let stand_in = stand_in_that_leaves(answer, &clones, compiler);
        let compiler = Compiler { node: &stand_in, ..compiler };
        let warm = Residents::new(Stay::UntilEnded);
        let answered = bench.read_with(&warm, &clones, None, Language::Python, compiler);
        assert_eq!(answered, expected, "{answer}");
        bench.runtime.block_on(warm.end());
    }
}

/// A stand-in for Node that does this in place of answering, and is Node where no process shall stay.
pub(crate) fn stand_in_that_leaves(answer: &str, clones: &Clones, compiler: Compiler<'_>) -> Node {
    let node = clones.work().join("node");
    let script = format!(
        "#!/bin/sh\nfor pipe; do :; done\ncase \"$*\" in *--requests*)\n  while read -r line; do\n    \
         output=$(printf %s \"$line\" | sed 's/.*\"output\":\"\\([^\"]*\\)\".*/\\1/')\n    {answer}\n    echo answered 1\n  \
         done < \"$pipe\";;\n*) exec {} \"$@\";;\nesac\n",
        compiler.node.executable.display()
    );
    fs::write(&node, script).unwrap();
    fs::set_permissions(&node, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    Node { executable: node, root: PathBuf::from("/") }
}

pub(crate) fn child_that_stays_is_ended_when_it_is_silent_and_leaves_nothing(bench: &Bench) {
    const SHORT: std::time::Duration = std::time::Duration::from_millis(500);
    const LONG: std::time::Duration = std::time::Duration::from_secs(60);
    let start = |script: &str| -> (Staying, PathBuf) {
        let directory = TempDir::new().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let (pipe, scratch) = (root.join("requests"), root.join("scratch"));
        let child = Child {
            program: Path::new("/bin/sh"),
            arguments: ["-c", script, "sh"].map(Into::into).into_iter().chain([pipe.clone().into()]).collect(),
            directory: &root,
            path: Vec::new(),
            environment: Vec::new(),
            read: vec![root.clone()],
            list: Vec::new(),
            write: Vec::new(),
            scratch: &scratch,
            deadline: LONG * 60,
        };
        let _runtime = bench.runtime.enter();
        (bench.children.stay(child, &pipe, directory).unwrap(), root)
    };
    let question = serde_json::json!({ "a": 1 });
    let loud = "yes answered 0 | head -n 100000; yes x | head -n 100000; exec < \"$1\"; read -r line; echo \"answered 1\"; echo \"$line\" > scratch/line; read -r line; echo answered 2; sleep 600";
    for (script, within, outcome) in [
        (loud, LONG, Ok(())),
        ("sleep 600", SHORT, Err(Unanswered::Late)),
        ("echo answered 2; sleep 600", SHORT, Err(Unanswered::Late)),
        ("exit 3", LONG, Err(Unanswered::Ended)),
        ("exec < \"$1\"; read -r line; exit 0", LONG, Err(Unanswered::Ended)),
    ] {
        let (staying, root) = start(script);
        let asked = bench.runtime.block_on(async {
            match staying.ask(&question, within).await {
                Ok(staying) => {
                    let staying = staying.ask(&question, within).await?;
                    assert_eq!(
                        fs::read_to_string(root.join("scratch/line")).unwrap(),
                        "{\"number\":1,\"request\":{\"a\":1}}\n"
                    );
                    staying.end().await;
                    Ok(())
                }
                Err(error) => Err(error),
            }
        });
        assert_eq!(asked, outcome, "{script}");
        // What it was, and its directory, are gone soon after the last user lets it go.
        let gone = (0..600).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(100));
            !root.exists()
        });
        assert!(gone, "{script}");
    }
}
