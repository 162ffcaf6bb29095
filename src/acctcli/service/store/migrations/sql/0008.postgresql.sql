CREATE TABLE invitation (
  id BIGSERIAL NOT NULL,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id BIGINT NOT NULL,
  email VARCHAR(254) NOT NULL,
  search_email TEXT NOT NULL,
  status VARCHAR(16) NOT NULL,
  permission_group VARCHAR(16) NOT NULL,
  permissions TEXT NOT NULL,
  expires_at VARCHAR(27) NOT NULL,
  invited_by BIGINT,
  user_id BIGINT,
  code_hash VARCHAR(64) NOT NULL,
  CONSTRAINT pk_invitation PRIMARY KEY (id),
  CONSTRAINT fk_invitation_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE,
  CONSTRAINT fk_invitation_invited_by FOREIGN KEY(invited_by) REFERENCES users (id) ON DELETE SET NULL,
  CONSTRAINT fk_invitation_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL
)
--;
CREATE INDEX ix_invitation_business_id_id ON invitation (business_id, id)
--;
CREATE INDEX ix_invitation_invited_by ON invitation (invited_by)
--;
CREATE INDEX ix_invitation_search_email ON invitation (search_email)
--;
CREATE INDEX ix_invitation_user_id ON invitation (user_id)
--;
ALTER TABLE users ADD COLUMN email_changed_at VARCHAR(27)
--;
UPDATE users SET email_changed_at = updated_at WHERE updated_at <> created_at
--;
CREATE TABLE jwt_key (
  id BIGSERIAL NOT NULL,
  kid VARCHAR(16) NOT NULL,
  created_at VARCHAR(27) NOT NULL,
  CONSTRAINT pk_jwt_key PRIMARY KEY (id),
  CONSTRAINT uq_jwt_key_kid UNIQUE (kid)
)
--;
