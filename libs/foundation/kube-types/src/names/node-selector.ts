import type { NodeSelectorTerm } from '../objects.js';
import { valueOf, type Labels } from './label-selector.js';
import { labelValue, qualifiedName } from './name-rules.js';

type Requirement = NonNullable<NodeSelectorTerm['matchExpressions']>[number];

/**
 * Whether a node with these labels and this name matches one of the terms. An empty term matches nothing, and neither
 * does an invalid one. Fields match any node whose `name` is empty. Source: kubernetes v1.36
 * component-helpers/scheduling/corev1/nodeaffinity/nodeaffinity.go.
 */
export function matchesNodeSelectorTerms(terms: readonly NodeSelectorTerm[], labels: Labels, name: string): boolean {
  return terms.some((term) => matchesTerm(term, labels, name));
}

function matchesTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  labels: Labels,
  name: string,
): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  return (
    matchExpressions.every((requirement) => matchesLabels(requirement, labels)) &&
    // All requirements are parsed before any is compared, so an invalid one fails the term even when the node has no
    // name.
    matchFields.every((requirement) => isFieldRequirement(requirement)) &&
    (name === '' || matchFields.every((requirement) => matchesField(requirement, name)))
  );
}

function matchesLabels({ key, operator, values = [] }: Requirement, labels: Labels): boolean {
  if (qualifiedName(key).length > 0 || values.some((value) => labelValue(value).length > 0)) return false;
  const value = valueOf(labels, key);
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return values.length > 0 && (value === undefined || !values.includes(value));
    case 'Exists':
      return values.length === 0 && value !== undefined;
    case 'DoesNotExist':
      return values.length === 0 && value === undefined;
    case 'Gt':
    case 'Lt':
      return compares(value, operator, values);
    default:
      return false;
  }
}

function compares(value: string | undefined, operator: 'Gt' | 'Lt', values: readonly string[]): boolean {
  const [left, right] = [integer(value), values.length === 1 ? integer(values[0]) : undefined];
  if (left === undefined || right === undefined) return false;
  return operator === 'Gt' ? left > right : left < right;
}

const isFieldRequirement = ({ operator, values = [] }: Requirement): boolean =>
  (operator === 'In' || operator === 'NotIn') && values.length === 1;

// The name is the only field of a node here; a requirement on another field compares with the empty text.
function matchesField({ key, operator, values = [] }: Requirement, name: string): boolean {
  const equal = (key === 'metadata.name' ? name : '') === values[0];
  return operator === 'In' ? equal : !equal;
}

const maxInteger = 2n ** 63n - 1n;

/** Parses as Go's strconv.ParseInt with base 10 and 64 bits; undefined when the text is not such a number. */
function integer(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^[+-]?\d{1,64}$/.test(text)) return undefined;
  const value = BigInt(text.replace('+', ''));
  return value <= maxInteger && value >= -maxInteger - 1n ? value : undefined;
}
