import type { GetPodsOptions, RuntimePod } from '@podwright/container-runtime-interface';
import type { RuntimeService } from '@podwright/cri-client-interface';
import type { Clock } from '@podwright/time';
import { listPods } from './list-pods.js';

interface FullList {
  readonly pods: readonly RuntimePod[];
  /** Monotonic milliseconds just before the runtime was asked. */
  readonly observedAt: number;
}

/**
 * Lists pods and keeps the last full list, for callers that accept an older one. The pleg makes a full list each
 * second.
 */
export class PodLister {
  private last: FullList | undefined;

  constructor(
    private readonly runtime: RuntimeService,
    private readonly clock: Clock,
  ) {}

  async getPods(options: GetPodsOptions): Promise<readonly RuntimePod[]> {
    const observedAt = this.clock.monotonic();
    const { maxAgeMs, ...asked } = options;
    if (maxAgeMs !== undefined && this.last !== undefined && observedAt - this.last.observedAt <= maxAgeMs) {
      return selected(this.last.pods, options);
    }
    const pods = await listPods(this.runtime, asked);
    const newer = this.last === undefined || this.last.observedAt < observedAt;
    if (options.all && options.podUid === undefined && newer) this.last = { pods, observedAt };
    return pods;
  }
}

/** Filters a full list as the runtime would. */
function selected(pods: readonly RuntimePod[], { all, podUid }: GetPodsOptions): readonly RuntimePod[] {
  const wanted = podUid === undefined ? pods : pods.filter(({ uid }) => uid === podUid);
  if (all) return wanted;
  return wanted.flatMap((pod) => {
    const containers = pod.containers.filter(({ state }) => state === 'running');
    const sandboxes = pod.sandboxes.filter(({ ready }) => ready);
    return containers.length + sandboxes.length === 0 ? [] : [{ ...pod, containers, sandboxes }];
  });
}
