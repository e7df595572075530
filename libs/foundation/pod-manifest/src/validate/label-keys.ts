import type { LabelSelector } from '@podwright/kube-types';
import { qualifiedName } from '@podwright/kube-types';
import type { FieldErrors } from './field-errors.js';

interface LabelKeys {
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
  readonly labelSelector?: LabelSelector;
}

const noSelector = 'must not be specified when labelSelector is not set';
const twice = 'exists in both matchLabelKeys and labelSelector';

/** Source: kubernetes v1.36 pkg/apis/core/validation/validation.go ValidateMatchLabelKeysAndMismatchLabelKeys. */
export function validateLabelKeys(term: LabelKeys, field: string, errors: FieldErrors): void {
  const { matchLabelKeys = [], mismatchLabelKeys = [], labelSelector } = term;
  for (const [name, keys] of Object.entries({ matchLabelKeys, mismatchLabelKeys })) {
    if (keys.length > 0 && labelSelector === undefined) errors.forbidden(`${field}.${name}`, noSelector);
    else keys.forEach((key, index) => errors.rule(`${field}.${name}[${index}]`, key, qualifiedName(key)));
  }
  // The API server has added an expression for each of matchLabelKeys, so only a second one is a fault.
  const selected = new Set(Object.keys(labelSelector?.matchLabels ?? {}));
  for (const { key } of labelSelector?.matchExpressions ?? []) {
    const index = matchLabelKeys.lastIndexOf(key);
    if (index >= 0 && selected.has(key)) errors.invalid(`${field}[${index}]`, key, twice);
    selected.add(key);
  }
  matchLabelKeys.forEach((key, index) => {
    if (!mismatchLabelKeys.includes(key)) return;
    errors.invalid(`${field}.matchLabelKeys[${index}]`, key, 'exists in both matchLabelKeys and mismatchLabelKeys');
  });
}

/** The rule before keys were merged into the selector. Source: ValidateMatchLabelKeysInTopologySpread there. */
export function validateUnmergedLabelKeys(term: LabelKeys, field: string, errors: FieldErrors): void {
  const { matchLabelKeys = [], labelSelector } = term;
  if (matchLabelKeys.length > 0 && labelSelector === undefined) errors.forbidden(`${field}.matchLabelKeys`, noSelector);
  const expressions = labelSelector?.matchExpressions ?? [];
  const selected = new Set([...Object.keys(labelSelector?.matchLabels ?? {}), ...expressions.map(({ key }) => key)]);
  matchLabelKeys.forEach((key, index) => {
    errors.rule(`${field}.matchLabelKeys[${index}]`, key, qualifiedName(key));
    if (selected.has(key)) errors.invalid(`${field}.matchLabelKeys[${index}]`, key, twice);
  });
}
