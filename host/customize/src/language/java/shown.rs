//! Public methods in the clients of a package, under the name of an operation.

// Any person may have written it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use bailiwick_sdk::java::{Author, Source, member_names, operation_owner};
use bailiwick_sdk::tasks::EntityKind;

use super::super::shown::{Shown, Sought};

/// What a file shows of this author: the first method of each name.
pub(super) fn shown(path: &str, text: &str, sought: &Sought, author: Author) -> Vec<Shown> {
    let Sought::Operation { holder, name, .. } = sought else { return Vec::new() };
    let internal = path.split('/').any(|part| part == "implementation");
    let forms = member_names(EntityKind::Operation, name);
    let holder = holder.strip_suffix("Client").unwrap_or(holder);
    // Most files need not be parsed.
    let says = || text.contains(holder) && forms.iter().any(|form| text.contains(form.as_str()));
    let Some(source) = (!internal && says()).then(|| Source::parse(path, text)).flatten() else { return Vec::new() };
    let mut found: Vec<Shown> = Vec::new();
    for method in source.public_methods() {
        let is_it = method.author == author
            && operation_owner(method.class, holder)
            && forms.iter().any(|form| form == method.name);
        let name = format!("{}.{}", method.class, method.name);
        if is_it && !found.iter().any(|one| one.name == name) {
            found.push(Shown::alone(method.line, name));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::super::shown::Place;
    use super::*;

    const TEXT: &str = "\
package com.azure.ai;
public final class EmbeddingsAsyncClient {
    @Generated
    Mono<Response<BinaryData>> getModelInfoWithResponse(RequestOptions options) { return null; }
    @Generated
    public Mono<Void> embed() { return null; }
    /** One that a person wrote. */
    public Mono<ModelInfo> getModelInfo() { return null; }
    public Mono<ModelInfo> getModelInfo(String model) { return null; }
    private Mono<ModelInfo> getModelInfoWithResponse(String model) { return null; }
}
";

    #[test]
    fn generated_method_is_shown_where_it_is_public() {
        let sought = |name: &str| Sought::Operation {
            holder: "Embeddings".into(),
            place: Place::Client,
            name: name.into(),
            called: Vec::new(),
        };
        let path = "src/main/java/com/azure/ai/EmbeddingsAsyncClient.java";
        let names = |name: &str| shown(path, TEXT, &sought(name), Author::Emitter);
        assert_eq!(names("embed"), [Shown::alone(6, "EmbeddingsAsyncClient.embed".into())]);
        assert_eq!(names("getModelInfo"), []);
    }

    #[test]
    fn own_public_method_of_the_client_of_an_operation_is_shown_and_generated_ones_are_not() {
        let of = |holder: &str, name: &str| {
            let called = Vec::new();
            let sought = Sought::Operation { holder: holder.into(), place: Place::Client, name: name.into(), called };
            shown("src/main/java/com/azure/ai/EmbeddingsAsyncClient.java", TEXT, &sought, Author::Person)
        };
        let wanted = Shown::alone(8, "EmbeddingsAsyncClient.getModelInfo".into());
        for holder in ["EmbeddingsClient", "Embeddings"] {
            assert_eq!(of(holder, "getModelInfo"), std::slice::from_ref(&wanted));
        }
        for (holder, name) in [("EmbeddingsClient", "embed"), ("ChatClient", "getModelInfo"), ("Embeddings", "get")] {
            assert_eq!(of(holder, name), [], "{holder} {name}");
        }
        let (holder, name, called) = ("Embeddings".into(), "getModelInfo".into(), Vec::new());
        let internal = Sought::Operation { holder, place: Place::Client, name, called };
        assert_eq!(shown("src/main/java/a/implementation/E.java", TEXT, &internal, Author::Person), []);
        assert_eq!(shown("src/main/java/a/E.java", "class {", &internal, Author::Person), []);
    }
}
