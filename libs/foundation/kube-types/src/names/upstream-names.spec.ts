import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import * as rules from './name-rules.js';

// What upstream's rules say of texts: for each text the places of its messages.
interface Vectors {
  readonly texts: readonly string[];
  readonly faults: Readonly<Record<string, readonly (readonly number[])[]>>;
  readonly messages: readonly string[];
}
const { texts, faults, messages } = JSON.parse(
  readFileSync(path.join(__dirname, 'upstream-names.json'), 'utf8'),
) as Vectors;

const { configMapKey, dns1035Label, dns1123Label, dns1123Subdomain, envVarName } = rules;
const { httpHeaderName, labelValue, portName, qualifiedName } = rules;

it.each(
  Object.entries({
    ...{ configMapKey, dns1035Label, dns1123Label, dns1123Subdomain, envVarName },
    ...{ httpHeaderName, labelValue, portName, qualifiedName },
  }),
)('%s refuses what upstream refuses, in its words', (name, rule) => {
  const expected = faults[name]?.map((places) => places.map((place) => messages[place]));
  expect(expected?.length).toBe(texts.length);
  expect(texts.map((text) => [text, rule(text)])).toEqual(texts.map((text, index) => [text, expected?.[index]]));
});
