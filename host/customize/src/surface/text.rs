//! Changes of a public surface for people.

use super::{Cause, LanguageEffect, SeenIn, Surface, SurfaceChange, SurfaceChangeKind};

/// The changes that a text for a terminal lists.
const SHOWN: usize = 20;
/// The types that a sentence names.
const NAMED: usize = 5;

impl Surface {
    /// The title, then a line for each change.
    #[must_use]
    pub fn lines(&self) -> (String, Vec<String>) {
        let seen_in = match self.seen_in {
            SeenIn::GeneratedCode => "in the generated code",
            SeenIn::ClientModel => "in the client model",
            SeenIn::Actions => "as far as the actions tell; no compiler has read the edit",
        };
        let all = self.changes.len() + self.omitted;
        let title = match (all, self.breaking) {
            (0, _) => format!("public surface: no name changes ({seen_in})"),
            (all, 0) => format!("public surface: {all} changed, none breaks code that uses it ({seen_in})"),
            (all, breaking) => format!("public surface: {all} changed, {breaking} breaking ({seen_in})"),
        };
        let mut lines: Vec<String> = self.changes.iter().take(SHOWN).map(SurfaceChange::words).collect();
        if all > lines.len() {
            lines.push(format!("{} more", all - lines.len()));
        }
        lines.extend(self.notes.iter().cloned());
        (title, lines)
    }

    /// Types that are gone though nothing that the run wrote says so, as a sentence: code of the package that uses them would not
    /// build, and code of its users is not seen.
    pub(crate) fn dropped(&self) -> Option<String> {
        let is_dropped = |one: &&SurfaceChange| {
            one.change == SurfaceChangeKind::Removed && one.cause != Cause::Decorator && !one.name.contains('.')
        };
        let mut named: Vec<String> =
            self.changes.iter().filter(is_dropped).map(|one| format!("{} `{}`", one.kind, one.name)).collect();
        let more = named.len().saturating_sub(NAMED);
        named.truncate(NAMED);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        let list = named.join(", ");
        (!named.is_empty()).then(|| {
            format!(
                "The generation removed public types that no directive names: {list}{more}. `publicSurface` says why"
            )
        })
    }
}

impl LanguageEffect {
    /// The title, which names the language, then a line for each change.
    #[must_use]
    pub fn lines(&self) -> (String, Vec<String>) {
        let unchanged = || ("public surface: no name changes".to_owned(), Vec::new());
        let (title, lines) = self.public_surface.as_ref().map_or_else(unchanged, Surface::lines);
        (format!("{}, {title}", self.language.display_name()), lines)
    }
}

impl SurfaceChange {
    /// One line: ``removed: operation `Widgets.delete_widget`, because of `@@access` on `Contoso.deleteWidget` ``.
    #[must_use]
    pub fn words(&self) -> String {
        let Self { change, name, kind, because, details, .. } = self;
        let name = match (change, &self.new_name) {
            (SurfaceChangeKind::Renamed, Some(new)) => format!("`{name}` to `{new}`"),
            _ => format!("`{name}`"),
        };
        let word = match change {
            SurfaceChangeKind::Removed => "removed",
            SurfaceChangeKind::Renamed => "renamed",
            SurfaceChangeKind::Changed => "changed",
            SurfaceChangeKind::Extended => "extended",
            SurfaceChangeKind::Added => "added",
        };
        let details = if details.is_empty() { String::new() } else { format!(" ({})", details.join("; ")) };
        format!("{word}: {kind} {name}{details}, {because}")
    }
}

/// The words for a cause that no decorator is.
pub(super) fn because(cause: Cause) -> &'static str {
    match cause {
        Cause::Decorator => "by the edit of `client.tsp`",
        Cause::Specification => "by the specification as it stands",
        Cause::Emitter => "by the emitter",
        Cause::SpecificationOrEmitter => "by the specification or the emitter",
    }
}
