import { CLOCK, LOGGER, needs, pick, type Needs } from '@podwright/assembly-interface';
import type { Lifecycle } from '@podwright/assembly-interface';
import { hasCode } from '@podwright/errors';
import { podRef, podSource, podUid, type Pod } from '@podwright/kube-types';
import { LOCAL_OBJECTS } from '@podwright/local-objects-interface';
import { STATUS_MANAGER } from '@podwright/status-interface';
import { GrowingPause } from '@podwright/time';

export const endedLocalPodsNeeds = needs({
  objects: pick(LOCAL_OBJECTS, 'get', 'commit'),
  statuses: pick(STATUS_MANAGER, 'watch'),
  clock: CLOCK,
  logger: LOGGER,
});

/**
 * Removes the objects of local pods that were deleted and have ended, as the status manager does with those of an API
 * server. What a killed kubelet has not removed, the next one ends and removes again.
 */
export class EndedLocalPods implements Lifecycle {
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<void>>();
  private unwatch: (() => void) | undefined;

  constructor(private readonly deps: Needs<typeof endedLocalPodsNeeds>) {}

  async start(): Promise<void> {
    this.unwatch ??= this.deps.statuses.watch((_uid, _status, { pod, ended }) => {
      if (!ended || podSource(pod) !== 'local') return;
      const removal = this.remove(pod).finally(() => this.running.delete(removal));
      this.running.add(removal);
    });
  }

  async stop(): Promise<void> {
    this.unwatch?.();
    this.stopping.abort();
    await Promise.all(this.running);
  }

  private async remove(pod: Pod): Promise<void> {
    const { signal } = this.stopping;
    const pause = new GrowingPause({ firstMs: 1000, longestMs: 60_000 });
    while (!signal.aborted && this.isDeleted(pod)) {
      try {
        const { namespace = '', name = '' } = pod.metadata;
        await this.deps.objects.commit([{ kind: 'Pod', remove: { namespace, name }, expectedUid: podUid(pod) }]);
        this.deps.logger.debug(3, 'Pod fully terminated and removed from the local objects', { pod: podRef(pod) });
        return;
      } catch (error) {
        // Somebody else has removed it, or put another pod in its place.
        if (hasCode(error, 'not-found') || hasCode(error, 'aborted')) return;
        this.deps.logger.error('An ended pod cannot be removed from the local objects', { pod: podRef(pod), error });
        await this.deps.clock.sleep(pause.next(), signal).catch(() => undefined);
      }
    }
  }

  private isDeleted(pod: Pod): boolean {
    const stored = this.deps.objects.get('Pod', pod.metadata.namespace ?? '', pod.metadata.name ?? '');
    return stored?.metadata.uid === podUid(pod) && stored.metadata.deletionTimestamp !== undefined;
  }
}
