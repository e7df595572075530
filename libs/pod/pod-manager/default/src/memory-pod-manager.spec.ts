import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { describePodManagerContract } from '@podwright/pod-manager-interface/contract';
import { createPodManager } from './memory-pod-manager.js';

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
});
