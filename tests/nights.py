"""What a usual run leaves to the night (`--full`), and what stands for it in every run.

A test is left where another one, which stays, proves the same: the one that is more likely to find a fault stays. What
is about money, posting, keys, secrets or another user's data stays in every run at least once each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

# files below `tests/`, and names of their tests
Named = Mapping[str, tuple[str, ...]]
# the same, and of each test the rows that stay, or how these begin, down to a hyphen
Rows = Mapping[str, Mapping[str, tuple[str, ...]]]
NONE: Final[Mapping[str, Any]] = {}


class Left(NamedTuple):
    """What is left: `why` says what the night adds.

    Of the tests in `rows` all other rows are left; `tests` are left whole, and `kept` stand for those.
    """

    why: str
    rows: Rows = NONE
    tests: Named = NONE
    kept: Named = NONE


def ids(named: Named) -> Iterator[str]:
    """Yield the ids of tests, below `tests/`."""
    return (f"{file}::{name}" for file, names in named.items() for name in names)


LEFT: Final = (
    Left(
        "Very many and very large: what memory and time they take.",
        tests={
            "journeys/test_bank.py": ("test_a_large_statement_takes_little_memory_and_the_second_time_is_quick",),
            "hostile/test_records.py": ("test_a_million_ids_that_lie_far_from_each_other_are_remembered",),
        },
        kept={
            "journeys/test_bank.py": ("test_each_line_becomes_a_draft_on_the_bank_account_once",),
            "hostile/test_records.py": ("test_odd_records_are_shown_or_refused",),
        },
    ),
    Left(
        "One person many times at once, after many persons at once.",
        tests={"journeys/test_sign_in.py": ("test_one_person_signs_in_many_times_at_once",)},
        kept={"journeys/test_sign_in.py": ("test_many_sign_in_at_once_and_the_books_go_on",)},
    ),
    Left(
        "Killed after a request instead of before the next one: a command that waits for its reply has done the same.",
        rows={
            "journeys/test_bank_cut_off.py": {
                "test_killed_at_any_request_each_line_is_settled_once": ("sqlite-before-begin_with_claims",)
            },
            "journeys/test_confirming.py": {
                "test_killed_at_any_request_each_payment_is_posted_once": ("sqlite-order0-before",)
            },
            "journeys/test_purchase_import.py": {
                "test_killed_at_any_request_each_invoice_is_there_once": ("sqlite-before",)
            },
            "journeys/test_payment_files.py": {
                "test_killed_at_any_request_no_invoice_is_in_two_files_and_none_is_lost": ("sqlite-before",)
            },
        },
    ),
    Left(
        "The same posting of lines, killed under other commands and at other lines.",
        rows={
            "journeys/test_reminding.py": {
                "test_a_run_that_is_killed_is_gone_on_with_and_mails_nothing_twice": ("sqlite-email",)
            }
        },
        tests={
            "journeys/test_bank_match.py": ("test_killed_at_any_request_drafts_are_treated_once",),
            "journeys/test_bank.py": ("test_an_import_that_is_killed_again_and_again_posts_each_line_once",),
            "journeys/test_purchase_import.py": ("test_killed_anew_in_fresh_books_it_is_completed",),
        },
        kept={
            "journeys/test_bank_cut_off.py": (
                "test_killed_at_any_request_each_line_is_settled_once",
                "test_ended_before_a_draft_goes_the_next_run_takes_the_rest_of_its_claim",
            ),
            "journeys/test_purchase_import.py": ("test_killed_at_any_request_each_invoice_is_there_once",),
        },
    ),
    Left(
        "Several who do the same at once, on SQLite too: writers wait in another way on PostgreSQL alone.",
        rows={
            "journeys/test_bank_cut_off.py": {
                "test_several_who_import_at_once_settle_each_line_once": ("sqlite-begin_with_claims",)
            },
            "journeys/test_confirming.py": {"test_who_confirms_and_who_imports_at_once": ("postgresql-socket",)},
            "journeys/test_payment_files.py": {"test_several_at_once_pay_each_invoice_once": ("postgresql-socket",)},
            "journeys/test_purchases.py": {
                "test_users_who_book_a_bill_at_the_same_moment_book_it_once": ("postgresql-socket",)
            },
            "journeys/test_reminding.py": {"test_of_two_who_remind_at_once_one_mails": ("postgresql-socket",)},
            "journeys/test_taking_back.py": {
                "test_users_who_take_a_document_back_at_the_same_moment_do_so_once": ("postgresql-socket",)
            },
        },
        tests={"journeys/test_bank.py": ("test_two_who_import_at_once_post_each_line_once",)},
        kept={"journeys/test_purchase_import.py": ("test_several_who_import_at_once_enter_each_once",)},
    ),
    Left(
        "Disks that fail in other ways, clients that are killed on PostgreSQL, restores in the other mode of SQLite.",
        rows={
            "service/store/test_drill.py": {
                "test_a_failing_disk_is_told_and_loses_nothing": ("ENOSPC",),
                "test_a_failing_disk_of_postgresql_is_told_and_loses_nothing": ("table full",),
                "test_hard_kills_lose_nothing_that_was_acknowledged": ("sqlite-0",),
            },
            "service/store/test_restoring.py": {
                "test_a_restore_beside_writers_loses_nothing_that_was_acknowledged": ("wal",)
            },
        },
        tests={"service/store/test_drill.py": ("test_hard_kills_of_postgresql_lose_nothing",)},
        kept={
            "service/store/test_drill.py": (
                "test_a_power_cut_loses_nothing_that_was_acknowledged",
                "test_a_power_cut_of_postgresql_loses_nothing",
            )
        },
    ),
    Left(
        "Long walks in the other country on the other database: each country and each database has one.",
        rows={
            "service/company/test_machine.py": {
                "test_the_books_agree_with_the_model_at_every_step": ("postgresql-DE-2", "sqlite-FI-1")
            },
            "service/company/test_year.py": {"test_a_year_of_books_adds_up_at_every_step": ("sqlite-DE",)},
        },
    ),
    Left(
        "Whether everybody can use the pages of signing in, in all languages, after one that goes through them.",
        tests={"journeys/test_sign_in_pages.py": ("test_everybody_can_use_every_page",)},
        kept={
            "journeys/test_sign_in_pages.py": ("test_who_signs_in_looks_through_their_books_and_signs_out_again",),
        },
    ),
    Left(
        "Programs that the suite measures against, not the service.",
        tests={"bench/test_books.py": ("test_all_programs_add_up_to_the_same",)},
        kept={"bench/test_books.py": ("test_reports_on_a_load_are_those_on_posted_documents",)},
    ),
    Left(
        "Receivers that stand still, of very many businesses at once.",
        tests={"service/http/test_places_taken.py": ("test_a_crowd_that_stands_still_holds_up_no_other_business",)},
        kept={
            "service/http/test_delivering.py": ("test_receivers_that_stand_still_hold_up_nobody_else",),
            "service/http/test_places_taken.py": (
                "test_new_ones_wait_for_those_that_stand_still_no_longer_than_these_look_new",
            ),
        },
    ),
    Left(
        "Processes of the service that begin and end in further ways.",
        rows={
            "service/http/test_workers.py": {"test_a_signal_ends_all": ("15",)},
            "service/http/test_serving.py": {
                "test_what_is_due_is_made_and_mailed_once": ("postgresql",),
                "test_limits_hold_in_every_worker": ("postgresql",),
                "test_a_service_that_is_stopped_does_not_wait_for_receivers_of_workflows": ("sqlite",),
            },
            "service/http/test_watch.py": {
                "test_a_rush_of_connections_that_stand_still_keeps_nobody_out": ("a request",)
            },
            "cli/local/test_rotating.py": {"test_every_worker_knows_at_once": ("postgresql",)},
        },
        tests={
            "service/http/test_workers.py": (
                "test_it_ends_also_while_it_begins",
                "test_mail_of_templates_that_leaves_is_waited_for_and_no_other_begun",
                "test_clients_that_stand_still_or_drip_do_not_hold_the_end_up",
                "test_a_worker_that_dies_again_and_again_is_waited_with_longer_each_time",
            ),
            "cli/local/test_books.py": ("test_a_service_goes_on_while_its_books_are_reset_and_restored",),
        },
        kept={
            "service/http/test_workers.py": (
                "test_workers_that_are_killed_are_replaced",
                "test_mail_that_leaves_is_waited_for_at_the_end",
                "test_a_request_under_way_is_answered_before_the_end",
            ),
            "cli/local/test_books.py": ("test_commands_that_start_while_books_are_reset_see_the_old_or_the_new",),
        },
    ),
    Left(
        "A file that is posted or sent up, ended by further signals.",
        rows={
            "cli/document/test_posting.py": {"test_whatever_signal_ends_a_run_the_next_one_finishes_it": ("2",)},
            "cli/file/test_uploads.py": {"test_whatever_signal_ends_a_run_the_next_one_finishes_it": ("9",)},
        },
    ),
    Left(
        "Signing in with a browser, where the same rules are tried without one.",
        rows={"journeys/test_sign_in.py": {"test_a_person_signs_in_to_an_app": ("public",)}},
        tests={
            "journeys/test_web_login.py": ("test_a_person_signs_in_with_a_browser_and_works",),
            "journeys/test_sign_in.py": (
                "test_an_app_that_proves_itself_gets_its_browser_back_without_asking",
                "test_who_refuses_is_back_at_the_app",
            ),
        },
        kept={
            "journeys/test_web_login.py": ("test_who_says_no_or_asks_for_too_much_is_not_signed_in",),
            "journeys/test_sign_in.py": ("test_an_invited_person_comes_in_by_the_mail_alone",),
            "journeys/test_sign_in_pages.py": ("test_who_signs_in_looks_through_their_books_and_signs_out_again",),
        },
    ),
    Left(
        "What the tests themselves leave behind when they are killed.",
        tests={"test_postgres.py": ("test_what_a_killed_run_left_is_put_away_by_the_next_and_nothing_else",)},
        kept={"test_postgres.py": ("test_databases_are_gone_or_empty_after_their_test",)},
    ),
    Left(
        "Pages in a browser: those that are made of the same parts as the pages that are looked at every time.",
        rows={
            "cli/view/test_browser.py": {"test_everybody_can_use_every_page_and_nothing_in_it_runs": ("de-overview",)},
            "journeys/test_report_pages.py": {
                "test_everybody_can_read_a_report_on_a_desk_and_on_a_phone": ("report ledger",)
            },
            "journeys/test_reports.py": {
                "test_a_browser_shows_the_figures_of_the_json_and_complains_about_nothing": ("balance-sheet", "vat")
            },
            "cli/view/test_command.py": {"test_pages_are_there_until_the_command_is_stopped": ("2",)},
        },
        tests={"journeys/test_sign_in_pages.py": ("test_a_page_is_used_with_the_keyboard_alone",)},
        kept={"cli/view/test_browser.py": ("test_pages_are_used_with_the_keyboard_alone",)},
    ),
    Left(
        "Large answers and large bodies of further kinds: all of them take the same way through memory.",
        rows={
            "service/http/test_large.py": {
                "test_what_is_read_is_whole_and_flat": ("a ledger",),
                "test_bodies_of_every_kind_are_bounded": ("a text", "escapes", "null rows", "wrong rows"),
            }
        },
    ),
    Left(
        "Signals and streams of further kinds, at commands that begin, write and end in the same way.",
        rows={
            "cli/test_doubt.py": {
                "test_a_program_that_never_ends_leaves_no_write_untold": ("9",),
                "test_a_signal_while_a_write_is_under_way": ("argv0-15", "argv1-2", "argv2-1"),
                "test_a_signal_where_nothing_can_be_raised": ("another-2", "unraisable-15"),
                "test_a_signal_at_the_border_of_a_command": (
                    "early-program._stop-False-15",
                    "late-program._come_too_late-True-2",
                ),
                "test_a_write_that_nobody_reads": (">/dev/full",),
            },
            "cli/output/test_streams.py": {
                "test_what_cannot_be_written_is_an_error": (
                    ">&--Bad file descriptor---help",
                    ">/dev/full-No space left on device-env list --json",
                ),
                "test_a_signal_while_the_command_loads_is_no_fault": (
                    "SIGHUP-tomllib",
                    "SIGINT-acctcli.cli.root",
                    "SIGTERM-typer",
                ),
                "test_head_takes_a_line_and_everything_ends_quietly": ("csv-id,name", "json-["),
                "test_nobody_listens_from_the_start": ("account --help-0", "account list --columns id-0"),
                "test_a_program_that_never_ends_can_be_stopped": ("2",),
                "test_a_reader_that_is_slower_than_the_pipe_is_waited_for": ("json",),
                "test_what_is_no_number_of_json_is_never_written": ('{"a": [nan]}-NaN',),
            },
            "cli/exports/test_changes.py": {
                "test_only_a_run_that_ends_well_moves_the_state_on_and_as_its_last_act": ("0", "9")
            },
            "cli/local/test_books.py": {"test_what_a_killed_restore_leaves_goes": ("how1",)},
        },
    ),
    Left(
        "Papers and codes in further languages, of which all have the same parts in the same places.",
        rows={
            "papers/test_invoice.py": {
                "test_scanners_read_both_codes": ("fi",),
                "test_nothing_is_there_that_pdf_ua_forbids": ("long-sv", "short-de"),
                "test_paper_is_read_from_scans": ("300-200",),
            },
            "cli/invoice/test_reminder_papers.py": {"test_one_invoice_is_paid_by_its_reference": ("de-words3",)},
            "cli/view/test_pages.py": {"test_pages_speak_the_language_that_is_asked_for": ("de", "fi")},
        },
    ),
    Left(
        "Payments that are cut off behind another write.",
        rows={
            "journeys/test_cut_off.py": {
                "test_a_payment_of_several_invoices_is_posted_once": ("sqlite-2",),
                "test_a_payment_of_a_purchase_is_posted_once": ("sqlite-2",),
                "test_a_refund_is_posted_once": ("sqlite-1",),
            }
        },
    ),
    Left(
        "What a command loads and what a keyring says, for further commands and keyrings: each starts a process.",
        rows={
            "cli/report/test_commands.py": {
                "test_a_form_loads_what_it_is_made_with_and_no_more": ("pdf-heavy3", "table-heavy0"),
                "test_a_terminal_is_sent_nothing_binary": ("pdf",),
            },
            "cli/test_keyrings.py": {"test_a_keyring_that_cannot_be_used_is_said_in_time": ("plaintext",)},
            "cli/test_lazy.py": {
                "test_local_books_load_one_driver": (
                    "account list --business bench",
                    "document create --business bench --file {}",
                ),
                "test_reading_over_the_network_validates_nothing_and_draws_nothing": ("csv", "json"),
            },
            "cli/test_terminal.py": {"test_no_terminal_is_too_narrow_for_a_column_or_an_amount": ("4", "80")},
            "cli/webhook/test_delivering.py": {
                "test_an_event_arrives_is_handed_on_and_comes_again_when_it_is_asked_for": ("served",),
                "test_events_are_followed": ("served",),
            },
        },
    ),
    Left(
        "Relations that were changed behind the service in further ways.",
        rows={"cli/check/test_check.py": {"test_a_relation_that_nobody_changed_is_named": ("gone", "moved")}},
    ),
    Left(
        "On PostgreSQL again, where the statements are those of other tests that run there.",
        rows={
            "service/routes/test_extremes.py": {"test_no_value_is_a_fault": ("sqlite",)},
            "service/routes/test_round_trips.py": {"test_what_is_shown_can_be_sent_back": ("sqlite",)},
            "service/routes/invoicing/test_settlement.py": {
                "test_states_follow_the_books_whatever_happens": ("sqlite-1",)
            },
            "service/routes/invoicing/test_steps.py": {"test_books_tie_to_invoices_after_every_step": ("sqlite-1",)},
            "service/routes/business/test_report_agreement.py": {
                "test_reports_agree": ("sqlite",),
                "test_months_and_days_make_up_every_range": ("sqlite",),
            },
            "service/routes/business/test_report_vat.py": {"test_a_long_range_is_the_sum_of_its_years": ("sqlite",)},
            "service/routes/business/test_totals.py": {
                "test_totals_are_the_sums_of_the_entries": ("postgresql-2", "sqlite-0", "sqlite-1")
            },
            "service/routes/invoicing/test_settlement_at_once.py": {
                "test_many_settle_the_same_invoices_at_once": ("postgresql-2",)
            },
            "service/closed/test_closed.py": {
                "test_no_write_changes_a_figure_of_closed_days": ("postgresql-2", "sqlite-1")
            },
            "service/store/test_trail.py": {"test_what_is_done_to_the_chain_is_found": ("sqlite",)},
            "service/cases/workflows/test_kills.py": {
                "test_a_worker_is_killed_at_a_point": (
                    "postgresql-inside-6",
                    "sqlite-after-4",
                    "sqlite-after-9",
                    "sqlite-before-2",
                    "sqlite-behind-2",
                    "sqlite-inside-11",
                    "sqlite-inside-1",
                    "sqlite-inside-6",
                )
            },
            "service/cases/invoices/test_recurrence.py": {
                "test_a_kill_loses_nothing_and_doubles_nothing": ("postgresql-transaction", "sqlite-mail"),
                "test_what_is_not_to_be_mailed_any_more_is_not": ("sqlite",),
            },
            "service/http/test_many_clients.py": {"test_many_clients_at_once": ("postgresql",)},
            "service/http/test_advancing.py": {"test_businesses_have_short_turns_one_after_another": ("postgresql",)},
            "service/http/test_killed_deliveries.py": {
                "test_killed_again_and_again_they_lose_nothing": ("postgresql-2",)
            },
            "service/http/test_delivering.py": {"test_a_served_service_ends_though_somebody_stands_still": ("sqlite",)},
            "service/http/test_socket.py": {
                "test_a_long_report_arrives_whole_or_is_left": ("postgresql",),
                "test_it_answers": ("sqlite",),
            },
            "service/cases/test_pruning.py": {"test_writers_go_on_meanwhile": ("postgresql",)},
        },
    ),
    Left(
        "Commands that are killed behind a request instead of before the next one, and renewals at further points.",
        rows={
            "cli/document/test_accruing.py": {"test_killed_at_any_request_the_pair_is_there_once": ("before",)},
            "cli/depreciation/test_commands.py": {
                "test_killed_at_any_request_each_portion_is_posted_once": ("before",)
            },
            "cli/command/test_bringing.py": {"test_killed_at_any_request_the_same_command_goes_on": ("before",)},
            "cli/close/test_posting.py": {"test_killed_at_any_request_each_step_is_done_once": ("before",)},
            "credentials/sign_in/test_renewing.py": {
                "test_a_process_that_is_killed_costs_one_sign_in_at_most": ("point0", "point4", "point5", "point9")
            },
        },
    ),
    Left(
        "Books of further revisions and pages of further accounts: the first, one between and the last stay.",
        rows={
            "service/store/test_earlier_books.py": {
                "test_a_backup_of_an_earlier_revision_is_restored_whole": ("0001", "0008", "0016")
            },
            "cli/view/test_account.py": {
                "test_an_account_of_large_books_is_the_ledgers": ("1910-2", "1700-1", "3000-3", "2251-50")
            },
            "service/routes/business/test_paid_in_any_order.py": {
                "test_when_something_was_entered_changes_no_return": ("sqlite-0", "sqlite-1", "sqlite-2", "sqlite-3")
            },
        },
    ),
    Left(
        "Processes that begin for a line of text each.",
        rows={
            "cli/test_lazy.py": {
                "test_help_loads_nothing_heavy": ("--help", "document create --help", "local --help", "auth --help")
            },
            "cli/test_terminal.py": {
                "test_text_is_shown_and_never_obeyed": ("command0-table", "command0-csv", "command1-jsonl")
            },
            "cli/local/test_unusable.py": {
                "test_what_cannot_be_used_is_named": (
                    "local/token-locked",
                    "local/books.sqlite3-locked",
                    "../state-closed",
                )
            },
            "einvoice/test_fetch.py": {"test_without_a_network_nothing_is_left_behind": ("true-1",)},
        },
        tests={"cli/test_keyrings.py": ("test_a_locked_secret_service_is_said_in_time",)},
        kept={"cli/test_keyrings.py": ("test_a_real_secret_service_keeps_the_token",)},
    ),
    Left(
        "Many at once on the other database: both have ways of their own, which one test of each kind looks at.",
        rows={
            "service/http/test_idempotency.py": {"test_fifty_at_once_create_one_document": ("postgresql",)},
            "service/routes/invoicing/test_steps.py": {
                "test_many_accepts_at_once_leave_no_gap_and_no_double": ("postgresql",)
            },
            "journeys/test_faults.py": {"test_every_document_exists_exactly_once": ("sqlite",)},
        },
    ),
    Left(
        "Whether the judge of archives sees what is broken.",
        tests={"einvoice/hybrid/test_writing.py": ("test_the_judge_of_archives_finds_what_is_broken",)},
        kept={"einvoice/hybrid/test_writing.py": ("test_the_judge_of_archives_finds_no_fault",)},
    ),
)
