//! The generator reads what is hidden in the repositories: the token that a checkout left, passwords, keys.

use super::Attacked;
use std::fs;

#[test]
fn hidden_files_on_the_way_to_the_package_are_not_read() {
    const SCRIPT: &str = "const seen = {};
const specification = outside + '/../azure-rest-api-specs/';
const sdk = '../../../';
for (const path of [sdk + '.git/config', sdk + '.env', sdk + 'nested/.git/config', specification + '.git/config', specification + '.env']) {
  try { seen[path] = fs.readFileSync(path, 'utf8'); } catch (error) { seen[path] = error.code; }
}
seen.listed = fs.readdirSync(sdk).includes('eng');
seen.read = fs.readFileSync(sdk + 'eng/emitter-package.json', 'utf8').length > 0;
fs.writeFileSync('seen.json', JSON.stringify(seen));";
    let attacked = Attacked::by(SCRIPT);
    let base = attacked.world.base();
    let (sdk, specification) = (base.join(attacked.world.sdk().repository()), base.join("azure-rest-api-specs"));
    fs::create_dir_all(sdk.join("nested/.git")).unwrap();
    fs::write(sdk.join("nested/.git/config"), "hunter2").unwrap();
    for root in [&sdk, &specification] {
        fs::write(root.join(".env"), "PASSWORD=hunter2\n").unwrap();
        let configuration = root.join(".git/config");
        let text = fs::read_to_string(&configuration).unwrap();
        let token = "[http \"https://github.com/\"]\n\textraheader = AUTHORIZATION: basic hunter2\n";
        fs::write(configuration, text + token).unwrap();
    }
    let _ = attacked.generate().exits(0);
    let seen = attacked.world.read("seen.json");
    assert_eq!(seen.matches("EACCES").count(), 5, "{seen}");
    assert!(!seen.contains("hunter2") && seen.contains("\"listed\":true,\"read\":true"), "{seen}");
}

#[test]
fn package_that_names_hidden_directories_as_a_part_of_the_specification_is_refused_before_anything_runs() {
    let attacked = Attacked::by("fs.writeFileSync('ran', '');");
    let specification = attacked.world.base().join("azure-rest-api-specs");
    std::os::unix::fs::symlink(".git", specification.join("g")).unwrap();
    let location = attacked.world.read("tsp-location.yaml");
    for named in [".git", "g"] {
        let wanted = location.replace("additionalDirectories:", &format!("additionalDirectories:\n- {named}"));
        assert_ne!(wanted, location);
        fs::write(attacked.world.package().join("tsp-location.yaml"), wanted).unwrap();
        let answer = attacked.generate();
        assert!(answer.stderr.contains("that no generator reads"), "{}", answer.stderr);
        let _ = answer.exits(2);
        assert!(!attacked.world.package().join("ran").exists());
    }
}
