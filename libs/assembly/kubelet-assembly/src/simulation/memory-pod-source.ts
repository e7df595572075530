import { CLOCK, LOGGER, defineModule, optional, type AnyModule } from '@podwright/assembly-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { JOURNAL } from '@podwright/journal-interface';
import type { Pod } from '@podwright/kube-types';
import { createPodConfig } from '@podwright/pod-config';
import { LOCAL_POD_SOURCE, POD_CONFIG, type PodSource, type PodSourceReader } from '@podwright/pod-config-interface';

/** The pods that a node should run, in memory; it outlives the kubelets that read it. */
export class MemoryPodSource {
  private pods: readonly Pod[] | undefined;
  private deliver: ((pods: readonly Pod[]) => void) | undefined;

  /** Undefined `pods`: the source has not answered yet. */
  constructor(
    private readonly source: PodSource = 'file',
    pods?: readonly Pod[],
  ) {
    this.pods = pods;
  }

  /** Replaces the full set of pods. */
  set(pods: readonly Pod[]): void {
    this.pods = pods;
    this.deliver?.(pods);
  }

  /** The process that reads the source was killed and gets no further updates. */
  abandon(): void {
    this.deliver = undefined;
  }

  get(): readonly Pod[] {
    return this.pods ?? [];
  }

  // One reader per kubelet; the previous one gets no further updates.
  private reader(): PodSourceReader {
    return {
      source: this.source,
      open: async (deliver) => {
        this.deliver = deliver;
        if (this.pods !== undefined) deliver(this.pods);
      },
      close: async () => {
        this.deliver = undefined;
      },
    };
  }

  /** The kubelet's own pod configuration with this source added. */
  module(nodeName: string, staticPodPath: string): AnyModule {
    return defineModule({
      name: 'memory-pod-source',
      provides: [POD_CONFIG],
      needs: {
        clock: CLOCK,
        logger: LOGGER,
        events: EVENT_RECORDER,
        localSource: optional(LOCAL_POD_SOURCE),
        journal: optional(JOURNAL),
      },
      create: (deps) => createPodConfig({ ...deps, apiSource: this.reader() }, { nodeName, staticPodPath }),
    });
  }
}
