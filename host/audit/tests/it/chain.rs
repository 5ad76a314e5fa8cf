//! Whatever is done to a log that an honest writer would not do is found, and where.

use crate::common::{Scratch, append, append_short, lines};
use bailiwick_audit::{AuditError, Broken, Fault, Verified, verify};
use proptest::prelude::*;
use sha2::{Digest as _, Sha256};
use std::fs;

fn broken(scratch: &Scratch) -> Broken {
    match verify(&scratch.log(), None) {
        Err(AuditError::Broken(broken)) => broken,
        other => panic!("the chain should be broken: {other:?}"),
    }
}

fn intact(scratch: &Scratch) -> Verified {
    verify(&scratch.log(), None).unwrap()
}

/// A log of `count` lines, each file with `in_file` of them.
fn small(count: usize, in_file: usize) -> Scratch {
    let scratch = Scratch::new();
    let log = scratch.open(1 << 30);
    append(&log, 0);
    let one = fs::metadata(scratch.file(1)).unwrap().len();
    let log = scratch.open(one * in_file as u64 - 20);
    for call in 1..count {
        append(&log, call);
    }
    scratch
}

#[test]
fn log_of_many_files_is_intact_and_its_head_is_the_last_hash() {
    let scratch = small(9, 3);
    let verified = intact(&scratch);
    assert_eq!((verified.lines, verified.files, verified.warned), (9, 3, 0));
    let last = lines(&scratch.file(3)).pop().unwrap();
    assert!(last.ends_with(&format!(",\"hash\":\"{}\"}}", verified.head)));
    assert!(verified.from.unwrap() <= verified.to.unwrap());
}

#[test]
fn log_that_is_not_there_has_no_lines() {
    let scratch = Scratch::new();
    assert_eq!(intact(&scratch).lines, 0);
    let _log = scratch.open(1000);
    assert_eq!(intact(&scratch).lines, 0);
}

#[test]
fn every_flipped_bit_of_every_file_is_found() {
    let scratch = Scratch::new();
    for _ in 0..3 {
        append_short(&scratch.open(400));
    }
    for file in [scratch.file(1), scratch.file(2), scratch.log().join("head")] {
        let original = fs::read(&file).unwrap();
        for bit in (0..original.len() * 8).step_by(bailiwick_fuzz::stride()) {
            let mut bytes = original.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            fs::write(&file, &bytes).unwrap();
            let found = broken(&scratch);
            let name = file.file_name().unwrap().to_str().unwrap();
            if name == "head" {
                // Another number in it cannot be told from a log that is too short or too long.
                continue;
            }
            let at = original[..bit / 8].iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
            assert_eq!((found.file.as_str(), found.line, found.fault), (name, at, Fault::Altered), "bit {bit}");
        }
        fs::write(&file, &original).unwrap();
    }
    assert_eq!(intact(&scratch).lines, 3);
}

#[test]
fn every_truncation_of_every_file_is_found() {
    let scratch = small(4, 2);
    for (file, last) in [(scratch.file(1), false), (scratch.file(2), true)] {
        let original = fs::read(&file).unwrap();
        for length in (0..original.len()).step_by(bailiwick_fuzz::stride()) {
            fs::write(&file, &original[..length]).unwrap();
            let found = broken(&scratch);
            if last {
                assert_eq!(found.fault, Fault::Truncated { expected: 4 }, "{length}: {found}");
            } else {
                assert!(matches!(found.fault, Fault::Removed { .. } | Fault::Altered), "{length}: {found}");
            }
        }
        fs::write(&file, &original).unwrap();
    }
    let head = scratch.log().join("head");
    let original = fs::read(&head).unwrap();
    for length in (0..original.len()).step_by(bailiwick_fuzz::stride()) {
        fs::write(&head, &original[..length]).unwrap();
        assert_eq!(broken(&scratch).file, "head", "{length}");
    }
}

#[test]
fn every_removed_line_is_found_where_it_was() {
    let scratch = small(5, 5);
    let original = lines(&scratch.file(1));
    for gone in 0..5 {
        let mut left = original.clone();
        left.remove(gone);
        fs::write(scratch.file(1), left.join("\n") + "\n").unwrap();
        let expected = gone as u64 + 1;
        let fault = if gone == 4 { Fault::Truncated { expected: 5 } } else { Fault::Removed { expected } };
        assert_eq!((broken(&scratch).line, broken(&scratch).fault), (expected, fault));
    }
}

#[test]
fn every_pair_of_swapped_lines_is_found_where_the_first_one_was() {
    let scratch = small(5, 5);
    let original = lines(&scratch.file(1));
    for first in 0..5 {
        for second in first + 1..5 {
            let mut swapped = original.clone();
            swapped.swap(first, second);
            fs::write(scratch.file(1), swapped.join("\n") + "\n").unwrap();
            let (expected, found) = (first as u64 + 1, second as u64 + 1);
            let fault = Fault::Reordered { expected, found };
            assert_eq!((broken(&scratch).line, broken(&scratch).fault), (expected, fault));
        }
    }
}

#[test]
fn line_that_was_altered_and_sealed_anew_is_found_at_the_next_one_or_by_the_head() {
    let scratch = small(5, 5);
    let original = lines(&scratch.file(1));
    for changed in 0..5 {
        let mut forged = original.clone();
        let text = forged[changed].replace("ReadFile", "ListFile");
        let (hashed, _) = text.rsplit_once(",\"hash\":\"").unwrap();
        let hash: String = Sha256::digest(hashed).iter().map(|byte| format!("{byte:02x}")).collect();
        forged[changed] = format!("{hashed},\"hash\":\"{hash}\"}}");
        fs::write(scratch.file(1), forged.join("\n") + "\n").unwrap();
        let found = broken(&scratch);
        let expected = if changed == 4 {
            ("head", 1, Fault::Head)
        } else {
            ("audit-000001.jsonl", changed as u64 + 2, Fault::Altered)
        };
        assert_eq!((found.file.as_str(), found.line, found.fault), expected);
    }
}

#[test]
fn every_inserted_line_is_found() {
    let (scratch, other) = (small(5, 5), small(5, 5));
    let original = lines(&scratch.file(1));
    let mut foreign = lines(&other.file(1));
    foreign.extend(original.clone());
    foreign.extend([String::new(), "garbage".into(), "{}".into()]);
    for place in 0..=5 {
        for line in &foreign {
            let mut inserted = original.clone();
            inserted.insert(place, line.clone());
            fs::write(scratch.file(1), inserted.join("\n") + "\n").unwrap();
            match verify(&scratch.log(), None) {
                Err(AuditError::Broken(_)) => {}
                // Behind the last line it cannot be told from what a crash leaves, and is said.
                Ok(verified) if place == 5 && !line.ends_with("\"}") => assert_eq!(verified.warned, 1),
                other => panic!("{line:?} at {place}: {other:?}"),
            }
        }
    }
}

#[test]
fn every_removed_or_exchanged_file_is_found() {
    let scratch = small(8, 2);
    for number in 1..=4 {
        let aside = scratch.log().join("aside");
        fs::rename(scratch.file(number), &aside).unwrap();
        let found = broken(&scratch);
        let expected = u64::from(number) * 2 - 1;
        let fault = if number == 4 { Fault::Truncated { expected: 8 } } else { Fault::Removed { expected } };
        assert_eq!(found.fault, fault, "{number}: {found}");
        assert!(number == 4 || found.file.ends_with(&format!("{number}.jsonl")), "{number}: {found}");
        fs::rename(&aside, scratch.file(number)).unwrap();
    }
    let (second, third) = (fs::read(scratch.file(2)).unwrap(), fs::read(scratch.file(3)).unwrap());
    fs::write(scratch.file(2), third).unwrap();
    fs::write(scratch.file(3), second).unwrap();
    assert_eq!(broken(&scratch).fault, Fault::Reordered { expected: 3, found: 5 });
}

#[test]
fn log_put_back_to_an_older_state_is_found_by_a_hash_kept_elsewhere() {
    let scratch = small(3, 10);
    let older = [fs::read(scratch.file(1)).unwrap(), fs::read(scratch.log().join("head")).unwrap()];
    let log = scratch.open(1 << 20);
    append(&log, 3);
    let kept = intact(&scratch).head;
    append(&log, 4);
    assert_eq!(verify(&scratch.log(), Some(&kept)).unwrap().lines, 5);
    fs::write(scratch.file(1), &older[0]).unwrap();
    fs::write(scratch.log().join("head"), &older[1]).unwrap();
    assert_eq!(intact(&scratch).lines, 3, "with every file rewritten the chain alone cannot know");
    let Err(AuditError::Broken(found)) = verify(&scratch.log(), Some(&kept)) else { panic!() };
    assert_eq!(found.fault, Fault::AnchorMissing);
    // The process that wrote the newer state knows, too, and does not go on.
    assert!(matches!(crate::common::try_append(&log, 5), Err(AuditError::Broken(_))));
    fs::remove_dir_all(scratch.log()).unwrap();
    assert!(verify(&scratch.log(), Some(&kept)).is_err());
}

#[test]
fn anchor_that_is_not_a_hash_is_refused() {
    let scratch = small(1, 1);
    for text in ["", "abc", &"A".repeat(64), &"g".repeat(64)] {
        assert!(matches!(verify(&scratch.log(), Some(text)), Err(AuditError::NoHash(_))), "{text}");
    }
    assert!(verify(&scratch.log(), Some(&"0".repeat(64))).is_err(), "the beginning is in every log");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: bailiwick_fuzz::cases(300), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_rearrangement_that_changes_the_log_is_found(picks in prop::collection::vec(0usize..6, 0..9)) {
        let scratch = small(6, 6);
        let original = lines(&scratch.file(1));
        let picked: Vec<_> = picks.iter().map(|pick| original[*pick].clone()).collect();
        prop_assume!(picked != original);
        fs::write(scratch.file(1), picked.iter().flat_map(|line| [line, "\n"]).collect::<String>()).unwrap();
        prop_assert!(matches!(verify(&scratch.log(), None), Err(AuditError::Broken(_))));
    }

    #[test]
    fn any_overwritten_bytes_are_found(at in 0usize..3000, with in prop::collection::vec(any::<u8>(), 1..80)) {
        let scratch = small(6, 6);
        let original = fs::read(scratch.file(1)).unwrap();
        let mut bytes = original.clone();
        let at = at.min(bytes.len() - 1);
        let end = (at + with.len()).min(bytes.len());
        bytes[at..end].copy_from_slice(&with[..end - at]);
        prop_assume!(bytes != original);
        fs::write(scratch.file(1), bytes).unwrap();
        prop_assert!(matches!(verify(&scratch.log(), None), Err(AuditError::Broken(_))));
    }
}
