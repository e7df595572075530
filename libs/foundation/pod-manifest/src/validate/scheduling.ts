import type { PodSpec } from '@podwright/kube-types';
import { labelValue, qualifiedName } from '@podwright/kube-types';
import type { FieldErrors } from './field-errors.js';
import { validateLabelKeys, validateUnmergedLabelKeys } from './label-keys.js';
import type { PodRules } from './pod-rules.js';
import { validateLabelSelector } from './selectors.js';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function validateTolerations(spec: PodSpec, { tolerationComparisons }: PodRules, errors: FieldErrors): void {
  (spec.tolerations ?? []).forEach((toleration, index) => {
    const field = `spec.tolerations[${index}]`;
    const { key, operator, value, effect } = toleration;
    if (key) errors.rule(`${field}.key`, key, qualifiedName(key));
    else if (operator !== 'Exists') {
      errors.invalid(
        `${field}.operator`,
        operator ?? '',
        'operator must be Exists when `key` is empty, which means "match all values and all keys"',
      );
    }
    if (toleration.tolerationSeconds !== undefined && effect !== 'NoExecute') {
      errors.invalid(`${field}.effect`, effect ?? '', "effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    if (operator === undefined || operator === '' || operator === 'Equal') {
      const faults = value ? labelValue(value) : [];
      if (faults.length > 0) errors.invalid(`${field}.operator`, value, faults.join(';'));
    } else if (operator === 'Exists') {
      if (value) errors.invalid(`${field}.operator`, value, "value must be empty when `operator` is 'Exists'");
    } else if (operator === 'Lt' || operator === 'Gt') {
      if (tolerationComparisons) validateComparedNumber(value ?? '', `${field}.value`, errors);
      else errors.unsupported(`${field}.operator`, operator, ['Equal', 'Exists', 'Lt', 'Gt']);
    } else {
      errors.unsupported(`${field}.operator`, operator, ['Equal', 'Exists']);
    }
    if (effect) errors.oneOf(`${field}.effect`, effect, effects);
  });
}

function validateComparedNumber(value: string, field: string, errors: FieldErrors): void {
  if (value === '') errors.invalid(field, value, 'must be non-empty');
  else if (!/^(0|-?[1-9]\d*)$/.test(value)) {
    errors.invalid(field, value, 'must be a valid decimal integer in canonical form');
  }
  const fault = (what: string): string => `strconv.ParseInt: parsing ${JSON.stringify(value)}: ${what}`;
  if (!/^[-+]?\d+$/.test(value)) errors.invalid(field, value, fault('invalid syntax'));
  else if (BigInt.asIntN(64, BigInt(value)) !== BigInt(value))
    errors.invalid(field, value, fault('value out of range'));
}

export function validateTopologySpread(spec: PodSpec, { mergedLabelKeys }: PodRules, errors: FieldErrors): void {
  const seen = new Set<string>();
  (spec.topologySpreadConstraints ?? []).forEach((constraint, index) => {
    const field = `spec.topologySpreadConstraints[${index}]`;
    const { maxSkew, topologyKey, whenUnsatisfiable, minDomains } = constraint;
    if (maxSkew <= 0) errors.invalid(`${field}.maxSkew`, maxSkew, 'must be greater than zero');
    if (!topologyKey) errors.required(`${field}.topologyKey`, 'can not be empty');
    errors.oneOf(`${field}.whenUnsatisfiable`, whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway']);
    const pair = `{${topologyKey}, ${whenUnsatisfiable}}`;
    if (seen.has(pair)) errors.duplicate(`${field}.{topologyKey, whenUnsatisfiable}`, pair);
    seen.add(pair);
    if (minDomains !== undefined && minDomains <= 0) {
      errors.invalid(`${field}.minDomains`, minDomains, 'must be greater than zero');
    }
    if (minDomains !== undefined && whenUnsatisfiable !== 'DoNotSchedule') {
      errors.invalid(
        `${field}.minDomains`,
        minDomains,
        `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`,
      );
    }
    errors.oneOf(`${field}.nodeAffinityPolicy`, constraint.nodeAffinityPolicy, ['Honor', 'Ignore']);
    errors.oneOf(`${field}.nodeTaintsPolicy`, constraint.nodeTaintsPolicy, ['Honor', 'Ignore']);
    (mergedLabelKeys ? validateLabelKeys : validateUnmergedLabelKeys)(constraint, field, errors);
    validateLabelSelector(constraint.labelSelector, `${field}.labelSelector`, errors);
  });
}

export function validateGates(spec: PodSpec, errors: FieldErrors): void {
  (spec.readinessGates ?? []).forEach(({ conditionType }, index) => {
    errors.rule(`spec.readinessGates[${index}].conditionType`, conditionType, qualifiedName(conditionType));
  });
  const seen = new Set<string>();
  (spec.schedulingGates ?? []).forEach(({ name }, index) => {
    const field = `spec.schedulingGates[${index}]`;
    errors.rule(field, name, qualifiedName(name));
    if (seen.has(name)) errors.duplicate(`${field}.name`, name);
    seen.add(name);
  });
  if ((spec.schedulingGates ?? []).length > 0 && spec.nodeName) {
    errors.forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared');
  }
}
