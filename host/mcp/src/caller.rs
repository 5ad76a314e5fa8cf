//! Whose a request is, and which runs they see.

use bailiwick_runs::{Authority, Identity, Owner, Sees, Within};

/// The sender of a request, as the server determined it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// Whose the runs are that they begin.
    pub owner: Owner,
    /// Whether they see only those.
    pub sees: Sees,
}

impl Caller {
    /// The person whose machine it is, through their client: over stdio, or with the one token. They see their own runs;
    /// those of subjects are shown at the command line.
    #[must_use]
    pub fn local() -> Self {
        Self { owner: Owner::Local, sees: Sees::Own }
    }

    /// An unknown caller: the server did not determine who sent the request.
    #[must_use]
    pub fn unknown() -> Self {
        Self::subject("", "", false)
    }

    /// A subject of an issuer. An operator sees and decides everybody's runs.
    #[must_use]
    pub fn subject(issuer: &str, subject: &str, is_operator: bool) -> Self {
        let owner = Owner::Subject { issuer: issuer.to_owned(), subject: subject.to_owned() };
        Self { owner, sees: if is_operator { Sees::All } else { Sees::Own } }
    }

    /// Whether they see what `owner` began.
    #[must_use]
    pub fn sees(&self, owner: &Owner) -> bool {
        self.sees == Sees::All || self.owner == *owner
    }

    /// What they may do in these directories.
    #[must_use]
    pub fn authority(&self, within: Vec<Identity>) -> Authority {
        Authority { owner: self.owner.clone(), sees: self.sees, within: Within::Beneath(within) }
    }
}
