import { describe, expect, it } from '@jest/globals';
import { terminationPart } from './termination-part.js';

const good = {
  pod: { metadata: { uid: 'u', name: 'p' }, spec: { containers: [] } },
  gracePeriodSeconds: 30,
  deadlineMs: 1_000,
  deleted: true,
  evicted: false,
  completed: false,
};

describe('checkpointed termination', () => {
  it('is read back, begun or not', () => {
    expect(terminationPart.decode(good)).toStrictEqual(good);
    const { deadlineMs: _deadline, ...asked } = good;
    expect(terminationPart.decode(asked)).toStrictEqual(asked);
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['a list', []],
    ['no pod', { ...good, pod: undefined }],
    ['a pod without a UID', { ...good, pod: { ...good.pod, metadata: { name: 'p' } } }],
    ['a pod without a name', { ...good, pod: { ...good.pod, metadata: { uid: 'u' } } }],
    ['a pod without containers', { ...good, pod: { ...good.pod, spec: {} } }],
    ['a pod without metadata', { ...good, pod: { spec: { containers: [] } } }],
    ['a pod without a spec', { ...good, pod: { metadata: good.pod.metadata } }],
    ['a pod with a container in the place of a list', { ...good, pod: { ...good.pod, spec: { containers: {} } } }],
    ['a pod that is a text', { ...good, pod: 'p' }],
    ['a negative grace period', { ...good, gracePeriodSeconds: -1 }],
    ['a deadline that is no number', { ...good, deadlineMs: 'soon' }],
    ['no flag', { ...good, deleted: undefined }],
    ['another kind of flag', { ...good, evicted: 1 }],
    ['no word on its end', { ...good, completed: undefined }],
  ])('is not used with %s', (_name, json) => {
    expect(terminationPart.decode(json)).toBeUndefined();
  });
});
