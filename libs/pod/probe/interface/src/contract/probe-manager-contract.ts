import { describe, expect, it } from '@podwright/contract';
import type { ContainerState, ContainerStatus, Pod, PodStatus, Probe } from '@podwright/kube-types';
import type { ProbeKind, ProbeResult } from '../probe-results.js';
import { describeContainerFlags } from './container-flag-cases.js';
import type { ProbeManagerHarness } from './probe-manager-harness.js';

const probe = (kind: ProbeKind): Probe => ({
  exec: { command: [kind] },
  periodSeconds: 10,
  timeoutSeconds: 1,
  failureThreshold: 2,
  successThreshold: 1,
});
const probed: Pod = {
  metadata: { name: 'web', namespace: 'default', uid: 'u1' },
  spec: {
    containers: [
      {
        name: 'app',
        livenessProbe: probe('liveness'),
        readinessProbe: probe('readiness'),
        startupProbe: probe('startup'),
      },
    ],
  },
};
const readied: Pod = {
  metadata: { name: 'web', namespace: 'default', uid: 'u1' },
  spec: { containers: [{ name: 'app', readinessProbe: probe('readiness') }] },
};
// Longer than any first delay after the start of the manager.
const settled = 10_000;

/** Every `ProbeManager` passes this suite. */
export function describeProbeManagerContract(name: string, create: () => Promise<ProbeManagerHarness>): void {
  describe(`${name} as a ProbeManager`, () => {
    const status = (started: boolean, containerId = 'c1', state: ContainerState = { running: {} }): PodStatus => {
      const app: ContainerStatus = {
        name: 'app',
        state,
        containerID: `containerd://${containerId}`,
        started,
        ready: false,
        restartCount: 0,
        image: 'i',
        imageID: '',
      };
      return { phase: 'Running', podIP: '192.0.2.1', containerStatuses: [app] };
    };
    async function running(): Promise<ProbeManagerHarness> {
      const harness = await create();
      await harness.manager.start();
      await harness.advance(settled);
      return harness;
    }
    const get = ({ results }: ProbeManagerHarness, kind: ProbeKind): ProbeResult | undefined => results.get(kind, 'c1');

    describeContainerFlags(create);

    it('asks the startup probe alone until it succeeds, then the others', async () => {
      const harness = await running();
      harness.setStatus(probed, status(false));
      harness.manager.addPod(probed);
      await harness.advance(0);
      expect(harness.asked).toEqual(['startup app']);
      expect(get(harness, 'startup')).toBe('success');
      expect(harness.written).toContain('startup containerd://c1 true');
      harness.setStatus(probed, status(true));
      await harness.advance(10_000);
      expect(harness.asked.slice(1).sort()).toEqual(['liveness app', 'readiness app']);
      expect(get(harness, 'readiness')).toBe('success');
      await harness.manager.stop();
    });

    it('takes a container for unready and alive before the first answer', async () => {
      const harness = await running();
      harness.setStatus(probed, status(false));
      harness.answer('app', 'failure');
      harness.manager.addPod(probed);
      await harness.advance(0);
      expect(['startup', 'readiness', 'liveness'].map((kind) => get(harness, kind as ProbeKind))).toEqual([
        'unknown',
        'failure',
        'success',
      ]);
      await harness.manager.stop();
    });

    it('believes a failure at its threshold, and asks a container no more that is to be killed', async () => {
      const harness = await running();
      harness.setStatus(probed, status(true));
      harness.manager.addPod(probed);
      harness.answer('app', 'failure');
      await harness.advance(0);
      expect(get(harness, 'liveness')).toBe('success');
      await harness.advance(10_000);
      expect(get(harness, 'liveness')).toBe('failure');
      const count = harness.asked.filter((line) => line === 'liveness app').length;
      await harness.advance(60_000);
      expect(harness.asked.filter((line) => line === 'liveness app')).toHaveLength(count);
      harness.answer('app', 'success');
      harness.setStatus(probed, status(true, 'c2'));
      await harness.advance(10_000);
      expect(harness.results.get('liveness', 'c2')).toBe('success');
      expect(get(harness, 'liveness')).toBeUndefined();
      await harness.manager.stop();
    });

    it('has a result in the status manager before its listeners hear of it, and tells changes alone', async () => {
      const harness = await running();
      const heard: string[] = [];
      const early: string[] = [];
      const unsubscribe = harness.results.watch(({ kind, podUid, containerId, result }) => {
        const line = `${kind} ${podUid} ${containerId} ${result}`;
        heard.push(line);
        const written = `${kind} containerd://${containerId} ${result === 'success'}`;
        if (kind !== 'liveness' && harness.written.at(-1) !== written) early.push(line);
      });
      harness.setStatus(probed, status(true));
      harness.manager.addPod(probed);
      await harness.advance(30_000);
      expect(heard.filter((line) => line.startsWith('readiness'))).toEqual([
        'readiness u1 c1 failure',
        'readiness u1 c1 success',
      ]);
      expect(early).toEqual([]);
      unsubscribe();
      const before = heard.length;
      harness.answer('app', 'failure');
      await harness.advance(30_000);
      expect(heard).toHaveLength(before);
      await harness.manager.stop();
    });

    it('ends liveness and startup probes when the pod terminates, the rest when it is removed', async () => {
      const harness = await running();
      harness.setStatus(probed, status(true));
      harness.manager.addPod(probed);
      await harness.advance(0);
      harness.manager.stopLivenessAndStartup(probed);
      const before = harness.asked.length;
      await harness.advance(10_000);
      expect(harness.asked.slice(before)).toEqual(['readiness app']);
      expect([get(harness, 'liveness'), get(harness, 'readiness')]).toEqual([undefined, 'success']);
      harness.manager.removePod(probed);
      await harness.advance(60_000);
      expect(harness.asked).toHaveLength(before + 1);
      expect(get(harness, 'readiness')).toBeUndefined();
      await harness.manager.stop();
    });

    it('ends the probes of pods that nobody wants any more', async () => {
      const harness = await running();
      harness.setStatus(probed, status(true));
      harness.manager.addPod(probed);
      await harness.advance(0);
      harness.manager.cleanupPods(new Set(['u1']));
      expect(get(harness, 'readiness')).toBe('success');
      harness.manager.cleanupPods(new Set());
      const before = harness.asked.length;
      await harness.advance(60_000);
      expect([harness.asked.length, get(harness, 'readiness')]).toEqual([before, undefined]);
      await harness.manager.stop();
    });

    it('stops without another probe', async () => {
      const harness = await running();
      harness.setStatus(probed, status(true));
      harness.manager.addPod(probed);
      await harness.advance(0);
      await harness.manager.stop();
      await harness.manager.stop();
      const before = harness.asked.length;
      harness.manager.addPod(probed);
      await harness.advance(60_000);
      expect(harness.asked).toHaveLength(before);
    });

    it.each(['success', 'failure'] as const)('shows a readiness %s unchanged after a kill -9', async (result) => {
      const harness = await running();
      harness.setStatus(readied, status(true));
      harness.answer('app', result);
      harness.manager.addPod(readied);
      await harness.advance(10_000);
      const next = await harness.reborn();
      await next.manager.start();
      const first = next.manager.withProbeResults(readied, status(true));
      expect(first.containerStatuses?.[0]).toMatchObject({ started: true, ready: result === 'success' });
      next.answer('app', result);
      next.setStatus(readied, first);
      next.manager.addPod(readied);
      await next.advance(30_000);
      expect(next.written).toEqual([]);
      await next.manager.stop();
    });

    it.each([
      ['success', true],
      ['failure', false],
    ] as const)(
      'shows what a startup probe said (%s) after a kill -9, and does not ask it again',
      async (result, started) => {
        const harness = await running();
        harness.setStatus(probed, status(false));
        harness.answer('app', result);
        harness.manager.addPod(probed);
        await harness.advance(20_000);
        expect(get(harness, 'startup')).toBe(result);
        const next = await harness.reborn();
        await next.manager.start();
        const first = next.manager.withProbeResults(probed, status(false));
        expect(first.containerStatuses?.[0]?.started).toBe(started);
        next.setStatus(probed, first);
        next.manager.addPod(probed);
        await next.advance(30_000);
        expect(next.asked.filter((line) => line.startsWith('startup'))).toEqual([]);
        expect(get(next, 'startup')).toBe(result);
        await next.manager.stop();
      },
    );

    it('bears every call in any order, also twice and for pods that it does not know', async () => {
      const { manager, results } = await create();
      await manager.start();
      const unsubscribe = results.watch(() => undefined);
      for (let round = 0; round < 2; round += 1) {
        manager.removePod(probed);
        manager.stopLivenessAndStartup(probed);
        manager.addPod(probed);
        manager.addPod(probed);
        manager.stopLivenessAndStartup(probed);
        manager.cleanupPods(new Set(['other']));
        manager.cleanupPods(new Set());
        unsubscribe();
      }
      await manager.stop();
      await manager.stop();
    });
  });
}
