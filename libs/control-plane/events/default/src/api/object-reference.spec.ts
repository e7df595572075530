import { expect, it } from '@jest/globals';
import { objectReference } from './object-reference.js';

it('names the object, with nothing that it has not', () => {
  const metadata = { name: 'web', namespace: 'shop', uid: '1234', resourceVersion: '77', labels: { app: 'web' } };
  const whole = { apiVersion: 'v1', kind: 'Pod', name: 'web', namespace: 'shop', uid: '1234', resourceVersion: '77' };
  expect(objectReference('Pod', metadata)).toEqual(whole);
  expect(objectReference('PersistentVolume', { name: 'pv' })).toEqual({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    name: 'pv',
  });
});
