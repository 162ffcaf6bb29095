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
CREATE TABLE document_key (
  business_id INTEGER NOT NULL,
  kind VARCHAR(16) NOT NULL,
  "key" BIGINT NOT NULL,
  date DATE NOT NULL,
  document_id INTEGER NOT NULL,
  CONSTRAINT pk_document_key PRIMARY KEY (business_id, kind, "key", date, document_id)
)
 WITHOUT ROWID
--;
CREATE TABLE document_key_count (
  business_id INTEGER NOT NULL,
  kind VARCHAR(16) NOT NULL,
  "key" BIGINT NOT NULL,
  count BIGINT NOT NULL,
  CONSTRAINT pk_document_key_count PRIMARY KEY (business_id, kind, "key"),
  CONSTRAINT fk_document_key_count_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
 WITHOUT ROWID
--;
CREATE INDEX ix_document_draft ON document (business_id, date, id) WHERE is_draft
--;
CREATE INDEX ix_document_flagged ON document (business_id, date, id) WHERE is_flagged
--;
CREATE INDEX ix_document_locked ON document (business_id, is_locked, date, id)
--;
INSERT INTO document_key (document_id, kind, key, business_id, date)
SELECT found.*, document.business_id, document.date FROM (SELECT entry.document_id, 'account' AS kind, account_id AS key FROM entry  UNION SELECT entry.document_id, 'vat_code' AS kind, vat_code AS key FROM entry  UNION SELECT entry.document_id, 'vat_rate' AS kind, vat_rate AS key FROM entry  UNION SELECT entry.document_id, account.type, 0 FROM entry JOIN account ON account.business_id = entry.business_id AND account.id = entry.account_id  UNION SELECT entry.document_id, CASE WHEN account.type LIKE 'REV%' THEN 'income' WHEN account.type LIKE 'EXP%' THEN 'expense' ELSE account.type END, 0 FROM entry JOIN account ON account.business_id = entry.business_id AND account.id = entry.account_id ) AS found
JOIN document ON document.id = found.document_id
--;
INSERT INTO document_key_count (business_id, kind, key, count)
SELECT business_id, kind, key, count(*) FROM document_key GROUP BY business_id, kind, key
--;
CREATE TRIGGER document_listed AFTER UPDATE OF is_draft ON document FOR EACH ROW WHEN OLD.is_draft AND NOT NEW.is_draft BEGIN
  INSERT INTO document_key (document_id, kind, key, business_id, date) SELECT found.*, NEW.business_id, NEW.date FROM (SELECT entry.document_id, 'account' AS kind, account_id AS key FROM entry WHERE entry.business_id = NEW.business_id AND entry.document_id = NEW.id UNION SELECT entry.document_id, 'vat_code' AS kind, vat_code AS key FROM entry WHERE entry.business_id = NEW.business_id AND entry.document_id = NEW.id UNION SELECT entry.document_id, 'vat_rate' AS kind, vat_rate AS key FROM entry WHERE entry.business_id = NEW.business_id AND entry.document_id = NEW.id UNION SELECT entry.document_id, account.type, 0 FROM entry JOIN account ON account.business_id = entry.business_id AND account.id = entry.account_id WHERE entry.business_id = NEW.business_id AND entry.document_id = NEW.id UNION SELECT entry.document_id, CASE WHEN account.type LIKE 'REV%' THEN 'income' WHEN account.type LIKE 'EXP%' THEN 'expense' ELSE account.type END, 0 FROM entry JOIN account ON account.business_id = entry.business_id AND account.id = entry.account_id WHERE entry.business_id = NEW.business_id AND entry.document_id = NEW.id) AS found;
END
--;
CREATE TRIGGER document_unlisted AFTER UPDATE OF is_draft ON document FOR EACH ROW WHEN NEW.is_draft AND NOT OLD.is_draft BEGIN
  DELETE FROM document_key WHERE (business_id, kind, key, date, document_id) IN (SELECT OLD.business_id, found.kind, found.key, OLD.date, OLD.id FROM (SELECT entry.document_id, 'account' AS kind, account_id AS key FROM entry WHERE entry.business_id = OLD.business_id AND entry.document_id = OLD.id UNION SELECT entry.document_id, 'vat_code' AS kind, vat_code AS key FROM entry WHERE entry.business_id = OLD.business_id AND entry.document_id = OLD.id UNION SELECT entry.document_id, 'vat_rate' AS kind, vat_rate AS key FROM entry WHERE entry.business_id = OLD.business_id AND entry.document_id = OLD.id UNION SELECT entry.document_id, account.type, 0 FROM entry JOIN account ON account.business_id = entry.business_id AND account.id = entry.account_id WHERE entry.business_id = OLD.business_id AND entry.document_id = OLD.id UNION SELECT entry.document_id, CASE WHEN account.type LIKE 'REV%' THEN 'income' WHEN account.type LIKE 'EXP%' THEN 'expense' ELSE account.type END, 0 FROM entry JOIN account ON account.business_id = entry.business_id AND account.id = entry.account_id WHERE entry.business_id = OLD.business_id AND entry.document_id = OLD.id) AS found);
END
--;
CREATE TRIGGER document_delisted BEFORE DELETE ON document FOR EACH ROW WHEN NOT OLD.is_draft BEGIN
  DELETE FROM document_key WHERE (business_id, kind, key, date, document_id) IN (SELECT OLD.business_id, found.kind, found.key, OLD.date, OLD.id FROM (SELECT entry.document_id, 'account' AS kind, account_id AS key FROM entry WHERE entry.business_id = OLD.business_id AND entry.document_id = OLD.id UNION SELECT entry.document_id, 'vat_code' AS kind, vat_code AS key FROM entry WHERE entry.business_id = OLD.business_id AND entry.document_id = OLD.id UNION SELECT entry.document_id, 'vat_rate' AS kind, vat_rate AS key FROM entry WHERE entry.business_id = OLD.business_id AND entry.document_id = OLD.id UNION SELECT entry.document_id, account.type, 0 FROM entry JOIN account ON account.business_id = entry.business_id AND account.id = entry.account_id WHERE entry.business_id = OLD.business_id AND entry.document_id = OLD.id UNION SELECT entry.document_id, CASE WHEN account.type LIKE 'REV%' THEN 'income' WHEN account.type LIKE 'EXP%' THEN 'expense' ELSE account.type END, 0 FROM entry JOIN account ON account.business_id = entry.business_id AND account.id = entry.account_id WHERE entry.business_id = OLD.business_id AND entry.document_id = OLD.id) AS found);
END
--;
CREATE TRIGGER account_retyped AFTER UPDATE OF type ON account FOR EACH ROW WHEN OLD.type <> NEW.type BEGIN
  DELETE FROM document_key WHERE business_id = NEW.business_id AND key = 0 AND kind IN (OLD.type, CASE WHEN OLD.type LIKE 'REV%' THEN 'income' WHEN OLD.type LIKE 'EXP%' THEN 'expense' ELSE OLD.type END) AND document_id IN (SELECT document_id FROM document_key WHERE business_id = NEW.business_id AND kind = 'account' AND key = NEW.id) AND NOT EXISTS (SELECT 1 FROM entry JOIN account ON account.business_id = entry.business_id AND account.id = entry.account_id WHERE entry.business_id = document_key.business_id AND entry.document_id = document_key.document_id AND document_key.kind IN (account.type, CASE WHEN account.type LIKE 'REV%' THEN 'income' WHEN account.type LIKE 'EXP%' THEN 'expense' ELSE account.type END));
  INSERT INTO document_key (business_id, kind, key, date, document_id) SELECT business_id, kinds.kind, 0, date, document_id FROM document_key JOIN (SELECT NEW.type AS kind UNION SELECT CASE WHEN NEW.type LIKE 'REV%' THEN 'income' WHEN NEW.type LIKE 'EXP%' THEN 'expense' ELSE NEW.type END) AS kinds ON true WHERE business_id = NEW.business_id AND document_key.kind = 'account' AND key = NEW.id ON CONFLICT DO NOTHING;
END
--;
CREATE TRIGGER document_key_counted AFTER INSERT ON document_key FOR EACH ROW WHEN true BEGIN
  INSERT INTO document_key_count (business_id, kind, key, count) VALUES (NEW.business_id, NEW.kind, NEW.key, 1) ON CONFLICT (business_id, kind, key) DO UPDATE SET count = document_key_count.count + 1;
END
--;
CREATE TRIGGER document_key_uncounted AFTER DELETE ON document_key FOR EACH ROW WHEN true BEGIN
  UPDATE document_key_count SET count = count - 1 WHERE business_id = OLD.business_id AND kind = OLD.kind AND key = OLD.key;
END
--;
