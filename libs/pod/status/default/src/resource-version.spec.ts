import { expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { newerPod } from './resource-version.js';

const at = (resourceVersion: string): Pod => ({ metadata: { resourceVersion }, spec: { containers: [] } });

it.each([
  ['9', '10', '10'],
  ['10', '9', '10'],
  ['123', '124', '124'],
  ['7', '7', '7'],
  ['opaque', '9', undefined],
  ['9', 'opaque', undefined],
  ['8', '9x', undefined],
  ['8', 'x9', undefined],
  ['8', '09', undefined],
  ['', '9', undefined],
])('the newer of %j and %j is %j', (left, right, newer) => {
  expect(newerPod(at(left), at(right))?.metadata.resourceVersion).toBe(newer);
});

it('of two with the same version it is the first', () => {
  for (const version of ['7', 'opaque', '']) {
    const left = at(version);
    expect(newerPod(left, at(version))).toBe(left);
  }
  const unknown: Pod = { metadata: {}, spec: { containers: [] } };
  expect([newerPod(unknown, at('1')), newerPod(at('1'), unknown)]).toEqual([undefined, undefined]);
});
