import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { createMetricsRegistry } from '@podwright/metrics';
import { describePodManagerContract } from '@podwright/pod-manager-interface/contract';
import { createPodManager } from './memory-pod-manager.module.js';

describePodManagerContract('MemoryPodManager', () => ({ podManager: createPodManager() }));

describe('MemoryPodManager', () => {
  it('makes its list once per change', () => {
    const podManager = createPodManager();
    const pod: Pod = { metadata: { name: 'a', namespace: 'default', uid: 'uid-a' }, spec: { containers: [] } };
    podManager.addPod(pod);
    expect(podManager.getPods()).toBe(podManager.getPods());
    podManager.addPod(pod);
    expect(podManager.getPods()).toEqual([pod]);
  });

  it('counts the ephemeral containers of all pods', async () => {
    const metrics = createMetricsRegistry();
    const podManager = createPodManager({ metrics });
    const pod = (uid: string, names: readonly string[]): Pod => ({
      metadata: { name: uid, namespace: 'default', uid },
      spec: { containers: [], ephemeralContainers: names.map((name) => ({ name })) },
    });
    for (const each of [pod('a', ['x', 'y']), pod('b', []), pod('c', ['z'])]) podManager.addPod(each);
    expect(await metrics.render()).toContain('kubelet_managed_ephemeral_containers 3\n');
    podManager.removePod(pod('a', []));
    expect(await metrics.render()).toContain('kubelet_managed_ephemeral_containers 1\n');
  });
});
