use super::*;

fn found(body: &str) -> Vec<(String, Role, Option<String>)> {
    let text = format!(
        "class C extends Customization {{\n public void customize(LibraryCustomization library, Logger logger) {{\n{body}\n }}\n}}\n"
    );
    let source = Source::parse("C.java", &text).unwrap();
    uses(&source).into_iter().map(|one| (one.name, one.role, one.owner)).collect()
}

fn one(body: &str, name: &str) -> (Role, Option<String>) {
    let all = found(body);
    let (_, role, owner) = all.iter().find(|(found, ..)| found == name).unwrap_or_else(|| panic!("{all:?}"));
    (role.clone(), owner.clone())
}

#[test]
fn member_is_asked_for_of_the_class_that_the_lambda_was_given() {
    let body = r#"PackageCustomization models = library.getPackage("com.azure.w.models");
        models.getClass("Widget").customizeAst(ast -> ast.getClassByName("Widget").ifPresent(clazz -> {
            clazz.getFieldByName("displayName").ifPresent(field -> field.setPublic(true));
            clazz.getMethodsByName("getDisplayName").forEach(Node::remove);
        }));"#;
    let widget = Some("Widget".to_owned());
    assert_eq!(one(body, "displayName"), (Role::FindField, widget.clone()));
    assert_eq!(one(body, "getDisplayName"), (Role::FindMethod, widget));
    assert_eq!(one(body, "Widget").0, Role::FindType);
    assert_eq!(one(body, "com.azure.w.models").0, Role::Unknown);
}

#[test]
fn variable_holds_the_class_it_was_given_unless_it_is_assigned_anew() {
    let body = r#"library.getClass("com.azure.w.models", "Part").customizeAst(ast -> {
            ClassOrInterfaceDeclaration clazz = ast.getClassByName("Part").get();
            clazz.addField("String", "code");
        });"#;
    assert_eq!(one(body, "code"), (Role::AddField, Some("Part".to_owned())));
    let again = body.replace("clazz.addField", "clazz = other(); clazz.addField");
    assert_eq!(one(&again, "code"), (Role::AddField, None));
}

#[test]
fn what_is_handed_to_a_method_has_no_certain_owner() {
    let text = "class C { void help(ClassOrInterfaceDeclaration clazz) { clazz.getMethodsByName(\"getX\"); } }";
    let source = Source::parse("C.java", text).unwrap();
    assert_eq!(uses(&source)[0].owner, None);
}

#[test]
fn what_every_caller_hands_to_a_private_helper_has_that_owner() {
    let owner = |calls: &str, head: &str, first: &str| {
        let text = format!(
            "class C {{ void go() {{ {calls} }}\n {head}(Ast clazz, int more) {{ {first} clazz.addField(\"String\", \"code\"); }} }}"
        );
        let source = Source::parse("C.java", &text).unwrap();
        uses(&source).into_iter().find(|one| one.role == Role::AddField).unwrap().owner
    };
    let help = "private void help";
    let widget = "ast.getClassByName(\"Widget\").ifPresent(clazz -> { help(clazz, 1); this.help(clazz, 2); });";
    assert_eq!(owner(widget, help, ""), Some("Widget".to_owned()));
    // Handed another class too, called from elsewhere, never called, assigned anew, or not the only one of its name.
    let part = format!("{widget} help(ast.getClassByName(\"Part\").get(), 3);");
    for (calls, head, first) in [
        (part.as_str(), help, ""),
        (widget, "void help", ""),
        ("", help, ""),
        (widget, help, "clazz = other();"),
        (widget, "private void help() { } private void help", ""),
        ("help(unknown, 1);", help, ""),
    ] {
        assert_eq!(owner(calls, head, first), None, "{calls} {head} {first}");
    }
    let text = "class C { void go() { ast.getClassByName(\"Widget\").ifPresent(this::help); }\n\
        private void help(Ast clazz) { clazz.addField(\"String\", \"code\"); help(clazz); } }";
    let source = Source::parse("C.java", text).unwrap();
    assert_eq!(uses(&source).last().unwrap().owner, None, "its own call has no other end");
    let source = Source::parse("C.java", &text.replace(" help(clazz);", "")).unwrap();
    assert_eq!(uses(&source).last().unwrap().owner, Some("Widget".to_owned()));
}

#[test]
fn strings_that_are_joined_are_one_argument() {
    let body = r#"ast.getClassByName("Poller").ifPresent(clazz -> clazz.addMethod("poll").setBody(StaticJavaParser.parseBlock(
            String.join("\n", "{", "if (value instanceof Widget) {", "}", "}"))));
        logger.info(String.join(" ", "About", "Part"));"#;
    assert_eq!(one(body, "Widget"), (Role::Code { receiver: None }, Some("Poller".to_owned())));
    assert_eq!(one(body, "Part").0, Role::Prose);
}

#[test]
fn code_is_of_the_class_that_it_is_added_to_and_prose_is_not_a_code() {
    let body = r#"models.getClass("Widget").customizeAst(ast -> ast.getClassByName("Widget").ifPresent(clazz ->
            clazz.addMethod("getLabel").setType("String")
                .setBody(StaticJavaParser.parseBlock("{ return this.displayName + \" (\" + part.getName() + \")\"; }"))
                .setJavadocComment("The displayName of it.")));"#;
    let widget = Some("Widget".to_owned());
    assert_eq!(one(body, "displayName"), (Role::Code { receiver: Some("this".into()) }, widget.clone()));
    assert_eq!(one(body, "getName"), (Role::Code { receiver: Some("part".into()) }, widget.clone()));
    assert_eq!(one(body, "getLabel"), (Role::AddMethod, widget));
    assert_eq!(one(body, "The displayName of it.").0, Role::Documentation);
}

#[test]
fn comparison_with_a_name_asks_for_a_member() {
    let body = r#"models.getClass("Kind").customizeAst(ast -> ast.getEnumByName("Kind").get().getEntries().stream()
            .filter(entry -> entry.getNameAsString().equals("ACTIVE")).forEach(entry -> entry.remove()));
        if ("x".equals(other)) { return; }"#;
    assert_eq!(one(body, "ACTIVE"), (Role::FindMember, Some("Kind".to_owned())));
    assert_eq!(one(body, "x").0, Role::Unknown);
}

#[test]
fn statement_that_takes_something_away_is_known() {
    let text = r#"class C { void m() { a.getMethodsByName("x").forEach(Node::remove); a.getMethodsByName("y").forEach(m -> m.setPublic(true)); } }"#;
    let source = Source::parse("C.java", text).unwrap();
    let taken: Vec<_> = uses(&source).into_iter().map(|one| one.takes_away).collect();
    assert_eq!(taken, [true, false]);
}

#[test]
fn texts_of_documentation_and_of_code_are_told_whatever_they_are_wrapped_in() {
    let body = r#"models.getClass("Widget").customizeAst(ast -> ast.getClassByName("Widget").ifPresent(clazz -> {
            clazz.addConstructor(Modifier.Keyword.PUBLIC)
                .setBody(new BlockStmt(new NodeList<>(StaticJavaParser.parseStatement("this.latitude = point.getLat();"))))
                .setJavadocComment(new Javadoc(JavadocDescription.parseText("Creates a Widget."))
                    .addBlockTag("param", "point", "the point of it"));
            clazz.addMember(new FieldAccessExpr(new ThisExpr(), "place"));
            throw new IllegalStateException("no Widget");
        }));"#;
    let widget = Some("Widget".to_owned());
    assert_eq!(one(body, "latitude"), (Role::Code { receiver: Some("this".into()) }, widget.clone()));
    assert_eq!(one(body, "place"), (Role::Code { receiver: Some("this".into()) }, widget.clone()));
    assert_eq!(one(body, "Creates a Widget."), (Role::Documentation, widget.clone()));
    assert_eq!(one(body, "the point of it"), (Role::Documentation, widget));
    assert_eq!(one(body, "no Widget").0, Role::Prose);
}

#[test]
fn code_in_a_variable_is_of_the_class_that_is_handed_the_variable() {
    let body = r#"models.getClass("Widget").customizeAst(ast -> ast.getClassByName("Widget").ifPresent(clazz -> {
            BlockStmt body = StaticJavaParser.parseBlock("{ return this.displayName; }");
            BlockStmt other = new BlockStmt();
            other.addStatement("this.summary = null;");
            clazz.addMethod("getLabel").setBody(body);
            clazz.addMethod("clear").setBody(other);
        }));"#;
    let widget = Some("Widget".to_owned());
    assert_eq!(one(body, "displayName"), (Role::Code { receiver: Some("this".into()) }, widget.clone()));
    assert_eq!(one(body, "summary"), (Role::Code { receiver: Some("this".into()) }, widget));
}

#[test]
fn constants_lists_and_helper_methods_hand_on_what_a_string_is_for() {
    let text = r#"class C extends Customization {
        private static final String WIDGET = "Widget";
        private static final List<String> GONE = Arrays.asList("getA", "getB");
        public void customize(LibraryCustomization library, Logger logger) {
            library.getPackage(PACKAGE).getClass(WIDGET).customizeAst(ast -> ast.getClassByName(WIDGET).ifPresent(clazz -> {
                for (String name : GONE) { clazz.getMethodsByName(name).forEach(Node::remove); }
                List.of("c", "d").forEach(field -> clazz.getFieldByName(field).get().setPublic(true));
            }));
            update(library.getPackage(PACKAGE), "PartBuilder");
            String odd = "Widget2"; odd = "Widget3"; library.getPackage(PACKAGE).getClass(odd);
            library.getPackage(PACKAGE).getClass("Widget" + suffix);
            editor.getFileContent("src/main/java/com/azure/Tool.java");
        }
        private void update(PackageCustomization models, String className) {
            logger.info("updating " + className);
            models.getClass(className).customizeAst(ast -> ast.getClassByName(className).ifPresent(clazz ->
                clazz.addImplementedType(String.format("Trait<%s>", className)).setType(className)));
        }
    }"#;
    let source = Source::parse("C.java", text).unwrap();
    let all = uses(&source);
    let role = |name: &str| {
        let found = all.iter().find(|one| one.name == name).unwrap_or_else(|| panic!("{name}: {all:?}"));
        (found.role.clone(), found.owner.clone())
    };
    let widget = || Some("Widget".to_owned());
    assert_eq!(role("Widget").0, Role::FindType);
    assert_eq!(role("getA"), (Role::FindMethod, widget()));
    assert_eq!(role("d"), (Role::FindField, widget()));
    assert_eq!(role("PartBuilder").0, Role::FindType);
    assert_eq!(role("Tool").0, Role::FindType);
    for name in ["Widget2", "Widget3"] {
        assert_eq!(role(name).0, Role::Unknown, "{name}");
    }
    assert_eq!(
        all.iter().filter(|one| one.name == "Widget").map(|one| &one.role).collect::<Vec<_>>(),
        [&Role::FindType, &Role::Unknown]
    );
}

/// What the public customizations of Key Vault's certificates do with a class that they put elsewhere.
#[test]
fn name_of_a_class_that_paths_and_replaced_texts_are_made_of_is_that_of_the_class() {
    let text = r#"class C extends Customization {
        public void customize(LibraryCustomization library, Logger logger) {
            String directory = "src/main/java/com/azure/models/";
            String oldName = "ErrorError";
            String newName = "WidgetError";
            Editor editor = library.getRawEditor();
            String content = editor.getFileContent(directory + oldName + ".java");
            editor.removeFile(directory + oldName + ".java");
            content = content.replace(oldName, newName).replace("Alone", "Other");
            editor.addFile(directory + newName + ".java", content);
            editor.removeFile("Widget" + "Part" + "s.java");
            String suffix = "Tail";
            editor.removeFile(directory + "Head" + suffix + ".java");
            editor.removeFile(("com/azure/" + "Inner/") + "Mine" + ".java");
            editor.removeFile(unknown + "Behind" + ".java");
        }
    }"#;
    let source = Source::parse("C.java", text).unwrap();
    let all = uses(&source);
    let found = |name: &str| all.iter().find(|one| one.name == name).unwrap_or_else(|| panic!("{name}: {all:?}"));
    assert_eq!((&found("ErrorError").role, found("ErrorError").takes_away), (&Role::FindType, true));
    assert_eq!(found("Mine").role, Role::FindType);
    for name in ["WidgetError", "Alone", "Widget", "Part", "Head", "Tail", "Behind"] {
        assert_eq!(found(name).role, Role::Unknown, "{name}");
    }
}
