import { badRequest } from '../status/api-error.js';

export type LabelPredicate = (labels: Readonly<Record<string, string>>) => boolean;

const requirementPattern =
  /^\s*(?:(?<absent>!)\s*(?<absentKey>[^\s=!,()<>]+)|(?<setKey>[^\s=!,()<>]+)\s+(?<set>in|notin)\s*\((?<values>[^)]*)\)|(?<key>[^\s=!,()<>]+)\s*(?:(?<operator>==|=|!=|>|<)\s*(?<value>[^\s,=!()<>]*))?)\s*(?:,|$)/;

/**
 * Parses a `labelSelector` parameter: equality, sets, existence and comparison. Source: kubernetes v1.36
 * apimachinery/pkg/labels/selector.go.
 * @throws ApiError 400 for a malformed selector.
 */
export function parseLabelSelector(text: string): LabelPredicate {
  const requirements: LabelPredicate[] = [];
  for (let rest = text.trim(); rest !== '';) {
    const groups = requirementPattern.exec(rest)?.groups;
    if (groups === undefined) throw badRequest(`unable to parse requirement: found '${rest}', expected: identifier`);
    requirements.push(requirement(groups));
    rest = rest.slice(requirementPattern.exec(rest)?.[0].length ?? rest.length).trim();
  }
  return (labels) => requirements.every((matches) => matches(labels));
}

function requirement(groups: Readonly<Record<string, string | undefined>>): LabelPredicate {
  const { absentKey, setKey, key = '', operator, value = '' } = groups;
  if (absentKey !== undefined) return (labels) => label(labels, absentKey) === undefined;
  if (setKey !== undefined) {
    const values = (groups.values ?? '').split(',').map((item) => item.trim());
    const listed = (found: string | undefined): boolean => found !== undefined && values.includes(found);
    const isIn = groups.set === 'in';
    return (labels) => listed(label(labels, setKey)) === isIn;
  }
  switch (operator) {
    case undefined:
      return (labels) => label(labels, key) !== undefined;
    case '!=':
      return (labels) => label(labels, key) !== value;
    case '>':
      return (labels) => Number(label(labels, key) ?? Number.NaN) > Number(value);
    case '<':
      return (labels) => Number(label(labels, key) ?? Number.NaN) < Number(value);
    default:
      return (labels) => label(labels, key) === value;
  }
}

// A key may be the name of something that every object has.
const label = (labels: Parameters<LabelPredicate>[0], key: string): string | undefined =>
  Object.hasOwn(labels, key) ? labels[key] : undefined;
