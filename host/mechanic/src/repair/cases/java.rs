//! Java: customization classes, which name generated code in strings, and sources beside generated code.

use super::Break::{Duplicate, Import, Reference, Reserved};
use super::Outcome::{Becomes, Left};
use super::{Example, Renamed};
use bailiwick_sdk::tasks::EntityKind::{Enum, Model, Operation, Property};

const FILE: &str = "sdk/customization/src/main/java/C.java";
const CLIENT: &str = "sdk/src/main/java/com/w/WidgetsClient.java";
const HELPER: &str = "sdk/src/main/java/com/w/Helper.java";
const WIDGET: &str = "sdk/src/main/java/com/w/models/Widget.java";
const TITLE: Renamed = (Property, "Widget", "displayName", "title");

pub(super) const EXAMPLES: &[Example] = &[
    Example {
        of: Duplicate,
        what: "a field or method that the customization adds and the service has by now, with the same type",
        renames: &[],
        errors: &[(WIDGET, 9, 20, "", "variable title is already defined in class com.w.models.Widget", "title")],
        files: &[(
            FILE,
            "public class C extends Customization {\n    public void customize(LibraryCustomization library, Logger logger) {\n        library.getClass(\"com.w.models\", \"Widget\").customizeAst(ast -> {\n            ClassOrInterfaceDeclaration clazz = ast.getClassByName(\"Widget\").get();\n            clazz.addField(\"String\", \"title\");\n            clazz.addField(\"String\", \"other\");\n        });\n    }\n}\n",
        )],
        generated: &[(
            WIDGET,
            "package com.w.models;\npublic class Widget {\n  private String title;\n  String title;\n}\n",
        )],
        outcome: Becomes(
            "public class C extends Customization {\n    public void customize(LibraryCustomization library, Logger logger) {\n        library.getClass(\"com.w.models\", \"Widget\").customizeAst(ast -> {\n            ClassOrInterfaceDeclaration clazz = ast.getClassByName(\"Widget\").get();\n            clazz.addField(\"String\", \"other\");\n        });\n    }\n}\n",
        ),
    },
    Example {
        of: Duplicate,
        what: "an addition of another type than the service's",
        renames: &[],
        errors: &[(WIDGET, 9, 20, "", "variable title is already defined in class com.w.models.Widget", "title")],
        files: &[(
            FILE,
            "public class C extends Customization {\n    public void customize(LibraryCustomization library, Logger logger) {\n        library.getClass(\"com.w.models\", \"Widget\").customizeAst(ast -> {\n            ClassOrInterfaceDeclaration clazz = ast.getClassByName(\"Widget\").get();\n            clazz.addField(\"String\", \"title\");\n        });\n    }\n}\n",
        )],
        generated: &[(
            WIDGET,
            "package com.w.models;\npublic class Widget {\n  private int title;\n  String title;\n}\n",
        )],
        outcome: Left("in the other"),
    },
    Example {
        of: Reference,
        what: "types, fields, getters and setters that strings name, those that nothing but the drift check misses too",
        renames: &[TITLE],
        errors: &[
            (FILE, 5, 0, "missing-member", "the customization asks for it", "getDisplayName"),
            (WIDGET, 9, 0, "", "cannot find symbol; symbol: variable displayName", "displayName"),
        ],
        files: &[(
            FILE,
            "public class C extends Customization {\n    public void customize(LibraryCustomization library, Logger logger) {\n        library.getClass(\"com.w.models\", \"Widget\").customizeAst(ast -> {\n            ClassOrInterfaceDeclaration clazz = ast.getClassByName(\"Widget\").get();\n            clazz.getMethodsByName(\"getDisplayName\").forEach(m -> m.setPublic(true));\n            clazz.addMethod(\"getLabel\").setBody(StaticJavaParser.parseBlock(\"{ return this.displayName; }\"));\n        });\n    }\n}\n",
        )],
        generated: &[],
        outcome: Becomes(
            "public class C extends Customization {\n    public void customize(LibraryCustomization library, Logger logger) {\n        library.getClass(\"com.w.models\", \"Widget\").customizeAst(ast -> {\n            ClassOrInterfaceDeclaration clazz = ast.getClassByName(\"Widget\").get();\n            clazz.getMethodsByName(\"getTitle\").forEach(m -> m.setPublic(true));\n            clazz.addMethod(\"getLabel\").setBody(StaticJavaParser.parseBlock(\"{ return this.title; }\"));\n        });\n    }\n}\n",
        ),
    },
    Example {
        of: Reference,
        what: "a renamed type with its import, and getters, in a source beside generated code",
        renames: &[(Model, "", "Widget", "Gadget"), (Property, "Gadget", "displayName", "title")],
        errors: &[
            (HELPER, 3, 24, "", "cannot find symbol; symbol: class Widget; location: package com.w.models", "Widget"),
            (HELPER, 6, 26, "", "cannot find symbol; symbol: class Widget; location: class com.w.Helper", "Widget"),
            (
                HELPER,
                7,
                22,
                "",
                "cannot find symbol; symbol: method getDisplayName(); location: variable widget of type com.w.models.Widget",
                "getDisplayName",
            ),
            (HELPER, 10, 9, "", "cannot find symbol; symbol: variable Widget; location: class com.w.Helper", "Widget"),
        ],
        files: &[(
            HELPER,
            "package com.w;\n\nimport com.w.models.Widget;\n\nfinal class Helper {\n    static String label(Widget widget) {\n        return widget.getDisplayName() + title(widget);\n    }\n    static String title(Object widget) {\n        Widget.check(widget);\n        return \"Widget\";\n    }\n}\n",
        )],
        generated: &[],
        outcome: Becomes(
            "package com.w;\n\nimport com.w.models.Gadget;\n\nfinal class Helper {\n    static String label(Gadget widget) {\n        return widget.getTitle() + title(widget);\n    }\n    static String title(Object widget) {\n        Gadget.check(widget);\n        return \"Widget\";\n    }\n}\n",
        ),
    },
    Example {
        of: Reference,
        what: "members that a person wrote in a generated file, whose new import stands there already",
        renames: &[(Model, "", "Part", "Component"), (Operation, "Widgets", "deleteWidget", "removeWidget")],
        errors: &[
            (CLIENT, 3, 24, "", "cannot find symbol; symbol: class Part; location: package com.w.models", "Part"),
            (CLIENT, 7, 12, "", "cannot find symbol; symbol: class Part; location: class com.w.WidgetsClient", "Part"),
            (
                CLIENT,
                8,
                9,
                "",
                "cannot find symbol; symbol: method deleteWidget(java.lang.String); location: class com.w.WidgetsClient",
                "deleteWidget",
            ),
        ],
        files: &[(
            CLIENT,
            "// Code generated by Microsoft (R) TypeSpec Code Generator.\npackage com.w;\nimport com.w.models.Part;\nimport com.w.models.Component;\npublic class WidgetsClient {\n    // Written by hand.\n    public Part own() {\n        deleteWidget(\"a\");\n        return null;\n    }\n    @Generated\n    public void removeWidget(String name) { }\n}\n",
        )],
        generated: &[],
        outcome: Becomes(
            "// Code generated by Microsoft (R) TypeSpec Code Generator.\npackage com.w;\nimport com.w.models.Component;\npublic class WidgetsClient {\n    // Written by hand.\n    public Component own() {\n        removeWidget(\"a\");\n        return null;\n    }\n    @Generated\n    public void removeWidget(String name) { }\n}\n",
        ),
    },
    Example {
        of: Reference,
        what: "calls of a generated method beside hand-written ones of the same name, which keep it",
        renames: &[(Operation, "Widgets", "deleteWidget", "removeWidget")],
        errors: &[
            (
                CLIENT,
                4,
                9,
                "",
                "method deleteWidget in class com.w.WidgetsClient cannot be applied to given types;",
                "deleteWidget",
            ),
            (CLIENT, 4, 22, "", "incompatible types: java.lang.String cannot be converted to com.w.models.Widget", ""),
            (CLIENT, 8, 9, "", "no suitable method found for deleteWidget(java.lang.String,int)", ""),
        ],
        files: &[(
            CLIENT,
            "package com.w;\npublic class WidgetsClient {\n    public void deleteWidget(Widget widget) {\n        deleteWidget(widget.getName());\n    }\n    public void deleteAll(Widget widget) {\n        deleteWidget(widget);\n        deleteWidget(widget.getName(), 1);\n    }\n}\n",
        )],
        generated: &[],
        outcome: Becomes(
            "package com.w;\npublic class WidgetsClient {\n    public void deleteWidget(Widget widget) {\n        removeWidget(widget.getName());\n    }\n    public void deleteAll(Widget widget) {\n        deleteWidget(widget);\n        removeWidget(widget.getName(), 1);\n    }\n}\n",
        ),
    },
    Example {
        of: Reference,
        what: "calls of a renamed operation in a hand-written client around the generated implementation",
        renames: &[(Operation, "", "deleteWidget", "removeWidget")],
        errors: &[(
            CLIENT,
            5,
            23,
            "",
            "cannot find symbol; symbol: method deleteWidgetWithResponse(java.lang.String); location: variable implClient of type com.w.implementation.WidgetsClientImpl",
            "deleteWidgetWithResponse",
        )],
        files: &[(
            CLIENT,
            "package com.w;\npublic class WidgetsClient {\n    private final WidgetsClientImpl implClient;\n    public Response<Void> deleteWidgetWithResponse(String name) {\n        return implClient.deleteWidgetWithResponse(name);\n    }\n}\n",
        )],
        generated: &[],
        outcome: Becomes(
            "package com.w;\npublic class WidgetsClient {\n    private final WidgetsClientImpl implClient;\n    public Response<Void> deleteWidgetWithResponse(String name) {\n        return implClient.removeWidgetWithResponse(name);\n    }\n}\n",
        ),
    },
    Example {
        of: Reference,
        what: "a type whose loss makes the compiler misjudge other expressions of the same method",
        renames: &[(Enum, "", "Unit", "Measure")],
        errors: &[
            (HELPER, 4, 28, "", "cannot find symbol; symbol: class Unit; location: class com.w.Helper", "Unit"),
            (HELPER, 5, 60, "", "incompatible types: inference variable T has incompatible bounds", ""),
        ],
        files: &[(
            HELPER,
            "package com.w;\nimport com.w.models.Unit;\nfinal class Helper {\n    static List<String> of(List<Unit> units) {\n        List<String> names = units.stream().map(one -> one.toString()).collect(Collectors.toList());\n        return names;\n    }\n}\n",
        )],
        generated: &[],
        outcome: Becomes(
            "package com.w;\nimport com.w.models.Measure;\nfinal class Helper {\n    static List<String> of(List<Measure> units) {\n        List<String> names = units.stream().map(one -> one.toString()).collect(Collectors.toList());\n        return names;\n    }\n}\n",
        ),
    },
    Example {
        of: Reference,
        what: "an error of the same kind in another method",
        renames: &[(Enum, "", "Unit", "Measure")],
        errors: &[
            (HELPER, 4, 17, "", "cannot find symbol; symbol: class Unit; location: class com.w.Helper", "Unit"),
            (HELPER, 6, 20, "", "incompatible types: java.lang.String cannot be converted to int", ""),
        ],
        files: &[(
            HELPER,
            "package com.w;\nimport com.w.models.Unit;\nfinal class Helper {\n    static void of(Unit unit) { }\n    static int size() {\n        return \"a\";\n    }\n}\n",
        )],
        generated: &[],
        outcome: Left("not explained"),
    },
    Example {
        of: Reference,
        what: "a method of a hand-written type that is called as the renamed one was",
        renames: &[TITLE],
        errors: &[(
            HELPER,
            3,
            22,
            "",
            "cannot find symbol; symbol: method getDisplayName(); location: variable label of type com.w.Label",
            "getDisplayName",
        )],
        files: &[(
            HELPER,
            "package com.w;\nfinal class Helper {\n    static String of(Label label) { return label.getDisplayName(); }\n}\n",
        )],
        generated: &[],
        outcome: Left("not explained"),
    },
    Example {
        of: Import,
        what: "a class that added code uses without an import",
        renames: &[(Model, "", "AnalyzeResult", "WidgetAnalysis")],
        errors: &[(WIDGET, 9, 0, "", "cannot find symbol; symbol: class List", "List")],
        files: &[(
            FILE,
            "public class C extends Customization {\n    public void customize(LibraryCustomization library, Logger logger) {\n        library.getClass(\"com.w.models\", \"Widget\").customizeAst(ast -> {\n            ast.getClassByName(\"Widget\").get().addField(\"List<String>\", \"names\");\n        });\n    }\n}\n",
        )],
        generated: &[],
        outcome: Left("neither from a rename"),
    },
    Example {
        of: Reserved,
        what: "a new name that Java keeps for itself, for the emitter writes another one",
        renames: &[(Property, "Widget", "displayName", "class")],
        errors: &[(FILE, 5, 0, "missing-member", "the customization asks for it", "getDisplayName")],
        files: &[(
            FILE,
            "public class C extends Customization {\n    public void customize(LibraryCustomization library, Logger logger) {\n        library.getClass(\"com.w.models\", \"Widget\").customizeAst(ast -> {\n            ClassOrInterfaceDeclaration clazz = ast.getClassByName(\"Widget\").get();\n            clazz.getMethodsByName(\"getDisplayName\").forEach(m -> m.setPublic(true));\n        });\n    }\n}\n",
        )],
        generated: &[],
        outcome: Left("keeps for itself"),
    },
];
