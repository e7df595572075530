import { CLOCK, LOGGER, decodeOptions } from '@podwright/assembly-interface';
import { abortable, Mutex } from '@podwright/concurrency';
import type { ContainerGc, GarbageCollectOptions } from '@podwright/container-gc-interface';
import { CONTAINER_RUNTIME } from '@podwright/container-runtime-interface';
import type { ContainerRuntime, RuntimePodStatus } from '@podwright/container-runtime-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import type { RuntimeService } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import { EVENT_RECORDER } from '@podwright/events-interface';
import type { EventRecorder } from '@podwright/events-interface';
import type { Logger } from '@podwright/logging';
import { POD_CACHE } from '@podwright/pod-cache-interface';
import type { PodCache } from '@podwright/pod-cache-interface';
import { POD_CONFIG } from '@podwright/pod-config-interface';
import type { PodConfig } from '@podwright/pod-config-interface';
import { POD_LIFECYCLE } from '@podwright/pod-workers-interface';
import type { PodLifecycle } from '@podwright/pod-workers-interface';
import type { Clock } from '@podwright/time';
import { TRACER, type Tracer } from '@podwright/tracing-interface';
import { inject, injectable } from 'tsyringe';
import { DeadContainerDeletor, selectExited } from './dead-container-deletor.js';
import { isContentSpare } from './content-spare.js';
import { GcPass } from './gc-pass.js';
import type { GcOutcome } from './gc-pass.js';
import { RUNTIME_CONTAINER_GC_CONFIG, runtimeContainerGcConfigSchema } from './runtime-container-gc-config.js';
import type { RuntimeContainerGcConfig } from './runtime-container-gc-config.js';

/** {@link ContainerGc} that looks at the runtime's own lists each period and at single pods when told of a death. */
@injectable()
export class RuntimeContainerGc implements ContainerGc {
  private readonly logger: Logger;
  private readonly deletor: DeadContainerDeletor;
  private readonly oneAtATime = new Mutex();
  private readonly stopping = new AbortController();
  private failedBefore = false;
  private loop: Promise<void> | undefined;

  constructor(
    @inject(RUNTIME_SERVICE) private readonly service: RuntimeService,
    @inject(CONTAINER_RUNTIME) private readonly runtime: ContainerRuntime,
    @inject(POD_LIFECYCLE) private readonly lifecycle: PodLifecycle,
    @inject(POD_CONFIG) private readonly podConfig: PodConfig,
    @inject(POD_CACHE) private readonly cache: PodCache,
    @inject(EVENT_RECORDER) private readonly events: EventRecorder,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) logger: Logger,
    @inject(RUNTIME_CONTAINER_GC_CONFIG) private readonly config: RuntimeContainerGcConfig,
    @inject(TRACER, { isOptional: true }) private readonly tracer?: Tracer,
  ) {
    this.logger = logger.with({ logger: 'container-gc' });
    this.deletor = new DeadContainerDeletor(runtime, this.logger, config.deletionQueue);
  }

  async start(): Promise<void> {
    if (this.loop !== undefined || this.stopping.signal.aborted) return;
    this.deletor.start(this.stopping.signal);
    this.loop = this.clock.every(this.config.periodMs, () => this.collectInBackground(), this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('container garbage collection is stopping', { code: 'cancelled' }));
    await Promise.all([this.loop, this.deletor.stop()]);
  }

  async garbageCollect({ includeEnded = false }: GarbageCollectOptions = {}): Promise<void> {
    const { failures, leftovers } = await this.pass(includeEnded);
    const errors = [...failures, ...leftovers];
    if (errors.length > 0) throw new KubeletError(joined(errors), { code: 'internal', cause: errors[0] });
  }

  deleteDeadContainers(
    podUid: string,
    options: { readonly exitedContainerId?: string; readonly all?: boolean } = {},
  ): void {
    const status = this.statusOf(podUid);
    if (status === undefined) return;
    const all = options.all === true || isContentSpare(this.lifecycle, podUid);
    const { exitedContainerId } = options;
    const keep = Math.max(this.config.maxPerPodContainer, 1);
    if (all) this.deletor.delete(selectExited(status, { keep: 0 }));
    else
      this.deletor.delete(
        selectExited(status, { keep, ...(exitedContainerId === undefined ? {} : { exitedContainerId }) }),
      );
  }

  /** undefined: the last inspection failed, the next pass will see to it. */
  private statusOf(podUid: string): RuntimePodStatus | undefined {
    try {
      return this.cache.get(podUid);
    } catch (error) {
      this.logger.debug(2, 'dead containers of a pod are left to the next pass', { podUid, error });
      return undefined;
    }
  }

  private async collectInBackground(): Promise<void> {
    try {
      const { failures } = await abortable(this.pass(false), this.stopping.signal);
      if (failures.length === 0) {
        this.logger.debug(this.failedBefore ? 1 : 4, 'Container garbage collection succeeded');
      } else {
        this.logger.error('Container garbage collection failed', { error: failures[0] });
        this.events.event({ kind: 'Node' }, 'Warning', 'ContainerGCFailed', joined(failures));
      }
      this.failedBefore = failures.length > 0;
    } catch (error) {
      // pass() does not reject: this is the end of waiting for it.
      if (!this.stopping.signal.aborted) this.logger.error('Container garbage collection failed', { error });
    }
  }

  private pass(includeEnded: boolean): Promise<GcOutcome> {
    const { service, runtime, lifecycle, podConfig, clock, logger } = this;
    const pass = new GcPass(
      { service, runtime, lifecycle, podConfig, clock, logger },
      { ...this.config, includeEnded },
      this.stopping.signal,
    );
    const { tracer } = this;
    const run = (): Promise<GcOutcome> => pass.run();
    return this.oneAtATime.run(tracer === undefined ? run : () => tracer.trace('Containers/GarbageCollect', {}, run));
  }
}

/** One message as it is, several as Go joins them. */
function joined(errors: readonly Error[]): string {
  const messages = errors.map(({ message }) => message);
  return messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(', ')}]`;
}

export interface RuntimeContainerGcDeps {
  readonly service: RuntimeService;
  readonly runtime: ContainerRuntime;
  readonly lifecycle: PodLifecycle;
  readonly podConfig: PodConfig;
  readonly cache: PodCache;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tracer?: Tracer;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createRuntimeContainerGc(
  deps: RuntimeContainerGcDeps,
  options: Partial<RuntimeContainerGcConfig> = {},
): RuntimeContainerGc {
  const config = decodeOptions('container-gc', runtimeContainerGcConfigSchema, options);
  const { service, runtime, lifecycle, podConfig, cache, events, clock, logger, tracer } = deps;
  return new RuntimeContainerGc(service, runtime, lifecycle, podConfig, cache, events, clock, logger, config, tracer);
}
