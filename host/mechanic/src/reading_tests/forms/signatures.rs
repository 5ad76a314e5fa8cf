//! Parameters and properties that a line of code shows.

use super::*;

pub(super) const READ: Forms = &[
    (
        "P",
        &[
            "```python\nclass {T}:\n    {P}: float\n```\n\nRename {P} to {P2}.",
            "```\n{T}.{P}\n```\n\nPlease call it {P2}.",
            "```java\nclass {T} {\n    private Double {P};\n}\n```\n\n{P} should be {P2}.",
            "```csharp\npublic partial class {T}\n{\n    public double {P} { get; }\n}\n```\nRename {P} to {P2}.",
            "> public double {P} { get; }\n\nin {T}. Should be {P2}.",
            "> {P}: float\n\nShould be {P2}.",
            "```go\ntype {T} struct {\n\t{P} *float64\n}\n```\nThe field should be {P2}.",
            "```ts\nexport interface {T} {\n  {P}: number;\n}\n```\nPlease rename this property to {P2}.",
            "ElementId: Contoso.{T}.{P}\nComment: should be {P2}",
            "Line: {P}: float\nComment: rename to {P2}",
            "Code: `{P}: float`\nComment: {P2} would be clearer, please rename",
            "`{T}({P}=0.5)`: please rename {P} to {P2}.",
            "`new {T} { {P} = 0.5 }`: {P} should be {P2}.",
            "`{T}.{P}`: {P2}",
            "`result.{P}` should be `result.{P2}`.",
            "The field {T}.{P} should be {P2}.",
            "The {P} field on {T} should be named {P2}.",
            "`{T}` has `{P}: float`; rename to `{P2}`.",
            "In `class {T}`, rename `{P}` to `{P2}`.",
        ],
    ),
    (
        "O",
        &[
            "```python\ndef {O}(self, name: str, **kwargs: Any) -> {T}:\n```\n\nRename to {O2}.",
            "```\n{O}(name)\n```\n\nPlease call this {O2}.",
            "> {O}(name)\n\nShould be {O2}.",
            "> {O}(self, name: str)\n\nRename the method to {O2}.",
            "`{O}(name)` should be `{O2}(name)`.",
            "`client.{O}(name)` should be `client.{O2}(name)`.",
            "`{O}()` -> `{O2}()`",
            "```csharp\npublic virtual Response<{T}> {O}(string name, CancellationToken cancellationToken = default)\n```\nThe method should be called {O2}.",
            "```go\nfunc (client *WidgetsClient) {O}(ctx context.Context, name string)\n```\nShould be called {O2}.",
            "Line: {O}(name)\nComment: rename to {O2}",
        ],
    ),
    (
        "-D",
        &[
            "```python\ndef {D}(self, name: str) -> None:\n```\n\nShould be internal.",
            "> {D}(name)\n\nPlease make this internal.",
            "> {D}(name)\n\nWhy is this public? Please hide it.",
            "`client.{D}(name)` should not be public.",
            "`{D}(string)`: make it internal.",
            "Line: {D}(name)\nComment: make internal",
        ],
    ),
];

pub(super) const HELD: Forms = &[(
    "",
    &[
        "```python\ndef {O}(self, name: str) -> {T}:\n```\n\nThe second parameter should be called title.",
        "```java\n{O}(String name, Context context)\n```\nRename the last parameter to requestContext.",
        "> {O}(name)\n\nShould return a pager.",
        "> {O}(name)\n\nThe return type should be {T2}.",
        "> {O}(name)\n\nWhy is this public?",
        "`{O}(name)` should be async.",
        "> public double {P} { get; }\n\nShould be nullable.",
        "> {P}: float\n\nShould be int.",
        "`{T}.{P}` should be required.",
        "> {P}: float\n\nNot {P2}, please.",
    ],
)];

#[test]
fn parameter_of_a_signature_is_read() {
    let index = sample::index();
    let mut missed = Vec::new();
    let texts = [
        "`delete_widget(self, widget_name: str, **kwargs)`: rename `widget_name` here to `title`.",
        "`delete_widget(self, widget_name: str, **kwargs)`: rename the first parameter to `title`.",
        "`delete_widget(widget_name)`: the parameter should be called `title`.",
        "```python\ndef delete_widget(self, widget_name: str, **kwargs: Any) -> None:\n```\n\nPlease rename the parameter to `title`.",
        "```python\ndef delete_widget(self, widget_name: str, **kwargs: Any) -> None:\n```\n\n`widget_name` should be `title`.",
        "```python\ndef delete_widget(self, widget_name: str, **kwargs: Any) -> None:\n                        ^^^^^^^^^^^\n```\n\nPlease rename to `title`.",
        "> def delete_widget(self, widget_name: str) -> None\n\nwidget_name -> title",
        "> def delete_widget(self, widget_name: str) -> None\n\nRename widget_name to title.",
        "The `widget_name` parameter of `delete_widget` should be `title`.",
        "In `delete_widget`, `widget_name` should be `title`.",
        "delete_widget: widget_name -> title",
        "delete_widget(widget_name -> title)",
        "`delete_widget(widget_name=\"a\")` should read `delete_widget(title=\"a\")`.",
        "`delete_widget(widget_name)` should be `delete_widget(title)`.",
        "Rename the argument widget_name of delete_widget to title.",
        "Rename the parameter `widget_name` to `title` in `delete_widget`.",
        "delete_widget takes widget_name; that should be title.",
    ];
    for text in texts {
        let found = understand(text, Language::Python, &index).actions;
        let fits = |change: &Change| matches!(change, Change::Rename { target, name, .. } if target.contains("deleteWidget::") && name == "title");
        assert!(found.iter().all(|one| fits(&one.change)), "{text}: {found:#?}");
        if found.len() != 1 {
            missed.push(text);
        }
    }
    assert!(missed.len() * 4 <= texts.len(), "{}", missed.join("\n\n"));
}

#[test]
fn lines_of_code_are_read() {
    assert_read(READ, 93);
}

#[test]
fn lines_of_code_that_other_things_are_said_of_are_left() {
    assert_read(HELD, 100);
}
