INSERT INTO tally (business_id, kind, count, state)
SELECT business_id, 'attachment.size', sum(size), 0 FROM attachment WHERE size IS NOT NULL GROUP BY business_id
--;
CREATE TRIGGER attachment_stored AFTER INSERT ON attachment FOR EACH ROW WHEN NEW.size IS NOT NULL BEGIN
  INSERT INTO tally (business_id, kind, count, state) VALUES (NEW.business_id, 'attachment.size', NEW.size, 0) ON CONFLICT (business_id, kind) DO UPDATE SET count = tally.count + excluded.count;
END
--;
CREATE TRIGGER attachment_removed AFTER DELETE ON attachment FOR EACH ROW WHEN OLD.size IS NOT NULL BEGIN
  UPDATE tally SET count = count - OLD.size WHERE business_id = OLD.business_id AND kind = 'attachment.size';
END
--;
