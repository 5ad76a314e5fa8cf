//! Wordings that are understood, and wordings that are not, as data: tests check them and documentation shows them.
//!
//! They speak of a service with the operations `Widgets.deleteWidget` and `Widgets.getStatistics`/`Parts.getStatistics`,
//! the model `AnalyzeResult` and the property `displayName` of `Widget`, `Part` and `Manufacturer`; the package is Python's.

/// Wordings that hide the operation `Widgets.deleteWidget`.
pub const HIDE: &[&str] = &[
    "hide the operation deleteWidget",
    "Hide operation deleteWidget from the Python SDK",
    "Please hide delete_widget.",
    "Could you hide `Widgets.deleteWidget` in Python?",
    "hide \"delete widget\" from the Python client library",
    "make deleteWidget internal",
    "Make the delete widget operation private in the Python SDK, please!",
    "mark Widgets.deleteWidget as internal for Python",
    "Can you mark the method delete_widget as internal for Python, thanks!",
    "Can you mark the method delete_widget as internal for Python? Thanks!",
    "deleteWidget should no longer be public in Python",
    "set the access of deleteWidget to internal",
    "set deleteWidget's visibility to internal",
    "set deleteWidget access to internal",
    "change deleteWidget from public to internal",
    "remove deleteWidget from the public API",
    "Remove the deleteWidget method from the public surface of the Python SDK",
    "take delete_widget out of Python's public API",
    "drop deleteWidget from the public Python API surface",
    "deleteWidget should be internal",
    "deleteWidget must be hidden in the Python client",
    "deleteWidget needs to be private",
    "deleteWidget should not be public",
    "The operation deleteWidget shouldn't be public in Python",
    "deleteWidget shouldn't be visible to users",
    "delete_widget must not be exposed",
    "deleteWidget should not be part of the public API",
    "don't expose deleteWidget",
    "do not expose the deleteWidget operation in the Python SDK",
    "The Python SDK should not expose deleteWidget",
    "We should not expose deleteWidget in Python",
    "I don't want deleteWidget to be public",
    "users should not see deleteWidget",
    "I would like to hide deleteWidget",
    "We need to hide the deleteWidget operation in the Widgets interface",
    "In Python, hide deleteWidget.",
    "API review feedback: hide deleteWidget",
    "Python: hide deleteWidget",
    "hide WidgetsOperations.delete_widget",
    "Hello team,\n\nplease hide deleteWidget from the Python SDK.\n\nThanks!",
    "hide deleteWidget because it is dangerous",
    "Since customers lose data, hide deleteWidget in Python.",
    "hide the deleteWidget operation so that people use the portal",
    "add Access.internal to deleteWidget",
    "- [ ] hide deleteWidget",
    "make deleteWidget an internal operation",
    "turn deleteWidget into a private method",
    "Could deleteWidget be made internal?",
];

/// Wordings of the same that speak as if it were done.
pub const HIDDEN_ALREADY: &[&str] = &[
    "make sure deleteWidget is hidden",
    "ensure that deleteWidget is internal in Python",
    "make sure that the deleteWidget operation is not public",
    "deleteWidget is already hidden",
    "deleteWidget has already been made internal",
    "I already hid deleteWidget in the Python SDK",
    "we have already marked deleteWidget as internal",
];

/// Misspelt wordings of the same.
pub const HIDE_MISSPELT: &[&str] = &[
    "hdie deleteWidget",
    "hide deleteWidget from the pyhton SDK",
    "plese hide the operaton deleteWidget",
    "make deleteWidget intrenal",
    "remvoe deleteWidget from the pubilc API",
    "hide teh deleteWidget opertion in Pyton",
    "deleteWidget shoud not be publik",
];

/// Wordings that rename the model `AnalyzeResult` to `WidgetAnalysis`.
pub const RENAME_MODEL: &[&str] = &[
    "rename model AnalyzeResult to WidgetAnalysis",
    "Rename the model `AnalyzeResult` to `WidgetAnalysis` in the Python SDK.",
    "please rename analyze_result to WidgetAnalysis",
    "rename AnalyzeResult -> WidgetAnalysis",
    "AnalyzeResult should be called WidgetAnalysis in Python",
    "the AnalyzeResult class should be named WidgetAnalysis",
    "AnalyzeResult needs to be renamed to WidgetAnalysis",
    "call AnalyzeResult WidgetAnalysis in the python sdk",
    "name the model AnalyzeResult \"WidgetAnalysis\"",
    "change the name of AnalyzeResult to WidgetAnalysis",
    "change AnalyzeResult's name to widget_analysis",
    "set the client name of AnalyzeResult to WidgetAnalysis",
    "use the name WidgetAnalysis for AnalyzeResult",
    "use WidgetAnalysis as the name of AnalyzeResult in Python",
    "give AnalyzeResult the name WidgetAnalysis",
    "the Python name of AnalyzeResult should be WidgetAnalysis",
    "Could you rename the AnalyzeResult type to WidgetAnalysis for Python users?",
    "I'd like AnalyzeResult to be called WidgetAnalysis",
    "replace the name AnalyzeResult with WidgetAnalysis",
    "rename azure.widget.models.AnalyzeResult to WidgetAnalysis",
    "In the SDK for Python, rename AnalyzeResult to WidgetAnalysis.",
    "rename AnalyzeResult to WidgetAnalysis because the word result says little",
];

/// Wordings of the same that speak as if it were done.
pub const RENAMED_ALREADY: &[&str] = &[
    "make sure AnalyzeResult is called WidgetAnalysis",
    "AnalyzeResult is already called WidgetAnalysis in Python",
    "AnalyzeResult has already been renamed to WidgetAnalysis",
    "I have already renamed AnalyzeResult to WidgetAnalysis",
];

/// Misspelt wordings of the same.
pub const RENAME_MODEL_MISSPELT: &[&str] = &[
    "renmae AnalyzeResult to WidgetAnalysis",
    "rename modell AnalyzeResult to WidgetAnalysis in pyhton",
    "chnage the nmae of AnalyzeResult to WidgetAnalysis",
    "AnalyzeResult shuld be caled WidgetAnalysis",
];

/// Wordings that rename the property `Widget.displayName` to `title`.
pub const RENAME_PROPERTY: &[&str] = &[
    "rename Widget.displayName to title",
    "rename the displayName property of Widget to title",
    "rename the property displayName on the Widget model to title in Python",
    "rename Widget's displayName to title",
    "rename display_name of Widget to title",
    "rename Widget.display_name to Widget.title",
    "rename the Widget displayName property to title",
    "Widget.displayName should be called title in Python",
    "call the displayName property of Widget title",
    "change the name of the property displayName in Widget to Title",
    "use the name title for Widget.displayName",
    "the name of Widget.displayName should be title",
    "rename the field Widget.display_name to \"title\" for the Python client",
    "give the displayName property of the Widget model the name title",
];

/// Wordings that move the operation `Widgets.deleteWidget`, with what stands in the decorator.
pub const MOVED: &[(&str, &str)] = &[
    ("move deleteWidget to the Parts interface", "Contoso.WidgetManager.Parts"),
    ("Please move the operation Widgets.deleteWidget to Parts in Python.", "Contoso.WidgetManager.Parts"),
    ("put delete_widget into the Parts group", "Contoso.WidgetManager.Parts"),
    ("deleteWidget should be moved to Parts", "Contoso.WidgetManager.Parts"),
    ("deleteWidget should live in the Parts group", "Contoso.WidgetManager.Parts"),
    ("move deleteWidget to the root client", "Contoso.WidgetManager"),
    ("put deleteWidget on the main client in the Python SDK", "Contoso.WidgetManager"),
    ("move deleteWidget to a new group called Disposal", "\"Disposal\""),
];

/// Wordings that make three clients of the operations, one of them for a single widget.
pub const REGROUPED: &[&str] = &[
    "split the client into WidgetManagerClient with listWidgets, Widgets.getStatistics, PartsClient with getPart, deletePart and Parts.getStatistics, and WidgetItemClient with getWidget, createOrUpdateWidget, deleteWidget and analyzeWidget, initialized with widgetName as widgetId",
    "Split the Python client into three clients: WidgetManagerClient with listWidgets and Widgets.getStatistics, PartsClient with the operations of Parts, and WidgetItemClient with the other operations, initialized with widgetName as widgetId.",
    "Please use three clients for the Python SDK: WidgetManagerClient with list_widgets and Widgets.getStatistics, PartsClient with all operations of the Parts interface and WidgetItemClient with the rest initialised with the parameter widget_name as widgetId",
    "could you group the operations into 3 clients: WidgetManagerClient for listWidgets and Widgets.getStatistics, PartsClient for the Parts operations, WidgetItemClient for everything else that takes widgetName as widgetId",
];

/// Wordings of regroupings that are answered with guidance, and what it says.
pub const REGROUPINGS_REFUSED: &[(&str, &str)] = &[
    (
        "split the client into WidgetClient with getWidget and PartsClient with the operations of Parts",
        "no client gets",
    ),
    (
        "split the client into WidgetClient with the operations of Parts and getPart and OtherClient with the rest",
        "is named twice",
    ),
    ("split the client into WidgetClient with the rest and PartsClient with the rest", "two clients get the rest"),
    (
        "split the client into three clients: WidgetClient with the operations of Widgets and PartsClient with the rest",
        "announces 3 clients and names 2",
    ),
    (
        "split the client into WidgetClient with the operations of Widgets, initialized with widgetName, and PartsClient with the rest",
        "has no such required parameter",
    ),
    (
        "split the client into WidgetClient with getWidget, deleteWidget initialized with widgetId and PartsClient with the rest",
        "they all have `widgetName`",
    ),
    ("split the client into WidgetClient with getStatistics and PartsClient with the rest", "can mean"),
    ("split the client into WidgetClient with getGadget and PartsClient with the rest", "nothing called `getGadget`"),
    ("split the client into WidgetClient with listWidgets and PartsClient with the rest", "two operations called"),
];

/// Wordings that are answered with guidance, and why.
pub const REFUSED: &[(&str, &str)] = &[
    ("do not hide deleteWidget", "a negation"),
    ("don't hide deleteWidget", "a negation"),
    ("never hide deleteWidget", "a negation"),
    ("deleteWidget should not be hidden", "a negation"),
    ("make deleteWidget not internal", "a negation"),
    ("please do not rename AnalyzeResult to WidgetAnalysis", "a negation"),
    ("hide everything except deleteWidget", "an exception"),
    ("hide deleteWidget unless it is used", "an exception"),
    ("stop hiding deleteWidget", "a word that turns the meaning round"),
    ("unhide deleteWidget", "another verb"),
    ("make deleteWidget public", "another verb"),
    ("hide deleteWidget if nobody uses it", "a condition"),
    ("hide deleteWidget when the preview ends", "a condition"),
    ("only hide deleteWidget", "a condition"),
    ("hide deleteWidget after the release", "a condition"),
    ("Hide deleteWidget. But not in the preview.", "a second sentence that restricts"),
    ("Hide deleteWidget. Only for the preview.", "a second sentence that restricts"),
    ("hide both delete operations", "a quantity"),
    ("hide getStatistics", "two operations of the name"),
    ("rename displayName to title", "three properties of the name"),
    ("hide the documentation of deleteWidget", "something else that belongs to the target"),
    ("hide deleteWidget's retry parameter", "something else that belongs to the target"),
    ("hide the deleteWidget model", "the noun contradicts the kind"),
    ("rename the model deleteWidget to removeWidget", "the noun contradicts the kind"),
    ("hide purgeWidgets", "no such entity"),
    ("hide deleteWidgit", "nearly an entity"),
    ("hide the operation", "no target"),
    ("rename AnalyzeResult", "no new name"),
    ("rename AnalyzeResult to something better", "no new name"),
    ("rename AnalyzeResult to 2fast", "no identifier"),
    ("rename AnalyzeResult to \"Widget Analysis\"", "no identifier"),
    ("rename Widget.displayName to class", "a reserved word"),
    ("rename Widget.displayName to items", "a name that the emitter changes"),
    ("rename Widget.displayName to description", "a name that is taken"),
    ("rename AnalyzeResult to Widget", "a name that is taken"),
    ("hide Widget.displayName", "a kind that cannot be hidden"),
    ("hide the Widgets interface", "a kind that cannot be hidden"),
    ("rename the scalar partNumber to PartId", "a kind that cannot be renamed"),
    ("remove deleteWidget", "it may mean to delete it"),
    ("delete deleteWidget", "it may mean to delete it"),
    ("deleteWidget should be called twice", "an everyday meaning of called"),
    ("call deleteWidget asynchronously", "an everyday meaning of call"),
    ("deleteWidget is hidden", "a statement"),
    ("should we hide deleteWidget?", "a question"),
    ("why is deleteWidget hidden?", "a question"),
    ("hide deleteWidget?", "a question"),
    ("add retry with circuit breaker to the client", "out of scope"),
    ("move deleteWidget", "no place"),
    ("move deleteWidget to the Gadgets interface", "no such place"),
    ("move the model Widget to Parts", "no operation"),
    ("The weather is nice.", "no request"),
    ("", "nothing"),
    ("```\nhide deleteWidget\n```", "a log"),
];
