CREATE TABLE local_user (
  user_id BIGINT NOT NULL,
  CONSTRAINT pk_local_user PRIMARY KEY (user_id),
  CONSTRAINT fk_local_user_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
INSERT INTO local_user (user_id)
SELECT id FROM users WHERE id = coalesce(
  (SELECT min(user_id) FROM token WHERE name = 'local'), (SELECT id FROM users WHERE email = 'local@localhost'))
--;
CREATE TABLE document_shape (
  document_id BIGINT NOT NULL,
  business_id BIGINT NOT NULL,
  shape_id BIGINT NOT NULL,
  flags INTEGER NOT NULL,
  date DATE NOT NULL,
  CONSTRAINT pk_document_shape PRIMARY KEY (document_id)
)
--;
CREATE TABLE document_count (
  business_id BIGINT NOT NULL,
  shape_id BIGINT NOT NULL,
  flags INTEGER NOT NULL,
  month VARCHAR(7) NOT NULL,
  count BIGINT NOT NULL,
  CONSTRAINT pk_document_count PRIMARY KEY (business_id, shape_id, flags, month),
  CONSTRAINT fk_document_count_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE TABLE shape (
  id BIGSERIAL NOT NULL,
  business_id BIGINT NOT NULL,
  parts VARCHAR(1000) NOT NULL,
  CONSTRAINT pk_shape PRIMARY KEY (id),
  CONSTRAINT uq_shape_business_id_parts UNIQUE (business_id, parts),
  CONSTRAINT fk_shape_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE TABLE shape_part (
  business_id BIGINT NOT NULL,
  account_id BIGINT NOT NULL,
  vat_code INTEGER NOT NULL,
  vat_rate INTEGER NOT NULL,
  shape_id BIGINT NOT NULL,
  CONSTRAINT pk_shape_part PRIMARY KEY (business_id, account_id, vat_code, vat_rate, shape_id),
  CONSTRAINT fk_shape_part_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE TEMP TABLE parts_of_document AS
SELECT id, business_id, date, CASE WHEN is_flagged THEN 1 ELSE 0 END + CASE WHEN is_locked THEN 2 ELSE 0 END + CASE WHEN EXISTS (
    SELECT 1 FROM document_attachment AS file WHERE file.business_id = document.business_id AND file.document_id = document.id)
    THEN 4 ELSE 0 END AS flags, CASE WHEN is_draft THEN 'draft' ELSE coalesce((
  SELECT string_agg(part, ' ' ORDER BY account_id, vat_code, vat_rate) FROM (
    SELECT DISTINCT account_id, vat_code, vat_rate, account_id || ':' || vat_code || ':' || vat_rate AS part FROM entry
    WHERE entry.business_id = document.business_id AND entry.document_id = document.id) AS parts), '') END AS parts FROM document
--;
UPDATE parts_of_document SET parts = 'document ' || id WHERE length(parts) > 1000
--;
INSERT INTO shape (business_id, parts)
SELECT business_id, parts FROM parts_of_document GROUP BY business_id, parts ORDER BY min(id)
--;
INSERT INTO document_shape (document_id, business_id, shape_id, flags, date)
SELECT document.id, document.business_id, shape.id, document.flags, document.date FROM parts_of_document AS document
CROSS JOIN shape WHERE shape.business_id = document.business_id AND shape.parts = document.parts
--;
INSERT INTO shape_part (business_id, account_id, vat_code, vat_rate, shape_id)
SELECT DISTINCT entry.business_id, account_id, vat_code, vat_rate, one.shape_id FROM (
  SELECT business_id, shape_id, min(document_id) AS document_id FROM document_shape GROUP BY business_id, shape_id) AS one
JOIN entry ON entry.business_id = one.business_id AND entry.document_id = one.document_id
--;
INSERT INTO document_count (business_id, shape_id, flags, month, count)
SELECT business_id, shape_id, flags, to_char(date, 'YYYY-MM'), count(*) FROM document_shape GROUP BY 1, 2, 3, 4
--;
DROP TABLE parts_of_document
--;
CREATE INDEX ix_document_shape_order ON document_shape (business_id, shape_id, flags, date, document_id)
--;
CREATE FUNCTION document_shapeless() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF true THEN
    DELETE FROM document_shape WHERE document_id = OLD.id;
  END IF;
  RETURN OLD;
END $$
--;
CREATE TRIGGER document_shapeless AFTER DELETE ON document FOR EACH ROW EXECUTE FUNCTION document_shapeless()
--;
CREATE FUNCTION document_marked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.is_flagged <> NEW.is_flagged OR OLD.is_locked <> NEW.is_locked THEN
    UPDATE document_shape SET flags = (flags & 4) + CASE WHEN NEW.is_flagged THEN 1 ELSE 0 END + CASE WHEN NEW.is_locked THEN 2 ELSE 0 END WHERE document_id = NEW.id;
  END IF;
  RETURN NEW;
END $$
--;
CREATE TRIGGER document_marked AFTER UPDATE OF is_flagged, is_locked ON document FOR EACH ROW EXECUTE FUNCTION document_marked()
--;
CREATE FUNCTION document_filed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF true THEN
    UPDATE document_shape SET flags = flags | 4 WHERE document_id = NEW.document_id;
  END IF;
  RETURN NEW;
END $$
--;
CREATE TRIGGER document_filed AFTER INSERT ON document_attachment FOR EACH ROW EXECUTE FUNCTION document_filed()
--;
CREATE FUNCTION document_unfiled() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF true THEN
    UPDATE document_shape SET flags = flags & 3 WHERE document_id = OLD.document_id AND NOT EXISTS (SELECT 1 FROM document_attachment WHERE business_id = OLD.business_id AND document_id = OLD.document_id);
  END IF;
  RETURN OLD;
END $$
--;
CREATE TRIGGER document_unfiled AFTER DELETE ON document_attachment FOR EACH ROW EXECUTE FUNCTION document_unfiled()
--;
CREATE FUNCTION document_shape_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF true THEN
    INSERT INTO document_count (business_id, shape_id, flags, month, count) VALUES (NEW.business_id, NEW.shape_id, NEW.flags, to_char(NEW.date, 'YYYY-MM'), 1) ON CONFLICT (business_id, shape_id, flags, month) DO UPDATE SET count = document_count.count + excluded.count;
  END IF;
  RETURN NEW;
END $$
--;
CREATE TRIGGER document_shape_counted AFTER INSERT ON document_shape FOR EACH ROW EXECUTE FUNCTION document_shape_counted()
--;
CREATE FUNCTION document_shape_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.shape_id <> NEW.shape_id OR OLD.flags <> NEW.flags OR OLD.date <> NEW.date THEN
    INSERT INTO document_count (business_id, shape_id, flags, month, count) VALUES (OLD.business_id, OLD.shape_id, OLD.flags, to_char(OLD.date, 'YYYY-MM'), -1) ON CONFLICT (business_id, shape_id, flags, month) DO UPDATE SET count = document_count.count + excluded.count;
    INSERT INTO document_count (business_id, shape_id, flags, month, count) VALUES (NEW.business_id, NEW.shape_id, NEW.flags, to_char(NEW.date, 'YYYY-MM'), 1) ON CONFLICT (business_id, shape_id, flags, month) DO UPDATE SET count = document_count.count + excluded.count;
  END IF;
  RETURN NEW;
END $$
--;
CREATE TRIGGER document_shape_moved AFTER UPDATE ON document_shape FOR EACH ROW EXECUTE FUNCTION document_shape_moved()
--;
CREATE FUNCTION document_shape_uncounted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF true THEN
    INSERT INTO document_count (business_id, shape_id, flags, month, count) VALUES (OLD.business_id, OLD.shape_id, OLD.flags, to_char(OLD.date, 'YYYY-MM'), -1) ON CONFLICT (business_id, shape_id, flags, month) DO UPDATE SET count = document_count.count + excluded.count;
  END IF;
  RETURN OLD;
END $$
--;
CREATE TRIGGER document_shape_uncounted AFTER DELETE ON document_shape FOR EACH ROW EXECUTE FUNCTION document_shape_uncounted()
--;
