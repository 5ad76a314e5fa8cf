use super::*;

const TEXT: &str = "\
#nullable disable
using System;
namespace Azure.AI
{
    [CodeGenSuppress(\"GetTestsAsync\", typeof(string))]
    [CodeGenSuppress(\"GetTests\", typeof(string))]
    public partial class LoadTestClient
    {
        internal LoadTestClient() { }
        public virtual Pageable<BinaryData> GetTests(string order, RequestContext context) => null;
        public virtual Pageable<BinaryData> GetTests(string order) => null;
        public virtual AsyncPageable<BinaryData> GetTestsAsync(string order) => null;
        internal Response GetProfile(string id) => null;
        [EditorBrowsable(EditorBrowsableState.Never)]
        public virtual Response GetRun(string id, int old) => null;
    }

    public class Tests
    {
        private readonly AI.LoadTestClient _client;
        public Response GetProfile(string id) => _client.GetProfile(id);
        public Response GetRun(string id) => this.GetRun(id);
    }

    internal class Hidden
    {
        private readonly LoadTestClient _client;
        public Response GetProfile(string id) => _client.GetProfile(id);
    }

    public class Other
    {
        public Response GetProfile(string id) => other.GetProfile(id);
        public Response GetTests(string order) => null;
    }

    public static class LoadTestExtensions
    {
        public static Response GetFile(this LoadTestClient client, string id) => null;
        public static Response GetFile(this FileClient client, string id) => null;
        public static Response GetRun(LoadTestClient client) => null;
    }

    [CodeGenType(\"Files\")]
    public partial class TestFileClient : IDisposable
    {
        public virtual Response DeleteFile(string id) => null;
    }
}
";

fn brief(found: Vec<Shown>) -> Vec<String> {
    found.into_iter().map(|one| format!("{}:{}", one.line, one.name)).collect()
}

fn operation(holder: &str, name: &str) -> Vec<String> {
    operation_in(TEXT, holder, name)
}

fn operation_in(text: &str, holder: &str, name: &str) -> Vec<String> {
    let above = "LoadTestClient".to_owned();
    let place = if holder.ends_with("Client") { Place::Client } else { Place::Group { above } };
    brief(shown(
        text,
        &Sought::Operation {
            holder: holder.into(),
            place,
            name: name.into(),
            called: vec![name.into(), "fetch".into()],
        },
    ))
}

#[test]
fn public_methods_of_a_half_and_of_what_wraps_or_extends_the_client_are_shown() {
    let both = ["10:LoadTestClient.GetTests", "12:LoadTestClient.GetTestsAsync"];
    assert_eq!(operation("LoadTestClient", "getTests"), both);
    // What lists is called `Get` in .NET.
    assert_eq!(operation("LoadTestClient", "listTests"), both);
    assert_eq!(operation("LoadTestClient", "getProfile"), ["21:Tests.GetProfile"]);
    // What it calls has another name since a rename.
    let renamed = TEXT.replace("_client.GetProfile(", "_client.Fetch(");
    assert_eq!(operation_in(&renamed, "LoadTestClient", "getProfile"), ["21:Tests.GetProfile"]);
    assert_eq!(operation("LoadTestClient", "getFile"), ["39:LoadTestExtensions.GetFile"]);
    assert_eq!(operation("Files", "deleteFile"), ["47:TestFileClient.DeleteFile"]);
}

#[test]
fn internal_methods_hidden_ones_and_those_of_other_clients_are_not_shown() {
    for (holder, name) in [
        ("LoadTestClient", "getRun"),
        ("LoadTestClient", "deleteFile"),
        ("ChatClient", "getTests"),
        ("Files", "getFile"),
        ("LoadTestClient", "get"),
    ] {
        assert_eq!(operation(holder, name), Vec::<String>::new(), "{holder} {name}");
    }
    let broken = Sought::Type { name: "W".into() };
    assert!(
        shown("public class W {", &broken).is_empty() && own_names("[CodeGenType(\"W\")] class {", &broken).is_empty()
    );
}

const TYPES: &str = "\
namespace A
{
    [CodeGenModel(\"BoundingBox\", Usage = new[] { \"output\" })]
    public partial class GeoBox
    {
        [CodeGenMember(\"NorthWest\")]
        public string TopLeft { get; }
        [CodeGenMember(\"SouthEast\")]
        internal string BottomRight { get; }
        [CodeGenMember(\"Wire\")] private int _wire;
        public string Unit { get; set; }
    }

    [CodeGenType(\"InternalBox\")] internal partial class HiddenBox { }

    public readonly partial struct Order
    {
        [CodeGenMember(\"Asc\")]
        public static Order Ascending { get; } = new Order(\"asc\");
    }

    public class Route : GeoBox { public string Unit { get; } }
    public partial class Half { }
    partial class Quiet { }
    class Plain { }
}
";

fn types(of: fn(&str, &Sought) -> Vec<Shown>, name: &str) -> Vec<String> {
    brief(of(TYPES, &Sought::Type { name: name.into() }))
}

fn members(of: fn(&str, &Sought) -> Vec<Shown>, model: &str, name: &str) -> Vec<String> {
    brief(of(TYPES, &Sought::Property { models: vec![model.into()], name: name.into() }))
}

#[test]
fn attributes_give_public_types_and_members_names_of_their_own() {
    assert_eq!(types(own_names, "BoundingBox"), ["4:GeoBox"]);
    assert_eq!(types(own_names, "InternalBox"), Vec::<String>::new());
    assert_eq!(members(own_names, "BoundingBox", "northWest"), ["7:GeoBox.TopLeft"]);
    assert_eq!(members(own_names, "Order", "asc"), ["19:Order.Ascending"]);
    for (model, name) in [("BoundingBox", "southEast"), ("BoundingBox", "wire"), ("Order", "northWest")] {
        assert_eq!(members(own_names, model, name), Vec::<String>::new(), "{model} {name}");
    }
}

#[test]
fn type_is_shown_by_its_name_and_a_half_follows_the_other() {
    let bonds = |name: &str| {
        let found = shown(TYPES, &Sought::Type { name: name.into() });
        found.into_iter().map(|one| one.bond).collect::<Vec<_>>()
    };
    assert_eq!(types(shown, "Route"), ["22:Route"]);
    assert_eq!((bonds("Route"), bonds("Half")), (vec![Bond::Alone], vec![Bond::Half]));
    for name in ["GeoBox", "HiddenBox", "Quiet", "Plain"] {
        assert_eq!(types(shown, name), Vec::<String>::new(), "{name}");
    }
    assert_eq!(members(shown, "BoundingBox", "unit"), ["11:GeoBox.Unit"]);
    assert_eq!(members(shown, "GeoBox", "unit"), ["11:GeoBox.Unit", "22:Route.Unit"]);
    assert_eq!(members(shown, "BoundingBox", "topLeft"), Vec::<String>::new());
}
