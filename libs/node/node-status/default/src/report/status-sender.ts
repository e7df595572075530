import { KubeletError, messageOf } from '@podwright/errors';
import { nodes, type CallOptions, type KubeClient } from '@podwright/kube-client-interface';
import type { Journal } from '@podwright/journal-interface';
import { deepEqual, type Node } from '@podwright/kube-types';
import { FailureLog, type Logger } from '@podwright/logging';
import { nodeCallAdvice, type RegisteredNode } from '@podwright/node-status-interface';
import type { Clock } from '@podwright/time';
import { nodeStatusPatch, statusChanged } from '../status/node-change.js';
import type { ReportSchedule } from './report-schedule.js';

/** Attempts per round, without pauses: the next round comes soon. Source: kubernetes v1.36 nodeStatusUpdateRetry. */
const mostTries = 5;

export interface StatusSenderDeps {
  readonly client: Pick<KubeClient, 'server' | 'get' | 'patch' | 'closeConnections'>;
  readonly registered: Pick<RegisteredNode, 'current'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly journal?: Journal | undefined;
  readonly schedule: ReportSchedule;
  /** Computes the desired Node. Never rejects. */
  readonly compute: (original: Node) => Promise<Node>;
  /** Sends the pod CIDRs to the runtime; resolves to whether they changed. Never rejects. */
  readonly podCidrs: (cidrs: readonly string[]) => Promise<boolean>;
  /** Called when the API server has accepted a Ready status. */
  readonly becameReady: () => void;
  /** Called with the attachable volumes in the status that the API server has. */
  readonly volumesReported: (names: readonly string[]) => void;
  readonly architecture: string;
}

export interface StatusSenderOptions {
  readonly nodeName: string;
  readonly timeoutMs: number;
}

/** Sends the status to the API server when it is due. Source: kubernetes v1.36 pkg/kubelet/kubelet_node_status.go. */
export class StatusSender {
  private readonly failureLog: FailureLog;
  private failure: string | undefined;
  private failingSince: number | undefined;
  /** The volumes in use that the API server answered last. */
  private stored: readonly string[] | undefined;

  constructor(
    private readonly deps: StatusSenderDeps,
    private readonly options: StatusSenderOptions,
  ) {
    this.failureLog = new FailureLog(deps.logger, deps.clock);
  }

  /** Why the last round failed; undefined after a success. */
  get lastFailure(): string | undefined {
    return this.failure;
  }

  /** One round. Never rejects. */
  async round(signal: AbortSignal): Promise<void> {
    const { logger, client } = this.deps;
    let last: unknown;
    for (let attempt = 0; attempt < mostTries && !signal.aborted; attempt++) {
      try {
        await this.attempt(attempt, signal);
        this.succeeded();
        this.failureLog.over('The node status is updated again', { node: this.options.nodeName });
        return;
      } catch (error) {
        last = error;
        // A connection that a broken network keeps open would swallow the next attempt as well.
        if (attempt > 0) client.closeConnections('idle');
        logger.debug(2, 'Error updating node status, will retry', { node: this.options.nodeName, error });
      }
    }
    if (!signal.aborted) this.failed(last);
  }

  /** The desired Node and whether it differs from the given one. */
  async updated(original: Node): Promise<{ readonly node: Node; readonly changed: boolean }> {
    const { compute, podCidrs, architecture } = this.deps;
    const cidrs = original.spec?.podCIDRs ?? [];
    const cidrsChanged = cidrs.length > 0 && (await podCidrs(cidrs));
    const labels = { ...original.metadata?.labels };
    const platform = { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': architecture };
    const mislabelled = Object.entries(platform).some(([name, value]) => labels[name] !== value);
    const labelled = mislabelled
      ? { ...original, metadata: { ...original.metadata, labels: { ...labels, ...platform } } }
      : original;
    const node = await compute(labelled);
    return { node, changed: cidrsChanged || statusChanged(original.status, node.status) || mislabelled };
  }

  /** Sends the difference. Rejects when the API server refuses it. */
  async send(original: Node, node: Node, signal: AbortSignal): Promise<void> {
    const { client, schedule, becameReady } = this.deps;
    const { nodeName } = this.options;
    const body = nodeStatusPatch(original, node);
    let stored: Node;
    try {
      const patch = { type: 'strategic-merge', body } as const;
      stored = await client.patch(nodes, { name: nodeName }, patch, { ...this.call(signal), subresource: 'status' });
    } catch (error) {
      throw this.described(`failed to patch status for node ${JSON.stringify(nodeName)}`, error);
    }
    schedule.reported();
    this.stored = stored.status?.volumesInUse ?? [];
    this.deps.volumesReported(this.stored);
    if (stored.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true) {
      becameReady();
    }
  }

  private async attempt(attempt: number, signal: AbortSignal): Promise<void> {
    const original = attempt === 0 ? await this.known(signal) : await this.fetch(signal);
    const { node, changed } = await this.updated(original);
    if (this.deps.schedule.due(changed)) await this.send(original, node, signal);
    else this.deps.volumesReported(node.status?.volumesInUse ?? []);
  }

  // The watched Node may be slightly stale, but saves the API server a read per node and round.
  private async known(signal: AbortSignal): Promise<Node> {
    const node = this.deps.registered.current();
    // A volume may be detached as soon as the API server lacks it, so a watch that is late must not say that it has it.
    if (node !== undefined && this.isCurrent(node)) return node;
    if (node !== undefined) return this.fetch(signal);
    const name = JSON.stringify(this.options.nodeName);
    throw new KubeletError(`error getting node ${name}: node ${name} not found`, { code: 'not-found' });
  }

  private isCurrent({ status }: Node): boolean {
    return this.stored === undefined || deepEqual(this.stored, status?.volumesInUse ?? []);
  }

  private async fetch(signal: AbortSignal): Promise<Node> {
    const { nodeName } = this.options;
    try {
      return await this.deps.client.get(nodes, { name: nodeName }, this.call(signal));
    } catch (error) {
      throw this.described(`error getting node ${JSON.stringify(nodeName)}`, error);
    }
  }

  private call(signal: AbortSignal): CallOptions {
    return { budget: 'heartbeat', timeoutMs: this.options.timeoutMs, signal };
  }

  private described(what: string, error: unknown): KubeletError {
    return new KubeletError(`${what}: ${messageOf(error)}`, { code: KubeletError.from(error).code, cause: error });
  }

  private succeeded(): void {
    if (this.failingSince !== undefined) {
      const failedMs = this.deps.clock.monotonic() - this.failingSince;
      this.deps.journal?.report({ kind: 'node.status.accepted', failedMs });
    }
    this.failure = undefined;
    this.failingSince = undefined;
  }

  private failed(error: unknown): void {
    this.failingSince ??= this.deps.clock.monotonic();
    const { nodeName } = this.options;
    const thrown = KubeletError.from(error);
    const advice = nodeCallAdvice(error, { nodeName, server: this.deps.client.server });
    const advised = advice !== undefined && { advice };
    if (thrown.message !== this.failure)
      this.deps.journal?.report({ kind: 'node.status.failed', error: thrown.message, ...advised });
    this.failure = thrown.message;
    this.failureLog.failed(thrown.code, 'Unable to update node status: update node status exceeds retry count', {
      node: nodeName,
      error,
      ...advised,
    });
  }
}
