CREATE TABLE search_block (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  business_id INTEGER NOT NULL,
  month VARCHAR(7) NOT NULL,
  size INTEGER NOT NULL,
  first_id INTEGER NOT NULL,
  last_id INTEGER NOT NULL,
  wordings TEXT NOT NULL,
  firsts TEXT NOT NULL,
  days TEXT NOT NULL,
  shapes TEXT NOT NULL,
  contacts TEXT NOT NULL,
  document_ids TEXT NOT NULL,
  numbers TEXT NOT NULL,
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
CREATE TRIGGER document_unfolded AFTER UPDATE OF search_text, date, contact_id ON document FOR EACH ROW WHEN OLD.search_text <> NEW.search_text OR OLD.date <> NEW.date OR coalesce(OLD.contact_id, 0) <> coalesce(NEW.contact_id, 0) BEGIN
  INSERT INTO search_loose (business_id, document_id, month) SELECT OLD.business_id, OLD.id, substr(OLD.date, 1, 7) WHERE OLD.id <= (SELECT document_id FROM search_mark WHERE business_id = OLD.business_id) ON CONFLICT (business_id, document_id) DO NOTHING;
END
--;
CREATE TRIGGER document_unfolded_gone AFTER DELETE ON document FOR EACH ROW WHEN true BEGIN
  INSERT INTO search_loose (business_id, document_id, month) SELECT OLD.business_id, OLD.id, substr(OLD.date, 1, 7) WHERE OLD.id <= (SELECT document_id FROM search_mark WHERE business_id = OLD.business_id) ON CONFLICT (business_id, document_id) DO NOTHING;
END
--;
CREATE TRIGGER document_unfolded_shape AFTER UPDATE ON document_shape FOR EACH ROW WHEN OLD.shape_id <> NEW.shape_id OR OLD.flags <> NEW.flags OR OLD.date <> NEW.date BEGIN
  INSERT INTO search_loose (business_id, document_id, month) SELECT OLD.business_id, OLD.document_id, substr(OLD.date, 1, 7) WHERE OLD.document_id <= (SELECT document_id FROM search_mark WHERE business_id = OLD.business_id) ON CONFLICT (business_id, document_id) DO NOTHING;
END
--;
