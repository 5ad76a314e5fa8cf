//! `client.tsp` where an edit of it would have no effect or cannot be made: one sentence, and nothing is started.

use std::fs;
use std::os::unix::fs::symlink;

use bailiwick_tests::World;

const RENAME: &str = "rename the model AnalyzeResult to WidgetAnalysis in the Python SDK";

/// Both the plan and the command are refused, with these words.
#[track_caller]
fn is_refused(world: &World, words: &str) {
    world.commit();
    let before = world.snapshot();
    for further in [&["--dry-run"][..], &[]] {
        let answer = world.customize_with(RENAME, further).exits(2).json().to_string();
        assert!(answer.contains(words) && answer.contains("hint"), "{answer}");
    }
    before.assert_same(&world.snapshot());
    assert!(!world.state().join("runs").exists(), "nothing was begun");
}

#[test]
fn edit_of_a_file_that_the_package_is_not_generated_from_is_refused() {
    let world = World::standing_in();
    fs::write(world.project().join("python-client.tsp"), "import \"./main.tsp\";\n").unwrap();
    let location = world.package().join("tsp-location.yaml");
    let text = fs::read_to_string(&location).unwrap();
    fs::write(&location, format!("{}\nentrypointFile: python-client.tsp\n", text.trim_end())).unwrap();
    is_refused(&world, "`python-client.tsp`, which does not import `./client.tsp`");
}

#[test]
fn edit_of_a_client_file_that_is_a_link_is_refused() {
    let world = World::standing_in();
    let client = world.project().join("client.tsp");
    fs::rename(&client, world.project().join("shared.tsp")).unwrap();
    symlink("shared.tsp", &client).unwrap();
    is_refused(&world, "is a symbolic link");
}
