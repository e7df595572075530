import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { parseFieldSelector } from './field-selector.js';
import { parseLabelSelector } from './label-selector-text.js';

type Requirements = readonly (readonly [field: string, operator: string, value: string])[];

const read = <T>(file: string): T => JSON.parse(readFileSync(path.join(__dirname, file), 'utf8')) as T;

// What upstream's fields.ParseSelector makes of texts that a fuzzer has made: requirements in any order, or null for an error.
const fieldSelectors = read<readonly [string, Requirements | null][]>('upstream-field-selectors.json');

function fieldRequirements(text: string): Requirements | null {
  try {
    return parseFieldSelector(text).map(({ field, operator, value }) => [field, operator, value] as const);
  } catch {
    return null;
  }
}

const sorted = (requirements: Requirements | null): unknown =>
  requirements === null ? null : requirements.map((each) => JSON.stringify(each)).sort();

it('reads field selectors, and refuses other texts, as upstream does', () => {
  expect(fieldSelectors.length).toBeGreaterThan(300);
  expect(fieldSelectors.map(([text]) => [text, sorted(fieldRequirements(text))])).toEqual(
    fieldSelectors.map(([text, wanted]) => [text, sorted(wanted)]),
  );
});

// What labels.Parse makes of texts: which of the sets below it matches, or null for an error.
const labelSelectors = read<readonly [string, string | null][]>('upstream-label-selectors.json');
const sets: readonly Readonly<Record<string, string>>[] = [
  {},
  { a: '5', b: '' },
  { a: 'b', app: 'a', in: 'in', 'x/y': '5' },
  { a: '', b: '7', notin: 'b', 'a.b/c': 'a' },
  { a: '-9', b: 'b', app: '5' },
];

function matchedSets(text: string): string | null {
  try {
    const matches = parseLabelSelector(text);
    return sets.map((labels) => (matches(labels) ? '1' : '0')).join('');
  } catch {
    return null;
  }
}

it('reads label selectors, and refuses other texts, as upstream does', () => {
  expect(labelSelectors.length).toBeGreaterThan(500);
  expect(labelSelectors.map(([text]) => [text, matchedSets(text)])).toEqual(labelSelectors);
});
