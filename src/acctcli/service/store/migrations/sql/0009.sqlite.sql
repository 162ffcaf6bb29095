ALTER TABLE token ADD COLUMN kind VARCHAR(16) DEFAULT 'personal' NOT NULL
--;
ALTER TABLE token ADD COLUMN environment VARCHAR(40) DEFAULT 'local' NOT NULL
--;
ALTER TABLE token ADD COLUMN grant_id INTEGER
--;
ALTER TABLE token ADD COLUMN scopes VARCHAR(128)
--;
CREATE INDEX ix_token_grant_id ON token (grant_id)
--;
CREATE TABLE app (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  environment VARCHAR(40) NOT NULL,
  client_id VARCHAR(64) NOT NULL,
  name VARCHAR(128) NOT NULL,
  secret_hash VARCHAR(64),
  redirects TEXT NOT NULL,
  scopes VARCHAR(128) NOT NULL,
  created_at VARCHAR(27) NOT NULL,
  removed_at VARCHAR(27),
  CONSTRAINT uq_app_environment_client_id UNIQUE (environment, client_id)
)
--;
CREATE TABLE guess (
  name VARCHAR(64) NOT NULL,
  failures INTEGER NOT NULL,
  since VARCHAR(27) NOT NULL,
  CONSTRAINT pk_guess PRIMARY KEY (name)
)
--;
CREATE TABLE signing_key (
  kid VARCHAR(43) NOT NULL,
  sealed BLOB NOT NULL,
  created_at VARCHAR(27) NOT NULL,
  CONSTRAINT pk_signing_key PRIMARY KEY (kid)
)
--;
CREATE TABLE app_code (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  app_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  environment VARCHAR(40) NOT NULL,
  hash VARCHAR(64) NOT NULL,
  redirect TEXT NOT NULL,
  scopes VARCHAR(128) NOT NULL,
  nonce TEXT,
  challenge VARCHAR(128) NOT NULL,
  signed_in_at VARCHAR(27) NOT NULL,
  expires_at VARCHAR(27) NOT NULL,
  grant_id INTEGER,
  CONSTRAINT fk_app_code_app_id FOREIGN KEY(app_id) REFERENCES app (id) ON DELETE CASCADE,
  CONSTRAINT fk_app_code_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT uq_app_code_hash UNIQUE (hash)
)
--;
CREATE INDEX ix_app_code_app_id ON app_code (app_id)
--;
CREATE INDEX ix_app_code_user_id ON app_code (user_id)
--;
CREATE TABLE app_grant (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  app_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  environment VARCHAR(40) NOT NULL,
  scopes VARCHAR(128) NOT NULL,
  signed_in_at VARCHAR(27) NOT NULL,
  created_at VARCHAR(27) NOT NULL,
  revoked_at VARCHAR(27),
  CONSTRAINT fk_app_grant_app_id FOREIGN KEY(app_id) REFERENCES app (id) ON DELETE CASCADE,
  CONSTRAINT fk_app_grant_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_app_grant_app_id ON app_grant (app_id)
--;
CREATE INDEX ix_app_grant_user_id ON app_grant (user_id)
--;
CREATE TABLE password (
  user_id INTEGER NOT NULL,
  hash TEXT NOT NULL,
  changed_at VARCHAR(27) NOT NULL,
  CONSTRAINT pk_password PRIMARY KEY (user_id),
  CONSTRAINT fk_password_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE TABLE session (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL,
  environment VARCHAR(40) NOT NULL,
  hash VARCHAR(64) NOT NULL,
  client TEXT NOT NULL,
  created_at VARCHAR(27) NOT NULL,
  expires_at VARCHAR(27) NOT NULL,
  ended_at VARCHAR(27),
  CONSTRAINT fk_session_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT uq_session_hash UNIQUE (hash)
)
--;
CREATE INDEX ix_session_user_id ON session (user_id)
--;
CREATE TABLE refresh_token (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  app_grant_id INTEGER NOT NULL,
  environment VARCHAR(40) NOT NULL,
  hash VARCHAR(64) NOT NULL,
  created_at VARCHAR(27) NOT NULL,
  used_at VARCHAR(27),
  CONSTRAINT fk_refresh_token_app_grant_id FOREIGN KEY(app_grant_id) REFERENCES app_grant (id) ON DELETE CASCADE,
  CONSTRAINT uq_refresh_token_hash UNIQUE (hash)
)
--;
CREATE INDEX ix_refresh_token_app_grant_id ON refresh_token (app_grant_id)
--;
