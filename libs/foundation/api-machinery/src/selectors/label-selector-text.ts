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
  if (absentKey !== undefined) return (labels) => labels[absentKey] === undefined;
  if (setKey !== undefined) {
    const values = (groups.values ?? '').split(',').map((item) => item.trim());
    const listed = (label: string | undefined): boolean => label !== undefined && values.includes(label);
    return groups.set === 'in' ? (labels) => listed(labels[setKey]) : (labels) => !listed(labels[setKey]);
  }
  switch (operator) {
    case undefined:
      return (labels) => labels[key] !== undefined;
    case '!=':
      return (labels) => labels[key] !== value;
    case '>':
      return (labels) => labels[key] !== undefined && Number(labels[key]) > Number(value);
    case '<':
      return (labels) => labels[key] !== undefined && Number(labels[key]) < Number(value);
    default:
      return (labels) => labels[key] === value;
  }
}
