CREATE TABLE search_block (
  id BIGSERIAL NOT NULL,
  business_id BIGINT NOT NULL,
  month VARCHAR(7) NOT NULL,
  size INTEGER NOT NULL,
  first_id BIGINT NOT NULL,
  last_id BIGINT NOT NULL,
  wordings TEXT NOT NULL,
  firsts TEXT NOT NULL,
  days TEXT NOT NULL,
  shapes TEXT NOT NULL,
  contacts TEXT NOT NULL,
  document_ids TEXT NOT NULL,
  numbers TEXT NOT NULL,
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
ALTER TABLE search_block ALTER COLUMN wordings SET STORAGE EXTERNAL, ALTER COLUMN firsts SET STORAGE EXTERNAL, ALTER COLUMN days SET STORAGE EXTERNAL, ALTER COLUMN shapes SET STORAGE EXTERNAL, ALTER COLUMN contacts SET STORAGE EXTERNAL, ALTER COLUMN document_ids SET STORAGE EXTERNAL, ALTER COLUMN numbers SET STORAGE EXTERNAL, ALTER COLUMN texts SET STORAGE EXTERNAL
--;
ALTER TABLE search_block SET (toast_tuple_target = 8160)
--;
CREATE FUNCTION document_unfolded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.search_text <> NEW.search_text OR OLD.date <> NEW.date OR coalesce(OLD.contact_id, 0) <> coalesce(NEW.contact_id, 0) THEN
    PERFORM count FROM tally WHERE business_id = NEW.business_id AND kind = 'document' FOR UPDATE;
    INSERT INTO search_loose (business_id, document_id, month) SELECT OLD.business_id, OLD.id, to_char(OLD.date, 'YYYY-MM') WHERE OLD.id <= (SELECT document_id FROM search_mark WHERE business_id = OLD.business_id) ON CONFLICT (business_id, document_id) DO NOTHING;
  END IF;
  RETURN NEW;
END $$
--;
CREATE TRIGGER document_unfolded AFTER UPDATE OF search_text, date, contact_id ON document FOR EACH ROW EXECUTE FUNCTION document_unfolded()
--;
CREATE FUNCTION document_unfolded_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF true THEN
    INSERT INTO search_loose (business_id, document_id, month) SELECT OLD.business_id, OLD.id, to_char(OLD.date, 'YYYY-MM') WHERE OLD.id <= (SELECT document_id FROM search_mark WHERE business_id = OLD.business_id) ON CONFLICT (business_id, document_id) DO NOTHING;
  END IF;
  RETURN OLD;
END $$
--;
CREATE TRIGGER document_unfolded_gone AFTER DELETE ON document FOR EACH ROW EXECUTE FUNCTION document_unfolded_gone()
--;
CREATE FUNCTION document_unfolded_shape() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.shape_id <> NEW.shape_id OR OLD.flags <> NEW.flags OR OLD.date <> NEW.date THEN
    PERFORM count FROM tally WHERE business_id = NEW.business_id AND kind = 'document' FOR UPDATE;
    INSERT INTO search_loose (business_id, document_id, month) SELECT OLD.business_id, OLD.document_id, to_char(OLD.date, 'YYYY-MM') WHERE OLD.document_id <= (SELECT document_id FROM search_mark WHERE business_id = OLD.business_id) ON CONFLICT (business_id, document_id) DO NOTHING;
  END IF;
  RETURN NEW;
END $$
--;
CREATE TRIGGER document_unfolded_shape AFTER UPDATE ON document_shape FOR EACH ROW EXECUTE FUNCTION document_unfolded_shape()
--;
CREATE FUNCTION document_unfolded_late() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF true THEN
    INSERT INTO search_loose (business_id, document_id, month) SELECT NEW.business_id, NEW.id, to_char(NEW.date, 'YYYY-MM') WHERE NEW.id <= (SELECT document_id FROM search_mark WHERE business_id = NEW.business_id) ON CONFLICT (business_id, document_id) DO NOTHING;
  END IF;
  RETURN NEW;
END $$
--;
CREATE TRIGGER document_unfolded_late AFTER INSERT ON document FOR EACH ROW EXECUTE FUNCTION document_unfolded_late()
--;
