//! Calls that run at the same time.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use tokio::time::Instant;
use tracing::Instrument as _;

use super::observe;
use crate::message::ToolCall;
use crate::toolbox::{ToolReply, Toolbox};

type Running<'a> = Pin<Box<dyn Future<Output = (ToolReply, Duration)> + Send + 'a>>;

/// Calls under way, with their places in the turn. Dropping it drops them.
pub(super) struct Batch<'a> {
    running: Vec<(usize, Running<'a>)>,
}

impl<'a> Batch<'a> {
    pub(super) fn start(toolbox: &'a dyn Toolbox, calls: &'a [(usize, ToolCall)]) -> Self {
        let running = calls.iter().map(|(slot, call)| (*slot, run(toolbox, call)));
        Self { running: running.collect() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.running.is_empty()
    }

    /// Waits for the next reply, whichever call it is of, and says how long that call took. Never ends when empty.
    pub(super) async fn next(&mut self) -> (usize, ToolReply, Duration) {
        poll_fn(|context| {
            // A turn has few calls: polling all of them at each wake-up costs less than telling them apart.
            for index in 0..self.running.len() {
                let (slot, call) = &mut self.running[index];
                if let Poll::Ready((reply, took)) = call.as_mut().poll(context) {
                    let slot = *slot;
                    drop(self.running.swap_remove(index));
                    return Poll::Ready((slot, reply, took));
                }
            }
            Poll::Pending
        })
        .await
    }
}

fn run<'a>(toolbox: &'a dyn Toolbox, call: &'a ToolCall) -> Running<'a> {
    let span = observe::tool(call);
    let observed = span.clone();
    let work = async move {
        let started = Instant::now();
        let reply = toolbox.call(&call.name, &call.arguments).await;
        observe::called(&observed, &reply);
        (reply, started.elapsed())
    };
    Box::pin(work.instrument(span))
}
