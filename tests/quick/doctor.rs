//! What `bailiwick doctor` starts: the programs of the path, and nothing of the directory that it is called in.

use bailiwick_tests::World;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

#[test]
fn doctor_runs_nothing_of_the_directory_that_it_is_started_in() {
    let world = World::without_generated_code();
    let witness = world.base().join("witness");
    let program = |directory: &str, says: &str| {
        let path = world.base().join(directory).join("mvn");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let script = format!(
            "#!/bin/sh\necho \"{says} $PWD $OPENAI_API_KEY\" >> '{}'\necho 'Apache Maven 3.9'\n",
            witness.display()
        );
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    program("repository/bin", "of the repository");
    program("installed", "installed");
    let path = format!("./bin:{}:{}", world.base().join("installed").display(), std::env::var("PATH").unwrap());
    let mut doctor = world.command(&["doctor"]);
    doctor.current_dir(world.base().join("repository")).env("PATH", path).env("OPENAI_API_KEY", "sk-a-key");
    let answer = doctor.output().unwrap();
    assert!(String::from_utf8_lossy(&answer.stdout).contains("Apache Maven 3.9"), "{answer:?}");
    // Maven loads agents that `.mvn/jvm.config` of its directory names.
    assert_eq!(fs::read_to_string(witness).unwrap(), "installed / \n");
}
