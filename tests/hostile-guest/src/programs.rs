// Every hostile program, by theme. The guest makes its dispatch of this list, and the host's tests include the same
// file and refuse to compile when a program has no test. (No `//!` here: an included file cannot have it.)
macro_rules! for_each_program {
    ($callback:ident) => {
        $callback! {
            paths {
                parent_and_absolute_paths_reach_nothing,
                a_grant_survives_every_name_of_itself,
                a_slash_at_the_end_asks_for_a_directory,
                a_nul_ends_no_path,
                backslashes_and_encodings_are_plain_names,
                control_characters_are_kept_in_names,
                a_name_has_at_most_255_bytes,
                paths_past_4096_bytes_end_in_an_error,
                siblings_with_the_same_prefix_are_out_of_reach,
                handles_on_sub_directories_lead_no_higher,
            }
            links {
                links_within_a_grant_are_followed,
                links_to_the_outside_are_never_followed,
                links_into_proc_and_dev_are_never_followed,
                links_with_a_slash_at_their_end_do_not_escape,
                renaming_a_link_with_a_slash_at_its_end_stays_inside,
                creating_through_a_dangling_link_is_refused,
                creating_below_a_link_to_an_outside_directory_is_refused,
                guests_make_no_symbolic_links,
                guests_make_no_hard_links,
                the_text_of_an_outside_link_is_not_told,
                loops_and_long_chains_of_links_end,
                a_moved_link_still_leads_nowhere,
            }
            readonly {
                opening_with_any_flags_leaves_a_read_only_grant_alone,
                every_change_of_a_read_only_grant_is_refused,
                handles_on_read_only_sub_directories_gain_no_rights,
                a_handle_opened_for_reading_does_not_write,
                hard_links_to_the_outside_are_not_written,
            }
            crossing {
                nothing_moves_between_read_only_and_writable,
                files_move_between_writable_grants_and_are_not_linked,
                a_read_only_grant_within_a_writable_one,
                a_writable_grant_within_a_read_only_one,
                one_directory_granted_twice_keeps_both_accesses,
            }
            handles {
                a_handle_used_after_its_drop_traps,
                a_handle_dropped_twice_traps,
                forged_handles_trap,
                a_listing_used_as_a_descriptor_traps,
                a_path_that_is_not_utf8_traps,
                a_path_outside_of_memory_traps,
                undefined_flag_bits_grant_nothing,
                descriptors_without_end_are_stopped,
                listings_without_end_are_stopped,
                files_without_end_hold_no_handles_of_the_host,
                temporary_files_without_end_are_stopped,
                a_handle_on_a_removed_directory_reaches_nothing,
            }
            metadata {
                setting_times_changes_nothing,
                extreme_times_of_files_are_told_without_harm,
                offsets_and_sizes_at_the_end_of_numbers_are_refused,
                a_write_far_past_the_end_is_charged,
            }
            sensitive {
                sensitive_places_are_read_and_not_changed,
                no_detour_leads_into_a_sensitive_place,
                what_was_prepared_does_not_become_a_sensitive_place,
                what_one_grant_allows_does_not_move_into_another,
            }
            staged {
                a_staged_grant_leaves_the_layer_below_alone,
                links_in_either_layer_do_not_escape,
            }
            special {
                special_files_are_never_opened,
                a_running_program_is_not_written,
                directories_are_not_files,
                the_root_of_a_grant_cannot_be_removed,
                a_tree_of_ten_thousand_levels_is_walked,
            }
        }
    };
}
