//! What a call constructs, and whether its constructor hands a keyword on to the generated one.

use tree_sitter::Node;

use super::definitions::classes;
use super::rename_member::MemberRename;
use super::scopes::{Binding, resolve};
use super::sites::Findings;
use super::source::{Source, around, field};
use super::types::Ty;
use bailiwick_sdk::python_classes::{Keyword, constructor};

/// What a call constructs.
pub(super) enum Constructor<'p> {
    /// The class, or a hand-written class derived from it.
    Of(Option<(&'p Source, Node<'p>)>),
    /// Something else.
    None,
    /// It cannot be told.
    Unclear,
}

/// The doubt about a constructor that takes any keyword and may do anything with it.
pub(super) const PASSES_ON: &str = "whether the constructor passes this argument on is not certain";

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
    pub(super) fn takes(&self, class: Option<(&'p Source, Node<'p>)>) -> Keyword {
        let own = class.and_then(|(source, definition)| constructor(&source.text, definition, &self.rename.old));
        own.map_or(Keyword::HandedOn, |own| own.keyword)
    }

    /// Overloads of hand-written constructors that name a keyword which the method that runs hands on: they say what the
    /// generated constructor takes, so they follow it.
    pub(super) fn overloads(&self, findings: &mut Findings) {
        for (_, class) in classes(self.source).into_iter().filter(|(_, one)| self.types.is_derived(self.source, *one)) {
            let seen = |name: &str| constructor(&self.source.text, class, name);
            let Some(own) = seen(&self.rename.old) else { continue };
            let (Some(first), true) = (own.offered.first(), own.keyword != Keyword::Own) else { continue };
            let clashes = seen(&self.rename.new).is_some_and(|new| !new.offered.is_empty() || !new.named.is_empty());
            if own.keyword == Keyword::Unclear {
                findings.doubt(self.source, *first, PASSES_ON);
            } else if clashes {
                let issue = format!("the constructor has something of the name `{}` already", self.rename.new);
                findings.doubt(self.source, *first, issue);
            } else {
                for name in own.offered {
                    findings.replace(self.file, name, &self.rename.new);
                }
            }
        }
    }
}
