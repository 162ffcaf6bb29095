CREATE TABLE event (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  business_id INTEGER NOT NULL,
  number BIGINT NOT NULL,
  type VARCHAR(64) NOT NULL,
  data TEXT NOT NULL,
  created_at VARCHAR(27) NOT NULL,
  CONSTRAINT uq_event_business_id_number UNIQUE (business_id, number)
)
--;
CREATE TABLE schema_revision (
  number VARCHAR(4) NOT NULL
)
--;
CREATE TABLE users (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  email VARCHAR(254) NOT NULL,
  first_name VARCHAR(150) NOT NULL,
  last_name VARCHAR(150) NOT NULL,
  language VARCHAR(2),
  show_get_started_info BOOLEAN NOT NULL,
  last_login VARCHAR(27),
  date_joined VARCHAR(27) NOT NULL,
  last_active_business_id INTEGER,
  last_active_business_slug VARCHAR(16),
  CONSTRAINT uq_users_email UNIQUE (email)
)
--;
CREATE TABLE business (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  name VARCHAR(256) NOT NULL,
  slug VARCHAR(16) NOT NULL,
  search_text TEXT NOT NULL,
  country VARCHAR(2) NOT NULL,
  form VARCHAR(16) NOT NULL,
  vat_posting_method VARCHAR(16) NOT NULL,
  vat_reporting_method VARCHAR(16) NOT NULL,
  default_vat_period INTEGER NOT NULL,
  invoicing_default_penalty_interest VARCHAR(20) NOT NULL,
  invoicing_default_payment_condition_days INTEGER NOT NULL,
  owner_id INTEGER,
  invoicing_default_email_subject TEXT,
  invoicing_default_email_content TEXT,
  invoicing_vat_exemption_reason TEXT,
  finanzamtsnummer VARCHAR(16),
  finanzkasse_iban VARCHAR(34),
  finanzkasse_recipient_name VARCHAR(128),
  invoicing_electronic_address VARCHAR(64),
  invoicing_electronic_address_scheme VARCHAR(16),
  contact_phone VARCHAR(32),
  invoicing_email VARCHAR(254),
  invoicing_iban VARCHAR(34),
  invoicing_bic VARCHAR(11),
  invoicing_contact VARCHAR(64),
  invoicing_street VARCHAR(64),
  invoicing_city VARCHAR(32),
  invoicing_postal_code VARCHAR(8),
  invoicing_country VARCHAR(2),
  business_street VARCHAR(64),
  business_city VARCHAR(32),
  business_postal_code VARCHAR(8),
  business_country VARCHAR(2),
  taxauthority_latest_reporter_full_name VARCHAR(300),
  taxauthority_latest_reporter_phone_number VARCHAR(32),
  has_dauerfristverlaengerung BOOLEAN NOT NULL,
  has_accrual_based_entries_for_invoicing BOOLEAN NOT NULL,
  has_history_before_service BOOLEAN NOT NULL,
  fiscal_period_needs_review BOOLEAN NOT NULL,
  vat_period_needs_review BOOLEAN NOT NULL,
  onboarding_updated_invoicing_settings BOOLEAN NOT NULL,
  onboarding_created_invoicing_contact BOOLEAN NOT NULL,
  onboarding_created_invoicing_product BOOLEAN NOT NULL,
  onboarding_registered_to_collector BOOLEAN NOT NULL,
  einvoicing_enabled BOOLEAN NOT NULL,
  bank_bookkeeping_api_enabled BOOLEAN NOT NULL,
  bank_platform_connection_enabled BOOLEAN NOT NULL,
  is_automatic_debt_collection_enabled BOOLEAN NOT NULL,
  CONSTRAINT uq_business_slug UNIQUE (slug),
  CONSTRAINT fk_business_owner_id FOREIGN KEY(owner_id) REFERENCES users (id) ON DELETE SET NULL
)
--;
CREATE INDEX ix_business_owner_id ON business (owner_id)
--;
CREATE TABLE stored_reply (
  user_id INTEGER NOT NULL,
  "key" VARCHAR(255) NOT NULL,
  fingerprint VARCHAR(64) NOT NULL,
  status INTEGER NOT NULL,
  body BLOB NOT NULL,
  created_at VARCHAR(27) NOT NULL,
  CONSTRAINT pk_stored_reply PRIMARY KEY (user_id, "key"),
  CONSTRAINT fk_stored_reply_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_stored_reply_created_at ON stored_reply (created_at)
--;
CREATE TABLE token (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL,
  name VARCHAR(128) NOT NULL,
  hash VARCHAR(64) NOT NULL,
  created_at VARCHAR(27) NOT NULL,
  expires_at VARCHAR(27),
  revoked_at VARCHAR(27),
  CONSTRAINT fk_token_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT uq_token_hash UNIQUE (hash)
)
--;
CREATE INDEX ix_token_user_id ON token (user_id)
--;
CREATE TABLE attachment (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  name VARCHAR(256) NOT NULL,
  search_name TEXT NOT NULL,
  type VARCHAR(128) NOT NULL,
  size BIGINT,
  sha256 VARCHAR(64),
  content_name VARCHAR(64) NOT NULL,
  content_secret VARCHAR(64) NOT NULL,
  analysis_status VARCHAR(16) NOT NULL,
  notes VARCHAR(8192) NOT NULL,
  CONSTRAINT uq_attachment_business_id_id UNIQUE (business_id, id),
  CONSTRAINT uq_attachment_content_name UNIQUE (content_name),
  CONSTRAINT fk_attachment_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE TABLE contact (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  type VARCHAR(16) NOT NULL,
  name VARCHAR(256) NOT NULL,
  sort_name TEXT NOT NULL,
  name_aliases TEXT NOT NULL,
  search_text TEXT NOT NULL,
  is_invoicing_enabled BOOLEAN NOT NULL,
  invoicing_language VARCHAR(2) NOT NULL,
  customer_id VARCHAR(32),
  contact_business_id VARCHAR(16),
  xrechnung_buyer_reference VARCHAR(128),
  notes VARCHAR(8192),
  phone_number VARCHAR(32),
  invoicing_email VARCHAR(254),
  invoicing_electronic_address VARCHAR(64),
  invoicing_electronic_address_scheme VARCHAR(16),
  invoicing_einvoice_address VARCHAR(32),
  invoicing_einvoice_operator VARCHAR(32),
  invoicing_tax_code VARCHAR(16),
  invoicing_street VARCHAR(64),
  invoicing_city VARCHAR(32),
  invoicing_postal_code VARCHAR(8),
  invoicing_country VARCHAR(2),
  buyer_postal_address_details_xml_override TEXT,
  CONSTRAINT uq_contact_business_id_id UNIQUE (business_id, id),
  CONSTRAINT fk_contact_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_contact_business_id_sort_name_id ON contact (business_id, sort_name, id)
--;
CREATE TABLE document_counter (
  business_id INTEGER NOT NULL,
  date DATE NOT NULL,
  last INTEGER NOT NULL,
  CONSTRAINT pk_document_counter PRIMARY KEY (business_id, date),
  CONSTRAINT fk_document_counter_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE TABLE header (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  search_name TEXT NOT NULL,
  name_translations TEXT NOT NULL,
  type VARCHAR(1) NOT NULL,
  parent_id INTEGER,
  CONSTRAINT uq_header_business_id_id UNIQUE (business_id, id),
  CONSTRAINT fk_header_business_id_parent_id FOREIGN KEY(business_id, parent_id) REFERENCES header (business_id, id),
  CONSTRAINT fk_header_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE TABLE identifier (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  type VARCHAR(16) NOT NULL,
  value VARCHAR(64) NOT NULL,
  CONSTRAINT uq_identifier_business_id_type UNIQUE (business_id, type),
  CONSTRAINT fk_identifier_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE TABLE period (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  start_date DATE NOT NULL,
  end_date DATE NOT NULL,
  is_locked BOOLEAN NOT NULL,
  CONSTRAINT ck_period_dates CHECK (start_date <= end_date),
  CONSTRAINT uq_period_business_id_start_date UNIQUE (business_id, start_date),
  CONSTRAINT fk_period_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_period_locked ON period (business_id, end_date) WHERE is_locked
--;
CREATE TABLE sales_invoice_counter (
  business_id INTEGER NOT NULL,
  last BIGINT NOT NULL,
  CONSTRAINT pk_sales_invoice_counter PRIMARY KEY (business_id),
  CONSTRAINT fk_sales_invoice_counter_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE TABLE sales_payout (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  external_id VARCHAR(128) NOT NULL,
  end_to_end_id VARCHAR(64),
  source VARCHAR(64) NOT NULL,
  date DATE NOT NULL,
  amount_cents BIGINT NOT NULL,
  currency VARCHAR(16) NOT NULL,
  description VARCHAR(256) NOT NULL,
  CONSTRAINT uq_sales_payout_business_id_id UNIQUE (business_id, id),
  CONSTRAINT ck_sales_payout_amount_cents_integer CHECK (typeof(amount_cents) = 'integer'),
  CONSTRAINT uq_sales_payout_business_id_external_id UNIQUE (business_id, external_id),
  CONSTRAINT fk_sales_payout_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE TABLE tag (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  name VARCHAR(32),
  search_name TEXT NOT NULL,
  description VARCHAR(256),
  color VARCHAR(16),
  CONSTRAINT uq_tag_business_id_id UNIQUE (business_id, id),
  CONSTRAINT uq_tag_business_id_name UNIQUE (business_id, name),
  CONSTRAINT fk_tag_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE TABLE tally (
  business_id INTEGER NOT NULL,
  kind VARCHAR(32) NOT NULL,
  count BIGINT NOT NULL,
  state BIGINT NOT NULL,
  CONSTRAINT pk_tally PRIMARY KEY (business_id, kind),
  CONSTRAINT fk_tally_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE TABLE usership (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  user_id INTEGER NOT NULL,
  business_id INTEGER NOT NULL,
  permissions TEXT NOT NULL,
  CONSTRAINT uq_usership_user_id_business_id UNIQUE (user_id, business_id),
  CONSTRAINT fk_usership_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT fk_usership_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_usership_business_id ON usership (business_id)
--;
CREATE TABLE webhook_subscription (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  name VARCHAR(128) NOT NULL,
  target_url VARCHAR(2048) NOT NULL,
  is_active BOOLEAN NOT NULL,
  basic_auth_username VARCHAR(255),
  basic_auth_password BLOB,
  signing_secret BLOB NOT NULL,
  CONSTRAINT uq_webhook_subscription_business_id_id UNIQUE (business_id, id),
  CONSTRAINT fk_webhook_subscription_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE TABLE workflow (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  name VARCHAR(128) NOT NULL,
  react_flow_data TEXT NOT NULL,
  enabled BOOLEAN NOT NULL,
  version_number BIGINT NOT NULL,
  CONSTRAINT uq_workflow_business_id_id UNIQUE (business_id, id),
  CONSTRAINT fk_workflow_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE TABLE account (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  number VARCHAR(7) NOT NULL,
  padded_number INTEGER NOT NULL,
  name TEXT NOT NULL,
  search_name TEXT NOT NULL,
  name_translations TEXT NOT NULL,
  header_id INTEGER,
  description VARCHAR(8192),
  type VARCHAR(16) NOT NULL,
  default_vat_code INTEGER NOT NULL,
  default_vat_rate_label VARCHAR(16) NOT NULL,
  opening_cents BIGINT NOT NULL,
  is_shown BOOLEAN NOT NULL,
  CONSTRAINT uq_account_business_id_id UNIQUE (business_id, id),
  CONSTRAINT ck_account_opening_cents_integer CHECK (typeof(opening_cents) = 'integer'),
  CONSTRAINT fk_account_business_id_header_id FOREIGN KEY(business_id, header_id) REFERENCES header (business_id, id),
  CONSTRAINT uq_account_business_id_number UNIQUE (business_id, number),
  CONSTRAINT fk_account_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_account_business_id_padded_number_id ON account (business_id, padded_number, id)
--;
CREATE TABLE sales_invoice (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  status VARCHAR(16) NOT NULL,
  invoice_number BIGINT,
  receiver_id INTEGER NOT NULL,
  invoicing_date DATE NOT NULL,
  payment_condition_days INTEGER NOT NULL,
  due_date DATE NOT NULL,
  penalty_interest INTEGER NOT NULL,
  is_credit_note_for INTEGER,
  is_active_recurrence_template BOOLEAN NOT NULL,
  recurrence_rule TEXT,
  recurrence_end DATE,
  recurrence_parent_id INTEGER,
  last_delivery_at VARCHAR(27),
  settlement_date DATE,
  payment_date DATE,
  is_automatic_debt_collection_enabled BOOLEAN NOT NULL,
  total_vat_cents BIGINT NOT NULL,
  total_cents BIGINT NOT NULL,
  search_text TEXT NOT NULL,
  contact_person VARCHAR(64),
  reference VARCHAR(32),
  description VARCHAR(512),
  seller_reference VARCHAR(32),
  buyer_reference VARCHAR(32),
  delivery_method VARCHAR(16),
  recurrence_reference_method VARCHAR(8),
  recurrence_email_subject TEXT,
  recurrence_email_content TEXT,
  CONSTRAINT uq_sales_invoice_business_id_id UNIQUE (business_id, id),
  CONSTRAINT ck_sales_invoice_total_vat_cents_integer CHECK (typeof(total_vat_cents) = 'integer'),
  CONSTRAINT ck_sales_invoice_total_cents_integer CHECK (typeof(total_cents) = 'integer'),
  CONSTRAINT ck_sales_invoice_accepted_has_number CHECK ((status = 'DRAFT') = (invoice_number IS NULL)),
  CONSTRAINT uq_sales_invoice_business_id_invoice_number UNIQUE (business_id, invoice_number),
  CONSTRAINT fk_sales_invoice_business_id_receiver_id FOREIGN KEY(business_id, receiver_id) REFERENCES contact (business_id, id),
  CONSTRAINT fk_sales_invoice_business_id_is_credit_note_for FOREIGN KEY(business_id, is_credit_note_for) REFERENCES sales_invoice (business_id, id),
  CONSTRAINT fk_sales_invoice_business_id_recurrence_parent_id FOREIGN KEY(business_id, recurrence_parent_id) REFERENCES sales_invoice (business_id, id),
  CONSTRAINT fk_sales_invoice_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_sales_invoice_business_id_receiver_id ON sales_invoice (business_id, receiver_id)
--;
CREATE INDEX ix_sales_invoice_business_id_updated_at ON sales_invoice (business_id, updated_at)
--;
CREATE INDEX ix_sales_invoice_credit ON sales_invoice (business_id, is_credit_note_for) WHERE is_credit_note_for IS NOT NULL
--;
CREATE UNIQUE INDEX ix_sales_invoice_parent ON sales_invoice (business_id, recurrence_parent_id, invoicing_date) WHERE recurrence_parent_id IS NOT NULL
--;
CREATE TABLE sales_payout_attachment (
  business_id INTEGER NOT NULL,
  sales_payout_id INTEGER NOT NULL,
  attachment_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  CONSTRAINT pk_sales_payout_attachment PRIMARY KEY (business_id, sales_payout_id, attachment_id),
  CONSTRAINT fk_sales_payout_attachment_business_id_sales_payout_id FOREIGN KEY(business_id, sales_payout_id) REFERENCES sales_payout (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_sales_payout_attachment_business_id_attachment_id FOREIGN KEY(business_id, attachment_id) REFERENCES attachment (business_id, id),
  CONSTRAINT fk_sales_payout_attachment_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_sales_payout_attachment_business_id_attachment_id_sales_payout_id ON sales_payout_attachment (business_id, attachment_id, sales_payout_id)
--;
CREATE TABLE sales_payout_item (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  sales_payout_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  amount_cents BIGINT NOT NULL,
  description VARCHAR(256) NOT NULL,
  vat_code INTEGER NOT NULL,
  vat_rate INTEGER NOT NULL,
  account_number VARCHAR(7) NOT NULL,
  CONSTRAINT ck_sales_payout_item_amount_cents_integer CHECK (typeof(amount_cents) = 'integer'),
  CONSTRAINT fk_sales_payout_item_business_id_sales_payout_id FOREIGN KEY(business_id, sales_payout_id) REFERENCES sales_payout (business_id, id) ON DELETE CASCADE,
  CONSTRAINT uq_sales_payout_item_business_id_sales_payout_id_position UNIQUE (business_id, sales_payout_id, position),
  CONSTRAINT fk_sales_payout_item_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE TABLE workflow_run (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  workflow_id INTEGER NOT NULL,
  version_number BIGINT NOT NULL,
  react_flow_data TEXT NOT NULL,
  status VARCHAR(16) NOT NULL,
  trigger_node_uuid VARCHAR(36),
  event_id BIGINT,
  started_at VARCHAR(27),
  finished_at VARCHAR(27),
  last_error TEXT,
  node_runs TEXT NOT NULL,
  CONSTRAINT fk_workflow_run_business_id_workflow_id FOREIGN KEY(business_id, workflow_id) REFERENCES workflow (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_workflow_run_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_workflow_run_business_id_workflow_id_id ON workflow_run (business_id, workflow_id, id)
--;
CREATE TABLE account_month (
  business_id INTEGER NOT NULL,
  account_id INTEGER NOT NULL,
  month VARCHAR(7) NOT NULL,
  debit_cents BIGINT NOT NULL,
  credit_cents BIGINT NOT NULL,
  CONSTRAINT pk_account_month PRIMARY KEY (business_id, account_id, month),
  CONSTRAINT ck_account_month_debit_cents_integer CHECK (typeof(debit_cents) = 'integer'),
  CONSTRAINT ck_account_month_debit_cents_range CHECK (debit_cents >= 0),
  CONSTRAINT ck_account_month_credit_cents_integer CHECK (typeof(credit_cents) = 'integer'),
  CONSTRAINT ck_account_month_credit_cents_range CHECK (credit_cents >= 0),
  CONSTRAINT fk_account_month_business_id_account_id FOREIGN KEY(business_id, account_id) REFERENCES account (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_account_month_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE TABLE account_total (
  business_id INTEGER NOT NULL,
  account_id INTEGER NOT NULL,
  debit_cents BIGINT NOT NULL,
  credit_cents BIGINT NOT NULL,
  entry_count BIGINT NOT NULL,
  CONSTRAINT pk_account_total PRIMARY KEY (business_id, account_id),
  CONSTRAINT ck_account_total_debit_cents_integer CHECK (typeof(debit_cents) = 'integer'),
  CONSTRAINT ck_account_total_debit_cents_range CHECK (debit_cents >= 0),
  CONSTRAINT ck_account_total_credit_cents_integer CHECK (typeof(credit_cents) = 'integer'),
  CONSTRAINT ck_account_total_credit_cents_range CHECK (credit_cents >= 0),
  CONSTRAINT fk_account_total_business_id_account_id FOREIGN KEY(business_id, account_id) REFERENCES account (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_account_total_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE TABLE document (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  number VARCHAR(16),
  date DATE NOT NULL,
  is_draft BOOLEAN NOT NULL,
  is_locked BOOLEAN NOT NULL,
  locked_by INTEGER,
  is_flagged BOOLEAN NOT NULL,
  description VARCHAR(256) NOT NULL,
  search_text TEXT NOT NULL,
  contact_id INTEGER,
  type INTEGER NOT NULL,
  blueprint TEXT NOT NULL,
  blueprint_type VARCHAR(16) NOT NULL,
  balance_cents BIGINT NOT NULL,
  total_cents BIGINT NOT NULL,
  invoice_id INTEGER,
  invoice_role VARCHAR(8),
  CONSTRAINT uq_document_business_id_id UNIQUE (business_id, id),
  CONSTRAINT ck_document_balance_cents_integer CHECK (typeof(balance_cents) = 'integer'),
  CONSTRAINT ck_document_total_cents_integer CHECK (typeof(total_cents) = 'integer'),
  CONSTRAINT ck_document_invoice_has_role CHECK ((invoice_id IS NULL) = (invoice_role IS NULL)),
  CONSTRAINT ck_document_posted_has_number CHECK (is_draft OR number IS NOT NULL),
  CONSTRAINT uq_document_business_id_number UNIQUE (business_id, number),
  CONSTRAINT fk_document_business_id_contact_id FOREIGN KEY(business_id, contact_id) REFERENCES contact (business_id, id),
  CONSTRAINT fk_document_business_id_invoice_id FOREIGN KEY(business_id, invoice_id) REFERENCES sales_invoice (business_id, id),
  CONSTRAINT fk_document_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_document_business_id_date_id ON document (business_id, date, id)
--;
CREATE INDEX ix_document_contact ON document (business_id, contact_id, date, id) WHERE contact_id IS NOT NULL
--;
CREATE UNIQUE INDEX ix_document_invoice ON document (business_id, invoice_id, invoice_role) WHERE invoice_id IS NOT NULL
--;
CREATE TABLE product (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  code VARCHAR(25),
  name VARCHAR(64) NOT NULL,
  sort_name TEXT NOT NULL,
  search_text TEXT NOT NULL,
  unit VARCHAR(8) NOT NULL,
  amount_e4 BIGINT NOT NULL,
  vat_rate INTEGER NOT NULL,
  vat_code INTEGER NOT NULL,
  is_vat_inclusive BOOLEAN NOT NULL,
  account_id INTEGER,
  description VARCHAR(128),
  CONSTRAINT uq_product_business_id_id UNIQUE (business_id, id),
  CONSTRAINT ck_product_amount_e4_integer CHECK (typeof(amount_e4) = 'integer'),
  CONSTRAINT fk_product_business_id_account_id FOREIGN KEY(business_id, account_id) REFERENCES account (business_id, id),
  CONSTRAINT fk_product_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_product_business_id_sort_name_id ON product (business_id, sort_name, id)
--;
CREATE TABLE sales_invoice_attachment (
  business_id INTEGER NOT NULL,
  invoice_id INTEGER NOT NULL,
  attachment_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  CONSTRAINT pk_sales_invoice_attachment PRIMARY KEY (business_id, invoice_id, attachment_id),
  CONSTRAINT fk_sales_invoice_attachment_business_id_invoice_id FOREIGN KEY(business_id, invoice_id) REFERENCES sales_invoice (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_sales_invoice_attachment_business_id_attachment_id FOREIGN KEY(business_id, attachment_id) REFERENCES attachment (business_id, id),
  CONSTRAINT fk_sales_invoice_attachment_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_sales_invoice_attachment_business_id_attachment_id_invoice_id ON sales_invoice_attachment (business_id, attachment_id, invoice_id)
--;
CREATE TABLE sales_invoice_message (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  business_id INTEGER NOT NULL,
  invoice_id INTEGER NOT NULL,
  message VARCHAR(1024) NOT NULL,
  CONSTRAINT fk_sales_invoice_message_business_id_invoice_id FOREIGN KEY(business_id, invoice_id) REFERENCES sales_invoice (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_sales_invoice_message_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_sales_invoice_message_business_id_invoice_id ON sales_invoice_message (business_id, invoice_id)
--;
CREATE TABLE sales_invoice_print (
  business_id INTEGER NOT NULL,
  invoice_id INTEGER NOT NULL,
  source TEXT NOT NULL,
  pdf_id INTEGER NOT NULL,
  xml_id INTEGER,
  CONSTRAINT pk_sales_invoice_print PRIMARY KEY (business_id, invoice_id),
  CONSTRAINT fk_sales_invoice_print_business_id_invoice_id FOREIGN KEY(business_id, invoice_id) REFERENCES sales_invoice (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_sales_invoice_print_business_id_pdf_id FOREIGN KEY(business_id, pdf_id) REFERENCES attachment (business_id, id),
  CONSTRAINT fk_sales_invoice_print_business_id_xml_id FOREIGN KEY(business_id, xml_id) REFERENCES attachment (business_id, id),
  CONSTRAINT uq_sales_invoice_print_business_id_pdf_id UNIQUE (business_id, pdf_id),
  CONSTRAINT uq_sales_invoice_print_business_id_xml_id UNIQUE (business_id, xml_id),
  CONSTRAINT fk_sales_invoice_print_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE TABLE sales_invoice_tag (
  business_id INTEGER NOT NULL,
  invoice_id INTEGER NOT NULL,
  tag_id INTEGER NOT NULL,
  CONSTRAINT pk_sales_invoice_tag PRIMARY KEY (business_id, invoice_id, tag_id),
  CONSTRAINT fk_sales_invoice_tag_business_id_invoice_id FOREIGN KEY(business_id, invoice_id) REFERENCES sales_invoice (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_sales_invoice_tag_business_id_tag_id FOREIGN KEY(business_id, tag_id) REFERENCES tag (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_sales_invoice_tag_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_sales_invoice_tag_business_id_tag_id_invoice_id ON sales_invoice_tag (business_id, tag_id, invoice_id)
--;
CREATE TABLE sales_invoice_transition (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  business_id INTEGER NOT NULL,
  invoice_id INTEGER NOT NULL,
  status VARCHAR(16) NOT NULL,
  changed_at VARCHAR(27) NOT NULL,
  CONSTRAINT fk_sales_invoice_transition_business_id_invoice_id FOREIGN KEY(business_id, invoice_id) REFERENCES sales_invoice (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_sales_invoice_transition_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_sales_invoice_transition_business_id_invoice_id ON sales_invoice_transition (business_id, invoice_id)
--;
CREATE INDEX ix_sales_invoice_transition_business_id_status_changed_at ON sales_invoice_transition (business_id, status, changed_at)
--;
CREATE TABLE system_account (
  business_id INTEGER NOT NULL,
  role VARCHAR(32) NOT NULL,
  account_id INTEGER NOT NULL,
  CONSTRAINT pk_system_account PRIMARY KEY (business_id, role),
  CONSTRAINT fk_system_account_business_id_account_id FOREIGN KEY(business_id, account_id) REFERENCES account (business_id, id),
  CONSTRAINT fk_system_account_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_system_account_business_id_account_id ON system_account (business_id, account_id)
--;
CREATE TABLE document_attachment (
  business_id INTEGER NOT NULL,
  document_id INTEGER NOT NULL,
  attachment_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  CONSTRAINT pk_document_attachment PRIMARY KEY (business_id, document_id, attachment_id),
  CONSTRAINT fk_document_attachment_business_id_document_id FOREIGN KEY(business_id, document_id) REFERENCES document (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_document_attachment_business_id_attachment_id FOREIGN KEY(business_id, attachment_id) REFERENCES attachment (business_id, id),
  CONSTRAINT fk_document_attachment_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_document_attachment_business_id_attachment_id_document_id ON document_attachment (business_id, attachment_id, document_id)
--;
CREATE TABLE document_tag (
  business_id INTEGER NOT NULL,
  document_id INTEGER NOT NULL,
  tag_id INTEGER NOT NULL,
  CONSTRAINT pk_document_tag PRIMARY KEY (business_id, document_id, tag_id),
  CONSTRAINT fk_document_tag_business_id_document_id FOREIGN KEY(business_id, document_id) REFERENCES document (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_document_tag_business_id_tag_id FOREIGN KEY(business_id, tag_id) REFERENCES tag (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_document_tag_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_document_tag_business_id_tag_id_document_id ON document_tag (business_id, tag_id, document_id)
--;
CREATE TABLE entry (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  document_id INTEGER NOT NULL,
  account_id INTEGER NOT NULL,
  date DATE NOT NULL,
  is_debit BOOLEAN NOT NULL,
  amount_cents BIGINT NOT NULL,
  description VARCHAR(256) NOT NULL,
  vat_code INTEGER NOT NULL,
  vat_rate INTEGER NOT NULL,
  position INTEGER NOT NULL,
  CONSTRAINT ck_entry_amount_cents_integer CHECK (typeof(amount_cents) = 'integer'),
  CONSTRAINT ck_entry_amount_cents_range CHECK (amount_cents >= 0),
  CONSTRAINT fk_entry_business_id_document_id FOREIGN KEY(business_id, document_id) REFERENCES document (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_entry_business_id_account_id FOREIGN KEY(business_id, account_id) REFERENCES account (business_id, id),
  CONSTRAINT uq_entry_business_id_document_id_position UNIQUE (business_id, document_id, position),
  CONSTRAINT fk_entry_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_entry_business_id_account_id_date_is_debit_amount_cents ON entry (business_id, account_id, date, is_debit, amount_cents)
--;
CREATE INDEX ix_entry_eu_sales ON entry (business_id, date) WHERE vat_code IN (5, 6)
--;
CREATE TABLE purchase_invoice (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  invoicing_date DATE NOT NULL,
  due_date DATE,
  amount_cents BIGINT NOT NULL,
  currency VARCHAR(16) NOT NULL,
  import_source VARCHAR(32) NOT NULL,
  is_paid BOOLEAN NOT NULL,
  payment_date DATE,
  invoice_number VARCHAR(32),
  sender_vat VARCHAR(32),
  sender_name VARCHAR(128),
  sender_bank_account VARCHAR(64),
  sender_bank_bic VARCHAR(16),
  receiver_vat VARCHAR(32),
  receiver_name VARCHAR(128),
  reference VARCHAR(32),
  message VARCHAR(140),
  search_text TEXT NOT NULL,
  original_attachment_id INTEGER,
  document_id INTEGER,
  CONSTRAINT uq_purchase_invoice_business_id_id UNIQUE (business_id, id),
  CONSTRAINT ck_purchase_invoice_amount_cents_integer CHECK (typeof(amount_cents) = 'integer'),
  CONSTRAINT ck_purchase_invoice_paid_on CHECK (is_paid OR payment_date IS NULL),
  CONSTRAINT fk_purchase_invoice_business_id_original_attachment_id FOREIGN KEY(business_id, original_attachment_id) REFERENCES attachment (business_id, id),
  CONSTRAINT fk_purchase_invoice_business_id_document_id FOREIGN KEY(business_id, document_id) REFERENCES document (business_id, id),
  CONSTRAINT fk_purchase_invoice_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_purchase_invoice_document ON purchase_invoice (business_id, document_id) WHERE document_id IS NOT NULL
--;
CREATE INDEX ix_purchase_invoice_original ON purchase_invoice (business_id, original_attachment_id) WHERE original_attachment_id IS NOT NULL
--;
CREATE TABLE relation (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  low_id INTEGER NOT NULL,
  high_id INTEGER NOT NULL,
  accrual_is_low BOOLEAN NOT NULL,
  type VARCHAR(16) NOT NULL,
  CONSTRAINT ck_relation_order CHECK (low_id < high_id),
  CONSTRAINT uq_relation_business_id_low_id_high_id UNIQUE (business_id, low_id, high_id),
  CONSTRAINT fk_relation_business_id_low_id FOREIGN KEY(business_id, low_id) REFERENCES document (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_relation_business_id_high_id FOREIGN KEY(business_id, high_id) REFERENCES document (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_relation_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_relation_business_id_high_id ON relation (business_id, high_id)
--;
CREATE TABLE sales_invoice_row (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  business_id INTEGER NOT NULL,
  invoice_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  code VARCHAR(25),
  name VARCHAR(64) NOT NULL,
  unit VARCHAR(8) NOT NULL,
  amount_e4 BIGINT NOT NULL,
  vat_rate INTEGER NOT NULL,
  vat_code INTEGER NOT NULL,
  product_id INTEGER,
  count_e4 BIGINT NOT NULL,
  description VARCHAR(128),
  total_vat_cents BIGINT NOT NULL,
  total_cents BIGINT NOT NULL,
  account_id INTEGER,
  CONSTRAINT ck_sales_invoice_row_amount_e4_integer CHECK (typeof(amount_e4) = 'integer'),
  CONSTRAINT ck_sales_invoice_row_count_e4_integer CHECK (typeof(count_e4) = 'integer'),
  CONSTRAINT ck_sales_invoice_row_total_vat_cents_integer CHECK (typeof(total_vat_cents) = 'integer'),
  CONSTRAINT ck_sales_invoice_row_total_cents_integer CHECK (typeof(total_cents) = 'integer'),
  CONSTRAINT fk_sales_invoice_row_business_id_invoice_id FOREIGN KEY(business_id, invoice_id) REFERENCES sales_invoice (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_sales_invoice_row_business_id_product_id FOREIGN KEY(business_id, product_id) REFERENCES product (business_id, id),
  CONSTRAINT fk_sales_invoice_row_business_id_account_id FOREIGN KEY(business_id, account_id) REFERENCES account (business_id, id),
  CONSTRAINT uq_sales_invoice_row_business_id_invoice_id_position UNIQUE (business_id, invoice_id, position),
  CONSTRAINT fk_sales_invoice_row_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_sales_invoice_row_account ON sales_invoice_row (business_id, account_id) WHERE account_id IS NOT NULL
--;
CREATE INDEX ix_sales_invoice_row_product ON sales_invoice_row (business_id, product_id) WHERE product_id IS NOT NULL
--;
CREATE TABLE purchase_invoice_attachment (
  business_id INTEGER NOT NULL,
  purchase_invoice_id INTEGER NOT NULL,
  attachment_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  CONSTRAINT pk_purchase_invoice_attachment PRIMARY KEY (business_id, purchase_invoice_id, attachment_id),
  CONSTRAINT fk_purchase_invoice_attachment_business_id_purchase_invoice_id FOREIGN KEY(business_id, purchase_invoice_id) REFERENCES purchase_invoice (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_purchase_invoice_attachment_business_id_attachment_id FOREIGN KEY(business_id, attachment_id) REFERENCES attachment (business_id, id),
  CONSTRAINT fk_purchase_invoice_attachment_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_purchase_invoice_attachment_business_id_attachment_id_purchase_invoice_id ON purchase_invoice_attachment (business_id, attachment_id, purchase_invoice_id)
--;
CREATE TABLE purchase_invoice_tag (
  business_id INTEGER NOT NULL,
  purchase_invoice_id INTEGER NOT NULL,
  tag_id INTEGER NOT NULL,
  CONSTRAINT pk_purchase_invoice_tag PRIMARY KEY (business_id, purchase_invoice_id, tag_id),
  CONSTRAINT fk_purchase_invoice_tag_business_id_purchase_invoice_id FOREIGN KEY(business_id, purchase_invoice_id) REFERENCES purchase_invoice (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_purchase_invoice_tag_business_id_tag_id FOREIGN KEY(business_id, tag_id) REFERENCES tag (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_purchase_invoice_tag_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_purchase_invoice_tag_business_id_tag_id_purchase_invoice_id ON purchase_invoice_tag (business_id, tag_id, purchase_invoice_id)
--;
CREATE TABLE vat_period (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  start_date DATE NOT NULL,
  end_date DATE NOT NULL,
  due_date DATE NOT NULL,
  period INTEGER,
  is_locked BOOLEAN NOT NULL,
  is_reported BOOLEAN NOT NULL,
  is_recapitulative_reported BOOLEAN NOT NULL,
  filing_tax_cents BIGINT,
  filing_accepted_at VARCHAR(27),
  purchase_invoice_id INTEGER,
  netting_document_id INTEGER,
  CONSTRAINT fk_vat_period_business_id_purchase_invoice_id FOREIGN KEY(business_id, purchase_invoice_id) REFERENCES purchase_invoice (business_id, id),
  CONSTRAINT fk_vat_period_business_id_netting_document_id FOREIGN KEY(business_id, netting_document_id) REFERENCES document (business_id, id),
  CONSTRAINT ck_vat_period_dates CHECK (start_date <= end_date),
  CONSTRAINT uq_vat_period_business_id_start_date UNIQUE (business_id, start_date),
  CONSTRAINT fk_vat_period_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_vat_period_locked ON vat_period (business_id, end_date) WHERE is_locked
--;
CREATE TRIGGER document_born BEFORE INSERT ON document FOR EACH ROW WHEN true BEGIN
  SELECT RAISE(ABORT, 'a document is inserted as a draft') WHERE NOT NEW.is_draft;
END
--;
CREATE TRIGGER document_post BEFORE UPDATE OF is_draft ON document FOR EACH ROW WHEN OLD.is_draft AND NOT NEW.is_draft BEGIN
  SELECT RAISE(ABORT, 'debit and credit of the document differ') WHERE (SELECT coalesce(sum(CASE WHEN is_debit THEN amount_cents ELSE 0 END), 0) <> coalesce(sum(CASE WHEN is_debit THEN 0 ELSE amount_cents END), 0) FROM entry WHERE business_id = NEW.business_id AND document_id = NEW.id);
  SELECT RAISE(ABORT, 'an entry has another date than its document') WHERE EXISTS (SELECT 1 FROM entry WHERE business_id = NEW.business_id AND document_id = NEW.id AND date <> NEW.date);
  SELECT RAISE(ABORT, 'the period of the document is locked') WHERE EXISTS (SELECT 1 FROM period WHERE business_id = NEW.business_id AND end_date >= NEW.date AND start_date <= NEW.date AND is_locked) OR EXISTS (SELECT 1 FROM vat_period WHERE business_id = NEW.business_id AND end_date >= NEW.date AND start_date <= NEW.date AND is_locked);
END
--;
CREATE TRIGGER document_unpost BEFORE UPDATE OF is_draft ON document FOR EACH ROW WHEN NEW.is_draft AND NOT OLD.is_draft BEGIN
  SELECT RAISE(ABORT, 'the period of the document is locked') WHERE EXISTS (SELECT 1 FROM period WHERE business_id = OLD.business_id AND end_date >= OLD.date AND start_date <= OLD.date AND is_locked) OR EXISTS (SELECT 1 FROM vat_period WHERE business_id = OLD.business_id AND end_date >= OLD.date AND start_date <= OLD.date AND is_locked);
END
--;
CREATE TRIGGER document_posted AFTER UPDATE OF is_draft ON document FOR EACH ROW WHEN OLD.is_draft AND NOT NEW.is_draft BEGIN
  INSERT INTO account_total (business_id, account_id, debit_cents, credit_cents, entry_count) SELECT NEW.business_id, account_id, sum(CASE WHEN is_debit THEN amount_cents ELSE 0 END), sum(CASE WHEN is_debit THEN 0 ELSE amount_cents END), count(*) FROM entry WHERE business_id = NEW.business_id AND document_id = NEW.id GROUP BY +account_id ON CONFLICT (business_id, account_id) DO UPDATE SET debit_cents = account_total.debit_cents + excluded.debit_cents, credit_cents = account_total.credit_cents + excluded.credit_cents, entry_count = account_total.entry_count + excluded.entry_count;
  INSERT INTO account_month (business_id, account_id, month, debit_cents, credit_cents) SELECT NEW.business_id, account_id, substr(NEW.date, 1, 7), sum(CASE WHEN is_debit THEN amount_cents ELSE 0 END), sum(CASE WHEN is_debit THEN 0 ELSE amount_cents END) FROM entry WHERE business_id = NEW.business_id AND document_id = NEW.id GROUP BY +account_id ON CONFLICT (business_id, account_id, month) DO UPDATE SET debit_cents = account_month.debit_cents + excluded.debit_cents, credit_cents = account_month.credit_cents + excluded.credit_cents;
END
--;
CREATE TRIGGER document_unposted AFTER UPDATE OF is_draft ON document FOR EACH ROW WHEN NEW.is_draft AND NOT OLD.is_draft BEGIN
  UPDATE account_total SET debit_cents = debit_cents - moved.debit, credit_cents = credit_cents - moved.credit, entry_count = entry_count - moved.entries FROM (SELECT account_id, sum(CASE WHEN is_debit THEN amount_cents ELSE 0 END) AS debit, sum(CASE WHEN is_debit THEN 0 ELSE amount_cents END) AS credit, count(*) AS entries FROM entry WHERE business_id = OLD.business_id AND document_id = OLD.id GROUP BY +account_id) AS moved WHERE account_total.business_id = OLD.business_id AND account_total.account_id = moved.account_id;
  UPDATE account_month SET debit_cents = debit_cents - moved.debit, credit_cents = credit_cents - moved.credit FROM (SELECT account_id, sum(CASE WHEN is_debit THEN amount_cents ELSE 0 END) AS debit, sum(CASE WHEN is_debit THEN 0 ELSE amount_cents END) AS credit, count(*) AS entries FROM entry WHERE business_id = OLD.business_id AND document_id = OLD.id GROUP BY +account_id) AS moved WHERE account_month.business_id = OLD.business_id AND account_month.account_id = moved.account_id AND account_month.month = substr(OLD.date, 1, 7);
END
--;
CREATE TRIGGER document_gone BEFORE DELETE ON document FOR EACH ROW WHEN NOT OLD.is_draft BEGIN
  SELECT RAISE(ABORT, 'the period of the document is locked') WHERE EXISTS (SELECT 1 FROM period WHERE business_id = OLD.business_id AND end_date >= OLD.date AND start_date <= OLD.date AND is_locked) OR EXISTS (SELECT 1 FROM vat_period WHERE business_id = OLD.business_id AND end_date >= OLD.date AND start_date <= OLD.date AND is_locked);
  UPDATE account_total SET debit_cents = debit_cents - moved.debit, credit_cents = credit_cents - moved.credit, entry_count = entry_count - moved.entries FROM (SELECT account_id, sum(CASE WHEN is_debit THEN amount_cents ELSE 0 END) AS debit, sum(CASE WHEN is_debit THEN 0 ELSE amount_cents END) AS credit, count(*) AS entries FROM entry WHERE business_id = OLD.business_id AND document_id = OLD.id GROUP BY +account_id) AS moved WHERE account_total.business_id = OLD.business_id AND account_total.account_id = moved.account_id;
  UPDATE account_month SET debit_cents = debit_cents - moved.debit, credit_cents = credit_cents - moved.credit FROM (SELECT account_id, sum(CASE WHEN is_debit THEN amount_cents ELSE 0 END) AS debit, sum(CASE WHEN is_debit THEN 0 ELSE amount_cents END) AS credit, count(*) AS entries FROM entry WHERE business_id = OLD.business_id AND document_id = OLD.id GROUP BY +account_id) AS moved WHERE account_month.business_id = OLD.business_id AND account_month.account_id = moved.account_id AND account_month.month = substr(OLD.date, 1, 7);
END
--;
CREATE TRIGGER document_redated BEFORE UPDATE OF date ON document FOR EACH ROW WHEN true BEGIN
  SELECT RAISE(ABORT, 'a posted document keeps its date') WHERE NOT OLD.is_draft AND NOT NEW.is_draft AND OLD.date <> NEW.date;
END
--;
CREATE TRIGGER entry_frozen_insert BEFORE INSERT ON entry FOR EACH ROW WHEN true BEGIN
  SELECT RAISE(ABORT, 'entries of a posted document do not change') WHERE EXISTS (SELECT 1 FROM document WHERE business_id = NEW.business_id AND id = NEW.document_id AND NOT is_draft);
END
--;
CREATE TRIGGER entry_frozen_update BEFORE UPDATE ON entry FOR EACH ROW WHEN true BEGIN
  SELECT RAISE(ABORT, 'entries of a posted document do not change') WHERE EXISTS (SELECT 1 FROM document WHERE business_id = OLD.business_id AND id = OLD.document_id AND NOT is_draft) OR EXISTS (SELECT 1 FROM document WHERE business_id = NEW.business_id AND id = NEW.document_id AND NOT is_draft);
END
--;
CREATE TRIGGER entry_frozen_delete BEFORE DELETE ON entry FOR EACH ROW WHEN true BEGIN
  SELECT RAISE(ABORT, 'entries of a posted document do not change') WHERE EXISTS (SELECT 1 FROM document WHERE business_id = OLD.business_id AND id = OLD.document_id AND NOT is_draft);
END
--;
CREATE TRIGGER account_counted AFTER INSERT ON account FOR EACH ROW WHEN true BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'account', 1, random()) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state;
END
--;
CREATE TRIGGER account_uncounted AFTER DELETE ON account FOR EACH ROW WHEN true BEGIN
  UPDATE tally SET count = count - 1, state = random() WHERE business_id = OLD.business_id AND kind = 'account';
END
--;
CREATE TRIGGER account_moved AFTER UPDATE OF padded_number ON account FOR EACH ROW WHEN OLD.padded_number <> NEW.padded_number BEGIN
  UPDATE tally SET state = random() WHERE business_id = NEW.business_id AND kind = 'account';
END
--;
CREATE TRIGGER attachment_counted AFTER INSERT ON attachment FOR EACH ROW WHEN true BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'attachment', 1, random()) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state;
END
--;
CREATE TRIGGER attachment_uncounted AFTER DELETE ON attachment FOR EACH ROW WHEN true BEGIN
  UPDATE tally SET count = count - 1, state = random() WHERE business_id = OLD.business_id AND kind = 'attachment';
END
--;
CREATE TRIGGER contact_counted AFTER INSERT ON contact FOR EACH ROW WHEN true BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'contact', 1, random()) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state;
END
--;
CREATE TRIGGER contact_uncounted AFTER DELETE ON contact FOR EACH ROW WHEN true BEGIN
  UPDATE tally SET count = count - 1, state = random() WHERE business_id = OLD.business_id AND kind = 'contact';
END
--;
CREATE TRIGGER contact_moved AFTER UPDATE OF sort_name ON contact FOR EACH ROW WHEN OLD.sort_name <> NEW.sort_name BEGIN
  UPDATE tally SET state = random() WHERE business_id = NEW.business_id AND kind = 'contact';
END
--;
CREATE TRIGGER document_counted AFTER INSERT ON document FOR EACH ROW WHEN true BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'document', 1, random()) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state;
END
--;
CREATE TRIGGER document_uncounted AFTER DELETE ON document FOR EACH ROW WHEN true BEGIN
  UPDATE tally SET count = count - 1, state = random() WHERE business_id = OLD.business_id AND kind = 'document';
END
--;
CREATE TRIGGER document_moved AFTER UPDATE OF date ON document FOR EACH ROW WHEN OLD.date <> NEW.date BEGIN
  UPDATE tally SET state = random() WHERE business_id = NEW.business_id AND kind = 'document';
END
--;
CREATE TRIGGER header_counted AFTER INSERT ON header FOR EACH ROW WHEN true BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'header', 1, random()) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state;
END
--;
CREATE TRIGGER header_uncounted AFTER DELETE ON header FOR EACH ROW WHEN true BEGIN
  UPDATE tally SET count = count - 1, state = random() WHERE business_id = OLD.business_id AND kind = 'header';
END
--;
CREATE TRIGGER product_counted AFTER INSERT ON product FOR EACH ROW WHEN true BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'product', 1, random()) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state;
END
--;
CREATE TRIGGER product_uncounted AFTER DELETE ON product FOR EACH ROW WHEN true BEGIN
  UPDATE tally SET count = count - 1, state = random() WHERE business_id = OLD.business_id AND kind = 'product';
END
--;
CREATE TRIGGER product_moved AFTER UPDATE OF sort_name ON product FOR EACH ROW WHEN OLD.sort_name <> NEW.sort_name BEGIN
  UPDATE tally SET state = random() WHERE business_id = NEW.business_id AND kind = 'product';
END
--;
CREATE TRIGGER purchase_invoice_counted AFTER INSERT ON purchase_invoice FOR EACH ROW WHEN true BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'purchase_invoice', 1, random()) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state;
END
--;
CREATE TRIGGER purchase_invoice_uncounted AFTER DELETE ON purchase_invoice FOR EACH ROW WHEN true BEGIN
  UPDATE tally SET count = count - 1, state = random() WHERE business_id = OLD.business_id AND kind = 'purchase_invoice';
END
--;
CREATE TRIGGER sales_invoice_counted AFTER INSERT ON sales_invoice FOR EACH ROW WHEN true BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'sales_invoice', 1, random()) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state;
END
--;
CREATE TRIGGER sales_invoice_uncounted AFTER DELETE ON sales_invoice FOR EACH ROW WHEN true BEGIN
  UPDATE tally SET count = count - 1, state = random() WHERE business_id = OLD.business_id AND kind = 'sales_invoice';
END
--;
CREATE TRIGGER sales_payout_counted AFTER INSERT ON sales_payout FOR EACH ROW WHEN true BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'sales_payout', 1, random()) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state;
END
--;
CREATE TRIGGER sales_payout_uncounted AFTER DELETE ON sales_payout FOR EACH ROW WHEN true BEGIN
  UPDATE tally SET count = count - 1, state = random() WHERE business_id = OLD.business_id AND kind = 'sales_payout';
END
--;
CREATE TRIGGER tag_counted AFTER INSERT ON tag FOR EACH ROW WHEN true BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'tag', 1, random()) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state;
END
--;
CREATE TRIGGER tag_uncounted AFTER DELETE ON tag FOR EACH ROW WHEN true BEGIN
  UPDATE tally SET count = count - 1, state = random() WHERE business_id = OLD.business_id AND kind = 'tag';
END
--;
CREATE TRIGGER webhook_subscription_counted AFTER INSERT ON webhook_subscription FOR EACH ROW WHEN true BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'webhook_subscription', 1, random()) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state;
END
--;
CREATE TRIGGER webhook_subscription_uncounted AFTER DELETE ON webhook_subscription FOR EACH ROW WHEN true BEGIN
  UPDATE tally SET count = count - 1, state = random() WHERE business_id = OLD.business_id AND kind = 'webhook_subscription';
END
--;
CREATE TRIGGER workflow_counted AFTER INSERT ON workflow FOR EACH ROW WHEN true BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'workflow', 1, random()) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + 1, state = excluded.state;
END
--;
CREATE TRIGGER workflow_uncounted AFTER DELETE ON workflow FOR EACH ROW WHEN true BEGIN
  UPDATE tally SET count = count - 1, state = random() WHERE business_id = OLD.business_id AND kind = 'workflow';
END
--;
