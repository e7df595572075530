import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { resizeMessage } from './resize-message.js';

const resources = { requests: { memory: '64Mi', cpu: '1' }, limits: { cpu: '2' } };
const pod: Pod = {
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'main', image: 'i', resources }], initContainers: [{ name: 'init', image: 'i' }] },
};
const containers =
  '"containers":[{"name":"main","resources":{"limits":{"cpu":"2"},"requests":{"cpu":"1","memory":"64Mi"}}}]';
const all = `"initContainers":[{"name":"init","resources":{}}],${containers}`;

describe('resizeMessage', () => {
  it.each([
    ['started', pod, '', `Pod resize started: {${all},"generation":3}`],
    ['completed', pod, '', `Pod resize completed: {${all},"generation":3}`],
    ['OutOfcpu', pod, 'no room', `Pod resize OutOfcpu: {${all},"generation":3,"error":"no room"}`],
    ['Infeasible', pod, 'never', `Pod resize Infeasible: {${all},"generation":3,"error":"never"}`],
    ['error', pod, 'a < b', `Pod resize error: {${all},"generation":3,"error":"a \\u003c b"}`],
    [
      'started',
      { ...pod, spec: { containers: pod.spec.containers } },
      '',
      `Pod resize started: {${containers},"generation":3}`,
    ],
  ] as const)('%s', (stage, subject, error, text) => {
    expect(resizeMessage(stage, subject, 3, error)).toBe(text);
  });
});
