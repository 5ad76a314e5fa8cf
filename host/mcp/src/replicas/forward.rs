//! Passing a call on to the replica that has the run.

use super::guard::written;
use super::wire::{Forwarded, Frame, Frames, PATH, TICKET, Ticket};
use super::{Announcement, Replicas, now};
use crate::call::Call;
use crate::failure::Failure;
use crate::tool::Answer;
use bailiwick_base::random;
use bailiwick_base::text::hex;
use reqwest::{RequestBuilder, Response, StatusCode};
use tokio::time::{Instant, timeout_at};

/// How far a call came.
pub(crate) enum Reached {
    /// A replica answered it.
    Answered(Result<Answer, Failure>),
    /// No replica took it: it was carried out nowhere.
    Nobody,
    /// A replica took it and is gone. It may have been carried out.
    Lost,
}

/// Passes a call on to the first of these that takes it. No answer is longer than `longest`.
pub(crate) async fn forwarded(
    replicas: &Replicas,
    to: &[Announcement],
    what: &Forwarded,
    call: &Call,
    longest: usize,
) -> Reached {
    for one in to {
        let asked = async {
            match ask(replicas, one, what, call, longest).await {
                Ok(reached) => reached,
                Err(failure) => Reached::Answered(Err(failure)),
            }
        };
        let reached = tokio::select! {
            reached = asked => reached,
            // The connection ends with this replica, and the other one goes on.
            () = call.closing.cancelled() => Reached::Answered(Err(Failure::new("the server is ending"))),
        };
        if !matches!(reached, Reached::Nobody) {
            return reached;
        }
    }
    Reached::Nobody
}

async fn ask(
    replicas: &Replicas,
    to: &Announcement,
    what: &Forwarded,
    call: &Call,
    longest: usize,
) -> Result<Reached, Failure> {
    let ticket = fresh(to)?;
    let keys = replicas.keys();
    let text = serde_json::to_vec(what).map_err(|error| Failure::new(error.to_string()))?;
    let body = keys.seal(&ticket.call(), &text)?;
    let mut response = match posted(replicas, to, &ticket, body)?.send().await {
        Ok(response) => response,
        Err(error) if error.is_connect() => return Ok(Reached::Nobody),
        Err(_) => return Ok(Reached::Lost),
    };
    match response.status() {
        StatusCode::OK => {}
        StatusCode::SERVICE_UNAVAILABLE => {
            return Err(Failure::new("the replica that has the run answers no more calls of yours at once")
                .hint("try again a little later"));
        }
        status => {
            // Another process has the address now, or the keys or the clocks differ.
            tracing::warn!(replica = to.replica, %status, "another replica refused a call");
            return Ok(Reached::Nobody);
        }
    }
    let mut frames = Frames::new(&ticket, keys, longest);
    // What is not sealed for this call comes from no replica, so none took the call.
    let mut sealed = false;
    // Bytes alone are no word of a replica: a stranger could send one after the other without end. After its first word they are,
    // for a long answer may come over a slow connection, and the length of a frame is bounded.
    let silence = replicas.limits().silence;
    let mut until = Instant::now() + silence;
    loop {
        match frames.next() {
            Ok(None) => {}
            Ok(Some(frame)) => {
                sealed = true;
                until = Instant::now() + silence;
                match frame {
                    Frame::Alive => {}
                    Frame::Said { count, line } => call.reporter.say_as(count, &line).await,
                    Frame::Answer(answer) => return Ok(Reached::Answered(answer)),
                }
                continue;
            }
            Err(_) if !sealed => {
                tracing::warn!(replica = to.replica, "what answers at the address of a replica has not its key");
                return Ok(Reached::Nobody);
            }
            Err(_) => return Ok(Reached::Lost),
        }
        let piece = tokio::select! {
            piece = timeout_at(until, response.chunk()) => piece,
            // The replica has sent the head of its answer, so it knows the call.
            () = call.cancelled.cancelled() => {
                take_back(replicas, to, &ticket).await?;
                return Ok(Reached::Answered(Err(Failure::new("the call was taken back"))));
            }
        };
        match piece {
            Ok(Ok(Some(piece))) => {
                frames.add(&piece);
                if sealed {
                    until = Instant::now() + silence;
                }
            }
            Ok(Ok(None) | Err(_)) | Err(_) => return Ok(Reached::Lost),
        }
    }
}

/// Tells a replica that the client took this call back. The end of a connection does not say so.
async fn take_back(replicas: &Replicas, to: &Announcement, call: &Ticket) -> Result<(), Failure> {
    let keys = replicas.keys();
    let ticket = fresh(to)?;
    let body = keys.seal(&ticket.taking_back(), call.word.as_bytes())?;
    if let Err(error) = posted(replicas, to, &ticket, body)?.send().await.and_then(Response::error_for_status) {
        tracing::warn!(replica = to.replica, %error, "another replica does not know that a call was taken back");
    }
    Ok(())
}

/// A ticket for this replica.
fn fresh(to: &Announcement) -> Result<Ticket, Failure> {
    let word = random::bytes::<16>().map_err(|error| Failure::new(format!("no random bytes: {error}")))?;
    Ok(Ticket { to: to.replica.clone(), at: now(), word: hex(&word) })
}

fn posted(replicas: &Replicas, to: &Announcement, ticket: &Ticket, body: Vec<u8>) -> Result<RequestBuilder, Failure> {
    let request = replicas.0.http.post(format!("http://{}{PATH}", to.address));
    Ok(request.header(TICKET, written(ticket, replicas.keys())?).body(body))
}
