CREATE TABLE search_block (
  id BIGSERIAL NOT NULL,
  business_id BIGINT NOT NULL,
  month VARCHAR(7) NOT NULL,
  size INTEGER NOT NULL,
  document_ids TEXT NOT NULL,
  texts TEXT NOT NULL,
  CONSTRAINT pk_search_block PRIMARY KEY (id),
  CONSTRAINT fk_search_block_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_search_block_business_id_month_id ON search_block (business_id, month, id)
--;
CREATE TABLE search_loose (
  business_id BIGINT NOT NULL,
  document_id BIGINT NOT NULL,
  month VARCHAR(7) NOT NULL,
  search_text TEXT NOT NULL,
  CONSTRAINT pk_search_loose PRIMARY KEY (business_id, document_id),
  CONSTRAINT fk_search_loose_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE TABLE search_mark (
  business_id BIGINT NOT NULL,
  document_id BIGINT NOT NULL,
  CONSTRAINT pk_search_mark PRIMARY KEY (business_id),
  CONSTRAINT fk_search_mark_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
ALTER TABLE search_block ALTER COLUMN texts SET STORAGE EXTERNAL
--;
INSERT INTO search_block (business_id, month, size, document_ids, texts)
SELECT business_id, month, count(*), string_agg(id::text, ',' ORDER BY id), string_agg(search_text || 'Z', '' ORDER BY id) FROM (
  SELECT business_id, month, id, search_text, (row_number() OVER (PARTITION BY business_id, month ORDER BY id) - 1) / 1000 AS place
  FROM (SELECT business_id, to_char(date, 'YYYY-MM') AS month, id, search_text FROM document) AS dated) AS placed
GROUP BY business_id, month, place ORDER BY business_id, month, place
--;
INSERT INTO search_mark (business_id, document_id) SELECT business_id, max(id) FROM document GROUP BY business_id
--;
CREATE FUNCTION document_unfolded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.search_text <> NEW.search_text OR OLD.date <> NEW.date THEN
    PERFORM count FROM tally WHERE business_id = NEW.business_id AND kind = 'document' FOR UPDATE;
    INSERT INTO search_loose (business_id, document_id, month, search_text) SELECT OLD.business_id, OLD.id, to_char(OLD.date, 'YYYY-MM'), OLD.search_text WHERE OLD.id <= (SELECT document_id FROM search_mark WHERE business_id = OLD.business_id) ON CONFLICT (business_id, document_id) DO NOTHING;
  END IF;
  RETURN NEW;
END $$
--;
CREATE TRIGGER document_unfolded AFTER UPDATE OF search_text, date ON document FOR EACH ROW EXECUTE FUNCTION document_unfolded()
--;
CREATE FUNCTION document_unfolded_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF true THEN
    INSERT INTO search_loose (business_id, document_id, month, search_text) SELECT OLD.business_id, OLD.id, to_char(OLD.date, 'YYYY-MM'), OLD.search_text WHERE OLD.id <= (SELECT document_id FROM search_mark WHERE business_id = OLD.business_id) ON CONFLICT (business_id, document_id) DO NOTHING;
  END IF;
  RETURN OLD;
END $$
--;
CREATE TRIGGER document_unfolded_gone AFTER DELETE ON document FOR EACH ROW EXECUTE FUNCTION document_unfolded_gone()
--;
CREATE FUNCTION document_unfolded_late() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF true THEN
    INSERT INTO search_loose (business_id, document_id, month, search_text) SELECT NEW.business_id, NEW.id, to_char(NEW.date, 'YYYY-MM'), '' WHERE NEW.id <= (SELECT document_id FROM search_mark WHERE business_id = NEW.business_id) ON CONFLICT (business_id, document_id) DO NOTHING;
  END IF;
  RETURN NEW;
END $$
--;
CREATE TRIGGER document_unfolded_late AFTER INSERT ON document FOR EACH ROW EXECUTE FUNCTION document_unfolded_late()
--;
