//! What cannot be done: the registry is out of reach, a state directory is damaged, an answer is too long, a step is refused.

use super::super::Identity;
use super::hostile::{sent, ticket, what};
use super::world::{DAMAGED, World, call, caller, keys};
use crate::failure::Failure;
use crate::replicas::wire::Forwarded;
use crate::replicas::{Link, Place, Shelf};
use crate::work::Ended;
use bailiwick_customize::driver::WorkflowStep;
use bailiwick_runs::Sees;
use serde_json::json;
use std::sync::atomic::Ordering;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn run_that_the_registry_could_not_take_is_shown_by_its_replica_and_claimed_when_it_can() {
    let world = World::new();
    let (one, other) = (world.replica("one").await, world.replica("other").await);
    let job = one.at_work("anna").await;
    let (run, first) = (one.pending("anna").await, job.id().clone());
    one.replicas.forget(run.as_str()).await;
    let link = Link::default();
    link.set(one.replicas.clone());
    world.is_down.store(true, Ordering::SeqCst);
    job.began(&run, &link);
    let shown = one.ask("azsdk_run_show", run.as_str(), call("anna")).await;
    assert_eq!(shown, "pending", "its own replica knows it");
    assert_eq!(*job.id(), first, "clients are not told of a name that other replicas do not know");
    world.is_down.store(false, Ordering::SeqCst);
    let claimed = async {
        while *job.id() != run {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), claimed).await.expect("it is claimed again");
    assert_eq!(other.ask("azsdk_run_show", run.as_str(), call("anna")).await, "pending");
}

#[tokio::test(flavor = "multi_thread")]
async fn registry_that_cannot_be_read_may_lack_entries() {
    let world = World::new();
    let one = world.replica("one").await;
    assert!(!one.replicas.may_lack().await);
    world.is_down.store(true, Ordering::SeqCst);
    assert!(one.replicas.may_lack().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn work_of_another_subject_is_an_unknown_name_here_also_while_the_registry_is_away() {
    let world = World::new();
    let one = world.replica("one").await;
    let job = one.at_work("anna").await;
    let (step, meanwhile) = step_of_a_workflow();
    let anna = caller("anna");
    let places = [one.package.clone(), one.package.clone()];
    one.server.workflows().begin((&anna, &anna.owner), step, meanwhile, places).await.unwrap();
    world.is_down.store(true, Ordering::SeqCst);
    for id in [job.id().as_str(), "workflow-1", "20261120-130405-678-k3m9x2qa"] {
        let said = one.ask("azsdk_run_show", id, call("bob")).await;
        assert!(said.contains("the registry of this server's replicas cannot be reached"), "{id}: {said}");
    }
    assert_eq!(one.ask("azsdk_run_cancel", job.id().as_str(), call("anna")).await, "cancelled");
}

#[tokio::test(flavor = "multi_thread")]
async fn failure_of_another_replica_names_none_of_its_private_places() {
    let world = World::new();
    let (one, other) = (world.replica("one").await, world.replica("other").await);
    let id = one.pending("anna").await.to_string();
    std::fs::write(one.state.join(DAMAGED), "").unwrap();
    let said = other.ask("azsdk_run_show", &id, call("anna")).await;
    assert!(said.contains("`<state directory>/runs` is damaged"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn answer_that_is_too_long_to_pass_on_says_that_the_call_was_carried_out() {
    let mut world = World::new();
    world.message_bytes = 4096;
    let (one, other) = (world.replica("one").await, world.replica("other").await);
    let job = one.at_work("anna").await;
    job.work.close(Ended::Failed(Failure::new("x".repeat(world.message_bytes))));
    let said = other.ask("azsdk_run_wait", job.id().as_str(), call("anna")).await;
    assert!(said.contains("was carried out, and its answer is longer"), "{said}");
}

fn step_of_a_workflow() -> (WorkflowStep, bailiwick_customize::coordinator::Answer) {
    let progress = json!({ "current_step": 1, "total_steps": 3, "completed_steps": [], "remaining_steps": [] });
    let meanwhile = json!({
        "phase": "AttemptSdkFix", "message": "", "workflow_id": "workflow-1", "is_complete": false,
        "continuation_required": true, "progress": progress,
    });
    (WorkflowStep::Fix { id: "workflow-1".into() }, serde_json::from_value(meanwhile).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn workflow_that_an_operator_goes_on_with_stays_its_owners_in_the_registry() {
    let world = World::new();
    let (one, other) = (world.replica("one").await, world.replica("other").await);
    let (step, meanwhile) = step_of_a_workflow();
    let places = [one.package.clone(), one.package.clone()];
    let (olga, anna) = (caller("olga"), caller("anna").owner);
    let step = one.server.workflows().begin((&olga, &anna), step, meanwhile, places).await.unwrap();
    let link = Link::default();
    link.set(one.replicas.clone());
    let run = "20261120-130405-678-k3m9x2qa";
    step.began(&run.parse().unwrap(), &link);
    let claimed = async {
        while !world.names(Shelf::Runs).await.contains(&run.to_owned()) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), claimed).await.expect("its run is claimed");
    for name in ["workflow-1", run] {
        let place = async |subject: &str| other.replicas.place(name, &caller(subject)).await.unwrap();
        assert!(matches!(place("anna").await, Place::There { .. }), "{name}: {:?}", place("anna").await);
        assert!(matches!(place("bob").await, Place::Here), "{name}");
    }
    let both = ["workflow-1", run].map(|name| (name.to_owned(), anna.clone()));
    assert_eq!(one.server.workflows().names(), both, "so it is entered where the registry lost it");
}

#[tokio::test(flavor = "multi_thread")]
async fn step_of_a_workflow_that_is_refused_leaves_no_entry_in_the_registry() {
    let world = World::new();
    let one = world.replica("one").await;
    one.server.closing().cancel();
    let (step, meanwhile) = step_of_a_workflow();
    let places = [one.package.clone(), one.package.clone()];
    let anna = caller("anna");
    let refused = one.server.workflows().begin((&anna, &anna.owner), step, meanwhile, places).await;
    assert!(refused.is_err_and(|failure| failure.message.contains("is ending")));
    assert_eq!(world.names(Shelf::Runs).await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn operator_has_all_rights_here_after_a_replica_passed_a_call_on_with_fewer() {
    let world = World::new();
    let one = world.replica("one").await;
    let id = one.pending("anna").await.to_string();
    let (own, ticket) = (keys(), ticket(&one, "a"));
    let narrowed = Forwarded { sees_all: false, ..what(caller("olga").owner, "azsdk_run_show", &id) };
    let (_, said) = sent(&one, &ticket, [&own, &own], &ticket.call(), &narrowed).await;
    assert!(said.contains("there is no run"), "{said}");
    let identity = Identity { subject: "olga".into(), client: narrowed.program };
    let client = one.clients.of(&identity, &caller("olga")).unwrap();
    assert_eq!(client.user.caller.sees, Sees::All);
}
