import type { LabelSelector } from '../objects.js';

/** Labels of an object; an absent map is an empty one. */
export type Labels = Readonly<Record<string, string>>;

/**
 * True when the labels satisfy every `matchLabels` entry and every `matchExpressions` entry. An absent selector matches
 * nothing and an empty one everything, as in metav1.LabelSelectorAsSelector. An unknown operator matches nothing.
 */
export function matchesLabelSelector(selector: LabelSelector | undefined, labels: Labels = {}): boolean {
  if (selector === undefined) return false;
  const equal = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => valueOf(labels, key) === value);
  return equal && (selector.matchExpressions ?? []).every((requirement) => matchesRequirement(requirement, labels));
}

function matchesRequirement(
  requirement: { readonly key: string; readonly operator: string; readonly values?: readonly string[] },
  labels: Labels,
): boolean {
  const value = valueOf(labels, requirement.key);
  const listed = value !== undefined && (requirement.values ?? []).includes(value);
  switch (requirement.operator) {
    case 'In':
      return listed;
    case 'NotIn':
      return !listed;
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}

/** The label's value; what every object inherits is none. */
export function valueOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}
