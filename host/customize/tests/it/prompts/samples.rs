//! Values for every template that comes with the program: as few as it takes, and all of them.

use bailiwick_agent::templates::Values;
use bailiwick_customize::prompts::PromptId;

const DECORATORS: [&str; 2] = ["`@access`", "`@clientName`"];
const REFERENCE: &str = "# Customizing\n\n`@access` hides.\n";

/// The samples of a template, each with a name.
pub(crate) fn samples(id: PromptId) -> Vec<(&'static str, Values)> {
    let none = Values::new;
    match id {
        PromptId::Classification => {
            let few = |validated: &str| {
                none()
                    .text("language", "Python")
                    .text("scope", "python")
                    .text("request", "Rename Widget to Gadget, and hide purge.")
                    .text("validated", validated)
                    .list("decorators", DECORATORS)
            };
            let diagnostics =
                ["sdk/azure/widget/_patch.py:4: error [attr-defined]: \"Widget\" has no attribute \"id\" (mypy)"];
            vec![
                ("few", few("not-yet")),
                ("succeeded", few("succeeded").text("history", "phase A, attempt 1: renamed Widget")),
                (
                    "failed",
                    few("failed")
                        .text("history", "phase A, attempt 1")
                        .list("diagnostics", diagnostics)
                        .text("reference", REFERENCE),
                ),
            ]
        }
        PromptId::TypespecCustomization => {
            let few = none()
                .text("language", "Python")
                .text("scope", "python")
                .text("client-file", "spec/client.tsp")
                .list("items", ["Rename Widget to Gadget (`@@clientName` can do it)"])
                .text("request", "Rename Widget to Gadget.\nThanks!")
                .list("decorators", DECORATORS);
            let feedback = ["spec/client.tsp:7: error [invalid-ref]: Unknown identifier Widgt (tsp)"];
            vec![("few", few.clone()), ("all", few.list("feedback", feedback).text("reference", REFERENCE))]
        }
        PromptId::CodePatch => {
            let few = none()
                .text("language", "python")
                .text("package", "azure-widget")
                .list("files", ["sdk/azure/widget/_patch.py", "sdk/azure/widget/models/_patch.py"])
                .list("diagnostics", ["sdk/azure/widget/_patch.py:4: error [attr-defined]: no attribute \"id\" (mypy)"])
                .text("line-limit", "19")
                .text("file-limit", "4");
            let all = few
                .clone()
                .list("renames", ["property Widget.id is now widget_id"])
                .list("typespec-changes", ["@clientName on Contoso.Widget.id for python in spec/client.tsp"]);
            vec![("few", few), ("all", all)]
        }
        PromptId::ReadmeGeneration => {
            let few = none().text("package", "azure-widget").text("readme-file", "sdk/README.md");
            let all = few
                .clone()
                .text("readme-template", "# Azure {{ServiceName}} client library for Python\n\n## Getting started\n")
                .text("service-documentation", "https://learn.microsoft.com/azure/widget")
                .list("rules", ["Say that the library is in preview."]);
            vec![("few", few), ("all", all)]
        }
        PromptId::Spelling => {
            let few =
                none().list("findings", ["README.md:3:7 - Unknown word (wigdet)", "a.py:1:1 - Unknown word (kubelet)"]);
            let all =
                few.clone().text("repository", "Client libraries for Azure.").list("rules", ["British spelling."]);
            vec![("few", few), ("all", all)]
        }
    }
}
