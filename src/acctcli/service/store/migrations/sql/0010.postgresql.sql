CREATE TABLE webhook_delivery (
  id BIGSERIAL NOT NULL,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id BIGINT NOT NULL,
  subscription_id BIGINT NOT NULL,
  event_number BIGINT,
  event_type VARCHAR(64) NOT NULL,
  slug VARCHAR(16) NOT NULL,
  status VARCHAR(16) NOT NULL,
  attempts INTEGER NOT NULL,
  due_at VARCHAR(27) NOT NULL,
  attempted_at VARCHAR(27),
  last_status INTEGER,
  last_error VARCHAR(32),
  CONSTRAINT pk_webhook_delivery PRIMARY KEY (id),
  CONSTRAINT uq_webhook_delivery_subscription_id_event_number UNIQUE (subscription_id, event_number),
  CONSTRAINT fk_webhook_delivery_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_webhook_delivery_business_id_id ON webhook_delivery (business_id, id)
--;
CREATE INDEX ix_webhook_delivery_due ON webhook_delivery (subscription_id, due_at) WHERE status = 'waiting'
--;
CREATE TABLE webhook_position (
  business_id BIGINT NOT NULL,
  subscription_id BIGINT NOT NULL,
  number BIGINT NOT NULL,
  CONSTRAINT pk_webhook_position PRIMARY KEY (business_id, subscription_id),
  CONSTRAINT fk_webhook_position_business_id_subscription_id FOREIGN KEY(business_id, subscription_id) REFERENCES webhook_subscription (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_webhook_position_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
INSERT INTO webhook_position (business_id, subscription_id, number)
SELECT business_id, id, coalesce((SELECT number FROM trail_head
  WHERE trail_head.business_id = webhook_subscription.business_id), 0) FROM webhook_subscription
--;
