//! A client with a few operations beside the one of the service: nothing that is there changes for its users.

use bailiwick_tests::{ClientModels, Sdk, World, has_dotnet, python_user};

const REQUEST: &str =
    "For Python we would like a second client, WidgetReaderClient, which has get_widget and nothing more.";

/// The new client has its operation alone, and the client of before all that it had.
const USER: &str = r#"
from azure.core.credentials import AzureKeyCredential
from azure.widget import WidgetManagerClient, WidgetReaderClient

key = AzureKeyCredential("key")
reader, whole = WidgetReaderClient("https://example.org", key), WidgetManagerClient("https://example.org", key)
assert callable(reader.get_widget) and not hasattr(reader, "delete_widget") and not hasattr(reader, "parts")
assert callable(whole.parts.get_part) and callable(whole.parts.delete_part) and callable(whole.widgets.list_widgets)
print("both clients")
"#;

#[test]
fn second_client_holds_its_operations_and_the_first_one_stays_as_it_was() {
    let world = World::new();
    let (before, groups) = (ClientModels::of(&world), world.read("azure/widget/operations/_patch.py"));
    let response = world.customize(REQUEST).exits(0).json();
    assert_eq!(response["outcome"], "success", "{response:#}");
    assert_eq!(response["buildResult"]["success"], true);
    assert_eq!(python_user(&world, USER).trim(), "both clients");
    assert_eq!(world.read("azure/widget/operations/_patch.py"), groups);
    ClientModels::assert_only_changed(&before, &ClientModels::of(&world), "python");

    let made = world.snapshot();
    let again = world.customize(REQUEST).exits(0).json();
    assert_eq!((&again["outcome"], &again["phaseAAttempts"]), (&"success".into(), &0.into()), "{again:#}");
    made.assert_same(&world.snapshot());
}

/// The client generator core of the .NET generator knows no `autoMergeService`, and says nothing of an option that it does
/// not know: the first client would be empty.
#[test]
fn second_client_that_would_empty_the_first_is_refused() {
    if !has_dotnet() {
        return;
    }
    let world = World::of(Sdk::Dotnet);
    let before = world.snapshot();
    let response = world.customize("Add a separate client PartReaderClient with getPart.").exits(1).json();
    assert_ne!(response["outcome"], "success", "{response:#}");
    assert!(response.to_string().contains("no client holds"), "{response:#}");
    before.assert_same(&world.snapshot());
}
