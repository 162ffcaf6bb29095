CREATE TABLE fingerprint (
  id BIGSERIAL NOT NULL,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id BIGINT NOT NULL,
  kind VARCHAR(16) NOT NULL,
  period_id BIGINT NOT NULL,
  start_date DATE NOT NULL,
  end_date DATE NOT NULL,
  version INTEGER NOT NULL,
  author VARCHAR(254) NOT NULL,
  journal VARCHAR(64) NOT NULL,
  ledger VARCHAR(64) NOT NULL,
  vat_report VARCHAR(64) NOT NULL,
  balance_sheet VARCHAR(64) NOT NULL,
  income_statement VARCHAR(64) NOT NULL,
  CONSTRAINT pk_fingerprint PRIMARY KEY (id),
  CONSTRAINT uq_fingerprint_business_id_kind_period_id UNIQUE (business_id, kind, period_id),
  CONSTRAINT fk_fingerprint_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
