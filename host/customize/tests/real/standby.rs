//! Compilers that stay between commands, over their sockets.

use std::fs;
use std::path::PathBuf;

use bailiwick_customize::typespec::{Place, Residents, Standby, Stay};
use bailiwick_sdk::tasks::Language;
use bailiwick_toolchains::Compiler;
use tempfile::TempDir;

use crate::bench::Bench;
use crate::resident::{resident_processes, same_answers_whatever_was_asked_before, stand_in_that_leaves};

/// A runtime directory of its own. Its standbys are children of this very program.
struct Runtime(TempDir);

impl Runtime {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        fs::set_permissions(directory.path(), std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
        Self(directory)
    }

    fn place(&self) -> Place {
        Place::beneath(self.0.path()).unwrap()
    }

    /// What a command reads with; the next command has another.
    fn command(&self) -> Residents {
        Residents::new(Stay::Never).standing_by(Some(Standby::at(self.place())))
    }

    /// Ends what stands by, and waits until nothing is left.
    fn end(&self) {
        self.place().end_all();
        let gone = (0..600).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(100));
            resident_processes().is_empty()
        });
        assert!(gone, "a standby does not end");
    }
}

pub(crate) fn standby_answers_as_a_new_compiler_does_whatever_was_asked_before(bench: &Bench) {
    let runtime = Runtime::new();
    same_answers_whatever_was_asked_before(bench, &|| runtime.command());
    runtime.end();
}

pub(crate) fn standby_serves_nothing_but_what_it_was_started_for(bench: &Bench) {
    let (runtime, cold) = (Runtime::new(), Residents::new(Stay::Never));
    let clones = bench.clones();
    let read = |residents: &Residents, language| bench.read(residents, &clones, None, language);
    assert_eq!(read(&runtime.command(), Language::Python), read(&cold, Language::Python));
    let first = resident_processes();
    assert_eq!(first.len(), 1, "no compiler stayed");
    for language in [Language::Java, Language::Javascript] {
        assert_eq!(read(&runtime.command(), language), read(&cold, language));
    }
    // No more than two stand by, and the first is the one that ends.
    assert_eq!(runtime.place().standbys(), 2);
    runtime.end();

    assert_eq!(read(&runtime.command(), Language::Python), read(&cold, Language::Python));
    let first = resident_processes();
    clones.append(&clones.project().directory.join("main.tsp"), "\nmodel Added { id: string; }\n");
    let answer = read(&runtime.command(), Language::Python);
    assert!(answer.contains("\"Added\""), "the model that was added is not in the answer");
    assert_eq!(answer, read(&cold, Language::Python));
    assert!(resident_processes().iter().any(|pid| !first.contains(pid)), "the old compiler answered");
    runtime.end();

    let script = clones.project().directory.join("script.js");
    fs::write(script, "globalThis.asked = (globalThis.asked ?? 0) + 1;\nexport const namespace = 'X';\n").unwrap();
    clones.customize("import \"./script.js\";\n");
    for _ in 0..2 {
        assert_eq!(read(&runtime.command(), Language::Python), read(&cold, Language::Python));
        assert_eq!((resident_processes().len(), runtime.place().standbys()), (0, 0));
    }
}

pub(crate) fn copy_that_was_poisoned_answers_no_question(bench: &Bench) {
    let runtime = Runtime::new();
    let clones = bench.clones();
    let cold = bench.read(&Residents::new(Stay::Never), &clones, None, Language::Python);
    let alone = Residents::new(Stay::UntilEnded);
    for read in [&|| bench.read(&runtime.command(), &clones, None, Language::Python) as String, &|| {
        bench.read(&alone, &clones, None, Language::Python)
    }] as [&dyn Fn() -> String; 2]
    {
        assert_eq!(read(), cold);
        let [process] = resident_processes()[..] else { panic!("no compiler stayed") };
        let arguments = fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap();
        let copy = PathBuf::from(arguments.split('\0').skip_while(|one| *one != "--root").nth(1).unwrap());
        let main = copy.join("main.tsp");
        let text = fs::read_to_string(&main).unwrap();
        fs::write(&main, format!("{text}\nmodel Planted {{ id: string; }}\n")).unwrap();
        assert_eq!(read(), cold);
        runtime.end();
    }
}

pub(crate) fn standby_that_is_killed_in_the_middle_of_a_question_is_replaced_by_a_new_process(bench: &Bench) {
    let runtime = Runtime::new();
    let clones = bench.clones();
    let expected = bench.read(&Residents::new(Stay::Never), &clones, None, Language::Python);
    assert_eq!(bench.read(&runtime.command(), &clones, None, Language::Python), expected);
    let [process] = resident_processes()[..] else { panic!("no compiler stayed") };
    let kill = |signal: &str, process: i32| {
        assert!(std::process::Command::new("kill").args([signal, &process.to_string()]).status().unwrap().success());
    };
    // The compiler says nothing from now on, so that the question is open when it happens.
    kill("-STOP", process);
    let standby = standby_of(process);
    let killer = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_secs(2));
        kill("-9", standby);
    });
    assert_eq!(bench.read(&runtime.command(), &clones, None, Language::Python), expected);
    killer.join().unwrap();
    runtime.end();
}

/// The process that this compiler stays in.
fn standby_of(process: i32) -> i32 {
    let mut process = process;
    loop {
        let arguments = fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap();
        if arguments.contains("__standby\0") {
            return process;
        }
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
        process = stat.rsplit_once(')').unwrap().1.split_whitespace().nth(1).unwrap().parse().unwrap();
    }
}

pub(crate) fn compiler_of_a_standby_that_takes_too_much_or_lies_is_replaced_by_a_new_process(bench: &Bench) {
    let clones = bench.clones();
    let expected = bench.read(&Residents::new(Stay::Never), &clones, None, Language::Python);
    let compiler = bench.tools.compiler();
    for answer in ["head -c 1500M /dev/zero | tail > /dev/null; sleep 600", "printf '{}' > \"$output\"", "exit 0"] {
        let runtime = Runtime::new();
        let stand_in = stand_in_that_leaves(answer, &clones, compiler);
        let compiler = Compiler { node: &stand_in, ..compiler };
        for _ in 0..2 {
            let answered = bench.read_with(&runtime.command(), &clones, None, Language::Python, compiler);
            assert_eq!(answered, expected, "{answer}");
            assert_eq!(runtime.place().standbys(), 1, "{answer}");
        }
        runtime.end();
    }
}
