import { describe, expect, it } from '@jest/globals';
import { readReplayArguments } from './replay-arguments.js';

const set = (field: string) => readReplayArguments(['file.gz', '--set', field])?.set;

describe('replay --set', () => {
  it.each([
    ['maxPods=5', { maxPods: 5 }],
    ['syncFrequency=90s', { syncFrequency: '1m30s' }],
    ['crashLoopBackOff={"maxContainerRestartPeriod":"5s"}', { crashLoopBackOff: { maxContainerRestartPeriod: '5s' } }],
    // As in a file: 0 asks for the default.
    ['maxPods=0', { maxPods: undefined }],
  ])('reads %s', (field, values) => {
    expect(set(field)).toStrictEqual(values);
  });

  it.each([
    ['maxPod=1', 'maxPod: unknown field (did you mean "maxPods"?)'],
    ['crashLoopBackoff={}', 'crashLoopBackoff: unknown field (did you mean "crashLoopBackOff"?)'],
    ['crashLoopBackOff={"maxRestart":"5s"}', 'crashLoopBackOff.maxRestart: unknown field'],
    ['crashLoopBackOff={"maxContainerRestartPeriod":"5s"', 'the value is no JSON: '],
    ['maxPods=abc', 'maxPods: expected integer, got "abc" (string)'],
    ['kind=x', 'kind: unknown field'],
    ['readOnlyPort=1', 'readOnlyPort: a replay has a value of its own'],
    ['maxPods', 'it takes FIELD=VALUE'],
  ])('refuses %s', (field, message) => {
    expect(() => set(field)).toThrow(message);
  });
});
