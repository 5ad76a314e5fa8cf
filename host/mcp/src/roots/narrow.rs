//! What roots leave of grants.

use super::{Scope, uri};
use bailiwick_sandbox::{Grant, Grants};

/// The most roots of a client that are heeded; no editor has as many folders open.
const MOST: usize = 64;
/// So many bytes of a URI are repeated.
const REPEATED: usize = 200;

/// What `roots`, as URIs, leave of `grants`: a grant that lies in a root stays as it is, one that a root lies in is
/// narrowed to it, and every other is gone. A root that meets no grant means nothing. A client that says it has none is
/// at work nowhere in particular, as an editor without a folder is, so that there is nothing to narrow to.
pub(crate) fn narrow(grants: &Grants, roots: &[String]) -> Scope {
    if roots.is_empty() {
        return Scope::whole(grants);
    }
    let mut left = Left { whole: Vec::new(), parts: Vec::new(), notes: Vec::new() };
    for root in roots.iter().take(MOST) {
        match uri::path(root) {
            None => left.ignored(root, "it names no directory of this machine"),
            Some(path) => {
                // Its own form first: a directory that links lead to has several.
                let met = left.meet(grants, &path, &path)
                    || std::fs::canonicalize(&path)
                        .ok()
                        .and_then(|real| real.to_str().map(|real| left.meet(grants, real, &path)))
                        .unwrap_or(false);
                if !met {
                    left.ignored(root, "it lies in no directory that was granted");
                }
            }
        }
    }
    if roots.len() > MOST {
        left.notes.push(format!("of {} roots the first {MOST} count", roots.len()));
    }
    left.into_scope(grants)
}

struct Left {
    /// Names of grants that stay as they are, with another path by which the client calls them.
    whole: Vec<(String, String)>,
    parts: Vec<Grant>,
    notes: Vec<String>,
}

impl Left {
    /// Takes a root that lies at `path` and that the client calls `given`. Returns whether it met a grant.
    fn meet(&mut self, grants: &Grants, path: &str, given: &str) -> bool {
        let mut met = false;
        for grant in grants.iter() {
            for called in grant.names_of_callers() {
                if let Some(rest) = beneath(path, called) {
                    if rest.is_empty() {
                        self.whole.push((grant.name().to_owned(), given.to_owned()));
                        met = true;
                    } else if let Ok(part) = grant.narrowed(&rest.join("/")) {
                        let forms = grant.names_of_callers().iter();
                        let part = forms
                            .fold(part.called(given), |part, form| part.called(&format!("{form}/{}", rest.join("/"))));
                        if !self.parts.iter().any(|other| other.name() == part.name()) {
                            self.parts.push(part);
                        }
                        met = true;
                    }
                    break;
                }
                if beneath(called, path).is_some() {
                    self.whole.push((grant.name().to_owned(), called.clone()));
                    met = true;
                    break;
                }
            }
        }
        met
    }

    fn ignored(&mut self, uri: &str, why: &str) {
        let shown: String = uri.chars().filter(|character| !character.is_control()).take(REPEATED).collect();
        self.notes.push(format!("the root `{shown}` of this client is ignored: {why}"));
    }

    fn into_scope(mut self, grants: &Grants) -> Scope {
        // Whole grants come first: of two that go by the same path, the first is meant.
        let (mut kept, mut parts) = (Vec::new(), Vec::new());
        for grant in grants.iter() {
            let forms: Vec<&String> =
                self.whole.iter().filter(|(name, _)| name == grant.name()).map(|(_, form)| form).collect();
            if forms.is_empty() {
                let of_grant = |part: &Grant| part.name().split('/').next() == Some(grant.name());
                parts.extend(self.parts.iter().filter(|part| of_grant(part)).cloned());
            } else {
                kept.push(forms.into_iter().fold(grant.clone(), |grant, form| grant.called(form)));
            }
        }
        kept.append(&mut parts);
        if kept.is_empty() {
            self.notes.push("the roots of this client leave no directory that was granted".to_owned());
        }
        // Names of grants differ, and so do the paths behind them.
        let grants = Grants::new(kept).unwrap_or_else(|_| Grants::none());
        Scope { grants, notes: self.notes }
    }
}

/// The parts of `path` that follow those of `directory`, if it lies in it. A path with `..` lies nowhere: only the kernel
/// can say where it leads.
pub(crate) fn beneath<'a>(path: &'a str, directory: &str) -> Option<Vec<&'a str>> {
    let parts = |path: &'a str| path.split('/').filter(|part| !matches!(*part, "" | "."));
    let mut rest = parts(path);
    for expected in directory.split('/').filter(|part| !matches!(*part, "" | ".")) {
        if rest.next() != Some(expected) {
            return None;
        }
    }
    let rest: Vec<&str> = rest.collect();
    (!path.split('/').chain(directory.split('/')).any(|part| part == "..")).then_some(rest)
}

#[cfg(test)]
mod tests;
