import type { Container } from '@podwright/kube-types';
import type { FieldErrors } from './field-errors.js';
import type { PodRules } from './pod-rules.js';

const policies = ['Always', 'Never', 'OnFailure'];
const maxRules = 20;
const maxExitCodes = 255;

/** Validates a regular container's own restart policy and restart rules. */
export function validateRestartRules(container: Container, path: string, rules: PodRules, errors: FieldErrors): void {
  if (rules.containerRestartRules) validateOwnPolicy(container, path, rules, errors);
  else if (container.restartPolicy !== undefined) {
    errors.forbidden(`${path}.restartPolicy`, 'may not be set for non-init containers');
  }
}

/** As {@link validateRestartRules}, of an init container. */
export function validateInitRestartRules(
  container: Container,
  path: string,
  rules: PodRules,
  errors: FieldErrors,
): void {
  const { restartPolicy, restartPolicyRules = [] } = container;
  if (!rules.containerRestartRules && restartPolicy !== undefined) {
    errors.oneOf(`${path}.restartPolicy`, restartPolicy, ['Always']);
  } else if (restartPolicy === 'Always' && !rules.restartAllContainers) {
    const detail = 'restartPolicyRules are not allowed for init containers with restart policy Always';
    if (restartPolicyRules.length > 0) errors.forbidden(`${path}.restartPolicyRules`, detail);
  } else if (restartPolicy === undefined && restartPolicyRules.length > 0) {
    errors.required(`${path}.restartPolicy`, 'must specify restartPolicy when restart rules are used');
  } else validateOwnPolicy(container, path, rules, errors);
}

function validateOwnPolicy(
  container: Container,
  path: string,
  { restartAllContainers }: PodRules,
  errors: FieldErrors,
): void {
  const actions = ['Restart', ...(restartAllContainers ? ['RestartAllContainers'] : [])];
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
    errors.oneOf(`${place}.action`, action ?? '', actions);
    if (exitCodes === undefined) return errors.required(`${place}.exitCodes`, 'must be specified');
    errors.oneOf(`${place}.exitCodes.operator`, exitCodes.operator ?? '', ['In', 'NotIn']);
    const values = exitCodes.values ?? [];
    if (values.length > maxExitCodes) errors.tooMany(`${place}.exitCodes.values`, values.length, maxExitCodes);
    return undefined;
  });
}
