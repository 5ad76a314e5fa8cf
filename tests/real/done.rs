//! The same request again: the recorded proof answers while it holds, and only while it holds.

use bailiwick_tests::World;

const REQUEST: &str = "hide operation deleteWidget from the Python SDK";

#[test]
fn same_request_again_succeeds_from_the_proof_and_regenerates_nothing() {
    let world = World::new();
    let first = world.customize(REQUEST).exits(0).json();
    assert_eq!(first["phaseAAttempts"], 1);
    let before = world.snapshot();
    let second = world.customize(REQUEST).exits(0);
    assert!(!second.stderr.contains("regenerat"), "{}", second.stderr);
    let second = second.json();
    assert_eq!(second["outcome"], "success", "{second:#}");
    assert_eq!((&second["phaseAAttempts"], &second["phaseBAttempts"]), (&0.into(), &0.into()));
    assert_eq!(second["modifiedFiles"].as_array().unwrap().len(), 0, "{second:#}");
    before.assert_same(&world.snapshot());
}

#[test]
fn altered_generated_file_is_regenerated_before_success_is_claimed() {
    let world = World::standing_in();
    let _ = world.customize(REQUEST).exits(0);
    let path = world.package().join("azure/widget/operations/_operations.py");
    let good = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, good.replace("def _delete_widget(", "def delete_widget(")).unwrap();
    let again = world.customize(REQUEST).exits(0);
    assert!(again.stderr.contains("regenerat"), "{}", again.stderr);
    assert_eq!(again.json()["outcome"], "success");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), good);
}

#[test]
fn changed_spec_is_regenerated_before_success_is_claimed() {
    let world = World::standing_in();
    let _ = world.customize(REQUEST).exits(0);
    let path = world.project().join("models.tsp");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{text}\n// a remark\n")).unwrap();
    let again = world.customize(REQUEST).exits(0);
    assert!(again.stderr.contains("regenerat"), "{}", again.stderr);
    assert_eq!(again.json()["outcome"], "success");
}
