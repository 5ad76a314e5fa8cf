//! Output is streamed as lines and kept within bounds.

use std::time::{Duration, Instant};

use bailiwick_process::{Confinement, Exit, Stream};

use crate::{command, probe_command, run, supervisor};

#[tokio::test]
async fn lines_arrive_while_the_child_runs_and_tell_their_stream() {
    let place = tempfile::tempdir().unwrap();
    let (heard, heard_name) = (place.path().join("heard"), place.path().join("heard").display().to_string());
    // It ends when the first line was heard, and at its deadline if lines are told at the end alone.
    let script = "echo one; echo two >&2; until [ -e \"$0\" ]; do sleep 0.05; done; printf last";
    let command = command("sh", &["-c", script, &heard_name], Confinement::Unconfined);
    let mut seen = Vec::new();
    let finished = supervisor()
        .run(&command, &mut |stream, line| {
            if line == "one" {
                std::fs::write(&heard, "").unwrap();
            }
            seen.push((stream, line.to_owned()));
        })
        .await
        .unwrap();
    assert!(seen.contains(&(Stream::Err, "two".to_owned())));
    assert!(seen.contains(&(Stream::Out, "last".to_owned())));
    assert_eq!(finished.stdout.text, "one\nlast");
    assert_eq!(finished.stderr.text, "two\n");
    assert_eq!(finished.stdout.omitted_bytes, 0);
    assert!(finished.wall > Duration::ZERO);
}

#[tokio::test]
async fn flood_is_kept_at_both_ends_and_counted() {
    const FLOOD: usize = 80 * 1024 * 1024;
    let mut command = probe_command(&["flood", &FLOOD.to_string()], Confinement::Unconfined);
    command.limits.output_bytes = 1000;
    let mut lines = 0_usize;
    let finished = supervisor().run(&command, &mut |_, _| lines += 1).await.unwrap();
    let end = "done flooded\n";
    let captured = finished.stdout;
    assert_eq!(captured.omitted_bytes as usize, FLOOD + end.len() - 1000);
    assert!(captured.text.len() < 1100);
    assert!(captured.text.starts_with("xxx") && captured.text.ends_with(end));
    assert_eq!(lines, FLOOD / 80 + 1);
}

#[tokio::test]
async fn flood_does_not_outrun_the_deadline() {
    let mut command = command("sh", &["-c", "exec yes"], Confinement::Unconfined);
    command.limits.deadline = Duration::from_millis(500);
    let begun = Instant::now();
    let error = run(&command).await.unwrap_err();
    let bailiwick_process::ProcessError::Deadline { stdout, .. } = error else {
        panic!("{error:?}");
    };
    assert!(stdout.omitted_bytes > 0);
    assert!(begun.elapsed() < Duration::from_secs(60));
}

#[tokio::test]
async fn bytes_that_are_not_utf8_do_not_hide_their_neighbours() {
    let command = command("printf", &["before \\377 after\\n"], Confinement::Unconfined);
    let finished = run(&command).await.unwrap();
    assert_eq!(finished.stdout.text, "before \u{fffd} after\n");
}

#[tokio::test]
async fn codes_and_signals_are_told_apart() {
    let code = command("sh", &["-c", "exit 130"], Confinement::Unconfined);
    assert_eq!(run(&code).await.unwrap().exit, Exit::Code(130));
    let signal = probe_command(&["kill-self"], Confinement::Unconfined);
    assert_eq!(run(&signal).await.unwrap().exit, Exit::Signal(15));
}
