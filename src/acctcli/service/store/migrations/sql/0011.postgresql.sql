ALTER TABLE workflow ADD COLUMN author_id BIGINT
--;
ALTER TABLE workflow ADD COLUMN event_number BIGINT
--;
ALTER TABLE workflow ADD COLUMN held_until VARCHAR(27)
--;
CREATE INDEX ix_workflow_event_number ON workflow (business_id, event_number, held_until) WHERE event_number IS NOT NULL
--;
ALTER TABLE workflow_run ADD COLUMN author_id BIGINT
--;
ALTER TABLE workflow_run ADD COLUMN mark VARCHAR(32) DEFAULT '' NOT NULL
--;
ALTER TABLE workflow_run ADD COLUMN worker VARCHAR(32)
--;
ALTER TABLE workflow_run ADD COLUMN due_at VARCHAR(27)
--;
ALTER TABLE workflow_run ADD COLUMN steps BIGINT DEFAULT '0' NOT NULL
--;
ALTER TABLE workflow_run ADD COLUMN spent_ms BIGINT DEFAULT '0' NOT NULL
--;
ALTER TABLE workflow_run ADD COLUMN input TEXT
--;
CREATE INDEX ix_workflow_run_due_at ON workflow_run (business_id, due_at) WHERE due_at IS NOT NULL
--;
CREATE INDEX ix_workflow_run_finished_at ON workflow_run (finished_at) WHERE due_at IS NULL
--;
CREATE UNIQUE INDEX uq_workflow_run_event ON workflow_run (workflow_id, event_id, trigger_node_uuid) WHERE event_id IS NOT NULL
--;
