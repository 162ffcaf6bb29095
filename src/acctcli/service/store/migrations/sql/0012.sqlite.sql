CREATE TABLE workflow_version (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  business_id INTEGER NOT NULL,
  workflow_id INTEGER NOT NULL,
  version_number BIGINT NOT NULL,
  react_flow_data TEXT NOT NULL,
  CONSTRAINT uq_workflow_version_business_id_id UNIQUE (business_id, id),
  CONSTRAINT fk_workflow_version_business_id_workflow_id FOREIGN KEY(business_id, workflow_id) REFERENCES workflow (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_workflow_version_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_workflow_version_business_id_workflow_id_id ON workflow_version (business_id, workflow_id, id)
--;
INSERT INTO workflow_version (business_id, workflow_id, version_number, react_flow_data)
SELECT business_id, workflow_id, version_number, react_flow_data FROM workflow_run
GROUP BY business_id, workflow_id, version_number, react_flow_data ORDER BY max(id)
--;
CREATE TABLE earlier_run AS SELECT run.id, run.created_at, run.updated_at, run.business_id, run.workflow_id, run.version_number, version.id AS version_id, run.status, run.trigger_node_uuid, run.event_id,
  run.started_at, run.finished_at, run.last_error, run.node_runs, run.author_id, run.mark, run.worker, run.due_at, run.steps, run.spent_ms, run.input
FROM workflow_run AS run JOIN workflow_version AS version ON version.business_id = run.business_id AND version.workflow_id = run.workflow_id
  AND version.version_number = run.version_number AND version.react_flow_data = run.react_flow_data
--;
CREATE TABLE earlier_number AS SELECT seq FROM sqlite_sequence WHERE name = 'workflow_run'
--;
DROP TABLE workflow_run
--;
CREATE TABLE workflow_run (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  created_at VARCHAR(27) NOT NULL,
  updated_at VARCHAR(27) NOT NULL,
  business_id INTEGER NOT NULL,
  workflow_id INTEGER NOT NULL,
  version_number BIGINT NOT NULL,
  version_id INTEGER NOT NULL,
  status VARCHAR(16) NOT NULL,
  trigger_node_uuid VARCHAR(36),
  event_id BIGINT,
  started_at VARCHAR(27),
  finished_at VARCHAR(27),
  last_error TEXT,
  node_runs TEXT NOT NULL,
  author_id BIGINT,
  mark VARCHAR(32) DEFAULT '' NOT NULL,
  worker VARCHAR(32),
  due_at VARCHAR(27),
  steps BIGINT DEFAULT '0' NOT NULL,
  spent_ms BIGINT DEFAULT '0' NOT NULL,
  input TEXT,
  CONSTRAINT fk_workflow_run_business_id_workflow_id FOREIGN KEY(business_id, workflow_id) REFERENCES workflow (business_id, id) ON DELETE CASCADE,
  CONSTRAINT fk_workflow_run_business_id_version_id FOREIGN KEY(business_id, version_id) REFERENCES workflow_version (business_id, id),
  CONSTRAINT fk_workflow_run_business_id FOREIGN KEY(business_id) REFERENCES business (id) ON DELETE CASCADE
)
--;
INSERT INTO workflow_run (id, created_at, updated_at, business_id, workflow_id, version_number, version_id, status, trigger_node_uuid, event_id,
  started_at, finished_at, last_error, node_runs, author_id, mark, worker, due_at, steps, spent_ms, input)
SELECT id, created_at, updated_at, business_id, workflow_id, version_number, version_id, status, trigger_node_uuid, event_id,
  started_at, finished_at, last_error, node_runs, author_id, mark, worker, due_at, steps, spent_ms, input
FROM earlier_run ORDER BY id
--;
DELETE FROM sqlite_sequence WHERE name = 'workflow_run'
--;
INSERT INTO sqlite_sequence (name, seq) SELECT 'workflow_run', seq FROM earlier_number
--;
DROP TABLE earlier_run
--;
DROP TABLE earlier_number
--;
CREATE INDEX ix_workflow_run_business_id_version_id ON workflow_run (business_id, version_id)
--;
CREATE INDEX ix_workflow_run_business_id_workflow_id_id ON workflow_run (business_id, workflow_id, id)
--;
CREATE INDEX ix_workflow_run_due_at ON workflow_run (business_id, due_at) WHERE due_at IS NOT NULL
--;
CREATE INDEX ix_workflow_run_finished_at ON workflow_run (finished_at) WHERE due_at IS NULL
--;
CREATE INDEX ix_workflow_run_open ON workflow_run (business_id, workflow_id) WHERE due_at IS NOT NULL
--;
CREATE UNIQUE INDEX uq_workflow_run_event ON workflow_run (workflow_id, event_id, trigger_node_uuid) WHERE event_id IS NOT NULL
--;
