import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SimulatedNode } from './simulated-node.js';
import { simulatedPod } from './simulated-pod.js';

describe('a network that is not ready', () => {
  let node: SimulatedNode;
  beforeEach(async () => {
    node = await SimulatedNode.create();
    node.runtime.control.setNetworkReady(false);
    await node.boot();
  });
  afterEach(() => node.dispose());

  it('lets pods in the network of the host run; the others wait, say why, and start soon after it is ready', async () => {
    const host = simulatedPod('host', { hostNetwork: true });
    const own = simulatedPod('own');
    node.want(own, host);
    expect(await node.until(() => node.isReady(host))).toBeLessThan(5_000);
    await node.clock.advance(60_000);
    expect(node.status(own)?.phase).toBe('Pending');
    expect(node.status(own)?.containerStatuses?.[0]?.state?.waiting?.reason).toBe('ContainerCreating');
    expect(node.runtime.calls.count('runPodSandbox')).toBe(1);
    const event = node.events(own).find(({ reason }) => reason === 'NetworkNotReady');
    expect(event?.type).toBe('Warning');
    expect(event?.message).toMatch(/^network is not ready: .*cni plugin not initialized/);
    node.runtime.control.setNetworkReady(true);
    // The state of the runtime is read every 5 s, waiting pods are tried every 1 to 1.5 s.
    expect(await node.until(() => node.isReady(own))).toBeLessThan(9_000);
  });
});
