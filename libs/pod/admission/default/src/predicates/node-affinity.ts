import { labelValue, qualifiedName, type Node, type Pod } from '@podwright/kube-types';

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}
interface Term {
  readonly matchExpressions?: readonly Requirement[];
  readonly matchFields?: readonly Requirement[];
}
type Labels = Readonly<Record<string, string>>;

/**
 * Whether the node satisfies the pod's node selector and its required node affinity. A term that cannot be understood
 * matches nothing. Source: kubernetes v1.36 component-helpers/scheduling/corev1/nodeaffinity/nodeaffinity.go.
 */
export function matchesNodeAffinity(pod: Pod, node: Node): boolean {
  const labels = node.metadata?.labels ?? {};
  const selected = Object.entries(pod.spec.nodeSelector ?? {}).every(([key, value]) => valueOf(labels, key) === value);
  if (!selected) return false;
  const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || required.nodeSelectorTerms.some((term) => matchesTerm(term, labels, node));
}

// Terms are alternatives. An empty one matches nothing, not everything.
function matchesTerm({ matchExpressions = [], matchFields = [] }: Term, labels: Labels, node: Node): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  const name = node.metadata?.name ?? '';
  return (
    matchExpressions.every((requirement) => matchesLabels(requirement, labels)) &&
    // As all of them are read before any is compared, a wrong one spoils the term also when the node has no name.
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

// The one field that a node has here; a requirement on another field compares with the empty text.
function matchesField({ key, operator, values = [] }: Requirement, name: string): boolean {
  const equal = (key === 'metadata.name' ? name : '') === values[0];
  return operator === 'In' ? equal : !equal;
}

const maxInteger = 2n ** 63n - 1n;

/** As Go's strconv.ParseInt with base 10 and 64 bits; undefined when it is none. */
function integer(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^[+-]?\d{1,64}$/.test(text)) return undefined;
  const value = BigInt(text.replace('+', ''));
  return value <= maxInteger && value >= -maxInteger - 1n ? value : undefined;
}

function valueOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}
