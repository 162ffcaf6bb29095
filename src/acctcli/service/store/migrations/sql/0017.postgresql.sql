CREATE TABLE business_logo (
  business_id BIGINT NOT NULL,
  attachment_id BIGINT NOT NULL,
  CONSTRAINT pk_business_logo PRIMARY KEY (business_id),
  CONSTRAINT fk_business_logo_business_id_attachment_id FOREIGN KEY(business_id, attachment_id) REFERENCES attachment (business_id, id),
  CONSTRAINT fk_business_logo_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE TABLE sales_invoice_logo (
  business_id BIGINT NOT NULL,
  invoice_id BIGINT NOT NULL,
  attachment_id BIGINT NOT NULL,
  CONSTRAINT pk_sales_invoice_logo PRIMARY KEY (business_id, invoice_id),
  CONSTRAINT fk_sales_invoice_logo_business_id_invoice_id FOREIGN KEY(business_id, invoice_id) REFERENCES sales_invoice (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_sales_invoice_logo_business_id_attachment_id FOREIGN KEY(business_id, attachment_id) REFERENCES attachment (business_id, id),
  CONSTRAINT fk_sales_invoice_logo_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_sales_invoice_logo_business_id_attachment_id ON sales_invoice_logo (business_id, attachment_id)
--;
