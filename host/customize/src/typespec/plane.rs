//! Whether a package manages Azure resources or works with what is in them.

use bailiwick_base::files::plain;
use serde::Serialize;

use super::project::Project;

/// The two kinds of Azure libraries, which differ in review, naming and release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Plane {
    /// Manages resources, through the resource manager.
    Management,
    /// Works with what a resource holds.
    Data,
}

/// How names of management packages begin: Python, Java, JavaScript, .NET.
const PREFIXES: [&str; 4] = ["azure-mgmt-", "azure-resourcemanager-", "arm-", "Azure.ResourceManager"];
/// The rules that `tspconfig.yaml` of such a specification extends.
const RULES: &str = "typespec-azure-rulesets/resource-manager";

/// The plane of a package and what shows it.
#[must_use]
pub fn plane(project: &Project) -> (Plane, &'static str) {
    let package = project.package_name();
    let relative = project.package.strip_prefix(&project.sdk_root).unwrap_or(&project.package);
    let configuration = plain::read(&project.directory.join("tspconfig.yaml")).unwrap_or_default();
    let configuration = String::from_utf8_lossy(&configuration);
    judge(&package, &relative.to_string_lossy(), &project.location.directory, &configuration)
}

fn judge(package: &str, relative: &str, directory: &str, configuration: &str) -> (Plane, &'static str) {
    let named = PREFIXES.iter().any(|prefix| package.starts_with(prefix)) || package == "Azure.ResourceManager";
    let service = directory.rsplit('/').next().unwrap_or_default();
    let extends = configuration.lines().any(|line| !line.trim_start().starts_with('#') && line.contains(RULES));
    if named {
        (Plane::Management, "the package's name")
    } else if relative.split('/').any(|part| part == "resourcemanager") {
        (Plane::Management, "the package's place")
    } else if directory.split('/').any(|part| part == "resource-manager") || service.ends_with(".Management") {
        (Plane::Management, "the specification's place")
    } else if extends {
        (Plane::Management, "the rules in `tspconfig.yaml`")
    } else {
        (Plane::Data, "neither names nor rules of the resource manager")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plane_is_told_by_name_place_and_rules() {
        let rules = "linter:\n  extends:\n    - \"@azure-tools/typespec-azure-rulesets/resource-manager\"\n";
        let commented = "# extends: typespec-azure-rulesets/resource-manager\n";
        for (package, relative, directory, configuration, expected) in [
            ("azure-mgmt-widget", "sdk/w/azure-mgmt-widget", "specification/w/W", "", Plane::Management),
            ("azure-resourcemanager-widget", "sdk/w/x", "specification/w/W", "", Plane::Management),
            ("arm-widget", "sdk/w/arm-widget", "specification/w/W", "", Plane::Management),
            ("Azure.ResourceManager.Widget", "sdk/w/x", "specification/w/W", "", Plane::Management),
            ("armwidget", "sdk/resourcemanager/w/armwidget", "specification/w/W", "", Plane::Management),
            ("azure-w", "sdk/w/azure-w", "specification/w/resource-manager/Microsoft.W/W", "", Plane::Management),
            ("azure-w", "sdk/w/azure-w", "specification/w/Widget.Management", "", Plane::Management),
            ("azure-w", "sdk/w/azure-w", "specification/w/W", rules, Plane::Management),
            ("azure-w", "sdk/w/azure-w", "specification/w/W", commented, Plane::Data),
            ("azure-armory", "sdk/w/azure-armory", "specification/w/WidgetManager", "", Plane::Data),
            ("azure-widget", "sdk/w/azure-widget", "specification/w/data-plane/W", "", Plane::Data),
        ] {
            assert_eq!(judge(package, relative, directory, configuration).0, expected, "{package} {directory}");
        }
    }
}
