import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { tryParseQuantity } from './quantity.js';
import { quantityValue } from './quantity-values.js';

// What upstream's resource.ParseQuantity makes of texts that a fuzzer has made: whole units, or null for an error.
const vectors = JSON.parse(readFileSync(path.join(__dirname, 'upstream-quantities.json'), 'utf8')) as readonly [
  string,
  string | null,
][];

it('reads quantities, and refuses other texts, as upstream does', () => {
  expect(vectors.length).toBeGreaterThan(300);
  const read = vectors.map(([text]) => {
    const quantity = tryParseQuantity(text);
    return [text, quantity === undefined ? null : String(quantityValue(quantity))];
  });
  expect(read).toEqual(vectors);
});
