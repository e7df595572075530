import { CLOCK, LOGGER, needs, optional, type Needs } from '@podwright/assembly-interface';
import { abortable, Mutex } from '@podwright/concurrency';
import type { ContainerGc, GarbageCollectOptions } from '@podwright/container-gc-interface';
import { CONTAINER_RUNTIME } from '@podwright/container-runtime-interface';
import type { RuntimePodStatus } from '@podwright/container-runtime-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { aggregateMessage, KubeletError } from '@podwright/errors';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { JOURNAL } from '@podwright/journal-interface';
import type { Logger } from '@podwright/logging';
import { POD_CACHE } from '@podwright/pod-cache-interface';
import { POD_CONFIG } from '@podwright/pod-config-interface';
import { POD_LIFECYCLE } from '@podwright/pod-workers-interface';
import { TRACER } from '@podwright/tracing-interface';
import { DeadContainerDeletor, selectExited } from './dead-container-deletor.js';
import { isContentRemovable } from './content-removable.js';
import { GcPass } from './gc-pass.js';
import type { GcOutcome } from './gc-pass.js';
import type { RuntimeContainerGcConfig } from './runtime-container-gc-config.js';

export const containerGcNeeds = needs({
  service: RUNTIME_SERVICE,
  runtime: CONTAINER_RUNTIME,
  lifecycle: POD_LIFECYCLE,
  podConfig: POD_CONFIG,
  cache: POD_CACHE,
  events: EVENT_RECORDER,
  clock: CLOCK,
  logger: LOGGER,
  tracer: optional(TRACER),
  journal: optional(JOURNAL),
});
export type ContainerGcNeeds = Needs<typeof containerGcNeeds>;

/**
 * {@link ContainerGc} that lists the runtime's containers and sandboxes each period, and removes a single pod's dead
 * containers on request.
 */
export class RuntimeContainerGc implements ContainerGc {
  private readonly logger: Logger;
  private readonly deletor: DeadContainerDeletor;
  private readonly oneAtATime = new Mutex();
  private readonly stopping = new AbortController();
  private failedBefore = false;
  private loop: Promise<void> | undefined;

  constructor(
    private readonly deps: ContainerGcNeeds,
    private readonly config: RuntimeContainerGcConfig,
  ) {
    this.logger = deps.logger.with({ logger: 'container-gc' });
    this.deletor = new DeadContainerDeletor({ ...deps, logger: this.logger }, config.deletionQueue);
  }

  async start(): Promise<void> {
    if (this.loop !== undefined || this.stopping.signal.aborted) return;
    this.deletor.start(this.stopping.signal);
    this.loop = this.deps.clock.every(this.config.periodMs, () => this.collectInBackground(), this.stopping.signal);
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
    const all = options.all === true || isContentRemovable(this.deps.lifecycle, podUid);
    const { exitedContainerId } = options;
    const keep = Math.max(this.config.maxPerPodContainer, 1);
    const one = exitedContainerId === undefined ? {} : { exitedContainerId };
    const dead = selectExited(status, all ? { keep: 0 } : { keep, ...one });
    const { uid, namespace, name } = status;
    const cause = options.all === true ? 'eviction' : all ? 'pod-gone' : 'superseded';
    this.deletor.delete(
      dead.map(({ id, name: container }) => ({ containerId: id, pod: { uid, namespace, name }, container, cause })),
    );
  }

  /** Undefined when the last inspection of the pod failed; the next pass removes its containers. */
  private statusOf(podUid: string): RuntimePodStatus | undefined {
    try {
      return this.deps.cache.get(podUid);
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
        this.deps.events.event({ kind: 'Node' }, 'Warning', 'ContainerGCFailed', joined(failures));
      }
      this.failedBefore = failures.length > 0;
    } catch (error) {
      // pass() does not reject: only the abort that ends this wait comes here.
      if (!this.stopping.signal.aborted) this.logger.error('Container garbage collection failed', { error });
    }
  }

  private pass(includeEnded: boolean): Promise<GcOutcome> {
    const { logger } = this;
    const { service, runtime, lifecycle, podConfig, clock, journal } = this.deps;
    const pass = new GcPass(
      { service, runtime, lifecycle, podConfig, clock, logger, journal },
      { ...this.config, includeEnded },
      this.stopping.signal,
    );
    const { tracer } = this.deps;
    const run = (): Promise<GcOutcome> => pass.run();
    return this.oneAtATime.run(tracer === undefined ? run : () => tracer.trace('Containers/GarbageCollect', {}, run));
  }
}

const joined = (errors: readonly Error[]): string => aggregateMessage(errors.map(({ message }) => message));
