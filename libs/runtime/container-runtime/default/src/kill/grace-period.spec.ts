import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { container, podWith } from '../fixtures/records.js';
import type { KillReason } from '../actions/pod-actions.js';
import { graceSecondsOf } from './grace-period.js';

const withProbes = container('app', {
  livenessProbe: { terminationGracePeriodSeconds: 4 },
  startupProbe: { terminationGracePeriodSeconds: 6 },
});
const none: Pod = { ...podWith(), spec: { containers: [] } };

describe('the base grace period', () => {
  it.each<[string, Pod, KillReason, number]>([
    ['that of the deletion comes first', podWith({}, { deletionGracePeriodSeconds: 0 }), 'liveness-probe', 0],
    ['then that of the failed liveness probe', podWith(), 'liveness-probe', 4],
    ['then that of the failed startup probe', podWith(), 'startup-probe', 6],
    ['the pod’s, when no probe is the reason', podWith(), 'other', 30],
    ['zero is a value', podWith({ terminationGracePeriodSeconds: 0 }), 'other', 0],
    ['2 s when the pod has none, whatever probes say', none, 'liveness-probe', 2],
  ])('%s', (_, pod, reason, expected) => {
    expect(graceSecondsOf(pod, withProbes, reason)).toBe(expected);
  });

  it('is the pod’s when the probe gives none', () => {
    expect(graceSecondsOf(podWith(), container('app', { livenessProbe: {} }), 'liveness-probe')).toBe(30);
  });
});
