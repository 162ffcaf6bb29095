"""What a usual run leaves to the night (`--full`), and which tests stand for it in every run.

A test is here where another one, which stays, proves the same: the one that is more likely to find a fault stays. What
is about money, posting, keys, secrets or another user's data stays in every run at least once each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

# files below `tests/`, and their tests, each with a row in brackets where only that is meant
Named = Mapping[str, tuple[str, ...]]


class Left(NamedTuple):
    """Tests of the night: `why` says what they add, and `kept` are those that look at the same in every run."""

    why: str
    kept: Named
    tests: Named


def ids(named: Named) -> Iterator[str]:
    """Yield the ids of tests, below `tests/`."""
    return (f"{file}::{name}" for file, names in named.items() for name in names)


LEFT: Final = (
    Left(
        "Very many and very large: what memory and time they take.",
        {
            "journeys/test_bank.py": ("test_each_line_becomes_a_draft_on_the_bank_account_once",),
            "hostile/test_records.py": ("test_odd_records_are_shown_or_refused",),
        },
        {
            "journeys/test_bank.py": ("test_a_large_statement_takes_little_memory_and_the_second_time_is_quick",),
            "hostile/test_records.py": ("test_a_million_ids_that_lie_far_from_each_other_are_remembered",),
        },
    ),
    Left(
        "One person many times at once, after many persons at once.",
        {
            "journeys/test_sign_in.py": ("test_many_sign_in_at_once_and_the_books_go_on",),
        },
        {
            "journeys/test_sign_in.py": ("test_one_person_signs_in_many_times_at_once",),
        },
    ),
    Left(
        "Killed after a request instead of before the next one: a command that waits for its reply has done the same.",
        {
            "journeys/test_bank_cut_off.py": (
                "test_killed_at_any_request_each_line_is_settled_once[sqlite-before-begin_with_claims]",
            ),
            "journeys/test_confirming.py": (
                "test_killed_at_any_request_each_payment_is_posted_once[sqlite-order0-before]",
            ),
            "journeys/test_purchase_import.py": (
                "test_killed_at_any_request_each_invoice_is_there_once[sqlite-before]",
            ),
            "journeys/test_payment_files.py": (
                "test_killed_at_any_request_no_invoice_is_in_two_files_and_none_is_lost[sqlite-before]",
            ),
        },
        {
            "journeys/test_bank_cut_off.py": (
                "test_killed_at_any_request_each_line_is_settled_once[sqlite-after-begin_with_claims]",
                "test_killed_at_any_request_each_line_is_settled_once[sqlite-after-begin_with_actions]",
            ),
            "journeys/test_confirming.py": (
                "test_killed_at_any_request_each_payment_is_posted_once[sqlite-order1-after]",
            ),
            "journeys/test_purchase_import.py": (
                "test_killed_at_any_request_each_invoice_is_there_once[sqlite-after]",
            ),
            "journeys/test_payment_files.py": (
                "test_killed_at_any_request_no_invoice_is_in_two_files_and_none_is_lost[sqlite-after]",
            ),
        },
    ),
    Left(
        "The same posting of lines, killed under other commands and at other lines.",
        {
            "journeys/test_bank_cut_off.py": (
                "test_killed_at_any_request_each_line_is_settled_once[sqlite-before-begin_with_claims]",
                "test_ended_before_a_draft_goes_the_next_run_takes_the_rest_of_its_claim",
            ),
            "journeys/test_purchase_import.py": (
                "test_killed_at_any_request_each_invoice_is_there_once[sqlite-before]",
            ),
            "journeys/test_reminding.py": (
                "test_a_run_that_is_killed_is_gone_on_with_and_mails_nothing_twice[sqlite-email]",
            ),
        },
        {
            "journeys/test_bank_cut_off.py": (
                "test_killed_at_any_request_each_line_is_settled_once[sqlite-before-begin_with_actions]",
            ),
            "journeys/test_bank_match.py": ("test_killed_at_any_request_drafts_are_treated_once",),
            "journeys/test_bank.py": ("test_an_import_that_is_killed_again_and_again_posts_each_line_once",),
            "journeys/test_purchase_import.py": ("test_killed_anew_in_fresh_books_it_is_completed",),
            "journeys/test_reminding.py": (
                "test_a_run_that_is_killed_is_gone_on_with_and_mails_nothing_twice[sqlite-paper]",
            ),
        },
    ),
    Left(
        "Several who do the same at once, on SQLite too: writers wait in another way on PostgreSQL alone.",
        {
            "journeys/test_bank_cut_off.py": (
                "test_several_who_import_at_once_settle_each_line_once[sqlite-begin_with_claims]",
            ),
            "journeys/test_purchase_import.py": ("test_several_who_import_at_once_enter_each_once",),
            "journeys/test_confirming.py": ("test_who_confirms_and_who_imports_at_once[postgresql-socket]",),
            "journeys/test_payment_files.py": ("test_several_at_once_pay_each_invoice_once[postgresql-socket]",),
            "journeys/test_purchases.py": (
                "test_users_who_book_a_bill_at_the_same_moment_book_it_once[postgresql-socket]",
            ),
            "journeys/test_reminding.py": ("test_of_two_who_remind_at_once_one_mails[postgresql-socket]",),
            "journeys/test_taking_back.py": (
                "test_users_who_take_a_document_back_at_the_same_moment_do_so_once[postgresql-socket]",
            ),
        },
        {
            "journeys/test_bank_cut_off.py": (
                "test_several_who_import_at_once_settle_each_line_once[sqlite-begin_with_actions]",
            ),
            "journeys/test_bank.py": ("test_two_who_import_at_once_post_each_line_once",),
            "journeys/test_confirming.py": ("test_who_confirms_and_who_imports_at_once[sqlite]",),
            "journeys/test_payment_files.py": ("test_several_at_once_pay_each_invoice_once[sqlite]",),
            "journeys/test_purchases.py": ("test_users_who_book_a_bill_at_the_same_moment_book_it_once[sqlite]",),
            "journeys/test_reminding.py": ("test_of_two_who_remind_at_once_one_mails[sqlite]",),
            "journeys/test_taking_back.py": (
                "test_users_who_take_a_document_back_at_the_same_moment_do_so_once[sqlite]",
            ),
        },
    ),
    Left(
        "Disks that fail in other ways, clients that are killed on PostgreSQL, restores in the other mode of SQLite.",
        {
            "service/store/test_drill.py": (
                "test_a_failing_disk_is_told_and_loses_nothing[ENOSPC]",
                "test_a_failing_disk_of_postgresql_is_told_and_loses_nothing[table full]",
                "test_hard_kills_lose_nothing_that_was_acknowledged[sqlite-0]",
                "test_hard_kills_of_postgresql_lose_nothing",
                "test_a_power_cut_loses_nothing_that_was_acknowledged",
                "test_a_power_cut_of_postgresql_loses_nothing",
            ),
            "service/store/test_restoring.py": (
                "test_a_restore_beside_writers_loses_nothing_that_was_acknowledged[wal]",
            ),
        },
        {
            "service/store/test_drill.py": (
                "test_a_failing_disk_is_told_and_loses_nothing[EIO]",
                "test_a_failing_disk_of_postgresql_is_told_and_loses_nothing[log not flushed]",
                "test_a_failing_disk_of_postgresql_is_told_and_loses_nothing[log full]",
                "test_hard_kills_lose_nothing_that_was_acknowledged[postgresql-0]",
            ),
            "service/store/test_restoring.py": (
                "test_a_restore_beside_writers_loses_nothing_that_was_acknowledged[rollback]",
            ),
        },
    ),
    Left(
        "Long walks in the other country on the other database: each country and each database has one.",
        {
            "service/company/test_machine.py": (
                "test_the_books_agree_with_the_model_at_every_step[sqlite-FI-1]",
                "test_the_books_agree_with_the_model_at_every_step[postgresql-DE-2]",
            ),
            "service/company/test_year.py": ("test_a_year_of_books_adds_up_at_every_step[sqlite-DE]",),
        },
        {
            "service/company/test_machine.py": (
                "test_the_books_agree_with_the_model_at_every_step[sqlite-DE-2]",
                "test_the_books_agree_with_the_model_at_every_step[postgresql-FI-1]",
            ),
            "service/company/test_year.py": ("test_a_year_of_books_adds_up_at_every_step[sqlite-FI]",),
        },
    ),
    Left(
        "Pages in languages other than the one whose words are longest.",
        {
            "journeys/test_sign_in_pages.py": (
                "test_everybody_can_use_every_page[fi]",
                "test_who_signs_in_looks_through_their_books_and_signs_out_again",
            ),
        },
        {
            "journeys/test_sign_in_pages.py": (
                "test_everybody_can_use_every_page[sv]",
                "test_everybody_can_use_every_page[en]",
                "test_everybody_can_use_every_page[de]",
            ),
        },
    ),
    Left(
        "Programs that the suite measures against, not the service.",
        {
            "bench/test_books.py": ("test_reports_on_a_load_are_those_on_posted_documents",),
        },
        {
            "bench/test_books.py": ("test_all_programs_add_up_to_the_same",),
        },
    ),
    Left(
        "Receivers that stand still, of very many businesses at once.",
        {
            "service/http/test_delivering.py": ("test_receivers_that_stand_still_hold_up_nobody_else",),
            "service/http/test_places_taken.py": (
                "test_new_ones_wait_for_those_that_stand_still_no_longer_than_these_look_new",
            ),
        },
        {
            "service/http/test_places_taken.py": ("test_a_crowd_that_stands_still_holds_up_no_other_business",),
        },
    ),
    Left(
        "Processes of the service that begin and end in further ways.",
        {
            "service/http/test_workers.py": (
                "test_a_signal_ends_all[15]",
                "test_workers_that_are_killed_are_replaced",
                "test_mail_that_leaves_is_waited_for_at_the_end",
                "test_a_request_under_way_is_answered_before_the_end",
            ),
            "service/http/test_serving.py": (
                "test_what_is_due_is_made_and_mailed_once[postgresql]",
                "test_limits_hold_in_every_worker[postgresql]",
                "test_a_service_that_is_stopped_does_not_wait_for_receivers_of_workflows[sqlite]",
            ),
            "service/http/test_watch.py": ("test_a_rush_of_connections_that_stand_still_keeps_nobody_out[a request]",),
            "cli/local/test_rotating.py": ("test_every_worker_knows_at_once[postgresql]",),
        },
        {
            "service/http/test_workers.py": (
                "test_a_signal_ends_all[2]",
                "test_a_signal_ends_all[1]",
                "test_it_ends_also_while_it_begins",
                "test_mail_of_templates_that_leaves_is_waited_for_and_no_other_begun",
            ),
            "service/http/test_serving.py": (
                "test_what_is_due_is_made_and_mailed_once[sqlite]",
                "test_limits_hold_in_every_worker[sqlite]",
                "test_a_service_that_is_stopped_does_not_wait_for_receivers_of_workflows[postgresql]",
            ),
            "service/http/test_watch.py": (
                "test_a_rush_of_connections_that_stand_still_keeps_nobody_out[nothing]",
                "test_a_rush_of_connections_that_stand_still_keeps_nobody_out[half a head]",
            ),
            "cli/local/test_rotating.py": ("test_every_worker_knows_at_once[sqlite]",),
        },
    ),
    Left(
        "A file that is posted or sent up, ended by further signals.",
        {
            "cli/document/test_posting.py": ("test_whatever_signal_ends_a_run_the_next_one_finishes_it[2]",),
            "cli/file/test_uploads.py": ("test_whatever_signal_ends_a_run_the_next_one_finishes_it[9]",),
        },
        {
            "cli/document/test_posting.py": (
                "test_whatever_signal_ends_a_run_the_next_one_finishes_it[15]",
                "test_whatever_signal_ends_a_run_the_next_one_finishes_it[1]",
                "test_whatever_signal_ends_a_run_the_next_one_finishes_it[9]",
            ),
            "cli/file/test_uploads.py": ("test_whatever_signal_ends_a_run_the_next_one_finishes_it[15]",),
        },
    ),
    Left(
        "Signing in with a browser, where the same rules are tried without one.",
        {
            "journeys/test_sign_in.py": (
                "test_a_person_signs_in_to_an_app[public]",
                "test_an_invited_person_comes_in_by_the_mail_alone",
            ),
            "journeys/test_sign_in_pages.py": ("test_who_signs_in_looks_through_their_books_and_signs_out_again",),
        },
        {
            "journeys/test_sign_in.py": (
                "test_a_person_signs_in_to_an_app[confidential]",
                "test_an_app_that_proves_itself_gets_its_browser_back_without_asking",
                "test_who_refuses_is_back_at_the_app",
            ),
        },
    ),
    Left(
        "What the tests themselves leave behind when they are killed.",
        {
            "test_postgres.py": ("test_databases_are_gone_or_empty_after_their_test",),
        },
        {
            "test_postgres.py": ("test_what_a_killed_run_left_is_put_away_by_the_next_and_nothing_else",),
        },
    ),
)
