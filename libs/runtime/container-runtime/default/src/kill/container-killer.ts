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
import { graceSecondsOf, minimumGraceSeconds } from './grace-period.js';
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
}

/** Ends one container in good order. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go killContainer. */
export class ContainerKiller {
  constructor(private readonly deps: ContainerKillerDeps) {}

  /** Resolves when the container has stopped or is gone; rejects with the runtime's error in its long form. */
  async kill(request: KillContainerRequest): Promise<void> {
    const { pod, container, containerId, order, reason = 'other' } = request;
    const { runtime, recorder, hooks, logger } = this.deps;
    const message = request.message ?? `Stopping container ${container.name}`;
    recordContainerEvent(recorder, { pod, container, containerId, type: 'Normal', reason: 'Killing', message });
    let grace = request.gracePeriodSeconds ?? graceSecondsOf(pod, container, reason);
    const stopped = new AbortController();
    try {
      if (container.lifecycle?.preStop !== undefined && grace > 0) {
        grace -= await this.runPreStop(request, grace, hooks, stopped.signal);
      }
      if (order !== undefined && grace > 0) grace -= await order.waitForTurn(container.name, grace);
      grace = Math.max(grace, minimumGraceSeconds);
      logger.debug(2, 'Killing container with a grace period', { pod: podRef(pod), container: container.name, grace });
      await runtime.stopContainer({ containerId, timeout: BigInt(Math.trunc(grace)) }).catch((error: unknown) => {
        if (hasCode(error, 'not-found')) return;
        throw new KubeletError(rpcErrorText(error), { code: KubeletError.from(error).code, cause: error });
      });
      order?.markTerminated(container.name);
    } finally {
      // A hook that outlived the grace period has nothing left to prepare.
      stopped.abort();
    }
  }

  /** Resolves with the whole seconds used. A hook that takes longer goes on beside the stop of the container. */
  private async runPreStop(
    { pod, container, containerId }: KillContainerRequest,
    limitSeconds: number,
    hooks: LifecycleHooks,
    stopped: AbortSignal,
  ): Promise<number> {
    const { clock, recorder, logger } = this.deps;
    const startedAt = clock.monotonic();
    const hook = hooks.run('preStop', pod, container, containerId, stopped).catch((error: unknown) => {
      logger.error('PreStop hook failed', { pod: podRef(pod), container: container.name, containerId, error });
      if (stopped.aborted) return;
      // Not the error itself: it may hold what the container wrote, secrets among it.
      const message = 'PreStopHook failed';
      recordContainerEvent(recorder, {
        pod,
        container,
        containerId,
        type: 'Warning',
        reason: 'FailedPreStopHook',
        message,
      });
    });
    await new Promise<void>((resolve) => {
      const limit = clock.setTimer(limitSeconds * 1000, resolve);
      void hook.then(() => {
        limit.cancel();
        resolve();
      });
    });
    return Math.floor((clock.monotonic() - startedAt) / 1000);
  }
}
