CREATE TABLE trail_head (
  business_id INTEGER NOT NULL,
  number BIGINT NOT NULL,
  hash VARCHAR(64) NOT NULL,
  created_at VARCHAR(27) NOT NULL,
  mark VARCHAR(64) NOT NULL,
  CONSTRAINT pk_trail_head PRIMARY KEY (business_id)
)
--;
CREATE TABLE trail_seal (
  business_id INTEGER NOT NULL,
  day VARCHAR(10) NOT NULL,
  number BIGINT NOT NULL,
  hash VARCHAR(64) NOT NULL,
  mark VARCHAR(64) NOT NULL,
  CONSTRAINT pk_trail_seal PRIMARY KEY (business_id, day)
)
--;
ALTER TABLE event ADD COLUMN record_id BIGINT
--;
ALTER TABLE event ADD COLUMN user_id BIGINT
--;
ALTER TABLE event ADD COLUMN author TEXT
--;
ALTER TABLE event ADD COLUMN client TEXT
--;
ALTER TABLE event ADD COLUMN via VARCHAR(16)
--;
ALTER TABLE event ADD COLUMN request_id VARCHAR(32)
--;
ALTER TABLE event ADD COLUMN operation VARCHAR(96)
--;
ALTER TABLE event ADD COLUMN hash VARCHAR(64)
--;
UPDATE event SET record_id = json_extract(data, '$.id')
--;
CREATE INDEX ix_event_business_id_record_id_number ON event (business_id, record_id, number)
--;
CREATE TRIGGER event_frozen BEFORE UPDATE ON event FOR EACH ROW WHEN true BEGIN
  SELECT RAISE(ABORT, 'a record of the trail does not change') WHERE true;
END
--;
