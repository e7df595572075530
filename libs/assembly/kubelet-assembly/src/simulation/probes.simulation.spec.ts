import { afterEach, describe, expect, it } from '@jest/globals';
import type { Container, Pod } from '@podwright/kube-types';
import { SimulatedNode } from './simulated-node.js';
import { simulatedPod } from './simulated-pod.js';

/** A pod whose container is asked every second by commands; the command is the kind of the probe. */
function probedPod(...kinds: readonly ('livenessProbe' | 'readinessProbe' | 'startupProbe')[]): Pod {
  const probe = (kind: string) => ({ exec: { command: [kind] }, periodSeconds: 1, failureThreshold: 2 });
  const main: Container = {
    name: 'main',
    image: 'registry.test/main:1',
    imagePullPolicy: 'IfNotPresent',
    ...Object.fromEntries(kinds.map((kind) => [kind, probe(kind)])),
  };
  return simulatedPod('probed', { containers: [main] });
}

describe('probes in the assembled kubelet', () => {
  let node: SimulatedNode;
  afterEach(() => node.dispose());
  const failing = new Set<string>();
  async function boot(...broken: readonly string[]): Promise<void> {
    failing.clear();
    for (const command of broken) failing.add(command);
    node = await SimulatedNode.create();
    const exec = ([command = '']: readonly string[]) => ({ exitCode: failing.has(command) ? 1 : 0, stdout: 'no' });
    node.runtime.programs.set('main', { exec });
    await node.boot();
    await node.clock.advance(2_000);
  }
  const flags = (pod: Pod): unknown => {
    const [main] = node.status(pod)?.containerStatuses ?? [];
    return [main?.started, main?.ready, main?.restartCount];
  };

  it('a pod is ready when its readiness probe says so, and no longer', async () => {
    await boot('readinessProbe');
    const pod = probedPod('readinessProbe');
    node.want(pod);
    await node.until(() => node.reasons(pod).includes('Unhealthy'));
    expect([flags(pod), node.isReady(pod)]).toEqual([[true, false, 0], false]);
    failing.clear();
    expect(await node.until(() => node.isReady(pod))).toBeLessThan(2_000);
    failing.add('readinessProbe');
    await node.until(() => !node.isReady(pod));
    expect(flags(pod)).toEqual([true, false, 0]);
  });

  it("a container that fails its liveness probe is restarted, with upstream's words", async () => {
    await boot('livenessProbe');
    const pod = probedPod('livenessProbe');
    node.want(pod);
    await node.until(() => node.status(pod)?.containerStatuses?.[0]?.restartCount === 1);
    const messages = node.events(pod).map(({ reason, message }) => `${reason}: ${message}`);
    expect(messages).toContain('Unhealthy: Liveness probe failed: no');
    expect(messages).toContain('Killing: Container main failed liveness probe, will be restarted');
  });

  it('a startup probe gates the other probes', async () => {
    await boot('startupProbe');
    const pod = probedPod('startupProbe', 'livenessProbe', 'readinessProbe');
    failing.add('livenessProbe');
    node.want(pod);
    await node.until(() => node.status(pod)?.containerStatuses?.[0]?.restartCount === 1);
    const killed = node.events(pod).filter(({ reason }) => reason === 'Killing');
    expect(killed.map(({ message }) => message)).toEqual(['Container main failed startup probe, will be restarted']);
    failing.clear();
    await node.until(() => node.isReady(pod), 120_000);
    expect(flags(pod)).toEqual([true, true, 1]);
  });

  it('nothing flips when the kubelet is killed and started again', async () => {
    await boot();
    const pod = probedPod('startupProbe', 'livenessProbe', 'readinessProbe');
    node.want(pod);
    await node.until(() => node.isReady(pod));
    await node.kill();
    const before = node.statuses.length;
    await node.boot();
    await node.clock.advance(30_000);
    const later = node.statuses.slice(before).map(({ status }) => {
      const [main] = status.containerStatuses ?? [];
      return `${main?.started} ${main?.ready}`;
    });
    expect(new Set(later)).toEqual(new Set(['true true']));
    expect([node.isReady(pod), flags(pod)]).toEqual([true, [true, true, 0]]);
  });
});
