"""The public contract, stated apart from the code: every operation there is, and who may ask for it.

A member of a business may do what one of the keys opens; without keys, every member may. Reports and previews are sent
by POST and are reads all the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from acctcli.service.routes.table import TABLE

BUSINESS, INVOICING = "/v1/business/{business_slug}/", "/v1/invoicing/{business_slug}/"
# what `*` stands for
ONE = "GET PUT PATCH DELETE"
ANY_USER = (
    "/auth/jwt/ POST | /v1/user/ GET PUT PATCH | /v1/business/ GET POST"
    # no part of the public interface, but ours
    " | /v1/user/token/ GET | /v1/user/invitations/ GET | /v1/user/invitations/{invitation_id}/accept/ POST"
    " | /v1/user/invitations/{invitation_id}/reject/ POST"
    # of any user they let in the owner of the service only
    " | /v1/audit/ GET | /v1/audit/verification/ GET | /v1/audit/database/ GET"
)
ACCOUNTS = "accounts_editor"
BOOKS = "bookkeeping_admin bookkeeping_editor"
BOOKS_READ = f"{BOOKS} bookkeeping_read"
ATTACHING = f"{BOOKS} bookkeeping_attachment"
PERIODS = "reporting_admin reporting_editor"
REPORTS = f"{PERIODS} reporting_read"
SALES = "invoicing_admin invoicing_editor"
SALES_READ = f"{SALES} invoicing_read"
# whoever works with documents and invoices sees what they name, and brings what is missing
AT_WORK = f"{BOOKS_READ} {SALES_READ}"

# (where, who may read, who may write) -> paths and their methods
CONTRACT = {
    (BUSINESS, "", "admin"): """
        *
        me/permissions/ GET
        identifiers/ GET POST
        identifiers/{identifier_id}/ *
        logo/ PUT DELETE
        constants/vat_codes/ GET
        constants/vat_rates/ GET
        constants/business_identifiers/ GET
        constants/business_invoicing_countries/ GET
        constants/countries/ GET
        constants/einvoice_operators/ GET
        constants/permission_groups/ GET
        constants/permissions/ GET
        constants/vat_posting_methods/ GET
        constants/vat_reporting_methods/ GET
    """,
    # who is in a business, and may do what there, is no part of the public interface, but ours
    (BUSINESS, "admin", "admin"): """
        users/ GET
        users/{user_id}/ DELETE
        users/{user_id}/action/grant/ POST
        users/{user_id}/action/revoke/ POST
        invitations/ GET POST
        invitations/{invitation_id}/ DELETE
    """,
    (BUSINESS, "admin", ""): """
        audit/ GET
        audit/verification/ GET
    """,
    (BUSINESS, f"{ACCOUNTS} accounts_read {AT_WORK} {REPORTS}", ACCOUNTS): """
        account/ GET POST
        account/{account_id}/ *
        account/{account_id}/hide/ POST
        account/{account_id}/show/ POST
        header/ GET POST
        header/{header_id}/ GET
    """,
    (BUSINESS, f"contact_editor contact_read {AT_WORK}", f"contact_editor {SALES}"): """
        contacts/ GET POST
        contacts/{contact_id}/ *
    """,
    (BUSINESS, "", BOOKS): """
        tags/ GET POST
        tags/{tag_id}/ *
    """,
    (BUSINESS, "", f"files_editor {ATTACHING} {SALES}"): "file_upload/ POST",
    (BUSINESS, f"files_editor files_read bookkeeping_attachment {AT_WORK}", "files_editor"): """
        files/ GET
        files/{file_id}/ *
    """,
    (BUSINESS, f"{BOOKS_READ} bookkeeping_attachment", BOOKS): """
        document/ GET POST
        document/{document_id}/ *
        document/{document_id}/suggest_attachments/ GET
    """,
    (BUSINESS, BOOKS_READ, BOOKS): """
        document/{document_id}/action/flag/ POST
        document/{document_id}/action/unflag/ POST
        document/{document_id}/action/copy/ POST
        document/{document_id}/action/set_files/ POST
        document/{document_id}/entry/ GET
        document/{document_id}/comments/ GET
        audit/unseen/ GET
        accounting_suggestions/ GET
        document/{document_id}/relation/ GET POST
        document/{document_id}/relation/{relation_id}/ *
        document/{document_id}/relation/suggestions/ GET
    """,
    # whoever may read a document may say what they think of it
    (BUSINESS, "", BOOKS_READ): """
        document/relation/suggestions/preview/ POST
        document/{document_id}/action/comment/ POST
        document/{document_id}/action/mark_seen/ POST
    """,
    (BUSINESS, "", ATTACHING): """
        document/{document_id}/action/attach_files/ POST
        document/{document_id}/action/detach_files/ POST
    """,
    (BUSINESS, "", "bookkeeping_admin"): """
        document/{document_id}/action/lock/ POST
        document/{document_id}/action/unlock/ POST
    """,
    (BUSINESS, PERIODS, PERIODS): """
        period/ GET POST
        period/{period_id}/ *
        vat_period/ GET POST
        vat_period/{vat_period_id}/ *
    """,
    # how periods are closed and VAT is reported is no part of the public interface, but ours
    (BUSINESS, "", "reporting_admin"): """
        period/{period_id}/action/lock/ POST
        period/{period_id}/action/unlock/ POST
        vat_period/{vat_period_id}/action/lock/ POST
        vat_period/{vat_period_id}/action/unlock/ POST
        vat_period/{vat_period_id}/action/report/ POST
        vat_period/{vat_period_id}/action/reopen/ POST
    """,
    (BUSINESS, REPORTS, ""): """
        fingerprint/ GET
        fingerprint/{fingerprint_id}/ GET
    """,
    (BUSINESS, "", REPORTS): """
        report/journal/ POST
        report/ledger/ POST
        report/vat-report/ POST
        report/eu-vat-contact-report/ POST
        report/income-statement/ POST
        report/income-statement-short/ POST
        report/balance-sheet/ POST
        report/balance-sheet-short/ POST
        report/equity-changes/ POST
    """,
    # who keeps the books enters what was bought and paid out
    (BUSINESS, AT_WORK, f"{BOOKS} {SALES}"): """
        sales_payouts/ GET POST
        sales_payouts/{payout_id}/ GET
    """,
    (INVOICING, AT_WORK, f"{BOOKS} {SALES}"): """
        purchase_invoice/ GET POST
        purchase_invoice/{purchase_invoice_id}/ *
    """,
    (INVOICING, SALES_READ, SALES): """
        product/ GET POST
        product/{product_id}/ *
        invoice/ GET POST
        invoice/{invoice_id}/ *
        invoice/{invoice_id}/actions/accept/ POST
        invoice/{invoice_id}/actions/paid/ POST
        invoice/{invoice_id}/actions/unpaid/ POST
        invoice/{invoice_id}/actions/credit_loss/ POST
        invoice/{invoice_id}/actions/disable_recurrence/ POST
        invoice/{invoice_id}/send/ POST
    """,
    (INVOICING, SALES, ""): "invoice/{invoice_id}/delivery_methods/ GET",
    # what is said of accepted invoices is no part of the public interface, but ours
    (INVOICING, SALES_READ, ""): "invoice/{invoice_id}/kept/ GET",
    (INVOICING, "", "invoicing_admin"): """
        invoice/{invoice_id}/status_messages/ POST
        invoice/{invoice_id}/status_messages/{message_id}/ DELETE
    """,
    (BUSINESS, "integration_admin", "integration_admin"): """
        workflows/ GET POST
        workflows/{workflow_id}/ *
        workflows/{workflow_id}/runs/ GET POST
        workflows/{workflow_id}/runs/{run_id}/ GET
        workflows/{workflow_id}/runs/{run_id}/action/cancel/ POST
        webhook_subscriptions/ GET POST
        webhook_subscriptions/{subscription_id}/ *
        webhook_subscriptions/deliveries/ GET
        webhook_subscriptions/{subscription_id}/deliveries/{delivery_id}/action/redeliver/ POST
        events/ GET
        webhook_subscriptions/{subscription_id}/action/ping/ POST
        webhook_subscriptions/{subscription_id}/deliveries/ GET
    """,
}


def stated() -> Iterator[tuple[str, set[str] | None]]:
    """Yield every operation with the keys that open it; None where there is no business yet."""
    for line in ANY_USER.split(" | "):
        path, *methods = line.split()
        yield from ((f"{method} {path}", None) for method in methods)
    for (root, read, write), lines in CONTRACT.items():
        for line in filter(None, map(str.strip, lines.splitlines())):
            words = line.replace("*", ONE).split()
            place = words.pop(0) if words[0].endswith("/") else ""
            yield from ((f"{one} {root}{place}", set((read if one == "GET" else write).split())) for one in words)


def test_the_service_has_the_operations_and_permissions_of_the_contract() -> None:
    contract = list(stated())
    assert len(dict(contract)) == len(contract)
    served = {f"{one.method} {one.path}": set(one.needs) if one.scoped else None for one in TABLE}
    assert served == dict(contract)
