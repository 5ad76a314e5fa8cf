use super::*;
use crate::repair::{Case, Limits, Reader, Text};
use bailiwick_sdk::tasks::{Diagnostic, EntityKind, Rename, Severity};

const PATH: &str = "sdk/customization/src/main/java/C.java";

fn class(body: &str) -> String {
    format!(
        "import x.Y;\npublic class C extends Customization {{\n    public void customize(LibraryCustomization library, Logger logger) {{\n\
        \x20       library.getClass(\"com.w.models\", \"Widget\").customizeAst(ast -> {{\n\
        \x20           ClassOrInterfaceDeclaration clazz = ast.getClassByName(\"Widget\").get();\n{body}\n        }});\n    }}\n}}\n"
    )
}

fn error(tool: &str, file: &str, line: u32, message: &str, symbol: Option<&str>, code: Option<&str>) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        file: Some(file.into()),
        line: Some(line),
        column: None,
        code: code.map(str::to_owned),
        message: message.into(),
        symbol: symbol.map(str::to_owned),
        tool: tool.into(),
    }
}

fn missing(symbol: &str) -> Diagnostic {
    let message = format!("cannot find symbol; symbol: variable {symbol}");
    error("javac", "sdk/src/main/java/com/w/models/Widget.java", 9, &message, Some(symbol), None)
}

fn twice(what: &str, symbol: &str) -> Diagnostic {
    let message = format!("{what} is already defined in class com.w.models.Widget");
    error("javac", "sdk/src/main/java/com/w/models/Widget.java", 9, &message, Some(symbol), None)
}

fn drift(symbol: &str, line: u32) -> Diagnostic {
    error("drift", PATH, line, "the customization asks for it", Some(symbol), Some("missing-member"))
}

fn property(class: &str, old: &str, new: &str) -> Rename {
    Rename { kind: EntityKind::Property, container: Some(class.into()), old: old.into(), new: new.into() }
}

const LIMITS: Limits = Limits { lines: 19, files: 4 };

/// The file after the repair, or the doubts.
fn repaired(text: &str, generated: &str, renames: &[Rename], errors: &[Diagnostic]) -> Result<String, Vec<String>> {
    let file = |path: &str, text: &str| [Text { path: path.to_owned(), text: text.to_owned() }];
    let (files, generated) = (file(PATH, text), file("sdk/src/main/java/com/w/models/Widget.java", generated));
    let case =
        Case { files: &files, generated: &generated, package: "w", renames, diagnostics: errors, limits: LIMITS };
    let hunks = Java.repair(&case).map_err(|doubts| doubts.into_iter().map(|doubt| doubt.issue).collect::<Vec<_>>())?;
    // As the tool applies them, one after the other.
    let mut text = text.to_owned();
    for hunk in hunks {
        assert_eq!(text.matches(&hunk.old).count(), 1, "{hunk:?}");
        text = text.replacen(&hunk.old, &hunk.new, 1);
    }
    Ok(text)
}

fn doubts(text: &str, generated: &str, renames: &[Rename], errors: &[Diagnostic]) -> String {
    repaired(text, generated, renames, errors).unwrap_err().join("; ")
}

#[test]
fn code_in_strings_follows_the_rename_of_its_own_class_alone() {
    let text = class(
        "            clazz.addMethod(\"getLabel\").setBody(StaticJavaParser.parseBlock(\n\
         \x20               \"{ return this.displayName + \\\" displayName \\\" + getDisplayName(); }\"));\n\
         \x20           library.getClass(\"com.w.models\", \"Part\").customizeAst(other -> other.getClassByName(\"Part\").get()\n\
         \x20               .getMethodsByName(\"getDisplayName\").forEach(m -> m.setPublic(true)));",
    );
    let renames = [property("Widget", "displayName", "title")];
    let after = repaired(&text, "", &renames, &[missing("displayName")]).unwrap();
    assert!(after.contains("this.title + \\\" displayName \\\" + getTitle()"), "{after}");
    assert!(after.contains(".getMethodsByName(\"getDisplayName\")"), "another class keeps its own: {after}");
}

#[test]
fn question_that_nothing_notices_follows_the_rename() {
    let text = class("            clazz.getMethodsByName(\"getDisplayName\").forEach(m -> m.setPublic(true));");
    let renames = [property("Widget", "displayName", "title")];
    let after = repaired(&text, "", &renames, &[drift("getDisplayName", 6)]).unwrap();
    assert_eq!(after, text.replace("getDisplayName", "getTitle"));
}

#[test]
fn exception_is_explained_by_a_question_in_the_same_method_and_by_none_in_another() {
    let text = class("            clazz.getMethodsByName(\"getDisplayName\").get(0).remove();");
    let renames = [property("Widget", "displayName", "title")];
    let thrown = |line| error("customization", PATH, line, "the customization failed: Index 0", None, Some("thrown"));
    assert!(repaired(&text, "", &renames, &[thrown(6)]).is_ok());
    assert!(doubts(&text, "", &renames, &[thrown(40)]).contains("Index 0"));
    // What does not even compile has another cause.
    let broken = error("customization", PATH, 6, "cannot find symbol; symbol: method x()", Some("x"), None);
    assert!(doubts(&text, "", &renames, &[broken]).contains("neither from a rename"));
}

#[test]
fn renamed_type_is_followed_in_questions_and_in_code() {
    let text = class(
        "            library.getClass(\"com.w.models\", \"Result\").customizeAst(x -> x.getClassByName(\"Result\").get());\n\
         \x20           clazz.addField(\"Result\", \"last\");\n            clazz.addImport(\"com.w.models.Result\");\n            logger.info(\"Result\");",
    );
    let renames = [Rename { kind: EntityKind::Model, container: None, old: "Result".into(), new: "Outcome".into() }];
    let after = repaired(&text, "", &renames, &[missing("Result")]).unwrap();
    for changed in
        ["\"com.w.models\", \"Outcome\"", "getClassByName(\"Outcome\")", "addField(\"Outcome\"", "com.w.models.Outcome"]
    {
        assert!(after.contains(changed), "{changed}: {after}");
    }
    assert!(after.contains("logger.info(\"Result\")"), "prose stays: {after}");
}

#[test]
fn string_of_unknown_meaning_that_names_it_is_doubted() {
    let text = class("            clazz.getMethodsByName(\"getDisplayName\");\n            rewrite(\"displayName\");");
    let renames = [property("Widget", "displayName", "title")];
    let said = doubts(&text, "", &renames, &[drift("getDisplayName", 6)]);
    assert!(said.contains("a string names `displayName`"), "{said}");
}

#[test]
fn parameter_of_the_name_hides_the_field() {
    let text = class(
        "            clazz.addMethod(\"rename\").addParameter(\"String\", \"displayName\")\n\
         \x20               .setBody(StaticJavaParser.parseBlock(\"{ this.displayName = displayName; }\"));",
    );
    let renames = [property("Widget", "displayName", "title")];
    let after = repaired(&text, "", &renames, &[missing("displayName")]).unwrap();
    assert!(after.contains("this.title = displayName"), "{after}");
}

#[test]
fn member_of_something_else_is_changed_only_where_the_compiler_names_its_type() {
    let text = class(
        "            clazz.addMethod(\"a\").setBody(StaticJavaParser.parseBlock(\"{ return other.getDisplayName(); }\"));",
    );
    let renames = [property("Widget", "displayName", "title")];
    let at = |message: &str| {
        error("javac", "sdk/src/main/java/com/w/models/Widget.java", 9, message, Some("getDisplayName"), None)
    };
    let named =
        at("cannot find symbol; symbol: method getDisplayName(); location: variable other of type com.w.models.Widget");
    assert!(repaired(&text, "", &renames, &[named]).unwrap().contains("other.getTitle()"));
    let unnamed = at("cannot find symbol; symbol: method getDisplayName()");
    assert!(doubts(&text, "", &renames, &[unnamed]).contains("not certain whose"));
}

const BOTH: &str = "package com.w.models;\nclass Widget { String code; String getCode() { return code; }\n String code; String getCode() { return this.code; } }\n";

#[test]
fn statements_that_add_what_the_service_has_go_with_their_lines() {
    let text = class(
        "            clazz.addField(\"String\", \"code\", Modifier.Keyword.PRIVATE);\n            clazz.addMethod(\"getCode\")\n\
         \x20               .setBody(StaticJavaParser.parseBlock(\"{ return this.code; }\"));\n            clazz.setPublic(true);",
    );
    let errors = [twice("variable code", "code"), twice("method getCode()", "getCode")];
    let after = repaired(&text, BOTH, &[], &errors).unwrap();
    assert_eq!(after, class("            clazz.setPublic(true);"));
}

#[test]
fn additions_that_helper_methods_make_go_from_there() {
    let helper = |name: &str, statement: &str| {
        format!("    private void {name}(ClassOrInterfaceDeclaration clazz) {{\n{statement}    }}\n")
    };
    let field = "        clazz.addField(\"String\", \"code\", Modifier.Keyword.PRIVATE);\n";
    let getter = "        clazz.addMethod(\"getCode\").setType(\"String\")\n            .setBody(StaticJavaParser.parseBlock(String.join(\"\\n\",\n                \
                  \"{\", \"return code;\", \"}\")));\n";
    let text = |field: &str, getter: &str| {
        class("            addCode(clazz);\n            addCodeGetter(clazz);")
            + &helper("addCode", field)
            + &helper("addCodeGetter", getter)
    };
    // The helpers are methods of the class.
    let whole = |text: String| text.replacen("\n    }\n}\n", "\n    }\n", 1) + "}\n";
    let errors = [twice("variable code", "code"), twice("method getCode()", "getCode")];
    let after = repaired(&whole(text(field, getter)), BOTH, &[], &errors).unwrap();
    assert_eq!(after, whole(text("", "")));
}

#[test]
fn renamed_type_is_followed_in_joined_code_and_in_imports() {
    let text = class(
        "            ast.addImport(\"com.w.models.Result\");\n            clazz.addMethod(\"poll\").setBody(StaticJavaParser.parseBlock(String.join(\"\\n\",\n\
         \x20               \"{\", \"if (value instanceof Result) {\", \"    Result result = (Result) value;\", \"}\", \"}\")));",
    );
    let renames = [Rename { kind: EntityKind::Model, container: None, old: "Result".into(), new: "Outcome".into() }];
    let after = repaired(&text, "", &renames, &[missing("Result")]).unwrap();
    assert_eq!(after, text.replace("Result", "Outcome"));
}

#[test]
fn variable_that_holds_the_addition_goes_with_everything_that_changes_it() {
    let text = class(
        "            MethodDeclaration getter = clazz.addMethod(\"getCode\");\n            getter.setType(\"String\");\n            clazz.setPublic(true);",
    );
    let errors = [twice("method getCode()", "getCode")];
    assert_eq!(repaired(&text, BOTH, &[], &errors).unwrap(), class("            clazz.setPublic(true);"));
    let kept = text.replace("clazz.setPublic(true)", "help(getter)");
    assert!(doubts(&kept, BOTH, &[], &errors).contains("used for something else"));
}

#[test]
fn addition_of_another_type_than_the_services_is_doubted() {
    let text = class("            clazz.addField(\"String\", \"code\");\n            clazz.setPublic(true);");
    let other = BOTH.replacen("String code", "int code", 1);
    let said = doubts(&text, &other, &[], &[twice("variable code", "code")]);
    assert!(said.contains("`int`") && said.contains("`String`"), "{said}");
}

#[test]
fn addition_in_two_places_and_an_error_of_another_cause_are_doubted() {
    let text =
        class("            clazz.addField(\"String\", \"code\");\n            clazz.addField(\"String\", \"code\");");
    assert!(doubts(&text, BOTH, &[], &[twice("variable code", "code")]).contains("more than one place"));
    let one = class("            clazz.addField(\"String\", \"code\");\n            clazz.setPublic(true);");
    let said = doubts(&one, BOTH, &[], &[twice("variable code", "code"), missing("elsewhere")]);
    assert!(said.contains("neither from a rename"), "{said}");
}

#[test]
fn repair_over_the_limit_is_refused() {
    let line = "            clazz.getMethodsByName(\"getDisplayName\");\n            clazz.setPublic(true);\n";
    let text = class(&line.repeat(20));
    let renames = [property("Widget", "displayName", "title")];
    assert!(doubts(&text, "", &renames, &[drift("getDisplayName", 6)]).contains("19 lines in 4 files is the limit"));
}

#[test]
fn log_is_explained_by_doubled_members_and_by_renames_of_the_specification() {
    let made = [property("Widget", "displayName", "title"), property("Part", "code", "number")];
    let both = [twice("variable operationId", "operationId"), missing("displayName")];
    assert_eq!(renames_behind(&both, &made), Some(vec![made[0].clone()]));
    assert_eq!(renames_behind(&[twice("variable x", "x")], &made), Some(Vec::new()));
    // `code` is gone from another class than the one that the rename is about.
    assert_eq!(renames_behind(&[missing("code")], &made), None);
    assert_eq!(renames_behind(&[], &made), None);
}

#[test]
fn sentence_of_javadoc_follows_where_it_is_certain_and_blocks_nothing() {
    let text = class(
        "            clazz.setJavadocComment(new Javadoc(JavadocDescription.parseText(\"Creates a WidgetState, see {@link #getDisplayName()}, {@link Part#getDisplayName()}. The displayName of it.\")));\n\
         \x20           library.getClass(\"com.w.models\", \"WidgetState\");",
    );
    let model = Rename { kind: EntityKind::Model, container: None, old: "WidgetState".into(), new: "Phase".into() };
    let after = repaired(&text, "", &[model], &[drift("WidgetState", 7)]).unwrap();
    assert_eq!(after, text.replace("WidgetState", "Phase"));

    let text = text
        .replace("library.getClass(\"com.w.models\", \"WidgetState\")", "clazz.getMethodsByName(\"getDisplayName\")");
    let after =
        repaired(&text, "", &[property("Widget", "displayName", "title")], &[drift("getDisplayName", 7)]).unwrap();
    assert!(after.contains("{@link #getTitle()}, {@link Part#getDisplayName()}. The displayName of it."), "{after}");
    assert!(after.contains("clazz.getMethodsByName(\"getTitle\")"), "{after}");
}

#[test]
fn one_word_of_english_in_javadoc_stays_and_a_link_to_the_type_follows() {
    let text = class(
        "            clazz.setJavadocComment(\"The Result, a {@link Result}, of com.w.models.Result or Kind.Result.\");\n\
         \x20           clazz.addImport(\"com.w.models.Result\");",
    );
    let renames = [Rename { kind: EntityKind::Model, container: None, old: "Result".into(), new: "Outcome".into() }];
    let after = repaired(&text, "", &renames, &[missing("Result")]).unwrap();
    assert!(after.contains("\"The Result, a {@link Outcome}, of com.w.models.Result or Kind.Result.\""), "{after}");
    assert!(after.contains("addImport(\"com.w.models.Outcome\")"), "{after}");
}

#[test]
fn documentation_over_the_limit_is_left_as_it_is() {
    let line = "            clazz.setJavadocComment(\"Makes a WidgetState.\");\n            clazz.setPublic(true);\n";
    let text = class(&format!("{}            library.getClass(\"com.w.models\", \"WidgetState\");", line.repeat(20)));
    let model = Rename { kind: EntityKind::Model, container: None, old: "WidgetState".into(), new: "Phase".into() };
    let after = repaired(&text, "", &[model], &[drift("WidgetState", 46)]).unwrap();
    assert_eq!(after, text.replace("\"com.w.models\", \"WidgetState\"", "\"com.w.models\", \"Phase\""));
}

#[test]
fn what_is_certain_is_named_beside_what_is_not() {
    let text = class("            clazz.getMethodsByName(\"getDisplayName\");\n            rewrite(\"displayName\");");
    let renames = [property("Widget", "displayName", "title")];
    let said = doubts(&text, "", &renames, &[drift("getDisplayName", 6)]);
    assert!(said.contains("1 place follows from what is known, and is not changed alone"), "{said}");
}
