import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { configSourceAnnotation, podUid, type Pod, type PodSource } from '@podwright/kube-types';
import { VolatileLocalObjects } from '@podwright/local-objects-interface/contract';
import { createMemoryLogger, type MemoryLogger } from '@podwright/logging';
import type { StatusManager } from '@podwright/status-interface';
import { VirtualClock } from '@podwright/time';
import type { EndedLocalPods } from './ended-local-pods.js';
import { createEndedLocalPods } from './local-pods.module.js';

let objects: VolatileLocalObjects;
let clock: VirtualClock;
let logger: MemoryLogger;
let tell: Parameters<StatusManager['watch']>[0];
let removal: EndedLocalPods;

beforeEach(async () => {
  [objects, clock, logger] = [new VolatileLocalObjects(), new VirtualClock(), createMemoryLogger()];
  await objects.start();
  const watch: StatusManager['watch'] = (listener) => {
    tell = listener;
    return () => void (tell = () => undefined);
  };
  removal = createEndedLocalPods({ objects, statuses: { watch }, clock, logger });
  await removal.start();
});
afterEach(() => removal.stop());

async function put(metadata: object = {}): Promise<Pod> {
  const pod: Pod = { metadata: { name: 'web', namespace: 'default', ...metadata }, spec: { containers: [] } };
  await objects.commit([{ kind: 'Pod', put: pod }]);
  return objects.get('Pod', 'default', 'web') as Pod;
}
const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 };
const end = (pod: Pod, { source = 'local', ended = true }: { source?: PodSource; ended?: boolean } = {}): void => {
  const annotations = { [configSourceAnnotation]: source };
  tell(podUid(pod), { phase: 'Failed' }, { pod: { ...pod, metadata: { ...pod.metadata, annotations } }, ended });
};
const left = (): number => objects.list('Pod').items.length;

describe('the object of a local pod', () => {
  it('is removed when the pod was deleted and has ended', async () => {
    end(await put(deleted));
    await clock.advance(0);
    expect(left()).toBe(0);
  });

  it('stays as long as the pod has not ended, or was not deleted', async () => {
    end(await put(deleted), { ended: false });
    await clock.advance(0);
    expect(left()).toBe(1);
    await objects.commit([{ kind: 'Pod', remove: { namespace: 'default', name: 'web' } }]);
    end(await put());
    await clock.advance(0);
    expect(left()).toBe(1);
  });

  it('stays when another pod has ended: one of another source, or the one before it', async () => {
    const before = await put(deleted);
    end(before, { source: 'file' });
    await clock.advance(0);
    expect(left()).toBe(1);
    await objects.commit([
      { kind: 'Pod', remove: { namespace: 'default', name: 'web' } },
      { kind: 'Pod', put: before },
    ]);
    end(before);
    await clock.advance(0);
    expect(left()).toBe(1);
  });

  it('is removed when the disk takes it again', async () => {
    const pod = await put(deleted);
    objects.failure = new KubeletError('no space left on device', { code: 'unavailable' });
    end(pod);
    await clock.advance(5_000);
    expect(logger.messages('error').length).toBeGreaterThan(1);
    expect(left()).toBe(1);
    objects.failure = undefined;
    await clock.advance(60_000);
    expect([left(), clock.pendingTimers]).toEqual([0, 0]);
  });

  it('is left to the next kubelet when this one stops', async () => {
    const pod = await put(deleted);
    objects.failure = new KubeletError('no space left on device', { code: 'unavailable' });
    end(pod);
    await clock.advance(0);
    await removal.stop();
    await removal.stop();
    expect([left(), clock.pendingTimers]).toEqual([1, 0]);
  });
});
