import { describe, expect, it } from '@jest/globals';
import type { Container, ContainerState, Pod } from '@podwright/kube-types';
import type { ProbeResult } from '@podwright/probe-interface';
import { withContainerFlags } from './container-flags.js';

const now = Date.parse('2026-01-01T00:00:00Z');
const before = (ms: number): ContainerState => ({ running: { startedAt: new Date(now - ms).toISOString() } });
const young = before(0);
const old = before(10_001);

interface Case {
  readonly state?: ContainerState;
  readonly startup?: ProbeResult;
  readonly readiness?: ProbeResult;
  /** Workers that exist. */
  readonly probed?: readonly string[];
  readonly wasStarted?: boolean;
  readonly wasReady?: boolean;
  readonly hasReadinessProbe?: boolean;
  readonly apiReady?: string;
  readonly keepsStarted?: boolean;
}

function flagsOf(given: Case): { readonly started: unknown; readonly ready: unknown; readonly triggered: boolean } {
  const container: Container = { name: 'app', ...(given.hasReadinessProbe === true && { readinessProbe: {} }) };
  const pod: Pod = {
    metadata: { uid: 'u1' },
    spec: { containers: [container] },
    ...(given.apiReady !== undefined && { status: { conditions: [{ type: 'Ready', status: given.apiReady }] } }),
  };
  let triggered = false;
  const status = withContainerFlags(
    {
      pod,
      results: {
        get: (kind) => (kind === 'startup' ? given.startup : kind === 'readiness' ? given.readiness : undefined),
      },
      kubeletStartedAtMs: now,
      keepsStarted: given.keepsStarted ?? true,
      isProbed: (_container, kind) => given.probed?.includes(kind) ?? false,
      triggerReadiness: () => (triggered = true),
    },
    {
      containerStatuses: [
        {
          name: 'app',
          state: given.state ?? young,
          containerID: 'containerd://c1',
          ready: given.wasReady ?? false,
          restartCount: 0,
          image: '',
          imageID: '',
          ...(given.wasStarted !== undefined && { started: given.wasStarted }),
        },
      ],
    },
  );
  const [one] = status.containerStatuses ?? [];
  return { started: one?.started, ready: one?.ready, triggered };
}

describe('started', () => {
  it.each<[string, Case, boolean]>([
    ['it does not run', { state: { waiting: {} }, startup: 'success' }, false],
    ['startup probe succeeded', { startup: 'success', wasStarted: false }, true],
    ['startup probe failed', { startup: 'failure', wasStarted: true }, false],
    ['startup probe has not decided', { startup: 'unknown', wasStarted: true }, false],
    ['no result, it was started', { wasStarted: true, probed: ['startup'] }, true],
    [
      'no result, it was started, which does not count',
      { wasStarted: true, keepsStarted: false, probed: ['startup'] },
      false,
    ],
    ['no result, it is probed', { wasStarted: false, probed: ['startup'] }, false],
    ['no result, it is not probed', { wasStarted: false }, true],
  ])('%s', (_name, given, started) => expect(flagsOf(given).started).toBe(started));
});

describe('ready', () => {
  const probed = { probed: ['readiness'], hasReadinessProbe: true };
  it.each<[string, Case, boolean, boolean]>([
    ['not started: as it was', { startup: 'unknown', wasReady: true, readiness: 'success' }, true, false],
    ['readiness probe succeeded', { ...probed, readiness: 'success' }, true, false],
    ['readiness probe failed', { ...probed, readiness: 'failure' }, false, true],
    ['no result yet', probed, false, true],
    ['no readiness probe', {}, true, false],
    ['older than the kubelet, no result, API says ready', { ...probed, state: old, apiReady: 'True' }, true, true],
    [
      'older than the kubelet, no result, API says not ready',
      { ...probed, state: old, apiReady: 'False' },
      false,
      true,
    ],
    ['older than the kubelet, no result, API says nothing', { ...probed, state: old }, false, true],
    ['older than the kubelet, failure', { ...probed, state: old, readiness: 'failure', apiReady: 'True' }, false, true],
    [
      'older than the kubelet, success',
      { ...probed, state: old, readiness: 'success', apiReady: 'False' },
      true,
      false,
    ],
    ['older than the kubelet, no probe', { state: old, apiReady: 'False' }, true, false],
    ['older than the kubelet, no worker yet', { state: old, hasReadinessProbe: true, apiReady: 'False' }, false, false],
    ['exactly ten seconds older: young', { ...probed, state: before(10_000), apiReady: 'True' }, false, true],
  ])('%s', (_name, given, ready, triggered) => expect(flagsOf(given)).toMatchObject({ ready, triggered }));
});
