import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { base64 } from './base64.js';
import { readDocument } from './document-reader.js';
import type { SourceValue } from './source-value.js';

type Answer = readonly [text: string, json: string | null, strict?: 'strictly refused'];
interface Vectors {
  /** Texts, and the JSON that Go's sigs.k8s.io/yaml and sigs.k8s.io/json make of them; null for an error. */
  readonly documents: readonly Answer[];
  /** Texts of which upstream makes something else, and what they are here; the README says why. */
  readonly differences: readonly Answer[];
  /** Texts, and what Go reads into bytes, as hex; or its error. */
  readonly base64: readonly (readonly [text: string, answer: readonly [hex: string] | string])[];
}

const vectors = JSON.parse(readFileSync(path.join(__dirname, 'upstream-documents.json'), 'utf8')) as Vectors;

function read([text]: Answer): Answer {
  try {
    const { value, faults } = readDocument(Buffer.from(text));
    const json = JSON.stringify(sorted(value));
    return faults.length === 0 ? [text, json] : [text, json, 'strictly refused'];
  } catch {
    return [text, null];
  }
}

function sorted(value: SourceValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value as Readonly<Record<string, SourceValue>>);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, sorted(each)]));
}

it('reads YAML and JSON, and refuses other texts, as upstream does', () => {
  expect(vectors.documents.length).toBeGreaterThan(400);
  expect(vectors.documents.map(read)).toEqual(vectors.documents);
});

it('reads some texts otherwise, on purpose', () => {
  expect(vectors.differences.map(read)).toEqual(vectors.differences);
});

it('reads base64, and refuses other texts, as upstream does', () => {
  expect(vectors.base64.length).toBeGreaterThan(40);
  const answers = vectors.base64.map(([text]) => {
    const reading = base64.read(text);
    if (reading === undefined) return [text, undefined];
    if ('fault' in reading) return [text, reading.fault];
    return [text, [Buffer.from(String(reading.value), 'base64').toString('hex')]];
  });
  expect(answers).toEqual(vectors.base64);
});
