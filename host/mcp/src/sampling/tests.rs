//! Whose model is asked, and whose answer counts.

use super::sampler::KEY;
use super::*;
use crate::call::{Again, Call};
use crate::caller::Caller;
use crate::component::{Reach, Way};
use crate::keys::Keys;
use crate::path_redaction::PathRedaction;
use crate::replicas::Link;
use crate::work::{self, Work};
use bailiwick_sandbox::rich::Abilities;
use rmcp::model::InputRequiredResult;
use serde_json::json;
use tokio_util::sync::CancellationToken;

const SOON: Duration = Duration::from_millis(20);

fn limits() -> ServerLimits {
    ServerLimits { answer: Duration::from_secs(60), questions: 2, ..ServerLimits::nothing() }
}

fn call(caller: Caller, again: Again) -> Call {
    let reach = Reach { can: Abilities::COMPLETIONS, way: Way::ByAnswer };
    Call { reach, caller, again, ..Call::for_tests() }
}

fn anna() -> Caller {
    Caller::subject("https://issuer.example", "anna", false)
}

fn operator() -> Caller {
    Caller::subject("https://issuer.example", "olga", true)
}

/// A run of Anna's that asks once.
struct Asking {
    sampler: Sampler,
    sampling: Sampling,
    work: Work<()>,
    answer: tokio::task::JoinHandle<Result<Completion, NoCompletion>>,
}

impl Asking {
    fn begin() -> Self {
        let sampling = Sampling::new(anna().owner, &limits());
        let prompt = Prompt {
            system: "Answer.".into(),
            messages: vec![(Speaker::User, "What is it called?".into())],
            output_limit: 10,
        };
        let asks = sampling.clone();
        let answer = tokio::spawn(async move { asks.complete(prompt).await });
        let (sampler, work) = (
            Sampler::new(&limits(), &Keys::of_this_process().unwrap(), Link::default()).unwrap(),
            Work::new(CancellationToken::new()),
        );
        Self { sampler, sampling, work, answer }
    }

    async fn waited(&self, call: &Call) -> Waited<()> {
        let conceal = PathRedaction::new([], &[]);
        let (work, within) = ((&self.work, &self.sampling), (SOON, work::Role::Waits));
        self.sampler.wait(work, None, within, call, &conceal).await.unwrap()
    }

    async fn asked(&self) -> InputRequiredResult {
        match self.waited(&call(anna(), Again::default())).await {
            Waited::Ask(ask) => *ask,
            Waited::Ended(_) | Waited::Late => panic!("nothing is asked"),
        }
    }
}

/// A call made again with an answer.
fn again(ask: &InputRequiredResult, text: &str) -> Again {
    let content = json!({ "type": "text", "text": text });
    let answer = json!({ "role": "assistant", "model": "test", "content": content });
    let responses = [(KEY.to_owned(), answer)].into_iter().collect();
    Again { responses: Some(responses), state: ask.request_state.clone() }
}

#[tokio::test]
async fn answer_of_the_subject_that_was_asked_is_the_answer_of_the_model() {
    let asking = Asking::begin();
    let ask = asking.asked().await;
    let answered = call(anna(), again(&ask, "Widget"));
    assert!(matches!(asking.sampler.redeem(&answered), Ok(Some(Redeemed::Step))));
    assert!(asking.sampler.redeem(&answered).is_err(), "it counts once");
    let completion = Completion { text: "Widget".into(), is_cut: false };
    assert_eq!(asking.answer.await.unwrap(), Ok(completion));
}

#[tokio::test]
async fn prompt_is_not_given_to_another_subject_who_waits_and_not_answered_by_one() {
    let asking = Asking::begin();
    assert!(matches!(asking.waited(&call(operator(), Again::default())).await, Waited::Late));
    let ask = asking.asked().await;
    assert!(matches!(asking.sampler.redeem(&call(operator(), again(&ask, "theirs"))), Ok(None)));
    assert!(!asking.answer.is_finished());
}

#[tokio::test]
async fn client_without_a_model_that_waits_gets_no_prompt() {
    let asking = Asking::begin();
    let without = Call { reach: Reach::none(), ..call(anna(), Again::default()) };
    assert!(matches!(asking.waited(&without).await, Waited::Late));
}

#[tokio::test]
async fn prompt_that_is_not_waited_for_any_more_is_given_to_no_client() {
    let asking = Asking::begin();
    tokio::task::yield_now().await;
    asking.answer.abort();
    while !asking.answer.is_finished() {
        tokio::task::yield_now().await;
    }
    assert!(matches!(asking.waited(&call(anna(), Again::default())).await, Waited::Late));
}

#[tokio::test]
async fn answer_without_a_text_is_an_error() {
    let asking = Asking::begin();
    let ask = asking.asked().await;
    let nothing = Again { responses: None, ..again(&ask, "") };
    assert!(matches!(asking.sampler.redeem(&call(anna(), nothing)), Ok(Some(_))));
    assert!(matches!(asking.answer.await.unwrap(), Err(NoCompletion::Refused(_))));
}
