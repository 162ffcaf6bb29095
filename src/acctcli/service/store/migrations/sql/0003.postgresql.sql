INSERT INTO tally (business_id, kind, count, state)
SELECT business_id, 'attachment.size', sum(size), 0 FROM attachment WHERE size IS NOT NULL GROUP BY business_id
--;
CREATE FUNCTION attachment_stored() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.size IS NOT NULL THEN
    INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'attachment.size', NEW.size, 0) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + excluded.count;
  END IF;
  RETURN NEW;
END $$
--;
CREATE TRIGGER attachment_stored AFTER INSERT ON attachment FOR EACH ROW EXECUTE FUNCTION attachment_stored()
--;
CREATE FUNCTION attachment_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.size IS NOT NULL THEN
    UPDATE tally SET count = count - OLD.size WHERE business_id = OLD.business_id AND kind = 'attachment.size';
  END IF;
  RETURN OLD;
END $$
--;
CREATE TRIGGER attachment_removed AFTER DELETE ON attachment FOR EACH ROW EXECUTE FUNCTION attachment_removed()
--;
