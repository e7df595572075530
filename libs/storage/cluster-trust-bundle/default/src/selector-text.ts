import type { LabelSelector } from '@podwright/kube-types';

const operators: Readonly<Record<string, string>> = { In: 'in', NotIn: 'notin' };

/**
 * Formats a selector as Go does, with requirements sorted by key: equal selectors give equal texts. A selector that
 * matches everything is empty; one that matches nothing has a special text. Source: apimachinery v0.36
 * pkg/labels/selector.go String.
 */
export function selectorText(selector: LabelSelector | undefined): string {
  if (selector === undefined) return '<nothing>';
  const equal = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({ key, text: `${key}=${value}` }));
  const expressions = (selector.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return { key, text: key };
    if (operator === 'DoesNotExist') return { key, text: `!${key}` };
    return { key, text: `${key} ${operators[operator] ?? operator} (${[...values].sort().join(',')})` };
  });
  const sorted = [...equal, ...expressions].sort((one, other) =>
    one.key < other.key ? -1 : one.key > other.key ? 1 : 0,
  );
  return sorted.map(({ text }) => text).join(',');
}
