//! Java packages with a `pom.xml` of their own: what it names is fetched before a build, and none of it runs on the way.

use std::path::{Path, PathBuf};
use std::process::Command;

use bailiwick_tests::{Answer, Sdk, World, cache};

fn pom(world: &World) -> PathBuf {
    world.package().join("pom.xml")
}

fn replace(path: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{from}: {text}");
    std::fs::write(path, text.replacen(from, to, 1)).unwrap();
}

fn build(world: &World, environment: &[(&str, &str)]) -> Answer {
    let package = world.package();
    world.bailiwick_with(&["--json", "package", "build", "--package-path", package.to_str().unwrap()], environment)
}

/// Whether a set of the cache is what Maven fetched for an emitter.
fn is_of_an_emitter(path: &Path) -> bool {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    name.starts_with("java-") && !name.starts_with("java-package-") && !name.starts_with("java-build-")
}

/// What Maven fetched for packages, a path each.
fn sets(cache: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> =
        entries.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("java-package-")).collect();
    found.sort();
    found
}

/// A cache directory with everything but what was fetched for packages. The first one's files are linked.
fn own_cache(world: &World) -> PathBuf {
    let own = world.base().join("own-cache");
    std::fs::create_dir(&own).unwrap();
    for entry in std::fs::read_dir(cache()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let others = ["node22-", "tsp-client-", "python-", "emitter-", "approved-"];
        if others.iter().any(|one| name.starts_with(one)) || is_of_an_emitter(&path) {
            assert!(Command::new("cp").arg("-al").arg(&path).arg(&own).status().unwrap().success());
        }
    }
    own
}

#[test]
fn package_is_built_with_the_versions_and_the_further_libraries_that_its_pom_names() {
    let world = World::of(Sdk::Java);
    let cache = own_cache(&world);
    let environment = [("BAILIWICK_CACHE_DIR", cache.to_str().unwrap())];
    replace(&pom(&world), "<version>1.58.1</version>", "<version>1.57.0</version>");
    let further = "<dependency><groupId>com.azure</groupId><artifactId>azure-storage-common</artifactId>\
        <version>12.30.0</version></dependency></dependencies>";
    replace(&pom(&world), "</dependencies>", further);
    let sources = world.package().join("src/main/java");
    replace(&sources.join("module-info.java"), "{", "{\n    requires com.azure.storage.common;");
    let uses =
        "package com.azure.widget;\nclass Uses {\n    com.azure.storage.common.StorageSharedKeyCredential key;\n}\n";
    std::fs::write(sources.join("com/azure/widget/Uses.java"), uses).unwrap();

    let built = build(&world, &environment).exits(0);
    assert!(built.stderr.contains("`pom.xml` names"), "it is said what takes time: {}", built.stderr);
    let [set] = sets(&cache).try_into().unwrap();
    let digests = std::fs::read_to_string(set.join("repository.sha256")).unwrap();
    for jar in
        ["azure-core/1.57.0/azure-core-1.57.0.jar", "azure-storage-common/12.30.0/azure-storage-common-12.30.0.jar"]
    {
        assert!(digests.lines().any(|line| line.ends_with(jar)), "{jar}: {digests}");
    }

    // Nothing is fetched a second time.
    let again = build(&world, &environment).exits(0);
    assert!(!again.stderr.contains("`pom.xml` names"), "{}", again.stderr);
}

#[test]
fn package_that_needs_nothing_else_is_built_without_a_network() {
    let world = World::of(Sdk::Java);
    let cache = own_cache(&world);
    // Where a proxy is configured, Maven asks nothing else; this one does not exist.
    let home = world.base().join("home");
    std::fs::create_dir_all(home.join(".m2")).unwrap();
    let proxy = "<settings><proxies><proxy><active>true</active><host>127.0.0.1</host><port>9</port></proxy></proxies></settings>";
    std::fs::write(home.join(".m2/settings.xml"), proxy).unwrap();
    let environment = [("BAILIWICK_CACHE_DIR", cache.to_str().unwrap()), ("HOME", home.to_str().unwrap())];
    let _ = build(&world, &environment).exits(0);
    replace(&pom(&world), "<version>1.58.1</version>", "<version>1.57.0</version>");
    let refused = build(&world, &environment).exits(1).json()["error"].clone();
    let message = refused["message"].as_str().unwrap();
    assert!(message.contains("com.azure:azure-core:1.57.0") && message.contains("cannot be fetched"), "{message}");
}

#[test]
fn artifact_that_does_not_exist_is_named_at_once_with_the_command_that_asks_for_it() {
    let world = World::of(Sdk::Java);
    replace(&pom(&world), "<version>1.58.1</version>", "<version>1.58.999</version>");
    let refused = build(&world, &[]).exits(2);
    assert!(!refused.stderr.contains("attempt 2"), "{}", refused.stderr);
    let error = refused.json()["error"].clone();
    let message = error["message"].as_str().unwrap();
    assert!(message.starts_with("no repository has `com.azure:azure-core:1.58.999`, which `"), "{message}");
    let command = "mvn dependency:get -Dartifact=com.azure:azure-core:1.58.999";
    assert!(error["hint"].as_str().unwrap().contains(command), "{error:#}");
}

/// A build extension that ends every Maven that loads it.
const EXTENSION: &str = "package evil;\n@javax.inject.Named\npublic class Ext extends org.apache.maven.AbstractMavenLifecycleParticipant {\n\
    @Override public void afterProjectsRead(org.apache.maven.execution.MavenSession session) { throw new RuntimeException(\"reached\"); }\n}\n";

/// Puts it where a package may take it from: among what the emitter's libraries need.
fn plant_extension(world: &World, cache: &Path) {
    let work = world.base().join("extension");
    std::fs::create_dir_all(work.join("classes/META-INF/sisu")).unwrap();
    std::fs::write(work.join("Ext.java"), EXTENSION).unwrap();
    std::fs::write(work.join("classes/META-INF/sisu/javax.inject.Named"), "evil.Ext\n").unwrap();
    let home = Command::new("mvn").args(["-Dstyle.color=never", "--version"]).output().unwrap();
    let home = String::from_utf8(home.stdout).unwrap();
    let home = home.lines().find_map(|line| line.split_once("Maven home: ")).unwrap().1.trim();
    let mut javac = Command::new("javac");
    javac.args([
        "-nowarn",
        "-proc:none",
        "--release",
        "11",
        "-d",
        "classes",
        "-cp",
        &format!("{home}/lib/*"),
        "Ext.java",
    ]);
    assert!(javac.current_dir(&work).status().unwrap().success());
    let base = std::fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().path());
    let base = base.into_iter().find(|path| is_of_an_emitter(path)).unwrap();
    let place = base.join("repository/evil/ext/1");
    std::fs::create_dir_all(&place).unwrap();
    let project = "<project><modelVersion>4.0.0</modelVersion><groupId>evil</groupId><artifactId>ext</artifactId><version>1</version></project>";
    std::fs::write(place.join("ext-1.pom"), project).unwrap();
    let mut jar = Command::new("jar");
    jar.args(["cf", place.join("ext-1.jar").to_str().unwrap(), "-C", work.join("classes").to_str().unwrap(), "."]);
    assert!(jar.status().unwrap().success());
}

/// Each of these ends a Maven that takes note of it. A build does, without a network; what fetches for it does not.
#[test]
fn what_a_package_has_maven_run_is_not_run_while_there_is_a_network() {
    let world = World::of(Sdk::Java);
    let cache = own_cache(&world);
    plant_extension(&world, &cache);
    let environment = [("BAILIWICK_CACHE_DIR", cache.to_str().unwrap())];
    let antrun = "<plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-antrun-plugin</artifactId><version>3.1.0</version>\
        <executions><execution><phase>validate</phase><goals><goal>run</goal></goals>\
        <configuration><target><fail message=\"reached\"/></target></configuration></execution></executions></plugin>";
    let extension = "<extensions><extension><groupId>evil</groupId><artifactId>ext</artifactId><version>1</version></extension></extensions>";
    // The emitter names a version of the test library that was never published, and the plugin asks for all of them.
    let clean = std::fs::read_to_string(pom(&world)).unwrap();
    let clean: Vec<&str> = clean.split("<dependency>").filter(|one| !one.contains("azure-core-test")).collect();
    let clean = clean.join("<dependency>");
    assert!(clean.contains("</dependencies>"), "{clean}");
    let directory = world.package().join(".mvn");
    let mut known = 0;
    for (file, content, words) in [
        ("plugin", antrun, "reached"),
        ("build", extension, "reached"),
        ("extensions.xml", extension, ""),
        ("maven.config", "--no-such-option\n", ""),
        ("jvm.config", "-XX:NoSuchOption\n", ""),
    ] {
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir(&directory).unwrap();
        // Another comment, so that it is fetched anew.
        let text = clean.replacen("</project>", &format!("<!-- {file} --></project>"), 1);
        let text = match file {
            "plugin" => text.replacen("<plugins>", &format!("<plugins>{content}"), 1),
            "build" => text.replacen("<build>", &format!("<build>{content}"), 1),
            _ => {
                std::fs::write(directory.join(file), content).unwrap();
                text
            }
        };
        std::fs::write(pom(&world), text).unwrap();
        let answer = build(&world, &environment);
        let built = answer.exits(1).json();
        assert!(built["error"].is_null(), "{file}: {built:#}");
        assert!(built["diagnostics"].to_string().contains(words), "the build runs it: {file}: {built:#}");
        let fetched = sets(&cache).len();
        assert_eq!(fetched, known + 1, "{file}: it was fetched");
        known = fetched;
    }
}
