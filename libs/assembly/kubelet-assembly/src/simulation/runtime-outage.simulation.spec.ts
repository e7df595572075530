import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { podUid } from '@podwright/kube-types';
import { SimulatedNode } from './simulated-node.js';
import { simulatedPod, simulatedPods } from './simulated-pod.js';

describe('a runtime that goes away', () => {
  let node: SimulatedNode;
  beforeEach(async () => {
    node = await SimulatedNode.create();
    await node.boot();
  });
  afterEach(() => node.dispose());

  const pods = simulatedPods(10);
  const restarts = (): number =>
    pods.reduce((sum, pod) => sum + (node.status(pod)?.containerStatuses?.[0]?.restartCount ?? 0), 0);

  it.each([
    ['a restart', 2_000],
    ['ten minutes', 600_000],
  ])('and comes back after %s: nothing is restarted', async (_name, outageMs) => {
    node.want(...pods);
    await node.until(() => pods.every((pod) => node.isReady(pod)));
    const before = node.runtime.control.containers().map(({ id }) => id);
    node.runtime.control.goAway();
    await node.clock.advance(outageMs);
    expect(pods.every((pod) => node.status(pod)?.phase === 'Running')).toBe(true);
    node.runtime.control.comeBack();
    const added = simulatedPod('added');
    node.want(...pods, added);
    expect(await node.until(() => node.isReady(added))).toBeLessThan(10_000);
    await node.clock.advance(120_000);
    expect(node.runtime.control.containers().filter(({ id }) => before.includes(id))).toHaveLength(10);
    expect(node.runtime.calls.count('createContainer')).toBe(11);
    expect(restarts()).toBe(0);
    expect(node.complaints()).toEqual([]);
  });

  it('while a pod was to go: it goes when the runtime is back', async () => {
    node.want(...pods);
    await node.until(() => pods.every((pod) => node.isReady(pod)));
    node.runtime.control.goAway();
    node.want(...pods.slice(1));
    await node.clock.advance(300_000);
    expect(node.isStopped(pods[0]!)).toBe(false);
    node.runtime.control.comeBack();
    await node.until(() => node.isStopped(pods[0]!));
    expect(restarts()).toBe(0);
  });

  it('is no reason for the kubelet not to start, and to start nothing twice afterwards', async () => {
    node.want(...pods);
    await node.until(() => pods.every((pod) => node.isReady(pod)));
    await node.stop();
    node.runtime.control.goAway();
    await node.boot();
    await node.clock.advance(60_000);
    node.runtime.control.comeBack();
    await node.until(() => pods.every((pod) => node.isReady(pod)));
    expect(node.runtime.calls.count('createContainer')).toBe(10);
  });

  it('a reboot of the node starts every pod again, in a new sandbox, with its count kept', async () => {
    node.want(...pods);
    await node.until(() => pods.every((pod) => node.isReady(pod)));
    await node.kill();
    node.runtime.control.reboot();
    await node.boot();
    await node.until(() =>
      pods.every((pod) => node.isReady(pod) && node.status(pod)?.containerStatuses?.[0]?.restartCount === 1),
    );
    for (const pod of pods) {
      expect(
        node.runtime.control.sandboxes.filter(({ podUid: uid, ready }) => uid === podUid(pod) && ready),
      ).toHaveLength(1);
    }
  });

  it('a killed sandbox is replaced', async () => {
    const [pod] = pods;
    node.want(pod!);
    await node.until(() => node.isReady(pod!));
    node.runtime.control.killSandbox(node.runtime.control.sandboxes[0]!.id);
    await node.until(() => node.status(pod!)?.containerStatuses?.[0]?.restartCount === 1 && node.isReady(pod!));
    expect(node.reasons(pod)).toContain('SandboxChanged');
  });
});
