import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { parseFieldSelector } from './field-selector.js';

type Requirements = readonly (readonly [field: string, operator: string, value: string])[];

// What upstream's fields.ParseSelector makes of texts that a fuzzer has made: requirements in any order, or null for an error.
const vectors = JSON.parse(readFileSync(path.join(__dirname, 'upstream-field-selectors.json'), 'utf8')) as readonly [
  string,
  Requirements | null,
][];

function read(text: string): Requirements | null {
  try {
    return parseFieldSelector(text).map(({ field, operator, value }) => [field, operator, value] as const);
  } catch {
    return null;
  }
}

const sorted = (requirements: Requirements | null): unknown =>
  requirements === null ? null : requirements.map((each) => JSON.stringify(each)).sort();

it('reads field selectors, and refuses other texts, as upstream does', () => {
  expect(vectors.length).toBeGreaterThan(300);
  expect(vectors.map(([text]) => [text, sorted(read(text))])).toEqual(
    vectors.map(([text, wanted]) => [text, sorted(wanted)]),
  );
});
