CREATE TABLE local_user (
  user_id INTEGER NOT NULL,
  CONSTRAINT pk_local_user PRIMARY KEY (user_id),
  CONSTRAINT fk_local_user_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
INSERT INTO local_user (user_id)
SELECT id FROM users WHERE id = coalesce(
  (SELECT min(user_id) FROM token WHERE name = 'local'), (SELECT id FROM users WHERE email = 'local@localhost'))
--;
