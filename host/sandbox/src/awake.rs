//! Staying awake for a moment where what is waited for is about to come.
//!
//! To sleep and to be woken takes longer than most calls of a tool do, twice a call: the worker's and its caller's. Whoever
//! would have had to wait for a moment only stays awake the next time, and whoever stayed awake for nothing does not.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::yield_now;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tokio::sync::oneshot::error::TryRecvError;

/// For how long at most. A few times what a call takes with all that its client does in between.
pub(crate) const MOMENT: Duration = Duration::from_micros(200);
/// So often is looked between two times of letting other threads go first.
const LOOKS: usize = 8;
/// How long the processor rests between two looks; the other thread may share it.
const RESTS: usize = 8;

/// Whether it pays to stay awake.
#[derive(Debug, Default)]
pub(crate) struct Habit(AtomicBool);

impl Habit {
    /// Looks until there is something, for a moment at most; once only where that has been for nothing.
    pub(crate) fn wait<T>(&self, mut look: impl FnMut() -> Option<T>) -> Option<T> {
        if !self.pays() {
            return look();
        }
        let begun = Instant::now();
        while begun.elapsed() < MOMENT {
            for _ in 0..LOOKS {
                if let Some(found) = look() {
                    return Some(found);
                }
                (0..RESTS).for_each(|_| spin_loop());
            }
            yield_now();
        }
        self.learn(MOMENT);
        look()
    }

    fn pays(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// What was waited for took so long to come.
    pub(crate) fn learn(&self, waited: Duration) {
        self.0.store(waited < MOMENT, Ordering::Relaxed);
    }
}

/// Those who wait for the answers to their calls. Only one who is alone stays awake: where there are more, the thread that
/// would is needed.
#[derive(Debug, Default)]
pub(crate) struct Company {
    present: AtomicUsize,
    habit: Habit,
}

/// One of them, until it is dropped.
struct Present<'a>(&'a AtomicUsize);

impl Drop for Present<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Company {
    /// Waits for an answer; `None` when nobody will send one.
    pub(crate) async fn wait<T>(&self, mut answer: oneshot::Receiver<T>) -> Option<T> {
        self.present.fetch_add(1, Ordering::Relaxed);
        let _present = Present(&self.present);
        let begun = Instant::now();
        if self.habit.pays() {
            // What else this thread could do by now comes first; other calls may be among it.
            tokio::task::yield_now().await;
            if self.present.load(Ordering::Relaxed) == 1
                && let Some(early) = self.habit.wait(|| match answer.try_recv() {
                    Err(TryRecvError::Empty) => None,
                    ended => Some(ended.ok()),
                })
            {
                return early;
            }
        }
        let outcome = answer.await;
        if self.present.load(Ordering::Relaxed) == 1 {
            self.habit.learn(begun.elapsed());
        }
        outcome.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_stays_awake_who_has_not_learnt_that_it_pays() {
        let habit = Habit::default();
        let mut looks = 0;
        let mut never = || {
            looks += 1;
            None::<()>
        };
        assert_eq!(habit.wait(&mut never), None);
        habit.learn(MOMENT);
        assert_eq!(habit.wait(&mut never), None);
        assert_eq!(looks, 2);
    }

    #[test]
    fn who_stayed_awake_for_nothing_does_not_the_next_time() {
        let habit = Habit::default();
        habit.learn(Duration::ZERO);
        let begun = Instant::now();
        assert_eq!(habit.wait(|| None::<()>), None);
        assert!(begun.elapsed() >= MOMENT);
        let mut looks = 0;
        let found = habit.wait(|| {
            looks += 1;
            None::<()>
        });
        assert_eq!((found, looks), (None, 1));
    }

    #[test]
    fn what_comes_within_the_moment_is_found() {
        let habit = Habit::default();
        habit.learn(Duration::ZERO);
        let mut looks = 0;
        let found = habit.wait(|| {
            looks += 1;
            (looks == 2).then_some(looks)
        });
        assert_eq!(found, Some(2));
    }

    #[tokio::test]
    async fn whoever_waits_awake_for_an_answer_that_never_comes_is_told_so() {
        let company = Company::default();
        for pays in [Duration::ZERO, MOMENT] {
            company.habit.learn(pays);
            let (sender, answer) = oneshot::channel::<()>();
            drop(sender);
            assert_eq!(company.wait(answer).await, None);
        }
    }

    #[tokio::test]
    async fn answers_come_to_whoever_waits_awake_or_asleep() {
        let company = Company::default();
        for pays in [Duration::ZERO, MOMENT] {
            company.habit.learn(pays);
            let (sender, answer) = oneshot::channel();
            let sending = std::thread::spawn(move || sender.send(7));
            assert_eq!(company.wait(answer).await, Some(7));
            sending.join().unwrap().unwrap();
        }
        assert_eq!(company.present.load(Ordering::Relaxed), 0);
    }
}
