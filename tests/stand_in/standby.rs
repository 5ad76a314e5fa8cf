//! The compiler that stays between commands, from outside.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bailiwick_tests::{World, binary};
use serde_json::Value;

/// A world with a runtime directory and a directory for temporary files of its own.
fn world() -> World {
    let world = World::standing_in();
    for (name, mode) in [("runtime", 0o700), ("temporary", 0o755)] {
        fs::create_dir(world.base().join(name)).unwrap();
        fs::set_permissions(world.base().join(name), Permissions::from_mode(mode)).unwrap();
    }
    world
}

fn runtime(world: &World) -> PathBuf {
    world.base().join("runtime")
}

/// A command that may keep a compiler.
fn command(world: &World, arguments: &[&str]) -> Command {
    let mut command = world.command(arguments);
    command.env("XDG_RUNTIME_DIR", runtime(world)).env("TMPDIR", world.base().join("temporary"));
    command
}

/// A dry run, after `client.tsp` got one more line with a name that no other run has, so that no kept index answers.
fn dry_run(world: &World, line: &str, more: &[&str]) -> Command {
    let own = world.base().file_name().unwrap().to_str().unwrap();
    fs::write(world.project().join("client.tsp"), format!("{}// {line} {own}\n", world.client())).unwrap();
    let package = world.package();
    let request = "rename the model AnalyzeResult to WidgetAnalysis in the Python SDK";
    let arguments = ["--json", "package", "customize", "--dry-run", "--customization-request", request];
    command(world, &[&arguments[..], &["--package-path", package.to_str().unwrap()], more].concat())
}

fn answer(command: &mut Command) -> Value {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn of(world: &World, word: &str) -> Vec<u32> {
    let has = |number: &u32| {
        fs::read(format!("/proc/{number}/cmdline")).is_ok_and(|text| String::from_utf8_lossy(&text).contains(word))
    };
    world.processes().into_iter().filter(has).collect()
}

/// The processes that stand by, and the compilers that stay in them.
fn kept(world: &World) -> (Vec<u32>, Vec<u32>) {
    (of(world, "__standby\0"), of(world, "--requests\0"))
}

/// Waits until nothing of them is left, on the disk either.
fn soon_gone(world: &World) {
    let started = Instant::now();
    while kept(world) != (Vec::new(), Vec::new()) {
        assert!(started.elapsed() < Duration::from_secs(60), "a standby does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(fs::read_dir(world.base().join("temporary")).unwrap().count(), 0, "a temporary directory is left");
}

#[test]
fn compiler_stays_between_commands_and_says_what_a_new_one_says_until_a_person_ends_it() {
    let world = world();
    answer(&mut dry_run(&world, "one", &[]));
    let first = kept(&world);
    assert_eq!((first.0.len(), first.1.len()), (1, 1), "no compiler stayed");
    let warm = answer(&mut dry_run(&world, "two", &[]));
    assert_eq!(kept(&world), first, "another process answered");
    world.commit();
    let cold = fs::read_to_string(world.project().join("client.tsp")).unwrap().replace("// two", "// six");
    fs::write(world.project().join("client.tsp"), cold).unwrap();
    let package = world.package();
    let request = ["--customization-request", "rename the model AnalyzeResult to WidgetAnalysis in the Python SDK"];
    let asked = ["--json", "package", "customize", "--package-path", package.to_str().unwrap()];
    let asked = [&asked[..], &request].concat();
    let cold = answer(&mut command(&world, &[&asked[..], &["--dry-run", "--no-resident"]].concat()));
    assert_eq!(cold.to_string().replace("// six", "// two"), warm.to_string());

    // A run that edits asks the same one.
    let run = answer(&mut command(&world, &asked));
    assert_eq!(run["outcome"], "success", "{run:#}");
    assert_eq!(kept(&world), first, "another process answered");

    assert_eq!(answer(&mut command(&world, &["--json", "self"]))["residents"], 1);
    assert_eq!(answer(&mut command(&world, &["--json", "self", "--end-residents"]))["endedResidents"], 1);
    soon_gone(&world);
    assert_eq!(answer(&mut command(&world, &["--json", "self"]))["residents"], 0);
}

#[test]
fn nothing_stays_where_it_is_not_wanted_or_where_another_user_could_reach_it() {
    let world = world();
    answer(&mut dry_run(&world, "one", &["--no-resident"]));
    answer(dry_run(&world, "two", &[]).env("CI", "true"));
    answer(dry_run(&world, "three", &[]).env_remove("XDG_RUNTIME_DIR"));
    answer(dry_run(&world, "four", &[]).env("XDG_RUNTIME_DIR", "runtime"));
    answer(&mut dry_run(&world, "five", &["--unconfined-builds"]));
    assert_eq!(kept(&world), (Vec::new(), Vec::new()));
    fs::set_permissions(runtime(&world), Permissions::from_mode(0o755)).unwrap();
    answer(&mut dry_run(&world, "six", &[]));
    let link = world.base().join("link");
    symlink(runtime(&world), &link).unwrap();
    fs::set_permissions(runtime(&world), Permissions::from_mode(0o700)).unwrap();
    answer(dry_run(&world, "seven", &[]).env("XDG_RUNTIME_DIR", link));
    // Code of a specification could remember.
    fs::write(world.project().join("own.js"), "export const namespace = 'X';\n").unwrap();
    answer(&mut dry_run(&world, "eight", &[]));
    assert_eq!(kept(&world), (Vec::new(), Vec::new()));
    soon_gone(&world);
}

#[test]
fn standby_has_neither_terminal_nor_descriptors_nor_directory_of_the_command_that_started_it() {
    let world = world();
    // A descriptor that somebody forgot to mark, as a shell passes one on.
    let forgotten = fs::File::create(world.base().join("forgotten")).unwrap();
    rustix::io::fcntl_setfd(&forgotten, rustix::io::FdFlags::empty()).unwrap();
    answer(&mut dry_run(&world, "one", &[]));
    rustix::io::fcntl_setfd(&forgotten, rustix::io::FdFlags::CLOEXEC).unwrap();
    let [standby] = kept(&world).0[..] else { panic!("no compiler stayed") };
    let of = |what: &str| PathBuf::from(format!("/proc/{standby}/{what}"));
    assert_eq!(fs::read_link(of("cwd")).unwrap(), Path::new("/"));
    let stat = fs::read_to_string(of("stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    // Its group, its session, its terminal.
    assert_eq!(fields[2..5], [standby.to_string().as_str(), &standby.to_string(), "0"], "{stat}");
    for entry in fs::read_dir(of("fd")).unwrap() {
        let leads = fs::read_link(entry.unwrap().path()).unwrap_or_default();
        let allowed = !leads.starts_with(world.base())
            || leads.starts_with(world.base().join("temporary"))
            || leads == runtime(&world).join("bailiwick");
        assert!(allowed, "{}", leads.display());
    }
    answer(&mut command(&world, &["--json", "self", "--end-residents"]));
    soon_gone(&world);
}

#[test]
fn standby_ends_when_its_socket_its_program_or_its_specification_is_gone() {
    let world = world();
    let started = |command: &mut Command| {
        answer(command);
        assert_eq!(kept(&world).0.len(), 1, "no compiler stayed");
    };
    started(&mut dry_run(&world, "one", &[]));
    fs::remove_dir_all(runtime(&world).join("bailiwick")).unwrap();
    soon_gone(&world);

    let program = world.base().join("program");
    fs::copy(binary(), &program).unwrap();
    let plain = dry_run(&world, "two", &[]);
    let mut copied = Command::new(&program);
    copied.args(plain.get_args()).current_dir(world.base());
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => copied.env(name, value),
            None => copied.env_remove(name),
        };
    }
    started(&mut copied);
    fs::rename(&program, world.base().join("replaced")).unwrap();
    soon_gone(&world);

    started(&mut dry_run(&world, "three", &[]));
    fs::rename(world.project(), world.base().join("moved")).unwrap();
    soon_gone(&world);
}

#[test]
fn two_commands_at_once_say_the_same_and_leave_one_standby() {
    let world = world();
    let mut first = dry_run(&world, "one", &[]);
    let second = std::thread::scope(|scope| {
        let second = scope.spawn(|| {
            answer(&mut command(&world, &first.get_args().map(|one| one.to_str().unwrap()).collect::<Vec<_>>()))
        });
        let first =
            answer(&mut command(&world, &first.get_args().map(|one| one.to_str().unwrap()).collect::<Vec<_>>()));
        (first, second.join().unwrap())
    });
    assert_eq!(second.0, second.1);
    let started = Instant::now();
    while kept(&world).0.len() > 1 {
        assert!(started.elapsed() < Duration::from_secs(60), "two stand by for the same");
        std::thread::sleep(Duration::from_millis(20));
    }
    // One that is killed is replaced, and its compiler goes with it.
    let [killed] = kept(&world).0[..] else { panic!("no compiler stayed") };
    let status = Command::new("kill").args(["-9", &killed.to_string()]).status().unwrap();
    assert!(status.success());
    answer(&mut dry_run(&world, "two", &[]));
    let [next] = kept(&world).0[..] else { panic!("no compiler stayed") };
    assert_ne!(next, killed);
    answer(first.args(["--no-resident"]));
    answer(&mut command(&world, &["--json", "self", "--end-residents"]));
    while kept(&world) != (Vec::new(), Vec::new()) {
        assert!(started.elapsed() < Duration::from_secs(120), "a standby does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn standby_that_was_stopped_keeps_one_command_for_a_moment_and_loses_its_place() {
    let world = world();
    answer(&mut dry_run(&world, "one", &[]));
    let [stopped] = kept(&world).0[..] else { panic!("no compiler stayed") };
    let signal = |name: &str| {
        assert!(Command::new("kill").args([name, &stopped.to_string()]).status().unwrap().success());
    };
    signal("-STOP");
    // Its answer would be waited for as long as a compiler may take, which is two minutes.
    let mut waits = dry_run(&world, "two", &[]);
    let mut waits = waits.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let ended = (0..600).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        waits.try_wait().unwrap().is_some_and(|status| status.success())
    });
    assert!(ended, "a standby that was stopped keeps a command");
    answer(&mut dry_run(&world, "three", &[]));
    assert_eq!(kept(&world).0.len(), 2, "no other stands by in its place");
    signal("-CONT");
    answer(&mut command(&world, &["--json", "self", "--end-residents"]));
    soon_gone(&world);
}
