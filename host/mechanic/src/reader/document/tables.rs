//! What the rows of a table say of each other.

use super::super::structure::{Role, Unit};
use super::Document;

impl Document<'_> {
    /// Finds the tables of which each row can be about a type, and some row about nothing else: a name that a type and
    /// something else have is the type's there.
    pub(super) fn find_tables_of_types(&mut self, units: &[Unit]) {
        let mut table: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut known: Option<&Vec<String>> = None;
        for unit in units.iter().take(super::MOST_UNITS) {
            let row = match &unit.role {
                Role::Row { heads, cells } => Some((heads, cells)),
                _ => None,
            };
            if row.map(|(heads, _)| heads) != known {
                self.keep_if_of_types(&table);
                table.clear();
                known = row.map(|(heads, _)| heads);
            }
            if let Some((_, cells)) = row {
                table.push((unit.span.start, self.found_first(cells)));
            }
        }
        self.keep_if_of_types(&table);
    }

    /// What the first cell means that is the name of something.
    fn found_first(&self, cells: &[String]) -> Vec<usize> {
        let found = cells.iter().map(|cell| self.lookup.find(cell.trim_matches(['`', '*', '"', ' '])));
        found.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
    }

    fn keep_if_of_types(&mut self, table: &[(usize, Vec<usize>)]) {
        let is_type = |one: &usize| self.lookup.entity(*one).kind.is_type();
        let one_type = |found: &Vec<usize>| found.iter().filter(|one| is_type(one)).count() == 1;
        let nothing_else = table.iter().filter(|(_, found)| found.len() == 1).count() > 1;
        if nothing_else && table.iter().all(|(_, found)| one_type(found)) {
            self.typed.extend(table.iter().map(|(start, _)| *start));
        }
    }
}
