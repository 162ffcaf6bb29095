CREATE TABLE event_block (
  business_id INTEGER NOT NULL,
  until BIGINT NOT NULL,
  type VARCHAR(64) NOT NULL,
  count INTEGER NOT NULL,
  CONSTRAINT pk_event_block PRIMARY KEY (business_id, type, until)
)
--;
CREATE TABLE webhook_tally (
  business_id INTEGER NOT NULL,
  subscription_id INTEGER NOT NULL,
  status VARCHAR(16) NOT NULL,
  event_type VARCHAR(64) NOT NULL,
  count BIGINT NOT NULL,
  CONSTRAINT pk_webhook_tally PRIMARY KEY (business_id, subscription_id, status, event_type),
  CONSTRAINT fk_webhook_tally_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE TABLE webhook_tally_part (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  business_id INTEGER NOT NULL,
  subscription_id INTEGER NOT NULL,
  status VARCHAR(16) NOT NULL,
  event_type VARCHAR(64) NOT NULL,
  count BIGINT NOT NULL,
  CONSTRAINT fk_webhook_tally_part_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_webhook_tally_part_business_id ON webhook_tally_part (business_id)
--;
CREATE INDEX ix_event_business_id_type_number ON event (business_id, type, number)
--;
CREATE INDEX ix_webhook_delivery_subscription_id_event_type_status_id ON webhook_delivery (subscription_id, event_type, status, id)
--;
CREATE INDEX ix_webhook_delivery_subscription_id_status_id ON webhook_delivery (subscription_id, status, id)
--;
INSERT INTO event_block (business_id, until, type, count)
SELECT business_id, (number + 999) / 1000 * 1000, type, count(*) FROM event
WHERE number <= (SELECT max(number) / 1000 * 1000 FROM event AS other WHERE other.business_id = event.business_id)
GROUP BY 1, 2, 3
--;
INSERT INTO webhook_tally (business_id, subscription_id, status, event_type, count)
SELECT business_id, subscription_id, status, event_type, count(*) FROM webhook_delivery GROUP BY 1, 2, 3, 4
--;
