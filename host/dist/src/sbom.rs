//! The software bill of materials: CycloneDX 1.5 (<https://cyclonedx.org/docs/1.5/json/>), without the serial number and the
//! time that the format allows and that would make two of the same release differ.

use crate::metadata::{Checksums, Crate, Dependencies};
use serde_json::{Value, json};

/// The bill of what the binary is linked from.
#[must_use]
pub fn sbom(dependencies: &Dependencies, checksums: &Checksums) -> String {
    let of = |package: &Crate| component(package, "library", checksums);
    let edges: Vec<Value> =
        dependencies.edges.iter().map(|(package, needed)| json!({ "ref": package, "dependsOn": needed })).collect();
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": component(&dependencies.root, "application", checksums) },
        "components": dependencies.crates.iter().map(of).collect::<Vec<_>>(),
        "dependencies": edges
    });
    format!("{bill:#}\n")
}

fn component(package: &Crate, kind: &str, checksums: &Checksums) -> Value {
    let mut component = json!({
        "type": kind,
        "bom-ref": package.url(),
        "name": package.name,
        "version": package.version,
        "purl": package.url()
    });
    if let Some(description) = &package.description {
        component["description"] = json!(description.trim());
    }
    if let Some(license) = &package.license {
        // Older crates write `/` for `OR`, which SPDX does not know.
        component["licenses"] = json!([{ "expression": license.replace('/', " OR ") }]);
    }
    if let Some(checksum) = checksums.of(package) {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    if let Some(repository) = &package.repository {
        component["externalReferences"] = json!([{ "type": "vcs", "url": repository }]);
    }
    component
}
