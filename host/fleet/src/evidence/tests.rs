use proptest::prelude::*;

use super::*;
use crate::manifest::testing;
use crate::verdict::Cause;

fn verdicts() -> impl Strategy<Value = Verdict> {
    prop::sample::select(Verdict::ALL.to_vec())
}

fn ends() -> impl Strategy<Value = Option<Ended>> {
    prop_oneof![
        Just(None),
        (0..3_i32).prop_map(|code| Some(Ended::Code(code))),
        Just(Some(Ended::Signal(9))),
        Just(Some(Ended::Deadline)),
        Just(Some(Ended::Limit("memory"))),
    ]
}

fn answers() -> impl Strategy<Value = Option<&'static str>> {
    prop::sample::select(vec![
        None,
        Some("{\"step\":\"generate\",\"succeeded\":true}"),
        Some("{\"step\":\"generate\",\"succeeded\":false}"),
        Some("{\"outcome\":\"success\",\"success\":true,\"codePatches\":[{}]}"),
        Some("{}"),
        Some("\u{0}"),
    ])
}

proptest! {
    /// Whatever is put together: what is taken as done was said by a command that ended with 0.
    #[test]
    fn no_package_is_done_that_its_command_does_not_say_is_done(
        verdict in verdicts(), ended in ends(), answer in answers(), with_patch in any::<bool>(), message in "[a-z ]{0,8}",
    ) {
        let job = testing::job("a", None);
        let judged = judge(ended.unwrap_or(Ended::Code(1)), answer.unwrap_or_default());
        let mut result = JobResult::of_fleet(&job, verdict, 1, "x");
        result.message = if message.is_empty() { judged.message.clone() } else { message };
        result.causes = judged.causes.clone();
        result.guidance = judged.guidance.clone();
        let mut artifacts: Vec<(String, Vec<u8>)> = answer.map(|text| (ANSWER.to_owned(), text.into())).into_iter().collect();
        if with_patch {
            let digest = text::hex(&Sha256::digest(b""));
            result.patches.push(Patch { of: Patch::PACKAGE.into(), base: job.sdk.commit.clone(), digest, files: 0, lines: 0 });
            artifacts.push(("package.patch".into(), Vec::new()));
        }
        let left = Left { result, ended };
        if contradiction(&job, &left, &artifacts).is_none() && left.result.verdict.is_done() {
            prop_assert_eq!(ended, Some(Ended::Code(0)));
            prop_assert_eq!(judged.verdict, left.result.verdict);
            prop_assert!(with_patch);
        }
    }
}

#[test]
fn reasons_that_the_command_does_not_give_are_a_contradiction() {
    let job = testing::job("a", None);
    let judged = judge(Ended::Code(1), "{\"step\":\"generate\",\"succeeded\":false}");
    let mut result = JobResult::of_fleet(&job, judged.verdict, 1, &judged.message);
    result.causes = judged.causes;
    let mut left = Left { result, ended: Some(Ended::Code(1)) };
    let artifacts = [(ANSWER.to_owned(), b"{\"step\":\"generate\",\"succeeded\":false}".to_vec())];
    assert_eq!(contradiction(&job, &left, &artifacts), None);
    left.result.causes.push(Cause { tool: "mypy".into(), code: None, message: "made up".into() });
    assert!(contradiction(&job, &left, &artifacts).is_some());
}

#[test]
fn how_a_command_ended_is_read_as_it_is_written_and_nothing_else_is() {
    for ended in [Ended::Code(0), Ended::Code(-1), Ended::Signal(9), Ended::Deadline, Ended::Limit("disk space")] {
        assert_eq!(Ended::try_from(String::from(ended)), Ok(ended));
    }
    for text in ["", "code", "code x", "limit everything", "deadline 3", "ok"] {
        assert!(Ended::try_from(text.to_owned()).is_err(), "{text}");
    }
}
