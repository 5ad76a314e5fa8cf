//! `bailiwick review`: runs and fleets in a browser.

use super::fleet::{names, queue};
use super::package::store;
use crate::exit::{Code, Error, Result};
use crate::{output, runtime, secrets};
use bailiwick_report::FleetLine;
use bailiwick_review::{Fleets, Reviewed};
use clap::Args;

#[derive(Debug, Args)]
#[command(
    after_help = "The link lets one browser in, once. Ctrl-C ends the server; decisions are the same as `run approve` and `run revert`."
)]
pub(crate) struct Review {
    /// The port on 127.0.0.1; a free one without it.
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    port: u16,
}

pub(crate) fn execute(asked: &Review) -> Result<Code> {
    let reviewed = Reviewed { store: store()?, secrets: secrets::known(), fleets: Box::new(OfThisMachine) };
    runtime::block_on(async {
        let review = bailiwick_review::Review::listen(asked.port).await.map_err(|error| {
            Error::failed(format!("cannot listen on 127.0.0.1 port {}: {error}", asked.port))
                .hint("leave out `--port` to have a free one")
        })?;
        output::progress("open this link in a browser of this machine; it works once:");
        output::line(review.link());
        let served = review.serve(reviewed, runtime::interrupted()).await;
        served.map_err(|error| Error::failed(format!("the page cannot be served: {error}")))
    })??;
    Ok(Code::Done)
}

/// The fleets in the state directory.
struct OfThisMachine;

impl Fleets for OfThisMachine {
    fn list(&self) -> Vec<FleetLine> {
        let names = names().unwrap_or_default();
        let line = |name: String| {
            let done =
                queue(&name).ok().and_then(|queue| Some((queue.results().ok()?.len(), queue.manifest().jobs.len())));
            FleetLine { name, done }
        };
        names.into_iter().rev().map(line).collect()
    }

    fn report(&self, name: &str) -> Option<bailiwick_fleet::Report> {
        // A whole name: an address is no abbreviation.
        let queue = names().ok()?.iter().any(|known| known == name).then(|| queue(name).ok())??;
        bailiwick_fleet::Report::of(queue.manifest(), &queue.results().ok()?).ok()
    }
}
