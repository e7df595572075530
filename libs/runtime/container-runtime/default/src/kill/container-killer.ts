import { hasCode, messageOf, rethrowAsRpc } from '@podwright/errors';
import { journalPod } from '@podwright/journal-interface';
import type { Container } from '@podwright/kube-types';
import { podRef } from '@podwright/kube-types';
import { recordContainerEvent } from '../pod-records/event-target.js';
import type { ContainerCheckpoints } from './container-checkpoints.js';
import { graceSecondsOf, minimumGraceSeconds, remainingGraceSeconds } from './grace-period.js';
import type { KillContainerRequest } from './kill-container-request.js';
import { PreStopHook } from './pre-stop-hook.js';
import type { ContainerRuntimeNeeds } from '../container-runtime-needs.js';

/**
 * Kills one container: event, preStop hook, termination order, stop. Source: kubernetes v1.36
 * pkg/kubelet/kuberuntime/kuberuntime_container.go killContainer.
 */
export class ContainerKiller {
  private readonly preStop: PreStopHook;

  constructor(
    private readonly deps: Pick<
      ContainerRuntimeNeeds,
      'runtime' | 'recorder' | 'hooks' | 'clock' | 'logger' | 'journal'
    >,
    private readonly checkpoints: ContainerCheckpoints,
  ) {
    this.preStop = new PreStopHook(deps, checkpoints);
  }

  /**
   * Resolves when the container has stopped or no longer exists. Rejects with the runtime's error in gRPC's text form.
   */
  async kill(request: KillContainerRequest): Promise<void> {
    const { pod, container, containerId, order } = request;
    const { recorder, logger } = this.deps;
    const message = request.message ?? stoppingMessage(container);
    recordContainerEvent(recorder, { pod, container, containerId, type: 'Normal', reason: 'Killing', message });
    const resumed = this.checkpoints.of(pod, containerId).kill !== undefined;
    let grace = await this.beginGrace(request);
    const begunAtMs = this.deps.clock.monotonic();
    this.journalKill(request, { message, resumed, gracePeriodSeconds: grace });
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
      this.journalEnd(request, begunAtMs);
    } catch (error) {
      this.journalEnd(request, begunAtMs, messageOf(error));
      throw error;
    } finally {
      // A hook must not outlive the container.
      stopped.abort();
    }
  }

  /** Stops the container, without an event and a hook. Resolves and rejects as {@link kill}. */
  async stop(
    { pod, containerId }: Pick<KillContainerRequest, 'pod' | 'containerId'>,
    graceSeconds: number,
  ): Promise<void> {
    try {
      await this.deps.runtime.stopContainer({ containerId, timeout: BigInt(Math.trunc(graceSeconds)) });
    } catch (error) {
      if (!hasCode(error, 'not-found')) {
        // A failed kill is retried with a full grace period. When this process stops, the next one resumes the kill.
        if (!hasCode(error, 'cancelled')) await this.checkpoints.update(pod, containerId, { kill: undefined });
        return rethrowAsRpc(error);
      }
    }
    await this.checkpoints.remove(pod, containerId);
  }

  private journalKill(
    { pod, container, containerId, reason = 'other', wholePod = false }: KillContainerRequest,
    kill: { readonly message: string; readonly resumed: boolean; readonly gracePeriodSeconds: number },
  ): void {
    const of = { pod: journalPod(pod), container: container.name, containerId };
    this.deps.journal?.report({ kind: 'container.kill', ...of, cause: wholePod ? 'pod' : reason, ...kill });
  }

  private journalEnd({ pod, container, containerId }: KillContainerRequest, begunAtMs: number, error?: string): void {
    const of = { pod: journalPod(pod), container: container.name, containerId };
    const durationMs = this.deps.clock.monotonic() - begunAtMs;
    this.deps.journal?.report({ kind: 'container.killed', ...of, durationMs, ...(error !== undefined && { error }) });
  }

  /** Grace period in seconds; only the rest of it when an earlier kubelet process began the kill. */
  private async beginGrace({ pod, container, containerId, ...request }: KillContainerRequest): Promise<number> {
    const { reason = 'other', message = stoppingMessage(container), wholePod = false } = request;
    const wanted = request.gracePeriodSeconds ?? graceSecondsOf(pod, container, reason);
    const earlier = this.checkpoints.of(pod, containerId).kill;
    const nowMs = this.deps.clock.now();
    const grace = earlier === undefined ? wanted : remainingGraceSeconds(wanted, earlier, nowMs);
    if (earlier === undefined || wanted < earlier.graceSeconds) {
      const kill = { beganAtMs: nowMs, graceSeconds: grace, message, reason, wholePod };
      await this.checkpoints.update(pod, containerId, { kill });
    }
    return grace;
  }
}

const stoppingMessage = ({ name }: Container): string => `Stopping container ${name}`;
