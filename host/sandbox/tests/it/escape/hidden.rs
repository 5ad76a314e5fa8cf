//! Places inside a grant that hold secrets: not read, not listed, not changed, unless the grant shows them by name.

use super::{attempts, grant, leftovers, list, patch, read, refused, world_with, write};
use crate::common::World;
use bailiwick_sandbox::{Access, DenialReason, ErrorKind, Grant, GrantError, Grants, Reserved};
use serde_json::{Value, json};
use std::os::unix::fs::symlink;

/// Files of a project that a tool must not read.
const PLACES: [&str; 14] = [
    ".env",
    ".ENV",
    ".env.local",
    "deploy/.Env.production",
    "certs/server.pem",
    "certs/server.KEY",
    "id_ed25519",
    ".ssh/config",
    "home/.ssh/id_rsa",
    ".aws/credentials",
    ".npmrc",
    ".git/config",
    "sub/.GIT/config",
    ".docker/config.json",
];

/// What only looks like it.
const ORDINARY: [&str; 9] = [
    ".env.example",
    "env",
    "a.env",
    "certs/server.crt",
    "id_ed25519.pub",
    "home/ssh/config",
    ".docker/Dockerfile",
    "config.json",
    ".git/HEAD",
];

const SECRET: &str = "canary, 42\n";

fn project(with: impl Fn(Grant) -> Grant) -> World {
    let world = world_with(|base| vec![with(grant("box", &base.join("granted"), Access::ReadWrite))]);
    for place in PLACES.iter().chain(&ORDINARY) {
        let path = world.granted().join(place);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, if ORDINARY.contains(place) { "plain\n" } else { SECRET }).unwrap();
    }
    world
}

fn assert_kept(world: &World) {
    for place in PLACES {
        assert_eq!(std::fs::read_to_string(world.granted().join(place)).unwrap(), SECRET, "{place}");
    }
    assert_eq!(leftovers(&world.granted()), [""; 0]);
}

/// No tool shows or changes what is at `path`; each says that it is hidden.
fn assert_hidden(world: &World, path: &str) {
    for (tool, input) in attempts(path) {
        let report = world.call(tool, &input);
        assert_eq!(refused(&report), ErrorKind::NotPermitted, "{tool} {path}: {:?}", report.outcome);
        let text = format!("{:?}", report.outcome);
        assert!(!text.contains("canary, 42") && text.contains("hides"), "{tool} {path}: {text}");
        assert!(report.denials.iter().any(|denial| denial.reason == DenialReason::Hidden), "{tool} {path}");
    }
}

#[test]
fn secrets_are_not_read_and_not_changed_and_a_person_is_told_how_to_show_them() {
    let world = project(|grant| grant);
    for place in PLACES {
        assert_hidden(&world, &format!("box/{place}"));
    }
    let report = world.call("ReadFile", &json!({"filePath": "box/.env.local"}));
    let told = report.outcome.unwrap_err().to_string();
    assert!(told.contains("the grant hides `.env.*`") && told.contains("--unhide '.env.*'"), "{told}");
    for place in ORDINARY {
        assert_eq!(read(&world, &format!("box/{place}")).as_deref(), Ok("plain\n"), "{place}");
    }
    assert_kept(&world);
}

#[test]
fn refusal_does_not_tell_whether_anything_is_there() {
    let world = project(|grant| grant);
    let told = |path: &str| {
        let report = world.call("ReadFile", &json!({"filePath": path}));
        report.outcome.unwrap_err().to_string().replace(path, "PATH")
    };
    assert_eq!(told("box/.env"), told("box/sub/.env"));
    assert_eq!(told("box/.ssh/config"), told("box/.ssh/nothing"));
    assert_eq!(told("box/certs/server.pem"), told("box/nowhere/server.pem"));
}

#[test]
fn listings_leave_out_what_is_hidden_and_count_it() {
    let world = project(|grant| grant);
    let names: Vec<String> = list(&world, "box").unwrap().into_iter().map(|(name, _)| name).collect();
    for place in PLACES {
        assert!(!names.iter().any(|name| name == place), "{place} in {names:?}");
    }
    for place in ["certs/server.crt", ".env.example", ".docker/Dockerfile", "home/ssh/config"] {
        assert!(names.iter().any(|name| name == place), "{place} not in {names:?}");
    }
    let listed = |path: &str| {
        let report = world.call("ListFiles", &json!({"path": path}));
        serde_json::from_str::<Value>(&report.outcome.unwrap()).unwrap()["hidden"].as_u64().unwrap()
    };
    // `.env`, `.ENV`, `.env.local`, `id_ed25519`, `.ssh`, `.aws` and `.npmrc`.
    assert_eq!((listed("box"), listed("box/certs"), listed("box/.docker"), listed("box/home/ssh")), (7, 2, 1, 0));
}

#[test]
fn no_spelling_leads_to_a_secret() {
    let world = project(|grant| grant);
    symlink(".env", world.granted().join("notes.txt")).unwrap();
    symlink("notes.txt", world.granted().join("chain")).unwrap();
    symlink(".ssh", world.granted().join("data")).unwrap();
    symlink("../certs/server.pem", world.granted().join("sub/plain")).unwrap();
    symlink(".docker", world.granted().join("docker")).unwrap();
    symlink(".git", world.granted().join("git")).unwrap();
    symlink("home", world.granted().join("h")).unwrap();
    for path in [
        "./.env",
        ".//.env",
        "sub/../.env",
        "sub/./../.env",
        "sub/../sub/../.ENV",
        "notes.txt",
        "chain",
        "data/config",
        "./data//config",
        "sub/../data/config",
        "sub/plain",
        "docker/config.json",
        "git/config",
        "h/.ssh/id_rsa",
        "sub/.GIT/./config",
    ] {
        for (tool, input) in attempts(&format!("box/{path}")) {
            let report = world.call(tool, &input);
            assert_eq!(refused(&report), ErrorKind::NotPermitted, "{tool} {path}: {:?}", report.outcome);
            assert!(!format!("{:?}", report.outcome).contains("canary, 42"), "{tool} {path}");
        }
    }
    assert_eq!(read(&world, "box/docker/Dockerfile").as_deref(), Ok("plain\n"));
    assert_eq!(read(&world, "box/git/HEAD").as_deref(), Ok("plain\n"));
    let through: Vec<_> = list(&world, "box/docker").unwrap().into_iter().map(|(name, _)| name).collect();
    assert!(!through.iter().any(|name| name.ends_with("config.json")), "{through:?}");
    assert!(list(&world, "box/data").is_err() && list(&world, "box/.ssh").is_err());
    assert_kept(&world);
}

#[test]
fn what_is_shown_by_name_is_read_and_what_is_not_stays_hidden() {
    let world = project(|grant| grant.showing(".env").unwrap().showing("certs/*.pem").unwrap());
    for place in [".env", ".ENV", "certs/server.pem"] {
        assert_eq!(read(&world, &format!("box/{place}")).as_deref(), Ok(SECRET), "{place}");
    }
    assert_eq!(patch(&world, "box/.env", "42", "43"), Ok(()));
    assert_eq!(write(&world, "box/.env", SECRET), Ok(()));
    for place in [".env.local", "certs/server.KEY", ".ssh/config", ".npmrc"] {
        assert_hidden(&world, &format!("box/{place}"));
    }
    assert_kept(&world);
}

#[test]
fn person_hides_more_and_nothing_shows_it_again() {
    let world = project(|grant| {
        grant
            .hiding("docs/internal")
            .unwrap()
            .hiding("*.SNAP")
            .unwrap()
            .hiding(".env")
            .unwrap()
            .showing(".env")
            .unwrap()
    });
    for (path, content) in [("docs/internal/plan.md", SECRET), ("a/x.snap", SECRET), ("a/docs/internal/x", "plain\n")] {
        let path = world.granted().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    for place in ["docs/internal/plan.md", "docs/Internal/new", "a/x.snap", ".env"] {
        assert_hidden(&world, &format!("box/{place}"));
    }
    assert_eq!(read(&world, "box/a/docs/internal/x").as_deref(), Ok("plain\n"), "another path");
}

#[test]
fn sensitive_place_that_may_be_written_may_be_read() {
    let world = project(|grant| grant.allowing(".npmrc").unwrap().allowing(".ssh/config").unwrap());
    for place in [".npmrc", ".ssh/config"] {
        assert_eq!(read(&world, &format!("box/{place}")).as_deref(), Ok(SECRET), "{place}");
        assert_eq!(write(&world, &format!("box/{place}"), "new\n"), Ok(()), "{place}");
    }
    assert_hidden(&world, "box/home/.ssh/id_rsa");
}

#[test]
fn view_of_a_repository_below_a_stage_hides_the_same() {
    let world = project(|grant| grant);
    let open = |path: &std::path::Path| std::fs::File::open(path).unwrap().into();
    let stage = world.base.path().join("stage");
    std::fs::create_dir_all(stage.join("certs")).unwrap();
    std::fs::write(stage.join("client.tsp"), "staged\n").unwrap();
    let staged = Grant::staged("box", open(&world.granted()), open(&stage), &Reserved::none()).unwrap();
    let world = World { grants: Grants::new(vec![staged]).unwrap(), ..world };
    for place in PLACES {
        assert_hidden(&world, &format!("box/{place}"));
    }
    assert_eq!(read(&world, "box/client.tsp").as_deref(), Ok("staged\n"));
    assert_eq!(read(&world, "box/certs/server.crt").as_deref(), Ok("plain\n"));
    let names: Vec<_> = list(&world, "box/certs").unwrap().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["certs/server.crt"]);
}

#[test]
fn part_of_a_grant_hides_what_the_whole_does() {
    let world = project(|grant| grant.hiding("home/ssh").unwrap());
    let whole = world.grants.iter().next().unwrap();
    assert!(matches!(whole.narrowed(".ssh"), Err(GrantError::Open { .. })));
    assert!(matches!(whole.narrowed("home/ssh"), Err(GrantError::Open { .. })));
    let docker = Grants::new(vec![whole.narrowed(".docker").unwrap(), whole.narrowed("home").unwrap()]).unwrap();
    let world = World { grants: docker, ..world };
    for path in ["box/.docker/config.json", "box/home/ssh/config", "box/home/.ssh/id_rsa"] {
        assert!(read(&world, path).is_err(), "{path}");
    }
    assert_eq!(read(&world, "box/.docker/Dockerfile").as_deref(), Ok("plain\n"));
}

#[test]
fn hidden_directory_that_was_granted_itself_is_visible() {
    let world = project(|grant| grant);
    let own = grant("keys", &world.granted().join(".ssh"), Access::ReadOnly);
    let world = World { grants: Grants::new(vec![own]).unwrap(), ..world };
    assert_eq!(read(&world, "keys/config").as_deref(), Ok(SECRET));
}

/// What a Mac has packed has its accents apart, and a person types them in one. The two look the same.
#[test]
fn accent_apart_or_in_one_hides_the_same_names() {
    let world = project(|grant| grant.hiding("geh\u{e9}im").unwrap().hiding("pla\u{302}ne/*.md").unwrap());
    let places = ["gehe\u{301}im/plan", "a/GEH\u{c9}IM", "a/GehE\u{301}im", "pl\u{e2}ne/x.md", "PLA\u{302}NE/y.md"];
    for place in places.iter().chain(&["geheim/plan", "plane/x.md"]) {
        let path = world.granted().join(place);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, if places.contains(place) { SECRET } else { "plain\n" }).unwrap();
    }
    for place in places {
        assert_hidden(&world, &format!("box/{place}"));
    }
    for place in ["box/geheim/plan", "box/plane/x.md"] {
        assert_eq!(read(&world, place).as_deref(), Ok("plain\n"), "{place}");
    }
    let names: Vec<String> = list(&world, "box").unwrap().into_iter().map(|(name, _)| name).collect();
    assert!(names.iter().any(|name| name == "geheim/plan"), "{names:?}");
    assert!(!names.iter().any(|name| places.contains(&name.as_str())), "{names:?}");
}
