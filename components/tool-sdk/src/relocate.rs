//! Giving a file or a directory another name or another place. What is there already is never replaced: the host lets a
//! rename replace only by a file that the call itself made.

use crate::{Place, ToolError};
use wasip2::filesystem::types::{DescriptorFlags, ErrorCode, PathFlags};

impl Place<'_> {
    /// Moves what is at this place to `target`, where nothing may be. A link is moved itself.
    ///
    /// # Errors
    /// Not found when there is nothing here, or no directory for it there; failed when something is there, or both lie
    /// on different filesystems; not permitted; invalid input for a granted directory itself. Nothing is moved then.
    pub fn move_to(&self, target: &Place<'_>) -> Result<(), ToolError> {
        for place in [self, target] {
            if place.relative.trim_matches('/') == "." {
                return Err(ToolError::invalid_input(format!("`{}` is a granted directory itself", place.shown)));
            }
        }
        self.directory.rename_at(self.relative, target.directory, target.relative).map_err(|code| match code {
            ErrorCode::Exist | ErrorCode::NotEmpty => {
                ToolError::failed(format!("`{}` exists already, and nothing is moved over it", target.shown))
            }
            ErrorCode::NoEntry if self.is_there() => {
                ToolError::not_found(format!("there is no directory that `{}` could lie in", target.shown))
            }
            ErrorCode::CrossDevice => ToolError::failed(format!(
                "`{}` and `{}` lie on different filesystems: read the one and write the other",
                self.shown, target.shown
            )),
            ErrorCode::NotPermitted | ErrorCode::Access | ErrorCode::ReadOnly => self.refused(target, code),
            ErrorCode::Invalid => ToolError::invalid_input(format!(
                "`{}` cannot be moved to `{}`, as into itself",
                self.shown, target.shown
            )),
            code => self.explain(code),
        })
    }

    fn is_there(&self) -> bool {
        self.directory.stat_at(PathFlags::empty(), self.relative).is_ok()
    }

    /// Which of both the host refused it does not say. A grant that cannot be changed is the likelier one.
    fn refused(&self, target: &Place<'_>, code: ErrorCode) -> ToolError {
        let changeable = |place: &Place<'_>| {
            place.directory.get_flags().is_ok_and(|flags| flags.contains(DescriptorFlags::MUTATE_DIRECTORY))
        };
        if changeable(self) && !changeable(target) { target.refusal(code) } else { self.refusal(code) }
    }
}
