//! Java, whose customization classes name generated code in strings.

use super::Break::{Duplicate, Import, Reference, Reserved};
use super::Outcome::{Becomes, Left};
use super::{Example, Renamed};
use bailiwick_sdk::tasks::EntityKind::{Model, Property};

const FILE: &str = "sdk/customization/src/main/java/C.java";
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
        of: Import,
        what: "a class that added code uses without an import",
        renames: &[(Model, "", "AnalyzeResult", "WidgetAnalysis")],
        errors: &[(WIDGET, 9, 0, "", "cannot find symbol; symbol: class List", "List")],
        files: &[(
            FILE,
            "public class C extends Customization {\n    public void customize(LibraryCustomization library, Logger logger) {\n        library.getClass(\"com.w.models\", \"Widget\").customizeAst(ast -> {\n            ast.getClassByName(\"Widget\").get().addField(\"List<String>\", \"names\");\n        });\n    }\n}\n",
        )],
        generated: &[],
        outcome: Left("come neither from a rename"),
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
