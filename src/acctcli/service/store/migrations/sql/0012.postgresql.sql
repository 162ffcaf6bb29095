CREATE TABLE workflow_version (
  id BIGSERIAL NOT NULL,
  business_id BIGINT NOT NULL,
  workflow_id BIGINT NOT NULL,
  version_number BIGINT NOT NULL,
  react_flow_data TEXT NOT NULL,
  CONSTRAINT pk_workflow_version PRIMARY KEY (id),
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
ALTER TABLE workflow_run ADD COLUMN version_id BIGINT
--;
UPDATE workflow_run AS run SET version_id = version.id FROM workflow_version AS version
WHERE version.business_id = run.business_id AND version.workflow_id = run.workflow_id
  AND version.version_number = run.version_number AND version.react_flow_data = run.react_flow_data
--;
ALTER TABLE workflow_run ALTER COLUMN version_id SET NOT NULL
--;
ALTER TABLE workflow_run ADD CONSTRAINT fk_workflow_run_business_id_version_id FOREIGN KEY(business_id, version_id) REFERENCES workflow_version (business_id, id)
--;
ALTER TABLE workflow_run DROP COLUMN react_flow_data
--;
CREATE INDEX ix_workflow_run_business_id_version_id ON workflow_run (business_id, version_id)
--;
CREATE INDEX ix_workflow_run_open ON workflow_run (business_id, workflow_id) WHERE due_at IS NOT NULL
--;
