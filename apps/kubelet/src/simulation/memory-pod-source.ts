import { CLOCK, LOGGER, defineModule, type AnyModule } from '@podwright/assembly-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import type { Pod } from '@podwright/kube-types';
import { createPodConfig } from '@podwright/pod-config';
import { POD_CONFIG, type PodSource, type PodSourceReader } from '@podwright/pod-config-interface';

/** The pods that a node should run, kept in memory; it outlives the kubelets that read it. */
export class MemoryPodSource {
  private pods: readonly Pod[] | undefined;
  private deliver: ((pods: readonly Pod[]) => void) | undefined;

  /** Undefined pods: a source that has not answered yet. */
  constructor(
    private readonly source: PodSource = 'file',
    pods?: readonly Pod[],
  ) {
    this.pods = pods;
  }

  /** The full set from now on. */
  set(pods: readonly Pod[]): void {
    this.pods = pods;
    this.deliver?.(pods);
  }

  /** The process that reads it is gone: it hears nothing more. */
  abandon(): void {
    this.deliver = undefined;
  }

  get(): readonly Pod[] {
    return this.pods ?? [];
  }

  // One reader per kubelet; the one before it hears nothing more.
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

  /** The kubelet's own pod configuration, reading this source as well. */
  module(nodeName: string, staticPodPath: string): AnyModule {
    return defineModule({
      name: 'memory-pod-source',
      provides: [POD_CONFIG],
      requires: [CLOCK, LOGGER, EVENT_RECORDER],
      register: (container) =>
        container.register(POD_CONFIG, {
          useFactory: (resolver) =>
            createPodConfig(
              {
                clock: resolver.resolve(CLOCK),
                logger: resolver.resolve(LOGGER),
                events: resolver.resolve(EVENT_RECORDER),
                apiSource: this.reader(),
              },
              { nodeName, staticPodPath },
            ),
        }),
    });
  }
}
