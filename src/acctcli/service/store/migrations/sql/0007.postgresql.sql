ALTER TABLE document ADD COLUMN comment_at VARCHAR(27)
--;
ALTER TABLE document ADD COLUMN mention_at VARCHAR(27)
--;
ALTER TABLE document ADD COLUMN seen_at VARCHAR(27)
--;
ALTER TABLE document ADD COLUMN seen_by BIGINT
--;
ALTER TABLE document ADD COLUMN is_seen BOOLEAN DEFAULT false NOT NULL
--;
CREATE TABLE document_mention (
  business_id BIGINT NOT NULL,
  document_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  CONSTRAINT pk_document_mention PRIMARY KEY (business_id, document_id, user_id),
  CONSTRAINT fk_document_mention_business_id_document_id FOREIGN KEY(business_id, document_id) REFERENCES document (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_document_mention_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE,
  CONSTRAINT fk_document_mention_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_document_mention_business_id_user_id_document_id ON document_mention (business_id, user_id, document_id)
--;
