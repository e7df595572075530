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
  ['', '9', undefined],
])('the newer of %j and %j is %j', (left, right, newer) => {
  expect(newerPod(at(left), at(right))?.metadata.resourceVersion).toBe(newer);
});
