//! What a call constructs, and whether its constructor hands a keyword on to the generated one.

use tree_sitter::Node;

use super::definitions::{classes, methods};
use super::rename_member::MemberRename;
use super::scopes::{Binding, parameter_name, resolve};
use super::source::{Source, around, field, named_children};
use super::types::Ty;

/// What a call constructs.
pub(super) enum Constructor<'p> {
    /// The class, or a hand-written class derived from it.
    Of(Option<(&'p Source, Node<'p>)>),
    /// Something else.
    None,
    /// It cannot be told.
    Unclear,
}

/// What a constructor does with a keyword of the old name.
pub(super) enum Takes {
    Passes,
    Itself,
    Unclear,
}

impl<'p> MemberRename<'p> {
    pub(super) fn constructor(&self, function: Node<'p>) -> Constructor<'p> {
        // `super().__init__(…)`, `Base.__init__(self, …)`
        if function.kind() == "attribute"
            && field(function, "attribute").is_some_and(|name| self.source.text(name) == "__init__")
        {
            let of_class = field(function, "object")
                .is_some_and(|object| matches!(self.types.of(self.source, object), Ty::Instance | Ty::Class));
            return if of_class { Constructor::Of(None) } else { Constructor::None };
        }
        match self.types.of(self.source, function) {
            Ty::Class => Constructor::Of(self.definition(function)),
            Ty::Unknown if function.kind() == "identifier" => {
                let foreign = resolve(self.source, function, self.source.text(function)).is_none_or(|(_, found)| {
                    found
                        .iter()
                        .all(|binding| matches!(binding, Binding::ImportFrom { .. } | Binding::ImportModule { .. }))
                });
                if foreign { Constructor::None } else { Constructor::Unclear }
            }
            _ => Constructor::None,
        }
    }

    /// The hand-written definition of a class, if it has one in any file.
    fn definition(&self, function: Node<'p>) -> Option<(&'p Source, Node<'p>)> {
        let wanted = self.source.text(function).rsplit('.').next().unwrap_or_default();
        if wanted == "cls" {
            return around(function, &["class_definition"]).map(|class| (self.source, class));
        }
        self.types.package.sources.iter().find_map(|source| {
            let found = classes(source)
                .into_iter()
                .find(|(name, definition)| *name == wanted && self.types.is_derived(source, *definition));
            found.map(|(_, definition)| (source, definition))
        })
    }

    /// Whether a constructor hands a keyword on to the generated one.
    pub(super) fn takes(&self, class: Option<(&'p Source, Node<'p>)>) -> Takes {
        let Some((source, definition)) = class else { return Takes::Passes };
        let Some(init) = methods(definition)
            .into_iter()
            .find(|method| field(*method, "name").is_some_and(|name| source.text(name) == "__init__"))
        else {
            return Takes::Passes;
        };
        let parameters = field(init, "parameters").map(named_children).unwrap_or_default();
        let named = parameters
            .iter()
            .any(|parameter| parameter_name(*parameter).is_some_and(|name| source.text(name) == self.rename.old));
        let rest = parameters.iter().find_map(|parameter| {
            let spread = if parameter.kind() == "typed_parameter" {
                named_children(*parameter).first().copied()?
            } else {
                *parameter
            };
            (spread.kind() == "dictionary_splat_pattern")
                .then(|| source.text(spread).trim_start_matches('*').to_owned())
        });
        let body = field(init, "body").map(|body| source.text(body)).unwrap_or_default();
        match rest {
            _ if named => Takes::Itself,
            Some(rest) if body.contains("super().__init__(") && body.contains(&format!("**{rest}")) => Takes::Passes,
            Some(_) => Takes::Unclear,
            None => Takes::Itself,
        }
    }
}
