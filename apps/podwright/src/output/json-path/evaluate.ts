import { goJson, isJsonObject } from '@podwright/kube-types';
import { CommandError } from '../../command-error.js';
import { sortedKeys } from '../sorted-keys.js';
import type { PathNode, Slice, Template } from './nodes.js';

/** The text of a template, as `kubectl -o jsonpath=` prints it. A field that is not there is empty. */
export function renderJsonPath(template: Template, data: unknown): string {
  return findJsonPath(template, data)
    .map((results) => results.map(printed).join(' '))
    .join('');
}

/** What each action of the template finds. Source: kubernetes v1.36 client-go/util/jsonpath/jsonpath.go. */
export function findJsonPath(template: Template, data: unknown): readonly (readonly unknown[])[] {
  const found: (readonly unknown[])[] = [];
  for (let at = 0; at < template.length; at += 1) {
    const nodes = template[at] ?? [];
    const results = walk([data], nodes);
    if (nodes[0]?.type === 'end') throw new CommandError('not in range, nothing to end');
    if (nodes[0]?.type !== 'range') {
      found.push(results);
      continue;
    }
    const end = rangeEnd(template, at + 1);
    for (const item of results) found.push(...findJsonPath(template.slice(at + 1, end), item));
    at = end;
  }
  return found;
}

/** The index of the `end` that belongs to a range. */
function rangeEnd(template: Template, from: number): number {
  let depth = 1;
  for (let at = from; at < template.length; at += 1) {
    const [first] = template[at] ?? [];
    if (first?.type === 'range') depth += 1;
    if (first?.type === 'end' && (depth -= 1) === 0) return at;
  }
  return template.length;
}

function walk(input: readonly unknown[], nodes: readonly PathNode[]): readonly unknown[] {
  return nodes.reduce((values: readonly unknown[], node) => step(values, node), input);
}

function step(values: readonly unknown[], node: PathNode): readonly unknown[] {
  switch (node.type) {
    case 'text':
      return [node.text];
    case 'value':
      return values.map(() => node.value);
    case 'range':
      return values;
    case 'end':
      return [];
    case 'field':
      return fields(values, node.name);
    case 'wildcard':
      return values.flatMap(children);
    case 'recursive':
      return values.flatMap(descendants);
    case 'slice':
      return values.flatMap((value) => sliced(value, node.slice));
    case 'union':
      return node.branches.flatMap((branch) => walk(values, branch));
    case 'filter':
      return values.flatMap((value) => filtered(value, node));
  }
}

function fields(values: readonly unknown[], name: string): readonly unknown[] {
  const found = values.filter(isJsonObject).filter((value) => Object.hasOwn(value, name));
  return found.map((value) => value[name]);
}

function children(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  return isJsonObject(value)
    ? Object.keys(value)
        .sort()
        .map((key) => value[key])
    : [];
}

function descendants(value: unknown): readonly unknown[] {
  const below = children(value);
  return below.length === 0 ? [] : [value, ...below.flatMap(descendants)];
}

function sliced(value: unknown, { start: wanted, end: until, step: every = 1 }: Slice): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw outOf(`${typeof value} is not array or slice`);
  const { length } = value;
  const from = wanted === undefined ? 0 : wanted < 0 ? wanted + length : wanted;
  const to = until === 'single' ? from + 1 : until === undefined ? length : until < 0 ? until + length : until;
  if (from === to) return [];
  if (from < 0 || from >= length) throw outOf(`array index out of bounds: index ${from}, length ${length}`);
  if (to < 0 || to > length) throw outOf(`array index out of bounds: index ${to - 1}, length ${length}`);
  if (from > to) throw outOf(`starting index ${from} is greater than ending index ${to}`);
  if (every <= 0) throw outOf('step must be > 0');
  return value.slice(from, to).filter((_, index) => index % every === 0);
}

const outOf = (message: string): CommandError => new CommandError(`error executing jsonpath: ${message}`);

type Filter = Extract<PathNode, { readonly type: 'filter' }>;

function filtered(value: unknown, { left, operator, right }: Filter): readonly unknown[] {
  if (!Array.isArray(value)) throw outOf(`${printed(value)} is not array or slice and cannot be filtered`);
  return value.filter((item) => {
    const lefts = walk([item], left);
    if (operator === 'exists') return lefts.length > 0;
    const rights = walk([item], right);
    if (lefts.length > 1 || rights.length > 1) throw outOf('can only compare one element at a time');
    return lefts.length === 1 && rights.length === 1 && compare(lefts[0], operator, rights[0]);
  });
}

function compare(left: unknown, operator: string, right: unknown): boolean {
  const [first, second] = [left as string | number, right as string | number];
  switch (operator) {
    case '==':
      return first === second;
    case '!=':
      return first !== second;
    case '<':
      return first < second;
    case '<=':
      return first <= second;
    case '>':
      return first > second;
    case '>=':
      return first >= second;
    default:
      throw outOf(`unrecognized filter operator ${operator}`);
  }
}

function printed(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return typeof value === 'object' ? goJson(sortedKeys(value)) : String(value as string | number | boolean);
}
