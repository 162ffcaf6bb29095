ALTER TABLE workflow_run ADD COLUMN sends BOOLEAN DEFAULT false NOT NULL
--;
DROP INDEX ix_workflow_run_due_at
--;
CREATE INDEX ix_workflow_run_due_at ON workflow_run (business_id, sends, due_at) WHERE due_at IS NOT NULL
--;
