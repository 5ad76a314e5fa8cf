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
fn code_is_of_the_class_that_it_is_added_to_and_prose_is_no_code() {
    let body = r#"models.getClass("Widget").customizeAst(ast -> ast.getClassByName("Widget").ifPresent(clazz ->
            clazz.addMethod("getLabel").setType("String")
                .setBody(StaticJavaParser.parseBlock("{ return this.displayName + \" (\" + part.getName() + \")\"; }"))
                .setJavadocComment("The displayName of it.")));"#;
    let widget = Some("Widget".to_owned());
    assert_eq!(one(body, "displayName"), (Role::Code { receiver: Some("this".into()) }, widget.clone()));
    assert_eq!(one(body, "getName"), (Role::Code { receiver: Some("part".into()) }, widget.clone()));
    assert_eq!(one(body, "getLabel"), (Role::AddMethod, widget));
    assert_eq!(one(body, "The displayName of it.").0, Role::Prose);
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
