import type { Container } from '@podwright/kube-types';
import type { FieldErrors } from './field-errors.js';

const policies = ['Always', 'Never', 'OnFailure'];
const maxRules = 20;
const maxExitCodes = 255;

/** Validates a container's own restart policy and restart rules. */
export function validateRestartRules(container: Container, path: string, errors: FieldErrors): void {
  errors.oneOf(`${path}.restartPolicy`, container.restartPolicy, policies);
  const rules = container.restartPolicyRules ?? [];
  if (rules.length === 0) return;
  const field = `${path}.restartPolicyRules`;
  if (container.restartPolicy === undefined) {
    errors.required(`${path}.restartPolicy`, 'must specify restartPolicy when restart rules are used');
  }
  if (rules.length > maxRules) errors.tooMany(field, rules.length, maxRules);
  rules.forEach(({ action, exitCodes }, index) => {
    const place = `${field}[${index}]`;
    errors.oneOf(`${place}.action`, action ?? '', ['Restart', 'RestartAllContainers']);
    if (exitCodes === undefined) return errors.required(`${place}.exitCodes`, 'must be specified');
    errors.oneOf(`${place}.exitCodes.operator`, exitCodes.operator ?? '', ['In', 'NotIn']);
    const values = exitCodes.values ?? [];
    if (values.length === 0) errors.required(`${place}.exitCodes.values`, 'must specify at least one exit code');
    if (values.length > maxExitCodes) errors.tooMany(`${place}.exitCodes.values`, values.length, maxExitCodes);
    return undefined;
  });
}
