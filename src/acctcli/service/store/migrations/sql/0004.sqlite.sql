CREATE TABLE search_block (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  business_id INTEGER NOT NULL,
  month VARCHAR(7) NOT NULL,
  size INTEGER NOT NULL,
  document_ids TEXT NOT NULL,
  texts TEXT NOT NULL,
  CONSTRAINT fk_search_block_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_search_block_business_id_month_id ON search_block (business_id, month, id)
--;
CREATE TABLE search_loose (
  business_id INTEGER NOT NULL,
  document_id INTEGER NOT NULL,
  month VARCHAR(7) NOT NULL,
  search_text TEXT NOT NULL,
  CONSTRAINT pk_search_loose PRIMARY KEY (business_id, document_id),
  CONSTRAINT fk_search_loose_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE TABLE search_mark (
  business_id INTEGER NOT NULL,
  document_id INTEGER NOT NULL,
  CONSTRAINT pk_search_mark PRIMARY KEY (business_id),
  CONSTRAINT fk_search_mark_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
INSERT INTO search_block (business_id, month, size, document_ids, texts)
SELECT business_id, month, count(*), group_concat(id, ','), group_concat(search_text || 'Z', '') FROM (
  SELECT business_id, month, id, search_text, (row_number() OVER (PARTITION BY business_id, month ORDER BY id) - 1) / 1000 AS place
  FROM (SELECT business_id, substr(date, 1, 7) AS month, id, search_text FROM document) AS dated
  ORDER BY business_id, month, id) AS placed
GROUP BY business_id, month, place ORDER BY business_id, month, place
--;
INSERT INTO search_mark (business_id, document_id) SELECT business_id, max(id) FROM document GROUP BY business_id
--;
CREATE TRIGGER document_unfolded AFTER UPDATE OF search_text, date ON document FOR EACH ROW WHEN OLD.search_text <> NEW.search_text OR OLD.date <> NEW.date BEGIN
  INSERT INTO search_loose (business_id, document_id, month, search_text) SELECT OLD.business_id, OLD.id, substr(OLD.date, 1, 7), OLD.search_text WHERE OLD.id <= (SELECT document_id FROM search_mark WHERE business_id = OLD.business_id) ON CONFLICT (business_id, document_id) DO NOTHING;
END
--;
CREATE TRIGGER document_unfolded_gone AFTER DELETE ON document FOR EACH ROW WHEN true BEGIN
  INSERT INTO search_loose (business_id, document_id, month, search_text) SELECT OLD.business_id, OLD.id, substr(OLD.date, 1, 7), OLD.search_text WHERE OLD.id <= (SELECT document_id FROM search_mark WHERE business_id = OLD.business_id) ON CONFLICT (business_id, document_id) DO NOTHING;
END
--;
