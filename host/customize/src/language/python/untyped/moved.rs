//! Where a member is found again that its class has no more: an operation in a group of the client, a group under another name.

use super::{Code, What};

impl<'r> Code<'_, '_, 'r> {
    /// What became of a member of a class of which no rename tells.
    pub(super) fn lost(&self, class: &str, name: &str) -> What<'r> {
        What::Lost(self.in_group(class, name).or_else(|| self.group_now(class, name)))
    }

    /// `settings.get_setting` for an operation that one group of the client alone has, and had not before.
    fn in_group(&self, class: &str, name: &str) -> Option<String> {
        if !self.before.methods(class).contains(name) {
            return None;
        }
        let has_it_now =
            |group: &String| self.whole.methods(group).contains(name) && !self.before.methods(group).contains(name);
        let groups = self.whole.holdings(class).into_iter();
        let mut found = groups.filter(|(_, groups)| groups.iter().any(has_it_now)).map(|(group, _)| group);
        found.next().filter(|_| found.next().is_none()).map(|group| format!("{group}.{name}"))
    }

    /// The name of now of a group that has the same operations under a name that no other group had.
    fn group_now(&self, class: &str, name: &str) -> Option<String> {
        let before = self.before.holdings(class);
        let (_, held) = before.iter().find(|(member, _)| *member == name)?;
        let operations = self.before.methods(held.first()?);
        let is_new = |member: &str| !before.iter().any(|(old, _)| *old == member);
        let is_it = |groups: &std::collections::BTreeSet<String>| {
            groups.iter().any(|group| !operations.is_empty() && self.whole.methods(group) == operations)
        };
        let now = self.whole.holdings(class).into_iter();
        let mut found = now.filter(|(member, groups)| is_new(member) && is_it(groups)).map(|(member, _)| member);
        found.next().filter(|_| found.next().is_none()).map(str::to_owned)
    }
}
