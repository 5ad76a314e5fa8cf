//! Those who ask a standby: each waits for those before it, and hears meanwhile that the standby works.

use std::io::{ErrorKind, Result};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bailiwick_sdk::tasks::SpecIndex;
use tokio::net::UnixStream;
use tokio::sync::Mutex;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::timeout;

use super::place::of_this_user;
use super::wire::{MOST_ANSWERED, MOST_ASKED, receive, say_alive, send, within};
use super::{PROMPT, Question};

/// The most who wait at once. A further one hears at once that there is nothing for it.
const MOST: usize = 32;

/// How often one who waits hears that the answer is worked on.
const STILL: Duration = Duration::from_secs(1);

/// What a question came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answered {
    Index,
    /// Nothing: a new process of the command answers. Where that goes on, this process ends.
    Nothing,
}

/// What finds an answer, in a thread of its own: reading a large specification keeps a thread from everything else.
type Work = Arc<dyn Fn(Option<&str>) -> Option<SpecIndex> + Send + Sync>;

/// Where questions are taken.
pub(super) struct Desk {
    key: String,
    work: Work,
    /// There is one compiler.
    turn: Arc<Mutex<()>>,
    asking: JoinSet<Result<Answered>>,
}

impl Desk {
    /// One for the questions with this key.
    pub(super) fn new(key: String, work: impl Fn(Option<&str>) -> Option<SpecIndex> + Send + Sync + 'static) -> Self {
        Self { key, work: Arc::new(work), turn: Arc::default(), asking: JoinSet::new() }
    }

    /// Takes the question of one who asks, or hangs up.
    pub(super) fn take(&mut self, stream: UnixStream) {
        if self.asking.len() < MOST {
            self.asking.spawn(answer(stream, self.key.clone(), self.work.clone(), self.turn.clone()));
        }
    }

    /// What the next question came to that is done with; `None` where no one asks.
    pub(super) async fn next(&mut self) -> Option<Answered> {
        let done = self.asking.join_next().await?;
        Some(done.ok().and_then(Result::ok).unwrap_or(Answered::Nothing))
    }

    /// Answers those who wait, for no longer than this, and hangs up.
    pub(super) async fn close(mut self, longest: Duration) {
        let _ = timeout(longest, async { while self.next().await.is_some() {} }).await;
        self.asking.shutdown().await;
    }
}

async fn answer(stream: UnixStream, key: String, work: Work, turn: Arc<Mutex<()>>) -> Result<Answered> {
    let mut stream = of_this_user(stream)?;
    within(PROMPT, say_alive(&mut stream)).await?;
    let question: Question = within(PROMPT, receive(&mut stream, MOST_ASKED, PROMPT)).await?;
    if question.key != key {
        return Err(ErrorKind::InvalidData.into());
    }
    let mut own = pin!(turn.lock_owned());
    let own = loop {
        match timeout(STILL, &mut own).await {
            Ok(own) => break own,
            // Who went away, such as by an interruption, keeps no one.
            Err(_) => say_still(&mut stream).await?,
        }
    };
    let mut work = spawn_blocking(move || {
        let _own = own;
        work(question.client.as_deref())
    });
    let index = loop {
        match timeout(STILL, &mut work).await {
            Ok(index) => break index?,
            // The compiler is not stopped in the middle: the next one may need it.
            Err(_) => drop(say_still(&mut stream).await),
        }
    };
    let _ = within(PROMPT, send(&mut stream, &index, MOST_ANSWERED)).await;
    Ok(if index.is_some() { Answered::Index } else { Answered::Nothing })
}

/// Says that this process works. An error says that no one listens; one who reads nothing for a while may still be there.
async fn say_still(stream: &mut UnixStream) -> Result<()> {
    match within(STILL, say_alive(stream)).await {
        Err(error) if error.kind() == ErrorKind::TimedOut => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::os::unix::net::UnixStream as Blocking;
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::thread::JoinHandle;

    use super::*;

    /// What is said to one who asks.
    #[derive(Debug, PartialEq, Eq)]
    enum Said {
        Alive,
        Answer,
        HungUp,
    }

    fn heard(stream: &mut Blocking) -> Said {
        // Far more than any of it takes.
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let mut length = [0; 4];
        match stream.read_exact(&mut length) {
            Ok(()) if length == [0; 4] => Said::Alive,
            Ok(()) => Said::Answer,
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Said::HungUp,
            Err(error) => panic!("{error}"),
        }
    }

    fn ask(mut stream: Blocking) -> Blocking {
        let text = serde_json::to_vec(&Question { key: "key".to_owned(), client: None }).unwrap();
        stream.write_all(&u32::try_from(text.len()).unwrap().to_le_bytes()).unwrap();
        stream.write_all(&text).unwrap();
        stream
    }

    /// A desk of which each piece of work keeps its thread until it is let go, and says when it begins.
    fn desk() -> (Desk, Receiver<()>, Sender<()>) {
        let ((begins, begun), (go, gone)) = (channel(), channel());
        let gone = std::sync::Mutex::new(gone);
        let work = move |_: Option<&str>| {
            begins.send(()).unwrap();
            gone.lock().unwrap().recv().ok().map(|()| SpecIndex::default())
        };
        (Desk::new("key".to_owned(), work), begun, go)
    }

    fn pair() -> (Blocking, UnixStream) {
        let (ours, theirs) = Blocking::pair().unwrap();
        theirs.set_nonblocking(true).unwrap();
        (ours, UnixStream::from_std(theirs).unwrap())
    }

    #[tokio::test]
    async fn one_who_asks_hears_at_once_and_while_the_work_keeps_its_thread_that_it_is_worked_on() {
        let (mut desk, begun, go) = desk();
        let (mut ours, theirs) = pair();
        desk.take(theirs);
        let client: JoinHandle<()> = std::thread::spawn(move || {
            assert_eq!(heard(&mut ours), Said::Alive, "before it says anything");
            let mut ours = ask(ours);
            begun.recv().unwrap();
            assert_eq!([heard(&mut ours), heard(&mut ours)], [Said::Alive, Said::Alive]);
            go.send(()).unwrap();
            while heard(&mut ours) == Said::Alive {}
        });
        assert_eq!(desk.next().await, Some(Answered::Index));
        client.join().unwrap();
    }

    #[tokio::test]
    async fn however_many_ask_each_hears_something_and_who_goes_away_keeps_no_one() {
        let (mut desk, begun, go) = desk();
        let mut all = Vec::new();
        for _ in 0..=MOST {
            let (ours, theirs) = pair();
            desk.take(theirs);
            all.push(ours);
        }
        let client = std::thread::spawn(move || {
            let mut last = all.pop().unwrap();
            assert_eq!(heard(&mut last), Said::HungUp);
            let mut all: Vec<_> = all.into_iter().map(ask).collect();
            for one in &mut all {
                assert_eq!([heard(one), heard(one)], [Said::Alive, Said::Alive]);
            }
            begun.recv().unwrap();
            // All but two go away, of whom one may be the one that is worked for.
            all.truncate(2);
            (all, begun, go)
        });
        for _ in 0..MOST - 3 {
            desk.next().await;
        }
        let (mut all, begun, go) = client.join().unwrap();
        let client = std::thread::spawn(move || {
            for _ in 0..3 {
                let _ = go.send(());
            }
            for one in &mut all {
                while heard(one) == Said::Alive {}
            }
            begun.try_iter().count()
        });
        while desk.next().await.is_some() {}
        assert!(client.join().unwrap() <= 2, "who went away was worked for");
    }

    #[tokio::test]
    async fn desk_closes_in_time_also_where_the_work_does_not_end() {
        let (mut desk, begun, go) = desk();
        let (mut ours, theirs) = pair();
        desk.take(theirs);
        let client = std::thread::spawn(move || {
            assert_eq!(heard(&mut ours), Said::Alive);
            let mut ours = ask(ours);
            begun.recv().unwrap();
            while heard(&mut ours) == Said::Alive {}
            // Only now the thread is let go.
            drop(go);
        });
        desk.close(Duration::from_secs(2)).await;
        client.join().unwrap();
    }
}
