import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { goPatternFault } from './go-pattern.js';

type Answer = readonly [pattern: string, fault?: string];
interface Vectors {
  /** Patterns, and why Go's regexp refuses them; none for those that it takes. */
  readonly patterns: readonly Answer[];
  /** Patterns that Go answers otherwise, and the answers here; the README says why. */
  readonly differences: readonly Answer[];
}

const vectors = JSON.parse(readFileSync(path.join(__dirname, 'upstream-patterns.json'), 'utf8')) as Vectors;

function check([pattern]: Answer): Answer {
  const fault = goPatternFault(pattern);
  return fault === undefined ? [pattern] : [pattern, fault.replace(/^error parsing regexp: /, '')];
}

it('takes and refuses patterns as Go does', () => {
  expect(vectors.patterns.length).toBeGreaterThan(800);
  expect(vectors.patterns.map(check)).toEqual(vectors.patterns);
});

it('answers some patterns otherwise, on purpose', () => {
  expect(vectors.differences.map(check)).toEqual(vectors.differences);
});
