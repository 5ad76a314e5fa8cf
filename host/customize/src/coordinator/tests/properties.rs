//! Whatever callers report, in whatever order.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

use super::*;

/// What a random caller does, or what the world answers it.
#[derive(Debug, Clone)]
enum Act {
    Report(Value),
    Check(Checked),
    Save,
}

fn act() -> impl Strategy<Value = Act> {
    let valid = prop_oneof![
        any::<bool>().prop_map(|can| json!({ "type": "classification", "tspApplicable": can })),
        Just(json!({ "type": "tsp_fix_applied", "description": "d" })),
        Just(json!({ "type": "tsp_fix_not_applicable", "reason": "r" })),
        Just(json!({ "type": "sdk_fix_applied", "description": "d" })),
        Just(json!({ "type": "sdk_fix_failed", "reason": "r" })),
    ];
    let broken = prop_oneof![
        Just(json!("{")),
        Just(json!({ "type": "classification" })),
        Just(json!({ "type": "build_complete", "success": true })),
        Just(Value::Null),
    ];
    let checked = prop_oneof![
        2 => Just(Checked::Passed),
        4 => Just(build_failed("x")),
        1 => Just(Checked::RegenerationFailed { diagnostics: vec![error("g")] }),
        3 => Just(Checked::NothingEdited),
        3 => Just(Checked::EditsRefused { violations: vec!["no".into()] }),
    ];
    prop_oneof![6 => valid.prop_map(Act::Report), 1 => broken.prop_map(Act::Report), 5 => checked.prop_map(Act::Check), 1 => Just(Act::Save)]
}

fn config() -> Config {
    Config { cases: bailiwick_fuzz::cases(2_000), rng_seed: RngSeed::Fixed(6), ..Config::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn no_sequence_corrupts_the_state_and_every_answer_says_what_to_do(
        max in 1..=MAX_ITERATIONS,
        acts in prop::collection::vec(act(), 0..80),
    ) {
        let mut workflow = begun_with(max);
        let mut passed_after_last_edit = false;
        for act in acts {
            let before = workflow.clone();
            match act {
                Act::Report(value) => {
                    let taken = Report::read(&value).ok().and_then(|report| workflow.receive(&report).ok());
                    match taken {
                        None => prop_assert_eq!(&workflow, &before, "what is not taken changes nothing"),
                        Some(Next::Check(_)) => passed_after_last_edit = false,
                        Some(Next::Answer) => {}
                    }
                }
                Act::Check(checked) => {
                    let under_way = workflow.checking().is_some();
                    workflow.checked(&checked);
                    if under_way {
                        passed_after_last_edit = checked == Checked::Passed;
                    } else {
                        prop_assert_eq!(&workflow, &before);
                    }
                }
                Act::Save => {
                    let kept = serde_json::to_string(&workflow).unwrap();
                    workflow = serde_json::from_str(&kept).unwrap();
                    prop_assert_eq!(&workflow, &before);
                }
            }
            prop_assert!(workflow.iteration() >= before.iteration() && workflow.iteration() <= max);
            prop_assert!(!before.phase().is_terminal() || workflow == before, "an end is an end");
            if workflow.phase() == Phase::Success {
                prop_assert!(passed_after_last_edit, "no success without a check that passed after the last edit");
            }
            let answer = workflow.answer();
            prop_assert_eq!(answer.is_complete, !answer.continuation_required);
            prop_assert_eq!(answer.is_complete, answer.status.is_some() && answer.summary.is_some());
            prop_assert_eq!(answer.continuation_required, answer.continuation_instruction.is_some());
            let progress = &answer.progress;
            let listed = progress.completed_steps.len() + progress.remaining_steps.len();
            prop_assert!(progress.current_step >= 1 && progress.current_step <= progress.total_steps);
            prop_assert!(listed == usize::from(progress.total_steps) || listed + 1 == usize::from(progress.total_steps));
            if answer.continuation_required && workflow.checking().is_none() {
                let asked = answer.instruction.is_some() || answer.use_subagent.is_some() || answer.run_tool.is_some();
                prop_assert!(asked && answer.expected_result.is_some());
            }
        }
    }

    #[test]
    fn caller_that_always_obliges_comes_to_an_end(
        max in 1..=MAX_ITERATIONS,
        choices in prop::collection::vec((any::<bool>(), 0..4usize), 400),
    ) {
        let mut workflow = begun_with(max);
        let mut steps = 0;
        for (first, outcome) in choices {
            if workflow.phase().is_terminal() {
                break;
            }
            steps += 1;
            let report = match (workflow.phase(), first) {
                (Phase::Classify, first) => classified(first),
                (Phase::AttemptTspFix, true) => tsp_applied(),
                (Phase::AttemptTspFix, false) => tsp_not_applicable(),
                (_, _) => sdk_applied(),
            };
            let checked = [build_failed("x"), Checked::NothingEdited, build_failed("y"),
                Checked::EditsRefused { violations: vec!["no".into()] }];
            take(&mut workflow, &report, &checked[outcome]);
        }
        prop_assert!(workflow.phase().is_terminal(), "after {} steps", steps);
    }
}
