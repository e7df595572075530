import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { messageOf } from '@podwright/errors';
import { formatGoNanoseconds, parseGoNanoseconds } from './go-duration.js';

// What Go 1.26 makes of texts that a fuzzer has made: nanoseconds and text, or its error.
const vectors = JSON.parse(readFileSync(path.join(__dirname, 'upstream-durations.json'), 'utf8')) as readonly [
  string,
  string | readonly [string, string],
][];

function read(text: string): string | readonly [string, string] {
  try {
    const nanoseconds = parseGoNanoseconds(text);
    return [String(nanoseconds), formatGoNanoseconds(nanoseconds)];
  } catch (error) {
    return messageOf(error);
  }
}

it('reads and writes durations, and refuses other texts, as Go does', () => {
  expect(vectors.length).toBeGreaterThan(300);
  expect(vectors.map(([text]) => [text, read(text)])).toEqual(vectors);
});
