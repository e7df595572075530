import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import type { JsonObject } from '@podwright/kube-types';
import { applyPatch } from './apply-patch.js';

/** A patch, the fields of the document that differ after it, and the fields that are gone; null: an error. */
type Vector = readonly [patch: unknown, changed: JsonObject | null, gone?: readonly string[]];

// What evanphx/json-patch v4.12 and strategicpatch of kubernetes v1.36 make of patches.
const vectors = JSON.parse(readFileSync(path.join(__dirname, 'upstream-patches.json'), 'utf8')) as {
  readonly documents: { readonly json: JsonObject; readonly strategic: JsonObject };
  readonly json: readonly Vector[];
  readonly strategic: readonly Vector[];
};

it.each([
  ['json', 'application/json-patch+json'],
  ['strategic', 'application/strategic-merge-patch+json'],
] as const)('a %s patch gives what it gives upstream', (kind, mediaType) => {
  const document = vectors.documents[kind];
  expect(vectors[kind].length).toBeGreaterThan(50);
  for (const [patch, changed, gone = []] of vectors[kind]) {
    const apply = (): unknown => applyPatch(document as never, mediaType, Buffer.from(JSON.stringify(patch)));
    if (changed === null) expect(apply).toThrow();
    else {
      const kept = Object.entries(document).filter(([field]) => !gone.includes(field));
      expect([patch, apply()]).toEqual([patch, { ...Object.fromEntries(kept), ...changed }]);
    }
  }
});
