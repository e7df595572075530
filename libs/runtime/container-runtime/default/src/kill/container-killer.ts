import type { RuntimeService } from '@podwright/cri-client-interface';
import { hasCode, KubeletError } from '@podwright/errors';
import type { EventRecorder } from '@podwright/events-interface';
import type { Container, Pod } from '@podwright/kube-types';
import { podRef } from '@podwright/kube-types';
import type { LifecycleHooks } from '@podwright/lifecycle-hooks-interface';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import type { KillReason } from '../actions/pod-actions.js';
import { recordContainerEvent } from '../pod-records/event-target.js';
import { rpcErrorText } from '../pod-records/rpc-error-text.js';
import type { ContainerMemory } from './container-memory.js';
import { graceSecondsOf, minimumGraceSeconds, remainingGraceSeconds } from './grace-period.js';
import { PreStopHook } from './pre-stop-hook.js';
import type { TerminationOrder } from './termination-order.js';

export interface ContainerKillerDeps {
  readonly runtime: RuntimeService;
  readonly recorder: EventRecorder;
  readonly hooks: LifecycleHooks;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface KillContainerRequest {
  readonly pod: Pod;
  readonly container: Container;
  readonly containerId: string;
  /** Text of the event; default `Stopping container <name>`. */
  readonly message?: string;
  readonly reason?: KillReason;
  /** Replaces the container's own grace period, in seconds. */
  readonly gracePeriodSeconds?: number | undefined;
  readonly order?: TerminationOrder | undefined;
  /** Part of a kill of the whole pod. */
  readonly wholePod?: boolean;
}

/** Ends one container in good order. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go killContainer. */
export class ContainerKiller {
  private readonly preStop: PreStopHook;

  constructor(
    private readonly deps: ContainerKillerDeps,
    private readonly memory: ContainerMemory,
  ) {
    this.preStop = new PreStopHook(deps, memory);
  }

  /** Resolves when the container has stopped or is gone; rejects with the runtime's error in its long form. */
  async kill(request: KillContainerRequest): Promise<void> {
    const { pod, container, containerId, order } = request;
    const { recorder, logger } = this.deps;
    const message = request.message ?? stoppingMessage(container);
    recordContainerEvent(recorder, { pod, container, containerId, type: 'Normal', reason: 'Killing', message });
    let grace = await this.beginGrace(request);
    const stopped = new AbortController();
    try {
      if (container.lifecycle?.preStop !== undefined && grace > 0) {
        grace -= await this.preStop.run(request, grace, stopped.signal);
      }
      if (order !== undefined && grace > 0) grace -= await order.waitForTurn(container.name, grace);
      grace = Math.max(grace, minimumGraceSeconds);
      logger.debug(2, 'Killing container with a grace period', { pod: podRef(pod), container: container.name, grace });
      await this.stop(request, grace);
      order?.markTerminated(container.name);
    } finally {
      // A hook that outlived the grace period has nothing left to prepare.
      stopped.abort();
    }
  }

  /** Seconds that the container has; less than its grace period when an earlier life of the kubelet began the kill. */
  private async beginGrace({ pod, container, containerId, ...request }: KillContainerRequest): Promise<number> {
    const { reason = 'other', message = stoppingMessage(container), wholePod = false } = request;
    const wanted = request.gracePeriodSeconds ?? graceSecondsOf(pod, container, reason);
    const earlier = this.memory.of(pod, containerId).kill;
    const nowMs = this.deps.clock.now();
    const grace = earlier === undefined ? wanted : remainingGraceSeconds(wanted, earlier, nowMs);
    if (earlier === undefined || wanted < earlier.graceSeconds) {
      const kill = { beganAtMs: nowMs, graceSeconds: grace, message, reason, wholePod };
      await this.memory.note(pod, containerId, { kill });
    }
    return grace;
  }

  private async stop({ pod, containerId }: KillContainerRequest, grace: number): Promise<void> {
    try {
      await this.deps.runtime.stopContainer({ containerId, timeout: BigInt(Math.trunc(grace)) });
    } catch (error) {
      if (!hasCode(error, 'not-found')) {
        // A kill that failed begins anew, with all its grace. One that was cut off, as this process ends, goes on.
        if (!hasCode(error, 'cancelled')) await this.memory.note(pod, containerId, { kill: undefined });
        throw new KubeletError(rpcErrorText(error), { code: KubeletError.from(error).code, cause: error });
      }
    }
    await this.memory.forget(pod, containerId);
  }
}

const stoppingMessage = ({ name }: Container): string => `Stopping container ${name}`;
