"""For each operation of the interface a command that asks for it: the data of test_endpoints.py.

An operation is written `METHOD path`, the path as a template; a request is an operation and the status of its reply.
"""

from __future__ import annotations

from typing import NamedTuple

B = "/v1/business/{business_slug}/"
V = "/v1/invoicing/{business_slug}/"
D = f"{B}document/{{document_id}}/"
R = f"{D}relation/{{relation_id}}/"


class Step(NamedTuple):
    """A command of the operation, never the generic `api`, and every request it makes.

    The last write is what the command is for, or the last request; others look up what is named, or what comes of it.
    `{name}` in the command stands for the id that an earlier step kept; `keep`: what the id of this reply is kept as.
    """

    command: str
    requests: tuple[str, ...]
    keep: str


def step(command: str, *requests: str, keep: str = "") -> Step:
    """Write a step without the brackets around its requests."""
    return Step(command, requests, keep)


def six(group: str, path: str, noun: str, create: str, *, update: str, replace: str) -> tuple[Step, ...]:
    """Return the commands of a usual resource, from its creation to its end; the options of each write are given."""
    one = f"{path}{{{noun}_id}}/"
    record = f"{{{noun}}}"
    return (
        step(f"{group} create {create}", f"POST {path} 201", keep=noun),
        step(f"{group} list", f"GET {path} 200"),
        step(f"{group} get {record}", f"GET {one} 200"),
        step(f"{group} update {record} {update}", f"PATCH {one} 200"),
        step(f"{group} replace {record} {replace}", f"PUT {one} 200"),
        step(f"{group} delete {record} --yes", f"DELETE {one} 204"),
    )


A_USER = "--set email=book@example.com --set first_name=Aino --set last_name=Koivu --set language=en"
OTHER = "{business}x"
USER_AND_BUSINESS = (
    step("user get", "GET /v1/user/ 200"),
    step("auth status", "GET /v1/user/ 200", "GET /v1/business/ 200", "GET /v1/user/token/ 200"),
    step("user update --set first_name=Aino", "PATCH /v1/user/ 200"),
    step(f"user replace {A_USER}", "PUT /v1/user/ 200"),
    step("business list", "GET /v1/business/ 200"),
    step(f"business create --name Toinen --form FI_OY --slug {OTHER}", "POST /v1/business/ 201"),
    step(f"business get {OTHER}", f"GET {B} 200"),
    step(f"business update {OTHER} --name Kolmas", f"PATCH {B} 200"),
    step(f"business replace {OTHER} --name Neljas --form FI_OY", f"PUT {B} 200", f"GET {V}invoice/ 200"),
    step(f"business delete {OTHER} --yes", f"DELETE {B} 204"),
    step("business logo set logo.png", f"PUT {B}logo/ 200"),
    step("business logo remove --yes", f"DELETE {B}logo/ 204"),
    step("business permissions", f"GET {B}me/permissions/ 200"),
    *six(
        "business identifier",
        f"{B}identifiers/",
        "identifier",
        "--type vat_code --value FI01120389",
        update="--value FI15728600",
        replace="--type vat_code --value FI20774740",
    ),
)

PERSON = f"{B}users/{{user_id}}/"
OWN = "/v1/user/invitations/"
PEOPLE = (
    step("user list", f"GET {B}users/ 200", keep="me"),
    step("user grant {me} --permission salary", f"POST {PERSON}action/grant/ 200"),
    step("user revoke {me} --permission salary", f"POST {PERSON}action/revoke/ 200"),
    # nobody else is there: test_roles.py takes somebody out, and lets somebody in
    step("user remove 999999 --yes", f"DELETE {PERSON} 404"),
    step("user invite dora@example.com --role bookkeeping", f"POST {B}invitations/ 201", keep="invitation"),
    step("user invitations", f"GET {B}invitations/ 200"),
    step("user withdraw {invitation} --yes", f"DELETE {B}invitations/{{invitation_id}}/ 204"),
    step("user invitations --mine", f"GET {OWN} 200"),
    step("user accept 999999", f"POST {OWN}{{invitation_id}}/accept/ 404"),
    step("user reject 999999", f"POST {OWN}{{invitation_id}}/reject/ 404"),
)

LOOK_UP = f"GET {B}account/ 200"
ACCOUNT = f"{B}account/{{account_id}}/"
CHART = (
    step("account create --number 1930 --name Savings --type ASS_PAY", f"POST {B}account/ 201"),
    step("account list", f"GET {B}account/ 200"),
    step("account get 1930", LOOK_UP, f"GET {ACCOUNT} 200"),
    step("account update 1930 --name Deposits", LOOK_UP, f"PATCH {ACCOUNT} 200"),
    step(
        "account replace 1930 --number 1930 --name Savings --type ASS_PAY",
        LOOK_UP,
        f"PUT {ACCOUNT} 200",
    ),
    step("account hide 1930", LOOK_UP, f"POST {ACCOUNT}hide/ 200"),
    step("account show 1930", LOOK_UP, f"POST {ACCOUNT}show/ 200"),
    step("account delete 1930 --yes", LOOK_UP, f"DELETE {ACCOUNT} 204"),
    step("header create --name Assets --type B", f"POST {B}header/ 201", keep="header"),
    step("header list", f"GET {B}header/ 200"),
    step("header get {header}", f"GET {B}header/{{header_id}}/ 200"),
)

VALUES = (
    "vat_codes",
    "business_identifiers",
    "business_invoicing_countries",
    "countries",
    "einvoice_operators",
    "permission_groups",
    "permissions",
    "vat_posting_methods",
    "vat_reporting_methods",
)
RECORDS = (
    *six("contact", f"{B}contacts/", "contact", "--name Meyer", update="--email a@example.com", replace="--name Abel"),
    *six("tag", f"{B}tags/", "tag", "--name Oulu", update="--color blue", replace="--name Turku"),
    *(step(f"constant get {name.replace('_', '-')}", f"GET {B}constants/{name}/ 200") for name in VALUES),
    step("constant get vat-rates --date 2026-01-01", f"GET {B}constants/vat_rates/ 200"),
)

FILE = f"{B}files/{{file_id}}/"
DOCUMENTS = (
    step("file upload receipt.txt", f"GET {B} 200", f"POST {B}file_upload/ 200", keep="file"),
    step("file list", f"GET {B}files/ 200"),
    step("file get {file}", f"GET {FILE} 200"),
    step("file update {file} --name rent.txt", f"PATCH {FILE} 200"),
    step("file replace {file} --name fuel.txt", f"PUT {FILE} 200"),
    step("document create --draft", f"POST {B}document/ 201", keep="document"),
    step("document list", f"GET {B}document/ 200"),
    step("document get {document}", f"GET {D} 200"),
    step("document update {document} --description Rent", f"PATCH {D} 200"),
    step("document replace {document} --draft --description Fuel", f"PUT {D} 200"),
    step("document flag {document}", f"POST {D}action/flag/ 200"),
    step("document unflag {document}", f"POST {D}action/unflag/ 200"),
    step("document lock {document}", f"POST {D}action/lock/ 200"),
    step("document unlock {document}", f"POST {D}action/unlock/ 200", f"GET {B}period/ 200", f"GET {B}vat_period/ 200"),
    step("document copy {document}", f"POST {D}action/copy/ 200", keep="copy"),
    step("document entries {document}", f"GET {D}entry/ 200"),
    step("document suggest-attachments {document}", f"GET {D}suggest_attachments/ 200"),
    step("document attach {document} {file}", f"POST {D}action/attach_files/ 200"),
    step("document detach {document} {file}", f"POST {D}action/detach_files/ 200"),
    step("document set-files {document}", f"POST {D}action/set_files/ 200"),
    step("file delete {file} --yes", f"DELETE {FILE} 204"),
    step("document delete {copy} --yes", f"DELETE {D} 204"),
    step("document suggestions", f"GET {B}accounting_suggestions/ 200"),
)

CLAIM = "--date 2026-03-02 --debit 1700 --credit 3380:500@6"
PAYMENT = "--date 2026-03-20 --debit 1910 --credit 1700:500"
PAIRED = "--related {payment} --role accrual"
RELATIONS = (
    step(f"document create {CLAIM}", LOOK_UP, f"POST {B}document/ 201", keep="claim"),
    step(f"document relation preview {PAYMENT}", LOOK_UP, f"POST {B}document/relation/suggestions/preview/ 200"),
    step(f"document create {PAYMENT}", LOOK_UP, f"POST {B}document/ 201", keep="payment"),
    step("document relation suggestions {claim}", f"GET {D}relation/suggestions/ 200"),
    step(f"document relation create {{claim}} {PAIRED}", f"POST {D}relation/ 201", keep="relation"),
    step("document relation list {claim}", f"GET {D}relation/ 200"),
    step("document relation get {claim} {relation}", f"GET {R} 200"),
    step("document relation update {claim} {relation} --role settlement", f"PATCH {R} 200"),
    step(f"document relation replace {{claim}} {{relation}} {PAIRED}", f"PUT {R} 200"),
    step("document relation delete {claim} {relation} --yes", f"DELETE {R} 204"),
)

REPORTS = (
    step("report journal", f"POST {B}report/journal/ 200"),
    step("report ledger", f"POST {B}report/ledger/ 200"),
    step("report vat", f"POST {B}report/vat-report/ 200"),
    step("report eu-vat", f"POST {B}report/eu-vat-contact-report/ 200"),
    step("report income-statement", f"POST {B}report/income-statement/ 200"),
    step("report income-statement --short", f"POST {B}report/income-statement-short/ 200"),
    step("report balance-sheet", f"POST {B}report/balance-sheet/ 200"),
    step("report balance-sheet --short", f"POST {B}report/balance-sheet-short/ 200"),
    step("report equity-changes", f"POST {B}report/equity-changes/ 200"),
)

PERIOD = f"{B}period/{{period_id}}/"
VAT_PERIOD = f"{B}vat_period/{{vat_period_id}}/"
PERIODS = (
    step("period create --start 2025-01-01 --end 2025-12-31", f"POST {B}period/ 201", keep="period"),
    step("period list", f"GET {B}period/ 200"),
    step("period get {period}", f"GET {PERIOD} 200"),
    step("period update {period} --start 2025-02-01", f"GET {B}period/ 200", f"PATCH {PERIOD} 200"),
    step("period replace {period} --start 2025-01-01 --end 2025-12-31", f"PUT {PERIOD} 200"),
    step("period lock {period}", f"POST {PERIOD}action/lock/ 200"),
    step("period fingerprint list", f"GET {B}fingerprint/ 200", keep="fingerprint"),
    step("period fingerprint get {fingerprint}", f"GET {B}fingerprint/{{fingerprint_id}}/ 200"),
    step("period unlock {period}", f"POST {PERIOD}action/unlock/ 200"),
    step("period delete {period} --yes", f"DELETE {PERIOD} 204"),
    step("vat period list", f"GET {B}vat_period/ 200", keep="current"),
    step("vat period delete {current} --yes", f"DELETE {VAT_PERIOD} 204"),
    step("vat period create --start 2025-01-01 --period month", f"POST {B}vat_period/ 201", keep="vat_period"),
    step("vat period get {vat_period}", f"GET {VAT_PERIOD} 200"),
    step("vat period update {vat_period} --period quarter", f"PATCH {VAT_PERIOD} 200"),
    step("vat period replace {vat_period} --start 2025-01-01 --period month", f"PUT {VAT_PERIOD} 200"),
    step("vat period lock {vat_period}", f"POST {VAT_PERIOD}action/lock/ 200"),
    step("vat period unlock {vat_period}", f"POST {VAT_PERIOD}action/unlock/ 200"),
    step("vat period report {vat_period} --yes", f"POST {VAT_PERIOD}action/report/ 200"),
    step("vat period reopen {vat_period} --reason Correction --yes", f"POST {VAT_PERIOD}action/reopen/ 200"),
)

IBAN = "FI4950009420028730"
INVOICE = f"{V}invoice/{{invoice_id}}/"
BUYER = "--name Abel --invoicing --street Katu --postal-code 90100 --city Oulu --country FI --email abel@example.com"
SOLD = "--to id:{buyer} --date 2026-03-01 --days 14 --row name=Work,unit=h,count=2,amount=100,vat=25.5"
SALES = (
    step("business update {business} --set invoicing_iban=FI4950009420028730", f"PATCH {B} 200"),
    step(f"contact create {BUYER}", f"POST {B}contacts/ 201", keep="buyer"),
    *six(
        "invoice",
        f"{V}invoice/",
        "invoice",
        SOLD,
        update="--days 7",
        replace=SOLD,
    ),
    step(f"invoice create {SOLD}", f"POST {V}invoice/ 201", keep="sold"),
    step("invoice accept {sold}", f"POST {INVOICE}actions/accept/ 200"),
    step("invoice delivery-methods {sold}", f"GET {INVOICE}delivery_methods/ 200"),
    step("invoice send {sold} --method paper", f"GET {INVOICE} 200", f"POST {INVOICE}send/ 200"),
    step("business update {business} --set invoicing_country=FI --set invoicing_iban=" + IBAN, f"PATCH {B} 200"),
    step("invoice xml {sold}", f"GET {INVOICE} 200", f"GET {B} 200", f"GET {INVOICE}kept/ 200"),
    step("invoice paid {sold}", f"POST {INVOICE}actions/paid/ 200"),
    step("invoice unpaid {sold}", f"POST {INVOICE}actions/unpaid/ 200"),
    step("invoice credit-loss {sold}", f"POST {INVOICE}actions/credit_loss/ 200"),
    step("invoice status-message add {sold} Late", f"POST {INVOICE}status_messages/ 201", keep="message"),
    step(
        "invoice status-message remove {sold} {message} --yes",
        f"DELETE {INVOICE}status_messages/{{message_id}}/ 204",
    ),
    step(f"invoice create {SOLD} --recurring --repeat month", f"POST {V}invoice/ 201", keep="template"),
    step("invoice accept {template}", f"POST {INVOICE}actions/accept/ 200"),
    step("invoice disable-recurrence {template}", f"POST {INVOICE}actions/disable_recurrence/ 200"),
)

AUDIT = f"{B}audit/"
TRAIL = (
    step("audit list", f"GET {AUDIT} 200"),
    step("audit show tag {tag}", f"GET {AUDIT} 200"),
    step("audit verify", f"GET {AUDIT}verification/ 200"),
    step("audit list --service", "GET /v1/audit/ 200"),
    step("audit verify --service", "GET /v1/audit/verification/ 200"),
    step("audit database", *3 * ["GET /v1/audit/database/ 200"]),
    step("audit unseen", f"GET {AUDIT}unseen/ 200"),
    step("audit comment {document} fine", f"POST {D}action/comment/ 200"),
    step("audit comments {document}", f"GET {D}comments/ 200"),
    step("audit seen {document}", f"POST {D}action/mark_seen/ 200"),
)

HOOKS = f"{B}webhook_subscriptions/"
FLOWS = f"{B}workflows/"
FLOW = f"{FLOWS}{{workflow_id}}/"
RUNS = f"{FLOW}runs/"
INTEGRATION = (
    step("auth jwt --business {business}", "POST /auth/jwt/ 200"),
    *six("workflow", FLOWS, "workflow", "--name Tag", update="--name Flag", replace="--name Log"),
    step("workflow create --name Empty", f"POST {FLOWS} 201", keep="flow"),
    step("workflow run list {flow}", f"GET {RUNS} 200"),
    step("workflow create --name Run --graph graph.json --enabled", f"POST {FLOWS} 201", keep="running"),
    step("workflow run start {running}", f"POST {RUNS} 201", keep="run"),
    step("workflow run get {running} {run}", f"GET {RUNS}{{run_id}}/ 200"),
    step("workflow run cancel {running} {run}", f"POST {RUNS}{{run_id}}/action/cancel/ 200"),
    *six(
        "webhook",
        HOOKS,
        "subscription",
        "--name Shop --url https://shop.example/",
        update="--inactive",
        replace="--name Shop --url https://shop.example/events",
    ),
    step("webhook create --name Shop --url https://shop.example/", f"POST {HOOKS} 201", keep="hook"),
    step("webhook ping {hook}", f"POST {HOOKS}{{subscription_id}}/action/ping/ 201", keep="delivery"),
    step("webhook deliveries", f"GET {HOOKS}deliveries/ 200"),
    step("webhook deliveries {hook}", f"GET {HOOKS}{{subscription_id}}/deliveries/ 200"),
    step(
        "webhook redeliver {hook} {delivery}",
        f"POST {HOOKS}{{subscription_id}}/deliveries/{{delivery_id}}/action/redeliver/ 200",
    ),
    step("event list", f"GET {B}events/ 200"),
)

A_PRODUCT = "--name Work --unit h --amount 99.99 --vat-code 3"
A_BILL = "--date 2026-03-01 --amount 100 --source UPLOAD"
BILL = f"{V}purchase_invoice/{{purchase_invoice_id}}/"
PAYOUT = f"{B}sales_payouts/{{payout_id}}/"
PAID_OUT = "--external-id po_1 --source shop --date 2026-03-02 --amount 97"
ITEMS = "--item amount=100,account=3000,vat=25.5,code=1 --item amount=-3,account=8500"
BOUGHT = (
    *six("product", f"{V}product/", "product", A_PRODUCT, update="--vat-rate 25.5", replace=A_PRODUCT),
    *six("purchase", f"{V}purchase_invoice/", "purchase_invoice", A_BILL, update="--number 7", replace=A_BILL),
    step(
        f"purchase create {A_BILL} --iban FI4950009420028730 --reference 1234567907",
        f"POST {V}purchase_invoice/ 201",
        keep="bill",
    ),
    step("purchase pay {bill}", f"GET {BILL} 200", f"PATCH {BILL} 200"),
    step("purchase unpay {bill}", f"PATCH {BILL} 200"),
    step("purchase barcode {bill}", f"GET {BILL} 200"),
    step(f"payout create {PAID_OUT} {ITEMS}", f"POST {B}sales_payouts/ 201", keep="payout"),
    step("payout list", f"GET {B}sales_payouts/ 200"),
    step("payout get {payout}", f"GET {PAYOUT} 200"),
    step(
        "payout book {payout} --clearing 1910",
        f"GET {PAYOUT} 200",
        f"GET {B}document/ 200",
        LOOK_UP,
        f"POST {B}document/ 201",
    ),
)

STEPS = (
    *USER_AND_BUSINESS,
    *PEOPLE,
    *CHART,
    *RECORDS,
    *DOCUMENTS,
    *RELATIONS,
    *REPORTS,
    *PERIODS,
    *SALES,
    *BOUGHT,
    *INTEGRATION,
    *TRAIL,
)
