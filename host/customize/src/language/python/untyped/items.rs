//! One of several things: what a loop goes through, and what a function that is given as `cls` is called with.

use std::collections::BTreeSet;

use bailiwick_sdk::syntax::{around, field, named_children};
use tree_sitter::Node;

use super::{Code, File, Value};

/// What has a loop in it that gives a name its values.
const COMPREHENSIONS: [&str; 4] =
    ["list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"];

impl<'t> Code<'_, 't, '_> {
    /// What a comprehension around a name gives it, where one does.
    pub(super) fn looped(&self, file: &File<'t>, node: Node<'t>, left: usize) -> Option<Value> {
        let name = file.source.of(node);
        let mut here = node;
        while let Some(outer) = around(here, &COMPREHENSIONS) {
            let clauses = named_children(outer).into_iter().filter(|one| one.kind() == "for_in_clause");
            let mut bound = clauses.filter(|one| field(*one, "left").is_some_and(|left| file.source.of(left) == name));
            if let Some(right) = bound.next().and_then(|one| field(one, "right")) {
                let is_inside = right.byte_range().contains(&node.start_byte());
                return Some(if is_inside { Value::default() } else { self.each(file, right, left) });
            }
            here = outer;
        }
        None
    }

    /// What one of the things in a value is.
    fn each(&self, file: &File<'t>, node: Node<'t>, left: usize) -> Value {
        let Some((left, ())) = left.checked_sub(1).zip(self.take(1)) else { return Value::default() };
        match node.kind() {
            "attribute" => self.each_of_member(file, node, left),
            "call" => {
                let function = field(node, "function").filter(|function| function.kind() == "attribute");
                function.map(|function| self.each_of_member(file, function, left)).unwrap_or_default()
            }
            "identifier" => {
                let Some(lambda) = around(node, &["lambda"]) else { return Value::default() };
                let parameters = field(lambda, "parameters").map(named_children).unwrap_or_default();
                let is_first = parameters.first().is_some_and(|one| file.source.of(*one) == file.source.of(node));
                let pager = self.calls_back(file, lambda).filter(|_| is_first);
                pager.map(|method| self.each_of_member(file, method, left)).unwrap_or_default()
            }
            _ => Value::default(),
        }
    }

    fn each_of_member(&self, file: &File<'t>, member: Node<'t>, left: usize) -> Value {
        let Some((object, name)) = field(member, "object").zip(field(member, "attribute")) else {
            return Value::default();
        };
        let name = file.source.of(name);
        let of = self.owners(file, object, left);
        let each = of.iter().flat_map(|class| self.whole.gives_each(class, name)).collect::<BTreeSet<_>>();
        Value::one_of(self.generated.known(&each))
    }

    /// What a parameter of a function is that a generated method is given as `cls`: it calls that with the response, with what it
    /// would answer and with the headers.
    pub(super) fn handed_to(&self, file: &File<'t>, function: Node<'t>, parameter: Node<'t>, left: usize) -> Value {
        let parameters = field(function, "parameters").map(named_children).unwrap_or_default();
        let Some(method) = self.calls_back(file, function).filter(|_| parameters.get(1) == Some(&parameter)) else {
            return Value::default();
        };
        let Some((object, name)) = field(method, "object").zip(field(method, "attribute")) else {
            return Value::default();
        };
        let (name, of) = (file.source.of(name), self.owners(file, object, left));
        let answers = of.iter().flat_map(|class| self.whole.gives(class, name)).collect::<BTreeSet<_>>();
        Value::one_of(self.generated.known(&answers))
    }

    /// The method that is given a function as `cls`.
    fn calls_back(&self, file: &File<'t>, function: Node<'t>) -> Option<Node<'t>> {
        let keyword = function.parent().filter(|outer| outer.kind() == "keyword_argument")?;
        let call = around(keyword, &["call"])?;
        let is_cls = field(keyword, "name").is_some_and(|name| file.source.of(name) == "cls");
        field(call, "function").filter(|called| is_cls && called.kind() == "attribute")
    }

    /// The generated classes that an object may be of; of a hand-written class those that it extends.
    fn owners(&self, file: &File<'t>, object: Node<'t>, left: usize) -> BTreeSet<String> {
        match self.generated_bases(file, object) {
            Some(bases) => bases,
            None => self.value(file, object, left).objects,
        }
    }
}
