CREATE TABLE trail_head (
  business_id BIGINT NOT NULL,
  number BIGINT NOT NULL,
  hash VARCHAR(64) NOT NULL,
  created_at VARCHAR(27) NOT NULL,
  mark VARCHAR(64) NOT NULL,
  CONSTRAINT pk_trail_head PRIMARY KEY (business_id)
)
--;
CREATE TABLE trail_seal (
  business_id BIGINT NOT NULL,
  day VARCHAR(10) NOT NULL,
  number BIGINT NOT NULL,
  hash VARCHAR(64) NOT NULL,
  mark VARCHAR(64) NOT NULL,
  CONSTRAINT pk_trail_seal PRIMARY KEY (business_id, day)
)
--;
ALTER TABLE event ADD COLUMN record_id BIGINT, ADD COLUMN user_id BIGINT, ADD COLUMN author TEXT, ADD COLUMN client TEXT, ADD COLUMN via VARCHAR(16), ADD COLUMN request_id VARCHAR(32), ADD COLUMN operation VARCHAR(96), ADD COLUMN hash VARCHAR(64)
--;
UPDATE event SET record_id = (data::json ->> 'id')::bigint
--;
CREATE INDEX ix_event_business_id_record_id_number ON event (business_id, record_id, number)
--;
CREATE FUNCTION event_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF true THEN
    IF true THEN RAISE EXCEPTION 'a record of the trail does not change' USING ERRCODE = 'integrity_constraint_violation'; END IF;
  END IF;
  RETURN NEW;
END $$
--;
CREATE TRIGGER event_frozen BEFORE UPDATE ON event FOR EACH ROW EXECUTE FUNCTION event_frozen()
--;
