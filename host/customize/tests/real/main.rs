//! The widget fixture with the real compiler, emitter, interpreter and type checker, everything confined.
//!
//! The helper that confines children is this very executable, so this file has its own `main` instead of the harness.
//! `BAILIWICK_CACHE_DIR` names the tool cache; without it the workspace's ignored one is used and filled.

#![expect(clippy::unwrap_used, clippy::print_stderr, reason = "a test, though without the harness that says so")]

mod bench;
mod moved;
mod package;
mod resident;
mod standby;

use std::process::ExitCode;

use bailiwick_process::{HELPER_ARGUMENT, confined_main};

use bailiwick_customize::typespec::{STANDBY_ARGUMENT, stand_by};
use bench::Bench;
use moved::operation_moves_beside_declared_clients;
use package::{
    ended_interpreter, file_of_the_same_length_and_time_is_checked_again, fixture_is_clean_before_any_change,
    hidden_operation, renames, replaced_client_file, script_of_a_specification, seeded_check,
    specification_with_errors, swallowed_attempts, templates, two_hundred_operations, types_of_libraries,
    withheld_variable,
};
use resident::{
    child_that_stays_is_ended_when_it_is_silent_and_leaves_nothing,
    resident_compiler_answers_as_a_new_one_does_whatever_was_asked_before,
    resident_compiler_serves_nothing_but_what_it_was_started_for,
    resident_compiler_that_dies_or_answers_nonsense_is_replaced_by_a_new_process,
};

use standby::{
    compiler_of_a_standby_that_takes_too_much_or_lies_is_replaced_by_a_new_process,
    copy_that_was_poisoned_answers_no_question, standby_answers_as_a_new_compiler_does_whatever_was_asked_before,
    standby_serves_nothing_but_what_it_was_started_for,
    standby_that_is_killed_in_the_middle_of_a_question_is_replaced_by_a_new_process,
};

/// A test with its name.
type Test = (&'static str, fn(&Bench));

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some(HELPER_ARGUMENT) {
        return confined_main();
    }
    if std::env::args().nth(1).as_deref() == Some(STANDBY_ARGUMENT) {
        return stand_by();
    }
    // `cargo test -- <part of a name>`; flags of the usual harness are ignored.
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let tests: &[Test] = &[
        ("fixture_is_clean_before_any_change", fixture_is_clean_before_any_change),
        ("hidden_operation_is_private_and_nothing_hand_written_changes", hidden_operation),
        ("renames_break_the_patch_files_that_use_the_names", renames),
        ("check_that_begins_with_a_seed_says_what_one_without_says", seeded_check),
        ("file_of_the_same_length_and_time_is_checked_again", file_of_the_same_length_and_time_is_checked_again),
        ("specification_that_does_not_compile_leaves_the_sources", specification_with_errors),
        ("index_of_a_replaced_client_file_is_that_files", replaced_client_file),
        ("index_of_two_hundred_operations_holds_each_with_its_parameters", two_hundred_operations),
        ("type_of_a_library_that_the_client_has_is_renamed_for_one_language", types_of_libraries),
        ("parameters_of_templates_are_known_with_what_reaches_them", templates),
        ("operation_moves_beside_declared_clients_in_one_language", operation_moves_beside_declared_clients),
        ("attempts_at_import_time_fail_the_build_even_when_swallowed", swallowed_attempts),
        ("reading_a_withheld_variable_is_a_warning_unless_it_fails", withheld_variable),
        ("import_that_ends_the_interpreter_is_no_success", ended_interpreter),
        ("script_of_a_specification_reaches_nothing_outside", script_of_a_specification),
        (
            "resident_compiler_answers_as_a_new_one_does_whatever_was_asked_before",
            resident_compiler_answers_as_a_new_one_does_whatever_was_asked_before,
        ),
        (
            "resident_compiler_serves_nothing_but_what_it_was_started_for",
            resident_compiler_serves_nothing_but_what_it_was_started_for,
        ),
        (
            "resident_compiler_that_dies_or_answers_nonsense_is_replaced_by_a_new_process",
            resident_compiler_that_dies_or_answers_nonsense_is_replaced_by_a_new_process,
        ),
        (
            "child_that_stays_is_ended_when_it_is_silent_and_leaves_nothing",
            child_that_stays_is_ended_when_it_is_silent_and_leaves_nothing,
        ),
        (
            "standby_answers_as_a_new_compiler_does_whatever_was_asked_before",
            standby_answers_as_a_new_compiler_does_whatever_was_asked_before,
        ),
        ("standby_serves_nothing_but_what_it_was_started_for", standby_serves_nothing_but_what_it_was_started_for),
        ("copy_that_was_poisoned_answers_no_question", copy_that_was_poisoned_answers_no_question),
        (
            "standby_that_is_killed_in_the_middle_of_a_question_is_replaced_by_a_new_process",
            standby_that_is_killed_in_the_middle_of_a_question_is_replaced_by_a_new_process,
        ),
        (
            "compiler_of_a_standby_that_takes_too_much_or_lies_is_replaced_by_a_new_process",
            compiler_of_a_standby_that_takes_too_much_or_lies_is_replaced_by_a_new_process,
        ),
    ];
    let bench = Bench::new();
    for (name, test) in tests.iter().filter(|(name, _)| name.contains(&filter)) {
        eprintln!("test {name} ...");
        test(&bench);
        eprintln!("test {name} ... ok");
    }
    ExitCode::SUCCESS
}
