import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import type { PodManager } from '@podwright/pod-manager-interface';
import { describeStatusManagerContract, type StatusManagerHarness } from '@podwright/status-interface/contract';
import { VirtualClock } from '@podwright/time';
import { createPodStatusManager } from './pod-status-manager.js';

function harness(): StatusManagerHarness & { readonly clock: VirtualClock; readonly logger: ReturnType<typeof createMemoryLogger> } {
  const known = new Map<string, Pod>();
  const mirrors = new Map<string, Pod>();
  const pods: Pick<PodManager, 'getPodByUid' | 'getMirrorPodOf' | 'translatePodUid'> = {
    getPodByUid: (uid) => known.get(uid),
    getMirrorPodOf: (pod) => mirrors.get(pod.metadata.uid ?? ''),
    translatePodUid: (uid) => [...mirrors].find(([, mirror]) => mirror.metadata.uid === uid)?.[0] ?? uid,
  };
  const clock = new VirtualClock();
  const logger = createMemoryLogger();
  return {
    manager: createPodStatusManager({ pods: pods as PodManager, clock, logger }),
    addPod: (pod, mirrorPod) => {
      known.set(pod.metadata.uid ?? '', pod);
      if (mirrorPod !== undefined) mirrors.set(pod.metadata.uid ?? '', mirrorPod);
    },
    clock,
    logger,
  };
}

describeStatusManagerContract('PodStatusManager', async () => harness());

describe('PodStatusManager', () => {
  const pod: Pod = { metadata: { name: 'p', namespace: 'n', uid: 'u1' }, spec: { containers: [{ name: 'a' }] } };

  it('answers for a static pod under the UID of its mirror pod too', () => {
    const { manager, addPod } = harness();
    addPod(pod, { ...pod, metadata: { ...pod.metadata, uid: 'mirror' } });
    manager.setPodStatus(pod, { phase: 'Running' });
    expect(manager.getPodStatus('mirror')?.phase).toBe('Running');
  });

  it('cuts termination messages to what a pod may carry', () => {
    const { manager, addPod } = harness();
    addPod(pod);
    const state = { terminated: { exitCode: 1, message: 'x'.repeat(20_000) } };
    manager.setPodStatus(pod, { containerStatuses: [{ name: 'a', ready: false, restartCount: 0, image: '', imageID: '', state }] });
    expect(manager.getPodStatus('u1')?.containerStatuses?.[0]?.state?.terminated?.message).toHaveLength(12_288);
  });

  it('says in the log which container it did not revive', () => {
    const { manager, addPod, logger } = harness();
    const never: Pod = { ...pod, spec: { ...pod.spec, restartPolicy: 'Never' } };
    addPod(never);
    const base = { name: 'a', ready: false, restartCount: 0, image: '', imageID: '' };
    manager.setPodStatus(never, { containerStatuses: [{ ...base, state: { terminated: { exitCode: 0 } } }] });
    manager.setPodStatus(never, { containerStatuses: [{ ...base, state: { running: {} } }] });
    expect(JSON.stringify(logger)).toContain('terminated container a attempted illegal transition');
  });
});
